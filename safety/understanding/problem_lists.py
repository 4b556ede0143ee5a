"""Problem lists read before: the same lines say the same of everybody, but for what was asked of the patient while they were
read."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import date

from safety.model.patient import Age, Told
from safety.model.report import Unresolved
from safety.understanding.problems import Person, Problems, read_problems
from safety.understanding.terms import Terms

_MOST = 1 << 12


class ProblemLists:
    """Reads problem lists with a library's names, and remembers the last few; threads may share it."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._asks: dict[Hashable, frozenset[str]] = {}
        """By list and day: what has been asked of a patient so far while it was read."""
        self._read: dict[Hashable, tuple[Problems | None, tuple[Unresolved, ...]]] = {}

    def read(
        self, told: tuple[Told, ...] | None, day: date, unresolved: list[Unresolved], age: Age | None, taken: frozenset[str],
        sex: str | None,
    ) -> Problems | None:  # fmt: skip
        """What `read_problems` makes of a list."""
        person = Person(age, taken, sex)
        asks = self._asks.get((told, day), frozenset())
        known = self._read.get((told, day, person.told_of(asks)))
        if known is None:
            open_: list[Unresolved] = []
            known = read_problems(told, self._terms, day, open_, person), tuple(open_)
            self._keep(told, day, person, asks, known)
        unresolved += known[1]
        return known[0]

    def _keep(
        self, told: tuple[Told, ...] | None, day: date, person: Person, asks: frozenset[str],
        read: tuple[Problems | None, tuple[Unresolved, ...]],
    ) -> None:  # fmt: skip
        if len(self._read) >= _MOST:
            self._read, self._asks, asks = {}, {}, frozenset()
        asks = self._asks[(told, day)] = asks | person.asked
        self._read[(told, day, person.told_of(asks))] = read
