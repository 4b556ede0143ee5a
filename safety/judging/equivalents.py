"""What is taken in a day of several drugs as one of them: as much as all the directions allow, exactly, or what is missing."""

from __future__ import annotations

from decimal import Decimal

from safety.formulas.equivalents import Dose, Factors, equivalents
from safety.judging.bounds import Watch, span_within
from safety.knowledge import library as lib
from safety.model.quantity import Quantity, plain
from safety.model.truth import Seen
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry

_A_DAY = {"mg": "mg/d", "mcg": "mcg/d"}


def daily_equivalent(leaf: lib.EquivalentLeaf, facts: Facts, watch: Watch | None = None) -> Seen:
    """Whether the sum by a table of factors is within the bounds; a dose that is not told only raises the upper end."""
    table = next(t for t in facts.library.factors if t.id == leaf.table)
    counted = {r.drug for r in table.rows}
    doses: list[Dose] = []
    needs: list[str] = []
    strangers: list[str] = []
    for entry in facts.current:
        for drug in entry.drugs:
            if drug in counted:
                dose, missing = _dose(entry, drug, facts)
                doses += [dose] if dose is not None else []
                needs += missing
                strangers += [entry.shown] if missing else []
    if facts.unresolved_current:
        needs.append("medication")
    if not facts.patient.medications_complete:
        needs.append("medications")
    answer = equivalents(table, doses)
    known = answer.value if answer.value is not None else answer.low or Decimal(0)
    if answer.value is None:
        needs += ["route"] if answer.missing else ["dose"]
    low = Quantity(known, table.unit)
    truth = span_within(low, None if needs else low, leaf.bounds, facts.units, watch)
    saw = f"{'at least ' if needs else ''}{_rounded(known, table)}"
    if strangers:
        saw += f"; not counted, for want of {', '.join(dict.fromkeys(needs))}: {', '.join(strangers)}"
    return Seen(truth, saw, tuple(dict.fromkeys(needs)) if truth is None else ())


def _dose(entry: Entry, drug: str, facts: Facts) -> tuple[Dose | None, list[str]]:
    route = entry.routes[0] if len(entry.routes) == 1 else None
    strength = entry.directions.strength
    if strength is not None and facts.units.dimension(strength.unit) == "mass/time":  # a patch: so much by the hour
        per_hour = facts.units.convert(strength, "mcg/h")
        patches = entry.directions.dose[1].value if entry.directions.dose else Decimal(1)
        if per_hour is not None:
            return Dose(drug, Quantity(per_hour * patches, "mcg/h"), "transdermal", None), []
    day = entry.day(drug, facts.units)
    if day.high is None or day.low is None:
        return None, list(day.why or ("dose",))
    if day.low != day.high:
        return Dose(drug, Quantity(day.low.value, _A_DAY.get(day.low.unit, day.low.unit)), route, entry.form), list(day.why)
    if route is None and len(entry.routes) > 1:
        return None, ["route"]
    return Dose(drug, Quantity(day.high.value, _A_DAY.get(day.high.unit, day.high.unit)), route, entry.form), []


def _rounded(value: Decimal, table: Factors) -> str:
    return f"{plain(round(value, 1))} {table.unit}"
