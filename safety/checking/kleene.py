"""Three-valued logic: true, false, or not known and what would settle it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from safety.knowledge import library as lib
from safety.quantity import Quantity, Units

Truth: TypeAlias = bool | None


class Seen(Struct, frozen=True):
    """What a line came to: its truth, what the patient had, and what is needed where it is not known."""

    truth: Truth
    saw: str
    needs: tuple[str, ...] = ()


Watch: TypeAlias = Callable[[lib.Bound, int], None]


def all_of(parts: Iterable[Seen]) -> Seen:
    """False if one is false; else not known if one is not; else true."""
    kept: list[Seen] = []
    for part in parts:
        if part.truth is False:
            return part
        if part.saw or part.truth is None:
            kept.append(part)
    return _together(kept, True)


def any_of(parts: Iterable[Seen]) -> Seen:
    """True if one is true; else not known if one is not; else false."""
    kept: list[Seen] = []
    for part in parts:
        if part.truth is True:
            return part
        if part.saw or part.truth is None:
            kept.append(part)
    return _together(kept, False)


def _together(parts: list[Seen], known: bool) -> Seen:
    """What parts that do not decide by themselves come to: not known if one is not, else `known`."""
    if not parts:
        return _KNOWN[known]
    if len(parts) == 1:
        return parts[0]
    open_ = [part for part in parts if part.truth is None]
    needs = tuple(dict.fromkeys(need for part in open_ for need in part.needs))
    return Seen(None if open_ else known, "; ".join([part.saw for part in parts if part.saw]), needs)


_KNOWN = {truth: Seen(truth, "") for truth in (True, False)}


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
