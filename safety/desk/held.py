"""What is held of each medicine and problem, kind of check by kind of check; and how our classes compare with the FDA's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from safety.desk.keeping import in_force
from safety.desk.remarks import Remark, remark
from safety.judging.candidates import CHECKS, Index, asked_by, within
from safety.knowledge.leaves import DrugLeaf, HasLeaf
from safety.knowledge.library import Condition, Drug, DrugClass, LeafType, Library

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
    asked = set(_asked_for(library))
    for condition in library.conditions:
        if not condition.unjudged and not condition.circumstance and not _tells(condition) and asked.isdisjoint(condition.is_a):
            yield remark("coverage.condition", condition.id, condition.place, "no rule asks for it, or for what it is a kind of")


def _asked_for(library: Library) -> Iterator[str]:
    """Every problem that a rule, a dose table, an inference or a group of alternatives asks for."""
    for e in in_force(library):
        for leaf in (*asked_by(e), *within(line for clause in e.severity_when for line in clause.lines)):
            yield from _named_in(leaf)
        if e.doses is not None:
            yield from (i for r in e.doses.ranges for i in r.indications)
    for inference in library.inferences:
        yield from (i for leaf in within(inference.when) for i in _named_in(leaf))
    for group in library.alternatives:
        yield from group.conditions


def _named_in(leaf: LeafType) -> tuple[str, ...]:
    if isinstance(leaf, HasLeaf):
        return leaf.conditions
    return leaf.indications if isinstance(leaf, DrugLeaf) else ()


def _tells(condition: Condition) -> bool:
    """Whether a problem tells a fact that rules ask for in its place: pregnancy, breastfeeding, how well the kidneys work."""
    return condition.pregnancy is not None or condition.breastfeeding is not None or bool(condition.kidney)


def classes(library: Library, fda: Mapping[str, str]) -> Iterator[Remark]:
    """Where our classes differ from the FDA's: `fda` gives the established pharmacologic classes of a medicine (`A | B`) by its
    name."""
    by_name = {drug.name.lower(): drug.id for drug in library.drugs}
    of_drug = {by_name[name.lower()]: told.split(" | ") for name, told in fda.items() if name.lower() in by_name and told}
    members_of: dict[str, list[str]] = {}
    for drug, told in of_drug.items():
        for epc in told:
            members_of.setdefault(epc, []).append(drug)
    for group in library.classes:
        yield from _compared(group, of_drug, members_of, library)


def _compared(
    group: DrugClass, of_drug: Mapping[str, Sequence[str]], members_of: Mapping[str, Sequence[str]], library: Library
) -> Iterator[Remark]:
    known = [m for m in group.members if m in of_drug]
    told = Counter(epc for m in known for epc in of_drug[m])
    if not told:
        return
    epc, count = told.most_common(1)[0]
    if count < _FEWEST or 100 * count < _OF_A_HUNDRED * len(known):
        return
    narrower = 2 * count < len(members_of[epc])  # ours holds less than half of the FDA's: it means to be narrower
    for drug in members_of[epc]:
        if drug not in group.members and not narrower:
            yield remark("classes.missing", group.id, group.place, f"{library.name_of(drug)} is of its FDA class too: {epc}")
    for member in known:
        if epc not in of_drug[member]:
            says = f"{library.name_of(member)} is of another FDA class ({' and '.join(of_drug[member])}) than the others ({epc})"
            yield remark("classes.extra", group.id, group.place, says)
