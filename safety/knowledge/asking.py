"""Who asks about whom while knowledge is compiled: the record by which only what depends on a change is compiled again.

Compiling an entry reads its own file and asks about others: is this drug known, who are the members of that class. Each
question is noted with its answer; while all its answers stay what they were, an entry stays what it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, MutableSet
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")

Question = tuple[str, str, str]
"""Of which group, about which id, and what: see the constants."""
IS, WHOSE, STANDING, WHAT, ALL = "is", "whose", "standing", "what", "all"
"""Whether there is one; whose it is (a site's overlay, or ours: empty); whether it is in use; what it says; which there are."""
MADE = "made"
"""The group of what was compiled."""


class Asking:
    """Notes questions with their answers for the piece that is being compiled; outside of one, nothing is noted."""

    def __init__(self) -> None:
        self._open: list[dict[Question, str]] = []

    @contextmanager
    def noting(self) -> Iterator[dict[Question, str]]:
        """Everything that is asked inside, and not inside a piece within it."""
        asked: dict[Question, str] = {}
        self._open.append(asked)
        try:
            yield asked
        finally:
            self._open.pop()

    def note(self, question: Question, answer: Callable[[], str]) -> None:
        """Note a question of the piece that is being compiled."""
        if self._open and question not in self._open[-1]:
            self._open[-1][question] = answer()


class Watched(MutableMapping[str, T], Generic[T]):
    """Values by id; whoever looks something up here while being compiled has asked about it."""

    def __init__(
        self, name: str, asking: Asking, said: Callable[[T], str], whose: Callable[[T], str] = lambda _: "",
        standing: Callable[[T], str] = lambda _: "",
    ) -> None:  # fmt: skip
        self.name = name
        self._asking = asking
        self._answers = {IS: lambda _: "yes", WHOSE: whose, STANDING: standing, WHAT: said}
        self._held: dict[str, T] = {}

    def answer(self, i: str, aspect: str) -> str:
        """The answer to a question as it is now."""
        if aspect == ALL:
            return digest(sorted(self._held))
        if i not in self._held:
            return ""
        return self._answers[aspect](self._held[i])

    def as_it_stands(self) -> Mapping[str, T]:
        """All that is held, in its order; to be put back where it was."""
        return dict(self._held)

    def put_back(self, held: Mapping[str, T]) -> None:
        """Hold again what was held."""
        self._held = dict(held)

    def peek(self, i: str) -> T | None:
        """Looked up without asking; for what is asked about in another way."""
        return self._held.get(i)

    def whose(self, i: str) -> str:
        """Whose it is; empty if it is ours, or not there."""
        self._asking.note((self.name, i, WHOSE), lambda: self.answer(i, WHOSE))
        return self.answer(i, WHOSE)

    def standing(self, i: str) -> str:
        """Whether it is a draft, active or retired; empty if it says nothing of that, or is not there."""
        self._asking.note((self.name, i, STANDING), lambda: self.answer(i, STANDING))
        return self.answer(i, STANDING)

    def __contains__(self, i: object) -> bool:
        if isinstance(i, str):
            self._asking.note((self.name, i, IS), lambda: self.answer(i, IS))
        return i in self._held

    def __getitem__(self, i: str) -> T:
        self._asking.note((self.name, i, WHAT), lambda: self.answer(i, WHAT))
        return self._held[i]

    def __iter__(self) -> Iterator[str]:
        self._asking.note((self.name, "", ALL), lambda: self.answer("", ALL))
        return iter(self._held)

    def __len__(self) -> int:
        self._asking.note((self.name, "", ALL), lambda: self.answer("", ALL))
        return len(self._held)

    def __setitem__(self, i: str, value: T) -> None:
        self._held[i] = value

    def __delitem__(self, i: str) -> None:
        del self._held[i]


class WatchedSet(MutableSet[str]):
    """Ids; whoever looks one up here while being compiled has asked about it."""

    def __init__(self, name: str, asking: Asking) -> None:
        self.name = name
        self._held: Watched[bool] = Watched(name, asking, lambda _: "")

    def answer(self, i: str, aspect: str) -> str:
        """The answer to a question as it is now."""
        return self._held.answer(i, aspect)

    def __contains__(self, i: object) -> bool:
        return i in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def add(self, value: str) -> None:
        """Take an id in."""
        self._held[value] = True

    def discard(self, value: str) -> None:
        """Take an id out, if it is there."""
        self._held.pop(value, None)


def digest(parts: Iterable[str | bytes]) -> str:
    """A short digest of texts in their order."""
    whole = hashlib.blake2b(digest_size=12)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()
