"""Results that are not ordinary and that no rule about these medicines looks at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from safety.judging.candidates import Index
from safety.knowledge import library as lib
from safety.labs.standing import stand
from safety.model.patient import LabResult
from safety.model.position import Position
from safety.model.report import Unresolved
from safety.text import printable
from safety.understanding.facts import Facts
from safety.understanding.ranges import Standing, standing
from safety.understanding.results import Result
from safety.understanding.told_results import counting

_ASK = "Please judge this by hand: it is not ordinary, and no rule of ours about these medicines looks at it."
_CALL = "Critical: call the clinician responsible now, with symptoms 911. No rule of ours about these medicines speaks for it."
_CRITICAL = ("critical_low", "critical_high")
_NO_RANGE = "Please judge this by hand: we do not hold what is ordinary, and no rule of ours about these medicines looks at it."


class _Newest(Struct, frozen=True):
    """The newest usable result of a test, and where it stands."""

    test: lib.Lab
    result: Result
    told: LabResult
    where: Position


def unjudged_results(
    facts: Facts, entries: Iterable[lib.Entry], index: Index, spoken: Iterable[lib.Entry] = ()
) -> Iterator[Unresolved]:
    """The newest result of each test that is out of its range on a side that none of these entries looks at.

    A critical one is told whoever looks at it, unless an entry that spoke (`spoken`) is about it.
    """
    said = {test for entry in spoken for test in index.tests_of(entry).sides}
    newest = _newest(facts)
    looked = _looked(facts, entries, index) if newest else {}
    for one in newest:
        where = standing(one.test, one.result, facts)
        if one.test.id not in said and not one.result.word and stand(one.test, one.result, facts).status in _CRITICAL:
            yield Unresolved(f"{printable(one.told.test)} {one.result.shown}", one.where, "unjudged", [], _CALL)
            continue
        sides = looked.get(one.test.id, frozenset())
        if where == "ordinary" or where in sides or (where == "not known" and sides) or _measures_a_disease(one, where, facts):
            continue
        text = f"{printable(one.told.test)} {one.result.shown}"
        yield Unresolved(text, one.where, "unjudged", [], _NO_RANGE if where == "not known" else _ASK)


def mild_results(
    facts: Facts, entries: Iterable[lib.Entry], index: Index, spoken: Iterable[lib.Entry] = ()
) -> Iterator[str]:  # fmt: skip
    """Results out of their range on a side that an entry looks at, and not so far that one speaks: told, and judged."""
    newest = [one for one in _newest(facts) if not one.result.word]
    said = {test for entry in spoken for test in index.tests_of(entry).sides} if newest else set()
    looked = _looked(facts, entries, index) if newest else {}
    for one in newest:
        where = standing(one.test, one.result, facts)
        told = f"{printable(one.told.test)} {one.result.shown}"
        if where not in looked.get(one.test.id, frozenset()):
            if disease := _measures_a_disease(one, where, facts):
                yield f"{told} is {where}: a measure of {facts.library.condition[disease].name}, which is on the list"
        elif one.test.id not in said and stand(one.test, one.result, facts).status not in _CRITICAL:
            yield f"{told} is {where}; no rule about these medicines speaks of so little"


def _measures_a_disease(one: _Newest, where: Standing, facts: Facts) -> str | None:
    """A disease on the list that this result measures, so that it asks nothing of the medicines; none if somebody is called."""
    held = facts.told_now.intersection(one.test.of_disease.get(where, ()))
    stood = stand(one.test, one.result, facts)
    return min(held) if held and stood.status not in _CRITICAL and stood.call == "none" else None


def _looked(facts: Facts, entries: Iterable[lib.Entry], index: Index) -> dict[str, frozenset[str]]:
    """On which sides the entries look at each test; whoever asks for the kidneys looks at every test of them."""
    found: dict[str, frozenset[str]] = {}
    kidneys = {t.id for tests in facts.library.labs_by_role.values() for t in tests}
    asked = False
    for entry in entries:
        tests = index.tests_of(entry)
        for test, sides in tests.sides.items():
            found[test] = found.get(test, frozenset()) | sides
        for one in facts.library.pregnancy_tests if tests.pregnancy else ():
            found[one.id] = found.get(one.id, frozenset()) | {"high"}
        asked = asked or tests.kidneys or not kidneys.isdisjoint(tests.sides)
    return found | dict.fromkeys(kidneys, frozenset(("low", "high"))) if asked else found


def _newest(facts: Facts) -> list[_Newest]:
    """The newest usable result of each test; a weight or height is a fact of the body, by which doses are judged."""
    found: dict[str, _Newest] = {}
    for placed in counting(facts.told_results.results):
        told, test = placed.told, placed.test
        if test is None or test.measures is not None or (told.on is not None and told.on > facts.day):
            continue
        result = facts.result_of(told, test)
        if result.derived and stand(test, result, facts).call == "none":
            continue
        before = found.get(test.id)
        if result.fault is None and (before is None or _after(result, before.result)):
            found[test.id] = _Newest(test, result, told, placed.where)
    return list(found.values())


def _after(one: Result, other: Result) -> bool:
    """Whether a result is newer; one of no day counts as of today."""
    return other.on is not None and (one.on is None or one.on > other.on)
