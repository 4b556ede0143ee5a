"""Scores plans that are at hand, in memory: `safety.scoring.score`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from msgspec import Struct

from safety.answering.checker import Checker
from safety.errors import Place, Problem, RequestError
from safety.model.patient import Case
from safety.scoring.bench import Settings
from safety.scoring.intervals import Sampling, can_sample
from safety.scoring.measures import POLICIES, Policy
from safety.scoring.plans import Part, Plan, Unreadable, plan_of
from safety.scoring.quality import Weights
from safety.scoring.revising import CORE, OTHER
from safety.scoring.scored import Scored
from safety.scoring.scorer import Scorer
from safety.scoring.summary import How, Summary, pairs_of, summarise
from safety.scoring.tally import Tally


class Judging(Protocol):
    """What plans are judged by: an engine, as `safety.load()` gives it."""

    @property
    def checker(self) -> Checker:
        """What answers a case."""

    def read_texts(self, case: Case, texts: Mapping[Part, str]) -> tuple[Case, Mapping[str, Any]]:
        """A case with what free text tells, and what was read."""


class Scores(Struct, frozen=True):
    """Every plan's score in the order of the plans (what could not be read in its place), and the summary of them."""

    rows: tuple[Scored | Unreadable, ...]
    summary: Summary

    @property
    def scored(self) -> list[Scored]:
        """The plans that could be read."""
        return [row for row in self.rows if isinstance(row, Scored)]

    @property
    def unreadable(self) -> list[Unreadable]:
        """The others."""
        return [row for row in self.rows if isinstance(row, Unreadable)]


def score(
    plans: Iterable[Plan | Case | Mapping[str, Any]], engine: Judging, *, policy: Policy = "report", by: Sequence[str] = (),
    as_of: date | None = None, sampling: Sampling | None = None, weights: Weights | None = None,
) -> Scores:  # fmt: skip
    """Scores plans, each a case with its `plan` (and `gold`, `constraints`, `revised`, `core`, `model`), a mapping of one, or a
    `Plan`.

    `policy`: what is not known counts as a violation (`strict`), as none (`lenient`), or is left out and told apart (`report`).
    `by`: groups that metrics are told for: `age`, `core`, `department` or another tag. A plan that cannot be read is answered
    by what is wrong with it. Raises RequestError for what is wrong with all of them.
    """
    if policy not in POLICIES:
        raise RequestError([Problem(Place("policy"), "R119", "is not a policy that we know", f"one of: {' '.join(POLICIES)}")])
    settings = Settings(weights or Weights(), as_of)
    scorer = Scorer(engine.checker, settings, tell=engine.read_texts)
    rows = tuple(scorer.score(_each(plans, by)))
    drawn, notes = sampling_here(sampling or Sampling())
    tally = Tally(by).add_all(rows)
    how = How(policy, drawn, told_settings(settings), notes)
    paired = pairs_of([row for row in rows if isinstance(row, Scored)])
    return Scores(rows, summarise(tally, engine.checker.made_by, how, paired))


def told_settings(settings: Settings) -> dict[str, Any]:
    """The settings as a summary tells them."""
    return {
        "class_equivalent": settings.weights.class_equivalent,
        "dose": settings.weights.dose,
        "tau_core": CORE,
        "tau_other": OTHER,
    }


def sampling_here(wanted: Sampling) -> tuple[Sampling, list[str]]:
    """The sampling that can be done here, and what to say where none can."""
    if can_sample() or not wanted.resamples:
        return wanted, []
    return Sampling(wanted.seed, 0), ["no intervals: NumPy is not installed (pip install 'medsafe[scoring]')"]


def _each(plans: Iterable[Plan | Case | Mapping[str, Any]], by: Sequence[str]) -> Iterable[Plan | Unreadable]:
    for n, plan in enumerate(plans, 1):
        if isinstance(plan, Plan):
            yield plan
        elif isinstance(plan, Case):
            yield Plan(n, plan)
        else:
            try:
                yield plan_of(plan, n, by)
            except RequestError as error:
                yield Unreadable(n, None, tuple(error.problems))
