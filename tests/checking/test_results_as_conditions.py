"""A result that is a condition by its definition counts as one, whatever the problem list says."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from safety.engine import Engine

DAY = date(2026, 11, 20)


def rules_of(engine: Engine, test: str, value: float, unit: str, drug: str, on: str = "2026-11-15", **patient: Any) -> set[str]:
    told = {"age": "50 y", "sex": "male", "conditions": [], "allergies": [], **patient}
    labs = [{"test": test, "value": value, "unit": unit, "on": on}]
    return {f.rule for f in engine.check({"patient": {**told, "labs": labs, "medications": [drug]}}, DAY).every_finding}


@pytest.mark.parametrize(
    ("test", "unit", "is_one", "is_none", "drug", "rule"),
    [
        ("neutrophils", "10*9/L", 0.4, 1.0, "clozapine 100 mg by mouth twice daily", "clozapine-neutropenia"),
        ("EF", "%", 40, 41, "diltiazem ER 240 mg by mouth daily", "verapamil-diltiazem"),
        ("QTc", "ms", 500, 499, "pimozide 2 mg by mouth daily", "long-qt-forbidden"),
        ("platelets", "10*9/L", 18, 100, "ibuprofen 400 mg by mouth three times daily", "nsaids-bleeding-disorder"),
        ("heart rate", "/min", 44, 45, "moxifloxacin 400 mg by mouth daily", "moxifloxacin-rhythm"),
        ("WBC", "10*9/L", 1.9, 2, "chloramphenicol 1 g IV every 6 hours", "chloramphenicol-marrow"),
        ("hemoglobin", "g/dL", 7.9, 8, "ambrisentan 5 mg by mouth daily", "ambrisentan-anemia"),
        ("bilirubin", "mg/dL", 3, 2.9, "azithromycin 250 mg by mouth daily", "azithromycin-liver"),
        ("eGFR", "mL/min/1.73m2", 14, 30, "phenazopyridine 200 mg by mouth three times daily", "phenazopyridine-kidney"),
        ("eGFR", "mL/min/1.73m2", 29, 30, "flucytosine 2 g by mouth every 6 hours", "flucytosine-marrow"),
        ("HIV viral load", "copies/mL", 200, 199, "leflunomide 20 mg by mouth daily", "leflunomide-marrow"),
        ("BMI", "kg/m2", 30, 29.9, "metreleptin 5 mg SC daily", "metreleptin"),
    ],
)  # fmt: skip
def test_a_result_is_the_condition_up_to_its_boundary(
    engine: Engine, test: str, unit: str, is_one: float, is_none: float, drug: str, rule: str
) -> None:
    assert any(i.endswith(rule) for i in rules_of(engine, test, is_one, unit, drug))
    assert not any(i.endswith(rule) for i in rules_of(engine, test, is_none, unit, drug))


@pytest.mark.parametrize(("pressure", "told"), [("186/90", True), ("150/111", True), ("185/110", False)])
def test_a_pressure_above_185_or_110_is_uncontrolled(engine: Engine, pressure: str, told: bool) -> None:
    patient = {
        "age": "50 y",
        "conditions": [],
        "labs": [f"BP {pressure} on 2026-11-19"],
        "medications": ["phentermine 15 mg daily"],
    }
    found = {f.rule for f in engine.check({"patient": patient}, DAY).every_finding}
    assert any(rule.endswith("appetite-suppressants-heart") for rule in found) is told


@pytest.mark.parametrize(
    ("labs", "told"),
    [
        (["lactate 5.1 mmol/L", "arterial pH 7.34"], True),
        (["lactate 5.1 mmol/L", "bicarbonate 17 mmol/L"], True),
        (["lactate 5 mmol/L", "arterial pH 7.34"], False),
        (["lactate 5.1 mmol/L", "arterial pH 7.35", "bicarbonate 18 mmol/L"], False),
        (["lactate 9 mmol/L"], False),  # after a seizure, or with an epinephrine infusion
    ],
)
def test_a_lactate_is_an_acidosis_only_with_an_acid_blood(engine: Engine, labs: list[str], told: bool) -> None:
    patient = {
        "age": "50 y",
        "conditions": [],
        "labs": [f"{lab} on 2026-11-19" for lab in labs],
        "medications": ["entecavir 0.5 mg daily"],
    }
    found = {f.rule for f in engine.check({"patient": patient}, DAY).every_finding}
    assert any(rule.endswith("entecavir-lactic-acidosis") for rule in found) is told


@pytest.mark.parametrize("lasting", ["Gilbert syndrome", "sickle cell disease", "cirrhosis"])
def test_a_bilirubin_that_a_lasting_disease_explains_is_no_jaundice_of_now(engine: Engine, lasting: str) -> None:
    found = rules_of(engine, "bilirubin", 3.4, "mg/dL", "azithromycin 250 mg by mouth daily", conditions=[lasting])
    assert not any(rule.endswith("azithromycin-liver") for rule in found)


def test_a_tsh_that_is_too_low_is_hyperthyroidism_only_with_a_high_thyroxine(engine: Engine) -> None:
    def told(thyroxine: str) -> bool:
        labs = ["TSH 0.05 mIU/L on 2026-11-19", f"free T4 {thyroxine} ng/dL on 2026-11-19"]
        patient = {"age": "50 y", "conditions": [], "labs": labs, "medications": ["midodrine 5 mg three times daily"]}
        return any(f.rule.endswith("heart-stops.midodrine") for f in engine.check({"patient": patient}, DAY).every_finding)

    assert told("2.6")
    assert not told("2.5")  # the morning after the tablet


def test_a_child_has_its_own_pressures_and_pulses(engine: Engine) -> None:
    found = rules_of(engine, "heart rate", 44, "/min", "moxifloxacin 400 mg by mouth daily", age="9 y")
    assert not any(rule.endswith("moxifloxacin-rhythm") for rule in found)


def test_an_old_count_is_no_neutropenia_of_today(engine: Engine) -> None:
    drug = "clozapine 100 mg by mouth twice daily"
    now, before = (rules_of(engine, "neutrophils", 0.4, "10*9/L", drug, on) for on in ("2026-10-21", "2026-10-20"))
    assert any("neutropenia" in rule for rule in now)
    assert not any("neutropenia" in rule for rule in before)


def test_a_result_beside_a_condition_counts_as_well(engine: Engine) -> None:
    case = {
        "patient": {
            "age": "50 y",
            "conditions": ["cardiomyopathy, EF 25%"],
            "medications": ["diltiazem ER 240 mg by mouth daily"],
        }
    }
    assert any("verapamil-diltiazem" in f.rule for f in engine.check(case, DAY).findings)


def test_a_result_counts_where_no_problem_list_was_told(engine: Engine) -> None:
    case = {
        "patient": {
            "age": "50 y",
            "labs": [{"test": "EF", "value": 25, "unit": "%"}],
            "medications": ["diltiazem ER 240 mg by mouth daily"],
        }
    }
    assert any("verapamil-diltiazem" in f.rule for f in engine.check(case, DAY).findings)


@pytest.mark.parametrize("turned", [False, True])
def test_of_a_test_the_newest_result_is_left_to_judge_wherever_it_stands(engine: Engine, turned: bool) -> None:
    labs = ["potassium 5.3 mmol/L on 2026-11-19", "potassium 4.4 mmol/L on 2026-11-01"]
    told = labs[::-1] if turned else labs
    patient = {"age": "60 y", "conditions": [], "labs": told, "medications": ["loratadine 10 mg daily"]}
    assert [u.text for u in engine.check({"patient": patient}, DAY).unresolved] == [labs[0]]
