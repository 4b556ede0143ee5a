"""Facts that nothing uses: they stand in the way of no answer, but their author is told of them."""

from __future__ import annotations

from safety.errors import Place, Problem
from safety.knowledge.library import ENTRY_INDEX, Library


def unused_harms(library: Library) -> list[Problem]:
    """Harms that no entry names and to which no named harm belongs.

    With an overlay nothing is said: a site may have replaced the one rule that named a harm of ours.
    """
    if library.overlays:
        return []
    named = set(library.derived(ENTRY_INDEX).harms)
    used = {wider for h in library.harms if h.id in named for wider in h.is_a}
    hint = "name it in the outcome of a rule, or take it out"
    return [
        Problem(_place(h.place), "K304", f"no rule and no dose table names `{h.id}`", hint)
        for h in library.harms
        if h.id not in used
    ]


def _place(text: str) -> Place:
    file, line, column = text.rsplit(":", 2)
    return Place(file, int(line), int(column))
