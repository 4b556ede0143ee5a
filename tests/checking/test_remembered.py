"""What was said of one patient is said again only of patients who are alike in all that is asked: counting by memory and judging
each case anew come to the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from typing import Any

import msgspec
import pytest
from conftest import compiled, examples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from library_cases import DAY, cases

from safety.answering.checker import Checker
from safety.answering.remembered import OfEntry, Remembered, of_entry
from safety.engine import as_case
from safety.judging.candidates import within
from safety.judging.conditions import Logic
from safety.knowledge import library as lib
from safety.model.report import Report
from safety.understanding.facts import Facts

law = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.explain})
ON = date.fromisoformat(DAY)


class _Anew:
    """Remembers nobody: every entry is judged for every case."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker

    def of_each(self, facts: Facts, entries: Sequence[lib.Entry]) -> list[OfEntry]:
        return [of_entry(entry, facts, self._checker._told_of_anybody) for entry in entries]


@cache
def checker() -> Checker:
    return Checker(compiled().library, "test")


@contextmanager
def remembering(memory: object) -> Iterator[Checker]:
    one = checker()
    one.__dict__["_remembered"] = memory
    yield one


def fresh() -> Remembered:
    return Remembered(checker().library, checker()._told_of_anybody)


def counted(memory: object, case: dict[str, Any]) -> dict[str, Any]:
    with remembering(memory) as one:
        report = one.counted(as_case(case), ON)
    told: dict[str, Any] = json.loads(msgspec.json.encode(report, enc_hook=str))
    return told


def alone(case: dict[str, Any]) -> dict[str, Any]:
    return counted(_Anew(checker()), case)


@settings(law, max_examples=examples(60))
@given(told=st.lists(st.deferred(lambda: cases()), min_size=2, max_size=4), data=st.data())
def test_cases_counted_one_after_the_other_are_each_as_counted_alone(told: list[dict[str, Any]], data: st.DataObject) -> None:
    # the facts of one with the medicines of another: as much alike as two cases can be
    first, second = told[:2]
    medicines = {key: first["patient"][key] for key in ("medications",) if key in first["patient"]}
    mixed = {**first, "patient": {**second["patient"], **medicines}}
    memory = fresh()
    for case in data.draw(st.permutations([*told, mixed, first])):
        assert counted(memory, case) == alone(case)


@settings(law, max_examples=examples(40))
@given(told=st.lists(st.deferred(lambda: cases()), min_size=2, max_size=6))
def test_cases_counted_side_by_side_are_each_as_counted_alone(told: list[dict[str, Any]]) -> None:
    first, second = told[:2]
    medicines = {key: first["patient"][key] for key in ("medications",) if key in first["patient"]}
    each = [*told, {**first, "patient": {**second["patient"], **medicines}}, first]
    with remembering(fresh()) as one:
        reports = list(one.counted_each([(as_case(case), ON) for case in each]))
    assert [json.loads(msgspec.json.encode(report, enc_hook=str)) for report in reports] == [alone(case) for case in each]


@settings(law, max_examples=examples(30))
@given(told=st.lists(st.deferred(lambda: cases()), min_size=2, max_size=3))
def test_a_reader_is_told_of_each_case_as_if_it_were_the_first(told: list[dict[str, Any]]) -> None:
    first, second = told[:2]
    mixed = {**first, "patient": {**second["patient"], "medications": first["patient"].get("medications", [])}}
    memory = fresh()

    def read(case: dict[str, Any], memory: object) -> bytes:
        with remembering(memory) as one:
            return msgspec.json.encode(one.check(as_case(case), ON), enc_hook=str)

    for case in (*told, mixed, first):
        assert read(case, memory) == read(case, fresh())


@settings(law, max_examples=examples(45))
@given(case=st.deferred(lambda: cases()))
def test_what_is_counted_is_what_a_reader_is_told(case: dict[str, Any]) -> None:
    with remembering(fresh()) as one:
        few, whole = one.counted(as_case(case), ON), one.check(as_case(case), ON)

    def found(report: Report) -> list[Any]:
        each = [(f.rule, f.kind, f.severity, f.hard, f.title, f.advice, f.subjects, f.assumed) for f in report.every_finding]
        waiting = [(u.rule, u.also, u.severity, u.subjects, u.needs) for u in report.unknown]
        return [report.verdict, each, waiting, report.not_covered, report.unknown_because]

    assert found(few) == found(whole)


