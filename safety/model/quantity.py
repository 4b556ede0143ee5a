"""A number with its unit: read it, convert it, compare it, or refuse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

_NUMBER = re.compile(r"\s*([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)\s*(.*?)\s*\Z", re.S)
_MAX_DIGITS = 24
_MOST_WHOLE = 12
"""Numbers of more digits before the point are amounts of nothing, and would not be worked with exactly."""


class Quantity(Struct, frozen=True):
    """An amount as it was stated, e.g. 4000 mg; the unit is a canonical symbol."""

    value: Decimal
    unit: str

    def __str__(self) -> str:
        return f"{plain(self.value)} {self.unit}".strip()


_COUNTED = frozenset(
    ("tablet", "capsule", "patch", "drop", "puff", "spray", "unit", "film", "lozenge", "sachet", "suppository", "application")
)


def counted(amount: Quantity) -> str:
    """An amount with what is counted in the plural where it is: `2 tablets`, `1 patch`, `40 mg`."""
    unit = amount.unit
    if amount.value == 1 or unit not in _COUNTED:
        return str(amount)
    many = (
        unit[:-1] + "ies" if unit.endswith("y") and unit[-2:-1] not in "aeou" else unit + ("es" if unit.endswith("ch") else "s")
    )
    return f"{plain(amount.value)} {many}"


QuantityRange: TypeAlias = tuple[Quantity, Quantity]
"""Lowest and highest, in one unit wherever both were told together."""


def plain(value: Decimal) -> str:
    """A decimal as people write it: no exponent, no trailing zeros."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def number(text: str | int | float | Decimal) -> Decimal | None:
    """The exact decimal of a number as written (`1,000.5`); None for anything else, NaN and infinity too."""
    if isinstance(text, bool) or (isinstance(text, int) and text.bit_length() > 4 * _MAX_DIGITS):
        return None
    try:
        value = Decimal(str(text).replace(",", "").strip())
    except InvalidOperation:
        return None
    if not value.is_finite() or len(value.as_tuple().digits) > _MAX_DIGITS or not -_MAX_DIGITS <= value.adjusted() <= _MOST_WHOLE:
        return None
    return value


def in_parts(value: Decimal) -> bool:
    """Whether a number is not whole; of any size, where a remainder is only worked out of small ones."""
    return value != value.to_integral_value()


_MOST_SCALES = 4096
_EXACT = Context(prec=400)
_MOST_FIGURES = 300
"""Wide enough that no product of two amounts, or of an amount and a factor, is rounded."""


class Units:
    """The conversions of `kb/units.yaml`; a pair of units that is not in it is refused, never guessed.

    `dimensions` maps a dimension to its units and their factor to the dimension's base unit,
    `aliases` a canonical symbol to other spellings, `count` units that equal only themselves.
    """

    def __init__(
        self,
        dimensions: Mapping[str, Mapping[str, Fraction]],
        aliases: Mapping[str, Sequence[str]],
        count: Sequence[str] = (),
    ) -> None:
        self._scales: dict[tuple[str, str], tuple[Decimal, Decimal] | None] = {}
        self._factor: dict[str, tuple[str, Fraction]] = {}
        for dimension, units in dimensions.items():
            for symbol, factor in units.items():
                self._factor[symbol] = (dimension, factor)
        for symbol in count:
            self._factor.setdefault(symbol, (f"count:{symbol}", Fraction(1)))
        self._canonical: dict[str, str] = {}
        lowered: dict[str, str | None] = {}
        for symbol in [*self._factor, *aliases]:
            self._canonical[symbol] = symbol
        for symbol, others in aliases.items():
            for other in others:
                self._canonical.setdefault(other, symbol)
        for text, symbol in self._canonical.items():
            low = text.lower()
            # "Mg" and "mg" agree; a spelling that two units share in lower case helps nobody
            lowered[low] = symbol if lowered.get(low, symbol) == symbol else None
        for low, found in lowered.items():
            if found is not None:
                self._canonical.setdefault(low, found)

    def symbol(self, text: str) -> str | None:
        """The canonical symbol for a unit as written (`micrograms` is `mcg`); None if it is not known."""
        text = text.strip()
        found = self._canonical.get(text) or self._canonical.get(text.lower())
        if found is not None:
            return found
        if "/" in text:
            top, bottom = (self.symbol(part) for part in text.split("/", 1))
            if top and bottom:
                return f"{top}/{bottom}"
        return None

    def dimension(self, unit: str) -> str | None:
        """What a unit measures (`mass`, `volume`, `count:tablet`, `mass/volume` …); None if it is not known."""
        part = self._parts(unit)
        return part[0] if part else None

    def parse(self, text: str) -> Quantity | None:
        """A quantity as written, `4000 mg` or `30 mL/min/1.73m2`; None if number or unit cannot be read."""
        match = _NUMBER.match(text)
        if not match or not match[1] or not match[2]:
            return None
        value, unit = number(match[1]), self.symbol(match[2])
        return None if value is None or unit is None else Quantity(value, unit)

    def convert(self, quantity: Quantity, unit: str) -> Decimal | None:
        """The number of `unit` that the quantity is; None where the two measure different things."""
        if quantity.unit == unit:
            return quantity.value
        have, want = self._parts(quantity.unit), self._parts(unit)
        if have is None or want is None or have[0] != want[0]:
            return None
        exact = Fraction(quantity.value) * have[1] / want[1]
        return Decimal(exact.numerator) / Decimal(exact.denominator)

    def compare(self, left: Quantity, right: Quantity) -> int | None:
        """-1, 0 or 1 as left is less than, equal to or more than right; None for unlike units."""
        if left.unit == right.unit:
            return (left.value > right.value) - (left.value < right.value)
        scale = self._scale(left.unit, right.unit)
        if scale is None:
            return None
        a, b = _EXACT.multiply(left.value, scale[0]), _EXACT.multiply(right.value, scale[1])
        return (a > b) - (a < b)

    def _scale(self, left: str, right: str) -> tuple[Decimal, Decimal] | None:
        """Two whole numbers by which amounts in two units are made comparable; None for unlike units."""
        try:
            return self._scales[left, right]
        except KeyError:
            have, want = self._parts(left), self._parts(right)
            found = None
            if have is not None and want is not None and have[0] == want[0]:
                ratio = have[1] / want[1]
                found = Decimal(ratio.numerator), Decimal(ratio.denominator)
            if len(self._scales) < _MOST_SCALES:  # what callers send is not kept without end
                self._scales[left, right] = found
            return found

    def _parts(self, unit: str) -> tuple[str, Fraction] | None:
        known = self._factor.get(unit)
        if known is not None:
            return known
        if "/" in unit:
            top, bottom = (self._parts(part) for part in unit.split("/", 1))
            if top and bottom:
                return (f"{top[0]}/{bottom[0]}", top[1] / bottom[1])
        if unit in self._canonical:  # a special symbol such as mL/min/1.73m2: equals only itself
            return (f"only:{unit}", Fraction(1))
        return None


def to_places(value: Fraction, places: int) -> Decimal:
    """A fraction as a decimal with so many places, however large it is."""
    exact = _EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return exact.quantize(Decimal(1).scaleb(-places), context=_EXACT) if exact.adjusted() < _MOST_FIGURES else exact
