"""Whether an amount that is known only within limits is inside the bounds of a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from safety.knowledge import library as lib
from safety.model.quantity import Quantity, Units
from safety.model.truth import Truth

Watch: TypeAlias = Callable[[lib.Bound, int], None]


_GROWS = ("at_least", "above")


def keeps(op: str, order: int) -> bool:
    """Whether an amount that lies so (-1, 0, 1) to the number of a bound keeps it."""
    if op == "at_least":
        return order >= 0
    if op == "at_most":
        return order <= 0
    return order < 0 if op == "under" else order > 0


def span_within(
    low: Quantity | None, high: Quantity | None, bounds: lib.Bounds, units: Units, watch: Watch | None = None
) -> Truth:
    """Whether an amount known only to lie between `low` and `high` is inside all bounds (`None`: open on that side).

    `watch` is told how each known end compares with each bound.
    """
    answer: Truth = True
    for bound in bounds:
        below, above = (low, high) if bound.op in _GROWS else (high, low)
        worst = units.compare(below, bound.value) if below is not None else None
        best = worst if above is below else units.compare(above, bound.value) if above is not None else None
        if watch is not None:
            for order in (worst, best):
                if order is not None:
                    watch(bound, order)
        if best is not None and not keeps(bound.op, best):
            return False
        if worst is None or not keeps(bound.op, worst):
            answer = None
    return answer
