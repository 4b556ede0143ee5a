"""Histories told in clinical situations: what is believed of each day is what a careful pharmacist would believe."""

from __future__ import annotations

from typing import Any

import pytest

from memory.dialogues import DIALOGUES, misses
from safety.engine import Engine


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=[d["name"] for d in DIALOGUES])
def test_what_was_told_comes_to_what_is_expected(engine: Engine, dialogue: dict[str, Any]) -> None:
    assert [(what, instead) for what, instead in misses(engine, dialogue) if instead] == []


def test_there_are_at_least_120_dialogues_and_each_expects_something() -> None:
    assert len(DIALOGUES) >= 120
    assert all(d["expect"] for d in DIALOGUES)
    assert len({d["name"] for d in DIALOGUES}) == len(DIALOGUES)
