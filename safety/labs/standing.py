"""Where a result lies: which ranges may hold for this patient, what they come to, and whether somebody must be brought in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from itertools import combinations
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Lab, LabRange
from safety.model.lab_answer import LabBand, LabStatus
from safety.model.patient import LabResult, Pregnancy
from safety.model.quantity import plain
from safety.understanding.facts import Facts
from safety.understanding.ranges import taken
from safety.understanding.results import Result

_DAYS_IN_A_MONTH = Decimal("30.4375")
_FACTS = ("age", "sex", "fasting", "pregnancy", "time")
_CALLS = ("none", "pharmacist", "clinician", "emergency")
_GOAL = re.compile(r"(<=|>=|<|>|≤|≥)?\s*(\d+(?:\.\d+)?|\.\d+)(?:\s?(?:-|to)\s?(\d+(?:\.\d+)?|\.\d+))?")
_OPEN: dict[str, LabStatus] = {"low": "critical_low", "high": "critical_high"}


class Sample(Struct, frozen=True):
    """How a sample was drawn, where it is told: fasting, and at which time of those that its test names (empty: at none)."""

    fasting: bool | None = None
    time: str | None = None
    young: Decimal | None = None
    """Of somebody so many months old at most, whose age is not told."""


_UNTOLD = Sample()


class Stand(Struct, frozen=True):
    """The status, the range it was held against, facts that would decide it, and whether some band calls it critical."""

    status: LabStatus
    row: LabRange | None
    needs: tuple[str, ...] = ()
    maybe_critical: bool = False
    surely_critical: bool = False
    """Whether it is critical whatever it comes to: 22 of a newborn's glucose, in mg/dL or in mmol/L."""
    limit: LabRange | None = None
    """The critical limit, or limit of action, that decided."""
    off_goal: Literal["", "low", "high"] = ""
    """On which side of what is aimed at."""
    call: Literal["none", "pharmacist", "clinician", "emergency"] = "none"
    """Whom a result brings in that is not critical: outside the limits of action, or outside where a medicine works."""


def stand(test: Lab, result: Result, facts: Facts, sample: Sample = _UNTOLD, shown: frozenset[str] = frozenset()) -> Stand:
    """Where a result lies, and whom it brings in; `shown`: conditions that are told beside the problems, or shown by results."""
    found = _stand(test, result, facts, sample)
    kinds = {k for p in facts.problems or () if p.active for k in p.kinds} | shown
    each = (r for r in test.ranges if r.kind == "intervention" and _of_whom(r, kinds, facts))
    limits = _own(_of_patient(each, facts, sample))
    if facts.age is None:
        limits = _where_no_age_is_told(limits, sample)
    outside = [row for row in limits if _side(row, result) in _OPEN]
    if outside:
        loudest = max(outside, key=lambda row: _CALLS.index(row.call))
        return replace(found, call=loudest.call, limit=found.limit or loudest)
    if found.row is not None and found.row.kind == "therapeutic" and found.status in ("low", "high"):
        return replace(found, call="clinician" if found.status == "high" else "pharmacist")
    return found


def _of_whom(row: LabRange, kinds: AbstractSet[str], facts: Facts) -> bool:
    """Whether a limit of action is for this patient: for anybody, or for one of its conditions or medicines."""
    anybody = not row.conditions and not row.on
    return anybody or not kinds.isdisjoint(row.conditions) or (bool(row.on) and taken(row.on, facts))


