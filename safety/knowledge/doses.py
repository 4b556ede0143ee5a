"""Drafts of dose tables → judged entries: ranges and adjustments with their bounds read and ids looked up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, cast

from safety.errors import Problem
from safety.knowledge import library as lib
from safety.knowledge.documents import Path_
from safety.knowledge.dose_shapes import AmountBounds, DoseRangeShape, DoseShape, TimeBounds
from safety.knowledge.drafts import Draft, Drafts
from safety.knowledge.harms import HarmCompiler, Named
from safety.knowledge.lines import LineCompiler
from safety.knowledge.nouns import FactCompiler
from safety.model.quantity import Quantity

SLOT = "drug"
_SUPPORTS = {"ranges", "adjust", "severity", "too_low", "missed_dose", "harm"}
_TO = re.compile(r"\s+to\s+")
_SIDES: tuple[Literal["at_least", "at_most"], ...] = ("at_least", "at_most")
_MEASURES = {"mass", "volume", "activity", "amount", "charge"}


def dose_entry(drafts: Drafts, facts: FactCompiler, harms: HarmCompiler, draft: Draft) -> lib.Entry | None:
    """One dose table as a judged entry about its ingredient; None, with problems noted, where it cannot be read."""
    return _DoseCompiler(drafts, facts, harms, draft).entry()


class _DoseCompiler:
    def __init__(self, drafts: Drafts, facts: FactCompiler, harms: HarmCompiler, draft: Draft) -> None:
        self.drafts, self.facts, self.harms, self.draft = drafts, facts, harms, draft
        self.shape = cast(DoseShape, draft.shape)
        self.lines = LineCompiler(facts, draft)

    def problem(self, path: Path_, code: str, message: str, hint: str = "", *, key: bool = False) -> None:
        self.facts.problems.append(Problem(self.draft.place(path, key), code, message, hint))

    def entry(self) -> lib.Entry | None:
        s = self.shape
        before = len(self.facts.problems)
        if not self.facts.known("drug", s.drug, self.draft, ("drug",)):
            return None
        if s.drug.partition(".")[2] != self.draft.id.partition(".")[2]:
            self.problem(("drug",), "K218", f"`{self.draft.id}` is about `{s.drug}`", "a dose table is named after its drug")
        high = self.harms.named(s.harm, s.harm_text, self.draft, ("harm",))
        low = self.harms.named(s.harm_low or (), s.harm_low_text, self.draft, ("harm_low",))
        table = lib.DoseTable(
            s.drug, self._ranges(s.ranges, "ranges"), self._ranges(s.adjust, "adjust"), s.too_low, s.must_know,
            low.ids, low.words, s.missed_dose,
        )  # fmt: skip
        citations = self.facts.citations(self.draft)
        self._check(table)
        return self._built(table, high, low, citations) if len(self.facts.problems) == before else None

    def _built(self, table: lib.DoseTable, high: Named, low: Named, citations: Any) -> lib.Entry:
        s, draft = self.shape, self.draft
        place = str(draft.place(()))
        drug: Any = self.drafts.facts["drug"][s.drug]
        leaf = lib.DrugLeaf(slot=SLOT, members={s.drug: ()}, place=place, text=f"drug: {s.drug}")
        constraint = lib.Constraint("dose_ranges", (SLOT,), (), (), str(draft.place(("ranges",), True)), "fit one of its ranges")
        off = self.drafts.switched_off.get(draft.id)
        origins = {draft.origin, drug.origin, *high.origins, *low.origins}
        return lib.Entry(
            id=draft.id, title=f"Dose of {drug.shape.name}", kind="dose", status=s.status, severity=s.severity, start=None,
            end=None, reviewed=s.review.last, condition=(leaf,), constraint=constraint, severity_when=(), do="reduce",
            target=SLOT, advice="Keep {drug} within the doses that are in use.", if_unavoidable="", escalate="pharmacist",
            mechanism="overdose", why="", harms=high.ids, harm=high.words, onset="", evidence=citations, tier=None, tags=(),
            place=place, origin=draft.origin, decided_by=tuple(o for o in sorted(origins) if o),
            switched_off=f"{off[0]}: {off[1]}" if off else "", replaced_by=s.replaced_by, doses=table,
            due=s.review.due, by_whom=tuple(s.review.by_whom),
        )  # fmt: skip

    # -------------------------------------------------------------- ranges

    def _ranges(self, written: Sequence[DoseRangeShape], key: str) -> tuple[lib.DoseRange, ...]:
        return tuple(self._range(r, (key, n)) for n, r in enumerate(written))

    def _range(self, r: DoseRangeShape, path: Path_) -> lib.DoseRange:
        s = self.shape
        for n, i in enumerate(r.for_):
            self.facts.known("condition", i, self.draft, (*path, "for", n))
        who = self.lines.lines(r.who, (*path, "who"))
        usual = "; ".join(f"{b.usual} {what}" for b, what in ((r.single, "at once"), (r.day, "a day")) if b and b.usual)
        routes, forms = (tuple(v) if v else None for v in (r.route or s.route, r.form or s.form))
        return lib.DoseRange(
            r.id, tuple(r.for_), routes, forms, who, self._amounts(r.single, (*path, "single")),
            self._amounts(r.day, (*path, "day")), self._times(r.interval, (*path, "interval")),
            self._times(r.days, (*path, "days")), usual, r.severity, r.why, str(self.draft.place(path)), r.in_a_row,
        )  # fmt: skip

    def _amounts(self, b: AmountBounds | None, path: Path_) -> lib.Bounds:
        if b is None:
            return ()
        found: dict[str, lib.Bound] = {}
        for op in _SIDES:
            text = getattr(b, op)
            amount = self._amount(text, (*path, op)) if text is not None else None
            if amount is not None:
                cap = self._cap(b.cap, amount, path) if op == "at_most" and b.cap else None
                found[op] = lib.Bound(op, amount, str(self.draft.place((*path, op))), str(text), cap)
        for part in _TO.split(b.usual) if b.usual else ():
            usual = self._amount(part, (*path, "usual"))
            for op, wrong in (("at_least", -1), ("at_most", 1)):
                if usual is not None and op in found and self.facts.units.compare(usual, found[op].value) == wrong:
                    self.problem((*path, "usual"), "K220", f"`{part}` is usual and outside `{op}: {found[op].text}`")
        if len(found) == 2 and self.facts.units.compare(found["at_least"].value, found["at_most"].value) == 1:
            self.problem(path, "K213", "it ends before it begins", key=True)
        return tuple(found.values())

    def _cap(self, text: str, most: Quantity, path: Path_) -> Quantity | None:
        cap = self._amount(text, (*path, "cap"))
        if cap is not None and not most.unit.endswith(("/kg", "/m2")):
            self.problem((*path, "cap"), "K221", "`cap` limits an `at_most` per kg or per m2", "write the most itself", key=True)
        return cap

    def _amount(self, text: str, path: Path_) -> Quantity | None:
        found = self.facts.quantity(text, self.draft, path)
        if found is None:
            return None
        whole, _, per = found.unit.partition("/")
        measures = self.facts.units.dimension(whole) or ""
        if per not in ("", "kg", "m2") or not (measures in _MEASURES or measures.startswith("count:")):
            hint = "e.g. `40 mg`, `10 mg/kg`, `2 puff`, `10 unit`"
            self.problem(path, "K206", f"`{text}` is not an amount of a dose", hint)
        if found.value < 0:
            self.problem(path, "K205", f"`{text}` is less than nothing")
        return found

    def _times(self, b: TimeBounds | None, path: Path_) -> lib.Bounds:
        found = []
        for op in _SIDES:
            text = getattr(b, op) if b else None
            time = self.facts.quantity(text, self.draft, (*path, op), "time") if text is not None else None
            if time is not None:
                found.append(lib.Bound(op, time, str(self.draft.place((*path, op))), str(text)))
        return tuple(found)

    # -------------------------------------------------------------- what a shape cannot say

    def _check(self, table: lib.DoseTable) -> None:
        s = self.shape
        if s.harm_low is None and any(r.has_a_least for r in (*table.ranges, *table.adjust)):
            message = "a dose can be too low here, and nothing says what too little does"
            self.problem(("harm",), "K223", message, "add `harm_low:` and the id of a harm", key=True)
        ids: set[str] = set()
        for key, group in (("ranges", table.ranges), ("adjust", table.adjust)):
            for n, r in enumerate(group):
                if r.id in ids:
                    self.problem((key, n, "id"), "K203", f"`{r.id}` stands here a second time")
                ids.add(r.id)
                if key == "adjust" and not (r.who or r.indications or r.forms or r.routes):
                    self.problem((key, n), "K222", "an adjustment says for whom", "add `who:`, or change the range itself")
        for n, evidence in enumerate(s.evidence):
            for m, word in enumerate(evidence.supports):
                if word not in _SUPPORTS | ids:
                    hint = "ranges, adjust, severity, missed_dose, or the id of one range"
                    self.problem(("evidence", n, "supports", m), "K214", f"`{word}` is nothing that evidence can support", hint)
        if s.status == "active":
            self._check_cases()

    def _check_cases(self) -> None:
        said = [c.expect for c in self.shape.cases]
        if not {"HIGH", "LOW"} & set(said):
            self.problem(("cases",), "K501", "no case is HIGH or LOW", "write one patient for whom it must fire", key=True)
        if "CORRECT" not in said:
            self.problem(("cases",), "K502", "no case is right", "write one patient with a usual dose", key=True)
        names = [c.name for c in self.shape.cases]
        for n, name in enumerate(names):
            if name in names[:n]:
                self.problem(("cases", n, "name"), "K503", f"a second case is called `{name}`")
