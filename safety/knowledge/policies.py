"""Drafts of alert policies → policies."""

from __future__ import annotations

from safety.knowledge.nouns import FactCompiler
from safety.knowledge.policy import Policy, PolicyLine


def policies(facts: FactCompiler) -> tuple[Policy, ...]:
    """Every alert policy that is held; `policy.default` is the one in use."""
    built = []
    for draft, s in facts.each("policy"):
        lines = tuple(
            PolicyLine(
                x.role, tuple(x.severity), tuple(x.kind), tuple(x.tags), tuple(x.escalate), x.hard, x.about, x.interrupt,
                x.because, str(draft.place(("lines", n))),
            )
            for n, x in enumerate(s.lines)
        )  # fmt: skip
        built.append(Policy(draft.id, lines, draft.origin, str(draft.place(()))))
    return tuple(built)
