"""Orders as people type them, and what a pharmacist reads in each: short forms, numbers alone, several doses of a day."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import loaded
from measuring.chart_lines import told_of

from safety.engine import Engine
from safety.model.directions import Directions
from safety.model.quantity import Quantity


@pytest.fixture(scope="module")
def engine() -> Engine:
    return loaded()


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
    ("zosyn 4.5 q6", "4.5 g", "4"),
    ("nicotine patch 21 daily", "21 mg", "1"),
    ("exelon patch 4.6 daily", "4.6 mg", "1"),
    ("Ibrance 125 mg 21/28", "125 mg", "1"),
    ("Xeloda 1500 mg BID 14/21", "1500 mg", "2"),
    ("haldol 2-5 q6h prn", "2 mg-5 mg", "4"),
    ("cytotec 800 PR x1", "800 mcg", "1"),
    ("gent 80 q8h", "80 mg", "3"),
    ("atovaquone 1500 daily", "1500 mg", "1"),
    ("flovent 110 2p bid", "2 puff", "2"),
    ("alphagan TID OD", "", "3"),
    ("NPH 20 am 10 pm", "10 unit-20 unit", "2"),
    ("protamine 50 mg IV", "50 mg", ""),
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
    ("xarelto 20 w/ supper", "20 mg", "1"),
    ("Percocet 10 tid prn", "1 tablet", "3"),
    ("adderall xr 20 qam", "1 capsule", "1"),
    ("acetaminophen-codeine 120-12 mg/5 mL elixir 10 mL q6h", "10 mL", "4"),
    ("Augmentin 400-57 mg/5 mL 5 mL bid", "5 mL", "2"),
    ("Augmentin 400-57 mg/5 mL bid", "", "2"),
    ("Creon 4 with meals and 2 with snacks", "2-4", ""),
    ("capecitabine 1500 mg bid days 1-14 of 21", "1500 mg", "2"),
    ("lenalidomide 10 mg daily, 21 days on, 7 days off", "10 mg", "1"),
    ("palbociclib 125 mg daily x 3 weeks on 1 week off", "125 mg", "1"),
    ("insulin lispro 5 units with breakfast, 7 lunch, 8 dinner", "5 unit-8 unit", "3"),
    ("Sinemet 25/100 1.5 tabs 5x/day (6a 9a 12 3p 6p)", "1.5 tablet", "5"),
    ("Prilosec OTC - takes when heartburn acts up", "", ""),
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


# line, each step's dose and times a day
IN_STEPS = [
    ("colchicine 1.2 mg now then 0.6 mg in 1 hour", [("1.2 mg", "1"), ("0.6 mg", "1")]),
    ("warfarin 5 mg M-F, 7.5 mg Sat/Sun", [("5 mg", "5/7"), ("7.5 mg", "2/7")]),
    ("Synthroid 112mcg M-Sat, 1/2 tab Sun", [("112 mcg", "6/7"), ("0.5 tablet", "1/7")]),
    ("warfarin 5 mg alt w/ 2.5", [("5 mg", "1/2"), ("2.5 mg", "1/2")]),
    ("warfarin 5/2.5 alternating", [("5 mg", "1/2"), ("2.5 mg", "1/2")]),
    ("pregabalin 75 bid, incr to 150 bid after 1 wk if tolerated", [("75 mg", "2"), ("150 mg", "2")]),
]


@pytest.mark.parametrize(("line", "steps"), IN_STEPS)
def test_an_order_of_several_doses_is_read_dose_by_dose(line: str, steps: list[tuple[str, str]], engine: Engine) -> None:
    told = read(line, engine)
    assert [(amount(step.dose), times(step.times_per_day)) for step in told.steps] == steps
    assert told.unread == ()


def test_half_a_tablet_on_sunday_is_half_of_what_is_taken_on_other_days(engine: Engine) -> None:
    (entry,) = told_of("Synthroid 112mcg M-Sat, 1/2 tab Sun", engine)
    span = entry.single("drug.levothyroxine", engine.library.units)
    assert (str(span.low), str(span.high)) == ("112 mcg", "112 mcg")
    assert [str(q) for q in entry._amounts("drug.levothyroxine", engine.library.units)[0].single or ()] == ["56 mcg", "112 mcg"]


@pytest.mark.parametrize(
    "line", ["Claritin OTC", "omeprazole OTC 20 mg daily", "over-the-counter omeprazole 20 mg daily", "OTC Claritin"]
)
def test_otc_beside_a_name_tells_how_it_is_had(line: str, engine: Engine) -> None:
    (entry,) = told_of(line, engine)
    assert (entry.supplies, entry.directions.unread) == (("otc",), ())


@pytest.mark.parametrize(
    "line", ["grapefruit juice daily", "2 beers a night", "1 ppd", "salt substitute", "cannabis edibles nightly", "no alcohol"]
)  # fmt: skip
def test_what_is_eaten_drunk_or_smoked_is_no_medicine(line: str, engine: Engine) -> None:
    report = engine.check({"patient": {"medications": [line]}}, "2026-11-20")
    assert report.medications == []
    assert any("eaten, drunk or smoked" in note for note in report.notes)
