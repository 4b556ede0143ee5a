"""What is taken against what was ordered: one dose, the day, how often and when, each CORRECT, HIGH, LOW or UNKNOWN."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from safety.model.directions import TimesPerDay
from safety.model.quantity import Quantity, Units, plain
from safety.reading.directions.galenic import ACTUATIONS, SOLIDS
from safety.reading.spoken import reported as r
from safety.reading.spoken.amounts import BARE
from safety.reading.spoken.reported import Regimen, Reported

Mark = Literal["CORRECT", "HIGH", "LOW", "UNKNOWN"]
C: Mark = "CORRECT"
H: Mark = "HIGH"
L: Mark = "LOW"
U: Mark = "UNKNOWN"
FractionRange = tuple[Fraction, Fraction]
_PIECES = frozenset({"unit", "drop", "patch", "lozenge", "packet", "dose", "application"})
_ENDLESS = Decimal("Infinity")
_ONCE: FractionRange = (Fraction(1), Fraction(1))


class Axes(Struct, frozen=True):
    """The four ways in which a dose can be right or wrong."""

    per_dose: Mark = U
    per_day: Mark = U
    frequency: Mark = U
    timing: Mark = U


class Order(Struct, frozen=True):
    """What was ordered, as far as it was read.

    - `dose`, `times`, `per_day`: lowest and highest; `unit`: what dose and day are counted in (mg, or tablets).
    - `each`: what one tablet or puff of it holds, in `unit`'s kind, if told. `as_needed`: all of it is a ceiling.
    - `hours`: the shortest time between two doses, if told in hours. `slots`: the parts of the day it names.
    """

    unit: str = ""
    dose: FractionRange | None = None
    times: FractionRange | None = None
    per_day: FractionRange | None = None
    each: Quantity | None = None
    count: FractionRange | None = None
    as_needed: bool = False
    hours: Decimal | None = None
    slots: tuple[str, ...] = ()
    form: str = ""

    @property
    def daily(self) -> FractionRange | None:
        """How much of it in a day, on average over the days."""
        if self.per_day is not None:
            return self.per_day
        if self.dose is None or self.times is None:
            return None
        return self.dose[0] * self.times[0], self.dose[1] * self.times[1]

    @property
    def extended(self) -> bool:
        """Whether it releases its dose slowly."""
        return "extended-release" in self.form or "delayed-release" in self.form


class ReportedAmounts(Struct, frozen=True):
    """A statement in the order's unit: the doses, how often in all, and the day; None where it was not told."""

    doses: tuple[FractionRange | None, ...] = ()
    times: FractionRange | None = None
    day: FractionRange | None = None
    at_least: bool = False
    slots: tuple[str, ...] = ()
    hours: Decimal | None = None


def kind_of(unit: str) -> str:
    """Whether a unit counts pieces (`count`), strokes (`stroke`) or measures (the unit's own name)."""
    return "count" if unit in SOLIDS else "stroke" if unit in ACTUATIONS else unit


def in_unit(told: Quantity, order: Order, strength: Quantity | None, units: Units) -> Fraction | None:
    """An amount that was told, in the order's unit; None where strength or unit leaves it open."""
    if told.unit == "dose":
        return Fraction(told.value) * order.dose[1] if order.dose is not None and order.dose[0] == order.dose[1] else None
    if told.unit == order.unit or kind_of(told.unit) == kind_of(order.unit):
        if strength is not None and order.each is not None and kind_of(told.unit) in ("count", "stroke"):
            factor = _ratio(strength, order.each, units)
            return None if factor is None else Fraction(told.value) * factor
        return Fraction(told.value)
    if told.unit == BARE:
        if kind_of(order.unit) in ("count", "stroke"):
            return None if order.each is None else _ratio(told, order.each, units)
        return _bare(told, order, units)
    if kind_of(told.unit) in ("count", "stroke"):
        held = strength or order.each
        if held is None:
            return None
        if held.unit == BARE:
            value = _bare(held, order, units)
            return None if value is None else Fraction(told.value) * value
        each = units.convert(held, order.unit)
        return None if each is None else Fraction(told.value) * Fraction(each)
    direct = units.convert(told, order.unit)
    if direct is not None:
        return Fraction(direct)
    if order.each is not None and kind_of(order.unit) in ("count", "stroke"):
        return _ratio(told, order.each, units)
    return None


