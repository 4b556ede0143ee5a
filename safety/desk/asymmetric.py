"""Pairs that are told from one side only: in one order of being started, or by one of two labels that were read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from safety.desk.remarks import Remark, remark
from safety.knowledge.entries import Entry
from safety.knowledge.leaves import DrugLeaf
from safety.knowledge.library import Library

_LOUD: Final = frozenset(("contraindicated", "major"))
_CHECK: Final = "interaction"


def one_sided(entries: Sequence[Entry], library: Library) -> Iterator[Remark]:
    """Rules of two medicines that only speak in one order, that one label of two holds, or that forbid what they only watch."""
    pairs = [e for e in entries if e.kind == _CHECK and len(e.slots) == 2]
    yield from _in_one_order(pairs)
    yield from _by_one_label(pairs, library)
    for e in entries:
        if e.severity == "contraindicated" and e.do == "monitor":
            yield remark("contradiction.verb", e.id, e.place, "is contraindicated, and asks for nothing but to monitor")


def _in_one_order(entries: Iterable[Entry]) -> Iterator[Remark]:
    """Rules that ask of one medicine to be the newer one, where nothing speaks of the pair with the other one newer."""
    newer: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    either = set[tuple[str, str]]()
    for e in entries:
        first, second = e.slots
        if _newer(first) == _newer(second):
            either.update(_pairs(first, second), _pairs(second, first))
            continue
        for pair in _pairs(first, second) if _newer(first) else _pairs(second, first):
            newer[pair].append(e)
    told = set[str]()
    for (a, b), rules in newer.items():
        for e in rules:
            if (a, b) not in either and (b, a) not in newer and e.id not in told:
                told.add(e.id)
                says = f"speaks of {_bare(a)} begun beside {_bare(b)}, and nothing of {_bare(b)} begun beside {_bare(a)}"
                yield remark("contradiction.order", e.id, e.place, says)


def _newer(leaf: DrugLeaf) -> bool:
    return leaf.among == "plan" or leaf.started_within is not None


def _pairs(one: DrugLeaf, other: DrugLeaf) -> Iterator[tuple[str, str]]:
    return ((a, b) for a in one.members or () for b in other.members or () if a != b)


def _by_one_label(entries: Iterable[Entry], library: Library) -> Iterator[Remark]:
    """Loud rules of two single medicines whose labels were both read for interactions, and that one of the ledgers holds."""
    holding = _holding(library)
    for e in entries:
        drugs = [next(iter(leaf.members)) for leaf in e.slots if leaf.members is not None and len(leaf.members) == 1]
        if e.severity not in _LOUD or len(drugs) != 2 or not all(_read(drug, library) for drug in drugs):
            continue
        holds = [drug for drug in drugs if drug in holding.get(e.id, ())]
        if len(holds) == 1:
            silent = next(drug for drug in drugs if drug not in holds)
            says = f"{e.severity}: the label of {_bare(holds[0])} holds it, that of {_bare(silent)} was read and does not"
            yield remark("contradiction.one-label", e.id, e.place, says)


def _read(drug: str, library: Library) -> bool:
    return any(ledger.whole(_CHECK) for ledger in library.ledgers(drug))


def _holding(library: Library) -> Mapping[str, set[str]]:
    """Of each entry, the medicines whose ledgers name it."""
    found: dict[str, set[str]] = defaultdict(set)
    for ledger in library.coverage:
        for statements in ledger.sections.values():
            for statement in statements:
                for i in statement.held:
                    found[library.current_id(i)].add(ledger.drug)
    return found


def _bare(i: str) -> str:
    return i.partition(".")[2]
