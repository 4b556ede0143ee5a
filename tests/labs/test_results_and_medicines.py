"""A result that makes a medicine unsafe is told by `check`, at each level; what was not told is not asked for."""

from __future__ import annotations

from decimal import Decimal

import pytest
from conftest import compiled, engine_of, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.model.report import RANK, Report

ENGINE = engine_of(compiled().library)


def report(drug: str, *labs: tuple[object, ...]) -> Report:
    """A man of 60 with one medicine and these results, undated."""
    told = [dict(zip(("test", "value", "unit", "on"), one, strict=False)) for one in labs]
    patient = {"age": 60, "sex": "male", "conditions": [], "allergies": [], "medications": [drug], "labs": told}
    return ENGINE.check({"as_of": "2026-11-23", "patient": patient})


@pytest.mark.parametrize(
    ("drug", "lab"),
    [
        ("warfarin 5 mg daily", ("INR", 9.5, "INR")),
        ("warfarin 5 mg daily", ("INR", 9, None)),
        ("warfarin 5 mg daily", ("INR", 20, "INR")),
        ("lithium 300 mg tid", ("lithium level", 4, "mEq/L")),
        ("digoxin 0.125 mg daily", ("digoxin level", 5, "ng/mL")),
        ("clozapine 100 mg bid", ("ANC", 0.4, "10*9/L")),
        ("clozapine 100 mg bid", ("ANC", 400, "/uL")),
        ("citalopram 20 mg daily", ("QTc", 530, "ms")),
        ("phenytoin 100 mg tid", ("phenytoin level", 42, "mcg/mL")),
        ("methimazole 10 mg daily", ("ANC", 0.3, "10*9/L")),
        ("methotrexate 15 mg weekly", ("neutrophils", 0.7, "10*9/L")),
        ("enoxaparin 80 mg subcutaneous twice daily", ("platelets", 60, "10*9/L")),
        ("apixaban 5 mg bid", ("platelets", 18, "10*9/L")),
        ("hydrochlorothiazide 25 mg daily", ("sodium", 118, "mmol/L")),
        ("desmopressin 0.2 mg oral at bedtime", ("sodium", 128, "mmol/L")),
        ("hydrochlorothiazide 25 mg daily", ("potassium", 2.6, "mmol/L")),
        ("simvastatin 20 mg daily", ("CK", 12000, "U/L")),
        ("isoniazid 300 mg daily", ("ALT", 400, "U/L")),
        ("alendronate 70 mg weekly", ("calcium", 7.4, "mg/dL")),
        ("glipizide 5 mg daily", ("glucose", 42, "mg/dL")),
        ("glipizide 5 mg daily", ("glucose", 2.3, "mmol/L")),
        ("metformin 1000 mg bid", ("lactate", 8, "mmol/L")),
        ("oxycodone 5 mg every 6 hours", ("respiratory rate", 6, "/min")),
        ("metoprolol 50 mg bid", ("heart rate", 34, "/min")),
        ("diltiazem 120 mg daily", ("systolic blood pressure", 78, "mmHg")),
        ("theophylline 300 mg bid", ("theophylline level", 34, "mcg/mL")),
    ],
)
def test_a_dangerous_result_on_its_medicine_interrupts(drug: str, lab: tuple[object, ...]) -> None:
    found = [f for f in report(drug, lab).every_finding if f.kind == "lab"]
    assert any(f.severity in ("contraindicated", "major") and f.interrupt for f in found), (drug, lab)


@pytest.mark.parametrize(
    ("drug", "lab"),
    [
        ("warfarin 5 mg daily", ("INR", 2.6, "INR")),
        ("lithium 300 mg tid", ("lithium level", 0.9, "mmol/L")),
        ("digoxin 0.125 mg daily", ("digoxin level", 0.8, "ng/mL")),
        ("clozapine 100 mg bid", ("ANC", 4.2, "10*9/L")),
        ("citalopram 20 mg daily", ("QTc", 420, "ms")),
        ("ketoconazole 2% cream daily", ("ALT", 60, "U/L")),
        ("gentamicin 0.3% eye drops", ("gentamicin trough", 3, "mcg/mL")),
        ("atorvastatin 40 mg daily", ("ALT", 70, "U/L")),
    ],
)
def test_an_ordinary_result_or_a_local_medicine_says_nothing(drug: str, lab: tuple[object, ...]) -> None:
    assert [f.rule for f in report(drug, lab).every_finding if f.kind == "lab"] == []


def test_a_result_that_was_not_told_is_nobody_s_question() -> None:
    told = report("lisinopril 20 mg daily")
    assert not [u for u in told.unknown if u.kind == "lab"]
    assert not [h for h in told.unknown_because if h.about == "lab.sodium"]


def test_a_result_that_lies_on_both_sides_of_a_limit_is_asked_about_and_not_taken_as_untold() -> None:
    told = report("clozapine 100 mg bid", ("ANC", "<1.2", "10*9/L"))  # under 1 it is a neutropenia, whatever it is
    assert told.verdict == "unknown"
    assert {u.kind for u in told.unknown} >= {"lab"}


