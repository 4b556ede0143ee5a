"""A place in the case: ordered by number, unchanging, and printed the same way wherever a report is written."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.model.position import Position, printed
from safety.model.report import Subject

places = st.builds(Position, st.sampled_from(["medications", "plan", "allergies"]), st.integers(0, 5000))


@given(st.lists(places, max_size=30))
def test_places_stand_in_the_order_of_their_lists_and_numbers(several: list[Position]) -> None:
    assert [(p.among, p.index) for p in sorted(several)] == sorted((p.among, p.index) for p in several)


@given(places, places)
def test_two_places_are_one_exactly_where_they_print_the_same(one: Position, other: Position) -> None:
    assert (one == other) is (str(one) == str(other))
    assert one == str(one)
    assert one != (one.among, one.index)
    assert len({one, other}) == len({str(one), str(other)})


@given(places)
def test_a_place_is_its_printed_form_in_json_and_survives_copying(place: Position) -> None:
    subject = Subject("as told", None, place)
    assert msgspec.to_builtins(subject, enc_hook=printed)["where"] == f"{place.among}[{place.index}]"
    assert copy.deepcopy(place) == pickle.loads(pickle.dumps(place)) == place


def test_a_place_does_not_change() -> None:
    with pytest.raises(AttributeError, match="index"):
        Position("plan", 0).index = 1  # type: ignore[misc]


def test_nothing_else_is_printed_in_place_of_a_position() -> None:
    with pytest.raises(NotImplementedError):
        printed(object())
