"""One list of questions for a report: each once, worst first, none that could change little."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, engine_of, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.answering.asking import PERSON, waiting
from safety.model.report import RANK, Question, Report

ENGINE = engine_of(compiled().library)
WHOLE: dict[str, Any] = {
    "age": "60 y", "sex": "male", "weight": "80 kg", "conditions": ["hypertension"], "allergies": [], "intake": [],
    "medications": [],
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


@settings(max_examples=examples(60), deadline=None)
@given(patient=PEOPLE, plan=st.lists(st.sampled_from(LINES), unique=True, max_size=5))
def test_each_question_stands_once_the_one_that_may_bring_the_worst_first(patient: dict[str, Any], plan: list[str]) -> None:
    found = report(patient, plan)
    asks = [q.ask for q in found.questions]
    assert len(set(asks)) == len(asks)
    ranks = [RANK[q.worst] for q in found.questions]
    assert ranks == sorted(ranks)
    assert sum(1 for q in found.questions if set(q.needs) & set(PERSON)) <= 1


@settings(max_examples=examples(60), deadline=None)
@given(patient=PEOPLE, plan=st.lists(st.sampled_from(LINES), unique=True, max_size=5))
def test_what_a_question_settles_is_undecided_and_each_undecided_rule_is_asked_about_or_waits(
    patient: dict[str, Any], plan: list[str]
) -> None:
    found = report(patient, plan)
    undecided = {rule for u in found.unknown for rule in (u.rule, *u.also)}
    by_name = {rule for u in found.unresolved for rules in u.would_break.values() for rule in rules}
    assumed = {f.rule for f in found.every_finding if f.assumed}
    assert {rule for q in found.questions for rule in q.settles} <= undecided | by_name | assumed
    settled = {rule for q in found.questions for rule in q.settles}
    assert {u.rule for u in found.unknown} == {u.rule for u in waiting(found.unknown, found.questions)} | (
        {u.rule for u in found.unknown} & settled
    )


@settings(max_examples=examples(40), deadline=None)
@given(order=st.permutations(["warfarin 5 mg daily", "ciprofloxacin", "tizanidine 4 mg", "digoxin"]))
def test_the_order_of_the_list_changes_no_question_about_the_patient(order: list[str]) -> None:
    about = [q for q in asked({}, *order) if set(q.needs) & set(PERSON)]
    assert about == [q for q in asked({}, *sorted(order)) if set(q.needs) & set(PERSON)]


def test_facts_of_the_patient_are_asked_for_in_one_breath() -> None:
    (question,) = asked({"medications": []}, "lisinopril 20 mg daily")
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


def test_beside_a_plan_the_other_medicines_are_asked_for_with_the_patient_and_alone_where_nothing_was_told() -> None:
    (question,) = asked({}, "lisinopril 20 mg daily")
    assert "medications" in question.needs
    assert question.ask.endswith("and the other medicines taken (or that there are none).")
    (alone,) = asked({})
    assert alone.ask == "Which medicines are taken, or none at all?"


def test_words_of_directions_that_were_not_read_are_one_question_for_all_medicines() -> None:
    found = asked(WHOLE, "oxycodone 5 qrx", "warfarin 5 zzt")
    assert [q.needs for q in found] == [[]]
    assert "oxycodone 5 qrx" in found[0].ask
    assert "warfarin 5 zzt" in found[0].ask


def test_words_of_directions_that_could_bring_nothing_loud_are_a_hole_and_no_question() -> None:
    found = report(WHOLE, ["lisinopril 20 mg once daily qrx"])
    assert found.questions == []
    assert any(h.because == "not read" and "qrx" in h.text for h in found.unknown_because)


REFILL = {"age": "62 y", "sex": "male", "conditions": ["hypertension", "type 2 diabetes", "coronary artery disease"]}


def test_of_medicines_that_are_taken_already_a_pharmacist_asks_nothing_and_what_is_not_told_stays_a_hole() -> None:
    found = report({**REFILL, "medications": ["lisinopril 20 daily", "metformin 1000 bid", "asa 81"]}, [])
    assert found.questions == []
    assert {"allergies", "labs"} <= {h.about for h in found.unknown_because if h.because == "not told"}


def test_of_a_medicine_that_is_proposed_the_same_is_asked_in_one_breath() -> None:
    (question,) = asked({**REFILL, "medications": ["asa 81"]}, "metformin 1000 bid")
    assert set(question.needs) >= {"allergies", "lab.egfr"}
    assert question.ask.startswith("Please tell allergies")
    assert question.ask.endswith("with its day.")


def test_kidney_disease_without_a_figure_is_asked_about_where_a_medicine_must_not_be_taken_then() -> None:
    (question,) = asked({**REFILL, "conditions": ["type 2 diabetes", "CKD"], "medications": ["metformin 1000 bid"]})
    assert question.needs == ["lab.egfr"]


def test_a_woman_who_takes_what_harms_the_unborn_is_asked_whether_she_is_pregnant() -> None:
    woman = {"age": 28, "sex": "female", "breastfeeding": "no", "conditions": ["acne"], "medications": ["isotretinoin 40 daily"]}
    (question,) = asked(woman)
    assert question.needs == ["pregnancy"]
    assert asked({**woman, "pregnancy": "no"}) == []


def test_a_dose_by_surface_goes_into_the_body_and_no_route_is_asked() -> None:
    leukemia = {**WHOLE, "conditions": ["acute promyelocytic leukemia"], "medications": ["tranexamic acid 1 g oral tid"]}
    found = report(leukemia, ["tretinoin 45 mg/m2 daily"])
    assert [f.rule for f in found.every_finding if f.severity == "major" and not f.assumed] != []
    assert not any("route" in q.needs for q in found.questions)


def test_what_a_loud_finding_assumes_is_asked() -> None:
    found = asked({**WHOLE, "medications": ["tizanidine 4 tid", "ciprofloxacin"]})
    assert [(q.ask, q.needs, q.worst) for q in found] == [("Is the ciprofloxacin swallowed?", ["route"], "contraindicated")]


def test_nothing_more_is_asked_of_a_medicine_that_must_not_be_given_anyway() -> None:
    pregnant = {"age": 28, "sex": "female", "pregnancy": "weeks 9", "breastfeeding": "no", "conditions": [], "medications": []}
    assert asked(pregnant, "isotretinoin 40 daily") == []


@pytest.mark.parametrize("missing", ["allergies", "labs", "weight", "intake"])
def test_leaving_out_a_question_makes_nothing_clear(missing: str) -> None:
    without = {key: value for key, value in WHOLE.items() if key != missing}
    found = report({**without, "medications": ["lisinopril 20 mg once daily", "metformin 500 mg twice daily"]}, [])
    assert found.questions == []
    assert found.verdict != "clear"
