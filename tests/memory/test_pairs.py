"""What a patient says, against their record: outcome, safety and citations as a careful reader would have them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from memory.pairs import PAIRS, answers, bundle, misses
from safety.edge.stating import Stater
from safety.engine import Engine
from safety.memory.reconciling import SEVERITIES, Reconciler
from safety.memory.record import read_record
from safety.memory.subjects import Understanding
from safety.reading.fhir.bundle import read_fhir

GROUPS = [pytest.param(group, id=f"record {n}") for n, group in enumerate(PAIRS)]


@pytest.mark.parametrize("group", GROUPS)
def test_each_statement_comes_to_what_is_expected(engine: Engine, group: dict[str, Any]) -> None:
    """The severity may be a step off where a check of the whole patient knows of more than the reader of one line."""
    wrong = []
    for expected, found in zip(group["statements"], answers(engine, group), strict=True):
        missed = [m for m in misses(expected, found) if not m.startswith("severity")]
        if "severity" in expected:
            apart = abs(SEVERITIES.index(found.severity) - SEVERITIES.index(expected["severity"]))
            missed += [f"severity {found.severity}, not {expected['severity']}"] if apart > 1 else []
        wrong += [(expected["said"], missed)] if missed else []
    assert wrong == []


def test_there_are_150_pairs_over_all_kinds_and_severity_is_right_for_95_of_100(engine: Engine) -> None:
    kinds = {item["is"] for group in PAIRS for item in group["record"]}
    assert kinds == {
        "MedicationRequest", "AllergyIntolerance", "Condition", "Observation", "Immunization", "Procedure", "CarePlan",
    }  # fmt: skip
    pairs = [(s, f) for g in PAIRS for s, f in zip(g["statements"], answers(engine, g), strict=True)]
    assert len(pairs) >= 150
    graded = [s["severity"] == f.severity for s, f in pairs if "severity" in s]
    assert sum(graded) >= 0.95 * len(graded)


@pytest.mark.parametrize("group", GROUPS)
def test_what_is_cited_stands_so_in_the_record_and_the_record_is_not_changed(engine: Engine, group: dict[str, Any]) -> None:
    told = bundle(group)
    before = deepcopy(told)
    codings = {
        (r["resource"]["resourceType"], c["system"], c["code"], c["display"])
        for r in told["entry"]
        for concept in _concepts(r["resource"])
        for c in concept["coding"]
    }
    for found in answers(engine, group):
        for part in found.parts:
            assert {(c.type, c.system, c.code, c.display) for c in part.cited} <= codings
            assert 0 <= part.confidence <= 1
            assert part.justification
            assert part.outcome != "agreement" or part.severity == "none"
    assert told == before


def _concepts(resource: dict[str, Any]) -> list[dict[str, Any]]:
    own = [resource[key] for key in ("code", "vaccineCode", "medicationCodeableConcept") if key in resource]
    return [*own, *(a["detail"]["code"] for a in resource.get("activity", ()))]


def reconciled(engine: Engine, group: dict[str, Any], texts: list[str], *, complete: bool = False) -> Any:
    understanding = Understanding(engine.checker)
    stater = Stater(engine.checker, engine.extractor, understanding)
    told, day = bundle(group), group["as_of"]
    narrative = [stater.narrative(text, day) for text in texts]
    return Reconciler(engine.checker, understanding).reconcile(
        read_record(told), read_fhir(told), narrative, day, complete=complete
    )


def test_omissions_are_told_of_a_complete_list_only(engine: Engine) -> None:
    group = PAIRS[4]
    said = ["I take Zoloft 100 mg once a day."]
    assert reconciled(engine, group, said).omissions == ()
    omitted = reconciled(engine, group, said, complete=True).omissions
    assert {c.code for o in omitted for c in o.cited} == {"313161", "197889"}
    lithium = next(o for o in omitted if o.cited[0].code == "197889")
    assert (lithium.outcome, lithium.severity, lithium.safety_critical) == ("gap", "high", True)


def test_an_old_order_weighs_less_and_an_old_allergy_does_not(engine: Engine) -> None:
    group = PAIRS[3]
    parts = [r.parts[0] for r in reconciled(engine, group, [
        "I don't take amoxicillin.", "I quit spironolactone.", "I can eat shellfish, I am not allergic to shellfish.",
    ]).results]  # fmt: skip
    old, fresh, allergy = (p.confidence for p in parts)
    assert old < fresh == allergy
    assert parts[0].severity == "low"
    assert parts[2].severity == "high"


def test_a_name_that_is_guessed_is_less_sure(engine: Engine) -> None:
    understanding = Understanding(engine.checker)
    told, day = bundle(PAIRS[0]), PAIRS[0]["as_of"]
    said = Stater(engine.checker, engine.extractor, understanding).narrative("I stopped lisinopril.", day)
    guessed = replace(said, statements=tuple(replace(s, guessed=True) for s in said.statements))
    found = Reconciler(engine.checker, understanding).reconcile(read_record(told), read_fhir(told), [said, guessed], day)
    sure, unsure = (r.parts[0] for r in found.results)
    assert sure.outcome == unsure.outcome == "contradiction"
    assert unsure.confidence < sure.confidence


@pytest.mark.parametrize(
    "text", ["", "?!", "zzz", "My xylograph was zorped.", "I feel funny in my head.", "😀" * 40, "no " * 300]
)
def test_what_is_not_understood_is_not_assessed_and_never_agreement(engine: Engine, text: str) -> None:
    (found,) = reconciled(engine, PAIRS[0], [text]).results
    assert found.outcome in ("not_assessed", "no_relevance")


def test_a_test_is_not_the_problem_that_it_may_find(engine: Engine) -> None:
    (found,) = reconciled(engine, PAIRS[0], ["I took my blood pressure at home."]).results
    assert found.outcome == "not_assessed"


@pytest.mark.parametrize(
    ("record", "text", "outcome"),
    [
        (1, "I only take half an Eliquis.", "contradiction"),
        (4, "I take half of my Zoloft.", "contradiction"),
        (2, "I gave up on Lantus.", "contradiction"),
        (2, "Should I take Lantus?", "not_assessed"),
        (2, "I'm thinking about my lamotrigine.", "not_assessed"),
    ],
)
def test_what_is_less_than_ordered_or_only_spoken_of_is_no_agreement(
    engine: Engine, record: int, text: str, outcome: str
) -> None:  # fmt: skip
    (found,) = reconciled(engine, PAIRS[record], [text]).results
    assert found.outcome == outcome


@pytest.mark.parametrize(
    ("text", "alarms"),
    [
        ("I have had no chest pain.", False),
        ("She denies chest pain.", False),
        ("I have chest pain and no fever.", True),
        ("I have not slept because of chest pain.", True),
        ("My chest pain is not going away.", True),
        ("No fever, but I have chest pain.", True),
    ],
)
def test_a_symptom_is_no_alarm_only_right_behind_its_denial(engine: Engine, text: str, alarms: bool) -> None:
    (found,) = reconciled(engine, PAIRS[1], [text]).results
    assert found.safety_critical == alarms
