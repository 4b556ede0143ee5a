"""What is said in a conversation, turn by turn, as events of a history."""

from __future__ import annotations

from datetime import date

import pytest

from safety.engine import Engine

TURNS = [
    ("2026-01-10", "I take Metformin 500mg every morning."),
    ("2026-02-14", "My doctor increased my metformin to 1000mg."),
    ("2026-03-05", "I stopped the metformin three days ago because the pills upset my stomach."),
    ("2026-03-08", "Should I take my 1000 mg metformin pill before breakfast?"),
]


def test_the_papers_dialogue_as_it_was_said(engine: Engine) -> None:
    events = [e for n, (day, text) in enumerate(TURNS, 1) for e in engine.events_said(text, day, n)]
    assert [e.says for e in events if e.medicine is not None] == ["taking", "changed", "stopped", "asks"]
    memory = engine.remember(events)
    assert memory.asked("metformin 500 mg", date(2026, 2, 20)).verdict == "superseded"
    assert memory.asked("metformin", date(2026, 3, 3)).verdict == "not_taken"
    assert memory.asked("metformin 1000 mg", date(2026, 3, 8)).verdict == "open"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("I take lisinopril 10 mg once a day.", "taking"),
        ("I started lisinopril last week.", "started"),
        ("They lowered my lisinopril to 5 mg.", "changed"),
        ("I quit lisinopril.", "stopped"),
        ("They told me to hold my lisinopril before the procedure.", "held"),
        ("I went back on my lisinopril yesterday.", "resumed"),
        ("I don't take lisinopril.", "denies"),
        ("I haven't been taking my lisinopril regularly.", "irregular"),
        ("I keep forgetting my lisinopril.", "irregular"),
        ("I'm thinking about taking lisinopril.", "considers"),
        ("Should I take my lisinopril now?", "asks"),
    ],
)
def test_what_is_said_of_a_medicine(engine: Engine, text: str, says: str) -> None:
    (event,) = [e for e in engine.events_said(text, "2026-06-10", 1) if e.medicine is not None]
    assert event.says == says
    assert event.said.text == text


def test_what_others_take_is_no_event(engine: Engine) -> None:
    assert engine.events_said("My wife takes warfarin.", "2026-06-10", 1) == ()


def test_problems_allergies_and_results_are_events_with_their_days(engine: Engine) -> None:
    said = "I'm allergic to penicillin. I have no asthma. I have gout. My potassium was 4.4 yesterday."
    events = engine.events_said(said, "2026-06-10", 3, by="caregiver", source="call")
    told = {(e.says, e.allergy or e.condition or e.test): e for e in events}
    assert {says for says, _ in told} == {"allergic", "denies", "has", "measured"}
    result = next(e for e in events if e.says == "measured")
    assert (result.value, result.at.last, result.by, result.said.source) == ("4.4", date(2026, 6, 9), "caregiver", "call")


def test_a_turn_said_twice_is_told_once(engine: Engine) -> None:
    once = engine.events_said(TURNS[0][1], TURNS[0][0], 1)
    assert engine.remember([*once, *once]).history.events == once
