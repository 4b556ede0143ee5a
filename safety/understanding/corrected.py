"""Results that another test of the same days corrects: a total level or calcium for albumin, sodium for glucose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from safety.formulas.corrections import CORRECTIONS
from safety.knowledge.library import Correction, Lab
from safety.model.quantity import Quantity, plain
from safety.understanding.results import Result

_PLACES = 2


def corrected(
    result: Result, test: Lab, others: Mapping[str, Sequence[Result]], by: Callable[[str], Lab], day: date, failed: bool
) -> Result:
    """The result as its formula corrects it, with what it was; as it stands where the other test is not told, or needs none.

    `failed`: the kidneys have failed, which a formula may ask. Of several results of the other test the nearest day counts.
    """
    rule = test.corrected
    if rule is None or result.fault is not None or result.low is None or result.low != result.high:
        return result
    other = nearest(rule, result, others.get(rule.by, ()), day)
    if other is None or not _matters(rule, other.low):
        return result
    assert other.low is not None
    name = by(rule.by)
    answer = CORRECTIONS[rule.formula](Quantity(result.low, test.unit), Quantity(other.low, name.unit), failed)
    if answer.value is None:
        return result
    value = round(answer.value, _PLACES)
    told = f"{plain(round(other.low, _PLACES).normalize())} {name.unit}"
    shown = f"{result.shown}, corrected for {name.name} {told}: {plain(value.normalize())} {test.unit}"
    return replace(result, low=value, high=value, shown=shown, corrected=f"{name.name} {told}", measured=result.low)


def nearest(rule: Correction, result: Result, others: Sequence[Result], day: date) -> Result | None:
    """The exact result of the other test that lies nearest in time, if near enough; of two, the later one."""
    on = result.on or day
    near = [r for r in others if r.fault is None and r.low is not None and r.low == r.high]
    near = [r for r in near if abs(((r.on or day) - on).days) <= rule.within]
    return min(near, key=lambda r: (abs(((r.on or day) - on).days), -(r.on or day).toordinal(), r.low), default=None)


def _matters(rule: Correction, other: Decimal | None) -> bool:
    if other is None:
        return False
    return (rule.under is None or other < rule.under) and (rule.above is None or other > rule.above)
