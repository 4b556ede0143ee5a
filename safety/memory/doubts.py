"""What cannot well have been so: formal constraints on what is told of one line, each a typed check with its question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from safety.memory.events import Event
from safety.memory.subjects import Meant
from safety.memory.values import Dose
from safety.model.quantity import Quantity, Units

DoubtKind = Literal[
    "started_and_stopped_the_same_day", "stopped_before_it_was_begun", "dose_back_and_forth", "effect_before_cause",
    "changed_while_not_taken",
]  # fmt: skip
Told = Sequence[tuple[int, Event, Meant]]
_BEGINNINGS = frozenset({"started", "prescribed", "resumed"})
_CHANGES = frozenset({"started", "prescribed", "changed"})


class Doubt(Struct, frozen=True):
    """A constraint that what was told breaks: which, by which events, in words, and what to ask."""

    kind: DoubtKind
    events: tuple[str, ...]
    text: str
    ask: str


def doubts(told: Told, name: str, units: Units, begun: Callable[[str], date | None]) -> tuple[Doubt, ...]:
    """Every constraint that the events of a line break. `begun`: the first day on which a medicine may have been taken, by its
    name as told; None where it is not known.
    """
    return (
        *_same_day(told, name),
        *_before_it_began(told, name),
        *_changed(told, name),
        *_back_and_forth(told, name, units),
        *_effects(told, begun),
    )


def _same_day(told: Told, name: str) -> Iterator[Doubt]:
    starts = [e for _, e, _ in told if e.says == "started" and e.at.exact]
    stops = [e for _, e, _ in told if e.says == "stopped"] if starts else []
    for stop in stops:
        for start in starts:
            if start.at == stop.at:
                text = f"{name} is told as both started and stopped on {stop.at}"
                yield Doubt(
                    "started_and_stopped_the_same_day",
                    (start.id, stop.id),
                    text,
                    f"Was {name} taken at all, and from when to when?",
                )


def _before_it_began(told: Told, name: str) -> Iterator[Doubt]:
    begins = [e for _, e, _ in told if e.says == "started" and e.dated]
    if not begins:
        return
    first = min(begins, key=lambda e: e.at.first)
    seen = [e for _, e, _ in told if e.says in ("taking", "prescribed", "irregular") and e.at.last < first.at.first]
    for _, stop, _ in told:
        if stop.says == "stopped" and stop.at.last < first.at.first and not seen:
            text = f"{name} is told as stopped {stop.at}, before it was started {first.at}"
            yield Doubt(
                "stopped_before_it_was_begun", (first.id, stop.id), text, f"When was {name} started, and when was it stopped?"
            )


def _changed(told: Told, name: str) -> Iterator[Doubt]:
    """A dose that is changed while it is not taken."""
    ordered = sorted(told, key=lambda one: (one[1].at.last, one[0]))
    stop: Event | None = None
    for _, event, _ in ordered:
        if event.says == "stopped":
            stop = event
        elif event.says in _BEGINNINGS:
            stop = None
        elif event.says == "changed" and stop is not None:
            text = f"the dose of {name} is told as changed on {event.at}, after it was stopped {stop.at}"
            yield Doubt("changed_while_not_taken", (stop.id, event.id), text, f"Is {name} taken again, and since when?")


def _back_and_forth(told: Told, name: str, units: Units) -> Iterator[Doubt]:
    """A dose that goes up and down again, or down and up, and nobody says why."""
    steps: list[tuple[Event, Fraction]] = []
    for _, event, meant in sorted(told, key=lambda one: (one[1].at.last, one[0])):
        dose = meant.regimen.dose
        if event.says not in _CHANGES or dose is None:
            continue
        amount = _amount(dose, units)
        if amount is not None and (not steps or steps[-1][1] != amount):
            steps.append((event, amount))
    for (_, a), (before, b), (event, c) in zip(steps, steps[1:], steps[2:], strict=False):
        if (a < b) != (b < c) and not event.why and not before.why:
            way = "up and down again" if a < b else "down and up again"
            text = f"the dose of {name} went {way} by {event.at}, and no reason is told"
            yield Doubt(
                "dose_back_and_forth",
                (before.id, event.id),
                text,
                f"Which dose of {name} is meant now, and why was it changed back?",
            )


def _amount(dose: Dose, units: Units) -> Fraction | None:
    high = dose.amount[1]
    for base in ("mg", "unit", "mL"):
        found = units.convert(Quantity(high.value, high.unit), base)
        if found is not None:
            return Fraction(found)
    return None


def _effects(told: Told, begun: Callable[[str], date | None]) -> Iterator[Doubt]:
    for _, event, meant in told:
        if not event.because_of:
            continue
        first = begun(event.because_of)
        if first is not None and event.at.last < first:
            text = f"{meant.name} is put down to {event.because_of}, and was there {event.at}, before that was begun on {first}"
            ask = f"Was {meant.name} there before {event.because_of} was begun?"
            yield Doubt("effect_before_cause", (event.id,), text, ask)
