"""How FHIR orders and statements become medications: status, medicine, dose, frequency, route, days."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from safety.model.directions import Directions, DosingStep, Window
from safety.model.patient import ContentTold
from safety.model.quantity import Quantity
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
    assert (use.text, use.form) == ("b 325 mg / c 5 mg", "tablet")
    assert use.contains == (ContentTold("b", q(325)), ContentTold("c", q(5)))


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


def told(*dosages: Json) -> Directions:
    """What the numbers and codes of an order's dosages tell."""
    return dosed(*dosages).directions or Directions("")


def rate(directions: Directions) -> str:
    """Doses in a day, lowest and highest, with the hours between them where they are told."""
    if directions.times_per_day is None:
        return ""
    low, high = directions.times_per_day
    hours = directions.interval_hours
    apart = "" if hours is None else f" / {hours[0]:f} h" if hours[0] == hours[1] else f" / {hours[0]:f}-{hours[1]:f} h"
    return (f"{low}" if low == high else f"{low}-{high}") + apart


@pytest.mark.parametrize(
    ("repeat", "expected", "shown"),
    [
        ({"frequency": 3, "period": 1, "periodUnit": "d"}, "3", "3 times every 1 day"),
        ({"frequency": 1, "period": 12, "periodUnit": "h"}, "2 / 12 h", "1 time every 12 hours"),
        ({"frequency": 1, "frequencyMax": 2, "period": 4, "periodUnit": "h"}, "6-12", "1 to 2 times every 4 hours"),
        ({"frequency": 1, "period": 4, "periodMax": 6, "periodUnit": "h"}, "4-6 / 4-6 h", "1 time every 4 to 6 hours"),
        ({"frequency": 1, "period": 90, "periodUnit": "min"}, "16 / 1.5 h", "1 time every 90 minutes"),
        ({"period": 1.0, "periodUnit": "wk"}, "1/7", "1 time every 1 week"),
        ({"period": 1, "periodUnit": "mo"}, "1/31-1/28", "1 time every 1 month"),
        ({"period": 0.5, "periodUnit": "d"}, "2", "1 time every 0.5 days"),
        ({"when": ["HS"]}, "1", "1 time every 1 day at bedtime"),
        ({"frequency": 1, "period": 1, "periodUnit": "d", "when": ["ACM"]}, "1", "1 time every 1 day before breakfast"),
        ({"frequency": 1, "period": 1, "periodUnit": "d", "when": ["MORN", "EVE"]}, "2",
         "2 times every 1 day in the morning and in the evening"),
        ({"when": ["PC"]}, "3", "3 times every 1 day after meals"),
        ({"timeOfDay": ["08:00:00", "20:00:00"]}, "2", "2 times every 1 day at 8 am and 8 pm"),
        ({"timeOfDay": ["00:30:00"]}, "1", "1 time every 1 day at 12:30 am"),
        ({"dayOfWeek": ["mon", "thu"]}, "2/7", "every Monday and Thursday"),
        ({"frequency": 1, "period": 1, "periodUnit": "wk", "dayOfWeek": ["sun"]}, "1/7", "every Sunday"),
        ({"frequency": 1, "period": 2, "periodUnit": "wk", "dayOfWeek": ["sun"]}, "1/14", "1 time every 2 weeks on Sunday"),
        ({"dayOfWeek": ["mon"], "when": ["HS"]}, "1/7", "every Monday at bedtime"),
        ({"count": 1}, "1", "once"),
    ],
)  # fmt: skip
def test_how_often_is_read_from_the_numbers_and_shown_in_english(repeat: Json, expected: str, shown: str) -> None:
    directions = told({"timing": {"repeat": repeat}})
    assert (rate(directions), directions.text) == (expected, shown)
    assert directions.once is ("count" in repeat)


HOUR = 60


