"""What is aimed at by a condition that the question tells; months in brackets; a level drawn at a time that nobody knows."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, engine_of

from safety.model.lab_answer import LabAnswer

ENGINE = engine_of(compiled().library)


def _answer(text: str, *medications: str, **patient: Any) -> LabAnswer:
    told = {"age": "60 y", "sex": "male", "medications": list(medications), **patient}
    return ENGINE.lab({"text": text, "patient": told}, "2026-11-29")


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("hba1c 6.7, T2DM x 4 yrs, no lows", True),
        ("a1c 7.0 type 2 diabetic", False),  # the goal is under 7
        ("LDL 62, CAD s/p stent", True),
        ("LDL 118, MI last year", False),
        ("uric acid 6.0, gout", False),
        ("BP 128/76, hx HTN", True),
        ("A1c 6.8, is that diabetes?", None),
        ("A1c 6.1, never been told I have diabetes", None),
        ("A1c 6.7, mom has type 2 diabetes", None),
        ("A1c 6.7, worried about diabetes", None),
        ("LDL 118, no CAD", None),
        ("LDL 118", None),
    ],
)
def test_a_condition_told_beside_a_result_sets_its_goal_unless_it_is_denied_doubted_or_of_kin(
    text: str, met: bool | None
) -> None:
    assert _answer(text).target_met is met


@pytest.mark.parametrize(("inr", "met"), [("2.2", False), ("2.5", True), ("3.5", True), ("3.6", False)])
def test_a_mechanical_mitral_valve_told_in_the_question_has_its_own_goal(inr: str, met: bool) -> None:
    assert _answer(f"INR {inr}, mechanical mitral valve", "warfarin 5 mg daily").target_met is met
    assert _answer(f"INR {inr}, mechanical mitral", "warfarin 5 mg daily").target_met is met


def test_no_rule_judges_by_a_condition_that_only_a_question_tells() -> None:
    told, untold = (_answer(text, "metformin 500 mg bid") for text in ("A1c 6.7, T2DM", "A1c 6.7"))
    assert [f.rule for f in told.findings] == [f.rule for f in untold.findings]


@pytest.mark.parametrize(
    ("text", "value", "trend"),
    [
        ("eGFR 62 (Jan), 54 (June), 45 (Nov)", "45 mL/min/1.73m2", "falling"),
        ("eGFR 62 Jan, 54 June, 45 Nov", "45 mL/min/1.73m2", "falling"),
        ("A1c 10 (Jan), 8.9 (June), 7.1 (Oct)", "7.1 %", "falling"),
        ("Hgb 13.2 (8/1) 11.9 (9/15) 10.3 (11/25)", "10.3 g/dL", "falling"),
        ("plt 210 (11/1) 160 (11/10) 90 (11/20)", "90 10*9/L", "falling"),
        ("Cr 1.1 (9/1), 1.4 (10/2), 2.0", "2 mg/dL", "rising"),
        ("K 4.1 on 11/1, 4.4 on 11/8, 5.9 mmol/L", "5.9 mmol/L", "rising"),
        ("Na 139 Sept, 134 Oct, 128 today (sertraline started 10/10)", "128 mmol/L", "falling"),
        ("PSA 0.4 (2023) 1.1 (2024) 2.9 (2025) 6.3 this month", "6.3 ng/mL", "rising"),
    ],
)
def test_of_results_with_months_or_years_in_brackets_the_newest_is_answered(text: str, value: str, trend: str) -> None:
    told = _answer(text)
    assert (told.value, told.trend) == (value, trend)


@pytest.mark.parametrize("text", ["Cr 1.1 on 9/1, 1.2 on 10/1, 20", "Cr 1.1 on 9/1, 1.2 on 10/1, 2 tabs of Advil"])
def test_another_number_behind_dated_results_is_none_of_them(text: str) -> None:
    assert _answer(text).value == "1.2 mg/dL"


def test_a_number_in_brackets_that_may_be_an_earlier_result_is_no_year() -> None:
    assert _answer("CK 3400 (2010)").on is None


@pytest.mark.parametrize(
    "text",
    ["vanc level 19, not sure if peak or trough", "vanc level 12, don't know when it was drawn", "vanc 18, not sure if trough"],
)
def test_a_level_drawn_at_an_unknown_time_is_asked_about_whatever_it_is(text: str) -> None:
    assert "right before a dose" in _answer(text, "vancomycin 1 g IV q12h").ask


def test_a_trough_in_its_range_is_not_asked_about() -> None:
    assert _answer("vanc trough 15", "vancomycin 1 g IV q12h").ask == ""


@pytest.mark.parametrize(
    ("text", "test"),
    [("Tegretol trough 9.1", "lab.carbamazepine-level"), ("Depakote trough 78", "lab.valproate-level"),
     ("Dilantin trough 14", "lab.phenytoin-level"), ("Prograf trough 6.2", "lab.tacrolimus-level"),
     ("phenobarb 28", "lab.phenobarbital-level"), ("met-Hb 18%", "lab.methemoglobin")],
)  # fmt: skip
def test_levels_by_the_names_of_brands_and_in_short(text: str, test: str) -> None:
    assert _answer(text).test == test


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("quinidine level 6.0", "high"), ("quinidine level 6.1", "critical_high"),
        ("procainamide level 12", "high"), ("procainamide level 12.1", "critical_high"),
        ("tobramycin trough 2.5", "high"), ("tobramycin trough 2.6", "critical_high"),
        ("vancomycin trough 25", "high"), ("vancomycin trough 25.1", "critical_high"),
        ("salicylate level 35 mg/dL", "high"), ("salicylate level 36 mg/dL", "critical_high"),
        ("lamotrigine level 15", "normal"), ("lamotrigine level 15.1", "high"), ("lamotrigine level 20.1", "critical_high"),
        ("BHB 2.9 mmol/L", "high"), ("BHB 3.0 mmol/L", "critical_high"),
        ("flecainide level 1.0 mcg/mL", "normal"), ("flecainide level 1.1 mcg/mL", "critical_high"),
        ("itraconazole trough 4 mcg/mL", "normal"), ("itraconazole trough 4.1 mcg/mL", "high"),
        ("CK-MB 4.9 ng/mL", "normal"), ("CK-MB 5.0 ng/mL", "high"),
        ("HIV viral load 199 copies/mL", "normal"), ("HIV viral load 200 copies/mL", "high"),
    ],
)  # fmt: skip
def test_the_limits_are_those_of_the_texts_that_are_cited(text: str, status: str) -> None:
    taken = {
        "quinidine": "quinidine sulfate 300 mg q6h",
        "procainamide": "procainamide 500 mg q6h",
        "salicylate": "aspirin 650 mg q4h",
    }
    of = text.split()[0].lower()
    medicine = "" if of in ("bhb", "ck-mb", "hiv") else taken.get(of, f"{of} 100 mg q12h")
    assert _answer(text, *([medicine] if medicine else [])).status == status


@pytest.mark.parametrize(
    ("age", "value", "status"),
    [("2 d", "1.4", "high"), ("2 d", "1.5", "critical_high"), ("1 y", "1.9", "high"), ("1 y", "2.0", "critical_high"),
     ("11 y", "2.4", "high"), ("11 y", "2.5", "critical_high"), ("15 y", "2.9", "high"), ("15 y", "3.0", "critical_high"),
     ("17 y", "3.4", "high"), ("17 y", "4.0", "critical_high")],
)  # fmt: skip
def test_how_much_creatinine_is_critical_grows_with_a_child(age: str, value: str, status: str) -> None:
    assert _answer(f"creatinine {value} mg/dL", age=age).status == status


@pytest.mark.parametrize(
    ("text", "value"), [("wt 81 kg Monday, 83 Wednesday, 85.5 today", "85.5 kg"), ("wt 180 lb Monday, 184 today", "83.461 kg")]
)
def test_the_unit_of_a_row_is_told_once(text: str, value: str) -> None:
    assert (_answer(text).value, _answer(text).ask) == (value, "")


def test_a_number_too_far_off_for_the_unit_of_the_row_is_asked_about() -> None:
    assert _answer("wt 180 lb Monday, 82 today").ask == "Is it in kg or lb?"


@pytest.mark.parametrize(
    "text",
    ["what do I need to watch on Tracleer every month", "what to monitor on bosentan", "what should I check with bosentan"],
)
def test_what_to_watch_on_a_medicine_is_its_tests(text: str) -> None:
    told = _answer(text, "bosentan 62.5 mg bid", sex="female")
    assert any("alanine" in d.name for d in told.due)


@pytest.mark.parametrize(
    ("text", "patient", "asked"),
    [
        ("Hgb 11.4 at 30 wks - anemic?", {"sex": "female", "age": "30 y"}, True),
        ("creat 1.1 at 26 weeks", {"sex": "female", "age": "33 y"}, True),
        ("Hgb 11.4 at 30 wks", {"sex": "female", "age": "71 y"}, False),
        ("Hgb 11.4 at 30 wks", {"sex": "male", "age": "30 y"}, False),
        ("Hgb 11.4 at 30 wks", {"sex": "female", "age": "30 y", "pregnancy": False}, False),
        ("ALT 60 at 12 weeks on isotretinoin", {"sex": "female", "age": "20 y"}, False),
        ("Hgb 11.4 at 30 weeks pregnant", {"sex": "female", "age": "30 y"}, False),
    ],
)
def test_weeks_that_may_be_of_a_pregnancy_are_asked_about(text: str, patient: dict[str, Any], asked: bool) -> None:
    assert ("weeks pregnant?" in _answer(text, **patient).ask) is asked


@pytest.mark.parametrize(
    ("text", "medicine", "test"),
    [
        (
            "which blood test weekly while on linezolid",
            "linezolid 600 mg twice daily",
            "platelet count or white blood cell count",
        ),
        ("home on dapto x4 wks via PICC, weekly labs pls", "daptomycin 600 mg IV daily", "creatine kinase"),
        ("cordarone 2 yrs now, what thyroid labs do we follow", "amiodarone 200 mg daily", "thyroid stimulating hormone"),
    ],
)
def test_what_is_due_is_told_however_it_is_asked(text: str, medicine: str, test: str) -> None:
    assert any(test in one.name for one in _answer(text, medicine).due)


def test_a_question_for_a_gene_test_is_never_answered_by_the_want_of_a_rule() -> None:
    assert "needs a test" not in _answer("starting ziagen, which gene test first", "abacavir 600 mg daily").task
