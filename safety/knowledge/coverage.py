"""The coverage ledger: which labels were read, on which day, and where each of their statements is held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from safety.errors import Problem
from safety.knowledge.coverage_shapes import CoverageShape
from safety.knowledge.drafts import Draft
from safety.knowledge.library import Coverage, Statement
from safety.knowledge.nouns import FactCompiler
from safety.text import did_you_mean


def ledger(facts: FactCompiler) -> Sequence[Coverage]:
    """The ledgers that there are, in order of id."""
    return facts.table("coverage", "coverage", Coverage, lambda draft, s: _coverage(facts, draft, s))


def _coverage(facts: FactCompiler, draft: Draft, s: CoverageShape) -> Coverage:
    known = facts.known("drug", s.drug, draft, ("drug",))
    name, named = draft.id.partition(".")[2], s.drug.partition(".")[2]
    if known and name != named and not name.startswith(f"{named}-"):
        message = f"`{s.drug}` is not the drug of `{draft.id}`"
        hint = f"its ledger stands in kb/coverage/{named}.yaml, that of a further label in {named}-injection.yaml or the like"
        facts.problems.append(Problem(draft.place(("drug",)), "K226", message, hint))
    for n, item in enumerate(s.evidence):
        if item.checked.how != "read":
            hint = "open the label, and say so: `checked: {how: read, on: DAY, copy: ADDRESS}`"
            place = draft.place(("evidence", n))
            facts.problems.append(Problem(place, "K227", "the ledger says that a label was read, and this one was not", hint))
    evidence = facts.citations(draft)
    facts.problems.extend(_not_in_use(facts, draft, s))
    sections = {
        str(section): tuple(
            Statement(x.says, tuple(x.for_), tuple(x.held), x.left_out or "", str(draft.place(("sections", section, n))))
            for n, x in enumerate(statements)
        )
        for section, statements in s.sections.items()
    }
    days = [item.checked.on for item in s.evidence if item.checked.on is not None]
    routes, unread = tuple(s.routes), tuple(str(section) for section in s.unread)
    return Coverage(
        draft.id,
        s.drug,
        max(days, default=None),
        s.supply,
        routes,
        sections,
        unread,
        evidence,
        draft.origin,
        str(draft.place(())),
    )


def _not_in_use(facts: FactCompiler, draft: Draft, s: CoverageShape) -> Iterator[Problem]:
    """A problem for each entry that is said to hold a statement, and that nobody is judged by."""
    for section, n, statement in ((section, n, x) for section, listed in s.sections.items() for n, x in enumerate(listed)):
        for m, i in enumerate(statement.held):
            known, status = i in facts.drafts.rules, facts.drafts.rules.standing(i)
            place = draft.place(("sections", section, n, "held", m))
            if not known and i not in facts.drafts.broken:
                yield Problem(place, "K301", f"`{i}` is not a rule that we know", did_you_mean(i, facts.drafts.rules))
            elif known and status != "active":  # one that a site retires is seen when it is asked for: a site breaks no ledger
                hint = "what nobody is judged by yet is `left_out`"
                yield Problem(place, "K228", f"`{i}` is {status}: it is not held", hint)
