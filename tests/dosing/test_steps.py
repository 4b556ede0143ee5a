"""Directions in several steps: each step read, the lowest and the highest of them, and how long they last."""

from __future__ import annotations

from decimal import Decimal

import pytest
from dosing_units import LEX, UNITS
from measuring.directions import day_of

from safety.model.directions import Directions
from safety.model.patient import Medication
from safety.model.quantity import Quantity
from safety.reading.directions.sig import read_sig
from safety.reading.directions.told import read_told
from safety.understanding.amounts import Contents, amounts_of


def read(text: str) -> Directions:
    return read_sig(text, LEX)


def q(text: str) -> Quantity:
    value, _, unit = text.partition(" ")
    return Quantity(Decimal(value), unit)


def shown(sig: Directions) -> str:
    """`4 tablet x1 3d, 3 tablet x1 3d`."""
    steps = []
    for step in sig.steps:
        amount = (step.per_day and step.per_day[1]) or (step.dose[0] if step.dose and step.dose[0] == step.dose[1] else step.dose)
        times = "" if step.times_per_day is None else f" x{step.times_per_day[1]}"
        steps.append(f"{amount}{times}{f' {step.days}d' if step.days else ''}{' once' if step.once else ''}")
    return ", ".join(steps)


STEPS = [
    ("take 4 tablets daily for 3 days, then 3 daily for 3 days, then stop",
     "4 tablet x1 3d, 3 tablet x1 3d", "3..4 tablet for 6"),
    ("2 tablets today then 1 daily for 4 days", "2 tablet x1 1d, 1 tablet x1 4d", "1..2 tablet for 5"),
    ("take 2 tablets on day 1 then 1 tablet daily for 4 days", "2 tablet x1 1d, 1 tablet x1 4d", "1..2 tablet for 5"),
    ("take 2 tablets on day 1, then 1 tablet daily on days 2 through 5", "2 tablet x1 1d, 1 tablet x1 4d", "1..2 tablet for 5"),
    ("Take 2 tablets (500 mg) on day 1, then 1 tablet (250 mg) daily on days 2-5", "2 tablet x1 1d, 1 tablet x1 4d",
     "1..2 tablet for 5"),
    ("Day 1: 2 tablets. Days 2-5: 1 tablet daily", "2 tablet x1 1d, 1 tablet x1 4d", "1..2 tablet for 5"),
    ("week 1: 1 tab daily; week 2: 2 tabs daily", "1 tablet x1 7d, 2 tablet x1 7d", "1..2 tablet for 14"),
    ("6 tablets on day 1, 5 on day 2, 4 on day 3", "6 tablet x1 1d, 5 tablet x1 1d, 4 tablet x1 1d", "4..6 tablet for 3"),
    ("1/2 tab x 1 week then 1 tab", "0.5 tablet 7d, 1 tablet", "0.5..1 tablet"),
    ("take 40mg x 2 days 30mg x 2 days 20mg x 2 days", "40 mg 2d, 30 mg 2d, 20 mg 2d", "20..40 mg for 6"),
    ("1 po bid x 3 days 1/2 po bid x 3 days 1/2 po qd x 3 days", "1 x2 3d, 0.5 x2 3d, 0.5 x1 3d", "0.5..2 for 9"),
    ("60 mg po qd x 3d, then 40 x 3d, then 20 x 3d", "60 mg x1 3d, 40 mg x1 3d, 20 mg x1 3d", "20..60 mg for 9"),
    ("300 mg daily, increase by 300 mg every 3 days to 900 mg daily", "300 mg x1 3d, 600 mg x1 3d, 900 mg x1", "300..900 mg"),
    ("40 mg daily for 5 days then decrease by 10 mg every 3 days until off",
     "40 mg x1 5d, 30 mg x1 3d, 20 mg x1 3d, 10 mg x1 3d", "10..40 mg for 14"),
    ("1 tab daily for 1 week then increase to 1 tab twice daily", "1 tablet x1 7d, 1 tablet x2", "1..2 tablet"),
    ("1 tab daily, after 1 week increase to 2 tabs daily", "1 tablet x1 7d, 2 tablet x1", "1..2 tablet"),
    ("1 tab daily, increase to 2 tabs daily after 1 week", "1 tablet x1 7d, 2 tablet x1", "1..2 tablet"),
    ("25 mg at bedtime, may increase to 50 mg at bedtime", "25 mg x1, 50 mg x1", "25..50 mg"),
    ("1 tab daily x 3 days then bid x 4 days then tid", "1 tablet x1 3d, 1 tablet x2 4d, 1 tablet x3", "1..3 tablet"),
    ("3 puffs bd for 1 week followed by 2 puffs for 2 weeks then 1 puff thereafter",
     "3 puff x2 7d, 2 puff x2 14d, 1 puff x2", "2..6 puff"),
    ("15 mg twice daily with food for 21 days, then 20 mg once daily", "15 mg x2 21d, 20 mg x1", "20..30 mg"),
    ("0.25 mg weekly for 4 weeks then 0.5 mg weekly", "0.25 mg x1/7 28d, 0.5 mg x1/7", "0.25..0.5 mg"),
    ("5 mg on Mon/Wed/Fri, 2.5 mg all other days", "5 mg x3/7, 2.5 mg x4/7", "2.5..5 mg"),
    ("5 mg daily except 2.5 mg on monday", "5 mg x1, 2.5 mg x1/7", "2.5..5 mg"),
    ("3 drops twice daily for 2 weeks then as needed", "3 drop x2 14d, 3 drop x2", "0..6 drop"),
    ("take 2 tablets daily for 1 day then 1 tablet daily for 4 days take 2 pills on the first day and 1 pill each day for 4 days",
     "2 tablet x1 1d, 1 tablet x1 4d", "1..2 tablet for 5"),
    ("5 mg mon-fri, 2.5 mg sat and sun", "5 mg x5/7, 2.5 mg x2/7", "2.5..5 mg"),
    ("Take 7.5mg three days per week (M,W,F) and 5mg four days per week", "7.5 mg x3/7, 5 mg x4/7", "5..7.5 mg"),
    ("1 tablet daily for 21 days then 7 days off", "1 tablet x1 21d, 0 tablet x1 7d", "0..1 tablet for 28"),
    ("1 tab in am x 7 days, then 1 tab in am and 1 tab in pm x 7 days, then 2 tabs bid",
     "1 tablet x1 7d, 1 tablet x2 7d, 2 tablet x2", "1..4 tablet"),
    ("5 ml x1 day 2.5 ml x4 days po daily x5 days", "5 mL x1 1d, 2.5 mL x1 4d", "2.5..5 mL for 5"),
    # a first dose falls into the same 24 hours as what follows it; a daily dose follows on the next day
    ("take 2 now then 1 every 6 hours", "2 x1 once, 1 x4", "2..5"),
    ("2 tabs initially then 1 tab q6h", "2 tablet x1 once, 1 tablet x4", "2..5 tablet"),
    ("2 tablets then 1 tablet every 4 hours", "2 tablet x1 once, 1 tablet x6", "2..7 tablet"),
    ("500 mg once then 250 mg daily for 4 days", "500 mg x1 once, 250 mg x1 4d", "250..500 mg"),
    ("2 tabs po stat then 1 tab q8h x 5 days", "2 tablet x1 once, 1 tablet x3 5d", "2..4 tablet"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "steps", "day"), STEPS, ids=[row[0] for row in STEPS])
