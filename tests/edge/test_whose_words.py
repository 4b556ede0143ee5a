"""Which words of a sentence are told of which medicine, and what a verb beside a name is worth against the rest of its clause."""

from __future__ import annotations

import pytest

from safety.engine import Engine


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Cardiology cut his Lasix in half and told him no more potassium.", "Lasix taking, potassium stopped"),
        ("Flovent got discontinued so she was changed to Qvar 40.", "Flovent stopped, Qvar taking"),
        ("I forgot my Humira shot last Thursday.", "Humira missed"),
        ("I never picked up the Paxil, the side effects scared me.", "Paxil denied"),
        ("I picked up the Paxil and the side effects scared me.", "Paxil taking"),
        ("Gyn says time to quit the Premarin, I'm thinking about it.", "Premarin considering"),
        ("Gyn says to quit the Premarin, so I did.", "Premarin stopped"),
        ("I start the Prolia next Friday.", "Prolia considering"),
        ("Can I have a glass of wine with my Effexor?", "Effexor taking"),
        ("Used to use melatonin.", "melatonin stopped"),
        ("Resident refused AM meds x2 incl. furosemide 40.", "furosemide denied"),
    ],
)
def test_a_medicine_is_told_by_the_words_of_its_own_clause(engine: Engine, text: str, told: str) -> None:
    assert ", ".join(f"{m.span.text} {m.context}" for m in engine.extract(text).medications) == told


@pytest.mark.parametrize(
    ("text", "dose", "often"),
    [
        ("Carvedilol resumed at 6.25 mg BID, HR 68.", "6.25 mg", "2 times a day"),
        ("ASA 81 mg qd since 12 wks.", "81 mg", "once a day"),
        ("Ozempic 0.5 mg SC weekly, titrate to 1 mg after 4 wks if tolerated.", "0.5 mg", "once a week"),
        ("Start Venofer 100 mg q2wk.", "100 mg", "q2wk"),
        ("Augmentin 875 BID.", "875 mg", "2 times a day"),
        ("Depo-Provera 150 mg every 3 months.", "150 mg", "every 3 months"),
    ],
)
def test_a_length_a_reading_and_a_later_dose_are_no_dose(engine: Engine, text: str, dose: str, often: str) -> None:
    (one,) = engine.extract(text).medications
    assert (one.dose and one.dose.value, one.directions and one.directions.value) == (dose, often)


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("She stays on her Tegretol 200 mg TID.", "taking"),
        ("An alternative would be Tegretol 200 mg TID.", "mentioned"),
        ("Insurance approved Tegretol 200 mg TID.", "mentioned"),
    ],
)
def test_how_much_and_how_often_is_taken_unless_the_clause_says_otherwise(engine: Engine, text: str, context: str) -> None:
    (one,) = engine.extract(text).medications
    assert one.context == context
