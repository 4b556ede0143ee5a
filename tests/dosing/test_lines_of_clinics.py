"""Lines as wards, clinics and families write them: what a number, a short word or brackets tell, and where it is asked."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import loaded
from measuring.chart_lines import directions_of, dose_of, told_of

from safety.model.directions import Directions

ENGINE = loaded()


def read(line: str) -> Directions:
    return directions_of(line, ENGINE)


@pytest.mark.parametrize(
    ("line", "single"),
    [
        ("dilaudid 0.5 IV q3h PRN", "0.5 mg"),
        ("morphine 2 IV q4h prn", "2 mg"),
        ("ativan 1 IV q6h prn", "1 mg"),
        ("lorazepam 0.5-1 IV q4h prn", "0.5 mg to 1 mg"),
        ("fentanyl 25 IV q1h prn", "25 mcg"),
        ("digoxin 125 IV daily", "125 mcg"),
        ("ceftriaxone 2 IV daily", "2 g"),
        ("cefepime 2 IV q8h", "2 g"),
        ("meropenem 1 IV q8", "1 g"),
        ("decadron 10 IM x1", "10 mg"),
        ("labetalol 10 IV q2h prn", "10 mg"),
        ("hydrocort 50 IV q6h", "50 mg"),
        ("octreotide 100 SQ tid", "100 mcg"),
        ("naltrexone 380 IM q28d", "380 mg"),
        ("Abilify Maintena 400 IM every 4 wk", "400 mg"),
        ("humulin 70/30 30 bid", "30 unit"),
        ("regular insulin 6 tid ac", "6 unit"),
    ],
)
def test_a_number_before_a_needle_is_an_amount_as_it_is_injected(line: str, single: str) -> None:
    d = read(line)
    assert dose_of(d) == single
    assert not d.unread


@pytest.mark.parametrize(
    "line",
    [
        "epi 10 IV prn",
        "norepinephrine 5 IV",
        "foscarnet 6 IV q12h",
        "solumedrol 1 IV daily",
        "ivig 30 IV q4wk",
        "narcan 2 IN by EMS",
        "mag sulfate 2 IV x1",
        "vanc 1 IV q12",
        "mag sulfate 4 IV x1",
    ],
)
def test_into_a_vein_what_may_be_grams_milligrams_or_micrograms_is_asked_about(line: str) -> None:
    d = read(line)
    assert d.dose is None
    assert d.number is not None


@pytest.mark.parametrize(
    ("line", "single", "strength"),
    [
        ("Xtandi 40 x4 caps daily", "4 capsule", "40 mg"),
        ("prednisone 5 x 3 tabs daily", "3 tablet", "5 mg"),
        ("furosemide half a 40 every other morning", "0.5", "40 mg"),
        ("zolpidem 1/2 of a 10 qhs", "0.5", "10 mg"),
    ],
)
def test_pieces_of_a_strength_are_never_multiplied_with_it(line: str, single: str, strength: str) -> None:
    d = read(line)
    assert (dose_of(d).strip(), str(d.strength)) == (single, strength)


@pytest.mark.parametrize(
    ("line", "single"),
    [
        ("sertraline 150 (100+50) daily", "150 mg"),
        ("MTX 15 mg (6 x 2.5) po ONCE WEEKLY", "15 mg"),
        ("Lynparza 300 bid (2x150)", "300 mg"),
    ],
)
def test_brackets_that_say_how_an_amount_is_made_up_add_nothing(line: str, single: str) -> None:
    d = read(line)
    assert dose_of(d) == single
    assert not d.unread


def test_brackets_that_come_to_something_else_are_asked_about() -> None:
    assert read("sertraline 150 (100+25) daily").unread


@pytest.mark.parametrize(
    ("line", "often"),
    [
        ("furosemide 80 mg qAM & 40 mg q2pm", Fraction(2)),
        ("LEVOTHYROXINE 50MCG PO Q0600", Fraction(1)),
        ("flagyl 500 q8°", Fraction(3)),
        ("levothyrox 112 mcg mon-sat, none sun", Fraction(6, 7)),
        ("Ibrance 125mg 3wk on/1wk off", Fraction(1)),
        ("Sinemet 25/100 1.5 tabs 5x/day (6-9-12-3-6)", Fraction(5)),
        ("plaquenil 200 bid M-F, qd wknd", Fraction(2)),
        ("klonopin 1 mg bid, 2 mg hs", Fraction(3)),
        ("clomid 50 cd 3-7", Fraction(1)),
    ],
)
def test_how_often_as_it_is_written_short(line: str, often: Fraction) -> None:
    d = read(line)
    assert d.times_per_day is not None
    assert d.times_per_day[1] == often
    assert not d.unread


def test_twice_on_weekdays_and_once_at_weekends_is_less_than_twice_a_day() -> None:
    assert read("plaquenil 200 mg bid M-F, daily on sat sun").times_per_day == (Fraction(1), Fraction(2))


def test_a_patch_for_three_weeks_of_four_is_not_one_a_day() -> None:
    assert read("xulane patch 3 wk on 1 wk off").times_per_day is None


@pytest.mark.parametrize(
    ("line", "route"),
    [
        ("methotrexate 12 mg IT", "intrathecal"),
        ("vincristine 2 mg IT d1", "intrathecal"),
        ("keppra 500 mg GT bid", "oral"),
        ("lactulose 20 g PNGT tid", "oral"),
        ("narcan 4 mg IN prn", "nasal"),
        ("AFRIN 2 SPRAYS IN EACH NOSTRIL BID", "nasal"),
    ],
)
def test_a_route_in_capitals_is_heard(line: str, route: str) -> None:
    assert read(line).route == route


def test_it_is_a_word_and_no_route() -> None:
    assert read("lisinopril 10 mg daily, take it with food").route != "intrathecal"


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("KCl 20 mEq x2 doses", ()),
        ("toradol 15 IV q6h x max 5d", ()),
        ("alendronate 70 mg weekly, remain upright x30 min", ()),
        ("NuvaRing in x 3w, out x 1w", ()),
        ("Neulasta 6 mg SQ x1 24h post chemo", ()),
        ("metformin 1000 BID (out x 2 wks)", ("out",)),
        ("metolazone 2.5 30 min before lasix MWF", ("Lasix",)),
    ],
)
def test_what_is_told_beside_is_understood_or_asked(line: str, left: tuple[str, ...]) -> None:
    assert read(line).unread == left


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("MPH 5 mg bid", "methylphenidate"),
        ("VCR 1.5 mg/m2 IV d1", "vincristine"),
        ("TDM1 3.6 mg/kg q21d", "trastuzumab emtansine"),
        ("bup 8 SL bid", "buprenorphine"),
        ("bup XL 300 mg qam", "bupropion"),
        ("Li CO3 300 mg bid", "lithium"),
        ("c/l 25-100 1.5 tabs 5x/day", "Sinemet"),
        ("pit 2 milliunits/min", "oxytocin"),
        ("Makena 250 mg IM qwk", "hydroxyprogesterone"),
        ("Mom takes Synthroid 75 qam", "levothyroxine"),
        ("MOM 30 mL prn", "magnesium hydroxide"),
        ("micronor 0.35 daily", "norethindrone"),
    ],
)
def test_names_cut_short_on_charts(line: str, name: str) -> None:
    (entry,) = told_of(line, ENGINE)
    assert entry.resolved
    assert (entry.answer.name or "").startswith(name)


@pytest.mark.parametrize("line", ["bup daily", "biso 5 daily", "ami 100 qhs", "TAC 1 mg bid"])
def test_short_names_of_several_medicines_are_asked_about(line: str) -> None:
    assert not any(entry.resolved for entry in told_of(line, ENGINE))


@pytest.mark.parametrize(
    ("line", "range_of", "often"),
    [
        ("oxycodone 5 mg q4 prn mod pain, 10 mg severe", "5 mg to 10 mg", Fraction(6)),
        ("oxycodone 5 mg q4h prn moderate pain, 10 mg q4h prn severe pain", "5 mg to 10 mg", Fraction(6)),
        ("norco 5/325 1 tab q6h prn moderate pain, 2 tabs severe pain", "1 tablet to 2 tablet", Fraction(4)),
    ],
)
def test_a_dose_for_less_and_one_for_more_pain_are_a_range(line: str, range_of: str, often: Fraction) -> None:
    d = read(line)
    assert (dose_of(d), d.times_per_day, d.as_needed) == (range_of, (often, often), True)


def test_the_higher_dose_for_worse_pain_less_often_is_asked_about() -> None:
    assert read("oxycodone 5 mg q4h prn moderate pain, 10 mg q6h prn severe pain").dose is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hydral/isordil 25/10 tid", [("hydralazine", "25 mg"), ("isosorbide dinitrate", "10 mg")]),
        ("haldol 5/ativan 2 IM", [("haloperidol", "5 mg"), ("lorazepam", "2 mg")]),
        ("lisinopril 10 daily as well as metformin 500 bid", [("lisinopril", "10 mg"), ("metformin", "500 mg")]),
    ],
)
def test_two_medicines_of_a_line_each_have_their_amount(line: str, told: list[tuple[str, str]]) -> None:
    entries = told_of(line, ENGINE)
    assert [(e.answer.name, dose_of(e.directions)) for e in entries] == told


def test_the_strength_of_a_combination_is_not_shared_out() -> None:
    aspirin, percocet = told_of("asa/percocet 5/325 q6h prn", ENGINE)
    assert aspirin.directions.dose is None
    assert set(percocet.drugs) == {"drug.oxycodone", "drug.acetaminophen"}


def test_the_most_of_a_dose_by_surface_is_told_in_its_unit() -> None:
    assert str(read("VCR 1.5 mg/m2 IV (max 2) D1").day_max) == "2 mg"


@pytest.mark.parametrize(
    "line",
    [
        "enoxaparin 1 SQ daily",
        "humira 1 SQ q2wk",
        "testosterone 0.5 IM weekly",
        "depo-testosterone 1 IM q2wk",
        "trulicity 1 SQ weekly",
    ],
)
def test_a_syringe_or_a_volume_under_the_skin_is_no_gram(line: str) -> None:
    d = read(line)
    assert d.dose is None or d.dose[1].unit not in ("g", "mg")
