"""Where a result lies: which ranges may hold for this patient, what they come to, and whether somebody must be brought in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from msgspec import Struct

from safety.knowledge.library import Lab, LabRange
from safety.model.lab_answer import LabBand, LabStatus
from safety.model.quantity import plain
from safety.understanding.facts import Facts
from safety.understanding.ranges import taken
from safety.understanding.results import Result

_OPEN: dict[str, LabStatus] = {"low": "critical_low", "high": "critical_high"}


class Stand(Struct, frozen=True):
    """The status, the range it was held against, facts that would decide it, and whether some band calls it critical."""

    status: LabStatus
    row: LabRange | None
    needs: tuple[str, ...] = ()
    maybe_critical: bool = False


def stand(test: Lab, result: Result, facts: Facts, fasting: bool | None) -> Stand:
    """Unit and plausibility are settled before; then critical, then therapeutic or reference, band by band."""
    rows = _ranges(test, facts, fasting)
    critical = [_side(row, result) for row in _of_patient((r for r in test.ranges if r.kind == "critical"), facts, fasting)]
    sides = {side for side in critical if side in _OPEN}
    by_row = [(_side(row, result), row) for row in rows]
    row = max((r for _, r in by_row), key=_adult, default=None)
    if critical and len(sides) == 1 and all(side in sides for side in critical):
        return Stand(_OPEN[sides.pop()], row)
    found = {side for side, _ in by_row}
    if not found:
        return Stand("unknown", None, (), bool(sides))
    if len(found) == 1 and None not in found:
        return Stand(_status(found.pop()), row, (), bool(sides))
    return Stand("unknown", None, _needs(rows, facts, fasting), bool(sides))


def _adult(row: LabRange) -> tuple[bool, Decimal]:
    """Of ranges that say the same, the one to show where the age is not told: that of adults."""
    return row.to_age is None, row.from_age or Decimal(0)


def _status(side: str | None) -> LabStatus:
    return {"low": "low", "high": "high"}.get(side or "", "normal")  # type: ignore[return-value]


def target_of(test: Lab, facts: Facts) -> LabRange | None:
    """What is aimed at in one of this patient's conditions."""
    kinds = {k for p in facts.problems or () if p.active for k in p.kinds}
    return next((r for r in test.ranges if r.kind == "target" and not kinds.isdisjoint(r.conditions)), None)


def within(row: LabRange, result: Result) -> bool | None:
    """Whether a result lies inside a range; None where it may lie on either side."""
    side = _side(row, result)
    return None if side is None else side == "inside"


def band(row: LabRange | None, test: Lab) -> LabBand | None:
    """A range in words."""
    if row is None:
        return None
    low, high = (plain(v) if v is not None else None for v in (row.low, row.high))
    return LabBand(low, high, test.unit, _for(row), row.kind)


def _for(row: LabRange) -> str:
    parts = []
    if row.trimesters is not None:
        parts.append("pregnant, trimester " + "/".join(map(str, row.trimesters)))
    if row.from_age is not None or row.to_age is not None:
        parts.append(_ages(row.from_age, row.to_age))
    if row.sex:
        parts.append(row.sex)
    if row.fasting is not None:
        parts.append("fasting" if row.fasting else "not fasting")
    if row.kind == "therapeutic":
        parts.append("while it is taken")
    return ", ".join(parts)


def _ages(low: Decimal | None, high: Decimal | None) -> str:
    if high is None:
        return f"{_age(low or Decimal(0))} and older"
    return f"under {_age(high)}" if low is None else f"{_age(low)} to under {_age(high)}"


def _age(months: Decimal) -> str:
    return f"{plain(round(months / 12, 1).normalize())} y" if months >= 24 else f"{plain(round(months, 1).normalize())} months"


def _ranges(test: Lab, facts: Facts, fasting: bool | None) -> list[LabRange]:
    """The ranges that may hold: where a medicine works, if it is taken; else what is normal, in pregnancy its own."""
    treated = [r for r in test.ranges if r.kind == "therapeutic" and taken(r.on, facts)]
    if treated:
        return _of_patient(treated, facts, fasting)
    rows = _of_patient((r for r in test.ranges if r.kind == "reference"), facts, fasting)
    own = [r for r in rows if r.trimesters is not None]
    return own or rows


def _of_patient(rows: Iterable[LabRange], facts: Facts, fasting: bool | None) -> list[LabRange]:
    return [r for r in rows if _may_hold(r, facts, fasting)]


def _may_hold(row: LabRange, facts: Facts, fasting: bool | None) -> bool:
    if row.sex is not None and facts.patient.sex not in (None, row.sex):
        return False
    if row.fasting is not None and fasting not in (None, row.fasting):
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
    return pregnancy.trimester is None or pregnancy.trimester in row.trimesters


def _side(row: LabRange, result: Result) -> str | None:
    """Below, inside or above a range; None where what the result leaves open lies on both sides."""
    low, high = result.low, result.high
    below = row.low is not None and high is not None and (high < row.low or (high == row.low and not row.low_in))
    above = row.high is not None and low is not None and (low > row.high or (low == row.high and not row.high_in))
    if below or above:
        return "low" if below else "high"
    not_below = row.low is None or (low is not None and (low > row.low or (low == row.low and row.low_in)))
    not_above = row.high is None or (high is not None and (high < row.high or (high == row.high and row.high_in)))
    return "inside" if not_below and not_above else None


def _needs(rows: Sequence[LabRange], facts: Facts, fasting: bool | None) -> tuple[str, ...]:
    """Of what is not told, that on which the bands differ; nothing where the result itself leaves it open."""
    needs = []
    if facts.age is None and len({(r.from_age, r.to_age) for r in rows}) > 1:
        needs.append("age")
    if facts.patient.sex is None and len({r.sex for r in rows}) > 1:
        needs.append("sex")
    if fasting is None and len({r.fasting for r in rows}) > 1:
        needs.append("fasting")
    if len({r.trimesters for r in rows}) > 1:
        needs.append("pregnancy")
    return tuple(needs)
