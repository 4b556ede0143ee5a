"""Directions and contents → how much of one ingredient in one dose and in 24 hours: exact, or `None` and why."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from msgspec import Struct

from safety.dosing.merging import schedule_of
from safety.dosing.sig import Sig
from safety.dosing.words import ACTUATIONS, HELD_IN_ONE, SEMISOLID_FORMS, SOLIDS
from safety.quantity import Quantity, Units

__all__ = ["Amounts", "Contents", "Total", "amounts_of", "schedule_of", "total"]

AmountRange = tuple[Quantity, Quantity]


class Contents(Struct, frozen=True):
    """What one unit of a product holds of one ingredient: `amount` (325 mg) in `per` (1 tablet, 15 mL)."""

    amount: Quantity
    per: Quantity


class Amounts(Struct, frozen=True):
    """How much of one ingredient the directions come to.

    - `single`: lowest and highest in one dose (all places it is put in, "both eyes", count).
    - `day`: lowest and highest in 24 hours on a day it is taken. Doses are whole: every 5 hours is at most 5 doses in
      24 hours; a weekly or every-other-day dose counts in full on its day, because a 24-hour maximum is about that
      day. The lowest is 0 where it is taken as needed; the highest respects the daily maximum that the sig states.
    - `interval_hours`: the shortest time between doses, if told in hours. `days`: how long.
    - `why_not`: what is missing for each `None` of `single` and `day`: dose, frequency, strength, unit or weight.
    """

    single: AmountRange | None
    day: AmountRange | None
    interval_hours: Decimal | None
    days: Decimal | None
    why_not: tuple[str, ...] = ()


class Total(Struct, frozen=True):
    """A sum over entries. `complete` is false where an entry could not be added; what is known is still a lower bound
    of the highest total: a limit that it exceeds is exceeded whatever the other entries turn out to be."""

    low: Quantity | None
    high: Quantity | None
    complete: bool


def amounts_of(sig: Sig, contents: Contents | None, units: Units, *, combination: bool = False) -> Amounts:
    """The amounts of one ingredient that a sig comes to.

    `contents` is what one unit of the product holds of that ingredient; without it a strength in the sig is used
    ("20 mg tablet"). With `combination` (more than one ingredient) a dose or strength in milligrams belongs to no one
    ingredient and gives `None`.
    """
    return _Sum(sig, contents, units, combination).amounts()


def total(amounts: Sequence[AmountRange | None], units: Units) -> Total:
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


class _MissingError(Exception):
    """The fact without which an amount cannot be told."""

    def __init__(self, fact: str) -> None:
        super().__init__(fact)
        self.fact = fact


class _Sum:
    """One sig, one ingredient."""

    def __init__(self, sig: Sig, contents: Contents | None, units: Units, combination: bool) -> None:
        self.sig, self.contents, self.units, self.combination = sig, contents, units, combination

    def amounts(self) -> Amounts:
        sig = self.sig
        why: list[str] = []
        single: AmountRange | None = None
        day: AmountRange | None = None
        try:
            single = self._single()
        except _MissingError as missing:
            why.append(missing.fact)
        try:
            day = self._day(single)
        except _MissingError as missing:
            why.append(missing.fact)
        hours = sig.interval_hours[0] if sig.interval_hours else None
        return Amounts(single, day, hours, sig.days, tuple(dict.fromkeys(why)))

    def _single(self) -> AmountRange:
        if self.sig.dose is None:
            raise _MissingError("dose")
        low, high = (self._ingredient(q) for q in self.sig.dose)
        return self._times(low, self.sig.sites), self._times(high, self.sig.sites)

    def _day(self, single: AmountRange | None) -> AmountRange:
        sig = self.sig
        cap = self._cap(single)
        if sig.per_day is not None:
            low = high = self._ingredient(sig.per_day, "dose")
        elif single is not None and sig.times_per_day is not None:
            fewest, most = sig.times_per_day
            low = self._times(single[0], max(1, floor(fewest)) if fewest else 0)
            high = self._times(single[1], ceil(most))
        elif cap is not None:
            return Quantity(Decimal(0), cap.unit), cap  # as needed up to the stated maximum
        else:
            if sig.times_per_day is not None:
                self._single()  # what keeps one dose from being told keeps the day, too
            raise _MissingError("frequency")
        if cap is not None:
            low, high = self._least(low, cap), self._least(high, cap)
        return (Quantity(Decimal(0), low.unit) if sig.as_needed else low), high

    def _cap(self, single: AmountRange | None) -> Quantity | None:
        """The sig's own daily maximum, of this ingredient; `None` if it states none."""
        most = self.sig.day_max
        if most is None:
            return None
        if most.unit == "dose":
            if single is None:
                raise _MissingError("dose")
            return self._times(single[1], most.value)
        if most.unit == "" and single is not None and self.sig.dose is not None:
            told = self.sig.dose[1]
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
            raise _MissingError("weight")
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
        if unit.endswith("/kg"):
            return "weight"
        return "count" if dimension.startswith("count:") and unit not in ("unit", "IU") else "mass"

    def _counted(self, told: Quantity) -> Quantity:
        if self.contents:
            per = self.contents.per
            if not _alike(told.unit, per.unit) or (told.unit == "" and self._kind(per.unit) != "count"):
                raise _MissingError("unit")
            return self._scale(self.contents.amount, Fraction(told.value) / Fraction(per.value))
        strength = self._strength()
        top, _, bottom = strength.unit.partition("/")
        if bottom in ACTUATIONS and told.unit in ACTUATIONS:
            return self._scale(Quantity(strength.value, top), Fraction(told.value))
        if bottom or strength.unit == "%" or self.sig.strength_per or told.unit not in HELD_IN_ONE:
            raise _MissingError("strength" if told.unit in HELD_IN_ONE else "unit")
        return self._scale(strength, Fraction(told.value))

    def _poured(self, told: Quantity) -> Quantity:
        if self.contents:
            share = self._share(told, self.contents.per)
            return self._scale(self.contents.amount, share)
        strength = self._strength()
        if self.sig.strength_per:
            return self._scale(strength, self._share(told, self.sig.strength_per))
        top, _, bottom = strength.unit.partition("/")
        if not bottom:
            raise _MissingError("strength")
        return self._scale(Quantity(strength.value, top), self._share(told, Quantity(Decimal(1), bottom)))

    def _strength(self) -> Quantity:
        if self.sig.strength is None or self.combination:
            raise _MissingError("strength")
        return self.sig.strength

    def _share(self, part: Quantity, whole: Quantity) -> Fraction:
        value = _in_unit(part, whole.unit, self.units)
        if value is None:
            raise _MissingError("unit")
        return value / Fraction(whole.value)

    def _is_product_mass(self, told: Quantity) -> bool:
        """4 g of a gel is the weight of the gel, not of the drug in it."""
        form = self.sig.form or ""
        return self.units.dimension(told.unit) == "mass" and (
            form in SEMISOLID_FORMS or form.endswith(("cream", "ointment", "gel")) or self.sig.route == "topical"
        )

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
