"""What is taken without a prescription, against labels, ceilings and doses in use: the entries judge, this only asks them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from safety.adherence.limit import JudgedLimit, LimitKind
from safety.adherence.said import OneSaid
from safety.adherence.taken import ONCE, medications_said
from safety.answering.checker import Checker
from safety.judging.conditions import Logic
from safety.judging.judgement import Judgement
from safety.judging.rules import amount_judged, explain
from safety.judging.sums import for_body
from safety.knowledge import library as lib
from safety.model.directions import Directions
from safety.model.patient import Case, Medication
from safety.model.quantity import Quantity
from safety.model.report import DoseAxes, Mark
from safety.reading.spoken.reported import Regimen
from safety.understanding.amounts import UNTOLD
from safety.understanding.facts import Facts

_KIND: dict[str, LimitKind] = {
    "dose_in_24h": "day", "single_dose": "single", "dose_interval": "interval", "days_of_use": "days", "avoid": "use",
}  # fmt: skip
_KINDS: tuple[LimitKind, ...] = ("day", "single", "interval", "days", "use")
_TIER = "label_limit"
_TIERS = {"label_limit": 0, "clinical_ceiling": 1, "toxic": 2}
_OUTER = ("toxic",)


class Held(Struct, frozen=True):
    """What the limits say: every one that applies, the verdict they come to, its axes, and the facts that are missing."""

    verdict: Mark = "UNKNOWN"
    axes: DoseAxes = DoseAxes()
    limits: tuple[JudgedLimit, ...] = ()
    needs: tuple[str, ...] = ()
    suspect: str = ""
    gross: bool = False
    entry: lib.Entry | None = None


def bought(drugs: Iterable[str], product: str | None, library: lib.Library) -> bool:
    """Whether it can be bought without a prescription."""
    if product is not None and product in library.product:
        return library.product[product].supply == "otc"
    items = [library.drug.get(d) for d in drugs]
    return bool(items) and all(i is not None and i.supply in ("otc", "both") for i in items)


# ------------------------------------------------------------------ over the counter


def judge_bought(
    checker: Checker, case: Case, day: date, said: Sequence[OneSaid], beside: Sequence[Medication], drugs: Sequence[str]
) -> Held:
    """Labels and ceilings for everything that is bought, summed over all that is taken of an ingredient.

    What is told without a frequency is also judged as a single dose: what that alone exceeds is exceeded.
    """
    first, second = (_as_listed(checker, case, day, said, beside, once=once) for once in (False, True))
    limits: list[JudgedLimit] = []
    needs: list[str] = []
    for entry in _limits_about(checker, first):
        found, facts = _judged(entry, first, second)
        if _about(found, drugs) and _says_something(entry, found, first):
            needs += _open_needs(found)
            limits.append(_limit(checker, entry, found, facts))
    limits += _at_one_time(checker, case, day, said, first, len(beside), drugs)
    held = _weighed(limits, needs, said)
    if held.verdict == "CORRECT" and first.age is None:  # what a label allows hangs on the age
        return replace(held, verdict="UNKNOWN", needs=("age",))
    return held


def _as_listed(
    checker: Checker, case: Case, day: date, said: Sequence[OneSaid], beside: Sequence[Medication], *, once: bool
) -> Facts:
    """The patient with what is said to be taken on the list, after what is taken beside it."""
    told = [m for s in said for m in medications_said(s, "otc", checker.library, once=once)]
    return _facts(checker, case, day, [*beside, *told])


def _judged(entry: lib.Entry, first: Facts, second: Facts) -> tuple[Judgement, Facts]:
    """A limit as told; where that leaves it open, as a single dose, if that alone exceeds it."""
    found = explain(entry, first)
    lower = explain(entry, second) if found.verdict == "unknown" else found
    return (lower, second) if lower is not found and lower.verdict == "violated" else (found, first)


def _limits_about(checker: Checker, facts: Facts) -> Iterator[lib.Entry]:
    """The limits in force that could concern what is taken."""
    listed = None if facts.problems is None else {k for p in facts.problems for k in p.kinds}
    for entry in checker.index.candidates({d for e in facts.entries if e.resolved for d in e.drugs}, listed):
        if entry.kind == "otc_limit" and entry.in_force(facts.day) and not entry.switched_off:
            yield entry


def _says_something(entry: lib.Entry, found: Judgement, facts: Facts) -> bool:
    """Whether a judgement bears on the answer: a limit in micrograms says nothing of what is told in units, nor clears it."""
    if found.verdict == "satisfied":
        return _in_one_measure(entry, found, facts)
    return found.verdict == "violated" or bool(_open_needs(found))


def _open_needs(found: Judgement) -> list[str]:
    """What is missing to judge a limit, beside how it was bought and taken."""
    return [n for n in found.needs if n not in ("supply", "route")] if found.verdict == "unknown" else []


def _at_one_time(
    checker: Checker, case: Case, day: date, said: Sequence[OneSaid], facts: Facts, skipped: int, drugs: Sequence[str]
) -> list[JudgedLimit]:
    """The limits of one dose that two products with the same ingredient, taken at the same part of the day, exceed together."""
    found = []
    for drug, doses in _taken_together(said, facts, skipped):
        whole = [checker.library.units.convert(q, doses[0].unit) for q in doses]
        if len(doses) < 2 or None in whole:
            continue
        amount = Quantity(sum((w for w in whole if w is not None), Decimal(0)), doses[0].unit)
        name = checker.library.name_of(drug)
        directions = Directions("", dose=(amount, amount), times_per_day=ONCE, windows=None)
        alone = _facts(checker, case, day, [Medication(text=name, drug=name, supply="otc", directions=directions)])
        for rule in _limits_about(checker, alone):
            if rule.constraint.kind == "single_dose":
                judged = explain(rule, alone)
                if judged.verdict == "violated" and _about(judged, drugs):
                    found.append(_limit(checker, rule, judged, alone))
    return found


def _taken_together(said: Sequence[OneSaid], facts: Facts, skipped: int) -> Iterator[tuple[str, list[Quantity]]]:
    """For each ingredient and part of the day the doses that are said to be taken then; those `skipped` were not said."""
    slots = [_one_slot(regimen) for s in said for regimen in s.told.regimens or (Regimen(),)]
    sums: dict[tuple[str, str], list[Quantity]] = {}
    for entry in facts.entries:
        said_as = entry.where.index - skipped  # a line may tell several medicines
        slot = slots[said_as] if 0 <= said_as < len(slots) else ""
        for drug in entry.drugs if slot and entry.resolved else ():
            single = entry.single(drug, facts.units).high
            if single is not None:
                sums.setdefault((drug, slot), []).append(single)
    return ((drug, doses) for (drug, _), doses in sums.items())


def _one_slot(regimen: Regimen) -> str:
    """The part of the day of what is taken once a day, if it is told."""
    return regimen.slots[0] if len(regimen.slots) == 1 and regimen.times == ONCE else ""


def _facts(checker: Checker, case: Case, day: date, listed: Sequence[Medication]) -> Facts:
    patient = replace(case.patient, medications=tuple(listed))
    return Facts(replace(case, patient=patient, plan=()), checker.terms, day)


def _about(j: Judgement, drugs: Sequence[str]) -> bool:
    """Whether a limit concerns this patient and one of these ingredients."""
    if j.verdict == "not_applicable":
        return False
    named = {b.drug for _, b in j.bound} | {b.drug for b in j.also}
    return not named or bool(named & set(drugs))


def _in_one_measure(entry: lib.Entry, j: Judgement, facts: Facts) -> bool:
    """Whether the amounts told and the bounds of a limit measure the same thing, or no amount was told at all."""
    if entry.constraint.kind not in ("dose_in_24h", "single_dose"):
        return True
    bounds = [b.value for limit in entry.constraint.limits for b in limit.bounds]
    whole = [Quantity(q.value, q.unit.removesuffix("/kg").removesuffix("/m2")) for q in bounds]
    for b in (*(b for _, b in j.bound), *j.also):
        span = b.entry.day(b.drug, facts.units) if entry.constraint.kind == "dose_in_24h" else b.entry.single(b.drug, facts.units)
        if span.high is not None:
            return any(facts.units.compare(span.high, q) is not None for q in whole)
    return True


def _limit(checker: Checker, entry: lib.Entry, j: Judgement, facts: Facts) -> JudgedLimit:
    drug = next((b.drug for _, b in j.bound), "")
    kind = _KIND.get(entry.constraint.kind, "use")
    return JudgedLimit(
        tier=entry.tier or _TIER,
        kind=kind,
        drug=drug,
        rule=entry.id,
        title=entry.title.replace("{product}", checker.library.name_of(drug) if drug else ""),
        exceeded={"violated": True, "satisfied": False}.get(j.verdict),
        evidence=tuple(entry.evidence),
        escalate=entry.escalate,
        amount=amount_judged(j, facts) if kind != "use" else UNTOLD,
        bounds=_bounds(entry, facts),
    )


def _bounds(entry: lib.Entry, facts: Facts) -> lib.Bounds:
    """The bounds in force for this patient, amounts per kilogram worked out where the weight is told."""
    logic = Logic(facts)
    found: list[lib.Bound] = []
    for limit in entry.constraint.limits:
        begun = (limit.start is None or limit.start <= facts.day) and (limit.end is None or facts.day <= limit.end)
        if begun and (not limit.who or logic.lines(limit.who).truth is not False):
            bounds, missing = for_body(limit.bounds, facts)
            found += [lib.Bound(b.op, b.value, b.place, str(b.value)) for b in bounds] if missing else bounds
    return tuple(found)


class _Completeness(Struct, frozen=True):
    """Whether every statement told how much, and how often."""

    dose: bool
    times: bool

    @property
    def all(self) -> bool:
        """Both."""
        return self.dose and self.times


def _told(said: Sequence[OneSaid]) -> _Completeness:
    regimens = [i for s in said for i in s.told.regimens or (Regimen(),)]
    return _Completeness(
        all(i.dose is not None or i.per_day is not None for i in regimens),
        all((i.times is not None and i.times[1] > 0) or i.per_day is not None for i in regimens),
    )


def _weighed(limits: Sequence[JudgedLimit], needs: Sequence[str], said: Sequence[OneSaid]) -> Held:
    told = _told(said)
    inner = [x for x in limits if x.tier not in _OUTER]
    exceeded = any(x.exceeded for x in limits)
    verdict: Mark = "HIGH" if exceeded else "CORRECT"
    if not exceeded and (not inner or any(x.exceeded is None for x in limits) or not told.all):
        verdict = "UNKNOWN"
    ordered = sorted(limits, key=lambda x: (not x.exceeded, _TIERS.get(x.tier, len(_TIERS)), _KINDS.index(x.kind), x.rule))
    asked = _asked(needs, told, bool(inner)) if verdict == "UNKNOWN" else ()
    return Held(verdict, _axes(limits, told), tuple(ordered), asked)


def _axes(limits: Sequence[JudgedLimit], told: _Completeness) -> DoseAxes:
    marks = {kind: _mark([x for x in limits if x.kind == kind]) for kind in _KINDS}
    often: Mark = "CORRECT" if told.times else "UNKNOWN"
    return DoseAxes(
        marks["single"] or ("CORRECT" if told.dose and marks["day"] == "CORRECT" else "UNKNOWN"),
        marks["day"] or "UNKNOWN",
        "HIGH" if marks["interval"] == "HIGH" else often,
        "HIGH" if marks["days"] == "HIGH" else often,
    )


def _asked(needs: Sequence[str], told: _Completeness, held: bool) -> tuple[str, ...]:
    """What to ask, where nothing is exceeded for sure."""
    asked = ["age" if n == "weight" and "age" in needs else n for n in needs]  # only a child's weight matters
    asked += [] if told.dose else ["dose"]
    asked += [] if told.times else ["frequency"]
    asked += [] if held or not told.all else ["limit"]
    return tuple(dict.fromkeys(asked))


def _mark(limits: Sequence[JudgedLimit]) -> Mark | None:
    if not limits:
        return None
    if any(x.exceeded for x in limits):
        return "HIGH"
    return "UNKNOWN" if any(x.exceeded is None for x in limits) else "CORRECT"


# ------------------------------------------------------------------ doses in use


def judge_in_use(checker: Checker, case: Case, day: date, said: OneSaid, beside: Sequence[Medication]) -> Held:
    """A medicine that is on no prescription, against the doses in use of its tables."""
    meds = medications_said(said, "prescription", checker.library)
    facts = _facts(checker, case, day, [*meds, *beside])
    best: Held | None = None
    for drug in said.drugs:
        entry = checker.library.dose_entry(drug)
        if entry is None or not entry.in_force(day):
            return Held("UNKNOWN", needs=("prescription",))
        found = _in_use(explain(entry, facts), entry)
        if best is None or _WEIGHT[found.verdict] > _WEIGHT[best.verdict]:
            best = found
    return best or Held("UNKNOWN", needs=("prescription",))


_WEIGHT = {"HIGH": 3, "UNKNOWN": 2, "LOW": 1, "CORRECT": 0}
_AXIS = {"single": "per_dose", "day": "per_day", "interval": "frequency", "days": "timing"}


def _in_use(j: Judgement, entry: lib.Entry) -> Held:
    if j.verdict == "violated" and j.dose is not None:
        d = j.dose
        axes = replace(DoseAxes(), **{_AXIS[d.axis]: d.direction})
        drug = entry.doses.drug if entry.doses else ""
        limit = JudgedLimit(
            "dose_range", d.axis, drug, entry.id, entry.title, True, tuple(entry.evidence), entry.escalate, found=d
        )
        return Held(d.direction, axes, (limit,), (), d.suspect, d.gross, entry)
    if j.verdict == "satisfied":
        return Held("CORRECT", DoseAxes("CORRECT", "CORRECT", "CORRECT", "CORRECT"), entry=entry)
    return Held("UNKNOWN", needs=tuple(j.needs) or ("dose", "frequency"), entry=entry)


def toxic(limits: Sequence[JudgedLimit]) -> bool:
    """Whether an amount that poisons is reached."""
    return any(x.exceeded and x.tier == "toxic" for x in limits)


__all__ = ["Held", "bought", "judge_bought", "judge_in_use", "toxic"]
