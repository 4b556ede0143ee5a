"""Told far enough apart, an absorption warning is silent; told in any way that leaves a doubt, it stands."""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine

DAY = "2026-11-22"
MORNING = "levothyroxine 75 mcg oral at 7 am"


def warned(engine: Engine, thyroid: Any, iron: Any) -> bool:
    report = engine.check({"patient": {"medications": [thyroid, iron]}}, DAY)
    return any(f.rule == "interaction.levothyroxine-iron" for f in report.findings)


def iron(**fields: Any) -> dict[str, Any]:
    return {"drug": "ferrous sulfate", **fields}


@pytest.mark.parametrize(
    "told",
    [
        iron(sig="325 mg twice daily", frequency="at bedtime"),
        iron(sig="325 mg three times a day", frequency="at 4 pm"),
        iron(dose="325 mg at 7 am", frequency="at bedtime"),
        iron(dose="325 mg in the morning", sig="at bedtime"),
        iron(text="ferrous sulfate 325 mg twice daily with breakfast and dinner", frequency="at bedtime"),
        {"text": "ferrous sulfate 325 mg twice daily with breakfast and dinner", "frequency": "at bedtime"},
        iron(sig="at bedtime", as_needed=True),
        "ferrous sulfate 325 mg at 4 pm if needed",
        "ferrous sulfate 325 mg daily, not at bedtime",
        "ferrous sulfate 325 mg at bedtime [now in the morning]",
        "ferrous sulfate 325 mg daily, labs drawn at 3 pm",
        "last dose of ferrous sulfate 325 mg at 4 pm",
        "ferrous sulfate 325 mg once daily at 4 pm and at 7",
        "ferrous sulfate 325 mg at 5:00",
    ],
)
def test_iron_told_doubtfully_is_warned_about_with_levothyroxine_in_the_morning(engine: Engine, told: Any) -> None:
    assert warned(engine, MORNING, told)


@pytest.mark.parametrize(
    ("thyroid", "other"),
    [
        ("levothyroxine 75 mcg before dinner", "ferrous sulfate 325 mg at noon"),
        ("levothyroxine 75 mcg at bedtime (works nights)", "ferrous sulfate 325 mg before breakfast"),
        ("levothyroxine 75 mcg at 6 pm", "ferrous sulfate 325 mg at 7:00"),
        ("levothyroxine 75 mcg at 9 am", "ferrous sulfate 325 mg at 5:00"),
    ],
)
def test_open_ended_and_half_told_times_do_not_lie_apart(engine: Engine, thyroid: str, other: str) -> None:
    assert warned(engine, thyroid, other)


@pytest.mark.parametrize(
    "told",
    [
        iron(dose="325 mg", route="oral", frequency="at bedtime"),
        iron(strength="325 mg", sig="take 1 tablet by mouth once daily at bedtime"),
        iron(text="ferrous sulfate 325 mg", sig="at 16:00"),
        {"text": "ferrous sulfate 325 mg", "frequency": "every evening"},
        "ferrous sulfate 325 mg EC tablet by mouth once daily with dinner",
    ],
)
def test_iron_plainly_told_for_the_evening_is_not_warned_about(engine: Engine, told: Any) -> None:
    assert not warned(engine, MORNING, told)
