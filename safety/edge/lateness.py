"""Which acts of a clause are not done yet: a later time stands beside them, a condition, or "then" behind a course."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.wording import any_of

_SEGMENT = re.compile(r"[,:;]")


class Act(Protocol):
    """An act of a clause: from where to where it stands."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """The place behind it."""
        ...


class Condition(Struct, frozen=True):
    """A condition of a clause, and from where to where what hangs on it stands; `word`: where its own first word does."""

    start: int
    end: int
    word: int = 0

    def holds(self, place: int) -> bool:
        """Whether what stands at a place hangs on the condition."""
        return self.start <= place < self.end


class Lateness:
    """Reads by the lists of one language; made once, never changed. `weighty`: the words that tell neither a dose nor how."""

    def __init__(self, language: Language, weighty: Callable[[str], list[str]]) -> None:
        words = language.words
        self._weighty = weighty
        self._light = frozenset(
            w for what in ("leads", "beside", "to", "joins", "objects", "from") for p in words(f"chart-{what}") for w in p.split()
        )
        units = any_of(w for w, unit in language.meaning("time-units").items() if unit != "minute" and len(w) > 1)
        number = rf"(?:\d+(?:\s?[-–]\s?\d+|\s+to\s+\d+)?|{any_of([*words('vague-counts'), *words('numbers-of-months')])})"
        span = rf"(?:a\s+)?{number}[\s-]*(?:more\s+)?{units}"
        days = any_of([*language.meaning("month-names"), *language.meaning("weekdays")])
        self._time = re.compile(
            rf"(?<![\w-])(?:{any_of(words('chart-later'))}|(?:in|after|at)\s+(?:another\s+)?{span}|(?:in|on|next|this\s+coming)\s+{days}"
            rf"|in\s+(?:19|20)\d\d)(?![\w-])(?!\s+(?:ago|post|of))",
            re.I,
        )
        course = rf"(?:until|til|till|(?:for|over)\s+(?:the\s+next\s+|another\s+)?{span}|x\s?{span}|x\s?\d+\s?d)"
        self._course = re.compile(rf"(?<![\w-]){course}(?![\w-])", re.I)
        self._then = re.compile(rf"(?<![\w-])(?:and\s+)?then\s+(?:{any_of(words('chart-leads'))}\s+){{0,2}}\Z", re.I)
        self._at_its_end = re.compile(r"(?:and\s+)?(?:then|until)\s", re.I)
        once = any_of(words("chart-behind-once"))
        self._condition = re.compile(
            rf"(?<![\w'-])(?:{any_of(words('chart-conditions'))}(?![\w'-])|once\s+(?!{once}(?![\w-]))(?=[a-z]))", re.I
        )

    def conditions(self, said: str, start: int, end: int, acts: Sequence[Act]) -> list[Condition]:
        """The conditions of a clause. What begins with one hangs on it to its end; a later one carries the act before it, and
        what follows up to a comma."""
        found = []
        for hit in self._condition.finditer(said, start, end):
            before = [a for a in acts if a.start < hit.start()]
            stop = _SEGMENT.search(said, hit.end(), end)
            if before:
                found.append(Condition(before[-1].start, stop.start() if stop else end, hit.start()))
            else:
                found.append(Condition(hit.start(), end, hit.start()))
        return found

    def is_conditional(self, gap: str) -> bool:
        """Whether a condition begins in some words."""
        return self._condition.search(gap) is not None

    def is_later(self, said: str, start: int, end: int, act: Act) -> bool:
        """Whether a later time is told of an act: right behind what it is done with, or before it and before nothing else."""
        behind = self._time.search(said, act.end, end)
        if behind is not None and self._leads_on(said[act.end : behind.start()]):
            return True
        ahead = [m for m in self._time.finditer(said, start, act.start) if not self._has_more(said[m.end() : act.start])]
        if not ahead:
            return False
        before = said[start : ahead[-1].start()]
        return not self._has_more(_SEGMENT.split(before)[-1])

    def ends_a_course(self, said: str, start: int, act: Act, *, own: bool) -> bool:
        """Whether an act behind "then" ends what was told for a time: "until the INR is therapeutic, then stop"; of a medicine
        that stands behind the act (`own`) only where that time is told."""
        if self._then.search(said[max(start, act.start - 40) : act.start]) is None:
            return False
        return not own or self._course.search(said, start, act.start) is not None

    def is_at_its_end(self, said: str, start: int, act: Act) -> bool:
        """Whether an act says itself that it comes behind what was told for a time: "x 5 days, then off", "weekly until off"."""
        return self._at_its_end.match(said, act.start) is not None and bool(said[start : act.start].strip())

    def is_course(self, said: str, start: int, end: int) -> bool:
        """Whether it is told for how long something is given: "x 2 wk", "for 10 days", "until the INR is at goal"."""
        return self._course.search(said, start, end) is not None

    def _leads_on(self, gap: str) -> bool:
        return "," not in gap and ":" not in gap and not self._has_more(gap)

    def _has_more(self, gap: str) -> bool:
        return any(w not in self._light for w in self._weighty(gap))
