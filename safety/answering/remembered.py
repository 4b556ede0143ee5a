"""What each entry says of a case: judged anew, or as it was said of somebody who was alike in all that the entry asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from safety.answering.due import MONITORING
from safety.judging.alike import SILENT, Key, Likeness, Telling
from safety.judging.candidates import Index
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


class OfEntry(Struct):
    """All that an entry says. `excused`: facts that are not told and that it took as no."""

    told: tuple[Told, ...] = ()
    excused: frozenset[str] = frozenset()
    waiting: tuple[Judgement, ...] | None = None
    """What it would wait for, had it excused nothing; once somebody has asked."""

    def strictly(self, entry: lib.Entry, facts: Facts) -> tuple[Judgement, ...]:
        """What the entry would wait for, had it excused nothing: worked out once, since few ask."""
        if self.waiting is None:
            judged = judge(entry, Logic(facts, strict=True, steps=False)) if self.excused and not entry.switched_off else ()
            self.waiting = tuple(j for j in judged if j.verdict == "unknown")
        return self.waiting


NOTHING = OfEntry()
InWords: TypeAlias = Callable[[Weighed], Told]
Matters: TypeAlias = Callable[[lib.Entry, OfEntry], bool]


class _Memory:
    """What was said so far, under keys that mean something within it alone."""

    def __init__(self, library: lib.Library) -> None:
        self.telling = Telling(library, _reminds)
        self._said: dict[str, dict[Key, OfEntry]] = {}
        self.count = 0

    @property
    def full(self) -> bool:
        """Whether so much is kept that it is time to begin anew."""
        return self.count > _MOST or self.telling.full

    def said(self, entry: lib.Entry, key: Key) -> OfEntry | None:
        """What an entry said of somebody with this key; None where it was not asked."""
        if key is SILENT:
            return NOTHING
        of_it = self._said.get(entry.id)
        return of_it.get(key) if of_it is not None else None

    def keep(self, entry: lib.Entry, key: Key, said: OfEntry) -> OfEntry:
        """Remember it."""
        self._said.setdefault(entry.id, {})[key] = said
        self.count += 1
        return said


class Remembered:
    """What entries said of patients before. Answers are the same as judged anew, but for the words in which a patient's facts
    were seen: those are of nobody in particular, so who reads findings is told them anew. Threads may share it."""

    def __init__(self, library: lib.Library, in_words: InWords) -> None:
        self._library, self._in_words = library, in_words
        self._memory = _Memory(library)

    def of_each(self, facts: Facts, entries: Sequence[lib.Entry]) -> Iterator[OfEntry]:
        """What each entry says of a case, in their order, for who counts it."""
        memory = self._recent()
        like = Likeness(facts, memory.telling)
        return (self._of(entry, like, memory) for entry in entries)

    def for_a_reader(self, facts: Facts, entries: Sequence[lib.Entry], in_words: InWords) -> Iterator[OfEntry]:
        """The same with every step, in these words: what says nothing of anybody alike is not judged again."""
        memory = self._recent()
        like = Likeness(facts, memory.telling)
        for entry in entries:
            key = like.key(entry)
            found = memory.said(entry, key) if key is not None else None
            if found is None or found.told:
                found = of_entry(entry, facts, in_words, steps=True)
                if key is not None and not found.told:
                    memory.keep(entry, key, found)
            yield found

    def of_many(self, cases: Sequence[Facts], index: Index, matters: Matters) -> list[list[tuple[lib.Entry, OfEntry]]]:
        """For each of many cases the entries that say something that `matters`, in order of id, for who counts it."""
        from safety.judging.columns import Columns

        memory = self._recent()
        said: list[list[tuple[lib.Entry, OfEntry]]] = [[] for _ in cases]
        for group in Columns(cases, memory.telling, index).groups():
            found = self._of(group.entry, group.like, memory)
            if matters(group.entry, found):
                both = group.entry, found
                for row in group.rows:
                    said[row].append(both)
        return said

    def _of(self, entry: lib.Entry, like: Likeness, memory: _Memory) -> OfEntry:
        """What an entry says of a patient, from memory where somebody alike was met."""
        key = like.key(entry)
        found = memory.said(entry, key) if key is not None else None
        if found is None:
            found = of_entry(entry, like.facts, self._in_words)
            if key is not None:
                memory.keep(entry, key, found)
        return found

    def _recent(self) -> _Memory:
        if self._memory.full:
            self._memory = _Memory(self._library)
        return self._memory


def of_entry(entry: lib.Entry, facts: Facts, in_words: InWords, *, steps: bool = False) -> OfEntry:
    """What one entry says of a case, judged now."""
    logic = Logic(facts, steps=steps)
    judged = judge(entry, logic)
    excused = frozenset(logic.excused)
    if not (judged or excused):
        return NOTHING
    return OfEntry(tuple(in_words(w) for w in under_assumptions(judged, facts, steps=steps)), excused)


def _reminds(entry: lib.Entry) -> bool:
    """Whether what was seen of a patient is said in a line of what is due."""
    return entry.kind == MONITORING
