"""Days of the week beside results, "Mon 1.2, Wed 1.6, Fri 2.1" → the days that they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import pairwise

from safety.knowledge.language import Language
from safety.reading.wording import any_of
from safety.text import lowered

_WEEK = 7
_NUMBER = re.compile(r"(?<![^\W\d_])\d")
_ENDS_IN_A_NUMBER = re.compile(r"(?:^|\s)\d[\d.]*\s+\Z")
_BEGINS_WITH_A_NUMBER = re.compile(r"\s+\d")


class Weekdays:
    """Puts dates in the place of the days of the week that a line of results names."""

    def __init__(self, language: Language) -> None:
        self._of = {word: n for word, n in _numbered(language).items() if not word.endswith("days")}
        self._pattern = re.compile(
            rf"(?<![\w-])(?:on\s+|last\s+|this\s+|on\s+last\s+)?(?P<day>{any_of(self._of)})\b\.?(?!-)", re.I
        )

        self._since = re.compile(rf"(?<!\w){any_of(language.words('result-since'))}\s+\Z", re.I)
        today = [word for word, ago in language.meaning("result-days").items() if ago == "0"]
        self._says_today = re.compile(rf"(?<!\w){any_of(today)}(?!\w)", re.I)
        self._of_today = re.compile(rf"\s+\d[\d.]*\s+{any_of((*today, *language.words('result-month-ends')))}(?!\w)", re.I)

    def dated(self, text: str, today: date, is_test: Callable[[str, int, bool], bool]) -> str:
        """A line with each day of the week as its date, the last such day there was; as it is told where none is named.

        Several follow one another, forward or back; where the last ones there were do not, they end with the last one told.
        `is_test`: whether the word at a place is a test, "sat 94"; where another day is named, only one whose value can be.
        """
        if not _NUMBER.search(text):
            return text
        found = list(self._pattern.finditer(text))
        several = len({self._of[lowered(one["day"])] for one in found}) > 1
        found = [one for one in found if not is_test(text, one.start("day"), several)]
        found = [one for one in found if self._since.search(text, 0, one.start()) is None]
        by_today = self._says_today.search(text) is not None
        days = self._days([self._of[lowered(one["day"])] for one in found], today, by_today)
        first = _NUMBER.search(text)
        heads = bool(found) and first is not None and found[0].start() < first.start()
        for one, day in reversed(list(zip(found, days, strict=True))):
            before, behind = text[: one.start()], text[one.end() :]
            if heads and _ENDS_IN_A_NUMBER.search(before):  # "Monday 1.2 Wednesday 1.6"
                before = f"{before.rstrip()}, "
            elif not heads and (one is not found[-1] or self._of_today.match(behind)) and _BEGINS_WITH_A_NUMBER.match(behind):
                behind = f",{behind}"
            text = f"{before}{day.isoformat()}{behind}"
        return text

    def _days(self, told: Sequence[int], today: date, by_today: bool) -> list[date]:
        """`by_today`: another result is told as of today, and the day of the week that it is means the one before."""
        last = [_last(n, today - timedelta(days=1) if by_today else today) for n in told]
        steps = {b > a for a, b in pairwise(last) if a != b}
        if len(steps) < 2:
            return last
        days, before = list[date](), today + timedelta(days=1)
        for n in reversed(told):
            before = _last(n, before - timedelta(days=1))
            days.append(before)
        return days[::-1]


def _numbered(language: Language) -> dict[str, int]:
    """Which day of the week each word is, Monday first: in the order of the list."""
    meanings = language.meaning("weekdays")
    order = list(dict.fromkeys(meanings.values()))
    return {word: order.index(day) for word, day in meanings.items()}


def _last(weekday: int, today: date) -> date:
    return today - timedelta(days=(today.weekday() - weekday) % _WEEK)
