"""A dose that counts what the product cannot be: the product's form stands, and it is asked which holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.engine import Engine
from safety.reading.directions.galenic import HELD_IN_ONE, forms_apart


@given(one=st.sampled_from(sorted(HELD_IN_ONE)), other=st.sampled_from(sorted(HELD_IN_ONE)))
def test_two_forms_are_apart_both_ways_and_none_from_itself(one: str, other: str) -> None:
    assert forms_apart(one, other) == forms_apart(other, one)
    assert not forms_apart(one, one)
    assert not forms_apart(None, one)


def asked(engine: Engine, drug: str, dose: str) -> list[str]:
    told = {"medications": [{"drug": drug, "dose": dose, "frequency": "every 3 days"}], "conditions": [], "allergies": []}
    return [u.ask for u in engine.check({"patient": told}, "2026-11-20").unresolved if u.status == "contradicted"]


@pytest.mark.parametrize(
    ("drug", "dose"),
    [("oxycodone 10 mg extended-release oral tablet", "1 patch"), ("fentanyl 25 mcg/hour patch", "1 tablet"),
     ("morphine 10 mg suppository", "1 capsule")],
)  # fmt: skip
def test_a_dose_that_counts_another_form_is_asked_about(engine: Engine, drug: str, dose: str) -> None:
    found = asked(engine, drug, dose)
    assert len(found) == 1
    assert dose in found[0]


@pytest.mark.parametrize(
    ("drug", "dose"),
    [("oxycodone 10 mg extended-release oral tablet", "1 tablet"), ("fentanyl 25 mcg/hour patch", "1 patch"),
     ("omeprazole 20 mg capsule", "1 tablet"), ("albuterol inhaler", "2 puffs"), ("insulin glargine pen", "20 units")],
)  # fmt: skip
def test_a_dose_that_may_be_of_the_form_is_not(engine: Engine, drug: str, dose: str) -> None:
    assert not any("is judged until then" in ask for ask in asked(engine, drug, dose))
