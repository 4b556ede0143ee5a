"""Orders as people type them, and what a pharmacist reads in each: short forms, numbers alone, several doses of a day."""

from __future__ import annotations

from fractions import Fraction

import pytest
from measuring.chart_lines import told_of

import safety
from safety.engine import Engine
from safety.model.directions import Directions
from safety.model.quantity import Quantity


@pytest.fixture(scope="module")
def engine() -> Engine:
    return safety.load()


def read(line: str, engine: Engine) -> Directions:
    (entry,) = told_of(line, engine)
    assert entry.resolved, line
    return entry.directions


def amount(dose: tuple[Quantity, Quantity] | None) -> str:
    return "-".join(dict.fromkeys(str(q) for q in dose)) if dose else ""


def times(told: tuple[Fraction, Fraction] | None) -> str:
    return "-".join(dict.fromkeys(str(t) for t in told)) if told else ""


# line, one dose, times a day
WHOLE = [
    ("lisinopril 20", "20 mg", ""),
    ("metoprolol succ 50 qd", "50 mg", "1"),
    ("metformin 500 mg tab 2 bid", "2", "2"),
    ("norco 5/325 1-2 q6h prn", "1-2", "4"),
    ("KCl 20 bid", "20 mEq", "2"),
    ("lantus 20u qhs", "20 unit", "1"),
    ("amoxicillin 500 mg q12hx10", "500 mg", "2"),
    ("morphine ER 30 q12", "30 mg", "2"),
    ("oxycodone IR 5mg 1-2 tabs q4-6 prn", "1 tablet-2 tablet", "4-6"),
    ("lasix 40 am 20 pm", "20 mg-40 mg", "2"),
    ("lithium 300 mg 1 am 2 pm", "1-2", "2"),
    ("gabapentin 300 mg 1 am 2 hs", "1-2", "2"),
    ("alprazolam .5 tid", "0.5 mg", "3"),
    ("digoxin .125 qod", "0.125 mg", "1/2"),
    ("synthroid 88 qam", "88 mcg", "1"),
    ("furosemide 40 mg Mon/Wed/Fri", "40 mg", "3/7"),
    ("nitroglycerin 0.4 mg/h patch on in am off at hs", "", "1"),
    ("lactulose 30 mL tid titrate to 3-4 BMs", "30 mL", "3"),
    ("albuterol 2 puffs every 4 hours while awake", "2 puff", "4-6"),
    ("fentanyl 50 mcg/hr TD q72", "", "1/3"),
]


@pytest.mark.parametrize(("line", "dose", "often"), WHOLE)
def test_a_typed_order_is_read_whole(line: str, dose: str, often: str, engine: Engine) -> None:
    told = read(line, engine)
    assert (amount(told.dose), times(told.times_per_day), told.unread) == (dose, often, ())


@pytest.mark.parametrize(
    "line", ["warfarin 2 daily", "warfarin 1 daily", "lorazepam 1 bid", "lisinopril 37 daily", "amlodipine 30"]
)  # fmt: skip
def test_a_number_that_may_be_a_count_or_is_no_strength_is_not_given_a_unit(line: str, engine: Engine) -> None:
    told = read(line, engine)
    assert told.dose is None or not told.dose[0].unit


def test_steps_of_a_taper_without_units_are_in_the_unit_that_is_sold(engine: Engine) -> None:
    told = read("prednisone 40 x3d, 30 x3d, 20 x3d, 10 x3d then stop", engine)
    assert [amount(step.dose) for step in told.steps] == ["40 mg", "30 mg", "20 mg", "10 mg"]
    assert [step.days for step in told.steps] == [3, 3, 3, 3]


def test_an_amount_of_the_morning_and_another_of_the_evening_make_one_day(engine: Engine) -> None:
    told = read("tacrolimus IR 1mg caps - 3 qAM, 2 qPM", engine)
    assert (amount(told.dose), amount(told.per_day)) == ("2-3", "5")
