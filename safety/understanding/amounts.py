"""Directions and contents → how much of one ingredient in one dose and in 24 hours: exact, or `None` and why."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

import msgspec
from msgspec import Struct

from safety.model.directions import Directions, DosingStep
from safety.model.quantity import Quantity, QuantityRange, Units
from safety.reading.directions.galenic import ACTUATIONS, HELD_IN_ONE, MOST_BARE_UNITS, SEMISOLID_FORMS, SOLIDS, is_rate

__all__ = ["UNTOLD", "Amounts", "Body", "Contents", "InUnits", "Span", "Total", "amounts_of", "each_daily", "total"]


class Span(Struct, frozen=True):
    """An amount known only within limits: at least `low`, at most `high` (`None`: no telling). `why` says what is missing."""

    low: Quantity | None
    high: Quantity | None
    why: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return f"not told ({', '.join(self.why)})" if self.why else "not told"
        if self.low == self.high:
            return str(self.low)
        return f"{self.low or '?'} to {self.high or '?'}"


UNTOLD = Span(None, None)
_HOURS = 24
_MINUTES = 60


class Contents(Struct, frozen=True):
    """What one unit of a product holds of one ingredient: `amount` (325 mg) in `per` (1 tablet, 15 mL)."""

    amount: Quantity
    per: Quantity


class Amounts(Struct, frozen=True):
    """How much of one ingredient the directions come to.

    - `single`: lowest and highest in one dose (all places it is put in, "both eyes", count).
    - `day`: lowest and highest in 24 hours on a day it is taken. Doses are whole: every 5 hours is at most 5 doses in
      24 hours; a weekly or every-other-day dose counts in full on its day, because a 24-hour maximum is about that
      day. The lowest is 0 where it is taken as needed; the highest respects the daily maximum that the directions state.
    - `interval_hours`: the shortest time between doses, if told in hours. `days`: how long.
    - `why_not`: what is missing for each `None` of `single` and `day`: dose, frequency, strength, unit, weight or body
      surface.
    """

    single: QuantityRange | None
    day: QuantityRange | None
    interval_hours: Decimal | None
    days: Decimal | None
    why_not: tuple[str, ...] = ()


class Total(Struct, frozen=True):
    """A sum over entries. `complete` is false where an entry could not be added; what is known is still a lower bound
    of the highest total: a limit that it exceeds is exceeded whatever the other entries turn out to be."""

    low: Quantity | None
    high: Quantity | None
    complete: bool


class Body(Struct, frozen=True):
    """What a dose told per body weight or surface is multiplied by: weight in kg, surface in m2."""

    weight_kg: Decimal | None = None
    area_m2: Decimal | None = None


def amounts_of(
    directions: Directions, contents: Contents | None, units: Units, *, combination: bool = False, body: Body | None = None
) -> Amounts:
    """The amounts of one ingredient that directions come to; a dose told per kg or m2 needs the `body`.

    Of directions in steps `single` and `day` go from the lowest step to the highest.

    `contents` is what one unit of the product holds of that ingredient; without it a strength in the directions is used
    ("20 mg tablet"). With `combination` (more than one ingredient) a dose or strength in milligrams belongs to no one
    ingredient and gives `None`.
    """
    return _Sum(directions, contents, units, combination, body or Body()).amounts()


def total(amounts: Sequence[QuantityRange | None], units: Units) -> Total:
    """The sum of several entries' amounts, in the unit of the first that is known; unlike units cannot be added."""
    known = [pair for pair in amounts if pair is not None]
    if not known:
        return Total(None, None, not amounts)
    unit = known[0][0].unit
    low, high, complete = Fraction(0), Fraction(0), len(known) == len(amounts)
    for pair in known:
        values = [_in_unit(quantity, unit, units) for quantity in pair]
        if values[0] is None or values[1] is None:
            complete = False
        else:
            low, high = low + values[0], high + values[1]
    return Total(Quantity(_decimal(low), unit), Quantity(_decimal(high), unit), complete)


