"""Reports of a day of a course, against the step of the order in which that day falls."""

from __future__ import annotations

import pytest
from conftest import loaded

from safety.engine import Engine

TAPERS = [
    "prednisone 40 mg daily x 5 days, then 20 mg daily x 5 days",
    "prednisone 40 x5d, 20 x5d",
    "prednisone 10 mg tablets: 4 tabs daily x 5 days, then 2 tabs daily x 5 days",
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return loaded()


def verdict(engine: Engine, prescribed: str, reported: str) -> str:
    return engine.dose({"patient": {"age": 50}, "prescribed": prescribed, "reported": reported}, "2026-11-20").verdict


@pytest.mark.parametrize("order", TAPERS)
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("day 8, still taking 40 mg once a day", "HIGH"),
        ("it's day 8, I take 20 mg once a day", "CORRECT"),
        ("on day 3 I took 40 mg once a day", "CORRECT"),
        ("day 3, I take 20 mg once a day", "LOW"),
        ("day 5, I take 40 mg once a day", "CORRECT"),
        ("day 6, I take 40 mg once a day", "HIGH"),
    ],
)
def test_a_dose_is_judged_by_the_step_of_its_day(order: str, said: str, expected: str, engine: Engine) -> None:
    assert verdict(engine, order, said) == expected


def test_without_a_day_a_taper_stays_open(engine: Engine) -> None:
    assert verdict(engine, TAPERS[0], "I take 40 mg once a day") == "UNKNOWN"


def test_after_the_last_step_nothing_is_guessed(engine: Engine) -> None:
    assert verdict(engine, TAPERS[0], "day 30, I take 20 mg once a day") == "UNKNOWN"


def test_the_number_of_the_day_is_no_amount(engine: Engine) -> None:
    answer = engine.dose(
        {"patient": {"age": 50}, "prescribed": TAPERS[0], "reported": "day 8, still taking 40 mg once a day"}, "2026-11-20"
    )
    assert (answer.reported_per_day, answer.expected_per_day) == ("40 mg", "20 mg")


def test_three_times_a_day_is_no_day_of_a_course(engine: Engine) -> None:
    assert verdict(engine, "ibuprofen 400 mg three times a day", "I take 400 mg three times a day") == "CORRECT"
