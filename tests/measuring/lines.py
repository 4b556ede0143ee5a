"""How lines of a medication list come out that name two medicines, another product of a brand, or a medicine not held."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from safety.model.report import Report

KINDS = ("two", "one", "never", "not_held", "nothing")


class LineTally(Struct):
    """Of one kind of line: how many, how many came out right, and the others."""

    kind: str
    rows: int = 0
    right: int = 0
    wrong: list[str] = []


def measure_lines(path: Path, check: Callable[[str], Report]) -> list[LineTally]:
    """One tally for each kind of line in a table; `check` judges a plan of that line alone."""
    tallies = {kind: LineTally(kind, wrong=[]) for kind in KINDS}
    for row in yaml.safe_load(path.read_text(encoding="utf-8"))["lines"]:
        kind = next(k for k in KINDS if k in row)
        tally = tallies[kind]
        tally.rows += 1
        if _is_right(kind, row, check(row["line"])):
            tally.right += 1
        else:
            tally.wrong.append(row["line"])
    return list(tallies.values())


def _is_right(kind: str, row: dict[str, Any], report: Report) -> bool:
    found = [_ids(m.drug) for m in report.medications if m.status == "match"]
    offered = [c for u in report.unresolved for c in u.candidates]
    if kind == "two":
        noted = "eaten" not in row or any(row["eaten"] in note for note in report.notes)
        return found == [_named(x) for x in row["two"]] and not report.unresolved and noted
    if kind == "one":
        return found == [_named(row["one"])] and not report.unresolved
    if kind == "never":
        return _named(row["never"]) not in found
    if kind == "not_held":
        uncovered = bool(found) and all(not n.holds for n in report.not_covered) and bool(report.not_covered)
        return not offered and (uncovered or [u.status for u in report.unresolved] == ["not_held"])
    return bool(report.unresolved) and not offered


def _named(told: str | list[str]) -> frozenset[str]:
    return frozenset(f"drug.{i}" for i in ([told] if isinstance(told, str) else told))


def _ids(told: str | tuple[str, ...] | None) -> frozenset[str]:
    return frozenset([told] if isinstance(told, str) else told or ())
