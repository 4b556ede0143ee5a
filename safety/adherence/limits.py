"""What is taken without a prescription, against labels, ceilings and doses in use: the entries judge, this only asks them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.adherence.said import OneSaid
from safety.answering.checker import Checker
from safety.judging.conditions import Logic
from safety.judging.judgement import Judgement
from safety.judging.rules import explain
from safety.judging.sums import for_body
from safety.knowledge import library as lib
from safety.model.patient import Case, Medication, Supply
from safety.model.quantity import Quantity, plain
from safety.model.report import DoseAxes, DoseLimit, Mark
from safety.reading.directions.words import SOLIDS
from safety.reading.spoken.amounts import BARE
from safety.reading.spoken.reported import Intake
from safety.understanding.facts import Facts

_KIND = {"dose_in_24h": "day", "single_dose": "single", "dose_interval": "interval", "days_of_use": "days", "avoid": "use"}
_TIER = "label_limit"
_OUTER = ("toxic",)
_ONCE = (Fraction(1), Fraction(1))


class Held(Struct, frozen=True):
    """What the limits say: every one that applies, the verdict they come to, its axes, and the facts that are missing."""

    verdict: Mark = "UNKNOWN"
    axes: DoseAxes = DoseAxes()
    limits: tuple[DoseLimit, ...] = ()
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


def medications(said: OneSaid, supply: Supply | None, library: lib.Library, *, once: bool = False) -> list[Medication]:
    """What is said to be taken, as entries of a list; with `once`, an untold frequency is taken as one dose on the day."""
    name = said.read.answer.name if said.read is not None and not said.read.answer.product else said.heard
    name = name or said.heard
    fields = said.fields.fields if said.fields is not None else None
    made = []
    for intake in map(_over_the_day if _DAY_WORD.search(said.told.text) else _as_told, said.told.intakes or (Intake(),)):
        piece = _piece(said, library)
        dose, sig = _dose(intake, piece), _sig(intake, piece)
        often = _often(intake)
        if once and not often and not sig:
            often = "once daily"
        strength = _amount(intake.strength) if intake.strength is not None else (fields.strength if fields else None)
        base = fields or Medication(text=said.heard)
        made.append(
            replace(
                base, text=" ".join(w for w in (said.heard, dose, often, sig) if w), drug=said.heard or name, dose=dose or None,
                frequency=often or None, sig=sig or None, strength=strength, supply=supply or base.supply,
                form=base.form or _form(said, intake, library),
            )
        )  # fmt: skip
    return made


_DAY_WORD = re.compile(
    r"^(?!.*\b(?:at once|together|one go|all of|at a time|at the same time)\b).*\b(?:today|yesterday|so far)\b", re.I | re.S
)
_A_HANDFUL = 3


def _as_told(intake: Intake) -> Intake:
    return intake


def _over_the_day(intake: Intake) -> Intake:
    """ "I took six today" tells the day's number, not that they were taken at once."""
    counted = intake.dose is not None and intake.dose[1].unit in SOLIDS and intake.dose[1].value > _A_HANDFUL
    if not counted or intake.times != _ONCE or intake.slots:
        return intake
    return replace(intake, dose=None, times=None, per_day=intake.dose)


def _form(said: OneSaid, intake: Intake, library: lib.Library) -> str | None:
    """The one form of a product that can be taken in the unit told: millilitres are of the liquid."""
    product = library.product.get(said.read.answer.product or "") if said.read is not None else None
    told = intake.dose or intake.per_day
    if product is None or told is None or library.units.dimension(told[1].unit) != "volume":
        return None
    liquids = {p.form for p in product.presentations if library.units.dimension(p.per.unit) == "volume"}
    return liquids.pop() if len(liquids) == 1 else None


def _piece(said: OneSaid, library: lib.Library) -> str:
    """What a piece of the product is called, whatever the speaker calls it."""
    product = library.product.get(said.read.answer.product or "") if said.read is not None else None
    solid = {p.per.unit for p in product.presentations if p.per.unit in SOLIDS} if product is not None else set()
    return solid.pop() if len(solid) == 1 else ""


