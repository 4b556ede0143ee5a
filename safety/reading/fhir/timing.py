"""FHIR Timing → how often and when in the day, from its numbers and codes; nothing where they do not say one thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import DAY_MINUTES, HoursApart, PartOfDay, TimesPerDay, Window, part_at
from safety.reading.fhir.values import Json, clean, codes, decimal, obj, positive, shown, strings, words

# days in one of them, shortest and longest; a month is 28 to 31
_DAYS = {
    "s": (Fraction(1, 86400),) * 2,
    "min": (Fraction(1, 1440),) * 2,
    "h": (Fraction(1, 24),) * 2,
    "d": (Fraction(1),) * 2,
    "wk": (Fraction(7),) * 2,
    "mo": (Fraction(28), Fraction(31)),
    "a": (Fraction(365), Fraction(366)),
}
_HOURS = {"min": Fraction(1, 60), "h": Fraction(1)}
_COURSE_DAYS = {"d": 1, "wk": 7, "mo": 30, "a": 365}
_UNIT_WORDS = {"s": "second", "min": "minute", "h": "hour", "d": "day", "wk": "week", "mo": "month", "a": "year"}
_WEEKDAYS = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}


class Moment(Struct, frozen=True):
    """An event or time of the day: how it is called, how many doses that is, in which part of the day and when, if known.

    `around` is when the event itself lies, for a dose told so many minutes before or after it.
    """

    words: str
    doses: int = 1
    part: PartOfDay | None = None
    window: Window | None = None
    around: Window | None = None
    clock: bool = False
    """Whether it is a time by the clock."""


def _hours(start: int, end: int) -> Window:
    return Window(start * 60, end * 60)


_MORNING, _NOON, _AFTERNOON = _hours(5, 11), _hours(12, 12), _hours(12, 18)
_EVENING, _NIGHT = _hours(17, 22), _hours(20, 24)
_BREAKFAST, _LUNCH, _DINNER = _hours(5, 10), _hours(11, 14), _hours(17, 20)
_BEFORE_BREAKFAST = _hours(4, 10)  # it ends with the meal, and begins with getting up
_WHEN = {
    "MORN": Moment("in the morning", 1, "morning", _MORNING),
    "MORN.early": Moment("in the early morning", 1, "morning", _MORNING),
    "MORN.late": Moment("in the late morning", 1, "morning", _MORNING),
    "NOON": Moment("at noon", 1, "noon", _NOON),
    "AFT": Moment("in the afternoon", 1, "afternoon", _AFTERNOON),
    "AFT.early": Moment("in the early afternoon", 1, "afternoon", _AFTERNOON),
    "AFT.late": Moment("in the late afternoon", 1, "afternoon", _AFTERNOON),
    "EVE": Moment("in the evening", 1, "evening", _EVENING),
    "EVE.early": Moment("in the early evening", 1, "evening", _EVENING),
    "EVE.late": Moment("in the late evening", 1, "evening", _EVENING),
    "NIGHT": Moment("at night", 1, "night", _NIGHT),
    "PHS": Moment("after falling asleep", 1, "night"),
    "HS": Moment("at bedtime", 1, "night", _NIGHT, _NIGHT),
    "WAKE": Moment("on waking", 1, "morning"),
    "C": Moment("with meals", 3),
    "CM": Moment("with breakfast", 1, "morning", _BREAKFAST, _BREAKFAST),
    "CD": Moment("with lunch", 1, "noon", _LUNCH, _LUNCH),
    "CV": Moment("with dinner", 1, "evening", _DINNER, _DINNER),
    "AC": Moment("before meals", 3),
    "ACM": Moment("before breakfast", 1, "morning", _BEFORE_BREAKFAST, _BREAKFAST),
    "ACD": Moment("before lunch", 1, "noon", None, _LUNCH),
    "ACV": Moment("before dinner", 1, "evening", None, _DINNER),
    "PC": Moment("after meals", 3),
    "PCM": Moment("after breakfast", 1, "morning", None, _BREAKFAST),
    "PCD": Moment("after lunch", 1, "noon", None, _LUNCH),
    "PCV": Moment("after dinner", 1, "evening", None, _DINNER),
}
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::|\Z)", re.A)
_EVERY_HOURS = re.compile(r"Q(\d{1,2})H\Z")


class Rate(Struct, frozen=True):
    """So many times in every so long a period; ranges where they were told; on which weekdays, at which moments."""

    times: Decimal
    period: Decimal
    unit: str
    times_max: Decimal | None = None
    period_max: Decimal | None = None
    moments: tuple[Moment, ...] = ()
    weekdays: tuple[str, ...] = ()

    def __str__(self) -> str:
        """For showing only: nothing reads it."""
        names, tail = " and ".join(self.weekdays), self._when()
        if names and self.unit == "wk" and self.period == 1 and self.times == len(self.weekdays) and not self.times_max:
            return f"every {names}{tail}"
        tail = f" on {names}{tail}" if names else tail
        many = shown(self.times) + (f" to {shown(self.times_max)}" if self.times_max else "")
        long = shown(self.period) + (f" to {shown(self.period_max)}" if self.period_max else "")
        times = "time" if many == "1" else "times"
        unit = _UNIT_WORDS[self.unit] + ("" if long == "1" else "s")
        return f"{many} {times} every {long} {unit}{tail}"

    def _when(self) -> str:
        told = " and ".join(moment.words for moment in self.moments)
        clock = any(moment.clock for moment in self.moments)
        return f" {'at ' if clock else ''}{told}" if told else ""

    def times_per_day(self) -> TimesPerDay:
        """The least and the most doses in a day, on average over the days."""
        shortest, longest = _DAYS[self.unit]
        least = Fraction(self.times) / (Fraction(self.period_max or self.period) * longest)
        return least, Fraction(self.times_max or self.times) / (Fraction(self.period) * shortest)

    def hours_apart(self) -> HoursApart | None:
        """The time between two doses, where one dose is told in so many hours or minutes."""
        hours = _HOURS.get(self.unit)
        if hours is None or self.times != 1 or self.times_max:
            return None
        low, high = (Fraction(period) * hours for period in (self.period, self.period_max or self.period))
        return _decimal(low), _decimal(high)

    def parts_of_day(self) -> tuple[PartOfDay, ...]:
        """The parts of the day that are named."""
        return tuple(dict.fromkeys(moment.part for moment in self.moments if moment.part))

    def windows(self) -> tuple[Window, ...] | None:
        """When each dose of a day lies; None where that is not told of each, or two may be one."""
        told = sorted(moment.window for moment in self.moments if moment.window)
        if not told or len(told) < len(self.moments) or any(a.meets(b) for a, b in pairwise(told)):
            return None
        return tuple(told)


class Frequency(Struct, frozen=True):
    """How often: a rate, or once in all, or words that stand in for a code; or why none of it can be said."""

    rate: Rate | None = None
    once: bool = False
    words: str | None = None
    problem: str = ""
    coded: bool = False
    """Whether a code says so."""

    def __str__(self) -> str:
        """For showing only."""
        return str(self.rate) if self.rate is not None else "once" if self.once else self.words or ""


_EACH_DAY = Decimal(1), "d"
_CODED = {
    "QD": Rate(Decimal(1), *_EACH_DAY),
    "BID": Rate(Decimal(2), *_EACH_DAY),
    "TID": Rate(Decimal(3), *_EACH_DAY),
    "QID": Rate(Decimal(4), *_EACH_DAY),
    "QOD": Rate(Decimal(1), Decimal(2), "d"),
    "AM": Rate(Decimal(1), *_EACH_DAY, moments=(_WHEN["MORN"],)),
    "PM": Rate(Decimal(1), *_EACH_DAY, moments=(_WHEN["AFT"],)),
    "BED": Rate(Decimal(1), *_EACH_DAY, moments=(_WHEN["HS"],)),
    "WK": Rate(Decimal(1), Decimal(1), "wk"),
    "MO": Rate(Decimal(1), Decimal(1), "mo"),
}


def frequency(timing: Json) -> Frequency:
    """How often a Timing says: from its code (BID …), its repeat, or the code's text; two that differ say nothing."""
    coded, repeated = _coded(timing.get("code")), _repeated(obj(timing.get("repeat")))
    if coded is not None:
        return _both(coded, repeated)
    if repeated.rate is not None:
        return repeated
    text = words(timing.get("code"))
    if text and not repeated.once:
        return Frequency(words=text)
    if repeated.once or repeated.problem:
        return repeated
    events = strings(timing.get("event"))
    if len(events) > 1:
        return Frequency(problem="it names single moments, not how often")
    return Frequency(once=bool(events))


