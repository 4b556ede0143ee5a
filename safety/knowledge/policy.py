"""The alert policy: whom a finding interrupts, line by line; a site may write its own."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Role = Literal["prescriber", "pharmacist", "patient"]
ROLES: tuple[Role, ...] = ("prescriber", "pharmacist", "patient")


class PolicyLine(Struct, frozen=True):
    """What a line is about (`None` or empty: anything) and whether it interrupts."""

    role: Role | None
    severities: tuple[str, ...]
    kinds: tuple[str, ...]
    tags: tuple[str, ...]
    escalations: tuple[str, ...]
    hard: bool | None
    about: Literal["plan", "existing"] | None
    interrupt: bool
    because: str
    place: str


class Policy(Struct, frozen=True):
    """Lines in order; the first that fits decides."""

    id: str
    lines: tuple[PolicyLine, ...]
    origin: str = ""
    place: str = ""
