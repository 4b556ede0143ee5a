"""Rules that can never speak: lines that name nobody, and lines that together ask for what nobody can be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from safety.desk.remarks import Remark, remark
from safety.knowledge.entries import Entry
from safety.knowledge.leaves import (
    AgeLeaf,
    AllLeaf,
    AnyLeaf,
    Bounds,
    DrugLeaf,
    HasLeaf,
    KidneyLeaf,
    LabLeaf,
    LeafType,
    NotLeaf,
    PregnancyLeaf,
    SexLeaf,
    WeightLeaf,
)
from safety.knowledge.library import Library
from safety.model.quantity import Units

_LOW: Final = frozenset(("at_least", "above"))
_STRICT: Final = frozenset(("above", "under"))


def unreachable(library: Library) -> Iterator[Remark]:
    """Classes without members, rules that name nobody, and rules whose lines exclude one another."""
    for group in library.classes:
        if not group.members:
            yield remark("reach.empty", group.id, group.place, "has no members")
    for entry in library.entries:
        if entry.status != "active" or entry.switched_off:
            continue
        empty = next((leaf for leaf in _drug_lines(entry.condition) if leaf.members is not None and not leaf.members), None)
        if empty is not None:
            yield remark("reach.empty", entry.id, empty.place, f"`{empty.text}` means no medicine")
        yield from impossible_rule(entry, library.units)


def impossible_rule(entry: Entry, units: Units) -> Iterator[Remark]:
    """Why no patient can meet a rule's condition; nothing where somebody may."""
    why = impossible(_flat(entry.condition), units)
    if why:
        yield remark("reach.impossible", entry.id, entry.place, why)


def _drug_lines(lines: Iterable[LeafType]) -> Iterator[DrugLeaf]:
    for leaf in lines:
        if isinstance(leaf, DrugLeaf):
            yield leaf
        elif isinstance(leaf, AllLeaf | AnyLeaf):
            yield from _drug_lines(leaf.lines)


def _flat(lines: Iterable[LeafType]) -> list[LeafType]:
    """Lines that must all hold, those of an `all` too."""
    return [inner for leaf in lines for inner in (_flat(leaf.lines) if isinstance(leaf, AllLeaf) else [leaf])]


def impossible(lines: Iterable[LeafType], units: Units) -> str:
    """Why lines that must all hold never do; empty where somebody may be meant."""
    listed = list(lines)
    return _apart(listed, units) or _both_ways(listed) or _pregnant_man(listed)


def _apart(lines: Iterable[LeafType], units: Units) -> str:
    """A measure that is asked to lie where no value lies."""
    asked: dict[str, list[Bounds]] = defaultdict(list)
    for leaf in lines:
        if isinstance(leaf, AgeLeaf):
            asked["age"].append(leaf.bounds)
        elif isinstance(leaf, WeightLeaf):
            asked["weight"].append(leaf.bounds)
        elif isinstance(leaf, KidneyLeaf):
            asked["clearance"].append(leaf.bounds)
        elif isinstance(leaf, LabLeaf) and not leaf.words:
            asked[leaf.test].append(leaf.bounds)
    for what, each in asked.items():
        if nothing_between(tuple(b for bounds in each for b in bounds), units):
            return f"no {what} lies within its bounds"
    return ""


def nothing_between(bounds: Bounds, units: Units) -> bool:
    """Whether no value keeps to all of these bounds."""
    lows = [b for b in bounds if b.op in _LOW]
    highs = [b for b in bounds if b.op not in _LOW]
    for low in lows:
        for high in highs:
            order = units.compare(low.value, high.value)
            if order is not None and (order > 0 or (order == 0 and (low.op in _STRICT or high.op in _STRICT))):
                return True
    return False


def _both_ways(lines: Iterable[LeafType]) -> str:
    """A problem that is asked to be there and not to be there."""
    there = [leaf for leaf in lines if isinstance(leaf, HasLeaf)]
    denied = [leaf.line for leaf in lines if isinstance(leaf, NotLeaf)]
    for line in denied:
        if isinstance(line, HasLeaf) and any(_covers(line, wanted) for wanted in there):
            return f"asks for a problem and for its absence ({', '.join(line.conditions)})"
    return ""


def _covers(denied: HasLeaf, wanted: HasLeaf) -> bool:
    """Whether whoever has what is wanted has what is denied: of what is over, only where that is denied too."""
    if not frozenset(wanted.conditions) <= frozenset(denied.conditions):
        return False
    return denied.ever or (not wanted.ever and wanted.within is None and denied.within is None)


def _pregnant_man(lines: Iterable[LeafType]) -> str:
    listed = list(lines)
    male = any(isinstance(leaf, SexLeaf) and leaf.sex == "male" for leaf in listed)
    pregnant = any(isinstance(leaf, PregnancyLeaf) and leaf.present for leaf in listed)
    return "asks for a man who is pregnant" if male and pregnant else ""


def ends(bounds: Bounds, units: Units, unit: str) -> tuple[tuple[Decimal, bool] | None, tuple[Decimal, bool] | None] | None:
    """The lower and the upper end of bounds in a unit, each with whether it belongs to them; None where a unit cannot be
    converted."""
    low: tuple[Decimal, bool] | None = None
    high: tuple[Decimal, bool] | None = None
    for b in bounds:
        value = units.convert(b.value, unit)
        if value is None:
            return None
        end = value, b.op not in _STRICT
        if b.op in _LOW:
            low = end
        else:
            high = end
    return low, high
