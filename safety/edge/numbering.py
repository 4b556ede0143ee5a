"""Numbers that are said in words, as digits: "it's a hundred", "twenty-five for years"; the words stay where they stood."""

from __future__ import annotations

import re
from decimal import Decimal

from safety.edge.bare_doses import Change
from safety.edge.pointing import Spelled, with_changes
from safety.knowledge.language import Language
from safety.model.quantity import in_parts, number
from safety.reading.spoken.words import Plainly
from safety.reading.wording import any_of
from safety.text import lowered

_LEAST = Decimal(5)
"""A smaller whole number counts tablets, days or people, and is read as it stands."""


class Numbering:
    """Finds numbers in words by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, plainly: Plainly) -> None:
        self._numbers = plainly.numbers
        values = any_of([*self._numbers.values, *language.meaning("multiples")])
        self._run = re.compile(
            rf"(?<![\w-])(?:an?\s+(?={any_of(language.meaning('multiples'))}\b))?{values}"
            rf"(?:[\s-]+(?:and\s+(?:a\s+)?)?(?:{values}|half|point(?=\s)))*(?![\w-])", re.I,
        )  # fmt: skip

        self._and_half = re.compile(rf"(?<![\w.])(?P<n>\d+)\s+{any_of(language.words('and-a-half'))}(?![\w-])", re.I)
        self._parts = language.meaning("parts-of-a-milligram")
        self._part = re.compile(rf"(?<![\w-])(?P<part>{any_of(self._parts)})(?![\w-])", re.I)

    def in_digits(self, text: str) -> Spelled:
        """The text with its numbers in digits; what can be said two ways, and what is small, as it was said."""
        found = [one for hit in self._run.finditer(text) if (one := self._digits(hit)) is not None]
        halves = [Change(*hit.span(), f"{hit['n']}.5") for hit in self._and_half.finditer(text)]
        parts = [
            Change(*hit.span(), f"{self._parts[' '.join(lowered(hit['part']).split())]} mg") for hit in self._part.finditer(text)
        ]
        own = [one for one in found if not any(a.start < one.end and one.start < a.end for a in (*halves, *parts))]
        return with_changes(text, [*own, *halves, *parts])

    def _digits(self, hit: re.Match[str]) -> Change | None:
        words = lowered(hit[0]).replace("-", " ").split()
        if self._numbers.two_ways(words):
            return None
        read = self._numbers.as_digits(words)
        value = number(read[0]) if len(read) == 1 else None
        return Change(*hit.span(), read[0]) if value is not None and (value >= _LEAST or in_parts(value)) else None
