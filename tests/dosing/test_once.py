"""An order for one dose is held against what may be taken at once, though nothing is known of how often."""

from __future__ import annotations

import pytest

from safety.engine import Engine


def levels(engine: Engine, order: str) -> set[str]:
    """What a dose statement says of one order for somebody of 40 years and 70 kg."""
    patient = {"age": "40 y", "sex": "male", "weight": "70 kg", "conditions": [], "medications": [order]}
    return {f.rule for f in engine.check({"patient": patient}, "2026-11-20").findings if f.kind in ("dose", "otc_limit")}


@pytest.mark.parametrize(
    ("right", "too_much"),
    [
        ("albuterol 10 puffs inhaled once", "albuterol 20 puffs inhaled once"),
        ("colchicine 1.2 mg by mouth once", "colchicine 12 mg by mouth once"),
        ("lorazepam 2 mg by mouth once", "lorazepam 20 mg by mouth once"),
        ("digoxin 0.25 mg by mouth once", "digoxin 2.5 mg by mouth once"),
    ],
)
def test_a_dose_given_once_is_held_against_the_most_at_once(engine: Engine, right: str, too_much: str) -> None:
    assert not levels(engine, right)
    assert levels(engine, too_much)


@pytest.mark.parametrize("order", ["ibandronate 150 mg by mouth once", "methotrexate 15 mg by mouth once"])
def test_a_dose_given_once_has_no_interval_to_keep(engine: Engine, order: str) -> None:
    """A monthly or weekly medicine of which one dose is ordered is not taken too often."""
    assert not levels(engine, order)
