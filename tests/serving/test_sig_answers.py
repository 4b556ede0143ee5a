"""`engine.sig`: each part of directions with the characters that tell it, and the whole in a sentence to read back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import safety
from safety.engine import Engine
from safety.reading.directions.places import laid_over

SAID = [
    ("amoxicillin 500 mg po bid x 10 days", "Take 500 mg by mouth twice a day for 10 days."),
    ("1 po bid prn", "Take 1 by mouth twice a day as needed."),
    ("take 1-2 tablets by mouth every 4-6 hours as needed for pain, max 8 tablets per day",
     "Take 1 to 2 tablets by mouth every 4 to 6 hours as needed for pain, at most 8 tablets a day."),
    ("prednisone 40 mg daily x5 days then 20 mg daily x 5 days",
     "Take 40 mg by mouth once a day for 5 days, then 20 mg once a day for 5 days."),
    ("warfarin 5 mg alternating with 2.5 mg", "Take 5 mg by mouth every other day alternating with 2.5 mg every other day."),
    ("insulin glargine 20 units subcut qhs", "Inject 20 units under the skin once a day at night."),
    ("inhale 2 puffs every 4 hours as needed for wheezing", "Inhale 2 puffs every 4 hours as needed for wheezing."),
    ("methotrexate 15 mg by mouth once a week", "Take 15 mg by mouth once a week."),
]  # fmt: skip
PARTS = [
    ("amoxicillin 500 mg po bid x 10 days",
     {"name": "amoxicillin", "dose": "500 mg", "route": "po", "frequency": "bid", "duration": "x 10 days"}),
    ("ibuprofen 400 mg 1-2 tabs q4-6h prn pain, max 6/day",
     {"name": "ibuprofen", "strength": "400 mg", "dose": "1-2 tabs", "frequency": "q4-6h", "as_needed": "prn", "reason": "pain",
      "maximum": "max 6/day"}),
    ("½ tab p.o. w/ food qAM", {"dose": "½ tab", "route": "p.o.", "time": "qAM"}),
    ("amoxicillin 400 mg/5 mL suspension 7.5 mL twice a day",
     {"name": "amoxicillin", "strength": "400 mg/5 mL", "form": "suspension", "dose": "7.5 mL", "frequency": "twice a day"}),
    ("take two tablets zorply at bedtime", {"dose": "two tablets", "unread": "zorply", "time": "bedtime"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), SAID, ids=[text for text, _ in SAID])
def test_directions_are_read_back_in_a_sentence(engine: Engine, text: str, says: str) -> None:
    answer = engine.sig(text)
    assert (answer.status, answer.says, answer.ask) == ("read", says, "")


@pytest.mark.parametrize(("text", "parts"), PARTS, ids=[text for text, _ in PARTS])
def test_each_part_names_the_characters_that_tell_it(engine: Engine, text: str, parts: dict[str, str]) -> None:
    found = engine.sig(text).parts
    assert {part.part: part.text for part in found} == parts
    assert [text[part.start : part.end] for part in found] == [part.text for part in found]


def test_doses_of_different_times_are_not_read_back_as_a_range(engine: Engine) -> None:
    said = "1/2 tab in the morning and 1 tab at night"
    assert engine.sig(said).says == f"As written: {said}"


def test_what_was_not_understood_is_said_and_asked(engine: Engine) -> None:
    answer = engine.sig("take 1 tablet florbly every day")
    assert answer.status == "partly"
    assert "not understood: florbly" in answer.says
    assert answer.ask == "What is meant by `florbly`?"
    nothing = engine.sig("blorp the zorp")
    assert (nothing.status, nothing.says, nothing.dose, nothing.frequency) == ("unread", "", None, None)


def test_a_number_without_its_unit_is_asked_about_and_never_a_dose(engine: Engine) -> None:
    answer = engine.sig("800 bid")
    assert answer.dose is None
    assert answer.ask == "800 of what: milligrams, milliliters, tablets?"


def test_a_medicine_that_is_held_is_not_told_as_taken(engine: Engine) -> None:
    assert engine.sig("HOLD lisinopril 10 mg daily").state != "taken"


def test_numbers_are_numbers_in_the_json(engine: Engine) -> None:
    told = engine.sig("take 1.5 tablets every 8 hours").to_dict()
    assert told["dose"] == {"text": "1.5 tablets", "low": 1.5, "high": 1.5, "unit": "tablet"}
    assert told["frequency"]["per_day"] == [3, 3]
    assert told == json.loads(engine.sig("take 1.5 tablets every 8 hours").to_json())


WORDS = [
    "take", "1", "2", "½", "1-2", "one", "tablet", "tabs", "500 mg", "5 mL", "po", "p.o.", "by mouth", "bid", "q6h",
    "every 4-6 hours",     "twice daily", "prn", "for pain", "x 10 days", "then", "w/", "with food", "at bedtime", "max 6/day",
    "metformin", "warfrin",
    "HOLD", ",", ";", "(", "zorp", "é", "\u200b", "tome una tableta", "Mon-Fri", "…", "İ", "800",
]  # fmt: skip


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join) | st.text(max_size=40))
def test_whatever_is_written_parts_lie_in_the_text_in_order_and_do_not_overlap(engine: Engine, text: str) -> None:
    answer = engine.sig(text)
    at = 0
    for part in answer.parts:
        assert at <= part.start < part.end <= len(text)
        assert text[part.start : part.end] == part.text
        at = part.end
    assert answer.to_dict()["text"] == text


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_words_as_written_lie_exactly_where_they_are(words: list[str]) -> None:
    text = "  ".join(words)
    assert [text[a:b] for a, b in laid_over(words, text)] == words


@pytest.mark.parametrize("wrong", [None, b"1 po bid", 5])
def test_what_is_no_text_is_the_callers_slip(engine: Engine, wrong: Any) -> None:
    with pytest.raises(safety.RequestError):
        engine.sig(wrong)
