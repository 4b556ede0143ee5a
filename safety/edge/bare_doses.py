"""A new dose that is told by its number alone: "go up to 20", "so now it's 88", "they dropped the 40 to a 20".

A number counts only where it can be a dose of one of the medicines that were told, and of no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.language import Language
from safety.memory.subjects import Understanding
from safety.model.quantity import Quantity
from safety.reading.wording import any_of
from safety.text import lowered

_FAR, _MOST_AT_ONCE, _SMALL = 8, 4, 5
"""So many times the dose before, or a part of it, is another dose of it; so many tablets are taken at once; a smaller number
may count anything."""


class Dosed(Struct, frozen=True):
    """A medicine that is taken and the dose that was told of it last; None where none was."""

    name: str
    dose: Quantity | None


class Change(Struct, frozen=True, order=True):
    """Characters of a text that others stand for: from where to where, and which."""

    start: int
    end: int
    by: str


class BareDoses:
    """Finds new doses by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, understanding: Understanding) -> None:
        words = language.words
        self._understanding = understanding
        self._counts = language.meaning("numbers")
        article = rf"(?:{any_of(words('between-change-and-a-bare-dose'))}\s+)*"
        goes_on = any_of(words("goes-on-behind-a-bare-dose"))
        number = r"(?P<n>\d+(?:\.\d+)?)(?P<each>['’]?s\b)?(?![\w%/-]|\.\d)"
        self._new = re.compile(
            rf"(?<![\w'’-]){any_of(words('leads-to-a-new-dose'))}\s+{article}{number}(?=\s*(?:[.,;!]|\Z)|\s+{goes_on}\b)", re.I
        )
        self._told = re.compile(
            rf"(?<![\w-])(?:the|my|those|that)\s+{number}(?:['’]?s)?(?!\s*(?:mg|mcg|units?|ml|percent)\b)", re.I
        )
        self._clause = re.compile(rf"[,;.!?]\s|\b{any_of(words('begins-a-clause'))}\b", re.I)
        who = any_of(words("who-orders"))
        self._tested = re.compile(rf"\b{any_of([*words('tests-in-plans'), *words('measured-in-talk')])}\b(?!\s+{who})", re.I)
        taking = rf"\b{any_of(words('verbs-of-taking'))}\s+(?:{any_of(words('before-a-bare-count'))}\s+)?"
        self._count = re.compile(
            rf"{taking}(?P<n>\d(?:\.5)?|{any_of(self._counts)})"
            rf"(?=\s*(?:[.,;!]|\Z)|\s+(?:of\s+(?:them|those|these)|now|instead|at\s+a\s+time|at\s+once|together)\b)",
            re.I,
        )
        counted = any_of([*words("counted-beside-a-number"), *language.meaning("time-units"), *words("words-for-a-medicine")])
        mass = any_of(words("units-pointed-by"))
        self._any_number = re.compile(
            rf"(?<![\w$#.,/:-])(?<!\d )(?P<n>\d+(?:\.\d+)?)(?![\w%/:-]|\.\d|,\d)(?!\s*{counted}\b)"
            rf"(?:\s*(?P<unit>{mass})(?![\w/]))?",
            re.I,
        )
        self._no_dose = re.compile(
            rf"\b{any_of([*words('tests-in-plans'), *words('measured-in-talk'), *words('no-number-of-a-dose')])}\b", re.I
        )
        self._still_otherwise = re.compile(rf"\s*(?:{mass})?\s*,?\s+{any_of(words('but-still-otherwise'))}(?![\w-])", re.I)
        self._was = re.compile(rf"\s+{any_of(words('tells-of-a-dose-as-past'))}(?![\w-])", re.I)
        self._a_day = re.compile(r"\W*(?:of\s+(?:them|those|these)\s+)?(?:a|per|each|every)\s+day\b|\W*daily\b", re.I)

    def find(self, text: str, last: Sequence[Dosed], known: Sequence[Dosed]) -> Change | None:
        """The new dose that a text without a name tells. `last`: the medicines that were told of last; `known`: every one."""
        named = self._by_its_dose(text, known)
        every = ([named] if named is not None else [], last, known)
        for look in (self._in, self._anywhere):
            for some in every:
                found = list(look(text, some))
                if found:
                    return found[0][1] if len({name for name, _ in found}) == 1 else None
        return None

    def is_led_up_to(self, text: str, at: int) -> bool:
        """Whether words of a new dose stand before the number that ends at a place."""
        return any(hit.end("n") == at for hit in self._new.finditer(text))

    def _anywhere(self, text: str, some: Sequence[Dosed]) -> Iterator[tuple[str, Change]]:
        """A number that is no count, no time and no result, and a dose in which a medicine is sold, however it is led up to."""
        for hit in reversed([*self._any_number.finditer(text)]):
            number = Decimal(hit["n"])
            clause = self._begin(text, hit.start())
            if self._still_otherwise.match(text, hit.end()) is not None or self._was.match(text, hit.end()) is not None:
                continue
            if (number < _SMALL and not hit["unit"]) or self._no_dose.search(text, clause, hit.end()) is not None:
                continue
            for one in some:
                unit = self._unit(number, one) if one.dose is not None else ""
                if unit and (not hit["unit"] or (self._understanding.units.symbol(hit["unit"]) or hit["unit"]) == unit):
                    yield one.name, Change(hit.end(), hit.end(), f"{'' if hit['unit'] else f' {unit}'} of {one.name}")

    def of_named(self, text: str, one: Dosed, at: int) -> Change | None:
        """The unit behind the number of a new dose of a medicine that is named at a place; before that, with its name."""
        found = next((change for _, change in self._in(text, [one]) if change.start == change.end), None)
        if found is None:
            counted = next((change for _, change in self._counted(text, [one]) if change.start > at), None)
            return (
                replace(counted, by=counted.by.removesuffix(f" of {one.name}"))
                if counted is not None
                else self._bare_of(text, one, at)
            )
        return self._with_its_unit(found, one, at)

    def _bare_of(self, text: str, one: Dosed, at: int) -> Change | None:
        """The unit behind the only number behind a name that can be a dose of it."""
        bare = [change for _, change in self._anywhere(text, [one]) if change.start > at and not change.by.startswith(" of ")]
        return self._with_its_unit(bare[0], one, at) if len(bare) == 1 else None

    def _with_its_unit(self, found: Change, one: Dosed, at: int) -> Change:
        """A dose behind a name with nothing but its unit."""
        unit = found.by.strip().partition(" ")[0]
        return replace(found, by=f" {unit}") if found.start > at else found

    def _by_its_dose(self, text: str, known: Sequence[Dosed]) -> Dosed | None:
        """The one medicine that is named by the number of its dose: "the 40"."""
        numbers = {Decimal(hit["n"]) for hit in self._told.finditer(text)}
        meant = [one for one in known if one.dose is not None and one.dose.value in numbers]
        return meant[0] if len(meant) == 1 else None

    def _in(self, text: str, some: Sequence[Dosed]) -> Iterator[tuple[str, Change]]:
        for hit in reversed([*self._new.finditer(text)]):
            if self._tested.search(text, self._begin(text, hit.start()), hit.start()) is not None:
                continue
            if self._still_otherwise.match(text, hit.end("n")) is not None:
                continue  # "he told me 300, but I'm still finishing the 100s"
            for one in some:
                if unit := self._unit(Decimal(hit["n"]), one, led=True):
                    yield one.name, Change(hit.end("n"), hit.end("each" if hit["each"] else "n"), f" {unit} of {one.name}")
        yield from self._counted(text, some)

    def _begin(self, text: str, at: int) -> int:
        """Where the clause begins that a place stands in."""
        return max((stop.end() for stop in self._clause.finditer(text, 0, at)), default=0)

    def _unit(self, number: Decimal, one: Dosed, *, led: bool = False) -> str:
        """The unit in which a number can be a dose of a medicine: it is sold so, and not far from the dose before; else empty.

        `led`: words of a new dose lead to it, so that it may be made up of several tablets.
        """
        if one.dose is None:
            return self._understanding.unit_sold(one.name, number)
        share = number / one.dose.value if one.dose.value else Decimal(0)
        near = 1 / Decimal(_FAR) <= share <= _FAR
        told = Quantity(number, one.dose.unit)
        sold = self._understanding.is_sold(one.name, told) or (led and self._understanding.is_made_up(one.name, told))
        return one.dose.unit if near and sold else ""

    def _counted(self, text: str, some: Sequence[Dosed]) -> Iterator[tuple[str, Change]]:
        """So many of what is one tablet: "take three of them"."""
        hit = self._count.search(text)
        if hit is None or len(some) != 1 or self._a_day.match(text, hit.end()) is not None:
            return
        (one,) = some
        many = Fraction(self._counts.get(lowered(hit["n"]), hit["n"]))
        if one.dose is None or not 1 <= many <= _MOST_AT_ONCE or not self._understanding.is_sold(one.name, one.dose):
            return
        whole = Quantity(one.dose.value * many.numerator / many.denominator, one.dose.unit)
        yield one.name, Change(hit.start("n"), hit.end("n"), f"{whole} of {one.name}")
