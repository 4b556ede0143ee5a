"""What becomes of the observations of whole records: each one read and judged, or told as not usable, or as none of ours."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from msgspec import Struct

from safety.engine import Engine
from safety.labs.standing import stand
from safety.reading.fhir.bundle import read_fhir
from safety.understanding.facts import Facts
from safety.understanding.results import result_of


class Seen(Struct):
    """The results of one test over all records, or of none of ours: how many, and what became of them."""

    test: str
    results: int = 0
    judged: int = 0
    """With a status: low, normal, high, critical."""
    asked: int = 0
    """Bands differ, or none is held."""
    taken: int = 0
    """Taken as a fact of the patient: the weight, the height, whether somebody smokes."""
    unusable: int = 0
    """No number, a unit that does not fit, or not plausible: told as such."""


def measure_observations(records: Iterable[Path], engine: Engine, day: date) -> list[Seen]:
    """Every result of every record, by test, the most frequent first; those that are none of ours by their own names, last."""
    ours: dict[str, Seen] = {}
    others: dict[str, Seen] = {}
    for path in records:
        facts = Facts(read_fhir(gzip.decompress(path.read_bytes())), engine.checker.terms, day)
        for placed in facts.told_results.results:
            test, told = placed.test, placed.told
            answer = facts.terms.intake.answer(told.test, told.value) if test is None else None
            if answer is not None and answer.food is not None:
                fact = ours.setdefault(answer.food, Seen(answer.food))
                fact.results += 1
                fact.taken += 1
                continue
            if test is None:
                others.setdefault(told.test, Seen(told.test)).results += 1
                continue
            seen = ours.setdefault(test.id, Seen(test.id))
            seen.results += 1
            result = result_of(told, test, facts.terms)
            if result.fault is not None:
                seen.unusable += 1
            elif test.measures is not None and not test.ranges:
                seen.taken += 1
            elif result.word or stand(test, result, facts).status != "unknown":
                seen.judged += 1
            else:
                seen.asked += 1
    return [*_most(ours), *_most(others)]


def none_of_ours(seen: Seen) -> int:
    """How many results are of a test that we do not hold: those of which nothing else became."""
    return seen.results - seen.judged - seen.asked - seen.taken - seen.unusable


def _most(seen: dict[str, Seen]) -> list[Seen]:
    return sorted(seen.values(), key=lambda one: (-one.results, one.test))