def _bare(told: Quantity, order: Order, units: Units) -> Fraction:
    """A number whose unit was left off counts the order's unit, or the neighbour in which it is right: "125" for 0.125 mg."""
    value = Fraction(told.value)
    right = {*(order.dose or ()), *(order.per_day or ()), *(order.daily or ())}
    for unit in ("mg", "mcg", "g"):
        other = units.convert(told if unit == told.unit else Quantity(told.value, unit), order.unit)
        if value not in right and other is not None and Fraction(other) in right:
            return Fraction(other)
    return value


def _ratio(told: Quantity, each: Quantity, units: Units) -> Fraction | None:
    if told.unit == BARE:
        told = Quantity(told.value, each.unit)
    value = units.convert(told, each.unit)
    return None if value is None or not each.value else Fraction(value) / Fraction(each.value)


def in_order_units(told: Reported, order: Order, units: Units) -> ReportedAmounts:
    """The regimens of a statement added up."""
    doses: list[FractionRange | None] = []
    parts: list[FractionRange | None] = []
    times: list[TimesPerDay | None] = []
    slots: list[str] = []
    for regimen in told.regimens:
        dose = _span(regimen.dose, order, regimen.strength, units)
        day = _span(regimen.per_day, order, regimen.strength, units)
        often = regimen.times
        if day is not None and dose is None and often is None and (order.times is None or order.times[1] <= 1):
            dose, often = day, (Fraction(1), Fraction(1)) if order.times else None
        if regimen.dose is not None or regimen.per_day is not None or regimen.times is not None:
            doses.append(dose)
            times.append(often)
            parts.append(day if day is not None else _day(dose, often))
            slots += regimen.slots
    whole = [t for t in times if t is not None]
    return ReportedAmounts(
        tuple(doses),
        (sum((t[0] for t in whole), Fraction(0)), sum((t[1] for t in whole), Fraction(0))) if whole and len(whole) == len(times)
        else None,
        _added(parts),
        any(i.at_least for i in told.regimens),
        tuple(dict.fromkeys(slots)),
        min((i.hours for i in told.regimens if i.hours is not None), default=None),
    )  # fmt: skip


def _span(told: tuple[Quantity, Quantity] | None, order: Order, strength: Quantity | None, units: Units) -> FractionRange | None:
    if told is None:
        return None
    low, high = (in_unit(q, order, strength, units) for q in told)
    return None if low is None or high is None else (low, high)


def _day(dose: FractionRange | None, times: TimesPerDay | None) -> FractionRange | None:
    return None if dose is None or times is None else (dose[0] * times[0], dose[1] * times[1])


def _added(parts: Sequence[FractionRange | None]) -> FractionRange | None:
    known = [p for p in parts if p is not None]
    if not known or len(known) != len(parts):
        return None
    return sum((p[0] for p in known), Fraction(0)), sum((p[1] for p in known), Fraction(0))


# ------------------------------------------------------------------ judging


