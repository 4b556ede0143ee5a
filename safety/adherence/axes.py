"""What is taken against what was ordered: one dose, the day, how often and when, each CORRECT, HIGH, LOW or UNKNOWN."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from msgspec.structs import replace

from safety.adherence.changes import BY_EVENTS, BY_NUMBERS, Seen, changed
from safety.adherence.marks import Axes, C, H, L, Mark, U, overall
from safety.adherence.reported_amounts import FractionRange, Order, ReportedAmounts, in_order_units, kind_of
from safety.model.quantity import Units, plain, to_places
from safety.reading.directions.galenic import ACTUATIONS, SOLIDS
from safety.reading.spoken.reported import Reported

_PIECES = frozenset({"unit", "drop", "patch", "lozenge", "packet", "dose", "application"})


def judge_axes(told: Reported, order: Order, units: Units) -> tuple[Axes, ReportedAmounts]:
    """Each axis of a statement against an order: by its numbers, then by what is said to have happened."""
    m = in_order_units(told, order, units)
    return axes_by_row(told, order, m)[0], m


def axes_by_row(told: Reported, order: Order, m: ReportedAmounts) -> tuple[Axes, tuple[str, ...]]:
    """The axes, and which rows of `changes` made them so, in order."""
    axes, by_numbers = changed(Seen(told, order, m, _compared(m, order)), BY_NUMBERS)
    axes = replace(axes, timing=_timing(told, m, order, axes.frequency))
    axes, by_events = changed(Seen(told, order, m, axes), BY_EVENTS)
    return axes, by_numbers + by_events


def _compared(m: ReportedAmounts, order: Order) -> Axes:
    """One dose, the day and how often, by the amounts and times that were told; when is not looked at yet."""
    return Axes(
        _worst(_against(dose, order.dose, order.as_needed) for dose in m.doses),
        _against(m.day, order.daily, order.as_needed, m.at_least),
        _against(m.times, order.times, order.as_needed, m.at_least),
    )


def _against(told: FractionRange | None, right: FractionRange | None, ceiling: bool, at_least: bool = False) -> Mark:
    """A range that was told against the one ordered; as a ceiling, less is right."""
    if told is None or right is None:
        return U
    if told[1] > right[1]:
        return H
    if told[0] < right[0] and not ceiling:
        return U if at_least else L
    return C


def _worst(marks: Iterable[Mark]) -> Mark:
    found = list(marks)
    return next((m for m in (H, L, U) if m in found), C if found else U)


def _timing(told: Reported, m: ReportedAmounts, order: Order, often: Mark) -> Mark:
    """Whether it is taken when ordered: an order that sets no time is kept at any; a different part of the day is LOW."""
    if order.hours is not None:
        return _apart(m, order.hours, often)
    if not order.slots:
        return C if m.times is not None or m.doses or told.events else U
    if not m.slots:
        return U
    mine, right = ({"evening" if s == "night" else s for s in slots} for slots in (m.slots, order.slots))
    return C if mine <= right or not order.times else L


def _apart(m: ReportedAmounts, hours: Decimal, often: Mark) -> Mark:
    """Whether doses are as far apart as ordered; where no hours were told, as often as ordered is right."""
    if m.hours is not None:
        return H if m.hours < hours else C
    return C if often == C else U


def shown(span: FractionRange | None, unit: str) -> str:
    """An amount or a range in words; empty where it is not known."""
    if span is None:
        return ""
    low, high = (plain(to_places(v, 4).normalize()) for v in span)
    amount = low if low == high else f"{low} to {high}"
    return f"{amount} {_several(unit) if span[1] != 1 else unit}".strip()


def _several(unit: str) -> str:
    """A unit of several: pieces are told in the plural, measures are not."""
    if unit not in SOLIDS | ACTUATIONS | _PIECES or unit.endswith(("s", "x")):
        return unit
    return "patches" if unit == "patch" else f"{unit}s"


__all__ = [
    "Axes", "C", "FractionRange", "H", "L", "Mark", "Order", "ReportedAmounts", "U", "judge_axes", "kind_of", "overall", "shown",
]  # fmt: skip
