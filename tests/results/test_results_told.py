"""Results told as text in a case: judged like fields, and without a unit never clearer."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from safety.engine import Engine
from safety.model.report import Report

DAY = date(2026, 11, 20)
HYPERKALEMIA = "renal.hyperkalemia.aldosterone-antagonists"


def check(engine: Engine, labs: list[Any], **more: Any) -> Report:
    patient = {"age": 70, "sex": "male", "labs": labs, "medications": ["spironolactone 25 mg by mouth daily"], **more}
    return engine.check({"patient": patient}, DAY)


def rules(report: Report) -> set[str]:
    return {f.rule for f in report.findings} | {a.rule for f in report.findings for a in f.also}


@pytest.mark.parametrize(
    "lab", ["K 5.9", "K 5.9 mEq/L (H)", "potassium: 5.9 on 11/18", "Na 138 | K 5.9 | Cl 102", {"test": "K", "value": "5.9 (H)"}]
)
def test_a_high_potassium_is_found_however_it_is_written(engine: Engine, lab: Any) -> None:
    assert HYPERKALEMIA in rules(check(engine, [lab]))


@pytest.mark.parametrize("lab", ["K 4.1", "Na 138", "K pending", "urine K 59"])
def test_no_high_potassium_is_made_up(engine: Engine, lab: str) -> None:
    assert HYPERKALEMIA not in rules(check(engine, [lab]))


def test_the_newer_of_two_results_decides(engine: Engine) -> None:
    assert HYPERKALEMIA not in rules(check(engine, ["K 5.9 -> 4.4"]))
    assert HYPERKALEMIA in rules(check(engine, ["K 4.4 -> 5.9"]))
    assert HYPERKALEMIA not in rules(check(engine, ["K 4.4 (was 5.9)"]))


@pytest.mark.parametrize("lab", ["K five point six", "K 1.1.1", "K 1e309", "K -5", "K NaN", "K 11/2"])
def test_a_value_that_cannot_be_read_is_asked_about(engine: Engine, lab: str) -> None:
    report = check(engine, [lab])
    assert report.verdict != "clear"
    assert [u.status for u in report.unresolved if str(u.where) == "labs[0]"] == ["unread"]


def test_a_pressure_that_was_typed_with_letters_is_asked_about(engine: Engine) -> None:
    report = check(engine, ["BP 12O/8O"])
    assert "unread" in [u.status for u in report.unresolved]


def test_a_unit_that_nobody_told_is_said_and_asked_about(engine: Engine) -> None:
    told = [u for u in check(engine, ["creatinine 1.1"]).unresolved if u.status == "unit"]
    assert len(told) == 1
    assert "mg/dL" in told[0].text
    assert not [u for u in check(engine, ["creatinine 1.1 mg/dL"]).unresolved if u.status == "unit"]


def test_a_finding_says_the_unit_that_it_assumes(engine: Engine) -> None:
    told = {"conditions": [], "medications": ["digoxin 0.125 mg by mouth daily"]}
    bare = [f for f in check(engine, ["digoxin 3.5"], **told).findings if any("digoxin" in a.fact for a in f.assumed)]
    assert bare
    assert all("ng/mL" in a.value and "?" in a.ask for f in bare for a in f.assumed if "digoxin" in a.fact)
    whole = check(engine, ["digoxin 3.5 ng/mL"], **told).findings
    assert not [a for f in whole for a in f.assumed if "digoxin" in a.fact]


def test_a_number_that_fits_only_an_unusual_unit_is_not_used(engine: Engine) -> None:
    report = check(engine, ["glucose 5.5"])
    assert [u.status for u in report.unresolved if str(u.where) == "labs[0]"] == ["unit"]
    assert ["mmol/L" in u.ask for u in report.unresolved if str(u.where) == "labs[0]"] == [True]


def test_a_number_that_fits_two_units_is_judged_in_both(engine: Engine) -> None:
    digoxin = {"medications": ["digoxin 0.125 mg by mouth daily"]}
    both = rules(check(engine, ["digoxin 3.5 ng/mL"], **digoxin)) & rules(check(engine, ["digoxin 3.5 nmol/L"], **digoxin))
    assert both <= rules(check(engine, ["digoxin 3.5"], **digoxin))


def test_pairs_are_read_as_fields_too(engine: Engine) -> None:
    fields = check(engine, [{"test": "blood pressure", "value": "148/88", "unit": "mmHg", "on": "2026-11-02"}])
    assert not [u for u in fields.unresolved if u.status in ("unrecognised", "unread", "unit")]
