"""The answer to a line of directions: what each part of it was read as, where it stands, and the whole in a sentence."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import msgspec
from msgspec import Struct

from safety.model.directions import DosingStep, TimesPerDay, amount_in_words, how_often_in_words
from safety.model.quantity import Quantity, QuantityRange, plain, to_places


class AmountSaid(Struct, frozen=True):
    """An amount from `low` to `high` (the same where it is one), with its unit; the unit "" is a bare number."""

    text: str
    low: Decimal
    high: Decimal
    unit: str


class OftenSaid(Struct, frozen=True):
    """How often: doses in a day, lowest and highest (once a week is 0.1429), and the hours between them if told so."""

    text: str
    per_day: tuple[Decimal, Decimal] | None
    hours: tuple[Decimal, Decimal] | None = None


class StepSaid(Struct, frozen=True):
    """One step of directions that change: its dose or day's amount, how often, and for how many days."""

    dose: AmountSaid | None
    per_day: AmountSaid | None
    frequency: OftenSaid | None
    days: Decimal | None
    as_needed: bool


class SigPart(Struct, frozen=True):
    """One part of the text: characters from `start` up to, not including, `end`."""

    part: str
    start: int
    end: int
    text: str


SigStatus = Literal["read", "partly", "unread"]
"""Everything was understood; something was not; neither a dose nor a frequency was."""


class SigAnswer(Struct, frozen=True):
    """Directions as they were understood. A part that is null was not told, or not understood: `unread` tells which words.

    `says` is the whole in a sentence, to read back; `ask` what to ask before relying on it. `state`: whether the line says
    that the medicine is taken, held or was stopped.
    """

    text: str
    status: SigStatus
    says: str
    drug: str | list[str] | None
    name: str | None
    dose: AmountSaid | None = None
    frequency: OftenSaid | None = None
    per_day: AmountSaid | None = None
    maximum_per_day: AmountSaid | None = None
    route: str | None = None
    form: str | None = None
    strength: str | None = None
    days: Decimal | None = None
    as_needed: bool | None = None
    once: bool = False
    reason: str | None = None
    times_of_day: list[str] = []
    steps: list[StepSaid] = []
    state: str = "taken"
    unread: list[str] = []
    ask: str = ""
    parts: list[SigPart] = []

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values; numbers as numbers."""
        built: dict[str, Any] = msgspec.json.decode(self.to_json())
        return built

    def to_json(self) -> bytes:
        """The answer as JSON on one line, the same bytes for the same answer."""
        return _ENCODER.encode(self)


_ENCODER = msgspec.json.Encoder(decimal_format="number")
_PLACES = 4


def amount_said(told: QuantityRange | None) -> AmountSaid | None:
    """An amount of directions as it is answered."""
    if told is None:
        return None
    return AmountSaid(amount_in_words(told), _short(told[0].value), _short(told[1].value), told[1].unit)


def most_said(told: Quantity | None) -> AmountSaid | None:
    """A maximum as it is answered."""
    return amount_said((told, told)) if told is not None else None


def often_said(times: TimesPerDay | None, hours: tuple[Decimal, Decimal] | None) -> OftenSaid | None:
    """A frequency of directions as it is answered."""
    if times is None and hours is None:
        return None
    per_day = (_decimal(times[0]), _decimal(times[1])) if times is not None else None
    return OftenSaid(how_often_in_words(times, hours), per_day, hours)


def step_said(step: DosingStep) -> StepSaid:
    """One step of directions as it is answered."""
    often = often_said(step.times_per_day, step.interval_hours)
    return StepSaid(amount_said(step.dose), amount_said(step.per_day), often, step.days, step.as_needed)


def _decimal(value: Fraction) -> Decimal:
    return _short(to_places(value, _PLACES))


def _short(value: Decimal) -> Decimal:
    """Without trailing zeros and without an exponent."""
    return Decimal(plain(value))
