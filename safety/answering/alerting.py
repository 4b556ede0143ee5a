"""Whom a finding interrupts: the policy's lines, over a floor that no policy can take away."""

from __future__ import annotations

from collections.abc import Sequence

from safety.answering.assumed import stands
from safety.knowledge.floor import high_priority
from safety.knowledge.policy import Policy, PolicyLine, Role
from safety.model.patient import Case
from safety.model.report import Finding


def interrupts(policy: Policy | None, tags: Sequence[str], f: Finding, case: Case, role: Role) -> bool:
    """Whether a finding stops whoever is at work; what is contraindicated and the ONC high-priority groups always do.

    What stands on an assumption that is not the usual way is shown and asked, and stops nobody.
    """
    if not stands(f):
        return False
    if f.severity == "contraindicated" or high_priority(tags):
        return True
    for line in policy.lines if policy else ():
        if _fits(line, tags, f, case, role):
            return line.interrupt
    return f.severity == "major" if policy is None else False


def _fits(line: PolicyLine, tags: Sequence[str], f: Finding, case: Case, role: Role) -> bool:
    planned = any(s.where.among == "plan" for s in f.subjects)
    return (
        line.role in (None, role)
        and (not line.severities or f.severity in line.severities)
        and (not line.kinds or f.kind in line.kinds)
        and (not line.tags or any(t == tag or t.startswith(f"{tag}-") for t in tags for tag in line.tags))
        and (not line.escalations or f.escalate in line.escalations)
        and line.hard in (None, f.hard)
        and (line.about != "plan" or planned or not case.plan)
        and (line.about != "existing" or (bool(case.plan) and not planned))
    )