def _amount(q: Quantity) -> str:
    return f"{plain(q.value)} {'mg' if q.unit == BARE else q.unit}"


def _dose(intake: Intake, piece: str = "") -> str:
    if intake.dose is None:
        return ""
    low, high = intake.dose
    unit = "mg" if high.unit == BARE else high.unit or "tablet"
    unit = piece if piece and unit in SOLIDS else unit
    if intake.strength is not None and high.unit in ("", "tablet", "capsule", "pill"):
        held = Quantity(high.value * intake.strength.value, "mg" if intake.strength.unit == BARE else intake.strength.unit)
        return f"{plain(held.value)} {held.unit}"
    return f"{plain(high.value)} {unit}" if low == high or not low.value else f"{plain(low.value)} to {plain(high.value)} {unit}"


def _sig(intake: Intake, piece: str = "") -> str:
    """An amount told for the whole day."""
    if intake.per_day is None:
        return ""
    high = intake.per_day[1]
    unit = "mg" if high.unit == BARE else high.unit or "tablets"
    unit = f"{piece}s" if piece and unit.removesuffix("s") in SOLIDS else unit
    if intake.strength is not None and high.unit in ("", "tablet", "capsule", "pill"):
        strength = "mg" if intake.strength.unit == BARE else intake.strength.unit
        return f"{plain(high.value * intake.strength.value)} {strength}/24h"
    return f"{plain(high.value)} {unit} per day"


def _often(intake: Intake) -> str:
    if intake.times is None:
        return f"every {plain(intake.hours)} hours" if intake.hours is not None else ""
    most = intake.times[1]
    if not most:
        return ""  # how often was not told
    if intake.hours is not None:
        every = f"every {plain(intake.hours)} hours"
        return every if most * Fraction(intake.hours) == 24 else f"{every}, up to {-(-most // 1)} times a day"
    if most == 1:
        return "once daily"
    if most.denominator == 1:
        return f"{most} times a day"
    week = most * 7
    if week.denominator == 1:
        return f"{week} times a week" if week > 1 else "once a week"
    return f"every {plain(Decimal((1 / most).numerator))} days" if (1 / most).denominator == 1 else f"{-(-most // 1)} times a day"


# ------------------------------------------------------------------ over the counter


def judge_bought(
    checker: Checker, case: Case, day: date, said: Sequence[OneSaid], beside: Sequence[Medication], drugs: Sequence[str]
) -> Held:
    """Labels and ceilings for everything that is bought, summed over all that is taken of an ingredient.

    What is told without a frequency is also judged as a single dose: what that alone exceeds is exceeded.
    """
    told = [m for s in said for m in medications(s, "otc", checker.library)]
    least = [m for s in said for m in medications(s, "otc", checker.library, once=True)]
    first = _facts(checker, case, day, [*beside, *told])
    second = _facts(checker, case, day, [*beside, *least])
    limits: list[DoseLimit] = []
    needs: list[str] = []
    listed = None if first.problems is None else {k for p in first.problems for k in p.kinds}
    everything = {d for e in first.entries if e.resolved for d in e.drugs}
    for entry in checker.index.candidates(everything, listed):
        if entry.kind != "otc_limit" or not entry.in_force(day) or entry.switched_off:
            continue
        found = explain(entry, first)
        if found.verdict == "not_applicable" or not _about(found, drugs):
            continue
        if found.verdict == "unknown" and (lower := explain(entry, second)).verdict == "violated":
            found = lower
        elif found.verdict == "unknown":
            needs += [n for n in found.needs if n not in ("supply", "route")]
        if found.verdict == "unknown" and not [n for n in found.needs if n not in ("supply", "route")]:
            continue
        if found.verdict == "satisfied" and not _in_one_measure(entry, found, first):
            continue  # a limit in micrograms says nothing of what is told in units, and must not clear it
        limits.append(_limit(checker, entry, found, first))
    limits += _at_one_time(checker, case, day, said, first, len(beside), drugs)
    held = _weighed(limits, needs, said)
    if held.verdict == "CORRECT" and first.age is None:  # what a label allows hangs on the age
        return replace(held, verdict="UNKNOWN", needs=("age",))
    return held


