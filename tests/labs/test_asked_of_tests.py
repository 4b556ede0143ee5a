"""Questions that tell no value, days of the week beside values, and medicines that are asked about at a result."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from conftest import compiled, engine_of, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.observations import Seen, none_of_ours

from safety.model.lab_answer import LabAnswer

ENGINE = engine_of(compiled().library)
LINES = ENGINE.checker.terms.result_lines
DAY = date(2026, 11, 29)
WOMAN = {"age": "66 y", "sex": "female"}
NAMES = ["Mon", "Tuesday", "Wed", "Thurs", "Friday", "Sunday"]


def asked(text: str, **patient: object) -> LabAnswer:
    return ENGINE.lab({"as_of": DAY.isoformat(), "text": text, "patient": {**WOMAN, **patient}}, DAY)


@pytest.mark.parametrize(
    ("text", "kind", "tests", "way"),
    [
        ("Could a medicine be lowering my sodium?", "moves", ["lab.sodium"], "down"),
        ("Could my blood pressure pill be raising my potassium?", "moves", ["lab.potassium"], "up"),
        ("why is my potassium low, is it a medicine?", "moves", ["lab.potassium"], "down"),
        ("Do any of my tablets affect TSH?", "moves", ["lab.tsh"], ""),
        ("is my creatinine getting worse?", "newest", ["lab.creatinine"], ""),
        ("is my potassium low?", "newest", ["lab.potassium"], ""),
        ("what should my hemoglobin be", "normal", ["lab.hemoglobin"], ""),
        ("show me all my labs", "all", [], ""),
    ],
)
def test_what_a_question_without_a_value_asks_is_read(text: str, kind: str, tests: list[str], way: str) -> None:
    found = LINES.inquiry(text)
    assert found is not None
    assert (found.kind, list(found.tests), found.way) == (kind, tests, way)


@pytest.mark.parametrize("text", ["potassium 5.9", "my sugar was 250", "BP 148/88", "hemoglobin of sixteen", "ALT came back"])
def test_what_tells_a_value_or_asks_nothing_is_no_such_question(text: str) -> None:
    assert LINES.inquiry(text) is None


def test_what_lowers_a_test_is_told_with_its_newest_result_and_what_does_not_is_not() -> None:
    medicines = ["sertraline 50 mg daily", "hydrochlorothiazide 25 mg daily", "amlodipine 5 mg daily"]
    labs = [{"test": "sodium", "value": 128, "unit": "mmol/L", "on": "2026-11-20"}]
    told = asked("Could a medicine be lowering my sodium?", medications=medicines, labs=labs)
    assert (told.test, told.status, told.value) == ("lab.sodium", "low", "128 mmol/L")
    assert {e.drug for e in told.medication_effects} == {"drug.sertraline", "drug.hydrochlorothiazide"}
    assert "amlodipine" not in told.task.lower()


def test_without_medicines_told_it_is_asked_which_are_taken() -> None:
    told = asked("Could a medicine be lowering my sodium?")
    assert told.needs == ["medications"]


def test_a_medicine_that_is_not_held_to_move_a_test_is_not_blamed() -> None:
    told = asked("is anything I take raising my potassium?", medications=["amlodipine 5 mg daily"])
    assert told.task.startswith("No medicine on the list is held here to raise potassium")


@pytest.mark.parametrize(
    ("text", "medicine"),
    [
        ("is anything I take raising my platelets?", "clopidogrel"),  # rarely they fall, by TTP
        ("is anything I take lowering my platelets?", "clopidogrel"),
        ("Do any of my tablets affect my platelet count?", "clopidogrel"),
        ("Do any of my tablets affect my fecal occult blood?", "ferrous sulfate"),
    ],
)
def test_what_is_held_not_to_move_a_test_is_told_neither_way(text: str, medicine: str) -> None:
    told = asked(text, medications=[f"{medicine} by mouth"])
    still = [e for e in told.medication_effects if e.direction == "does not change"]
    assert still
    assert not [e.note for e in still if e.note in told.task]
    assert (medicine in told.task) == (len(told.medication_effects) > len(still))


@pytest.mark.parametrize(
    ("text", "medicines", "meant", "other"),
    [
        ("is anything I take raising my potassium?", ["lisinopril"], {"lisinopril": ""}, {}),
        ("is anything I take raising my potassium?", ["spironolactone", "lisinopril"],
         {"spironolactone": "", "lisinopril": ""}, {}),
        ("is anything I take raising my potassium?", ["lisinopril", "furosemide"],
         {"lisinopril": ""}, {"furosemide": "lowers it"}),
        ("is anything I take lowering my potassium?", ["lisinopril", "furosemide"],
         {"furosemide": ""}, {"lisinopril": "raises it"}),
        ("Do any of my tablets affect potassium?", ["lisinopril", "furosemide"],
         {"lisinopril": "raises it", "furosemide": "lowers it"}, {}),
        ("is anything I take raising my TSH?", ["amiodarone", "levothyroxine"],
         {"amiodarone": ""}, {"levothyroxine": "lowers it"}),
        ("Do any of my tablets affect TSH?", ["amiodarone"], {"amiodarone": "may raise or lower it"}, {}),
    ],
)  # fmt: skip
def test_each_medicine_that_moves_a_test_is_told_with_its_note_and_with_its_way_where_that_was_not_asked_for(
    text: str, medicines: list[str], meant: dict[str, str], other: dict[str, str]
) -> None:
    told = asked(text, medications=[f"{one} by mouth" for one in medicines])
    notes = {e.name: e.note for e in told.medication_effects}
    assert notes.keys() == {*meant, *other}
    assert all(notes.values())

    def listed(ways: dict[str, str]) -> str:
        return "; ".join(f"{name} ({f'{way}, ' if way else ''}{notes[name]})" for name, way in ways.items())

    said = [told.task.partition(": ")[2].partition(" The other way: ")[side] for side in (0, 2)]
    assert said == [f"{listed(meant)}.", f"{listed(other)}." if other else ""]


@pytest.mark.parametrize(
    ("text", "drug"),
    [
        ("Is metformin all right at eGFR 22?", "drug.metformin"),
        ("Can I give spironolactone with a potassium of 5.6?", "drug.spironolactone"),
        ("ok to give digoxin with HR 48?", "drug.digoxin"),
        ("clozapine with ANC 800 okay?", "drug.clozapine"),
    ],
)
def test_a_medicine_asked_about_at_a_result_is_judged_as_if_it_were_proposed(text: str, drug: str) -> None:
    told = asked(text)
    assert drug in {d for f in told.findings for d in f.drugs}


@pytest.mark.parametrize("text", ["metformin and eGFR 22", "not on metformin, eGFR 22", "off metformin x 2 weeks, eGFR 22"])
def test_a_medicine_that_is_only_named_beside_a_result_is_not_proposed(text: str) -> None:
    assert not asked(text).findings


@pytest.mark.parametrize(
    "text",
    ["eGFR 22 since metformin", "eGFR 22, metformin 1000 bid", "eGFR 22 at month 2 of metformin", "metformin x12 yrs, eGFR 22"],
)
def test_a_medicine_told_with_its_dose_or_how_long_is_taken(text: str) -> None:
    assert {"drug.metformin"} == {d for f in asked(text).findings for d in f.drugs}


def test_a_dose_that_could_be_a_level_is_none_where_it_says_how_often() -> None:
    told = asked("digoxin 0.25 daily, K 3.1")
    assert [told.test, *(a.test for a in told.also)] == ["lab.potassium"]
    assert asked("digoxin 1.8, K 3.1").test == "lab.digoxin-level"


@pytest.mark.parametrize("text", ["is metformin okay at eGFR 75?", "is amlodipine fine with a potassium of 4.1?"])
def test_a_medicine_that_bears_the_result_is_not_warned_of(text: str) -> None:
    assert asked(text).status == "normal"
    assert not asked(text).findings


@given(medicine=st.sampled_from(["metformin", "lisinopril", "digoxin", "ibuprofen"]), egfr=st.integers(8, 95))
@settings(max_examples=examples(20), deadline=None)
def test_asking_about_a_medicine_that_is_taken_changes_nothing_of_the_result(medicine: str, egfr: int) -> None:
    """Naming what stands on the list already adds no medicine: the same status, and the same rules speak."""
    taken = [f"{medicine} daily"]
    plain = asked(f"eGFR {egfr}", medications=taken)
    question = asked(f"is {medicine} all right at eGFR {egfr}?", medications=taken)
    assert (plain.status, [f.rule for f in plain.findings]) == (question.status, [f.rule for f in question.findings])


@given(
    days=st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True),
    values=st.lists(st.integers(20, 60), min_size=4, max_size=4),
    today=st.dates(date(2026, 1, 1), date(2026, 12, 31)),
    mark=st.sampled_from([", ", " ", "; "]),
)
@settings(max_examples=examples(60), deadline=None)
def test_days_of_the_week_follow_one_another_and_none_is_to_come(
    days: list[str], values: list[int], today: date, mark: str
) -> None:
    said = mark.join(f"{day} {value / 10}" for day, value in zip(days, values, strict=False))
    found = [r.on for r in LINES.line(f"potassium {said}", today).results if r.on is not None]
    assert len(found) == len(days)
    assert all(day <= today for day in found)
    assert all(today - day < timedelta(days=35) for day in found)
    assert found in (sorted(found), sorted(found, reverse=True))


@pytest.mark.parametrize("text", ["sat 91", "O2 sat 94 on Monday", "SpO2 sat 88"])
def test_a_saturation_is_no_saturday(text: str) -> None:
    results = LINES.line(text, DAY).results
    assert [r.test for r in results if not r.fault] == ["lab.oxygen-saturation"]


def test_a_number_with_a_question_mark_alone_is_doubted_and_one_in_a_question_is_not() -> None:
    assert asked("K 5.1?").status == "unknown"
    assert asked("is it all right with a K of 5.1?").status != "unknown"


def test_a_sample_that_was_no_good_is_measured_again() -> None:
    assert "measure again" in asked("K 6.8, hemolyzed").task
    assert "measure again" not in asked("K 6.8").task


def test_a_due_test_of_a_problem_needs_no_medicine() -> None:
    labs = [{"test": "A1c", "value": 6.6, "unit": "%", "on": "2025-11-01"}]
    told = asked("is my A1c due?", conditions=["type 2 diabetes"], medications=[], labs=labs)
    assert [(d.tests[0], d.state, d.medicines) for d in told.due] == [("lab.hba1c", "due", [])]
    assert told.due[0].called == "hemoglobin A1c or fructosamine"


def test_results_of_records_add_up_with_those_that_are_none_of_ours() -> None:
    assert none_of_ours(Seen("x", results=7, judged=2, asked=1, taken=1, unusable=1)) == 2
