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
_CODED = re.compile(r"\s*\(finding\)\Z", re.I)
"""What a term of SNOMED ends in."""
_DAYS, _TIME = 7, "time"
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_SINCE = re.compile(r"\b[0-9]{1,2}/[0-9]{1,2}(?:/(?:[0-9]{2}){1,2})?\b")
"""The day since which something is no longer taken ("quit smoking 11/1")."""
_FROM = re.compile(r"[0-9]+(?:\.[0-9]+)?\s*(?:-|to|or)\s*\Z")


class Taken(Struct, frozen=True):
    """One thing that is eaten, drunk or smoked: which (`None`: none of our foods), how much in a day if told, in which words.

    `denied`: told as not taken ("no alcohol", "0 drinks", "former smoker").
    """

    food: str | None
    daily: Quantity | None
    text: str
    denied: bool = False
    left: tuple[str, ...] = ()
    """The words that nothing was made of; another food is one of them."""


class IntakeReader:
    """Reads what is eaten, drunk and smoked, and the limits set for it; immutable, made once for a library."""

    def __init__(self, library: lib.Library) -> None:
        words = library.language.words
        self._units = library.units
        self._names = {fold(text): f.id for f in library.foods for text in (f.name, *f.synonyms)}
        self._asked = {fold(text): f.id for f in library.foods for text in f.asked_as}
        self._counted = {f.id: {fold(word): unit for word, unit in f.counted.items()} for f in library.foods}
        self._around = re.compile(rf"\b{any_of(words('consumed-so-often'))}\b|/", re.I)
        self._denied = re.compile(rf"\b{any_of(words('not-consumed'))}\b", re.I)
        self._at_most = re.compile(rf"\b{any_of(words('at-most'))}\b", re.I)
        beside = library.language.meaning("beside-intake")
        self._idle = frozenset(w for w, kind in beside.items() if kind == "says nothing")
        self._numbered = any_of(w for w, kind in beside.items() if kind == "with its number")
        self._aside = re.compile(rf"\b[0-9]+(?:\.[0-9]+)?\s*{self._numbered}\b", re.I)
        self._weekly = re.compile(rf"\b{any_of(words('weekly'))}\b", re.I)

    def is_food(self, name: str) -> bool:
        """Whether a name, folded, is that of a food, a drink or a smoke."""
        return name in self._names

    def answer(self, asked: str, said: object) -> Taken | None:
        """What the answer to a question about one of these says, "tobacco smoking status: former smoker"; else None."""
        food = self._asked.get(fold(asked))
        read = self.read(_CODED.sub("", said)) if food is not None and isinstance(said, str) else None
        if read is None or read.food is None or not (read.denied or read.food == food):
            return None
        return Taken(food, read.daily, f"{printable(asked)}: {read.text}", read.denied)

    def read(self, text: str) -> Taken:
        """As in "grapefruit juice", "alcohol 4 drinks a day", "3 L fluid a day"; an amount by the week counts a seventh a day."""
        found = _HOW_MUCH.search(text)
        amount = number(found[1]) if found else None
        unit = self._units.symbol(found[2]) if found and not self._around.fullmatch(found[2]) else None
        rest = text if found is None or unit is None else f"{text[: found.start()]} {text[found.end() :]}"
        what = fold(" ".join(self._around.sub(" ", rest).split()) or (found[2] if found else text))
        denied = amount == 0 or bool(self._denied.search(self._at_most.sub(" ", text)))
        if amount is not None and self._weekly.search(text):
            amount = amount / Decimal(_DAYS)
        food = self._names.get(what) or self._inside(what)
        if found is not None and unit is None:
            unit = self._count(found[2], what, food)
        daily = Quantity(amount, unit) if amount is not None and unit and self._units.dimension(unit) != _TIME else None
        left = () if what in self._names else self._left(_without_amount(rest, found), food)
        return Taken(food, daily, printable(text), denied, left)

    def _count(self, after: str, what: str, food: str | None) -> str | None:
        """The unit of which each one is that is counted: by the word after the number, or before it ("beer, 2 a day")."""
        each = self._counted.get(food or "", {})
        if fold(after) in each:
            return each[fold(after)]
        if not self._around.fullmatch(after):
            return None
        return next((unit for word, unit in each.items() if f" {word} " in f" {what} "), None)

    def _left(self, text: str, food: str | None) -> tuple[str, ...]:
        """The words of a text, without its amount, that name neither this food nor how, when or how often it is taken."""
        text = _SINCE.sub(" ", text) if self._denied.search(text) else text
        text = _YEAR.sub(" ", self._at_most.sub(" ", self._denied.sub(" ", self._aside.sub(" ", text))))
        padded = f" {fold(text)} "
        for name in sorted((n for n, i in self._names.items() if i == food), key=len, reverse=True):
            padded = padded.replace(f" {name} ", "  ")
        return tuple(w for w in padded.split() if w not in self._idle and not self._around.fullmatch(w))

    def _inside(self, text: str) -> str | None:
        """A food whose name stands in what was said ("a glass of grapefruit juice"); the longest name counts."""
        padded = f" {text} "
        found = [name for name in self._names if f" {name} " in padded]
        return self._names[max(found, key=len)] if found else None


def _without_amount(text: str, found: re.Match[str] | None) -> str:
    """The text without its first amount, be it a range; the words for what is counted stay."""
    if found is None or text[found.start() : found.end()] != found[0]:
        return text
    return f"{_FROM.sub(' ', text[: found.start()])} {text[found.end(1) :]}"
