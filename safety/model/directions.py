"""How a medication is to be taken: one typed value, whether it was told in words, in fields or in structure."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from safety.model.quantity import Quantity, QuantityRange, counted, plain, to_places

TimesPerDay: TypeAlias = tuple[Fraction, Fraction]
"""Lowest and highest number of doses in a day, on average over the days and exact: once a week is 1/7."""
HoursApart: TypeAlias = tuple[Decimal, Decimal]
"""Shortest and longest time between two doses, in hours."""


PartOfDay = Literal["morning", "noon", "afternoon", "evening", "night"]
DirectionsPart = Literal["strength", "dose", "frequency", "form", "route"]
PARENTERAL = "parenteral"
Injected = Literal["intravenous", "intramuscular", "subcutaneous", "intradermal", "intra-arterial", "intra-articular", "epidural"]
"""The kinds of a parenteral route: told "injected" alone, it may be any of them."""
KINDS_OF_PARENTERAL: frozenset[str] = frozenset(get_args(Injected))
DAY_MINUTES = 24 * 60
ONE_DOSE = "dose"
"""The unit of an amount told in doses: so many of what the directions say is one."""


class Window(Struct, frozen=True, order=True):
    """From when to when in the day, in minutes after midnight; a dose lies somewhere in between."""

    start: int
    end: int

    def meets(self, other: Window) -> bool:
        """Whether there is a moment in both."""
        return self.start <= other.end and other.start <= self.end


def part_at(minute: int) -> PartOfDay:
    """Roughly which part of the day a time by the clock is: what is told of 8 am is told of the morning, of 2 pm not."""
    noon = DAY_MINUTES // 2
    return "noon" if minute == noon else "morning" if minute < noon else "evening"


def least_gap(one: tuple[Window, ...], other: tuple[Window, ...]) -> int | None:
    """The least time, in minutes, that surely lies between any dose of the one and any of the other; None if not told."""
    if not one or not other:
        return None
    return min(_gap(a, b) for a in one for b in other)


def _gap(a: Window, b: Window) -> int:
    return 0 if a.meets(b) else min((b.start - a.end) % DAY_MINUTES, (a.start - b.end) % DAY_MINUTES)


class DosingStep(Struct, frozen=True):
    """One step of directions in steps ("then …"): its dose or day's amount, how often, for how many days if told.

    `times_per_day` is None where no step tells it; `once`: a single dose at the start ("2 now, then …").
    """

    dose: QuantityRange | None
    times_per_day: TimesPerDay | None
    per_day: QuantityRange | None = None
    days: Decimal | None = None
    as_needed: bool = False
    once: bool = False
    interval_hours: HoursApart | None = None


class Directions(Struct, frozen=True):
    """The directions of one medication; `None` is "not told, or not understood" for each part.

    - `text`: the words they were told in; of what was told in structure, the words to show it by.
    - `strength`: what one unit of the product holds ("20 mg" of "20 mg tablet", "10 mg/mL", "1 %");
      with `strength_per`, what that much of it holds: 160 mg in 5 mL.
    - `dose`: lowest and highest of one dose; the unit "" is a bare number, "take 2". A mass that stands alone
      ("5 mg oral", "20 mg by mouth once daily") is the dose and `strength` stays None.
    - `sites`: how many places each get the dose ("in both eyes": 2).
    - `times_per_day`: lowest is 0 after "up to". `once`: a single dose. `interval_hours`: only where told as hours.
    - `parts_of_day`: those that are named, in order. `windows`: when each dose of a day lies, earliest first; empty where
      nothing is said of when, None where something is said and not each dose's time can be believed.
    - `days`: the longest course told; a month's course is 30 days. `in_a_row`: on how many days of a cycle it is taken, one
      after the other ("21 days on, 7 off").
    - `day_max`: unit "" is a count of units of the form, "dose" of doses. `per_day`: told as a day's amount, lowest and highest.
    - `unread`: the words not understood, in order; a dose or frequency they touch is None.
    - `steps`: directions in steps, in order; then dose, frequency and day's amount stand in the steps alone.
    - `injected`: into what, where the route is parenteral and that is told ("intravenous").
    - `unclear`: the parts that were told and not understood: nothing told elsewhere stands in for them.
    - `scale`: the dose hangs on a reading (a sliding scale): any from nothing to the highest told; or more is added to it.
    - `number`: a dose told as a number alone, too many to be a count of units: its unit was not told ("800 bid").
    - `reason`: the words after "for" or "as needed": kept, not interpreted.
    """

    text: str
    strength: Quantity | None = None
    strength_per: Quantity | None = None
    dose: QuantityRange | None = None
    times_per_day: TimesPerDay | None = None
    interval_hours: HoursApart | None = None
    as_needed: bool | None = None
    day_max: Quantity | None = None
    per_day: QuantityRange | None = None
    route: str | None = None
    form: str | None = None
    days: Decimal | None = None
    once: bool = False
    sites: int = 1
    reason: str | None = None
    unread: tuple[str, ...] = ()
    steps: tuple[DosingStep, ...] = ()
    scale: bool = False
    number: tuple[Decimal, Decimal] | None = None
    parts_of_day: tuple[PartOfDay, ...] = ()
    windows: tuple[Window, ...] | None = ()
    unclear: frozenset[DirectionsPart] = frozenset()
    injected: str | None = None
    in_a_row: Decimal | None = None

    @property
    def more_by_a_reading(self) -> bool:
        """Whether more is added to the dose by a reading ("6 units with meals + sliding scale"): then nobody knows its top."""
        return self.scale and self.dose is not None and self.dose[0].value > 0


# --- in words, for showing only ------------------------------------------------------------------------------------

_OFTEN = {Fraction(1): "once a day", Fraction(2): "twice a day", Fraction(1, 7): "once a week", Fraction(1, 2): "every other day"}
_MONTHLY = Fraction(1, 31), Fraction(1, 28)


def amount_in_words(amount: QuantityRange | None) -> str:
    """An amount or a range as it is shown: `40 mg`, `1 to 2 tablets`, `up to 2 tablets`; empty where it is not told."""
    if amount is None:
        return ""
    low, high = amount
    if low == high:
        return counted(high)
    return f"up to {counted(high)}" if not low.value else f"{plain(low.value)} to {counted(high)}"


def how_often_in_words(times: TimesPerDay | None, hours: HoursApart | None = None) -> str:
    """A frequency as it is shown: by the hours between doses where they are told."""
    if hours is not None:
        return f"every {plain(hours[0]) if hours[0] == hours[1] else f'{plain(hours[0])} to {plain(hours[1])}'} hours"
    return times_in_words(times)


def times_in_words(times: TimesPerDay | None) -> str:
    """A number of doses in a day as people say it: `twice a day`, `up to 3 times a day`, `once a week`."""
    if times is None:
        return ""
    low, high = times
    if times == _MONTHLY:
        return "once a month"
    if low == high and high in _OFTEN:
        return _OFTEN[high]
    per, word = (1, "day") if high >= 1 else (7, "week")
    a, b = (_rounded(v * per) for v in times)
    return f"{b if a == b else f'{a} to {b}'} times a {word}" if not (low == 0 and high) else f"up to {b} times a {word}"


def _rounded(value: Fraction) -> str:
    return plain(to_places(value, 2).normalize())
