"""Directions as a value: windows of the day, and the words that amounts and frequencies are shown in."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.model.directions import DAY_MINUTES, Window, amount_in_words, how_often_in_words, part_at, times_in_words
from safety.model.quantity import Quantity

windows = st.tuples(st.integers(0, DAY_MINUTES), st.integers(0, 300)).map(lambda w: Window(w[0], min(DAY_MINUTES, w[0] + w[1])))


def q(value: str, unit: str) -> Quantity:
    return Quantity(Decimal(value), unit)


@given(windows, windows)
def test_two_windows_meet_exactly_where_they_share_a_minute(one: Window, other: Window) -> None:
    shared = set(range(one.start, one.end + 1)) & set(range(other.start, other.end + 1))
    assert one.meets(other) is other.meets(one) is bool(shared)


@pytest.mark.parametrize(
    ("minute", "part"), [(0, "morning"), (719, "morning"), (720, "noon"), (721, "evening"), (1439, "evening")]
)
def test_a_time_by_the_clock_falls_into_a_part_of_the_day(minute: int, part: str) -> None:
    assert part_at(minute) == part


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (q("1", "tablet"), q("1", "tablet"), "1 tablet"),
        (q("1", "tablet"), q("2", "tablet"), "1 to 2 tablets"),
        (q("0", "patch"), q("2", "patch"), "up to 2 patches"),
        (q("0.5", "suppository"), q("0.5", "suppository"), "0.5 suppositories"),
        (q("2", ""), q("2", ""), "2"),
        (q("40", "mg"), q("80", "mg"), "40 to 80 mg"),
    ],
)
def test_an_amount_is_shown_as_it_is_written_in_orders(low: Quantity, high: Quantity, words: str) -> None:
    assert amount_in_words((low, high)) == words


def test_what_is_not_told_is_shown_as_nothing() -> None:
    assert amount_in_words(None) == times_in_words(None) == ""


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        ("1", "1", "once a day"), ("2", "2", "twice a day"), ("3", "3", "3 times a day"), ("0", "3", "up to 3 times a day"),
        ("4", "6", "4 to 6 times a day"), ("1/7", "1/7", "once a week"), ("3/7", "3/7", "3 times a week"),
        ("1/2", "1/2", "every other day"), ("1/31", "1/28", "once a month"),
    ],
)  # fmt: skip
def test_a_frequency_is_shown_as_people_say_it(low: str, high: str, words: str) -> None:
    assert times_in_words((Fraction(low), Fraction(high))) == words


def test_a_frequency_told_in_hours_is_shown_in_hours() -> None:
    six = Fraction(4), Fraction(4)
    assert how_often_in_words(six, (Decimal(6), Decimal(6))) == "every 6 hours"
    assert how_often_in_words((Fraction(4), Fraction(6)), (Decimal(4), Decimal(6))) == "every 4 to 6 hours"
    assert how_often_in_words(six) == "4 times a day"
