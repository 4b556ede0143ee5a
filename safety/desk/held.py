"""What is held of each medicine and problem, kind of check by kind of check; and how our classes compare with the FDA's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from safety.desk.keeping import in_force
from safety.desk.remarks import Remark, remark
from safety.judging.candidates import CHECKS, Index, asked_by
from safety.knowledge.leaves import HasLeaf
from safety.knowledge.library import Drug, DrugClass, Library

_CORE: Final = ("interaction", "contraindication", "dose")
_FEWEST: Final = 3
_OF_A_HUNDRED: Final = 75
"""A class is compared where so many members have an FDA class, and so many of a hundred of them the same."""


class Row(Struct, frozen=True):
    """Of one medicine: which kinds of check hold knowledge of it, and whether its label was read, statement by statement."""

    drug: str
    name: str
    place: str
    checks: tuple[str, ...]
    label_read: bool


def matrix(library: Library, index: Index, drugs: Sequence[Drug]) -> list[Row]:
    """What is held of each of these medicines; a label read whole, with nothing to state, holds a check too."""
    rows = []
    for drug in drugs:
        ledgers = library.ledgers(drug.id)
        held = {*index.holds(drug.id), *(check for check in CHECKS if any(ledger.whole(check) for ledger in ledgers))}
        rows.append(Row(drug.id, drug.name, drug.place, tuple(c for c in CHECKS if c in held), bool(ledgers)))
    return rows


def uncovered(library: Library, index: Index, rows: Iterable[Row]) -> Iterator[Remark]:
    """Medicines without the checks that every medicine needs, and problems that no rule asks for."""
    for row in rows:
        drug = library.drug[row.drug]
        lacking = [c for c in _CORE if c not in row.checks and not (c == "dose" and drug.supply == "otc")]
        if lacking:
            yield remark("coverage.medicine", row.drug, row.place, f"nothing held: {', '.join(lacking)}")
        if drug.supply != "prescription" and not index.limited(row.drug):
            yield remark("coverage.otc", row.drug, row.place, "no limit of what is bought")
    asked = {i for e in in_force(library) for leaf in asked_by(e) if isinstance(leaf, HasLeaf) for i in leaf.conditions}
    asked |= {i for e in in_force(library) if e.doses is not None for r in e.doses.ranges for i in r.indications}
    for condition in library.conditions:
        narrower_only = asked.isdisjoint(condition.is_a)
        if narrower_only and not condition.unjudged and not condition.circumstance and condition.id not in asked:
            yield remark("coverage.condition", condition.id, condition.place, "no rule asks for it, or for what it is a kind of")


def classes(library: Library, fda: Mapping[str, str]) -> Iterator[Remark]:
    """Where our classes differ from the FDA's: `fda` gives the established pharmacologic class of a medicine by its name."""
    by_name = {drug.name.lower(): drug for drug in library.drugs}
    of_drug = {by_name[name.lower()].id: epc for name, epc in fda.items() if name.lower() in by_name and epc}
    members_of: dict[str, list[str]] = {}
    for drug, epc in of_drug.items():
        members_of.setdefault(epc, []).append(drug)
    for group in library.classes:
        yield from _compared(group, of_drug, members_of, library)


def _compared(
    group: DrugClass, of_drug: Mapping[str, str], members_of: Mapping[str, Sequence[str]], library: Library
) -> Iterator[Remark]:
    told = Counter(of_drug[m] for m in group.members if m in of_drug)
    if not told:
        return
    epc, count = told.most_common(1)[0]
    if count < _FEWEST or 100 * count < _OF_A_HUNDRED * told.total():
        return
    narrower = 2 * count < len(members_of[epc])  # ours holds less than half of the FDA's: it means to be narrower
    for drug in members_of[epc]:
        if drug not in group.members and not narrower:
            yield remark("classes.missing", group.id, group.place, f"{library.name_of(drug)} is a {epc} too")
    for member in group.members:
        if of_drug.get(member, epc) != epc:
            yield remark("classes.extra", group.id, group.place, f"{library.name_of(member)} is a {of_drug[member]}, not a {epc}")