class InUnits:
    """What was told of a medicine by its weight, in units of it: 25 mcg of vitamin D are 1,000 units. `weighs`: one unit."""

    def __init__(self, weighs: Quantity, units: Units) -> None:
        self.weighs, self.units = weighs, units

    def directions(self, told: Directions) -> Directions:
        """Directions with every weight of the medicine in units."""
        return msgspec.structs.replace(
            told, dose=self._both(told.dose), per_day=self._both(told.per_day), strength=self._one(told.strength),
            day_max=self._one(told.day_max), steps=tuple(self._step(step) for step in told.steps),
        )  # fmt: skip

    def contents(self, told: Contents) -> Contents:
        """What one tablet or 15 mL hold, in units."""
        return Contents(self._in_units(told.amount), told.per)

    def _step(self, told: DosingStep) -> DosingStep:
        return msgspec.structs.replace(told, dose=self._both(told.dose), per_day=self._both(told.per_day))

    def _both(self, told: QuantityRange | None) -> QuantityRange | None:
        return None if told is None else (self._in_units(told[0]), self._in_units(told[1]))

    def _one(self, told: Quantity | None) -> Quantity | None:
        return None if told is None else self._in_units(told)

    def _in_units(self, told: Quantity) -> Quantity:
        weight, slash, per = told.unit.partition("/")
        if self.units.dimension(weight) != "mass":
            return told
        one = _in_unit(self.weighs, weight, self.units)
        return told if one is None else Quantity(_decimal(Fraction(told.value) / one), f"{ONE_UNIT}{slash}{per}")


ONE_UNIT = "unit"


class _MissingError(Exception):
    """The fact without which an amount cannot be told."""

    def __init__(self, fact: str) -> None:
        super().__init__(fact)
        self.fact = fact


