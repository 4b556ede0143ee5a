"""The alert policy beside the rules: a line that fits no rule decides nothing, and somebody believes that it does."""

from __future__ import annotations

from collections.abc import Iterator

from safety.desk.keeping import in_force
from safety.desk.remarks import Remark, remark
from safety.knowledge.entries import Entry
from safety.knowledge.library import Library
from safety.knowledge.policy import PolicyLine


def idle_lines(library: Library) -> Iterator[Remark]:
    """Lines of a policy whose severity, kind, tag and escalation no rule in force has together."""
    entries = in_force(library)
    for policy in library.policies:
        for line in policy.lines:
            if not any(_fits(line, e) for e in entries):
                yield remark("contradiction.policy", policy.id, line.place, f"fits no rule in force: {line.because}")


def _fits(line: PolicyLine, e: Entry) -> bool:
    levels = {e.severity, *(clause.severity for clause in e.severity_when)}
    if e.doses is not None:
        levels |= {r.severity for r in (*e.doses.ranges, *e.doses.adjust) if r.severity is not None} | {e.doses.too_low}
    tagged = any(t == tag or t.startswith(f"{tag}-") for t in e.tags for tag in line.tags)
    return (
        (not line.severities or not levels.isdisjoint(line.severities))
        and (not line.kinds or e.kind in line.kinds)
        and (not line.tags or tagged)
        and (not line.escalations or e.escalate in line.escalations)
    )
