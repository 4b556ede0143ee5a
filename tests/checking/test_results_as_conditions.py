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
    ],
)  # fmt: skip
def test_a_result_is_the_condition_up_to_its_boundary(
    engine: Engine, test: str, unit: str, is_one: float, is_none: float, drug: str, rule: str
) -> None:
    assert any(i.endswith(rule) for i in rules_of(engine, test, is_one, unit, drug))
    assert not any(i.endswith(rule) for i in rules_of(engine, test, is_none, unit, drug))


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
