"""What somebody eats, drinks and smokes, in the library's terms; and whether it exceeds a limit that a clinician set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from safety.checking.kleene import Seen, Watch, any_of, span_within
from safety.knowledge import library as lib
from safety.quantity import Quantity, Units
from safety.text import fold

if TYPE_CHECKING:
    from safety.checking.facts import Facts
    from safety.patient import Intake


class Taken(Struct, frozen=True):
    """One thing that is eaten, drunk or smoked: which, how much in a day if told, and in which words."""

    food: str
    daily: Quantity | None
    text: str


def foods_by_name(library: lib.Library) -> dict[str, str]:
    """Every name of a food, folded, with its id."""
    return {fold(text): f.id for f in library.foods for text in (f.name, *f.synonyms)}


def taken(told: Intake, names: dict[str, str], units: Units) -> Taken | None:
    """An item of the intake in the library's terms; None if it is none of our foods."""
    food = names.get(fold(told.what)) or _inside(fold(told.what), names)
    if food is None:
        return None
    unit = units.symbol(told.unit) if told.unit else None
    amount = Quantity(told.amount, unit) if told.amount is not None and unit else None
    return Taken(food, amount, told.text)


def intake(leaf: lib.IntakeLeaf, facts: Facts, watch: Watch | None = None) -> Seen:
    """Whether one of these foods is taken, so much of it in a day, or more than the limit that was set for it."""
    if facts.intake is None:
        return Seen(None, "what is eaten and drunk is not told", ("intake",))
    mine = [t for t in facts.intake if t.food in leaf.foods]
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


def _inside(text: str, names: dict[str, str]) -> str | None:
    """A food whose name stands in what was said ("a glass of grapefruit juice"); the longest name counts."""
    padded = f" {text} "
    found = [name for name in names if f" {name} " in padded]
    return names[max(found, key=len)] if found else None
