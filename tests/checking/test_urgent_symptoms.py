"""Symptoms with which nobody waits, told in a sentence that denies something else."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize(
    "said",
    [
        "I have chest pain",
        "No fever, but I have chest pain",
        "I have not slept because of chest pain",
        "No cough. Chest pain since noon",
        "I don't have a fever, however the chest pain is back",
    ],
)
def test_what_is_told_after_a_denial_of_something_else_is_told(engine: Engine, said: str) -> None:
    assert engine.checker.terms.urgent_symptoms(said) == ["chest pain"]


@pytest.mark.parametrize(
    "said", ["no chest pain", "denies chest pain", "I have no fever and no chest pain", "not had chest pain since I started it"]
)
def test_what_is_denied_is_not_told(engine: Engine, said: str) -> None:
    assert engine.checker.terms.urgent_symptoms(said) == []
