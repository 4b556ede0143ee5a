"""A prescription as it was read → what one dose, a day and the frequency should be."""

from __future__ import annotations

from fractions import Fraction

from safety.adherence.axes import FractionRange, Order, kind_of
from safety.model.directions import Directions
from safety.model.quantity import Quantity, Units
from safety.understanding.meaning import Meaning


def order_of(meaning: Meaning, units: Units) -> Order:
    """What a prescription comes to; a part that was not read stays open."""
    directions = meaning.directions
    each = meaning.each
    slots = directions.parts_of_day
    if directions.steps:
        return Order(as_needed=bool(directions.as_needed), each=each, slots=slots, form=meaning.form or "")
    unit = _unit(directions)
    dose, times = _dose(directions), directions.times_per_day
    if times is not None and directions.as_needed:
        times = Fraction(0), times[1]
    most = _most(directions, unit, each, units)
    ceiling = bool(directions.as_needed) or (most is not None and directions.times_per_day is None)
    return Order(
        unit=unit, dose=dose, times=times, per_day=_day(directions, dose, times, most), each=each,
        count=dose if kind_of(unit) in ("count", "stroke") else None, as_needed=ceiling,
        hours=directions.interval_hours[0] if directions.interval_hours else None, slots=slots, form=meaning.form or "",
    )  # fmt: skip


def _unit(directions: Directions) -> str:
    """What dose and day are counted in."""
    told = directions.dose or directions.per_day
    return told[1].unit if told else ""


def _dose(directions: Directions) -> FractionRange | None:
    """One dose, at all the places that get it."""
    dose = directions.dose
    if dose is None or dose[0].unit != dose[1].unit or directions.more_by_a_reading:
        return None
    return Fraction(dose[0].value) * directions.sites, Fraction(dose[1].value) * directions.sites


def _day(
    directions: Directions, dose: FractionRange | None, times: FractionRange | None, most: Fraction | None
) -> FractionRange | None:
    """The day's amount where it is told as such, or a maximum bounds it; otherwise it follows from dose and frequency."""
    told = directions.per_day
    day = (Fraction(told[0].value), Fraction(told[1].value)) if told is not None else None
    if most is None:
        return day
    if day is None and dose is not None and times is not None:
        day = dose[0] * times[0], dose[1] * times[1]
    return (min(day[0], most), min(day[1], most)) if day is not None else (Fraction(0), most)


def _most(directions: Directions, unit: str, each: Quantity | None, units: Units) -> Fraction | None:
    """The daily maximum that the directions state, in the unit of the dose."""
    most = directions.day_max
    if most is None:
        return None
    if most.unit == "dose":
        return Fraction(most.value) * Fraction(directions.dose[1].value) if directions.dose else None
    if kind_of(most.unit) == kind_of(unit):
        return Fraction(most.value)
    direct = units.convert(most, unit)
    if direct is not None:
        return Fraction(direct)
    if each is not None and kind_of(unit) in ("count", "stroke"):
        value = units.convert(most, each.unit)
        return None if value is None else Fraction(value) / Fraction(each.value)
    if each is not None and kind_of(most.unit) in ("count", "stroke"):
        value = units.convert(each, unit)
        return None if value is None else Fraction(value) * Fraction(most.value)
    return None
