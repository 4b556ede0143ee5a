"""How FHIR orders and statements become medications: status, medicine, dose, frequency, route, days."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from safety.reading.fhir.bundle import read_fhir

from .records import RXNORM, SNOMED, Json, bundle, concept, dosed, listed, order, patient, quantity, read, statement


def bucket(*resources: Json) -> str:
    """Where the first medication of the record went."""
    case = read(*resources)
    if case.plan:
        return "plan"
    if not case.patient.medications:
        return "listed" if listed(case) else "lost"
    kind = "past" if case.patient.medications[0].stopped else "current"
    return f"{kind}, noted" if any(" status" in what for what in listed(case)) else kind


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"status": "active"}, "current"),
        ({"status": "on-hold"}, "current, noted"),
        ({"status": "unknown"}, "current, noted"),
        ({"status": None}, "current, noted"),
        ({"status": "whatever"}, "current, noted"),
        ({"status": "completed"}, "past"),
        ({"status": "stopped"}, "past"),
        ({"status": "cancelled"}, "listed"),
        ({"status": "entered-in-error"}, "listed"),
        ({"status": "draft"}, "plan"),
        ({"intent": "proposal"}, "plan"),
        ({"intent": "plan"}, "plan"),
        ({"intent": "option"}, "plan"),
        ({"intent": "plan", "status": "completed"}, "past"),
        ({"intent": "plan", "reportedBoolean": True}, "current"),
        ({"intent": "plan", "requester": {"reference": "Patient/p1"}}, "current"),
        ({"intent": "filler-order"}, "current"),
        ({"doNotPerform": True}, "listed"),
    ],
)
def test_an_order_is_read_by_its_status_and_intent(fields: Json, expected: str) -> None:
    assert bucket(order(**fields)) == expected


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("active", "current"),
        ("on-hold", "current, noted"),
        ("unknown", "current, noted"),
        ("completed", "past"),
        ("stopped", "past"),
        ("intended", "plan"),
        ("not-taken", "listed"),
        ("entered-in-error", "listed"),
    ],
)
def test_a_statement_is_read_by_its_status(status: str, expected: str) -> None:
    assert bucket(statement(status=status)) == expected


def test_the_account_tells_current_past_and_planned_apart() -> None:
    case = read(order(id="1"), order(id="2", status="stopped"), order(id="3", status="draft"), statement(id="4"))
    assert case.reading is not None
    used = case.reading.used
    assert (used["medications current"], used["medications past"], used["medications planned"]) == (2, 1, 1)
    assert (used["MedicationRequest"], used["MedicationStatement"]) == (3, 1)


# --- days ---


def days(resource: Json) -> tuple[date | None, date | None]:
    use = read(resource).patient.medications[0]
    return use.since, use.until


BOUNDS = [{"timing": {"repeat": {"boundsPeriod": {"start": "2026-03-02", "end": "2026-04"}}}}]
VALID = {"validityPeriod": {"end": "2027-01-31"}}


@pytest.mark.parametrize(
    ("resource", "since", "until"),
    [
        (order(authoredOn="2026-02-28T23:59:00-05:00"), date(2026, 2, 28), None),
        (order(authoredOn="2026"), date(2026, 1, 1), None),
        (order(authoredOn="2026-02-01", dosageInstruction=BOUNDS), date(2026, 3, 2), date(2026, 4, 30)),
        (order(status="active", dispenseRequest=VALID), None, None),
        (order(status="completed", dispenseRequest=VALID), None, date(2027, 1, 31)),
        (order(status="stopped", dispenseRequest=VALID, dosageInstruction=BOUNDS), date(2026, 3, 2), None),
        (statement(effectiveDateTime="2026-05-01"), date(2026, 5, 1), None),
        (statement(effectivePeriod={"start": "2025-12", "end": "2025"}), date(2025, 12, 1), date(2025, 12, 31)),
        (statement(status="stopped", effectivePeriod={"end": "2026-01-09"}), None, date(2026, 1, 9)),
    ],
)
def test_since_and_until_are_what_the_record_knows(resource: Json, since: date | None, until: date | None) -> None:
    assert days(resource) == (since, until)


def test_an_impossible_date_is_noted_and_not_guessed() -> None:
    case = read(order(authoredOn="2026-02-30"))
    assert case.patient.medications[0].since is None
    assert "2026-02-30" in listed(case)["MedicationRequest/m1 authoredOn"]


# --- which medicine ---

MEDICATION: Json = {"resourceType": "Medication", "id": "d1", "code": concept("drug b", RXNORM, "1", "drug b 10 MG")}


@pytest.mark.parametrize(
    ("reference", "url"),
    [("Medication/d1", ""), ("https://x.org/fhir/Medication/d1", ""), ("Medication/d1/_history/3", ""),
     ("urn:uuid:77", "urn:uuid:77"), ("#inside", "")],
)  # fmt: skip
def test_a_medicine_is_found_wherever_the_order_refers_to(reference: str, url: str) -> None:
    ordered = order(medicationReference={"reference": reference})
    ordered["contained"] = [MEDICATION | {"id": "inside"}]
    record = bundle(patient(), MEDICATION, ordered)
    record["entry"][1] |= {"fullUrl": url} if url else {}
    case = read_fhir(record)
    assert [(use.text, use.codes[0].system) for use in case.patient.medications] == [("drug b", "rxnorm")]
    assert case.patient.medications_complete


def test_a_reference_that_leads_nowhere_gives_its_display_or_is_listed_and_the_list_is_not_whole() -> None:
    shown = read(order(medicationReference={"reference": "Medication/x", "display": "drug c"}))
    assert shown.patient.medications[0].text == "drug c"
    lost = read(order(medicationReference={"reference": "Medication/x"}))
    assert "Medication/x" in listed(lost)["MedicationRequest/m1"]
    assert not lost.patient.medications_complete


def test_medicines_dispensed_but_never_ordered_leave_the_list_not_whole() -> None:
    case = read({"resourceType": "MedicationDispense", "status": "completed"})
    assert not case.patient.medications_complete
    assert case.reading is not None
    assert case.reading.resources["MedicationDispense"] == 1


def test_a_medication_known_by_its_ingredients_tells_what_one_unit_contains() -> None:
    def part(name: str, amount: int, per: Json) -> Json:
        return {
            "itemCodeableConcept": concept(name),
            "strength": {"numerator": quantity(amount, "mg"), "denominator": per},
        }

    contained = {
        "id": "x",
        "resourceType": "Medication",
        "form": concept("tablet"),
        "ingredient": [part("b (substance)", 325, quantity(1, "TAB")), part("c", 5, {"value": 1})],
    }
    use = read(order(medicationReference={"reference": "#x"}, contained=[contained])).patient.medications[0]
    assert (use.text, use.form, use.contains) == ("b 325 mg / c 5 mg", "tablet", ("b 325 mg", "c 5 mg"))


def test_invisible_characters_and_double_spaces_are_taken_out_of_a_name() -> None:
    assert read(order("\u200bdrug\u00a0 a\u200d 5\tmg\x00 ")).patient.medications[0].text == "drug a 5 mg"


def test_a_statement_that_only_repeats_its_order_is_listed_not_counted_twice() -> None:
    said = statement(derivedFrom=[{"reference": "MedicationRequest/m1"}])
    repeated = read(order(), said)
    assert len(repeated.patient.medications) == 1
    assert "repeats MedicationRequest/m1" in listed(repeated)["MedicationStatement/s1"]
    differs = read(order(dosageInstruction=[{"text": "1 daily"}]), said | {"dosage": [{"text": "2 daily"}]})
    assert len(differs.patient.medications) == 2


@pytest.mark.parametrize(
    ("resource", "supply"),
    [
        (order(), "prescription"),
        (order(category=[{"text": "OTC"}]), "otc"),
        (order(intent="plan", reportedBoolean=True), None),
        (statement(), None),
        (statement(category={"text": "Over-the-counter"}), "otc"),
        (statement("drug a 200 mg (OTC)"), "otc"),
        (statement(basedOn=[{"reference": "MedicationRequest/9"}]), "prescription"),
    ],
)
def test_supply_is_otc_only_where_the_record_says_so(resource: Json, supply: str | None) -> None:
    assert read(resource).patient.medications[0].supply == supply


def test_the_indication_is_the_reason_in_words_or_of_the_condition() -> None:
    problem = {"resourceType": "Condition", "id": "c9", "code": concept("heart failure")}
    assert read(order(reasonCode=[concept("gout")])).patient.medications[0].indication == "gout"
    by_reference = read(problem, order(reasonReference=[{"reference": "Condition/c9"}]))
    assert by_reference.patient.medications[0].indication == "heart failure"


# --- dosage ---


@pytest.mark.parametrize(
    ("repeat", "frequency"),
    [
        ({"frequency": 3, "period": 1, "periodUnit": "d"}, "3 times every 1 day"),
        ({"frequency": 1, "period": 12, "periodUnit": "h"}, "1 time every 12 hours"),
        ({"frequency": 1, "frequencyMax": 2, "period": 4, "periodUnit": "h"}, "1 to 2 times every 4 hours"),
        ({"frequency": 1, "period": 4, "periodMax": 6, "periodUnit": "h"}, "1 time every 4 to 6 hours"),
        ({"period": 1.0, "periodUnit": "wk"}, "1 time every 1 week"),
        ({"period": 0.5, "periodUnit": "d"}, "1 time every 0.5 days"),
        ({"when": ["HS"]}, "1 time every 1 day at bedtime"),
        ({"frequency": 1, "period": 1, "periodUnit": "d", "when": ["ACM"]}, "1 time every 1 day before breakfast"),
        ({"frequency": 1, "period": 1, "periodUnit": "d", "when": ["MORN", "EVE"]},
         "2 times every 1 day in the morning and in the evening"),
        ({"when": ["PC"]}, "3 times every 1 day after meals"),
        ({"timeOfDay": ["08:00:00", "20:00:00"]}, "2 times every 1 day at 8 am and 8 pm"),
        ({"timeOfDay": ["00:30:00"]}, "1 time every 1 day at 12:30 am"),
        ({"dayOfWeek": ["mon", "thu"]}, "every Monday and Thursday"),
        ({"frequency": 1, "period": 1, "periodUnit": "wk", "dayOfWeek": ["sun"]}, "every Sunday"),
        ({"frequency": 2, "period": 1, "periodUnit": "d", "dayOfWeek": ["sat", "sun"]},
         "4 times every 1 week on Saturday and Sunday"),
        ({"dayOfWeek": ["mon"], "when": ["HS"]}, "every Monday at bedtime"),
        ({"count": 1}, "once"),
    ],
)  # fmt: skip
def test_how_often_is_said_in_english(repeat: Json, frequency: str) -> None:
    assert dosed({"timing": {"repeat": repeat}}).frequency == frequency


@pytest.mark.parametrize(
    "repeat",
    [
        {"frequency": 3},
        {"period": 6},
        {"frequency": 0, "period": 1, "periodUnit": "d"},
        {"frequency": 2, "frequencyMax": 1, "period": 1, "periodUnit": "d"},
        {"frequency": "often", "period": 1, "periodUnit": "d"},
        {"frequency": 1, "period": 1, "periodUnit": "fortnight"},
        {"frequency": 3, "period": 1, "periodUnit": "d", "when": ["MORN", "EVE"]},
        {"frequency": 1, "period": 1, "periodUnit": "wk", "dayOfWeek": ["mon", "thu"]},
        {"dayOfWeek": ["someday"]},
        {"count": 10},
    ],
)
def test_a_timing_that_says_no_one_rate_gives_no_frequency_and_is_noted(repeat: Json) -> None:
    case = read(order(dosageInstruction=[{"text": "as written", "timing": {"repeat": repeat}}]))
    assert case.patient.medications[0].frequency is None
    assert case.patient.medications[0].sig == "as written"
    assert "MedicationRequest/m1 dosageInstruction" in listed(case)


@pytest.mark.parametrize(
    ("timing", "frequency"),
    [
        ({"code": {"coding": [{"code": "BID"}]}}, "2 times every 1 day"),
        ({"code": {"text": "TID"}}, "3 times every 1 day"),
        ({"code": {"coding": [{"code": "Q4H"}]}}, "1 time every 4 hours"),
        ({"code": {"coding": [{"code": "BED"}]}}, "1 time every 1 day at bedtime"),
        ({"code": {"text": "twice weekly"}}, "twice weekly"),
        ({"code": {"text": "QD"}, "repeat": {"when": ["MORN"]}}, "1 time every 1 day in the morning"),
        ({"code": {"text": "BID"}, "repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}}, None),
        ({"code": {"text": "WK"}, "repeat": {"dayOfWeek": ["sun"]}}, "every Sunday"),
        ({"code": {"text": "QD"}, "repeat": {"dayOfWeek": ["sun"]}}, None),
        ({"event": ["2026-11-02T08:00:00Z"]}, "once"),
        ({}, None),
    ],
)
def test_a_timing_code_is_read_and_two_that_differ_say_nothing(timing: Json, frequency: str | None) -> None:
    assert dosed({"timing": timing}).frequency == frequency


@pytest.mark.parametrize(
    ("dose", "expected"),
    [
        ({"doseQuantity": quantity(400, "mg")}, "400 mg"),
        ({"doseQuantity": quantity(1)}, "1"),
        ({"doseQuantity": quantity(1, "TAB")}, "1 tablet"),
        ({"doseQuantity": quantity(2, "{tablet}")}, "2 tablets"),
        ({"doseQuantity": quantity(2, "ea")}, "2"),
        ({"doseQuantity": quantity(50, "ug")}, "50 mcg"),
        ({"doseQuantity": quantity(10, "U")}, "10 units"),
        ({"doseQuantity": quantity(0.5, "tablet")}, "0.5 tablets"),
        ({"doseRange": {"low": quantity(1, "TAB"), "high": quantity(2, "TAB")}}, "1 to 2 tablets"),
        ({"doseRange": {"high": quantity(2, "TAB")}}, "up to 2 tablets"),
        ({"doseRange": {"low": quantity(1, "TAB"), "high": quantity(20, "mg")}}, None),
        ({"doseQuantity": quantity(-1, "mg")}, None),
        ({"doseQuantity": quantity(5, "mg", comparator="<")}, None),
        ({"doseQuantity": quantity(100, "mg"), "rateQuantity": quantity(50, "mL/h")}, None),
    ],
)
def test_one_dose_is_an_amount_or_nothing(dose: Json, expected: str | None) -> None:
    assert dosed({"doseAndRate": [dose]}).dose == expected


def test_two_doses_that_differ_are_no_dose() -> None:
    both = [{"doseQuantity": quantity(10, "mg/kg")}, {"doseQuantity": quantity(400, "mg")}]
    assert dosed({"doseAndRate": both}).dose is None


def test_several_instructions_that_differ_stay_text_in_their_order() -> None:
    use = dosed(
        {"sequence": 2, "text": "5 mg daily", "doseAndRate": [{"doseQuantity": quantity(5, "mg")}]},
        {"sequence": 1, "text": "10 mg daily for 3 days", "doseAndRate": [{"doseQuantity": quantity(10, "mg")}]},
    )
    assert (use.dose, use.frequency, use.sig) == (None, None, "10 mg daily for 3 days; then 5 mg daily")


def test_several_instructions_without_text_are_spelled_out() -> None:
    daily = {"repeat": {"when": ["MORN"]}}
    use = dosed(
        {"timing": daily, "doseAndRate": [{"doseQuantity": quantity(40, "mg")}]},
        {"timing": {"repeat": {"when": ["NOON"]}}, "doseAndRate": [{"doseQuantity": quantity(20, "mg")}]},
    )
    assert use.sig == "40 mg, 1 time every 1 day in the morning; 20 mg, 1 time every 1 day at noon"
    assert use.dose is None


def test_the_same_instruction_twice_is_one() -> None:
    one = {"text": "1 daily", "doseAndRate": [{"doseQuantity": quantity(1)}]}
    assert dosed(one, dict(one)).dose == "1"


def test_as_needed_its_reason_and_a_maximum_are_kept() -> None:
    use = dosed(
        {
            "text": "240 mg twice daily",
            "asNeededCodeableConcept": concept("fever"),
            "maxDosePerPeriod": {"numerator": quantity(720, "mg"), "denominator": quantity(1, "d")},
        }
    )
    assert (use.as_needed, use.indication) == (True, "fever")
    assert use.sig == "240 mg twice daily, maximum 720 mg in 1 day"
    assert dosed({"asNeededBoolean": False}).as_needed is False
    assert dosed({"text": "1 daily"}).as_needed is None


@pytest.mark.parametrize(("bounds", "expected"), [((5, "d"), 5), ((2, "wk"), 14), ((3, "mo"), None)])
def test_a_course_in_days_or_weeks_is_its_days(bounds: tuple[int, str], expected: int | None) -> None:
    repeat = {"frequency": 1, "period": 1, "periodUnit": "d", "boundsDuration": quantity(*bounds)}
    assert dosed({"timing": {"repeat": repeat}}).days == (None if expected is None else Decimal(expected))


@pytest.mark.parametrize(
    ("told", "route"),
    [
        (concept(system=SNOMED, code="26643006"), "oral"),
        (concept(system=SNOMED, code="34206005"), "parenteral"),
        (concept("Oral use"), "oral"),
        (concept("by mouth"), "oral"),
        (concept("Intramuscular (qualifier value)"), "parenteral"),
        (concept("Under the tongue"), "sublingual"),
        (concept("Both eyes"), "ophthalmic"),
        (concept("Inhalation"), "inhaled"),
        (concept("to the scalp"), "to the scalp"),
        ({}, None),
    ],
)
def test_a_route_is_told_in_our_words_or_as_it_was_given(told: Json, route: Any) -> None:
    assert dosed({"route": told}).route == route
