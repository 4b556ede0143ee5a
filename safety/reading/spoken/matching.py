"""Tables of what people say, ready to be asked: which row takes the words of a statement, and what it reads in them.

Words stand with one space after each, so that a pattern is found as it is written, word by word. Only rows that need a
word which is there are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from safety.knowledge import patterns as p
from safety.knowledge.language import Language
from safety.knowledge.spoken import QUESTIONS, SpokenRow, SpokenTable

_A_NUMBER = "#"
_NUMBER = r"\d+(?:\.\d+)?"
_LARGE_NUMBER = r"(?:\d+\.\d+|\d{2,})"
_DIGITS = {p.CLOCK: r"\d{1,2}(?::\d\d)?", p.WHOLE: r"\d+"}
_WORD = r"[a-zµ][^ ]* "
_WORD_OR_NUMBER = r"[a-z0-9µ][^ ]* "
_NO_STOP = r"[^ .;!?][^ ]* "
_ANYTHING = r"[^ ]+ "


class Words:
    """Words to be searched, a space after each (`text`), and which words there are."""

    __slots__ = ("kinds", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.kinds = frozenset(text.split())
        if any(word[0].isdigit() for word in self.kinds):
            self.kinds |= {_A_NUMBER}

    def __bool__(self) -> bool:
        return bool(self.text)

    def without(self, hits: Iterable[Spot], instead: str = "") -> Words:
        """The words without those that were taken."""
        text = self.text
        for hit in sorted(hits, key=lambda hit: hit.start, reverse=True):
            text = text[: hit.start] + instead + text[hit.end :]
        return Words(text)


class Spot(Protocol):
    """From where to where something stands in words."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends."""


class Hit(Struct, frozen=True):
    """A row that took words: from where to where, which, and what it read in them by role.

    `said`: digits and phrases as they stand there; `read`: a phrase as what it means in its list, and what the row gives.
    """

    row: SpokenRow
    start: int
    end: int
    taken: str
    said: dict[str, str]
    read: dict[str, str]

    @property
    def says(self) -> tuple[str, ...]:
        """What the words say; empty for a row that is there to say nothing."""
        return self.row.says


class _Way(Struct, frozen=True):
    """One pattern of a row as it is searched, one of the words it needs (None: any may do), and its groups by role."""

    find: re.Pattern[str]
    needs: frozenset[str] | None
    roles: tuple[tuple[str, str, dict[str, str]], ...]
    here: bool


class Table:
    """One ordered table; nothing of it changes once it is made."""

    def __init__(self, table: SpokenTable, language: Language) -> None:
        self.id = table.id
        question = QUESTIONS.get(table.id.partition(".")[2])
        self._reads = question.reads if question is not None else {}
        self.rows = [(row, [_Builder(language).way(words, table) for words in row.words]) for row in table.rows]
        self._always: list[int] = []
        self._by_word: dict[str, list[int]] = {}
        for n, (_, ways) in enumerate(self.rows):
            for way in ways:
                if way.needs is None:
                    self._always.append(n)
                for word in way.needs or ():
                    self._by_word.setdefault(word, []).append(n)
        self._any_of = frozenset(self._by_word)

    def first(self, words: Words, denied: Table | None = None) -> Hit | None:
        """The first row that takes words which are not denied right before; None where no row does."""
        for n in self.may_hit(words):
            for hit in self._hits(n, words.text):
                if denied is None or not hit.says or denied.first(Words(words.text[: hit.start])) is None:
                    return hit
        return None

    def firsts(self, words: Words) -> dict[str, Hit]:
        """For each thing that may be said the first hit of the first row that says it."""
        found: dict[str, Hit] = {}
        for n in self.may_hit(words):
            hit = next(self._hits(n, words.text), None)
            for said in hit.says if hit is not None else ():
                found.setdefault(said, hit)  # type: ignore[arg-type]
        return found

    def every(self, words: Words, before: Iterable[Hit] = ()) -> list[Hit]:
        """Every hit that says something, in the order of the words; words that were taken before are not taken again."""
        return [hit for hit in self.all(words, before) if hit.says]

    def all(self, words: Words, before: Iterable[Hit] = ()) -> list[Hit]:
        """Every hit, in the order of the words; what an earlier row, or a hit of `before`, took is not taken again."""
        taken = [False] * (len(words.text) + 1)
        for hit in before:
            taken[hit.start : hit.end] = [True] * (hit.end - hit.start)
        found = []
        for n in self.may_hit(words):
            for hit in self._hits(n, words.text):
                inside = taken[hit.start : hit.end] if hit.start < hit.end else [taken[hit.start - 1] and taken[hit.start]]
                if not any(inside):
                    found.append(hit)
                    taken[hit.start : hit.end] = [True] * (hit.end - hit.start)
        return sorted(found, key=lambda hit: (hit.start, hit.end))

    def may_hit(self, words: Words) -> list[int]:
        """The rows, by their number, of which a word that they need is there."""
        there = words.kinds & self._any_of
        return sorted({*self._always, *(n for word in there for n in self._by_word[word])}) if there else self._always

    def of_row(self, row: int, words: Words) -> list[Hit]:
        """Every hit of one row, in the order of the words; what one of its patterns took is not taken again."""
        found: list[Hit] = []
        for hit in self._hits(row, words.text):
            if all(hit.end <= other.start or other.end <= hit.start for other in found):
                found.append(hit)
        return sorted(found, key=lambda hit: hit.start)

    def _hits(self, n: int, text: str) -> Iterator[Hit]:
        row, ways = self.rows[n]
        for way in ways:
            for found in way.find.finditer(text):
                hit = _read(row, way, found)
                if self._is_whole(hit):
                    yield hit

    def _is_whole(self, hit: Hit) -> bool:
        """Whether what the row says can be made of what it read: an answer of an amount needs a number."""
        return not any(said in self._reads and hit.read.keys().isdisjoint(self._reads[said]) for said in hit.says)


