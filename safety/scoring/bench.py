"""What plans are judged with: the engine's answers, what a plan holds, how much of a reference it covers, and whether it meets
constraints. One of it serves everything that scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date

from msgspec import Struct

from safety.answering.checker import Checker
from safety.model.patient import Case
from safety.model.refused import Refused
from safety.model.report import Report
from safety.scoring.constraints import Answered, Constraints, Proposed
from safety.scoring.critic import Critique
from safety.scoring.quality import Component, Coverage, Equivalence, Weights, components_of, coverage
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry

Check = Callable[[Sequence[Case]], Iterable[Report | Refused]]
"""Answers cases, each with its report, in their order."""


class Settings(Struct, frozen=True):
    """How plans are scored: what a gold component counts for, the day to judge on where a case tells none, and whether
    unsafe plans are repaired."""

    weights: Weights = Weights()
    as_of: date | None = None
    repairs: bool = False


class Bench:
    """Judges plans with one library; made once, shared by everything that scores."""

    def __init__(self, checker: Checker, settings: Settings | None = None, check: Check | None = None) -> None:
        self.checker, self.library = checker, checker.library
        self.settings = settings or Settings()
        self.same = Equivalence(checker.library)
        self._check = check or self._side_by_side
        self._constraints = Constraints(checker.library, checker.resolver)

    def _side_by_side(self, cases: Sequence[Case]) -> Iterator[Report | Refused]:
        dated = [(case, case.as_of) for case in cases if case.as_of is not None]
        assert len(dated) == len(cases)
        return self.checker.counted_each(dated)

    def answers(self, constraints: Sequence[str], case: Case, said: Critique) -> list[Answered]:
        """Whether the plan of a case, of which the critic says this, meets each of these constraints."""
        proposed = Proposed(self.entries(case), said)
        return [self._constraints.check(text, proposed) for text in constraints]

    def reports(self, cases: Sequence[Case]) -> list[Report | Refused]:
        """The engine's answers, each case told its day."""
        return list(self._check(cases))

    def for_a_reader(self, case: Case) -> Report:
        """The whole answer about a case that is told its day, with what may be taken instead."""
        assert case.as_of is not None
        return self.checker.check(case, case.as_of)

    def held(self, reference: Sequence[Component], case: Case, *, replaced: bool = False) -> Coverage:
        """How much of a reference the plan of a case holds."""
        own, weights = self.components(case), self.settings.weights
        return coverage(reference, own, self.library, self.same, weights, replaced=replaced)

    def components(self, case: Case) -> list[Component]:
        """The active ingredients of a case's plan."""
        return components_of(self.entries(case), self.library)

    def entries(self, case: Case) -> tuple[Entry, ...]:
        """What is proposed, as it was understood."""
        assert case.as_of is not None
        entries = Facts(case, self.checker.terms, case.as_of).entries
        return tuple(e for e in entries if e.where.among == "plan" and e.current)
