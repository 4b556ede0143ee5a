"""How much somebody takes, held against an order in the terms of that order; and what is painted instead of named."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from memory.pairs import answers
from safety.engine import Engine

DAY = date(2026, 11, 30)
_ORDERS = {
    "glargine": ("insulin glargine 100 UNT/ML Injectable Solution", "311041", "8 units at bedtime"),
    "keppra": ("levetiracetam 100 MG/ML Oral Solution", "403884", "4 mL twice daily"),
    "metformin": ("metformin hydrochloride 500 MG Oral Tablet", "861007", "1 tablet twice daily"),
    "thyroxine": ("levothyroxine sodium 0.075 MG Oral Tablet", "966253", "1 tablet once daily"),
    "rescue": ("albuterol 0.09 MG/ACTUAT Metered Dose Inhaler", "745752", "2 puffs every 4 hours as needed"),
    "apixaban": ("apixaban 5 MG Oral Tablet", "1364445", "1 tablet twice daily"),
    "water": ("spironolactone 25 MG Oral Tablet", "313096", "1 tablet once daily"),
}


def told(engine: Engine, said: str, *record: dict[str, Any]) -> Any:
    (found,) = answers(engine, {"as_of": DAY, "birth": "1950-01-01", "record": list(record), "statements": [{"said": said}]})
    return found


def order(name: str) -> dict[Any, Any]:
    text, code, sig = _ORDERS[name]
    return {"is": "MedicationRequest", "text": text, "rxnorm": code, "sig": sig, True: "2026-10-01"}


@pytest.mark.parametrize(
    ("name", "said", "outcome"),
    [
        ("glargine", "We've been giving 18 of the Lantus each night.", "contradiction"),
        ("glargine", "We've been giving 8 of the Lantus each night.", "agreement"),
        ("keppra", "I've been giving 4 teaspoons of the Keppra.", "contradiction"),
        ("keppra", "He gets 4 of the Keppra liquid morning and night.", "agreement"),
        ("keppra", "He gets 5 of the Keppra liquid morning and night.", "contradiction"),
        ("metformin", "I'm up to a thousand of the metformin twice a day.", "contradiction"),
        ("metformin", "I'm on five hundred of the metformin twice a day.", "agreement"),
        ("thyroxine", "I'm on 75 of levothyroxine.", "agreement"),
        ("thyroxine", "I'm on a hundred of levothyroxine.", "contradiction"),
        ("rescue", "I use my rescue inhaler four or five times a day, every day.", "gap"),
        ("apixaban", "I only take the Eliquis in the morning, the evening one always slips my mind.", "contradiction"),
        ("water", "He's down to half a spironolactone.", "contradiction"),
        ("water", "I've been on spironolactone since 2020.", "agreement"),
    ],
)
def test_an_amount_is_read_in_the_terms_of_the_order(engine: Engine, name: str, said: str, outcome: str) -> None:
    assert told(engine, said, order(name)).outcome == outcome


def test_what_is_taken_against_an_allergy_on_the_record_contradicts_it_and_cannot_wait(engine: Engine) -> None:
    allergy = {"is": "AllergyIntolerance", "text": "Allergy to penicillin", "snomed": "91936005", True: "1990-01-01"}
    found = told(engine, "I'm taking the amoxicillin my dentist gave me.", allergy)
    assert (found.outcome, found.safety_critical, found.severity) == ("contradiction", True, "high")
    assert [c.code for part in found.leading for c in part.cited] == ["91936005"]


@pytest.mark.parametrize(
    ("item", "said", "outcome"),
    [
        ({"is": "Procedure", "text": "Colonoscopy"}, "They ran that camera up my backside three years ago.", "agreement"),
        ({"is": "Procedure", "text": "Mammography"}, "They squeezed my boobs flat in that machine.", "agreement"),
        ({"is": "Procedure", "text": "Hysterectomy"}, "I still get my periods.", "contradiction"),
        ({"is": "Immunization", "text": "Hepatitis B, adult"}, "Nobody's given me a hepatitis B shot, ever.", "contradiction"),
        ({"is": "Immunization", "text": "Hepatitis B, adult"}, "I got my hepatitis B shot, no problem.", "agreement"),
        ({"is": "Condition", "text": "Otitis media", "status": "resolved"}, "He never had any ear infections.", "contradiction"),
        ({"is": "Condition", "text": "Otitis media", "status": "resolved"}, "He has no ear infection now.", "agreement"),
        ({"is": "Condition", "text": "Celiac disease"}, "The celiac thing was a mistake.", "contradiction"),
        ({"is": "Condition", "text": "Dementia"}, "Nobody ever said dementia.", "contradiction"),
        ({"is": "AllergyIntolerance", "text": "Latex allergy"}, "Rubber gloves have never bothered me.", "contradiction"),
        (
            {"is": "AllergyIntolerance", "text": "Allergy to eggs", "status": "resolved"},
            "I outgrew the egg allergy.",
            "agreement",
        ),
    ],
)
def test_what_is_painted_or_denied_in_other_words_is_held_against_the_record(
    engine: Engine, item: dict[Any, Any], said: str, outcome: str
) -> None:  # fmt: skip
    assert told(engine, said, item | {"snomed": "1", True: "2015-01-01"}).outcome == outcome


@pytest.mark.parametrize(("value", "critical"), [(5.8, True), (4.3, False)])
def test_a_result_told_better_than_a_bad_one_on_the_record_cannot_wait(engine: Engine, value: float, critical: bool) -> None:
    had = {"is": "Observation", "text": "Potassium", "loinc": "2823-3", "value": value, "unit": "mmol/L", True: "2026-11-25"}
    found = told(engine, "My potassium last week was 4.1.", had)
    assert (found.outcome, found.safety_critical) == ("contradiction", critical)


@pytest.mark.parametrize(
    ("said", "alarms"),
    [
        ("My water's got blood in it since about Monday.", True),
        ("There's no blood in my water.", False),
        ("I fell in the bathtub and broke my wrist.", True),
        ("I fell off a ladder and broke my wrist when I was a boy.", False),
        ("Some mornings I think everyone would be better off if I didn't wake.", True),
    ],
)
def test_an_alarm_in_other_words_cannot_wait(engine: Engine, said: str, alarms: bool) -> None:
    assert told(engine, said).safety_critical == alarms


@pytest.mark.parametrize(
    ("said", "critical"),
    [("I smoke about half a pack a day, trying to quit for the baby.", True), ("I quit smoking when I found out.", False)],
)
def test_smoking_yet_to_be_quit_cannot_wait_in_pregnancy(engine: Engine, said: str, critical: bool) -> None:
    pregnant = {"is": "Condition", "text": "Normal pregnancy", "snomed": "72892002", True: "2026-08-01"}
    assert told(engine, said, pregnant).safety_critical == critical
