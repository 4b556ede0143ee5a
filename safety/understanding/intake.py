"""What somebody eats, drinks and smokes, in the library's terms."""

from __future__ import annotations

import re
from decimal import Decimal

from msgspec import Struct

from safety.knowledge import library as lib
from safety.model.quantity import Quantity, number
from safety.reading.wording import any_of
from safety.text import fold, printable

_HOW_MUCH = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)")
_DAYS = 7


class Taken(Struct, frozen=True):
    """One thing that is eaten, drunk or smoked: which (`None`: none of our foods), how much in a day if told, in which words.

    `denied`: told as not taken ("no alcohol", "0 drinks", "former smoker").
    """

    food: str | None
    daily: Quantity | None
    text: str
    denied: bool = False


class IntakeReader:
    """Reads what is eaten, drunk and smoked, and the limits set for it; immutable, made once for a library."""

    def __init__(self, library: lib.Library) -> None:
        words = library.language.words
        self._units = library.units
        self._names = {fold(text): f.id for f in library.foods for text in (f.name, *f.synonyms)}
        self._around = re.compile(rf"\b{any_of(words('consumed-so-often'))}\b|/", re.I)
        self._denied = re.compile(rf"\b{any_of(words('not-consumed'))}\b", re.I)
        self._at_most = re.compile(rf"\b{any_of(words('at-most'))}\b", re.I)
        self._weekly = re.compile(rf"\b{any_of(words('weekly'))}\b", re.I)

    def read(self, text: str) -> Taken:
        """As in "grapefruit juice", "alcohol 4 drinks a day", "3 L fluid a day"; an amount by the week counts a seventh a day."""
        found = _HOW_MUCH.search(text)
        amount = number(found[1]) if found else None
        unit = self._units.symbol(found[2]) if found else None
        rest = text if found is None or unit is None else f"{text[: found.start()]} {text[found.end() :]}"
        what = fold(" ".join(self._around.sub(" ", rest).split()) or (found[2] if found else text))
        denied = amount == 0 or bool(self._denied.search(self._at_most.sub(" ", text)))
        if amount is not None and self._weekly.search(text):
            amount = amount / Decimal(_DAYS)
        daily = Quantity(amount, unit) if amount is not None and unit else None
        return Taken(self._names.get(what) or self._inside(what), daily, printable(text), denied)

    def _inside(self, text: str) -> str | None:
        """A food whose name stands in what was said ("a glass of grapefruit juice"); the longest name counts."""
        padded = f" {text} "
        found = [name for name in self._names if f" {name} " in padded]
        return self._names[max(found, key=len)] if found else None
