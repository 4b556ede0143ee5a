"""The record while it is read: whose it is, what refers to what, and the list of all that was not read."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Literal

from safety.errors import RequestError
from safety.model.patient import Unread
from safety.reading.fhir.resources import Entry, Source, refusal
from safety.reading.fhir.values import Json, clean, day, obj, objs

READ_TYPES = (
    "AllergyIntolerance",
    "CarePlan",
    "Condition",
    "Device",
    "DeviceUseStatement",
    "Immunization",
    "Medication",
    "MedicationRequest",
    "MedicationStatement",
    "NutritionOrder",
    "Observation",
    "Patient",
    "Procedure",
)


ADMINISTRATIVE = frozenset({
    "Account", "Appointment", "AppointmentResponse", "AuditEvent", "Binary", "CareTeam", "ChargeItem", "Claim", "ClaimResponse",
    "Coverage", "Encounter", "Endpoint", "EpisodeOfCare", "ExplanationOfBenefit", "Group", "HealthcareService", "Invoice",
    "Location", "MessageHeader", "OperationOutcome", "Organization", "PaymentNotice", "PaymentReconciliation", "Person",
    "Practitioner", "PractitionerRole", "Provenance", "RelatedPerson", "Schedule", "Slot", "Subscription",
})  # fmt: skip
"""Types that say who, where and at whose cost, and nothing of the patient's state or medicines."""


class Record:
    """One patient's resources by type, with references resolved inside the record.

    `leave` lists a resource that is left out as a whole (`MedicationRequest/123`); `note` lists a part of one
    that is read otherwise (`MedicationRequest/123 dosageInstruction`: a space, then the part). So for each type
    that is read: resources counted = used + left out.
    """

    def __init__(self, source: Source, where: str) -> None:
        self.unread: list[Unread] = list(source.unread)
        self.resources: Counter[str] = Counter(entry.type for entry in source.entries)
        self.used: Counter[str] = Counter()
        self.by_type: dict[str, list[Entry]] = {}
        self._by_address: dict[str, Entry] = {}
        self._needed: set[int] = set()
        for entry in self._without_repeats(source.entries):
            self.by_type.setdefault(entry.type, []).append(entry)
            for address in (entry.url, entry.name):
                if address:
                    self._by_address.setdefault(address, entry)
        self.patient = self._only_patient(where)
        self._own = {address for address in (self.patient.url, self.patient.name) if address not in ("", "Patient")}
        self._own_keys = {_tail(address) for address in self._own}

    # --- what is not read ---

    def leave(self, entry: Entry, why: str, kind: Literal["resource", "repeat", "stranger"] = "resource") -> None:
        """List a resource that is left out as a whole, and why."""
        self.unread.append(Unread(entry.name, entry.where, why, kind))

    def note(self, entry: Entry, part: str, why: str) -> None:
        """List a part of a resource that could not be read, or that was read in a way to know about."""
        self.unread.append(Unread(f"{entry.name} {part}", entry.where, why, "part"))

    def day(self, entry: Entry, part: str, value: object, *, last: bool = False) -> date | None:
        """The day of a date in a resource; one that is given and cannot be read is noted."""
        found = day(value, last=last)
        if found is None and value is not None:
            self.note(entry, part, f"`{clean(value)[:40]}` is not a date" if clean(value) else "it is not a date")
        return found

    # --- which resources ---

    def about_patient(self, type_: str) -> list[Entry]:
        """The resources of a type that are about this patient; those about someone else are left out and listed."""
        found: list[Entry] = []
        for entry in self.by_type.get(type_, ()):
            stranger = self._stranger(entry.resource)
            if stranger:
                self.leave(entry, f"it is about {stranger}, not about this patient", "stranger")
            else:
                found.append(entry)
        return found

    def resolve(self, reference: object, holder: Json, type_: str) -> Json | None:
        """The resource that a Reference points to: contained (`#id`), by address, or by `Type/id`; None if not here."""
        target = clean(obj(reference).get("reference"))
        if target.startswith("#"):
            for inner in objs(holder.get("contained")):
                if clean(inner.get("id")) == target[1:]:
                    return inner
            return None
        found = self._at(target, type_) if target else None
        if found is None:
            return None
        self._needed.add(id(found.resource))
        return found.resource

    def needed(self, entry: Entry) -> bool:
        """Whether another resource referred to this one."""
        return id(entry.resource) in self._needed

    def _at(self, target: str, type_: str) -> Entry | None:
        target = target.split("/_history/", 1)[0]
        found = self._by_address.get(target) or self._by_address.get("/".join(target.split("/")[-2:]))
        return found or self._by_address.get(f"{type_}/{_tail(target)}")

    # --- whose record ---

    def is_patient(self, reference: object) -> bool:
        """Whether an address is that of this patient."""
        return bool(self._own) and (clean(reference) in self._own or clean(reference).endswith(f"/{self.patient.name}"))

    def _only_patient(self, where: str) -> Entry:
        found = self.by_type.get("Patient", [])
        if not found:
            hint = "a Bundle for one patient must hold their Patient resource"
            raise RequestError([refusal(where, "F009", "there is no Patient in it", hint)])
        if len(found) > 1:
            who = ", ".join(f"{entry.where or 'the input'} ({entry.name})" for entry in found[:10])
            hint = "pass one patient's record at a time"
            raise RequestError([refusal(where, "F010", f"there are {len(found)} Patients in it: {who}", hint)])
        return found[0]

    def _stranger(self, resource: Json) -> str:
        """Whom the resource is about, if that is certainly not this patient; otherwise empty."""
        for reference in (resource.get("subject") or resource.get("patient"), *objs(resource.get("focus"))):
            target = clean(obj(reference).get("reference")).split("/_history/", 1)[0]
            if not target or "?" in target or not self._own or target in self._own:
                continue
            type_ = target.split("/")[-2] if "/" in target else ""
            if target.startswith("#") or type_ not in ("", "Patient") or _tail(target) not in self._own_keys:
                return f"`{target[:100]}`"
        return ""

    def _without_repeats(self, entries: tuple[Entry, ...]) -> list[Entry]:
        """Each resource once: of identical copies the first, of dated versions the newest; the others are listed."""
        kept: dict[str, Entry] = {}
        for index, entry in enumerate(entries):
            named = entry.url or (entry.name if entry.name != entry.type else "")
            key = named or f"{index} "
            before = kept.get(key)
            if before is None:
                kept[key] = entry
            elif _same(before.resource, entry.resource):
                self._repeat(entry, "the same resource is in the record twice")
            elif not (_version(before.resource) and _version(entry.resource)):
                kept[f"{index} "] = entry
            else:
                older = before if _version(entry.resource) > _version(before.resource) else entry
                kept[key] = entry if older is before else before
                self._repeat(older, "a newer version of it is in the record")
        return list(kept.values())

    def _repeat(self, entry: Entry, why: str) -> None:
        if entry.type in READ_TYPES:
            self.leave(entry, why, "repeat")


def _version(resource: Json) -> str:
    return clean(obj(resource.get("meta")).get("lastUpdated"))


def _same(left: Json, right: Json) -> bool:
    try:
        return left == right
    except RecursionError:
        return False


def _tail(address: str) -> str:
    return address.replace(":", "/").rsplit("/", 1)[-1]
