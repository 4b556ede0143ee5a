"""A prescription as it was read → what one dose, a day and the frequency should be."""

from __future__ import annotations

from fractions import Fraction

from safety.adherence.axes import Order, kind_of
from safety.model.patient import Medication
from safety.model.quantity import Quantity, Units
from safety.reading.directions.sig import Sig
from safety.reading.spoken.statement import Spoken
from safety.understanding.medications import Line


def order_of(told: Medication, line: Line, units: Units, spoken: Spoken) -> Order:
    """What a prescription comes to; a part that was not read stays open."""
    sig = line.sig
    each = _each(line)
    text = " ".join(w for w in (told.text, told.sig, told.frequency, told.dose) if w)
    if getattr(sig, "steps", ()):
        return Order(as_needed=sig.as_needed, each=each, slots=spoken.slots(text), form=line.form or "")
    unit = sig.dose[1].unit if sig.dose else sig.per_day.unit if sig.per_day else ""
    dose = None
    if sig.dose is not None and sig.dose[0].unit == sig.dose[1].unit:
        dose = Fraction(sig.dose[0].value) * sig.sites, Fraction(sig.dose[1].value) * sig.sites
    times = sig.times_per_day
    per_day = (Fraction(sig.per_day.value),) * 2 if sig.per_day is not None else None
    if times is not None and sig.as_needed:
        times = Fraction(0), times[1]
    most = _most(sig, unit, each, units)
    if most is not None:
        if per_day is not None:
            per_day = min(per_day[0], most), min(per_day[1], most)
        elif dose is not None and times is not None:
            per_day = min(dose[0] * times[0], most), min(dose[1] * times[1], most)
        else:
            per_day = Fraction(0), most
    hours = sig.interval_hours[0] if sig.interval_hours else None
    counted = dose if kind_of(unit) in ("count", "stroke") else None
    return Order(unit, dose, times, per_day, each, counted, sig.as_needed or (most is not None and times is None), hours,
                 spoken.slots(text), line.form or "")  # fmt: skip


def _each(line: Line) -> Quantity | None:
    """What one tablet or puff holds, where there is one ingredient and one strength."""
    if line.sig.strength is not None and not line.sig.strength_per and "/" not in line.sig.strength.unit:
        return line.sig.strength if line.sig.strength.unit != "%" else None
    amounts = {c.amount for p in line.strengths for c in p.contents if p.per.value == 1}
    return amounts.pop() if len(amounts) == 1 and len(line.read.drugs) == 1 else None


def _most(sig: Sig, unit: str, each: Quantity | None, units: Units) -> Fraction | None:
    """The daily maximum that the directions state, in the unit of the dose."""
    most = sig.day_max
    if most is None:
        return None
    if most.unit == "dose":
        return Fraction(most.value) * Fraction(sig.dose[1].value) if sig.dose else None
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
