"""The smallest changes that make an unsafe plan safe: drop a medicine, replace it by one for the same purpose, lower its dose,
add a protection, take two apart. Every change is checked by the same engine before it is offered; nothing is taken on trust."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

from msgspec.structs import replace

from safety.knowledge.leaves import DrugLeaf, NotLeaf
from safety.model.directions import how_often_in_words
from safety.model.patient import Case, Medication
from safety.model.quantity import plain
from safety.model.report import RANK, Finding, Report
from safety.scoring.bench import Bench
from safety.scoring.constraints import all_met
from safety.scoring.critic import critique
from safety.scoring.measures import regimen_of
from safety.scoring.quality import quality, safe_share
from safety.scoring.repairs import KINDS, Change, Repair
from safety.understanding.medications import Entry

_MOST_CHANGES = 3
_MOST_TRIED = 400
_MOST_OFFERED = 10
_LOWER_DOSES = 6
_APART = ("in the morning", "at bedtime")
_WORDS_OF_ROUTES = {"oral": "by mouth"}


class Repairer:
    """Finds repairs, each checked by the same engine."""

    def __init__(self, bench: Bench) -> None:
        self._bench, self._library = bench, bench.library
        self._orders = {o.drug: o.order for group in bench.library.alternatives for o in group.offer}

    def repairs(self, case: Case) -> list[Repair]:
        """The repairs of the least changes that there are, the one that retains the most quality first. Needs `as_of`.

        None where the plan has no hard violation, or where nothing that was tried clears it.
        """
        (report,) = self._reports([case])
        if not any(f.hard for f in _own(report)):
            return []
        changes = self._changes(case, self._bench.for_a_reader(case))
        for count in range(1, _MOST_CHANGES + 1):
            sets = (s for s in combinations(changes, count) if _apart(s))
            tried = [(s, _changed(case, s)) for s in islice(sets, _MOST_TRIED)]
            reports = self._reports([changed for _, changed in tried])
            found = [self._repair(case, s, c, r) for (s, c), r in zip(tried, reports, strict=True) if not _hard(r)]
            if found:
                return sorted(found, key=_rank)[:_MOST_OFFERED]
        return []

    def _reports(self, cases: Sequence[Case]) -> list[Report]:
        return [r for r in self._bench.reports(cases) if isinstance(r, Report)]

    # -------------------------------------------------------------- what may be tried

    def _changes(self, case: Case, report: Report) -> list[Change]:
        """Every change that the hard findings suggest, each once, the mildest first."""
        entries = {e.where.index: e for e in self._bench.entries(case)}
        found: dict[Change, None] = {}
        for finding in (f for f in _own(report) if f.hard):
            for line in sorted({s.where.index for s in finding.subjects if s.where.among == "plan"}):
                entry = entries.get(line)
                if entry is not None:
                    found.update(dict.fromkeys(self._of_line(finding, entry, line)))
            found.update(dict.fromkeys(self._protections(finding)))
        return sorted(found, key=lambda c: (KINDS.index(c.kind), c.line if c.line is not None else -1, c.after))

    def _of_line(self, finding: Finding, entry: Entry, line: int) -> Iterator[Change]:
        told = entry.told.text
        yield Change("drop", line, told, "")
        for offered in finding.instead:
            yield Change("replace", line, told, offered.order)
        for order in self._of_class(entry):
            yield Change("replace", line, told, order)
        if finding.kind in ("dose", "otc_limit", "renal", "hepatic", "age"):
            for lower in self._lower(entry):
                yield Change("reduce", line, told, lower)
        if finding.do == "separate":
            for when in _APART:
                yield Change("separate", line, told, f"{told} {when}")

    def _of_class(self, entry: Entry) -> Iterator[str]:
        """Orders of medicines that are the same twice beside this one, and so may stand in its place."""
        for drug, order in sorted(self._orders.items()):
            if len(entry.drugs) == 1 and drug != entry.drugs[0] and self._bench.same.holds(drug, entry.drugs[0]):
                yield order

    def _lower(self, entry: Entry) -> list[str]:
        """The order with the next lower doses that the medicine is sold in, the highest of them first."""
        drug = self._library.drug.get(entry.drugs[0]) if len(entry.drugs) == 1 else None
        dose = entry.single(entry.drugs[0], self._library.units).high if drug is not None else None
        often = how_often_in_words(entry.directions.times_per_day, entry.directions.interval_hours)
        if drug is None or dose is None or not often:
            return []
        values = {v for s in drug.strengths if (v := self._library.units.convert(s, dose.unit)) is not None and v < dose.value}
        route = _WORDS_OF_ROUTES.get(entry.routes[0], entry.routes[0]) if len(entry.routes) == 1 else ""
        return [
            " ".join(w for w in (drug.name, f"{plain(value)} {dose.unit}", route, often) if w)
            for value in sorted(values, reverse=True)[:_LOWER_DOSES]
        ]

    def _protections(self, finding: Finding) -> Iterator[Change]:
        """What makes the rule milder, or silent, where it is taken as well, as it would be ordered."""
        entry = self._library.entry.get(finding.rule)
        if entry is None:
            return
        lines = [line for c in entry.severity_when if RANK[c.severity] > RANK[finding.severity] for line in c.lines]
        lines += [leaf.line for leaf in entry.condition if isinstance(leaf, NotLeaf)]
        members = (leaf.members for leaf in lines if isinstance(leaf, DrugLeaf) and leaf.members is not None and not leaf.of)
        for drug in sorted({drug for each in members for drug in each if drug in self._orders}):
            yield Change("add", None, "", self._orders[drug])

    # -------------------------------------------------------------- what came of it

    def _repair(self, case: Case, changes: Sequence[Change], changed: Case, report: Report) -> Repair:
        said = critique(report, self._library)
        reference = self._bench.components(case) if case.gold is None else self._bench.components(replace(case, plan=case.gold))
        held = self._bench.held(reference, changed, replaced=case.gold is None)
        return Repair(
            changes=tuple(changes),
            plan=tuple(m.text for m in changed.plan),
            state="safe" if said.overall_safe else "open",
            quality=quality(safe_share(regimen_of(report)), held.completeness),
            met=all_met(self._bench.answers(case.constraints, changed, said)),
            left=tuple(r.rule for r in said.raised if r.level != "minor"),
        )


def _own(report: Report) -> list[Finding]:
    return [f for f in report.every_finding if any(s.where.among == "plan" for s in f.subjects)]


def _hard(report: Report) -> bool:
    return any(f.hard for f in _own(report))


def _apart(changes: Iterable[Change]) -> bool:
    """Whether no line is changed twice, and nothing is added twice."""
    lines = [c.line if c.line is not None else c.after for c in changes]
    return len(lines) == len(set(lines))


def _changed(case: Case, changes: Sequence[Change]) -> Case:
    by_line = {c.line: c for c in changes if c.line is not None}
    plan = []
    for n, line in enumerate(case.plan):
        change = by_line.get(n)
        if change is None:
            plan.append(line)
        elif change.after:
            plan.append(Medication(change.after))
    return replace(case, plan=(*plan, *(Medication(c.after) for c in changes if c.line is None)))


def _rank(repair: Repair) -> tuple[object, ...]:
    """The most quality that is sure first, then the most that is possible; of equals what the fewest rules speak against, what is
    safe before what is open, and the mildest change."""
    q = repair.quality
    kinds = [KINDS.index(c.kind) for c in repair.changes]
    quality_ = -(q.strict or 0.0), -(q.lenient or 0.0)
    return (*quality_, repair.met is False, len(repair.left), repair.state != "safe", kinds, repair.plan)
