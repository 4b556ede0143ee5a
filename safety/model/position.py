"""Where in a case something stands: which list, and which item of it. Printed as `plan[3]` where a report is written."""

from __future__ import annotations

from typing import Literal, NoReturn

ListName = Literal[
    "medications", "plan", "conditions", "allergies", "labs", "vitals", "intake", "diet_limits", "genes", "procedures",
    "devices", "vaccines",
]  # fmt: skip


class Position:
    """The item of a list of the case, counted from 0; ordered by list, then by number, so that the tenth follows the second.

    It equals its printed form, so that a caller may go on comparing it with the text that stands in the JSON.
    """

    __slots__ = ("_printed", "among", "index")

    among: ListName
    index: int
    _printed: str

    def __init__(self, among: ListName, index: int) -> None:
        object.__setattr__(self, "among", among)
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "_printed", f"{among}[{index}]")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Position does not change: {name}")

    def __str__(self) -> str:
        return self._printed

    def __repr__(self) -> str:
        return f"Position({self.among!r}, {self.index})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Position):
            return self.index == other.index and self.among == other.among
        return self._printed == other if isinstance(other, str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._printed)

    def __lt__(self, other: Position) -> bool:
        return (self.among, self.index) < (other.among, other.index)

    def __reduce__(self) -> tuple[type[Position], tuple[ListName, int]]:
        return Position, (self.among, self.index)


def printed(value: object) -> str:
    """A position as it stands in the JSON of a report; for msgspec, which asks for what it does not know."""
    if isinstance(value, Position):
        return str(value)
    raise NotImplementedError(type(value).__name__)
