"""How the judging of interactions comes out: who is interrupted by which group of pairs, and what more rules cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.alerting import interrupts
from safety.answering.checker import Checker
from safety.answering.proof import case_values
from safety.errors import Place
from safety.knowledge import library as lib
from safety.knowledge.policy import ROLES, Role
from safety.knowledge.proofs import Proof
from safety.model.patient import Case
from safety.reading.case import read_case


class Group(Struct, frozen=True):
    """One group of a list (`onc-high-04`): its rules, how many written cases break them, and what was not as wanted."""

    tag: str
    rules: tuple[str, ...]
    cases: int
    wrong: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether it is recorded, tried, and as wanted in each case and for every role."""
        return bool(self.rules and self.cases) and not self.wrong


def measure_groups(prefix: str, count: int, proofs: Sequence[Proof], checker: Checker, interrupting: bool) -> list[Group]:
    """Each group 1 … `count` of a list: whether every written pair of it speaks, and interrupts (or never does)."""
    return [_group(f"{prefix}-{n:02}", proofs, checker, interrupting) for n in range(1, count + 1)]


def _group(tag: str, proofs: Sequence[Proof], checker: Checker, interrupting: bool) -> Group:
    rules = tuple(e.id for e in checker.library.entries if tag in e.tags and e.status == "active" and not e.switched_off)
    broken = [proof for proof in proofs if proof.entry in rules and proof.expect == "violated"]
    wrong: dict[str, None] = {}
    for proof in broken:
        for role in ROLES:
            said = _otherwise(proof, checker, role, interrupting)
            if said:
                wrong[f"{proof.entry}, {proof.name}: {said}"] = None
    return Group(tag, rules, len(broken), tuple(wrong))


def written(proof: Proof, library: lib.Library) -> tuple[Case, date]:
    """A case as it is written inside a rule, and the day it is judged on."""
    case = read_case(case_values(proof.given), lambda path: Place(proof.place))
    entry = library.entry[proof.entry]
    return case, case.as_of or entry.start or entry.reviewed


def _otherwise(proof: Proof, checker: Checker, role: Role, interrupting: bool) -> str:
    """What is not as wanted of one rule's finding; empty where all is. A card may interrupt for another rule on it."""
    case, day = written(proof, checker.library)
    said = [(card, f) for card in checker.check(case, day, role).findings for f in (card, *card.also) if f.rule == proof.entry]
    if not said:
        return "it does not speak"
    if interrupting:
        return "" if any(card.interrupt for card, _ in said) else f"does not interrupt a {role}"
    policy = next((p for p in checker.library.policies if p.id == "policy.default"), None)
    tags = checker.library.entry[proof.entry].tags
    own = any(card.interrupt and interrupts(policy, tags, f, case, role) for card, f in said)
    return f"interrupts a {role}" if own else ""


def grown(library: lib.Library, times: int) -> lib.Library:
    """The library with that many times the rules: each that names drugs is copied, the copies about drugs nobody takes.

    Rules that mean any drug (the same ingredient twice) stay single: they are no more with more knowledge.
    """
    entries = list(library.entries)
    for n in range(1, times):
        entries += [_copied(entry, f"~{n}") for entry in library.entries if any(s.members is not None for s in entry.slots)]
    return replace(library, entries=tuple(sorted(entries, key=lambda e: e.id)))


def _copied(entry: lib.Entry, mark: str) -> lib.Entry:
    condition = tuple(_about_others(leaf, mark) if isinstance(leaf, lib.DrugLeaf) else leaf for leaf in entry.condition)
    doses = replace(entry.doses, drug=f"{entry.doses.drug}{mark}") if entry.doses is not None else None
    return replace(entry, id=f"{entry.id}{mark}", condition=condition, doses=doses)


def _about_others(leaf: lib.DrugLeaf, mark: str) -> lib.DrugLeaf:
    if leaf.members is None:
        return leaf
    return replace(leaf, members={f"{drug}{mark}": ways for drug, ways in leaf.members.items()})
