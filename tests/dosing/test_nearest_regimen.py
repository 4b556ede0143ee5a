"""Of several regimens that a dose is too high for, the one that it comes nearest to is what it is held against."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize(
    ("medicine", "most"),
    [("risedronate 300 mg monthly", "150 mg"), ("risedronate 75 mg weekly", "28 d"), ("alendronate 140 mg weekly", "70 mg")],
)
def test_a_dose_is_held_against_the_regimen_that_it_comes_nearest_to(engine: Engine, medicine: str, most: str) -> None:
    patient = {"age": "70 y", "sex": "female", "conditions": ["osteoporosis"], "medications": [medicine]}
    (found,) = [f for f in engine.check({"patient": patient}, "2026-11-20").findings if f.kind == "dose"]
    assert most in found.title
