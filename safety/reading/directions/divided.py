"""Numbers in a row right behind the name: the doses of one day, "300/300/600", each by its part of the day; what a pen holds and
its volume, "40/0.4".

Any other two numbers are left alone: "50/12.5" is a product of two ingredients, "88/100" may be taken by turns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from safety.reading.directions.notes import UnitOf
from safety.reading.directions.words import Lexicon

_ROW: Final = re.compile(
    r"\s*(?P<doses>\d{1,4}(?:\.\d+)?(?:(?:/\d{1,4}(?:\.\d+)?){2,3}|(?:-\d{1,4}(?:\.\d+)?){2,3}))(?:\s?(?P<unit>mg|mcg|units?|u)\b)?"
    r"(?=[\s,;.]|\Z)",
    re.I,
)
_PEN: Final = re.compile(r"\s*(?P<held>\d{1,4}(?:\.\d+)?)/(?P<volume>\d\.\d+(?:\s?mL)?|\d\s?mL)(?=[\s,;.]|\Z)", re.I)
_ONE: Final = re.compile(r"\d+(?:\.\d+)?")
_LAST_DAY, _LAST_MONTH = 31, 12


def in_full(text: str, lex: Lexicon, unit_of: UnitOf) -> str:
    """The text with each number of such a row as a dose of its own; as it is where one of them is no strength that the medicine
    is sold in or a few of it, or where the row may be a date."""
    found = _ROW.match(text)
    if found is None:
        return _of_a_pen(text, unit_of)
    numbers = [Decimal(n) for n in _ONE.findall(found["doses"])]
    units = {unit_of(n, True, False) for n in numbers}
    unit = units.pop() if len(units) == 1 else None
    if unit is None or _may_be_a_date(numbers):
        return text
    row = ", ".join(f"{n} {found['unit'] or unit} {part}" for n, part in zip(numbers, lex.in_order, strict=False))
    return f"{row} {text[found.end() :]}"


def _may_be_a_date(numbers: Sequence[Decimal]) -> bool:
    """Whether numbers may be a month and a day, with or without its year."""
    return min(numbers[:2]) <= _LAST_MONTH and max(numbers[:2]) <= _LAST_DAY


def _of_a_pen(text: str, unit_of: UnitOf) -> str:
    """The text without the volume behind what one pen or syringe of it holds; a whole number may as well say how often."""
    found = _PEN.match(text)
    held = [q for q in unit_of.single_doses if found is not None and q.value == Decimal(found["held"])]
    return f"{held[0].value} {held[0].unit}{text[found.end() :]}" if found is not None and held else text
