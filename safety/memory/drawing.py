"""A history as strips: for each medicine, problem and allergy from when to when it was so, and what was told."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, Literal

from msgspec import Struct

from safety.memory.belief import Belief
from safety.memory.events import Event, Known
from safety.memory.folding import ABSENT, HELD, IRREGULAR, NOT_TAKEN, PAST
from safety.memory.history import Held, History
from safety.memory.holding import Believed, Holding

Look = Literal["on", "off", "held", "unsure", "conflict"]
_KINDS = {"medicine": 0, "allergy": 1, "condition": 2}
_LONGEST = 60


class Segment(Struct, frozen=True):
    """A stretch of days on which a line looked the same; the last day included."""

    first: date
    last: date
    look: Look
    text: str

    def to_dict(self) -> dict[str, Any]:
        """The segment as plain values."""
        return {"first": self.first.isoformat(), "last": self.last.isoformat(), "look": self.look, "text": self.text}


class Told(Struct, frozen=True):
    """Something that was told of a line: on which day it was so, in which words."""

    day: date
    text: str


class Strip(Struct, frozen=True):
    """One line over time."""

    name: str
    kind: str
    segments: tuple[Segment, ...]
    told: tuple[Told, ...]
    asks: tuple[str, ...] = ()
    supply: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The strip as plain values."""
        told = [{"on": t.day.isoformat(), "told": t.text} for t in self.told]
        return {
            "name": self.name,
            "kind": self.kind,
            "segments": [s.to_dict() for s in self.segments],
            "told": told,
            "asks": list(self.asks),
            "supply": self.supply,
        }


class Drawn(Struct, frozen=True):
    """Every strip of a history, from the first day that was told of to a last one."""

    first: date
    last: date
    strips: tuple[Strip, ...]

    def to_dict(self) -> dict[str, Any]:
        """The strips as plain values."""
        return {"first": self.first.isoformat(), "last": self.last.isoformat(), "strips": [s.to_dict() for s in self.strips]}


def drawn(history: History, last: date, known: Known = None) -> Drawn:
    """The history as it is known, up to a day: medicines first, then allergies and problems, each as it was first told."""
    now = Belief(history, last, known)
    count = history.known(known)
    days = [e.at.first if e.at.first > date.min else e.at.last for e in history.events[:count] if e.at.last <= last]
    first = min(days, default=last)
    lines = sorted(history.lines.values(), key=lambda h: _KINDS[h.line.kind])
    strips = [_strip(history, held, now, (first, last), known, count) for held in lines]
    return Drawn(first, last, tuple(s for s in strips if s is not None))


def _strip(
    history: History, held: Held, now: Belief, span: tuple[date, date], known: Known, count: int
) -> Strip | None:  # fmt: skip
    told = history.counting(held, count)
    if not told or held.slots(count) is None:
        return None
    segments = tuple(_segments(history, held, span, known, count))
    if not segments:
        return None  # told only of later days
    believed = now.of_line(held.line)
    supply = str(believed.supply) if believed is not None and believed.supply is not None else ""
    words = tuple(sorted((Told(e.at.last, _words(e)) for _, e, _ in told), key=lambda t: t.day))
    name = f"allergy: {held.name}" if held.line.kind == "allergy" else held.name
    return Strip(name, held.line.kind, segments, words, tuple(q.ask for q in now.asked_of(held.line)), supply)


def _words(event: Event) -> str:
    what = event.medicine.text if event.medicine is not None else event.condition or event.allergy
    why = f" ({event.why})" if event.why else ""
    vague = "" if event.at.exact else f", {event.at}"
    return f"{event.says} {what}{vague}, by {event.by}{why}"


def _segments(
    history: History, held: Held, span: tuple[date, date], known: Known, count: int
) -> Iterable[Segment]:  # fmt: skip
    first, last = span
    slots = held.slots(count)
    assert slots is not None
    edges = {first}
    for chain in slots.chains.values():
        edges |= {day for unit in chain for day in (unit.start.first, unit.start.last) if first < day <= last}
    ordered = sorted(edges)
    found: list[Segment] = []
    for day, following in zip(ordered, [*ordered[1:], last + timedelta(1)], strict=True):
        one = Belief(history, day, known).of_line(held.line)
        look = _look(one)
        if one is None or look is None:
            continue
        end, text = following - timedelta(1), _text(one)
        if found and (found[-1].look, found[-1].text) == (look, text) and found[-1].last == day - timedelta(1):
            found[-1] = Segment(found[-1].first, end, look, text)
        else:
            found.append(Segment(day, end, look, text))
    return found


def _look(one: Believed | None) -> Look | None:
    if one is None:
        return None
    main = one.slot("taking" if one.line.kind == "medicine" else "state")
    if not main.sides:
        return None
    if main.standing != "known":
        return "conflict" if main.standing == "conflict" else "unsure"
    if main.value == HELD:
        return "held"
    if main.value in (NOT_TAKEN, PAST, ABSENT):
        return "off"
    return "conflict" if any(one.slot(s).standing == "conflict" for s in ("dose", "frequency", "route")) else "on"


def _text(one: Believed) -> str:
    """What is believed in a few words: the dose and how often; both sides where it is open."""
    main = one.slot("taking" if one.line.kind == "medicine" else "state")
    if main.standing != "known" or one.line.kind != "medicine":
        return _sides(main)
    if main.value in (NOT_TAKEN, HELD):
        return str(main.value)
    parts = [_sides(one.slot(slot)) for slot in ("dose", "frequency") if one.slot(slot).sides]
    faithless = one.slot("adherence").value == IRREGULAR
    return (", ".join(p for p in (" ".join(parts), "irregularly" if faithless else "") if p))[:_LONGEST]


def _sides(holding: Holding) -> str:
    return " / ".join(str(s.value) for s in holding.sides)
