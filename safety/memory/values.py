"""What a slot can hold, and how one value stands to another: the same, more exact, less exact, or at odds."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct

from safety.model.directions import TimesPerDay, amount_in_words, how_often_in_words
from safety.model.quantity import Quantity, QuantityRange, Units

Slot = Literal["taking", "dose", "frequency", "route", "for", "adherence", "state", "reaction"]
MEDICINE_SLOTS: tuple[Slot, ...] = ("taking", "dose", "frequency", "route", "for", "adherence")
Relation = Literal["same", "finer", "coarser", "differs", "unlike"]
"""How what is told stands to what was believed; `unlike`: the two cannot be compared, so neither contradicts the other."""


class Word(Struct, frozen=True):
    """A state by its name, or what was said: `key` is compared, `text` is shown."""

    key: str
    text: str = ""

    def __str__(self) -> str:
        return self.text or self.key


class Dose(Struct, frozen=True):
    """One dose, lowest and highest, of the ingredient where that can be worked out; what it is in tablets where not."""

    amount: QuantityRange

    def __str__(self) -> str:
        return amount_in_words(self.amount)


class Often(Struct, frozen=True):
    """How often: doses in a day (None: only as needed), and whether as needed."""

    times: TimesPerDay | None
    as_needed: bool = False

    def __str__(self) -> str:
        said = how_often_in_words(self.times)
        return " ".join(w for w in (said, "as needed" if self.as_needed else "") if w)


Value: TypeAlias = Word | Dose | Often


class Regimen(Struct, frozen=True):
    """Dose and frequency as told together, or as believed on a day. `at_once`: the day's amount is sold as one dose."""

    dose: Dose | None = None
    often: Often | None = None
    per_day: QuantityRange | None = None
    at_once: bool = False

    def day(self) -> tuple[tuple[Fraction, Fraction], str] | None:
        """The amount of an average day, lowest and highest, with its unit; None where dose or frequency is not told."""
        if self.per_day is not None:
            return (Fraction(self.per_day[0].value), Fraction(self.per_day[1].value)), self.per_day[1].unit
        if self.dose is None or self.often is None or self.often.times is None:
            return None
        low, high = self.dose.amount
        return (Fraction(low.value) * self.often.times[0], Fraction(high.value) * self.often.times[1]), high.unit


def same_day(old: Regimen, new: Regimen, units: Units) -> bool:
    """Whether two regimens come to the same amount in a day: 500 mg twice daily and 1000 mg once daily."""
    a, b = old.day(), new.day()
    if a is None or b is None:
        return False
    factor = _factor(b[1], a[1], units)
    return factor is not None and a[0] == (b[0][0] * factor, b[0][1] * factor)


def relation(old: Value, new: Value, units: Units) -> Relation:
    """How a new value stands to an old one of the same slot."""
    if isinstance(old, Dose) and isinstance(new, Dose):
        return _of_doses(old, new, units)
    if isinstance(old, Often) and isinstance(new, Often):
        return _of_frequencies(old, new)
    if isinstance(old, Word) and isinstance(new, Word):
        return "same" if old.key == new.key else "differs"
    return "unlike"


def _of_doses(old: Dose, new: Dose, units: Units) -> Relation:
    unit = old.amount[1].unit
    factor = _factor(new.amount[1].unit, unit, units)
    if factor is None:
        return "unlike"
    a = (Fraction(old.amount[0].value), Fraction(old.amount[1].value))
    b = (Fraction(new.amount[0].value) * factor, Fraction(new.amount[1].value) * factor)
    return _of_ranges(a, b)


def _of_frequencies(old: Often, new: Often) -> Relation:
    if new.times is None or old.times is None:
        if new.as_needed != old.as_needed:
            return "differs" if new.as_needed else "finer"
        return "same" if new.times == old.times else "finer" if old.times is None else "coarser"
    a, b = (_reach(o) for o in (old, new))
    return _of_ranges(a, b)


def _reach(often: Often) -> tuple[Fraction, Fraction]:
    """From how rarely to how often; what is taken as needed may not be taken at all."""
    assert often.times is not None
    return (Fraction(0), often.times[1]) if often.as_needed else often.times


def _of_ranges(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> Relation:
    if a == b:
        return "same"
    if a[0] <= b[0] and b[1] <= a[1]:
        return "finer"
    return "coarser" if b[0] <= a[0] and a[1] <= b[1] else "differs"


def _factor(unit: str, to: str, units: Units) -> Fraction | None:
    if unit == to:
        return Fraction(1)
    one = units.convert(Quantity(Decimal(1), unit), to)
    return Fraction(one) if one is not None else None