class _Sum:
    """The directions of one medication, one ingredient."""

    def __init__(self, directions: Directions, contents: Contents | None, units: Units, combination: bool, body: Body) -> None:
        self.directions, self.contents, self.units, self.combination, self.body = directions, contents, units, combination, body

    def amounts(self) -> Amounts:
        """One dose and one day, or why not."""
        told = self.directions
        if told.steps:
            return self._over_steps()
        why: list[str] = []
        single: QuantityRange | None = None
        day: QuantityRange | None = None
        try:
            single = self._single()
        except _MissingError as missing:
            why.append(missing.fact)
        try:
            day = self._day(single)
        except _MissingError as missing:
            why.append(missing.fact)
        hours = told.interval_hours[0] if told.interval_hours else None
        return Amounts(single, day, hours, told.days, tuple(dict.fromkeys(why)))

    # --- directions in steps -----------------------------------------------------------------------------------------
    def _over_steps(self) -> Amounts:
        """From the lowest step to the highest; a step that cannot be told keeps the whole from being told."""
        steps = each_daily(self.directions.steps)
        parts = [self._of_step(step) for step in steps]
        why = tuple(dict.fromkeys(w for part in parts for w in part.why_not))
        given = [part.single for part, step in zip(parts, steps, strict=True) if not _runs(step.dose)]
        single, day = self._all(given) if given else None, self._all([part.day for part in parts])
        if day is not None and steps[0].once:
            run_in = len(steps) > 1 and _runs(steps[1].dose)
            day = self._first_day(day, parts, steps) if run_in else self._with_first_dose(day, parts, steps)
        hours = [s.interval_hours[0] for s in steps if s.interval_hours]
        return Amounts(single, day, min(hours) if len(hours) == len(steps) else None, self.directions.days, why)

    def _all(self, ranges: list[QuantityRange | None]) -> QuantityRange | None:
        """From the lowest of all to the highest; None where one is not told."""
        known = [both for both in ranges if both is not None]
        return self._widest(known) if len(known) == len(ranges) else None

    def _of_step(self, step: DosingStep) -> Amounts:
        as_needed = step.as_needed or bool(self.directions.as_needed and not any(s.as_needed for s in self.directions.steps))
        alone = msgspec.structs.replace(
            self.directions, steps=(), dose=step.dose, times_per_day=step.times_per_day, per_day=step.per_day, days=step.days,
            as_needed=as_needed, interval_hours=step.interval_hours, once=step.once,
        )  # fmt: skip
        return _Sum(alone, self.contents, self.units, self.combination, self.body).amounts()

    def _widest(self, ranges: list[QuantityRange]) -> QuantityRange | None:
        low, high = ranges[0]
        for other_low, other_high in ranges[1:]:
            below, above = self.units.compare(other_low, low), self.units.compare(other_high, high)
            if below is None or above is None:
                return None
            low, high = (other_low if below < 0 else low), (other_high if above > 0 else high)
        return low, high

    def _first_day(self, day: QuantityRange, parts: list[Amounts], steps: tuple[DosingStep, ...]) -> QuantityRange:
        """As in "150 mg, then 1 mg/min x 6 h, then 0.5 mg/min": all that falls into the first 24 hours."""
        left, told = Fraction(1), [parts[0].single]
        for part, step in zip(parts[1:], steps[1:], strict=True):
            if left <= 0 or not _runs(step.dose):
                break
            share = min(left, Fraction(step.days or 1))
            full = min(Fraction(1), Fraction(step.days or 1))
            told.append(part.day and (part.day[0], self._scale(part.day[1], share / full)))
            left -= share
        summed = total(told, self.units)
        return day if summed.high is None else self._widest([day, (day[0], summed.high)]) or day

    def _with_first_dose(self, day: QuantityRange, parts: list[Amounts], steps: tuple[DosingStep, ...]) -> QuantityRange:
        """As in "2 now, then 1 every 6 hours": both fall into the first 24 hours; a daily dose follows on the next day."""
        first, second = parts[0].single, parts[1].day if len(parts) > 1 else None
        if first is None or second is None or steps[1].times_per_day is None:
            return day
        doses = ceil(steps[1].times_per_day[1]) - (1 if steps[1].interval_hours or steps[1].times_per_day[1] <= 1 else 0)
        added = parts[1].single
        if added is None:
            return day
        rest = _in_unit(self._least(self._times(added[1], doses), second[1]), first[1].unit, self.units)
        high = Quantity(_decimal(Fraction(first[1].value) + (rest or 0)), first[1].unit)
        cap = self._cap(None) if self.directions.day_max and self.directions.day_max.unit != "dose" else None
        return self._widest([day, (day[0], self._least(high, cap) if cap else high)]) or day

    def _single(self) -> QuantityRange:
        told = self.directions
        if told.more_by_a_reading:
            raise _MissingError("dose")
        if _runs(told.dose):
            raise _MissingError("dose")  # it runs in, and is in no doses
        if told.dose is not None:
            low, high = (self._ingredient(q) for q in told.dose)
            return self._times(low, told.sites), self._times(high, told.sites)
        if told.per_day is not None and told.times_per_day is not None and told.times_per_day[0] >= 1:
            low, high = (self._ingredient(q) for q in told.per_day)  # "600 mg a day, divided every 8 hours"
            fewest, most = told.times_per_day
            return self._scale(low, 1 / most), self._scale(high, 1 / fewest)
        return self._by_the_number()

    def _by_the_number(self) -> QuantityRange:
        """As in "800 three times a day" of 400 mg tablets: as a count it is absurd, so it counts what the tablet holds."""
        told, contents = self.directions.number, self.contents
        if told is None or contents is None or self.combination or self._kind(contents.per.unit) != "count":
            raise _MissingError("dose")
        shares = [Fraction(value) / Fraction(contents.amount.value) for value in told]
        if any((4 * share).denominator != 1 or share > MOST_BARE_UNITS for share in shares):
            raise _MissingError("dose")
        return Quantity(told[0], contents.amount.unit), Quantity(told[1], contents.amount.unit)

    def _day(self, single: QuantityRange | None) -> QuantityRange:
        told = self.directions
        cap = self._cap(single)
        if told.per_day is not None:
            low, high = (self._ingredient(q) for q in told.per_day)
        elif told.dose is not None and _runs(told.dose):
            low, high = (self._run_in(q) for q in told.dose)
        elif single is not None and told.times_per_day is not None:
            fewest, most = told.times_per_day
            low = self._times(single[0], max(1, floor(fewest)) if fewest else 0)
            high = self._times(single[1], ceil(most))
        elif cap is not None:
            return Quantity(Decimal(0), cap.unit), cap  # as needed up to the stated maximum
        else:
            if told.times_per_day is not None:
                self._single()  # what keeps one dose from being told keeps the day, too
            raise _MissingError("frequency")
        if cap is not None:
            low, high = self._least(low, cap), self._least(high, cap)
        return (Quantity(Decimal(0), low.unit) if told.as_needed else low), high

    def _run_in(self, told: Quantity) -> Quantity:
        """What runs in at that rate in 24 hours, or in the part of a day that it runs."""
        of_body, _, per = told.unit.rpartition("/")
        hours = _HOURS * min(Fraction(1), Fraction(self.directions.days or 1))
        return self._scale(self._ingredient(Quantity(told.value, of_body)), hours * (1 if per == "h" else _MINUTES))

    def _cap(self, single: QuantityRange | None) -> Quantity | None:
        """The daily maximum that the directions state, of this ingredient; `None` if it states none."""
        most = self.directions.day_max
        if most is None:
            return None
        if most.unit == "dose":
            if single is None:
                raise _MissingError("dose")
            return self._times(single[1], most.value)
        if most.unit == "" and single is not None and self.directions.dose is not None:
            told = self.directions.dose[1]
            if self._kind(told.unit) == "count" and told.value:
                return self._times(self._ingredient(Quantity(Decimal(1), told.unit)), most.value)
        return self._ingredient(most, "unit")

    # --- one amount of the product → the ingredient ------------------------------------------------------------------
    def _ingredient(self, told: Quantity, unattributable: str = "dose") -> Quantity:
        kind = self._kind(told.unit)
        if kind == "count":
            return self._counted(told)
        if kind == "volume":
            return self._poured(told)
        if kind == "weight":
            return self._ingredient(self._of_body(told), unattributable)
        if self.combination:
            raise _MissingError(unattributable)
        if self._is_product_mass(told):
            return self._of_percent(told)
        if self.contents and self.units.compare(told, self.contents.amount) is None:
            raise _MissingError("unit")
        return told

    def _kind(self, unit: str) -> str:
        if unit == "" or unit in HELD_IN_ONE:
            return "count"
        dimension = self.units.dimension(unit) or f"count:{unit}"
        if dimension == "volume":
            return "volume"
        if unit.endswith(("/kg", "/m2")):
            return "weight"
        return "count" if dimension.startswith("count:") and unit not in ("unit", "IU") else "mass"

    def _of_body(self, told: Quantity) -> Quantity:
        """As in "15 mg/kg" for 20 kg: 300 mg."""
        unit, _, per = told.unit.rpartition("/")
        size = self.body.weight_kg if per == "kg" else self.body.area_m2
        if size is None or size <= 0:
            raise _MissingError("weight" if per == "kg" else "body surface")
        return self._scale(Quantity(told.value, unit), Fraction(size))

    def _counted(self, told: Quantity) -> Quantity:
        held = self._in_a_vial(told)
        if held is not None:
            return self._scale(held, Fraction(told.value))
        if self.contents:
            per = self.contents.per
            if not _alike(told.unit, per.unit) or (told.unit == "" and self._kind(per.unit) != "count"):
                raise _MissingError("unit")
            return self._scale(self.contents.amount, Fraction(told.value) / Fraction(per.value))
        strength = self._strength()
        top, _, bottom = strength.unit.partition("/")
        if bottom in ACTUATIONS and told.unit in ACTUATIONS:
            return self._scale(Quantity(strength.value, top), Fraction(told.value))
        if bottom or strength.unit == "%" or self.directions.strength_per or told.unit not in HELD_IN_ONE:
            raise _MissingError("strength" if told.unit in HELD_IN_ONE else "unit")
        return self._scale(strength, Fraction(told.value))

    def _in_a_vial(self, told: Quantity) -> Quantity | None:
        """As in "2.5 mg/3 mL 1 vial": all that one vial for a nebulizer holds, which is what its label tells; else None."""
        if told.unit not in ("vial", "") or self.directions.route != "inhaled":
            return None
        if self.contents:
            return self.contents.amount if self._kind(self.contents.per.unit) == "volume" else None
        per, strength = self.directions.strength_per, self.directions.strength
        return strength if per is not None and self._kind(per.unit) == "volume" and not self.combination else None

    def _poured(self, told: Quantity) -> Quantity:
        if self.contents:
            share = self._share(told, self.contents.per)
            return self._scale(self.contents.amount, share)
        strength = self._strength()
        if self.directions.strength_per:
            return self._scale(strength, self._share(told, self.directions.strength_per))
        if strength.unit == "%" and not self._is_semisolid():  # of a liquid, 1 % is 1 g in 100 mL
            return self._scale(Quantity(strength.value * 10, "mg"), self._share(told, Quantity(Decimal(1), "mL")))
        top, _, bottom = strength.unit.partition("/")
        if not bottom:
            raise _MissingError("strength")
        return self._scale(Quantity(strength.value, top), self._share(told, Quantity(Decimal(1), bottom)))

    def _strength(self) -> Quantity:
        if self.directions.strength is None or self.combination:
            raise _MissingError("strength")
        return self.directions.strength

    def _share(self, part: Quantity, whole: Quantity) -> Fraction:
        value = _in_unit(part, whole.unit, self.units)
        if value is None:
            raise _MissingError("unit")
        return value / Fraction(whole.value)

    def _is_product_mass(self, told: Quantity) -> bool:
        """4 g of a gel is the weight of the gel, not of the drug in it."""
        return self.units.dimension(told.unit) == "mass" and (self._is_semisolid() or self.directions.route == "topical")

    def _is_semisolid(self) -> bool:
        form = self.directions.form or ""
        return form in SEMISOLID_FORMS or form.endswith(("cream", "ointment", "gel"))

    def _of_percent(self, told: Quantity) -> Quantity:
        """Of a cream or gel, 1 % is 1 g in 100 g."""
        if self.contents:
            return self._scale(self.contents.amount, self._share(told, self.contents.per))
        strength = self._strength()
        if strength.unit == "%":
            return self._scale(told, Fraction(strength.value) / 100)
        top, _, bottom = strength.unit.partition("/")
        if bottom and self.units.dimension(bottom) == "mass":
            return self._scale(Quantity(strength.value, top), self._share(told, Quantity(Decimal(1), bottom)))
        raise _MissingError("strength")

    # --- arithmetic --------------------------------------------------------------------------------------------------
    def _scale(self, quantity: Quantity, by: Fraction) -> Quantity:
        return Quantity(_decimal(Fraction(quantity.value) * by), quantity.unit)

    def _times(self, quantity: Quantity, by: int | Decimal) -> Quantity:
        return quantity if by == 1 else self._scale(quantity, Fraction(by))

    def _least(self, left: Quantity, right: Quantity) -> Quantity:
        order = self.units.compare(left, right)
        if order is None:
            raise _MissingError("unit")
        return left if order <= 0 else right


