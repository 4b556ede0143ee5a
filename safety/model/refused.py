"""What stands in the place of a report where there could be none: the input was not a case, or we failed on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct

from safety.errors import Problem


class Slip(Struct, frozen=True):
    """One problem as plain text: where, its stable code, what is wrong, and a hint if there is one."""

    place: str
    code: str
    message: str
    hint: str


class Refused(Struct, frozen=True):
    """A case that was not checked: nothing is known of it, so it is never clear. `error`: every problem that was found.

    `ours`: not the caller's slip but a failure of the engine. It names no patient data.
    """

    report: int
    id: str | None
    verdict: Literal["unknown"]
    error: list[Slip]
    ours: bool | msgspec.UnsetType = msgspec.UNSET

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built

    def to_json(self) -> bytes:
        """The answer as JSON on one line."""
        return msgspec.json.encode(self)


def refused(problems: Iterable[Problem], id: str | None = None, *, ours: bool = False) -> Refused:
    """The answer to a case that could not be checked."""
    slips = [Slip(str(p.place), p.code, p.message, p.hint) for p in problems]
    return Refused(1, id, "unknown", slips, True if ours else msgspec.UNSET)
