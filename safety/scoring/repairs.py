"""A repair of a plan: the changes, and what is known of the plan that they make."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from safety.scoring.measures import Counted

ChangeKind = Literal["separate", "reduce", "add", "replace", "drop"]
KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
"""From the change that leaves the most of a plan as it is to the one that leaves the least."""


class Change(Struct, frozen=True, order=True):
    """One change of a plan: which line of it (none: one more is added), from what to what (empty: it is dropped)."""

    kind: ChangeKind
    line: int | None
    before: str
    after: str


class Repair(Struct, frozen=True):
    """Changes that clear every hard violation, as the engine says of the changed plan.

    `state`: `safe`, or `open` where something is still not known; `quality`: Q(R) against the gold regimen, else against the plan
    as it was; `met`: whether it meets the constraints of the case; `left`: rules that still speak, none of them hard.
    """

    changes: tuple[Change, ...]
    plan: tuple[str, ...]
    state: str
    quality: Counted
    met: bool | None
    left: tuple[str, ...]
