"""FHIR Timing → how often, in English that a sig parser reads; nothing where the numbers do not say one thing."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.reading.fhir.values import Json, clean, codes, decimal, obj, positive, shown, strings, words

_HOURS = {
    "s": Fraction(1, 3600),
    "min": Fraction(1, 60),
    "h": Fraction(1),
    "d": Fraction(24),
    "wk": Fraction(168),
    "mo": Fraction(8766, 12),
    "a": Fraction(8766),
}
_UNIT_WORDS = {"s": "second", "min": "minute", "h": "hour", "d": "day", "wk": "week", "mo": "month", "a": "year"}
_DAYS_IN = {"d": 1, "wk": 7}
_WEEKDAYS = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}
_WHEN = {
    "MORN": "in the morning",
    "MORN.early": "in the early morning",
    "MORN.late": "in the late morning",
    "NOON": "at noon",
    "AFT": "in the afternoon",
    "AFT.early": "in the early afternoon",
    "AFT.late": "in the late afternoon",
    "EVE": "in the evening",
    "EVE.early": "in the early evening",
    "EVE.late": "in the late evening",
    "NIGHT": "at night",
    "PHS": "after falling asleep",
    "HS": "at bedtime",
    "WAKE": "on waking",
    "C": "with meals",
    "CM": "with breakfast",
    "CD": "with lunch",
    "CV": "with dinner",
    "AC": "before meals",
    "ACM": "before breakfast",
    "ACD": "before lunch",
    "ACV": "before dinner",
    "PC": "after meals",
    "PCM": "after breakfast",
    "PCD": "after lunch",
    "PCV": "after dinner",
}
_EACH_MEAL = {"C", "AC", "PC"}
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::|\Z)", re.A)
_EVERY_HOURS = re.compile(r"Q(\d{1,2})H\Z")


class Rate(Struct, frozen=True):
    """So many times in every so long a period; ranges where they were told; on which weekdays, when in the day."""

    times: Decimal
    period: Decimal
    unit: str
    times_max: Decimal | None = None
    period_max: Decimal | None = None
    when: str = ""
    weekdays: tuple[str, ...] = ()

    def __str__(self) -> str:
        names = " and ".join(self.weekdays)
        tail = f" {self.when}" if self.when else ""
        if names and self.unit == "wk" and self.period == 1 and self.times == len(self.weekdays) and not self.times_max:
            return f"every {names}{tail}"
        tail = f" on {names}{tail}" if names else tail
        many = shown(self.times) + (f" to {shown(self.times_max)}" if self.times_max else "")
        long = shown(self.period) + (f" to {shown(self.period_max)}" if self.period_max else "")
        times = "time" if many == "1" else "times"
        unit = _UNIT_WORDS[self.unit] + ("" if long == "1" else "s")
        return f"{many} {times} every {long} {unit}{tail}"

    def a_day(self) -> tuple[Fraction, Fraction]:
        """The least and the most times in 24 hours."""
        hours = Fraction(24) / _HOURS[self.unit]
        most = Fraction(self.times_max or self.times) / Fraction(self.period)
        return Fraction(self.times) / Fraction(self.period_max or self.period) * hours, most * hours


class Often(Struct, frozen=True):
    """How often, in words; or why that cannot be said. Both empty: not told."""

    words: str | None = None
    problem: str = ""


_CODED = {
    "QD": Rate(Decimal(1), Decimal(1), "d"),
    "BID": Rate(Decimal(2), Decimal(1), "d"),
    "TID": Rate(Decimal(3), Decimal(1), "d"),
    "QID": Rate(Decimal(4), Decimal(1), "d"),
    "QOD": Rate(Decimal(1), Decimal(2), "d"),
    "AM": Rate(Decimal(1), Decimal(1), "d", when="in the morning"),
    "PM": Rate(Decimal(1), Decimal(1), "d", when="in the afternoon"),
    "BED": Rate(Decimal(1), Decimal(1), "d", when="at bedtime"),
    "WK": Rate(Decimal(1), Decimal(1), "wk"),
    "MO": Rate(Decimal(1), Decimal(1), "mo"),
}


def often(timing: Json) -> Often:
    """How often a Timing says: from its code (BID …), its repeat, or the code's text; two that differ say nothing."""
    repeat = obj(timing.get("repeat"))
    coded = _coded(timing.get("code"))
    repeated = _repeated(repeat)
    if coded is not None:
        if isinstance(repeated, Rate) and repeated.a_day() != coded.a_day():
            return Often(problem=f"timing.code says {coded} and timing.repeat {repeated}")
        fuller = isinstance(repeated, Rate) and (repeated.when or repeated.weekdays)
        return Often(str(repeated if fuller else coded))
    if isinstance(repeated, Rate):
        return Often(str(repeated))
    text = words(timing.get("code"))
    if text and not repeated.words:
        return Often(text)
    if repeated.words or repeated.problem:
        return repeated
    events = strings(timing.get("event"))
    if len(events) == 1:
        return Often("once")
    return Often(problem="it names single moments, not how often") if events else Often()


