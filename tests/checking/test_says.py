"""A rule may ask for words of the order, and what an order forbids is not done in it."""

from __future__ import annotations

import pytest

from safety.engine import Engine

DEPOT = "route.wrong-place.depot-into-a-vein"
PUSHED = "route.wrong-place.potassium-pushed"


def rules_of(engine: Engine, *plan: object) -> set[str]:
    report = engine.check({"patient": {"conditions": [], "medications": []}, "plan": list(plan)}, "2026-11-24")
    return {f.rule for f in report.every_finding}


@pytest.mark.parametrize(
    "told",
    [
        "potassium chloride 40 mEq IV push",
        "potassium chloride 40 mEq I.V. Push once",
        {"drug": "potassium chloride", "dose": "40 mEq", "route": "IV push"},
        {"drug": "potassium chloride", "dose": "40 mEq", "route": "intravenous", "sig": "push over 1 minute"},
    ],
)
def test_a_word_counts_in_whichever_field_it_stands(engine: Engine, told: object) -> None:
    assert PUSHED in rules_of(engine, told)


@pytest.mark.parametrize(
    "told",
    [
        "potassium chloride 20 mEq IV over 2 hours, do not give by IV push",
        "potassium chloride 20 mEq IV over 2 hours, never push",
        "potassium chloride 20 mEq IV over 2 hours",
    ],
)
def test_a_word_that_is_denied_or_absent_does_not(engine: Engine, told: str) -> None:
    assert PUSHED not in rules_of(engine, told)


def test_a_phrase_does_not_reach_from_one_field_into_the_next(engine: Engine) -> None:
    assert PUSHED not in rules_of(engine, {"drug": "potassium chloride", "dose": "20 mEq", "route": "intravenous"})
    assert DEPOT not in rules_of(engine, {"drug": "haloperidol", "dose": "5 mg", "route": "intravenous", "sig": "once"})


def test_another_medicine_of_the_list_does_not_lend_its_words(engine: Engine) -> None:
    assert DEPOT not in rules_of(engine, "haloperidol 5 mg IV once", "testosterone cypionate 200 mg IM every 2 weeks")
    assert DEPOT in rules_of(engine, "haloperidol decanoate 100 mg IV once", "testosterone cypionate 200 mg IM every 2 weeks")
