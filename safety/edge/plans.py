"""Free text of a plan and its patient → the case that is scored, and what was read, with the place of each statement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from safety.edge.as_case import case_of, medication_of
from safety.edge.extraction import PROPOSED, Extraction
from safety.edge.extractor import Extractor
from safety.model.patient import Case, Medication, Reading, Unread
from safety.scoring.plans import Part

_NOT_PROPOSED = frozenset({"stopped", "denied", "allergic", "someone_elses"})
_IN_PLAN = "plan_text"


def with_texts(case: Case, texts: Mapping[Part, str], extractor: Extractor) -> tuple[Case, dict[str, Any]]:
    """The case with what its texts tell; and every extraction as plain values, by the name of its text.

    `patient_text` describes the patient: a medicine that it says was ordered or thought of is no part of the plan, and is left
    open, for nothing says that it is taken. `plan_text`, `gold_text` and `revised_text` each propose a regimen: every medicine
    that they name is part of it, but those that are to be stopped or avoided.
    """
    read: dict[str, Extraction] = {part: extractor.extract(text) for part, text in texts.items()}
    if (said := read.get("patient_text")) is not None:
        case = case_of(_history(said), case)
    if (said := read.get(_IN_PLAN)) is not None:
        case = _with_stops(replace(case, plan=(*case.plan, *_proposed(said))), said)
    if (said := read.get("gold_text")) is not None:
        case = replace(case, gold=(*(case.gold or ()), *_proposed(said)))
    if (said := read.get("revised_text")) is not None:
        case = replace(case, revised=(*(case.revised or ()), *_proposed(said)))
    return case, {part: found.to_dict() for part, found in read.items()}


def _history(said: Extraction) -> Extraction:
    return replace(
        said,
        medications=tuple(replace(m, context="mentioned") if m.context in PROPOSED else m for m in said.medications),
    )


def _proposed(said: Extraction) -> tuple[Medication, ...]:
    named = (m for m in said.medications if m.context not in _NOT_PROPOSED and m.by == "dictionary")
    return tuple(replace(medication_of(m), stopped=False) for m in named)


def _with_stops(case: Case, said: Extraction) -> Case:
    """The case in which what the plan stops is no longer taken; what it stops and nobody told of is left open."""
    stopped = [m for m in said.medications if m.context == "stopped"]
    if not stopped:
        return case
    left = tuple(
        Unread(m.span.text, _IN_PLAN, "the plan stops it; which line of the list it is, is not told", "part") for m in stopped
    )
    before = case.reading or Reading({}, {})
    return replace(case, reading=replace(before, unread=(*before.unread, *left)))
