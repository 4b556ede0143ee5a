"""When in the day doses are taken, as far as a text surely tells: at 6 am, with breakfast, at noon, at bedtime.

A time is believed only where nothing else is said. What tells a time, how often, an amount, a form, a route or a
harmless word ("take", "with food") is taken out; if one word is left ("was", "not", "before", "labs", a bare "7"),
the text may mean something else by its times and none is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from msgspec import Struct

from safety.reading.directions.sig import LONGEST_TEXT
from safety.reading.directions.words import COUNTED, FORMS, NUMBERS, RELEASE, ROUTES, WEEKDAYS

Window: TypeAlias = tuple[int, int]
"""From when to when, in minutes after midnight; a dose lies somewhere in between."""

_DAY = 24 * 60
_PARTS: dict[str, Window] = {
    r"before breakfast": (4 * 60, 10 * 60),  # it ends with the meal, and begins with getting up
    r"mornings?|every am|qam": (5 * 60, 11 * 60),
    r"breakfast": (5 * 60, 10 * 60),
    r"(?:12 )?noon|midday": (12 * 60, 12 * 60),
    r"lunch|lunchtime": (11 * 60, 14 * 60),
    r"afternoons?": (12 * 60, 18 * 60),
    r"dinner|dinnertime|supper|evening meal": (17 * 60, 20 * 60),
    r"evenings?": (17 * 60, 22 * 60),
    r"bedtime|at night|every night|each night|nightly|qhs|hs": (20 * 60, 24 * 60),
    r"(?:12 )?midnight": (24 * 60, 24 * 60),
}
_WORDS = [(re.compile(rf"\b(?:{words})\b"), window) for words, window in _PARTS.items()]
_CLOCK_12 = re.compile(r"(?<![\d:])(1[0-2]|0?[1-9])(?::([0-5]\d))?\s*([ap])(?:m\b|\.\s?m\b\.?)")
# "5:00" may be either half of the day and is left standing; "07:00" and "17:00" are written by the 24-hour clock
_CLOCK_24 = re.compile(r"(?<![\d:./-])(0\d|1[3-9]|2[0-3]):([0-5]\d)(?![\d:])(?!\s*[ap]\.?\s?m\b)")
_NEAR_A_MEAL = re.compile(
    r"\b(?:(?:\d+)\s*(?:-|to)\s*)?(\d+)\s*(minutes?|mins?|hours?|hrs?)\s*(before|after)\s+"
    r"(breakfast|lunch|dinner|supper|bedtime)\b"
)


def _any(words: Iterable[str]) -> str:
    """One pattern for all of these phrases, the longest first."""
    return "(?:" + "|".join(re.escape(w) for w in sorted(words, key=len, reverse=True)) + ")"


_PER_DAY = r"(?:daily|(?:a|per|each|every) day)"
_PER_WEEK = r"(?:weekly|(?:a|per|each|every) week)"
_OFTEN = re.compile(
    rf"\b(?:(?:once|twice|thrice|(?:[1-4]|one|two|three|four) ?(?:x|times?)) ?(?:{_PER_DAY}|{_PER_WEEK})"
    rf"|{_PER_DAY}|{_PER_WEEK}|q ?d|bid|tid|qid|(?:q ?|every )(?:24|12|8|6) ?(?:h|hrs?|hours?)"
    r"|once(?= nightly| every (?:morning|evening|night)))\b"
)
_NUMBER = rf"(?:\d+(?:[.,/]\d+)*|{_any(NUMBERS)}|half)"
_UNIT = _any(
    [*COUNTED, "mg", "mcg", "ug", "µg", "μg", "g", "gram", "grams", "ml", "meq", "mmol", "iu", "unit", "units", "u", "dose"]
)
_ON = _any(WEEKDAYS)
_AMOUNT = rf"{_NUMBER}(?: ?(?:-|to) ?{_NUMBER})? ?{_UNIT}(?: ?/ ?(?:{_NUMBER} ?)?{_UNIT})?"
# none of these can make a time mean something else
_HARMLESS = re.compile(
    rf"\({_AMOUNT}(?: total)?\)|\b(?:{_AMOUNT}|takes? (?:1|2|one|two)"
    rf"|for {_NUMBER} (?:days?|weeks?|months?)|{_ON}(?:(?:\s*,\s*| and |\s*,\s*and ){_ON})*"
    r"|on an empty stomach|with food|with a meal|with (?:a )?(?:(?:full )?glass of )?water"
    rf"|{_any([*ROUTES, *FORMS, *RELEASE, *COUNTED])}|takes?|give|the|a|an|at|in|on|each|every|with)\b(?!-)"
)
_STOPS = re.compile(r"[,;]|\.(?!\d)")
_TIME = "@"


class _Read(Struct, frozen=True):
    """What one text says: the times in it, how often it tells a rate, and whether two of its times are joined by "and"."""

    windows: tuple[Window, ...]
    rates: int
    joined: bool


def times_of_day(texts: Iterable[str], often: tuple[Fraction, Fraction] | None) -> tuple[Window, ...]:
    """The times of every dose of a day, earliest first; empty unless each one is told and nothing else is said.

    `texts`: the parts of the directions, without the drug's name. One of them tells all the times and the rate; where
    a second tells any ("325 mg twice daily" beside "at bedtime") none is believed. `often` is how many doses a day has,
    as the directions read; a weekly dose has one time.
    """
    if often is None or often[0] != often[1]:
        return ()
    read = [_read(text) for text in dict.fromkeys(" ".join(t.lower().split()) for t in texts)]
    telling = [r for r in read if r is None or r.windows or r.rates]
    if len(telling) != 1 or telling[0] is None or telling[0].rates > 1:
        return ()
    merged = _merged(sorted(_sharpened(telling[0])))
    return merged if len(merged) == max(1, ceil(often[0])) else ()


def least_gap(one: tuple[Window, ...], other: tuple[Window, ...]) -> int | None:
    """The least time, in minutes, that surely lies between any dose of the one and any of the other; None if not told."""
    if not one or not other:
        return None
    return min(_gap(a, b) for a in one for b in other)


def _gap(a: Window, b: Window) -> int:
    return 0 if _meet(a, b) else min((b[0] - a[1]) % _DAY, (a[0] - b[1]) % _DAY)


def _meet(a: Window, b: Window) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def _read(text: str) -> _Read | None:
    """The times and rates of a text in lower case; None where any word of it is not understood."""
    if len(text) > LONGEST_TEXT:
        return None
    if re.fullmatch(_NUMBER, text):
        return _Read((), 0, False)  # a dose of "1", a strength of "75"
    rest, rates = _OFTEN.subn(" ", text.replace(_TIME, " at "))
    windows, rest = _times(rest)
    rest = _STOPS.sub(" ", _HARMLESS.sub(" ", re.sub(r"(?<=[a-z])-(?=[a-z])", " ", rest)))
    said = "".join("&" if word in ("and", "&") else word for word in rest.split())
    if not re.fullmatch(rf"(?:{_TIME}(?:&?{_TIME})*)?", said):
        return None
    return _Read(windows, rates, "&" in said)


def _times(text: str) -> tuple[tuple[Window, ...], str]:
    """The times that a text names, and the text with a mark in place of each."""
    found: list[Window] = []

    def marked(window: Callable[[re.Match[str]], Window | None]) -> Callable[[re.Match[str]], str]:
        def mark(m: re.Match[str]) -> str:
            at = window(m)
            if at is None:
                return m[0]
            found.append(at)
            return f" {_TIME} "

        return mark

    text = _NEAR_A_MEAL.sub(marked(_near), text)
    text = _CLOCK_12.sub(marked(_of_12), text)
    text = _CLOCK_24.sub(marked(_of_24), text)
    for words, _ in _WORDS:
        text = words.sub(marked(_of_word), text)
    return tuple(found), text


def _of_12(m: re.Match[str]) -> Window:
    hour = int(m[1]) % 12 + (12 if m[3] == "p" else 0)
    at = hour * 60 + int(m[2] or 0)
    return at, at


def _of_24(m: re.Match[str]) -> Window:
    at = int(m[1]) * 60 + int(m[2])
    return at, at


def _of_word(m: re.Match[str]) -> Window:
    return _named(m[0])


def _named(word: str) -> Window:
    return next(window for words, window in _WORDS if words.fullmatch(word))


def _near(m: re.Match[str]) -> Window | None:
    """ "30 minutes before breakfast": around it, and up to so much earlier."""
    start, end = _named(m[4])
    by = int(m[1]) * (60 if m[2].startswith("h") else 1)
    start, end = (start - by, end) if m[3] == "before" else (start, end + by)
    return (start, end) if start >= 0 and end <= _DAY else None


def _sharpened(read: _Read) -> list[Window]:
    """ "Every morning at 6 am" is one dose at 6; "at 6 am and in the morning" may be two, and keeps both."""
    points = [w for w in read.windows if w[0] == w[1]]
    if read.joined:
        return list(read.windows)
    return [w for w in read.windows if w in points or not any(_meet(w, p) for p in points)]


def _merged(windows: list[Window]) -> tuple[Window, ...]:
    """Two words for one time ("in the morning before breakfast") are one dose, somewhere in either."""
    kept: list[Window] = []
    for w in windows:
        if kept and _meet(kept[-1], w):
            kept[-1] = (min(kept[-1][0], w[0]), max(kept[-1][1], w[1]))
        else:
            kept.append(w)
    return tuple(kept)
