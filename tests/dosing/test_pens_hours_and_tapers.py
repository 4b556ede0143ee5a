"""Pens by what they hold, hours and tapers by numbers alone, ratios and scales: what each tells, and where it is asked."""

from __future__ import annotations

from decimal import Decimal
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
        ("Humira pen 40/0.4 SQ q2w", "40 mg"),
        ("Lovenox 80/0.8 q12h", "80 mg"),
        ("Repatha 140/mL q2wk", "140 mg"),
        ("Dupixent 300/2 mL q2wk", "300 mg"),
        ("albuterol neb 2.5/3 q4h prn", "2.5 mg"),
        ("vanc 1250 IV q12", "1250 mg"),
        ("benadryl 25 IV", "25 mg"),
        ("Ibrance 125 21 on 7 off", "125 mg"),
        ("ritalin 10 8a & noon", "10 mg"),
        ("metoprolol 25 crushed q12", "25 mg"),
        ("asa 162 chewed x1", "162 mg"),
    ],
)
def test_all_that_a_pen_a_syringe_or_a_vial_holds_is_one_dose(line: str, single: str) -> None:
    d = read(line)
    assert dose_of(d) == single
    assert not d.unread


@pytest.mark.parametrize(
    "line",
    [
        "enoxaparin 300/3 vial 60 mg q12h",
        "Dupixent 150/mL q2wk",
        "Humira 40/2 weekly",
        "hydrocodone 5/325 bid",
        "vanc 15 IV q12",
        "vanc 400 IV x1",
    ],
)
def test_two_numbers_of_what_is_not_sold_so_are_asked_about(line: str) -> None:
    assert read(line).dose is None


def test_what_a_product_that_is_swallowed_holds_is_no_tablet_where_it_is_injected() -> None:
    (entry,) = told_of("benadryl 50 mg IV x1 premed", ENGINE)
    assert (entry.form, entry.routes) == (None, ("parenteral",))


@pytest.mark.parametrize(
    ("line", "often"),
    [
        ("Ritalin 10 @ 8 & 12", Fraction(2)),
        ("carbi/levo 25-100 1.5 tab at 6-10-2-6", Fraction(4)),
        ("ISDN 20 TID (7-12-5)", Fraction(3)),
        ("warfarin 7.5mg 1 po qd ex Sun", Fraction(6, 7)),
        ("insulin regular per sliding scale q6h", Fraction(4)),
    ],
)
def test_hours_in_a_row_and_days_left_out_tell_how_often(line: str, often: Fraction) -> None:
    d = read(line)
    assert d.times_per_day == (often, often)
    assert not d.unread


@pytest.mark.parametrize(
    "line", ["hydrocortisone 10 tid (10-5-5)", "gabapentin 300 tid (300-300-600)", "prednisone 40 x2, 30 x2"]
)
def test_numbers_in_a_row_that_are_no_hours_and_no_taper_are_asked_about(line: str) -> None:
    assert read(line).unread


def test_each_lower_dose_by_a_number_alone_is_for_so_many_days() -> None:
    steps = read("prednisone 40 x5, 30 x5, 20 x5, 10 x5").steps
    assert [(str(s.dose[0]), s.days) for s in steps if s.dose] == [(f"{n} mg", Decimal(5)) for n in (40, 30, 20, 10)]


@pytest.mark.parametrize("line", ["lispro 1:10 carbs", "novolog 1:10 carb ratio", "insulin lispro 1 unit per 10 g carbs"])
def test_by_what_a_dose_is_worked_out_is_no_dose(line: str) -> None:
    d = read(line)
    assert d.dose is None
    assert not d.unread


@pytest.mark.parametrize(
    "line",
    [
        "imodium 2 mg prn each loose stool, max 8/d",
        "Mounjaro 5 mg q wk, tol well",
        "vanc 1 g IV p HD",
        "propranolol 10 before speeches",
        "Invega Sustenna 156 q mo deltoid",
        "hydrocortisone 1% cream AA bid prn",
    ],
)
def test_words_beside_a_dose_that_say_nothing_of_how_much_are_understood(line: str) -> None:
    assert not read(line).unread


def test_a_strength_that_a_product_is_called_by_is_that_one_whatever_else_holds_so_much() -> None:
    (entry,) = told_of("Stalevo 200 1 tab 8 times a day", ENGINE)
    assert [p.name for p in entry.meaning.strengths] == ["200"]


def test_what_is_given_once_a_week_by_one_route_only_is_given_by_it() -> None:
    assert told_of("semaglutide 1 mg weekly", ENGINE)[0].routes == ("parenteral",)
    assert len(told_of("semaglutide 7 mg daily", ENGINE)[0].routes) == 2
    assert len(told_of("methotrexate 15 mg weekly", ENGINE)[0].routes) > 1


@pytest.mark.parametrize(
    ("line", "strength", "often"),
    [
        ("clonidine 0.2/24h patch TTS-2 q Sunday", "0.2 mg", Fraction(1, 7)),
        ("estradiol 0.1/24h patch 2x/wk", "0.1 mg", Fraction(2, 7)),
        ("estradiol patch 0.05 twice weekly", "0.05 mg", Fraction(2, 7)),
        ("nitro patch 0.4mg/hr on am off pm", "0.4 mg/h", Fraction(1)),
    ],
)
def test_what_a_patch_gives_off_is_its_strength(line: str, strength: str, often: Fraction) -> None:
    d = read(line)
    assert (str(d.strength), d.times_per_day, d.unread) == (strength, (often, often), ())


def test_ten_patches_at_once_are_put_on_by_nobody() -> None:
    assert read("butrans patch 10 weekly").dose is None
    assert read("butrans patch 20 weekly").dose is None
    assert read("butrans 20 weekly").dose is None


def test_the_same_as_needed_behind_the_lasting_one_has_its_own_dose() -> None:
    lasting, needed = told_of("MS Contin 15 bid, MSIR 7.5 q4 prn", ENGINE)
    assert (dose_of(lasting.directions), lasting.directions.as_needed) == ("15 mg", None)
    assert (dose_of(needed.directions), needed.directions.as_needed) == ("7.5 mg", True)


def test_the_same_told_twice_for_two_times_of_day_is_one() -> None:
    assert len(told_of("Lantus 20 hs, glargine 10 am", ENGINE)) == 1
    assert len(told_of("warfarin (Coumadin) 5 mg daily", ENGINE)) == 1


@pytest.mark.parametrize("line", ["macrobid 100 BID x5d (2 left)", "Neulasta on-body 6 mg d2 ea cycle"])
def test_how_many_are_left_and_what_it_is_given_by_are_no_dose(line: str) -> None:
    assert not read(line).unread


@pytest.mark.parametrize(
    ("line", "doses"),
    [
        ("eliquis 10 bid x7d then 5 bid", ["10 mg", "5 mg"]),
        ("plavix 300 load then 75", ["300 mg", "75 mg"]),
        ("coumadin 5 mg MTWThF, 7.5 SaSu", ["5 mg", "7.5 mg"]),
    ],
)
def test_a_first_dose_by_its_number_alone_is_a_step(line: str, doses: list[str]) -> None:
    assert [str(step.dose[0]) for step in read(line).steps if step.dose] == doses


def test_ten_of_what_is_sold_in_no_such_strength_is_asked_about() -> None:
    assert read("senna 10 qd").dose is None
