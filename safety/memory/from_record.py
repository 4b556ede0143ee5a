"""A clinical record as events: what it tells of medicines, problems, allergies and results, and when each came to be known.

An order that has ended and is followed by another of the same medicine was renewed: that is no stop. One that has ended on a day
that nobody wrote down ended somewhere between the day it was written and the day the record was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from msgspec.structs import replace

from safety.memory.events import Act, Event, Provenance, Time, on
from safety.memory.record import ClinicalRecord, Recorded
from safety.memory.subjects import Understanding


def events_of(record: ClinicalRecord, read_on: date, understanding: Understanding, after: int = 0) -> tuple[Event, ...]:
    """The events of a record that was read on a day. Their turns count up from `after`, one for each day of the record."""
    events = [event for event in _events(record, read_on, understanding) if event.told <= read_on]
    turns = {told: n for n, told in enumerate(sorted({e.told for e in events}), after + 1)}
    return tuple(sorted((replace(e, turn=turns[e.told]) for e in events), key=lambda e: e.order))


def _events(record: ClinicalRecord, read_on: date, understanding: Understanding) -> Iterator[Event]:
    yield from _orders([i for i in record.of("medicine") if i.medicine is not None], read_on, understanding)
    for item in record.of("supply"):
        yield _event(item, "filled", item.on or read_on, medicine=item.medicine, days=item.days)
    for item in record.of("condition"):
        yield from _condition(item, read_on)
    for item in record.of("allergy"):
        if not item.none:
            more: dict[str, Any] = {"allergy": item.text, "codes": _codes(item), "reaction": item.reaction}
            told = item.recorded or item.on or read_on
            yield _event(item, "allergic", told, **more)
            if item.status == "past":
                yield _event(item, "resolved", read_on, suffix="end", when=_between(told, read_on), **more)
    seen: dict[str, int] = {}
    for item in record.of("result"):
        seen[item.name] = seen.get(item.name, 0) + 1
        told = item.on or read_on
        suffix = "" if seen[item.name] == 1 else str(seen[item.name])
        yield _event(item, "measured", told, suffix=suffix, test=item.text, value=item.value, unit=item.unit, codes=_codes(item))


def _orders(items: Sequence[Recorded], read_on: date, understanding: Understanding) -> Iterator[Event]:
    by_line: dict[tuple[str, tuple[str, ...]], list[Recorded]] = {}
    for item in items:
        assert item.medicine is not None
        meant = understanding.medicine(item.medicine)
        by_line.setdefault((meant.key, meant.drugs), []).append(item)
    for orders in by_line.values():
        ordered = sorted(orders, key=lambda i: (i.on or i.recorded or read_on, i.name))
        for n, item in enumerate(ordered):
            yield from _order(item, ordered[n + 1 :], read_on)


def _order(item: Recorded, later: Iterable[Recorded], read_on: date) -> Iterator[Event]:
    begins = item.on or item.recorded or read_on
    told = min(item.recorded or begins, read_on)
    says: Act = "considers" if item.status == "planned" else "prescribed"
    yield _event(item, says, told, medicine=item.medicine, when=on(begins) if begins != told else None, until=item.ends)
    renewed = any((o.on or o.recorded or read_on) >= begins for o in later)
    if item.status == "past" and item.ends is None and not renewed:
        yield _event(item, "stopped", read_on, suffix="end", medicine=item.medicine, when=_between(begins, read_on))


def _condition(item: Recorded, read_on: date) -> Iterator[Event]:
    if item.none:
        return
    more: dict[str, Any] = {"condition": item.text, "codes": _codes(item)}
    told = min(item.recorded or item.on or read_on, read_on)
    when = on(item.on) if item.on is not None and item.on <= told else None
    yield _event(item, "suspected" if item.status == "doubtful" else "has", told, when=when, **more)
    if item.status == "past":
        ended = on(item.ends) if item.ends is not None and item.ends <= read_on else _between(item.on or told, read_on)
        yield _event(
            item, "resolved", max(ended.last, told) if item.ends is not None else read_on, suffix="end", when=ended, **more
        )


def _between(first: date, last: date) -> Time:
    return Time(min(first, last), last)


def _codes(item: Recorded) -> tuple[tuple[str, str], ...]:
    return tuple((c.system, c.code) for c in item.codes)


def _event(item: Recorded, says: Act, told: date, *, suffix: str = "", **more: Any) -> Event:
    made = Event(
        f"{item.name}{'#' + suffix if suffix else ''}", 0, told, "record", says, said=Provenance(item.name, text=item.text)
    )
    return replace(made, **more)
