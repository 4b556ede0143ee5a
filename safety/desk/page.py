"""An audit as one self-contained HTML page: what there is to mend, what is held of each medicine, every rule to search in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from safety.desk.audit import Audit
from safety.desk.keeping import in_force
from safety.desk.remarks import Remark
from safety.desk.signing import Signature, state_of
from safety.judging.candidates import CHECKS
from safety.knowledge.entries import Entry
from safety.knowledge.library import Library
from safety.model.report import SEVERITIES
from safety.showing.pages import CHECKED, render

_SHOWN: Final = 200
"""So many remarks of a line stand on the page; the command shows all."""
_SIGNED: Final = {"signed": "signed", "changed": "changed since", "unsigned": ""}


def audit_page(audit: Audit, library: Library, signed: Mapping[str, Signature]) -> str:
    """The page of an audit."""
    entries = in_force(library)
    spoke = dict(audit.cohort.spoke) if audit.cohort is not None else {}
    by_line: dict[str, list[Remark]] = {}
    for one in audit.remarks:
        by_line.setdefault(one.line, []).append(one)
    return render(
        "audit.html",
        audit=audit,
        version=library.version,
        sha256=library.sha256,
        entries=[_row(e, signed, spoke) for e in entries],
        lines=[(line, by_line.get(line.id, [])[:_SHOWN], count) for line, count in audit.counts],
        evidence=_by_evidence(entries),
        checks=CHECKS,
        held=Counter(check for row in audit.matrix for check in row.checks),
        most=max(spoke.values(), default=1),
    )


def _by_evidence(entries: Iterable[Entry]) -> dict[str, dict[str, int]]:
    """Of each severity, how many rules rest on a text that was read, on one that cites it, or on memory alone."""
    found: dict[str, dict[str, int]] = {severity: dict.fromkeys(CHECKED, 0) for severity in SEVERITIES}
    for e in entries:
        found[e.severity][best_checked(e)] += 1
    return found


def best_checked(e: Entry) -> str:
    """How the best of an entry's citations was checked."""
    how = {c.checked for c in e.evidence}
    return next((state for state in CHECKED if state in how), "recalled")


def _row(e: Entry, signed: Mapping[str, Signature], spoke: Mapping[str, int]) -> dict[str, Any]:
    sources = list(dict.fromkeys(f"{c.title or c.source}{', ' + c.at if c.at else ''}" for c in e.evidence))
    return {
        "id": e.id, "title": e.title, "severity": e.severity, "kind": e.kind.replace("_", " "), "checked": best_checked(e),
        "due": str(e.due or ""), "signed": _SIGNED[state_of(e, signed).state], "place": e.place, "why": e.why,
        "sources": sources, "spoke": spoke.get(e.id, 0),
    }  # fmt: skip