@pytest.mark.parametrize(
    ("repeat", "hours"),
    [
        ({"when": ["HS"]}, [(20, 24)]),
        ({"when": ["MORN", "EVE"]}, [(5, 11), (17, 22)]),
        ({"when": ["ACM"]}, [(4, 10)]),
        ({"when": ["ACM"], "offset": 30}, [(4.5, 10)]),
        ({"when": ["PCV"], "offset": 60}, [(17, 21)]),
        ({"timeOfDay": ["20:30", "08:00:00"]}, [(8, 8), (20.5, 20.5)]),
        ({"dayOfWeek": ["sun"], "timeOfDay": ["07:00"]}, [(7, 7)]),
        ({"frequency": 2, "period": 1, "periodUnit": "d"}, None),
        ({"when": ["ACV"]}, None),
        ({"when": ["C"]}, None),
        ({"when": ["MORN", "CM"]}, None),
        ({"when": ["HS"], "offset": 300}, None),
    ],
)
def test_when_each_dose_of_a_day_lies_is_told_by_event_or_clock(repeat: Json, hours: list[tuple[float, float]] | None) -> None:
    windows = told({"timing": {"repeat": repeat}}).windows
    assert (None if windows is None else [(w.start / HOUR, w.end / HOUR) for w in windows]) == hours


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
        {"frequency": 2, "period": 1, "periodUnit": "d", "dayOfWeek": ["sat", "sun"]},
        {"dayOfWeek": ["someday"]},
        {"when": ["HS"], "offset": -5},
        {"count": 10},
    ],
)
def test_a_timing_that_says_no_one_rate_gives_no_frequency_and_is_noted(repeat: Json) -> None:
    case = read(order(dosageInstruction=[{"text": "as written", "timing": {"repeat": repeat}}]))
    assert case.patient.medications[0].directions is None
    assert case.patient.medications[0].sig == "as written"
    assert "MedicationRequest/m1 dosageInstruction" in listed(case)