def _at_one_time(
    checker: Checker, case: Case, day: date, said: Sequence[OneSaid], facts: Facts, skipped: int, drugs: Sequence[str]
) -> list[DoseLimit]:
    """The limits of one dose that two products with the same ingredient, taken at the same part of the day, exceed together."""
    slots = [i.slots[0] if len(i.slots) == 1 and i.times == _ONCE else "" for s in said for i in s.told.intakes or (Intake(),)]
    sums: dict[tuple[str, str], list[Quantity]] = {}
    for entry in facts.entries:
        at = int(entry.where.rpartition("[")[2].rstrip("]")) - skipped if entry.where.endswith("]") else -1
        if entry.resolved and 0 <= at < len(slots) and slots[at]:
            for drug in entry.drugs:
                single = entry.single(drug, facts.units).high
                if single is not None:
                    sums.setdefault((drug, slots[at]), []).append(single)
    found = []
    for (drug, _), doses in sums.items():
        whole = [checker.library.units.convert(q, doses[0].unit) for q in doses]
        if len(doses) < 2 or None in whole:
            continue
        amount = f"{plain(sum((Decimal(w) for w in whole if w is not None), Decimal(0)))} {doses[0].unit}"
        name = checker.library.name_of(drug)
        one = Medication(text=f"{name} {amount} once daily", drug=name, dose=amount, frequency="once daily", supply="otc")
        alone = _facts(checker, case, day, [one])
        for rule in checker.index.candidates({drug}, None):
            if (
                rule.kind == "otc_limit"
                and rule.constraint.kind == "single_dose"
                and rule.in_force(day)
                and not rule.switched_off
            ):
                judged = explain(rule, alone)
                if judged.verdict == "violated" and _about(judged, drugs):
                    found.append(_limit(checker, rule, judged, alone))
    return found


def _facts(checker: Checker, case: Case, day: date, listed: Sequence[Medication]) -> Facts:
    patient = replace(case.patient, medications=tuple(listed))
    return Facts(replace(case, patient=patient, plan=()), checker.terms, day)


def _about(j: Judgement, drugs: Sequence[str]) -> bool:
    named = {b.drug for _, b in j.bound} | {b.drug for b in j.also}
    return not named or bool(named & set(drugs))


def _in_one_measure(entry: lib.Entry, j: Judgement, facts: Facts) -> bool:
    """Whether the amounts told and the bounds of a limit measure the same thing, or no amount was told at all."""
    if entry.constraint.kind not in ("dose_in_24h", "single_dose"):
        return True
    bounds = [b.value for limit in entry.constraint.limits for b in limit.bounds]
    for b in (*(b for _, b in j.bound), *j.also):
        span = b.entry.day(b.drug, facts.units) if entry.constraint.kind == "dose_in_24h" else b.entry.single(b.drug, facts.units)
        if span.high is not None:
            whole = [Quantity(q.value, q.unit.removesuffix("/kg").removesuffix("/m2")) for q in bounds]
            return any(facts.units.compare(span.high, q) is not None for q in whole)
    return True


def _limit(checker: Checker, entry: lib.Entry, j: Judgement, facts: Facts) -> DoseLimit:
    drug = next((b.drug for _, b in j.bound), "")
    shown = _bounds(entry, facts)
    amount = (j.trace[-1].saw if j.trace else j.saw).split(";")[0]
    for tail in (" in 24 hours", " in one dose", " between doses", " of use"):
        amount = amount.removesuffix(tail)
    amount = amount.rpartition(": ")[2].removeprefix("? to ").replace("not told (days)", "not told")
    exceeded = {"violated": True, "satisfied": False}.get(j.verdict)
    kind = _KIND.get(entry.constraint.kind, "use")
    limit = shown if kind != "use" else "not to be used"
    name = checker.library.name_of(drug) if drug else ""
    title = entry.title.replace("{product}", name)
    return DoseLimit(entry.tier or _TIER, kind, drug, amount if kind != "use" else "", limit, exceeded, entry.id, title,  # type: ignore[arg-type]
                     list(entry.evidence), entry.escalate)  # fmt: skip


