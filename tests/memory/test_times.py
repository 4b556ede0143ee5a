"""Times as people tell them: an exact day where it is one, an interval where it is none, and nothing where it is no time."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import compiled
from hypothesis import given
from hypothesis import strategies as st

from safety.memory.times import TimeReader

TOLD = date(2026, 6, 10)  # a Wednesday
READER = TimeReader(compiled().library.language)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("2026-03-05", "2026-03-05", "2026-03-05"),
        ("2026-03", "2026-03-01", "2026-03-31"),
        ("March 2026", "2026-03-01", "2026-03-31"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("in June", "2026-06-01", "2026-06-10"),
        ("March 5", "2026-03-05", "2026-03-05"),
        ("5 March 2025", "2025-03-05", "2025-03-05"),
        ("2024", "2024-01-01", "2024-12-31"),
        ("today", "2026-06-10", "2026-06-10"),
        ("yesterday", "2026-06-09", "2026-06-09"),
        ("3 days ago", "2026-06-07", "2026-06-07"),
        ("three days ago", "2026-06-07", "2026-06-07"),
        ("a few days ago", "2026-06-05", "2026-06-08"),
        ("2 weeks ago", "2026-05-24", "2026-05-30"),
        ("a month ago", "2026-04-26", "2026-05-26"),
        ("last month", "2026-05-01", "2026-05-31"),
        ("last week", "2026-06-01", "2026-06-07"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("on Monday", "2026-06-08", "2026-06-08"),
        ("last Wednesday", "2026-06-03", "2026-06-03"),
        ("recently", "2026-04-11", "2026-06-10"),
    ],
)
def test_a_time_is_read(said: str, first: str, last: str) -> None:
    found = READER.read(said, TOLD)
    assert found is not None
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)


@pytest.mark.parametrize("said", ["", "soon", "the blue pill", "2026-13-40", "99/99/2026", "every day", "500 mg"])
def test_what_is_no_time_is_none(said: str) -> None:
    assert READER.read(said, TOLD) is None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("I stopped taking that a few days ago because of dizziness", "2026-06-05"),
        ("I quit the Plavix two weeks ago", "2026-05-24"),
        ("I stopped my Lantus on Monday.", "2026-06-08"),
        ("I had a colonoscopy in 2019.", "2019-01-01"),
        ("I took 2 tablets", None),
        ("my blood pressure was 140/90", None),
    ],
)
def test_a_time_is_found_in_a_sentence(text: str, first: str | None) -> None:
    found = READER.find(text, TOLD)
    assert (found.first.isoformat() if found else None) == first


@given(st.integers(0, 400), st.dates(date(1950, 1, 1), date(2100, 1, 1)))
def test_days_ago_is_exact(days: int, told: date) -> None:
    found = READER.read(f"{days} days ago", told)
    assert found is not None
    assert found.exact
    assert (told - found.first).days == days


@given(st.text(max_size=60), st.dates())
def test_nothing_in_a_text_raises_and_an_interval_is_one(text: str, told: date) -> None:
    for found in (READER.read(text, told), READER.find(text, told)):
        assert found is None or found.first <= found.last


@given(
    st.sampled_from(("weeks", "months", "years")), st.integers(1, 60), st.dates(date(1990, 1, 1), date(2100, 1, 1)),
)  # fmt: skip
def test_a_longer_stretch_is_an_interval_around_it_and_never_in_the_future(unit: str, count: int, told: date) -> None:
    found = READER.read(f"{count} {unit} ago", told)
    assert found is not None
    length = {"weeks": 7, "months": 30, "years": 365}[unit]
    assert found.first <= date.fromordinal(told.toordinal() - count * length) <= found.last <= told
    assert not found.exact
