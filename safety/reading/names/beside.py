"""What stands beside a name that was not written as any is: the strength, form or route tells which of the names it may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from safety.knowledge.library import Library
from safety.model.directions import KINDS_OF_PARENTERAL, PARENTERAL
from safety.model.quantity import Quantity, number
from safety.reading.directions.galenic import MOST_BARE_UNITS

_COUNTS = tuple(Decimal(n) / 2 for n in (1, 2, 3, 4, 5, 6, 8))
"""So many of one strength are taken at a time: half a tablet to four."""
_HALF = Decimal("0.5")
_LONGEST_PHRASE = 3
_SMALLER = "mcg"


class Beside(Struct, frozen=True):
    """What stands after a name: an amount, a number without a unit, forms that tell something, routes; each may be missing."""

    amount: Quantity | None = None
    number: Decimal | None = None
    forms: frozenset[str] = frozenset()
    routes: frozenset[str] = frozenset()


class Sold:
    """How the medicines of one library are sold, asked for a medicine at a time."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._units = library.units
        loosely = frozenset(library.language.words("swallowed-forms"))
        forms = library.language.meaning("forms")
        self._forms = {said: form for said, form in forms.items() if form not in loosely}
        self._releases = frozenset(library.language.meaning("release"))
        self._routes = library.language.meaning("routes")

    def beside(self, after: Sequence[str]) -> Beside:
        """What the words after a name tell of it (numbers and words, no signs)."""
        at = next((n for n, word in enumerate(after) if word[0].isdigit()), None)
        value = number(after[at]) if at is not None else None
        unit = self._units.symbol(after[at + 1]) if at is not None and at + 1 < len(after) else None
        amount, alone = None, None
        if value is not None and unit is not None and self._units.dimension(unit) == "mass":
            per = self._units.symbol(after[at + 2]) if at is not None and at + 2 < len(after) else None
            amount = None if per is not None else Quantity(value, unit)
        elif value is not None and unit is None and (len(after) == 1 or value > MOST_BARE_UNITS or value % _HALF):
            alone = value if self._all_forms(after[:at]) else None
        return Beside(amount, alone, frozenset(_said(after, self._forms)), frozenset(_said(after, self._routes)))

    def _all_forms(self, words: Sequence[str]) -> bool:
        """Whether nothing but its form stands before a number: "bup XL 300"."""
        return all(word in self._forms or word in self._releases for word in words)

    def so(self, target: str, drugs: Sequence[str], told: Beside) -> bool | None:
        """Whether a medicine is sold as told: in that very strength or form, or in none near it; None if that says nothing."""
        answers = [self._in_strength(target, drugs, told), self._in_form(target, drugs, told), self._by_route(drugs, told)]
        if False in answers:
            return False
        return True if True in answers else None

    def _in_strength(self, target: str, drugs: Sequence[str], told: Beside) -> bool | None:
        asked = told.amount.value if told.amount is not None else told.number
        if asked is None:
            return None
        units = {told.amount.unit} if told.amount is not None else self._told_in(target, drugs)
        sold = {v for q in self._strengths(target, drugs) for u in units if (v := self._units.convert(q, u)) is not None}
        if not sold:
            return None
        if asked in sold:
            return True
        if not told.routes.isdisjoint(KINDS_OF_PARENTERAL):
            return None  # what is injected is drawn up: any part of a vial
        return None if any(one * count == asked for one in sold for count in _COUNTS) else False

    def _told_in(self, target: str, drugs: Sequence[str]) -> set[str]:
        """In which units a number alone may be a strength: as it is sold, and in micrograms where it is sold in parts of a
        milligram ("levo 88")."""
        sold = list(self._strengths(target, drugs))
        return {q.unit for q in sold} | {_SMALLER for q in sold if (mg := self._units.convert(q, "mg")) is not None and mg < 1}

    def _in_form(self, target: str, drugs: Sequence[str], told: Beside) -> bool | None:
        product = self._library.product.get(target)
        known = self._library.drug.get(drugs[0]) if len(drugs) == 1 else None
        forms = [p.form for p in product.presentations if p.form] if product else list(known.forms) if known else []
        if not told.forms or not forms:
            return None
        return any(form in sold for form in told.forms for sold in forms)

    def _by_route(self, drugs: Sequence[str], told: Beside) -> bool | None:
        """A route that a medicine is taken by says nothing for it: nearly all are swallowed."""
        known = self._library.drug.get(drugs[0]) if len(drugs) == 1 else None
        by = {PARENTERAL if route in KINDS_OF_PARENTERAL else route for route in told.routes}
        return False if known and known.routes and by and by.isdisjoint(known.routes) else None

    def _strengths(self, target: str, drugs: Sequence[str]) -> Iterator[Quantity]:
        product = self._library.product.get(target)
        known = self._library.drug.get(drugs[0]) if len(drugs) == 1 else None
        yield from (q for q in (known.strengths if known else ()) if self._units.dimension(q.unit) == "mass")
        for p in product.presentations if product else ():
            yield from (c.amount for c in p.contents if c.amount is not None)


def _said(words: Sequence[str], meanings: Mapping[str, str]) -> Iterator[str]:
    """What the phrases in a run of words mean."""
    for first in range(len(words)):
        for end in range(first + 1, min(first + _LONGEST_PHRASE, len(words)) + 1):
            meaning = meanings.get(" ".join(words[first:end]))
            if meaning is not None:
                yield meaning
