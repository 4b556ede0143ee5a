"""A result that measures a disease on the list asks nothing; without the disease, or where it is grave, it does."""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine
from safety.knowledge.library import Library

DAY = "2026-11-29"


def asked(engine: Engine, lab: str, *conditions: Any, **more: Any) -> list[str]:
    """What is asked of one result beside a medicine of which no rule looks at it."""
    told = {
        "age": "60 y",
        "sex": "female",
        "pregnancy": "no",
        "medications": ["loratadine 10 mg daily"],
        "conditions": conditions,
    }
    report = engine.check({"patient": {**told, "labs": [f"{lab} on 2026-11-20"], **more}}, DAY)
    return [u.ask for u in report.unresolved]


@pytest.mark.parametrize(
    ("lab", "condition"),
    [
        ("A1c 7.4 %", "type 2 diabetes"),
        ("ejection fraction 32 %", "HFrEF"),
        ("hemoglobin 10.4 g/dL", "iron deficiency anemia"),
        ("hemoglobin 10.4 g/dL", "CKD stage 4"),
        ("TSH 7.9 mIU/L", "hypothyroidism"),
        ("uric acid 8.1 mg/dL", "gout"),
        ("LDL 141 mg/dL", "hyperlipidemia"),
        ("phosphorus 5.1 mg/dL", "ESRD"),
    ],
)
def test_the_measure_of_a_disease_is_a_question_only_of_whoever_is_not_told_to_have_it(
    engine: Engine, lab: str, condition: str
) -> None:
    assert asked(engine, lab, condition) == []
    assert len(asked(engine, lab)) == 1


def test_it_is_told_in_a_note(engine: Engine) -> None:
    patient = {"age": "60 y", "conditions": ["type 2 diabetes"], "medications": ["loratadine 10 mg daily"]}
    report = engine.check({"patient": {**patient, "labs": ["A1c 7.4 % on 2026-11-20"]}}, DAY)
    assert [n for n in report.notes if "A1c" in n] == [
        "A1c 7.4 % on 2026-11-20 is high: a measure of diabetes, which is on the list"
    ]


def test_a_disease_that_is_past_denied_or_of_kin_explains_nothing(engine: Engine) -> None:
    for condition in ({"text": "iron deficiency anemia", "status": "past"}, "no anemia", "mother has anemia"):
        assert len(asked(engine, "hemoglobin 10.4 g/dL", condition)) >= 1


def test_what_somebody_must_be_called_for_is_asked_about_whatever_disease_there_is(engine: Engine) -> None:
    assert any("911" in ask for ask in asked(engine, "hemoglobin 5.5 g/dL", "anemia"))


def test_the_other_side_is_no_measure_of_it(engine: Engine) -> None:
    assert len(asked(engine, "hemoglobin 19.5 g/dL", "anemia")) == 1


def test_a_creatinine_measures_no_disease_as_a_kidney_may_fail_on_top_of_one(library: Library) -> None:
    assert {library.lab[f"lab.{name}"].of_disease.get("high") for name in ("creatinine", "urea")} == {None}
