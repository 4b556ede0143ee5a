"""When in the day doses are taken, as far as a text surely tells: at 6 am, with breakfast, at noon, at bedtime.

A time is believed only where nothing else is said. What tells a time, how often, an amount, a form, a route or a
harmless word ("take", "with food") is passed over; if one word is left ("was", "not", "before", "labs", a bare "7"),
the text may mean something else by its times and none is believed.
"""

from __future__ import annotations

from math import ceil

from safety.model.directions import DAY_MINUTES, TimesPerDay, Window
from safety.reading.directions.phrases import Scan

_PRODUCT = frozenset({"route", "form", "release"})
_HARMLESS_AMOUNTS = frozenset({"count", "mass", "volume", "strength", "concentration"})
_COURSES = frozenset({"day", "week", "month"})
_STOPS = frozenset(",;.")
_FEW = 2


def windows_told(scan: Scan, often: TimesPerDay | None) -> tuple[Window, ...] | None:
    """When each dose of a day lies, earliest first; empty where nothing is said of when or how often, None where something
    is and no time can be believed. `often` is how many doses a day has, as the text reads; a weekly dose has one time."""
    if len(scan.words) == 1 and scan.num(0):
        return ()  # a dose of "1", a strength of "75"
    read = _Clock(scan)
    if not read.sure:
        return None
    if not read.windows:
        return None if read.rates or scan.weekday_at else ()
    if read.rates > 1 or often is None or often[0] != often[1]:
        return None
    merged = _merged(sorted(_sharpened(read)))
    return merged if len(merged) == max(1, ceil(often[0])) else None


class _Clock:
    """The times and rates of one text, word by word; not `sure` where a word of it may mean something else by them."""

    def __init__(self, scan: Scan) -> None:
        self.scan, self.lex = scan, scan.lex
        self.windows: list[Window] = []
        self.rates = 0
        self.joined = False  # two of its times by "and"
        self.at_time = False  # the last that was said is a time
        self._amounts = {a.start: a for a in scan.amounts}
        self._rates = {o.start: o for o in scan.often}
        self._slots = {s.start: s for s in scan.slots}
        self.sure = not scan.unread and not scan.as_needed and self._walk() and not (self.joined and not self.at_time)

    def _walk(self) -> bool:
        i = 0
        while i < len(self.scan.words):
            j = self._time(i) or self._rate(i) or self._amount(i) or self._and(i) or self._harmless(i)
            if j <= i:
                return False
            i = j
        return True

    def _time(self, i: int) -> int:
        slot = self._slots.get(i)
        if slot is not None:
            return self._noted(slot.window, slot.end)
        return self._near_a_meal(i) or self._before_breakfast(i) or self._twelve(i)

    def _noted(self, window: Window | None, end: int) -> int:
        if window is None:
            return 0
        self.windows.append(window)
        self.at_time = True
        return end

    def _near_a_meal(self, i: int) -> int:
        """As in "30 minutes before breakfast": around it, and up to so much earlier."""
        num, unit = self.scan.num(i), self.lex.time.get(self.scan.word(i + 1))
        way, slot = self.scan.word(i + 2), self._slots.get(i + 3)
        if num is None or unit not in ("minute", "hour") or way not in ("before", "after") or slot is None or slot.window is None:
            return 0
        if self.scan.word(i + 3) not in self.lex.meals_with_times or num[1] != num[1].to_integral_value():
            return 0
        by = int(num[1]) * (60 if unit == "hour" else 1)
        start, end = (slot.window.start - by, slot.window.end) if way == "before" else (slot.window.start, slot.window.end + by)
        return self._noted(Window(start, end) if start >= 0 and end <= DAY_MINUTES else None, slot.end)

    def _before_breakfast(self, i: int) -> int:
        """Not "before dinner": how long before is not told."""
        slot = self._slots.get(i + 1)
        if slot is None or self.scan.word(i) != "before":
            return 0
        hours = self.lex.hours.get(f"before {self.scan.word(i + 1)}")
        return self._noted(Window(hours[0] * 60, hours[1] * 60), slot.end) if hours else 0

    def _twelve(self, i: int) -> int:
        """As in "12 noon": the number says nothing more."""
        slot = self._slots.get(i + 1)
        return i + 1 if slot is not None and slot.name == "noon" and self.scan.num(i) else 0

    def _rate(self, i: int) -> int:
        rate = self._rates.get(i)
        if rate is not None and not rate.ceiling:
            self.rates += 1
            return rate.end
        if self.scan.word(i) == "once" and self.scan.word(i + 1) in ("nightly", "every"):
            self.rates += 1
            return i + 1
        return 0

    def _amount(self, i: int) -> int:
        amount = self._amounts.get(i)
        if amount is None:
            bracketed = self._amounts.get(i + 1) if self.scan.word(i) == "(" else None
            return bracketed.end + 1 if bracketed is not None and self.scan.word(bracketed.end) == ")" else 0
        if amount.kind == "bare":
            taken = self.scan.word(i - 1) in ("take", "takes") and amount.low == amount.high <= _FEW
            return amount.end if taken else 0
        return amount.end if amount.kind in _HARMLESS_AMOUNTS else 0

    def _and(self, i: int) -> int:
        if self.scan.word(i) != "and":
            return 0
        weekdays = self.scan.weekday_at
        if i + 1 in weekdays and weekdays[0] < i:
            return i + 1
        if not self.at_time:
            return 0
        self.at_time, self.joined = False, True
        return i + 1

    def _harmless(self, i: int) -> int:
        word, found = self.scan.word(i), self.scan.find(i)
        if found is not None and (found[1] in _PRODUCT or " ".join(self.scan.words[i : found[0]]) in self.lex.no_time_phrases):
            return found[0]
        if word in self.lex.no_time or word in _STOPS or word in self.lex.counted or i in self.scan.weekday_at:
            return i + 1
        course = word == "for" and self.scan.num(i + 1) is not None and self.lex.time.get(self.scan.word(i + 2)) in _COURSES
        return i + 3 if course else 0


def _sharpened(read: _Clock) -> list[Window]:
    """As in "every morning at 6 am", one dose at 6; "at 6 am and in the morning" may be two, and keeps both."""
    points = [w for w in read.windows if w.start == w.end]
    if read.joined:
        return read.windows
    return [w for w in read.windows if w in points or not any(w.meets(p) for p in points)]


def _merged(windows: list[Window]) -> tuple[Window, ...]:
    """Two words for one time ("in the morning before breakfast") are one dose, somewhere in either."""
    kept: list[Window] = []
    for w in windows:
        if kept and kept[-1].meets(w):
            kept[-1] = Window(min(kept[-1].start, w.start), max(kept[-1].end, w.end))
        else:
            kept.append(w)
    return tuple(kept)