def judge_axes(told: Reported, order: Order, units: Units) -> tuple[Axes, ReportedAmounts]:
    """Each axis of a statement against an order."""
    m = in_order_units(told, order, units)
    dose = _worst(_against(d, order.dose, order.as_needed) for d in m.doses)
    day = _against(m.day, order.daily, order.as_needed, m.at_least)
    if day == U and dose == U and m.times and order.times and m.times[1] < 1 <= order.times[0] and not m.at_least:
        day = L  # whole days are left out
    if day == U and dose == H and order.times == _ONCE and order.daily == order.dose and not order.as_needed:
        day = H  # one dose already is more than the day's
    often = _against(m.times, order.times, order.as_needed, m.at_least)
    if often == U and order.times and not order.as_needed and _day_count(told) < order.times[0]:
        often = L  # fewer pieces in a day than doses ordered
    if order.times and order.times[1] <= _WEEKLY and day == often == U and len(_weekdays(told.text)) >= _MANY_DAYS:
        day = often = H  # a weekly medicine, told of three days of the week
    if order.as_needed and day == C:
        counted = any(i.per_day is not None and kind_of(i.per_day[1].unit) == "count" for i in told.regimens)
        if dose == often == U and counted and order.count == _ONCE:
            dose = often = C  # "two a day" of an order for one at a time
        if order.times is None and dose == C:
            often = C
    pieces = _day_count(told)
    if order.as_needed and day == U and order.times and order.each is None and order.times[1] < pieces != _ENDLESS:
        day = often = H  # more pieces in a day than doses allowed
    timing = _timing(told, m, order, often)
    return _with_events(Axes(dose, day, often, timing), told, order, m), m


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
        if m.hours is not None:
            return H if m.hours < order.hours else C
        return C if often == C else U
    if not order.slots:
        return C if m.times is not None or m.doses or told.events else U
    if not m.slots:
        return U
    mine, right = ({"evening" if s == "night" else s for s in slots} for slots in (m.slots, order.slots))
    return C if mine <= right or not order.times else L


def _with_events(axes: Axes, told: Reported, order: Order, m: ReportedAmounts) -> Axes:  # noqa: C901 (to be redrawn)
    """The axes after what was said to have happened: doses left out, doubled, halved, or all as prescribed."""
    events = set(told.events)
    dose, day, often, timing = axes.per_dose, axes.per_day, axes.frequency, axes.timing
    one = order.count is None or order.count[1] < 2
    if order.times is not None and (
        (r.SECOND in events and one and order.times[1] < 2) or (r.THIRD in events and order.times[1] < 3)
    ):
        events.add(r.EXTRA)
    if events & r.MISSED and not order.as_needed and not _made_up(told, events, m, dose) and not (dose == H and day in (C, H)):
        day = day if day == H else L
        often = often if often == H and told.regimens else L
    if (events & r.MISSED or r.NOT_NEEDED in events) and order.as_needed:
        dose, day, often, timing = (C if x == U else x for x in (dose, day, often, timing))
    if r.DOUBLE in events:
        dose = H if r.BY_ACCIDENT not in events or dose == H else dose
        day = H if day in (U, L) and not events & r.MISSED else day
        dose = H if dose != C else dose
    if events & {r.EXTRA, r.LASTED_SHORT}:
        day, often = H, often if r.EXTRA not in events else H
    if r.BOTH_NAMES in events and (day == U or sum(i.dose is not None for i in told.regimens) < 2):
        day, often = H, H if often == U else often  # one of each, told as one
    if events & {r.MAKE_UP, r.FORGOTTEN, r.SKIPPED, r.IF_MISSED} and dose == U and _more_than_one(told):
        dose = H  # "I missed yesterday so I took two": more than the usual, whatever one holds
    if r.ALL_AT_ONCE in events and dose == U and order.times and _count(told) == order.times[1] > 1:
        dose, day = H, C if day == U else day
    if r.BY_ACCIDENT in events and day == U and often == H:
        day = H
    if r.MORE_DOSE in events:
        dose, day = H, day if day != U else H
    if r.LESS_DOSE in events:
        dose, day = (L if dose == U else dose), (L if day == U else day)
    if r.MORE_OFTEN in events:
        often, day = H, H if day == U else day
    if r.LESS_OFTEN in events:
        often, day = L, L if day == U else day
    if events & {r.HALVED, r.HALF_DOSE} and dose == U and not _whole_told(told, events):
        dose, day = L, day if day != U else L
    if r.BROKEN_UP in events and order.extended and dose != L:
        whole = dose == C and not any(i.dose and i.dose[0].value < 1 for i in told.regimens)
        dose = H if r.HALVED not in events or whole else U  # half of one twice as strong is still not to be broken
    one_day = _one_day_told(told) and not m.at_least and not any(m.doses)
    if often == H and dose == day == U and one_day and not order.as_needed:
        day = H  # "I took it twice today": whatever one dose is
    if r.AS_PRESCRIBED in events and not events & (r.MISSED | r.ADDED | {r.COMMAND}):
        dose, day, often, timing = (C if x == U else x for x in (dose, day, often, timing))
    return Axes(dose, day, often, timing)


