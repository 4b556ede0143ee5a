"""Times of day: read only where every dose is told, and never further apart than they surely are."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.reading.directions.clock import least_gap, times_of_day

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
        ("every morning before breakfast", ONCE, [(4, 11)]),
        ("every morning at 6 am", ONCE, [(6, 6)]),
        ("30 minutes before breakfast", ONCE, [(4.5, 10)]),
        ("30-60 minutes before breakfast", ONCE, [(4, 10)]),
        ("in the evening", ONCE, [(17, 22)]),
        ("once daily at bedtime", ONCE, [(20, 24)]),
        ("at 07:00", ONCE, [(7, 7)]),
        ("at 00:30", ONCE, [(0.5, 0.5)]),
        ("75 mcg oral at 7 a.m.", ONCE, [(7, 7)]),
        ("Take 1 tablet (75 mcg total) by mouth every morning on an empty stomach.", ONCE, [(5, 11)]),
        ("500 mg extended-release tablet orally at 8 am for 7 days", ONCE, [(8, 8)]),
        ("twice daily at 8 am and 8 pm", TWICE, [(8, 8), (20, 20)]),
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
        ("48 hours before breakfast", ONCE, []),
        ("at 6 am and in the morning", TWICE, []),
        ("every morning", None, []),
        ("500 mg", ONCE, []),
    ],
)
def test_a_time_is_read_only_where_every_dose_has_one(
    text: str, often: tuple[Fraction, Fraction] | None, hours: list[tuple[float, float]]
) -> None:
    assert [(a / HOUR, b / HOUR) for a, b in times_of_day((text,), often)] == hours


@pytest.mark.parametrize(
    "text",
    [
        # as needed
        "at 4 pm if needed", "at 4 pm when needed", "at bedtime prn",
        # denied or past
        "daily, not at bedtime", "never in the evening", "avoid taking at bedtime", "daily (was at bedtime)",
        "changed from bedtime", "at bedtime?",
        # the time of something else
        "daily for bedtime leg cramps", "for nightmares at night", "daily, labs drawn at 3 pm",
        "daily, next appointment at 3 pm", "call office by 5 pm", "filled 16:30", "last taken 16:00 yesterday",
        # open at one end
        "before 11 am", "before noon", "by noon", "any time before bedtime", "11 am to 4 pm", "11 am-4 pm", "7-8 am",
        "before lunch", "before dinner", "after dinner", "between 7 am and 8 am", "daily at least 30 minutes before breakfast",
        # a second dose, or not always
        "once daily at 4 pm and at 7", "at bedtime and before work", "11:00 am, takes with lev at 7", "at 7 am and 1 tablet",
        "at bedtime usually", "at bedtime (works nights)", "once daily daily at bedtime",
        # morning or afternoon
        "at 5:00", "at 7:00", "at 10:30", "at 12:00", "at 7", "at 13:05 pm", "at 1.30 pm",
    ],
)  # fmt: skip
def test_where_anything_else_is_said_no_time_is_believed(text: str) -> None:
    assert times_of_day((text,), ONCE) == ()


def test_one_part_of_the_directions_tells_the_times_and_the_rate() -> None:
    night = ((20 * HOUR, 24 * HOUR),)
    assert times_of_day(("325 mg", "1 tablet", "at bedtime"), ONCE) == night
    assert times_of_day(("1", "at bedtime", "At  bedtime"), ONCE) == night
    assert times_of_day(("325 mg twice daily", "at bedtime"), ONCE) == ()
    assert times_of_day(("325 mg at 7 am", "at bedtime"), ONCE) == ()
    assert times_of_day(("stop next week", "at bedtime"), ONCE) == ()


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
