"""A result that stands on the line of a medicine counts as one; what is aimed at, or where a dose is held, is none."""

from __future__ import annotations

from datetime import date

import pytest

from safety.engine import Engine

DAY = date(2026, 11, 30)


def told(engine: Engine, line: str) -> tuple[set[str], list[str]]:
    """The rules that speak of somebody with one medicine, and what is noted of its line."""
    patient = {"age": "60 y", "sex": "male", "conditions": [], "allergies": [], "medications": [line]}
    report = engine.check({"patient": patient}, DAY)
    return {f.rule for f in report.every_finding}, report.notes


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("warfarin 5 mg daily (last INR 8.1)", "result.inr.warfarin-5-to-9"),
        ("warfarin 5 mg daily, INR 8.1 on 11/28", "result.inr.warfarin-5-to-9"),
        ("metformin 1000 mg bid eGFR 12", "renal.metformin.severe"),
        ("spironolactone 25 mg daily (K 6.4)", "renal.hyperkalemia.aldosterone-antagonists"),
        ("lithium 300 mg tid - level 2.1", "result.levels.lithium-from-1-5"),
        ("lisinopril 10 mg daily, BP 88/50", "result.vital-signs.antihypertensives-under-90"),
    ],
)
def test_a_result_on_the_line_of_a_medicine_counts(engine: Engine, line: str, rule: str) -> None:
    rules, notes = told(engine, line)
    assert rule in rules
    assert any("is counted among the results" in note for note in notes)


@pytest.mark.parametrize(
    "line",
    [
        "warfarin 5 mg daily (goal INR 2.5)",
        "warfarin 5 mg daily, INR goal 2-3",
        "warfarin 5 mg daily, target INR 2.5",
        "metoprolol 25 mg bid hold for HR less than 55",
        "warfarin 5 mg daily (INR 2-3)",
        "metoprolol 25 mg bid hold for HR < 55",
        "metoprolol 25 mg bid (hold SBP<100)",
        "epoetin 10000 units weekly, hold if Hgb >11",
        "vancomycin 1 g IV q12h trough 15-20",
    ],
)
def test_an_aim_or_a_limit_is_no_result(engine: Engine, line: str) -> None:
    rules, notes = told(engine, line)
    assert not any(rule.startswith("result.") for rule in rules)
    assert not any("is counted among the results" in note for note in notes)


def test_an_ordinary_result_on_the_line_alarms_nobody(engine: Engine) -> None:
    for line in ("warfarin 5 mg daily, INR 2.4 on 11/20", "levothyroxine 100 mcg daily TSH 2.2", "lithium 300 mg tid, level 0.8"):
        assert not any(rule.startswith("result.") for rule in told(engine, line)[0])
