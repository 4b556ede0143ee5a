"""Which pairs of medicines the rules speak of, and where rules of the same medicines do not agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from safety.desk.overlapping import overlapping
from safety.desk.remarks import Remark, remark
from safety.knowledge.entries import Entry
from safety.knowledge.leaves import DrugLeaf, IngredientLeaf
from safety.model.report import RANK

BROAD: Final = 5000
"""A rule of more pairs than this is told as broad."""
_LEVELS: Final = 2
_STOPPING: Final = frozenset(("stop", "replace"))
Pair = frozenset[str]


class OfTwo(Struct, frozen=True):
    """A rule of two medicines, whoever takes them: who its two lines mean."""

    entry: Entry
    first: frozenset[str]
    second: frozenset[str]

    @property
    def binding(self) -> frozenset[frozenset[str]]:
        """The two sets of medicines, in either order."""
        return frozenset((self.first, self.second))

    def pairs(self) -> set[Pair]:
        """Every pair of two different medicines that it speaks of."""
        return {frozenset((a, b)) for a in self.first for b in self.second if a != b}


def of_two(entries: Iterable[Entry]) -> list[OfTwo]:
    """The rules in force that speak of two medicines as such: nothing is asked of patient, dose, route or time."""
    found = []
    for e in entries:
        if e.kind != "interaction" or e.status != "active" or e.switched_off or len(e.slots) != 2:
            continue
        if len(e.condition) - sum(isinstance(leaf, IngredientLeaf) for leaf in e.condition) == 2 and all(map(_plain, e.slots)):
            found.append(OfTwo(e, *(frozenset(leaf.members or ()) for leaf in e.slots)))
    return found


def _plain(leaf: DrugLeaf) -> bool:
    """Whether a drug line means its medicines however they are taken."""
    if leaf.members is None or any(leaf.members.values()):
        return False
    asks = (leaf.routes, leaf.forms, leaf.supply, leaf.single_dose, leaf.daily_dose, leaf.or_stopped_within, leaf.started_within,
            leaf.among, leaf.indications, leaf.says)  # fmt: skip
    return not any(asks)


def pair_counts(entries: Iterable[Entry]) -> dict[str, int]:
    """How many pairs of medicines each rule with two drug lines covers at most."""
    found = {}
    for e in entries:
        sizes = [len(leaf.members) for leaf in e.slots if leaf.members is not None]
        if len(sizes) == 2 and len(e.slots) == 2:
            found[e.id] = sizes[0] * sizes[1]
    return found


def disagreements(entries: Sequence[Entry]) -> Iterator[Remark]:
    """Rules of the same medicines that differ in severity or in which of the two is stopped; pairs two levels apart; rules that a
    wider one makes needless; rules of very many pairs."""
    rules = of_two(entries)
    yield from _same_binding(rules)
    by_pair: dict[Pair, list[OfTwo]] = defaultdict(list)
    for rule in rules:
        for pair in rule.pairs():
            by_pair[pair].append(rule)
    yield from _far_apart(by_pair)
    yield from overlapping(entries)
    counts = pair_counts(entries)
    for e in entries:
        if counts.get(e.id, 0) > BROAD:
            yield remark("breadth.pairs", e.id, e.place, f"covers {counts[e.id]:,} pairs")


def _same_binding(rules: Iterable[OfTwo]) -> Iterator[Remark]:
    grouped: dict[frozenset[frozenset[str]], list[OfTwo]] = defaultdict(list)
    for rule in rules:
        grouped[rule.binding].append(rule)
    for same in grouped.values():
        first, *others = sorted(same, key=lambda r: r.entry.id)
        for other in others:
            one, two = first.entry, other.entry
            if one.severity != two.severity:
                says = f"{two.severity}; {one.id} says {one.severity} of the same medicines"
                yield remark("contradiction.severity", two.id, two.place, says)
            if {one.do, two.do} <= _STOPPING and _stopped(first) != _stopped(other):
                says = f"stops the other medicine than {one.id} does"
                yield remark("contradiction.action", two.id, two.place, says)


def _stopped(rule: OfTwo) -> frozenset[str]:
    """The medicines that a rule would have stopped."""
    slot = next((n for n, leaf in enumerate(rule.entry.slots) if leaf.slot == rule.entry.target), 0)
    return (rule.first, rule.second)[slot]


def _far_apart(by_pair: Mapping[Pair, Sequence[OfTwo]]) -> Iterator[Remark]:
    """Two rules whose severities for the same pair lie two levels apart, once for each two rules, with an example."""
    met: dict[tuple[str, str], tuple[Entry, Entry, list[Pair]]] = {}
    for pair, rules in by_pair.items():
        if len(rules) < 2:
            continue
        loud = min(rules, key=lambda r: (RANK[r.entry.severity], r.entry.id)).entry
        mild = max(rules, key=lambda r: (RANK[r.entry.severity], r.entry.id)).entry
        if RANK[mild.severity] - RANK[loud.severity] >= _LEVELS:
            met.setdefault((mild.id, loud.id), (mild, loud, []))[2].append(pair)
    for mild, loud, pairs in met.values():
        example = " with ".join(sorted(i.partition(".")[2] for i in min(pairs, key=sorted)))
        says = f"{mild.severity}; {loud.id} says {loud.severity} of {example}"
        yield remark(
            "contradiction.levels", mild.id, mild.place, says + (f" and {len(pairs) - 1} more" if len(pairs) > 1 else "")
        )