def test_two_results_of_one_day_that_disagree_are_asked_about() -> None:
    told = report("warfarin 5 mg daily", ("INR", 9.5, "INR", "2026-11-20"), ("INR", 2.5, "INR", "2026-11-20"))
    assert told.verdict == "unknown"
    assert {u.kind for u in told.unknown} >= {"lab"}


_HIGHER_IS_WORSE = (
    ("warfarin 5 mg daily", "INR", "INR", 2.0, 20.0),
    ("lithium 300 mg tid", "lithium level", "mmol/L", 0.8, 9.0),
    ("digoxin 0.125 mg daily", "digoxin level", "ng/mL", 0.7, 19.0),
    ("phenytoin 100 mg tid", "phenytoin level", "mcg/mL", 15.0, 90.0),
    ("simvastatin 20 mg daily", "CK", "U/L", 100.0, 90000.0),
    ("sotalol 80 mg bid", "QTc", "ms", 400.0, 700.0),
    ("metformin 1000 mg bid", "lactate", "mmol/L", 1.0, 25.0),
    ("theophylline 300 mg bid", "theophylline level", "mcg/mL", 12.0, 99.0),
)
_LOWER_IS_WORSE = (
    ("clozapine 100 mg bid", "ANC", "10*9/L", 0.0, 5.0),
    ("sertraline 50 mg daily", "sodium", "mmol/L", 95.0, 140.0),
    ("apixaban 5 mg bid", "platelets", "10*9/L", 1.0, 300.0),
    ("glipizide 5 mg daily", "glucose", "mg/dL", 15.0, 100.0),
    ("hydrochlorothiazide 25 mg daily", "potassium", "mmol/L", 1.2, 4.5),
    ("dronedarone 400 mg bid", "heart rate", "/min", 21.0, 80.0),
    ("oxycodone 5 mg every 6 hours", "respiratory rate", "/min", 3.0, 16.0),
    ("apixaban 5 mg bid", "hemoglobin", "g/dL", 3.0, 15.0),
    ("cinacalcet 30 mg daily", "calcium", "mg/dL", 4.0, 9.5),
)


def _loudest(engine: Engine, drug: str, test: str, unit: str, value: float) -> int:
    found = [RANK[f.severity] for f in report(drug, (test, Decimal(str(round(value, 3))), unit)).every_finding]
    return -min(found, default=max(RANK.values()) + 1)


@given(row=st.sampled_from(_HIGHER_IS_WORSE), a=st.floats(0, 1), b=st.floats(0, 1))
@settings(max_examples=examples(60), deadline=None)
def test_a_result_further_above_is_never_judged_milder(row: tuple[str, str, str, float, float], a: float, b: float) -> None:
    drug, test, unit, low, high = row
    near, far = (low + (high - low) * x for x in sorted((a, b)))
    assert _loudest(ENGINE, drug, test, unit, far) >= _loudest(ENGINE, drug, test, unit, near)


@given(row=st.sampled_from(_LOWER_IS_WORSE), a=st.floats(0, 1), b=st.floats(0, 1))
@settings(max_examples=examples(60), deadline=None)
def test_a_result_further_below_is_never_judged_milder(row: tuple[str, str, str, float, float], a: float, b: float) -> None:
    drug, test, unit, low, high = row
    far, near = (low + (high - low) * x for x in sorted((a, b)))
    assert _loudest(ENGINE, drug, test, unit, far) >= _loudest(ENGINE, drug, test, unit, near)


SMOKE = "food.tobacco-smoke.clozapine"


def smoking(*answers: tuple[str, str]) -> Report:
    """A man on clozapine whose smoking status was recorded so, with the days."""
    labs = [{"test": "Tobacco smoking status NHIS", "value": said, "on": on} for said, on in answers]
    told = {"conditions": [], "allergies": [], "medications": ["clozapine 200 mg daily"], "labs": labs}
    return ENGINE.check({"as_of": "2026-11-23", "patient": {"age": 60, "sex": "male", **told}})


@pytest.mark.parametrize("said", ["Current every day smoker", "Current some day smoker", "Smokes tobacco daily (finding)"])
def test_a_recorded_smoker_smokes(said: str) -> None:
    found = smoking((said, "2026-06-01"))
    assert SMOKE in {f.rule for f in found.every_finding}
    assert not [u for u in found.unresolved if u.where.among == "labs"]


@pytest.mark.parametrize("said", ["Never smoker", "Former smoker", "Ex-smoker (finding)"])
def test_who_never_smoked_or_no_longer_does_is_not_asked(said: str) -> None:
    found = smoking((said, "2026-06-01"))
    assert SMOKE not in {f.rule for f in found.every_finding} | {u.rule for u in found.unknown}
    assert not [u for u in found.unresolved if u.where.among == "labs"]


def test_the_newest_answer_holds_whatever_the_order() -> None:
    now, then = ("Current every day smoker", "2026-06-01"), ("Never smoker", "2019-06-01")
    assert SMOKE in {f.rule for f in smoking(now, then).every_finding} & {f.rule for f in smoking(then, now).every_finding}


def test_an_answer_that_says_neither_is_asked_about() -> None:
    found = smoking(("Unknown if ever smoked", "2026-06-01"))
    assert SMOKE not in {f.rule for f in found.every_finding}
    assert [u.status for u in found.unresolved if u.where.among == "labs"] == ["unrecognised"]
