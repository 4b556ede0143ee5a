"""A question about a dose as callers write it → patient, prescription, and what was said; or every slip in it at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec import Struct

from safety.errors import Place, Problem, RequestError
from safety.model.patient import Case, Medication
from safety.model.quantity import number
from safety.reading.case import Locate, Path_, read_case
from safety.text import did_you_mean, printable

_KEYS = ("id", "as_of", "patient", "prescribed", "reported")
_EXTRA = ("text", "days_supply", "filled_on", "quantity_filled")
_MOST = 50


class Statement(Struct, frozen=True):
    """One statement: the words, the fields that came with it, and the last filling of the bottle if told."""

    text: str = ""
    fields: Medication | None = None
    days_supply: Decimal | None = None
    filled_on: date | None = None
    quantity_filled: Decimal | None = None


class DoseRequest(Struct, frozen=True):
    """Whom it is about, what was prescribed (nothing: not told), and what is said to be taken."""

    case: Case
    prescribed: tuple[Medication, ...] = ()
    reported: tuple[Statement, ...] = ()


def read_dose_request(value: object, locate: Locate | None = None) -> DoseRequest:
    """The request in plain values. Raises RequestError with every problem; what is left out stays "not told"."""
    return _Reader(locate or (lambda path: Place("request" + "".join(f".{p}" for p in path)))).request(value)


class _Reader:
    def __init__(self, locate: Locate) -> None:
        self.locate = locate
        self.problems: list[Problem] = []

    def wrong(self, path: Path_, code: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.locate(path), code, message, hint))

    def request(self, value: object) -> DoseRequest:
        """The whole of it."""
        if not isinstance(value, Mapping):
            self.wrong(
                (), "R101", "a request must be a mapping", "write `reported:`, and `prescribed:` if there is a prescription"
            )
            raise RequestError(self.problems)
        for key in value:
            if key not in _KEYS:
                hint = did_you_mean(str(key), _KEYS) or "keys here: " + " ".join(_KEYS)
                self.wrong((str(key),), "R102", f"`{printable(str(key), 60)}` is not a key of a dose request", hint)
        if "reported" not in value:
            self.wrong((), "R105", "`reported` is missing: what is said to be taken?", 'write `reported: ""` if nothing was said')
        told = {key: value[key] for key in ("id", "as_of") if value.get(key) is not None}
        patient = value.get("patient")
        case = self._case({**told, "patient": {} if patient is None else patient}, ())
        prescribed = self._list(value.get("prescribed"), "prescribed")
        medications = tuple(m for n, item in enumerate(prescribed) for m in self._medication(item, ("prescribed", n)))
        said = tuple(self._said(item, n) for n, item in enumerate(self._list(value.get("reported"), "reported")))
        if self.problems or case is None:
            raise RequestError(sorted(self.problems))
        return DoseRequest(case, medications, said)

    def _list(self, value: object, key: str) -> Sequence[Any]:
        if value is None:
            return ()
        items = value if isinstance(value, list | tuple) else [value]
        if len(items) > _MOST:
            self.wrong((key,), "R104", f"`{key}` has {len(items)} items; at most {_MOST} are read")
            return ()
        return items

    def _case(self, value: Mapping[str, Any], path: Path_) -> Case | None:
        try:
            return read_case(value, lambda inner: self.locate((*path, *inner)))
        except RequestError as error:
            self.problems += error.problems
            return None

    def _medication(self, value: object, path: Path_) -> tuple[Medication, ...]:
        if value is None or value == "":
            return ()
        try:
            made = read_case({"patient": {"medications": [value]}}, lambda inner: self.locate((*path, *inner[3:])))
        except RequestError as error:
            self.problems += error.problems
            return ()
        return made.patient.medications

    def _said(self, value: object, n: int) -> Statement:
        path = ("reported", n)
        if value is None or isinstance(value, str):
            return Statement(str(value or ""))
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            return Statement(str(value))
        if not isinstance(value, Mapping):
            self.wrong(path, "R106", "a statement must be text or fields", "write what was said, in quotes")
            return Statement()
        text = value.get("text")
        if text is not None and not isinstance(text, str):
            self.wrong((*path, "text"), "R106", "must be text")
            text = None
        rest = {k: v for k, v in value.items() if k not in _EXTRA}
        named = {"drug": "not named", **rest} if rest else None
        fields = self._medication(named, path) if named else ()
        medication = fields[0] if fields else None
        return Statement(
            text or "", medication, self._count(value.get("days_supply"), (*path, "days_supply")),
            self._day(value.get("filled_on"), (*path, "filled_on")),
            self._count(value.get("quantity_filled"), (*path, "quantity_filled")),
        )  # fmt: skip

    def _count(self, value: object, path: Path_) -> Decimal | None:
        found = number(value) if isinstance(value, int | float | Decimal | str) else None
        if value is not None and (found is None or found <= 0):
            self.wrong(path, "R116", "must be a number above 0")
            return None
        return found

    def _day(self, value: object, path: Path_) -> date | None:
        if value is None or isinstance(value, date):
            return value
        try:
            return date.fromisoformat(str(value)[:10])
        except ValueError:
            self.wrong(path, "R112", f"`{printable(str(value), 40)}` is not a day", "write it as 2026-11-20")
            return None


NOT_NAMED = "not named"
"""The name of a statement in fields that names no medicine: the prescribed one is meant."""
