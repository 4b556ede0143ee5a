"""A question about when a test is to be measured: "is my potassium due?", "when should I have my next INR?"."""

from __future__ import annotations

import re

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.results.scan import Scanner
from safety.reading.wording import any_of

_WORD = re.compile(r"[A-Za-z0-9][^\s,;?]*")


class AskedWhen(Struct, frozen=True):
    """The tests that are asked about, in the order named; `all`: the tests altogether, of which none is named."""

    named: tuple[str, ...]
    all: bool = False

    @property
    def tests(self) -> frozenset[str]:
        """The tests that are asked about, by id."""
        return frozenset(self.named)


class WhenAsked:
    """Reads such questions, by the lists of one language."""

    def __init__(self, language: Language, scanner: Scanner) -> None:
        self._meant = language.meaning("asks-when-due")
        self._pattern = re.compile(rf"\b{any_of(self._meant)}(?!\w)", re.I)
        self._scanner = scanner

    def read(self, text: str) -> AskedWhen | None:
        """What is asked; None where it is not asked when anything is to be measured, or of no test."""
        said = {self._meant[" ".join(found[0].lower().split())] for found in self._pattern.finditer(text)}
        if "asks" not in said:
            return None
        named = self._named(text)
        return AskedWhen(named) if named else AskedWhen((), True) if "all" in said else None

    def _named(self, text: str) -> tuple[str, ...]:
        found: list[str] = []
        at = 0
        for word in _WORD.finditer(text):
            if word.start() < at:
                continue
            test, panel = self._scanner.test(text, word.start()), self._scanner.panel(text, word.start())
            if test is not None and test[0]:
                found.append(test[0])
                at = test[1]
            elif panel is not None:
                found += panel[0].parts
                at = panel[1]
        return tuple(dict.fromkeys(found))
