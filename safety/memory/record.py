"""A clinical record as it is held beside what is told: each resource with its codes exactly as written, its days and its status.

Nothing of the record is changed. What an order, an allergy or a problem means is read as everywhere else; here is only what a
timeline and a reconciliation need beside: which resource it was, and when.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.model.patient import Code, Medication, Reading
from safety.reading.fhir.absent import absent
from safety.reading.fhir.bundle import MAX_BYTES, read_fhir
from safety.reading.fhir.medications import Use, read_medications
from safety.reading.fhir.record import Record
from safety.reading.fhir.resources import Entry, load
from safety.reading.fhir.values import Json, clean, codes, day, decimal, obj, objs, shown, unit, word, words

RecordKind = Literal["medicine", "supply", "allergy", "condition", "result", "vaccine", "procedure", "plan"]
Status = Literal["current", "past", "planned", "not_done", "doubtful"]

_NOT_MEANT = frozenset({"entered-in-error", "refuted", "cancelled"})
_OVER = frozenset({"inactive", "remission", "resolved"})
_DOUBTFUL = frozenset({"unconfirmed", "provisional", "differential"})
_ENDED = ("abatementDateTime", "abatementPeriod", "abatementAge", "abatementString", "abatementRange")


class Cited(Struct, frozen=True, order=True):
    """A resource of the record by its type and one coding, exactly as written there."""

    type: str
    system: str
    code: str
    display: str

    def to_dict(self) -> dict[str, str]:
        """The citation as plain values."""
        return {"resource_type": self.type, "code_system": self.system, "code_value": self.code, "display": self.display}


class Recorded(Struct, frozen=True):
    """One thing that the record holds: what, from which resource, in which state, since when, and when it was written down.

    `ends`: the last day that is told; `sure_end`: whether it is the day of an end and no plan. `none`: it says that there is none
    of the kind ("no known allergies").
    """

    kind: RecordKind
    name: str
    cited: Cited
    text: str
    codes: tuple[Code, ...] = ()
    status: Status = "current"
    on: date | None = None
    recorded: date | None = None
    ends: date | None = None
    medicine: Medication | None = None
    value: str = ""
    unit: str = ""
    days: int | None = None
    reaction: str = ""
    grave: bool = False
    none: bool = False

    @property
    def dated(self) -> date | None:
        """The latest day that the resource itself tells of, by which its age is judged."""
        return max((d for d in (self.on, self.recorded) if d is not None), default=None)


class ClinicalRecord(Struct, frozen=True):
    """Everything of one patient's record that can be held against what is told; and the account of what was not read."""

    patient: str
    items: tuple[Recorded, ...]
    reading: Reading | None = None

    def of(self, *kinds: RecordKind) -> tuple[Recorded, ...]:
        """The items of some kinds, in the order of the record."""
        return tuple(item for item in self.items if item.kind in kinds)


def read_record(data: bytes | str | dict[str, Any] | list[Any], *, where: str = "") -> ClinicalRecord:
    """The record in a FHIR bundle (R4; STU3 where it says the same). Raises RequestError for what is no record of one patient."""
    case = read_fhir(data, where=where)
    record = Record(load(data, where, MAX_BYTES), where)
    items = [
        *_medicines(record), *_supplies(record), *_allergies(record), *_conditions(record), *_results(record), *_vaccines(record),
        *_procedures(record), *_plans(record),
    ]  # fmt: skip
    return ClinicalRecord(case.id or record.patient.name, tuple(items), case.reading)


def _item(kind: RecordKind, entry: Entry, concept: object, status: Status, **more: Any) -> Recorded:
    return Recorded(kind, entry.name, _cited(entry, concept), words(concept), codes(concept), status, **more)


def _cited(entry: Entry, concept: object) -> Cited:
    """The first coding of a concept as it stands; without one, its text."""
    coding: Json = next((c for c in objs(obj(concept).get("coding")) if clean(c.get("code"))), {})
    shown_as = clean(coding.get("display")) or clean(obj(concept).get("text"))
    return Cited(entry.type, clean(coding.get("system")), clean(coding.get("code")), shown_as)


def _first_day(given: Mapping[str, Any], *keys: str) -> date | None:
    return next((found for key in keys if (found := day(given.get(key))) is not None), None)


# --- medicines --------------------------------------------------------------------------------------------------------


def _medicines(record: Record) -> Iterator[Recorded]:
    uses, _ = read_medications(record)
    for use in uses:
        yield _use(record, use)


def _use(record: Record, use: Use) -> Recorded:
    given, medicine = use.entry.resource, use.medication
    concept: object = given.get("medicationCodeableConcept")
    if not words(concept):
        meant = record.resolve(given.get("medicationReference"), given, "Medication")
        concept = obj(meant).get("code") if meant else {"text": medicine.text}
    status: Status = "planned" if use.when == "plan" else use.when
    found = _item(
        "medicine", use.entry, concept, status, on=medicine.since, recorded=_first_day(given, "authoredOn", "dateAsserted")
    )
    return replace(found, text=medicine.text, medicine=medicine, ends=medicine.until)


