"""A report → CDS Hooks 2.0 cards: one for each finding, the loudest first, with what may be done at a press of a button."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from safety.desk.feedback import REASONS, RULE_KEY
from safety.knowledge.library import Library
from safety.model.patient import Case, Medication
from safety.model.position import Position
from safety.model.report import Citation, Due, Finding, Report
from safety.reading.cds.resources import RESULTS, Piece
from safety.reading.fhir.values import codes, words
from safety.text import printable

Json = dict[str, Any]
SUMMARY = 139
"""Characters that a card's summary may have: fewer than 140."""
_OURS = uuid.UUID("6d2f8a54-3f0e-5c0b-9a6f-0b7c54f1a9de")
_TOPICS = "urn:medsafe:kind"
_REASONS = "urn:medsafe:override-reason"
OVERRIDE_REASONS: tuple[Json, ...] = tuple(
    {"code": code, "system": _REASONS, "display": reason.display} for code, reason in REASONS.items()
)
_OF_THE_WHOLE = ("burden", "omission")
"""Findings about all medicines together: a day's opioids, what must stand beside them."""
_NOT_TAKEN = ("stop", "replace")
"""What is to be done of a finding where leaving the order out settles it."""


class Drafts:
    """Which order in draft each proposed medicine is; none where that cannot be said for sure."""

    def __init__(self, case: Case, pieces: Sequence[Piece]) -> None:
        orders = [p for p in pieces if p.draft and p.type == "MedicationRequest"]
        gone = {u.where for u in case.reading.unread if " " not in u.what} if case.reading else set()
        read = [p for p in orders if p.place not in gone]
        sure = len(read) == len(case.plan) and all(map(_same, read, case.plan))
        self._of = dict(enumerate(read)) if sure else {}

    def order(self, where: Position) -> Piece | None:
        """The order in draft that stands at a place of the plan."""
        return self._of.get(where.index) if where.among == "plan" else None

    def selected(self, selections: Sequence[str]) -> frozenset[int] | None:
        """The places in the plan of what was just selected; None where it is not known which those are."""
        wanted = {s.rsplit("/", 1)[-1] for s in selections}
        found = frozenset(n for n, p in self._of.items() if p.resource.get("id") in wanted)
        return found or None


def _same(piece: Piece, medication: Medication) -> bool:
    """Whether an order is of the medicine that was read from it."""
    concept = piece.resource.get("medicationCodeableConcept")
    told = {c.code for c in codes(concept)}
    name = words(concept)
    return (
        bool(told & {c.code for c in medication.codes})
        or (bool(name) and name in (medication.drug or medication.text))
        or not (told or name)
    )


def cards_of(report: Report, library: Library, drafts: Drafts, wanted: Sequence[Finding], subject: str) -> list[Json]:
    """The cards of the findings that are wanted, and one of what could not be read at all."""
    made = [_card(finding, library, drafts, subject) for finding in wanted]
    return made + _unread(report)


def about_the_orders(report: Report, chosen: frozenset[int] | None) -> list[Finding]:
    """The findings about a proposed medicine (one of the `chosen`, if that is known), or with which another about one stands."""

    def is_about(f: Finding) -> bool:
        named = (s.where for one in (f, *f.also) for s in one.subjects)
        return any(where.among == "plan" and (chosen is None or where.index in chosen) for where in named)

    return [f for f in report.findings if is_about(f)]


def at_signing(report: Report) -> list[Finding]:
    """What is told as orders are signed: what is about them, and what is of all medicines together, them among these."""
    about = about_the_orders(report, None)
    return [f for f in report.findings if f in about or f.kind in _OF_THE_WHOLE]


def uuid_of(*facts: str) -> str:
    """The same uuid for the same facts, today and tomorrow."""
    return str(uuid.uuid5(_OURS, "\n".join(facts)))


def card_uuid(finding: Finding) -> str:
    """What tells this card from others: the rule, the medicines, and what the rule saw of the patient."""
    about = [f"{s.where} {s.text}" for s in finding.subjects]
    return uuid_of(finding.rule, finding.severity, *sorted(about), *finding.saw)


def indicator(finding: Finding) -> str:
    """How urgent: contraindicated is critical, what interrupts is a warning, all else information."""
    return "critical" if finding.severity == "contraindicated" else "warning" if finding.interrupt else "info"


def _card(finding: Finding, library: Library, drafts: Drafts, subject: str) -> Json:
    named = card_uuid(finding)
    card: Json = {
        "uuid": named,
        "summary": _summary(finding),
        "indicator": indicator(finding),
        "detail": _detail(finding),
        "source": _source(finding, library),
        "overrideReasons": [dict(reason) for reason in OVERRIDE_REASONS],
        "extension": {RULE_KEY: finding.rule},
    }
    suggestions = _suggestions(finding, drafts, subject, named)
    return card | ({"suggestions": suggestions, "selectionBehavior": "at-most-one"} if suggestions else {})


def _summary(finding: Finding) -> str:
    """The title with the medicines, if there is room for both."""
    about = " + ".join(dict.fromkeys(s.text for s in finding.subjects))
    whole = f"{finding.title}: {printable(about)}"
    return whole if len(whole) <= SUMMARY else printable(finding.title, SUMMARY)


def _detail(f: Finding) -> str:
    lines = [
        f"**{f.advice}**", f.why, f"Risk: {f.harm}." if f.harm else "", f"Seen: {'; '.join(f.saw)}." if f.saw else "",
        f"If it cannot be avoided: {f.if_unavoidable}" if f.if_unavoidable else "",
        *(f"Assumed, because not told: {a.fact} {a.value}. {a.ask}" for a in f.assumed),
        *(f"Also ({also.severity}): {also.title}. {also.advice} `{also.rule}`" for also in f.also),
        "Sources: " + "; ".join(dict.fromkeys(_cited(c) for c in f.evidence)) if f.evidence else "",
        f"Rule `{f.rule}`, {f.severity}",
    ]  # fmt: skip
    return "\n\n".join(line for line in lines if line)


