"""True, false and not known: `any`, `all` and `not`, and how they meet a constraint."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from small_kb import avoid, needs, rule, small, verdict

TAKES = ["alphadine 5 mg daily"]

# Four facts that are independent of each other: the line, and the patient for whom it is true, false, not known.
FACTS: list[tuple[Any, dict[int, dict[str, Any]]]] = [
    ({"sex": "female"}, {2: {"sex": "female"}, 0: {"sex": "male"}, 1: {}}),
    ({"age": {"at_least": "40 y"}}, {2: {"age": "50 y"}, 0: {"age": "30 y"}, 1: {}}),
    ({"weight": {"under": "50 kg"}}, {2: {"weight": "40 kg"}, 0: {"weight": "60 kg"}, 1: {}}),
    ({"has": "condition.ulcer"}, {2: {"conditions": ["ulcer"]}, 0: {"conditions": []}, 1: {}}),
]
SAID = {2: "violated", 1: "unknown", 0: "silent"}

trees = st.recursive(
    st.integers(0, len(FACTS) - 1),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["any", "all"]), st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=8,
)


def as_line(tree: Any) -> Any:
    if isinstance(tree, int):
        return FACTS[tree][0]
    op, inner = tree
    return {op: as_line(inner) if op == "not" else [as_line(t) for t in inner]}


def by_the_book(tree: Any, truth: tuple[int, ...]) -> int:
    """Kleene's logic as arithmetic: false 0, not known 1, true 2; and is the least, or the greatest, not the rest of 2."""
    if isinstance(tree, int):
        return truth[tree]
    op, inner = tree
    if op == "not":
        return 2 - by_the_book(inner, truth)
    parts = [by_the_book(t, truth) for t in inner]
    return max(parts) if op == "any" else min(parts)


def patient(truth: tuple[int, ...]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for (_, ways), value in zip(FACTS, truth, strict=True):
        told |= ways[value]
    return told


@settings(max_examples=examples(30), deadline=None)
@given(trees)
def test_any_all_and_not_are_kleenes_for_every_patient(tree: Any) -> None:
    engine = small(avoid(as_line(tree)))
    for truth in itertools.product((0, 1, 2), repeat=len(FACTS)):
        expected = SAID[by_the_book(tree, truth)]
        assert verdict(engine, medications=TAKES, **patient(truth)) == expected, truth


@settings(max_examples=examples(30), deadline=None)
@given(trees)
def test_telling_more_never_turns_a_yes_into_a_no(tree: Any) -> None:
    """What is violated or silent stays so whatever else is told; only `unknown` may be settled."""
    engine = small(avoid(as_line(tree)))
    answers = {t: verdict(engine, medications=TAKES, **patient(t)) for t in itertools.product((0, 1, 2), repeat=len(FACTS))}
    for truth, answer in answers.items():
        for n, known in itertools.product(range(len(FACTS)), (0, 2)):
            if truth[n] == 1 and answer != "unknown":
                assert answers[(*truth[:n], known, *truth[n + 1 :])] == answer


def test_an_open_question_names_each_fact_that_could_settle_it_and_no_other() -> None:
    engine = small(avoid({"any": [{"sex": "female"}, {"age": {"at_least": "40 y"}}]}, {"weight": {"under": "50 kg"}}))
    assert needs(engine, medications=TAKES) == {"sex", "age", "weight"}
    assert needs(engine, medications=TAKES, sex="male", weight="40 kg") == {"age"}
    assert needs(engine, medications=TAKES, weight="60 kg") == set()


def test_if_missing_takes_a_fact_that_is_not_told_as_no_and_leaves_a_told_one_alone() -> None:
    excused = {"has": {"any_of": ["condition.ulcer"], "if_missing": {"treat_as": "no", "because": "asking everybody is noise"}}}
    engine = small(avoid(excused))
    assert verdict(engine, medications=TAKES) == "silent"
    assert verdict(engine, medications=TAKES, conditions=["ulcer"]) == "violated"
    assert verdict(engine, medications=TAKES, conditions=[]) == "silent"


def test_if_missing_under_not_makes_the_line_hold() -> None:
    excused = {"age": {"at_least": "40 y", "if_missing": {"treat_as": "no", "because": "noise"}}}
    engine = small(avoid({"not": excused}))
    assert verdict(engine, medications=TAKES) == "violated"
    assert verdict(engine, medications=TAKES, age="50 y") == "silent"


# ------------------------------------------------------------------ require


def monitored(*lines: Any) -> dict[str, Any]:
    condition = [{"drug": {"id": "drug.alphadine", "as": "it"}}]
    return rule("monitoring.it", kind="monitoring", condition=condition, constraint={"require": list(lines)})


RECENT = {"lab": {"test": "lab.clearance", "newest_within": "30 d"}}


@pytest.mark.parametrize(
    ("labs", "expected"),
    [
        (None, "unknown"),
        ([], "violated"),
        ([{"test": "creatinine", "value": 1, "unit": "mg/dL", "on": "2026-11-19"}], "violated"),
        ([{"test": "clearance", "value": 90, "unit": "mL/min", "on": "2026-10-21"}], "silent"),
        ([{"test": "clearance", "value": 90, "unit": "mL/min", "on": "2026-10-20"}], "violated"),
    ],
    ids=["labs not told", "told there are none", "only another test", "30 days ago", "31 days ago"],
)
def test_a_required_test_is_missing_only_where_the_labs_are_told(labs: Any, expected: str) -> None:
    assert verdict(small(monitored(RECENT)), "monitoring.it", medications=TAKES, labs=labs) == expected


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (None, "unknown"),
        ([], "unknown"),
        ([(20, "2026-10-21"), (90, "2026-11-19")], "violated"),  # an earlier one of the days that count
        ([(20, "2026-10-20"), (90, "2026-11-19")], "silent"),  # one day too old
        ([(90, "2026-11-19")], "silent"),
        ([(20, "2026-10-20")], "unknown"),
    ],
    ids=["labs not told", "told there are none", "30 days ago", "31 days ago", "none so low", "all too old"],
)
def test_any_result_of_so_many_days_may_say_so(told: Any, expected: str) -> None:
    line = {"lab": {"test": "lab.clearance", "under": "30 mL/min", "any_within": "30 d"}}
    condition = [{"drug": {"id": "drug.alphadine", "as": "it"}}, line]
    labs = None if told is None else [{"test": "clearance", "value": v, "unit": "mL/min", "on": on} for v, on in told]
    made = rule("contraindication.it", kind="contraindication", condition=condition, constraint={"avoid": "it"})
    assert verdict(small(made), "contraindication.it", medications=TAKES, labs=labs) == expected


