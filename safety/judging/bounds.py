"""Whether an amount that is known only within limits is inside the bounds of a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from safety.knowledge import library as lib
from safety.model.quantity import Quantity, Units
from safety.model.truth import Truth

Watch: TypeAlias = Callable[[lib.Bound, int], None]


def _keeps(op: str, order: int) -> bool:
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
        ends: list[Truth] = []
        for end in (low, high):
            order = units.compare(end, bound.value) if end is not None else None
            ends.append(None if order is None else _keeps(bound.op, order))
            if watch is not None and order is not None:
                watch(bound, order)
        grows = bound.op in ("at_least", "above")
        sure, impossible = (ends[0] is True, ends[1] is False) if grows else (ends[1] is True, ends[0] is False)
        if impossible:
            return False
        if not sure:
            answer = None
    return answer
