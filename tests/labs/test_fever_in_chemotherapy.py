"""A fever in somebody on chemotherapy may be one of few white cells: somebody is called now."""

from __future__ import annotations

import pytest

from safety.engine import Engine


def called(engine: Engine, said: str, **patient: object) -> str:
    return engine.lab({"as_of": "2026-11-30", "text": said, "patient": {"age": "61 y", **patient}}, "2026-11-30").escalate


@pytest.mark.parametrize(
    "medicine", ["R-CHOP", "capecitabine 1500 mg bid", "cyclophosphamide 50 mg daily", "docetaxel 75 mg/m2 q3wk"]
)
def test_a_fever_on_a_cytotoxic_medicine_is_an_emergency(medicine: str, engine: Engine) -> None:
    assert called(engine, "temp 101.2", medications=[medicine]) == "emergency"
    assert called(engine, "temp 99.1", medications=[medicine]) != "emergency"


def test_so_it_is_where_the_problem_list_tells_of_chemotherapy(engine: Engine) -> None:
    assert called(engine, "temp 101.2", conditions=["breast ca, on chemo"]) == "emergency"
    assert called(engine, "temp 101.2", conditions=["breast ca 2010 s/p chemo"]) != "emergency"


@pytest.mark.parametrize("medicine", ["fluorouracil 5 % cream bid", "anastrozole 1 mg daily", "lisinopril 10 mg daily"])
def test_on_other_medicines_a_fever_is_no_emergency(medicine: str, engine: Engine) -> None:
    assert called(engine, "temp 101.2", medications=[medicine]) != "emergency"
