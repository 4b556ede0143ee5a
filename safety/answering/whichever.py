"""A name that may mean one of several medicines: what each of them would break is a finding, whichever it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from safety.judging.judgement import Judgement
from safety.judging.supposing import Weighed
from safety.knowledge.library import Library
from safety.model.position import Position
from safety.model.report import RANK, Assumed, Finding, Subject
from safety.understanding.medications import Entry

_MOST = 40
_NAMED = 6
_Key: TypeAlias = tuple[str, frozenset[Position], str]


def candidates(entry: Entry, library: Library) -> list[tuple[str, ...]]:
    """The sets of drugs that an ambiguous name may mean, widest first: all of them; of a class, those that are swallowed.

    Empty where there is nothing to choose from: one candidate is no choice, and a name after "not" is none.
    """
    if entry.answer.status != "ambiguous":
        return []
    of_class = entry.meaning.read.one_of
    named = of_class or tuple(c.drug for c in entry.answer.candidates if isinstance(c.drug, str))
    if len(named) < 2 or len(named) > _MOST or (not of_class and len(named) < len(entry.answer.candidates)):
        return []
    swallowed = tuple(d for d in of_class if (known := library.drug.get(d)) is not None and "oral" in known.routes)
    return [named, swallowed] if 1 < len(swallowed) < len(named) else [named]


def broken_by_all(where: Position, variants: Sequence[Sequence[Weighed]], root: Mapping[str, str]) -> list[Weighed]:
    """What every variant of one entry breaks: the same rule, else the same harm with the same medicines; of each the mildest."""
    violated = [[w for w in v if w[0].verdict == "violated" and any(s.where == where for s in w[0].subjects)] for v in variants]
    found: list[Weighed] = []
    for rule in sorted(set.intersection(*({j.entry.id for j, _ in v} for v in violated))):
        found.append(_mildest([[w for w in v if w[0].entry.id == rule] for v in violated]))
    told = {_key(j, where, root) for j, _ in found}
    shared = set.intersection(*({_key(j, where, root) for j, _ in v} for v in violated)) - told
    for key in sorted(shared, key=lambda k: (k[0], sorted(k[1]), k[2])):
        found.append(_mildest([[w for w in v if _key(w[0], where, root) == key] for v in violated]))
    return found


def _mildest(of_each: Sequence[Sequence[Weighed]]) -> Weighed:
    """The worst of each, and of these the mildest: so bad it is whichever it is."""
    worst = [min(v, key=lambda w: RANK[w[0].severity]) for v in of_each]
    return max(worst, key=lambda w: RANK[w[0].severity])


def _key(j: Judgement, where: Position, root: Mapping[str, str]) -> _Key:
    harm = root.get(j.entry.harms[0], "") if j.entry.harms else ""
    return j.entry.kind, frozenset(s.where for s in j.subjects if s.where != where), harm


def of_whichever(finding: Finding, entry: Entry, drugs: tuple[str, ...], library: Library) -> Finding:
    """A finding about a name that may mean each of these drugs, in the words that were told."""
    subjects = [Subject(entry.described, drugs, s.where) if s.where == entry.where else s for s in finding.subjects]
    some = ", ".join(library.name_of(d) for d in drugs[:_NAMED])
    meant = f"one of {some}" if len(drugs) <= _NAMED else f"one of {len(drugs)}: {some} …"
    one = Assumed("medication", meant, entry.answer.ask, entry.where)
    return replace(finding, subjects=subjects, assumed=[one, *finding.assumed])
