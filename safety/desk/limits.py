"""Rows of one table that follow one another by age or weight: what lies between two of them, or in both; units that differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct

from safety.desk.reach import ends
from safety.desk.remarks import Remark, remark
from safety.knowledge.entries import Entry, Limit
from safety.knowledge.leaves import AgeLeaf, LeafType, WeightLeaf
from safety.knowledge.library import Library
from safety.model.quantity import Units

_BY: Final[tuple[tuple[type, str, str], ...]] = ((AgeLeaf, "age", "month"), (WeightLeaf, "weight", "kg"))
End = tuple[Decimal, bool]


class Band(Struct, frozen=True):
    """From where to where a row holds, each end with whether it belongs to it; None: open. `says`: what it allows."""

    low: End | None
    high: End | None
    text: str
    place: str
    says: Any = None


def uneven(library: Library) -> Iterator[Remark]:
    """Holes and overlaps between the rows of each limit and dose table, and rows whose units cannot be compared."""
    for entry in library.entries:
        if entry.status == "active" and not entry.switched_off:
            yield from _of_entry(entry, library.units)


def _of_entry(entry: Entry, units: Units) -> Iterator[Remark]:
    limits = entry.constraint.limits
    yield from _units(entry, limits, units)
    for rows in _alike(limits, lambda r: (r.start, r.end, _kinds(r, units))):
        yield from _banded(entry, [(r.who, r.text, r.place, r.bounds) for r in rows], units)
    if entry.doses is None:
        return
    for ranges in _alike(entry.doses.ranges, lambda r: (r.indications, r.routes, r.forms)):
        # ranges are alternatives, so two may hold for one patient; what none holds for is a hole
        yield from _banded(entry, [(r.who, r.id, r.place, None) for r in ranges], units)


def _alike(rows: Iterable[Any], key: Callable[[Any], Any]) -> list[list[Any]]:
    """Rows that differ only in whom they are for."""
    found: dict[Any, list[Any]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return [each for each in found.values() if len(each) > 1]


def _units(entry: Entry, limits: Sequence[Limit], units: Units) -> Iterator[Remark]:
    """Rows for some whose amounts are of another kind than the rows for others; the same people in two units are alternatives."""
    kinds: dict[Any, set[str]] = defaultdict(set)
    for limit in limits:
        whom = tuple(leaf.asks for leaf in limit.who)
        kinds[whom] |= _kinds(limit, units)
    told = sorted({", ".join(sorted(each)) for each in kinds.values()})
    if len(told) > 1:
        yield remark("limits.unit", entry.id, entry.place, f"some rows are in {told[0]}, others in {told[1]}")


def _kinds(limit: Limit, units: Units) -> frozenset[str]:
    """What the amounts of a row are told in: mass, units of activity, tablets."""
    return frozenset(str(units.dimension(b.value.unit.partition("/")[0])) for b in limit.bounds)


Row = tuple[tuple[LeafType, ...], str, str, Any]


def _banded(entry: Entry, rows: Iterable[Row], units: Units) -> Iterator[Remark]:
    """Compare neighbors, where every row is for an age alone, or every row for a weight alone."""
    listed = list(rows)
    for kind, what, unit in _BY:
        if not all(len(who) == 1 and isinstance(who[0], kind) for who, *_ in listed):
            continue
        bands = []
        for who, text, place, says in listed:
            both = ends(who[0].bounds, units, unit)  # type: ignore[union-attr]
            if both is not None:
                bands.append(Band(*both, text, place, says))
        yield from _neighbors(entry, bands, what, unit)


def _neighbors(entry: Entry, bands: Iterable[Band], what: str, unit: str) -> Iterator[Remark]:
    ordered = sorted(bands, key=lambda b: (b.low is not None, b.low[0] if b.low else Decimal(0)))
    for before, after in pairwise(ordered):
        if before.high is None or after.low is None:
            if before.says != after.says and before.high is None:
                yield _remark("limits.overlap", entry, after, f"holds for some {what} together with `{before.text}`")
            continue
        gap = after.low[0] - before.high[0]
        belongs = before.high[1] + after.low[1]
        if gap > 0 or (gap == 0 and not belongs):
            says = f"no row for {what} from {_shown(before.high[0], unit)} to {_shown(after.low[0], unit)}"
            yield _remark("limits.hole", entry, after, says)
        elif (gap < 0 or belongs > 1) and before.says != after.says:
            says = f"two rows for {what} from {_shown(after.low[0], unit)} to {_shown(before.high[0], unit)}"
            yield _remark("limits.overlap", entry, after, says)


def _remark(line: str, entry: Entry, at: Band, says: str) -> Remark:
    return remark(line, entry.id, at.place, says)


def _shown(value: Decimal, unit: str) -> str:
    if unit == "month" and value and value % 12 == 0:
        return f"{(value / 12).normalize():f} y"
    return f"{value.normalize():f} {unit}"
