"""The dated facts of a case on one line of time: results by test, medicines as bars, procedures and vaccines as marks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from safety.model.patient import Case

_LEFT, _WIDTH, _ROW = 190, 560, 22
_MOST_ROWS = 24


class Mark(Struct, frozen=True):
    """One fact: its day, where it stands from left to right, and what is written beside it."""

    x: float
    day: str
    text: str


class Lane(Struct, frozen=True):
    """One line: a test, a medicine or an event; a medicine is a bar from `start` to `end`, open where the end is not told."""

    name: str
    y: int
    marks: tuple[Mark, ...] = ()
    start: float | None = None
    end: float | None = None
    open: bool = False


class Timeline(Struct, frozen=True):
    """Lanes, ticks, and how large the picture is; no lanes where nothing has a day."""

    lanes: tuple[Lane, ...] = ()
    ticks: tuple[Mark, ...] = ()
    left: int = _LEFT
    width: int = _LEFT + _WIDTH + 90
    height: int = 0
    today: float = 0
    hidden: int = 0


class _Dated(Struct, frozen=True):
    lane: str
    start: date
    text: str
    end: date | None = None
    bar: bool = False


def timeline_of(case: Case, as_of: str) -> Timeline:
    """What of a case has a day, up to the day that it is judged on and beyond it where something is planned."""
    facts = sorted(_facts(case), key=lambda f: f.start)
    if not facts:
        return Timeline()
    day = date.fromisoformat(as_of)
    first = min(f.start for f in facts)
    last = max([day, *(f.end or f.start for f in facts)])
    span = max((last - first).days, 1)

    def x(when: date) -> float:
        return round(_LEFT + _WIDTH * (when - first).days / span, 1)

    names = list(dict.fromkeys(f.lane for f in facts))
    lanes = []
    for n, name in enumerate(names[:_MOST_ROWS]):
        own = [f for f in facts if f.lane == name]
        y = 14 + n * _ROW
        bar = next((f for f in own if f.bar), None)
        marks = tuple(Mark(x(f.start), f.start.isoformat(), f.text) for f in own)
        if bar is None:
            lanes.append(Lane(name, y, marks))
        else:
            lanes.append(Lane(name, y, marks, x(bar.start), x(bar.end or day), bar.end is None))
    shown = dict.fromkeys((first, first + (last - first) / 2, last))
    ticks = tuple(Mark(x(when), when.isoformat(), "") for when in shown)
    return Timeline(tuple(lanes), ticks, height=14 + len(lanes) * _ROW + 26, today=x(day), hidden=max(len(names) - _MOST_ROWS, 0))


def _facts(case: Case) -> Iterator[_Dated]:
    patient = case.patient
    for one in (*(patient.labs or ()), *(patient.vitals or ())):
        if one.on is not None and one.value is not None:
            yield _Dated(one.test, one.on, f"{one.value} {one.unit or ''}".strip())
    for taken in (*patient.medications, *case.plan):
        if taken.since is not None:
            yield _Dated(taken.text, taken.since, f"since {taken.since}", taken.until, True)
        elif taken.last_taken is not None:
            yield _Dated(taken.text, taken.last_taken, "last taken")
    for done in patient.procedures or ():
        if done.on is not None:
            yield _Dated(done.text, done.on, done.status)
    for given in patient.vaccines or ():
        if given.on is not None:
            yield _Dated(given.text, given.on, given.status or "given")
    for told in patient.conditions or ():
        if told.onset is not None:
            yield _Dated(told.text, told.onset, "since")
