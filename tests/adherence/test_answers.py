"""What stands in an answer beside the verdict: names, questions, who is called, advice for a missed dose."""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine
from safety.errors import RequestError
from safety.model.report import DoseAnswer
from safety.reading.names.mentions import find_mentions

DAY = "2026-11-20"


def asked(engine: Engine, prescribed: Any, reported: Any, **patient: Any) -> DoseAnswer:
    return engine.dose({"patient": patient, "prescribed": prescribed, "reported": reported}, DAY)


@pytest.mark.parametrize("heard", ["furosimide", "furo semide", "furosamide", "Lasix", "LASIX", "lasicks"])
def test_the_prescribed_name_misheard_is_the_prescribed_one_and_asked_about(engine: Engine, heard: str) -> None:
    a = asked(engine, "furosemide 40 mg twice daily", f"I take my {heard} 40 mg twice a day")
    assert a.verdict in ("CORRECT", "UNKNOWN")
    if heard.lower() != "lasix":
        assert a.confirm
        assert "furosemide" in a.ask


@pytest.mark.parametrize(
    ("prescribed", "heard"),
    [("hydralazine", "hydroxyzine"), ("hydralazine", "hydroxazine"), ("hydroxyzine", "hydralizine"), ("buspirone", "bupropion"),
     ("metoprolol", "metformin"), ("clonidine", "clonazepam")],
)  # fmt: skip
def test_a_name_that_is_confused_with_the_prescribed_one_is_never_correct(engine: Engine, prescribed: str, heard: str) -> None:
    assert asked(engine, f"{prescribed} 25 mg three times daily", f"{heard} 25 mg three times a day").verdict != "CORRECT"


def test_a_medicine_nobody_knows_is_a_question_and_not_the_prescribed_one(engine: Engine) -> None:
    a = asked(engine, "lisinopril 10 mg once daily", "I take flurbozide 10 mg once daily")
    assert (a.verdict, a.needs) == ("UNKNOWN", ["drug"])
    assert a.ask


def test_a_prescription_medicine_without_a_prescription_is_referred(engine: Engine) -> None:
    a = asked(engine, None, "I take apixaban 5 mg twice a day", age="50 y")
    assert "not on the list of prescriptions" in a.task
    assert a.escalate == "pharmacist"
    assert "prescription" in a.needs


def test_another_medicine_than_the_prescribed_one_is_never_correct_by_its_own_range(engine: Engine) -> None:
    assert asked(engine, "warfarin 5 mg once daily", "apixaban 5 mg twice a day", age="50 y").verdict == "UNKNOWN"


def test_the_list_of_medications_serves_as_prescription_where_none_is_given(engine: Engine) -> None:
    listed = ["furosemide 40 mg twice daily", "lisinopril 10 mg once daily"]
    a = asked(engine, None, "80 mg of Lasix in the morning, and lisinopril 10 mg once a day", medications=listed)
    assert (a.verdict, a.suspect, a.against) == ("HIGH", "all-at-once", "prescription")


def test_several_prescriptions_and_no_name_ask_which_is_meant(engine: Engine) -> None:
    a = asked(engine, ["furosemide 40 mg twice daily", "lisinopril 40 mg once daily"], "40 mg twice a day")
    assert (a.verdict, a.needs) == ("UNKNOWN", ["drug"])


def test_a_missed_dose_comes_with_what_the_label_says_where_that_is_held(engine: Engine) -> None:
    table = engine.library.dose_table("drug.apixaban")
    if table is None or not table.missed_dose:
        pytest.skip("no advice for a missed dose is held")
    a = asked(engine, "apixaban 5 mg twice daily", "I forgot my pill this morning")
    assert a.missed_dose == table.missed_dose
    assert asked(engine, "apixaban 5 mg twice daily", "5 mg twice a day").missed_dose == ""


@pytest.mark.parametrize(
    ("prescribed", "said", "escalate"),
    [
        ("metformin 500 mg twice daily", "500 mg twice a day", "none"),
        ("metformin 500 mg twice daily", "I forgot one yesterday", "pharmacist"),
        ("metformin 500 mg twice daily", "1000 mg twice a day", "clinician"),
        ("methotrexate 15 mg once a week", "15 mg every day", "emergency"),
        ("digoxin 0.125 mg once daily", "1.25 mg once a day", "clinician"),
    ],
)
def test_who_is_to_hear_of_it_rises_with_the_danger(engine: Engine, prescribed: str, said: str, escalate: str) -> None:
    assert asked(engine, prescribed, said).escalate == escalate


def test_an_amount_that_poisons_calls_for_emergency_help(engine: Engine) -> None:
    a = asked(engine, None, "15 grams of Tylenol today", age="40 y")
    assert (a.verdict, a.escalate) == ("HIGH", "emergency")
    assert "poison" in a.task


def test_a_supply_told_in_fields_is_counted_in_days(engine: Engine) -> None:
    said = {"text": "I still have plenty left", "days_supply": 30, "filled_on": "2026-10-01"}
    assert asked(engine, "lisinopril 20 mg once daily", said).verdict == "LOW"
    assert asked(engine, "lisinopril 20 mg once daily", {**said, "filled_on": "2026-11-10"}).verdict == "UNKNOWN"
    early = {"text": "the bottle is empty", "days_supply": 30, "filled_on": "2026-11-10"}
    assert asked(engine, "lisinopril 20 mg once daily", early).verdict == "HIGH"


def test_what_was_understood_is_told_for_each_statement(engine: Engine) -> None:
    a = asked(engine, "furosemide 40 mg twice daily", "two 20 mg tablets of Lasix every morning")
    (said,) = a.understood
    assert (said.name, said.dose, said.times, said.strength, said.slots) == (
        "Lasix", "2 tablets of 20 mg", "once a day", "20 mg", ["morning"],
    )  # fmt: skip


def test_one_of_the_wrong_unit_is_told_as_such_with_a_question(engine: Engine) -> None:
    a = asked(engine, "levothyroxine 100 mcg once daily", "100 milligrams every day")
    assert a.suspect == "unit-slip ×1000"
    assert "strength" in a.ask


@pytest.mark.parametrize("request_", [{}, [], "reported", {"reported": [{"text": 3}]}, {"reported": "x", "patient": 3}])
def test_a_malformed_request_is_refused_with_a_place(engine: Engine, request_: Any) -> None:
    with pytest.raises(RequestError):
        engine.dose(request_, DAY)


def test_names_are_found_anywhere_in_a_sentence_and_everyday_words_are_none(engine: Engine) -> None:
    said = "Well, I've been on my Coumadin since May, and NyQuil at night; water and breakfast, nothing else, doctor."
    assert [m.text for m in find_mentions(said, engine.checker.resolver)] == ["Coumadin", "NyQuil"]
