"""One part of a statement: whether it tells of what the patient takes now, what it says happened, and what is left to read."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.spoken import QUESTIONS
from safety.model import events as e
from safety.reading.spoken.comparing import Comparing
from safety.reading.spoken.matching import Hit, Table, Words

_HAPPENED = tuple(name for name, question in QUESTIONS.items() if question.deniable)
"""The questions about what happened, in the order in which it is told."""
_NOT_TAKEN = frozenset({e.FORGOTTEN, e.SKIPPED, e.RAN_OUT, e.STOPPED, e.UNSURE})
_TAKEN_ALL_THE_SAME = frozenset({e.DOUBLE, e.EXTRA, e.MAKE_UP})
_COMMA = ", "


class Part(Struct, frozen=True):
    """What one part comes to.

    - `events`: what is said to have happened. `kept`: the words that tell how it is taken.
    - `supposed`: words that tell what should be taken. `exception`: another dose in place of the usual one, now and then.
    - `past`: something was told of how it used to be.
    """

    events: tuple[str, ...] = ()
    kept: Words | None = None
    supposed: Words | None = None
    exception: Words | None = None
    past: bool = False


class Parts:
    """Cuts a statement where its thought turns, and reads each part by the tables of kb/spoken."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        self.comparing = Comparing(tables["comparing"])

    def cut(self, words: Words) -> list[Words]:
        """The parts of a statement; a question mark stays with what it ends."""
        found, start = [], 0
        for hit in self.tables["turns"].every(words):
            found.append(words.text[start : hit.start])
            start = hit.end
        found.append(words.text[start:])
        return [Words(part) for part in map(_trimmed, found) if part]

    def read(self, part: Words, *, after_another: bool) -> Part:
        """One part; `after_another`: something was told before of how it is taken."""
        part = part.without(self.tables["asides"].every(part))
        hanging = self.tables["hangs-on"].every(part)
        events = tuple(said for hit in hanging for said in hit.says if said == e.IRREGULAR)
        read = self._of_whom(part.without(hanging), after_another)
        return replace(read, events=events + read.events)

    def _first(self, question: str, part: Words) -> Hit | None:
        return self.tables[question].first(part)

    def _says(self, question: str, part: Words) -> tuple[str, ...]:
        hit = self._first(question, part)
        return hit.says if hit is not None else ()

    def _of_whom(self, part: Words, after_another: bool) -> Part:
        """Nothing, where it tells of somebody else, or asks, wishes, plans; else what it tells of the patient."""
        whose = self._says("whose", part)
        if "somebody-else" in whose or self._says("standing", part) not in ((), ("told",)):
            return Part()
        part = Words(part.text.replace("? ", ""))
        if self._says("prescriber", part):
            return Part((*whose, e.CHANGED))
        if after_another and self._says("exceptions", part) and not self.happened(part):
            return Part(whose, exception=part)
        read = self._by_now(part)
        return replace(read, events=whose + read.events)

    def _by_now(self, part: Words) -> Part:
        """What it tells of the time since, where it tells of how it used to be."""
        hit = self._first("past", part)
        if hit is None or not hit.says:
            return self._told(part)
        if "until-now" not in hit.says:
            return Part(past=True)
        return replace(self._told(Words(part.text[hit.end :])), past=True)

    def _told(self, part: Words) -> Part:
        """What is told of the taking, once what it is told against is set aside: "two instead of one"."""
        hit = self._first("contrasts", part)
        if hit is None:
            return self._of_taking(part)
        before = part.text[: hit.start]
        right, _, after = part.text[hit.end :].partition(_COMMA)
        events = self.comparing.events(Words(before), Words(right))
        read = self._of_taking(Words(before + after))
        return replace(read, events=events + read.events)

    def _of_taking(self, part: Words) -> Part:
        as_told = self._first("as-told", part)
        if as_told is None and self._says("supposed", part):
            return Part(supposed=part)
        events = self.happened(part)
        if {e.FORGOTTEN, e.SKIPPED} & set(events) and self._says("another-day", part):
            events = (e.EARLIER, *events)
        return Part(events, kept=self._kept(part, events))

    def happened(self, part: Words) -> tuple[str, ...]:
        """What is said to have happened, unless it is denied in the same breath."""
        as_told = self._says("as-told", part)
        if "not-as-told" in as_told:
            return ()
        denied = self.tables["denied"]
        hits = (self.tables[question].first(part, denied) for question in _HAPPENED)
        found = [*as_told, *(said for hit in hits if hit is not None for said in hit.says)]
        if e.IF_MISSED in found:
            found = [said for said in found if said not in (e.FORGOTTEN, e.SKIPPED)]
        if e.UNSURE in found:
            found = [said for said in found if said != e.FORGOTTEN]
        return tuple(found)

    def _kept(self, part: Words, events: tuple[str, ...]) -> Words:
        """The words in which amounts are looked for: of a missed dose only what was told to be taken before."""
        if set(events) & _NOT_TAKEN and not set(events) & _TAKEN_ALL_THE_SAME:
            hit = self._first("missing", part)
            part = Words(part.text[: hit.start] if hit is not None else "")
        return part.without(self.tables["set-apart"].every(part))


def _trimmed(text: str) -> str:
    """A part without commas and stops at its ends."""
    words = text.split()
    while words and words[0] in (",", "."):
        words.pop(0)
    while words and words[-1] in (",", "."):
        words.pop()
    return "".join(f"{word} " for word in words)