def _both(coded: Rate, repeated: Frequency) -> Frequency:
    rate = repeated.rate
    if rate is None:
        return Frequency(coded, problem=repeated.problem, coded=True)
    if rate.times_per_day() != coded.times_per_day():
        return Frequency(problem=f"timing.code says {coded} and timing.repeat {rate}")
    return Frequency(rate if rate.moments or rate.weekdays else coded, coded=True)


def course(repeat: Json) -> tuple[Decimal | None, str]:
    """For how many days at the longest; or the words of a duration that is not so."""
    range_ = obj(repeat.get("boundsRange"))
    bound = obj(range_.get("high")) or obj(range_.get("low")) or obj(repeat.get("boundsDuration"))
    value, unit = positive(bound.get("value")), clean(bound.get("code")) or clean(bound.get("unit"))
    if value is None or not unit:
        return None, "for a range of durations" if range_ else "for a duration" if "boundsDuration" in repeat else ""
    if unit in _COURSE_DAYS:
        return value * _COURSE_DAYS[unit], ""
    name = _UNIT_WORDS.get(unit)
    return None, f"for {shown(value)} {name or unit}{'s' if name and value != 1 else ''}"


def _coded(concept: object) -> Rate | None:
    names = [code.code.upper() for code in codes(concept)] + [words(concept).upper()]
    for name in names:
        if name in _CODED:
            return _CODED[name]
        every = _EVERY_HOURS.match(name)
        if every and int(every[1]) > 0:
            return Rate(Decimal(1), Decimal(every[1]), "h")
    return None


