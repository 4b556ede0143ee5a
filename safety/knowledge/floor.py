"""What no policy and no site may make quieter without somebody who answers for it."""

from __future__ import annotations

from collections.abc import Iterable

from safety.knowledge.entries import Entry

_TAG = "onc-high"
"""Tag of the groups that every hospital was asked to interrupt for."""
_LOUDEST = "contraindicated"


def high_priority(tags: Iterable[str]) -> bool:
    """Whether something belongs to one of the ONC high-priority groups."""
    return any(t.startswith(_TAG) for t in tags)


def protected(entry: Entry) -> str:
    """Why an entry is protected, in words; empty if it is not: it never is contraindicated, and of no high-priority group."""
    if high_priority(entry.tags):
        return "ONC high-priority"
    levels = [entry.severity, *(clause.severity for clause in entry.severity_when)]
    if entry.doses is not None:
        levels = [r.severity for r in (*entry.doses.ranges, *entry.doses.adjust) if r.severity is not None]
        levels += [entry.severity, entry.doses.too_low]
    return _LOUDEST if _LOUDEST in levels else ""
