"""Days, months, years and times ago, as problem lists write them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from safety.model.problem_line import When
from safety.reading.wording import any_of
from safety.text import lowered

_ISO = r"(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?!\d)"
_DAY = r"(?P<m2>\d{1,2})[/-](?P<d2>\d{1,2})[/-](?P<y2>(?:19|20)?\d\d)(?!\d)"
_MONTH = r"(?P<m3>\d{1,2})[/-](?P<y3>(?:19|20)\d\d)(?!\d)"
_SHORT = r"(?P<m4>1[0-2]|0?[1-9])/(?P<n4>\d\d?)(?![\d/%.])"
_YEAR = r"(?P<y5>(?:19[2-9]|20[0-4])\d)(?P<decade>['’]?s)?(?![\d%/-]|\.\d)(?!\s?m[cgl])"
_QUOTED = r"['’](?P<y6>\d\d)(?![\d'’])"
_CENTURY, _THIS = 1900, 2000
_NOT_YET = 40
"""A year of two digits from here on is of the last century."""
_DECADE = 9
_EVER = 100_000
_WEEK = 7
_ODDEST_AGE = 110


class DateWords(Struct, frozen=True):
    """The names of months by number, units of time by how many days they last, numbers in words; words around a time by kind.

    `before_short_years`: behind these two digits are a year ("MI in 09"); `verbs`: names of months that are also verbs ("may").
    `spans`: words before a time within which something came ("4 seizures in 6 months"). `counted`: words before a day
    or week of a course, told as one of so many ("day 12/42").
    """

    months: Mapping[str, int]
    days: Mapping[str, int]
    numbers: Mapping[str, int]
    around: Mapping[str, str]
    before_short_years: tuple[str, ...] = ()
    verbs: frozenset[str] = frozenset()
    spans: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()

    def of(self, kind: str) -> str:
        """A pattern for the words of one kind."""
        return any_of(word for word, what in self.around.items() if what == kind)


class Dates:
    """Finds the times of a line; made once."""

    def __init__(self, words: DateWords) -> None:
        self._words = words
        self._months, self._days, self._numbers = words.months, words.days, words.numbers
        month = any_of(words.months)
        named = (
            rf"(?:(?P<d7>\d\d?)\s+)?(?P<m7>{month})\.?(?:\s+(?P<d8>\d\d?)(?:st|nd|rd|th)?,)?\s*(?:of\s+)?"
            r"['’]?(?P<y7>(?:19|20)\d\d|\d\d)(?!\d)"
        )
        unit = any_of(words.days)
        lasting = any_of((*words.spans, *(word for word, what in words.around.items() if what == "lasting")))
        count = rf"\d{{1,3}}|{any_of(words.numbers)}\b(?=\s|-)"
        ago = (
            rf"(?:(?P<lasting>{lasting}\s+|x(?=\d)))?(?P<sign>[<>~])?\s*(?P<a>{count})\s*(?:(?:-|to|or)\s*(?P<b>{count})\s*)?"
            rf"(?P<plus>\s?\+\s?[0-6]|\s?[0-6]/7)?\+?\s*-?(?P<u>{unit})(?![a-z]|/[a-z\s])(?:,?\s*(?P<more>\d\s?(?:{unit}))(?![a-z]))?['’.]?(?:\s*(?P<gestation>{words.of('gestation')})\b|\s*(?P<ago>{words.of('ago')})\b)?"
        )
        old = words.of("age after")
        older = rf"(?!\d|[/%-]|\.\d|\s*(?:{unit})\b(?!\s+(?:old|of)))"
        age = rf"(?:{words.of('age before')}\s+(?P<g>\d{{1,3}}){older}(?:\s?-?{old}\b)?|(?P<g2>\d{{1,3}})\s?-?{old}\b)"
        at_last = rf"{words.of('age before, at an end')}\s*(?P<g3>[1-9]\d)(?=\s*(?:$|[,;)]))"
        about = rf"(?:{words.of('about')}\s*)?"
        alone = rf"(?:(?P<of>{words.of('month')})\s+)?(?P<m9>{month})\b(?!\s*\d)"
        within = "|".join(rf"(?<=\b{re.escape(word)} )" for word in words.before_short_years)
        short = rf"(?:{within})(?P<y8>[0-2]\d|[5-9]\d)(?=\s*(?:$|[,;)]|\.(?:\s|$)|w/|s/p|with\b|and\b))"
        day = rf"(?P<m10>{month})\.?\s+(?P<d10>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\d/.%-]|\s?(?:{unit})\b|,?\s+(?:19|20)\d\d)"
        parts = (_ISO, _DAY, _MONTH, day, named, age, at_last, ago, _SHORT, about + _YEAR, _QUOTED, short, alone)
        self._part_of_a_course = re.compile(r"\d{1,2}\s?/\s?\d{1,2}")
        self._counting = re.compile(rf"(?<![a-z]){any_of(words.counted)}\s?#?\s?\Z", re.I)
        self._pattern = re.compile("|".join(rf"(?<![\w.]){p}" for p in parts), re.I)

    def find(self, text: str) -> dict[int, tuple[int, When]]:
        """Every time by where it begins: where it ends, and what it says."""
        found = {}
        for match in self._pattern.finditer(text):
            when = self._when(match)
            if when is not None and not (self._part_of_a_course.fullmatch(match[0].strip()) and self._counted(text, match)):
                start = match.end() - len(match[0].lstrip("'’<>~@ "))
                found[start] = (match.end(), when)
        return found

    def _counted(self, text: str, match: re.Match[str]) -> bool:
        """Whether a word stands before so many of so many that counts them ("IV vanc day 12/42", "osteo, abx wk 3/6")."""
        return self._counting.search(text, 0, match.start() + len(match[0]) - len(match[0].lstrip())) is not None

    def _when(self, m: re.Match[str]) -> When | None:
        text = m[0].strip()
        if m["u"]:
            return self._ago(m, text)
        if age := m["g"] or m["g2"] or m["g3"]:
            return When(text, age=int(age)) if int(age) <= _ODDEST_AGE else None
        if m["n4"]:
            return When(text, short=(int(m["m4"]), int(m["n4"])))
        if m["m9"]:
            if m["m9"] in self._words.verbs and m.string[m.end() : m.end() + 2].strip().isalpha():
                return None  # "this may be due to"
            return When(text, month=self._months[lowered(m["m9"])] if m["of"] else None)
        if m["m10"]:
            return When(text, short=(self._months[lowered(m["m10"])], int(m["d10"])))
        year = m["y"] or m["y2"] or m["y3"] or m["y5"] or m["y6"] or m["y7"] or m["y8"]
        month = m["m"] or m["m2"] or m["m3"]
        number = self._months[lowered(m["m7"])] if m["m7"] else int(month) if month else None
        day = m["d"] or m["d2"] or m["d7"] or m["d8"]
        return _between(text, _full(year), number, int(day) if day else None, years=_DECADE if m["decade"] else 0)

    def _ago(self, m: re.Match[str], text: str) -> When | None:
        each, lasting = self._days[lowered(m["u"])], bool(m["lasting"]) and not m["ago"]
        least = self._number(m["a"])
        most = self._number(m["b"] or m["a"]) + 1
        weeks = (least * each, most * each - 1) if each == _WEEK and not m["ago"] else None
        if m["gestation"]:
            return When(text, gestation=weeks, pregnant=True)
        counted = weeks is not None and bool(m["plus"] or m["more"]) and not m["lasting"]
        if m["sign"] == ">":
            return When(text, ago=(least * each, _EVER), span=lasting)
        if m["sign"] == "<":
            return When(text, ago=(0, least * each), span=lasting)
        return When(text, ago=(max(least * each - each // 2, 0), most * each), gestation=weeks, span=lasting, pregnant=counted)

    def _number(self, text: str) -> int:
        return int(text) if text.isdecimal() else self._numbers[lowered(text)]


def _full(year: str) -> int:
    number = int(year)
    return number if len(year) == len("2000") else number + (_THIS if number < _NOT_YET else _CENTURY)


def _between(text: str, year: int, month: int | None, day: int | None, *, years: int = 0) -> When | None:
    try:
        if month is None:
            return When(text, date(year, 1, 1), date(year + years, 12, 31))
        if day is None:
            return When(text, date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]))
        return When(text, date(year, month, day), date(year, month, day))
    except ValueError:
        return None
