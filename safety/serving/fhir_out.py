"""A report as FHIR R4: a DetectedIssue for each finding, a GuidanceResponse that says what is still needed."""

from __future__ import annotations

from typing import Any

from safety.knowledge.library import Library
from safety.model.report import Finding, Report
from safety.serving.cards import card_uuid, uuid_of
from safety.text import printable

Json = dict[str, Any]
_ACT = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
_LOINC = "http://loinc.org"
_CODES = {
    "interaction": "DRG", "contraindication": "COND", "allergy": "ALGY", "duplicate": "DUPTHPY", "dose": "DOSE",
    "otc_limit": "DOSEH", "otc_disallowed": "COND", "pregnancy": "PREG", "lactation": "LACT", "age": "AGE", "hepatic": "COND",
    "food": "FOOD",
    "renal": "LAB", "lab": "LAB", "monitoring": "LAB",
}  # fmt: skip
_SEVERITY = {"contraindicated": "high", "major": "high", "moderate": "moderate", "minor": "low"}
_TYPE = {
    "allergies": "AllergyIntolerance", "conditions": "Condition", "medications": "MedicationStatement", "procedures": "Procedure",
    "vaccines": "Immunization", "devices": "DeviceUseStatement",
}  # fmt: skip


def bundle_of(report: Report, library: Library, subject: str | None = None) -> Json:
    """All that a report says, as a collection: the guidance first, then each issue."""
    resources = [guidance_of(report, library, subject), *(issue_of(f, report, subject) for f in report.findings)]
    entries = [{"fullUrl": f"urn:uuid:{r['id']}", "resource": r} for r in resources]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def issue_of(f: Finding, report: Report, subject: str | None = None) -> Json:
    """A finding as a DetectedIssue."""
    text = f.kind.replace("_", " ")
    code: Json = {"text": text}
    if f.kind in _CODES:
        code["coding"] = [{"system": _ACT, "code": _CODES[f.kind]}]
    issue: Json = {
        "resourceType": "DetectedIssue", "id": card_uuid(f), "status": "final", "code": code, "severity": _SEVERITY[f.severity],
        "identifier": [{"system": "urn:medsafe:rule", "value": f.rule}], "identifiedDateTime": report.as_of,
        "implicated": [{"display": printable(s.text)} for s in f.subjects] or [{"display": f.title}],
        "detail": f"{f.title}. {f.advice} {f.why}".strip(), "mitigation": [{"action": {"text": f.task or f.advice}}],
        "evidence": [{"code": [{"text": printable(saw)}]} for saw in f.saw if saw.strip()],
    }  # fmt: skip
    return _about(issue, "patient", subject)


def guidance_of(report: Report, library: Library, subject: str | None = None) -> Json:
    """What came of the check as a whole: `data-required` where something is to be asked first."""
    needs = list(dict.fromkeys(need for q in report.questions for need in q.needs))
    status = "success" if report.complete else "data-required" if needs else "data-requested"
    said = [f"verdict: {report.verdict}", *(q.ask for q in report.questions), *(h.text for h in report.unknown_because)]
    built: Json = {
        "resourceType": "GuidanceResponse", "id": uuid_of("guidance", report.as_of, *said), "status": status,
        "moduleUri": "urn:medsafe:check", "occurrenceDateTime": f"{report.as_of}T00:00:00Z",
        "note": [{"text": text} for text in said if text.strip()],
    }  # fmt: skip
    if needs and not report.complete:
        built["dataRequirement"] = [_requirement(need, library) for need in needs]
    return _about(built, "subject", subject)


def _requirement(need: str, library: Library) -> Json:
    """A missing fact as a resource to bring: of a test, an Observation by its LOINC code."""
    lab = library.lab.get(need) if need.startswith("lab.") else None
    if lab is None:
        found: Json = {"type": _TYPE.get(need, "Observation" if need in ("weight", "height", "pregnancy") else "Patient")}
        return found
    loinc = [{"system": _LOINC, "code": code} for code in _loinc(lab)]
    return {"type": "Observation"} | ({"codeFilter": [{"path": "code", "code": loinc}]} if loinc else {})


def _loinc(lab: Any) -> list[str]:
    told = getattr(lab, "loinc", None) or ()
    return [told] if isinstance(told, str) else list(told)


def _about(resource: Json, key: str, subject: str | None) -> Json:
    return resource | {key: {"reference": f"Patient/{subject}"}} if subject else resource
