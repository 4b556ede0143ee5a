"""The coverage ledger: which labels were read, on which day, and what of them is held, kind of check by kind of check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from safety.errors import Problem
from safety.knowledge.coverage_shapes import CoverageShape
from safety.knowledge.drafts import Draft
from safety.knowledge.library import Coverage, Section
from safety.knowledge.nouns import FactCompiler
from safety.text import did_you_mean


class _Judged(Struct, frozen=True):
    """Whether an entry that a section names is there, and in use."""

    known: bool
    status: str = ""


def ledger(facts: FactCompiler) -> Sequence[Coverage]:
    """The ledger of every drug that has one, in order of id."""
    return facts.table("coverage", "coverage", Coverage, lambda draft, s: _coverage(facts, draft, s))


def _coverage(facts: FactCompiler, draft: Draft, s: CoverageShape) -> Coverage:
    known = facts.known("drug", s.drug, draft, ("drug",))
    if known and s.drug.partition(".")[2] != draft.id.partition(".")[2]:
        message = f"`{s.drug}` is not the drug of `{draft.id}`"
        hint = f"its ledger stands in kb/coverage/{s.drug.partition('.')[2]}.yaml"
        facts.problems.append(Problem(draft.place(("drug",)), "K226", message, hint))
    for n, item in enumerate(s.evidence):
        if item.checked.how != "read":
            hint = "open the label, and say so: `checked: {how: read, on: DAY, copy: ADDRESS}`"
            place = draft.place(("evidence", n))
            facts.problems.append(Problem(place, "K227", "the ledger says that a label was read, and this one was not", hint))
    evidence = facts.citations(draft)
    facts.problems.extend(_not_in_use(facts, draft, s))
    sections = {str(check): Section(at.at, tuple(at.held), tuple(at.left_out)) for check, at in sorted(s.sections.items())}
    days = [item.checked.on for item in s.evidence if item.checked.on is not None]
    return Coverage(draft.id, s.drug, max(days, default=None), sections, evidence, draft.origin, str(draft.place(())))


def _not_in_use(facts: FactCompiler, draft: Draft, s: CoverageShape) -> Iterator[Problem]:
    """A problem for each entry that a section says is held, and that nobody is judged by."""
    for check, section in s.sections.items():
        for n, i in enumerate(section.held):
            found = _judged(facts, i)
            place = draft.place(("sections", check, "held", n))
            if not found.known and i not in facts.drafts.broken:
                yield Problem(place, "K301", f"`{i}` is not a rule that we know", did_you_mean(i, facts.drafts.rules))
            elif found.known and found.status != "active":
                hint = "what nobody is judged by yet is `left_out`"
                yield Problem(place, "K228", f"`{i}` is {found.status}: it is not held", hint)


def _judged(facts: FactCompiler, i: str) -> _Judged:
    rules = facts.drafts.rules
    if i not in rules:
        return _Judged(False)
    shape: Any = rules[i].shape
    return _Judged(True, shape.status)  # one that a site retires is seen when it is asked for: a site breaks no ledger
