"""When a sample was drawn: bands by the hour of the day, hours after a dose, and what is asked where neither is told."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, engine_of

from safety.model.lab_answer import LabAnswer

ENGINE = engine_of(compiled().library)
WOMAN = {"age": "50 y", "sex": "female"}
MAN = {"age": "50 y", "sex": "male"}
ON_DIGOXIN = {"age": "80 y", "sex": "female", "medications": ["digoxin 0.125 mg daily"]}


def _answer(asked: str | dict[str, Any], patient: dict[str, Any]) -> LabAnswer:
    told = {"text": asked} if isinstance(asked, str) else asked
    return ENGINE.lab({"patient": patient, **told}, "2026-11-20")


@pytest.mark.parametrize(
    ("asked", "status", "needs"),
    [
        ("cortisol 12", "normal", []),  # ordinary at 8 and at 16
        ("cortisol 30", "high", []),  # high at both
        ("cortisol 18", "unknown", ["time"]),  # ordinary in the morning, high in the afternoon
        ("cortisol 4", "unknown", ["time"]),
        ("cortisol 1.5", "critical_low", ["time"]),  # at midnight it would be ordinary, but it doesn't wait
        ("AM cortisol 18", "normal", []),
        ("cortisol 18 drawn at 4 pm", "high", []),
        ("cortisol 18 at 0800", "normal", []),
        ("cortisol 18 drawn 16:30", "high", []),
        ("cortisol 4 this morning", "low", []),
        ("cortisol 4, afternoon draw at 3pm", "normal", []),
        ("cortisol 9 at noon", "unknown", ["time"]),
        ("cortisol 1.5 at midnight", "unknown", ["time"]),
        ("8 am cortisol 20, 4 pm", "unknown", ["time"]),  # two hours told: neither is taken
        ("I am worried about my cortisol of 18", "unknown", ["time"]),
        ({"test": "cortisol", "value": 18, "unit": "mcg/dL", "drawn": "4 pm"}, "high", []),
        ({"test": "morning cortisol", "value": 18, "unit": "mcg/dL"}, "normal", []),
    ],
)
def test_cortisol_is_judged_by_the_hour(asked: str | dict[str, Any], status: str, needs: list[str]) -> None:
    told = _answer(asked, WOMAN)
    assert (told.status, told.needs) == (status, needs)


def test_a_low_testosterone_of_the_afternoon_is_measured_again_in_the_morning() -> None:
    assert "in the morning" in _answer("testosterone 220 drawn at 4pm", MAN).task
    assert _answer("testosterone 220 drawn at 8am", MAN).needs == []
    assert _answer("testosterone 450 drawn at 4pm", MAN).needs == []  # what is ordinary then is ordinary
    assert _answer("testosterone 220", MAN).needs == ["time"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("digoxin 2.4 drawn 2 hours after dose", "so soon after a dose"),
        ("digoxin 2.4 drawn 90 min after her pill", "so soon after a dose"),
        ("digoxin 2.4 this morning", "When was it drawn"),  # the hour of the day says nothing of the dose
        ("digoxin 2.4", "When was it drawn"),
    ],
)
def test_a_level_that_was_drawn_too_soon_is_measured_again(asked: str, says: str) -> None:
    told = _answer(asked, ON_DIGOXIN)
    assert told.status == "high"
    assert says in told.ask


@pytest.mark.parametrize(
    "asked", ["digoxin 2.4 drawn 8 hours after dose", "digoxin trough 2.4", "digoxin 1.1", "digoxin 1.1, 8 hours after dose"]
)
def test_nothing_is_asked_where_the_time_was_right_or_makes_no_difference(asked: str) -> None:
    assert _answer(asked, ON_DIGOXIN).needs == []


def test_an_ordinary_level_that_was_drawn_too_soon_says_nothing_either() -> None:
    told = _answer("digoxin 1.1, 2 hours after dose", ON_DIGOXIN)
    assert (told.status, told.needs) == ("normal", ["time"])
    assert "so soon after a dose" in told.task


def test_iron_is_ordinary_at_any_hour_and_a_high_one_asks_for_tablets() -> None:
    assert _answer("iron 100 at 4 pm", WOMAN).needs == []
    assert "no iron taken" in _answer("iron 220", WOMAN).ask
