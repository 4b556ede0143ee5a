"""FHIR Procedures, Devices and Immunizations are read, and what is not used is listed."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from safety.engine import Engine
from safety.reading.fhir.bundle import read_fhir

Json = dict[str, Any]
ME = {"reference": "Patient/p"}


def record(*resources: Json) -> Json:
    patient = {"resourceType": "Patient", "id": "p", "birthDate": "1956-03-01", "gender": "male"}
    return {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": r} for r in (patient, *resources)]}


def procedure(**more: Any) -> Json:
    return {
        "resourceType": "Procedure", "id": "a", "status": "completed", "subject": ME,
        "code": {"coding": [{"system": "http://snomed.info/sct", "code": "232717009", "display": "CABG"}]},
        **more,
    }  # fmt: skip


def ibuprofen() -> Json:
    return {
        "resourceType": "MedicationRequest", "id": "m", "status": "active", "intent": "order", "subject": ME,
        "medicationCodeableConcept": {"text": "ibuprofen 400 mg by mouth three times daily"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "status", "on"),
    [({"performedDateTime": "2026-11-16"}, "done", date(2026, 11, 16)),
     ({"performedPeriod": {"start": "2026-11-15", "end": "2026-11-16"}}, "done", date(2026, 11, 16)),
     ({"status": "preparation"}, "planned", None), ({}, "done", None)],
)  # fmt: skip
def test_a_procedure_is_read_with_its_day(more: Json, status: str, on: date | None) -> None:
    case = read_fhir(record(procedure(**more)))
    assert [(p.status, p.on) for p in case.patient.procedures or ()] == [(status, on)]
    assert case.reading is not None
    assert case.reading.used["Procedure"] == 1


@pytest.mark.parametrize("status", ["not-done", "entered-in-error", "stopped"])
def test_a_procedure_that_was_not_done_is_left_out_and_listed(status: str) -> None:
    case = read_fhir(record(procedure(status=status)))
    assert case.patient.procedures is None
    assert case.reading is not None
    assert [u.what for u in case.reading.unread if u.what.startswith("Procedure")] == ["Procedure/a"]


def test_a_bypass_by_its_code_stops_an_nsaid(engine: Engine) -> None:
    report = engine.check(read_fhir(record(procedure(performedDateTime="2026-11-16"), ibuprofen())), date(2026, 11, 20))
    assert "contraindication.procedures-devices.nsaid-around-bypass" in {f.rule for f in report.findings}


def test_a_device_in_use_is_read_by_itself_and_by_its_use() -> None:
    device = {"resourceType": "Device", "id": "d", "status": "active", "patient": ME, "type": {"text": "pacemaker"}}
    use = {"resourceType": "DeviceUseStatement", "id": "u", "status": "active", "subject": ME, "device": {"display": "PEG tube"}}
    gone = {"resourceType": "DeviceUseStatement", "id": "v", "status": "completed", "subject": ME, "device": {"display": "IUD"}}
    case = read_fhir(record(device, use, gone))
    assert case.patient.devices == ("pacemaker", "PEG tube")


def test_vaccines_are_read_with_their_days() -> None:
    given = {
        "resourceType": "Immunization", "id": "i", "status": "completed", "patient": ME, "occurrenceDateTime": "2026-11-01",
        "vaccineCode": {"coding": [{"system": "http://hl7.org/fhir/sid/cvx", "code": "03", "display": "MMR"}]},
    }  # fmt: skip
    case = read_fhir(record(given))
    assert [(v.text, v.on) for v in case.patient.vaccines or ()] == [("MMR", date(2026, 11, 1))]


def test_a_genotype_among_the_observations_is_a_genetic_result(engine: Engine) -> None:
    observation = {
        "resourceType": "Observation", "id": "o", "status": "final", "subject": ME, "code": {"text": "HLA-B*57:01"},
        "valueCodeableConcept": {"text": "Positive"},
    }  # fmt: skip
    abacavir = {**ibuprofen(), "medicationCodeableConcept": {"text": "abacavir 300 mg by mouth twice daily"}}
    report = engine.check(read_fhir(record(observation, abacavir)), date(2026, 11, 20))
    assert "contraindication.genes.abacavir-hla-b-5701" in {f.rule for f in report.findings}


def test_a_phenotype_under_its_long_name_is_read(engine: Engine) -> None:
    observation = {
        "resourceType": "Observation", "id": "o", "status": "final", "subject": ME,
        "code": {"text": "CYP2C19 gene product metabolic activity interpretation in Blood or Tissue Qualitative by CPIC"},
        "valueCodeableConcept": {"text": "Poor metabolizer"},
    }  # fmt: skip
    clopidogrel = {**ibuprofen(), "medicationCodeableConcept": {"text": "clopidogrel 75 mg by mouth daily"}}
    report = engine.check(read_fhir(record(observation, clopidogrel)), date(2026, 11, 20))
    assert "contraindication.genes.clopidogrel-cyp2c19-poor" in {f.rule for f in report.findings}
