"""What is due, how far a result moved, and what another test corrects: laws that hold for every result and order."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import compiled, engine_of, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.model.report import Report

ENGINE = engine_of(compiled().library)
DAY = "2026-11-20"
UMOL = 88.4
"""Creatinine in umol/L for one mg/dL."""


def report(medication: str, labs: list[dict[str, Any]], **patient: Any) -> Report:
    """The report for a man of 60 who takes one medicine."""
    told = {"age": "60 y", "sex": "male", "medications": [medication], "labs": labs, **patient}
    return ENGINE.check({"as_of": DAY, "patient": told})


def creatinine(value: float, day: int, unit: str = "mg/dL") -> dict[str, Any]:
    return {"test": "creatinine", "value": f"{value:.4f}", "unit": unit, "on": f"2026-11-{day:02d}"}


def moved(told: Report) -> set[str]:
    return {f.rule for f in told.every_finding if f.rule.startswith("result.changes.")}


VALUES = st.lists(st.tuples(st.floats(0.5, 4), st.integers(1, 20)), min_size=2, max_size=5, unique_by=lambda v: v[1])


@given(VALUES, st.randoms(use_true_random=False))
@settings(max_examples=examples(60), deadline=None)
def test_the_order_in_which_results_are_told_changes_nothing(values: list[tuple[float, int]], shuffle: Any) -> None:
    labs = [creatinine(*v) for v in values]
    other = list(labs)
    shuffle.shuffle(other)
    first, second = report("ibuprofen 600 mg tid", labs), report("ibuprofen 600 mg tid", other)
    assert moved(first) == moved(second)
    assert first.due == second.due


@given(st.floats(0.6, 3), st.floats(0.3, 4), st.integers(1, 18))
@settings(max_examples=examples(80), deadline=None)
def test_a_result_that_moved_further_never_silences_a_rule(start: float, factor: float, day: int) -> None:
    near = moved(report("lisinopril 20 mg daily", [creatinine(start, day), creatinine(start * factor, 20)]))
    far = moved(report("lisinopril 20 mg daily", [creatinine(start, day), creatinine(start * factor * 1.5, 20)]))
    assert near <= far


@pytest.mark.parametrize("factor", [1.1, 1.29, 1.31, 1.6, 2.1])
def test_a_change_is_the_same_whichever_unit_its_results_are_in(factor: float) -> None:
    plain = moved(report("lisinopril 20 mg daily", [creatinine(1, 1), creatinine(factor, 20)]))
    mixed = moved(report("lisinopril 20 mg daily", [creatinine(UMOL, 1, "umol/L"), creatinine(factor, 20)]))
    assert plain == mixed


def test_one_result_told_as_an_earlier_one_and_one_now_are_a_change() -> None:
    assert "result.changes.nsaid-creatinine" in moved(report("naproxen 500 mg bid", ["creatinine went from 1.0 to 2.1"]))  # type: ignore[list-item]


@given(st.integers(0, 400), st.sampled_from([0.8, 2.4, 3.9]))
@settings(max_examples=examples(60), deadline=None)
def test_a_toxic_level_is_never_taken_as_measured_lately(days: int, value: float) -> None:
    on = f"{2026 - (days > 323)}-01-01" if days > 323 else "2026-11-15"
    told = report("lithium 300 mg tid", [{"test": "lithium level", "value": value, "unit": "mmol/L", "on": on}])
    asked = any("monitoring.tests.lithium-level" in d.rules for d in told.due)
    assert asked is (value > 1.2 or days > 323)


@pytest.mark.parametrize(
    ("medication", "problem"),
    [
        ("levothyroxine 100 mcg daily", "hypothyroidism"),
        ("warfarin 5 mg daily", "atrial fibrillation"),
        ("clozapine 100 mg bid", "schizophrenia"),
    ],
)
def test_a_reminder_alone_breaks_nothing_also_where_a_label_presses_it(medication: str, problem: str) -> None:
    told = report(medication, [], conditions=[problem], allergies=[])
    assert {m for d in told.due for m in d.medicines} == {medication.split()[0]}
    assert not [f for f in told.every_finding if f.kind == "monitoring"]
    assert told.verdict != "violated"


def test_what_a_label_presses_is_asked_about_where_results_are_not_told() -> None:
    told = ENGINE.check({"as_of": DAY, "patient": {"age": "60 y", "sex": "male", "medications": ["warfarin 5 mg daily"]}})
    assert any(u.rule == "monitoring.tests.warfarin-inr" for u in told.unknown)


def test_a_medicine_that_waits_for_a_negative_test_is_a_finding() -> None:
    told = report("isotretinoin 40 mg daily", [], age="26 y", sex="female", pregnancy="no")
    assert [f.rule for f in told.every_finding if f.kind == "monitoring"] == ["monitoring.pregnancy.isotretinoin"]
    assert told.verdict == "violated"


def test_no_medicine_is_reminded_of_one_test_by_two_entries() -> None:
    """Two entries on one fact would have two intervals; each medicine alone is reminded of a test by one."""
    for drug in {d for e in ENGINE.library.entries if e.kind == "monitoring" for s in e.slots for d in s.members or ()}:
        name = ENGINE.library.name_of(drug)
        told = ENGINE.check(
            {"as_of": DAY, "patient": {"age": "30 y", "sex": "female", "labs": [], "conditions": [], "medications": [name]}}
        )
        assert [d.rules for d in told.due if len(d.rules) > 1] == [], name


def test_what_is_in_time_is_no_reminder() -> None:
    told = report("levothyroxine 100 mcg daily", [{"test": "TSH", "value": 2, "unit": "mIU/L", "on": "2026-06-01"}])
    assert told.due == []


@given(st.floats(1, 3.4), st.floats(0.05, 1))
@settings(max_examples=examples(60), deadline=None)
def test_a_lower_albumin_never_corrects_a_level_or_a_calcium_to_less(albumin: float, less: float) -> None:
    for text in ("phenytoin level 9 mcg/mL", "calcium 8.0 mg/dL"):
        values = []
        for one in (albumin, albumin - less * 0.4):
            labs = [{"test": "albumin", "value": f"{one:.3f}", "unit": "g/dL", "on": DAY}]
            answer = ENGINE.lab({"as_of": DAY, "text": text, "patient": {"age": "60 y", "sex": "male", "labs": labs}})
            assert answer.corrected is not None
            values.append(float(answer.value.split()[0]))
        assert values[1] >= values[0] - 0.01


@given(st.lists(st.tuples(st.sampled_from(["potassium", "sodium", "TSH"]), st.integers(1, 28)), min_size=1, max_size=6))
@settings(max_examples=examples(40), deadline=None)
def test_every_result_on_file_is_told_the_most_recent_first(told: list[tuple[str, int]]) -> None:
    unit = {"potassium": ("4.2", "mmol/L"), "sodium": ("139", "mmol/L"), "TSH": ("2.1", "mIU/L")}
    labs = [{"test": t, "value": unit[t][0], "unit": unit[t][1], "on": f"2026-10-{d:02d}"} for t, d in told]
    answer = ENGINE.lab({"as_of": DAY, "patient": {"age": "60 y", "sex": "male", "labs": labs, "medications": []}})
    days = [a.on for a in (answer, *answer.also) if a.test is not None]
    assert len(days) == len(told)
    assert days == sorted(days, reverse=True)


@pytest.mark.parametrize(
    ("said", "test"),
    [("kidney number 3.4", "lab.creatinine"), ("kidney number 34", "lab.egfr"), ("BP 80/120", "lab.systolic-blood-pressure")],
)
def test_a_name_of_several_tests_is_read_by_its_number_and_a_reversed_pair_is_not_taken(said: str, test: str) -> None:
    answer = ENGINE.lab({"as_of": DAY, "text": said, "patient": {"age": "60 y", "sex": "male"}})
    assert answer.test == test
    assert bool(answer.ask) is said.startswith("BP")


def test_a_positive_pregnancy_test_reaches_the_rules_on_pregnancy_and_an_old_one_does_not() -> None:
    def rules(on: str) -> set[str]:
        told = report(
            "isotretinoin 40 mg daily",
            [{"test": "pregnancy test", "value": "positive", "on": on}], age="26 y", sex="female",
        )  # fmt: skip
        return {f.rule for f in told.every_finding if f.kind == "pregnancy"}

    assert rules("2026-11-15")
    assert not rules("2025-11-15")


def test_told_as_not_pregnant_beside_a_positive_test_is_a_contradiction() -> None:
    labs = [{"test": "pregnancy test", "value": "positive", "on": "2026-11-15"}]
    told = report("isotretinoin 40 mg daily", labs, age="26 y", sex="female", pregnancy="no")
    assert any(h.because == "contradicts" and h.about == "pregnancy" for h in told.unknown_because)
