"""What a patient says of one medicine → how it is taken and what happened. No drug by name, no word of English: kb/spoken.

The words are made plain, the statement is cut where its thought turns (but, so, because …), and each part is asked, table by
table, for what it says. A part that says nothing is none of these, and nothing is made of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec.structs import replace

from safety.errors import KnowledgeError, Place, Problem
from safety.knowledge.library import Library
from safety.knowledge.spoken import FOLDER, QUESTIONS
from safety.model import events as e
from safety.reading.spoken.amounts import Amounts
from safety.reading.spoken.matching import Table, Words
from safety.reading.spoken.naming import AroundNames
from safety.reading.spoken.parts import Part, Parts
from safety.reading.spoken.regimens import Regimens
from safety.reading.spoken.reported import Regimen, Reported
from safety.reading.spoken.supply import Supply, supply_in
from safety.reading.spoken.words import Plainly

NAME = "itsname"
"""What stands in the text where the medicine was named."""
_NEVER = (Fraction(0), Fraction(0))
_COMMA = ", "


class Spoken:
    """Reads what people say, by the tables and lists of one library; made once, shared, and never changed."""

    def __init__(self, library: Library) -> None:
        self.tables = compiled(library)
        self.plainly = Plainly(library.language, self.tables["rewriting"])
        self.amounts = Amounts(self.tables, library.language, library.units)
        self.regimens = Regimens(self.tables, self.amounts)
        self.parts = Parts(self.tables)
        self.around = AroundNames(self.tables, self.plainly, library.language)

    def read(self, text: str, *, apart: bool = False) -> Reported:
        """What a text says of one medicine; the medicine's name is told by the word `itsname`.

        `apart`: "one forty milligram" is one of forty, not a hundred and forty.
        """
        words = self.plainly.words(text, apart=apart)
        whole = [said for question in ("commands", "borrowed", "given-twice") for said in self._says(question, words)]
        parts = self._read_parts(words.without(self.tables["depends"].every(words)))
        kept = Words(_COMMA.join(part.kept.text for part in parts if part.kept))
        told = self._corrected(kept)
        regimens = self.regimens.read(told)
        regimens += self._exceptions([part.exception for part in parts if part.exception], regimens)
        events = [*whole, *(said for part in parts for said in part.events)]
        supposed = Words(_COMMA.join(part.supposed.text for part in parts if part.supposed))
        if supposed and regimens:
            events += self.parts.comparing.events(told, supposed)
        if any(part.past for part in parts) and not regimens and not events:
            events.append(e.STOPPED)
        return self._signed(Reported(text, tuple(i for i in regimens if not i.empty), settled(events)), words)

    def two_ways(self, text: str) -> bool:
        """Whether "one forty milligram" in it may be a hundred and forty, or one of forty."""
        return self.plainly.two_ways(text)

    def tells_regimens(self, text: str) -> bool:
        """Whether a text tells anything of how much, how often or when."""
        return bool(self.regimens.read(self.plainly.words(text)))

    def supply(self, text: str) -> Supply:
        """What a text says of a filled bottle."""
        return supply_in(self.tables["supply"].firsts(self.plainly.words(text)))

    def with_strength(self, told: Reported, strength: str) -> Reported:
        """The statement with a strength told in a field of its own."""
        read = self.regimens.read(self.plainly.words(strength))
        held = next((i.strength or (i.dose[0] if i.dose else None) for i in read), None)
        if held is None:
            return told
        kept = told.regimens or (Regimen(),)
        return replace(told, regimens=tuple(replace(i, strength=i.strength or held) for i in kept))

    def signed(self, told: Reported, text: str) -> Reported:
        """What was read of a text elsewhere, with what the text says of the time that it tells of."""
        return self._signed(told, self.plainly.words(text))

    def _signed(self, told: Reported, words: Words) -> Reported:
        return replace(told, signs=tuple(self.tables["signs"].firsts(words)), weekdays=self.amounts.named_weekdays(words))

    def _says(self, question: str, words: Words) -> tuple[str, ...]:
        hit = self.tables[question].first(words)
        return hit.says if hit is not None else ()

    def _read_parts(self, words: Words) -> list[Part]:
        found: list[Part] = []
        for part in self.parts.cut(words):
            found.append(self.parts.read(part, after_another=any(p.kept is not None for p in found)))
        return found

    def _exceptions(self, parts: Iterable[Words], regimens: tuple[Regimen, ...]) -> tuple[Regimen, ...]:
        """As in "one a day, except Wednesdays when I take two": another dose now and then, in place of the usual one."""
        strength = next((i.strength for i in regimens if i.strength is not None), None)
        found = [i for part in parts for i in self.regimens.read(part) if i.dose is not None]
        return tuple(replace(i, times=_NEVER, slots=(), strength=i.strength or strength) for i in found)

    def _corrected(self, words: Words) -> Words:
        """After "no wait" what was said before of the same kind no longer counts."""
        hits = self.tables["corrections"].every(words)
        if not hits:
            return words
        before = Words(words.text[: hits[-1].start]).without(hits[:-1], _COMMA)
        after = words.text[hits[-1].end :]
        later = self.regimens.read(Words(after))
        again = {"amount"} if any(i.dose or i.per_day for i in later) else set()
        again |= {"often"} if any(i.times for i in later) else set()
        before = before.without([item for item in self.amounts.items(before) if item.kind in again])
        return Words(before.text + _COMMA + after)


def compiled(library: Library) -> dict[str, Table]:
    """Every table that is asked, ready. Raises KnowledgeError where one is missing."""
    tables = {table.id.partition(".")[2]: table for table in library.spoken}
    missing = [Place(f"{FOLDER}/{question}.yaml") for question in QUESTIONS if question not in tables]
    if missing:
        hint = "what people say is read by the rows that stand in it"
        raise KnowledgeError([Problem(place, "K024", "cannot be read", hint) for place in missing])
    return {question: Table(tables[question], library.language) for question in QUESTIONS}


def settled(events: list[str]) -> tuple[str, ...]:
    """Events that explain one another brought together."""
    told = set(events)
    if e.NOT_NEEDED in told:
        told -= {e.IRREGULAR, e.STOPPED, e.SKIPPED}
    if told & {e.FORGOTTEN, e.RAN_OUT, e.EXTRA, e.SECOND, e.THIRD}:
        told -= {e.IRREGULAR}
    if e.SECOND in told and told & {e.UNSURE, e.TO_BE_SAFE}:
        told.add(e.EXTRA)
    if {e.EXTRA, e.UNSURE} <= told:
        told.add(e.TO_BE_SAFE)
    if e.EXTRA not in told:
        told -= {e.TO_BE_SAFE}
    return tuple(dict.fromkeys([*(said for said in events if said in told), *sorted(told - set(events))]))