# --- repeat ---

_NUMBERS = frozenset({"frequency", "frequencyMax", "period", "periodMax", "periodUnit"})


def _repeated(repeat: Json) -> Frequency:
    """The rate that frequency, period, when, timeOfDay and dayOfWeek say together; or why they do not say one."""
    told = _NUMBERS & repeat.keys()
    moments = _moments(repeat)
    weekdays = [_WEEKDAYS.get(name.lower()[:3], "") for name in strings(repeat.get("dayOfWeek"))]
    if "" in weekdays or moments is None:
        return Frequency(problem="timing.repeat names a time of day or week that is not known")
    if _only_once(repeat, moments):
        return Frequency(once=True)
    if not told and not moments and not weekdays:
        return Frequency(problem="it says a count, not how often" if "count" in repeat else "")
    base = _base(repeat, told, moments)
    if base is None:
        return Frequency(problem="timing.repeat does not say one rate")
    on_days = _on_weekdays(base, weekdays)
    if on_days is None:
        return Frequency(problem="timing.repeat does not say one rate for the days of the week")
    return Frequency(replace(on_days, moments=moments))


def _only_once(repeat: Json, moments: Sequence[Moment]) -> bool:
    one = repeat.get("count") == 1 and "countMax" not in repeat and repeat.get("frequency", 1) == 1
    return one and sum(moment.doses for moment in moments) < 2


