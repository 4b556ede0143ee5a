"""What somebody eats, drinks and smokes, in the library's terms."""

from __future__ import annotations

from msgspec import Struct

from safety.knowledge import library as lib
from safety.model.patient import Intake
from safety.model.quantity import Quantity, Units
from safety.text import fold


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


def _inside(text: str, names: dict[str, str]) -> str | None:
    """A food whose name stands in what was said ("a glass of grapefruit juice"); the longest name counts."""
    padded = f" {text} "
    found = [name for name in names if f" {name} " in padded]
    return names[max(found, key=len)] if found else None
