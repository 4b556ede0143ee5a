"""`engine.lab`: the paper's examples, what is asked about instead of guessed, and laws that hold for every result."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from conftest import compiled, engine_of, examples, refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.knowledge.library import Lab
from safety.labs.trend import Point, changed, points, trend
from safety.model.lab_answer import LabAnswer

ENGINE = engine_of(compiled().library)
DAY = "2026-11-23"
WOMAN = {"age": "40 y", "sex": "female"}


def answer(asked: str | dict[str, Any], **patient: Any) -> LabAnswer:
    """The answer for a woman of 40, with these facts beside."""
    told = {"text": asked} if isinstance(asked, str) else asked
    return ENGINE.lab({"patient": {**WOMAN, **patient}, **told}, DAY)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("hemoglobin 16", "high"),
        ("Hct 43", "normal"),
        ("systolic 125", "high"),
        ("BP 125", "high"),
        ("systolic 190", "critical_high"),
        ("systolic 500", "implausible"),
        ("my sugar was 250", "high"),
        ("K 6.8", "critical_high"),
        ("potassium 4.2", "normal"),
        ("SpO2 84%", "critical_low"),
        ("thin blood test 1.0", "normal"),
        ({"test": "urine ketones", "value": "negative"}, "negative"),
        ({"test": "blood culture", "value": "positive"}, "positive"),
        ({"test": "platelets", "value": 1, "unit": "10*9/L"}, "critical_low"),
        ({"test": "INR", "value": 20}, "critical_high"),
        ({"test": "digoxin level", "value": 20, "unit": "ng/mL"}, "critical_high"),
    ],
)
def test_a_result_is_told_where_it_lies(asked: str | dict[str, Any], status: str) -> None:
    assert answer(asked).status == status


def test_a_blood_pressure_is_answered_for_both_components() -> None:
    told = answer("BP 118/88")
    assert (told.test, told.status) == ("lab.systolic-blood-pressure", "normal")
    assert [(a.test, a.status) for a in told.also] == [("lab.diastolic-blood-pressure", "high")]


def test_what_may_be_a_mistake_is_asked_about_and_still_named_an_emergency_if_true() -> None:
    told = answer("systolic 500")
    assert told.ask
    assert "911" in told.task
    assert told.escalate != "none"


def test_a_critical_value_brings_somebody_in() -> None:
    assert answer("systolic 190").escalate == "emergency"


def test_a_result_on_levothyroxine_is_remarked_on() -> None:
    told = answer("TSH 5.5", medications=["levothyroxine 100 mcg daily"])
    assert told.status == "high"
    assert "levothyroxine" in told.task.lower()


def test_a1c_after_a_higher_one_is_lower() -> None:
    told = answer({"test": "A1c", "value": 5.6, "unit": "%", "history": [{"value": 7.2, "unit": "%", "on": "2026-05-01"}]})
    assert told.previous is not None
    assert (told.previous.change, told.trend) == ("lower", "falling")
    assert "between two results, not a steady trend" in told.trend_words


def test_glucose_in_urine_is_expected_on_dapagliflozin() -> None:
    told = answer({"test": "urine glucose", "value": "3+"}, medications=["dapagliflozin 10 mg daily"])
    assert (told.status, told.escalate) == ("positive", "none")
    assert "dapagliflozin" in told.task


def test_biotin_disturbs_the_assay_of_tsh() -> None:
    told = answer("TSH 0.2", medications=["biotin 10 mg daily"])
    assert any(e.kind == "assay" for e in told.medication_effects)


@pytest.mark.parametrize(
    "value", ["12O/8O", "five point six", "1.1.1", float("inf"), 1e309, float("nan"), "2026-11-01", "-", "", "abc"]
)
def test_bad_input_is_asked_about_and_never_guessed(value: object) -> None:
    told = answer({"test": "potassium", "value": value, "unit": "mmol/L"})
    assert told.status == "unknown"
    assert told.ask


def test_a_negative_amount_is_not_plausible() -> None:
    assert answer({"test": "potassium", "value": -4, "unit": "mmol/L"}).status == "implausible"


def test_a_wrong_unit_is_proposed_where_one_alone_fits_and_is_asked() -> None:
    told = answer({"test": "glucose", "value": 5.6, "unit": "mg/dL"})
    assert told.status == "implausible"
    assert "mmol/L" in told.ask


@pytest.mark.parametrize(
    ("patient", "asked", "needs"),
    [
        ({"age": "40 y"}, "hemoglobin 16", ["sex"]),
        ({"age": "40 y"}, "hemoglobin 14", []),
        ({"age": "40 y", "sex": "female"}, {"test": "glucose", "value": 120, "unit": "mg/dL"}, ["fasting"]),
        ({"age": "40 y", "sex": "female"}, {"test": "glucose", "value": 120, "unit": "mg/dL", "fasting": True}, []),
        ({"age": "40 y", "sex": "female"}, {"test": "glucose", "value": 320, "unit": "mg/dL"}, []),
    ],
)
def test_what_is_not_told_is_asked_only_where_the_bands_differ(
    patient: dict[str, Any], asked: str | dict[str, Any], needs: list[str]
) -> None:
    told = {"text": asked} if isinstance(asked, str) else asked
    found = ENGINE.lab({"patient": patient, **told}, DAY)
    assert found.needs == needs
    assert bool(found.ask) == bool(needs)
    assert (found.status == "unknown") == bool(needs)


@pytest.mark.parametrize(
    ("asked", "fasting", "needs"),
    [("sugar 154", None, ["fasting"]), ("sugar 154", False, []), ("sugar 88", None, []), ("sugar 320", None, [])],
)
def test_of_a_sugar_that_is_out_of_both_ranges_but_not_far_it_is_asked_whether_it_was_fasting(
    asked: str, fasting: bool | None, needs: list[str]
) -> None:
    told = {"text": asked} | ({"fasting": fasting} if fasting is not None else {})
    found = ENGINE.lab({"patient": {"age": "52 y", "sex": "female"}, **told}, DAY)
    assert (found.status, found.needs) == ("normal" if asked == "sugar 88" else "high", needs)


@pytest.mark.parametrize(
    ("patient", "asked", "needs"),
    [
        ({}, "sugar 52", ["age"]),
        ({}, "sugar 250", ["fasting"]),
        ({"age": "40 y"}, "glucose 25", ["unit"]),
        ({"age": "40 y", "sex": "male"}, "vitamin D 8", []),
        ({"age": "30 y", "sex": "female", "pregnancy": "yes"}, "hemoglobin 10.8", ["pregnancy"]),
    ],
)
def test_only_the_fact_that_decides_is_asked_for(patient: dict[str, Any], asked: str, needs: list[str]) -> None:
    assert ENGINE.lab({"patient": patient, "text": asked}, DAY).needs == needs


def test_what_is_critical_in_an_adult_does_not_wait_for_the_age() -> None:
    told = ENGINE.lab({"patient": {}, "text": "BP 190/95"}, DAY)
    assert (told.status, told.escalate, told.ask) == ("critical_high", "emergency", "")


@pytest.mark.parametrize("told", ["weeks 32", "trimester 3", {"weeks": 32}, {"trimester": 3}])
def test_the_weeks_of_a_pregnancy_say_which_trimester_a_result_is_held_against(told: object) -> None:
    found = answer("hemoglobin 11.4 g/dL", age="29 y", sex="female", pregnancy=told)
    assert found.range is not None
    assert found.range.for_ == "pregnant, trimester 3"


def test_a_severe_pressure_in_pregnancy_is_critical_and_the_same_one_otherwise_is_not() -> None:
    assert answer("BP 165/95", pregnancy="weeks 30").status == "critical_high"
    assert answer("BP 165/95").status == "high"


def test_a_pressure_is_read_as_it_is_said() -> None:
    told = answer("my blood pressure is 150 over 90")
    assert [told.value, *(a.value for a in told.also)] == ["150 mmHg", "90 mmHg"]
    assert not told.notes


@pytest.mark.parametrize(
    ("asked", "escalate"),
    [
        ("glucose 52 and confused", "emergency"),
        ("K 4.2 and chest pain", "clinician"),
        ("K 5.6, no chest pain or confusion", "none"),
        ("K 5.6", "none"),
    ],
)
def test_symptoms_that_are_told_with_a_result_make_it_more_urgent(asked: str, escalate: str) -> None:
    told = answer(asked)
    assert told.escalate == escalate
    assert ("911" in told.task) == (escalate == "emergency")


@pytest.mark.parametrize(
    ("asked", "escalate", "said"),
    [
        ("sodium 140 mmol/L", "none", ""),
        ("zinc level 192 mcg/dL", "none", "Tell the clinician at the next contact: zinc level is high."),
        ("zinc level 51 mcg/dL", "none", "Tell the clinician at the next contact: zinc level is low."),
        ("lamotrigine level 2.5 mcg/mL", "pharmacist", "Tell the clinician at the next contact: lamotrigine level is low."),
        ("albumin 2.1 g/dL", "clinician", "Tell the clinician today: albumin is low."),
        ("creatinine 2.5 mg/dL", "clinician", "Tell the clinician today: creatinine is high."),
        ("cortisol 2.4 mcg/dL", "clinician", "Tell the clinician today: cortisol is out of its limits."),
        ("troponin I 0.05 ng/mL", "emergency", "Call the clinician now: troponin I is high; with symptoms call 911."),
        ("acetaminophen level 32 mcg/mL", "emergency",
         "Call the clinician or poison control now: acetaminophen level is high."),
    ],
)  # fmt: skip
def test_whom_to_tell_and_how_soon_is_said_as_urgently_as_the_result_is(asked: str, escalate: str, said: str) -> None:
    told = answer(asked)
    assert told.escalate == escalate
    assert told.task.removesuffix(told.ask).strip() == said


def test_lab_and_check_agree_on_a_result_that_a_medicine_does_not_bear() -> None:
    lab = answer("INR 9.4", medications=["warfarin 5 mg daily"])
    check = ENGINE.check({"as_of": DAY, "patient": {**WOMAN, "medications": ["warfarin 5 mg daily"], "labs": ["INR 9.4"]}})
    assert {f.rule for f in lab.findings} == {f.rule for f in check.every_finding if f.kind == "lab"} != set()


def test_all_results_on_file_are_told_newest_first() -> None:
    told = ENGINE.lab({"patient": {**WOMAN, "labs": ["K 4.1 on 2026-10-01", "TSH 2.0 on 2026-11-01"]}}, DAY)
    assert [told.test, *(a.test for a in told.also)] == ["lab.tsh", "lab.potassium"]


def test_a_critical_result_that_no_medicine_explains_is_told_by_check() -> None:
    report = ENGINE.check({"as_of": DAY, "patient": {**WOMAN, "medications": ["atorvastatin 20 mg daily"], "labs": ["K 7.1"]}})
    assert any(u.status == "unjudged" and "Critical" in u.ask for u in report.unresolved)


def test_what_is_no_request_is_refused() -> None:
    assert refusal(lambda: ENGINE.lab([1, 2], DAY))  # type: ignore[arg-type]
    assert refusal(lambda: ENGINE.lab({"text": "K 4.1", "fastin": True}, DAY))
    assert refusal(lambda: ENGINE.lab("K 4.1"))


# ------------------------------------------------------------------ laws


def _tests() -> list[Lab]:
    return [t for t in compiled().library.labs if t.plausible_low is not None and t.plausible_high is not None and t.other_units]


@given(data=st.data())
@settings(max_examples=examples(80), deadline=None)
def test_a_unit_there_and_back_changes_no_status(data: st.DataObject) -> None:
    test = data.draw(st.sampled_from(_tests()), label="test")
    other = data.draw(st.sampled_from(test.other_units), label="unit")
    assert test.plausible_low is not None
    assert test.plausible_high is not None
    share = Decimal(data.draw(st.integers(5, 95)))
    value = test.plausible_low + (test.plausible_high - test.plausible_low) * share / 100
    there = (value - other.offset) / other.factor
    back = there * other.factor + other.offset
    own = ENGINE.lab({"patient": WOMAN, "test": test.name, "value": round(back, 9), "unit": test.unit}, DAY)
    converted = ENGINE.lab({"patient": WOMAN, "test": test.name, "value": round(there, 12), "unit": other.unit}, DAY)
    assert own.status == converted.status


_DAYS = st.dates(date(2025, 1, 1), date(2026, 11, 22)).map(date.isoformat)
_HISTORY = st.lists(
    st.fixed_dictionaries(
        {"value": st.one_of(st.floats(0.1, 30), st.sampled_from(["?", "12O"])), "unit": st.just("mmol/L"), "on": _DAYS}
    ),
    max_size=6,
)


@given(history=_HISTORY, value=st.floats(1.5, 9))
@settings(max_examples=examples(60), deadline=None)
def test_permuting_the_history_changes_nothing_and_widening_it_only_what_is_said_of_the_trend(
    history: list[dict[str, Any]], value: float
) -> None:
    asked = {"test": "potassium", "value": round(value, 2), "unit": "mmol/L"}
    told = answer({**asked, "history": history})
    assert told == answer({**asked, "history": history[::-1]})
    assert told.status == answer(asked).status


_BY_BANDS = [
    test
    for test in compiled().library.labs
    if test.plausible_low is not None
    and test.plausible_high is not None
    and any(r.kind == "reference" for r in test.ranges)
    and test.measures is None
    and test.expected is None
]
"""Tests that come in numbers, with a range and bounds of what is plausible."""
_WORSE = {"normal": 0, "high": 1, "low": 1, "critical_high": 2, "critical_low": 2, "implausible": 3}
_LOUDER = ("none", "pharmacist", "clinician", "emergency")


@given(data=st.data())
@settings(max_examples=examples(200), deadline=None)
def test_a_result_further_out_is_never_judged_milder(data: st.DataObject) -> None:
    """Of any test and adult: where a result lies out of its range, one further out on the same side is as bad or worse."""
    test = data.draw(st.sampled_from(_BY_BANDS), label="test")
    patient = data.draw(st.sampled_from([WOMAN, {"age": "70 y", "sex": "male"}]), label="patient")
    assert test.plausible_low is not None
    assert test.plausible_high is not None
    width = test.plausible_high - test.plausible_low
    low, high = sorted(data.draw(st.tuples(st.integers(-20, 1200), st.integers(-20, 1200)), label="shares"))
    one, other = (test.plausible_low + width * Decimal(share) / 1000 for share in (low, high))
    told = [
        ENGINE.lab(
            {"patient": patient, "test": test.name, "value": str(v), "unit": test.unit, "drawn": True, "fasting": True}, DAY
        )
        for v in (one, other)
    ]
    first, second = told
    if "unknown" in (first.status, second.status):
        return
    if first.status in ("high", "critical_high"):
        assert _WORSE[second.status] >= _WORSE[first.status], (test.id, first.value, second.value)
        assert second.status == "implausible" or _LOUDER.index(second.escalate) >= _LOUDER.index(first.escalate)
    if second.status in ("low", "critical_low"):
        assert _WORSE[first.status] >= _WORSE[second.status], (test.id, first.value, second.value)
        assert first.status == "implausible" or _LOUDER.index(first.escalate) >= _LOUDER.index(second.escalate)


_SAID = {
    "K 4.1": "4.1 mmol/l", "TSH 2.0": "2 milliunit/l", "BP 120/80": "120 mmhg", "Hb 12": "12", "foo 3": "foo 3",
    "Na": "what was the sodium",
    "INR twelve": "12", "K four point point one": "potassium", "Mg 12O": "12o", "glucose pending": "what was the glucose",
    "ANA 1:640": "antinuclear antibody positive",
    "UA protein 2+": "urine protein 2+", "lithium 0.8": "0.8 mmol/l", "Cl 101": "101 mmol/l", "HCO3 24": "24 mmol/l",
    "weight up 5 lbs": "what was the body weight", "wound culture grew MRSA": "wound culture positive", "blah blah": "blah blah",
    "Phos 4.1.1": "4.1.1", "Ca 14O": "14o",
}  # fmt: skip
"""What is told, and what an answer, a question or a note says of it."""


@given(texts=st.lists(st.sampled_from(sorted(_SAID)), min_size=1, max_size=6, unique=True))
@settings(max_examples=examples(120), deadline=None)
def test_no_told_result_is_silently_unused(texts: list[str]) -> None:
    """Each thing that was told stands in an answer, a question or a note."""
    told = answer("; ".join(texts))
    each = [told, *told.also]
    said = " | ".join(" ".join([a.name, a.value, a.ask, a.task, *a.notes]) for a in each).lower()
    assert [text for text in texts if _SAID[text] not in said] == []


@given(
    labs=st.lists(
        st.builds(
            lambda text, day: f"{text} on 2026-10-{day:02d}",
            st.sampled_from(["K 4.1", "K 5.7", "TSH 5.5", "BP 150/95", "Hb 9", "foo 3", "ALT 55", "weight 180 lb"]),
            st.integers(1, 28),
        ),
        min_size=1, max_size=5, unique=True,
    )
)  # fmt: skip
@settings(max_examples=examples(60), deadline=None)
def test_every_result_on_file_is_answered_for(labs: list[str]) -> None:
    told = ENGINE.lab({"patient": {**WOMAN, "labs": labs}}, DAY)
    days = sorted(a.on or "" for a in (told, *told.also) if a.test is not None)
    known = [text.rpartition(" ")[2] for text in labs if not text.startswith("foo")]
    pairs = [text.rpartition(" ")[2] for text in labs if text.startswith("BP")]
    assert days == sorted([*known, *pairs])
    strange = any(text.startswith("foo") for text in labs)
    assert any("foo 3" in note for note in told.notes) is strange


def _line(*values: float) -> list[Point]:
    return points(Point(date(2026, 1 + n, 1), Decimal(str(v))) for n, v in enumerate(values))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((4.0,), "insufficient_history"),
        ((4.0, 5.0), "rising"),
        ((5.0, 4.0), "falling"),
        ((4.0, 4.4), "insufficient_history"),
        ((3.6, 4.2, 5.1), "rising"),
        ((5.5, 4.6, 3.9), "falling"),
        ((4.0, 4.1, 4.0), "stable"),
        ((4.0, 5.5, 4.0), "no_consistent_trend"),
    ],
)
def test_a_steady_trend_needs_three_points_and_a_change_more_than_chance(values: tuple[float, ...], expected: str) -> None:
    assert trend(_line(*values), Decimal("4.1")) == expected


def test_a_correction_of_the_same_day_supersedes() -> None:
    day = date(2026, 1, 1)
    assert points([Point(day, Decimal(9)), Point(day, Decimal(4), corrected=True)]) == [Point(day, Decimal(4))]


def test_a_change_within_the_reference_change_value_is_none() -> None:
    assert changed(Decimal("4.0"), Decimal("4.4"), Decimal("4.1")) == 0
    assert changed(Decimal("4.0"), Decimal("4.6"), Decimal("4.1")) == 1


# ------------------------------------------------------------------ words, dilutions and counts


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("ANA 1:640", "positive"),
        ("ANA 1:80", "positive"),
        ("ANA 1:40", "unknown"),
        ("ANA <1:40", "negative"),
        ("RPR 1:2", "positive"),
        ("urine culture >100,000 CFU/mL", "positive"),
        ("urine culture 100000 CFU/mL", "positive"),
        ("urine culture 10,000 CFU/mL", "unknown"),
        ("blood culture 2/2 bottles gram positive cocci in clusters", "positive"),
        ("blood culture no growth to date", "negative"),
        ("wound culture grew MRSA", "positive"),
        ("urine culture mixed flora", "unknown"),
        ("home pregnancy test two lines", "positive"),
        ("glucose HI", "critical_high"),
        ("glucose LO", "critical_low"),
        ("PPD 4 mm", "normal"),
        ("PPD 5 mm", "high"),
        ("eGFR >60", "normal"),
        ("INR >10", "critical_high"),
        ("platelets <10", "critical_low"),
    ],
)
def test_a_result_that_is_no_plain_number_is_told_where_it_lies(asked: str, status: str) -> None:
    assert answer(asked).status == status


@pytest.mark.parametrize(
    ("asked", "test"),
    [
        ("ketones large", "lab.urine-ketones-dipstick"),
        ("protein trace", "lab.urine-protein-dipstick"),
        ("glucose 3+", "lab.urine-glucose-dipstick"),
        ("ketones 3.2 mmol/L", "lab.beta-hydroxybutyrate"),
        ("troponin positive", "lab.troponin-i"),
        ("my urine dipstick bilirubin test is positive", "lab.urine-bilirubin-dipstick"),
    ],
)
def test_a_grade_is_of_the_strip_and_a_number_of_the_blood(asked: str, test: str) -> None:
    assert answer(asked).test == test


@given(titre=st.integers(1, 5000), more=st.integers(2, 8))
@settings(max_examples=examples(40), deadline=None)
def test_a_higher_dilution_is_never_judged_milder(titre: int, more: int) -> None:
    order = ["negative", "unknown", "positive"]
    statuses = [answer(f"ANA 1:{n}").status for n in (titre, titre * more)]
    assert order.index(statuses[0]) <= order.index(statuses[1])


@pytest.mark.parametrize("asked", ["weight up 5 lbs", "weight down 3 kg", "creatinine rose by 0.5", "hemoglobin dropped by 2"])
def test_how_far_a_result_moved_is_not_taken_as_the_result(asked: str) -> None:
    told = answer(asked)
    assert told.status == "unknown"
    assert told.ask


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("BP this morning 172/98", "172 mmHg"),
        ("blood sugar over 500", "> 500 mg/dL"),
        ("they said my potassium was a little high at 5.8", "5.8 mmol/L"),
        ("creatinine went up to 3.1", "3.1 mg/dL"),
        ("kidney number 2.5", "2.5 mg/dL"),
        ("three month sugar test was 9.4", "9.4 %"),
        ("lithium 12-hour trough 0.8 mEq/L", "0.8 mmol/L"),
        ("vanc trough before 4th dose 18", "18 mcg/mL"),
        ("liver enzymes ALT 300", "300"),
    ],
)
def test_what_stands_between_a_name_and_its_number_does_not_hide_it(asked: str, value: str) -> None:
    assert answer(asked).value.startswith(value)


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize("value", ["12O/8O", "five point six", "1.1.1", 1e309, float("nan"), "2026-11-01", "120/", "/80"])
@pytest.mark.parametrize("test", ["blood pressure", "potassium", "INR", "hemoglobin A1c", "glucose"])
def test_what_is_no_value_is_asked_about_in_a_field_and_never_guessed(test: str, value: object) -> None:
    told = answer({"test": test, "value": value})
    assert {a.status for a in (told, *told.also)} == {"unknown"}
    assert told.ask


@pytest.mark.parametrize(("value", "status"), [("80/120", "implausible"), ("120/120", "implausible"), ("121/120", "high")])
def test_a_pressure_whose_second_number_is_no_smaller_is_not_plausible_and_asked_about(value: str, status: str) -> None:
    told = answer({"test": "blood pressure", "value": value})
    assert told.status == status
    assert bool(told.ask) is (status == "implausible")
    assert answer({"test": "potassium", "value": value}).status == "unknown"


@pytest.mark.parametrize("value", ["12O/8O", "five point point six", "five six", "1.1.1", "1e309", "NaN", "2026-11-01", "-"])
@pytest.mark.parametrize("test", ["BP", "K", "INR", "A1c", "glucose"])
def test_what_is_no_value_is_asked_about_in_a_line_and_never_guessed(test: str, value: str) -> None:
    told = answer(f"{test} {value}")
    assert {a.status for a in (told, *told.also)} == {"unknown"}
    assert told.ask


@pytest.mark.parametrize(("test", "status"), [("K", "high"), ("INR", "critical_high"), ("A1c", "normal"), ("phosphorus", "high")])
def test_a_number_that_is_plainly_told_in_words_is_judged_and_read_back(test: str, status: str) -> None:
    told = answer(f"{test} five point six")
    assert told.status in (status, status.removeprefix("critical_"))
    assert "Is it 5.6?" in told.ask
    assert "value" in told.needs


@given(value=st.decimals(min_value="2.5", max_value="7.5", places=1))
@settings(max_examples=examples(40), deadline=None)
def test_a_number_in_words_is_judged_as_in_digits(value: Decimal) -> None:
    ones = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    whole, _, part = f"{value:.1f}".partition(".")
    spoken, written = answer(f"my potassium was {ones[int(whole)]} point {ones[int(part)]}"), answer(f"my potassium was {value}")
    assert (spoken.value, spoken.status, spoken.escalate) == (written.value, written.status, written.escalate)


@pytest.mark.parametrize("test", ["potassium", "INR", "hemoglobin A1c", "glucose", "systolic blood pressure", "TSH"])
@pytest.mark.parametrize("value", [-1, "-5.6", -0.1])
def test_less_than_nothing_is_no_result(test: str, value: object) -> None:
    told = answer({"test": test, "value": value})
    assert told.status in ("implausible", "unknown")
    assert told.ask


# ------------------------------------------------------------------ the paper's examples


def test_the_ranges_of_the_papers_examples_are_its_own() -> None:
    def band(text: str) -> tuple[str | None, str | None]:
        found = answer(text).range
        assert found is not None
        return found.low, found.high

    assert band("hemoglobin 16") == ("11.5", "15.5")
    assert band("Hct 43") == ("36", "48")
    assert band("TSH 5.5") == ("0.4", "5")
    assert band("systolic 125") == ("90", "120")


def test_a_pressure_from_180_on_is_of_today_and_from_190_on_of_now() -> None:
    told = {n: answer(f"systolic {n}") for n in (179, 180, 189, 190)}
    assert [told[n].escalate for n in told] == ["pharmacist", "clinician", "clinician", "emergency"]
    assert told[190].limit is not None
    assert (told[190].limit.kind, told[190].limit.high) == ("critical", "190")
    assert told[180].limit is not None
    assert (told[180].limit.kind, told[180].limit.high) == ("intervention", "180")


def test_a_mildly_abnormal_result_that_a_rule_looks_at_is_not_silent_in_check() -> None:
    patient = {**WOMAN, "medications": ["lisinopril 20 mg daily", "spironolactone 25 mg daily"], "labs": ["K 5.2 on 2026-11-20"]}
    report = ENGINE.check({"as_of": DAY, "patient": patient})
    said = [*report.notes, *(u.text for u in report.unresolved), *(s for f in report.every_finding for s in f.saw)]
    assert any("5.2" in one for one in said)


def test_a_day_where_a_value_belongs_is_asked_about_also_as_yaml_reads_it() -> None:
    got = answer({"test": "potassium", "value": date(2026, 11, 2)})
    assert (got.status, got.needs) == ("unknown", ["value"])


@pytest.mark.parametrize(
    ("text", "medicines", "calls"),
    [
        ("sodium 131", ["chlorthalidone 25 mg daily"], "clinician"),
        ("sodium 134", ["chlorthalidone 25 mg daily"], "none"),
        ("potassium 5.4", ["spironolactone 25 mg daily", "losartan 50 mg daily"], "clinician"),
        ("potassium 5.1", ["losartan 50 mg daily"], "none"),
        ("sodium 131", [], "none"),
    ],
)
def test_what_a_medicine_moved_far_out_of_its_range_brings_in_the_clinician(
    engine: Engine, text: str, medicines: list[str], calls: str
) -> None:
    patient = {"age": "74 y", "sex": "female", "conditions": [], "medications": medicines}
    assert engine.lab({"text": text, "patient": patient, "as_of": "2026-11-30"}).escalate == calls
