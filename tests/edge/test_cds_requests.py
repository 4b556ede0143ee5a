"""How a CDS Hooks request becomes a case: drafts are the plan, the prefetch is the record, and nothing is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import refusal

from safety.model.patient import Case
from safety.reading.cds.requests import read_request

from .records import Json, bundle, condition, listed, order, patient, statement


def hook(*drafts: Json, prefetch: Json | None = None, **context: Any) -> Json:
    """An order-sign request for patient p1 with these drafts."""
    built: Json = {
        "hook": "order-sign",
        "hookInstance": "i1",
        "context": {"userId": "Practitioner/1", "patientId": "p1", "draftOrders": bundle(*drafts)} | context,
    }
    return built if prefetch is None else built | {"prefetch": prefetch}


def case_of(*drafts: Json, prefetch: Json | None = None, **context: Any) -> Case:
    return read_request(hook(*drafts, prefetch=prefetch, **context)).case


def given(type_: str, name: str, **fields: Any) -> Json:
    return order(name, **fields) | {"resourceType": type_, "status": fields.get("status", "completed")}


def taken(case: Case) -> list[str]:
    return [m.text for m in case.patient.medications]


def planned(case: Case) -> list[str]:
    return [m.text for m in case.plan]


# --- plan and record ---


@pytest.mark.parametrize("status", ["draft", "active", "on-hold", "unknown"])
def test_an_order_in_draft_is_the_plan_whatever_its_status(status: str) -> None:
    case = case_of(order("drug a 5 mg tablet", status=status), prefetch={"patient": patient()})
    assert planned(case) == ["drug a 5 mg tablet"]
    assert taken(case) == []


def test_an_order_of_the_prefetch_is_taken_now() -> None:
    case = case_of(order("drug a", id="m1"), prefetch={"p": patient(), "m": bundle(order("drug b", id="m2"))})
    assert planned(case) == ["drug a"]
    assert taken(case) == ["drug b"]
    assert case.patient.medications[0].supply == "prescription"


def test_the_first_edition_of_hooks_names_its_drafts_medications() -> None:
    request = hook(medications=bundle(order("drug a")), prefetch={"p": patient()}) | {"hook": "medication-prescribe"}
    del request["context"]["draftOrders"]
    read = read_request(request)
    assert (read.hook, read.instance) == ("medication-prescribe", "i1")
    assert planned(read.case) == ["drug a"]


def test_a_draft_that_is_in_the_prefetch_too_counts_once_and_is_told() -> None:
    case = case_of(order("drug a", id="m1"), prefetch={"p": patient(), "m": bundle(order("drug a", id="m1"))})
    assert planned(case) == ["drug a"]
    assert taken(case) == []
    assert listed(case)["MedicationRequest/m1"] == "it is the order in draft itself"


def test_the_same_id_for_another_medicine_loses_neither() -> None:
    case = case_of(order("drug a 5 mg", id="m1"), prefetch={"p": patient(), "m": order("drug b 5 mg", id="m1")})
    assert planned(case) == ["drug a 5 mg"]
    assert taken(case) == ["drug b 5 mg"]
    assert "MedicationRequest/m1 id" in listed(case)


def test_the_order_that_a_draft_replaces_is_left_out_and_told() -> None:
    draft = order("drug a 10 mg", id="m2", priorPrescription={"reference": "http://ehr/MedicationRequest/m1"})
    case = case_of(draft, prefetch={"p": patient(), "m": order("drug a 5 mg", id="m1")})
    assert taken(case) == []
    assert "in draft, replaces it" in listed(case)["MedicationRequest/m1"]


def test_orders_without_an_id_are_never_taken_for_one_another() -> None:
    nameless = {k: v for k, v in order("drug a").items() if k != "id"}
    case = case_of(nameless, prefetch={"p": patient(), "m": bundle(nameless, nameless | {"status": "active"})})
    assert planned(case) == ["drug a"]
    assert taken(case) == ["drug a", "drug a"]


@pytest.mark.parametrize("status", ["cancelled", "entered-in-error"])
def test_a_cancelled_draft_is_listed_and_not_planned(status: str) -> None:
    case = case_of(order(status=status), prefetch={"p": patient()})
    assert planned(case) == []
    assert "MedicationRequest/m1" in listed(case)


def test_a_draft_that_is_no_medicine_is_told() -> None:
    case = case_of({"resourceType": "NutritionOrder", "id": "n1"}, prefetch={"p": patient()})
    assert listed(case)["NutritionOrder/n1 draft"] == "an order of this kind is not read"


# --- what is only dispensed or given ---


@pytest.mark.parametrize("type_", ["MedicationDispense", "MedicationAdministration"])
def test_a_medicine_that_is_only_dispensed_or_given_is_taken(type_: str) -> None:
    case = case_of(order("drug a"), prefetch={"p": patient(), "d": bundle(given(type_, "drug b 5 mg tablet", id="d1"))})
    assert taken(case) == ["drug b 5 mg tablet"]
    assert f"{type_}/d1 status" in listed(case)
    assert case.patient.medications[0].since is None
    assert case.reading is not None
    assert (case.reading.resources[type_], case.reading.used[type_]) == (1, 1)
    assert "MedicationStatement" not in case.reading.resources


def test_a_dispense_of_what_is_ordered_is_no_second_medicine() -> None:
    record = bundle(order("drug b 10 mg tablet", id="m2"), given("MedicationDispense", "drug b 5 mg tablet", id="d1"))
    case = case_of(order("drug a", id="m1"), prefetch={"p": patient(), "m": record})
    assert taken(case) == ["drug b 10 mg tablet"]
    assert listed(case)["MedicationDispense/d1"] == "it repeats MedicationRequest/m2"


def test_two_kinds_of_one_medicine_stay_two() -> None:
    record = bundle(order("insulin x 100 unit/mL", id="m2"), given("MedicationDispense", "insulin y 100 unit/mL", id="d1"))
    case = case_of(order("drug a", id="m1"), prefetch={"p": patient(), "m": record})
    assert sorted(taken(case)) == ["insulin x 100 unit/mL", "insulin y 100 unit/mL"]


def test_of_several_fills_the_newest_stands() -> None:
    old = given("MedicationDispense", "drug b 5 mg", id="d1", whenHandedOver="2023-01-01")
    new = given("MedicationDispense", "drug b 10 mg", id="d2", whenHandedOver="2023-03-01")
    case = case_of(order("drug a", id="m1"), prefetch={"p": patient(), "d": bundle(new, old)})
    assert taken(case) == ["drug b 10 mg"]
    assert "MedicationDispense/d1" in listed(case)


@pytest.mark.parametrize("status", ["declined", "not-done", "entered-in-error", "cancelled"])
def test_what_was_not_dispensed_or_given_is_not_taken(status: str) -> None:
    dispense = given("MedicationDispense", "drug b", id="d1", status=status)
    case = case_of(order("drug a", id="m1"), prefetch={"p": patient(), "d": bundle(dispense)})
    assert taken(case) == []
    assert "MedicationDispense/d1" in listed(case)


def test_one_dose_given_in_hospital_is_no_schedule() -> None:
    one = given("MedicationAdministration", "drug b", id="d1", dosage={"text": "5 mg now", "dose": {"value": 5, "unit": "mg"}})
    medication = case_of(order("drug a"), prefetch={"p": patient(), "d": one}).patient.medications[0]
    assert (medication.dose, medication.frequency) == (None, None)


# --- whose request ---


def test_without_a_patient_the_age_and_sex_are_not_told_and_the_drafts_are_read() -> None:
    case = case_of(order("drug a", subject={"reference": "Patient/p1"}), prefetch={"m": None})
    assert planned(case) == ["drug a"]
    assert (case.patient.birth_date, case.patient.sex) == (None, None)
    assert "Patient (absent)" in listed(case)
    assert case.reading is not None
    assert "Patient" not in case.reading.resources


def test_a_request_whose_every_resource_names_another_patient_is_read_as_theirs_and_told() -> None:
    draft = order("drug a", id="m1", subject={"reference": "Patient/p9"})
    case = case_of(draft, prefetch={"m": order("drug b", id="m2", subject={"reference": "Patient/p9"})})
    assert (planned(case), taken(case)) == (["drug a"], ["drug b"])
    assert "p9" in listed(case)["context.patientId"]


def test_an_order_of_somebody_else_is_left_out_and_told() -> None:
    stranger = order("drug b", id="m2", subject={"reference": "Patient/p9"})
    case = case_of(order("drug a", id="m1"), prefetch={"p": patient(), "m": stranger})
    assert taken(case) == []
    assert "not about this patient" in listed(case)["MedicationRequest/m2"]


def test_a_subject_that_is_no_patient_at_all_does_not_lose_the_draft() -> None:
    case = case_of(order("drug a", subject={"reference": "some-context"}), prefetch={"p": patient()})
    assert planned(case) == ["drug a"]
    assert "MedicationRequest/m1 subject" in listed(case)


def test_of_two_patients_the_one_in_the_context_counts() -> None:
    case = case_of(order("drug a"), prefetch={"p": patient(), "child": patient(id="p2", birthDate="2023-01-01")})
    assert case.id == "p1"
    assert listed(case)["Patient/p2"] == "the request is about another patient"


# --- what is not told ---


def test_without_a_prefetch_the_medication_list_is_not_whole() -> None:
    assert not case_of(order("drug a")).patient.medications_complete
    assert not case_of(order("drug a"), prefetch={"p": patient()}).patient.medications_complete


@pytest.mark.parametrize("nothing", [None, {"resourceType": "Bundle", "type": "searchset", "total": 0}])
def test_a_prefetch_that_found_nothing_is_an_answer(nothing: Json | None) -> None:
    assert case_of(order("drug a"), prefetch={"p": patient(), "m": nothing}).patient.medications_complete


@pytest.mark.parametrize("nothing", [None, {"resourceType": "Bundle", "type": "searchset", "total": 0}])
def test_results_that_were_asked_for_and_not_found_are_told_to_be_none(nothing: Json | None) -> None:
    told = {"p": patient(), "m": None}
    assert case_of(order("drug a"), prefetch=told | {"results": nothing}).patient.labs == ()
    assert case_of(order("drug a"), prefetch=told | {"item4": nothing}).patient.labs is None  # nobody knows what was asked


def test_an_answer_that_failed_is_not_nothing() -> None:
    failed = {"response": {"status": "500"}, "resource": None}
    case = case_of(order("drug a"), prefetch={"p": patient(), "m": failed})
    assert not case.patient.medications_complete
    assert listed(case)["entry"] == "it holds no resource"


def test_old_shapes_are_read_wrapped_answers_and_bare_entries() -> None:
    bare = {"resourceType": "Bundle", "entry": [order("drug b", id="m2")]}
    case = case_of(order("drug a", id="m1"), prefetch={"p": patient(), "m": {"response": {"status": "200 OK"}, "resource": bare}})
    assert taken(case) == ["drug b"]


def test_places_are_those_of_the_request() -> None:
    prefetch = {"p": patient(), "c": bundle(condition("asthma"), condition("x", id="c2", verificationStatus="refuted"))}
    case = case_of(order("drug a"), prefetch=prefetch)
    assert [c.text for c in case.patient.conditions or ()] == ["asthma"]
    assert case.reading is not None
    assert [u.where for u in case.reading.unread if u.what == "Condition/c2"] == ["prefetch.c.entry[1]"]


def test_of_each_type_that_is_read_all_are_used_or_listed() -> None:
    record = bundle(
        order("drug b", id="m2"),
        order("drug c", id="m3", status="cancelled"),
        statement("drug d", id="s1"),
        given("MedicationDispense", "drug b 5 mg", id="d1"),
        given("MedicationDispense", "drug e 5 mg", id="d2"),
        given("MedicationAdministration", "drug f", id="d3", status="not-done"),
        condition("asthma", verificationStatus="refuted"),
        {"resourceType": "Encounter", "id": "e1"},
    )
    case = case_of(order("drug a", id="m1"), order("drug b", id="m2"), prefetch={"p": patient(), "m": record})
    reading = case.reading
    assert reading is not None
    for type_, used in reading.used.items():
        if type_ in reading.resources:
            left = [u for u in reading.unread if u.what.split("/")[0] == type_ and " " not in u.what]
            assert reading.resources[type_] == used + len(left), type_
    assert reading.resources["Encounter"] == 1
    assert sum(reading.resources.values()) == 11


# --- the input itself ---


def test_text_bytes_and_values_tell_the_same() -> None:
    request = hook(order("drug a"), prefetch={"p": patient()}, selections=["MedicationRequest/m1"])
    text = json.dumps(request)
    assert read_request(text) == read_request(text.encode()) == read_request(request)
    assert read_request(text).selections == ("MedicationRequest/m1",)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("{}", "F011"),
        ("[]", "F011"),
        ('{"hook": "order-sign"}', "F011"),
        ('{"hook": 7, "context": {}}', "F011"),
        (bundle(patient()), "F011"),
        ('{"hook": ', "F006"),
        ("", "F001"),
    ],
)
def test_what_is_no_request_is_refused_with_its_reason(data: Any, code: str) -> None:
    assert [p.code for p in refusal(lambda: read_request(data)) or ()] == [code]


def test_a_request_deep_inside_itself_is_told_and_not_followed() -> None:
    deep: Json = order("drug b")
    for _ in range(40):
        deep = {"resource": deep}
    case = case_of(order("drug a"), prefetch={"p": patient(), "m": deep})
    assert taken(case) == []
    assert "Bundle" in listed(case)


RICH = hook(
    order("drug a", id="m1", subject={"reference": "Patient/p1"}, priorPrescription={"reference": "MedicationRequest/m9"}),
    prefetch={
        "p": patient(),
        "none": None,
        "m": bundle(order("drug b", id="m2"), given("MedicationDispense", "drug c 5 mg", id="d1", whenHandedOver="2023-01-01")),
        "c": {"response": {"status": "200"}, "resource": condition()},
    },
    selections=["MedicationRequest/m1"],
)
JUNK: list[Any] = [None, 7, "x", [], {}, [None], [[]], {"resourceType": "Bundle"}, {"resourceType": 5}, {"resource": None}, True]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in JSON values."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in inner for found in ((*path, key), *places(item, (*path, key)))]


@pytest.mark.parametrize("path", places(RICH), ids=lambda path: ".".join(map(str, path)))
def test_whatever_stands_anywhere_in_a_request_it_is_read_or_refused_and_counted(path: tuple[Any, ...]) -> None:
    for junk in JUNK:
        request = json.loads(json.dumps(RICH))
        holder = request
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = junk
        read: list[Case] = []
        if refusal(lambda request=request, read=read: read.append(read_request(request).case)) is None:  # type: ignore[misc]
            reading = read[0].reading
            assert reading is not None
            for type_, used in reading.used.items():
                left = [u for u in reading.unread if u.what.split("/")[0] == type_ and " " not in u.what]
                assert type_ not in reading.resources or reading.resources[type_] == used + len(left), (junk, type_)
