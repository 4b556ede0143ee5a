"""How real CDS Hooks requests come out: whether the finding that the guide's authors expect is there, or is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from safety.errors import RequestError
from safety.model.patient import Case
from safety.model.report import Report
from safety.reading.cds.requests import CdsRequest, read_request

Check = Callable[[Case, date], Report]
Wanted = Literal["card", "quiet", "none"]


class Expected(Struct, frozen=True, forbid_unknown_fields=True):
    """What one request should bring: a finding of one of the rules (`card`), one that does not interrupt (`quiet`), none."""

    file: str
    family: str
    rules: tuple[str, ...]
    wanted: Wanted
    results: str = ""
    """Under which key of the prefetch the service of the guide asked for results: its keys are only numbered."""


class Family(Struct, frozen=True):
    """The requests of one recommendation: how many, how many as expected, and which were not and why."""

    family: str
    rows: int
    right: int
    wrong: tuple[str, ...]


def request_of(folder: Path, row: Expected) -> dict[str, Any]:
    """A request as it was sent, with the results under the name that our services ask for them by."""
    data = (folder / row.file).read_bytes()
    value: dict[str, Any] = msgspec.json.decode(data[max(data.find(b"{"), 0) :])  # some begin with a line of shell
    if row.results:
        value["prefetch"]["results"] = value["prefetch"].pop(row.results)
    return value


def opioid_requests(
    folder: Path, families: Mapping[str, Sequence[str]], results: Mapping[str, str] | None = None
) -> list[Expected]:
    """The CDC's requests with their expected cards (`_index.jsonl`), of the families for which rules are named."""
    found: list[Expected] = []
    for line in (folder / "_index.jsonl").read_bytes().splitlines():
        row: dict[str, Any] = msgspec.json.decode(line)
        rules = families.get(row["family"])
        if rules and row["expected_cards"] is not None:
            name = f"requests_repaired/{row['family']}/{row['request']}"
            wanted: Wanted = "card" if row["expected_cards"] else "none"
            found.append(Expected(name, row["family"], tuple(rules), wanted, (results or {}).get(row["family"], "")))
    return found


def measure_requests(folder: Path, expected: Sequence[Expected], check: Check, day: date) -> list[Family]:
    """Each request read as a case and judged on the day its orders were written (`day` where none says)."""
    families: dict[str, list[tuple[str, str]]] = {}
    for row in expected:
        families.setdefault(row.family, []).append((row.file, _otherwise(request_of(folder, row), row, check, day)))
    return [
        Family(name, len(rows), sum(not why for _, why in rows), tuple(f"{file}: {why}" for file, why in rows if why))
        for name, rows in families.items()
    ]


def _otherwise(sent: dict[str, Any], row: Expected, check: Check, day: date) -> str:
    """What is not as expected of one request; empty where all is."""
    try:
        request = read_request(sent, where=row.file)
    except RequestError as error:
        return "; ".join(str(problem) for problem in error.problems)
    report = check(request.case, written_on(request) or day)
    said = [f for f in report.every_finding if f.rule in row.rules]
    due = {rule for test in report.due if test.state == "due" for rule in test.rules} & set(row.rules)
    if row.wanted == "none":
        return f"{[*due, *(f.rule for f in said)][0]} speaks, and should not" if said or due else ""
    if not said and due and row.wanted == "card":
        return ""
    if not said:
        asked = [u.rule for u in report.unknown if u.rule in row.rules]
        return f"it only asks: {asked[0]}" if asked else f"none of {', '.join(row.rules)} speaks"
    if row.wanted == "quiet" and any(f.interrupt for f in said):
        return f"{said[0].rule} interrupts, and should only be shown"
    return ""


def written_on(request: CdsRequest) -> date | None:
    """The day on which the newest order in draft was written."""
    days = [m.since for m in request.case.plan if m.since is not None]
    return max(days, default=None)
