"""The words people write and say, each list once: what a reader looks a word up in. Language only, nothing is judged by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeVar, cast

from msgspec import Struct

from safety.errors import KnowledgeError, Place, Problem

FOLDER = "kb/language"
T = TypeVar("T")


class WordList(Struct, frozen=True):
    """One list: its phrases in lower case (those of the lists it includes after its own), and what each means, if it says so.

    `odd`: phrases that would surprise a reader of the list, with why they stand there.
    """

    id: str
    title: str
    words: tuple[str, ...]
    meanings: dict[str, str]
    includes: tuple[str, ...] = ()
    odd: dict[str, str] = {}
    origin: str = ""
    place: str = ""


class Language(Struct, frozen=True, dict=True):
    """Every list of `kb/language/`, in order of id."""

    lists: tuple[WordList, ...] = ()

    def __iter__(self) -> Iterator[WordList]:
        return iter(self.lists)

    def words(self, name: str) -> tuple[str, ...]:
        """The phrases of `language.NAME`, in the order written. Raises KnowledgeError if there is no such list."""
        return self._list(name).words

    def meaning(self, name: str) -> dict[str, str]:
        """What each phrase of `language.NAME` means; phrases without a meaning are left out. Raises KnowledgeError."""
        return self._list(name).meanings

    def read(self, name: str, read: Callable[[str, str], T], expected: str) -> dict[str, T]:
        """What `read` makes of each phrase of `language.NAME` and its meaning.

        Raises KnowledgeError, saying what was `expected`, where `read` raises ValueError or the like.
        """
        each, found, problems = self._list(name), {}, []
        for phrase, meaning in each.meanings.items():
            try:
                found[phrase] = read(phrase, meaning)
            except (ValueError, ArithmeticError, LookupError):
                place = Place(each.place.partition(":")[0])
                problems.append(Problem(place, "K607", f"`{meaning}: {phrase}` is not {expected}"))
        if problems:
            raise KnowledgeError(problems)
        return found

    def made(self, make: Callable[[Language], T]) -> T:
        """What a reader makes of these lists: made at its first use, and the same for whoever asks again."""
        found = self._made.get(make)
        return cast(T, found if found is not None else self._made.setdefault(make, make(self)))

    def _list(self, name: str) -> WordList:
        found = self._by_name.get(name)
        if found is None:
            place = Place(f"{FOLDER}/{name}.yaml")
            raise KnowledgeError([Problem(place, "K024", "cannot be read", "text is read by the words that stand in it")])
        return found

    @cached_property
    def _made(self) -> dict[Callable[[Language], Any], Any]:
        return {}

    @cached_property
    def _by_name(self) -> dict[str, WordList]:
        return {each.id.partition(".")[2]: each for each in self.lists}