@pytest.mark.parametrize(
    ("timing", "expected"),
    [
        ({"code": {"coding": [{"code": "BID"}]}}, "2"),
        ({"code": {"text": "TID"}}, "3"),
        ({"code": {"coding": [{"code": "Q4H"}]}}, "6 / 4 h"),
        ({"code": {"coding": [{"code": "BED"}]}}, "1"),
        ({"code": {"text": "QD"}, "repeat": {"when": ["MORN"]}}, "1"),
        ({"code": {"text": "BID"}, "repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}}, ""),
        ({"code": {"text": "WK"}, "repeat": {"dayOfWeek": ["sun"]}}, "1/7"),
        ({"code": {"text": "QD"}, "repeat": {"dayOfWeek": ["sun"]}}, ""),
        ({"event": ["2026-11-02T08:00:00Z"]}, "1"),
        ({}, ""),
    ],
)
def test_a_timing_code_is_read_and_two_that_differ_say_nothing(timing: Json, expected: str) -> None:
    assert rate(told({"timing": timing})) == expected


def test_words_that_stand_where_a_code_should_stay_words() -> None:
    use = dosed({"timing": {"code": {"text": "twice weekly"}}})
    assert (use.frequency, use.directions) == ("twice weekly", None)


@pytest.mark.parametrize(
    ("dose", "low", "high", "shown"),
    [
        ({"doseQuantity": quantity(400, "mg")}, "400 mg", "400 mg", "400 mg"),
        ({"doseQuantity": quantity(1)}, "1", "1", "1"),
        ({"doseQuantity": quantity(1, "TAB")}, "1 tablet", "1 tablet", "1 tablet"),
        ({"doseQuantity": quantity(2, "{tablet}")}, "2 tablet", "2 tablet", "2 tablets"),
        ({"doseQuantity": quantity(2, "ea")}, "2", "2", "2"),
        ({"doseQuantity": quantity(50, "ug")}, "50 mcg", "50 mcg", "50 mcg"),
        ({"doseQuantity": quantity(10, "U")}, "10 unit", "10 unit", "10 units"),
        ({"doseQuantity": quantity(0.5, "tablet")}, "0.5 tablet", "0.5 tablet", "0.5 tablets"),
        ({"doseRange": {"low": quantity(1, "TAB"), "high": quantity(2, "TAB")}}, "1 tablet", "2 tablet", "1 to 2 tablets"),
        ({"doseRange": {"high": quantity(2, "TAB")}}, "0 tablet", "2 tablet", "up to 2 tablets"),
    ],
)
def test_one_dose_is_an_amount_in_the_unit_that_was_coded(dose: Json, low: str, high: str, shown: str) -> None:
    directions = told({"doseAndRate": [dose]})
    assert directions.dose is not None
    assert (*map(str, directions.dose), directions.text) == (low, high, shown)


@pytest.mark.parametrize(
    "doses",
    [
        [{"doseRange": {"low": quantity(1, "TAB"), "high": quantity(20, "mg")}}],
        [{"doseQuantity": quantity(-1, "mg")}],
        [{"doseQuantity": quantity(5, "mg", comparator="<")}],
        [{"doseQuantity": quantity(100, "mg"), "rateQuantity": quantity(50, "mL/h")}],
        [{"doseQuantity": quantity(10, "mg/kg")}, {"doseQuantity": quantity(400, "mg")}],
    ],
)
def test_what_is_not_one_amount_is_no_dose_and_is_noted(doses: list[Json]) -> None:
    case = read(order(dosageInstruction=[{"doseAndRate": doses}]))
    assert case.patient.medications[0].directions is None
    assert "MedicationRequest/m1 dosageInstruction" in listed(case)


def dosage(amount: Any, repeat: Json, **fields: Any) -> Json:
    return {"timing": {"repeat": repeat}, "doseAndRate": [{"doseQuantity": amount}]} | fields


DAILY: Json = {"frequency": 1, "period": 1, "periodUnit": "d"}


def test_several_instructions_in_sequence_are_steps() -> None:
    then = DAILY | {"boundsDuration": quantity(3, "d")}
    use = dosed(
        dosage(quantity(5, "mg"), DAILY, sequence=2, text="5 mg daily"),
        dosage(quantity(10, "mg"), then, sequence=1, text="10 mg daily for 3 days"),
    )
    assert use.directions is not None
    steps = [(step.dose and str(step.dose[1]), rate_of(step), step.days) for step in use.directions.steps]
    assert steps == [("10 mg", 1, 3), ("5 mg", 1, None)]
    assert use.directions.dose is None
    assert use.sig == use.directions.text == "10 mg daily for 3 days; then 5 mg daily"


def rate_of(step: DosingStep) -> Any:
    return step.times_per_day and step.times_per_day[1]


def test_several_instructions_without_an_order_are_taken_side_by_side() -> None:
    use = dosed(dosage(quantity(40, "mg"), {"when": ["MORN"]}), dosage(quantity(20, "mg"), {"when": ["NOON"]}))
    directions = use.directions
    assert directions is not None
    assert (directions.dose, directions.per_day) == ((q(20), q(40)), (q(60), q(60)))
    assert directions.times_per_day == (2, 2)
    assert directions.parts_of_day == ("morning", "noon")
    assert directions.windows == (Window(5 * HOUR, 11 * HOUR), Window(12 * HOUR, 12 * HOUR))
    assert directions.text == "40 mg, 1 time every 1 day in the morning; 20 mg, 1 time every 1 day at noon"
    assert use.sig is None


def q(value: int) -> Quantity:
    return Quantity(Decimal(value), "mg")


def test_what_is_taken_as_needed_beside_a_fixed_dose_may_be_left_out_of_the_day() -> None:
    directions = told(
        dosage(quantity(40, "mg"), {"frequency": 2, "period": 1, "periodUnit": "d"}, asNeededBoolean=False),
        dosage(quantity(10, "mg"), {"frequency": 1, "period": 6, "periodUnit": "h"}, asNeededBoolean=True),
    )
    assert (directions.per_day, directions.as_needed) == ((q(80), q(120)), None)
    assert directions.times_per_day == (2, 6)


def test_doses_on_days_of_their_own_are_not_added_up() -> None:
    directions = told(dosage(quantity(5, "mg"), {"dayOfWeek": ["mon"]}), dosage(quantity(3, "mg"), {"dayOfWeek": ["tue", "thu"]}))
    assert directions.per_day is None
    assert [step.dose and step.dose[1] for step in directions.steps] == [q(5), q(3)]


def test_several_instructions_of_which_one_is_not_told_whole_are_left_to_the_words_or_to_nothing() -> None:
    whole = dosage(quantity(5, "mg"), DAILY)
    worded = read(order(dosageInstruction=[whole | {"text": "5 mg daily"}, {"text": "then stop"}]))
    use = worded.patient.medications[0]
    assert use.sig == "5 mg daily; then stop"
    assert use.directions is not None
    assert use.directions.unclear == frozenset()
    assert "2 dosage instructions" in listed(worded)["MedicationRequest/m1 dosageInstruction"]
    silent = told(whole, {"timing": {"repeat": {"when": ["HS"]}}})
    assert (silent.dose, silent.unclear) == (None, {"dose", "frequency"})


def test_the_same_instruction_twice_is_one() -> None:
    one = {"text": "1 daily", "doseAndRate": [{"doseQuantity": quantity(1)}]}
    assert told(one, dict(one)).dose == (Quantity(Decimal(1), ""),) * 2


MAXIMUM: Json = {"numerator": quantity(720, "mg"), "denominator": quantity(1, "d")}


def test_as_needed_its_reason_and_a_maximum_are_kept() -> None:
    use = dosed({"text": "240 mg twice daily", "asNeededCodeableConcept": concept("fever"), "maxDosePerPeriod": MAXIMUM})
    assert use.directions is not None
    assert (use.directions.as_needed, use.indication, use.directions.day_max) == (True, "fever", q(720))
    assert (use.sig, use.directions.text) == ("240 mg twice daily", "240 mg twice daily, maximum 720 mg in 1 day")
    assert told({"asNeededBoolean": False}).as_needed is False
    assert told({"text": "1 daily"}).as_needed is None
    assert told({"maxDosePerPeriod": MAXIMUM | {"denominator": quantity(24, "h")}}).day_max == q(720)


def test_a_maximum_that_is_no_amount_in_a_day_is_noted() -> None:
    for ratio in (MAXIMUM | {"denominator": quantity(1, "wk")}, MAXIMUM | {"numerator": {"value": 3}}):
        case = read(order(dosageInstruction=[{"text": "as needed", "maxDosePerPeriod": ratio}]))
        assert case.patient.medications[0].directions is None
        assert "maximum" in listed(case)["MedicationRequest/m1 dosageInstruction"]


@pytest.mark.parametrize(
    ("bounds", "expected"), [((5, "d"), 5), ((2, "wk"), 14), ((3, "mo"), 90), ((1, "a"), 365), ((36, "h"), None)]
)
def test_a_course_is_its_days(bounds: tuple[int, str], expected: int | None) -> None:
    case = read(order(dosageInstruction=[{"timing": {"repeat": DAILY | {"boundsDuration": quantity(*bounds)}}}]))
    directions = case.patient.medications[0].directions
    assert directions is not None
    assert directions.days == expected
    assert ("MedicationRequest/m1 dosageInstruction" in listed(case)) is (expected is None)


def test_of_a_range_of_durations_the_longest_counts() -> None:
    course = {"low": quantity(5, "d"), "high": quantity(1, "wk")}
    assert told({"timing": {"repeat": DAILY | {"boundsRange": course}}}).days == 7


@pytest.mark.parametrize(
    ("given", "route", "in_words"),
    [
        (concept(system=SNOMED, code="26643006"), "oral", None),
        (concept(system=SNOMED, code="34206005"), "parenteral", None),
        (concept("Oral use"), "oral", None),
        (concept("by mouth"), "oral", None),
        (concept("Intramuscular (qualifier value)"), "parenteral", None),
        (concept("Under the tongue"), "sublingual", None),
        (concept("Both eyes"), "ophthalmic", None),
        (concept("Inhalation"), "inhaled", None),
        (concept("to the scalp"), None, "to the scalp"),
        ({}, None, None),
    ],
)
def test_a_route_is_told_in_our_words_or_as_it_was_given(given: Json, route: str | None, in_words: str | None) -> None:
    use = dosed({"route": given})
    assert ((use.directions or Directions("")).route, use.route) == (route, in_words)


def test_instructions_beside_the_one_that_counts_are_kept() -> None:
    beside = {"additionalInstruction": [concept("Before lunch")], "patientInstruction": "Take one"}
    assert dosed({"text": "1 daily"} | beside).beside == ("Take one", "Before lunch")
    assert dosed({"additionalInstruction": [concept("Shake well")]}).sig == "Shake well"


@pytest.mark.parametrize(
    "unread",
    [
        {"method": concept("push")},
        {"site": concept("left arm")},
        {"maxDosePerLifetime": quantity(5, "mg")},
        {"modifierExtension": [{"url": "x"}]},
        {"timing": {"repeat": DAILY | {"count": 16}}},
        {"timing": {"repeat": DAILY | {"duration": 30, "durationUnit": "min"}}},
        {"timing": {"repeat": DAILY | {"offset": 30}}},
        {"doseAndRate": [{"doseQuantity": quantity(5, "mg"), "extension": [{"url": "x"}]}]},
        {"asNeededCodeableConcept": {"coding": [{"system": "x"}]}},
    ],
)
def test_what_is_not_read_of_a_dosage_is_named(unread: Json) -> None:
    case = read(order(dosageInstruction=[{"text": "1 daily"} | unread]))
    assert "not read of it" in listed(case)["MedicationRequest/m1 dosageInstruction"]
