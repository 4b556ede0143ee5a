"""Whom a note is about, and what its headings say of the lines behind them."""

from __future__ import annotations

import pytest

from safety.engine import Engine
from safety.model.patient import Patient


def patient(engine: Engine, note: str) -> Patient:
    return engine.note(note).patient


@pytest.mark.parametrize(
    ("note", "age", "sex"),
    [
        ("Discharge summary\n65F s/p NSTEMI. Meds: aspirin 81 mg daily.", "65 years", "female"),
        ("Mom called re: 4 yo boy, 16 kg, fever since yesterday. Gave Tylenol.", "4 years", "male"),
        ("Daughter reports 88 y/o F fell at home. On warfarin 5 mg daily.", "88 years", "female"),
        ("HPI: Ms. Rivera is a 29 yo presenting with dysuria.", "29 years", "female"),
        ("Mr. Olsen is here. He takes lisinopril 10 mg daily.", None, "male"),
    ],
)
def test_age_and_sex_are_read(engine: Engine, note: str, age: str | None, sex: str) -> None:
    found = patient(engine, note)
    assert (found.age.text if found.age else None, found.sex) == (age, sex)


@pytest.mark.parametrize(
    "note",
    [
        "FH: mother 45 yo F with diabetes. Takes metformin 500 mg bid.",
        "Her sister is a 30 yo F with lupus.",
        "Temp 98F. Takes metformin 500 mg bid.",
        "Dr. Smith saw him. Takes metformin 500 mg bid.",
    ],
)
def test_the_age_of_a_relative_and_a_temperature_are_not_the_patients(engine: Engine, note: str) -> None:
    assert patient(engine, note).age is None


def test_weeks_of_a_pregnancy_are_read_as_charts_write_them(engine: Engine) -> None:
    note = "29 yo G2P1 at 11w3d with dysuria.\nPlan: ciprofloxacin 500 mg BID."
    pregnancy = patient(engine, note).pregnancy
    assert pregnancy is not None
    assert (pregnancy.present, pregnancy.weeks) == (True, 11)
    assert any(f.rule.startswith("pregnancy.") for f in engine.check(engine.note(note), "2026-12-01").every_finding)


@pytest.mark.parametrize(
    "note",
    [
        "29 yo G2P2, wound check 11 weeks after surgery.", "31F G3P3, 6 weeks postpartum, on sertraline 50 mg.",
        "24 yo G1P1 with headache for 2 weeks.", "G2P1 here with cough x 3 weeks.", "Follow up in 4 weeks.",
    ],
)  # fmt: skip
def test_other_weeks_are_no_pregnancy(engine: Engine, note: str) -> None:
    assert patient(engine, note).pregnancy is None


def test_a_heading_of_allergies_is_no_hay_fever_and_its_reactions_are_no_problems(engine: Engine) -> None:
    found = patient(engine, "HPI: knee pain.\nAllergies: PCN - anaphylaxis as a child, sulfa (rash)\nMeds: ibuprofen 400 mg tid")
    named = {told.text for told in found.conditions or ()}
    assert not named & {"hay fever", "history of anaphylaxis", "rash", "anaphylaxis"}
    assert len(found.allergies or ()) == 2


def test_what_stands_behind_plan_and_assessment_is_there(engine: Engine) -> None:
    found = patient(engine, "Plan: sepsis 2/2 UTI: ceftriaxone 1 g IV q24h")
    assert "sepsis" in {told.text for told in found.conditions or ()}
    of_kin = patient(engine, "FH: sepsis, breast cancer\nPlan: ceftriaxone 1 g IV q24h")
    assert "sepsis" not in {told.text for told in of_kin.conditions or ()}


def test_a_level_is_that_of_the_medicine_before_it(engine: Engine) -> None:
    found = patient(engine, "Bipolar I on lithium 900 mg BID, last level 1.9 on 11/20/26. Tremor.")
    assert [(lab.test, str(lab.value)) for lab in found.labs or ()] == [("lithium level", "1.9")]
    assert [lab.test for lab in patient(engine, "On lithium. Activity level 3 today.").labs or ()] == []
    assert [lab.test for lab in patient(engine, "Mom takes lithium, level 1.3.").labs or ()] == []