def _bounds(entry: lib.Entry, facts: Facts) -> str:
    """The bounds in force for this patient, amounts per kilogram worked out where the weight is told."""
    logic = Logic(facts)
    found = []
    for limit in entry.constraint.limits:
        begun = (limit.start is None or limit.start <= facts.day) and (limit.end is None or facts.day <= limit.end)
        if begun and (not limit.who or logic.lines(limit.who).truth is not False):
            bounds, missing = for_body(limit.bounds, facts)
            found += [f"{b.value}" if missing or b.text == str(b.value) else f"{b.value} ({b.text})" for b in bounds]
    return " or ".join(dict.fromkeys(found))


def _weighed(limits: Sequence[DoseLimit], needs: Sequence[str], said: Sequence[OneSaid]) -> Held:
    inner = [x for x in limits if x.tier not in _OUTER]
    marks = {kind: _mark([x for x in limits if x.kind == kind]) for kind in ("single", "day", "interval", "days", "use")}
    told_dose = all(i.dose is not None or i.per_day is not None for s in said for i in s.told.intakes or (Intake(),))
    told_times = all(
        (i.times is not None and i.times[1]) or i.per_day is not None for s in said for i in s.told.intakes or (Intake(),)
    )
    axes = DoseAxes(
        marks["single"] or ("CORRECT" if told_dose and marks["day"] == "CORRECT" else "UNKNOWN"),
        marks["day"] or "UNKNOWN",
        marks["interval"] if marks["interval"] == "HIGH" else "CORRECT" if told_times else "UNKNOWN",
        "HIGH" if marks["days"] == "HIGH" else "CORRECT" if told_times else "UNKNOWN",
    )
    exceeded = any(x.exceeded for x in limits)
    if exceeded:
        verdict: Mark = "HIGH"
    elif not inner or any(x.exceeded is None for x in limits) or not (told_dose and told_times):
        verdict = "UNKNOWN"
    else:
        verdict = "CORRECT"
    asked = ["age" if n == "weight" and "age" in needs else n for n in needs]  # only a child's weight matters
    if not exceeded:
        asked += [] if told_dose else ["dose"]
        asked += [] if told_times else ["frequency"]
        asked += [] if inner or not (told_dose and told_times) else ["limit"]
    order = {"label_limit": 0, "clinical_ceiling": 1, "toxic": 2}
    rank = {"day": 0, "single": 1, "interval": 2, "days": 3, "use": 4}
    ordered = sorted(limits, key=lambda x: (not x.exceeded, order.get(x.tier, 3), rank[x.kind], x.rule))
    return Held(verdict, axes, tuple(ordered), tuple(dict.fromkeys(asked)) if verdict == "UNKNOWN" else ())


def _mark(limits: Sequence[DoseLimit]) -> Mark | None:
    if not limits:
        return None
    if any(x.exceeded for x in limits):
        return "HIGH"
    return "UNKNOWN" if any(x.exceeded is None for x in limits) else "CORRECT"


# ------------------------------------------------------------------ doses in use


def judge_in_use(checker: Checker, case: Case, day: date, said: OneSaid, beside: Sequence[Medication]) -> Held:
    """A medicine that is on no prescription, against the doses in use of its tables."""
    meds = medications(said, "prescription", checker.library)
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
        limit = DoseLimit("dose_range", d.axis, entry.doses.drug if entry.doses else "", d.told, d.bound, True, entry.id,
                          entry.title, list(entry.evidence), entry.escalate)  # fmt: skip
        return Held(d.direction, axes, (limit,), (), d.suspect, d.gross, entry)
    if j.verdict == "satisfied":
        return Held("CORRECT", DoseAxes("CORRECT", "CORRECT", "CORRECT", "CORRECT"), entry=entry)
    return Held("UNKNOWN", needs=tuple(j.needs) or ("dose", "frequency"), entry=entry)


def toxic(limits: Sequence[DoseLimit]) -> bool:
    """Whether an amount that poisons is reached."""
    return any(x.exceeded and x.tier == "toxic" for x in limits)


__all__ = ["Fraction", "Held", "bought", "judge_bought", "judge_in_use", "medications", "toxic"]
