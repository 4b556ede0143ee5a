"""Strengths of combinations as people write them: every number goes to its own ingredient, or to none."""

from __future__ import annotations

from datetime import date

import pytest

from safety.engine import Engine
from safety.reading.case import read_case
from safety.understanding.facts import Facts


def day_of(engine: Engine, text: str) -> dict[str, str]:
    """What 24 hours of it hold, by ingredient."""
    facts = Facts(read_case({"patient": {"medications": [text]}}), engine.checker.terms, date(2026, 11, 20))
    (entry,) = facts.entries
    return {engine.library.name_of(d): str(entry.day(d, facts.units)) for d in entry.drugs}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lisinopril-hydrochlorothiazide 20-12.5 mg once daily", {"lisinopril": "20 mg", "hydrochlorothiazide": "12.5 mg"}),
        ("Diovan HCT 160/12.5 once daily", {"valsartan": "160 mg", "hydrochlorothiazide": "12.5 mg"}),
        ("Janumet 50/1000 twice daily", {"sitagliptin": "100 mg", "metformin": "2000 mg"}),
        ("amoxicillin-clavulanate 875-125 mg twice daily", {"amoxicillin": "1750 mg", "clavulanate": "250 mg"}),
        ("Norco 5-325 mg 1 tab q6h", {"hydrocodone": "20 mg", "acetaminophen": "1300 mg"}),
        ("Percocet 10/325 2 tablets every 6 hours", {"oxycodone": "80 mg", "acetaminophen": "2600 mg"}),
        # a strength that the product we hold is not sold in keeps its own numbers
        (
            "sulfamethoxazole-trimethoprim 800-160 mg 1 tablet twice daily",
            {"sulfamethoxazole": "1600 mg", "trimethoprim": "320 mg"},
        ),
        # a combination that we hold no product of
        ("losartan/hctz 100-25 daily", {"losartan": "100 mg", "hydrochlorothiazide": "25 mg"}),
    ],
)
def test_each_number_belongs_to_its_own_ingredient(engine: Engine, text: str, expected: dict[str, str]) -> None:
    assert day_of(engine, text) == expected


def test_one_number_for_two_ingredients_belongs_to_none(engine: Engine) -> None:
    assert all(v.startswith("not told") for v in day_of(engine, "lisinopril-hydrochlorothiazide 20 mg once daily").values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Symbicort 160/4.5 2 puffs twice daily", {"budesonide": "640 mcg", "formoterol": "18 mcg"}),
        ("Advair 250/50 1 inhalation twice daily", {"fluticasone": "500 mcg", "salmeterol": "100 mcg"}),
    ],
)
def test_an_inhalers_numbers_are_micrograms_in_one_puff(engine: Engine, text: str, expected: dict[str, str]) -> None:
    assert day_of(engine, text) == expected


@pytest.mark.parametrize("taken", ["1-2 tablets every 4-6 hours as needed", "1/2 tablet daily", "5-10 mg every 6 hours"])
@pytest.mark.parametrize("name", ["Percocet", "Norco", "oxycodone-acetaminophen", "losartan/hctz"])
def test_a_range_of_tablets_is_no_strength(engine: Engine, name: str, taken: str) -> None:
    facts = Facts(read_case({"patient": {"medications": [f"{name} {taken}"]}}), engine.checker.terms, date(2026, 11, 20))
    (entry,) = facts.entries
    if name != "losartan/hctz" or "tablet" in taken:
        assert entry.meaning.stated == {} or all(v is None for v in entry.meaning.stated.values())