def _moments(repeat: Json) -> tuple[Moment, ...] | None:
    """The moments of the day that `when` or else `timeOfDay` names; None for one that is not known."""
    events = strings(repeat.get("when"))
    offset = repeat.get("offset")
    found = [_event(code, offset) for code in events] or [_clock(text) for text in strings(repeat.get("timeOfDay"))]
    moments = tuple(moment for moment in found if moment is not None)
    return moments if len(moments) == len(found) else None


def _event(code: str, offset: object) -> Moment | None:
    """A coded event, and so many minutes before or after it: then the dose may lie anywhere from there to the event."""
    moment = _WHEN.get(code)
    if moment is None or offset is None:
        return moment
    minutes = decimal(offset)
    if minutes is None or minutes < 0 or minutes != minutes.to_integral_value():
        return None
    near, before = moment.around, code.startswith("AC")
    start, end = (near.start - before * int(minutes), near.end + (not before) * int(minutes)) if near else (-1, -1)
    window = Window(start, end) if start >= 0 and end <= DAY_MINUTES else None
    told = moment.words if code.startswith(("AC", "PC")) else f"after the time {moment.words}"
    return replace(moment, words=f"{shown(minutes)} minutes {told}", window=window)


def _clock(text: str) -> Moment | None:
    """`20:30:00` as a moment; None for what is no time of day."""
    told = _TIME.match(text)
    if not told:
        return None
    hour, minute = int(told[1]), told[2]
    at = hour * 60 + int(minute)
    name = f"{(hour + 11) % 12 + 1}{'' if minute == '00' else ':' + minute} {'am' if hour < 12 else 'pm'}"
    return Moment(name, 1, part_at(at), Window(at, at), clock=True)


def _base(repeat: Json, told: frozenset[str], moments: Sequence[Moment]) -> Rate | None:
    """The rate without days of the week: times default to once a period, moments alone are counted by the day."""
    rate = _numbers(repeat, told) if _periods_told(repeat, told, moments) else None
    doses = sum(moment.doses for moment in moments)
    if rate is None or not doses:
        return rate
    one_each = rate.times_max is None and rate.period_max is None
    if one_each and rate.unit == "d" and rate.period == 1 and rate.times in (1, doses):
        return Rate(Decimal(doses), rate.period, rate.unit)
    return rate if rate.times == doses == 1 and rate.times_max is None else None


def _periods_told(repeat: Json, told: frozenset[str], moments: Sequence[Moment]) -> bool:
    """Whether a period has both its number and its unit, or needs none: the moments and days tell it."""
    if ("period" in told) != ("periodUnit" in told):
        return False
    return "period" in told or not told or bool(moments) or "dayOfWeek" in repeat


def _numbers(repeat: Json, told: frozenset[str]) -> Rate | None:
    unit = repeat.get("periodUnit", "d")
    if not isinstance(unit, str) or unit not in _DAYS:
        return None
    times, period = positive(repeat.get("frequency", 1)), positive(repeat.get("period", 1))
    if times is None or period is None:
        return None
    times_max, period_max = decimal(repeat.get("frequencyMax")), decimal(repeat.get("periodMax"))
    for top, low, key in ((times_max, times, "frequencyMax"), (period_max, period, "periodMax")):
        if key in told and (top is None or top < low):
            return None
    return Rate(times, period, unit, times_max if times_max != times else None, period_max if period_max != period else None)


def _on_weekdays(base: Rate, weekdays: list[str]) -> Rate | None:
    """One dose on some days of the week, counted by the week; None for several doses on each of them, which no one number of
    doses in a day can say."""
    if not weekdays:
        return base
    count, names = len(weekdays), tuple(weekdays)
    if len(set(weekdays)) != count or base.period_max is not None:
        return None
    if base.unit == "d" and base.period == base.times == 1 and base.times_max is None:
        return Rate(Decimal(count), Decimal(1), "wk", weekdays=names)
    weekly = base.unit == "wk" and base.times_max is None and base.times == count and (base.period == 1 or count == 1)
    return Rate(base.times, base.period, "wk", weekdays=names) if weekly else None


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
