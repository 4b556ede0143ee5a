"""Scores whose lines are data: points for what is found, and what the sum means."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from safety.formulas.answers import Answer, Checked, Formula
from safety.formulas.inputs import AGE, Input, outside
from safety.formulas.scores import Part, added
from safety.model.patient import Age
from safety.model.quantity import Quantity


class Points(Struct, frozen=True):
    """So many points for an amount between two ends; an end that is None is open. `low_in`, `high_in`: the end is in it."""

    points: Decimal
    low: Decimal | None = None
    high: Decimal | None = None
    low_in: bool = True
    high_in: bool = True

    def holds(self, amount: Fraction) -> bool:
        """Whether an amount lies in it."""
        over = self.low is None or amount > Fraction(self.low) or (self.low_in and amount == Fraction(self.low))
        under = self.high is None or amount < Fraction(self.high) or (self.high_in and amount == Fraction(self.high))
        return over and under


class ScoreLine(Struct, frozen=True):
    """One line of a score: what is asked for, and the points it gives.

    `kind`: "yes" (`words` holds yes and no), "word" (one of `words`), "age" and "amount" (by `bands`; outside them none).
    `amount` is the input that an amount is read in.
    """

    key: str
    kind: Literal["yes", "word", "age", "amount"]
    words: dict[str, Decimal] = {}
    bands: tuple[Points, ...] = ()
    amount: Input | None = None
    example: str = ""

    def points_for(self, amount: Fraction) -> Decimal:
        """The points of an amount; none outside every band."""
        return next((band.points for band in self.bands if band.holds(amount)), Decimal(0))

    def ends(self) -> tuple[Decimal, Decimal]:
        """The least and the most points that the line can give."""
        every = [*self.words.values(), *(band.points for band in self.bands)]
        if self.bands:
            every.append(Decimal(0))
        return min(every), max(every)


class Score(Struct, frozen=True):
    """A score: its lines in order, what its sums mean, and where it stands."""

    id: str
    title: str
    unit: str
    edition: str
    citation: str
    lines: tuple[ScoreLine, ...]
    meanings: tuple[tuple[Points, str], ...] = ()
    notes: tuple[str, ...] = ()
    checked: Checked = "recalled"
    copy: str = ""

    @property
    def formula(self) -> Formula:
        """The score as the formula that answers name."""
        name = self.id.removeprefix("score.")
        places = max(-int(p.as_tuple().exponent) for line in self.lines for p in line.ends())
        return Formula(name, self.title, self.edition, self.citation, self.unit, max(places, 0), self.checked, self.copy)

    def meaning(self, total: Decimal) -> str:
        """What a sum says; empty where nothing is said of it."""
        return next((says for where, says in self.meanings if where.holds(Fraction(total))), "")


def scored(score: Score, given: Mapping[str, Quantity | Age | str | bool]) -> Answer:
    """The sum of the points; where a line is not told, which one, and between which sums the score lies."""
    parts = [_part(line, given.get(line.key)) for line in score.lines]
    return added(score.formula, parts, score.meaning, score.notes)


def _part(line: ScoreLine, told: Quantity | Age | str | bool | None) -> Part:
    """What a line gives; not told, or not to be believed, the least and the most that it could give."""
    least, most = line.ends()
    if told is None:
        return Part(line.key, "", least, most)
    shown = _shown(told)
    if line.kind in ("yes", "word"):
        if shown not in line.words:
            return Part(line.key, shown, least, most, f"{line.key} `{shown}` is none of: {', '.join(line.words)}")
        return Part(line.key, shown, line.words[shown], line.words[shown])
    one = line.amount or AGE
    amount = one.counted(told) if isinstance(told, Quantity | Age) else None
    wrong = outside(one, shown, amount)
    if wrong or amount is None:
        return Part(line.key, shown, least, most, wrong)
    points = line.points_for(amount)
    return Part(line.key, shown, points, points)


def _shown(told: object) -> str:
    if isinstance(told, bool):
        return "yes" if told else "no"
    return told.text if isinstance(told, Age) else str(told)
