"""How FHIR conditions, allergies and observations become what we are told about the patient."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from safety.model.patient import Pregnancy
from safety.model.quantity import Quantity

from .records import LOINC, SNOMED, UCUM, Json, allergy, concept, condition, listed, observation, quantity, read

# --- conditions ---


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, "active"),
        ({"abatementDateTime": "2020"}, "past"),
        ({"abatementString": "last spring"}, "past"),
        ({"clinicalStatus": concept(code="active", system="x")}, "active"),
        ({"clinicalStatus": concept(code="recurrence", system="x")}, "active"),
        ({"clinicalStatus": concept(code="relapse", system="x")}, "active"),
        ({"clinicalStatus": concept(code="inactive", system="x")}, "past"),
        ({"clinicalStatus": concept(code="remission", system="x")}, "past"),
        ({"clinicalStatus": concept("Resolved")}, "past"),
        ({"clinicalStatus": "resolved"}, "past"),
        ({"clinicalStatus": concept("active"), "abatementDateTime": "2020"}, "active"),
    ],
)
def test_a_problem_is_present_or_past_by_its_clinical_status_then_by_its_end(fields: Json, status: str) -> None:
    assert [problem.status for problem in read(condition(**fields)).patient.conditions or ()] == [status]


def test_refuted_and_erroneous_problems_are_listed_and_doubtful_ones_noted() -> None:
    case = read(
        condition(id="1", verificationStatus=concept(code="refuted", system="x")),
        condition(id="2", verificationStatus=concept(code="entered-in-error", system="x")),
        condition(id="3", verificationStatus=concept(code="provisional", system="x")),
    )
    assert len(case.patient.conditions or ()) == 1
    assert {"Condition/1", "Condition/2", "Condition/3 verificationStatus"} <= set(listed(case))


def test_a_problem_keeps_its_words_codes_and_the_day_it_began() -> None:
    code = concept("", SNOMED, "271737000", "Anemia (disorder)")
    (problem,) = read(condition(code=code, onsetDateTime="2011-05")).patient.conditions or ()
    assert (problem.text, problem.codes[0].system, problem.codes[0].display, problem.onset) == (
        "Anemia", "snomed", "Anemia (disorder)", date(2011, 5, 1),
    )  # fmt: skip


def test_no_known_problems_is_told_none_and_a_problem_without_a_name_is_listed() -> None:
    assert read(condition("No known problems")).patient.conditions == ()
    assert "names no problem" in listed(read(condition(code={})))["Condition/c1 code"]


# --- allergies ---


@pytest.mark.parametrize(
    "code",
    [
        concept("NKA", SNOMED, "716186003"),
        concept("", SNOMED, "409137002"),
        concept("NKDA"),
        concept("No Known Allergies"),
        concept("no known drug allergies"),
        concept("", "http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips", "no-known-allergies"),
    ],
)
def test_no_known_allergies_is_told_none(code: Json) -> None:
    assert read(allergy(code=code)).patient.allergies == ()


@pytest.mark.parametrize(
    "code", [concept("", SNOMED, "429625007"), concept("", "ips", "no-allergy-info")], ids=["food only", "not known"]
)
def test_none_of_something_else_tells_nothing_of_medicines(code: Json) -> None:
    case = read(allergy(code=code))
    assert case.patient.allergies is None
    assert "AllergyIntolerance/a1" in listed(case)


def test_no_known_allergy_to_one_thing_is_not_told_none() -> None:
    assert read(allergy("no known allergy to latex")).patient.allergies != ()


def test_none_known_beside_an_allergy_is_kept_as_a_contradiction() -> None:
    case = read(allergy("NKDA", id="none"), allergy("penicillin", category=["medication"]))
    assert [(told.to, told.denied) for told in case.patient.allergies or ()] == [("penicillin", False), ("NKDA", True)]
    food = read(allergy("NKDA", id="none"), allergy("peanut", category=["food"]))
    assert [(told.to, told.denied) for told in food.patient.allergies or ()] == [("peanut", False)]
    assert "AllergyIntolerance/none" not in listed(case) | listed(food)


def test_an_allergy_keeps_how_the_patient_reacts_and_how_badly() -> None:
    reactions = [
        {"manifestation": [concept("hives"), concept("", SNOMED, "39579001", "Anaphylaxis")], "severity": "mild"},
        {"manifestation": [concept("hives")], "severity": "severe"},
    ]
    (told,) = read(allergy(reaction=reactions)).patient.allergies or ()
    assert (told.to, told.reaction, told.severity) == ("penicillin", "hives, Anaphylaxis", "severe")
    (other,) = read(allergy(criticality="high")).patient.allergies or ()
    assert (other.reaction, other.severity) == (None, "high criticality")


@pytest.mark.parametrize(
    "fields",
    [
        {"verificationStatus": concept(code="refuted", system="x")},
        {"verificationStatus": concept(code="entered-in-error", system="x")},
        {"clinicalStatus": concept(code="inactive", system="x")},
        {"clinicalStatus": concept(code="resolved", system="x")},
    ],
)
def test_an_allergy_that_no_longer_stands_is_listed_and_does_not_mean_none(fields: Json) -> None:
    case = read(allergy(**fields))
    assert case.patient.allergies is None
    assert "AllergyIntolerance/a1" in listed(case)


# --- results ---


@pytest.mark.parametrize(
    ("value", "expected", "unit"),
    [
        ({"valueQuantity": quantity(4.9, "mmol/L")}, Decimal("4.9"), "mmol/L"),
        ({"valueQuantity": {"value": 7, "unit": "mg per dL"}}, Decimal(7), "mg per dL"),
        ({"valueQuantity": {"value": 7, "unit": "x", "code": "mg/dL", "system": UCUM}}, Decimal(7), "mg/dL"),
        ({"valueQuantity": quantity(5, "ng/mL", comparator="<")}, "<5", "ng/mL"),
        ({"valueCodeableConcept": concept("", SNOMED, "10828004", "Positive (qualifier value)")}, "Positive", None),
        ({"valueString": " negative "}, "negative", None),
        ({"valueBoolean": True}, "yes", None),
        ({"valueInteger": 3}, Decimal(3), None),
        ({"valueRange": {"low": quantity(1, "mg"), "high": quantity(2, "mg")}}, "1-2", "mg"),
        ({"valueRatio": {"numerator": {"value": 1}, "denominator": {"value": 128}}}, "1:128", None),
    ],
)
def test_a_result_is_a_number_with_its_unit_or_words(value: Json, expected: Any, unit: str | None) -> None:
    (result,) = read(observation(**value)).patient.labs or ()
    assert (result.test, result.value, result.unit) == ("potassium", expected, unit)


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "cancelled", "valueString": "x"},
        {"status": "entered-in-error", "valueString": "x"},
        {"dataAbsentReason": concept("specimen haemolysed")},
        {"valueQuantity": {"unit": "mg"}},
        {"valueQuantity": {"value": "lots"}},
        {"valueSampledData": {}},
        {"hasMember": [{"reference": "Observation/2"}]},
        {},
        {"code": {}, "valueString": "x"},
    ],
)
def test_a_result_without_a_value_that_stands_is_listed(fields: Json) -> None:
    case = read(observation(**fields))
    assert case.patient.labs is None
    assert "Observation/o1" in listed(case)


def test_preliminary_results_are_read() -> None:
    assert len(read(observation(status="preliminary", valueString="x")).patient.labs or ()) == 1


@pytest.mark.parametrize(
    ("told", "on"),
    [
        ({"effectiveDateTime": "2026-11-02T23:30:00-08:00"}, date(2026, 11, 2)),
        ({"effectiveDateTime": "2026-11"}, date(2026, 11, 1)),
        ({"effectiveDateTime": "2026"}, date(2026, 1, 1)),
        ({"effectiveInstant": "2026-11-02T08:00:00Z"}, date(2026, 11, 2)),
        ({"effectivePeriod": {"start": "2026-11-01", "end": "2026-11-02"}}, date(2026, 11, 2)),
        ({"effectivePeriod": {"start": "2026-11-01"}}, date(2026, 11, 1)),
        ({}, None),
    ],
)
def test_the_day_of_a_result_is_never_read_as_later_than_told(told: Json, on: date | None) -> None:
    (result,) = read(observation(valueString="x", **told)).patient.labs or ()
    assert result.on == on


def test_each_component_is_a_result_of_its_own_and_a_missing_one_is_noted() -> None:
    parts = [
        {"code": concept("systolic", LOINC, "8480-6"), "valueQuantity": quantity(107, "mm[Hg]")},
        {"code": concept("diastolic", LOINC, "8462-4"), "dataAbsentReason": concept("not performed")},
    ]
    case = read(observation("blood pressure", component=parts, effectiveDateTime="2026-11-02"))
    (result,) = case.patient.labs or ()
    assert (result.test, result.value, result.on) == ("systolic", Decimal(107), date(2026, 11, 2))
    assert "not performed" in listed(case)["Observation/o1 component[1]"]


# --- the body ---


def measured(code: str, value: Json, on: str, id: str = "o1") -> Json:
    return observation("", id=id, code=concept("x", LOINC, code), effectiveDateTime=on) | value


def test_the_newest_weight_and_height_are_the_patients() -> None:
    told = read(
        measured("29463-7", {"valueQuantity": quantity(150, "[lb_av]")}, "2026-10-01T09:00:00Z", "1"),
        measured("3141-9", {"valueQuantity": quantity(70, "kg")}, "2025-01-01", "2"),
        measured("8302-2", {"valueQuantity": quantity(165, "cm")}, "2020", "3"),
    ).patient
    assert told.weight == Quantity(Decimal(150), "lb")
    assert told.height == Quantity(Decimal(165), "cm")


def test_a_weight_in_no_unit_we_know_is_noted_and_not_used() -> None:
    case = read(measured("29463-7", {"valueQuantity": quantity(11, "stone")}, "2026-01-01"))
    assert case.patient.weight is None
    assert "11 stone" in listed(case)["Observation/o1 value"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"valueCodeableConcept": concept("", SNOMED, "77386006")}, Pregnancy(True)),
        ({"valueCodeableConcept": concept("", SNOMED, "60001007")}, Pregnancy(False)),
        ({"valueCodeableConcept": concept("Not pregnant")}, Pregnancy(False)),
        ({"valueCodeableConcept": concept("possible")}, None),
    ],
)
def test_pregnancy_is_told_by_its_status(value: Json, expected: Pregnancy | None) -> None:
    assert read(measured("82810-3", value, "2026-11-01")).patient.pregnancy == expected


def test_the_newest_status_wins_even_if_it_says_that_nothing_is_known() -> None:
    yes, unsure = {"valueString": "yes"}, {"valueString": "unknown"}
    case = read(measured("63895-7", yes, "2025-01-01", "1"), measured("63895-7", unsure, "2026-01-01", "2"))
    assert case.patient.breastfeeding is None
    assert "Observation/2 value" in listed(case)
    older = read(measured("63895-7", unsure, "2025-01-01", "1"), measured("63895-7", yes, "2026-01-01", "2"))
    assert older.patient.breastfeeding is True


def test_a_problem_or_an_allergy_without_a_name_is_kept_so_that_nothing_reads_as_clear() -> None:
    nameless = read(condition(code={}), {"resourceType": "AllergyIntolerance", "id": "a1"})
    assert [c.text for c in nameless.patient.conditions or ()] == ["a problem that the record does not name"]
    assert [a.to for a in nameless.patient.allergies or ()] == ["an allergy that the record does not name"]
