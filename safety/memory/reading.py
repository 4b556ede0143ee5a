"""Events as callers write them (plain values from YAML, JSON or Python) → events; or every slip in them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from safety.errors import Place, Problem, RequestError
from safety.memory.events import ACTS, AUTHORITIES, Act, Event, Provenance, Time, event_id, on
from safety.memory.times import TimeReader
from safety.model.patient import Case, Medication
from safety.reading.case import Locate, Path_, read_case
from safety.text import did_you_mean, printable

T = TypeVar("T")
_KEYS = (
    "id", "turn", "told", "by", "says", "medicine", "condition", "allergy", "reaction", "test", "value", "unit", "when", "until",
    "days", "why", "for", "instead_of", "because_of", "corrects", "retracts", "said", "span", "source",
)  # fmt: skip
_TOP = ("patient", "events", "as_of", "id")
_ABOUT = ("medicine", "condition", "allergy", "test")
_MEDICINES: frozenset[Act] = frozenset({
    "prescribed", "started", "taking", "changed", "held", "resumed", "stopped", "irregular", "regular", "filled", "asks",
    "considers",
})  # fmt: skip
_ELSEWHERE: Mapping[str, frozenset[str]] = {
    "condition": frozenset({"has", "suspected", "resolved", "denies", "confirmed", "others"}),
    "allergy": frozenset({"allergic", "has", "resolved", "denies", "confirmed", "others"}),
    "test": frozenset({"measured"}),
    "medicine": frozenset({*_MEDICINES, "denies", "confirmed", "others"}),
}
_MOST = 100_000
_LONGEST = 2000


class Told(Struct, frozen=True):
    """The events of a file, and what else it says of the patient."""

    events: tuple[Event, ...]
    case: Case


def read_events(value: object, times: TimeReader, locate: Locate | None = None, after: int = 0) -> Told:
    """The events in plain values: a list, or a mapping with `events` and `patient`. Raises RequestError with every problem.

    Turns that are not told count up from `after`, day by day.
    """
    reader = _Reader(
        times, locate or (lambda path: Place("events" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)))
    )
    return reader.all(value, after)


def _by_day(items: Sequence[Any]) -> list[tuple[int, Any]]:
    """The events with their places in the file; where no turn is told, in the order of the days on which they were told."""
    placed = list(enumerate(items))
    if any(not isinstance(item, Mapping) or "turn" in item or "told" not in item for item in items):
        return placed
    return sorted(placed, key=lambda one: str(one[1]["told"]))


class _Reader:
    def __init__(self, times: TimeReader, locate: Locate) -> None:
        self.times, self.locate = times, locate
        self.problems: list[Problem] = []

    def wrong(self, path: Path_, code: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.locate(path), code, message, hint))

    def all(self, value: object, after: int) -> Told:
        """The whole of it."""
        case = read_case({"patient": {}})
        items: object = value
        path: Path_ = ()
        if isinstance(value, Mapping):
            for key in value:
                if key not in _TOP:
                    self.wrong(
                        (str(key),), "R102", f"`{printable(str(key), 60)}` is not a key here", did_you_mean(str(key), _TOP)
                    )
            case = self._case(value)
            items, path = value.get("events", ()), ("events",)
        if isinstance(items, str) or not isinstance(items, Sequence):
            self.wrong(
                path, "R501", "events must be a list", "write each as `- {told: 2026-01-05, says: started, medicine: ...}`"
            )
            items = ()
        if len(items) > _MOST:
            self.wrong(path, "R104", f"there are {len(items):,} events; at most {_MOST:,} are read")
            items = ()
        events: list[Event] = []
        turn = after
        for n, item in _by_day(items):
            made = self._event(item, (*path, n), turn + 1)
            events += made
            turn = max([turn, *(e.turn for e in made)]) if made else turn + 1
        if self.problems:
            raise RequestError(sorted(self.problems))
        return Told(tuple(events), case)

    def _case(self, value: Mapping[str, Any]) -> Case:
        told = {key: value[key] for key in ("patient", "as_of", "id") if value.get(key) is not None}
        try:
            case = read_case({"patient": {}} | told, self.locate)
            listed = "medications" in (told.get("patient") or {})
            return replace(case, patient=replace(case.patient, medications_told=listed))
        except RequestError as error:
            self.problems += error.problems
            return read_case({"patient": {}})

    def _event(self, item: object, path: Path_, turn: int) -> list[Event]:
        if not isinstance(item, Mapping):
            self.wrong(path, "R501", "an event must be a mapping", "write `{told: 2026-01-05, says: started, medicine: ...}`")
            return []
        for key in item:
            if key not in _KEYS:
                hint = did_you_mean(str(key), _KEYS) or "keys here: " + " ".join(_KEYS)
                self.wrong((*path, str(key)), "R102", f"`{printable(str(key), 60)}` is not a key of an event", hint)
        told = self._day(item.get("told"), (*path, "told"))
        if told is None:
            if "told" not in item:
                self.wrong(path, "R105", "`told` is missing: on which day was it told?")
            return []
        retracts = self._ids(item.get("retracts"), (*path, "retracts"))
        says = self._one_of(item.get("says", "retracted" if retracts else None), ACTS, (*path, "says"), "says")
        by = self._one_of(item.get("by", "patient"), AUTHORITIES, (*path, "by"), "by")
        if says is None or by is None:
            return []
        found = self._told(item, path, Event("", self._turn(item, path, turn), told, by, says, retracts=retracts))
        return self._fits(found, item, path)

    def _told(self, item: Mapping[str, Any], path: Path_, event: Event) -> Event:
        text = {
            key: self._text(item.get(key), (*path, key))
            for key in ("condition", "allergy", "reaction", "unit", "why", "because_of")
        }
        made = replace(
            event, medicine=self._medicine(item, path), test=self._text(item.get("test"), (*path, "test")),
            value=self._value(item.get("value")), when=self._when(item.get("when"), event.told, (*path, "when")),
            until=self._day(item.get("until"), (*path, "until")), days=self._count(item.get("days"), (*path, "days")),
            corrects=self._ids(item.get("corrects"), (*path, "corrects")), said=self._said(item, path), **text,
        )  # fmt: skip
        named = self._text(item.get("id"), (*path, "id"))
        return replace(made, id=named or event_id(made))

    def _fits(self, event: Event, item: Mapping[str, Any], path: Path_) -> list[Event]:
        """The event, and the stop of what it is taken instead of; nothing where what it says does not fit what it is about."""
        about = [key for key in _ABOUT if item.get(key)]
        if event.says == "retracted":
            return [event] if event.retracts else []
        if len(about) != 1:
            hint = "one of `medicine`, `condition`, `allergy`, `test` with its `value`"
            self.wrong(path, "R504", "an event is about one thing" if about else "what is the event about?", hint)
            return []
        if event.says not in _ELSEWHERE[about[0]]:
            fitting = " ".join(sorted(_ELSEWHERE[about[0]]))
            self.wrong((*path, "says"), "R505", f"`{event.says}` is not said of a {about[0]}", f"of a {about[0]}: {fitting}")
            return []
        other = self._text(item.get("instead_of"), (*path, "instead_of"))
        if not other:
            return [event]
        stop = replace(
            event, id=f"{event.id}.instead", says="stopped", medicine=Medication(other), until=None, days=None, corrects=()
        )
        return [event, stop]

    # -------------------------------------------------------------- single values

    def _medicine(self, item: Mapping[str, Any], path: Path_) -> Medication | None:
        value = item.get("medicine")
        if value is None or value == "":
            return None
        try:
            made = read_case({"patient": {"medications": [value]}}, lambda inner: self.locate((*path, "medicine", *inner[3:])))
        except RequestError as error:
            self.problems += error.problems
            return None
        medicine = made.patient.medications[0]
        reason = self._text(item.get("for"), (*path, "for"))
        return replace(medicine, indication=reason) if reason else medicine

    def _when(self, value: object, told: date, path: Path_) -> Time | None:
        if value is None:
            return None
        if isinstance(value, list | tuple) and len(value) == 2:
            ends = [self._day(one, path) for one in value]
            if ends[0] is not None and ends[1] is not None and ends[0] <= ends[1]:
                return Time(ends[0], ends[1])
            self.wrong(path, "R506", "the first of two days must not be after the second")
            return None
        if isinstance(value, date):
            return on(value)
        found = self.times.read(str(value), told)
        if found is None:
            self.wrong(
                path,
                "R506",
                f"`{printable(str(value), 60)}` is not a time",
                "write a day, `March 2026`, `3 days ago` or two days",
            )
        return found

    def _day(self, value: object, path: Path_) -> date | None:
        if value is None or type(value) is date:
            return value if isinstance(value, date) else None
        try:
            return date.fromisoformat(str(value)[:10])
        except ValueError:
            self.wrong(path, "R112", f"`{printable(str(value), 40)}` is not a day", "write it as 2026-11-20")
            return None

    def _turn(self, item: Mapping[str, Any], path: Path_, turn: int) -> int:
        value = item.get("turn")
        found = turn if value is None else self._count(value, (*path, "turn"))
        return turn if found is None else found

    def _count(self, value: object, path: Path_) -> int | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**9:
            self.wrong(path, "R116", "must be a whole number")
            return None
        return value

    def _one_of(self, value: object, known: tuple[T, ...], path: Path_, key: str) -> T | None:
        found = next((one for one in known if one == value), None)
        if found is None:
            shown = "missing" if value is None else f"`{printable(str(value), 40)}`, which is none of them"
            hint = did_you_mean(str(value), map(str, known)) or "one of " + " ".join(map(str, known))
            self.wrong(path, "R507", f"`{key}` is {shown}", hint)
        return found

    def _ids(self, value: object, path: Path_) -> tuple[str, ...]:
        if value is None:
            return ()
        items = value if isinstance(value, list | tuple) else [value]
        return tuple(self._text(item, path) for item in items)

    def _text(self, value: object, path: Path_) -> str:
        if value is None:
            return ""
        if not isinstance(value, str | int) or isinstance(value, bool):
            self.wrong(path, "R106", "must be text")
            return ""
        return printable(str(value), _LONGEST)

    def _value(self, value: object) -> str:
        return "" if value is None else printable(str(value), 100)

    def _said(self, item: Mapping[str, Any], path: Path_) -> Provenance:
        span = item.get("span")
        start, end = (None, None)
        if isinstance(span, list | tuple) and len(span) == 2:
            start, end = (self._count(one, (*path, "span")) for one in span)
        elif span is not None:
            self.wrong((*path, "span"), "R106", "must be two numbers, the first character and the one behind the last")
        source = self._text(item.get("source"), (*path, "source"))
        return Provenance(source, start, end, self._text(item.get("said"), (*path, "said")))
