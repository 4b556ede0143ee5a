"""A medicine that is not named: what becomes of it by the words of a clause, and what is about anything else."""

from __future__ import annotations

from datetime import date

import pytest
from measuring.told import taking as state
from measuring.told import told

from safety.engine import Engine

FIRST = ("2026-03-01", "I take metoprolol 50 mg twice a day.")


def after(engine: Engine, *texts: str, first: tuple[str, str] = FIRST) -> str:
    turns = [first, *((f"2026-04-{n:02}", text) for n, text in enumerate(texts, 1))]
    return state(engine.remember(told(engine, turns)).belief(date(2026, 5, 1)), "metoprolol")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm all done with it.", "not taken"),
        ("Took the last of the bottle and didn't refill it.", "held"),
        ("They took it away.", "not taken"),
        ("The clinic says no pills until next week.", "held"),
        ("I don't need it any longer.", "not taken"),
        ("I haven't needed it in weeks.", "taken"),
        ("I can come off it in October.", "taken"),
        ("I'm trying to get off it.", "taken"),
        ("They want me to drop one of the tablets.", "taken"),
        ("It made me dizzy, so the doctor pulled it.", "not taken"),
        ("Winter is over.", "taken"),
        ("I quit smoking.", "taken"),
        ("The pain is gone.", "taken"),
        ("I have the day off.", "taken"),
        ("My last dose was at 8.", "taken"),
        ("My pressure came down so no pill needed.", "taken"),
        ("I am done with work.", "taken"),
        ("I take no more than two a day.", "taken"),
    ],
)
def test_what_becomes_of_the_medicine_named_before(text: str, expected: str, engine: Engine) -> None:
    assert after(engine, text) == expected


@pytest.mark.parametrize(
    ("text", "dose"),
    [
        ("Now 100 of it.", "100 mg"),
        ("Yes, 25 mg.", "25 mg"),
        ("I turned 50 last week, and my sugar was 100.", "50 mg"),
        ("I walk 25 minutes and weigh 100 kilos.", "50 mg"),
        ("Up to 100 but I felt faint, so we went back to 50.", "50 mg"),
    ],
)
def test_a_number_is_a_dose_where_it_can_be_nothing_else(text: str, dose: str, engine: Engine) -> None:
    belief = engine.remember(told(engine, [FIRST, ("2026-04-01", text)])).belief(date(2026, 5, 1))
    assert str(belief.medicine("metoprolol").slot("dose").value) == dose


def test_a_parent_who_is_spoken_for_is_the_patient_until_the_speaker_tells_of_themselves(engine: Engine) -> None:
    first = ("2026-03-01", "Mom's on metoprolol 50 mg.")
    assert after(engine, first=first) == "taken"
    assert after(engine, "I take lisinopril 10 mg.", first=first) == "untold"
    assert after(engine, first=("2026-03-01", "My mother takes metoprolol. I don't.")) == "untold"
    assert after(engine, first=("2026-03-01", "My husband takes metoprolol.")) == "untold"


def test_the_name_told_after_the_kind_takes_its_place(engine: Engine) -> None:
    turns = [("2026-03-01", "I take a water pill."), ("2026-04-01", "It says furosemide 20 on the bottle.")]
    belief = engine.remember(told(engine, turns)).belief(date(2026, 5, 1))
    assert [one.name for one in belief.medicines if state(belief, one.name) == "taken"] == ["furosemide"]


@pytest.mark.parametrize(
    ("text", "allergic"),
    [
        ("Penicillin closed my throat when I was a kid.", "penicillin"),
        ("I can't take sulfa, my skin peeled.", "sulfa"),
        ("I'm allergic to shellfish and penicillin.", "shellfish"),
        ("I take cetirizine for hives.", ""),
        ("Metformin gave me diarrhea.", ""),
        ("Amoxicillin never gave me a rash.", ""),
    ],
)
def test_an_allergy_is_told_by_what_a_medicine_did(text: str, allergic: str, engine: Engine) -> None:
    belief = engine.remember(told(engine, [("2026-03-01", text)])).belief(date(2026, 5, 1))
    present = [one.name for one in belief.allergies if str(one.slot("state").value) == "present"]
    assert bool(present) == bool(allergic)
    assert not allergic or str(belief.allergy(allergic).slot("state").value) == "present"
