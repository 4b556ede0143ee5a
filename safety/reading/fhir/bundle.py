"""A FHIR R4 record → a Case, with an account of what was used and what was not.

Read: Patient, Condition, AllergyIntolerance, Observation, Procedure, Device, DeviceUseStatement, Immunization, of CarePlan and
NutritionOrder the limits, MedicationRequest, MedicationStatement and the Medications they refer to. Every other type
(Encounter, Claim, MedicationDispense, MedicationAdministration …) is counted in `Reading.resources` and not read. For each type
that is read, resources = used + left out, and what is left out is named in `Reading.unread`; a `what` with a space in it
(`Patient/1 birthDate`) names only a part of a resource that is used. Bundles are opened and not counted; resources contained in
another are part of it and not counted.

Dates: a year or a month alone is read as its first day where something began or was measured, as its last day where
something ends. A birth date must be a whole day: from `1970` no age can be told, so none is (and it is noted).
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

from safety.model.patient import Case, Patient, Reading, Sex, Unread
from safety.reading.fhir.happenings import read_devices, read_procedures, read_vaccines
from safety.reading.fhir.history import read_allergies, read_conditions
from safety.reading.fhir.left import left_of
from safety.reading.fhir.limits import read_limits
from safety.reading.fhir.medications import Use, read_medications
from safety.reading.fhir.observations import read_observations
from safety.reading.fhir.record import ADMINISTRATIVE, READ_TYPES, Record
from safety.reading.fhir.resources import MAX_BYTES, load
from safety.reading.fhir.values import clean, whole_day

__all__ = ["MAX_BYTES", "READ_TYPES", "read_fhir"]

_SEXES: dict[str, Sex] = {"female": "female", "male": "male"}


def read_fhir(data: bytes | str | dict[str, Any] | list[Any], *, where: str = "", max_bytes: int = MAX_BYTES) -> Case:
    """The Case that one patient's FHIR R4 record tells.

    `data`: a Bundle of any kind, a list of resources, one resource, or one resource a line; as JSON text or bytes
    (gzip too, never unpacked beyond `max_bytes`) or as JSON values. `where` names the file in messages.
    Raises RequestError for what the caller must mend (not JSON, cut off, not FHIR, no Patient or several, too large);
    whatever cannot be read about the patient is in `case.reading.unread` instead.
    """
    record = Record(load(data, where, max_bytes), where)
    born, sex = _birth_date(record), _sex(record)
    _mark_death(record)
    record.used["Patient"] += 1
    conditions = read_conditions(record)
    allergies = read_allergies(record)
    labs, body, genes = read_observations(record)
    uses, whole = read_medications(record)
    procedures, devices, vaccines = read_procedures(record), read_devices(record), read_vaccines(record)
    patient = Patient(
        birth_date=born,
        sex=sex,
        weight=body.weight,
        height=body.height,
        pregnancy=body.pregnancy,
        breastfeeding=body.breastfeeding,
        conditions=conditions,
        allergies=allergies,
        labs=labs,
        genes=genes,
        diet_limits=read_limits(record),
        procedures=procedures,
        devices=devices,
        vaccines=vaccines,
        medications=tuple(use.medication for use in uses if use.when != "plan"),
        medications_complete=whole,
        medications_told=any(record.resources[type_] for type_ in ("MedicationRequest", "MedicationStatement")),
    )
    _note_left(record)
    reading = _reading(record, patient, uses)
    plan = tuple(use.medication for use in uses if use.when == "plan")
    return Case(patient, id=clean(record.patient.resource.get("id")) or None, plan=plan, reading=reading)


def _reading(record: Record, patient: Patient, uses: list[Use]) -> Reading:
    """The account: resources by type, how many of each were used, what they became, and what was not read."""
    if not any(record.resources[type_] for type_ in ("MedicationRequest", "MedicationStatement")):
        why = "there is no MedicationRequest or MedicationStatement in the record"
        record.unread.append(Unread("medications (all)", "", why))
    when = Counter(use.when for use in uses)
    used = {type_: record.used[type_] for type_ in READ_TYPES if record.resources[type_]}
    used |= {
        "medications current": when["current"],
        "medications past": when["past"],
        "medications planned": when["plan"],
        "conditions": len(patient.conditions or ()),
        "allergies": sum(not told.denied for told in patient.allergies or ()),
        "labs": len(patient.labs or ()),
        "diet limits": len(patient.diet_limits or ()),
        "genes": len(patient.genes or ()),
        "procedures": len(patient.procedures or ()),
        "devices": len(patient.devices or ()),
        "vaccines": len(patient.vaccines or ()),
    }
    types = sorted(record.resources.keys() - ADMINISTRATIVE - set(READ_TYPES))
    not_read = {type_: record.resources[type_] for type_ in types}
    return Reading(dict(sorted(record.resources.items())), used, tuple(record.unread), not_read)


def _note_left(record: Record) -> None:
    """The elements of what is used that nobody reads, one remark a resource."""
    gone = {told.where for told in record.unread if told.kind != "part"}
    for type_ in READ_TYPES:
        for entry in record.by_type.get(type_, ()):
            left = left_of(entry.resource, type_) if entry.where not in gone else []
            if left:
                record.note(entry, "elements", f"not read of it: {', '.join(key[:60] for key in left[:10])}")


def _birth_date(record: Record) -> date | None:
    """The day of birth; None (and noted) for a year or a month alone, from which no age can be told."""
    told = record.patient.resource.get("birthDate")
    if told is None:
        return None
    found = whole_day(told)
    if found is None:
        partial = record.day(record.patient, "birthDate", told)
        if partial is not None:
            record.note(record.patient, "birthDate", f"`{clean(told)}` is not a whole date: the age is not told")
    return found


def _sex(record: Record) -> Sex | None:
    """Female or male as recorded; None (and noted) for any other administrative gender."""
    told = record.patient.resource.get("gender")
    found = _SEXES.get(clean(told).lower())
    if told is not None and found is None:
        record.note(record.patient, "gender", f"`{clean(told)[:40]}` is neither female nor male: the sex is not told")
    return found


def _mark_death(record: Record) -> None:
    """A recorded death is noted: what follows is advice about someone who has died."""
    told = record.patient.resource
    when = clean(told.get("deceasedDateTime"))
    if when or told.get("deceasedBoolean") is True:
        record.note(record.patient, "deceased", f"the patient is recorded as deceased{f' ({when[:10]})' if when else ''}")
