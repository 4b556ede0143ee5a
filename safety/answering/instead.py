"""What may be taken instead of a medicine that a rule says to stop or replace: each candidate is checked for this patient by
the same rules before it is offered, and at most three are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from msgspec.structs import replace

from safety.judging.conditions import Ingredient
from safety.judging.judgement import Judgement
from safety.knowledge import library as lib
from safety.model.patient import Case, Medication, Patient
from safety.model.position import Position
from safety.model.report import RANK, Finding, Offered, Severity
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry, understand

Judging = Callable[[Facts, Sequence[lib.Entry]], Iterator[Judgement]]
Concerning = Callable[[Facts], Sequence[lib.Entry]]
MOST = 3
_ASKED_OF = frozenset({"stop", "replace"})
_OF_ONE = frozenset({"interaction", "contraindication", "allergy", "otc_disallowed", "pregnancy", "lactation", "age", "renal",
                     "hepatic", "route", "food", "lab"})  # fmt: skip
"""Kinds of rules that speak against one medicine; two of a kind, or a list too long, are not mended by a third medicine."""
_NOT_AGAINST = frozenset({"omission", "monitoring"})
_WATCHED = frozenset({"monitor", "inform", "separate", "ask"})
Tried = dict[tuple[str, str, int], "list[Judgement] | None"]
"""What is said against an order of a drug in the place of the medicine so numbered."""
Key = tuple[str, tuple[Position, ...]]


class Alternatives:
    """Finds what may be taken instead; made once for a library. `judged`: what entries come to for a patient, what is usual
    being assumed; `concerning`: those that may have something to say."""

    def __init__(self, library: lib.Library, judged: Judging, concerning: Concerning) -> None:
        self.library, self.judged, self.concerning = library, judged, concerning

    @cached_property
    def _by_drug(self) -> dict[str, tuple[lib.Alternative, ...]]:
        found: dict[str, tuple[lib.Alternative, ...]] = {}
        for group in self.library.alternatives:
            for drug in group.instead_of:
                found[drug] = (*found.get(drug, ()), group)
        return found

    def with_offers(self, card: Finding, target: Ingredient | None, facts: Facts, tried: Tried) -> Finding:
        """A card with what may be taken instead of the medicine that its advice is aimed at; `tried` keeps what was found of each
        candidate for the further cards of this patient."""
        if target is None or card.do not in _ASKED_OF or card.kind not in _OF_ONE or card.severity == "minor":
            return card
        offers = list(islice(self._offers(target, card.severity, facts, tried), MOST))
        return replace(card, instead=offers) if offers else card

    def _offers(self, target: Ingredient, severity: Severity, facts: Facts, tried: Tried) -> Iterator[Offered]:
        taken = {d for e in facts.entries for d in e.drugs}
        for group in self._groups(target, facts):
            source = group.evidence[0].source if group.evidence else ""
            for candidate in group.offer:
                against = None if candidate.drug in taken else self._tried(candidate, target.entry, facts, tried)
                if against is not None and all(_usable(j, severity) for j in against):
                    taken.add(candidate.drug)
                    yield Offered(candidate.drug, candidate.order, source, sorted({j.entry.id for j in against}))

    def _groups(self, target: Ingredient, facts: Facts) -> list[lib.Alternative]:
        """The groups for this medicine: those for what it is taken for first, then those for any purpose."""
        told = {k for p in facts.problems or () if p.active for k in p.kinds}
        groups = [g for g in self._by_drug.get(target.drug, ()) if self._so_taken(g, target)]
        for_it = [g for g in groups if g.conditions and not told.isdisjoint(g.conditions)]
        return for_it or [g for g in groups if not g.conditions]

    def _so_taken(self, group: lib.Alternative, target: Ingredient) -> bool:
        """Whether it is meant as it is taken: a cream is not what tablets are replaced for."""
        ways = group.instead_of[target.drug]
        return not ways or any(w.routes is None or not {*w.routes}.isdisjoint(target.entry.routes) for w in ways)

    def _tried(self, candidate: lib.Instead, replaced: Entry, facts: Facts, tried: Tried) -> list[Judgement] | None:
        key = candidate.order, candidate.drug, replaced.index
        if key not in tried:
            tried[key] = self._against(candidate, replaced, facts)
        return tried[key]

    def _against(self, candidate: lib.Instead, replaced: Entry, facts: Facts) -> list[Judgement] | None:
        """What is said against the candidate in the place of what it replaces; None where its order is not read as itself."""
        own = _as_ordered(candidate.order, replaced, facts)
        if own is None or candidate.drug not in own.drugs:
            return None
        variant = facts.with_entries(tuple(own if e.index == replaced.index else e for e in facts.entries))
        rules = [r for r in self.concerning(variant) if _may_speak_of(r, candidate.drug)]
        return [j for j in self.judged(variant, rules) if _speaks(j, replaced.where)]


def key_of(rule: str, where: Iterable[Position]) -> Key:
    """By which a finding and the judgement that it came of are known to be the same."""
    return rule, tuple(where)


def target_of(j: Judgement) -> Ingredient | None:
    """The medicine that the advice of a broken rule is aimed at."""
    return next((b for slot, b in j.bound if slot == j.entry.target), None)


def _speaks(j: Judgement, where: Position) -> bool:
    """Whether a judgement stands against a medicine at this place; an allergy that nobody told of is asked about in any case."""
    if j.entry.switched_off or j.severity == "minor" or j.entry.kind in _NOT_AGAINST:
        return False
    open_ = j.verdict == "unknown" and j.severity == "contraindicated" and j.entry.kind != "allergy"
    return (j.verdict == "violated" or open_) and any(s.where == where for s in j.subjects)


def _usable(j: Judgement, instead_of: Severity) -> bool:
    """Whether a medicine may be offered nevertheless: with something to watch, and milder than what it is offered for."""
    return j.verdict == "violated" and j.entry.do in _WATCHED and RANK[j.severity] > RANK[instead_of]


def _may_speak_of(rule: lib.Entry, drug: str) -> bool:
    if rule.doses is not None:
        return rule.doses.drug == drug
    return not rule.slots or any(s.members is None or drug in s.members for s in rule.slots)


def _as_ordered(order: str, replaced: Entry, facts: Facts) -> Entry | None:
    """The order as it is understood in the place of what it replaces; None where it is not one medicine."""
    read, _ = understand(Case(Patient(medications=(Medication(order),))), facts.terms.meaning_of, facts.day, replaced.body)
    return replace(read[0], index=replaced.index, where=replaced.where) if len(read) == 1 else None