SAME = {"sex": "female", "conditions": ["hypertension"], "allergies": [], "labs": [], "medications": ["metformin 1000 mg bid"]}
PAIRS = {
    "an age at a boundary": (
        {"age": "64 y", "medications": ["diphenhydramine 50 mg at bedtime"]},
        {"age": "65 y", "medications": ["diphenhydramine 50 mg at bedtime"]},
    ),
    "a child": ({"age": "40 y"}, {"age": "7 y"}),
    "kidneys": ({"labs": ["eGFR 62 on 2026-11-18"]}, {"labs": ["eGFR 28 on 2026-11-18"]}),
    "kidneys, not told": ({"labs": []}, {"labs": None}),
    "an allergy": ({"allergies": []}, {"allergies": ["NSAIDs: angioedema"]}),
    "an allergy whose name is guessed": ({"allergies": ["icillin"]}, {"allergies": ["amoxicilin: hives"]}),
    "allergies not told": ({"allergies": []}, {"allergies": None}),
    "weight, where the dose goes by it": (
        {"age": "8 y", "weight": "25 kg", "medications": ["acetaminophen 500 mg q6h"]},
        {"age": "8 y", "weight": "60 kg", "medications": ["acetaminophen 500 mg q6h"]},
    ),
    "the same two medicines the other way round": (
        {"medications": ["warfarin 5 mg daily", "fluconazole 200 mg daily"]},
        {"medications": ["fluconazole 200 mg daily", "warfarin 5 mg daily"]},
    ),
    "one more medicine that softens": (
        {"medications": ["aspirin 81 mg daily", "prednisone 20 mg daily"]},
        {"medications": ["aspirin 81 mg daily", "prednisone 20 mg daily", "omeprazole 20 mg daily"]},
    ),
    "a problem that only makes it louder": (
        {"medications": ["lisinopril 20 mg daily", "spironolactone 25 mg daily", "potassium chloride 20 mEq daily"]},
        {
            "medications": ["lisinopril 20 mg daily", "spironolactone 25 mg daily", "potassium chloride 20 mEq daily"],
            "conditions": ["hypertension", "CKD stage 3"],
        },
    ),
    "pregnant": ({"pregnancy": "no", "age": "30 y"}, {"pregnancy": "weeks 30", "age": "30 y"}),
    "what is eaten": ({"intake": []}, {"intake": ["6 beers a day"]}),
    "a result that moved": (
        {"labs": ["creatinine 1.0 mg/dL on 2026-11-18"]},
        {"labs": ["creatinine 1.0 mg/dL on 2026-11-01", "creatinine 2.1 mg/dL on 2026-11-18"]},
    ),
    "a name that nobody knows": ({}, {"medications": ["metformin 1000 mg bid", "qwxyz 5 mg"]}),
}  # fmt: skip


@pytest.mark.parametrize("which", sorted(PAIRS))
def test_two_who_differ_in_one_thing_are_not_taken_for_each_other(which: str) -> None:
    one, other = (
        {"patient": {k: v for k, v in {**SAME, **told}.items() if v is not None}, "plan": ["ibuprofen 600 mg tid"]}
        for told in PAIRS[which]
    )
    memory = fresh()
    assert [counted(memory, case) for case in (one, other, one)] == [alone(case) for case in (one, other, one)]
    assert alone(one) != alone(other)
    with remembering(fresh()) as checker_:
        reports = list(checker_.counted_each([(as_case(case), ON) for case in (one, other, one)]))
    assert [json.loads(msgspec.json.encode(r, enc_hook=str)) for r in reports] == [alone(case) for case in (one, other, one)]


def test_somebody_alike_in_all_that_is_asked_is_judged_from_memory() -> None:
    memory = fresh()
    judged = []
    for age in ("44 y", "45 y", "46 y"):
        counted(memory, {"patient": {**SAME, "age": age}, "plan": ["ibuprofen 600 mg tid"]})
        judged.append(memory._memory.count)
    assert judged[0] == judged[1] == judged[2] > 0


def test_no_words_of_one_patient_are_told_of_another() -> None:
    told = counted(fresh(), {"patient": {**SAME, "age": "88 y"}, "plan": ["ibuprofen 600 mg tid"]})
    assert told["findings"]
    assert not any(f.get("saw") for f in told["findings"])


def test_what_a_line_took_as_no_is_known_to_whoever_asks_it_again() -> None:
    facts = Facts(as_case({"patient": {"medications": ["warfarin 5 mg daily"]}}), checker().terms, ON)
    excused: list[set[str]] = []
    for logic in (Logic(facts), Logic(facts)):
        for line in _groups():
            logic.line(line)
        excused.append(set(logic.excused))
    assert excused[1] == excused[0] != set()


def _groups() -> list[lib.LeafType]:
    """Lines that hold others, one of which takes as no what is not told."""
    each = (line for entry in checker().library.entries for line in entry.condition)
    holding = [line for line in each if line.asks and isinstance(line, lib.AnyLeaf | lib.AllLeaf)]
    return [line for line in holding if any(inner.missing_is_no for inner in within((line,)))]
