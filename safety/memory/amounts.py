"""How much of an ordered medicine somebody tells to take, in the terms of the order: "18 of the Lantus", "4 teaspoons".

An order says in which unit a number is meant and what a spoonful holds; without it a number alone is nothing. What is told and
cannot be brought into those terms is said to be unread, so that nothing agrees by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.memory.record import Recorded
from safety.memory.statements import Statement
from safety.memory.subjects import Meant, Understanding, in_units_of_one
from safety.memory.values import Dose, Regimen, relation
from safety.model.patient import Medication
from safety.model.quantity import Quantity, QuantityRange, number
from safety.reading.directions.galenic import HELD_IN_ONE
from safety.text import fold

_BETWEEN, _FEW = 4, 10
"""So many words stand between a name and its number at most; so many pieces make up one dose at most."""
_OTHER_UNITS = {"mg": "mcg", "g": "mg"}
_YEARS = (1900, 2100)
_NAMELESS = "-"
_ONCE = (Fraction(1), Fraction(1))


class ToldAmount(Struct, frozen=True):
    """What is told, in the terms of one order; `unread`: an amount is told that could not be brought into them."""

    regimen: Regimen
    unread: bool = False


class Amounts:
    """Reads amounts by one library; made once, never changed."""

    def __init__(self, checker: Checker, understanding: Understanding) -> None:
        language = checker.library.language
        words = language.words
        self._understanding, self._plainly = understanding, checker.spoken.plainly
        self._own = frozenset(words("before-a-name-of-ones-own"))
        led = (*words("leads-to-a-bare-dose"), *words("between-a-name-and-a-bare-dose"), *words("between-change-and-a-bare-dose"))
        self._led = frozenset(phrase for phrase in led if " " not in phrase)
        counted = (*words("counted-beside-a-number"), *words("words-for-a-medicine"), *words("units-pointed-by"))
        self._counted = frozenset({*counted, *language.meaning("time-units"), *language.meaning("times-words")})

    def told(self, said: Statement, item: Recorded, order: Meant) -> ToldAmount:
        """What a statement tells of how an ordered medicine is taken."""
        if said.medicine is None:
            return ToldAmount(Regimen())
        told = self._often_alone(said.medicine, self._understanding.medicine(said.medicine).regimen)
        if told.dose is None and told.per_day is None:
            found = self._bare(said)
            if len(found) > 1:  # "the one allopurinol, a hundred"
                return ToldAmount(told, unread=any(self._dose_of(n, order, item) != order.regimen.dose for n in found))
            return ToldAmount(replace(told, dose=self._dose_of(min(found), order, item)) if found else told)
        if order.regimen.dose is None or told.dose is None or len(order.drugs) > 1:
            return ToldAmount(told)
        if self._comparable(order, told):
            return ToldAmount(told)
        spelled = " ".join(w for w in (item.text, said.medicine.dose, said.medicine.frequency) if w)
        meant = self._understanding.medicine(Medication(spelled, codes=item.codes)).regimen
        if meant.dose is not None and self._comparable(order, meant):
            return ToldAmount(replace(told, dose=meant.dose))
        alone = self._bare(said) if told.dose.amount[1].unit in HELD_IN_ONE else set()
        meant_alone = self._dose_of(min(alone), order, item) if len(alone) == 1 else None  # "4 of the Keppra", measured out
        return ToldAmount(replace(told, dose=meant_alone)) if meant_alone is not None else ToldAmount(told, unread=True)

    def _comparable(self, order: Meant, told: Regimen) -> bool:
        meant = in_units_of_one(replace(order, regimen=told), order.each).regimen.dose
        old = order.regimen.dose
        return meant is None or old is None or relation(old, meant, self._understanding.units) != "unlike"

    def _often_alone(self, told: Medication, read: Regimen) -> Regimen:
        """How often, where one of two ways only says that it is so on each day: "4 times a day, every day"."""
        parts = (told.frequency or "").split(", ")
        if read.often is not None or len(parts) < 2:
            return read
        meant = [self._understanding.medicine(replace(told, text=f"{told.drug} {p}", frequency=p)).regimen.often for p in parts]
        others = {o for o in meant if o is not None and (o.times != _ONCE or o.as_needed)}
        return replace(read, often=others.pop()) if len(others) == 1 and None not in meant else read

    # -------------------------------------------------------------- a number alone

    def _bare(self, said: Statement) -> set[Decimal]:
        """The numbers that stand beside the name as an amount does."""
        words = self._plainly.in_digits(said.value).text.split()
        return {n for a, b in self._named(said, words) for n in (*self._ahead(words, a), *self._behind(words, b))}

    def _named(self, said: Statement, words: list[str]) -> Iterator[tuple[int, int]]:
        """From where to where the medicine is named."""
        called = fold(said.name).split()
        for at in range(len(words)):
            if words[at : at + len(called)] == called:
                yield at, at + len(called)
            elif words[at].isalpha() and len(words[at]) > 2 and self._is_called(words[at], said):
                yield at, at + 1

    def _is_called(self, word: str, said: Statement) -> bool:
        if self._understanding.is_talk(word):
            return False
        return bool(said.drugs) and self._understanding.drugs_called(word) == said.drugs

    def _ahead(self, words: list[str], at: int) -> Iterator[Decimal]:
        """ "32 of the Lantus", "a hundred of levothyroxine", "the one allopurinol"."""
        at -= 1
        alone = number(words[at]) if at >= 0 else None
        if alone is not None and 0 < alone < _FEW and (at == 0 or number(words[at - 1]) is None):
            yield alone
        while at >= 0 and words[at] in self._own:
            at -= 1
        if at > 0 and words[at] == "of" and (found := number(words[at - 1])) is not None:
            yield found

    def _behind(self, words: list[str], at: int) -> Iterator[Decimal]:
        """ "bumped the metoprolol to 50", "the thyroid pill is the 50"."""
        for n, word in enumerate(words[at : at + _BETWEEN + 1]):
            found = number(word)
            if found is None and word in self._led:
                continue
            following = words[at + n + 1 : at + n + 2]
            is_year = found is not None and _YEARS[0] <= found < _YEARS[1] and "to" not in words[at : at + n]
            if found is not None and not is_year and not self._counted.intersection(following):
                yield found
            return

    def _dose_of(self, found: Decimal, order: Meant, item: Recorded) -> Dose | None:
        """The dose that a number alone is beside an order: as ordered where it is that number in any way; else so many of what
        the order counts in, or so much of its unit."""
        dose = order.regimen.dose
        if dose is None or not found or len(order.drugs) > 1:
            return None
        counted = self._counted_as(item)
        ways = [*self._ways(dose, order.each), *(q.value for q in (counted or ()))]
        if found in ways:
            return dose
        if counted is not None and counted[1].value and (found < _FEW or counted[1].unit not in HELD_IN_ONE):
            low, high = (Quantity(q.value * found / counted[1].value, q.unit) for q in dose.amount)
            return Dose((low, high))
        unit = dose.amount[1].unit
        finer = _OTHER_UNITS.get(unit)
        unit = finer if finer is not None and dose.amount[1].value < 1 <= found else unit
        return Dose((Quantity(found, unit), Quantity(found, unit)))

    def _counted_as(self, item: Recorded) -> QuantityRange | None:
        """One dose as the directions of an order count it: tablets, units, millilitres."""
        sig = item.medicine.sig if item.medicine is not None else None
        dose = self._understanding.medicine(Medication(sig, drug=_NAMELESS, sig=sig)).regimen.dose if sig else None
        return dose.amount if dose is not None else None

    def _ways(self, dose: Dose, each: Quantity | None) -> Iterator[Decimal]:
        """The numbers by which an order may be told: those of a dose and of one piece, and each in the next smaller unit."""
        for q in (*dose.amount, *((each,) if each is not None else ())):
            yield q.value
            finer = _OTHER_UNITS.get(q.unit)
            value = self._understanding.units.convert(q, finer) if finer is not None else None
            if value is not None:
                yield value