def _supplies(record: Record) -> Iterator[Recorded]:
    for entry in record.about_patient("MedicationDispense"):
        given = entry.resource
        on = _first_day(given, "whenHandedOver", "whenPrepared")
        if word(given.get("status")) in _NOT_MEANT or on is None or not words(given.get("medicationCodeableConcept")):
            continue
        concept = given.get("medicationCodeableConcept")
        days = decimal(obj(given.get("daysSupply")).get("value"))
        medicine = Medication(words(concept), codes=codes(concept))
        more = {"on": on, "recorded": on, "medicine": medicine, "days": int(days) if days is not None and days > 0 else None}
        yield _item("supply", entry, concept, "past", **more)


# --- problems and allergies -------------------------------------------------------------------------------------------


def _conditions(record: Record) -> Iterator[Recorded]:
    for entry in record.about_patient("Condition"):
        given, concept = entry.resource, entry.resource.get("code")
        sure = word(given.get("verificationStatus"))
        if sure in _NOT_MEANT or not words(concept) or absent(concept, "problem") == "not told":
            continue
        ended = any(key in given for key in _ENDED)
        state = word(given.get("clinicalStatus"))
        status: Status = "doubtful" if sure in _DOUBTFUL else "past" if state in _OVER or (ended and not state) else "current"
        onset = day(given.get("onsetDateTime", obj(given.get("onsetPeriod")).get("start")))
        more = {
            "on": onset, "recorded": _first_day(given, "recordedDate", "assertedDate"),
            "ends": day(given.get("abatementDateTime", obj(given.get("abatementPeriod")).get("end")), last=True),
            "none": absent(concept, "problem") == "none",
        }  # fmt: skip
        yield _item("condition", entry, concept, status, **more)


def _allergies(record: Record) -> Iterator[Recorded]:
    for entry in record.about_patient("AllergyIntolerance"):
        given, concept = entry.resource, entry.resource.get("code")
        reactions = objs(given.get("reaction"))
        if not words(concept):
            concept = next((r["substance"] for r in reactions if words(r.get("substance"))), None)
        said = absent(concept, "allergy")
        if word(given.get("verificationStatus")) in _NOT_MEANT or not words(concept) or said == "not told":
            continue
        seen = [text for r in reactions for m in objs(r.get("manifestation")) if (text := words(m))]
        grave = word(given.get("criticality")) == "high" or any(word(r.get("severity")) == "severe" for r in reactions)
        over = word(given.get("clinicalStatus")) in _OVER
        more = {
            "on": _first_day(given, "onsetDateTime"), "recorded": _first_day(given, "recordedDate", "assertedDate"),
            "reaction": ", ".join(seen), "grave": grave, "none": said == "none",
        }  # fmt: skip
        yield _item("allergy", entry, concept, "past" if over else "current", **more)


# --- results, vaccines, procedures, plans -----------------------------------------------------------------------------


def _results(record: Record) -> Iterator[Recorded]:
    for entry in record.about_patient("Observation"):
        given = entry.resource
        if word(given.get("status")) in _NOT_MEANT:
            continue
        on = day(given.get("effectiveDateTime", obj(given.get("effectivePeriod")).get("start"))) or day(given.get("issued"))
        for holder in (given, *objs(given.get("component"))):
            value, measured = _value(holder)
            if value and words(holder.get("code")):
                yield _item("result", entry, holder.get("code"), "past", on=on, recorded=on, value=value, unit=measured)


def _value(holder: Json) -> tuple[str, str]:
    amount = obj(holder.get("valueQuantity"))
    number = decimal(amount.get("value"))
    if number is not None:
        return f"{clean(amount.get('comparator'))}{shown(number)}", unit(amount) or ""
    return words(holder.get("valueCodeableConcept")) or clean(holder.get("valueString")), ""


def _vaccines(record: Record) -> Iterator[Recorded]:
    for entry in record.about_patient("Immunization"):
        given, status = entry.resource, word(entry.resource.get("status"))
        if status in _NOT_MEANT or not words(given.get("vaccineCode")):
            continue
        done: Status = "not_done" if status == "not-done" or given.get("notGiven") is True else "past"
        on = _first_day(given, "occurrenceDateTime", "date")
        yield _item("vaccine", entry, given.get("vaccineCode"), done, on=on, recorded=on)


def _procedures(record: Record) -> Iterator[Recorded]:
    for entry in record.about_patient("Procedure"):
        given, status = entry.resource, word(entry.resource.get("status"))
        if status in _NOT_MEANT or not words(given.get("code")):
            continue
        done: Status = "not_done" if status in ("not-done", "stopped") else "planned" if status == "preparation" else "past"
        period = obj(given.get("performedPeriod"))
        on = day(given.get("performedDateTime", period.get("end", period.get("start"))))
        yield _item("procedure", entry, given.get("code"), done, on=on, recorded=on)


def _plans(record: Record) -> Iterator[Recorded]:
    """Each activity of each care plan; a plan without activities by its own name."""
    for entry in record.about_patient("CarePlan"):
        given, status = entry.resource, word(entry.resource.get("status"))
        if status in (*_NOT_MEANT, "revoked"):
            continue
        on = day(obj(given.get("period")).get("start"))
        told = [obj(a.get("detail")).get("code") for a in objs(given.get("activity"))]
        concepts = [c for c in told if words(c)] or [c for c in objs(given.get("category")) if words(c)]
        over: Status = "past" if status == "completed" else "current"
        for concept in concepts:
            yield _item("plan", entry, concept, over, on=on, recorded=on)