def _stand(test: Lab, result: Result, facts: Facts, sample: Sample) -> Stand:
    """Unit and plausibility are settled before; then critical, then therapeutic or reference, band by band.

    What is critical is told of an adult where the age is not told, and of the time of day where that is not: it cannot wait for
    the question, which is asked beside it where it is ordinary at some age or hour. Anything else is answered only where all
    bands agree.
    """
    rows = _ranges(test, facts, sample)
    limits = _own(_of_patient((r for r in test.ranges if r.kind == "critical"), facts, sample))
    if facts.age is None:
        limits = _where_no_age_is_told(limits, sample)
    if sample.young is not None:
        rows = _where_no_age_is_told(rows, sample)
    critical = [_side(row, result) for row in limits]
    maybe = any(side in _OPEN for row in limits for side in _each_side(row, result))
    if sample.time == "" and any(r.drawn and _may_hold(r, facts) for r in test.ranges):
        rows = []  # drawn at none of the times for which there are ranges
    by_row = [(_side(row, result), row) for row in rows]
    row = max((r for _, r in by_row), key=_adult, default=None)
    if critical and critical[0] in _OPEN and len(set(critical)) == 1:
        young = facts.age is None and any(side == "inside" for side, _ in by_row)
        at_an_hour = sample.time is None and bool(limits[0].drawn)
        asked = tuple(fact for fact, open_ in (("age", young), ("time", at_an_hour)) if open_)
        return Stand(_OPEN[critical[0] or ""], row, asked, limit=limits[0])
    found = {side for side, _ in by_row}
    if not found:
        return Stand("unknown", None, (), maybe)
    surely = bool(limits) and all(_each_side(row, result) <= _OPEN.keys() for row in limits)
    if len(found) == 1 and None not in found:
        return Stand(_status(found.pop()), row, (), maybe)
    return Stand("unknown", None, _needs(by_row), maybe, surely)


def _where_no_age_is_told(rows: list[LabRange], sample: Sample) -> list[LabRange]:
    """The ranges of adults, if there are some; of the young those that may hold for them."""
    if sample.young is None:
        return [r for r in rows if r.to_age is None] or rows
    return [r for r in rows if r.from_age is None or r.from_age < sample.young]


def must_repeat(test: Lab, result: Result, facts: Facts) -> bool:
    """Whether a result is critical, or above where its medicine works without harm: it says that the test is due again."""
    found = stand(test, result, facts)
    toxic = found.status == "high" and found.row is not None and found.row.kind == "therapeutic"
    return toxic or found.status in _OPEN.values()


def _each_side(row: LabRange, result: Result) -> set[str | None]:
    """Where a result lies; of one without a unit, or between two numbers, each end of what it may come to by itself."""
    if not result.assumed and (result.low is None or result.high is None or result.low == result.high):
        return {_side(row, result)}
    ends = (end for end in (result.low, result.high) if end is not None)
    return {_side(row, replace(result, low=end, high=end)) for end in ends}


def _adult(row: LabRange) -> tuple[bool, Decimal]:
    """Of ranges that say the same, the one to show where the age is not told: that of adults."""
    return row.to_age is None, row.from_age or Decimal(0)


def _status(side: str | None) -> LabStatus:
    return {"low": "low", "high": "high"}.get(side or "", "normal")  # type: ignore[return-value]


def target_of(test: Lab, facts: Facts, told: frozenset[str] = frozenset()) -> LabRange | None:
    """What is aimed at in one of this patient's conditions, with a medicine if it names one; the first row that holds.

    `told`: the conditions that the question itself tells.
    """
    kinds = {k for p in facts.problems or () if p.active for k in p.kinds} | told
    rows = (r for r in test.ranges if r.kind == "target" and not kinds.isdisjoint(r.conditions))
    return next((r for r in rows if not r.on or taken(r.on, facts)), None)


def told_goal(said: str, unit: str | None, test: Lab, facts: Facts) -> LabRange | None:
    """What is aimed at as it is told with a result, "<8" or "2.5-3.5", in the unit of the result; None where that cannot be."""
    found = _GOAL.fullmatch(said.strip())
    ends = [facts.result_of(LabResult(test.name, end, unit), test) for end in (found[2], found[3]) if end] if found else []
    if found is None or any(end.fault is not None or end.low is None for end in ends):
        return None
    if len(ends) > 1:
        return LabRange("target", ends[0].low, ends[1].low) if (ends[0].low or 0) < (ends[1].low or 0) else None
    over = found[1] in (">", ">=", "≥")
    closed = found[1] not in ("<", ">")
    if over:
        return LabRange("target", ends[0].low, None, low_in=closed)
    return LabRange("target", None, ends[0].low, high_in=closed) if found[1] else None


