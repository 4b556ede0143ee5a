"""A dose by weight is rounded to what is sold: a few percent above what is reckoned are no excess, and nothing else is."""

from __future__ import annotations

import pytest

from safety.engine import Engine

CHILD = {"age": "8 y", "weight": "20 kg", "conditions": [], "allergies": [], "medications": []}


def high(engine: Engine, plan: str, **patient: object) -> bool:
    report = engine.check({"patient": {**CHILD, **patient}, "plan": [plan]}, "2026-11-24")
    return any(f.rule.startswith("dose.") for f in report.every_finding)


@pytest.mark.parametrize(("mg", "told"), [(50, False), (52, False), (52.5, False), (53, True), (60, True)])
def test_five_percent_above_what_is_reckoned_by_weight_are_rounding(engine: Engine, mg: float, told: bool) -> None:
    assert high(engine, f"gentamicin {mg} mg intravenously every 8 hours") is told


@pytest.mark.parametrize(("mg", "told"), [(666, False), (670, True)])
def test_a_most_that_no_weight_changes_is_kept_to_the_milligram(engine: Engine, mg: float, told: bool) -> None:
    assert high(engine, f"acamprosate {mg} mg by mouth three times daily", age="40 y", weight="80 kg") is told


def test_a_cap_is_kept_to_the_milligram_too(engine: Engine) -> None:
    assert not high(engine, "ceftriaxone 2000 mg intravenously every 12 hours", age="16 y", weight="80 kg")
    assert high(engine, "ceftriaxone 2050 mg intravenously every 12 hours", age="16 y", weight="80 kg")
