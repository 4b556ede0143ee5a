"""Scores whose lines are data: points for what is found, and what the sum means."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from msgspec import Struct

from safety.formulas.answers import Answer, Checked, Formula, Used, decimal
from safety.formulas.inputs import AGE, Input, outside
from safety.model.patient import Age
from safety.model.quantity import Quantity, plain


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
    `sex` lines are words, too. `amount` is the input that an amount is read in.
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
    start: Decimal = Decimal(0)
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
    used: list[Used] = []
    missing: list[str] = []
    refused: list[str] = []
    low = high = score.start
    for line in score.lines:
        told = given.get(line.key)
        points = _points(line, told, refused) if told is not None else None
        if points is None:
            least, most = line.ends()
            low, high = low + least, high + most
            if told is None:
                missing.append(line.key)
            continue
        low, high = low + points, high + points
        used.append(Used(line.key, _shown(told), f"{plain(points)} point{'' if points == 1 else 's'}"))
    if missing or refused:
        told_so_far = tuple(used), tuple(missing), tuple(refused)
        return Answer(score.formula, None, *told_so_far, score.notes, low=low, high=high)
    says = score.meaning(low)
    return Answer(score.formula, decimal(Fraction(low)), tuple(used), notes=(*((says,) if says else ()), *score.notes))


def _points(line: ScoreLine, told: Any, refused: list[str]) -> Decimal | None:
    """The points of what was told; None where it cannot be taken, and then why."""
    if line.kind in ("yes", "word"):
        word = _shown(told)
        if word not in line.words:
            refused.append(f"{line.key} `{word}` is none of: {', '.join(line.words)}")
        return line.words.get(word)
    one = line.amount or AGE
    amount = one.counted(told) if isinstance(told, Quantity | Age) else None
    wrong = outside(one, _shown(told), amount)
    if wrong or amount is None:
        refused.append(wrong)
        return None
    return line.points_for(amount)


def _shown(told: object) -> str:
    if isinstance(told, bool):
        return "yes" if told else "no"
    return told.text if isinstance(told, Age) else str(told)
