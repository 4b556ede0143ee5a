"""Directions told in numbers and codes → the same in the units of the library; a unit that is not known leaves it unclear."""

from __future__ import annotations

from decimal import Decimal

from msgspec.structs import replace

from safety.model.directions import ONE_DOSE, Directions
from safety.model.quantity import Quantity, QuantityRange, plain
from safety.reading.directions.fields import add_dose, add_strength
from safety.reading.directions.sig import read_tokens
from safety.reading.directions.tokens import NUMBER, Tokens, tokens_of
from safety.reading.directions.words import Lexicon

_NOTHING = Directions("")


def settled(told: Directions, lex: Lexicon) -> Directions:
    """What was told in structure, each unit as the library writes it; what is not understood is unread, and its part unclear.

    The words of a unit may tell a form or a route, too: one "spray", one "tablet by mouth".
    """
    found = _strength(told, lex)
    amounts = _Amounts(lex)
    dose, per_day = amounts.range(told.dose), amounts.range(told.per_day)
    steps = [replace(step, dose=amounts.range(step.dose), per_day=amounts.range(step.per_day)) for step in told.steps]
    return replace(
        told,
        strength=found.strength,
        strength_per=found.strength_per,
        dose=dose,
        number=amounts.number if dose is None else None,
        per_day=per_day,
        day_max=amounts.one(told.day_max),
        form=told.form or found.form or amounts.form,
        route=told.route or amounts.route,
        steps=() if amounts.unread else tuple(steps),
        unread=told.unread + found.unread + tuple(amounts.unread),
        unclear=told.unclear | found.unclear | (frozenset({"dose"}) if amounts.unread or amounts.number else frozenset()),
    )


def settled_amount(told: Quantity, lex: Lexicon) -> Quantity | None:
    """An amount in the unit of the library; None where its unit is not known."""
    return _Amounts(lex).one(told)


class _Amounts:
    """Puts amounts into the units of the library, and notes what their units tell besides, and what was not understood."""

    def __init__(self, lex: Lexicon) -> None:
        self.lex = lex
        self.unread: list[str] = []
        self.number: tuple[Decimal, Decimal] | None = None
        self.form: str | None = None
        self.route: str | None = None

    def range(self, told: QuantityRange | None) -> QuantityRange | None:
        """Both ends, in the unit of the higher one."""
        if told is None:
            return None
        low, high = told
        if high.unit == ONE_DOSE:
            return Quantity(low.value, ""), Quantity(high.value, "")
        read = add_dose(_NOTHING, _read(self.lex, high))
        self.form, self.route = self.form or read.form, self.route or read.route
        if read.dose is not None and read.dose[1].value == high.value:
            return Quantity(low.value, read.dose[1].unit), read.dose[1]
        if read.number:
            self.number = low.value, high.value
        else:
            self.unread.append(str(high))
        return None

    def one(self, told: Quantity | None) -> Quantity | None:
        """A single amount; so many doses, or so many of what is counted, are left as they are."""
        if told is None or told.unit in ("", ONE_DOSE):
            return told
        found = self.range((told, told))
        return found[1] if found else None


def _strength(told: Directions, lex: Lexicon) -> Directions:
    """What one holds, or so much of it."""
    if told.strength is None:
        return _NOTHING
    return add_strength(_NOTHING, _read(lex, *filter(None, (told.strength, told.strength_per))))


def _read(lex: Lexicon, *amounts: Quantity) -> Directions:
    """An amount as the reader of texts knows its unit; of two, the first is held in the second."""
    tokens = Tokens()
    for n, amount in enumerate(amounts):
        if n:
            tokens.add("/", "/")
        tokens.add(NUMBER, plain(amount.value), (amount.value, amount.value))
        words = tokens_of(amount.unit, lex)
        for word, raw, num in zip(words.words, words.raws, words.nums, strict=True):
            tokens.add(word, raw, num)
    return read_tokens(tokens, lex)
