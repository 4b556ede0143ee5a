"""Adding up a score: points for what is known, and between which sums it lies while something is not told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from msgspec import Struct

from safety.formulas.answers import Answer, Formula, Used, decimal
from safety.formulas.inputs import Input, outside
from safety.model.patient import Age
from safety.model.quantity import Quantity, plain


class Part(Struct, frozen=True):
    """One line of a score: how it was told (empty: not told), the points it gives, and why it cannot be believed if so.

    Where it is not told, `low` and `high` are the least and the most that it could give; else they are equal.
    """

    name: str
    told: str
    low: Decimal | int
    high: Decimal | int
    refused: str = ""


def yes_or_no(name: str, told: bool | None, points: int = 1) -> Part:
    """Points for a yes, none for a no."""
    if told is None:
        return Part(name, "", 0, points)
    given = points if told else 0
    return Part(name, "yes" if told else "no", given, given)


def by_amount(one: Input, given: Quantity | Age | None, points: Callable[[Fraction], int], low: int, high: int) -> Part:
    """Points by an amount; `low` and `high` are the least and the most points that it can give."""
    if given is None:
        return Part(one.name, "", low, high)
    told = given.text if isinstance(given, Age) else str(given)
    amount = one.counted(given)
    wrong = outside(one, told, amount)
    if wrong or amount is None:
        return Part(one.name, told, low, high, wrong)
    return Part(one.name, told, points(amount), points(amount))


def by_word(name: str, told: str | None, points: dict[str, int]) -> Part:
    """Points by a word; a word that is not among them is refused."""
    low, high = min(points.values()), max(points.values())
    if told is None:
        return Part(name, "", low, high)
    if told not in points:
        return Part(name, told, low, high, f"{name} `{told}` is none of: {', '.join(points)}")
    return Part(name, told, points[told], points[told])


def added(
    formula: Formula, parts: Sequence[Part], meaning: Callable[[Any], str] = lambda _: "", notes: Sequence[str] = ()
) -> Answer:
    """The sum of the points; where a part is not told, which one, and between which sums the score lies."""
    used = tuple(Used(p.name, p.told, _counted(p.low)) for p in parts if p.told and not p.refused)
    missing = tuple(p.name for p in parts if not p.told)
    refused = tuple(p.refused for p in parts if p.refused)
    low, high = sum(p.low for p in parts), sum(p.high for p in parts)
    if missing or refused:
        return Answer(formula, None, used, missing, refused, tuple(notes), low=Decimal(low), high=Decimal(high))
    note = meaning(low)
    return Answer(formula, decimal(Fraction(low)), used, notes=(*((note,) if note else ()), *notes))


def _counted(points: Decimal | int) -> str:
    return f"{plain(Decimal(points))} point{'' if points == 1 else 's'}"
