"""What is said turn by turn, each turn understood by the turns before it; written without sight of the reader."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from measuring.told import history_misses, taking, told

from memory.test_said import TURNS
from safety.engine import Engine
from safety.memory.values import Slot

LINES = (Path(__file__).parent / "turns.jsonl").read_text(encoding="utf-8").splitlines()
SAID: dict[str, dict[str, Any]] = {row["id"]: row for row in map(json.loads, LINES)}


@pytest.mark.parametrize("name", sorted(SAID))
def test_what_is_taken_after_all_that_was_said(name: str, engine: Engine) -> None:
    assert history_misses(SAID[name], engine) == []


BOTH = "I take lisinopril 20 mg and amlodipine 20 mg."


@pytest.mark.parametrize(
    ("text", "slot"), [("I stopped it.", "taking"), ("They lowered it to 10 mg.", "dose"), ("I am to hold it for now.", "taking")]
)
def test_which_of_two_medicines_was_meant_stays_open_and_is_asked(text: str, slot: Slot, engine: Engine) -> None:
    belief = engine.remember(told(engine, [("2026-03-01", BOTH), ("2026-03-02", text)])).belief(date(2026, 3, 3))
    for name in ("lisinopril", "amlodipine"):
        assert belief.medicine(name).slot(slot).standing == "conflict"
        assert ["lisinopril or amlodipine" in q.ask for q in belief.asked_of(belief.medicine(name).line)] == [True]


def test_what_is_open_keeps_a_day_from_being_clear(engine: Engine) -> None:
    memory = engine.remember(told(engine, [("2026-03-01", BOTH), ("2026-03-02", "I stopped it.")]))
    reading = memory.case(date(2026, 3, 3)).reading
    assert reading is not None
    assert {u.what for u in reading.unread} >= {"lisinopril", "amlodipine"}
    assert memory.check(date(2026, 3, 3)).verdict != "clear"


@pytest.mark.parametrize(
    ("answer", "states"),
    [
        ("The lisinopril, I mean.", ("not taken", "taken")),
        ("I stopped the lisinopril.", ("not taken", "taken")),
        ("I still take the amlodipine.", ("not taken", "taken")),
        ("The amlodipine.", ("taken", "not taken")),
    ],
)
def test_once_one_is_named_it_is_settled(answer: str, states: tuple[str, str], engine: Engine) -> None:
    turns = [("2026-03-01", BOTH), ("2026-03-02", "I stopped it."), ("2026-03-02", answer)]
    belief = engine.remember(told(engine, turns)).belief(date(2026, 3, 3))
    assert (taking(belief, "lisinopril"), taking(belief, "amlodipine")) == states
    assert belief.questions == ()


def test_it_of_something_else_tells_nothing(engine: Engine) -> None:
    before = engine.events_said(BOTH, "2026-03-01", 1)
    assert engine.events_said("It was cold and it rained.", "2026-03-02", 2, before=before) == ()


def test_the_words_of_an_event_stand_where_it_says(engine: Engine) -> None:
    before = engine.events_said("I take lisinopril 20 mg.", "2026-03-01", 1)
    text = "My back hurts less. They lowered it to 10 mg. I also take biotin."
    for event in engine.events_said(text, "2026-03-02", 2, before=before):
        assert text[event.said.start : event.said.end].strip() == event.said.text
        assert event.medicine is not None
        assert ("biotin" in event.medicine.text) == ("biotin" in event.said.text)


def test_the_other_one_is_the_one_not_named_last(engine: Engine) -> None:
    turns = ["I take lisinopril and amlodipine.", "I still take the lisinopril.", "I stopped the other one."]
    belief = engine.remember(told(engine, [("2026-03-01", text) for text in turns])).belief(date(2026, 3, 2))
    assert (taking(belief, "lisinopril"), taking(belief, "amlodipine")) == ("taken", "not taken")


def test_a_correction_takes_the_place_of_what_was_told(engine: Engine) -> None:
    (first,) = engine.events_said("I take metoprolol 50 mg twice a day.", "2026-03-01", 1)
    (second,) = engine.events_said("I meant 25, not 50.", "2026-03-01", 2, before=[first])
    assert second.corrects == (first.id,)
    assert taking(engine.remember([first, second]).belief(date(2026, 3, 1)), "metoprolol") == "taken"


@pytest.mark.parametrize("text", ["I meant 30, not 40.", "It is 9, not 10."])
def test_a_number_that_nobody_told_corrects_nothing(text: str, engine: Engine) -> None:
    before = engine.events_said("I take metoprolol 50 mg twice a day.", "2026-03-01", 1)
    assert [e for e in engine.events_said(text, "2026-03-01", 2, before=before) if e.corrects] == []


def test_a_turn_that_names_its_medicine_needs_none_before_it(engine: Engine) -> None:
    alone = [engine.events_said(text, day, n) for n, (day, text) in enumerate(TURNS, 1)]
    assert [e for each in alone for e in each] == told(engine, TURNS)


def test_what_is_said_beside_a_correction_is_told_too(engine: Engine) -> None:
    before = engine.events_said("I take metoprolol 50 mg twice a day.", "2026-03-01", 1)
    found = engine.events_said("I meant 25, not 50. And I am allergic to penicillin.", "2026-03-01", 2, before=before)
    assert {e.says for e in found} == {"taking", "allergic"}
    assert [bool(e.corrects) for e in found if e.says == "taking"] == [True]


def test_who_reacts_to_one_medicine_and_stopped_another_stopped_the_other(engine: Engine) -> None:
    found = engine.events_said("I am allergic to penicillin. I stopped lisinopril.", "2026-03-01", 1)
    assert [e.medicine.text for e in found if e.says == "stopped" and e.medicine is not None] == ["lisinopril"]
