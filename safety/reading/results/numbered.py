"""Results of one test beside which it stands of which week, day or visit each is, as a row in that order."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from safety.knowledge.language import Language
from safety.reading.results.phrases import NUMBER
from safety.reading.wording import any_of

_BETWEEN = r"\s?(?:(?:,|;|/|->|→|=>|\band\b|\bthen\b)\s?)*"
_VALUE = rf"(?<![\w.])(?P<value>{NUMBER.pattern})"
_UNIT = r"(?P<unit>\s?[A-Za-zµμ]{1,4}/[A-Za-z]{1,2}(?![\w/]))?"
_APART = r"\s?(?:(?:,|;|\band\b|\bthen\b)\s?)*"
_AT = r"(?P<at>\d{1,3})"
_END = r"(?![\w/.%])"
_STOPS = r"(?=\s*(?:[,.;)]|\Z|(?:after|with|on|and)\b))"
"""Behind "six hours later": "10, 2 hours later dose given" tells a dose."""
_CLOCK = r"(?:(?:[01]\d|2[0-3]):?[0-5]\d|\d:[0-5]\d|1?\d\s?[ap]\.?m\b)(?![\w/%:]|\.\d)"
"""A time of the day; results beside such times stand in the order in which they are told."""


class Numbered:
    """Rewrites "2.1 wk1, 2.9 wk2", "week 1 2.1, week 2 2.9" and "10 at 24 h, 1 at 48 h" as "2.1 -> 2.9"; may be shared.

    So also "0 h 14, 3 h 52", a row whose first hour is the hour nought, and "0.02, 0.15 six hours later".
    """

    def __init__(self, language: Language) -> None:
        start = any_of(language.words("result-at-the-start"))
        numbered = rf"(?:{any_of(language.words('numbered-times'))}\s?#?\s?{_AT}|{start})"
        time = rf"(?:\(\s?)?(?<![A-Za-z]){numbered}(?:\s?\))?"
        units = any_of(language.words("time-units"))
        hour = rf"(?:at|@)\s?{_AT}[\s-]?{units}"
        each = (rf"{_VALUE}\s?{time}{_END}", rf"{time}\s?[:=]?\s{_VALUE}{_END}", rf"{_VALUE}{_UNIT}\s?{hour}{_END}")
        self._rows = [(re.compile(one, re.I), _row(one)) for one in each]
        begun = rf"(?<![\w.])(?:0[\s-]?{units}|{start})"
        first = rf"{begun}\s?[:=]?\s+{_VALUE}{_UNIT}"
        more = rf"(?:{any_of(language.words('result-later'))}\s+)?{_VALUE}{_UNIT}{_END}"
        later = rf"(?<![\w.])\d{{1,3}}[\s-]?{units}\s?[:=]?\s+{more}"
        self._value = re.compile(rf"{_VALUE}{_UNIT}{_END}", re.I)
        self._from_nought = re.compile(rf"{_plain(first)}(?:{_APART}{_plain(later)})+", re.I)
        self._time_told = re.compile(rf"(?<![\w.])\d{{1,3}}[\s-]?{units}(?![\w/])", re.I)
        clock = rf"{_VALUE}\s?(?:at|@)\s?{_CLOCK}"
        self._clock, self._clocks = re.compile(clock, re.I), _row(clock)
        self._later = self._so_much_later(language, units)

    def _so_much_later(self, language: Language, units: str) -> list[re.Pattern[str]]:
        """Two numbers, and how much later the second was measured; runs of small words are read one way, never tried anew."""
        so_many = rf"(?:\d{{1,3}}|{any_of(language.words('numbers'))})"
        behind = rf"{so_many}[\s-]?{units}\s+{any_of(language.words('result-after-so-long'))}(?!\w)"
        lists = ("result-later", "result-of-whom")
        small = rf"(?>{any_of({word for name in lists for word in language.words(name)})}\s+)*+"
        before = rf"(?P<before>{_plain(_VALUE + _UNIT)})"
        again = rf"(?>{any_of(language.words('result-later'))}\s+)*+"
        once_more = rf"(?>{any_of(language.words('result-later'))}\s+)++(?:at|in|after|@)\s+{so_many}[\s-]?{units}"
        apart = r"(?:\s?[,;]\s?(?:(?:and|then)\s+)?|\s+(?:and|then)\s+)"
        return [
            re.compile(rf"{before}{apart}{again}{_VALUE}{_UNIT}\s?,?\s?{behind}{_STOPS}(?!\s?[:,]?\s?{small}\d)", re.I),
            re.compile(rf"{before}{apart}{once_more}\s?[:,]?\s?{small}{_VALUE}{_UNIT}{_END}", re.I),
            re.compile(rf"{before}\s?[,;]?\s?(?:(?:and|then)\s+)?{small}{behind}\s?[:,]?\s?{small}{_VALUE}{_UNIT}{_END}", re.I),
        ]

    def in_order(self, text: str, leads: Callable[[str, int], bool]) -> str:
        """A text with each such row in the order of its numbers; a row in which two have the same number stays as it is.

        Beside times of the day, "118 at 0600, 122 at 1200", they stand in the order in which they are told. `leads`: whether the
        name of a test leads to a place: the 10 of "lisinopril 10, 2 weeks later 5.9" is no result.
        """
        text = self._from_nought.sub(self._without_times, text)
        for one, row in self._rows:
            text = row.sub(partial(_by_arrows, one), text)
        for one in self._later:
            text = one.sub(lambda found: self._arrow(found, leads), text)
        return self._clocks.sub(lambda row: " -> ".join(part["value"] for part in self._clock.finditer(row[0])), text)

    @staticmethod
    def _arrow(found: re.Match[str], leads: Callable[[str, int], bool]) -> str:
        """A result with the one that was measured later behind it; as it stands where the first is none of a test."""
        if not leads(found.string, found.start()):
            return found[0]
        return f"{found['before']} -> {found['value']}{found['unit'] or ''}"

    def _without_times(self, row: re.Match[str]) -> str:
        """The values of a row in their order, without the hours before them."""
        told = self._time_told.sub(" ", row[0])
        return " -> ".join(f"{one['value']}{one['unit'] or ''}" for one in self._value.finditer(told))


def _plain(pattern: str) -> str:
    """A pattern without its names."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


def _row(one: str) -> re.Pattern[str]:
    """Two or more of a pattern, without its names."""
    plain = _plain(one)
    return re.compile(rf"{plain}(?:{_BETWEEN}{plain})+", re.I)


def _by_arrows(one: re.Pattern[str], found: re.Match[str]) -> str:
    """The values in the order of their numbers; behind the last when it was, if that stood behind it."""
    row = found[0]
    each = {int(part["at"] or 0): part for part in one.finditer(row)}
    if len(each) != len(one.findall(row)):
        return row
    last = each[max(each)]
    end = last.end("unit") if last.groupdict().get("unit") else last.end("value")
    when = row[end : last.end()] if last.start("value") < last.start("at") else ""
    unit = next((told for at in sorted(each) if (told := each[at].groupdict().get("unit"))), "")
    return " -> ".join(each[at]["value"] for at in sorted(each)) + unit + when
