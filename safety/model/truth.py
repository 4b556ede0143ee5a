"""Three-valued logic: true, false, or not known and what would settle it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

Truth: TypeAlias = bool | None


class Seen(Struct, frozen=True):
    """What a line came to: its truth, what the patient had, and what is needed where it is not known."""

    truth: Truth
    saw: str
    needs: tuple[str, ...] = ()


def all_of(parts: Iterable[Seen]) -> Seen:
    """False if one is false; else not known if one is not; else true."""
    kept: list[Seen] = []
    for part in parts:
        if part.truth is False:
            return part
        if part.saw or part.truth is None:
            kept.append(part)
    return _together(kept, True)


def any_of(parts: Iterable[Seen]) -> Seen:
    """True if one is true; else not known if one is not; else false."""
    kept: list[Seen] = []
    for part in parts:
        if part.truth is True:
            return part
        if part.saw or part.truth is None:
            kept.append(part)
    return _together(kept, False)


def _together(parts: list[Seen], known: bool) -> Seen:
    """What parts that do not decide by themselves come to: not known if one is not, else `known`."""
    if not parts:
        return _KNOWN[known]
    if len(parts) == 1:
        return parts[0]
    open_ = [part for part in parts if part.truth is None]
    needs = tuple(dict.fromkeys(need for part in open_ for need in part.needs))
    return Seen(None if open_ else known, "; ".join([part.saw for part in parts if part.saw]), needs)


_KNOWN = {truth: Seen(truth, "") for truth in (True, False)}
