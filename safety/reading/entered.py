"""What a person types or pastes, before it is a case: whether it is one already or a note, and an allergy in one line."""

from __future__ import annotations

import re

_KEYS = ("id", "as_of", "patient", "plan", "constraints", "gold", "revised", "core", "model")
_CASE = re.compile(rf"(?:\s|---|#[^\n]*\n)*(?:[{{]|(?:{'|'.join(_KEYS)}):(?:\s|\Z))")
_LONG_LINE = 16
_SENTENCES = re.compile(r"[a-z)\]]\.\s+[A-Z]")
RESOURCE = '"resourceType"'
"""What stands in every FHIR resource, and in no case of ours."""


def is_case(text: str) -> bool:
    """Whether a text begins as a case in YAML or JSON does."""
    return _CASE.match(text) is not None


def is_prose(text: str) -> bool:
    """Whether a text is a note rather than a list of medicines: a long line of several sentences stands in it."""
    return any(len(line.split()) >= _LONG_LINE and _SENTENCES.search(line) for line in text.splitlines())


def allergy_of(line: str) -> dict[str, str]:
    """ "pcn: hives": to what, and what happened."""
    to, colon, reaction = line.partition(":")
    return {"to": to.strip(), "reaction": reaction.strip()} if colon and reaction.strip() else {"to": line.strip()}
