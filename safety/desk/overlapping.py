"""Rules that nobody would miss: another, at least as loud, speaks of the same two medicines whenever they do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from safety.desk.remarks import Remark, remark
from safety.knowledge.entries import Entry
from safety.knowledge.leaves import DrugLeaf, IngredientLeaf, Restriction
from safety.model.report import RANK

Ways = tuple[Restriction, ...]


def overlapping(entries: Sequence[Entry], part: str = "") -> Iterator[Remark]:
    """The interactions in files under `part` that another one covers; of two that cover each other a site's own, or the later."""
    two = [e for e in entries if e.kind == "interaction" and e.status == "active" and not e.switched_off and _of_two(e)]
    wide = [e for e in two if _asks_nothing_more(e)]
    speaking: dict[str, set[int]] = defaultdict(set)
    for n, e in enumerate(wide):
        for leaf in e.slots:
            for drug in leaf.members or ():
                speaking[drug].add(n)
    for e in two:
        if e.place.startswith(part):
            one, other = (next(iter(leaf.members or ())) for leaf in e.slots)
            near = (wide[n] for n in sorted(speaking[one] & speaking[other]))
            over = next((o for o in near if o is not e and _covers(o, e) and not (_covers(e, o) and _first(e, o))), None)
            if over is not None:
                says = f"{e.severity}; {over.id} says {over.severity} whenever it speaks"
                yield remark("reach.shadowed", e.id, e.place, says)


def _of_two(e: Entry) -> bool:
    return len(e.slots) == 2 and all(leaf.members for leaf in e.slots)


def _asks_nothing_more(e: Entry) -> bool:
    """Whether a rule speaks of its two medicines whoever takes them: of the way they are taken it may ask the route."""
    bound = sum(isinstance(leaf, IngredientLeaf) for leaf in e.condition)
    return len(e.condition) - bound == 2 and e.end is None and all(map(_by_route_alone, e.slots))


def _by_route_alone(leaf: DrugLeaf) -> bool:
    asks = (leaf.forms, leaf.supply, leaf.single_dose, leaf.daily_dose, leaf.started_within, leaf.among, leaf.of,
            leaf.indications, leaf.says, leaf.except_)  # fmt: skip
    return not any(asks)


def _covers(wide: Entry, narrow: Entry) -> bool:
    """Whether one rule speaks, and at least as loudly, whenever another does; another mechanism is another matter."""
    if (wide.constraint.kind, wide.mechanism) != (narrow.constraint.kind, narrow.mechanism):
        return False
    if max(_ranks(wide)) > min(_ranks(narrow)):
        return False
    return any(all(map(_means, slots, narrow.slots)) for slots in permutations(wide.slots))


def _ranks(e: Entry) -> Iterable[int]:
    return [RANK[e.severity], *(RANK[clause.severity] for clause in e.severity_when)]


def _means(wide: DrugLeaf, narrow: DrugLeaf) -> bool:
    """Whether one drug line means every medicine that another means, and the time after it was stopped as well."""
    meant = wide.members or {}
    if not all(drug in meant and _meant_so(meant[drug], ways, narrow) for drug, ways in (narrow.members or {}).items()):
        return False
    return _by(narrow, wide.routes) and (narrow.or_stopped_within or 0) <= (wide.or_stopped_within or 0)


def _meant_so(ways: Ways, others: Ways, narrow: DrugLeaf) -> bool:
    """Whether a medicine that is meant in some ways is meant in each that the other line means."""
    return not ways or ways == others or any(way.forms is None and _by(narrow, way.routes) for way in ways)


def _by(leaf: DrugLeaf, routes: tuple[str, ...] | None) -> bool:
    """Whether a drug line means nothing taken by another route than these."""
    return not routes or (leaf.routes is not None and frozenset(leaf.routes) <= frozenset(routes))


def _first(e: Entry, other: Entry) -> bool:
    """Which of two rules that say the same is kept."""
    return (bool(e.origin), e.id) < (bool(other.origin), other.id)
