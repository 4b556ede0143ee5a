"""Vaccines as told, on whichever list → which medicine each is, given or to be given, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Literal

from msgspec import Struct

from safety.knowledge.library import Library
from safety.model.patient import Vaccine
from safety.model.position import Position
from safety.model.report import Unresolved
from safety.reading.problems.dates import Dates
from safety.text import fold, printable
from safety.understanding.happened import Happening, HappeningReader

_WHICH = "Which vaccine is meant? No rule looked at it: if it is a live one, please judge it by hand."
_LEFT = "What is meant by {words}? It stands beside a vaccine and was not read."


class KnownVaccine(Struct, frozen=True):
    """A vaccine: the medicines of ours that it is (none: no rule asks about it), given or planned, and its day if told."""

    drugs: tuple[str, ...]
    status: Literal["done", "planned"]
    on: date | None
    text: str
    where: Position
    between: tuple[int, int] | None = None

    def counts(self, day: date, days: int) -> bool:
        """Whether it is still to come, or was given no more than so many days before."""
        ago = (day - self.on).days if self.on is not None else self.between[0] if self.between is not None else None
        return self.status == "planned" or (ago is not None and ago <= days)


class VaccineReader:
    """Reads vaccines with a library's names; immutable."""

    def __init__(self, library: Library, dates: Dates) -> None:
        meanings = library.language.meaning("vaccines")
        self._drugs = {fold(name): drug for name, drug in meanings.items()}
        self._words = frozenset(map(fold, library.language.words("vaccine-words")))
        self._none = frozenset(map(fold, library.language.words("none-listed")))
        self._known = library.drug
        self._reader = HappeningReader(library.language, dates, meanings, ())

    def told(self, told: Iterable[Vaccine], day: date, unresolved: list[Unresolved]) -> list[KnownVaccine]:
        """Those of the list of vaccines; one that is not recognised, or not whole, is asked about."""
        found: list[KnownVaccine] = []
        for n, one in enumerate(told):
            where, text = Position("vaccines", n), printable(one.text)
            if fold(text) in self._none:
                continue
            names = dict.fromkeys((one.text, *(c.display for c in one.codes if c.display)))
            read = [self._reader.read(name, day) for name in names]
            best = next((r for r in read if r.names and not r.left), next((r for r in read if r.names), read[0]))
            if not best.names:
                unresolved.append(Unresolved(text, where, "unrecognised", [], _WHICH))
                continue
            if best.left and not one.codes:
                words = ", ".join(f"`{printable(w)}`" for w in best.left)
                unresolved.append(Unresolved(text, where, "unread", [], _LEFT.format(words=words)))
            found += self._known_of(best, text, where, day, one)
        return found

    def elsewhere(self, text: str, where: Position, day: date, otherwise: Callable[[str], bool]) -> list[KnownVaccine] | None:
        """A line of another list that is about a vaccine and nothing else; None where it is not read whole.

        `otherwise`: whether a name means something else there (a disease): then a word has to say that a vaccine is meant.
        """
        if not self._words.intersection(words := fold(text).split()) and not any(w in self._drugs for w in words):
            return None
        read = self._reader.read(text, day)
        if not read.names or read.left:
            return None
        if not self._words.intersection(words) and any(otherwise(name) for name in read.names):
            return None
        return self._known_of(read, printable(text), where, day)

    def _known_of(
        self, read: Happening, text: str, where: Position, day: date, told: Vaccine | None = None
    ) -> list[KnownVaccine]:  # fmt: skip
        if read.denied:
            return []
        on = told.on if told is not None and told.on is not None else read.on
        planned = (
            told.status == "planned" if told is not None and told.status else read.planned(day) or (on is not None and on > day)
        )
        drugs = tuple(dict.fromkeys(d for name in read.names if (d := self._drugs[name]) in self._known))
        return [KnownVaccine(drugs, "planned" if planned else "done", on, text, where, read.between)]
