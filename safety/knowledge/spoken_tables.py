"""Drafts of tables of what people say → the tables: a site's rows before ours, every pattern read once to see that it can be."""

from __future__ import annotations

from dataclasses import dataclass, field

from safety.errors import Place, Problem
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.nouns import FactCompiler
from safety.knowledge.patterns import PatternError, Sequence, listed_in, numbers_in, parse
from safety.knowledge.spoken import NOTHING, NUMBERS_GIVEN, PERIODS, QUESTIONS, SpokenRow, SpokenTable, places_in
from safety.knowledge.spoken_shapes import SpokenRowShape, SpokenShape
from safety.model.quantity import number
from safety.text import did_you_mean

REWRITING = "spoken.rewriting"


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
        place = str(self.drafts[0].place(("id",)))
        return SpokenTable(self.id, question, rows, self.phrases, self.drafts[-1].origin, place)

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
        read = [nodes for words in row.words if (nodes := self._pattern(draft, ("rows", n, "words"), words)) is not None]
        roles = [{*listed_in(nodes), *numbers_in(nodes)} for nodes in read]
        self._becomes(draft, n, row, set().union(*roles))
        self._gives(draft, n, row)
        self._reads(draft, n, row, roles)
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

    def _becomes(self, draft: Draft, n: int, row: SpokenRowShape, roles: set[str]) -> None:
        """Whether what a row becomes is made of what its words hold."""
        if row.becomes is None and self.id == REWRITING:
            self._problem(draft, ("rows", n), "K102", "`becomes` is missing: a row of this table says how it is said plainly")
        for role in places_in(row.becomes or ""):
            if role not in roles:
                hint = did_you_mean(role, roles) or "its words hold: " + " ".join(sorted(roles))
                self._problem(draft, ("rows", n, "becomes"), "K613", f"`{role}` is not held by the row's words", hint)

    def _gives(self, draft: Draft, n: int, row: SpokenRowShape) -> None:
        """Whether what a row gives can be read."""
        for key, value in row.gives.items():
            if key in NUMBERS_GIVEN and not _is_number(value):
                self._problem(draft, ("rows", n, "gives", key), "K605", f"`{value}` is not a number", "write 2 or 0.5")
            elif key == "period" and value not in PERIODS:
                hint = "periods: " + " ".join(PERIODS)
                self._problem(draft, ("rows", n, "gives", key), "K618", f"`{value}` is not a period that is counted in", hint)

    def _reads(self, draft: Draft, n: int, row: SpokenRowShape, roles: list[set[str]]) -> None:
        """Whether the words of a row hold what its answer is made of."""
        for said in row.says:
            wanted = QUESTIONS[self.id.partition(".")[2]].reads.get(said, ())
            for held in roles if wanted else ():
                if not {*held, *row.gives} & set(wanted):
                    hint = "a pattern with `#` stands in quotes, or YAML takes it for a comment"
                    names = " or ".join(f"`{role}`" for role in wanted)
                    self._problem(
                        draft, ("rows", n, "words"), "K619", f"`{said}` is made of {names}, which the words do not hold", hint
                    )
                    break

    def _problem(self, draft: Draft, path: Path_, code: str, what: str, hint: str = "", of_key: bool = False) -> None:
        self.facts.problems.append(Problem(draft.place(path, of_key), code, what, hint))


def _is_number(text: str) -> bool:
    value = number(text)
    return value is not None and value > 0
