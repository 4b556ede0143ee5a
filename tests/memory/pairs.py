"""The statements of pairs.yaml, each with its record as FHIR."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import yaml

from safety.edge.stating import Stater
from safety.engine import Engine
from safety.memory.reconciling import Reconciled, Reconciler
from safety.memory.record import read_record
from safety.memory.subjects import Understanding
from safety.reading.fhir.bundle import read_fhir

PAIRS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "pairs.yaml").read_text(encoding="utf-8"))
SYSTEMS = {
    "snomed": "http://snomed.info/sct", "rxnorm": "http://www.nlm.nih.gov/research/umls/rxnorm", "loinc": "http://loinc.org",
    "cvx": "http://hl7.org/fhir/sid/cvx",
}  # fmt: skip
DAYS = {"Condition": "recordedDate", "MedicationRequest": "authoredOn", "AllergyIntolerance": "recordedDate",
        "Observation": "effectiveDateTime", "Immunization": "occurrenceDateTime", "Procedure": "performedDateTime"}  # fmt: skip
CODES = {"MedicationRequest": "medicationCodeableConcept", "Immunization": "vaccineCode"}
STATES = {"MedicationRequest": "active", "Observation": "final", "Immunization": "completed", "Procedure": "completed"}


def concept(item: dict[str, Any]) -> dict[str, Any]:
    coding = [{"system": url, "code": item[key], "display": item["text"]} for key, url in SYSTEMS.items() if key in item]
    return {"coding": coding, "text": item["text"]}


def resource(item: dict[Any, Any], n: int) -> dict[str, Any]:
    """A resource in short, spelled out."""
    kind, on = item["is"], str(item[True])  # YAML 1.1 takes the key `on` for a yes
    built: dict[str, Any] = {"resourceType": kind, "id": f"{kind}-{n}", "subject": {"reference": "Patient/p"}}
    if kind == "CarePlan":
        activity = [{"detail": {"status": "in-progress", "code": concept(one)}} for one in item["activities"]]
        return built | {
            "status": "active",
            "intent": "order",
            "title": item["text"],
            "period": {"start": on},
            "activity": activity,
        }
    built |= {CODES.get(kind, "code"): concept(item), DAYS[kind]: on}
    if kind in ("Condition", "AllergyIntolerance"):
        return built | _of_state(item, on)
    built["status"] = item.get("status", STATES[kind])
    if kind == "MedicationRequest":
        built |= {"intent": "order"} | ({"dosageInstruction": [{"text": item["sig"]}]} if "sig" in item else {})
    if kind == "Observation":
        text = isinstance(item["value"], str)
        built |= (
            {"valueString": item["value"]} if text else {"valueQuantity": {"value": item["value"], "unit": item.get("unit", "")}}
        )
    return built


def _of_state(item: dict[str, Any], on: str) -> dict[str, Any]:
    state = {"clinicalStatus": {"coding": [{"code": item.get("status", "active")}]}}
    if item["is"] == "Condition":
        return state | {"onsetDateTime": on, "verificationStatus": {"coding": [{"code": "confirmed"}]}}
    reaction = {"reaction": [{"manifestation": [{"text": item["reaction"]}]}]} if "reaction" in item else {}
    return state | reaction | ({"criticality": item["criticality"]} if "criticality" in item else {})


def bundle(group: dict[str, Any]) -> dict[str, Any]:
    patient = {"resourceType": "Patient", "id": "p", "birthDate": str(group["birth"])}
    resources = [patient, *(resource(item, n) for n, item in enumerate(group["record"]))]
    return {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": r} for r in resources]}


def answers(engine: Engine, group: dict[str, Any]) -> list[Reconciled]:
    """Every statement of a group against its record, each by itself."""
    understanding = Understanding(engine.checker)
    reconciler = Reconciler(engine.checker, understanding)
    stater = Stater(engine.checker, engine.extractor, understanding)
    told = bundle(group)
    record, case, day = read_record(told), read_fhir(told), group["as_of"]
    narrative = [stater.narrative(s["said"], day) for s in group["statements"]]
    return list(reconciler.reconcile(record, case, narrative, day).results)


def misses(expected: dict[str, Any], found: Reconciled) -> list[str]:
    """What is expected of a statement, and came otherwise."""
    wrong = []
    wanted = expected["result"]
    if found.outcome not in (wanted if isinstance(wanted, list) else [wanted]):
        wrong.append(f"result {found.outcome}, not {expected['result']}")
    if expected.get("safety") and not found.safety_critical:
        wrong.append("not safety-critical")
    if "severity" in expected and found.severity != expected["severity"]:
        wrong.append(f"severity {found.severity}, not {expected['severity']}")
    cited = {c.code for part in found.leading for c in part.cited}
    if not set(expected.get("cites", ())) <= cited:
        wrong.append(f"cites {sorted(cited)}, not {expected['cites']}")
    return wrong


__all__ = ["PAIRS", "answers", "bundle", "date", "misses"]
