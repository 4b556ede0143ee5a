"""Formulas called from Python: `engine.calc` and `engine.calculators`."""

from __future__ import annotations

import contextlib
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import safety
from safety.engine import Engine
from safety.formulas.answers import Answer

CRCL: dict[str, Any] = {"age": 72, "sex": "female", "weight": "81 kg", "height": "165 cm", "creatinine": "1.4 mg/dL"}


def codes(caught: pytest.ExceptionInfo[safety.RequestError]) -> list[str]:
    return [p.code for p in caught.value.problems]


def test_a_number_a_yes_and_a_day_are_taken_as_they_are(engine: Engine) -> None:
    assert engine.calc("crcl", **CRCL).shown == "38 mL/min"
    assert engine.calc("due_date", last_period=date(2026, 3, 2), cycle_days=28).shown == "2026-12-09"
    told = engine.calc("cha2ds2-vasc", age=76, sex="female", heart_failure=True, hypertension=False, diabetes=False,
                       stroke=False, vascular_disease=False)  # fmt: skip
    assert told.value == Decimal(4)


def test_doses_add_up_and_one_drug_is_turned_into_another(engine: Engine) -> None:
    assert engine.calc("mme-cdc-2022", dose=["oxycodone 20 mg/d", "tramadol 100 mg/d"]).shown == "50 MME/day"
    answer = engine.calc("glucocorticoids-to", dose="40 mg", drug="prednisone", route="oral", to="dexamethasone", to_route="oral")
    assert answer.shown


def test_every_slip_is_told_with_its_place_and_a_hint(engine: Engine) -> None:
    with pytest.raises(safety.RequestError) as caught:
        engine.calc("crcl", age="seventy-ish", sex="f?", weight="81 kg")
    assert [p.place.file for p in caught.value.problems] == ["age", "sex"]
    with pytest.raises(safety.RequestError) as caught:
        engine.calc("crlc")
    assert codes(caught) == ["R201"]
    assert "crcl" in caught.value.problems[0].hint
    with pytest.raises(safety.RequestError) as caught:
        engine.calc("bmi", wieght="80 kg", tall={})
    assert codes(caught) == ["R202"]
    with pytest.raises(safety.RequestError) as caught:
        engine.calc("bmi", wieght="80 kg", tall="x")
    assert codes(caught) == ["R203", "R203"]


def test_each_calculator_says_what_it_asks_and_answers_its_own_examples(engine: Engine) -> None:
    cards = engine.calculators()
    assert len({card.id for card in cards}) == len(cards)
    for card in cards:
        assert card.name
        assert card.citation
        answer = engine.calc(card.id, **{one.key: one.example for one in card.inputs})
        assert answer.shown, (card.id, answer.missing, answer.refused)


@given(values=st.dictionaries(st.sampled_from(["age", "sex", "weight", "height", "creatinine"]), st.text(max_size=12)))
def test_whatever_is_given_is_answered_or_refused_and_nothing_else_is_raised(engine: Engine, values: dict[str, str]) -> None:
    with contextlib.suppress(safety.RequestError):
        assert isinstance(engine.calc("crcl", **values), Answer)


def test_leaving_an_input_out_never_gives_a_value(engine: Engine) -> None:
    for key in CRCL:
        if key != "height":
            assert engine.calc("crcl", **{k: v for k, v in CRCL.items() if k != key}).value is None
