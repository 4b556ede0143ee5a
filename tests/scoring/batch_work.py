"""What processes of a test do instead of scoring: they write down what they were given, and die where they are told to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from safety.scoring.batch import Result, Row
from safety.scoring.plans import Unreadable

_at: list[Path] = []


def start(folder: Path) -> None:
    """Where to write down what was given."""
    _at[:] = [folder]


def note(rows: Sequence[Row]) -> list[Result]:
    """Note the lines of the rows, and give them back; while a file `die-at-LINE` is there, a process that meets it dies."""
    lines = [row.line for row in rows]
    for line in lines:
        if (_at[0] / f"die-at-{line}").exists():
            os._exit(9)
    with (_at[0] / "noted").open("a") as handle:
        handle.write("".join(f"{line}\n" for line in lines))
    return [row for row in rows if isinstance(row, Unreadable)]
