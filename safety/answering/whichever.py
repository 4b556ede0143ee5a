"""A name that may mean one of several medicines: what each of them would break is a finding, whichever it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TypeAlias

from msgspec.structs import replace

from safety.judging.judgement import Judgement
from safety.judging.supposing import Weighed, under_assumptions
from safety.knowledge import library as lib
from safety.knowledge.library import Library
from safety.model.patient import Case, Medication
from safety.model.position import Position
from safety.model.report import RANK, Assumed, Finding, Subject
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry

_MOST = 40
_MOST_TOGETHER = 400
_NAMED = 6
_TOGETHER = frozenset({"interaction", "duplicate"})
_AMOUNT_ON = re.compile(r"\d.*", re.S)
_Key: TypeAlias = tuple[str, frozenset[Position], str]
Called: TypeAlias = tuple[Entry, tuple[str, ...]]
"""An entry of which not one medicine is told, and those that it may be."""
Judging: TypeAlias = Callable[[Facts, Iterable[lib.Entry]], Iterable[Judgement]]
Concerning: TypeAlias = Callable[[Facts], Iterable[lib.Entry]]


def with_name(facts: Facts, entry: Entry, name: str) -> Case:
    """The case with one entry's ambiguous name replaced; what follows the name in its text is kept.

    What else its line tells goes to the end of the list.
    """
    told, case = entry.told, facts.case
    after = _AMOUNT_ON.search(told.text) if told.drug is None else None
    sig = told.sig or (after[0] if after else None)
    medication = replace(told, text=f"{name} {sig or ''}".strip(), drug=name, sig=sig, codes=())
    beside = tuple(e.told for e in facts.entries if e.where == entry.where and e is not entry)
    n = entry.where.index
    if entry.where.among == "plan":
        return replace(case, plan=(*case.plan[:n], medication, *case.plan[n + 1 :], *beside))
    listed = (*case.patient.medications[:n], medication, *case.patient.medications[n + 1 :], *beside)
    return replace(case, patient=replace(case.patient, medications=listed))


def under_name(facts: Facts, entry: Entry, name: str) -> Facts:
    """The patient with one entry's ambiguous name replaced. What stands on no list of medicines is replaced as it was understood:
    its line is about something else."""
    if not entry.beside:
        return Facts(with_name(facts, entry, name), facts.terms, facts.day)
    m = facts.terms.meaning_of(Medication(name))
    named = replace(
        entry, meaning=m, answer=m.read.answer, drugs=m.read.drugs, directions=m.directions, routes=m.routes, form=m.form,
        supplies=m.supplies,
    )  # fmt: skip
    return facts.with_entries((*(named if e is entry else e for e in facts.entries),))


class Whichever:
    """What the ambiguous names of one patient break: `judged` and `concerning` judge a patient, and find the rules for one."""

    def __init__(self, facts: Facts, library: Library, judged: Judging, concerning: Concerning) -> None:
        self.facts, self.library = facts, library
        self.judged, self.concerning = judged, concerning
        self.open = [(e, sets) for e in facts.entries if e.current and (sets := candidates(e, library))]

    def found(self) -> Iterator[tuple[Weighed, tuple[Called, ...]]]:
        """Each violation that every candidate of a name commits, or of two names every two; and whose names they are."""
        for entry, sets in self.open:
            yield from self._first((entry, drugs) for drugs in sets)
        for (one, of_one), (other, of_other) in combinations(self.open, 2):
            if of_one[0] != of_other[0]:  # the same word twice is one medicine told twice, as likely as two
                yield from self._first(((one, a), (other, b)) for a, b in product(of_one, of_other))

    def _first(self, ways: Iterable[Called | tuple[Called, Called]]) -> Iterator[tuple[Weighed, tuple[Called, ...]]]:
        """What the first of several sets of candidates breaks, whichever of them is meant."""
        for way in ways:
            called: tuple[Called, ...] = (way,) if isinstance(way[0], Entry) else way
            common = self._together(*called) if len(called) == 2 else self._alone(*called[0])
            if common:
                yield from ((weighed, called) for weighed in common)
                return

    def _alone(self, entry: Entry, drugs: tuple[str, ...]) -> list[Weighed]:
        named = (under_name(self.facts, entry, self.library.name_of(d)) for d in drugs)
        return self._common({entry.where}, (under_assumptions(self.judged(v, self.concerning(v)), v) for v in named))

    def _together(self, one: Called, other: Called) -> list[Weighed]:
        """Two names: each candidate of the one with each of the other, and only what is about both."""
        if len(one[1]) * len(other[1]) > _MOST_TOGETHER:
            return []
        return self._common({one[0].where, other[0].where}, self._each_two(self._as(*one), self._as(*other)))

    def _each_two(self, ones: Sequence[Entry], others: Sequence[Entry]) -> Iterator[Iterator[Weighed]]:
        for a, b in product(ones, others):
            if a.drugs == b.drugs:
                continue
            entries = list(self.facts.entries)
            entries[a.index], entries[b.index] = a, b
            facts = self.facts.with_entries(tuple(entries))
            rules = (r for r in self.concerning(facts) if r.kind in _TOGETHER and len(r.slots) == 2)
            yield under_assumptions(self.judged(facts, rules), facts)

    def _as(self, entry: Entry, drugs: tuple[str, ...]) -> list[Entry]:
        """The entry as it would be understood under each name."""
        facts, found = self.facts, []
        for d in drugs:
            variant = under_name(facts, entry, self.library.name_of(d))
            meant = (e for e in variant.entries if e.where == entry.where and e.drugs == (d,))
            found += [replace(e, index=entry.index) for e in meant][:1]
        return found

    def _common(self, places: set[Position], variants: Iterable[Iterable[Weighed]]) -> list[Weighed]:
        """What all of them break; looked at no further than there is something."""
        root, violated = self.library.harm_root, list[list[Weighed]]()
        shared: set[str | _Key] | None = None
        for weighed in variants:
            about = [w for w in weighed if w[0].verdict == "violated" and places <= {s.where for s in w[0].subjects}]
            violated.append([w for w in about if not w[0].entry.switched_off])
            named: set[str | _Key] = {w[0].entry.id for w in violated[-1]} | {_key(w[0], places, root) for w in violated[-1]}
            shared = named if shared is None else shared & named
            if not shared:
                return []
        return broken_by_all(places, violated, root) if violated else []


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


def broken_by_all(places: set[Position], violated: Sequence[Sequence[Weighed]], root: Mapping[str, str]) -> list[Weighed]:
    """What every variant breaks: the same rule, else the same harm with the same medicines; of each as bad as a third of them."""
    found: list[Weighed] = []
    for rule in sorted(set.intersection(*({j.entry.id for j, _ in v} for v in violated))):
        found.append(_as_most([[w for w in v if w[0].entry.id == rule] for v in violated]))
    told = {_key(j, places, root) for j, _ in found}
    shared = set.intersection(*({_key(j, places, root) for j, _ in v} for v in violated)) - told
    for key in sorted(shared, key=lambda k: (k[0], sorted(k[1]), k[2])):
        found.append(_as_most([[w for w in v if _key(w[0], places, root) == key] for v in violated]))
    return found


def _as_most(of_each: Sequence[Sequence[Weighed]]) -> Weighed:
    """The worst of each, and of these one as bad as at least a third of them are."""
    worst = sorted((min(v, key=_weight) for v in of_each), key=_weight)
    level = worst[(len(worst) - 1) // 3][0].severity
    return next(w for w in worst if w[0].severity == level)


def _weight(one: Weighed) -> tuple[int, int]:
    """The worst first, of these what assumes the least."""
    judgement, assumed = one
    return RANK[judgement.severity], len(assumed)


def _key(j: Judgement, places: set[Position], root: Mapping[str, str]) -> _Key:
    harm = root.get(j.entry.harms[0], "") if j.entry.harms else ""
    return j.entry.kind, frozenset(s.where for s in j.subjects if s.where not in places), harm


def of_whichever(finding: Finding, called: Sequence[Called], library: Library) -> Finding:
    """A finding about names that may mean each of these drugs, in the words that were told."""
    assumed = []
    for entry, drugs in called:
        subjects = [Subject(entry.described, drugs, s.where) if s.where == entry.where else s for s in finding.subjects]
        finding = replace(finding, subjects=subjects)
        some = ", ".join(library.name_of(d) for d in drugs[:_NAMED])
        meant = f"one of {some}" if len(drugs) <= _NAMED else f"one of {len(drugs)}: {some} …"
        assumed.append(Assumed("medication", meant, entry.answer.ask, entry.where))
    return replace(finding, assumed=[*assumed, *finding.assumed])
