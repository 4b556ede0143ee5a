"""What stands before "allergy" in a note is an allergy: of this patient, not denied, and nothing beside it."""

from __future__ import annotations

import pytest

from safety.engine import Engine


def said(engine: Engine, text: str) -> list[tuple[str, bool]]:
    return [(a.to, a.denied) for a in engine.extract(text).allergies]


@pytest.mark.parametrize(
    ("text", "to"),
    [
        ("PCN allergy (hives) per chart, confirmed with pt.", "PCN"),
        ("Latex allergy.", "Latex"),
        ("She has a peanut allergy.", "peanut"),
        ("He is penicillin-allergic.", "penicillin"),
        ("I have a bee sting allergy.", "bee sting"),
        ("Egg allergy, gets her flu shot anyway.", "Egg"),
        ("h/o contrast allergy", "contrast"),
        ("No fever today but PCN allergy on file", "PCN"),
    ],
)
def test_what_stands_before_the_word_is_an_allergy(engine: Engine, text: str, to: str) -> None:
    assert said(engine, text) == [(to, False)]


@pytest.mark.parametrize("text", ["No PCN allergy.", "Denies latex allergy."])
def test_a_denied_one_is_none(engine: Engine, text: str) -> None:
    assert all(denied for _, denied in said(engine, text))


@pytest.mark.parametrize(
    "text",
    [
        "Family hx of PCN allergy.",
        "Sister has a peanut allergy.",
        "His allergies are acting up.",
        "Does she have a latex allergy?",
    ],
)
def test_that_of_kin_and_of_nothing_named_is_none(engine: Engine, text: str) -> None:
    assert said(engine, text) == []
