"""The strength of a liquid with the volume behind it is one dose, and is judged as what it holds."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize(
    ("said", "dose"),
    [
        ("Gave him Tylenol 160 mg/5 mL 3 tsp every 4 hours.", "160 mg/5 mL 3 tsp"),
        ("amoxicillin 400 mg/5 mL, 5 mL bid", "400 mg/5 mL 5 mL"),
        ("She takes prednisolone 15 mg/5 mL 10 mL daily.", "15 mg/5 mL 10 mL"),
        ("amoxicillin 400 mg/5 mL bid", "400 mg/5 mL"),
    ],
)
def test_strength_and_volume_are_one_dose(engine: Engine, said: str, dose: str) -> None:
    (medicine,) = engine.extract(said).medications
    assert medicine.dose is not None
    assert medicine.dose.value == dose


def test_three_teaspoons_for_a_small_child_are_too_much_and_one_is_not(engine: Engine) -> None:
    def severe(volume: str) -> bool:
        note = f"Mom called re: 4 yo boy, 16 kg. He takes Tylenol 160 mg/5 mL {volume}."
        report = engine.check(engine.note(note), "2026-12-01")
        return any("acetaminophen" in f.rule and f.kind in ("dose", "otc_limit") for f in report.every_finding)

    assert severe("3 tsp every 4 hours")
    assert not severe("5 mL every 6 hours")