def test_each_step_is_read(text: str, steps: str, day: str) -> None:
    sig = read(text)
    assert (shown(sig), day_of(sig, UNITS)) == (steps, day)
    assert (sig.dose, sig.times_per_day, sig.per_day, sig.unread) == (None, None, None, ())


UNREAD = [
    "take 1 tablet daily for 3 days then as directed",
    "taper over 2 weeks",
    "taper 40 30 20 10",
    "take one tablet on day 1 and day 3",
    "1 tablet daily for 3 days. Then take 2 tablets three times a day for 3 days. Then xyzzy 5 tablets",
    "1 tablet daily for 3 days then on tablet twice daily",
    "decrease by 5 mg every 3 days until off",
    "40 mg daily, increase by 10 mg every 3 days to 20 mg",
    "40 mg daily, increase by 10 mg every 3 days",
    "10 mg daily then 20 mg if above 140",
    "500 mg for 3 days then 1 daily",
    "1 tablet daily then 5 mL daily then 3 daily then",
]


@pytest.mark.parametrize("text", UNREAD)
def test_one_step_that_cannot_be_read_makes_the_whole_unread(text: str) -> None:
    sig = read(text)
    assert sig.steps == () or day_of(sig, UNITS) is None
    assert (sig.dose, sig.times_per_day) == (None, None)


