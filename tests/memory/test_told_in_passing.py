"""What is told by kin, without its number, with a condition or in doubt, each with the near miss that must not be read so."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from measuring.told import taking as state
from measuring.told import told

from memory.pairs import answers
from safety.engine import Engine

DAY = "2026-05-01"
HISTORIES: list[tuple[list[str], str, str]] = [
    (["I take lithium 300 mg twice a day.", "They told me to skip the lithium for now."], "lithium", "held"),
    (["I take lithium 300 mg twice a day.", "I skipped the lithium twice last week."], "lithium", "taken"),
    (["She takes Concerta", "She has a break from Concerta; we'll start again in May."], "methylphenidate", "held"),
    (["I put one drop of Xalatan in each eye every night."], "latanoprost", "taken"),
    (["Mom is on Eliquis.", "They took her off it.", "They want to see her before anybody restarts it"], "apixaban", "not taken"),
    (["I take Zocor 20 mg.", "I'm not sure he is still taking the Zocor, the bottle is full."], "simvastatin", "conflict"),
    (["Nurse said I should take ibuprofen, but I never did because of my kidneys."], "ibuprofen", "not taken"),
    (["I'm on Trulicity 1.5 mg weekly.", "They couldn't get Trulicity so I'm on Mounjaro."], "dulaglutide", "not taken"),
    (["I take Lasix.", "Since they stopped the Lasix I don't need the potassium either."], "furosemide", "not taken"),
    (["Metoprolol and atenolol, I've had both, and one of the two got stopped."], "atenolol", "conflict"),
    (["I was prescribed Wegovy but my insurance denied it, so I never got it."], "semaglutide", "not taken"),
    (["I take birth control, Yaz.", "I came off the pill in April."], "drospirenone", "not taken"),
    (["I take oxybutynin.", "It dried me out so bad that I'm on Myrbetriq now."], "oxybutynin", "not taken"),
    (["I take amlodipine.", "Sometimes I don't take the amlodipine when I have to drive."], "amlodipine", "taken"),
]  # fmt: skip
DOSES: list[tuple[list[str], str, str]] = [
    (["I take losartan 50 mg a day."], "losartan", "50 mg"),
    (["I take metformin 500 mg twice a day.", "Now I'm on metformin 2000 mg a day."], "metformin", "1000 mg"),
    (["I take metformin, two of the 500s with breakfast."], "metformin", "1000 mg"),
    (["I take 20 of Lexapro."], "escitalopram", "20 mg"),
    (["I take Zoloft 50 mg.", "Doctor said go to 100 mg of Zoloft if I don't feel better."], "sertraline", "50 mg"),
    (["I get a B12 shot every month.", "They changed me to the B12 pills, 1000 mcg a day."], "cyanocobalamin", "1000 mcg"),
]
RECORD: dict[str, Any] = {
    "as_of": date(2026, 5, 1), "birth": date(1950, 1, 1),
    "record": [
        {"is": "AllergyIntolerance", "text": "Allergy to penicillin", "snomed": "91936005", True: "2001-01-15"},
        {"is": "Condition", "text": "Chronic obstructive pulmonary disease", "snomed": "13645005", True: "2016-01-15"},
        {"is": "Observation", "text": "Potassium", "loinc": "2823-3", "value": 5.8, "unit": "mmol/L", True: "2026-04-28"},
        {"is": "Observation", "text": "Tobacco smoking status", "loinc": "72166-2", "value": "Never smoker", True: "2026-01-06"},
    ],
}  # fmt: skip
STATEMENTS = {
    "I'm not allergic to any medicines.": ("contradiction", True),
    "Wife says he has no lung disease.": ("contradiction", True),
    "Daughter reports he has never had any lung disease.": ("contradiction", True),
    "My potassium was normal last week.": ("contradiction", True),
    "My potassium was high last week.": ("agreement", False),
    "My thyroid test was normal.": ("not_assessed", False),
    "I smoke half a pack a day.": ("contradiction", False),
    "My sister lost a baby at twenty weeks.": ("not_assessed", False),
    "My sister is driving me home.": ("no_relevance", False),
    "The parking garage here charges way too much.": ("no_relevance", False),
    "I took amoxicillin last winter.": ("gap", False),
    "I am eight weeks pregnant.": ("gap", True),
}


def belief(engine: Engine, said: list[str]) -> Any:
    days = [f"2026-0{n}-01" for n in range(1, len(said) + 1)]
    return engine.remember(told(engine, list(zip(days, said, strict=True)))).belief(date.fromisoformat(DAY))


@pytest.mark.parametrize(("said", "medicine", "expected"), HISTORIES)
def test_whether_it_is_taken(engine: Engine, said: list[str], medicine: str, expected: str) -> None:
    assert state(belief(engine, said), medicine) == expected


@pytest.mark.parametrize(("said", "medicine", "expected"), DOSES)
def test_in_which_dose(engine: Engine, said: list[str], medicine: str, expected: str) -> None:
    assert str(belief(engine, said).medicine(medicine).slot("dose").value) == expected


def test_statements_against_a_record(engine: Engine) -> None:
    found = answers(engine, RECORD | {"statements": [{"said": said} for said in STATEMENTS]})
    assert {f.text: (f.outcome, f.safety_critical) for f in found} == STATEMENTS
