"""Whether and when something was done or is to come, from the words and days beside it: "MMR 11/1", "CT tomorrow"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from functools import lru_cache

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.problems.dates import Dates
from safety.reading.wording import longest_by_first
from safety.text import fold
from safety.understanding.when import told_day

_CLOCK = re.compile(r"(?<![\w/.])(?:\d{1,2}(?::\d\d)?\s*[ap]\.?m\.?(?!\w)|\d{1,2}:\d\d(?![\w:]))", re.I)
_REMEMBERED = 4096
_DONE, _PLANNED, _NOT, _WEEKDAY = "done", "planned", "not", "day of the week"


class Happening(Struct, frozen=True):
    """What a line tells: the names it holds (folded), done, to come or not done; its day or so many days ago (least, most).

    `left`: the words of which nothing was made.
    """

    names: tuple[str, ...]
    ahead: bool | None
    denied: bool
    on: date | None = None
    between: tuple[int, int] | None = None
    left: tuple[str, ...] = ()

    def planned(self, day: date) -> bool:
        """Whether it is still to come on a day."""
        return self.on >= day and self.ahead is not False and (self.on > day or bool(self.ahead)) if self.on else bool(self.ahead)


class HappeningReader:
    """Reads lines that name something of a table, with the words and days around it; immutable."""

    def __init__(self, language: Language, dates: Dates, names: Iterable[str], idle: Iterable[str]) -> None:
        self._dates = dates
        self._names = {fold(name) for name in names}
        said = {fold(p): meaning for p, meaning in language.meaning("happening").items()}
        said |= {fold(p): _PLANNED for p in language.words("planned")}
        near = language.read("near-days", lambda _, n: int(n), "a number of days")
        back = language.read("near-days-ago", lambda _, n: -int(n), "a number of days")
        self._near = {fold(p): n for p, n in (*near.items(), *back.items())}
        self._said = {**dict.fromkeys(map(fold, idle), ""), **said, **dict.fromkeys(self._near, "near")}
        self._longest = longest_by_first({**dict.fromkeys(self._names, ""), **self._said})
        self.read = lru_cache(_REMEMBERED)(self._read)
        """Everything of a line; the same words say the same on a day, so the last few are remembered."""

    def _read(self, text: str, day: date) -> Happening:
        times = sorted(self._dates.find(text).items())
        bare = text
        timed = _CLOCK.search(bare) is not None
        for start, (end, _) in reversed(times):
            bare = f"{bare[:start]} {bare[end:]}"
        words = fold(_CLOCK.sub(" ", bare)).split()
        names, said, left, near = self._words(words)
        ahead = True if _PLANNED in said else False if _DONE in said else self._on_a_weekday(words)
        if near:
            ahead = near[0] > 0 or (near[0] == 0 and (ahead is True or (ahead is None and timed)))  # "today at 2 pm" is to come
            return Happening(names, ahead, _NOT in said, day + timedelta(days=near[0]), None, left)
        on, between = next((found for _, (_, when) in times if any(found := told_day(when, day, ahead))), (None, None))
        if ahead is None and (on is not None or between is not None):
            ahead = on is not None and on > day
        return Happening(names, ahead, _NOT in said, on, between, left)

    def _on_a_weekday(self, words: list[str]) -> bool | None:
        """One day of the week alone is the coming one ("TURP Wed"); several say how often ("dialysis Tue Thu")."""
        return True if sum(self._said.get(word) == _WEEKDAY for word in words) == 1 else None

    def _words(self, words: list[str]) -> tuple[tuple[str, ...], set[str], tuple[str, ...], list[int]]:
        names: list[str] = []
        left: list[str] = []
        near: list[int] = []
        said: set[str] = set()
        i = 0
        while i < len(words):
            phrase = self._phrase(words, i)
            i += len(phrase.split()) if phrase else 1
            if phrase in self._names:
                names.append(phrase)
            elif phrase in self._near:
                near.append(self._near[phrase])
            elif phrase:
                said.add(self._said[phrase])
            else:
                left.append(words[i - 1])
        return tuple(names), said, tuple(left), near

    def _phrase(self, words: list[str], i: int) -> str:
        for count in range(min(self._longest.get(words[i], 0), len(words) - i), 0, -1):
            phrase = " ".join(words[i : i + count])
            if phrase in self._names or phrase in self._said:
                return phrase
        return ""