def within(row: LabRange, result: Result) -> bool | None:
    """Whether a result lies inside a range; None where it may lie on either side."""
    side = _side(row, result)
    return None if side is None else side == "inside"


def off(row: LabRange | None, result: Result) -> Literal["", "low", "high"]:
    """On which side of a range a result lies for sure; empty: on none."""
    side = _side(row, result) if row is not None else None
    return side if side in ("low", "high") else ""  # type: ignore[return-value]


def is_far_out(test: Lab, found: Stand, result: Result, facts: Facts, sample: Sample = _UNTOLD) -> bool:
    """Whether one number lies so far on the way from the edge of its range to where it would be critical that it is no chance."""
    row, side = found.row, found.status
    if row is None or row.kind != "reference" or side not in ("low", "high") or result.low is None or result.low != result.high:
        return False
    critical = _of_patient((r for r in test.ranges if r.kind == "critical"), facts, sample)
    ends = [end for r in critical if (end := r.low if side == "low" else r.high) is not None]
    edge = row.low if side == "low" else row.high
    if edge is None or not ends:
        return False
    most = facts.library.most("told", "way from a range to what is critical").value / 100
    return abs(result.low - edge) > most * min(abs(end - edge) for end in ends)


def band(row: LabRange | None, test: Lab, facts: Facts) -> LabBand | None:
    """A range in words, with the medicines that it is about."""
    if row is None:
        return None
    low, high = (plain(v) if v is not None else None for v in (row.low, row.high))
    return LabBand(low, high, test.unit, _for(row, facts), row.kind)


def _for(row: LabRange, facts: Facts) -> str:
    parts = []
    if row.trimesters is not None:
        parts.append("pregnant, trimester " + "/".join(map(str, row.trimesters)))
    if row.from_age is not None or row.to_age is not None:
        parts.append(_ages(row.from_age, row.to_age))
    if row.sex:
        parts.append(row.sex)
    if row.fasting is not None:
        parts.append("fasting" if row.fasting else "not fasting")
    if row.drawn:
        parts.append(row.drawn)
    if row.kind == "therapeutic":
        parts.append("on " + " or ".join(_medicines(row, facts)))
    return ", ".join(parts)


def _medicines(row: LabRange, facts: Facts) -> list[str]:
    """The medicines taken that a therapeutic range is of, by name."""
    return [facts.library.name_of(d) for d in of_range(row, facts)] or ["the medicine"]


def of_range(row: LabRange, facts: Facts) -> list[str]:
    """The medicines taken that a therapeutic range is of, by id."""
    return list(dict.fromkeys(d for _, d in facts.each_current if _of_row(d, row, facts)))


def _of_row(drug: str, row: LabRange, facts: Facts) -> bool:
    groups = (facts.library.drug_class.get(i) for i in row.on)
    return drug in row.on or any(group is not None and drug in group.members for group in groups)


def _ages(low: Decimal | None, high: Decimal | None) -> str:
    if high is None:
        return f"{_age(low or Decimal(0))} and older"
    return f"under {_age(high)}" if low is None else f"{_age(low)} to under {_age(high)}"


def _age(months: Decimal) -> str:
    if months >= 24:
        return f"{plain(round(months / 12, 1).normalize())} y"
    if months >= 1:
        return f"{plain(round(months, 1).normalize())} month{'' if months == 1 else 's'}"
    days = round(months * _DAYS_IN_A_MONTH)
    return f"{days} day{'' if days == 1 else 's'}"


def ordinary(test: Lab, facts: Facts) -> list[LabRange]:
    """The ranges of a test that may hold for this patient; where the age is not told, those of adults if there are some."""
    rows = _ranges(test, facts, _UNTOLD)
    return rows if facts.age is not None else [r for r in rows if r.to_age is None] or rows


