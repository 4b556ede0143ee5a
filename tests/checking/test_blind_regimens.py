"""Regimens and dangers as a chart has them, in shorthand: the odd halves of lists written without sight of our rules.

The whole lists were run once before anything was mended (figures in CHANGELOG). `blind/known.yaml` holds under `regimens`
what is not reached; a row may come out better than it says there, never worse.
"""

from __future__ import annotations

from functools import cache
from statistics import median
from typing import Any

import pytest
import yaml
from conftest import REPO
from measuring.regimens import OUTCOMES, checked, outcome_in, quiet_of

from safety.engine import Engine

BLIND = REPO / "tests" / "checking" / "blind"
DAY = "2026-11-20"


@cache
def rows(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.load((BLIND / f"{name}.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    return loaded


@cache
def known() -> dict[str, str]:
    found: dict[str, Any] = yaml.load((BLIND / "known.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    return dict(found["regimens"])


@pytest.mark.parametrize("row", rows("dangers11"), ids=[row["id"] for row in rows("dangers11")])
def test_a_danger_in_a_chart_comes_out_no_worse_than_is_known(engine: Engine, row: dict[str, Any]) -> None:
    got = outcome_in(engine, row, lambda one: checked(engine, one, DAY))
    right = "told" if "severity" in row["must"] else "silent"  # there, anything but clear is right
    assert OUTCOMES.index(got) <= OUTCOMES.index(known().get(row["id"], right)), got


@pytest.mark.parametrize("row", rows("ordinary11"), ids=[row["id"] for row in rows("ordinary11")])
def test_of_an_everyday_regimen_nothing_is_loud_and_at_most_two_things_are_asked(engine: Engine, row: dict[str, Any]) -> None:
    found = quiet_of([row], lambda one: checked(engine, one, DAY))
    assert found.loud == {}
    assert found.interrupting == []
    assert max(found.questions) <= 2


def test_of_most_everyday_regimens_nothing_is_asked_and_at_most_one_card_shown(engine: Engine) -> None:
    found = quiet_of(rows("ordinary11"), lambda one: checked(engine, one, DAY))
    assert median(found.questions) == 0
    assert median(found.cards) <= 1
