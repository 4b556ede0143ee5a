"""The patient as the question tells; medicines taken; rows by week or hour; a number alone; shares in percent."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, engine_of

from safety.model.lab_answer import LabAnswer

ENGINE = engine_of(compiled().library)


def _answer(text: str, **patient: Any) -> LabAnswer:
    return ENGINE.lab({"text": text, **({"patient": patient} if patient else {})}, "2026-11-20")


@pytest.mark.parametrize(
    ("text", "test", "status", "band"),
    [
        ("72F K 5.9", "lab.potassium", "high", "18 y and older"),
        ("65 yo female Hgb 11", "lab.hemoglobin", "low", "18 y and older, female"),
        ("65 y/o man, Hgb 13.4", "lab.hemoglobin", "normal", "18 y and older, male"),
        ("hgb 10.5 in my 2 year old", "lab.hemoglobin", "low", "2 y to under 6 y"),
        ("my 6 month old has a temp of 101", "lab.body-temperature", "high", "3 months to under 16 y"),
        ("I'm 45 and my cholesterol is 240", "lab.total-cholesterol", "high", "18 y and older"),
        ("hemoglobin 11 in a pregnant woman at 30 weeks", "lab.hemoglobin", "normal", "pregnant, trimester 3"),
        ("34 weeks pregnant, platelets 90", "lab.platelets", "low", "pregnant, trimester 3"),
        ("newborn bilirubin 14.2 mg/dL", "lab.bilirubin-total", "high", "1 day to under 6 days"),
    ],
)
def test_the_patient_that_a_question_tells_is_the_patient(text: str, test: str, status: str, band: str) -> None:
    told = _answer(text)
    assert (told.test, told.status, told.range.for_ if told.range else "") == (test, status, band)


def test_what_is_told_apart_outranks_the_question() -> None:
    assert _answer("65 yo female Hgb 13", age="65 y", sex="male").range.for_ == "18 y and older, male"  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["temp 99 F", "BP 72/40", "am I pregnant if hCG is 300?", "K 4.1, 5.9 last year"])
def test_what_is_no_age_and_no_pregnancy_is_not_taken_for_one(text: str) -> None:
    told = _answer(text)
    assert "pregnant" not in (told.range.for_ if told.range else "")
    assert told.status not in ("critical_low",) or "72/40" in text


def test_a_medicine_told_as_taken_is_taken_and_one_denied_is_not() -> None:
    assert [e.drug for e in _answer("65yo M on warfarin INR 5.2").medication_effects] == ["drug.warfarin"]
    assert [e.drug for e in _answer("uric acid 8.9 on HCTZ", age="55 y", sex="male").medication_effects] == [
        "drug.hydrochlorothiazide"
    ]
    assert _answer("not on warfarin, INR 1.4").medication_effects == []
    taking = _answer("K 5.6 on lisinopril", age="55 y", medications=["lisinopril 10 mg daily"])
    assert [e.drug for e in taking.medication_effects] == ["drug.lisinopril"]


@pytest.mark.parametrize(
    ("text", "value", "trend"),
    [
        ("INR 2.1 wk1, 2.9 wk2, 4.4 wk3", "4.4 INR", "rising"),
        ("INR 4.4 wk3, 2.9 wk2, 2.1 wk1", "4.4 INR", "rising"),
        ("creatinine day 1 1.0, day 2 1.4, day 3 2.0", "2 mg/dL", "rising"),
        ("K 5.1 (d1), 5.4 (d2), 5.9 (d4)", "5.9 mmol/L", "rising"),
        ("methotrexate level 10 at 24 h, 1 at 48 h, 0.1 at 72 h", "0.1 umol/L", "falling"),
        ("ALT 30, 88, 210", "210 unit/L", "rising"),
        ("A1c went from 9.1 in March to 7.8 in July to 6.9 now", "6.9 %", "falling"),
        ("vanc trough 24 day 3", "24 mcg/mL", "insufficient_history"),
        ("Hgb POD 2 7.1", "7.1 g/dL", "insufficient_history"),
        ("Mag 1.1 on day 2 of amphotericin", "1.1 mg/dL", "insufficient_history"),
    ],
)
def test_the_number_of_a_day_is_no_result_and_puts_a_row_in_order(text: str, value: str, trend: str) -> None:
    told = _answer(text, age="60 y", sex="female")
    assert (told.value, told.trend, told.also) == (value, trend, [])


def test_a_list_of_several_tests_is_no_row_of_one() -> None:
    assert _answer("WBC 7.0, 12.3, 36.9, 210").trend in (None, "insufficient_history")


def test_a_number_alone_is_the_first_of_a_blood_pressure_and_asked_about() -> None:
    told = _answer("125")
    assert (told.test, told.status, told.needs) == ("lab.systolic-blood-pressure", "high", ["test", "value"])
    assert "Is 125 the first number of a blood pressure?" in told.ask
    critical = _answer("190")
    assert (critical.status, critical.escalate) == ("unknown", "none")
    assert "If it is, systolic blood pressure is critical" in critical.task
    assert [_answer(text).test for text in ("5.6", "98.6", "1200", "12")] == [None] * 4


@pytest.mark.parametrize(
    ("text", "test", "status"),
    [
        ("eosinophils 22%", "lab.eosinophil-percentage", "high"),
        ("eos 0.8", "lab.eosinophils", "high"),
        ("lymphs 14", "lab.lymphocyte-percentage", "low"),
        ("lymphs 0.6", "lab.lymphocytes", "low"),
        ("segs 60", "lab.neutrophil-percentage", "normal"),
    ],
)
def test_a_share_of_the_white_cells_is_no_count(text: str, test: str, status: str) -> None:
    told = _answer(text, age="40 y", sex="female")
    assert (told.test, told.status) == (test, status)


def test_what_moves_a_count_moves_its_share() -> None:
    told = _answer("eosinophils 22% 4 weeks into allopurinol, rash", age="51 y", medications=["allopurinol 300 mg daily"])
    assert "Allopurinol raises it" in told.task


def test_a_positive_pregnancy_test_asks_for_the_week() -> None:
    assert _answer("hcg 5400", age="24 y", sex="female").needs == ["pregnancy"]
    assert _answer("hcg 5400, 7 weeks pregnant", age="24 y", sex="female").needs == []
    assert _answer("hcg 5400", age="24 y", sex="male").needs == []
    assert _answer("hcg 2", age="24 y", sex="female").needs == []
