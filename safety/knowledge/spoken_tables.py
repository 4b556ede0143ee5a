"""Drafts of tables of what people say → the tables: a site's rows before ours, every pattern read once to see that it can be."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

from safety.errors import Place, Problem
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.nouns import FactCompiler
from safety.knowledge.patterns import PatternError, Sequence, listed_in, numbers_in, parse
from safety.knowledge.spoken import NOTHING, QUESTIONS, SpokenRow, SpokenTable, places_in
from safety.knowledge.spoken_shapes import SpokenRowShape, SpokenShape
from safety.text import did_you_mean


def spoken(facts: FactCompiler) -> tuple[SpokenTable, ...]:
    """Every table of what people say; problems go to the drafts."""
    return tuple(_Table(facts, i, drafts).build() for i, drafts in sorted(facts.drafts.spoken.items()))


@dataclass
class _Table:
    """One table while its files are read, a site's after ours."""

    facts: FactCompiler
    id: str
    drafts: list[Draft]
    phrases: dict[str, str] = field(default_factory=dict)
    rows: dict[str, tuple[SpokenRow, Place]] = field(default_factory=dict)

    def build(self) -> SpokenTable:
        if self.id.partition(".")[2] not in QUESTIONS:
            hint = did_you_mean(self.id, [f"spoken.{q}" for q in QUESTIONS])
            self._problem(self.drafts[0], ("id",), "K610", f"`{self.id}` is no question that is asked", hint)
            return SpokenTable(self.id, "", ())
        question = ""
        for draft in self.drafts:
            shape = draft.shape
            assert isinstance(shape, SpokenShape)
            question = question or shape.question or ""
            self._read(draft, shape)
        if not question:
            self._problem(self.drafts[0], (), "K102", "`question` is missing: a table of what people say needs it")
        elif not self.rows:
            self._problem(self.drafts[0], (), "K303", "the table has no row")
        rows = tuple(row for row, _ in self.rows.values())
        return SpokenTable(self.id, question, rows, self.phrases, self.drafts[-1].origin, str(self.drafts[0].place(())))

    def _read(self, draft: Draft, shape: SpokenShape) -> None:
        self.facts.citations(draft)
        self.phrases.update(shape.phrases)
        for name in shape.phrases:
            self._pattern(draft, ("phrases", name), f"<{name}>")
        self._remove(draft, shape)
        mine: dict[str, tuple[SpokenRow, Place]] = {}
        for n, row in enumerate(shape.rows):
            place = draft.place(("rows", n, "id"))
            before = mine.get(row.id) or self.rows.get(row.id)
            if before is not None:
                self._problem(
                    draft, ("rows", n, "id"), "K203", f"`{row.id}` stands here a second time", f"the first is at {before[1]}"
                )
            mine[row.id] = self._row(draft, n, row), place
        self.rows = {**mine, **self.rows}

    def _remove(self, draft: Draft, shape: SpokenShape) -> None:
        if shape.remove and not draft.origin:
            self._problem(
                draft, ("remove",), "K202", "`remove` is for a site's overlay", "take the row out of the table itself", True
            )
            return
        for n, row in enumerate(shape.remove):
            if self.rows.pop(row, None) is None:
                self._problem(draft, ("remove", n), "K301", f"`{row}` is no row of `{self.id}`", did_you_mean(row, self.rows))

    def _row(self, draft: Draft, n: int, row: SpokenRowShape) -> SpokenRow:
        answers = QUESTIONS[self.id.partition(".")[2]].answers
        for said in row.says:
            if said not in answers and row.says != [NOTHING]:
                hint = did_you_mean(said, answers) or "its answers: " + " ".join([*answers, NOTHING])
                self._problem(draft, ("rows", n, "says"), "K611", f"`{said}` is no answer to this question", hint)
        read = [self._pattern(draft, ("rows", n, "words"), words) for words in row.words]
        self._becomes(draft, n, row, [nodes for nodes in read if nodes is not None])
        says = tuple(said for said in row.says if said != NOTHING)
        return SpokenRow(row.id, says, tuple(row.words), row.example, row.near_miss, row.gives, row.becomes or "", draft.origin,
                         str(draft.place(("rows", n))))  # fmt: skip

    def _pattern(self, draft: Draft, path: Path_, words: str) -> Sequence | None:
        """A pattern taken apart, and every list it names looked up."""
        try:
            nodes = parse(words, self.phrases)
        except PatternError as error:
            self._problem(draft, path, "K612", f"`{words}` cannot be read: {error.message}", error.hint)
            return None
        known = self.facts.drafts.language
        for name in listed_in(nodes):
            if f"language.{name}" not in known and f"language.{name}" not in self.facts.drafts.broken:
                hint = did_you_mean(f"language.{name}", known)
                self._problem(draft, path, "K301", f"`{{{name}}}`: `language.{name}` is not a list of words that we know", hint)
        return nodes

    def _becomes(self, draft: Draft, n: int, row: SpokenRowShape, read: list[Sequence]) -> None:
        """Whether what a row becomes is made of what its words hold."""
        roles = {*chain.from_iterable((*listed_in(nodes), *numbers_in(nodes)) for nodes in read)}
        for role in places_in(row.becomes or ""):
            if read and role not in roles:
                hint = did_you_mean(role, roles) or "its words hold: " + " ".join(sorted(roles))
                self._problem(draft, ("rows", n, "becomes"), "K613", f"`{role}` is not held by the row's words", hint)

    def _problem(self, draft: Draft, path: Path_, code: str, what: str, hint: str = "", of_key: bool = False) -> None:
        self.facts.problems.append(Problem(draft.place(path, of_key), code, what, hint))