def _day_count(told: Reported) -> Decimal:
    """The pieces taken in a day, where that is all that is told; beyond every number otherwise."""
    counts = [i.per_day[1].value for i in told.regimens if i.per_day is not None and kind_of(i.per_day[1].unit) == "count"]
    return counts[0] if len(counts) == len(told.regimens) == 1 else _ENDLESS


def _weekdays(text: str) -> set[str]:
    """The days of the week that a text names."""
    return set(re.findall(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b", text.lower()))


_WEEKLY, _MANY_DAYS = Fraction(1, 7), 3
_TAKEN_THEN = re.compile(r"\b(?:took|had|gave|swallowed) (?:him |her )?(?:it|one|mine|them|his|hers)\b")


def _count(told: Reported) -> Decimal | None:
    """The number of pieces taken at once, where one is told."""
    counts = [i.dose[1].value for i in told.regimens if i.dose is not None and kind_of(i.dose[1].unit) == "count"]
    return counts[0] if len(counts) == 1 else None


def _whole_told(told: Reported, events: set[str]) -> bool:
    """Whether, besides the halving, it was told how much is taken: then the strength is what is missing."""
    return r.HALF_DOSE not in events and any(i.dose is not None and i.times is not None for i in told.regimens)


def _one_day_told(told: Reported) -> bool:
    """Whether it tells of one day in the past."""
    return bool(_ONE_DAY.search(told.text.lower()))


_ONE_DAY = re.compile(r"\b(?:today|yesterday|last night|this morning|tonight)\b")


def _more_than_one(told: Reported) -> bool:
    return any(i.dose is not None and i.dose[1].value >= 2 and kind_of(i.dose[1].unit) == "count" for i in told.regimens)


def _made_up(told: Reported, events: set[str], m: ReportedAmounts, dose: Mark) -> bool:
    """Whether a missed dose was made up for, so that the day is what was taken, not what was missed."""
    if events & {r.DOUBLE, r.MAKE_UP, r.EXTRA}:
        return True
    later = m.at_least and (any(m.doses) or bool(_TAKEN_THEN.search(told.text.lower())))
    return bool(events & {r.FORGOTTEN, r.SKIPPED}) and later and not (r.EARLIER in events and dose == C)


def overall(axes: Axes) -> Mark:
    """One word for all: too much at once or in a day comes first, then anything too little, then too often.

    CORRECT needs dose, day and frequency to be told; the part of the day is asked for, but does not hold it up.
    """
    if H in (axes.per_dose, axes.per_day):
        return H
    if L in (axes.per_dose, axes.per_day, axes.frequency, axes.timing):
        return L
    if H in (axes.frequency, axes.timing):
        return H
    return C if axes.per_dose == axes.per_day == axes.frequency == C else U


def shown(span: FractionRange | None, unit: str) -> str:
    """An amount or a range in words; empty where it is not known."""
    if span is None:
        return ""
    low, high = (plain((Decimal(v.numerator) / Decimal(v.denominator)).quantize(Decimal("0.0001")).normalize()) for v in span)
    many = unit in SOLIDS | ACTUATIONS | _PIECES and span[1] != 1 and unit
    if many and unit == "patch":
        return f"{low if low == high else f'{low} to {high}'} patches"
    return f"{low if low == high else f'{low} to {high}'} {unit}{'s' if many and not unit.endswith(('s', 'x')) else ''}".strip()


__all__ = ["Axes", "Mark", "Order", "Regimen", "ReportedAmounts", "judge_axes", "overall", "shown"]
