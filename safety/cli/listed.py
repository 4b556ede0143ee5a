"""A list in a file → what a case tells, with where each line stands: medicines one a line, also under headings, or YAML."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from safety.errors import Place, RequestError
from safety.reading.case import Path_, section_of

_LISTED = re.compile(r"\s*(?:[-*•]\s+|\d{1,2}[.)]\s+)?(.*?)\s*\Z")
_HEADING = re.compile(r"\s*(?:#+\s*|\*\*\s*)?([A-Za-z][A-Za-z /&-]{0,40}?)\s*(?:\*\*)?\s*:\s*(?:\*\*)?\s*(.*?)\s*\Z")
_SINGLE = frozenset(("age", "birth_date", "sex", "weight", "height", "pregnancy", "breastfeeding"))
_MEDICINES = frozenset(("medications", "plan"))
_NONE = frozenset(("none", "nil", "n/a", "no medications", "no meds"))
Locate = Callable[[Path_], Place]


class Listed(Struct, frozen=True):
    """What a list tells of the patient and the plan, and where in its file each part of that stands."""

    patient: dict[str, Any]
    plan: list[Any]
    locate: Locate


def of_lines(text: str, shown: str) -> Listed:
    """Medicines one a line; what stands under a heading such as "Allergies:" belongs there."""
    patient: dict[str, Any] = {"medications": []}
    plan: list[Any] = []
    places: dict[Path_, Place] = {}
    section = "medications"
    for n, line in enumerate(text.splitlines(), 1):
        found = _HEADING.match(line)
        named = section_of(found[1]) if found is not None else None
        if found is not None and named is not None and named in _SINGLE:
            if found[2]:
                patient[named] = found[2]
                places["patient", named] = Place(shown, n, 1)
            continue
        told = line
        if found is not None and named is not None:
            section, told = named, found[2]
        item = "" if told.lstrip().startswith("#") else _LISTED.match(told)[1]  # type: ignore[index]
        if not item or (section in _MEDICINES and item.lower().rstrip(".") in _NONE):
            continue
        into = plan if section == "plan" else patient.setdefault(section, [])
        path: Path_ = ("plan", len(into)) if section == "plan" else ("patient", section, len(into))
        into.append(item)
        places[path] = Place(shown, n, 1)
    return Listed(patient, plan, lambda path: _within(places, path, shown))


def of_yaml(text: str, shown: str) -> Listed | None:
    """A YAML list of medicines; None where it is none. Raises RequestError."""
    from safety.knowledge.documents import read_text

    document, problems = read_text(text, shown)
    if document is None:
        raise RequestError(problems)
    if not isinstance(document.value, list) or not document.value:
        return None

    def locate(path: Path_) -> Place:
        inside = path[2:] if path[:2] == ("patient", "medications") else ()
        assert document is not None
        return document.place(inside, of_key=bool(inside) and isinstance(inside[-1], str))

    return Listed({"medications": document.value}, [], locate)


def _within(places: dict[Path_, Place], path: Path_, shown: str) -> Place:
    """The line on which something stands, or that of the item it is part of."""
    whole = (places.get(path[:end]) for end in range(len(path), 0, -1))
    return next((place for place in whole if place is not None), Place(shown))
