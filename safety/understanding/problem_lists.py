"""Problem lists read before: the same lines say the same of everybody, but for what was asked of the patient while they were
read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from datetime import date
from typing import Generic, TypeAlias, TypeVar

from safety.model.patient import Age, Told
from safety.model.report import Unresolved

Read = TypeVar("Read")

_MOST = 1 << 12
_Lines: TypeAlias = tuple[Told, ...] | None


class Person:
    """The patient of a problem list, as far as its lines may mean other things of others; `asked`: what was asked so far."""

    def __init__(
        self, age: Age | None = None, taken: frozenset[str] = frozenset(), sex: str | None = None, *, lists_medicines: bool = True
    ) -> None:
        self._told = {"age": age, "taken": taken, "sex": sex, "lists_medicines": lists_medicines}
        self.asked: frozenset[str] = frozenset()

    @property
    def age(self) -> Age | None:
        """On the day that is judged."""
        return self._ask("age")  # type: ignore[return-value]

    @property
    def taken(self) -> frozenset[str]:
        """The ingredients that are taken or proposed."""
        return self._ask("taken")  # type: ignore[return-value]

    @property
    def lists_medicines(self) -> bool:
        """Whether there is a list of what is taken, be it empty."""
        return self._ask("lists_medicines")  # type: ignore[return-value]

    @property
    def sex(self) -> str | None:
        """As told."""
        return self._ask("sex")  # type: ignore[return-value]

    def told_of(self, facts: Iterable[str]) -> tuple[tuple[str, object], ...]:
        """What these facts are, without asking."""
        return tuple([(fact, self._told[fact]) for fact in sorted(facts)])

    def _ask(self, fact: str) -> object:
        self.asked |= {fact}
        return self._told[fact]


class ProblemLists(Generic[Read]):
    """Remembers the last few lists; threads may share it."""

    def __init__(self) -> None:
        self._asks: dict[Hashable, frozenset[str]] = {}
        """By list and day: what has been asked of a patient so far while it was read."""
        self._read: dict[Hashable, tuple[Read, tuple[Unresolved, ...]]] = {}

    def read(
        self, told: _Lines, day: date, unresolved: list[Unresolved], person: Person,
        reading: Callable[[list[Unresolved], Person], Read],
    ) -> Read:  # fmt: skip
        """What `reading` makes of a list, as it was for somebody of whom the same is told of all that was asked."""
        asks = self._asks.get((told, day), frozenset())
        known = self._read.get((told, day, person.told_of(asks)))
        if known is None:
            open_: list[Unresolved] = []
            known = reading(open_, person), tuple(open_)
            if len(self._read) >= _MOST:
                self._read, self._asks, asks = {}, {}, frozenset()
            asks = self._asks[(told, day)] = asks | person.asked
            self._read[(told, day, person.told_of(asks))] = known
        unresolved += known[1]
        return known[0]
