"""A weight or height told among results ("wt 82 kg") → the patient's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import date

from msgspec.structs import replace

from safety.knowledge.library import Lab
from safety.model.patient import LabResult, Patient
from safety.model.quantity import Quantity
from safety.text import fold
from safety.understanding.results import Result, result_of
from safety.understanding.terms import Terms
from safety.understanding.told_results import counting, told_results


def with_measured_body(patient: Patient, terms: Terms, day: date) -> Patient:
    """The patient with the newest weight and height of the results, where these are not told as facts of their own.

    One without a unit, or two of the newest day that differ, are no such fact: they are asked about as results are.
    """
    wanted = {
        fact: test
        for test in terms.library.body_tests
        for fact in (test.measures,)
        if fact is not None and getattr(patient, fact) is None
    }
    told = (*(patient.labs or ()), *(patient.vitals or ()), *_among_problems(patient, wanted.values(), terms)) if wanted else ()
    likely = [one for one in told if _may_be(one, wanted.values(), terms)]
    if not likely:
        return patient
    read: dict[str, list[Result]] = {}
    for placed in counting(told_results(replace(patient, labs=None, vitals=tuple(likely)), terms, day).results):
        if placed.test is not None and (placed.told.on is None or placed.told.on <= day):
            read.setdefault(placed.test.id, []).append(result_of(placed.told, placed.test, terms))
    found = {fact: amount for fact, test in wanted.items() if (amount := _newest(read.get(test.id, ()), test)) is not None}
    return replace(patient, **found) if found else patient


def _among_problems(patient: Patient, tests: Collection[Lab], terms: Terms) -> Iterator[LabResult]:
    """What lines of the problem list tell of these tests ("Wt 41 kg, cachectic"), where a number stands on them at all."""
    for line in patient.conditions or ():
        if any(map(str.isdigit, line.text)):
            for found in terms.problems.read(line.text).measured:
                if terms.lab(LabResult(found.test)) in tests:
                    yield LabResult(line.text[found.start : found.end], as_written=True)


def _may_be(told: LabResult, tests: Collection[Lab], terms: Terms) -> bool:
    """Whether a result may be of one of these tests: by its name, or by a word of it on a line."""
    if not told.as_written:
        return terms.lab(told) in tests
    line = f" {fold(told.test)} "
    return any(f" {fold(name)} " in line for test in tests for name in (test.name, *test.synonyms))


def _newest(results: Iterable[Result], test: Lab) -> Quantity | None:
    """The one value of the newest day, in the test's own unit."""
    usable = [r for r in results if not r.unusable and not r.assumed and r.low is not None and r.low == r.high]
    last = max((r.on for r in usable if r.on is not None), default=None)
    values = {r.low for r in usable if r.on == last or r.on is None}
    low = values.pop() if len(values) == 1 else None
    return Quantity(low, test.unit) if low is not None else None
