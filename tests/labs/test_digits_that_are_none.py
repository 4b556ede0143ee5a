"""A character that looks like a digit and is no number, "²", is part of a text like any other."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from safety.engine import Engine

DAY = date(2026, 11, 20)


@pytest.mark.parametrize("told", [{"test": "cr", "value": "²-"}, "creatinine ²", "K ⁵.⁹", "sugar ² hundred", "BP ①20/80"])
def test_a_result_told_in_raised_digits_is_answered(engine: Engine, told: Any) -> None:
    assert engine.lab(told, DAY).to_json()


@pytest.mark.parametrize("line", ["warfarin 5 mg ² daily", "warfarin ²⁰⁰⁰", "Tylenol ① po q6h", "prednisone x ² days"])
def test_directions_with_raised_digits_are_answered(engine: Engine, line: str) -> None:
    assert engine.check({"patient": {"medications": [line], "conditions": ["stroke ² years ago", "DM ²"]}}, DAY).to_json()
    assert engine.extract(f"I take {line}. I stopped it ² weeks ago.").to_json()
