"""Problems, labs, age, weight, pregnancy and breastfeeding: what is told, what follows, what stays open."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from small_kb import DAY, avoid, needs, small, verdict

from safety.engine import Engine, as_case
from safety.understanding.facts import Facts

TAKES = ["alphadine 5 mg daily"]


def said(line: Any, **patient: Any) -> str:
    return verdict(small(avoid(line)), medications=TAKES, **patient)


# ------------------------------------------------------------------ problems

HAS = {"has": "condition.kidneys"}


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        (None, "unknown"),
        ([], "silent"),
        (["ulcer"], "silent"),
        (["kidney trouble"], "violated"),
        (["Kidney Trouble, stage 3b"], "violated"),
        ([{"system": "snomed", "code": "100000002"}], "violated"),
        ([{"text": "whatever the record says", "system": "snomed", "code": "100000002"}], "violated"),
        ([{"text": "kidney trouble stage 3b", "status": "past"}], "silent"),
        ([{"system": "snomed", "code": "100000003"}], "silent"),
        (["ulcer", {"text": "kidney trouble", "status": "past"}, "kidney trouble stage 3"], "violated"),
    ],
    ids=[
        "not told",
        "told none",
        "another",
        "itself",
        "a stage of it",
        "by code",
        "code over text",
        "past",
        "a past code",
        "past and active",
    ],
)
def test_a_problem_is_had_if_it_or_a_kind_of_it_is_on_the_list(conditions: Any, expected: str) -> None:
    assert said(HAS, conditions=conditions) == expected


def test_a_kind_of_a_problem_is_not_had_because_the_problem_is() -> None:
    assert said({"has": "condition.kidneys-3b"}, conditions=["kidney trouble"]) == "silent"


@pytest.mark.parametrize(
    "past",
    [
        {"text": "kidney trouble stage 3b", "status": "past"},
        {"text": "kidney trouble", "status": "resolved"},
        {"system": "snomed", "code": "100000003"},
    ],
)
def test_ever_counts_a_past_problem_too(past: Any) -> None:
    line = {"has": {"any_of": ["condition.kidneys"], "ever": "yes"}}
    assert said(line, conditions=[past]) == "violated"
    assert said(line, conditions=[]) == "silent"


# ------------------------------------------------------------------ labs

LOW = {"lab": {"test": "lab.clearance", "under": "30 mL/min"}}


def clearance(value: Any, on: str | None = "2026-11-10", unit: str | None = "mL/min") -> dict[str, Any]:
    return {"test": "clearance", "value": value, "unit": unit, "on": on}


@pytest.mark.parametrize(
    ("value", "expected"), [(29, "violated"), ("29.9", "violated"), (30, "silent"), ("30.0", "silent"), (31, "silent")]
)
def test_under_does_not_include_the_number(value: Any, expected: str) -> None:
    assert said(LOW, labs=[clearance(value)]) == expected


@pytest.mark.parametrize(
    ("labs", "expected"),
    [
        (None, "unknown"),
        ([], "unknown"),
        ([clearance("pending")], "unknown"),
        ([clearance(None)], "unknown"),
        ([clearance("")], "unknown"),
        ([clearance(20, unit=None)], "violated"),  # plausible in mL/min alone; that it was taken so is said
        ([clearance(20, unit="mg/dL")], "unknown"),
        ([clearance(20, unit="furlongs")], "unknown"),
        ([clearance(900)], "unknown"),
        ([clearance(-5)], "unknown"),
        ([clearance("<5")], "violated"),
        ([clearance("< 30")], "violated"),
        ([clearance("<60")], "unknown"),
        ([clearance(">60")], "silent"),
        ([clearance(">30")], "silent"),
        ([clearance(">15")], "unknown"),
        ([clearance("<=29")], "violated"),
        ([clearance("≤60")], "unknown"),
        ([clearance("≥15")], "unknown"),
        ([clearance("≥ 30")], "silent"),
        ([clearance("1e-400000")], "unknown"),
    ],
)
def test_a_result_that_cannot_be_read_for_sure_is_unknown(labs: Any, expected: str) -> None:
    assert said(LOW, labs=labs) == expected


@pytest.mark.parametrize("value", ["pending", "<60", None, "900"])
def test_a_result_that_cannot_be_read_never_satisfies_the_opposite_line_either(value: Any) -> None:
    assert said({"not": LOW}, labs=[clearance(value)]) == "unknown"


@settings(max_examples=examples(50), deadline=None)
@given(
    st.permutations(
        [clearance(20, "2026-11-10"), clearance(50, "2026-11-09"), clearance(90, "2025-01-01"), clearance(99, "2026-11-21")]
    )
)
def test_the_newest_result_decides_whatever_the_order_and_those_of_the_future_do_not_exist(labs: list[Any]) -> None:
    assert verdict(LOW_ENGINE, medications=TAKES, labs=labs) == "violated"
    assert verdict(LOW_ENGINE, medications=TAKES, labs=labs, as_of="2026-11-09") == "silent"
    assert verdict(LOW_ENGINE, medications=TAKES, labs=labs, as_of="2026-11-21") == "silent"


LOW_ENGINE = small(avoid(LOW))


def test_a_result_of_the_day_itself_counts_and_only_future_ones_leave_it_open() -> None:
    assert said(LOW, labs=[clearance(20, DAY)]) == "violated"
    assert said(LOW, labs=[clearance(20, "2026-11-21")]) == "unknown"


@pytest.mark.parametrize(("on", "expected"), [("2026-10-21", "violated"), ("2026-10-20", "unknown")], ids=["30 days", "31 days"])
def test_a_result_older_than_the_line_allows_is_no_result(on: str, expected: str) -> None:
    line = {"lab": {"test": "lab.clearance", "under": "30 mL/min", "newest_within": "30 d"}}
    assert said(line, labs=[clearance(20, on)]) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"), [(20, 25, "violated"), (20, 50, "unknown"), (40, 50, "silent"), (20, "pending", "unknown")]
)
def test_two_results_of_one_day_count_where_they_agree(first: Any, second: Any, expected: str) -> None:
    for labs in ([clearance(first), clearance(second)], [clearance(second), clearance(first)]):
        assert said(LOW, labs=labs) == expected


def test_an_unreadable_newest_result_is_not_replaced_by_an_older_one() -> None:
    assert said(LOW, labs=[clearance("pending", "2026-11-19"), clearance(90, "2026-10-01")]) == "unknown"


def test_a_result_without_a_day_counts() -> None:
    assert said(LOW, labs=[clearance(20, None)]) == "violated"
    assert said(LOW, labs=[clearance(50, None)]) == "silent"


def test_a_result_without_a_day_never_silences_a_dated_one_that_disagrees() -> None:
    """Which of the two is newer is not known."""
    assert said(LOW, labs=[clearance(90, None), clearance(20, "2026-11-10")]) != "silent"


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        ("1.5", "mg/dL", "violated"),
        ("1.4", "mg/dL", "silent"),
        ("133", "umol/L", "violated"),
        ("132", "µmol/L", "silent"),
        ("15", "mg/L", "violated"),
        ("0.133", "mmol/L", "unknown"),
        ("1.5", "mmol/L", "unknown"),
    ],
)
def test_a_creatinine_is_converted_by_the_tests_own_factor_and_not_otherwise(value: str, unit: str, expected: str) -> None:
    """1.5 mg/dL is 132.6 umol/L; the made-up test holds no factor for mmol/L."""
    line = {"lab": {"test": "lab.creatinine", "at_least": "1.5 mg/dL"}}
    assert said(line, labs=[{"test": "creatinine", "value": value, "unit": unit, "on": DAY}]) == expected


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(1, 299))
def test_under_and_at_least_are_opposites_for_every_plausible_result(value: int) -> None:
    labs = [clearance(value)]
    under = verdict(LOW_ENGINE, medications=TAKES, labs=labs)
    assert (under == "violated") is (value < 30)
    assert verdict(AT_LEAST, medications=TAKES, labs=labs) == ("silent" if under == "violated" else "violated")


AT_LEAST = small(avoid({"lab": {"test": "lab.clearance", "at_least": "30 mL/min"}}))


# ------------------------------------------------------------------ age and weight

OLD = {"age": {"at_least": "65 y"}}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"birth_date": "1961-11-20"}, "violated"),
        ({"birth_date": "1961-11-21"}, "silent"),
        ({"age": "65 y"}, "violated"),
        ({"age": 65}, "violated"),
        ({"age": "64 y"}, "silent"),
        ({"age": "780 months"}, "violated"),
        ({"age": "779 months"}, "silent"),
        ({}, "unknown"),
    ],
    ids=["65th birthday", "the day before", "65 y", "65", "64 y", "780 months", "779 months", "not told"],
)
def test_65_begins_on_the_birthday(told: dict[str, Any], expected: str) -> None:
    assert said(OLD, **told) == expected


@settings(max_examples=examples(150), deadline=None)
@given(st.dates(min_value=date(1925, 1, 1), max_value=date(2026, 11, 20)))
def test_a_birth_date_gives_the_age_that_people_count(born: Any) -> None:
    """Years are counted by birthdays; someone born on 29 February is a year older on 1 March (or the 28th: both are used)."""
    day = date(2026, 11, 20)
    years = day.year - born.year - ((day.month, day.day) < (born.month, born.day))
    assert (verdict(OLD_ENGINE, medications=TAKES, birth_date=born.isoformat()) == "violated") is (years >= 65)


OLD_ENGINE = small(avoid(OLD))


@pytest.mark.parametrize(
    ("limit", "told", "expected"),
    [
        ("6 months", {"age": "5 months"}, "violated"),
        ("6 months", {"age": "6 months"}, "silent"),
        ("6 months", {"birth_date": "2026-05-21"}, "violated"),
        ("6 months", {"birth_date": "2026-05-20"}, "silent"),
        ("2 y", {"age": "23 months"}, "violated"),
        ("2 y", {"age": "24 months"}, "silent"),
        ("2 weeks", {"age": "13 days"}, "violated"),
        ("2 weeks", {"age": "14 days"}, "silent"),
        ("2 weeks", {"age": "2 weeks"}, "silent"),
        ("28 d", {"age": "27 days"}, "violated"),
        ("28 d", {"age": "28 days"}, "silent"),
        ("28 d", {"age": "4 weeks"}, "silent"),
        ("28 d", {"birth_date": "2026-10-24"}, "violated"),
        ("28 d", {"birth_date": "2026-10-23"}, "silent"),
    ],
)
def test_children_are_counted_in_months_weeks_and_days(limit: str, told: dict[str, Any], expected: str) -> None:
    assert said({"age": {"under": limit}}, **told) == expected


def test_a_birth_date_after_the_day_is_no_age() -> None:
    assert said({"age": {"under": "12 y"}}, birth_date="2027-03-01") == "unknown"


@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        ("49 kg", "violated"),
        ("50 kg", "silent"),
        ("110 lb", "violated"),
        ("111 lb", "silent"),
        ("49900 g", "violated"),
        (None, "unknown"),
    ],
)
def test_pounds_and_kilograms_are_one_weight(weight: str | None, expected: str) -> None:
    """50 kg are 110.23 lb."""
    assert said({"weight": {"under": "50 kg"}}, weight=weight) == expected


# ------------------------------------------------------------------ pregnancy and breastfeeding

PREGNANT = {"pregnancy": "yes"}
LATE = {"pregnancy": {"trimester": [2, 3]}}
TWENTY = {"pregnancy": {"weeks": {"at_least": 20}}}


@pytest.mark.parametrize(
    ("line", "told", "expected"),
    [
        (PREGNANT, {}, "unknown"),
        (PREGNANT, {"sex": "female", "age": 30}, "unknown"),
        (PREGNANT, {"pregnancy": "no", "sex": "female", "age": 30}, "silent"),
        (PREGNANT, {"pregnancy": "yes"}, "violated"),
        (PREGNANT, {"pregnancy": "trimester 1"}, "violated"),
        (PREGNANT, {"pregnancy": "weeks 5"}, "violated"),
        (PREGNANT, {"sex": "male"}, "silent"),
        (PREGNANT, {"age": 56}, "silent"),
        (PREGNANT, {"age": 55}, "unknown"),
        (PREGNANT, {"pregnancy": "yes", "sex": "male"}, "violated"),
        (PREGNANT, {"pregnancy": "yes", "age": 70}, "violated"),
        (PREGNANT, {"conditions": ["pregnancy"]}, "violated"),
        (PREGNANT, {"conditions": ["pregnancy"], "sex": "male"}, "violated"),
        (PREGNANT, {"conditions": [{"text": "pregnancy", "status": "past"}]}, "unknown"),
        (PREGNANT, {"conditions": ["pregnancy"], "pregnancy": "no"}, "unknown"),
        ({"pregnancy": "no"}, {"pregnancy": "no"}, "violated"),
        ({"pregnancy": "no"}, {"pregnancy": "yes"}, "silent"),
        ({"pregnancy": "no"}, {}, "unknown"),
        (LATE, {"pregnancy": "trimester 1"}, "silent"),
        (LATE, {"pregnancy": "trimester 2"}, "violated"),
        (LATE, {"pregnancy": "weeks 13"}, "silent"),
        (LATE, {"pregnancy": "weeks 14"}, "violated"),
        (LATE, {"pregnancy": "yes"}, "unknown"),
        (LATE, {"pregnancy": "no"}, "silent"),
        (LATE, {"conditions": ["pregnancy"]}, "unknown"),
        (TWENTY, {"pregnancy": "weeks 19"}, "silent"),
        (TWENTY, {"pregnancy": "weeks 20"}, "violated"),
        (TWENTY, {"pregnancy": "trimester 1"}, "silent"),
        (TWENTY, {"pregnancy": "trimester 2"}, "unknown"),
        (TWENTY, {"pregnancy": "trimester 3"}, "violated"),
    ],
)
def test_pregnancy_is_told_follows_from_another_fact_or_is_asked_for(line: Any, told: dict[str, Any], expected: str) -> None:
    assert said(line, **told) == expected


def test_a_pregnancy_that_the_record_contradicts_is_noted_and_asked_about() -> None:
    case = {"patient": {"medications": TAKES, "conditions": ["pregnancy"], "pregnancy": "no"}}
    report = small(avoid(PREGNANT)).check(case, DAY)
    assert report.verdict == "unknown"
    assert [u.needs for u in report.unknown] == [["pregnancy"]]
    assert len(report.notes) == 1
    assert "pregnan" in report.notes[0]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, "unknown"),
        ({"breastfeeding": "yes"}, "violated"),
        ({"breastfeeding": "no"}, "silent"),
        ({"sex": "male"}, "silent"),
        ({"conditions": ["nursing"]}, "violated"),
        ({"sex": "female", "age": 30}, "unknown"),
        ({"breastfeeding": "yes", "sex": "male"}, "violated"),
    ],
)
def test_breastfeeding_is_told_follows_from_another_fact_or_is_asked_for(told: dict[str, Any], expected: str) -> None:
    assert said({"breastfeeding": "yes"}, **told) == expected


def test_what_is_missing_is_asked_for_by_name() -> None:
    lines = [HAS, LOW, OLD, {"weight": {"under": "50 kg"}}, {"sex": "female"}, PREGNANT, {"breastfeeding": "yes"}]
    engine = small(*(avoid(line, i=f"contraindication.n{n}") for n, line in enumerate(lines)))
    wanted = {"conditions", "lab.clearance", "age", "weight", "sex", "pregnancy", "breastfeeding"}
    assert needs(engine, medications=TAKES) == wanted
    for unknown in engine.check({"patient": {"medications": TAKES}}, DAY).unknown:
        assert unknown.ask.endswith("?")


@pytest.mark.parametrize(
    ("problem", "asked"),
    [("epilepsy", False), ("solitary kidney after nephrectomy", True), ("renal something unheard of", True),
     ("CKD, stage unknown", True), ("uremia", True), ("dialisis", True), ("obstructive uropathy", True),
     ("hydronephrosis", True), ("multiple myeloma", True), ("crutches", False)],
)  # fmt: skip
def test_kidneys_are_not_taken_as_sound_beside_a_problem_that_may_be_theirs(engine: Engine, problem: str, asked: bool) -> None:
    patient = {
        "age": "45 y",
        "sex": "male",
        "weight": "80 kg",
        "conditions": [problem],
        "medications": ["gabapentin 600 mg by mouth three times daily"],
    }
    report = engine.check({"patient": patient}, DAY)
    told = any(f.rule.startswith("dose.") for f in report.every_finding)  # where the problem itself says how weak they are
    assert (told or any("lab.creatinine" in u.needs for u in report.unknown)) is asked


@pytest.mark.parametrize("problem", ["HD MWF", "Cr 3.2", "ESRD on dialysis"])
def test_dialysis_or_a_creatinine_on_the_problem_list_lowers_what_the_kidneys_allow(engine: Engine, problem: str) -> None:
    told = {"age": "45 y", "sex": "male", "weight": "80 kg", "conditions": [problem]}
    report = engine.check({"patient": {**told, "medications": ["gabapentin 600 mg by mouth three times daily"]}}, DAY)
    assert "dose.gabapentin" in {f.rule for f in report.findings}


@pytest.mark.parametrize(
    ("told", "known"),
    [("uncontrolled hypertension", True), ("hypertension, well controlled", True), ("chronic hypertension", True),
     ("severe unheard-of disease", False), ("no hypertension", True), ("family hypertension", True)],
)  # fmt: skip
def test_words_beside_a_problem_that_leave_it_what_it_is(engine: Engine, told: str, known: bool) -> None:
    report = engine.check({"patient": {"conditions": [told], "medications": ["warfarin 5 mg daily"]}}, DAY)
    assert ([u.where for u in report.unresolved] == []) is known


@pytest.mark.parametrize(
    ("told", "weight", "height"),
    [
        ({"vitals": ["wt 82 kg", "ht 170 cm"]}, "82 kg", "170 cm"),
        ({"vitals": ["BP 120/70, wt 82 kg, HR 70"]}, "82 kg", "None"),
        ({"labs": ["weight 82 kg 2026-11-01", "weight 90 kg 2026-11-10"]}, "90 kg", "None"),
        ({"vitals": [{"test": "weight", "value": 200, "unit": "lb"}]}, "90.718474 kg", "None"),
        ({"weight": "70 kg", "vitals": ["wt 82 kg"]}, "70 kg", "None"),
        ({"vitals": ["weight 82"]}, "None", "None"),
        ({"vitals": ["wt 82 kg", "wt 60 kg"]}, "None", "None"),
        ({"vitals": ["weight 4000 kg"]}, "None", "None"),
    ],
)
def test_a_weight_among_the_vitals_is_the_weight_if_its_unit_is_told(
    engine: Engine, told: dict[str, object], weight: str, height: str
) -> None:
    facts = Facts(as_case({"patient": told}), engine.checker.terms, date(2026, 11, 20))
    assert (str(facts.patient.weight), str(facts.patient.height)) == (weight, height)
