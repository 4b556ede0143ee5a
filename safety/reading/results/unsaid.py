"""In which unit a number is meant that was told without one."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from safety.knowledge.library import Lab


class Unsaid(Struct, frozen=True):
    """What a number without a unit may be: each unit in which it is plausible, and what it comes to in the test's own.

    Of units that come to the same only the first is named. `usual`: there is one, and it is commonly left unsaid.
    """

    readings: tuple[tuple[str, Decimal], ...]
    usual: bool

    @property
    def values(self) -> list[Decimal]:
        """What it may come to, in the test's own unit, the lowest first."""
        return sorted({value for _, value in self.readings})


def unsaid(value: Decimal, lab: Lab, months: Decimal | None = None) -> Unsaid:
    """The units that a bare number of a test may be in, its own first; none where it is plausible in no unit.

    `months`: how old the patient is, where that is told.
    """
    each = tuple(_readings(value, lab, months))
    usual = {unit for unit, _, usual in each if usual}
    first: dict[Decimal, str] = {}
    for unit, found, _ in each:
        if plausible(found, lab):
            first.setdefault(found, unit)
    readings = tuple((unit, found) for found, unit in first.items())
    return Unsaid(readings, len(readings) == 1 and readings[0][0] in usual)


def is_open(value: Decimal, lab: Lab) -> bool:
    """Whether a bare number would be plausible in units that come to different values, however usual they are for it."""
    each = {value} | {value * o.factor + o.offset for o in lab.other_units if o.unsaid != "never"}
    return sum(1 for one in each if plausible(one, lab)) > 1


def _readings(value: Decimal, lab: Lab, months: Decimal | None) -> Iterator[tuple[str, Decimal, bool]]:
    yield lab.unit, value, True
    for other in lab.other_units:
        young = months is not None and other.young_under is not None and months < other.young_under
        least = other.young_from if young else other.unsaid_from
        under = other.young_below if young and other.young_below is not None else other.unsaid_under
        in_bounds = (least is None or value >= least) and (under is None or value < under)
        if other.unsaid != "never" and in_bounds and _is_of_a_step(value, other.unsaid_step, lab):
            yield other.unit, value * other.factor + other.offset, other.unsaid == "usual"


def _is_of_a_step(value: Decimal, step: Decimal | None, lab: Lab) -> bool:
    """Whether a number may come from what is measured in such steps: cells are counted in tens. Where it cannot be in the test's
    own unit, it may have been worked out, and any does."""
    return step is None or value % step == 0 or not plausible(value, lab)


def plausible(value: Decimal, lab: Lab) -> bool:
    """Whether a value, in the test's own unit, can be."""
    low, high = lab.plausible_low, lab.plausible_high
    return (low is None or value >= low) and (high is None or value <= high)
