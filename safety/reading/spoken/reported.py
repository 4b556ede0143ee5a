"""What somebody says they take of one medicine, as far as it was understood. `None` is "not told"."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from safety.model.directions import TimesPerDay
from safety.model.quantity import Quantity, QuantityRange


class Regimen(Struct, frozen=True):
    """One way of taking it: how much at once, how often, when.

    - `dose`: lowest and highest at once; unit "" is a bare count, "bare" a number above ten whose unit was left off.
    - `strength`: what one tablet or puff holds, if told. `per_day`: an amount told for the day as a whole.
    - `times`: doses a day on average. `at_least`: told of one occasion, there may have been more.
    - `slots`: parts of the day. `hours`: the time between two doses, told in hours.
    """

    dose: QuantityRange | None = None
    strength: Quantity | None = None
    times: TimesPerDay | None = None
    per_day: QuantityRange | None = None
    slots: tuple[str, ...] = ()
    hours: Decimal | None = None
    at_least: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing was told of how much or how often."""
        return self.dose is None and self.times is None and self.per_day is None and self.strength is None


class Reported(Struct, frozen=True):
    """A statement about one medicine: how it is taken, and what was said to happen (`safety.model.events`).

    `signs`: what is said of the time that it tells of: `one-day`, `taken-then`, `past`. `weekdays`: those that are named.
    """

    text: str
    regimens: tuple[Regimen, ...] = ()
    events: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    weekdays: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing in it bears on how the medicine is taken."""
        return not self.events and all(i.empty for i in self.regimens)
