"""Medicines, and kinds of them, that a line says are taken, though it is of no medicine ("AF on AC", "INR 2.4 on warfarin").

What a name is a part of is left to the other readers: "chronic pain on opioids" is a condition, and opioids are taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from safety.knowledge.library import Library
from safety.reading.names.resolver import Resolver
from safety.reading.wording import any_of
from safety.text import fold

_WORDS_OF_A_NAME = 5
_NONE = "-"
_WORD = re.compile(r"[^\s,;/&+()\[\]]+")
_PART = re.compile(r"(?:[^,;]|,(?=\d))+")
_REMEMBERED = 4096


class Treatment(Struct, frozen=True):
    """A medicine that words name, or one of several of a kind (`one_of`), from where to where; `cue` is where "on" begins."""

    start: int
    end: int
    text: str
    drugs: tuple[str, ...]
    one_of: bool
    cue: int


class _Named(Struct, frozen=True):
    """What a name comes to: each medicine, or the members of a kind of which one is taken."""

    each: tuple[tuple[tuple[str, ...], bool], ...]


class Treatments:
    """Finds treatments by the lists of one library; immutable but for what it remembers."""

    def __init__(self, library: Library, resolver: Resolver) -> None:
        self._library, self._resolver = library, resolver
        words = library.language
        self._kinds = {fold(phrase): meaning for phrase, meaning in words.meaning("treatments-by-their-kind").items()}
        told = words.meaning("treatments-told-in-a-word")
        self._in_a_word = {fold(phrase): meaning for phrase, meaning in told.items()}
        self._told = re.compile(rf"(?<![\w-]){any_of(told)}(?![\w-])", re.I)
        before = any_of(words.words("problem-before-a-treatment"))
        cues = any_of((*words.words("problem-treated-with"), *words.words("treatments-for-long")))
        alone, goes_on = any_of(words.words("treatments-for-long-if-alone")), any_of(words.words("treatments-goes-on"))
        self._cue = re.compile(rf"(?<![\w-])(?:{cues}|(?P<alone>{alone}))\s+(?:{before}\s+)*", re.I)
        self._goes_on = re.compile(rf"\s+(?:{goes_on})(?![\w-])", re.I)
        self._ends = re.compile(rf"(?:\s+(?:{goes_on}))?\s*(?:[.,;:)/+&]|\Z)", re.I)
        self._not_taken = re.compile(rf"[\s-]+{any_of(words.words('treatments-not-taken-behind'))}(?![\w-])", re.I)
        self._without_a_line = re.compile(rf"(?:\w+\s)?{any_of(words.words('problem-without-a-line'))}\b", re.I)
        self._denied = re.compile(rf"(?:\b{any_of(words.words('denial'))}|n['’]t|\bno longer)\s+(?:\w+\s+)?\Z", re.I)
        joins = any_of(words.words("joins-medicines-taken"))
        self._joined = re.compile(rf"\s*(?:,\s*(?:{joins}(?!\w))?|[/+&]|(?<!\w){joins}(?!\w))\s*", re.I)
        self._how = frozenset(w for phrase in words.words("beside-a-worn-medicine") for w in fold(phrase).split())
        self._named = lru_cache(_REMEMBERED)(self._name)

    # -------------------------------------------------------------- what is said to be taken

    def taken(self, text: str) -> list[Treatment]:
        """What a line says is taken, in its order; a word that denies it right before leaves it out."""
        found: list[Treatment] = []
        for cue in self._cue.finditer(text):
            if not self._denied.search(text, 0, cue.start()) and not self._without_a_line.match(text, cue.end()):
                said = self._behind(text, cue.end(), cue.start())
                found += (t for t in said if cue["alone"] is None or self._ends.match(text, t.end))
        for word in self._told.finditer(text):
            if not self._denied.search(text, 0, word.start()):
                found += self._made(self._of_kind(self._in_a_word[fold(word[0])]), text, word.start(), word.end(), word.start())
        return _each_once(found)

    def alone(self, text: str) -> list[Treatment]:
        """A line that is nothing but a kind of treatment ("anticoagulation")."""
        meaning = self._kinds.get(fold(text))
        return self._made(self._of_kind(meaning), text, 0, len(text), 0) if meaning is not None else []

    def parts(self, text: str) -> list[Treatment]:
        """The kinds of treatment that stand alone in a part of a line ("stent 2026-08, DAPT"), and medicines."""
        found: list[Treatment] = []
        for part in _PART.finditer(text):
            said = part[0].strip()
            named = (
                self._named(said) if said and len(said.split()) <= _WORDS_OF_A_NAME and len(said) < len(text.strip()) else None
            )
            at = part.start() + part[0].find(said)
            found += self._made(named, text, at, at + len(said), at) if named is not None else []
        return _each_once(found)

    def only_how(self, text: str) -> bool:
        """Whether words say no more than how something worn gives a medicine ("implant", "intrathecal pump")."""
        return all(fold(word) in self._how for word in text.split())

    def anywhere(self, text: str) -> list[Treatment]:
        """The medicines and kinds that words name, wherever they stand: of a list of what is taken or worn."""
        found: list[Treatment] = []
        words, n = list(_WORD.finditer(text)), 0
        while n < len(words):
            one = self._longest(text, words[n:])
            denied = one and self._denied.search(text, 0, one[0].start)
            found += [] if denied else one
            n = next((i for i, w in enumerate(words) if one and w.start() >= one[0].end), n + 1 if not one else len(words))
        return _each_once(found)

    def _behind(self, text: str, at: int, cue: int) -> Iterator[Treatment]:
        """The names in a row from a place on: "tac/MMF/pred", "insulin and metformin"."""
        while at < len(text):
            found = self._longest(text, list(_WORD.finditer(text, at)), cue)
            if not found or text[at : found[0].start].strip() or self._not_taken.match(text, found[0].end):
                return
            yield from found
            joined = self._joined.match(text, found[0].end)
            if joined is None:
                return
            at = joined.end()

    def _longest(self, text: str, words: list[re.Match[str]], cue: int | None = None) -> list[Treatment]:
        """The longest name that begins with the first of some words."""
        for count in range(min(_WORDS_OF_A_NAME, len(words)), 0, -1):
            start, end = words[0].start(), words[count - 1].end()
            said = text[start:end].rstrip(".:")
            named = self._named(said)
            if named is not None:
                behind = self._goes_on.match(text, start + len(said))
                end = behind.end() if behind is not None else start + len(said)
                return self._made(named, text, start, end, start if cue is None else cue)
        return []

    # -------------------------------------------------------------- names

    def _name(self, said: str) -> _Named | None:
        meaning = self._kinds.get(fold(said))
        if meaning is not None:
            return self._of_kind(meaning)
        if not any(c.isalpha() for c in said) or len(said) < 2:
            return None
        kind = self._resolver.class_of(said)
        if kind is not None:
            return _Named(((tuple(self._library.drug_class[kind].members), True),))
        read = self._resolver.read(said, guess=False)
        sure = read.answer.status == "match" and not read.answer.confirm and not read.rest.strip() and not read.parts
        return _Named(((read.drugs, False),)) if sure and read.drugs else None

    def _of_kind(self, meaning: str) -> _Named:
        """What a kind means, by the names of medicines and classes."""
        sides = [side.strip() for side in meaning.split(" + ")]
        each = [tuple(dict.fromkeys(d for name in side.split(",") for d in self._members(name.strip()))) for side in sides]
        return _Named(tuple((drugs, len(drugs) > 1) for drugs in each if drugs))

    def _members(self, name: str) -> tuple[str, ...]:
        if name == _NONE:
            return ()
        kind = self._resolver.class_of(name)
        return tuple(self._library.drug_class[kind].members) if kind else self._resolver.read(name, guess=False).drugs

    @staticmethod
    def _made(named: _Named, text: str, start: int, end: int, cue: int) -> list[Treatment]:
        return [Treatment(start, end, text[start:end], drugs, several, cue) for drugs, several in named.each]


def _each_once(found: Iterable[Treatment]) -> list[Treatment]:
    """Each medicine of a line once, in the order of the line."""
    once: dict[tuple[str, ...], Treatment] = {}
    for one in sorted(found, key=lambda t: (t.start, -t.end)):
        once.setdefault(one.drugs, one)
    return list(once.values())


def unused(text: str, found: Iterable[Treatment]) -> str:
    """A text without what it says is taken."""
    spans = sorted((t.cue, t.end) for t in found)
    kept, at = "", 0
    for start, end in spans:
        kept, at = kept + text[at : max(at, start)], max(at, end)
    return re.sub(r"\s{2,}", " ", kept + text[at:]).strip(" ,;-()/&+")
