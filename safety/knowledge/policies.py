"""Drafts of alert policies → policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from safety.knowledge.drafts import Draft
from safety.knowledge.nouns import FactCompiler
from safety.knowledge.policy import Policy, PolicyLine


def policies(facts: FactCompiler) -> Sequence[Policy]:
    """Every alert policy that is held; `policy.default` is the one in use."""
    return facts.table("policies", "policy", Policy, _policy)


def _policy(draft: Draft, s: Any) -> Policy:
    lines = tuple(
        PolicyLine(
            x.role, tuple(x.severity), tuple(x.kind), tuple(x.tags), tuple(x.escalate), x.hard, x.about, x.interrupt,
            x.because, str(draft.place(("lines", n))),
        )
        for n, x in enumerate(s.lines)
    )  # fmt: skip
    return Policy(draft.id, lines, draft.origin, str(draft.place(())))
