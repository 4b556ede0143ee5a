"""A line that tells no result: what was given is none, what is due is told in whatever words, and since when is read."""

from __future__ import annotations

import pytest
from conftest import compiled, engine_of

from safety.model.lab_answer import LabAnswer

ENGINE = engine_of(compiled().library)
DAY = "2026-11-30"


def asked(text: str, *, labs: list[str] | None = None, **patient: object) -> LabAnswer:
    told = {"age": "60 y", "sex": "female", "conditions": [], "labs": labs if labs is not None else [], **patient}
    return ENGINE.lab({"as_of": DAY, "text": text, "patient": told})


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("check K, 40 mEq given", "lab.potassium"),
        ("Mg 2 g IV given", "lab.magnesium"),
        ("Mg 2 g", "lab.magnesium"),
        ("vanc 1500 mg hung", "lab.vancomycin-trough"),
        ("dig 0.25 mg po daily", "lab.digoxin-level"),
    ],
)
def test_an_amount_that_was_given_is_no_result(text: str, test: str) -> None:
    answer = asked(text)
    found = next(one for one in (answer, *answer.also) if one.test == test)
    assert (found.value, found.range) == ("", None)
    assert found.needs == ["value"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("K 3.2 getting 40 mEq PO", "3.2 mmol/L"),
        ("glucose 5.6 mmol", "100.8874 mg/dL"),
        ("K 4.1 mEq/L", "4.1 mmol/L"),
        ("K 3.6 Mg 1.9", "3.6 mmol/L"),
    ],
)
def test_a_result_beside_an_amount_or_in_a_unit_cut_short_is_one(text: str, value: str) -> None:
    assert asked(text).value == value


@pytest.mark.parametrize(
    ("labs", "conditions", "call"),
    [
        (["ANC 0.3 on 2026-11-28"], [], "emergency"),
        ([], ["neutropenia"], "emergency"),
        (["ANC 4.1 on 2026-11-28"], [], "none"),
        ([], [], "none"),
    ],
)
def test_a_fever_is_an_emergency_where_neutrophils_are_low(labs: list[str], conditions: list[str], call: str) -> None:
    assert asked("temp 101.2 F", labs=labs, conditions=conditions).escalate == call


@pytest.mark.parametrize(
    ("text", "medicine", "test"),
    [
        ("how come nobody checks my digoxin anymore", "digoxin 0.125 mg daily", "lab.creatinine"),
        ("do these water pills mean I have to get stuck again soon?", "furosemide 40 mg daily", "lab.potassium"),
        ("MTX 15 mg weekly for RA, pt asks which monitoring", "methotrexate 15 mg weekly", "lab.wbc"),
        ("clozapine month 2, what count do you want", "clozapine 200 mg qhs", "lab.neutrophils"),
        ("Testosterone cyp q2wk. Overdue surveillance?", "testosterone cypionate 200 mg IM q2wk", "lab.hematocrit"),
    ],
)
def test_what_is_due_is_told_in_whatever_words_it_is_asked(text: str, medicine: str, test: str) -> None:
    answer = asked(text, medications=[medicine])
    due = {t for one in (answer, *answer.also) for d in one.due if d.state == "due" for t in d.tests}
    assert test in due


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("spironolactone added 11/21, BMP?", "due"),
        ("spironolactone for 2 years, BMP?", "in time"),
        ("spironolactone, BMP since 11/2?", "in time"),
    ],
)
def test_since_when_a_medicine_is_taken_is_read_from_the_question(text: str, state: str) -> None:
    answer = asked(text, labs=["K 4.5 on 2026-11-02"], medications=["spironolactone 25 mg daily"])
    each = [d for one in (answer, *answer.also) for d in one.due if "lab.potassium" in d.tests]
    assert [d.state for d in each] == [state]


@pytest.mark.parametrize("text", ["could it be my Wellbutrin?", "thank you so much"])
def test_who_speaks_of_no_test_is_asked_which_result_is_meant(text: str) -> None:
    answer = asked(text, medications=["bupropion XL 300 mg daily"])
    assert answer.due == []
    assert "test" in answer.needs
