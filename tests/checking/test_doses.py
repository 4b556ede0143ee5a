"""Dose tables: alternatives, adjustments, too much and too little, slips; and the laws that any table obeys."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from small_kb import DAY, LABS, doses, small

from safety.engine import Engine

LAB_ROLES = {
    "labs": {
        "clearance": {**LABS["clearance"], "role": "creatinine-clearance"},
        "creatinine": {**LABS["creatinine"], "role": "creatinine"},
        "filtration": {"name": "filtration", "unit": "mL/min/1.73m2", "role": "gfr"},
    },
    "conditions": {
        "stage-4": {"name": "stage 4", "implies": {"kidney": {"at_least": "15 mL/min", "under": "30 mL/min"}}},
        "machine": {"name": "machine", "implies": {"kidney": {"under": "15 mL/min"}}},
    },
    "inferences": {
        "sound": {
            "when": [{"age": {"under": "60 y"}}, {"not": {"has": {"any_of": ["condition.kidneys"]}}}],
            "then": {"kidney": {"at_least": "80 mL/min"}},
        }
    },
}
ADULT = {"id": "adult", "who": [{"age": {"at_least": "18 y"}}], "day": {"at_least": "10 mg", "at_most": "80 mg"}}
CHILD = {
    "id": "child",
    "who": [{"age": {"at_least": "2 y", "under": "18 y"}}],
    "day": {"at_least": "0.5 mg/kg", "at_most": "2 mg/kg", "cap": "80 mg"},
}
KIDNEY = {"id": "kidney-30", "who": [{"kidney": {"under": "30 mL/min"}}], "day": {"at_most": "20 mg"}, "severity": "major"}
ENGINE = small(doses(ADULT, CHILD, adjust=[KIDNEY]), **LAB_ROLES)
ORDER = {"CORRECT": 0, "HIGH": 1}


def said(engine: Engine, *medications: Any, **patient: Any) -> str:
    """CORRECT, HIGH, LOW, UNKNOWN or silent; `why` must agree with the report."""
    case = {"patient": {"medications": list(medications), **patient}}
    report = engine.check(case, DAY)
    dose = [f for f in report.findings if f.rule == "dose.alphadine"]
    asked = [u for u in report.unknown if u.rule == "dose.alphadine"]
    why = engine.why("dose.alphadine", case, DAY)
    if dose:
        assert why.verdict == "violated"
        assert why.dose is not None
        return why.dose.direction
    if asked:
        assert why.verdict == "unknown"
        return "UNKNOWN"
    return "CORRECT" if why.verdict == "satisfied" else "silent"


GROWN: dict[str, Any] = {"age": "40 y", "conditions": []}


@pytest.mark.parametrize(
    ("sig", "expected"),
    [
        ("10 mg once daily", "CORRECT"), ("9.9 mg once daily", "LOW"), ("40 mg twice daily", "CORRECT"),
        ("41 mg twice daily", "HIGH"), ("5 mg once daily as needed", "CORRECT"), ("100 mg as needed", "HIGH"),
        ("81 mg", "HIGH"), ("0.08 g once daily", "CORRECT"), ("0.081 g once daily", "HIGH"),
    ],
)  # fmt: skip
def test_the_bounds_include_their_number(sig: str, expected: str) -> None:
    assert said(ENGINE, f"alphadine {sig}", **GROWN) == expected


def test_entries_of_one_ingredient_are_summed_also_out_of_combinations() -> None:
    assert said(ENGINE, "alphadine 40 mg twice daily", **GROWN) == "CORRECT"
    assert said(ENGINE, "alphadine 40 mg twice daily", "duocap 1 capsule once daily", **GROWN) == "HIGH"


def test_without_an_age_nothing_is_right() -> None:
    assert said(ENGINE, "alphadine 40 mg once daily", conditions=[]) == "UNKNOWN"


def test_too_much_for_every_range_needs_no_age() -> None:
    assert said(ENGINE, "alphadine 100 mg once daily", weight="20 kg", conditions=[]) == "HIGH"


@pytest.mark.parametrize(
    ("weight", "dose", "expected"),
    [("20 kg", "40 mg", "CORRECT"), ("20 kg", "42 mg", "CORRECT"), ("20 kg", "43 mg", "HIGH"), ("20 kg", "9 mg", "LOW"),
     ("60 kg", "80 mg", "CORRECT"),
     ("60 kg", "81 mg", "HIGH"), ("44.0925 lb", "40 mg", "CORRECT"), (None, "40 mg", "UNKNOWN"),
     (None, "80 mg", "UNKNOWN"), (None, "81 mg", "HIGH")],
)  # fmt: skip
def test_a_child_is_dosed_by_weight_up_to_the_cap(weight: str | None, dose: str, expected: str) -> None:
    told = {"weight": weight} if weight else {}
    assert said(ENGINE, f"alphadine {dose} once daily", age="6 y", conditions=[], **told) == expected


def test_an_age_that_no_range_is_about_is_unknown() -> None:
    assert said(ENGINE, "alphadine 1 mg once daily", age="1 y", weight="10 kg", conditions=[]) == "UNKNOWN"


# ------------------------------------------------------------------ the kidneys


def creatinine(value: str, unit: str = "mg/dL") -> dict[str, Any]:
    return {"labs": [{"test": "creatinine", "value": value, "unit": unit, "on": "2026-11-01"}]}


@pytest.mark.parametrize(
    ("patient", "expected"),
    [
        ({"age": "70 y", "conditions": []}, "UNKNOWN"),
        ({"age": "40 y", "conditions": []}, "CORRECT"),
        ({"age": "40 y"}, "UNKNOWN"),
        ({"age": "40 y", "conditions": ["kidney trouble"]}, "UNKNOWN"),
        ({"age": "40 y", "conditions": ["stage 4"]}, "HIGH"),
        ({"age": "40 y", "conditions": ["machine"], **creatinine("0.9"), "sex": "male", "weight": "80 kg"}, "HIGH"),
        ({"age": "70 y", "sex": "female", "weight": "60 kg", **creatinine("2.5")}, "HIGH"),
        ({"age": "70 y", "sex": "female", "weight": "60 kg", **creatinine("221", "umol/L")}, "HIGH"),
        ({"age": "70 y", "sex": "female", "weight": "60 kg", **creatinine("0.9")}, "CORRECT"),
        ({"age": "70 y", "sex": "female", **creatinine("2.9")}, "HIGH"),
        ({"age": "70 y", **creatinine("2.5")}, "UNKNOWN"),
        ({"age": "70 y", "labs": [{"test": "filtration", "value": 25, "unit": "mL/min/1.73m2", "on": "2026-11-01"}]}, "HIGH"),
        ({"age": "70 y", "labs": [{"test": "clearance", "value": 30, "unit": "mL/min", "on": "2026-11-01"}]}, "CORRECT"),
        ({"age": "70 y", "labs": [{"test": "clearance", "value": 29.9, "unit": "mL/min", "on": "2026-11-01"}]}, "HIGH"),
        ({"age": "70 y", "labs": [{"test": "clearance", "value": "<30", "unit": "mL/min", "on": "2026-11-01"}]}, "HIGH"),
    ],
)  # fmt: skip
def test_the_clearance_is_told_worked_out_or_asked_for(patient: dict[str, Any], expected: str) -> None:
    assert said(ENGINE, "alphadine 40 mg once daily", **patient) == expected


def test_the_newest_creatinine_counts_and_of_one_day_the_worst() -> None:
    labs = [
        {"test": "creatinine", "value": 2.5, "unit": "mg/dL", "on": "2026-10-01"},
        {"test": "creatinine", "value": 0.9, "unit": "mg/dL", "on": "2026-11-01"},
    ]
    woman = {"age": "70 y", "sex": "female", "weight": "60 kg"}
    assert said(ENGINE, "alphadine 40 mg once daily", labs=labs, **woman) == "CORRECT"
    labs[1]["on"] = "2026-10-01"
    assert said(ENGINE, "alphadine 40 mg once daily", labs=labs, **woman) == "HIGH"


def test_a_small_dose_asks_for_no_kidney_function() -> None:
    assert said(ENGINE, "alphadine 20 mg once daily", age="70 y", conditions=[]) == "CORRECT"


def test_with_failing_kidneys_the_general_least_is_not_judged() -> None:
    assert said(ENGINE, "alphadine 5 mg once daily", age="40 y", conditions=["stage 4"]) == "CORRECT"


# ------------------------------------------------------------------ what it is for, alternatives, weekly

BY_USE = small(
    doses(
        {"id": "ulcer", "for": "condition.ulcer", "day": {"at_most": "40 mg"}},
        {"id": "kidneys", "for": "condition.kidneys", "day": {"at_most": "80 mg"}},
    )
)


@pytest.mark.parametrize(
    ("dose", "patient", "expected"),
    [
        ("40 mg", {}, "CORRECT"),
        ("60 mg", {}, "UNKNOWN"),
        ("81 mg", {}, "HIGH"),
        ("60 mg", {"conditions": ["ulcer"]}, "HIGH"),
        ("60 mg", {"conditions": ["kidney trouble stage 3b"]}, "CORRECT"),
        ("60 mg", {"conditions": ["ulcer", "kidney trouble"]}, "CORRECT"),
        ("60 mg", {"conditions": []}, "UNKNOWN"),
    ],
)
def test_what_it_is_for_decides_where_it_changes_the_most(dose: str, patient: dict[str, Any], expected: str) -> None:
    assert said(BY_USE, f"alphadine {dose} once daily", **patient) == expected


def test_what_is_told_with_the_medicine_outweighs_the_problem_list() -> None:
    entry = {"drug": "alphadine", "dose": "60 mg", "frequency": "once daily", "for": "ulcer"}
    assert said(BY_USE, entry, conditions=["kidney trouble"]) == "HIGH"


REGIMENS = small(
    doses(
        {"id": "daily", "day": {"at_least": "5 mg", "at_most": "10 mg"}, "interval": {"at_least": "20 h", "at_most": "30 h"}},
        {"id": "weekly", "day": {"at_least": "35 mg", "at_most": "70 mg"}, "interval": {"at_least": "6 d"}},
    )
)


@pytest.mark.parametrize(
    ("sig", "expected"),
    [("10 mg once daily", "CORRECT"), ("70 mg once weekly", "CORRECT"), ("70 mg once daily", "HIGH"),
     ("71 mg once weekly", "HIGH"), ("10 mg twice daily", "HIGH"), ("70 mg once", "CORRECT"), ("4 mg once daily", "LOW")],
)  # fmt: skip
def test_a_dose_is_right_if_it_fits_one_of_its_regimens(sig: str, expected: str) -> None:
    assert said(REGIMENS, f"alphadine {sig}") == expected


def test_weekly_taken_daily_is_named() -> None:
    engine = small(doses({"id": "weekly", "single": {"at_most": "25 mg"}, "interval": {"at_least": "6 d"}}))
    found = engine.check({"patient": {"medications": ["alphadine 15 mg once daily"]}}, DAY).findings
    assert [f.suspect for f in found] == ["weekly-as-daily"]
    assert said(engine, "alphadine 15 mg once weekly") == "CORRECT"


# ------------------------------------------------------------------ gross errors


@pytest.mark.parametrize(
    ("sig", "hard", "suspect"),
    [("100 mg once daily", False, ""), ("81 mg twice daily", False, "tenfold"), ("240 mg once daily", True, "tenfold"),
     ("20000 mg once daily", True, "unit-slip ×1000"), ("1500 mg once daily", True, ""),
     ("20 mcg once daily", False, "unit-slip ×1000"),
     ("2 mg once daily", False, "tenfold")],
)  # fmt: skip
def test_gross_errors_are_hard_and_slips_are_named(sig: str, hard: bool, suspect: str) -> None:
    (found,) = ENGINE.check({"patient": {"medications": [f"alphadine {sig}"], **GROWN}}, DAY).findings
    assert (found.hard, found.suspect) == (hard, suspect)


def test_puffs_are_counted_where_the_table_counts_them() -> None:
    engine = small(doses({"id": "puffs", "single": {"at_most": "2 puff"}, "day": {"at_most": "12 puff"}}))
    assert said(engine, "alphadine 2 puffs every 4 hours") == "CORRECT"
    assert said(engine, "alphadine 3 puffs every 6 hours") == "HIGH"
    assert said(engine, "alphadine 2 puffs every 3 hours") == "HIGH"


def test_another_route_is_not_covered_rather_than_judged() -> None:
    engine = small(doses({"id": "swallowed", "route": "oral", "day": {"at_most": "10 mg"}}, drug="deltafen"))
    case = {"patient": {"medications": [{"drug": "deltafen", "dose": "50 mg", "route": "topical", "supply": "prescription"}]}}
    report = engine.check(case, DAY)
    assert report.findings == []
    assert [n.lacks[:3] for n in report.not_covered if n.drug == "drug.deltafen"] == [["interaction", "contraindication", "dose"]]


def test_what_is_bought_is_not_judged_as_a_prescription() -> None:
    engine = small(doses({"id": "any", "day": {"at_most": "10 mg"}}, drug="deltafen"))
    case = {"patient": {"medications": [{"drug": "deltafen", "dose": "50 mg", "frequency": "daily", "supply": "otc"}]}}
    assert engine.check(case, DAY).findings == []


def test_a_dose_nobody_told_is_asked_for_and_never_clear() -> None:
    table = {"id": "any", "day": {"at_most": "10 mg"}}
    for must_know, loud in (("no", "minor"), ("yes", "moderate")):
        report = small(doses(table, must_know=must_know)).check({"patient": {"medications": ["alphadine"]}}, DAY)
        assert report.verdict == "unknown"
        assert [(u.rule, u.needs, u.severity) for u in report.unknown] == [("dose.alphadine", ["dose", "frequency"], loud)]


def test_a_creatinine_that_cannot_be_used_is_not_replaced_by_an_inference() -> None:
    for told in ({"value": 4, "unit": "mg/dL"}, {"value": 4}):
        labs = [{"test": "creatinine", "on": "2026-11-01", **told}]
        assert said(ENGINE, "alphadine 40 mg once daily", labs=labs, **GROWN) == "UNKNOWN"


def test_what_is_bought_without_a_limit_held_is_told_as_not_covered() -> None:
    engine = small(doses({"id": "any", "day": {"at_most": "10 mg"}}, drug="deltafen"))
    case = {"patient": {"medications": [{"drug": "deltafen", "dose": "50 mg", "frequency": "daily", "supply": "otc"}]}}
    assert any("dose" in n.lacks for n in engine.check(case, DAY).not_covered)


def test_directions_that_cannot_be_read_are_asked_about() -> None:
    engine = small(doses({"id": "any", "day": {"at_most": "10 mg"}}))
    assert said(engine, "alphadine 5 mg take if the moon is full twice") == "UNKNOWN"


# ------------------------------------------------------------------ laws

AMOUNTS = st.decimals(min_value=Decimal("0.1"), max_value=Decimal(2000), places=1)


@given(AMOUNTS, AMOUNTS)
@settings(max_examples=examples(60), deadline=None)
def test_a_larger_dose_never_turns_high_into_anything_else(a: Decimal, b: Decimal) -> None:
    low, high = sorted((a, b))
    if said(ENGINE, f"alphadine {low} mg once daily", **GROWN) == "HIGH":
        assert said(ENGINE, f"alphadine {high} mg once daily", **GROWN) == "HIGH"


@given(AMOUNTS)
@settings(max_examples=examples(40), deadline=None)
def test_milligrams_and_grams_say_the_same(amount: Decimal) -> None:
    assert said(ENGINE, f"alphadine {amount} mg once daily", **GROWN) == said(
        ENGINE, f"alphadine {amount / 1000} g once daily", **GROWN
    )


@given(st.integers(1, 200), st.integers(1, 200), st.randoms(use_true_random=False))
@settings(max_examples=examples(40), deadline=None)
def test_splitting_over_entries_and_their_order_change_nothing(a: int, b: int, shuffle: Any) -> None:
    parts = [f"alphadine {a} mg once daily", f"alphadine {b} mg once daily"]
    shuffle.shuffle(parts)
    assert said(ENGINE, *parts, **GROWN) == said(ENGINE, f"alphadine {a + b} mg once daily", **GROWN)


FACTS: dict[str, Any] = {"age": "6 y", "weight": "20 kg", "sex": "female", "conditions": [], "height": "110 cm"}


@given(st.sampled_from(sorted(FACTS)), AMOUNTS, st.sampled_from(["6 y", "40 y", "70 y"]))
@settings(max_examples=examples(60), deadline=None)
def test_removing_a_fact_never_makes_a_dose_right(fact: str, amount: Decimal, age: str) -> None:
    patient = {**FACTS, "age": age}
    before = said(ENGINE, f"alphadine {amount} mg once daily", **patient)
    less = {k: v for k, v in patient.items() if k != fact}
    after = said(ENGINE, f"alphadine {amount} mg once daily", **less)
    assert not (after == "CORRECT" and before != "CORRECT")


# ------------------------------------------------------------------ short courses, per kg in the directions, other measures

LOADING = small(
    doses(
        {"id": "standing", "day": {"at_most": "20 mg"}},
        {"id": "loading", "day": {"at_most": "100 mg"}, "days": {"at_most": "3 d"}},
    )
)


@pytest.mark.parametrize(
    ("sig", "expected"),
    [
        ("20 mg once daily", "CORRECT"),
        ("100 mg once daily for 3 days", "CORRECT"),
        ("100 mg once daily for 4 days", "HIGH"),
        ("100 mg once daily", "UNKNOWN"),
        ("101 mg once daily for 3 days", "HIGH"),
    ],
)
def test_a_loading_dose_is_right_only_while_it_is_short(sig: str, expected: str) -> None:
    assert said(LOADING, f"alphadine {sig}") == expected


def test_a_dose_told_per_kilogram_counts_with_the_weight() -> None:
    child = {"age": "6 y", "conditions": []}
    assert said(ENGINE, "alphadine 2 mg/kg/day divided twice daily", weight="20 kg", **child) == "CORRECT"
    assert said(ENGINE, "alphadine 3 mg/kg/day divided twice daily", weight="20 kg", **child) == "HIGH"
    assert said(ENGINE, "alphadine 2 mg/kg/day divided twice daily", **child) == "UNKNOWN"


def test_puffs_are_judged_by_puffs_where_their_strength_is_not_told() -> None:
    engine = small(
        doses({"id": "puffs", "day": {"at_most": "8 puff"}}, {"id": "mcg", "day": {"at_most": "800 mcg"}}),
    )
    assert said(engine, "alphadine 2 puffs twice daily") == "CORRECT"
    assert said(engine, "alphadine 4 puffs four times daily") == "HIGH"
    assert said(engine, "alphadine 900 mcg once daily") == "HIGH"


def test_two_forms_of_one_drug_are_added_up() -> None:
    engine = small(
        doses(
            {"id": "plain", "form": "tablet", "day": {"at_most": "80 mg"}},
            {"id": "slow", "form": "extended-release tablet", "day": {"at_most": "100 mg"}},
        )
    )
    slow, plain = "alphadine 60 mg extended-release tablet once daily", "alphadine 40 mg tablet once daily"
    assert said(engine, slow, plain) == "CORRECT"
    assert said(engine, slow, plain, "alphadine 20 mg tablet once daily") == "HIGH"


def test_the_axis_that_is_furthest_out_decides_what_is_gross() -> None:
    engine = small(doses({"id": "any", "single": {"at_most": "250 mg"}, "day": {"at_most": "500 mg"}}))
    (found,) = engine.check({"patient": {"medications": ["alphadine 500 mg every 6 hours"]}}, DAY).findings
    assert found.hard


def test_ranges_in_two_measures_do_not_wait_for_each_other() -> None:
    engine = small(doses({"id": "mass", "day": {"at_most": "100 mg"}}, {"id": "charge", "day": {"at_most": "40 mEq"}}))
    assert said(engine, "alphadine 20 mEq twice daily") == "CORRECT"
    assert said(engine, "alphadine 41 mEq once daily") == "HIGH"
    assert said(engine, "alphadine 101 mg once daily") == "HIGH"


def test_too_much_for_these_kidneys_is_no_slip() -> None:
    case = {"patient": {"age": "40 y", "conditions": ["stage 4"], "medications": ["alphadine 50 mg once daily"]}}
    (found,) = ENGINE.check(case, DAY).findings
    assert (found.severity, found.suspect) == ("major", "")


def test_where_no_route_is_told_the_doses_by_mouth_are_meant() -> None:
    engine = small(
        doses(
            {"id": "swallowed", "route": "oral", "day": {"at_most": "100 mg"}},
            {"id": "skin", "route": "topical", "day": {"at_most": "10 mg"}},
            drug="deltafen",
        )
    )
    for text, expected in (("50 mg daily", 0), ("120 mg daily", 1), ("50 mg by mouth daily", 0)):
        case = {"patient": {"medications": [{"text": f"deltafen {text}", "supply": "prescription"}]}}
        assert len(engine.check(case, DAY).findings) == expected, text


def test_tenfold_is_not_mistaken_for_weekly_where_no_weekly_dose_is_so_large() -> None:
    engine = small(
        doses(
            {"id": "daily", "day": {"at_most": "20 mg"}},
            {"id": "patch", "interval": {"at_least": "6 d"}},
        )
    )
    (found,) = engine.check({"patient": {"medications": ["alphadine 150 mg once daily"]}}, DAY).findings
    assert (found.hard, found.suspect) == (True, "tenfold")


def test_a_strength_that_a_combination_is_not_sold_in_is_asked_about() -> None:
    engine = small(doses({"id": "any", "day": {"at_most": "100 mg"}}))
    report = engine.check({"patient": {"medications": ["duocap 700 mg capsule once daily"]}}, DAY)
    assert [u.needs for u in report.unknown if u.rule == "dose.alphadine"] == [["strength"]]