def _ranges(test: Lab, facts: Facts, sample: Sample) -> list[LabRange]:
    """The ranges that may hold: where a medicine works, if it is taken; else what is normal, in pregnancy its own."""
    levels = [r for r in test.ranges if r.kind == "therapeutic"]
    ordinary_too = any(r.kind == "reference" for r in test.ranges)
    treated = [r for r in levels if taken(r.on, facts)] or ([] if ordinary_too else levels)  # who measures a level takes it
    if treated:
        return _of_patient(treated, facts, sample)
    return _own(_of_patient((r for r in test.ranges if r.kind == "reference"), facts, sample))


def _own(rows: list[LabRange]) -> list[LabRange]:
    """In pregnancy its own bands, where there are some."""
    return [r for r in rows if r.trimesters is not None] or rows


def _of_patient(rows: Iterable[LabRange], facts: Facts, sample: Sample) -> list[LabRange]:
    return [r for r in rows if _may_hold(r, facts) and _is_of(r, sample)]


def _is_of(row: LabRange, sample: Sample) -> bool:
    """Whether a range may be of a sample that was so drawn."""
    fits = row.fasting is None or sample.fasting in (None, row.fasting)
    return fits and (not row.drawn or sample.time in (None, row.drawn))


def _may_hold(row: LabRange, facts: Facts) -> bool:
    if row.sex is not None and facts.patient.sex not in (None, row.sex):
        return False
    if facts.age is not None:
        months = facts.age.months
        if (row.from_age is not None and months < row.from_age) or (row.to_age is not None and months >= row.to_age):
            return False
    if row.trimesters is None:
        return True
    pregnancy = facts.pregnancy[0]
    if pregnancy is None or not pregnancy.present:
        return False
    now = _trimester(pregnancy, facts)
    return now is None or now in row.trimesters


def _trimester(pregnancy: Pregnancy, facts: Facts) -> int | None:
    """As told, or the one in which the told weeks lie."""
    weeks = pregnancy.weeks
    if pregnancy.trimester is not None or weeks is None:
        return pregnancy.trimester
    spans = facts.terms.trimesters.items()
    return next((n for n, (low, high) in spans if low <= weeks and (high is None or weeks <= high)), None)


def _side(row: LabRange, result: Result) -> str | None:
    """Below, inside or above a range; None where what the result leaves open lies on both sides."""
    low, high = result.low, result.high
    below = row.low is not None and high is not None and (high < row.low or (high == row.low and not row.low_in))
    above = row.high is not None and low is not None and (low > row.high or (low == row.high and not row.high_in))
    if below or above:
        return "low" if below else "high"
    nothing = row.low == 0  # from nothing on: "<3" lies inside, too
    not_below = row.low is None or nothing or (low is not None and (low > row.low or (low == row.low and row.low_in)))
    not_above = row.high is None or (high is not None and (high < row.high or (high == row.high and row.high_in)))
    return "inside" if not_below and not_above else None


def _needs(by_row: Sequence[tuple[str | None, LabRange]]) -> tuple[str, ...]:
    """The facts that decide: on which two bands that judge differently differ alone, else on which they differ at all."""
    apart = [_apart(a, b) for (one, a), (other, b) in combinations(by_row, 2) if one != other]
    alone = [facts for facts in apart if len(facts) == 1] or apart
    asked = {fact for facts in alone for fact in facts}
    return tuple(fact for fact in _FACTS if fact in asked)


def _apart(a: LabRange, b: LabRange) -> tuple[str, ...]:
    """The facts about a patient on which two bands exclude one another."""
    ends_before = a.to_age is not None and a.to_age <= (b.from_age or 0)
    begins_after = b.to_age is not None and b.to_age <= (a.from_age or 0)
    exclude = {
        "age": ends_before or begins_after,
        "sex": None not in (a.sex, b.sex) and a.sex != b.sex,
        "fasting": None not in (a.fasting, b.fasting) and a.fasting != b.fasting,
        "pregnancy": None not in (a.trimesters, b.trimesters) and a.trimesters != b.trimesters,
        "time": "" not in (a.drawn, b.drawn) and a.drawn != b.drawn,
    }
    return tuple(fact for fact in _FACTS if exclude[fact])
