"""Results of one test in a row, each behind its month, year or day → each with its date: "Jan 9, Apr 8.1", "2024: 58, 2025: 57".

Also numbers that only say how far a result moved, "dropped 2 points to 9.1", which are taken out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from safety.knowledge.language import Language
from safety.model.quantity import number
from safety.reading.results.phrases import NUMBER, Around, Phrases
from safety.reading.wording import any_of
from safety.text import lowered

_YEAR = r"20\d\d"
_ISO = r"\d{4}-\d\d-\d\d"
_BETWEEN = r"(?:\s|,|;|->|→|=>|\band\b|\bthen\b|\bnow\b)*"
_ENDS = r"(?=\s*(?:%|[,;.)]|->|→|=>|\Z|and\b|then\b|now\b))"
_ISO_AT = re.compile(_ISO)
_NUMBERS = re.compile(r"\d+")
_YEAR_TOLD = re.compile(_YEAR)
_YEAR_AT = re.compile(rf"(?:in\s+)?({_YEAR})\Z")
_NEAR = Decimal(3)
"""A number that stands behind a time alone is of the test before it where it is no more than so many times larger or smaller."""


class _Told(NamedTuple):
    """A number with the time before it; `year` and `month` where no day is told."""

    value: str
    on: date | None
    year: int | None
    month: int | None


class Rows:
    """Rewrites such rows; by the lists of one language, may be shared."""

    def __init__(self, language: Language, around: Around) -> None:
        months = language.meaning("month-names")
        self._months = {word: int(n) for word, n in months.items()}
        self._month = re.compile(rf"(?:in\s+)?(?P<month>{any_of(months)})\.?(?:,?\s+(?P<year>{_YEAR}))?\Z", re.I)
        past = [word for word, ago in language.meaning("result-days").items() if int(ago) > 0]
        past += language.words("result-this-time")
        units, ago = any_of(language.words("time-units")), any_of(language.words("ago"))
        month = rf"{any_of(months)}\.?(?:,?\s+{_YEAR})?"
        time = rf"(?:(?:in|on)\s+)?(?:{month}|{_YEAR}|{_ISO}|{any_of(past)}|\d{{1,3}}\s?{units}\s+{ago})"
        one = rf"(?<![\w.-]){time}\s?(?::|=|-|\()?\s*(?:was\s+|it\s+was\s+)?{NUMBER.pattern}\s?%?\)?"
        self._one = re.compile(
            rf"(?<![\w.-])(?P<time>{time})\s?(?::|=|-|\()?\s*(?:was\s+|it\s+was\s+)?(?P<value>{NUMBER.pattern})\s?%?\)?", re.I
        )
        follows = rf"(?=\s*{time}|\s*(?:%|[,;.)]|->|→|=>|\Z|and\b|then\b|now\b))"
        self._row = re.compile(rf"{one}{follows}(?:{_BETWEEN}{one}{follows})+", re.I)
        self._single = re.compile(
            rf"(?<![\w./-])(?P<now>{NUMBER.pattern})(?P<unit>\s?%)?(?:\s+now|\s+today)?\s*[,;]\s*{one}{_ENDS}"
            rf"(?:{_BETWEEN}{one}{_ENDS})*",
            re.I,
        )
        self._behind_a_time = re.compile(rf"(?<![\w.-]){time}\s?(?::|=|-|\()?\s*(?:was\s+|it\s+was\s+)?\Z", re.I)
        self._headed = re.compile(
            rf"(?<![\w.-])(?P<time>{time})\s?:?\s+(?P<test>[A-Za-z][\w ]{{0,20}}?)\s+(?P<value>{NUMBER.pattern}\s?%?)"
            rf"(?P<rest>(?:{_BETWEEN}{one}{follows})+)",
            re.I,
        )
        moved = language.meaning("result-moved-points")
        verbs = any_of(word for word, meaning in moved.items() if meaning == "moved")
        counted = [word for word, meaning in moved.items() if meaning == "points"]
        points = any_of(counted)
        self._points = Phrases(dict.fromkeys(counted, ""))
        self._times = Phrases(dict.fromkeys((*months, *past, *language.words("ago")), ""))
        self._far = re.compile(
            rf"(?P<verb>(?<!\w){verbs})\s+(?:by\s+)?(?:about\s+|almost\s+|over\s+)?{NUMBER.pattern}\s?{points}(?!\w)"
            rf"(?:[^,;\d]{{0,40}}?\s(?=to\s+\d))?",
            re.I,
        )
        self._around = around

    def dated(self, text: str, today: date, is_test: Callable[[str, int], int | None]) -> str:
        """A line with each number of such a row before its date. `is_test`: where the name of a test that begins here ends."""
        if any(self._points.anywhere(text)):
            text = self._far.sub(lambda found: found["verb"] + (" " if found[0].endswith(" ") else ""), text)
        if len(_NUMBERS.findall(text)) < 2 or not (any(self._times.anywhere(text)) or _YEAR_TOLD.search(text)):
            return text
        text = self._headed.sub(partial(self._with_its_head, today, is_test), text)
        text = self._single.sub(partial(self._before_it, today), text)
        return self._row.sub(lambda found: self._by_dates(found[0], today), text)

    def _with_its_head(self, today: date, is_test: Callable[[str, int], int | None], found: re.Match[str]) -> str:
        """ "Jan A1c 9, Apr 8.1" as "A1c Jan 9, Apr 8.1"."""
        if is_test(found["test"], 0) != len(found["test"]):
            return found[0]
        return f"{found['test']} {found['time']}: {found['value']}{found['rest']}"

    def _by_dates(self, row: str, today: date) -> str:
        told = [self._read(one, today) for one in self._one.finditer(row)]
        if all(t.year is None and t.month is None for t in told) and any(t.on == today for t in told):
            return row
        days = _days(told, today)
        if days is None or len(set(days)) != len(days):
            return row
        each = sorted(zip(days, told, strict=True), key=lambda pair: pair[0])
        return ", ".join(f"{one.value} {day.isoformat()}" for day, one in each)

    def _before_it(self, today: date, found: re.Match[str]) -> str:
        """A result, and behind it older ones each behind its time, "40, 3 months ago 38": in their order, the newest last."""
        if self._behind_a_time.search(found.string, 0, found.start()):
            return found[0]
        told = [self._read(one, today) for one in self._one.finditer(found[0], found.end("now") - found.start())]
        days = _days(told, today)
        now = number(found["now"])
        near = now is not None and all(_is_near(now, number(one.value)) for one in told)
        if days is None or not near or any(day >= today for day in days) or len(set(days)) != len(days):
            return found[0]
        each = sorted(zip(days, told, strict=True), key=lambda pair: pair[0])
        older = ", ".join(f"{one.value} {day.isoformat()}" for day, one in each)
        return f"{older}, {found['now']}{found['unit'] or ''} {today.isoformat()}"

    def _read(self, one: re.Match[str], today: date) -> _Told:
        said = one["time"].strip()
        if (year := _YEAR_AT.match(said)) is not None:
            return _Told(one["value"], None, int(year[1]), None)
        if (month := self._month.match(said)) is not None:
            told = int(month["year"]) if month["year"] else None
            return _Told(one["value"], None, told, self._months[lowered(month["month"])])
        plain = re.sub(r"\A(?:in|on)\s+", "", said, flags=re.I)
        day = self._around.day(plain, 0, today)
        return _Told(one["value"], day[0] if day is not None else None, None, None)


def _is_near(one: Decimal, other: Decimal | None) -> bool:
    return other is not None and min(one, other) > 0 and max(one, other) <= _NEAR * min(one, other)


def _days(told: list[_Told], today: date) -> list[date] | None:
    """The day of each, the last that it may be; months that do not follow one another so end with the last one told."""
    last = [_last(one, today) for one in told]
    days = [day for day in last if day is not None]
    if len(days) != len(told):
        return None
    if len({b > a for a, b in pairwise(days) if a != b}) < 2:
        return days
    found, before = list[date](), today
    for one in reversed(told):
        day = _last(one, before)
        if day is None:
            return None
        found.append(day)
        before = day - timedelta(days=1)
    return found[::-1]


def _last(one: _Told, until: date) -> date | None:
    """The last day of what is told, no later than another; None where there is none."""
    if one.on is not None:
        return one.on if one.on <= until else None
    if one.month is None:
        return min(until, date(one.year, 12, 31)) if one.year is not None and one.year <= until.year else None
    year = one.year if one.year is not None else until.year - (one.month > until.month)
    first = date(year, one.month, 1)
    following = date(year + one.month // 12, one.month % 12 + 1, 1)
    return min(until, following - timedelta(days=1)) if first <= until else None
