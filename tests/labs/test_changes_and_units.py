"""A change between two results; in which unit a number is meant; what is drawn too soon; what is asked of panels."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from conftest import compiled, engine_of

from safety.model.lab_answer import LabAnswer
from safety.reading.results.unsaid import unsaid

LIBRARY = compiled().library
ENGINE = engine_of(LIBRARY)


def _answer(text: str, *medicines: str, **patient: Any) -> LabAnswer:
    told = {"age": "60 y", "sex": "female", "medications": list(medicines), **patient}
    return ENGINE.lab({"text": text, "patient": told}, "2026-11-29")


@pytest.mark.parametrize(
    ("text", "before", "trend"),
    [
        ("magnesium 1.3, was 2.0 in August", "2 mg/dL", "falling"),
        ("sodium went 141 to 131 on the new antidepressant", "141 mmol/L", "falling"),
        ("sodium 141 to 131", "141 mmol/L", "falling"),
        ("bilirubin doubled 0.9 to 2.1 mg/dL", "0.9 mg/dL", "rising"),
        ("hgb fell from 13.1 to 10.2 in 3 days", "13.1 g/dL", "falling"),
        ("creatinine 2.2 today and it was 1.2 on 11/20", "1.2 mg/dL", "rising"),
        ("plt 95 (210 last month)", "210 10*9/L", "falling"),
        ("WBC 2.1 (5.8 before mercaptopurine)", "5.8 10*9/L", "falling"),
        ("lithium 0.6 back in July, drawn yesterday 1.3", "0.6 mmol/L", "rising"),
        ("ferritin 300 now, versus 60 in 2024", "60 ng/mL", "rising"),
        ("K 3.2, last draw 4.4", "4.4 mmol/L", "falling"),
    ],
)
def test_a_change_between_two_results_is_told_as_that(text: str, before: str, trend: str) -> None:
    told = _answer(text)
    assert told.previous is not None
    assert (told.previous.value, told.trend) == (before, trend)
    assert "a change between two results, not a steady trend" in told.trend_words


@pytest.mark.parametrize("text", ["sodium 139, was 141 in August", "A1c 7.1 in June and 7.3 this month", "INR 2 to 3"])
def test_what_chance_may_explain_is_no_change(text: str) -> None:
    told = _answer(text)
    assert (told.trend, told.trend_words) == ("insufficient_history", "")


def test_three_results_are_a_trend_that_may_be_called_steady() -> None:
    told = _answer("magnesium 2.0 -> 1.6 -> 1.2")
    assert told.trend == "falling"
    assert "two results" not in told.trend_words


def test_the_day_in_a_bracket_is_that_of_the_older_number() -> None:
    told = _answer("plt 95 (210 last month)")
    assert told.previous is not None
    assert (told.on or "", told.previous.on) != ("2026-10-30", "2026-10-30")
    assert told.previous.on == "2026-10-30"


# ------------------------------------------------------------------ in which unit a number is meant


@pytest.mark.parametrize(
    ("text", "age", "status"),
    [
        ("bili 19.8", "3 days", "critical_high"),
        ("TcB 8.1", "2 days", "normal"),
        ("bili 39", "5 days", "critical_high"),
        ("bili 41", "5 days", "unknown"),  # 41 mg/dL, or 2.4 as umol/L
        ("bili 19.8", "40 y", "unknown"),
    ],
)
def test_a_newborns_bilirubin_without_a_unit_is_in_mg_per_dl(text: str, age: str, status: str) -> None:
    assert _answer(text, age=age).status == status


def test_the_unit_that_was_taken_is_told_beside_an_urgent_result() -> None:
    told = _answer("bili 19.8", age="3 days")
    assert told.escalate == "emergency"
    assert told.task.endswith("No unit was told: it was taken as mg/dL.")
    assert "No unit" not in _answer("bili 19.8 mg/dL", age="3 days").task
    assert "No unit" not in _answer("K 6.8").task  # of mmol/L and mEq/L there is nothing to choose


def test_the_age_decides_only_where_it_is_told() -> None:
    lab = LIBRARY.lab["lab.bilirubin-total"]
    assert [unit for unit, _ in unsaid(Decimal(20), lab, Decimal("0.9")).readings] == ["mg/dL"]
    assert [unit for unit, _ in unsaid(Decimal(20), lab, Decimal(1)).readings] == ["mg/dL", "umol/L"]
    assert [unit for unit, _ in unsaid(Decimal(20), lab).readings] == ["mg/dL", "umol/L"]


def test_a_number_that_fits_one_other_unit_and_would_be_critical_there_does_not_wait() -> None:
    told = _answer("bili 350", age="4 days")
    assert told.ask.startswith("Is it 350 umol/L?")
    assert (told.escalate, "critical" in told.task) == ("clinician", True)
    assert _answer("bili 90", age="4 days").escalate == "none"
    assert _answer("Hgb 58").escalate == "clinician"
    assert _answer("Hgb 128").escalate == "none"


@pytest.mark.parametrize("text", ["troponin 48, no unit on the slip", "troponin 2.5", "trop 0.6 ng/L or ng/mL"])
def test_a_troponin_is_never_taken_in_one_unit_without_a_word(text: str) -> None:
    told = _answer(text)
    assert told.escalate in ("clinician", "emergency")
    assert "unit" in told.needs or "No unit was told: it was taken as ng/mL." in told.task


def test_with_its_unit_a_troponin_is_not_asked_about_and_poison_control_has_no_part_in_it() -> None:
    told = _answer("trop I 0.09 ng/mL")
    assert (told.status, told.escalate, told.needs) == ("high", "emergency", [])
    assert "poison" not in told.task
    assert "No unit" not in told.task
    assert "poison control" in _answer("salicylate level 32 mg/dL, 8 hours after ingestion, not rising").task


# ------------------------------------------------------------------ words around a result


@pytest.mark.parametrize(
    ("text", "test", "value"),
    [
        ("labs are back. Mg 1.1", "lab.magnesium", "1.1 mg/dL"),
        ("pt is pale and tired. Hgb 6.8", "lab.hemoglobin", "6.8 g/dL"),
        ("PT 15.1", "lab.prothrombin-time", "15.1 s"),
        ("home bp's averaging 158/94", "lab.systolic-blood-pressure", "158 mmHg"),
        ("K is 5.1 or 5.2", "lab.potassium", "5.1 to 5.2 mmol/L"),
        ("lith level 0.9", "lab.lithium-level", "0.9 mmol/L"),
    ],
)
def test_words_around_a_result_are_none_of_its_name(text: str, test: str, value: str) -> None:
    told = _answer(text)
    assert (told.test, told.value) == (test, value)


def test_a_result_stands_before_what_was_only_named() -> None:
    told = _answer("wt up, creatinine 1.9")
    assert [one.test for one in (told, *told.also)] == ["lab.creatinine", "lab.body-weight"]


# ------------------------------------------------------------------ what is due


def test_the_blood_count_of_clozapine_is_its_neutrophils() -> None:
    told = _answer("is a CBC due?", "clozapine 200 mg nightly")
    assert told.test == "lab.neutrophils"
    assert "absolute neutrophil count" in told.task


@pytest.mark.parametrize("text", ["what bloods are needed on lithium?", "does a pt on lithium need labs?"])
def test_which_tests_a_medicine_needs_is_a_question_without_a_result(text: str) -> None:
    assert "lithium level" in _answer(text, "lithium carbonate 300 mg twice daily").task


def test_a_number_of_tablets_that_are_needed_is_no_question_of_tests() -> None:
    assert _answer("potassium 3.1, needs labs again", "furosemide 40 mg daily").test == "lab.potassium"


# ------------------------------------------------------------------ as nurses ask


def test_a_newborns_bilirubin_that_rises_within_a_day_is_told_as_rising() -> None:
    assert _answer("bili 14.2 at 52 hours, was 9.1 yesterday", age="2 days").trend == "rising"
    assert _answer("bilirubin 1.4 mg/dL, was 1.0 yesterday").trend == "insufficient_history"  # an adult's varies so much


def test_the_hours_of_a_newborn_are_an_age() -> None:
    told = _answer("bili 9", age="20 hours")
    assert (told.status, told.limit.for_ if told.limit is not None else "") == ("critical_high", "under 1 day")
    assert _answer("36 hr old, TcB 7.1", age=None).status == "normal"


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("INR 4.8, on cipro since Thursday", ""),
        ("A1c 6.1, was 7.4 six months ago, two lows last week", ""),
        ("eGFR 38 now, 52 a year ago", ""),
        ("K 5.1 on Thursday", "2026-11-26"),
    ],
)
def test_the_day_of_something_else_is_none_of_the_result(text: str, on: str) -> None:
    assert (_answer(text).on or "") == on


def test_an_older_number_right_behind_is_the_history() -> None:
    told = _answer("eGFR 38 now, 52 a year ago")
    assert told.previous is not None
    assert (told.previous.value, told.previous.on, told.trend) == ("52 mL/min/1.73m2", "2025-11-29", "falling")
    assert _answer("Hgb 7.4, 2 units yesterday").value == "7.4 g/dL"  # of blood


def test_a_sample_that_was_told_to_be_good_is_not_doubted() -> None:
    assert "fresh one" not in _answer("redraw K 5.9, not hemolyzed").task
    assert "fresh one" in _answer("K 5.9, hemolyzed").task


def test_a_share_before_its_name_and_the_count_that_follows_from_it() -> None:
    told = _answer("WBC 3.2 with 40% neutrophils", "clozapine 300 mg nightly")
    count = next(one for one in (told, *told.also) if one.test == "lab.neutrophils")
    assert (count.value, count.status, count.worked_out) == (
        "1.28 10*9/L",
        "low",
        "white blood cell count 3.2, neutrophil percentage 40",
    )
    assert any("Clozapine with neutrophils" in rule.title for rule in count.findings)
    measured = _answer("WBC 3.2, neutrophils 40%, ANC 1.5")
    assert [one.value for one in measured.also if one.test == "lab.neutrophils"] == ["1.5 10*9/L"]


@pytest.mark.parametrize("text", ["fingerstick INR 2.4", "INR 2.4, no pain"])
def test_only_the_result_is_answered(text: str) -> None:
    told = _answer(text)
    assert (told.test, told.value, told.also) == ("lab.inr", "2.4 INR", [])


def test_the_glucose_an_hour_after_a_load_is_not_held_against_fasting_limits() -> None:
    told = _answer("1 hour glucose 138", pregnancy="weeks 26", age="28 y")
    assert (told.status, told.escalate) == ("normal", "none")
    assert _answer("1 hour glucose 148", pregnancy="weeks 26", age="28 y").escalate == "clinician"


@pytest.mark.parametrize(
    ("test", "value", "told", "status"),
    [
        ("potassium", "6.8 mmol/L", "6.8 mmol/L", "critical_high"),
        ("potassium", "<2.5 mEq/L", "< 2.5 mmol/L", "critical_low"),
        ("oxygen saturation", "79% RA", "79 %", "critical_low"),
        ("platelets", "9 x10^9/L", "9 10*9/L", "critical_low"),
        ("creatinine", "1.2 mg/dL", "1.2 mg/dL", "normal"),
        ("potassium", "5 apples", "5 apples", "unknown"),
        ("potassium", "12O mmol/L", "12O mmol/L", "unknown"),
        ("potassium", "5.6.7 mmol/L", "5.6.7 mmol/L", "unknown"),
    ],
)
def test_a_unit_in_the_field_of_the_value_is_read_where_it_is_one_of_the_test(
    test: str, value: str, told: str, status: str
) -> None:
    patient = {"age": "50 y", "sex": "male", "medications": [], "conditions": [], "labs": []}
    answer = ENGINE.lab({"as_of": "2026-11-20", "test": test, "value": value, "patient": patient})
    assert (answer.value, answer.status) == (told, status)
