"""A test that a line says to repeat is no second medicine; a medicine that shares its name with a test stays one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine

DAY = "2026-11-20"


def drugs(engine: Engine, line: str) -> list[object]:
    return [m.drug for m in engine.check({"patient": {"medications": [line]}}, DAY).medications]


@settings(deadline=None)
@given(
    st.sampled_from(["eplerenone 25 mg by mouth once daily", "lisinopril 10 mg daily", "furosemide 40 mg daily"]),
    st.sampled_from([", with", " with", "; check", ", recheck", ", monitor"]),
    st.sampled_from(["potassium", "potassium and creatinine", "magnesium", "K and Cr", "calcium"]),
    st.sampled_from(["", " in 1 week", " weekly", " at follow up"]),
)
def test_a_test_to_repeat_is_no_medicine(engine: Engine, order: str, verb: str, test: str, when: str) -> None:
    said = f"{order}{verb} {test}{' recheck' if verb.endswith('with') else ''}{when}"
    assert len(drugs(engine, said)) == 1


@pytest.mark.parametrize(
    "line", ["furosemide 40 mg daily with potassium 20 mEq daily", "furosemide 40 mg and potassium chloride 20 mEq daily"]
)
def test_a_dose_of_potassium_is_a_medicine(engine: Engine, line: str) -> None:
    assert len(drugs(engine, line)) == 2


def test_an_arrow_between_two_medicines_with_doses_leads_to_both(engine: Engine) -> None:
    assert drugs(engine, "lithium 300 tid -> ibuprofen 800 tid for back") == ["drug.lithium", "drug.ibuprofen"]
