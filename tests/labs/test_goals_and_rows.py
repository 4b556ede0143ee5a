"""Goals told with a result; rows by month, year and time; when to measure; what of the list of medicines may be behind it."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, engine_of

from safety.model.lab_answer import LabAnswer

ENGINE = engine_of(compiled().library)


def _answer(text: str, *medicines: str, **patient: Any) -> LabAnswer:
    told = {"age": "60 y", "sex": "female", "medications": list(medicines), **patient}
    return ENGINE.lab({"text": text, "patient": told}, "2026-11-29")


@pytest.mark.parametrize(
    ("text", "goal", "met"),
    [
        ("A1c 6.8% goal <7", (None, "7"), True),
        ("A1c is 7.8, her goal is under 8", (None, "8"), True),
        ("A1c 8.1, goal of less than 8", (None, "8"), False),
        ("A1c 7.5 target 7.5 or less", (None, "7.5"), True),
        ("nursing home resident A1c 9.2, facility goal <8.5", (None, "8.5"), False),
        ("INR 2.1 mech mitral valve, goal 2.5-3.5", ("2.5", "3.5"), False),
        ("INR 3.4 (goal 2.0-3.0)", ("2", "3"), False),
        ("goal INR 2-3, today 2.4", ("2", "3"), True),
        ("INR goal 2-3, got 1.6", ("2", "3"), False),
        ("ferritin 60, doctor wants it above 75", ("75", None), False),
        ("LDL 70 target <70", (None, "70"), False),
        ("LDL 69 target <70", (None, "70"), True),
        ("tac 9.1, goal 8 to 10", ("8", "10"), True),
        ("BP 138/84 goal <130/80", (None, "130"), False),
        ("INR 2-3 goal, today 1.7", ("2", "3"), False),
        ("INR 2.7 (2-3 goal)", ("2", "3"), True),
        ("K 3.6, goal K > 4 and Mg > 2", ("4", None), False),
    ],
)
def test_a_goal_that_is_told_is_what_a_result_is_held_against(text: str, goal: tuple[str | None, str | None], met: bool) -> None:
    told = _answer(text)
    assert told.target is not None
    assert told.target.for_ == "as told"
    assert ((told.target.low, told.target.high), told.target_met) == (goal, met)


def test_a_goal_never_quiets_what_is_critical() -> None:
    told = _answer("K 6.9, goal <7")
    assert (told.status, told.target_met, told.escalate) == ("critical_high", True, "emergency")


def test_a_number_that_may_be_either_end_is_no_goal() -> None:
    assert _answer("A1c 8.2, goal 7").target is None


def test_at_its_goal_nobody_is_called() -> None:
    told = _answer("A1c 6.8% goal <7", "metformin 1000 mg oral twice daily")
    assert (told.status, told.escalate, told.task) == ("high", "none", "At its goal as told.")


def test_a_pair_has_a_goal_for_each_number() -> None:
    told = _answer("BP 128/84 goal <130/80")
    assert [(one.target_met, one.target.high) for one in (told, *told.also) if one.target] == [(True, "130"), (False, "80")]


@pytest.mark.parametrize(
    ("text", "value", "trend"),
    [
        ("plt Jan 210, Feb 180, Mar 140, Apr 110", "110 10*9/L", "falling"),
        ("Jan A1c 9, Apr 8.1, Jul 7.2", "7.2 %", "falling"),
        ("Nov A1c 8.4, Feb 7.6, May 7", "7 %", "falling"),
        ("eGFR 58 in 2024, 57 in 2025, 58 now", "58 mL/min/1.73m2", "stable"),
        ("eGFR 2024: 58, 2025: 44, 2026: 31", "31 mL/min/1.73m2", "falling"),
        ("Mon K 3.1 Tue 3.4 Wed 3.8", "3.8 mmol/L", "rising"),
        ("Cr 1.1 yesterday, 1.6 this am, 2.1 tonight", "2.1 mg/dL", "rising"),
        ("ALT 40, 3 months ago 38, 6 months ago 39", "40 unit/L", "stable"),
        ("hgb dropped 2 points since last week to 9.1", "9.1 g/dL", "insufficient_history"),
        ("creatinine doubled to 2.0", "2 mg/dL", "insufficient_history"),
        ("my A1c was 9.1 in January, 8.2 in May and it's 7.3 now, am I doing ok", "7.3 %", "falling"),
        ("trop 14 -> 62 -> 240 ng/L", "0.24 ng/mL", "rising"),
        ("Na 118 at 0600, 122 at 1200, 127 at 1800", "127 mmol/L", "rising"),
        ("my potassium keeps going up: 4.8, 5.1, 5.5", "5.5 mmol/L", "rising"),
        ("ferritin in 2023 was 80, 2024 was 40, this year 12", "12 ng/mL", "falling"),
        ("BNP 2024, CK 2010", "2024 pg/mL", "insufficient_history"),
    ],
)
def test_rows_are_read_with_their_times(text: str, value: str, trend: str) -> None:
    told = _answer(text)
    assert (told.value, told.trend) == (value, trend)


def test_how_far_a_result_moved_is_no_result() -> None:
    told = _answer("hgb dropped 2 points since yesterday")
    assert (told.status, told.escalate, bool(told.ask)) == ("unknown", "none", True)


def test_a_time_ago_is_the_day_of_a_result() -> None:
    assert _answer("hgb 9.1 three weeks ago").on == "2026-11-08"
    assert _answer("hgb 9.1, 10 days ago").on == "2026-11-19"


def test_the_name_of_a_test_behind_a_number_is_no_unit() -> None:
    told = _answer("K 3.6 Mg 1.9")
    assert [(one.test, one.status) for one in (told, *told.also)] == [
        ("lab.potassium", "normal"), ("lab.magnesium", "normal")
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["glycated albumin 18", "pleural LDH 500", "vitamin K 0.3", "ionized mag 0.6"])
def test_a_qualified_name_is_another_test(text: str) -> None:
    assert _answer(text).test is None


@pytest.mark.parametrize(
    ("text", "medicine", "test", "said"),
    [
        ("how often ANC at month 3", "clozapine 250 mg oral daily", "lab.neutrophils", "weekly for the first 6 months"),
        ("when do I recheck K, started it 4 d ago", "spironolactone 25 mg oral daily", "lab.potassium", "within a week"),
        ("starting azathioprine, what lab first? TPMT?", "azathioprine 50 mg oral daily", "lab.tpmt-activity", "first dose"),
    ],
)
def test_when_a_test_is_to_be_measured_is_answered_of_that_test(text: str, medicine: str, test: str, said: str) -> None:
    told = _answer(text, medicine)
    assert (told.test, bool(told.due)) == (test, True)
    assert said in told.task


@pytest.mark.parametrize(
    ("text", "medicines", "rule"),
    [
        ("CK 5200", ["simvastatin 40 mg oral daily", "clarithromycin 500 mg oral twice daily"], "interaction.simvastatin.cyp3a4"),
        ("INR 6.2", ["warfarin 5 mg oral daily", "fluconazole 200 mg oral daily"], "interaction.warfarin-cyp2c9-inhibitor"),
        ("tac 34", ["tacrolimus 3 mg oral twice daily", "clarithromycin 500 mg oral twice daily"], "interaction.calcineurin"),
        (
            "sugar 45",
            ["glipizide 10 mg oral twice daily", "fluconazole 200 mg oral daily"],
            "interaction.sulfonylurea-fluconazole",
        ),
    ],
)
def test_medicines_whose_harm_shows_in_the_result_are_told_with_it(text: str, medicines: list[str], rule: str) -> None:
    told = _answer(text, *medicines)
    assert any(found.rule.startswith(rule) for found in told.findings)
    assert "It may come of, or be worse for:" in told.task


def test_nothing_of_the_kind_is_told_where_the_result_is_ordinary_or_lies_the_other_way() -> None:
    pair = ["warfarin 5 mg oral daily", "fluconazole 200 mg oral daily"]
    for text in ("INR 2.4", "INR 1.3"):
        assert not any(found.rule.startswith("interaction.") for found in _answer(text, *pair).findings)


def test_a_level_tells_only_of_its_own_medicine() -> None:
    others = ["simvastatin 40 mg oral daily", "clarithromycin 500 mg oral twice daily", "digoxin 125 mcg oral daily"]
    assert not any("simvastatin.cyp3a4" in found.rule for found in _answer("digoxin 2.4", *others).findings)


def test_a_medicine_is_told_with_what_comes_with_it() -> None:
    told = _answer(
        "Cr 2.2", "vancomycin 1500 mg intravenous every 12 hours", "piperacillin-tazobactam 4.5 g intravenous every 8 hours"
    )
    assert "piperacillin (with tazobactam)" in [effect.name for effect in told.medication_effects]


def test_a_medicine_by_its_short_name_is_no_level_without_a_number() -> None:
    told = _answer("Cr 0.9 -> 1.4 -> 2.2 over 4 d on vanc/zosyn", "vancomycin 1500 mg intravenous every 12 hours")
    assert [one.test for one in (told, *told.also)] == ["lab.creatinine"]


def test_a_result_is_told_though_something_else_is_due() -> None:
    told = _answer("bedside glucose 48, he is shaky, next lispro due", "insulin lispro 8 units subcutaneous three times daily")
    assert (told.test, told.status, told.escalate) == ("lab.glucose", "critical_low", "emergency")


@pytest.mark.parametrize(
    ("text", "test", "value"),
    [
        ("trough tobra 3.1", "lab.tobramycin-trough", "3.1 mcg/mL"),
        ("peak gent 8.2", "lab.gentamicin-peak", "8.2 mcg/mL"),
        ("my blood pressure this morning was 182/114 with a headache", "lab.systolic-blood-pressure", "182 mmHg"),
        ("lactic 4.4", "lab.lactate", "4.4 mmol/L"),
    ],
)
def test_the_order_of_words_and_a_day_between_hide_no_result(text: str, test: str, value: str) -> None:
    told = _answer(text)
    assert (told.test, told.value) == (test, value)


def test_the_newest_number_is_found_behind_words_about_an_older_one() -> None:
    told = _answer("potassium was fine last week but now it's 6.2", "losartan 50 mg oral daily")
    assert (told.value, told.status) == ("6.2 mmol/L", "high")
    assert _answer("potassium low, repeat in 2 h").status == "unknown"


def test_a_question_may_tell_the_number_before_its_test() -> None:
    assert _answer("is 7.9 A1c bad for an 85 year old").value == "7.9 %"


@pytest.mark.parametrize("text", ["monitoring for lithium?", "what labs for lithium"])
def test_what_a_medicine_needs_measured_is_more_than_its_level(text: str) -> None:
    told = _answer(text, "lithium 300 mg oral three times daily")
    assert {"lab.lithium-level", "lab.creatinine", "lab.tsh"} <= {test for due in told.due for test in due.tests}