def _cited(c: Citation) -> str:
    return f"{c.title or c.source}{f', {c.at}' if c.at else ''} ({c.checked})"


def _source(f: Finding, library: Library) -> Json:
    chief = f.evidence[0] if f.evidence else None
    held = next((s for s in library.sources if chief is not None and s.id == chief.source), None)
    url = getattr(held, "url", "") or ""
    label = (chief.title or chief.source) if chief is not None else "medsafe"
    topic = {"system": _TOPICS, "code": f.kind, "display": f.kind.replace("_", " ")}
    return {"label": label, "topic": topic} | ({"url": url} if url.startswith("http") else {})


# --- what may be done ---


def _suggestions(f: Finding, drafts: Drafts, subject: str, card: str) -> list[Json]:
    """To leave an order out, or to order something else in its place, where that is what the rule asks for."""
    orders = [piece for s in f.subjects if (piece := drafts.order(s.where)) is not None and piece.resource.get("id")]
    if f.do not in _NOT_TAKEN or len(orders) != 1:
        return []
    order = orders[0]
    text = next(s.text for s in f.subjects if drafts.order(s.where) is order)
    left_out = {"type": "delete", "description": f"Remove {printable(text, 80)}", "resourceId": order.name}
    instead = [
        _suggestion(f"Order {printable(o.order, 80)} instead", card, left_out, _new_order(o.order, subject)) for o in f.instead
    ]
    return [*instead, _suggestion(f"Leave out {printable(text, 80)}", card, left_out)]


def _suggestion(label: str, card: str, *actions: Json) -> Json:
    return {"label": label, "uuid": uuid_of(card, label), "isRecommended": False, "actions": list(actions)}


def _new_order(text: str, subject: str) -> Json:
    """A draft of what may be taken instead, in words: the prescriber completes it."""
    resource = {
        "resourceType": "MedicationRequest", "status": "draft", "intent": "order", "subject": {"reference": f"Patient/{subject}"},
        "medicationCodeableConcept": {"text": text}, "dosageInstruction": [{"text": text}],
    }  # fmt: skip
    return {"type": "create", "description": f"Order {printable(text, 80)}", "resource": resource}


# --- what is due to be measured ---


def due_cards(tests: Sequence[Due]) -> list[Json]:
    """One card of the tests that the medicines need and that are due: a reminder, which warns of nothing."""
    due = [d for d in tests if d.state == "due"]
    if not due:
        return []
    summary = "To measure: " + "; ".join(d.called for d in due)
    told = [f"{d.called}: {d.saw}. {d.advice} {', '.join(f'`{rule}`' for rule in d.rules)}" for d in due]
    cited = dict.fromkeys(_cited(c) for d in due for c in d.evidence)
    return [{
        "uuid": uuid_of("due", *(f"{d.name} {d.saw}" for d in due)),
        "summary": summary if len(summary) <= SUMMARY else f"To measure: {len(due)} tests that the medicines need",
        "indicator": "info", "detail": "\n\n".join([*told, "Sources: " + "; ".join(cited)]),
        "source": {"label": "medsafe", "topic": {"system": _TOPICS, "code": "monitoring", "display": "monitoring"}},
    }]  # fmt: skip


# --- what could not be read ---


_UNKNOWN = frozenset({"unrecognised", "ambiguous", "not_held"})
"""Of a medicine that is taken: its directions may be as they are, its name must be known."""


def _unread(report: Report) -> list[Json]:
    """One card where a medicine was not recognised, or what is told of an order was not read: silence about it says nothing."""
    strange = [
        u for u in report.unresolved
        if (u.where.among == "plan" and u.status != "unjudged") or (u.where.among == "medications" and u.status in _UNKNOWN)
    ]  # fmt: skip
    if not strange:
        return []
    names = ", ".join(printable(u.text, 60) for u in strange)
    summary = f"Not checked: {names}"
    detail = "\n\n".join(f"`{printable(u.text)}`: {u.status}. {u.ask}" for u in strange)
    topic = {"system": _TOPICS, "code": "not-checked", "display": "not checked"}
    return [{
        "uuid": uuid_of("not checked", *(u.text for u in strange)),
        "summary": summary if len(summary) <= SUMMARY else f"Not checked: {len(strange)} medicines",
        "indicator": "info", "detail": detail, "source": {"label": "medsafe", "topic": topic},
    }]  # fmt: skip


def services() -> list[Mapping[str, Any]]:
    """What discovery lists: each hook with the prefetch that it wants."""
    who = "{{context.patientId}}"
    prefetch = {
        "patient": f"Patient/{who}", "conditions": f"Condition?patient={who}", "allergies": f"AllergyIntolerance?patient={who}",
        "orders": f"MedicationRequest?patient={who}&status=active", "statements": f"MedicationStatement?patient={who}",
        RESULTS: f"Observation?patient={who}&category=laboratory,vital-signs&_sort=-date&_count=200",
        "procedures": f"Procedure?patient={who}", "vaccines": f"Immunization?patient={who}",
        "devices": f"DeviceUseStatement?patient={who}",
    }  # fmt: skip
    told = {
        "order-select": "Early advice on the orders that were just selected.",
        "order-sign": "A check of the orders, each with everything else that is taken and known of the patient.",
        "patient-view": "What of the medicines that are taken wants attention.",
    }
    return [
        {"id": f"medsafe-{hook}", "hook": hook, "title": "Medication safety", "description": says, "prefetch": prefetch}
        for hook, says in told.items()
    ]
