"""Whether something is eaten, drunk or smoked, so much of it, or more than the limit that a clinician set."""

from __future__ import annotations

from safety.judging.bounds import Watch, span_within
from safety.knowledge import library as lib
from safety.model.truth import Seen, any_of
from safety.understanding.facts import Facts
from safety.understanding.intake import Taken


def intake(leaf: lib.IntakeLeaf, facts: Facts, watch: Watch | None = None) -> Seen:
    """Whether one of these foods is taken, so much of it in a day, or more than the limit that was set for it."""
    mine = [t for t in (*(facts.intake or ()), *facts.foods_on_lines) if t.food in leaf.foods]
    if not mine and facts.not_taken.issuperset(leaf.foods):
        return Seen(False, "told as not taken")
    if not mine and facts.intake is None:
        return Seen(None, "what is eaten and drunk is not told", ("intake",))
    if not mine:
        return Seen(False, "not among what is eaten and drunk")
    return any_of([_one(t, leaf, facts, watch) for t in mine])


def _one(t: Taken, leaf: lib.IntakeLeaf, facts: Facts, watch: Watch | None) -> Seen:
    if leaf.over_limit:
        limits = [lim.daily for lim in facts.diet_limits if lim.food == t.food and lim.daily is not None]
        if not limits:
            return Seen(False, f"{t.text}: no limit was set")
        order = facts.units.compare(t.daily, limits[0]) if t.daily is not None else None
        if order is None:
            return Seen(None, f"{t.text}: how much in a day, against {limits[0]}?", ("intake",))
        return Seen(order > 0, f"{t.text}; the limit is {limits[0]} a day")
    if not leaf.bounds:
        return Seen(True, t.text)
    truth = span_within(t.daily, t.daily, leaf.bounds, facts.units, watch)
    return Seen(truth, t.text, () if truth is not None else ("intake",))
