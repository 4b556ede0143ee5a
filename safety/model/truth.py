"""Three-valued logic: true, false, or not known and what would settle it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec import Struct

Truth: TypeAlias = bool | None
Telling: TypeAlias = str | tuple[Any, ...]
"""What the patient had: a text, or a function with its arguments that tells it. Most of it is never read, so it is put
into words only when it is."""


class Seen(Struct, frozen=True):
    """What a line came to: its truth, what the patient had, and what is needed where it is not known."""

    truth: Truth
    telling: Telling = ""
    needs: tuple[str, ...] = ()

    @property
    def saw(self) -> str:
        """What the patient had, in words."""
        return in_words(self.telling)


def in_words(telling: Telling) -> str:
    """A telling as text."""
    return telling if isinstance(telling, str) else telling[0](*telling[1:])


def all_of(parts: Iterable[Seen]) -> Seen:
    """False if one is false; else not known if one is not; else true."""
    kept: list[Seen] = []
    for part in parts:
        if part.truth is False:
            return part
        if part.telling or part.truth is None:
            kept.append(part)
    return _together(kept, True)


def any_of(parts: Iterable[Seen]) -> Seen:
    """True if one is true; else not known if one is not; else false."""
    kept: list[Seen] = []
    for part in parts:
        if part.truth is True:
            return part
        if part.telling or part.truth is None:
            kept.append(part)
    return _together(kept, False)


def _together(parts: list[Seen], known: bool) -> Seen:
    """What parts that do not decide by themselves come to: not known if one is not, else `known`."""
    if not parts:
        return YES if known else NO
    if len(parts) == 1:
        return parts[0]
    needs: dict[str, None] = {}
    open_ = False
    for part in parts:
        if part.truth is None:
            open_ = True
            needs.update(dict.fromkeys(part.needs))
    return Seen(None if open_ else known, (joined, parts), tuple(needs))


def joined(parts: Iterable[Seen]) -> str:
    """What several parts saw, in their order."""
    return "; ".join([saw for part in parts if (saw := part.saw)])


YES = Seen(True)
NO = Seen(False)
