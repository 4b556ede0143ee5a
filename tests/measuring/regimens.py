"""How lists of patients come out that were written without sight of the rules: everyday regimens, and dangers among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import click
from msgspec import Struct

from measuring.charts import is_odd, read_rows
from safety.cli.common import engine
from safety.cli.main import EXIT_OK
from safety.engine import Engine
from safety.errors import RequestError
from safety.model.report import RANK, Finding, Report

OUTCOMES = ("told", "softer", "asked", "silent", "clear")
"""Told at its level; told at a milder one; asked about; neither, but not clear; clear."""
_LOUD = ("contraindicated", "major")
_SURE = ("exact", "brand", "salt")


class Quiet(Struct):
    """What everyday regimens bring up: loud findings and interruptions by row, cards and questions of each."""

    rows: int = 0
    loud: dict[str, list[str]] = {}
    interrupting: list[str] = []
    cards: list[int] = []
    questions: list[int] = []
    asked: dict[str, list[str]] = {}

    @property
    def over(self) -> list[str]:
        """The rows with more than two questions."""
        return [row for row, asks in self.asked.items() if len(asks) > 2]

    def line(self) -> str:
        """The figures on one line."""
        cards, asks = self.cards or [0], self.questions or [0]
        return (
            f"{self.rows:>5}{sum(map(len, self.loud.values())):>7}{len(self.loud):>6}{len(self.interrupting):>12}"
            f"{median(cards):>9g}{max(cards):>6}{median(asks):>9g}{max(asks):>6}{len(self.over):>8}"
        )


QUIET_HEAD = "rows   loud  rows interrupting    cards  most     asks  most  over 2"


def checked(engine: Engine, row: dict[str, Any], day: str) -> Report:
    """The report of a row."""
    return engine.check({"patient": row["patient"], "plan": row.get("plan") or []}, day)


def quiet_of(rows: Iterable[dict[str, Any]], check: Callable[[dict[str, Any]], Report]) -> Quiet:
    """What everyday regimens bring up."""
    found = Quiet(loud={}, interrupting=[], cards=[], questions=[], asked={})
    for row in rows:
        report = check(row)
        found.rows += 1
        loud = [f.rule for f in report.every_finding if f.severity in _LOUD]
        if loud:
            found.loud[row["id"]] = loud
        if any(f.interrupt for f in report.findings):
            found.interrupting.append(row["id"])
        found.cards.append(sum(f.severity != "minor" for f in report.findings))
        found.questions.append(len(report.questions))
        found.asked[row["id"]] = [q.ask for q in report.questions]
    return found


def dangers_of(
    rows: Iterable[dict[str, Any]], check: Callable[[dict[str, Any]], Report], engine: Engine
) -> dict[str, dict[str, list[str]]]:
    """Of each kind of danger, which rows came out how."""
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        outcome = outcome_in(engine, row, check)
        found.setdefault(row["kind"], {o: [] for o in OUTCOMES})[outcome].append(row["id"])
    return found


def outcome_in(engine: Engine, row: dict[str, Any], check: Callable[[dict[str, Any]], Report]) -> str:
    """How the danger of a row comes out; a case that is refused says what cannot be read in it, and is asked again."""
    try:
        return outcome_of(engine, check(row), row["must"])
    except RequestError:
        return "asked"


def outcome_of(engine: Engine, report: Report, must: dict[str, Any]) -> str:
    """How one danger comes out; one of which only clear is wrong is told wherever it is a finding or a question."""
    found = _about(engine, report, must["about"])
    levels = must.get("severity") or _LOUD
    if any(f.severity in levels or RANK[f.severity] < min(RANK[s] for s in levels) for f in found):
        return "told"
    if found and "severity" in must:
        return "softer"
    if report.verdict == "clear":
        return "clear"
    return "asked" if report.questions else "silent"


def _about(engine: Engine, report: Report, about: list[str]) -> list[Finding]:
    """The findings about the medicines of a danger: two of them where it names several."""
    medicines = [(term.lower(), drugs) for term in about if (drugs := _meant(engine, term)) or _on_list(report, term)]
    return [f for f in report.every_finding if medicines and sum(_is_about(f, m) for m in medicines) >= min(2, len(medicines))]


def _meant(engine: Engine, term: str) -> set[str]:
    answer = engine.name(term)
    if answer.status != "match" or answer.via not in _SURE:
        return set()
    return set(answer.drug) if isinstance(answer.drug, list) else {answer.drug or ""}


def _on_list(report: Report, term: str) -> bool:
    return any(term.lower() in m.text.lower() for m in report.medications)


def _is_about(f: Finding, medicine: tuple[str, set[str]]) -> bool:
    term, drugs = medicine
    of_it = {d for s in f.subjects for d in ((s.drug,) if isinstance(s.drug, str) else s.drug or ())}
    return bool(drugs & of_it) or any(term in s.text.lower() for s in f.subjects)


def table(found: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    """Kinds down, outcomes across, the sum below."""
    yield f"{'kind':<14}" + "".join(f"{o:>8}" for o in OUTCOMES)
    for kind, outcomes in found.items():
        yield f"{kind:<14}" + "".join(f"{len(outcomes[o]):>8}" for o in OUTCOMES)
    yield f"{'all':<14}" + "".join(f"{sum(len(k[o]) for k in found.values()):>8}" for o in OUTCOMES)


@click.command()
@click.option("--file", "files", metavar="F", multiple=True, required=True, help="A list of patients, one JSON object a line.")
@click.option("--as-of", "day", default="2026-11-20", help="The day to judge.")
@click.option("--rows", "by_row", is_flag=True, help="Name what is loud, asked and missed, of the odd rows.")
def regimens(files: tuple[str, ...], day: str, by_row: bool) -> int:
    """What lists written without sight of the rules bring up: everyday regimens, or, where rows say what must be told, dangers.

    The odd rows are there to mend by, the even ones to measure with: figures are given apart.
    """
    loaded = engine()
    for file in files:
        rows = read_rows(Path(file))
        halves = {"odd": [r for r in rows if is_odd(r)], "even": [r for r in rows if not is_odd(r)]}
        for name, half in halves.items():
            click.echo(f"{Path(file).name}, {name} rows")
            lines = _dangers if any("must" in r for r in rows) else _quiet
            click.echo("\n".join(lines(half, loaded, day, by_row and name == "odd")))
    return EXIT_OK


def _dangers(rows: list[dict[str, Any]], loaded: Engine, day: str, by_row: bool) -> Iterator[str]:
    found = dangers_of(rows, lambda row: checked(loaded, row, day), loaded)
    yield from table(found)
    if by_row:
        yield from (f"  {o} {i}" for outcomes in found.values() for o in OUTCOMES[1:] for i in outcomes[o])


def _quiet(rows: list[dict[str, Any]], loaded: Engine, day: str, by_row: bool) -> Iterator[str]:
    found = quiet_of(rows, lambda row: checked(loaded, row, day))
    yield from (QUIET_HEAD, found.line())
    if by_row:
        yield from (f"  {i} loud {', '.join(rules)}" for i, rules in found.loud.items())
        yield from (f"  {i} asked {ask}" for i, asks in found.asked.items() for ask in asks)
