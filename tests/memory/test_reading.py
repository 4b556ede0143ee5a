"""Events as callers write them: what is right is read, and every slip is told at once, each at its place."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, refusal
from hypothesis import given
from hypothesis import strategies as st

from safety.memory.reading import read_events
from safety.memory.times import TimeReader

READER = TimeReader(compiled().library.language)


def slips(value: object) -> list[tuple[str, str]]:
    found = refusal(lambda: read_events(value, READER))
    assert found is not None
    assert all(p.message for p in found)
    return [(p.place.file, p.code) for p in found]


@pytest.mark.parametrize(
    ("value", "place", "code"),
    [
        ("not a list", "events", "R501"),
        ([3], "events[0]", "R501"),
        ([{"says": "taking", "medicine": "metformin"}], "events[0]", "R105"),
        ([{"told": "June", "says": "taking", "medicine": "metformin"}], "events[0].told", "R112"),
        ([{"told": "2026-01-01", "medicine": "metformin"}], "events[0].says", "R507"),
        ([{"told": "2026-01-01", "says": "gulps", "medicine": "metformin"}], "events[0].says", "R507"),
        ([{"told": "2026-01-01", "says": "taking", "by": "dog", "medicine": "metformin"}], "events[0].by", "R507"),
        ([{"told": "2026-01-01", "says": "taking"}], "events[0]", "R504"),
        ([{"told": "2026-01-01", "says": "has", "condition": "gout", "medicine": "x"}], "events[0]", "R504"),
        ([{"told": "2026-01-01", "says": "taking", "condition": "gout"}], "events[0].says", "R505"),
        ([{"told": "2026-01-01", "says": "taking", "medicine": "x", "when": "at some point"}], "events[0].when", "R506"),
        (
            [{"told": "2026-01-01", "says": "taking", "medicine": "x", "when": ["2026-01-05", "2026-01-01"]}],
            "events[0].when",
            "R506",
        ),
        ([{"told": "2026-01-01", "says": "taking", "medicine": "x", "turn": -1}], "events[0].turn", "R116"),
        ([{"told": "2026-01-01", "says": "taking", "medicine": "x", "dosee": "5 mg"}], "events[0].dosee", "R102"),
        ({"event": []}, "events.event", "R102"),
        ({"events": [], "patient": {"age": "blue"}}, "events.patient.age", "R107"),
    ],
)
def test_a_slip_is_told_at_its_place(value: object, place: str, code: str) -> None:
    assert (place, code) in slips(value)


def test_every_slip_is_told_at_once() -> None:
    assert len(slips([{"says": "taking"}, {"told": "x", "says": "taking"}, 7])) == 3


def test_turns_count_up_and_what_is_taken_instead_is_a_stop() -> None:
    told = [
        {"told": "2026-01-01", "says": "taking", "medicine": "lisinopril"},
        {"told": "2026-02-01", "says": "started", "medicine": "losartan", "instead_of": "lisinopril", "turn": 7},
        {"told": "2026-03-01", "says": "taking", "medicine": "losartan"},
    ]
    events = read_events(told, READER).events
    assert [(e.turn, e.says) for e in events] == [(1, "taking"), (7, "started"), (7, "stopped"), (8, "taking")]
    assert events[2].medicine is not None
    assert events[2].medicine.text == "lisinopril"
    assert len({e.id for e in events}) == 4


def test_words_and_their_place_are_kept() -> None:
    (event,) = read_events(
        [{"told": "2026-01-01", "says": "taking", "medicine": "x", "said": "I take x", "span": [4, 12], "source": "visit"}],
        READER,
    ).events
    assert (event.said.text, event.said.start, event.said.end, event.said.source) == ("I take x", 4, 12, "visit")


KEYS = ("told", "says", "medicine", "when", "turn", "id", "corrects", "test", "value", "span")
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from(("2026-01-01", "taking", "metformin")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("told", "says", "medicine", "when", "turn", "id", "corrects", "test", "value", "span")),
            inner,
            max_size=6,
        )
    ),
    max_leaves=14,
)


@given(PLAIN)
def test_whatever_is_given_it_is_read_or_refused(value: Any) -> None:
    refusal(lambda: read_events(value, READER))


def test_without_turns_the_days_count_them() -> None:
    told = [
        {"told": "2026-02-01", "says": "stopped", "medicine": "losartan"},
        {"told": "2026-01-01", "says": "taking", "medicine": "losartan"},
    ]
    assert [(e.turn, e.says) for e in read_events(told, READER).events] == [(1, "taking"), (2, "stopped")]
