"""So many of what one tablet holds, as the amount that it comes to: "two of the 500s", "500, two of them", "20 of Lexapro"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from safety.edge.bare_doses import Change
from safety.edge.pointing import Heard, Spelled, with_changes
from safety.edge.stating import Stater
from safety.edge.stretches import Stretches
from safety.knowledge.language import Language
from safety.memory.events import Event
from safety.model.quantity import Quantity
from safety.reading.wording import any_of
from safety.text import lowered

_MOST = 8
"""So many tablets are taken at once at most."""


class Counting:
    """Works amounts out by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, stater: Stater) -> None:
        self._stater, self._numbers, self._stretches = stater, language.meaning("numbers"), Stretches(language)
        words = language.words
        of, these, again, so = (_of_kind(language, kind) for kind in ("of", "these", "again", "taken so"))
        n, m = rf"(?P<n>\d|{any_of(self._numbers)})", r"(?P<m>\d+(?:\.\d+)?)"
        pieces = any_of([*words("words-for-a-medicine"), *language.meaning("forms-in-plural")])
        them = any_of(words("points-to-all"))
        self._of_the = re.compile(
            rf"(?<![\w.-]){n}\s+{of}\s+(?:{any_of(words('mine'))}|{these})\s+(?:[a-z]+\s+)?{m}(?:['’]?s(?!\w)|\s+{pieces}(?![\w-]))",
            re.I,
        )
        self._plain = re.compile(rf"(?<![\w.-]){n}\s+{m}['’]?s(?!\w)(?:\s+{of}(?=\s))?", re.I)
        self._of_them = re.compile(rf"(?<![\w.-]){m}\s*,\s+{n}\s+{of}\s+{them}(?![\w-])", re.I)
        self._amount = re.compile(rf"\d\s*(?:{any_of(words('units-pointed-by'))})(?![\w-])", re.I)
        self._of_name = re.compile(rf"(?<![\w.-]){m}\s+{of}\s+(?:{any_of(words('mine'))}\s+)?\Z", re.I)
        self._has_of = re.compile(rf"\s{of}\s", re.I)
        self._before, self._behind = rf"(?<!\w){again}\s+", rf"(?=\s+{so}(?!\w))"

    def spelled(self, text: str, earlier: Sequence[Event]) -> Spelled:
        """The text with what its counts come to, in the unit in which the medicine that is meant is sold."""
        hits = [hit for shape in (self._of_the, self._of_them, self._plain) for hit in shape.finditer(text)]
        if not hits and self._has_of.search(text) is None:
            return Spelled(text)
        heard = self._stater.heard_in(text)
        changes: list[Change] = []
        for a, b, name, place in self._parts(text, heard, earlier):
            changes += self._counted(text, [hit for hit in hits if a <= hit.start() < b], name)
            changes += self._named(text, a, b, name, place)
        return with_changes(text, changes)

    def _parts(self, text: str, heard: Heard, earlier: Sequence[Event]) -> Iterator[tuple[int, int, str, int]]:
        """The parts of a text by the medicine that they tell of, and where it is named; without a name, the one told last."""
        if not heard.drugs:
            told = [e.medicine for e in earlier if e.medicine is not None and not e.among]
            name = self._name(frozenset(self._stater.understanding.medicine(told[-1]).drugs)) if told else ""
            yield 0, len(text), name, 0
        for (a, b), place, drugs in zip(self._stretches.each(text, heard.spans()), heard.places, heard.drugs, strict=False):
            yield a, b, self._name(drugs), place

    def _counted(self, text: str, hits: Sequence[re.Match[str]], name: str) -> Iterator[Change]:
        for hit in hits if name else ():
            many, each = Fraction(self._numbers.get(lowered(hit["n"]), hit["n"])), Decimal(hit["m"])
            unit = self._stater.understanding.unit_sold(name, each)
            if unit and 1 <= many <= _MOST:
                whole = Quantity(each * many.numerator / many.denominator, unit)
                yield Change(hit.start(), hit.end(), str(whole))
                again = re.compile(rf"{self._before}(?P<n>{re.escape(hit['n'])}){self._behind}", re.I)
                yield from (Change(*more.span("n"), str(whole)) for more in again.finditer(text, hit.end()))

    def _named(self, text: str, start: int, end: int, name: str, place: int) -> Iterator[Change]:
        """The unit between a number alone and the name of a medicine, "20 of Lexapro"."""
        hit = self._of_name.search(text[start:place]) if name else None
        unit = self._stater.understanding.unit_sold(name, Decimal(hit["m"])) if hit is not None else ""
        if hit is not None and unit and self._amount.search(text, place, end) is None:
            yield Change(start + hit.end("m"), start + hit.end("m"), f" {unit}")

    def _name(self, drugs: frozenset[str]) -> str:
        return self._stater.name_of(next(iter(drugs))) if len(drugs) == 1 else ""


def _of_kind(language: Language, kind: str) -> str:
    """A pattern for the small words of one kind."""
    return any_of(word for word, what in language.meaning("counting-tablets").items() if what == kind)