def days_bound(repeat: Json) -> tuple[Decimal | None, str]:
    """For how many days, from boundsDuration in days or weeks; or the words of a duration that is not so."""
    bound = obj(repeat.get("boundsDuration"))
    value, unit = positive(bound.get("value")), clean(bound.get("code")) or clean(bound.get("unit"))
    if value is None or not unit:
        return None, ("for a range of durations" if obj(repeat.get("boundsRange")) else "")
    if unit in _DAYS_IN:
        return value * _DAYS_IN[unit], ""
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


def _repeated(repeat: Json) -> Rate | Often:
    """The rate that frequency, period, when, timeOfDay and dayOfWeek say together; or why they do not say one."""
    told: set[str] = {key for key in ("frequency", "frequencyMax", "period", "periodMax", "periodUnit") if key in repeat}
    moments, when = _moments(repeat)
    weekdays = [_WEEKDAYS.get(name.lower()[:3], "") for name in strings(repeat.get("dayOfWeek"))]
    if "" in weekdays or when is None:
        return Often(problem="timing.repeat names a time of day or week that is not known")
    if repeat.get("count") == 1 and "countMax" not in repeat and repeat.get("frequency", 1) == 1 and moments < 2:
        return Often("once")
    if not told and not moments and not weekdays:
        return Often(problem="it says a count, not how often") if "count" in repeat else Often()
    base = _base(repeat, told, moments)
    if base is None:
        return Often(problem="timing.repeat does not say one rate")
    on_days = _on_weekdays(base, weekdays, bool(told & {"period", "periodUnit"}) or bool(moments))
    if on_days is None:
        return Often(problem="timing.repeat does not say one rate for the days of the week")
    return replace(on_days, when=when)


def _moments(repeat: Json) -> tuple[int, str | None]:
    """How many moments a day `when` and `timeOfDay` name, and their words; None for a moment that is not known."""
    events = strings(repeat.get("when"))
    if any(event not in _WHEN for event in events):
        return 0, None
    if events:
        count = sum(3 if event in _EACH_MEAL else 1 for event in events)
        return count, " and ".join(_WHEN[event] for event in events)
    clock = [_clock(text) for text in strings(repeat.get("timeOfDay"))]
    if "" in clock:
        return 0, None
    return len(clock), (f"at {' and '.join(clock)}" if clock else "")


def _clock(text: str) -> str:
    """`20:30:00` as `8:30 pm`; empty for what is no time of day."""
    told = _TIME.match(text)
    if not told:
        return ""
    hour, minute = int(told[1]), told[2]
    return f"{(hour + 11) % 12 + 1}{'' if minute == '00' else ':' + minute} {'am' if hour < 12 else 'pm'}"


def _base(repeat: Json, told: set[str], moments: int) -> Rate | None:
    """The rate without days of the week: times default to once a period, moments alone are counted by the day."""
    times, period = decimal(repeat.get("frequency", 1)), decimal(repeat.get("period", 1))
    times_max, period_max = decimal(repeat.get("frequencyMax")), decimal(repeat.get("periodMax"))
    unit = repeat.get("periodUnit", "d")
    if ("period" in told) != ("periodUnit" in told):
        return None
    if "period" not in told and told and not moments and "dayOfWeek" not in repeat:
        return None
    if times is None or period is None or not isinstance(unit, str) or unit not in _HOURS or times <= 0 or period <= 0:
        return None
    for top, low, key in ((times_max, times, "frequencyMax"), (period_max, period, "periodMax")):
        if key in told and (top is None or top < low):
            return None
    top_times = times_max if times_max != times else None
    top_period = period_max if period_max != period else None
    rate = Rate(times, period, unit, top_times, top_period)
    if not moments:
        return rate
    daily = unit == "d" and period == 1 and period_max is None and times_max is None
    if daily and times in (1, moments):
        return Rate(Decimal(moments), period, unit)
    return rate if times == moments == 1 and times_max is None else None


def _on_weekdays(base: Rate, weekdays: list[str], daily_told: bool) -> Rate | None:
    """A rate on some days of the week, counted by the week so that it stays right without the names of the days."""
    if not weekdays:
        return base
    count, names = len(weekdays), tuple(weekdays)
    if len(set(weekdays)) != count or base.period_max is not None:
        return None
    if base.unit == "d" and base.period == 1 and (daily_told or base.times == 1):
        most = base.times_max * count if base.times_max else None
        return Rate(base.times * count, Decimal(1), "wk", most, weekdays=names)
    if base.unit == "wk" and base.times_max is None and base.times == count and (base.period == 1 or count == 1):
        return Rate(base.times, base.period, "wk", weekdays=names)
    return None
