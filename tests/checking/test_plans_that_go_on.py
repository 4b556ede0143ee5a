"""What a plan goes on with, or changes, is one medicine with the one of the list, and nothing begins with it."""

from __future__ import annotations

import pytest

from safety.engine import Engine
from safety.model.report import Report


def check(engine: Engine, taken: list[str], *plan: str, **patient: object) -> Report:
    told = {"age": "44 y", "sex": "female", "conditions": [], "allergies": [], "labs": [], "medications": taken, **patient}
    return engine.check({"as_of": "2026-12-01", "patient": told, "plan": list(plan)})


def told(report: Report) -> set[str]:
    return {f.rule for f in report.every_finding}


@pytest.mark.parametrize(
    ("taken", "plan"),
    [
        ("lamotrigine 200 mg bid", "continue lamotrigine 200 mg bid"),
        ("metformin 1000 mg bid", "continue metformin 1000 mg bid"),
        ("metformin 1000 mg bid", "resume metformin 1000 mg bid"),
        ("lisinopril 20 mg daily", "increase lisinopril to 40 mg daily"),
        ("metoprolol tartrate 25 mg bid", "change metoprolol to 50 mg bid"),
        ("warfarin 5 mg daily", "decrease warfarin to 4 mg daily"),
    ],
)
def test_going_on_is_no_second_medicine(engine: Engine, taken: str, plan: str) -> None:
    found = told(check(engine, [taken], plan))
    assert not any(rule.startswith(("duplicate.", "dose.")) for rule in found)


def test_a_second_order_without_such_words_is_still_told(engine: Engine) -> None:
    assert "duplicate.same-ingredient" in told(check(engine, ["metformin 1000 mg bid"], "metformin 1000 mg bid"))
    assert "duplicate.same-ingredient" in told(check(engine, ["metformin 1000 mg bid"], "start metformin 500 mg bid"))


def test_going_on_with_another_amount_than_the_list_has_is_not_passed_over(engine: Engine) -> None:
    for taken, plan in (
        ("metoprolol tartrate 25 mg bid", "continue metoprolol tartrate 50 mg bid"),
        ("aspirin 325 mg daily", "continue aspirin 81 mg daily"),
    ):
        assert any(rule.startswith("duplicate.") for rule in told(check(engine, [taken], plan)))


def test_the_dose_of_the_plan_is_judged(engine: Engine) -> None:
    assert "dose.lisinopril" in told(check(engine, ["lisinopril 20 mg daily"], "increase lisinopril to 200 mg daily"))


def test_what_goes_on_is_judged_as_before(engine: Engine) -> None:
    hurts = check(engine, ["warfarin 5 mg daily"], "continue warfarin 5 mg daily", "ibuprofen 600 mg tid")
    assert "interaction.warfarin-nsaid" in told(hurts)
    slow = {"labs": ["eGFR 38 on 2026-11-30"]}
    begins = told(check(engine, [], "start metformin 1000 mg bid", **slow))
    goes_on = told(check(engine, ["metformin 1000 mg bid"], "continue metformin 1000 mg bid", **slow))
    as_taken = told(check(engine, ["metformin 1000 mg bid"], **slow))
    assert goes_on == as_taken
    assert begins != goes_on
