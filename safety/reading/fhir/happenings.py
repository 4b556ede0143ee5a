"""FHIR Procedures, Devices and Immunizations → what was done, what is lived with, and which vaccines were given."""

from __future__ import annotations

from safety.model.patient import Procedure, Vaccine
from safety.reading.fhir.record import Record
from safety.reading.fhir.values import clean, codes, obj, word, words

_NOT_DONE = {"not-done": "it was not done", "stopped": "it was stopped", "entered-in-error": "it was entered in error"}
_AHEAD = {"preparation", "on-hold"}
_NO_LONGER = {
    "inactive": "it is no longer used", "completed": "it is no longer used", "entered-in-error": "it was entered in error",
    "stopped": "it is no longer used", "intended": "it is not used yet", "on-hold": "it is not used now",
}  # fmt: skip


def read_procedures(record: Record) -> tuple[Procedure, ...] | None:
    """Operations and examinations, done or in preparation; None where the record tells of none."""
    found: list[Procedure] = []
    for entry in record.about_patient("Procedure"):
        given, status = entry.resource, word(entry.resource.get("status"))
        if status in _NOT_DONE:
            record.leave(entry, _NOT_DONE[status])
        elif not words(given.get("code")):
            record.leave(entry, "it names no procedure")
        else:
            period = obj(given.get("performedPeriod"))
            on = record.day(entry, "performed", given.get("performedDateTime", period.get("end", period.get("start"))))
            when = "planned" if status in _AHEAD else "done"
            found.append(Procedure(words(given["code"]), when, on, codes(given["code"])))  # type: ignore[arg-type]
            record.used["Procedure"] += 1
    return tuple(found) or None


def read_devices(record: Record) -> tuple[str, ...] | None:
    """Devices that are in use, by name; None where the record tells of none."""
    found: dict[str, None] = {}
    for type_ in ("Device", "DeviceUseStatement"):
        for entry in record.about_patient(type_):
            given, status = entry.resource, word(entry.resource.get("status"))
            meant = given if type_ == "Device" else record.resolve(given.get("device"), given, "Device") or given
            name = words(meant.get("type")) or words(meant.get("code")) or clean(obj(given.get("device")).get("display"))
            if status in _NO_LONGER:
                record.leave(entry, _NO_LONGER[status])
            elif not name:
                record.leave(entry, "it names no device")
            else:
                found[name] = None
                record.used[type_] += 1
    return tuple(found) or None


def read_vaccines(record: Record) -> tuple[Vaccine, ...] | None:
    """Vaccines that were given; None where the record tells of none."""
    found: list[Vaccine] = []
    for entry in record.about_patient("Immunization"):
        given, status = entry.resource, word(entry.resource.get("status"))
        if status in _NOT_DONE:
            record.leave(entry, _NOT_DONE[status])
        elif not words(given.get("vaccineCode")):
            record.leave(entry, "it names no vaccine")
        else:
            on = record.day(entry, "occurrence", given.get("occurrenceDateTime"))
            found.append(Vaccine(words(given["vaccineCode"]), on, codes(given["vaccineCode"]), "done"))
            record.used["Immunization"] += 1
    return tuple(found) or None
