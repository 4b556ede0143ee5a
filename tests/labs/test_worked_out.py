"""Results that follow from others: the anion gap of sodium, chloride and bicarbonate of one day."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, engine_of, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.model.lab_answer import LabAnswer

ENGINE = engine_of(compiled().library)
DAY = "2026-11-24"


def gap(text: str, **patient: Any) -> LabAnswer | None:
    """The answer about the anion gap, where one is given."""
    told = ENGINE.lab({"as_of": DAY, "text": text, "patient": {"age": "50 y", "sex": "male", **patient}})
    found = [a for a in (told, *told.also) if a.test == "lab.anion-gap"]
    assert len(found) < 2
    return found[0] if found else None


@given(st.integers(100, 180), st.integers(60, 130), st.integers(2, 50))
@settings(max_examples=examples(60), deadline=None)
def test_the_gap_is_sodium_less_chloride_and_bicarbonate(sodium: int, chloride: int, bicarbonate: int) -> None:
    told = gap(f"Na {sodium} Cl {chloride} HCO3 {bicarbonate}")
    if told is not None and told.status != "implausible":
        assert told.value.split()[0] == str(sodium - chloride - bicarbonate)
        assert told.worked_out


@pytest.mark.parametrize("text", ["Na 140 Cl 100", "Na 140 HCO3 12", "Na 140 Cl 100 HCO3 <15", "Na 140 Cl 100 HCO3 twelve point"])
def test_a_part_that_is_missing_or_not_one_number_makes_no_gap(text: str) -> None:
    assert gap(text) is None


def test_a_gap_that_was_told_stands_and_is_not_worked_out() -> None:
    told = gap("Na 140 Cl 100 HCO3 12 anion gap 20")
    assert told is not None
    assert (told.value, told.worked_out) == ("20 mmol/L", "")


def test_parts_of_different_days_make_no_gap() -> None:
    labs = ["Na 140 on 2026-11-20", "Cl 100 on 2026-11-21", "HCO3 12 on 2026-11-20"]
    assert ENGINE.lab({"as_of": DAY, "patient": {"age": "50 y", "sex": "male", "labs": labs}}).test != "lab.anion-gap"
    assert gap("K 4.0", labs=labs) is None


def test_a_wide_gap_reaches_the_rules_as_a_told_one_does() -> None:
    def rules(labs: list[str]) -> set[str]:
        patient = {"age": "50 y", "sex": "male", "medications": ["metformin 1000 mg bid"], "labs": labs}
        return {f.rule for f in ENGINE.check({"as_of": DAY, "patient": patient}).every_finding}

    assert "result.chemistry.metformin-anion-gap" in rules(["Na 140", "Cl 98", "HCO3 19"])
    assert "result.chemistry.metformin-anion-gap" in rules(["anion gap 23"])
    assert "result.chemistry.metformin-anion-gap" not in rules(["Na 140", "Cl 104", "HCO3 24"])


def test_a_narrow_gap_of_ordinary_parts_is_nobodys_question() -> None:
    report = ENGINE.check(
        {"as_of": DAY, "patient": {"age": "50 y", "sex": "male", "medications": [], "labs": ["Na 136", "Cl 106", "HCO3 27"]}}
    )
    assert not any("anion" in u.text for u in report.unresolved)
