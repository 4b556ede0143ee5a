"""Free text of a plan and its patient → the case that is scored, and what was read, with the place of each statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from safety.edge.as_case import case_of, medication_of
from safety.edge.extraction import PROPOSED, Extraction, MedicationSaid, Span
from safety.edge.extractor import Extractor
from safety.model.patient import Case, Medication, Reading, Unread
from safety.reading.spoken.statement import Spoken
from safety.scoring.plans import Part
from safety.text import printable

_NOT_PROPOSED = frozenset({"stopped", "denied", "allergic", "someone_elses"})
_IN_PLAN: Part = "plan_text"
_BETWEEN = re.compile(
    r"[.;:,()\n]+(?:\s|$)|[(\n]|\s(?:and|with|plus|then|or|followed by|including|such as|as well as|along with)\s"
)


def with_texts(
    case: Case, texts: Mapping[Part, str], extractor: Extractor, spoken: Spoken
) -> tuple[Case, dict[str, Any]]:  # fmt: skip
    """The case with what its texts tell; and every extraction as plain values, by the name of its text.

    `patient_text` describes the patient: a medicine that it says was ordered or thought of is no part of the plan, and is left
    open, for nothing says that it is taken. `plan_text`, `gold_text` and `revised_text` each propose a regimen: every medicine
    that they name is part of it, but those that are to be stopped or avoided. A part of a plan that may order a medicine, and
    of which none was read, is told under `unread` and keeps the case from being clear.
    """
    read: dict[str, Extraction] = {part: extractor.extract(text) for part, text in texts.items()}
    if (said := read.get("patient_text")) is not None:
        case = case_of(_history(said), case)
    unread: list[str] = []
    if (said := read.get(_IN_PLAN)) is not None:
        unread = list(_unread(texts[_IN_PLAN], said, spoken))
        stopped = [m.span.text for m in said.medications if m.context == "stopped"]
        case = _with_unread(replace(case, plan=(*case.plan, *_proposed(said))), unread, stopped)
    if (said := read.get("gold_text")) is not None:
        case = replace(case, gold=(*(case.gold or ()), *_proposed(said)))
    if (said := read.get("revised_text")) is not None:
        case = replace(case, revised=(*(case.revised or ()), *_proposed(said)))
    told: dict[str, Any] = {part: found.to_dict() for part, found in read.items()}
    return case, told | ({"unread": unread} if unread else {})


def _history(said: Extraction) -> Extraction:
    return replace(
        said,
        medications=tuple(_history_of(m) for m in said.medications),
    )


def _history_of(said: MedicationSaid) -> MedicationSaid:
    if said.is_taken:
        return replace(said, context="taking", change="") if said.context in PROPOSED else said
    return replace(said, context="mentioned") if said.context in PROPOSED else said


def _proposed(said: Extraction) -> tuple[Medication, ...]:
    named = (m for m in said.medications if m.context not in _NOT_PROPOSED and m.by == "dictionary")
    return tuple(replace(medication_of(m), stopped=False) for m in named)


def _unread(text: str, said: Extraction, spoken: Spoken) -> Iterator[str]:
    """Parts of a plan in which no medicine was read, and that may order one."""
    spans = said.spans()
    for part in _parts(text):
        read = any(span.start < part.end and part.start < span.end for span in spans)
        if not read and spoken.tables["treatments"].first(spoken.plainly.words(part.text)) is not None:
            yield part.text


def _parts(text: str) -> Iterator[Span]:
    """A text in parts, each of which may tell one thing to do."""
    at = 0
    for mark in (*_BETWEEN.finditer(text), None):
        end = mark.start() if mark is not None else len(text)
        inside = text[at:end].strip()
        if inside:
            start = text.index(inside, at)
            yield Span(start, start + len(inside), inside)
        at = mark.end() if mark is not None else end


def _with_unread(case: Case, unread: Sequence[str], stopped: Sequence[str]) -> Case:
    """The case that says what of its plan was not read, and what the plan stops without saying which line of the list it is."""
    left = (
        *(Unread(printable(part), _IN_PLAN, "it may order a medicine, and none was read in it", "part") for part in unread),
        *(Unread(name, _IN_PLAN, "the plan stops it; which line of the list it is, is not told", "part") for name in stopped),
    )
    if not left:
        return case
    before = case.reading or Reading({}, {})
    return replace(case, reading=replace(before, unread=(*before.unread, *left)))
