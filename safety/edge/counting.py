"""So many of what one tablet holds, as the amount that it comes to: "two of the 500s", "500, two of them", "20 of Lexapro"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from safety.edge.bare_doses import Change
from safety.edge.pointing import Heard, Spelled, with_changes
from safety.edge.stating import Stater
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
        self._stater, self._numbers = stater, language.meaning("numbers")
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
        return with_changes(text, [*self._counted(text, hits, heard, earlier), *self._named(text, heard)])

    def _counted(
        self, text: str, hits: Sequence[re.Match[str]], heard: Heard, earlier: Sequence[Event]
    ) -> Iterator[Change]:  # fmt: skip
        name = self._meant(heard, earlier)
        for hit in hits if name else ():
            many, each = Fraction(self._numbers.get(lowered(hit["n"]), hit["n"])), Decimal(hit["m"])
            unit = self._stater.understanding.unit_sold(name, each)
            if unit and 1 <= many <= _MOST:
                whole = Quantity(each * many.numerator / many.denominator, unit)
                yield Change(hit.start(), hit.end(), str(whole))
                again = re.compile(rf"{self._before}(?P<n>{re.escape(hit['n'])}){self._behind}", re.I)
                yield from (Change(*more.span("n"), str(whole)) for more in again.finditer(text, hit.end()))

    def _named(self, text: str, heard: Heard) -> Iterator[Change]:
        """The unit between a number alone and the name of the one medicine of a text, "20 of Lexapro"."""
        name = self._meant(heard, ())
        if not name or len(heard.places) != 1:
            return
        hit = self._of_name.search(text[: heard.places[0]])
        unit = self._stater.understanding.unit_sold(name, Decimal(hit["m"])) if hit is not None else ""
        if hit is not None and unit and self._amount.search(text, heard.places[0]) is None:
            yield Change(hit.end("m"), hit.end("m"), f" {unit}")

    def _meant(self, heard: Heard, earlier: Sequence[Event]) -> str:
        """The one medicine that a text names, else the one that was told last."""
        if heard.drugs:
            return self._name(heard.drugs[0]) if len(set(heard.drugs)) == 1 else ""
        told = [e.medicine for e in earlier if e.medicine is not None and not e.among]
        return self._name(frozenset(self._stater.understanding.medicine(told[-1]).drugs)) if told else ""

    def _name(self, drugs: frozenset[str]) -> str:
        return self._stater.name_of(next(iter(drugs))) if len(drugs) == 1 else ""


def _of_kind(language: Language, kind: str) -> str:
    """A pattern for the small words of one kind."""
    return any_of(word for word, what in language.meaning("counting-tablets").items() if what == kind)
