"""Lines that say there is nothing on a list: the list is told, and empty; what denies only a part is asked about."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from broken.laying import lay
from conftest import REPO
from hypothesis import given
from hypothesis import strategies as st

import safety
from safety.engine import Engine
from safety.reading.case import read_case
from safety.understanding.facts import Facts

DAY = date(2026, 11, 20)


def facts(engine: Engine, **patient: Any) -> Facts:
    return Facts(read_case({"patient": patient}), engine.checker.terms, DAY)


@pytest.mark.parametrize(
    "text",
    ["NKDA", "denies", "Denies any drug allergies.", "none reported", "no reported allergies", "NKDA (no known drug allergies)",
     "Allergies: none known", "no"],
)  # fmt: skip
def test_told_in_other_words_that_there_are_no_allergies(engine: Engine, text: str) -> None:
    found = facts(engine, allergies=[text])
    assert (found.allergies, found.unresolved) == ((), [])


@pytest.mark.parametrize("text", ["no known food allergies", "denies penicillin allergy", "none to penicillin"])
def test_what_denies_only_a_part_is_not_told_none(engine: Engine, text: str) -> None:
    found = facts(engine, allergies=[text])
    assert [u.text for u in found.unresolved] == [text]


def test_none_known_beside_an_allergy_is_asked_about_and_the_allergy_stands(engine: Engine) -> None:
    found = facts(engine, allergies=["NKDA", "penicillin: hives"])
    assert [a.target for a in found.allergies or ()] == ["class.penicillins"]
    assert [(u.where, u.status) for u in found.unresolved] == [("allergies[0]", "contradicted")]


def test_none_that_is_coded_as_something_is_read_as_that(engine: Engine) -> None:
    found = facts(engine, allergies=[{"to": "none", "reaction": "penicillin hives"}])
    assert [a.target for a in found.allergies or ()] == ["class.penicillins"]


@pytest.mark.parametrize("text", ["none", "no known problems", "No past medical history.", "healthy"])
def test_told_in_words_that_there_are_no_conditions(engine: Engine, text: str) -> None:
    found = facts(engine, conditions=[text])
    assert (found.problems, found.unresolved) == ((), [])


def test_no_medications_among_the_conditions_says_nothing_of_them(engine: Engine) -> None:
    found = facts(engine, conditions=["no current medications"])
    assert [(u.text, u.where) for u in found.unresolved] == [("no current medications", "conditions[0]")]


def test_a_condition_after_a_denial_keeps_its_place_on_the_list(engine: Engine) -> None:
    found = facts(engine, conditions=["none known", "zorbleitis"])
    assert [(u.text, u.where) for u in found.unresolved] == [("zorbleitis", "conditions[1]")]


@given(st.sampled_from(["NKDA", "no known allergies", "none"]), st.sampled_from([str.upper, str.title, str.lower]))
def test_letters_and_stops_change_no_denial(engine: Engine, text: str, case: Any) -> None:
    assert facts(engine, allergies=[f" {case(text)}. "]).allergies == ()


def test_a_sites_own_words_for_none_are_read(tmp_path: Path) -> None:
    where = "kb/language/denied-lists.yaml"
    lay(tmp_path / "site", where, "id: language.denied-lists\nwords: [nihil]\n")
    told = {"patient": {"allergies": ["nihil"]}}
    own = safety.load([tmp_path / "site"], base=REPO)
    assert Facts(read_case(told), own.checker.terms, DAY).allergies == ()


@pytest.mark.parametrize(
    ("text", "food", "daily", "denied"),
    [
        ("alcohol 4 drinks a day", "food.alcohol", "4 drink", False),
        ("alcohol 14 drinks a week", "food.alcohol", "2 drink", False),
        ("no alcohol", "food.not-taken", None, True),
        ("alcohol, no more than 2 drinks a day", "food.alcohol", "2 drink", False),
        ("alcohol, not more than 2 drinks a day", "food.alcohol", "2 drink", False),
        ("0 drinks of alcohol", "food.alcohol", "0 drink", True),
        ("former smoker", "food.not-taken", None, True),
        ("a glass of grapefruit juice", "food.grapefruit", None, False),
    ],
)
def test_what_is_eaten_and_drunk_is_read_with_its_amount_a_day(
    engine: Engine, text: str, food: str, daily: str | None, denied: bool
) -> None:
    read = engine.checker.terms.intake.read(text)
    assert (read.food, None if read.daily is None else str(read.daily), read.denied) == (food, daily, denied)
