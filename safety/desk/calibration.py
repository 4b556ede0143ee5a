"""How loudly rules deserve to be shown, learnt from what became of their alerts, without a word of them changed.

After GSEM (section 4.3): a quality Q of each rule and a weight W of each pair of rules that spoke together, moved by feedback in
[-1, 1], credited by rank, clipped to [0, 1]. It orders what is shown and never what must interrupt: those stand first, always.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final, Literal

from msgspec import Struct

from safety.desk.feedback import Answer
from safety.knowledge.entries import Entry
from safety.knowledge.library import Library
from safety.model.report import RANK, Finding

LEARNING_Q: Final = Decimal("0.1")
LEARNING_W: Final = Decimal("0.05")
DECAY: Final = Decimal("0.8")
EDGE: Final = Decimal("0.35")
"""Learning rates, decay by rank, and how alike two rules must be to have a weight: as in the paper's experiments."""
_HALF: Final = Decimal("0.5")
FIRST: Final = 1 / (1 + (-_HALF).exp())
"""Quality to begin with (equation 4): each rule in force passes all of its own cases, 1, against a base of one half."""
FEWEST: Final = 20
SELDOM: Final = Decimal("0.25")
"""A rule stands last once so many have answered it and its quality has fallen so low."""

Tier = Literal["now", "shown", "last"]
Pair = tuple[str, str]


class Calibration(Struct, frozen=True):
    """What was learnt: the quality of each rule that was answered, the weight of pairs, and how many answers each rule had."""

    quality: Mapping[str, Decimal] = {}
    weight: Mapping[Pair, Decimal] = {}
    answered: Mapping[str, int] = {}

    def of(self, rule: str) -> Decimal:
        """The quality of a rule, also of one that nobody answered."""
        return self.quality.get(rule, FIRST)

    def between(self, one: str, other: str) -> Decimal:
        """The weight of two rules; nothing where they have none."""
        return self.weight.get(_pair(one, other), Decimal(0))

    def tier(self, rule: str) -> Tier:
        """Where a rule stands that need not interrupt."""
        return "last" if self.answered.get(rule, 0) >= FEWEST and self.of(rule) <= SELDOM else "shown"


class Standing(Struct, frozen=True):
    """A finding, unchanged, and where it is shown: `now` interrupts, `last` was seldom heeded."""

    finding: Finding
    tier: Tier
    quality: Decimal


def credits(rules: Sequence[str]) -> dict[str, Decimal]:
    """What of a feedback each rule is credited with, by its rank (equation 8)."""
    whole = sum((DECAY**rank for rank in range(1, len(rules) + 1)), Decimal(0))
    return {rule: DECAY**rank / whole for rank, rule in enumerate(rules, 1)}


def pair_credits(credit: Mapping[str, Decimal], edges: Iterable[Pair]) -> dict[Pair, Decimal]:
    """What of a feedback each pair is credited with (equation 9)."""
    joint = {edge: credit[edge[0]] * credit[edge[1]] for edge in edges}
    whole = sum(joint.values(), Decimal(0))
    return {edge: value / whole for edge, value in joint.items()}


def calibrated(answers: Iterable[Answer], library: Library) -> Calibration:
    """What answers teach, in their order (equation 10).

    The paper has one feedback for all that was shown together; here each alert has its own, and a pair half of each of its
    two. Where all are answered alike that is the paper's equation. W(t) on its right-hand side is the prior: what was learnt
    is summed up in phi and added to it once.
    """
    quality: dict[str, Decimal] = {}
    learnt: dict[Pair, Decimal] = {}
    prior: dict[Pair, Decimal] = {}
    answered: Counter[str] = Counter()
    for answer in answers:
        rules = tuple(dict.fromkeys(answer.beside or (answer.rule,)))
        if answer.rule not in rules or answer.rule not in library.entry:
            continue
        credit = credits(rules)
        answered[answer.rule] += 1
        before = quality.get(answer.rule, FIRST)
        quality[answer.rule] = _clipped(before + LEARNING_Q * credit[answer.rule] * answer.signal)
        for edge, share in pair_credits(credit, _edges(rules, library, prior)).items():
            if answer.rule in edge:
                learnt[edge] = learnt.get(edge, Decimal(0)) + LEARNING_W * share * answer.signal * _HALF
    weight = {edge: _clipped(like + learnt.get(edge, Decimal(0))) for edge, like in prior.items() if like >= EDGE}
    return Calibration(quality, weight, dict(answered))


def _clipped(value: Decimal) -> Decimal:
    return min(max(value, Decimal(0)), Decimal(1))


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one <= other else (other, one)


def _edges(rules: Sequence[str], library: Library, prior: dict[Pair, Decimal]) -> list[Pair]:
    """The pairs of rules that are alike enough to have a weight."""
    known = [rule for rule in rules if rule in library.entry]
    pairs = [_pair(one, other) for n, one in enumerate(known) for other in known[n + 1 :]]
    for pair in pairs:
        if pair not in prior:
            prior[pair] = likeness(library.entry[pair[0]], library.entry[pair[1]])
    return [pair for pair in pairs if prior[pair] >= EDGE]


def likeness(one: Entry, other: Entry) -> Decimal:
    """How alike two rules are, from 0 to 1 (equation 5): half by the medicines they share, a quarter each by kind and harm."""
    first, second = _medicines(one), _medicines(other)
    shared = Decimal(len(first & second)) / max(len(first | second), 1)
    same = (one.kind == other.kind) + bool(set(one.harms) & set(other.harms))
    return shared / 2 + Decimal(same) / 4


def _medicines(e: Entry) -> set[str]:
    return {drug for leaf in e.slots for drug in leaf.members or ()}


# ------------------------------------------------------------------ what is shown first


def must_interrupt(finding: Finding) -> bool:
    """Whether nothing that was learnt may move a finding from its place on top."""
    return finding.interrupt or finding.severity == "contraindicated" or any(must_interrupt(also) for also in finding.also)


def arranged(findings: Sequence[Finding], learnt: Calibration) -> list[Standing]:
    """Findings in the order in which they are shown, every one of them, each as it was.

    What must interrupt stands first, in its own order. Of the rest a louder one stays above a milder one; among equally loud
    ones the next is the best of half its quality and half its weight with the one before (equation 6); seldom heeded ones end.
    """
    first = [f for f in findings if must_interrupt(f)]
    rest = [f for f in findings if not must_interrupt(f)]
    made = [Standing(f, "now", learnt.of(f.rule)) for f in first]
    for tier in ("shown", "last"):
        for rank in sorted({RANK[f.severity] for f in rest}):
            here = [f for f in rest if RANK[f.severity] == rank and learnt.tier(f.rule) == tier]
            made += [Standing(f, tier, learnt.of(f.rule)) for f in _chained(here, learnt)]
    return made


def _chained(findings: Sequence[Finding], learnt: Calibration) -> list[Finding]:
    left, made = list(findings), list[Finding]()
    while left:
        before = made[-1].rule if made else ""
        best = max(range(len(left)), key=lambda n: (learnt.of(left[n].rule) + learnt.between(before, left[n].rule), -n))
        made.append(left.pop(best))
    return made
