"""A number alone behind a name, "lisinopril 20", "levothyroxine 75": the strength that is sold, in its unit."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from msgspec.structs import replace

from safety.knowledge.library import Library
from safety.model.directions import Directions
from safety.model.quantity import Quantity, Units
from safety.reading.names.resolver import ReadName

_USUAL_COUNT: Final = Decimal(2)
"""Up to so many, in halves, a number may as well be how many are taken: "warfarin 2" stays open."""
_HALF: Final = Decimal("0.5")
_SMALLER: Final = "mcg"


def in_its_unit(directions: Directions, read: ReadName, library: Library) -> Directions:
    """Directions whose number alone is one strength of a single ingredient, with that as the dose; else as they are."""
    number = _alone(directions)
    if number is None or len(read.drugs) != 1 or not read.rest.startswith(_as_written(number, read.rest)):
        return directions
    amount = _sold(number, read, library)
    if amount is None:
        return directions
    if any(w != _as_written(number, w) for w in directions.unread):
        return directions  # what else was told of it is not understood: it may say more of the dose
    unclear = directions.unclear - {"dose", "frequency"}
    return replace(directions, dose=(amount, amount), number=None, unread=(), unclear=unclear)


def _alone(d: Directions) -> Decimal | None:
    """The number that stands without a unit, too large or too fine to be a count."""
    if d.strength is not None or d.form is not None or d.per_day or d.steps:
        return None
    if d.number is not None:
        return d.number[0] if d.number[0] == d.number[1] and d.dose is None else None
    if d.dose is None or d.dose[0] != d.dose[1] or d.dose[0].unit:
        return None
    value = d.dose[0].value
    return value if value > _USUAL_COUNT or value % _HALF else None


def _sold(number: Decimal, read: ReadName, library: Library) -> Quantity | None:
    """The strength of that number: in the unit it is sold in, else in micrograms; None where there is none, or several."""
    sold = tuple(_strengths(read, library))
    meant = {q for q in sold if q.value == number} or {q for q in sold if _is(number, q, library.units)}
    if len({q.unit for q in meant}) != 1:
        return None
    one = meant.pop()
    return one if one.value == number else Quantity(number, _SMALLER)


def _is(number: Decimal, sold: Quantity, units: Units) -> bool:
    return units.compare(Quantity(number, _SMALLER), sold) == 0


def _strengths(read: ReadName, library: Library) -> Iterator[Quantity]:
    """What one of the drug holds, of everything that it is sold as by itself."""
    known = library.drug.get(read.drugs[0])
    yield from (q for q in (known.strengths if known else ()) if "/" not in q.unit and q.unit != "%")
    for p in read.product.presentations if read.product else ():
        yield from (c.amount for c in p.contents if c.amount)


def _as_written(number: Decimal, text: str) -> str:
    """The number as a text begins with it."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    try:
        return first if Decimal(first.replace(",", "")) == number else "\0"
    except ArithmeticError:
        return "\0"
