"""What the medicines of a patient need measured: what is due, why, and how often; one line for each test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from safety.judging.judgement import Judgement
from safety.knowledge import library as lib
from safety.model.report import RANK, Due, DueState, Hole, Severity
from safety.understanding.facts import Facts

MONITORING = "monitoring"
_MEASURE = "monitor"
_LOUD: tuple[Severity, ...] = ("major", "contraindicated")
_SINCE = "since"
_NAMED = 2
"""So many of the tests of which one is enough are named."""


def is_reminder(judgement: Judgement) -> bool:
    """Whether a broken judgement only reminds of a test: a suggestion, which breaks nothing.

    Nobody was harmed by a medicine because no result stands in a list, and lists are seldom whole: what is to be measured is
    told under `due`, what a label presses first. A finding is what asks for something else than to measure (no capsule before
    a negative pregnancy test), and what is so urgent that the medicine waits for it.
    """
    entry = judgement.entry
    return entry.kind == MONITORING and entry.do == _MEASURE and judgement.severity not in _LOUD


def opens_no_question(judgement: Judgement) -> bool:
    """Whether nobody is asked when a test was last done: of the mildest reminders. Of the others that is a question."""
    return judgement.severity == "minor" and is_reminder(judgement)


def due_tests(judged: Iterable[Judgement], facts: Facts) -> list[Due]:
    """The tests that entries on monitoring ask for, those that are asked for loudest first; one line for the same tests."""
    found: list[Due] = []
    for judgement in sorted(judged, key=_asks_since_when):
        one = _due(judgement, facts)
        if one is None:
            continue
        before = next((d for d in found if not set(d.tests).isdisjoint(one.tests)), None)
        if before is not None and _asks_since_when(judgement):
            continue
        if before is not None:
            found.remove(before)
            one = _both(before, one)
        found.append(one)
    return sorted(found, key=lambda d: (_STATES.index(d.state), RANK[d.severity], d.name))


def _asks_since_when(judgement: Judgement) -> bool:
    """Whether it is open only as nobody tells since when a medicine is taken: what is asked for in its first weeks opens nothing
    where the same test is asked for all along."""
    return judgement.verdict == "unknown" and _SINCE in judgement.needs


def not_measured(due: Iterable[Due]) -> list[Hole]:
    """Tests that a label presses and that are not on file: no rule is broken, and silence about them is not clear either.

    The mildest reminders (a yearly test of somebody who is well) keep nothing from being clear.
    """
    return [
        Hole("not told", one.tests[0], f"{one.called}: {one.saw or 'none on file'}", [_OF_RESULTS])
        for one in due
        if one.state == "due" and one.severity != "minor"
    ]


_OF_RESULTS = "lab"
_STATES: tuple[DueState, ...] = ("due", "not told", "in time")
_STATE_OF: dict[str, DueState] = {"violated": "due", "unknown": "not told"}


def _due(judgement: Judgement, facts: Facts) -> Due | None:
    entry, library = judgement.entry, facts.library
    tests, within = _asked(entry.constraint.lines)
    if not tests:
        return None
    ways = (b for way in judgement.ways for _, b in way)
    drugs = dict.fromkeys(b.drug for b in (*(b for _, b in judgement.bound), *judgement.also, *ways))
    state = _STATE_OF.get(judgement.verdict, "in time")
    days = [r.on for t in tests for r in facts.history.get(t, ()) if r.on is not None and not r.derived]
    days += [p.on for p in facts.findings.procedures if p.measures in tests and p.status == "done" and p.on is not None]
    advice = entry.advice
    for slot, bound in judgement.bound:
        advice = advice.replace("{" + slot + "}", library.name_of(bound.drug))
    return Due(
        list(tests), " or ".join(library.lab[t].name for t in tests[:_NAMED]), state, judgement.severity,
        [library.name_of(d) for d in drugs], within, max(days).isoformat() if days else "", judgement.saw, advice, [entry.id],
        list(entry.evidence),
    )  # fmt: skip


def _asked(lines: Sequence[lib.LeafType]) -> tuple[tuple[str, ...], int | None]:
    """The tests that a requirement names, and how many days one lasts."""
    for leaf in lines:
        if isinstance(leaf, lib.AnyLeaf):  # "the enzyme or the gene": what is measured stands first
            return _asked(leaf.lines)
        if isinstance(leaf, lib.MeasuredLeaf):
            return leaf.tests, leaf.within
        if isinstance(leaf, lib.LabLeaf):
            return (leaf.test,), leaf.newest_within
    return (), None


def _both(one: Due, other: Due) -> Due:
    """Two reasons for the same tests, or for some of them: the louder, with the medicines and the sources of both."""
    first, second = sorted((one, other), key=lambda d: (_STATES.index(d.state), RANK[d.severity], d.every or 0))
    return replace(
        first,
        medicines=list(dict.fromkeys((*first.medicines, *second.medicines))),
        rules=[*first.rules, *second.rules],
        evidence=[*first.evidence, *(c for c in second.evidence if c not in first.evidence)],
    )
