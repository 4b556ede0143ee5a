"""Whether every row of kb/spoken takes its example, leaves its near miss, and is reached at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from safety.errors import Place, Problem
from safety.knowledge import patterns as p
from safety.knowledge.language import Language
from safety.knowledge.library import Library
from safety.knowledge.spoken import QUESTIONS, SpokenRow, SpokenTable
from safety.reading.spoken.matching import Hit, Table, Words
from safety.reading.spoken.parts import Parts
from safety.reading.spoken.words import Plainly

_SPOT = re.compile(r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+)\Z")
_NUMBERS = {p.CLOCK: "8"}
_MORE = "something"


def slips(library: Library) -> list[Problem]:
    """Every row whose example or near miss does not show what it should, and every row that is never reached."""
    if not library.spoken:
        return []
    examples = _Examples(library)
    return sorted(problem for table in library.spoken for problem in examples.of_table(table))


class _Examples:
    """The tables of a library, as many as it has."""

    def __init__(self, library: Library) -> None:
        self.language = library.language
        self.tables = {table.id.partition(".")[2]: Table(table, library.language) for table in library.spoken}
        nothing = Table(SpokenTable("", "", ()), library.language)
        self.plainly = Plainly(library.language, self.tables.get("rewriting", nothing))
        self.parts = Parts({name: self.tables.get(name, nothing) for name in QUESTIONS})
        self.denied = self.tables.get("denied")

    def of_table(self, table: SpokenTable) -> Iterator[Problem]:
        question = table.id.partition(".")[2]
        for row in table.rows:
            yield from self._example(question, row)
            yield from self._near_miss(question, row)
            if not any(
                hit.row.id == row.id for words in spelled_out(row, table, self.language) for hit in self._hits(question, words)
            ):
                yield _problem(
                    row, "K617", "the row is never reached: rows before it take all of its words", "move it up, or take it out"
                )

    def _example(self, question: str, row: SpokenRow) -> Iterator[Problem]:
        hits = [hit for words in self._words(question, row.example) for hit in self._hits(question, words)]
        if any(hit.row.id == row.id for hit in hits):
            return
        first = next((hit.row.id for hit in hits), None)
        if first is not None:
            yield _problem(
                row,
                "K615",
                f"the example is taken by the row `{first}`, before this one",
                "move this row up, or make that one narrower",
            )
        else:
            yield _problem(
                row, "K614", "the example is not taken by its own row", f"it is read as: {self._read_as(question, row.example)}"
            )

    def _near_miss(self, question: str, row: SpokenRow) -> Iterator[Problem]:
        for words in self._words(question, row.near_miss):
            for hit in self._hits(question, words):
                if hit.row.id == row.id or (QUESTIONS[question].asks == "first" and set(hit.says) & set(row.says)):
                    yield _problem(
                        row,
                        "K616",
                        f"the near miss is taken by the row `{hit.row.id}`, in `{hit.taken.strip()}`",
                        "make it narrower, or say what comes before it in a row of its own",
                    )
                    return

    def _hits(self, question: str, words: Words) -> list[Hit]:
        """The rows that answer, as the question is asked."""
        table, asked = self.tables[question], QUESTIONS[question]
        if asked.asks == "every":
            return table.all(words)
        if asked.asks == "each":
            return list(table.firsts(words).values())
        hit = table.first(words, self.denied if asked.deniable else None)
        return [hit] if hit is not None else []

    def _words(self, question: str, text: str) -> list[Words]:
        """What a question is asked of, in a text."""
        of = QUESTIONS[question].of
        if of == "said":
            return [self.plainly.as_said(text)]
        if of == "words":
            return [self.plainly.in_digits(text)]
        words = self.plainly.words(text)
        return self.parts.cut(words) if of == "part" else [words]

    def _read_as(self, question: str, text: str) -> str:
        return " | ".join(words.text.strip() for words in self._words(question, text))


def _problem(row: SpokenRow, code: str, message: str, hint: str) -> Problem:
    spot = _SPOT.match(row.place)
    place = Place(spot["file"], int(spot["line"]), int(spot["column"])) if spot else Place(row.place)
    return Problem(place, code, f"`{row.id}`: {message}", hint)


def spelled_out(row: SpokenRow, table: SpokenTable, language: Language) -> Iterator[Words]:
    """Words that a row takes: every alternative of its patterns once."""
    for words in row.words:
        for said in _sequence(p.parse(words, table.phrases), language):
            yield Words("".join(f"{word} " for word in said))
            yield Words("".join(f"{word} " for word in (*said, _MORE)))


def _sequence(nodes: p.Sequence, language: Language) -> list[list[str]]:
    """The first way of every node together, then each other way in its place."""
    each = [_node(node, language) for node in nodes]
    first = [ways[0] for ways in each]
    found = [[word for way in first for word in way]]
    for n, ways in enumerate(each):
        found += [[word for way in (*first[:n], other, *first[n + 1 :]) for word in way] for other in ways[1:]]
    return found


def _node(node: p.Node, language: Language) -> list[list[str]]:
    match node:
        case p.Word(text):
            return [[text]]
        case p.AnyWord():
            return [[_MORE]]
        case p.Number(role, large, plural):
            return [[_NUMBERS.get(role, "20" if large else "2") + ("s" if plural else "")]]
        case p.Listed(name):
            return [phrase.split() for phrase in language.words(name)]
        case p.Choice(ways, optional) | p.Next(ways, optional):
            found = [said for way in ways for said in _sequence(way, language)]
            return (
                found
                if isinstance(node, p.Next) and node.wanted
                else [[]]
                if isinstance(node, p.Next)
                else [[], *found]
                if optional
                else found
            )
        case _:
            return [[]]