def each_daily(steps: tuple[DosingStep, ...]) -> tuple[DosingStep, ...]:
    """As in "40 mg x 2 days, 30 mg x 2 days": with no frequency anywhere, each is what is taken on one day."""
    untimed = all(step.times_per_day is None and step.per_day is None for step in steps)
    if len(steps) < 2 or not untimed or any(step.days is None for step in steps[:-1]):
        return steps
    return tuple(msgspec.structs.replace(step, times_per_day=(Fraction(1),) * 2) for step in steps)


def _runs(dose: QuantityRange | None) -> bool:
    """Whether what is told is how fast it runs in."""
    return dose is not None and is_rate(dose[1].unit)


def _alike(told: str, held: str) -> bool:
    """Whether a count of one is a count of the other: tablets and capsules; puffs, sprays and actuations."""
    return told == held or told == "" or {told, held} <= SOLIDS or {told, held} <= ACTUATIONS


def _in_unit(quantity: Quantity, unit: str, units: Units) -> Fraction | None:
    if quantity.unit == unit:
        return Fraction(quantity.value)
    factor = units.convert(Quantity(Decimal(1), quantity.unit), unit)
    return None if factor is None else Fraction(quantity.value) * Fraction(factor)


def _decimal(value: Fraction) -> Decimal:
    """The exact decimal; where there is none (500 mg in 15 mL, 5 mL taken), to 28 digits."""
    rest, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        places = max(places, power)
    if rest != 1:
        return Decimal(value.numerator) / Decimal(value.denominator)
    digits = value.numerator * 10**places // value.denominator
    return Decimal((int(digits < 0), tuple(int(d) for d in str(abs(digits))), -places)) if places else Decimal(digits)
