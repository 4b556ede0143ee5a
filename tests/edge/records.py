"""Small builders for hand-written FHIR records, so that a test reads like the record it is about."""

from __future__ import annotations

from typing import Any

from safety.model.patient import Case, Medication
from safety.reading.fhir.bundle import read_fhir

Json = dict[str, Any]
SNOMED = "http://snomed.info/sct"
LOINC = "http://loinc.org"
RXNORM = "http://www.nlm.nih.gov/research/umls/rxnorm"
UCUM = "http://unitsofmeasure.org"


def patient(**fields: Any) -> Json:
    return {"resourceType": "Patient", "id": "p1", "birthDate": "1954-03-14", "gender": "female"} | fields


def concept(text: str = "", system: str = "", code: str = "", display: str = "") -> Json:
    built: Json = {"text": text} if text else {}
    if code:
        built["coding"] = [{"system": system, "code": code} | ({"display": display} if display else {})]
    return built


def quantity(value: Any, unit: str = "", **fields: Any) -> Json:
    return {"value": value} | ({"unit": unit, "system": UCUM, "code": unit} if unit else {}) | fields


def order(name: str = "drug a 5 mg tablet", **fields: Any) -> Json:
    base = {"resourceType": "MedicationRequest", "id": "m1", "status": "active", "intent": "order"}
    named = (
        {} if {"medicationReference", "medicationCodeableConcept"} & set(fields) else {"medicationCodeableConcept": concept(name)}
    )
    return base | named | fields


def statement(name: str = "drug a 5 mg tablet", **fields: Any) -> Json:
    return order(name, **fields) | {"resourceType": "MedicationStatement"} | {"id": fields.get("id", "s1")}


def condition(text: str = "hypertension", **fields: Any) -> Json:
    return {"resourceType": "Condition", "id": "c1", "code": concept(text)} | fields


def allergy(text: str = "penicillin", **fields: Any) -> Json:
    return {"resourceType": "AllergyIntolerance", "id": "a1", "code": concept(text)} | fields


def observation(text: str = "potassium", **fields: Any) -> Json:
    return {"resourceType": "Observation", "id": "o1", "status": "final", "code": concept(text)} | fields


def bundle(*resources: Any, type: str = "collection") -> Json:
    return {"resourceType": "Bundle", "type": type, "entry": [{"resource": resource} for resource in resources]}


def read(*resources: Json) -> Case:
    """The case of a patient with these resources."""
    return read_fhir(bundle(patient(), *resources))


def dosed(*dosages: Json) -> Medication:
    """The one medication of a record whose order has these dosage instructions."""
    return read(order(dosageInstruction=list(dosages))).patient.medications[0]


def listed(case: Case) -> dict[str, str]:
    """What was not read, and why."""
    assert case.reading is not None
    return {unread.what: unread.why for unread in case.reading.unread}
