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
"""Medicines that do not go together: one problem where they share a medicine and what goes wrong."""
WHOLE = frozenset({"burden", "omission"})
"""About the whole list: one rule is one problem, however many of its medicines are on it."""
_FIRST = ("allergy", "interaction", "otc_disallowed", "contraindication", "otc_limit", "dose")


def grouped(findings: Sequence[Finding], problems: Mapping[str, tuple[str, ...]]) -> list[Finding]:
    """One finding for each problem, in the order of the strongest; `problems` are the groups of harm of each rule.

    Nothing is dropped: what was grouped stands in full under `also`.
    """
    parent = list(range(len(findings)))

    def root(n: int) -> int:
        while parent[n] != n:
            n = parent[n]
        return n

    for n, one in enumerate(findings):
        for m in range(n):
            if root(m) != root(n) and _same_problem(findings[m], one, problems):
                parent[max(root(m), root(n))] = min(root(m), root(n))
    cards: dict[int, list[Finding]] = {}
    for n, one in enumerate(findings):
        cards.setdefault(root(n), []).append(one)
    heads = [_card(group) for group in cards.values()]
    return sorted(heads, key=order)


def order(f: Finding) -> tuple[int, int, int, str, list[tuple[str, int]]]:
    """The strongest first: by severity, then what is hard, then kind, id and position."""
    kind = _FIRST.index(f.kind) if f.kind in _FIRST else len(_FIRST)
    return (RANK[f.severity], not f.hard, kind, f.rule, [_position(s.where) for s in f.subjects])


def _card(group: Sequence[Finding]) -> Finding:
    first, *rest = sorted(group, key=order)
    return replace(first, also=rest, interrupt=any(f.interrupt for f in group)) if rest else first


def _same_problem(a: Finding, b: Finding, problems: Mapping[str, tuple[str, ...]]) -> bool:
    if a.rule == b.rule and a.kind in WHOLE:
        return True
    places = {s.where for s in a.subjects}, {s.where for s in b.subjects}
    shared = places[0] & places[1]
    if not shared:
        return False
    if a.kind in PATIENT and b.kind in PATIENT:
        return places[0] == places[1]
    if a.kind in AMOUNT and b.kind in AMOUNT:
        return bool(_drugs(a) & _drugs(b))
    if a.kind in TOGETHER and b.kind in TOGETHER:
        same_harm = set(problems.get(a.rule, ())) & set(problems.get(b.rule, ()))
        return bool(same_harm) or places[0] == places[1]
    return a.kind == b.kind and a.kind in ("allergy", "monitoring") and places[0] == places[1]


def _drugs(f: Finding) -> set[str]:
    return {d for s in f.subjects for d in ((s.drug,) if isinstance(s.drug, str) else s.drug or ())}


def _position(where: str) -> tuple[str, int]:
    """Where a subject stands, so that medications[10] comes after medications[2]."""
    name, _, rest = where.partition("[")
    return name, int(rest.rstrip("]"))
