"""What each entry says of a case: judged anew, or as it was said of somebody who was alike in all that the entry asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from safety.answering.due import MONITORING
from safety.judging.alike import SILENT, Key, Likeness, Telling
from safety.judging.conditions import Logic
from safety.judging.judgement import Judgement
from safety.judging.rules import judge
from safety.judging.supposing import Weighed, under_assumptions
from safety.knowledge import library as lib
from safety.model.report import Finding, Unknown
from safety.understanding.facts import Facts

_MOST = 1 << 17


class Told(Struct, frozen=True):
    """One judgement with what was assumed for it; as a finding where it is broken, as an unknown where it waits for a fact."""

    judgement: Judgement
    finding: Finding | None = None
    unknown: Unknown | None = None


class OfEntry(Struct, frozen=True):
    """All that an entry says. `excused`: facts that are not told and that it took as no; `strictly`: what it would wait for,
    had it not."""

    told: tuple[Told, ...] = ()
    excused: frozenset[str] = frozenset()
    strictly: tuple[Judgement, ...] = ()


NOTHING = OfEntry()
InWords: TypeAlias = Callable[[Weighed], Told]


class Remembered:
    """What entries said of patients before. Answers are the same as judged anew, but for the words in which a patient's facts
    were seen: those are of nobody in particular, so it serves who counts findings and not who reads them."""

    def __init__(self, library: lib.Library, in_words: InWords) -> None:
        self._library, self._in_words = library, in_words
        self._begin()

    def _begin(self) -> None:
        self._telling = Telling(self._library, _reminds)
        self._said: dict[str, dict[Key, OfEntry]] = {}
        self._count = 0

    def of_each(self, facts: Facts, entries: Sequence[lib.Entry]) -> list[OfEntry]:
        """What each entry says of a case, in their order."""
        if self._count > _MOST or self._telling.full:
            self._begin()
        like = Likeness(facts, self._telling)
        return [self._of(entry, like.key(entry), facts) for entry in entries]

    def _of(self, entry: lib.Entry, key: Key | None, facts: Facts) -> OfEntry:
        if key is SILENT:
            return NOTHING
        if key is None:
            return of_entry(entry, facts, self._in_words)
        said = self._said.setdefault(entry.id, {})
        found = said.get(key)
        if found is None:
            found = said[key] = of_entry(entry, facts, self._in_words)
            self._count += 1
        return found


def of_entry(entry: lib.Entry, facts: Facts, in_words: InWords, *, steps: bool = False) -> OfEntry:
    """What one entry says of a case, judged now."""
    logic = Logic(facts, steps=steps)
    judged = judge(entry, logic)
    excused = frozenset(logic.excused)
    if not (judged or excused):
        return NOTHING
    strictly: tuple[Judgement, ...] = ()
    if excused and not entry.switched_off:
        strictly = tuple(j for j in judge(entry, Logic(facts, strict=True, steps=steps)) if j.verdict == "unknown")
    return OfEntry(tuple(in_words(w) for w in under_assumptions(judged, facts, steps=steps)), excused, strictly)


def _reminds(entry: lib.Entry) -> bool:
    """Whether what was seen of a patient is said in a line of what is due."""
    return entry.kind == MONITORING
