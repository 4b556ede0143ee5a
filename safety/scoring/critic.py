"""The safety critic of a proposed regimen, in the fields of MedConsultBench (its `safety_critic_prompt`): what the engine's
report says of the plan, with the rules, their evidence, and what could not be judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct, UnsetType

from safety.answering.assumed import stands
from safety.judging.candidates import CHECKS
from safety.knowledge.library import Library
from safety.model.report import RANK, Citation, Finding, Report, Subject, Unknown

PaperSeverity = Literal["CRITICAL", "MAJOR", "MODERATE", "MINOR"]
_PAPER: dict[str, PaperSeverity] = {
    "contraindicated": "CRITICAL", "major": "MAJOR", "moderate": "MODERATE", "minor": "MINOR",
}  # fmt: skip
INTERACTION, OMISSION = "interaction", "omission"
DOSE = frozenset({"dose", "otc_limit", "adherence"})
PROFILE = frozenset(
    {"contraindication", "allergy", "pregnancy", "lactation", "age", "renal", "hepatic", "otc_disallowed", "route"}
)
"""Kinds of rules in which a medicine conflicts with the patient."""
PLAN_TEXT = "plan_text"
"""Where a part of the text of a plan is said to stand."""
_NEVER_HARD = frozenset({"lab", "monitoring", "duplicate"})
"""Checks that no hard violation comes of."""


class Raised(Struct, frozen=True):
    """One rule that speaks against the regimen: its medicines as told and as drugs, the paper's severity and ours, the reason,
    what to do, whether it counts as a hard violation, and on which sources it rests (`source, at (how it was checked)`)."""

    drugs: list[str]
    severity: PaperSeverity
    reason: str
    recommendation: str
    rule: str
    kind: str
    level: str
    hard: bool
    where: list[str]
    evidence: list[str]


class Open(Struct, frozen=True):
    """What could not be judged of the regimen: the rule or fact, why, how to ask for it, and whether a hard violation may lie
    in it. `assumed`: a rule that is broken only where a fact that was not told is not the usual one; `severity`: one that would
    be louder with it. `kind`: of a rule, its kind; `checks`: else, which checks are open."""

    about: str
    because: Literal["rule", "assumed", "severity", "not held", "not told", "not read", "contradicts"]
    ask: str
    may_be_hard: bool
    where: list[str] = []
    kind: str = ""
    checks: list[str] = []


class Critique(Struct, frozen=True):
    """The paper's fields, then ours. `overall_safe`: no where a hard violation was found, None where one may lie in what could
    not be judged. `standing`: what speaks against what the patient takes already, and is no fault of the plan."""

    overall_safe: bool | None
    contraindications: list[Raised]
    drug_interactions: list[Raised]
    dose_issues: list[Raised]
    profile_conflicts: list[Raised]
    missing_components: list[Raised]
    hard_violations_count: int
    recommendations: list[str]
    others: list[Raised] = []
    standing: list[Raised] = []
    unknowns: list[Open] = []

    @property
    def raised(self) -> list[Raised]:
        """Every rule that speaks against the regimen, the missing components apart."""
        return [
            *self.contraindications, *self.drug_interactions, *self.dose_issues, *self.profile_conflicts, *self.others,
        ]  # fmt: skip


def critique(report: Report, library: Library) -> Critique:
    """What a report says of the plan of its case."""
    findings = report.every_finding
    own = [f for f in findings if f.kind != OMISSION and _of_plan(f.subjects)]
    standing = [f for f in findings if f.kind != OMISSION and not _of_plan(f.subjects)]
    unknowns = _unknowns(report, own)
    hard = sum(f.hard for f in own)

    def listed(chosen: Iterable[Finding]) -> list[Raised]:
        return [_raised(f, library) for f in sorted(chosen, key=_order)]

    return Critique(
        overall_safe=False if hard else None if any(u.may_be_hard for u in unknowns) else True,
        contraindications=listed(f for f in own if _is_contraindication(f)),
        drug_interactions=listed(f for f in own if f.kind == INTERACTION),
        dose_issues=listed(f for f in own if f.kind in DOSE),
        profile_conflicts=listed(f for f in own if f.kind in PROFILE and not _is_contraindication(f)),
        missing_components=listed(f for f in findings if f.kind == OMISSION),
        hard_violations_count=hard,
        recommendations=list(dict.fromkeys(f.advice for f in sorted(own, key=_order) if f.advice)),
        others=listed(f for f in own if f.kind not in DOSE | PROFILE and f.kind != INTERACTION),
        standing=listed(standing),
        unknowns=unknowns,
    )


def _is_contraindication(f: Finding) -> bool:
    return f.kind in PROFILE and f.severity == "contraindicated"


def _of_plan(subjects: Iterable[Subject]) -> bool:
    return any(s.where.among == "plan" for s in subjects)


def _order(f: Finding) -> tuple[int, str, list[str]]:
    return RANK[f.severity], f.rule, [str(s.where) for s in f.subjects]


def _raised(f: Finding, library: Library) -> Raised:
    return Raised(
        drugs=list(dict.fromkeys(name for s in f.subjects for name in _names(s, library))),
        severity=_PAPER[f.severity],
        reason=f"{f.title}: {f.harm}" if f.harm else f.title,
        recommendation=f.advice,
        rule=f.rule,
        kind=f.kind,
        level=f.severity,
        hard=f.hard,
        where=_places(f),
        evidence=[_cited(c) for c in f.evidence],
    )


@lru_cache(1 << 14)
def _said_of(source: str, at: str, checked: str) -> str:
    return f"{source}{', ' + at if at else ''} ({checked})"


def _cited(c: Citation) -> str:
    """On which source it rests, in short."""
    return _said_of(c.source, c.at, c.checked)


def _names(subject: Subject, library: Library) -> Sequence[str]:
    if subject.drug is None:
        return (subject.text,)
    drugs = (subject.drug,) if isinstance(subject.drug, str) else subject.drug
    return [library.name_of(d) for d in drugs]


# ------------------------------------------------------------------ what could not be judged


def may_be_hard(kind: str, severity: str) -> bool:
    """Whether a rule of this kind and severity would count as a hard violation if it were broken."""
    return severity == "contraindicated" or (severity == "major" and kind == INTERACTION) or kind == "dose"


def _unknowns(report: Report, own: Sequence[Finding]) -> list[Open]:
    """Rules that wait for a fact and could concern the plan; and every hole that keeps silence from meaning anything.

    A plan without medicines has no hole but what was not read of it: nothing is proposed that a fact could speak against.
    """
    unread = _unread_of_plan(report)
    if not any(m.where.among == "plan" for m in report.medications):
        return unread
    found = unread
    found += [_rule(u) for u in report.unknown if _of_plan(u.subjects) or not u.subjects]
    for f in own:
        if not stands(f):
            found.append(Open(f.rule, "assumed", _asked(f), may_be_hard(f.kind, f.severity), _places(f), f.kind))
        elif f.severity_needs and not f.hard:
            found.append(Open(f.rule, "severity", "", True, _places(f), f.kind))
    for n in report.not_covered:
        if n.where.among == "plan":
            found.append(Open(f"{n.drug}: {', '.join(n.lacks)}", "not held", "", True, [str(n.where)], "", n.lacks))
    for hole in report.unknown_because:
        if hole.because != "not held":
            hard = not _NEVER_HARD.issuperset(hole.checks)
            where = [str(hole.where)] if hole.where else []
            found.append(Open(hole.text, hole.because, hole.ask, hard, where, "", hole.checks))
    return found


def _unread_of_plan(report: Report) -> list[Open]:
    """Parts of the text of a plan that were not read."""
    parts = () if isinstance(report.read, UnsetType) else report.read.unread
    return [Open(f"{u.what}: {u.why}", "not read", "", True, [], "", list(CHECKS)) for u in parts if u.where == PLAN_TEXT]


def _asked(f: Finding) -> str:
    return " ".join(dict.fromkeys(a.ask for a in f.assumed if a.ask))


def _places(f: Finding) -> list[str]:
    return [str(s.where) for s in f.subjects]


def _rule(u: Unknown) -> Open:
    where = [str(s.where) for s in u.subjects]
    return Open(u.rule, "rule", u.ask, may_be_hard(u.kind, u.severity), where, u.kind)
