"""What was ordered and what is taken, in the same unit: how much at once, how often, how much in a day."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from safety.model.directions import TimesPerDay
from safety.model.quantity import Quantity, QuantityRange, Units
from safety.reading.directions.galenic import ACTUATIONS, SOLIDS
from safety.reading.spoken.amounts import BARE
from safety.reading.spoken.reported import Regimen, Reported

FractionRange = tuple[Fraction, Fraction]
ONCE: FractionRange = (Fraction(1), Fraction(1))
_NAMED_ALIKE = ("mg", "mcg", "g")


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

    @property
    def in_pieces(self) -> bool:
        """Whether its dose is told in tablets or puffs."""
        return is_pieces(self.unit)


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


def is_pieces(unit: str) -> bool:
    """Whether a unit counts pieces or strokes."""
    return kind_of(unit) in ("count", "stroke")


def in_order_units(told: Reported, order: Order, units: Units) -> ReportedAmounts:
    """The regimens of a statement added up."""
    taken = [i for i in told.regimens if i.dose is not None or i.per_day is not None or i.times is not None]
    each = [_one(i, order, units) for i in taken]
    times = [often for _, often, _ in each]
    return ReportedAmounts(
        tuple(dose for dose, _, _ in each),
        _added(times),
        _added([day for _, _, day in each]),
        any(i.at_least for i in told.regimens),
        tuple(dict.fromkeys(slot for i in taken for slot in i.slots)),
        min((i.hours for i in told.regimens if i.hours is not None), default=None),
    )


def _one(regimen: Regimen, order: Order, units: Units) -> tuple[FractionRange | None, TimesPerDay | None, FractionRange | None]:
    """One regimen's dose, how often, and what they make in a day."""
    dose = _span(regimen.dose, order, regimen.strength, units)
    day = _span(regimen.per_day, order, regimen.strength, units)
    often = regimen.times
    once_a_day = order.times is None or order.times[1] <= 1
    if day is not None and dose is None and often is None and once_a_day:
        dose, often = day, ONCE if order.times else None
    return dose, often, day if day is not None else _product(dose, often)


def in_unit(told: Quantity, order: Order, strength: Quantity | None, units: Units) -> Fraction | None:
    """An amount that was told, in the order's unit; None where strength or unit leaves it open."""
    if told.unit == "dose":
        return Fraction(told.value) * order.dose[1] if order.dose is not None and order.dose[0] == order.dose[1] else None
    if kind_of(told.unit) == kind_of(order.unit):
        return _of_one_kind(told, order, strength, units)
    if told.unit == BARE:
        return _without_unit(told, order, units)
    if is_pieces(told.unit):
        return _in_measures(told, order, strength or order.each, units)
    direct = units.convert(told, order.unit)
    if direct is None and order.each is not None and order.in_pieces:
        return _ratio(told, order.each, units)
    return None if direct is None else Fraction(direct)


def _of_one_kind(told: Quantity, order: Order, strength: Quantity | None, units: Units) -> Fraction | None:
    """As many as were told; of another strength than the ordered ones, as many of those as that makes."""
    factor: Fraction | None = Fraction(1)
    if strength is not None and order.each is not None and is_pieces(told.unit):
        factor = _ratio(strength, order.each, units)
    return None if factor is None else Fraction(told.value) * factor


def _without_unit(told: Quantity, order: Order, units: Units) -> Fraction | None:
    if not order.in_pieces:
        return _bare(told, order, units)
    return None if order.each is None else _ratio(told, order.each, units)


def _in_measures(told: Quantity, order: Order, held: Quantity | None, units: Units) -> Fraction | None:
    """Pieces as what they hold."""
    if held is None:
        return None
    each = _bare(held, order, units) if held.unit == BARE else units.convert(held, order.unit)
    return None if each is None else Fraction(told.value) * Fraction(each)


def _bare(told: Quantity, order: Order, units: Units) -> Fraction:
    """A number whose unit was left off counts the order's unit, or the neighbour in which it is right: "125" for 0.125 mg."""
    value = Fraction(told.value)
    right = {*(order.dose or ()), *(order.per_day or ()), *(order.daily or ())}
    for unit in _NAMED_ALIKE:
        other = units.convert(Quantity(told.value, unit), order.unit)
        if value not in right and other is not None and Fraction(other) in right:
            return Fraction(other)
    return value


def _ratio(told: Quantity, each: Quantity, units: Units) -> Fraction | None:
    if told.unit == BARE:
        told = Quantity(told.value, each.unit)
    value = units.convert(told, each.unit)
    return None if value is None or not each.value else Fraction(value) / Fraction(each.value)


def _span(told: QuantityRange | None, order: Order, strength: Quantity | None, units: Units) -> FractionRange | None:
    if told is None:
        return None
    low, high = (in_unit(q, order, strength, units) for q in told)
    return None if low is None or high is None else (low, high)


def _product(dose: FractionRange | None, times: TimesPerDay | None) -> FractionRange | None:
    return None if dose is None or times is None else (dose[0] * times[0], dose[1] * times[1])


def _added(parts: Sequence[FractionRange | None]) -> FractionRange | None:
    """All of them together; None where one is not known."""
    known = [p for p in parts if p is not None]
    if not known or len(known) != len(parts):
        return None
    return sum((p[0] for p in known), Fraction(0)), sum((p[1] for p in known), Fraction(0))
