"""Constraints: read by their words, checked medicine by medicine, three-valued; and DCSR worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.scoring.constraints import Answered, Constraints
from safety.scoring.measures import NOTHING, Counted, same
from safety.scoring.plans import plan_of
from safety.scoring.revising import revision
from safety.scoring.scored import Scored
from safety.scoring.scorer import Scorer

DAY = "2026-11-20"
ADULT = {"age": "50 y", "sex": "male", "conditions": [], "allergies": [], "medications": []}


def scored(engine: Engine, **told: Any) -> Scored:
    (row,) = Scorer(engine.checker).score([plan_of({"as_of": DAY, "patient": ADULT, **told}, 1)])
    assert isinstance(row, Scored), row
    return row


def answered(engine: Engine, constraint: str, *plan: str, **patient: Any) -> Answered:
    row = scored(engine, plan=list(plan), constraints=[constraint], patient={**ADULT, **patient})
    assert row.revision is not None
    (one,) = row.revision.answers
    return one


MET = [
    ("no injections", "metformin 500 mg by mouth twice daily"),
    ("She refuses injections.", "albuterol inhaler 2 puffs every 6 hours as needed"),
    ("by mouth only", "metformin 500 mg by mouth twice daily"),
    ("generic only", "atorvastatin 20 mg by mouth once daily"),
    ("once daily", "lisinopril 20 mg by mouth once daily"),
    ("once daily", "alendronate 70 mg by mouth once a week"),
    ("no sedation", "loratadine 10 mg by mouth once daily"),
    ("no capsules", "lisinopril 20 mg tablet by mouth once daily"),
    ("vegetarian capsule", "lisinopril 20 mg tablet by mouth once daily"),
    ("formulary: metformin, lisinopril and atorvastatin", "lisinopril 20 mg by mouth once daily"),
    ("formulary: statins", "atorvastatin 20 mg by mouth once daily"),
    ("cannot afford biologics", "methotrexate 15 mg by mouth once weekly"),
    ("avoid metformin", "lisinopril 20 mg by mouth once daily"),
    ("no opioids", "acetaminophen 500 mg by mouth three times daily"),
    ("cost tier 1", "metformin 500 mg by mouth twice daily"),
    ("at most 1 medicines", "metformin 500 mg by mouth twice daily"),
]
BROKEN = [
    ("no injections", "insulin glargine 10 units subcutaneously once daily"),
    ("fear of needles", "enoxaparin 40 mg subcutaneously once daily"),
    ("by mouth only", "diclofenac 1 % gel 4 g topically four times daily"),
    ("generic only", "Lipitor 20 mg by mouth once daily"),
    ("no brand names", "Percocet 5/325 mg by mouth every 6 hours"),
    ("once daily", "metformin 500 mg by mouth twice daily"),
    ("once daily", "amoxicillin 500 mg by mouth every 8 hours"),
    ("twice daily at most", "amoxicillin 500 mg by mouth three times daily"),
    ("no sedation", "diphenhydramine 25 mg by mouth at bedtime"),
    ("no capsules", "amoxicillin 500 mg capsule by mouth twice daily"),
    ("cannot swallow pills", "metformin 500 mg tablet by mouth twice daily"),
    ("formulary: metformin, lisinopril", "losartan 50 mg by mouth once daily"),
    ("avoid metformin", "metformin 500 mg by mouth twice daily"),
    ("avoid NSAIDs", "naproxen 500 mg by mouth twice daily"),
    ("no biologics", "adalimumab 40 mg subcutaneously every 2 weeks"),
    ("cost tier 2", "adalimumab 40 mg subcutaneously every 2 weeks"),
]
OPEN = [
    ("no purple ones", "metformin 500 mg by mouth twice daily"),
    ("no injections", "flurbozide 5 mg daily"),
    ("no injections", "methotrexate 15 mg once weekly"),
    ("once daily", "lisinopril 20 mg by mouth"),
    ("vegetarian capsule", "amoxicillin 500 mg capsule by mouth twice daily"),
    ("avoid flurbozide", "metformin 500 mg by mouth twice daily"),
    ("cost tier 1", "apixaban 5 mg by mouth twice daily"),
    ("cost tier 1", "Zestril 20 mg by mouth once daily"),
    ("at most some medicines", "metformin 500 mg by mouth twice daily"),
]


@pytest.mark.parametrize(("constraint", "plan"), MET)
def test_a_regimen_that_is_as_asked_meets_the_constraint(engine: Engine, constraint: str, plan: str) -> None:
    assert answered(engine, constraint, plan).met is True


@pytest.mark.parametrize(("constraint", "plan"), BROKEN)
def test_a_regimen_that_is_not_as_asked_breaks_it_and_says_by_what(engine: Engine, constraint: str, plan: str) -> None:
    found = answered(engine, constraint, plan)
    assert found.met is False
    assert found.because == [plan]


@pytest.mark.parametrize(("constraint", "plan"), OPEN)
def test_what_is_not_read_or_not_told_is_neither_met_nor_broken(engine: Engine, constraint: str, plan: str) -> None:
    found = answered(engine, constraint, plan)
    assert found.met is None
    assert found.because


def test_a_constraint_that_is_not_read_says_so(engine: Engine) -> None:
    assert answered(engine, "no purple ones", "metformin 500 mg daily").because[0].endswith("not read")


def test_several_constraints_in_one_text_must_all_hold(engine: Engine) -> None:
    found = answered(engine, "generic only, no injections", "Lipitor 20 mg by mouth once daily")
    assert (sorted(found.constraints), found.met) == (["constraint.generic-only", "constraint.no-injections"], False)


def test_too_many_medicines(engine: Engine) -> None:
    two = ["metformin 500 mg by mouth twice daily", "lisinopril 20 mg by mouth once daily"]
    assert answered(engine, "no more than 1 medicines", *two).met is False
    assert answered(engine, "no more than 2 medicines", *two).met is True


def test_safe_for_the_kidneys_is_what_the_engine_says_of_them(engine: Engine) -> None:
    low = [{"test": "eGFR", "value": 24, "unit": "mL/min/1.73m2", "on": "2026-11-02"}]
    assert answered(engine, "renal-safe", "metformin 500 mg by mouth twice daily", labs=low).met is False
    assert answered(engine, "renal-safe", "metformin 500 mg by mouth twice daily").met is None


@given(st.text(max_size=60))
@settings(deadline=None)
def test_whatever_is_asked_nothing_raises_and_an_empty_plan_breaks_nothing(engine: Engine, text: str) -> None:
    if text.strip():
        assert answered(engine, text).met is not False


def test_every_constraint_of_the_knowledge_is_read_by_each_of_its_words(engine: Engine) -> None:
    reader = Constraints(engine.library, engine.checker.resolver)
    for constraint in engine.library.constraints:
        for words in constraint.says:
            text = words.replace("{medicines}", "metformin").replace("{number}", "2")
            assert constraint.id in {w.id for w in reader.read(text)}, text


# ------------------------------------------------------------------ DCSR

YES, NO, PERHAPS = Answered("x", ["c"], True, []), Answered("x", ["c"], False, ["m"]), Answered("x", [], None, ["not read"])


@pytest.mark.parametrize(
    ("before", "after", "core", "success"),
    [
        (0.8, 0.72, True, 1.0),
        (0.8, 0.71, True, 0.0),
        (0.8, 0.64, False, 1.0),
        (0.8, 0.63, False, 0.0),
        (0.8, 0.71, None, 0.0),
        (0.0, 0.0, True, 1.0),
    ],
)
def test_quality_must_be_kept_to_nine_tenths_where_core_diagnoses_are_involved_else_to_eight(
    before: float, after: float, core: bool | None, success: float
) -> None:
    assert revision([YES], same(before), same(after), core, revised=True).success == same(success)


def test_one_constraint_of_several_that_is_broken_is_no_success() -> None:
    assert revision([YES, NO, PERHAPS], same(1.0), same(1.0), True, revised=True).success == same(0.0)


def test_a_constraint_that_is_not_known_to_be_met_is_a_success_only_to_the_lenient() -> None:
    assert revision([YES, PERHAPS], same(1.0), same(1.0), True, revised=True).success == Counted(0.0, None, 1.0)


def test_a_quality_that_is_not_known_leaves_the_success_open() -> None:
    assert revision([YES], same(1.0), Counted(0.5, None, 1.0), True, revised=True).success == Counted(0.0, None, 1.0)


COUNTED = st.tuples(*[st.floats(0, 1)] * 3).map(lambda v: Counted(*sorted(v)))


@given(st.lists(st.sampled_from([YES, NO, PERHAPS]), min_size=1), COUNTED, COUNTED, st.booleans())
@settings(deadline=None)
def test_strict_is_never_kinder_than_report_nor_report_than_lenient(
    answers: list[Answered], before: Counted, after: Counted, core: bool
) -> None:
    got = revision(answers, before, after, core, revised=True).success
    assert got.strict is not None
    assert got.lenient is not None
    assert got.strict <= (got.strict if got.report is None else got.report) <= got.lenient


def test_a_case_without_constraints_is_in_no_dcsr(engine: Engine) -> None:
    row = scored(engine, plan=["lisinopril 20 mg daily"], revised=["losartan 50 mg daily"])
    assert (row.revision, row.counted["DCSR"]) == (None, NOTHING)


def test_the_revised_plan_is_what_is_held_against_the_constraints(engine: Engine) -> None:
    told = {
        "plan": ["insulin glargine 10 units subcutaneously once daily"], "constraints": ["no injections"],
        "gold": ["metformin 500 mg by mouth twice daily"],
    }  # fmt: skip
    kept, changed = scored(engine, **told), scored(engine, **told, revised=["metformin 500 mg by mouth twice daily"])
    assert kept.counted["constraints"] == same(0.0)
    assert changed.counted["constraints"] == same(1.0)
    assert changed.revision is not None
    assert changed.revision.revised


def test_without_a_gold_regimen_what_was_replaced_is_not_known_to_be_as_good(engine: Engine) -> None:
    told = {"plan": ["lisinopril 20 mg by mouth once daily"], "constraints": ["once daily"]}
    replaced = scored(engine, **told, revised=["amlodipine 5 mg by mouth once daily"]).revision
    dropped = scored(engine, **told, revised=[]).revision
    assert replaced is not None
    assert dropped is not None
    assert (replaced.success.strict, replaced.success.lenient) == (0.0, 1.0)
    assert dropped.success == same(0.0)