def test_a_required_test_whose_result_cannot_be_read_is_not_called_missing() -> None:
    labs = [{"test": "clearance", "value": "see note", "unit": "mL/min", "on": "2026-11-19"}]
    assert verdict(small(monitored(RECENT)), "monitoring.it", medications=TAKES, labs=labs) == "unknown"


def test_a_required_value_is_not_called_missing_where_two_results_of_one_day_disagree() -> None:
    line = {"lab": {"test": "lab.clearance", "at_least": "60 mL/min"}}
    labs = [{"test": "clearance", "value": v, "unit": "mL/min", "on": "2026-11-19"} for v in (50, 70)]
    assert verdict(small(monitored(line)), "monitoring.it", medications=TAKES, labs=labs) == "unknown"


def test_a_required_value_is_not_called_missing_where_the_result_is_only_a_bound() -> None:
    line = {"lab": {"test": "lab.clearance", "at_least": "60 mL/min"}}
    labs = [{"test": "clearance", "value": "<90", "unit": "mL/min", "on": "2026-11-19"}]
    assert verdict(small(monitored(line)), "monitoring.it", medications=TAKES, labs=labs) == "unknown"


def test_a_medicine_that_should_be_added_is_missed_until_it_is_on_the_list() -> None:
    engine = small(monitored({"drug": {"id": "drug.betadorm"}}))
    assert verdict(engine, "monitoring.it", medications=TAKES) == "violated"
    assert verdict(engine, "monitoring.it", medications=[*TAKES, "betadorm 5 mg daily"]) == "silent"
    assert verdict(engine, "monitoring.it", medications=[*TAKES, "qwxyz 5 mg daily"]) == "unknown"
    assert verdict(engine, "monitoring.it", medications=TAKES, medications_complete="no") == "unknown"
