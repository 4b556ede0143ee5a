"""Drafts of rules, limits and inferences → judged entries, with everything they refer to looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, cast

from safety.errors import Problem
from safety.knowledge import library as lib
from safety.knowledge import shapes
from safety.knowledge.documents import Path_
from safety.knowledge.dose_shapes import DoseCaseShape, DoseShape
from safety.knowledge.doses import dose_entry
from safety.knowledge.drafts import Draft, Drafts
from safety.knowledge.harms import HarmCompiler
from safety.knowledge.lines import LineCompiler, written
from safety.knowledge.memory import MadeRecords
from safety.knowledge.nouns import FactCompiler
from safety.knowledge.pairing import PairCompiler
from safety.knowledge.proofs import Cases, Proof, SealedProofs, sealed
from safety.text import did_you_mean

PROOFS = "work.proofs"
"""The section of the cases."""
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def entries(drafts: Drafts, facts: FactCompiler, harms: HarmCompiler) -> Sequence[lib.Entry]:
    """Every judged entry, in order of id."""

    made = drafts.memory.section("entries", lib.Entry, drafts.rules.peek, lambda draft: entry_of(drafts, facts, harms, draft))
    return MadeRecords(held for i in sorted(drafts.rules) if (held := made(i)) is not None)


def entry_of(drafts: Drafts, facts: FactCompiler, harms: HarmCompiler, draft: Draft) -> lib.Entry | None:
    """One judged entry; None where it has a problem."""
    if isinstance(draft.shape, DoseShape):
        return dose_entry(drafts, facts, harms, draft)
    return _EntryCompiler(drafts, facts, harms, draft).entry()


def inferences(facts: FactCompiler) -> Sequence[lib.Inference]:
    """Facts that follow from other facts."""

    def build(draft: Draft, s: Any) -> lib.Inference:
        facts.cited(draft)
        lines = LineCompiler(facts, draft).lines(s.when, ("when",))
        kidney = facts.clearance(s.then.kidney, draft, ("then", "kidney"))
        place = str(draft.place(()))
        had = tuple(i for n, i in enumerate(s.then.has) if facts.known("condition", i, draft, ("then", "has", n)))
        return lib.Inference(draft.id, lines, s.then.pregnancy, s.then.breastfeeding, draft.origin, place, kidney, had)

    return facts.table("inferences", "inference", lib.Inference, build)


def proofs(drafts: Drafts) -> Cases:
    """The cases that each judged entry carries."""
    made = drafts.memory.section(PROOFS, SealedProofs, drafts.rules.peek, lambda draft: tuple(map(sealed, _proofs(draft))))
    return Cases(MadeRecords(held for i in sorted(drafts.rules) if (held := made(i)) is not None).by_id)


def _proofs(draft: Draft) -> Iterator[Proof]:
    cases: Sequence[shapes.CaseShape | DoseCaseShape] = draft.shape.cases  # type: ignore[attr-defined]
    for n, c in enumerate(cases):
        place = str(draft.place(("cases", n)))
        if isinstance(c, DoseCaseShape):
            expect, direction = _SAID[c.expect]
            yield Proof(draft.id, c.name, c.given, expect, tuple(c.missing), c.severity, place, direction, c.hard, c.suspect)
        else:
            yield Proof(draft.id, c.name, c.given, c.expect, tuple(c.missing), c.severity, place)


_SAID: dict[str, tuple[Literal["violated", "satisfied", "not_applicable", "unknown"], Literal["HIGH", "LOW"] | None]] = {
    "CORRECT": ("satisfied", None),
    "HIGH": ("violated", "HIGH"),
    "LOW": ("violated", "LOW"),
    "UNKNOWN": ("unknown", None),
    "not_applicable": ("not_applicable", None),
}


class _EntryCompiler:
    def __init__(self, drafts: Drafts, facts: FactCompiler, harms: HarmCompiler, draft: Draft) -> None:
        self.drafts = drafts
        self.facts = facts
        self.harms = harms
        self.draft = draft
        self.shape = cast(shapes.JudgedShape, draft.shape)
        self.lines = LineCompiler(facts, draft)
        self.pair = PairCompiler(facts, draft)

    def problem(self, path: Path_, code: str, message: str, hint: str = "", *, key: bool = False) -> None:
        self.facts.problems.append(Problem(self.draft.place(path, key), code, message, hint))

    def entry(self) -> lib.Entry | None:
        s = self.shape
        before = len(self.facts.problems)
        condition = self.lines.lines(s.condition, ("condition",), top=True)
        self.names_a_drug = any(isinstance(leaf, lib.DrugLeaf) for leaf in condition)
        self.names_a_problem = any(isinstance(leaf, lib.HasLeaf) for leaf in condition)
        constraint = self._constraint()
        clauses = tuple(
            lib.SeverityClause(
                self.lines.lines(c.if_, ("severity_when", n, "if")), c.severity, c.because,
                str(self.draft.place(("severity_when", n))),
            )
            for n, c in enumerate(s.severity_when)
        )  # fmt: skip
        outcome = self.harms.named(s.outcome.harm, s.outcome.text, self.draft, ("outcome", "harm"))
        citations = self.facts.citations(self.draft)
        through = self.pair.through()
        title, rationale = s.title or self.pair.title(), s.rationale or self.pair.rationale()
        self._check()
        if len(self.facts.problems) > before or constraint is None:
            return None
        origins = {self.draft.origin, *(self._origin(i) for i in self.lines.used), *outcome.origins, *self.pair.origins}
        off = self.drafts.switched_off.get(self.draft.id)
        over = self.drafts.overrides.get(self.draft.id)
        if over is not None:
            origins.add(over.origin)
        severity = over.severity if over is not None and over.severity is not None else s.severity
        return lib.Entry(
            id=self.draft.id, title=title, kind=s.kind, status=s.status, severity=severity,
            start=s.effective.from_, end=s.effective.to, reviewed=s.review.last, condition=condition, constraint=constraint,
            severity_when=clauses, do=s.action.do, target=s.action.target, advice=s.action.advice,
            if_unavoidable=s.action.if_unavoidable, escalate=s.action.escalate, mechanism=rationale.mechanism,
            why=rationale.summary, harms=outcome.ids, harm=outcome.words, onset=s.outcome.onset, evidence=citations,
            tier=s.tier, tags=tuple(s.tags), place=str(self.draft.place(())), origin=self.draft.origin,
            decided_by=tuple(sorted(o for o in origins if o)),
            switched_off=f"{off[0]}: {off[1]}" if off else "", replaced_by=s.replaced_by, was=tuple(s.was), through=through,
            because=over.because if over is not None and over.severity is not None else "",
            due=s.review.due, by_whom=tuple(s.review.by_whom),
        )  # fmt: skip

    def _origin(self, i: str) -> str:
        return self.drafts.facts[i.partition(".")[0]].whose(i)

    # -------------------------------------------------------------- the constraint

    def _constraint(self) -> lib.Constraint | None:
        c = self.shape.constraint
        kind = c.key
        path: Path_ = ("constraint", kind)
        place = str(self.draft.place(path, True))
        text = f"{kind}: {written(self.draft.raw['constraint'][kind])}"
        slots: tuple[str, ...] = ()
        limits: tuple[lib.Limit, ...] = ()
        lines: tuple[lib.LeafType, ...] = ()
        if kind == "avoid":
            slots = (c.avoid or "",)
            self.lines.need_slot(slots[0], path)
        elif kind == "avoid_together":
            slots = tuple(c.avoid_together or ())
            for n, slot in enumerate(slots):
                self.lines.need_slot(slot, (*path, n))
        elif kind == "require":
            lines = self.lines.lines(c.require or [], path)
        else:
            slots = tuple(self.lines.slots)
            if len(slots) != 1:
                self.problem(path, "K211", f"`{kind}` needs exactly one drug line with `as` in `condition`", key=True)
            rows = getattr(c, kind)
            limits = tuple(self._limit(kind, row, (*path, n)) for n, row in enumerate(rows))
        return lib.Constraint(cast(Any, kind), slots, limits, lines, place, text)

    def _limit(self, kind: str, row: shapes.LimitRow, path: Path_) -> lib.Limit:
        bounds = self.lines.bounds(row, path)
        if not any(getattr(row, op) is not None for op in ("at_least", "at_most", "under", "above")):
            self.problem(path, "K212", "a row of a limit needs an amount", "e.g. `at_most: 4000 mg`")
        for bound in bounds:
            timed = kind in ("dose_interval", "days_of_use")
            if bound.value.value < 0:
                self.problem((*path, bound.op), "K205", f"`{bound.text}` is less than nothing")
            elif timed is not (self.facts.units.dimension(bound.value.unit) == "time"):
                hint = "e.g. `at_most: 10 d` or `at_least: 4 h`" if timed else "e.g. `at_most: 4000 mg`"
                self.problem((*path, bound.op), "K206", f"`{kind}` is {'' if timed else 'not '}counted in time", hint)
        who = self.lines.lines(row.who or [], (*path, "who"))
        if row.source is not None:
            self.facts.known("source", row.source, self.draft, (*path, "source"))
        text = written(self.draft.raw["constraint"][kind][path[-1]])
        excuse = row.if_missing.because if row.if_missing else None
        return lib.Limit(who, row.from_, row.to, bounds, str(self.draft.place(path)), text, excuse)

    # -------------------------------------------------------------- what a shape cannot say

    def _check(self) -> None:
        s = self.shape
        if s.action.target is not None:
            self.lines.need_slot(s.action.target, ("action", "target"))
        for path, text in self._texts():
            for slot in _PLACEHOLDER.findall(text):
                self.lines.need_slot(slot, path)
        if s.effective.to and s.effective.from_ and s.effective.to < s.effective.from_:
            self.problem(("effective",), "K213", "it ends before it begins")
        watched = s.kind == "monitoring" and self.names_a_problem
        if not self.names_a_drug and not watched and s.kind not in ("lab", "burden", "omission", "food"):
            self.problem(("condition",), "K215", "no drug line: this rule would concern everybody", "say which drug it is about")
        self._check_evidence()
        self._check_retirement()
        self._check_cases()

    def _texts(self) -> Iterator[tuple[Path_, str]]:
        """Every text of the card, in which the drugs that are bound may be named."""
        s = self.shape
        yield ("action", "advice"), s.action.advice
        yield ("action", "if_unavoidable"), s.action.if_unavoidable
        yield ("title",), s.title or ""
        yield ("note",), s.note
        yield ("rationale", "summary"), s.rationale.summary if s.rationale is not None else ""
        yield ("outcome", "text"), s.outcome.text or ""

    def _check_evidence(self) -> None:
        known = set(shapes.RuleShape.model_fields)
        for n, clause in enumerate(self.shape.severity_when):
            if clause.evidence is not None:
                self.facts.known("source", clause.evidence, self.draft, ("severity_when", n, "evidence"))
        for n, evidence in enumerate(self.shape.evidence):
            for m, key in enumerate(evidence.supports):
                if key not in known:
                    path: Path_ = ("evidence", n, "supports", m)
                    hint = "e.g. severity, constraint, action"
                    self.problem(path, "K214", f"`{key}` is not a key that evidence can support", hint)

    def _check_retirement(self) -> None:
        s = self.shape
        rules = self.drafts.rules
        if s.replaced_by not in (None, "none") and not (s.replaced_by in rules or s.replaced_by in self.drafts.broken):
            what, hint = f"`{s.replaced_by}` is not a rule that we know", did_you_mean(s.replaced_by, rules)
            self.problem(("replaced_by",), "K301", what, hint)
        retired_folder = "/retired/" in self.draft.document.file
        if (s.status == "retired") != retired_folder:
            self.problem(("status",), "K216", "retired rules, and only they, stand in rules/retired/")
        if s.status == "retired" and not s.replaced_by:
            hint = "`replaced_by: interaction.…` or `none`"
            self.problem(("status",), "K216", "a retired rule names what took its place", hint)

    def _check_cases(self) -> None:
        s = self.shape
        if s.status != "active":
            return
        verdicts = {c.expect for c in s.cases}
        if "violated" not in verdicts:
            self.problem(("cases",), "K501", "no case breaks this rule", "write one patient for whom it must fire", key=True)
        if not verdicts & {"satisfied", "not_applicable"}:
            self.problem(("cases",), "K502", "no near miss", "write one patient for whom it must stay silent", key=True)
        names = [c.name for c in s.cases]
        for n, name in enumerate(names):
            if name in names[:n]:
                self.problem(("cases", n, "name"), "K503", f"a second case is called `{name}`")
