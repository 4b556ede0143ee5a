"""Of several regimens that a dose is too high for, the one that it comes nearest to is what it is held against."""

from __future__ import annotations

from datetime import date

import pytest

from safety.engine import Engine, as_case


@pytest.mark.parametrize(
    ("medicine", "most"),
    [("risedronate 300 mg monthly", "150 mg"), ("risedronate 75 mg weekly", "28 d"), ("alendronate 140 mg weekly", "70 mg")],
)
def test_a_dose_is_held_against_the_regimen_that_it_comes_nearest_to(engine: Engine, medicine: str, most: str) -> None:
    patient = {"age": "70 y", "sex": "female", "conditions": ["osteoporosis"], "medications": [medicine]}
    (found,) = [f for f in engine.check({"patient": patient}, "2026-11-20").findings if f.kind == "dose"]
    assert most in found.title


def test_why_of_a_dose_tells_what_each_regimen_came_to(engine: Engine) -> None:
    """A reader who asks why sees every row of the table, also those that are not meant for this patient."""
    patient = {"age": "70 y", "sex": "female", "weight": "60 kg", "medications": ["albuterol 12 mg by mouth four times a day"]}
    judgement = engine.checker.why("dose.albuterol", as_case({"patient": patient}), date(2026, 11, 20))
    said = {step.step: step for step in judgement.trace}
    assert said["range adult"].result is False
    assert said["range child-2"].saw.startswith("not meant")
    assert "range child-6" in said