BESIDE = [
    # what may be taken on the same days adds up: never read as one step after the other
    ("2 tablets in the morning then 1 tablet at bedtime", "3 tablet"),
    ("take 1 tablet in the morning for 5 days. Take 2 tablets at bedtime", "3 tablet for 5"),
    ("2 tablets in the morning, then 1 every 6 hours", None),
    ("500 mg twice daily for 5 days and 250 mg at noon", None),
    ("10 mg daily for 5 days, 5 mg at bedtime", None),
    ("5 mg daily and 2.5 mg on sundays", None),
    ("5 mg on monday and 2.5 mg on monday", None),
    ("81 mg daily, continue taking 90 mg twice a day", None),
    ("take 1 tab po daily. may take second tab if needed", None),
]


@pytest.mark.parametrize(("text", "day"), BESIDE, ids=[row[0] for row in BESIDE])
def test_doses_of_the_same_day_are_added_or_unread(text: str, day: str | None) -> None:
    assert day_of(read(text), UNITS) == day
    assert read(text).steps == ()


def test_the_last_step_stops() -> None:
    sig = read("500 mg po qd x 3d then stop")
    assert (sig.steps, sig.dose, sig.days, sig.unread) == ((), (q("500 mg"), q("500 mg")), Decimal(3), ())


def test_a_way_up_without_a_start_is_known_only_to_its_end() -> None:
    sig = read("increase by 300 mg every 3 days to 900 mg")
    assert amounts_of(sig, None, UNITS).single == (q("0 mg"), q("900 mg"))
    assert amounts_of(sig, None, UNITS).day is None


def test_a_mass_of_another_step_is_no_strength() -> None:
    assert read("25 mg at bedtime, may increase to 50 mg at bedtime").strength is None
    assert read("10 mg tablets: 4 tabs daily x 3 days, 3 tabs daily x 3 days").strength == q("10 mg")


def test_steps_of_a_product_are_told_in_its_ingredient() -> None:
    found = amounts_of(read("4 tabs daily x 3 days, 2 tabs daily x 3 days"), Contents(q("10 mg"), q("1 tablet")), UNITS)
    assert (found.single, found.day, found.days) == ((q("20 mg"), q("40 mg")), (q("20 mg"), q("40 mg")), Decimal(6))


def test_steps_in_the_sig_win_over_the_text_and_take_its_strength() -> None:
    sig = read_told(Medication("drug", sig="take 2 tablets on day 1 then 1 tablet daily for 4 days"), "250 mg", LEX).together
    assert amounts_of(sig, None, UNITS).day == (q("250 mg"), q("500 mg"))


def test_a_frequency_field_is_how_often_the_steps_are_taken() -> None:
    sig = read_told(Medication("drug", sig="40 mg x 2 days 30 mg x 2 days", frequency="twice daily"), "", LEX).together
    assert amounts_of(sig, None, UNITS).day == (q("60 mg"), q("80 mg"))
    other = read_told(Medication("drug", sig="1 tab bid x 2 days then 1 tab qd", frequency="three times a day"), "", LEX).together
    assert amounts_of(other, None, UNITS).day is None
