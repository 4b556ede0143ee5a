"""Where a test is heading: changes larger than chance and the assay explain (the reference change value, log-normal)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise

from msgspec import Struct

from safety.knowledge.library import Lab
from safety.model.lab_answer import LabTrend

_ASSAY = Decimal("0.5")
"""The assay's part, as a share of the variation within one person, where no laboratory tells its own."""
_Z = Decimal("1.96")
_DEFAULT = Decimal(10)
"""Where no variation is published: a tenth, so that small changes are not called a trend."""
_STEADY = 3


class Point(Struct, frozen=True):
    """One result of a test, in its own unit; `corrected`: it takes the place of others of the day. `on` None: some day before."""

    on: date | None
    value: Decimal
    corrected: bool = False


def points(told: Iterable[Point]) -> list[Point]:
    """One point a day, oldest first, of those with a day: a correction supersedes; several others of a day are their mean."""
    by_day: dict[date, list[Point]] = {}
    for one in told:
        if one.on is not None:
            by_day.setdefault(one.on, []).append(one)
    found = []
    for day, group in sorted(by_day.items()):
        kept = [p for p in group if p.corrected] or group
        found.append(Point(day, sum((p.value for p in kept), Decimal(0)) / len(kept)))
    return found


def variation(test: Lab, months: Decimal | None) -> Decimal | None:
    """How much a test varies within one person so old, in percent; None where it is not held."""
    young = test.varies_young
    return young[1] if young is not None and months is not None and months < young[0] else test.varies


def changed(before: Decimal, after: Decimal, varies: Decimal | None) -> int:
    """1 or -1 where a value really rose or fell, 0 where chance and the assay may explain the difference."""
    if before <= 0 or after <= 0:
        return (after > before) - (after < before)
    within = varies if varies is not None else _DEFAULT
    cv = within * (1 + _ASSAY * _ASSAY).sqrt() / 100
    limit = _Z * (2 * (cv * cv + 1).ln()).sqrt()
    ratio = (after / before).ln()
    return 0 if abs(ratio) <= limit else (1 if ratio > 0 else -1)


def trend(line: Sequence[Point], varies: Decimal | None) -> LabTrend:
    """A steady trend needs three points: all steps one way, or within chance, and the whole a real change;
    or every step one way and wider than the test varies.

    Two points tell a real change between them, and no more: neither a steady trend nor that the test is stable.
    """
    if len(line) < _STEADY:
        return _between(line, varies)
    steps = {changed(a.value, b.value, varies) for a, b in pairwise(line)} - {0}
    whole = changed(line[0].value, line[-1].value, varies)
    if len(steps) > 1:
        return "no_consistent_trend"
    if whole == 0 and not steps and (way := _all_one_way(line, varies)):
        return "rising" if way > 0 else "falling"
    if whole == 0:
        return "stable" if not steps else "no_consistent_trend"
    if steps and whole not in steps:
        return "no_consistent_trend"
    return "rising" if whole > 0 else "falling"


def _all_one_way(line: Sequence[Point], varies: Decimal | None) -> int:
    """1 or -1 where every step goes that way by more than a test varies within one person: by chance two such steps in a row,
    each too small to count alone, come about once in twenty; 0 else."""
    within = (varies if varies is not None else _DEFAULT) / 100
    steps = [(b.value / a.value).ln() for a, b in pairwise(line) if a.value > 0 and b.value > 0]
    if len(steps) + 1 < len(line) or min(map(abs, steps)) < within or (min(steps) < 0 < max(steps)):
        return 0
    return 1 if steps[0] > 0 else -1


def is_steady(line: Sequence[Point]) -> bool:
    """Whether there are points enough to call a trend steady."""
    return len(line) >= _STEADY


def _between(line: Sequence[Point], varies: Decimal | None) -> LabTrend:
    """A change between two points that is larger than chance and the assay explain."""
    way = changed(line[0].value, line[1].value, varies) if len(line) == 2 else 0
    return "insufficient_history" if way == 0 else "rising" if way > 0 else "falling"
