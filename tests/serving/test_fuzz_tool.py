"""The fuzzer tells a failure from a refusal, makes it small, and its inputs are as they were for the same seed."""

from __future__ import annotations

import random
import sys
from datetime import date
from typing import Any

import pytest
from conftest import REPO

from safety.engine import Engine
from safety.errors import Place, Problem, RequestError
from safety.serving.tools import call

sys.path.insert(0, str(REPO / "tools"))
import fuzz


def broken(_: Engine, value: Any) -> None:
    if ";" in str(value):
        raise ValueError(value)
    if "no" in str(value):
        raise RequestError([Problem(Place("request"), "R101", "refused", "")])


ENTRY = fuzz.Entry(broken, [{"text": "a; b"}])


def test_a_failure_is_no_refusal_and_no_answer(engine: Engine) -> None:
    assert "ValueError" in fuzz.failure(ENTRY, engine, "a;b")
    assert fuzz.failure(ENTRY, engine, "no") == "refused"
    assert fuzz.failure(ENTRY, engine, "yes") == ""


def test_a_failing_input_is_made_as_small_as_it_stays_one(engine: Engine) -> None:
    told = {"patient": {"labs": ["K 5.9", "x ; y"], "age": "70 y"}, "text": "long and wide"}
    assert fuzz.least(ENTRY, engine, told, 60) == {"patient": {"labs": [";"]}}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_seed_makes_the_same_inputs_and_leaves_the_real_ones_alone(seed: int) -> None:
    value = {"patient": {"labs": ["K 5.9"], "age": "70 y"}, "plan": [{"drug": "x"}]}
    made = [
        [repr(fuzz.mutated(value, dice, frozenset())) for _ in range(50)] for dice in (random.Random(seed), random.Random(seed))
    ]
    assert made[0] == made[1]
    assert len(set(made[0])) > 25
    assert value == {"patient": {"labs": ["K 5.9"], "age": "70 y"}, "plan": [{"drug": "x"}]}


def test_every_entry_point_takes_the_inputs_that_it_is_fuzzed_from(engine: Engine) -> None:
    for name, entry in fuzz.entries(engine).items():
        assert [fuzz.failure(entry, engine, value) for value in entry.seeds[::25]] == [""] * len(entry.seeds[::25]), name


@pytest.mark.parametrize("text", ["\ud800", "K 5.9 \udfff", "\ud800 mg"])
def test_half_a_character_in_a_text_is_no_failure(engine: Engine, text: str) -> None:
    for answer in (engine.sig(text), engine.lab({"text": text, "as_of": "2026-11-20"})):
        assert answer.to_json()
    assert engine.extract(text) is not None
    with pytest.raises(RequestError, match="not one drug"):
        engine.calc("glucocorticoids-to", dose="1 mg", drug=text, route="oral", to="prednisone")


def test_a_dose_with_more_figures_than_a_decimal_keeps_is_no_failure(engine: Engine) -> None:
    told = engine.dose({"prescribed": "furosemide 40 mg", "reported": "7777777777777777777777777 mg this morning"}, "2026-11-20")
    assert told.verdict in ("HIGH", "UNKNOWN")


def test_what_is_put_right_by_what_is_no_pair_is_no_failure(engine: Engine) -> None:
    assert engine.lab({"text": "blood pressure (I mean 140/90", "as_of": "2026-11-20"}).status in ("high", "unknown")


@pytest.mark.parametrize("formula", [{}, [], 5, ["crcl"]])
def test_a_formula_that_is_no_text_is_the_callers_slip(engine: Engine, formula: Any) -> None:
    with pytest.raises(RequestError, match="must be text"):
        call(engine, "calculate", {"formula": formula}, date(2026, 11, 20))


@pytest.mark.parametrize("history", [5, float("nan"), None, True])
def test_a_history_that_is_no_list_is_the_callers_slip(engine: Engine, history: Any) -> None:
    with pytest.raises(RequestError):
        engine.turn(history, "hello", {"medications": []}, "2026-11-20")
