"""Weeks that stand alone may be those of a pregnancy; a line that lists several procedures or devices is read one by one."""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine
from safety.model.report import Report

WELL: dict[str, Any] = {
    "conditions": [], "allergies": [], "labs": [], "vitals": [], "intake": [], "diet_limits": [], "genes": [],
    "procedures": [], "devices": [], "vaccines": [], "weight": "70 kg", "medications": [],
}  # fmt: skip


def judged(engine: Engine, plan: str, **told: Any) -> Report:
    """A plan of one medicine in a patient of whom this is told."""
    return engine.check({"patient": {**WELL, **told}, "plan": [plan]}, as_of="2026-11-30")


def asked_of_weeks(report: Report) -> bool:
    """Whether it is asked what the weeks of a line are."""
    return any("how far she is pregnant" in one.ask for one in report.unresolved)


@pytest.mark.parametrize("line", ["back pain, 28 weeker", "UTI, 38 wks", "HA (31 weeks)", "12w"])
def test_weeks_alone_are_asked_about_in_a_woman_of_whom_no_pregnancy_is_told(engine: Engine, line: str) -> None:
    assert asked_of_weeks(judged(engine, "ibuprofen 400 mg tid", age="29 y", sex="female", conditions=[line]))


@pytest.mark.parametrize(
    "told",
    [
        {"age": "29 y", "sex": "female", "pregnancy": "no", "conditions": ["ACL tear, 12 wks"]},
        {"age": "60 y", "sex": "female", "conditions": ["ACL tear, 12 wks"]},
        {"age": "29 y", "sex": "male", "conditions": ["ACL tear, 12 wks"]},
        {"age": "29 y", "sex": "female", "conditions": ["cough x 6 wks"]},
        {"age": "29 y", "sex": "female", "conditions": ["postpartum, 6 wks"]},
        {"age": "6 y", "sex": "female", "conditions": ["asthma, 28 weeker"]},
    ],
)
def test_other_weeks_are_asked_of_nobody(engine: Engine, told: dict[str, Any]) -> None:
    assert not asked_of_weeks(judged(engine, "ibuprofen 400 mg tid", **told))


def test_weeks_alone_tell_how_far_a_pregnancy_is_that_is_told(engine: Engine) -> None:
    told = {"age": "29 y", "sex": "female", "pregnancy": "yes"}
    at_term = judged(engine, "nitrofurantoin 100 mg bid", conditions=["UTI, 38 wks"], **told)
    before = judged(engine, "nitrofurantoin 100 mg bid", conditions=["UTI, 24 wks"], **told)
    term = "pregnancy.by-time.nitrofurantoin-term"
    assert term in {f.rule for f in at_term.every_finding}
    assert term not in {f.rule for f in before.every_finding}


def test_another_loss_ends_no_pregnancy(engine: Engine) -> None:
    report = judged(engine, "finasteride 1 mg daily", age="33 y", sex="female", conditions=["hair loss, 10w pregnant"])
    assert "pregnancy.teratogens.finasteride-dutasteride" in {f.rule for f in report.every_finding}


@pytest.mark.parametrize("line", ["appy 2015, trabeculectomy 2 days ago", "trabeculectomy 2 days ago; appy 2015"])
def test_each_procedure_of_a_line_counts(engine: Engine, line: str) -> None:
    report = judged(engine, "warfarin 5 mg daily", age="70 y", sex="male", procedures=[line])
    rules = {f.rule for f in report.every_finding}
    assert "contraindication.told-beside-conditions.warfarin-after-eye-or-brain-surgery" in rules


@pytest.mark.parametrize("line", ["hearing aids, PEG tube", "hearing aids and PEG tube", "PEG tube"])
def test_each_device_of_a_line_counts(engine: Engine, line: str) -> None:
    report = judged(engine, "phenytoin 300 mg daily", age="70 y", sex="male", devices=[line])
    assert "contraindication.antiepileptics.phenytoin-tube" in {f.rule for f in report.every_finding}


def test_hives_with_a_medicine_that_nobody_takes_for_them_are_an_allergy(engine: Engine) -> None:
    did = judged(engine, "oxaprozin 1200 mg daily", age="60 y", sex="male", conditions=["OA, hx urticaria with naproxen"])
    treats = judged(engine, "cetirizine 10 mg daily", age="60 y", sex="male", conditions=["hives with prednisone"])
    assert "allergy.nsaids.allergy" in {f.rule for f in did.every_finding}
    assert not [f for f in treats.every_finding if f.kind == "allergy"]
