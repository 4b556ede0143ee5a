"""A reconciliation as FHIR R4: a List of what was held against the record, and a DetectedIssue for each discrepancy.

Both are new resources for a care team to act on; nothing of the record or of the narrative is changed by them.
"""

from __future__ import annotations

from typing import Any

from safety.memory.reconciling import Judged, Reconciled, Reconciliation
from safety.serving.cards import uuid_of
from safety.text import printable

Json = dict[str, Any]
_SEVERITY = {"high": "high", "medium": "moderate", "low": "low"}
_DISCREPANT = ("contradiction", "gap")
_LONGEST = 500


def reconciliation_bundle(found: Reconciliation) -> Json:
    """The List first, then each issue that it names."""
    issues = [
        _issue(part, result.text, found) for result in found.results for part in result.parts if part.outcome in _DISCREPANT
    ]
    issues += [_issue(part, "", found) for part in found.omissions]
    texts = [result.text for result in found.results]
    listed: Json = {
        "resourceType": "List", "id": uuid_of("reconciliation", found.patient, found.as_of.isoformat(), *texts),
        "status": "current", "mode": "snapshot", "title": "What the patient says, held against the record",
        "subject": {"reference": f"Patient/{found.patient}"}, "date": found.as_of.isoformat(),
        "note": [{"text": _line(r)} for r in found.results],
        "entry": [{"item": {"reference": f"urn:uuid:{i['id']}", "display": i["detail"]}} for i in issues],
    }  # fmt: skip
    if not issues:
        listed.pop("entry")
        listed["emptyReason"] = {"text": "no discrepancy was found"}
    entries = [{"fullUrl": f"urn:uuid:{r['id']}", "resource": r} for r in (listed, *issues)]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def _line(found: Reconciled) -> str:
    return printable(f"{found.outcome.replace('_', ' ')}: {found.text}", _LONGEST)


def _issue(part: Judged, text: str, found: Reconciliation) -> Json:
    told = printable(text, _LONGEST)
    issue: Json = {
        "resourceType": "DetectedIssue", "id": uuid_of("reconciled", found.patient, part.about, part.justification, told),
        "status": "preliminary", "code": {"text": f"{part.outcome} between narrative and record"},
        "patient": {"reference": f"Patient/{found.patient}"}, "identifiedDateTime": found.as_of.isoformat(),
        "severity": _SEVERITY.get(part.severity, "low"), "detail": part.justification,
    }  # fmt: skip
    cited = [
        {
            "type": c.type,
            "display": c.display,
            "identifier": {"system": c.system or "urn:medsafe:text", "value": c.code or c.display},
        }
        for c in part.cited
    ]
    if cited:
        issue["implicated"] = cited
    if told:
        issue["evidence"] = [{"code": [{"text": told}]}]
    if part.safety_critical:
        issue["mitigation"] = [{"action": {"text": "Call the care team now: this does not wait for the next visit."}}]
    return issue
