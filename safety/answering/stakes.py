"""What of a patient decides which questions are worth asking: told problems, age and sex, and results that loud rules look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from safety.answering.asking import Stakes
from safety.answering.coverage import in_months
from safety.judging.candidates import Index, asked_by
from safety.judging.conditions import Logic
from safety.knowledge import library as lib
from safety.model.patient import LabResult
from safety.model.position import ListName, Position
from safety.model.report import RANK
from safety.understanding.facts import Facts

_LOUD = "major"


def kidney_problems(library: lib.Library) -> frozenset[str]:
    """What every problem that tells how little the kidneys do is a kind of: kidney disease, of whatever stage."""
    staged = [set(c.is_a) for c in library.conditions if c.kidney]
    return frozenset(set.intersection(*staged)) if staged else frozenset()


def stakes(facts: Facts, entries: Iterable[lib.Entry], index: Index, of_kidneys: AbstractSet[str]) -> Stakes:
    """The stakes of one patient; `entries`: the rules that could concern the medicines; `of_kidneys`: `kidney_problems`."""
    loud = _loud_tests(entries, index, facts.library)
    return Stakes(
        kidneys=any(p.active is not False and not of_kidneys.isdisjoint(p.kinds) for p in facts.problems or ()),
        child=_is_child(facts),
        woman=facts.patient.sex == "female",
        loud_tests=frozenset(_places(facts, loud)),
        tests_matter=bool(loud),
        loud_problems=_loud_problems(facts, index),
    )


def _is_child(facts: Facts) -> bool:
    if facts.age is None:
        return False
    band = lib.AgeLeaf(place="", text="", bounds=in_months(facts.library.figure("relevance", "child")))
    return Logic(facts).line(band).truth is True


def _loud_tests(entries: Iterable[lib.Entry], index: Index, library: lib.Library) -> set[str]:
    """The tests that a loud rule about these medicines looks at."""
    asked = [index.tests_of(e) for e in entries if _loudest(e) <= RANK[_LOUD]]
    tests = {test for one in asked for test in one.sides}
    if any(one.kidneys for one in asked):
        tests |= {t.id for of_role in library.labs_by_role.values() for t in of_role}
    return tests


def _places(facts: Facts, tests: set[str]) -> Iterator[Position]:
    """Where results of these tests stand."""
    p = facts.patient
    both: tuple[tuple[ListName, tuple[LabResult, ...] | None], ...] = (("labs", p.labs), ("vitals", p.vitals))
    for among, results in both:
        for n, told in enumerate(results or ()):
            test = facts.terms.lab(told)
            if test is not None and test.id in tests:
                yield Position(among, n)


def _loudest(entry: lib.Entry) -> int:
    return min(RANK[entry.severity], *(RANK[c.severity] for c in entry.severity_when), RANK["minor"])


def _loud_problems(facts: Facts, index: Index) -> bool:
    """Whether a rule says "do not" of these medicines to somebody with some problem; looked up where one was not read."""
    if not any(u.where.among == "conditions" for u in facts.unresolved):
        return False
    drugs = {d for e in facts.current if e.resolved for d in e.drugs}
    return any(
        e.severity == "contraindicated" and e.slots and any(isinstance(leaf, lib.HasLeaf) for leaf in asked_by(e))
        for e in index.candidates(drugs, None)
    )
