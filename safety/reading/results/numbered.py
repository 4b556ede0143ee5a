"""Results of one test beside which it stands of which week, day or visit each is, as a row in that order."""

from __future__ import annotations

import re
from functools import partial

from safety.knowledge.language import Language
from safety.reading.results.phrases import NUMBER
from safety.reading.wording import any_of

_BETWEEN = r"\s?(?:(?:,|;|/|->|→|=>|\band\b|\bthen\b)\s?)*"
_VALUE = rf"(?<![\w.])(?P<value>{NUMBER.pattern})"
_AT = r"(?P<at>\d{1,3})"
_END = r"(?![\w/.%])"
_CLOCK = r"(?:(?:[01]\d|2[0-3]):?[0-5]\d|\d:[0-5]\d|1?\d\s?[ap]\.?m\b)(?![\w/%:]|\.\d)"
"""A time of the day; results beside such times stand in the order in which they are told."""


class Numbered:
    """Rewrites "2.1 wk1, 2.9 wk2", "week 1 2.1, week 2 2.9" and "10 at 24 h, 1 at 48 h" as "2.1 -> 2.9"; may be shared."""

    def __init__(self, language: Language) -> None:
        time = rf"(?:\(\s?)?(?<![A-Za-z]){any_of(language.words('numbered-times'))}\s?#?\s?{_AT}(?:\s?\))?"
        hour = rf"(?:at|@)\s?{_AT}[\s-]?{any_of(language.words('time-units'))}"
        each = (rf"{_VALUE}\s?{time}{_END}", rf"{time}\s?[:=]?\s{_VALUE}{_END}", rf"{_VALUE}\s?{hour}{_END}")
        self._rows = [(re.compile(one, re.I), _row(one)) for one in each]
        clock = rf"{_VALUE}\s?(?:at|@)\s?{_CLOCK}"
        self._clock, self._clocks = re.compile(clock, re.I), _row(clock)

    def in_order(self, text: str) -> str:
        """A text with each such row in the order of its numbers; a row in which two have the same number stays as it is.

        Beside times of the day, "118 at 0600, 122 at 1200", they stand in the order in which they are told.
        """
        for one, row in self._rows:
            text = row.sub(partial(_by_arrows, one), text)
        return self._clocks.sub(lambda row: " -> ".join(part["value"] for part in self._clock.finditer(row[0])), text)


def _row(one: str) -> re.Pattern[str]:
    """Two or more of a pattern, without its names."""
    plain = re.sub(r"\(\?P<\w+>", "(?:", one)
    return re.compile(rf"{plain}(?:{_BETWEEN}{plain})+", re.I)


def _by_arrows(one: re.Pattern[str], found: re.Match[str]) -> str:
    """The values in the order of their numbers; behind the last when it was, if that stood behind it."""
    row = found[0]
    each = {int(part["at"]): part for part in one.finditer(row)}
    if len(each) != len(one.findall(row)):
        return row
    last = each[max(each)]
    when = row[last.end("value") : last.end()] if last.start("value") < last.start("at") else ""
    return " -> ".join(each[at]["value"] for at in sorted(each)) + when
