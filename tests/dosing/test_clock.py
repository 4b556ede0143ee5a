"""Times of day: read only where every dose is told, and never further apart than they surely are."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.dosing.clock import least_gap, times_of_day

ONCE, TWICE = (Fraction(1), Fraction(1)), (Fraction(2), Fraction(2))
WEEKLY = (Fraction(1, 7), Fraction(1, 7))
HOUR = 60


@pytest.mark.parametrize(
    ("text", "often", "hours"),
    [
        ("75 mcg at 6 am", ONCE, [(6, 6)]),
        ("at 12 am", ONCE, [(0, 0)]),
        ("at 12 pm", ONCE, [(12, 12)]),
        ("1 tablet at 18:30", ONCE, [(18.5, 18.5)]),
        ("every morning", ONCE, [(5, 11)]),
        ("every morning before breakfast", ONCE, [(5, 11)]),
        ("with dinner", ONCE, [(17, 20)]),
        ("at bedtime", ONCE, [(20, 24)]),
        ("at 8 am and 8 pm", TWICE, [(8, 8), (20, 20)]),
        ("with breakfast and supper", TWICE, [(5, 10), (17, 20)]),
        ("on Sunday at 7 am", WEEKLY, [(7, 7)]),
        ("twice daily", TWICE, []),
        ("at 8 am", TWICE, []),
        ("every evening as needed", ONCE, []),
        ("4 hours after levothyroxine at 6 am", ONCE, []),
        ("at 6 am or 6 pm", ONCE, []),
        ("every morning", None, []),
        ("500 mg", ONCE, []),
    ],
)
def test_a_time_is_read_only_where_every_dose_has_one(
    text: str, often: tuple[Fraction, Fraction] | None, hours: list[tuple[float, float]]
) -> None:
    assert [(a / HOUR, b / HOUR) for a, b in times_of_day(text, often)] == hours


windows = st.tuples(st.integers(0, 1440), st.integers(0, 300)).map(lambda w: (w[0], min(1440, w[0] + w[1])))
several = st.lists(windows, min_size=1, max_size=3).map(tuple)


@given(several, several, st.data())
def test_no_two_doses_can_lie_closer_than_is_said(
    one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...], data: st.DataObject
) -> None:
    gap = least_gap(one, other)
    assert gap is not None
    a, b = (data.draw(st.sampled_from(side).flatmap(lambda w: st.integers(*w))) for side in (one, other))
    between = abs(a - b)
    assert min(between, 1440 - between) >= min(gap, 720) - 0
    assert gap == least_gap(other, one)


def test_where_one_is_not_told_nothing_is_known() -> None:
    assert least_gap((), ((0, 0),)) is None
