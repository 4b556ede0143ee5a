"""Pairs of numbers in a row, "H/H 11.2/33 > 9.6/29 > 8.1/24": the last pair is judged, the others are what was before."""

from __future__ import annotations

import pytest

from safety.engine import Engine


def answered(engine: Engine, text: str) -> tuple[str, list[str]]:
    answer = engine.lab({"text": text, "patient": {"age": "65 y", "sex": "male"}}, "2026-11-29")
    return str(answer.value), [note for note in answer.notes if note.startswith(("told before", "not read"))]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("H/H 11.2/33 > 9.6/29 > 8.1/24", "8.1 g/dL"),
        ("H&H 11.2/33, 9.6/29, 8.1/24", "8.1 g/dL"),
        ("H/H 11.2/33 -> 8.1/24", "8.1 g/dL"),
        ("BP 148/88 > 130/80 > 98/60", "98 mmHg"),
        ("BP 148/88 → 98/60 mmHg", "98 mmHg"),
    ],
)
def test_the_last_pair_of_a_row_is_judged(engine: Engine, text: str, value: str) -> None:
    told, notes = answered(engine, text)
    assert told == value
    assert notes
    assert all(note.startswith("told before") for note in notes)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("BP 148/88, 130/80 yesterday", "148 mmHg"),
        ("BP 148/88, 11/26", "148 mmHg"),
        ("H/H 11.2/33, 11/26", "11.2 g/dL"),
        ("BP 130/80 (goal <130/80)", "130 mmHg"),
        ("BP 120/80, lisinopril 20/12.5", "120 mmHg"),
    ],
)
def test_a_day_an_older_pair_a_goal_and_a_medicine_are_no_later_pair(engine: Engine, text: str, value: str) -> None:
    assert answered(engine, text)[0] == value


def test_a_long_run_of_small_words_between_numbers_is_read_at_once(engine: Engine) -> None:
    """Tried in every way they can be told apart, it would take longer than anybody waits."""
    assert answered(engine, "K 5.1 " + "now up to " * 40 + "and no more")[0] == "5.1 mmol/L"


@pytest.mark.parametrize("text", ["? 5", "K ? 5", "? ", "what ? 5 ?? 6", "UA: ? 5", "K?? 5.1 ?"])
def test_the_mark_of_a_question_that_stands_by_itself_is_passed(engine: Engine, text: str) -> None:
    assert engine.lab({"text": text}, "2026-11-29").task
