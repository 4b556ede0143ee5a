"""Findings about one problem → one card: the strongest first, the others beneath it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from safety.report import RANK, Finding

PATIENT = frozenset({"contraindication", "otc_disallowed", "renal", "hepatic", "pregnancy", "lactation", "age", "route"})
"""A medicine that does not suit this patient: several reasons are one problem, the medicine."""
AMOUNT = frozenset({"dose", "otc_limit"})
"""Too much or too little of one ingredient, whichever limit says so."""
TOGETHER = frozenset({"interaction", "burden", "duplicate", "food"})
"""Medicines that do not go together: one problem where they are the same medicines."""
FAMILIES = (PATIENT, TOGETHER, frozenset({"allergy"}), frozenset({"monitoring"}))
APART = AMOUNT | {"allergy"}
"""Never gathered with others for what goes wrong: an allergy or a wrong dose is a problem of its own."""
_FIRST = ("allergy", "interaction", "otc_disallowed", "contraindication", "otc_limit", "dose")


class _Pile:
    """Findings that are gathered under the strongest, the head: what goes wrong is the head's, the medicines are all theirs."""

    def __init__(self, head: Finding, harms: frozenset[str]) -> None:
        self.findings = [head]
        self.harms = harms
        self.places = _places(head)

    def takes(self, f: Finding, harms: frozenset[str]) -> bool:
        """Whether a finding is the head's problem again.

        It is where it is about the very same medicines in the same way (of a triple: a pair of the three); about the
        amount of the same ingredient; or where the same goes wrong with a medicine of the pile. Another harm never leads
        on to a third: a pile does not chain.
        """
        head, places = self.findings[0], _places(f)
        if head.kind in AMOUNT and f.kind in AMOUNT:
            return bool(places & self.places) and bool(_drugs(head) & _drugs(f))
        if places == _places(head) and any(head.kind in family and f.kind in family for family in FAMILIES):
            return True
        if {head.kind, f.kind} <= TOGETHER and len(places) > 1 and places < _places(head):
            return True
        if head.kind in APART or f.kind in APART or not self.harms & harms:
            return False
        one_test = head.kind == f.kind == "monitoring"  # one blood sample answers both
        return one_test or bool(places & self.places)

    def add(self, f: Finding) -> None:
        """Gather one more."""
        self.findings.append(f)
        self.places |= _places(f)


def grouped(findings: Sequence[Finding], problems: Mapping[str, tuple[str, ...]]) -> list[Finding]:
    """One finding for each problem, in the order of the strongest; `problems` are the groups of harm of each rule.

    Nothing is dropped: what was grouped stands in full under `also`.
    """
    piles: list[_Pile] = []
    for f in sorted(findings, key=order):
        harms = frozenset(problems.get(f.rule, ()))
        pile = next((p for p in piles if p.takes(f, harms)), None)
        if pile is None:
            piles.append(_Pile(f, harms))
        else:
            pile.add(f)
    return [_card(p.findings) for p in piles]


def order(f: Finding) -> tuple[int, int, int, str, list[tuple[str, int]]]:
    """The strongest first: by severity, then what is hard, then kind, id and position."""
    kind = _FIRST.index(f.kind) if f.kind in _FIRST else len(_FIRST)
    return (RANK[f.severity], not f.hard, kind, f.rule, [_position(s.where) for s in f.subjects])


def _card(pile: Sequence[Finding]) -> Finding:
    first, *rest = pile
    return replace(first, also=rest, interrupt=any(f.interrupt for f in pile)) if rest else first


def _places(f: Finding) -> frozenset[str]:
    return frozenset(s.where for s in f.subjects)


def _drugs(f: Finding) -> set[str]:
    return {d for s in f.subjects for d in ((s.drug,) if isinstance(s.drug, str) else s.drug or ())}


def _position(where: str) -> tuple[str, int]:
    """Where a subject stands, so that medications[10] comes after medications[2]."""
    name, _, rest = where.partition("[")
    return name, int(rest.rstrip("]"))
