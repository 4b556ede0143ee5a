"""A question about a test result as callers write it → the patient, what was measured, and the results before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from safety.errors import Place, Problem, RequestError
from safety.model.patient import Case
from safety.reading.case import Locate, Path_, read_case
from safety.text import did_you_mean, printable

_KEYS = ("id", "as_of", "patient", "text", "test", "value", "unit", "on", "fasting", "drawn", "history")
_PAST = ("value", "unit", "on", "corrected", "test")
_MOST = 2000
_YES_NO = {"yes": True, "no": False, True: True, False: False, "true": True, "false": False}


class LabRequest(Struct, frozen=True):
    """The case with every result among its labs: first the patient's own, then `history`, then what is asked about.

    `asked`: where that begins. `fasting`: told or not. `drawn`: when the sample was drawn, as told; empty where it is only
    told that it was at the time at which it ought to be.
    `corrected`: which items correct others of the same day. `listed`: the patient's own results were told, perhaps none.
    """

    case: Case
    history: int
    asked: int
    fasting: bool | None = None
    drawn: str | None = None
    corrected: frozenset[int] = frozenset()
    listed: bool = False


def read_lab_request(value: object, locate: Locate | None = None) -> LabRequest:
    """The request in plain values, or a line of text. Raises RequestError with every problem."""
    place = locate or (lambda path: Place("request" + "".join(f".{p}" for p in path)))
    problems: list[Problem] = []
    told = {"text": value} if isinstance(value, str) else value
    if not isinstance(told, Mapping):
        hint = "write `text: my sugar was 250`, or `test:`, `value:` and `unit:`"
        raise RequestError([Problem(place(()), "R101", "a request must be a mapping or a line of text", hint)])
    _known(told, _KEYS, (), place, problems)
    patient, own = _patient(told, place, problems)
    past = _past(told, place, problems)
    asked = _asked(told)
    fasting = _fasting(told, place, problems)
    if problems:
        raise RequestError(problems)
    labs = [*own, *(item for item, _ in past), *asked]
    case = read_case({k: told[k] for k in ("id", "as_of") if k in told} | {"patient": {**patient, "labs": labs}}, place)
    first = len(own)
    corrected = frozenset(first + n for n, (_, right) in enumerate(past) if right)
    return LabRequest(case, first, first + len(past), fasting, _drawn(told), corrected, _is_listed(told))


def _known(told: Mapping[Any, Any], keys: tuple[str, ...], path: Path_, place: Locate, problems: list[Problem]) -> None:
    for key in told:
        if key not in keys:
            hint = did_you_mean(str(key), keys) or f"one of: {' '.join(keys)}"
            problems.append(Problem(place((*path, str(key))), "R102", f"`{printable(str(key), 40)}` is not a key here", hint))


def _patient(told: Mapping[Any, Any], place: Locate, problems: list[Problem]) -> tuple[dict[str, Any], list[Any]]:
    patient = told.get("patient") or {}
    if not isinstance(patient, Mapping):
        problems.append(
            Problem(place(("patient",)), "R101", "`patient` must be a mapping", "e.g. `patient: {age: 72 y, sex: female}`")
        )
        return {}, []
    own = patient.get("labs") or []
    return {k: v for k, v in patient.items() if k != "labs"}, list(own) if isinstance(own, list | tuple) else [own]


def _is_listed(told: Mapping[Any, Any]) -> bool:
    """Whether the patient has a list of results: an empty one says that none is on file."""
    patient = told.get("patient")
    return isinstance(patient, Mapping) and patient.get("labs") is not None


def _past(told: Mapping[Any, Any], place: Locate, problems: list[Problem]) -> list[tuple[Any, bool]]:
    history = told.get("history") or []
    if not isinstance(history, list | tuple) or len(history) > _MOST:
        problems.append(Problem(place(("history",)), "R101", f"`history` must be a list of at most {_MOST} results", ""))
        return []
    found: list[tuple[Any, bool]] = []
    for n, item in enumerate(history):
        if isinstance(item, str):
            found.append((item, False))
            continue
        if not isinstance(item, Mapping):
            problems.append(
                Problem(place(("history", n)), "R101", "a result must be a mapping or a line of text", "{value, unit, on}")
            )
            continue
        _known(item, _PAST, ("history", n), place, problems)
        test = item.get("test") or told.get("test") or _name_in(told)
        lab = {"test": test, **{k: item[k] for k in ("value", "unit", "on") if item.get(k) is not None}}
        found.append((lab, bool(item.get("corrected"))))
    return found


def _name_in(told: Mapping[Any, Any]) -> str:
    """The history of a line of text is of the test that the line names."""
    return str(told.get("text") or "")


def _asked(told: Mapping[Any, Any]) -> list[Any]:
    asked: list[Any] = []
    if told.get("text"):
        asked.append(str(told["text"]))
    if told.get("test") is not None:
        asked.append({k: told[k] for k in ("test", "value", "unit", "on") if told.get(k) is not None})
    return asked


def _drawn(told: Mapping[Any, Any]) -> str | None:
    """In words, or `yes`: at the time at which it ought to be."""
    given = told.get("drawn")
    said = str(given).strip() if given is not None else ""
    agreed = _YES_NO.get(given if isinstance(given, bool) else said.lower())
    return (said or None) if agreed is None else "" if agreed else None


def _fasting(told: Mapping[Any, Any], place: Locate, problems: list[Problem]) -> bool | None:
    given = told.get("fasting")
    if given is None:
        return None
    if isinstance(given, bool | str) and given in _YES_NO:
        return _YES_NO[given]
    problems.append(Problem(place(("fasting",)), "R104", "`fasting` is yes or no", "leave it out if it is not told"))
    return None