def _read(row: SpokenRow, way: _Way, found: re.Match[str]) -> Hit:
    said, read = {}, dict(row.gives)
    for group, role, meanings in way.roles:
        if found[group] is not None:
            phrase = said[role] = found[group].rstrip()
            read[role] = meanings.get(phrase, phrase)
    start = found.start("here") if way.here else found.start()
    return Hit(row, start, found.end(), found.string[start : found.end()], said, read)


class _Builder:
    """One pattern → one regular expression over words with a space after each."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.roles: list[tuple[str, str, dict[str, str]]] = []
        self.here = False

    def way(self, text: str, table: SpokenTable) -> _Way:
        nodes = p.parse(text, table.phrases)
        find = re.compile(r"(?<!\S)" + self._sequence(nodes))
        return _Way(find, _needs(nodes, self.language), tuple(self.roles), self.here)

    def _sequence(self, nodes: p.Sequence) -> str:
        return "".join(self._node(node) for node in nodes)

    def _ways(self, ways: tuple[p.Sequence, ...]) -> str:
        return "|".join(self._sequence(way) for way in ways)

    def _node(self, node: p.Node) -> str:
        match node:
            case p.Word(text):
                return re.escape(text) + " "
            case p.AnyWord():
                return _WORD
            case p.Gap(most, commas, stops):
                each = _ANYTHING if stops else _NO_STOP if commas else _WORD_OR_NUMBER
                return f"(?:{each}){{0,{'' if most is None else most}}}?"
            case p.Number():
                return self._number(node)
            case p.Listed(name):
                return self._listed(name)
            case p.Choice(ways, optional, repeated):
                one = f"(?:{self._ways(ways)})"
                one = f"{one}+" if repeated else one
                return f"(?:{one})?" if optional else one
            case p.Next(ways, wanted):
                return f"(?{'=' if wanted else '!'}{self._ways(ways)})"
            case p.Edge(start):
                return r"\A" if start else r"\Z"
            case p.Here():
                self.here = True
                return "(?P<here>)"

    def _number(self, node: p.Number) -> str:
        digits = _DIGITS.get(node.role) or (_LARGE_NUMBER if node.large else _NUMBER)
        after = "s " if node.plural else " "
        return self._group(node.role, digits, {}) + after if node.role else digits + after

    def _listed(self, name: str) -> str:
        phrases = sorted(self.language.words(name), key=len, reverse=True)
        return self._group(name, "|".join(re.escape(phrase) + " " for phrase in phrases), self.language.meaning(name))

    def _group(self, role: str, inside: str, meanings: dict[str, str]) -> str:
        group = f"g{len(self.roles)}"
        self.roles.append((group, role, meanings))
        return f"(?P<{group}>{inside})"


def _needs(nodes: p.Sequence, language: Language) -> frozenset[str] | None:
    """Words of which a pattern needs one; None where it may do without any."""
    found = [needs for node in nodes if (needs := _needs_one(node, language)) is not None]
    return min(found, key=len) if found else None


def _needs_one(node: p.Node, language: Language) -> frozenset[str] | None:
    match node:
        case p.Word(text):
            return frozenset({text})
        case p.Number(plural=False):
            return frozenset({_A_NUMBER})
        case p.Listed(name):
            return frozenset(phrase.split()[0] for phrase in language.words(name))
        case p.Choice(ways, optional=False) | p.Next(ways, wanted=True):
            each = [_needs(way, language) for way in ways]
            known = [needs for needs in each if needs is not None]
            return frozenset().union(*known) if len(known) == len(each) else None
        case _:
            return None
