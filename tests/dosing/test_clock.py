"""Times of day: read only where every dose is told, and never further apart than they surely are."""

from __future__ import annotations

import pytest
from dosing_units import LEX
from hypothesis import given
from hypothesis import strategies as st

from safety.model.directions import Window, least_gap
from safety.model.patient import Medication
from safety.reading.directions.sig import read_sig
from safety.reading.directions.told import read_told

HOUR = 60


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("75 mcg at 6 am", [(6, 6)]),
        ("at 12 am", [(0, 0)]),
        ("at 12 pm", [(12, 12)]),
        ("1 tablet at 18:30", [(18.5, 18.5)]),
        ("every morning", [(5, 11)]),
        ("every morning before breakfast", [(4, 11)]),
        ("every morning at 6 am", [(6, 6)]),
        ("30 minutes before breakfast", [(4.5, 10)]),
        ("30-60 minutes before breakfast", [(4, 10)]),
        ("in the evening", [(17, 22)]),
        ("once daily at bedtime", [(20, 24)]),
        ("at 07:00", [(7, 7)]),
        ("at 00:30", [(0.5, 0.5)]),
        ("75 mcg oral at 7 a.m.", [(7, 7)]),
        ("Take 1 tablet (75 mcg total) by mouth every morning on an empty stomach.", [(5, 11)]),
        ("500 mg extended-release tablet orally at 8 am for 7 days", [(8, 8)]),
        ("twice daily at 8 am and 8 pm", [(8, 8), (20, 20)]),
        ("with dinner", [(17, 20)]),
        ("at bedtime", [(20, 24)]),
        ("at 8 am and 8 pm", [(8, 8), (20, 20)]),
        ("with breakfast and supper", [(5, 10), (17, 20)]),
        ("on Sunday at 7 am", [(7, 7)]),
        ("twice daily", []),
        ("every evening as needed", []),
        ("4 hours after levothyroxine at 6 am", []),
        ("at 6 am or 6 pm", []),
        ("48 hours before breakfast", []),
        ("at 6 am and in the morning", []),
        ("500 mg", []),
    ],
)
def test_a_time_is_read_only_where_every_dose_has_one(text: str, hours: list[tuple[float, float]]) -> None:
    assert [(w.start / HOUR, w.end / HOUR) for w in read_sig(text, LEX).windows or ()] == hours


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
    assert not read_sig(text, LEX).windows


def times(text: str, dose: str | None = None, frequency: str | None = None) -> tuple[Window, ...] | None:
    return read_told(Medication("drug", dose=dose, frequency=frequency), text, LEX).together.windows


def test_one_part_of_the_directions_tells_the_times_and_the_rate() -> None:
    night = (Window(20 * HOUR, 24 * HOUR),)
    assert times("325 mg", "1 tablet", "at bedtime") == night
    assert times("at bedtime", "1", "At  bedtime") == night
    assert times("325 mg twice daily", None, "at bedtime") is None
    assert times("325 mg", "325 mg at 7 am", "at bedtime") is None
    assert times("stop next week", None, "at bedtime") is None
    assert times("325 mg", "1 tablet") == ()


@pytest.mark.parametrize("text", ["325 mg", "1", "75", "1 tablet by mouth with food", "500 mg extended-release tablet"])
def test_what_says_nothing_of_the_time_leaves_it_to_others(text: str) -> None:
    assert read_sig(text, LEX).windows == ()


@pytest.mark.parametrize(
    "text", ["325 mg twice daily", "on Mondays", "325 mg was", "325 mg xyz", "325 mg as needed", "with meals"]
)
def test_what_says_how_often_or_is_not_understood_tells_no_time_and_lets_none_stand(text: str) -> None:
    assert read_sig(text, LEX).windows is None


spans = st.tuples(st.integers(0, 1440), st.integers(0, 300)).map(lambda w: Window(w[0], min(1440, w[0] + w[1])))
several = st.lists(spans, min_size=1, max_size=3).map(tuple)


@given(several, several, st.data())
def test_no_two_doses_can_lie_closer_than_is_said(
    one: tuple[Window, ...], other: tuple[Window, ...], data: st.DataObject
) -> None:
    gap = least_gap(one, other)
    assert gap is not None
    a, b = (data.draw(st.sampled_from(side).flatmap(lambda w: st.integers(w.start, w.end))) for side in (one, other))
    between = abs(a - b)
    assert min(between, 1440 - between) >= min(gap, 720) - 0
    assert gap == least_gap(other, one)


def test_where_one_is_not_told_nothing_is_known() -> None:
    assert least_gap((), (Window(0, 0),)) is None
