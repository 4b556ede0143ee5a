"""What a FHIR resource tells beside all that is read of it: elements that nobody reads and that may matter to a medicine.

An element that says who, where, when it was written or at whose cost says nothing of the patient and is passed over; any other
that is not read is told, and so is whatever changes the meaning of the rest (`modifierExtension`, `implicitRules`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from safety.reading.fhir.values import Json, clean, obj, objs

_PASSED_OVER = frozenset({
    "resourceType", "id", "meta", "language", "text", "identifier", "extension", "encounter", "context", "recorder",
    "recordedDate",
    "asserter", "performer", "performerType", "requester", "basedOn", "partOf", "category", "issued", "location", "focus",
    "subject",
    "patient", "status", "code", "contained",
})  # fmt: skip
_READ: Mapping[str, frozenset[str]] = {
    "Patient": frozenset({
        "gender", "birthDate", "deceasedBoolean", "deceasedDateTime", "name", "telecom", "address", "maritalStatus", "photo",
        "multipleBirthBoolean", "multipleBirthInteger", "contact", "communication", "generalPractitioner",
        "managingOrganization",
    }),
    "MedicationRequest": frozenset({
        "intent", "doNotPerform", "medicationCodeableConcept", "medicationReference", "authoredOn", "dosageInstruction",
        "dispenseRequest", "substitution", "reasonCode", "reasonReference", "reportedBoolean", "reportedReference", "priority",
        "supportingInformation", "instantiatesCanonical", "instantiatesUri", "groupIdentifier", "courseOfTherapyType",
        "insurance",
        "priorPrescription", "eventHistory",
    }),
    "MedicationStatement": frozenset({
        "medicationCodeableConcept", "medicationReference", "effectiveDateTime", "effectivePeriod", "dateAsserted", "dosage",
        "informationSource", "derivedFrom", "reasonCode", "reasonReference",
    }),
    "Condition": frozenset({
        "clinicalStatus", "verificationStatus", "onsetDateTime", "onsetPeriod", "onsetAge", "onsetRange", "abatementDateTime",
        "abatementPeriod", "abatementAge", "abatementRange", "abatementBoolean", "abatementString",
    }),
    "AllergyIntolerance": frozenset({
        "clinicalStatus", "verificationStatus", "type", "criticality", "reaction", "onsetDateTime", "onsetPeriod", "onsetAge",
        "onsetRange", "onsetString", "lastOccurrence",
    }),
    "Observation": frozenset({
        "effectiveDateTime", "effectivePeriod", "effectiveInstant", "effectiveTiming", "component", "interpretation",
        "referenceRange", "hasMember", "derivedFrom", "device", "valueQuantity", "valueCodeableConcept", "valueString",
        "valueBoolean", "valueInteger", "valueRange", "valueRatio", "valueSampledData", "valueTime", "valueDateTime",
        "valuePeriod",
        "dataAbsentReason", "method",
    }),
}  # fmt: skip
"""What is read of each type, noted by its own remark, or cannot bear on a medicine."""
_HOLDS = frozenset({"Medication", "Organization", "Practitioner", "PractitionerRole", "Patient", "Location", "RelatedPerson"})
"""Contained resources that others refer to, or that say only who and where."""
_SUBSTANCE = "reaction.substance"


def left_of(resource: Json, type_: str) -> list[str]:
    """The elements of a resource that are told and not read, by name."""
    known = _READ.get(type_)
    if known is None:
        return [key for key in ("modifierExtension", "implicitRules") if key in resource]
    known = known | {"active"} if resource.get("active") is not False else known
    return list(dict.fromkeys([*(key for key in map(clean, resource) if not _silent(key, known)), *_inside(resource, type_)]))


def _silent(key: str, known: frozenset[str]) -> bool:
    return key in known or key in _PASSED_OVER or key.startswith("_")


def _inside(resource: Json, type_: str) -> Iterator[str]:
    for held in objs(resource.get("contained")):
        if clean(held.get("resourceType")) not in _HOLDS:
            yield f"contained {clean(held.get('resourceType'))[:40]}"
    if type_ == "AllergyIntolerance" and any(obj(r.get("substance")) for r in objs(resource.get("reaction"))):
        yield _SUBSTANCE
