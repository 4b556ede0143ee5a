"""The clearance of a patient's kidneys: as told, worked out, or what the problem list says of it; never assumed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.formulas.kidney import ckd_epi_2021, cockcroft_gault, schwartz
from safety.knowledge import library as lib
from safety.model.patient import Age, Sex
from safety.model.quantity import Quantity, plain
from safety.understanding.problems import Problem
from safety.understanding.results import Result

UNIT = "mL/min"
_HAIR = Decimal("0.000000001")


class Clearance(Struct, frozen=True):
    """Between `low` and `high` mL/min (`None`: open), where that comes from, and what would settle it."""

    low: Quantity | None
    high: Quantity | None
    saw: str
    needs: tuple[str, ...] = ()


class KidneyFacts(Struct, frozen=True):
    """What the clearance is worked out from: weight in kg, height in cm, results by test, the problems we recognise."""

    age: Age | None
    sex: Sex | None
    weight: Quantity | None
    height: Quantity | None
    results: Mapping[str, tuple[Result, ...]]
    problems: tuple[Problem, ...]
    library: lib.Library


def clearance(facts: KidneyFacts) -> Clearance:
    """The best that is told: a measured clearance, Cockcroft-Gault, an eGFR, the stage of kidney disease.

    A problem that says only "less than" (end stage, dialysis) outweighs a creatinine, which is not steady then. Where a
    stage leaves open which side of a bound the kidneys are on, what would settle it is asked for as if it were not told.
    """
    listed = _listed(facts)
    if listed is not None and listed.low is None:
        return listed
    for role in ("creatinine-clearance", "creatinine", "gfr"):
        for result in _newest(facts, role):
            found = _worked_out(facts, result) if role == "creatinine" else _told(result)
            if found is not None:
                return found
    for result in _newest(facts, "creatinine"):
        found = _by_creatinine_alone(facts, result)
        if found is not None:
            return found
    if listed is not None:
        return replace(listed, needs=_needs(facts))
    return Clearance(None, None, "kidney function not told", _needs(facts))


def derived_results(facts: KidneyFacts) -> dict[str, tuple[Result, ...]]:
    """Clearance and eGFR worked out from each creatinine, for tests that nobody told; they say what they come from."""
    found: dict[str, tuple[Result, ...]] = {}
    roles = {role: tests[-1] for role, tests in facts.library.labs_by_role.items()}
    creatinine = roles.get("creatinine")
    usable = [r for r in facts.results.get(creatinine.id, ()) if not r.unusable] if creatinine else []
    for role, work_out in (("creatinine-clearance", _worked_out), ("gfr", _by_creatinine_alone)):
        test = roles.get(role)
        if test is None or test.id in facts.results:
            continue
        made = [(r, work_out(facts, r)) for r in usable]
        results = [replace(r, low=c.low.value, high=c.low.value, shown=c.saw, derived=True) for r, c in made if c and c.low]
        if results:
            found[test.id] = tuple(results)
    return found | _as_told(facts, found)


def _as_told(facts: KidneyFacts, worked_out: Mapping[str, tuple[Result, ...]]) -> dict[str, tuple[Result, ...]]:
    """An eGFR that nobody told and no creatinine gives: the clearance that was told stands in for it, as it is."""
    asked = {t.id for t in facts.library.labs_by_role.get("gfr", ())}
    if any(t in facts.results or t in worked_out for t in asked):
        return {}
    tests = facts.library.labs_by_role.get("creatinine-clearance", ())
    told = [r for t in tests for r in facts.results.get(t.id, ()) if not r.unusable]
    stands_in = tuple(replace(r, shown=f"clearance {r.shown}", derived=True) for r in told)
    return dict.fromkeys(asked, stands_in) if stands_in else {}


def _newest(facts: KidneyFacts, role: str) -> list[Result]:
    """The usable results of the newest day of the test with that role; the worst first."""
    tests = [t.id for t in facts.library.labs_by_role.get(role, ())]
    results = [r for t in tests for r in facts.results.get(t, ()) if not (r.unusable or r.derived)]
    days = [r.on for r in results if r.on is not None]
    newest = max(days, default=None)
    kept = [r for r in results if r.on is None or r.on == newest]
    worst = -1 if role == "creatinine" else 1
    return sorted(kept, key=lambda r: worst * (r.low if r.low is not None else r.high or Decimal(0)))


def _told(result: Result) -> Clearance | None:
    low = Quantity(result.low, UNIT) if result.low is not None else None
    high = Quantity(result.high, UNIT) if result.high is not None else None
    return Clearance(low, high, f"told: {result.shown}")


def _worked_out(facts: KidneyFacts, result: Result) -> Clearance | None:
    """Cockcroft-Gault; with the actual weight where no height is told, which it then says."""
    creatinine = _mg_per_dl(facts, result)
    if creatinine is None:
        return None
    rule: Literal["by-bmi", "actual"] = "by-bmi" if facts.height is not None else "actual"
    answer = cockcroft_gault(facts.age, facts.sex, facts.weight, facts.height, creatinine, rule)
    if answer.value is None:
        child = schwartz(facts.age, facts.height, creatinine)
        if child.value is None:
            return None
        value = Quantity(child.value, UNIT)
        return Clearance(value, value, f"{plain(_whole(child.value))} by Schwartz from creatinine {result.shown}")
    value = Quantity(answer.value, UNIT)
    how = "actual weight, height not told" if rule == "actual" else "weight by body mass index"
    shown = plain(_whole(answer.value))
    return Clearance(value, value, f"{shown} mL/min by Cockcroft-Gault ({how}) from creatinine {result.shown}")


def _by_creatinine_alone(facts: KidneyFacts, result: Result) -> Clearance | None:
    creatinine = _mg_per_dl(facts, result)
    answer = ckd_epi_2021(facts.age, facts.sex, creatinine)
    if answer.value is None:
        return None
    value = Quantity(answer.value, UNIT)
    return Clearance(value, value, f"eGFR {plain(_whole(answer.value))} (CKD-EPI 2021) from creatinine {result.shown}")


def _mg_per_dl(facts: KidneyFacts, result: Result) -> Quantity | None:
    if result.low is None or result.low != result.high:
        return None
    unit = facts.library.labs_by_role["creatinine"][0].unit
    return Quantity(result.low, unit)


def _whole(value: Decimal) -> Decimal:
    return value.quantize(Decimal(1))


def _listed(facts: KidneyFacts) -> Clearance | None:
    """What the problems on the list say together; the lowest stage where several stand there."""
    found = []
    for problem in facts.problems:
        for kind in problem.kinds:
            bounds = facts.library.condition[kind].kidney
            if bounds and problem.active is not False:
                found.append(between(bounds, problem.text))
                break
    return min(found, key=lambda c: c.high.value if c.high else Decimal("Infinity"), default=None)


def between(bounds: Iterable[lib.Bound], saw: str) -> Clearance:
    """A clearance inside bounds, and where that comes from."""
    low: Quantity | None = None
    high: Quantity | None = None
    for b in bounds:
        if b.op in ("at_least", "above"):
            low = Quantity(b.value.value + (_HAIR if b.op == "above" else 0), UNIT)
        else:
            high = Quantity(b.value.value - (_HAIR if b.op == "under" else 0), UNIT)
    return Clearance(low, high, saw)


def _needs(facts: KidneyFacts) -> tuple[str, ...]:
    """What would settle it: what a creatinine is reckoned with (of a child the height), else the creatinine."""
    for result in _newest(facts, "creatinine"):
        creatinine = _mg_per_dl(facts, result)
        adult = cockcroft_gault(facts.age, facts.sex, facts.weight, facts.height, creatinine, "actual")
        child = schwartz(facts.age, facts.height, creatinine)
        return next((a.missing for a in (adult, child) if a.missing and not a.refused), ("labs",))
    return tuple(t.id for t in facts.library.labs_by_role.get("creatinine", ()))[:1] or ("labs",)
