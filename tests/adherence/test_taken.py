"""What is said to be taken keeps its lower bound and its numbers on the way to the limits; words are made at the end."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.adherence.limit import JudgedLimit
from safety.adherence.said import OneSaid
from safety.adherence.taken import medications_said
from safety.engine import Engine
from safety.knowledge import library as lib
from safety.model.directions import Directions
from safety.model.quantity import Quantity
from safety.reading.spoken.reported import Regimen, Reported
from safety.reading.spoken.supply import Supply
from safety.understanding.amounts import Span

DAY = "2026-11-22"


def q(value: Any, unit: str) -> Quantity:
    return Quantity(Decimal(value), unit)


def directions(engine: Engine, told: Reported, *, once: bool = False) -> Directions:
    (medication,) = medications_said(OneSaid(told.text, told, Supply(), heard="drug"), "otc", engine.library, once=once)
    assert (medication.dose, medication.frequency, medication.sig) == (None, None, None)
    assert medication.directions is not None
    return medication.directions


def said(engine: Engine, text: str) -> Directions:
    return directions(engine, engine.checker.spoken.read(text))


amounts = st.tuples(st.integers(1, 8), st.integers(0, 4)).map(lambda p: (q(p[0], "tablet"), q(p[0] + p[1], "tablet")))
rates = st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from([1, 7])).map(
    lambda p: (Fraction(p[0], p[2]), Fraction(p[0] + p[1], p[2]))
)


@settings(deadline=None)
@given(amounts, rates, st.booleans())
def test_both_ends_of_a_range_are_kept(
    engine: Engine, amount: tuple[Quantity, Quantity], times: tuple[Fraction, Fraction], in_a_day: bool
) -> None:
    if in_a_day:
        read = directions(engine, Reported("", (Regimen(per_day=amount),)))
        assert (read.per_day or read.dose) == amount
    else:
        read = directions(engine, Reported("", (Regimen(dose=amount, times=times),)))
        assert (read.dose, read.times_per_day, read.per_day) == (amount, times, None)


@settings(deadline=None)
@given(amounts, st.integers(1, 1000))
def test_pieces_whose_strength_was_told_are_what_they_hold(engine: Engine, amount: tuple[Quantity, Quantity], held: int) -> None:
    read = directions(engine, Reported("", (Regimen(dose=amount, strength=q(held, "mg")),)))
    assert read.dose == tuple(q(end.value * held, "mg") for end in amount)


@pytest.mark.parametrize(
    ("text", "dose", "times", "hours", "most"),
    [
        ("I take 2 tablets every 4 hours", 2, 6, 4, None),
        ("I take 2 tablets three times a day", 2, 3, None, None),
        ("I take 1 tablet once a week", 1, Fraction(1, 7), None, None),
        ("I take 1 tablet every 6 hours, three times a day", 1, 4, 6, 3),
    ],
)
def test_how_often_is_taken_over_in_numbers(
    engine: Engine, text: str, dose: int, times: Fraction, hours: int | None, most: int | None
) -> None:
    read = said(engine, text)
    assert read.dose == (q(dose, "tablet"), q(dose, "tablet"))
    assert read.times_per_day == (times, times)
    assert read.interval_hours == ((hours, hours) if hours else None)
    assert read.day_max == (q(most, "dose") if most else None)


def test_an_untold_frequency_is_one_dose_only_where_that_is_asked_for(engine: Engine) -> None:
    told = Reported("", (Regimen(dose=(q(2, "tablet"), q(2, "tablet"))),))
    assert directions(engine, told).times_per_day is None
    assert directions(engine, told, once=True).times_per_day == (1, 1)


def test_a_number_whose_unit_was_left_off_counts_milligrams(engine: Engine) -> None:
    read = said(engine, "I take eight hundred three times a day")
    assert read.dose == (q(800, "mg"), q(800, "mg"))


# ------------------------------------------------------------------ limits


def limit(low: Quantity | None, high: Quantity | None, *bounds: Quantity, kind: str = "day") -> JudgedLimit:
    made = tuple(lib.Bound("at_most", bound, "", str(bound)) for bound in bounds)
    return JudgedLimit("label_limit", kind, "drug.x", "otc.x", "", True, (), amount=Span(low, high, ("dose",)), bounds=made)  # type: ignore[arg-type]


def test_a_limit_is_put_into_words_at_the_end(engine: Engine) -> None:
    units = engine.library.units
    one = limit(q(4, "g"), q(4, "g"), q(1200, "mg"), q(2000, "mg"))
    assert (one.taken, one.allowed, one.times_over(units)) == ("4 g", "1200 mg or 2000 mg", 3)
    assert limit(None, q(500, "mg"), q(1, "g")).taken == "500 mg"
    assert limit(q(500, "mg"), None, q(1, "g")).taken == "500 mg to ?"
    assert limit(None, None, q(1, "g")).taken == "not told (dose)"
    assert limit(None, None, q(10, "d"), kind="days").taken == "not told"
    assert limit(None, q(9, "g"), q(1, "g")).times_over(units) == 0
    assert limit(q(9, "mL"), q(9, "mL"), q(1, "g")).times_over(units) == 0


@pytest.mark.parametrize(
    ("patient", "text", "amount"),
    [
        ({"age": "6 y", "weight": "20 kg"}, "I give her 200 mg of ibuprofen every 8 hours", "600 mg"),
        ({"age": "6 y"}, "I give her 320 mg of acetaminophen every 6 hours", "1280 mg"),
        ({"age": "40 y"}, "I take 4 grams of acetaminophen a day", "4 g"),
    ],
)
def test_a_limit_says_what_is_taken_whoever_it_is_for(engine: Engine, patient: dict[str, str], text: str, amount: str) -> None:
    answer = engine.dose({"patient": patient, "prescribed": None, "reported": text}, DAY)
    days = [x.amount for x in answer.limits if x.kind == "day"]
    assert days
    assert set(days) == {amount}
    assert answer.reported_per_day == amount
