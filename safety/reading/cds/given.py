"""Medicines that a record only tells to have been dispensed or given → statements that they are taken."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from safety.model.patient import Unread
from safety.reading.cds.resources import Piece
from safety.reading.fhir.values import Json, clean, codes, obj, objs, word, words

GIVEN = ("MedicationDispense", "MedicationAdministration")
_NOT = {
    "entered-in-error": "it was entered in error",
    "cancelled": "it was cancelled",
    "declined": "it was declined",
    "stopped": "it was stopped",
    "not-done": "it was not given",
}
# what a clinical drug's name says before the ingredient: `12 HR oxycodone …`
_HOURS = re.compile(r"\A\d+ ?hr\s+", re.I)
_KEPT = ("id", "contained", "medicationCodeableConcept", "medicationReference", "subject")
_UP_TO_NUMBER = re.compile(r"[^\d\[(]*")


def stated(pieces: Sequence[Piece], notes: list[Unread]) -> list[Piece]:
    """The pieces, with each dispense or administration as a MedicationStatement, unless it repeats an order or statement.

    An interaction service is often sent the dispensed medicine alone; read as not taken, it would be missed. The day it was
    handed over is not the day it was begun, and is not read as that. Of several fills of a medicine the newest stands.
    """
    told: dict[str, Piece] = {}
    for piece in pieces:
        if piece.type in ("MedicationRequest", "MedicationStatement") and not piece.draft:
            told.setdefault(medicine(piece.resource), piece)
    newest = _newest(pieces)
    kept: list[Piece] = []
    for piece in pieces:
        if piece.type not in GIVEN:
            kept.append(piece)
            continue
        why = _left_out(piece, told, newest)
        if why:
            notes.append(Unread(piece.name, piece.place, why))
        else:
            notes.append(Unread(f"{piece.name} status", piece.place, "it was dispensed or given: read as taken"))
            kept.append(replace(piece, resource=_statement(piece.resource)))
    return kept


def _left_out(piece: Piece, told: dict[str, Piece], newest: dict[str, Piece]) -> str:
    """Why a dispense or administration says nothing more; empty where it does."""
    status, name = word(piece.resource.get("status")), medicine(piece.resource)
    if status in _NOT:
        return _NOT[status]
    if name in told:
        return f"it repeats {told[name].name}"
    if newest.get(name, piece) is not piece:
        return f"{newest[name].name} is a newer one of the same medicine"
    return ""


def _newest(pieces: Sequence[Piece]) -> dict[str, Piece]:
    found: dict[str, Piece] = {}
    for piece in pieces:
        if piece.type in GIVEN and word(piece.resource.get("status")) not in _NOT:
            name = medicine(piece.resource)
            if name not in found or _when(piece.resource) > _when(found[name].resource):
                found[name] = piece
    return found


def _when(given: Json) -> str:
    period = obj(given.get("effectivePeriod"))
    days = (given.get("whenHandedOver"), given.get("whenPrepared"), given.get("effectiveDateTime"), period.get("start"))
    return next((text for day in days if (text := clean(day))), "")


def medicine(given: Json) -> str:
    """The name of the medicine in an order, without its strength, for telling repeats; a reference stands for itself."""
    concept = given.get("medicationCodeableConcept")
    text = words(concept).lower()
    bare = _UP_TO_NUMBER.match(_HOURS.sub("", text))
    named = bare[0].strip(" ,") if bare else ""
    coded = ",".join(code.code for code in codes(concept))
    return named or text or coded or clean(obj(given.get("medicationReference")).get("reference"))


def _statement(given: Json) -> Json:
    """The same medicine as taken. One administered dose is no schedule: of it, only route and words are kept."""
    kept: Json = {key: given[key] for key in _KEPT if key in given}
    dosage = objs(given.get("dosageInstruction"))
    if not dosage:
        dosage = [{k: d[k] for k in ("route", "text") if k in d} for d in objs(given.get("dosage"))]
    return kept | {"resourceType": "MedicationStatement", "status": "active", "dosage": dosage}
