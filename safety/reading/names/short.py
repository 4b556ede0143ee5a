"""What is written so short that it stands for several medicines, "pred", "CTX", "depo": which of them it may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from safety.knowledge.library import LookAlike
from safety.reading.names.words import NameWords
from safety.reading.wording import key_of

SHORT_FOR = "short-for"
"""The basis of a group whose members are all written by that one short form."""


class ShortForms:
    """The short forms of one library, each with what it may stand for."""

    def __init__(self, groups: Iterable[LookAlike], words: NameWords) -> None:
        short = {key_of(group.names[0]): group for group in groups if group.basis == SHORT_FOR}
        self._members = {said: group.members for said, group in short.items()}
        self._told: dict[str, list[tuple[str, str]]] = {}
        for said, group in short.items():
            each = zip(group.members, group.told, strict=True) if group.told else ()
            self._told[said] = [(member, f" {key_of(phrase)} ") for member, phrases in each for phrase in phrases]
        self._words = words

    def __contains__(self, word: object) -> bool:
        """Whether a word is such a short form."""
        return word in self._members

    def first(self, tokens: Sequence[str]) -> tuple[int, tuple[str, ...]] | None:
        """Where the first word that tells something stands, and what it may be short for; None where it is no short form, or the
        beginning of a name that was taken apart ("met formin")."""
        at = next((n for n, word in enumerate(tokens) if word not in self._words.lead_ins), None)
        members = self._members.get(tokens[at]) if at is not None else None
        if at is None or members is None:
            return None
        alone = all(word[0].isdigit() or word in self._words.known for word in tokens[at + 1 : at + 2])
        return (at, members) if alone else None

    def one_of(self, word: str) -> str:
        """The first of what a short form stands for."""
        return self._members[word][0]

    def told(self, word: str, beside: Sequence[str]) -> tuple[str, ...]:
        """The members that the words beside a short form tell of: "CTX 1 g IV q24h" is given every day."""
        said = f" {' '.join(beside)} "
        return tuple(dict.fromkeys(member for member, phrase in self._told.get(word, ()) if phrase in said))
