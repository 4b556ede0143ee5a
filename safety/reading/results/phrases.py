"""The phrases that stand around a result, as patterns: made once from the lists of words of a library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from safety.knowledge.language import Language
from safety.reading.wording import any_of
from safety.text import lowered

NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?!\d|[.,]\d|:\d)")
"""A number as it is printed; not the beginning of "1.1.1", "5,9" or a time."""
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w/-])")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?(?![\w/%]|\.\w)")
_MONTH_AND_YEAR = re.compile(r"(\d{1,2})/((?:19|20)\d\d)(?![\w/%]|\.\w)")
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::\d{2})?|(?:[01]\d|2[0-3])[0-5]\d"
_TIME = re.compile(
    rf"(?:{_CLOCK})\s*(?:am|pm|h|hrs|hours)?(?![\w/.%]|:\S)|\d{{1,2}}\s?(?:am|pm)\b|(?:[5-9]|1[0-2])[ap](?![\w.-])", re.I
)


_START = 3
"""By so many letters of its beginning a phrase is looked up."""
_WORD_BEGINS = re.compile(r"(?<!\w)\w")
_INSIDE = re.compile(r"(?:back\s+)?in\s", re.I)
_DAYS_OF_A_MONTH = 31
_BEHIND_A_NUMBER = re.compile(r"\d\s?\(?\Z|\d\s+\Z")
_AT_AN_HOUR = re.compile(
    r"(?<![\w.:/])(?P<twelve>\d{1,2})(?::[0-5]\d)?\s?(?P<half>[ap])\.?m\b"
    r"|(?<![\w.:/])(?P<short>[5-9]|1[0-2])(?P<part>[ap])(?![\w.-])"
    r"|(?<![\w.:/])(?P<clock>[01]\d|2[0-3]):[0-5]\d(?![\w:])"
    r"|(?:\bat|@)\s?(?P<told>[01]?\d|2[0-3]):?[0-5]\d(?![\w:.])",
    re.I,
)
"""An hour of the day: "8 am", "8a", "16:00", "at 0800"."""
_HALF, _MINUTES = 12, 60
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")
_BEFORE = 40
"""So many letters before a day are looked at for the words that lead to it."""
_HOUR, _MINUTE = "hour", "minute"
_LONG = {"day": 1, "week": 7, "month": 30, "year": 365}
"""How many days a stretch of time comes to, of results told as so long ago."""


class Drawn(NamedTuple):
    """When a sample was drawn, as words tell it: `timed` as a level asks (a trough), `hour` of the day, hours `after` a dose."""

    timed: bool = False
    hour: int | None = None
    after: Decimal | None = None

    @property
    def told(self) -> bool:
        """Whether anything of it is told."""
        return self.timed or self.hour is not None


class Found(NamedTuple):
    """A phrase at a place: what it means, and where it ends."""

    meaning: str
    end: int


class Phrases:
    """One list of words, looked up at a place of a text that was cleaned."""

    def __init__(self, phrases: Mapping[str, str]) -> None:
        by_start: dict[str, list[tuple[str, str]]] = {}
        for phrase, meaning in sorted(phrases.items(), key=lambda one: (-len(one[0]), one[0])):
            words = " ".join(lowered(phrase).split())
            by_start.setdefault(words[:_START], []).append((words, meaning))
        self._by_start = {start: tuple(found) for start, found in by_start.items()}
        self._starts = sorted({len(start) for start in by_start}, reverse=True)
        self._heads = frozenset(start[:2] for start in by_start)
        self._letters = frozenset(start for start in by_start if len(start) == 1)

    def at(self, text: str, start: int) -> Found | None:
        """The longest phrase that begins here, as a whole word."""
        begins = text[start : start + _START].lower()
        if begins[:2] not in self._heads and begins[:1] not in self._letters:
            return None
        for length in self._starts:
            for words, meaning in self._by_start.get(begins[:length], ()):
                end = start + len(words)
                if text[start:end].lower() == words and not (words[-1].isalnum() and text[end : end + 1].isalnum()):
                    return Found(meaning, end)
        return None

    def anywhere(self, text: str) -> Iterator[Found]:
        """Each of the phrases that stand in a text as whole words, in order."""
        return (found for _, found in self.places(text))

    def places(self, text: str) -> Iterator[tuple[int, Found]]:
        """Each of them with the place at which it begins."""
        end = 0
        for word in _WORD_BEGINS.finditer(text):
            found = self.at(text, word.start()) if word.start() >= end else None
            if found is not None:
                end = found.end
                yield word.start(), found


class Around:
    """Everything that may stand around a result."""

    def __init__(self, language: Language) -> None:
        def words(name: str) -> Phrases:
            return Phrases(dict.fromkeys(language.words(name), ""))

        def meaning(name: str) -> Phrases:
            return Phrases(language.meaning(name))

        self.values, self.flags = meaning("result-words"), meaning("result-flags")
        self.signs, self.references = meaning("result-signs"), meaning("result-references")
        self.specimens = meaning("specimens")
        self.screens = words("result-screens")
        self.of_blood, self._whose = words("specimens-of-blood"), words("result-of-whom")
        self.fillers, self.context = words("result-fillers"), words("result-context")
        self.earlier, self.not_done = words("result-earlier"), words("result-not-done")
        asked = {word: "" for word, meaning in language.meaning("asks-when-due").items() if meaning in ("asks", "whole")}
        self._to_come = Phrases(asked | dict.fromkeys(language.words("result-not-done"), ""))
        self.later, self.moved = words("result-later"), meaning("result-moved")
        self.begins, self.at_last = words("result-begins"), words("result-at-last")
        self.tells, self.given = words("result-tells"), words("result-given")
        self.goes_on = words("result-goes-on")
        self.reaching, self.trends, self.wanted = words("result-reaches"), words("result-trends"), words("result-wanted")
        self._out_of = re.compile(
            rf"\d{{1,2}}\s?(?:/|of|out of)\s?\d{{1,2}}\s+{any_of(language.words('result-out-of'))}(?!\w)", re.I
        )
        leads, places = any_of(language.words("leads-to-a-place")), any_of(language.words("result-places"))
        self._place = re.compile(rf"{leads}\s+(?:[A-Za-z][\w'’&-]*\s+){{0,3}}{places}(?:\s+today)?(?=[\s,:])", re.I)
        self._qualifiers = frozenset(language.words("result-qualifiers"))
        self.not_that = words("result-not-that")
        self._only_with_a_value = frozenset(language.words("result-named-with-a-value"))
        self._put_right = re.compile(
            rf"(?:[\s,;.()–-]*\b{any_of(language.words('result-put-right'))}\b)+[\s,;:.–-]*(?:it(?:'s|\s+is|\s+was)\s+)?", re.I
        )
        self._went = words("result-went")
        self._spoilt = words("result-spoilt")
        self._denied = re.compile(rf"(?<!\w){any_of((*language.words('negation'), 'non'))}[\s-]+\Z", re.I)
        self._since = re.compile(rf"(?<!\w){any_of(language.words('result-since'))}\s+\Z", re.I)
        lately = any_of((*language.words("result-since"), *language.words("result-over")))
        self._wants_a_unit = re.compile(rf"(?<!\w){any_of(language.words('result-asks-for-a-unit'))}(?:\s+\S+){{0,4}}\s+\Z", re.I)
        newest = any_of(language.words("asks-for-the-last"))
        done = any_of(language.words("asks-when-last"))
        self._newest = re.compile(rf"(?<!\w){newest}(?:\s+{done})?[\s:]+\Z", re.I)
        self._since_when = re.compile(rf"(?:(?<!\w){lately}(?!\w)[^,;:?\d]{{0,40}})?\s?[,:]\s*", re.I)
        grown = any_of(language.words("result-colonies"))
        self._colonies = re.compile(
            rf"[<>]?\s?(?:10\^\d|\d[\d,]*\s?k?)(?:\s?-\s?\d[\d,]*\s?k?)?(?:\s+{grown}){{0,4}}\s+(?=[A-Za-z])", re.I
        )
        self._fasts = language.meaning("result-fasting")
        self._fasting = re.compile(rf"\b{any_of(self._fasts)}\b", re.I)
        self._timed, self._parts_of_day = words("result-timed"), meaning("result-drawn-at")
        self._untimed = words("result-untimed")
        units = {unit: m for unit, m in language.meaning("time-units").items() if m in (_HOUR, _MINUTE)}
        self._is_hour = frozenset(unit for unit, m in units.items() if m == _HOUR)
        self._after = re.compile(
            rf"(?<![\w.])(?P<number>\d{{1,3}}(?:\.\d+)?)[\s-]?(?P<unit>{any_of(units)})\s?"
            rf"{any_of(language.words('result-after-a-dose'))}\b",
            re.I,
        )
        self.days_ago = meaning("result-days")
        months = language.meaning("month-names")
        unit = any_of(language.words("time-units"))
        self._long = re.compile(rf"\d{{1,3}}[\s-]?{unit}(?![^\W_])(?!\s?#?\d)(?:\s+ago)?", re.I)
        self._nth = re.compile(rf"(?:on\s+)?{any_of(language.words('nth-times'))}\s?#?\s?\d{{1,3}}(?![\w/.%])", re.I)
        self.spans = {word: _LONG[m] for word, m in language.meaning("time-units").items() if m in _LONG}
        ago = any_of(language.words("ago"))
        self._ago = re.compile(rf"(\d{{1,3}})\s?({any_of(self.spans)})\s+{ago}(?![^\W_])", re.I)
        named = any_of(months)
        ends = any_of(word for name in ("result-month-ends", "result-reaches") for word in language.words(name)) + r"\b"
        self._months, self._month = {m: int(n) for m, n in months.items()}, Phrases(months)
        self._month_first = re.compile(rf"({named})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(\d{{4}}))?(?![\w/%]|\.\w)", re.I)
        inside = r"(?:back\s+)?in\s+"
        self._month_and_year = re.compile(
            rf"(?:{inside})?({named})\.?,?\s+((?:19|20)\d\d)(?![\w/%]|\.\w)|{inside}({named})(?![a-z])\.?(?=\s*(?:$|[,;.)?]|[a-z]|\d+\.\d))(?!\s+of\b)",
            re.I,
        )
        self._month_by_itself = re.compile(rf"({named})\.?(?=\s*(?:\Z|[,;.?!)]))", re.I)
        self._in_year = re.compile(rf"{inside}((?:19|20)\d\d)(?![\w/%-]|\.\w)", re.I)
        self._month_alone = re.compile(rf"({named})\.?(?=\s*(?:$|[,;)]|->|→|{ends}))", re.I)
        self._day_first = re.compile(rf"(\d{{1,2}})[\s-]({named})\.?(?:[\s-](\d{{4}}|\d{{2}}))?(?![\w/%]|\.\w)", re.I)

    def day(self, text: str, start: int, today: date) -> tuple[date | None, int] | None:
        """A day told here, and where its words end; a day and month alone is the last such day. None where none is told."""
        ago = self.days_ago.at(text, start)
        if ago is not None:
            return today - timedelta(days=int(ago.meaning)), ago.end
        if not text[start : start + 1].isdigit():
            return self._by_its_month(text, start, today)
        if found := self._ago.match(text, start):
            return today - timedelta(days=int(found[1]) * self.spans[lowered(found[2])]), found.end()
        if found := _ISO.match(text, start):
            return _day(int(found[1]), int(found[2]), int(found[3])), found.end()
        if found := _SLASHED.match(text, start):
            return _latest(found[3], int(found[1]), int(found[2]), today), found.end()
        if (found := self._day_first.match(text, start)) and int(found[1]) <= _DAYS_OF_A_MONTH:
            return _latest(found[3], self._months[lowered(found[2])], int(found[1]), today), found.end()
        if found := _MONTH_AND_YEAR.match(text, start):
            return _last_of(int(found[2]), int(found[1]), today), found.end()
        return None

    def _by_its_month(self, text: str, start: int, today: date) -> tuple[date | None, int] | None:
        """A day behind its month, "Oct 3", or a month, "Oct 2026", "in Sept": the last day of it that may be meant."""
        if self._month.at(text, start) is None and not _INSIDE.match(text, start):
            return None
        if found := self._month_first.match(text, start):
            return _latest(found[3], self._months[lowered(found[1])], int(found[2]), today), found.end()
        if found := self._month_and_year.match(text, start):
            month = self._months[lowered(found[1] or found[3])]
            return _last_of(int(found[2]) if found[2] else today.year - (month > today.month), month, today), found.end()
        if (found := self._in_year.match(text, start)) and int(found[1]) <= today.year:
            return min(today, date(int(found[1]), 12, 31)), found.end()
        if (found := self._month_alone.match(text, start)) and _BEHIND_A_NUMBER.search(text, 0, start):
            month = self._months[lowered(found[1])]
            return _last_of(today.year - (month > today.month), month, today), found.end()
        return None

    def colonies(self, text: str, start: int) -> int | None:
        """Where a number of colonies ends, before the name of what grew."""
        found = self._colonies.match(text, start)
        return found.end() if found and self.values.at(text, found.end()) is not None else None

    def since_when(self, text: str, start: int) -> int | None:
        """Where words end that say since when something is so, with the comma or colon behind them; or that mark alone."""
        found = self._since_when.match(text, start)
        return found.end() if found else None

    def whose(self, text: str, start: int) -> bool:
        """Whether a word stands here by which a result is told of a test named before, "hers is 131"."""
        return self._whose.at(text, start) is not None

    def is_so_long(self, text: str, start: int) -> bool:
        """Whether a length of time stands here, with a unit of more than a letter: "3 yrs"."""
        found = self._long.match(text, start)
        return found is not None and _TWO_LETTERS.search(found[0]) is not None

    def month(self, text: str, start: int, today: date) -> date | None:
        """The last day of a month that stands by itself at a place, the last such month: "checked may"; None for none."""
        found = self._month_by_itself.match(text, start)
        month = self._months[lowered(found[1])] if found is not None else 0
        return _last_of(today.year - (month > today.month), month, today) if month else None

    def is_ago(self, text: str, start: int) -> bool:
        """Whether a length of time stands here that is told as past, "6 weeks ago"."""
        return self._ago.match(text, start) is not None

    def place(self, text: str, start: int) -> int | None:
        """Where "on the owlet", "at CHF clinic" ends: where, or by what, something was measured."""
        found = self._place.match(text, start) if text[start : start + 1].isalpha() else None
        return found.end() if found else None

    def out_of(self, text: str, start: int) -> int | None:
        """Where "2/2 bottles" ends: in how many of so many samples."""
        found = self._out_of.match(text, start) if text[start : start + 1].isdigit() else None
        return found.end() if found else None

    def drawn(self, text: str) -> Drawn:
        """When a line says that the sample was drawn: a trough, so long after the dose, in the morning; of two hours, none."""
        after = self._after.search(text)
        timed = after is not None or any(self._timed.anywhere(text)) or self._long.search(text) is not None
        hours = {int(found.meaning) for found in self._parts_of_day.anywhere(text)}
        clocks = {_hour(found) for found in _AT_AN_HOUR.finditer(text)}
        told = clocks or hours  # "8 am in the morning"
        return Drawn(timed, told.pop() if len(told) == 1 else None, self._hours(after) if after is not None else None)

    def is_untimed(self, text: str) -> bool:
        """Whether a line says that nobody knows when the sample was drawn."""
        return any(self._untimed.anywhere(text))

    def _hours(self, after: re.Match[str]) -> Decimal:
        amount = Decimal(after["number"])
        return amount if lowered(after["unit"]) in self._is_hour else amount / _MINUTES

    def is_fasting(self, text: str) -> bool | None:
        """Whether a line tells that the sample was drawn fasting, or that it was not; None where it tells neither, or both."""
        told = {self._fasts[" ".join(lowered(found[0]).split())] for found in self._fasting.finditer(text)}
        return told == {"yes"} if len(told) == 1 else None

    def is_blood(self, specimen: str) -> bool:
        """Whether a specimen is blood of a kind: venous gas."""
        first, _, more = specimen.partition(" ")
        return bool(more) and self.of_blood.at(first, 0) is not None

    def qualifies(self, word: str) -> bool:
        """Whether a word before the name of a test makes another test of it."""
        return word in self._qualifiers or word.rstrip("s") in self._qualifiers

    def is_name_only_with_a_value(self, word: str) -> bool:
        """Whether a word is the name of a test only where a value stands behind it: "abd pain", "on T injections"."""
        return word.lower() in self._only_with_a_value

    def is_to_come(self, text: str) -> bool:
        """Whether words say that a test is due, or that it was not done: "INR due", "level ordered"."""
        return any(self._to_come.anywhere(text))

    def went(self, text: str) -> bool:
        """Whether words say that a result became another."""
        return any(self._went.anywhere(text))

    def is_spoilt(self, text: str) -> bool:
        """Whether the words beside a result say that its sample was no good."""
        return any(self._denied.search(text, 0, start) is None for start, _ in self._spoilt.places(text))

    def is_of_another_day(self, text: str, start: int) -> bool:
        """Whether the day at a place is none of a result, by the words before it: "since Thursday"."""
        return self._since.search(text, 0, start) is not None

    def asks_for_a_unit(self, text: str, start: int) -> bool:
        """Whether words before a unit ask what a number is in it, "what's that in mg/dL", and do not tell it."""
        return self._wants_a_unit.search(text, max(0, start - _BEFORE), start) is not None

    def asks_for_the_last(self, text: str, start: int) -> bool:
        """Whether words stand right before a place behind which the day of the newest result is told: "last drawn"."""
        return self._newest.search(text, max(0, start - _BEFORE), start) is not None

    def put_right(self, text: str, start: int) -> int | None:
        """Where words end with which somebody puts a number right, and behind which the right one stands."""
        found = self._put_right.match(text, start)
        return found.end() if found else None

    def puts_right(self, text: str, start: int) -> tuple[int, int] | None:
        """The next such words from a place on: where they begin and end."""
        found = self._put_right.search(text, start)
        return found.span() if found else None

    def time(self, text: str, start: int) -> int | None:
        """Where a time of day, a length of time, or the number of a day or week, that is told here ends."""
        digit = text[start : start + 1].isdigit()
        found = (_TIME.match(text, start) or self._long.match(text, start)) if digit else self._nth.match(text, start)
        return found.end() if found else None


def _hour(found: re.Match[str]) -> int:
    """The hour of the day that a clock shows."""
    told, part = found["twelve"] or found["short"], found["half"] or found["part"]
    if told is not None:
        return int(told) % _HALF + (_HALF if lowered(part) == "p" else 0)
    return int(found["clock"] or found["told"])


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _last_of(year: int, month: int, today: date) -> date | None:
    """The last day of a month, no later than today; None for a month that is none or is to come."""
    first = _day(year, month, 1)
    if first is None or first > today:
        return None
    following = _day(year + month // 12, month % 12 + 1, 1)
    return min(today, following - timedelta(days=1)) if following is not None else today


def _latest(year: str | None, month: int, day: int, today: date) -> date | None:
    """A day of a year told in four or two figures; without one, the last such day that is not to come."""
    if year is not None:
        return _day(int(year) + (2000 if len(year) == 2 else 0), month, day)
    for back in range(5):  # the 29th of February comes every four years
        found = _day(today.year - back, month, day)
        if found is not None and found <= today:
            return found
    return None
