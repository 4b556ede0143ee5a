"""One list of questions for a report: each once, worst first, none that could change little."""

from __future__ import annotations

from typing import Any

from conftest import compiled, engine_of
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.answering.asking import PERSON, waiting
from safety.model.report import RANK, Question, Report

ENGINE = engine_of(compiled().library)
WHOLE: dict[str, Any] = {
    "age": "60 y", "sex": "male", "weight": "80 kg", "conditions": ["hypertension"], "allergies": [], "intake": [],
    "labs": [
        {"test": "eGFR", "value": 88, "unit": "mL/min/1.73m2", "on": "2026-11-02"},
        {"test": "potassium", "value": 4.2, "unit": "mmol/L", "on": "2026-11-02"},
    ],
}  # fmt: skip
LINES = [
    "lisinopril 20 mg daily", "metformin 500 mg twice daily", "warfarin 5 mg daily", "sildenafil 50 mg as needed",
    "methotrexate 15 mg weekly", "ibuprofen", "tylenol prn", "isotretinoin 40 mg daily", "lithium 300 mg bid", "zorvaxinil 5 mg",
    "digoxin", "ciprofloxacin", "tizanidine 4 mg", "simvastatin", "hydroxyzine or hydralazine 25 mg",
]  # fmt: skip
PEOPLE = st.fixed_dictionaries({}, optional={
    key: st.just(value) for key, value in WHOLE.items()
})  # fmt: skip


def report(patient: dict[str, Any], plan: list[str]) -> Report:
    return ENGINE.check({"patient": patient, "plan": plan}, as_of="2026-11-20")


def asked(patient: dict[str, Any], *plan: str) -> list[Question]:
    return report(patient, list(plan)).questions


@settings(max_examples=60, deadline=None)
@given(patient=PEOPLE, plan=st.lists(st.sampled_from(LINES), unique=True, max_size=5))
def test_each_question_stands_once_the_one_that_may_bring_the_worst_first(patient: dict[str, Any], plan: list[str]) -> None:
    found = report(patient, plan)
    asks = [q.ask for q in found.questions]
    assert len(set(asks)) == len(asks)
    ranks = [RANK[q.worst] for q in found.questions]
    assert ranks == sorted(ranks)
    assert sum(1 for q in found.questions if set(q.needs) & set(PERSON)) <= 1


@settings(max_examples=60, deadline=None)
@given(patient=PEOPLE, plan=st.lists(st.sampled_from(LINES), unique=True, max_size=5))
def test_what_a_question_settles_is_undecided_and_each_undecided_rule_is_asked_about_or_waits(
    patient: dict[str, Any], plan: list[str]
) -> None:
    found = report(patient, plan)
    undecided = {rule for u in found.unknown for rule in (u.rule, *u.also)}
    by_name = {rule for u in found.unresolved for rules in u.would_break.values() for rule in rules}
    assert {rule for q in found.questions for rule in q.settles} <= undecided | by_name
    settled = {rule for q in found.questions for rule in q.settles}
    assert {u.rule for u in found.unknown} == {u.rule for u in waiting(found.unknown, found.questions)} | (
        {u.rule for u in found.unknown} & settled
    )


@settings(max_examples=40, deadline=None)
@given(order=st.permutations(["warfarin 5 mg daily", "ciprofloxacin", "tizanidine 4 mg", "digoxin"]))
def test_the_order_of_the_list_changes_no_question_about_the_patient(order: list[str]) -> None:
    about = [q for q in asked({}, *order) if set(q.needs) & set(PERSON)]
    assert about == [q for q in asked({}, *sorted(order)) if set(q.needs) & set(PERSON)]


def test_facts_of_the_patient_are_asked_for_in_one_breath() -> None:
    (question,) = asked({}, "lisinopril 20 mg daily")
    assert set(question.needs) >= {"allergies", "conditions", "pregnancy"}
    assert question.worst == "contraindicated"
    assert question.ask.startswith("Please tell ")
    assert question.ask.endswith("allergies (or that there are none).")


def test_one_missing_fact_is_asked_for_in_its_own_words() -> None:
    without = {key: value for key, value in WHOLE.items() if key != "allergies"}
    (question,) = asked(without, "amoxicillin 500 mg three times daily")
    assert question.ask == "Which allergies does the patient have (or none)?"


def test_somebody_of_whom_everything_is_told_is_asked_nothing() -> None:
    assert asked(WHOLE, "lisinopril 20 mg once daily", "metformin 500 mg twice daily") == []


def test_a_dose_that_was_not_told_is_no_question() -> None:
    found = report(WHOLE, ["tylenol prn", "lisinopril"])
    assert found.questions == []
    assert found.unknown != []


def test_tests_are_one_question_where_a_contraindication_hangs_on_them() -> None:
    without = {**WHOLE, "labs": []}
    found = [q for q in asked(without, "metformin 500 mg twice daily") if q.needs == ["lab.egfr"]]
    assert [q.worst for q in found] == ["contraindicated"]
    assert "renal.metformin.severe" in found[0].settles


def test_a_name_that_is_not_recognised_is_asked_about_once_and_no_rule_with_it() -> None:
    found = asked(WHOLE, "lisinopril 20 mg once daily", "zorvaxinil 5 mg")
    assert [q.ask for q in found if "zorvaxinil" in q.ask] == [q.ask for q in found]
    assert all("not recognised" not in q.ask for q in found)
