"""Since when a medicine is taken, as a line about tests tells it: "started 11/20", "x 5 wk", "month 2", "for 8 years"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.results.phrases import Around
from safety.reading.wording import any_of
from safety.text import lowered

_TO_A_DIGIT = re.compile(r"(?:[^\s\d,.;?!]+\s+){0,4}?(?=\d)")
_A_DOSE = re.compile(r"\d+(?:\.\d+)?(?:\s?[A-Za-z]+)?\s+")
_LONGEST = 36600
"""More days than anybody takes anything."""


class Begun(Struct, frozen=True):
    """A day since when something is taken, and where the words that say so begin and end."""

    day: date
    start: int
    end: int


class BegunTold:
    """Reads such words, by the lists of one language."""

    def __init__(self, language: Language, around: Around) -> None:
        self._around = around
        self._begins = re.compile(rf"(?<![\w-]){any_of(language.words('begun-on-a-day'))}[\s:]+", re.I)
        self._began = re.compile(
            rf"(?<![\w-]){any_of(language.words('began-a-medicine'))}(?:\s+(?!\d)[^\s,.;?!]+){{1,4}}?\s+(?=[\dA-Za-z])", re.I
        )
        unit = any_of(around.spans)
        self._so_long = re.compile(
            rf"(?<![\w./-])(?:(?P<many>\d{{1,3}})\s?(?P<of>{unit})(?![\w/])(?!\s+(?:{any_of(language.words('not-so-long'))})(?!\w))"
            rf"|(?P<unit>{unit})\.?\s?#?\s?(?P<number>\d{{1,3}})(?![\w/%]|\.\w)"
            rf"|(?P<nth>\d{{1,3}})(?:st|nd|rd|th)\s+(?P<part>{unit})(?![\w/]))",
            re.I,
        )

    def read(self, text: str, today: date) -> list[Begun]:
        """Each such day that a text tells, in order; none that lies ahead."""
        return sorted(
            (one for one in (*self._days(text, today), *self._lengths(text, today)) if one.day <= today), key=lambda b: b.start
        )

    def _days(self, text: str, today: date) -> Iterator[Begun]:
        for word in self._begins.finditer(text):
            found = self._around.day(text, word.end(), today)
            month = self._around.month(text, word.end(), today)
            if found is not None and found[0] is not None:
                yield Begun(found[0], word.start(), found[1])
            elif month is not None:
                yield Begun(month, word.start(), word.end())

        for word in self._began.finditer(text):  # "put me on lisinopril 3 weeks ago"
            at = self._day_after(text, word.end(), today)
            found = self._around.day(text, at, today) if at is not None else None
            if at is not None and found is not None and found[0] is not None:
                yield Begun(found[0], at, found[1])

    def _day_after(self, text: str, at: int, today: date) -> int | None:
        """Where a day in figures begins, here or a few words on, before any stop; behind a dose, "lisinopril 10 mg on 11/9"."""
        digit = _TO_A_DIGIT.match(text, at)
        if digit is None or self._around.day(text, digit.end(), today) is not None:
            return digit.end() if digit is not None else None
        behind = _A_DOSE.match(text, digit.end())
        return self._around_a_day(text, behind.end()) if behind is not None else None

    def _around_a_day(self, text: str, at: int) -> int | None:
        """Where figures begin here, or a few words on."""
        digit = _TO_A_DIGIT.match(text, at)
        return digit.end() if digit is not None else None

    def _lengths(self, text: str, today: date) -> Iterator[Begun]:
        """ "Month 2" is the second: one is over."""
        for found in self._so_long.finditer(text):
            many = int(found["many"] or found["number"] or found["nth"]) - (found["many"] is None)
            span = self._around.spans[lowered(found["of"] or found["unit"] or found["part"])]
            days = many * span + (found["many"] is None and span > 1)  # in year 2 the first is over
            if 0 <= days <= _LONGEST:
                yield Begun(today - timedelta(days=days), found.start(), found.end())
