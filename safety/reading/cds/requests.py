"""A CDS Hooks request → the same Case that a FHIR record gives: orders in draft are the plan, the prefetch is the record.

Read differently from a record on its own, and noted in `Reading.unread` where it matters:

| in the request | read as |
|---|---|
| a MedicationRequest in `context.draftOrders` or `context.medications` | the plan, though its status is active (stopped: past) |
| the same order in the prefetch, or the one it replaces (`priorPrescription`) | left out: the draft stands |
| a MedicationDispense or MedicationAdministration | taken, unless an order or statement names the same medicine |
| no Patient | age and sex not told; the patient is the one that the resources, else the context, name |
| the prefetch for results answered with nothing | no result is on file |
| no prefetch at all | what else is taken is not known: the medication list is not whole |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from safety.errors import RequestError
from safety.model.patient import Case, Reading, Unread
from safety.reading.cds.given import GIVEN, medicine, stated
from safety.reading.cds.resources import MEDICATION_TYPES, RESULTS, Gathered, Piece, gather

# the account of malformed JSON (where, why, hint) is the same for every input of this room
from safety.reading.fhir.bundle import MAX_BYTES, read_fhir
from safety.reading.fhir.resources import decode, refusal, utf8
from safety.reading.fhir.values import Json, clean, obj, strings

_PLACE = re.compile(r"\Aentry\[(\d+)\]")


class CdsRequest(Struct, frozen=True):
    """A request of a CDS client: which hook, its instance, what was selected of the drafts, and the case it tells."""

    hook: str
    instance: str
    selections: tuple[str, ...]
    case: Case


def read_request(data: bytes | str | dict[str, Any], *, where: str = "", max_bytes: int = MAX_BYTES) -> CdsRequest:
    """The case that a CDS Hooks request (R4) tells, as JSON text, bytes or values.

    Raises RequestError for what the caller must mend (no JSON, no `hook` or `context`, several patients);
    what cannot be read about the patient is in `case.reading.unread` instead.
    """
    request = _object(data, where, max_bytes)
    context = obj(request.get("context"))
    gathered = gather(request)
    notes = list(gathered.unread)
    pieces = _this_patient(_drafts(gathered.pieces, notes), context, notes)
    placed = stated(pieces, notes)
    bundle = {"resourceType": "Bundle", "entry": [_entry(piece) for piece in placed]}
    case = _accounted(read_fhir(bundle, where=where, max_bytes=max_bytes), gathered, placed, notes)
    whole = case.patient.medications_complete and _list_told(gathered)
    labs = () if case.patient.labs is None and RESULTS in gathered.none_of else case.patient.labs
    case = replace(case, patient=replace(case.patient, medications_complete=whole, labs=labs))
    selections = tuple(strings(context.get("selections")))
    return CdsRequest(clean(request.get("hook")), clean(request.get("hookInstance")), selections, case)


def _object(data: bytes | str | dict[str, Any], where: str, max_bytes: int) -> Json:
    """The request as a JSON object with a hook and a context. Raises RequestError."""
    values: list[object] = [data] if isinstance(data, dict) else [v for _, v in decode(utf8(data, where, max_bytes), where)]
    value = values[0] if len(values) == 1 else None
    if not isinstance(value, dict) or not isinstance(value.get("context"), dict) or not clean(value.get("hook")):
        hint = "it must have `hook` and `context`; a FHIR record on its own is read by `check --fhir`"
        raise RequestError([refusal(where, "F011", "this is not a CDS Hooks request", hint)])
    return value


# --- orders in draft ---


def _drafts(pieces: Sequence[Piece], notes: list[Unread]) -> list[Piece]:
    """Orders in draft as proposals; what they are, or replace, in the record is left out.

    Ids are not trusted alone: an order in the record with the id of a draft and another medicine is read, and noted.
    """
    drafts = {piece.name: piece for piece in pieces if piece.draft and "/" in piece.name}
    replaced = {_local(obj(p.resource.get("priorPrescription")).get("reference")): p for p in pieces if p.draft}
    kept: list[Piece] = []
    for piece in pieces:
        same, newer = drafts.get(piece.name), replaced.get(piece.name)
        if piece.draft:
            kept.append(_proposed(piece, notes))
        elif newer is not None:
            notes.append(Unread(piece.name, piece.place, f"{newer.name}, in draft, replaces it", "repeat"))
        elif same is None or piece.type != "MedicationRequest":
            kept.append(piece)
        elif medicine(piece.resource) == medicine(same.resource):
            notes.append(Unread(piece.name, piece.place, "it is the order in draft itself", "repeat"))
        else:
            notes.append(
                Unread(f"{piece.name} id", piece.place, "an order in draft for another medicine has the same id: both are read")
            )
            kept.append(piece)
    return kept


def _local(reference: object) -> str:
    """`MedicationRequest/1` of any address that ends so."""
    return "/".join(clean(reference).split("/_history/", 1)[0].split("/")[-2:])


def _proposed(piece: Piece, notes: list[Unread]) -> Piece:
    """A draft as a proposal for this patient: a subject that is no reference to a Patient is a slip, and noted."""
    if piece.type != "MedicationRequest":
        notes.append(Unread(f"{piece.name} draft", piece.place, "an order of this kind is not read"))
        return piece
    resource = {**piece.resource, "intent": "proposal"}
    told = clean(obj(resource.get("subject")).get("reference"))
    if told and "/" not in told and ":" not in told and not told.startswith("#"):
        notes.append(Unread(f"{piece.name} subject", piece.place, f"`{told[:100]}` is no Patient: read as this patient's order"))
        del resource["subject"]
    return replace(piece, resource=resource)


# --- whose request ---


def _this_patient(pieces: list[Piece], context: Json, notes: list[Unread]) -> list[Piece]:
    """The pieces with exactly the Patient the request is about, if that can be said."""
    wanted = _key(context.get("patientId"))
    patients = [piece for piece in pieces if piece.type == "Patient"]
    if not patients:
        named = {_key(obj(p.resource.get("subject") or p.resource.get("patient")).get("reference")) for p in pieces} - {""}
        who = named.pop() if len(named) == 1 else wanted
        if who != wanted:
            why = f"it is `{wanted[:64]}`, but every resource is about `{who[:64]}`: read as that patient's"
            notes.append(Unread("context.patientId", "context.patientId", why))
        notes.append(Unread("Patient (absent)", "context.patientId", "the request does not hold it: age and sex are not told"))
        return [Piece({"resourceType": "Patient", "id": who or "unnamed"}, ""), *pieces]
    if len({_key(p.resource.get("id")) for p in patients}) > 1 and any(_key(p.resource.get("id")) == wanted for p in patients):
        others = [p for p in patients if _key(p.resource.get("id")) != wanted]
        notes.extend(Unread(p.name, p.place, "the request is about another patient", "stranger") for p in others)
        return [p for p in pieces if p not in others]
    return pieces


def _key(reference: object) -> str:
    """The bare id of a patient: `Patient/example` and `example` are one."""
    return clean(reference).split("/_history/", 1)[0].rsplit("/", 1)[-1]


# --- the account ---


def _entry(piece: Piece) -> Json:
    return {"resource": piece.resource} | ({"fullUrl": piece.url} if piece.url else {})


def _list_told(gathered: Gathered) -> bool:
    """Whether the request tells what else is taken: a medicine of the record, or the answer that there is nothing."""
    return bool(gathered.none_of) or any(p.type in MEDICATION_TYPES and not p.draft for p in gathered.pieces)


def _accounted(case: Case, gathered: Gathered, placed: Sequence[Piece], notes: list[Unread]) -> Case:
    """The case with places and counts as they are in the request, and with everything noted on the way."""
    assert case.reading is not None
    types = {piece.place: piece.type for piece in gathered.pieces}
    unread: list[Unread] = []
    left: Counter[str] = Counter()
    for item in (*case.reading.unread, *notes):
        at = _PLACE.match(item.where)
        place = placed[int(at[1])].place if at else item.where
        what = item.what
        if types.get(place) in GIVEN:
            what = what.replace("MedicationStatement", types[place], 1)
        left[types.get(place, "")] += " " not in what
        unread.append(Unread(what, place, item.why, item.kind))
    resources = Counter(piece.type for piece in gathered.pieces)
    read = {key for key in case.reading.used if key[0].isupper()} | set(GIVEN)
    used = {type_: resources[type_] - left[type_] for type_ in sorted(read) if resources[type_]}
    used |= {key: count for key, count in case.reading.used.items() if key not in read}
    return replace(case, reading=Reading(dict(sorted(resources.items())), used, tuple(unread), case.reading.not_read))


__all__ = ["MAX_BYTES", "CdsRequest", "read_request"]
