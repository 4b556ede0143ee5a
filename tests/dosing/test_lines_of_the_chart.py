"""Lines of charts by family: letters for puffs, drops and days, what is left off, hours listed, readings side by side."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import loaded
from measuring.chart_lines import told_of

from safety.model.directions import Directions

ENGINE = loaded()


def read(line: str) -> Directions:
    (entry,) = told_of(line, ENGINE)
    return entry.directions


@pytest.mark.parametrize(
    ("line", "dose", "times"),
    [
        ("Symbicort 160/4.5 2p bid", "2 puff", 2),
        ("cefepime 2g q8 d3/7", "2 g", 3),
        ("vanc 1g q12 d4/14", "1 g", 2),
        ("vanc 1g q2 days", "1 g", Fraction(1, 2)),
        ("oxaliplatin 85 mg q2w (mFOLFOX6)", "85 mg", Fraction(1, 14)),
        ("Creon 36,000 2 caps w meals", "2 capsule", 3),
        ("carv 6.25 bid", "6.25 mg", 2),
        ("hep sq 5000 units q8", "5000 unit", 3),
        ("Combigan 1 gt OS q12h", "1 drop", 2),
        ("Fosamax 70 mg qSunday", "70 mg", Fraction(1, 7)),
        ("Valcyte 450 mg q M/W/F", "450 mg", Fraction(3, 7)),
        ("Augmentin 875 bid day 3 of 10", "1 tablet", 2),
        ("rifampin 600 mg daily (month 2 of 4)", "600 mg", 1),
        ("isoniazid 300 mg daily, month 3 of 9", "300 mg", 1),
        ("rifampin 600 mg daily (2 of 4 months)", "600 mg", 1),
        ("methylprednisolone 16 mg daily (wk 2 of 4)", "16 mg", 1),
        ("Xulane 1 patch weekly x 3 weeks, off 1 week", "1 patch", Fraction(1, 7)),
        ("Sinemet 25/100 1.5 tabs 5x/day (6,9,12,3,6)", "1.5 tablet", 5),
        ("metoprolol tart 25 mg 1/2 tab bid hold SBP<100 HR<55", "0.5 tablet", 2),
        ("lactulose 20 g bid (hold if vomiting)", "20 g", 2),
        ("Protonix 40 qam ac", "40 mg", 1),
        ("Armour thyroid 60 mg (1 grain) daily", "60 mg", 1),
        ("midodrine 5 mg TID (last dose before 6p)", "5 mg", 3),
        ("Farxiga 10 qd (hold 3d preop)", "10 mg", 1),
        ("rosuvastatin ca 20 mg q other night", "20 mg", Fraction(1, 2)),
        ("Augmentin ES 600-42.9/5 7 mL bid", "7 mL", 2),
        ("Tezspire 210 SQ q4wk", "210 mg", Fraction(1, 28)),
        ("Amjevita 40 mg q2wk", "40 mg", Fraction(1, 14)),
        ("clopidogrel bisulf 75 mg qd", "75 mg", 1),
        ("Velphoro 1 tab tid cc", "1 tablet", 3),
        ("pot chloride 20 meq bid", "20 mEq", 2),
        ("potassium cl er 10meq 2 tabs daily", "2 tablet", 1),
    ],
)
def test_it_is_read_whole(line: str, dose: str, times: Fraction | int) -> None:
    d = read(line)
    assert (d.unread, d.dose and str(d.dose[1]), d.times_per_day) == ((), dose, (times, times))


@pytest.mark.parametrize("line", ["Adderall 10 mg at 2p", "prednisone 5 mg 2p", "prednisone 5 mg 2p daily"])
def test_an_hour_is_no_puff(line: str) -> None:
    d = read(line)
    assert d.dose is None or d.dose[1].unit == "mg"
    assert d.times_per_day is None or d.times_per_day[1] <= 1


def test_tuesday_is_no_tablet() -> None:
    first, second = read("warfarin 7.5 T/Th/Sa/Su, 5 MWF").steps
    assert [(str(s.dose[1]), s.times_per_day) for s in (first, second) if s.dose] == [
        ("7.5 mg", (Fraction(4, 7),) * 2),
        ("5 mg", (Fraction(3, 7),) * 2),
    ]


def test_a_day_of_a_course_is_no_frequency() -> None:
    assert read("Medrol dosepak day 3 of 6").times_per_day is None


@pytest.mark.parametrize("line", ["Humalog 8 units ac and hs", "Carafate 1 g ac & hs", "Reglan 5 mg ac hs"])
def test_at_bedtime_is_a_dose_beside_the_meals(line: str) -> None:
    assert read(line).times_per_day == (Fraction(4),) * 2


def test_an_aim_in_milligrams_is_no_result() -> None:
    told = told_of("lamotrigine 25 mg daily goal 200 mg", ENGINE)
    assert all(e.directions.dose is None and e.directions.unread for e in told)
    d = read("warfarin 5 mg daily goal 2-3")
    assert (d.unread, str(d.dose and d.dose[1])) == ((), "5 mg")


@pytest.mark.parametrize("line", ["lorazepam 1 tid", "Xanax 1 qhs", "glimepiride 2 qam", "lorazepam 1-2 q6h prn"])
def test_a_number_that_is_a_strength_too_is_asked_about(line: str) -> None:
    d = read(line)
    assert d.dose is None
    assert d.number is not None


@pytest.mark.parametrize("line", ["lorazepam 1 tab tid", "take lorazepam 1 tid", "lorazepam 0.5 mg 1 tid", "Plaquenil 2 daily"])
def test_what_can_only_be_counted_is_counted(line: str) -> None:
    d = read(line)
    assert d.dose is not None
    assert d.dose[1].unit in ("", "tablet")


def test_a_patch_on_in_the_morning_and_off_at_night_is_one_a_day() -> None:
    assert read("lidocaine 5% patch on 8a off 8p").times_per_day == (1, 1)


@pytest.mark.parametrize("line", ["Reclast yearly", "Prolia annually"])
def test_once_a_year_is_no_part_of_a_name(line: str) -> None:
    d = read(line)
    assert d.times_per_day is not None
    assert (d.unread, d.times_per_day[1]) == ((), Fraction(1, 365))


@pytest.mark.parametrize("line", ["insulin lispro per carb ratio 1:10", "Humalog ICR 1:8 ISF 50", "Novolog ICR 1:10"])
def test_a_ratio_of_insulin_is_no_dose(line: str) -> None:
    d = read(line)
    assert (d.unread, d.dose) == ((), None)


@pytest.mark.parametrize(
    ("line", "drug", "a_day"),
    [
        ("letrozole 2.5mg d3-7 of cycle", "drug.letrozole", 1),
        ("omep 20 mg QD AC", "drug.omeprazole", 1),
        ("prednisone 20 mg daily with meals", "drug.prednisone", 1),
        ("repaglinide 1 mg AC", "drug.repaglinide", 3),
        ("hydrocort 10 mg AM, 5 mg 2pm", "drug.hydrocortisone", 2),
        ("Li ER 450 BID", "drug.lithium", 2),
        ("vanc 125 mg PO QID (C diff)", "drug.vancomycin", 4),
    ],
)
def test_what_stands_beside_the_dose_is_no_other_medicine_and_no_other_time(line: str, drug: str, a_day: int) -> None:
    (entry,) = told_of(line, ENGINE)
    assert (entry.drugs, entry.directions.unread) == ((drug,), ())
    assert entry.directions.times_per_day == (a_day, a_day)


@pytest.mark.parametrize(
    ("line", "dose"), [("calcium 600 mg D3-5000 units daily", "5000 unit"), ("folic acid 1 mg, B6-50 mg daily", "50 mg")]
)
def test_a_vitamin_with_its_strength_behind_a_dash_is_no_run_of_days(line: str, dose: str) -> None:
    _, second = told_of(line, ENGINE)
    assert second.directions.dose is not None
    assert str(second.directions.dose[1]) == dose
