"""When in the day doses are taken, as far as a text tells: at 6 am, with breakfast, at noon, at bedtime."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil
from typing import TypeAlias

Window: TypeAlias = tuple[int, int]
"""From when to when, in minutes after midnight; a dose lies somewhere in between."""

_DAY = 24 * 60
_CLOCK = re.compile(
    r"\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s*([ap])\.?\s?m\b|\b([01]?\d|2[0-3]):([0-5]\d)\b(?!\s*[ap]\.?\s?m\b)", re.I
)
_PARTS: dict[str, Window] = {
    r"(?:every |each |in the |this )?mornings?|every am|qam": (5 * 60, 11 * 60),
    r"breakfast": (5 * 60, 10 * 60),
    r"noon|midday": (12 * 60, 12 * 60),
    r"lunch|lunchtime": (11 * 60, 14 * 60),
    r"afternoons?": (12 * 60, 18 * 60),
    r"dinner|supper": (17 * 60, 20 * 60),
    r"evenings?": (17 * 60, 22 * 60),
    r"bedtime|at night|every night|nightly|qhs|hs": (20 * 60, 24 * 60),
    r"midnight": (24 * 60, 24 * 60),
}
_WORDS = [(re.compile(rf"\b(?:{words})\b", re.I), window) for words, window in _PARTS.items()]
_RELATIVE = re.compile(
    r"\b(?:hours?|hrs?|minutes?|min)\b[^,;.]*\b(?:before|after|apart|from)\b|\bor\b|\bas needed\b|\bprn\b", re.I
)
"""Told by something else, or not surely: no time of day can be read from it."""


def times_of_day(text: str, often: tuple[Fraction, Fraction] | None) -> tuple[Window, ...]:
    """The times of every dose of a day, earliest first; empty unless each one is told.

    `often` is how many doses a day has, as the directions read; a weekly dose has one time.
    """
    if often is None or often[0] != often[1] or _RELATIVE.search(text):
        return ()
    found = [_of_clock(m) for m in _CLOCK.finditer(text)]
    rest = _CLOCK.sub(" ", text)
    if not found or often[0] > len(found):  # "every morning at 6 am" is one dose
        found += [window for words, window in _WORDS for _ in words.finditer(rest)]
    doses = max(1, ceil(often[0]))
    merged = _merged(sorted(found))
    return merged if len(merged) == doses else ()


def least_gap(one: tuple[Window, ...], other: tuple[Window, ...]) -> int | None:
    """The least time, in minutes, that surely lies between any dose of the one and any of the other; None if not told."""
    if not one or not other:
        return None
    return min(_gap(a, b) for a in one for b in other)


def _gap(a: Window, b: Window) -> int:
    return 0 if _meet(a, b) else min((b[0] - a[1]) % _DAY, (a[0] - b[1]) % _DAY)


def _meet(a: Window, b: Window) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def _of_clock(m: re.Match[str]) -> Window:
    if m[3]:
        hour = int(m[1]) % 12 + (12 if m[3].lower() == "p" else 0)
        at = hour * 60 + int(m[2] or 0)
    else:
        at = int(m[4]) * 60 + int(m[5])
    return at, at


def _merged(windows: list[Window]) -> tuple[Window, ...]:
    """Two words for one time ("in the morning before breakfast") are one dose, somewhere in both."""
    kept: list[Window] = []
    for w in windows:
        if kept and _meet(kept[-1], w):
            kept[-1] = (min(kept[-1][0], w[0]), max(kept[-1][1], w[1]))
        else:
            kept.append(w)
    return tuple(kept)
