"""Medicines that a line of the allergy list says are taken ("NKDA, takes warfarin"), apart from what the patient reacts to."""

from __future__ import annotations

import re

from msgspec.structs import replace

from safety.model.patient import Allergy
from safety.understanding.terms import Terms

_MARKS = " ,;.()-–—"
_END = re.compile(r"[;.)](?:\s|$)|\)")


def taken_apart(told: Allergy, terms: Terms) -> tuple[Allergy | None, tuple[str, ...]]:
    """An allergy without the medicines that its line says are taken, and these; None where nothing else is told.

    Behind nothing but a reaction ("rash, on amoxicillin") the medicine is what did it: then the line stays as it is.
    """
    found = terms.taken_beside_an_allergy.search(told.to)
    if found is None or told.codes:
        return told, ()
    before, behind = told.to[: found.start()].strip(_MARKS), told.to[found.end() :]
    stop = _END.search(behind)
    taken, rest = (behind[: stop.start()], behind[stop.end() :].strip(_MARKS)) if stop else (behind, "")
    names = tuple(one for one in (part.strip(_MARKS) for part in terms.joins_what_is_taken.split(taken)) if one)
    if not names or any(not terms.medicine_on_a_line(name) for name in names):
        return told, ()
    if before and not terms.denials.says_none(before) and not terms.allergies.read(Allergy(before))[0]:
        return told, ()
    left = ", ".join(part for part in (before, rest) if part)
    return (replace(told, to=left) if left else None), names
