"""Statements that no reader knows, by what the record names; habits; how grave a difference is; what has no relevance."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from memory.test_pairs import reconciled
from safety.engine import Engine

RECORD: dict[str, Any] = {
    "as_of": date(2026, 11, 20),
    "birth": "1948-02-02",
    "record": [
        {"is": "Condition", "text": "Smokes tobacco daily", "snomed": "449868002", True: "2024-01-10"},
        {"is": "Condition", "text": "Chronic obstructive lung disease", "snomed": "13645005", True: "2019-01-10"},
        {"is": "Condition", "text": "Myocardial infarction", "snomed": "22298006", True: "2020-03-09", "status": "resolved"},
        {"is": "Condition", "text": "Alcohol dependence", "snomed": "66590003", True: "2015-03-09", "status": "resolved"},
        {"is": "MedicationRequest", "text": "furosemide 40 MG Oral Tablet", "rxnorm": "313988", True: "2026-05-01",
         "sig": "Take 1 tablet by mouth every morning"},
        {"is": "AllergyIntolerance", "text": "Cashew nut", "snomed": "227493005", True: "2019-01-01"},
        {"is": "Procedure", "text": "Appendectomy", "snomed": "80146002", True: "1962-07-07"},
        {"is": "Procedure", "text": "Insertion of cardiac pacemaker", "snomed": "307280005", True: "2023-01-17"},
        {"is": "Observation", "text": "Body weight", "loinc": "29463-7", "value": 71.5, "unit": "kg", True: "2026-11-17"},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "outcome", "code", "critical"),
    [
        ("They took my appendix when I was a teenager.", "agreement", "80146002", False),
        ("He weighs 71 and a half kilos.", "agreement", "29463-7", False),
        ("I had a heart attack in 2020.", "agreement", "22298006", False),
        ("I never smoked a day in my life.", "contradiction", "449868002", False),
        ("I smoke a pack a day.", "agreement", "449868002", False),
        ("I drink six beers every night.", "contradiction", "66590003", True),
        ("I don't drink anymore.", "agreement", "66590003", False),
        ("He eats cashews all the time without a problem.", "contradiction", "227493005", True),
        ("I never had any lung disease.", "contradiction", "13645005", True),
        ("He never had a pacemaker put in.", "contradiction", "307280005", True),
        ("Dad takes his water pill, 40 mg, in the morning.", "agreement", "313988", False),
    ],
)
def test_a_statement_is_held_against_what_the_record_names(
    text: str, outcome: str, code: str, critical: bool, engine: Engine
) -> None:  # fmt: skip
    (found,) = reconciled(engine, RECORD, [text]).results
    assert (found.outcome, found.safety_critical) == (outcome, critical)
    assert code in {c.code for part in found.leading for c in part.cited}


@pytest.mark.parametrize(
    "text",
    [
        "I drink a lot of water.", "Do I still smoke?", "I might have my appendix out.", "My brother smokes.",
        "My neighbor had his appendix out.",
    ],
)  # fmt: skip
def test_what_is_not_told_of_the_patient_agrees_with_nothing(text: str, engine: Engine) -> None:
    (found,) = reconciled(engine, RECORD, [text]).results
    assert found.outcome not in ("agreement", "contradiction")


@pytest.mark.parametrize(
    "text",
    [
        "I can't sleep.", "No energy at all lately.", "Weekends I get a weird flutter.", "I lost 12 pounds since the holiday.",
        "My flurbs are zorped.", "I'm about ten weeks along.", "My son noticed a droop on one side.",
    ],
)  # fmt: skip
def test_what_may_be_clinical_has_never_no_relevance(text: str, engine: Engine) -> None:
    (found,) = reconciled(engine, RECORD, [text]).results
    assert found.outcome not in ("no_relevance", "agreement")


@pytest.mark.parametrize(
    "text",
    ["We painted the kitchen yellow.", "He loves dinosaurs and soccer.", "Parking here is terrible.", "I walked 6,500 steps."],
)
def test_everyday_matters_have_none(text: str, engine: Engine) -> None:
    (found,) = reconciled(engine, RECORD, [text]).results
    assert found.outcome == "no_relevance"


def test_a_parent_of_the_patient_is_somebody_else(engine: Engine) -> None:
    young = RECORD | {"birth": "2015-02-02"}
    (found,) = reconciled(engine, young, ["Dad takes warfarin."]).results
    assert found.outcome == "no_relevance"


def test_what_no_care_plan_asks_for_is_not_assessed(engine: Engine) -> None:
    (found,) = reconciled(engine, RECORD, ["My therapist retired so I'm without one."]).results
    assert found.outcome == "not_assessed"
