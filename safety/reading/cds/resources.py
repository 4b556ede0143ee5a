"""The FHIR resources inside a CDS Hooks request, each with its place in it, and which of them are orders in draft."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from safety.model.patient import Unread
from safety.reading.fhir.resources import Entry, kind
from safety.reading.fhir.values import Json, clean, obj

MEDICATION_TYPES = ("MedicationRequest", "MedicationStatement", "MedicationDispense", "MedicationAdministration")
_DRAFTS = ("draftOrders", "medications")  # order-select and order-sign; medication-prescribe of CDS Hooks 1.0
_DEEPEST = 8
RESULTS = "results"
"""The key of the prefetch under which this service asks for all results: answered with nothing, there are none on file."""


class Piece(Struct, frozen=True):
    """One resource, where in the request it stands, the address it is known by, and whether it is an order in draft."""

    resource: Json
    place: str
    url: str = ""
    draft: bool = False

    @property
    def type(self) -> str:
        """The resource's type, as it names itself."""
        return kind(self.resource)

    @property
    def name(self) -> str:
        """`MedicationRequest/123`, or the type alone where it has no usable id."""
        return Entry(self.resource, self.place).name


class Gathered(Struct, frozen=True):
    """All resources in their order, what was no resource, and the keys of the prefetch that the record answered with nothing."""

    pieces: tuple[Piece, ...]
    unread: tuple[Unread, ...]
    none_of: tuple[str, ...] = ()


def gather(request: Json) -> Gathered:
    """The resources in `context` and `prefetch`.

    A prefetch key that is null, or a Bundle without entries, is the record's answer "there is none"; a request without
    any prefetch tells nothing of what else is taken.
    """
    pieces: list[Piece] = []
    unread: list[Unread] = []
    none: list[str] = []
    for place, value, draft in _parts(request):
        if value is None or (kind(value) == "Bundle" and not obj(value).get("entry")):
            none += [place.removeprefix("prefetch.")] if place.startswith("prefetch.") else []
            continue
        for found in _walk(value, place, "", draft, 0):
            if isinstance(found, Piece):
                pieces.append(found)
            else:
                unread.append(found)
    return Gathered(tuple(pieces), tuple(unread), tuple(none))


def _parts(request: Json) -> Iterator[tuple[str, Any, bool]]:
    """What may hold resources: everything in the context that is no plain text, and every key of the prefetch."""
    context = obj(request.get("context"))
    for key, value in context.items():
        if key != "prefetch" and isinstance(value, dict | list) and not _plain(value):
            yield f"context.{key}", value, key in _DRAFTS
    for where, prefetch in (("prefetch", request.get("prefetch")), ("context.prefetch", context.get("prefetch"))):
        for key, value in obj(prefetch).items():
            yield f"{where}.{key}", value, False


def _plain(value: dict[str, Any] | list[Any]) -> bool:
    """A list of words (selections) or an object of words (a reference) holds no resource."""
    inner = value.values() if isinstance(value, dict) else value
    return "resourceType" not in value and not any(isinstance(item, dict | list) for item in inner)


def _walk(value: object, place: str, url: str, draft: bool, deep: int) -> Iterator[Piece | Unread]:
    """The resources in a value: a Bundle's entries, also bare ones; the items of a list; what `resource` holds."""
    if deep > _DEEPEST:
        yield Unread("Bundle", place, f"more than {_DEEPEST} inside each other")
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from _walk(item, f"{place}[{n}]", "", draft, deep + 1)
    elif not isinstance(value, dict):
        yield Unread("entry", place, "it holds no resource" if value is None else "it is not a resource")
    elif kind(value) == "Bundle":
        entries = value.get("entry", [])
        if not isinstance(entries, list):
            yield Unread("Bundle", place, "its `entry` is not a list")
            return
        for n, entry in enumerate(entries):
            yield from _walk(_inner(entry), f"{place}.entry[{n}]", clean(obj(entry).get("fullUrl")), draft, deep + 1)
    elif kind(value):
        yield Piece(value, place, url, draft)
    elif "resource" in value:  # how prefetch was answered before CDS Hooks 1.0: {response, resource}
        yield from _walk(value["resource"], place, url, draft, deep + 1)
    else:
        yield Unread("entry", place, "it has no `resourceType`")


def _inner(entry: object) -> object:
    """What an entry holds; an entry that is itself the resource is taken as one."""
    return entry.get("resource") if isinstance(entry, dict) and not kind(entry) else entry
