"""Salts as hospital records abbreviate them."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize(
    ("heard", "drug"),
    [
        ("metformin HCl", "drug.metformin"),
        ("Metformin HCL 500 mg tablet", "drug.metformin"),
        ("hydroxyzine HCl 25 mg", "drug.hydroxyzine"),
        ("dextromethorphan HBr", "drug.dextromethorphan"),
        ("bupropion HCl XL 300 mg", "drug.bupropion"),
    ],
)
def test_hcl_belongs_to_the_name(engine: Engine, heard: str, drug: str) -> None:
    answer = engine.name(heard)
    assert (answer.status, answer.drug, answer.confirm) == ("match", drug, False)


def test_a_salt_in_short_alone_is_no_medicine(engine: Engine) -> None:
    assert engine.name("HCl").status != "match"


def test_what_a_salt_holds_is_no_second_medicine(engine: Engine) -> None:
    answer = engine.name("ferrous sulfate 325 mg (65 mg iron) once daily")
    assert (answer.status, answer.drug) == ("match", "drug.ferrous-sulfate")


def test_two_medicines_on_a_line_are_still_two(engine: Engine) -> None:
    assert engine.name("warfarin 5 mg daily, potassium 20 mEq daily").status == "ambiguous"
