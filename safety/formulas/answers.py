"""What a formula answers: a value with everything that went into it, or what is missing, or why it was refused."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any, Literal

import msgspec
from msgspec import Struct

from safety.model.quantity import Quantity, plain

Checked = Literal["read", "secondary", "recalled"]
# Powers and roots are taken to 24 digits (what safety.model.quantity reads), far beyond any measurement.
EXACT = Context(prec=24)


class Formula(Struct, frozen=True):
    """A published formula: its edition and citation, the unit it answers in, and how its constants were checked.

    `places` is how many digits after the point people report; `checked` is `read` where the figures were read in
    the source's own text, `secondary` in a text that cites it (`copy` is its address), else `recalled`.
    """

    id: str
    name: str
    edition: str
    citation: str
    unit: str
    places: int = 0
    checked: Checked = "recalled"
    copy: str = ""


class Used(Struct, frozen=True):
    """One input as it went into the formula: name, amount with unit or words, and what was done to it if anything."""

    name: str
    value: str
    note: str = ""


class Answer(Struct, frozen=True):
    """A formula's answer; `value` is None where an input is `missing` or `refused` (each with its reason).

    `low` and `high` bound a score some of whose parts are missing; `day` is the answer of a formula about dates.
    """

    formula: Formula
    value: Decimal | None = None
    used: tuple[Used, ...] = ()
    missing: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    low: Decimal | None = None
    high: Decimal | None = None
    day: date | None = None

    @property
    def quantity(self) -> Quantity | None:
        """The value, unrounded, with its unit."""
        return None if self.value is None else Quantity(self.value, self.formula.unit)

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values: `value` as it is reported, `exact` unrounded."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built | {"value": self.shown or None, "exact": built["value"], "unit": self.formula.unit}

    @property
    def shown(self) -> str:
        """The value as it is reported: rounded half up, with its unit; empty where there is none."""
        if self.day is not None:
            return self.day.isoformat()
        if self.value is None:
            return ""
        number, unit = rounded(self.value, self.formula.places), self.formula.unit
        return f"{plain(number)} {'point' if unit == 'points' and number == 1 else unit}".strip()


def rounded(value: Decimal, places: int) -> Decimal:
    """A value rounded half up, as clinicians round, never to the even digit."""
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP, context=Context(prec=60))


def decimal(value: Fraction) -> Decimal:
    """A fraction as a decimal: exact where it has one, else to 24 digits."""
    return EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))


def power(base: Fraction, exponent: str) -> Fraction:
    """A positive number raised to an exponent written as a decimal (`-1.154`), to 24 digits."""
    return Fraction(EXACT.power(decimal(base), Decimal(exponent)))


def root(value: Fraction, degree: int = 2) -> Fraction:
    """The square root (or the third) of a positive number, to 24 digits."""
    if degree == 2:
        return Fraction(EXACT.sqrt(decimal(value)))
    return Fraction(EXACT.power(decimal(value), EXACT.divide(Decimal(1), Decimal(degree))))


def log(value: Fraction) -> Fraction:
    """The natural logarithm of a positive number, to 24 digits."""
    return Fraction(EXACT.ln(decimal(value)))
