"""Findings that one decision answers → one card: the strongest first, the others beneath it. Ids decide, never words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from safety.model.position import Position
from safety.model.report import RANK, Finding

PATIENT = frozenset({"contraindication", "otc_disallowed", "renal", "hepatic", "pregnancy", "lactation", "age", "route"})
"""A medicine that does not suit this patient: several reasons are one concern, the medicine."""
AMOUNT = frozenset({"dose", "otc_limit"})
"""Too much or too little of one ingredient, whichever limit says so."""
TOGETHER = frozenset({"interaction", "burden", "duplicate", "food"})
"""Medicines that do not go together: one concern where they are the same medicines."""
FAMILIES = (PATIENT, TOGETHER, frozenset({"allergy"}), frozenset({"monitoring"}), frozenset({"dose", "renal"}))
APART = AMOUNT | {"allergy"}
"""Never gathered with others for what goes wrong: an allergy or a wrong dose is a concern of its own."""
_NOT_GIVEN = ("stop", "replace")
_GIVEN_OTHERWISE = frozenset({"reduce", "increase", "separate", "add", "monitor"})
_FIRST = {kind: n for n, kind in enumerate(("allergy", "interaction", "otc_disallowed", "contraindication", "otc_limit", "dose"))}


_Places: TypeAlias = frozenset[tuple[Position, str]]


class _Pile:
    """Findings that are gathered under the strongest, the head: what goes wrong is the head's, the medicines are all theirs."""

    def __init__(self, head: Finding, harm: str, places: _Places) -> None:
        self.findings = [head]
        self.harm = harm
        self.places = self._of_head = places

    def takes(self, f: Finding, harm: str, places: _Places) -> bool:
        """Whether a finding is the head's concern again.

        It is where it is about the very same medicines in the same way (of a triple: a pair of the three); about the
        amount of the same ingredient; or where the same goes wrong, first of all, with a medicine of the pile. Another
        harm never leads on to a third: a pile does not chain.
        """
        head = self.findings[0]
        kinds = {head.kind, f.kind}
        if kinds <= AMOUNT:
            return bool(places & self.places) and bool(_drugs(head) & _drugs(f))
        if places == self._of_head and any(kinds <= family for family in FAMILIES):
            return True
        if kinds <= TOGETHER and len(places) > 1 and places < self._of_head:
            return True
        if kinds & APART or harm != self.harm:
            return False
        one_test = kinds == {"monitoring"}  # one blood sample answers both
        return one_test or bool(places & self.places)

    def add(self, f: Finding, places: _Places) -> None:
        """Gather one more."""
        self.findings.append(f)
        self.places |= places


class _Grouping:
    """Gathers findings; `root` is the widest harm that each harm belongs to."""

    def __init__(self, root: Mapping[str, str], findings: Sequence[Finding]) -> None:
        self.root = root
        self._places = {id(f): _places(f) for f in findings}

    def piles(self, findings: Sequence[Finding]) -> list[_Pile]:
        """Each finding with the first pile that takes it."""
        piles: list[_Pile] = []
        for f in findings:
            places, harm = self._places[id(f)], self.harm(f)
            pile = next((p for p in piles if p.takes(f, harm, places)), None)
            if pile is None:
                piles.append(_Pile(f, harm, places))
            else:
                pile.add(f, places)
        return piles

    def merged(self, piles: list[_Pile]) -> list[_Pile] | None:
        """The piles with one taken into a stronger one that by now shares a medicine and its harm; None where none is."""
        for n, pile in enumerate(piles):
            for m in range(n + 1, len(piles)):
                other = piles[m]
                if self._takes(pile, other.findings[0], other.harm):
                    moved = [f for f in other.findings if self._takes(pile, f, self.harm(f))]
                    for f in moved:
                        pile.add(f, self._places[id(f)])
                    left = self.piles([f for f in other.findings if f not in moved])
                    return [*piles[:m], *left, *piles[m + 1 :]]
        return None

    def _takes(self, pile: _Pile, f: Finding, harm: str) -> bool:
        return pile.takes(f, harm, self._places[id(f)])

    def harm(self, f: Finding) -> str:
        """What goes wrong first of all: the root of the finding's chief harm."""
        return self.root[f.harms[0]]


def grouped(findings: Sequence[Finding], root: Mapping[str, str]) -> list[Finding]:
    """One finding for each concern, in the order of the strongest; `root` is the widest harm that each harm belongs to.

    Nothing is dropped: what was grouped stands in full under `also`.
    """
    keys = {id(f): order(f) for f in findings}

    def in_order(f: Finding) -> Order:
        return keys[id(f)]

    def told_anyhow(f: Finding) -> tuple[tuple[object, ...], list[str], list[str], list[Position]]:
        """The strongest first; of equals by what they are about, so that what is gathered does not depend on the order of the
        list. Which of several equals a card shows first does: the one that was listed first."""
        *strength, where = keys[id(f)]
        return tuple(strength), sorted(_drugs(f)), sorted(s.text for s in f.subjects), where

    grouping = _Grouping(root, findings)
    piles = grouping.piles(sorted(sorted(findings, key=in_order), key=told_anyhow))
    while (merged := grouping.merged(piles)) is not None:
        piles = merged
    return sorted((_card(sorted(p.findings, key=in_order)) for p in piles), key=order)


Order: TypeAlias = tuple[int, bool, bool, int, str, list[Position]]


def order(f: Finding) -> Order:
    """The strongest first: by severity, then what is hard, what is about to be started, kind, id and position."""
    where = [s.where for s in f.subjects]
    started = any(place.among == "plan" for place in where)
    return RANK[f.severity], not f.hard, not started, _FIRST.get(f.kind, len(_FIRST)), f.rule, where


def _card(pile: Sequence[Finding]) -> Finding:
    """The strongest leads, of equals the one that says not to give; what would be done if it were given says nothing then."""
    first = next((f for f in pile if _leads(f, pile[0])), pile[0])
    rest = [_under(f, first) for f in pile if f is not first]
    return replace(first, also=rest, interrupt=any(f.interrupt for f in pile)) if rest else first


def _leads(f: Finding, strongest: Finding) -> bool:
    """Whether a finding as strong as the strongest says not to give what that would give otherwise."""
    as_strong = (f.severity, f.hard) == (strongest.severity, strongest.hard) and not f.assumed
    return as_strong and f.do in _NOT_GIVEN and strongest.do in _GIVEN_OTHERWISE


def _under(f: Finding, first: Finding) -> Finding:
    """A finding below another: without its own advice where the first says that these very medicines are not to be given."""
    if first.do not in _NOT_GIVEN or f.do not in _GIVEN_OTHERWISE or not _places(f) <= _places(first):
        return f
    silent = replace(f, advice="", if_unavoidable="", task="")
    if f.kind not in AMOUNT:
        return silent
    told = " and ".join(dict.fromkeys(s.text for s in f.subjects))
    return replace(silent, title=f"{told}: the dose does not fit either", why="")


def _places(f: Finding) -> _Places:
    """The entries that it is about; one line may tell several."""
    return frozenset((s.where, s.text) for s in f.subjects)


def _drugs(f: Finding) -> set[str]:
    return {d for s in f.subjects for d in ((s.drug,) if isinstance(s.drug, str) else s.drug or ())}
