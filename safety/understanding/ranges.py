"""Whether a result needs no judging: inside what is normal for this patient, or what works without harm for what is taken."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from safety.knowledge.library import Lab, LabRange
from safety.understanding.facts import Facts
from safety.understanding.results import Result

Standing = Literal["ordinary", "low", "high", "not known"]


def standing(test: Lab, result: Result, facts: Facts) -> Standing:
    """Where a result lies: inside one of the ranges that hold for this patient, else below or above them; or none holds."""
    if result.word:
        return "ordinary" if result.word in (test.expected, "normal") else "high"
    rows = [row for row in test.ranges if _of(row, facts)]
    if not rows:
        return "not known"
    if any(_holds(row, result) for row in rows):
        return "ordinary"
    value = result.low if result.low is not None else result.high
    return "low" if value is not None and all(_under(row, value) for row in rows) else "high"


def _of(row: LabRange, facts: Facts) -> bool:
    """Whether a range may hold for this patient; what is not told leaves every range open."""
    if row.sex is not None and facts.patient.sex not in (None, row.sex):
        return False
    if facts.age is not None:
        months = facts.age.months
        if (row.from_age is not None and months < row.from_age) or (row.to_age is not None and months >= row.to_age):
            return False
    pregnancy = facts.pregnancy[0]
    if row.trimesters is not None and not (pregnancy is not None and pregnancy.present):
        return False
    return row.kind == "reference" or (row.kind == "therapeutic" and taken(row.on, facts))


def taken(on: Sequence[str], facts: Facts) -> bool:
    """Whether one of these drugs or classes is taken."""
    drugs = {drug for _, drug in facts.each_current}
    groups = (facts.library.drug_class.get(i) for i in on)
    return not drugs.isdisjoint(on) or any(group is not None and not drugs.isdisjoint(group.members) for group in groups)


def _holds(row: LabRange, result: Result) -> bool:
    """Whether all that the result leaves open lies inside."""
    low, high = result.low, result.high
    below = row.low is not None and (low is None or low < row.low or (low == row.low and not row.low_in))
    above = row.high is not None and (high is None or high > row.high or (high == row.high and not row.high_in))
    return not below and not above


def _under(row: LabRange, value: Decimal) -> bool:
    return row.low is not None and value <= row.low
