"""Reports said in a few words, to work metrics out by hand: what a report holds, without an engine that judges it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from safety.model.position import Position
from safety.model.report import Finding, Hole, MadeBy, NotCovered, Report, Subject, Understood, Unknown


def at(place: str) -> Position:
    among, _, number = place.partition("[")
    return Position(among, int(number.rstrip("]")))  # type: ignore[arg-type]


def subject(place: str) -> Subject:
    return Subject(f"medicine at {place}", "drug.any", at(place))


def medicine(place: str, status: Any = "match") -> Understood:
    return Understood(f"medicine at {place}", "drug.any", at(place), True, status, "exact", False, "")


def broken(rule: str, kind: str, severity: Any, *places: str, hard: bool | None = None) -> Finding:
    is_hard = severity == "contraindicated" or (severity == "major" and kind == "interaction") if hard is None else hard
    return Finding(
        rule, kind, severity, is_hard, False, [subject(p) for p in places], rule, [], "", "", "stop", f"Mend {rule}.", "", "none",
        "", [], [],
    )  # fmt: skip


def waits(rule: str, kind: str, severity: Any, *places: str) -> Unknown:
    return Unknown(rule, kind, severity, [subject(p) for p in places], rule, ["lab.egfr"], "What is the eGFR?")


def report(
    plan: int, current: int = 0, findings: Sequence[Finding] = (), unknown: Sequence[Unknown] = (), holes: Sequence[Hole] = (),
    unread: Sequence[str] = (), lacks: Sequence[tuple[str, str]] = (),
) -> Report:  # fmt: skip
    """A report on so many proposed and current medicines."""
    places = [*(f"medications[{n}]" for n in range(current)), *(f"plan[{n}]" for n in range(plan))]
    return Report(
        1, "case", "2026-11-20", "unknown", list(findings), list(unknown), [],
        [NotCovered("drug.any", at(place), [check], []) for place, check in lacks], MadeBy("0", "0", "0"),
        medications=[medicine(p, "unrecognised" if p in unread else "match") for p in places], unknown_because=list(holes),
    )  # fmt: skip


UNTOLD = Hole("not told", "allergies", "allergies: not told", ["allergy"], ask="Which allergies?")
