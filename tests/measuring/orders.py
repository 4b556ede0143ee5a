"""How test orders come out, by the categories of hospital order-entry evaluations: what must be said, what left alone.

A file holds one row an order: `kind`, `name`, `who` (one of `PEOPLE`, of whom everything is told), `patient` (what is otherwise
with this one), `plan`, `about` (ingredients), and what is `expect`ed:

interrupts   a finding about them interrupts whoever orders
told         a finding about them, moderate or louder
noted        a finding about them, and nothing interrupts
quiet        whatever is said, nothing about them interrupts
silent       no finding about them, and nothing that is not known of them
reminded     a test of theirs stands among what is due, the report is not clear, and nothing interrupts
asked        no finding but what is to be measured, and a question that names what is missing

Where `about` is left out, any ingredient of what is ordered. A row with a `condition` stands for many: each line under one of
these words is an order for a patient who has it ("OTC …" where it is bought without a prescription).
A row of a list written elsewhere may say instead `must` (`about`, `severity`: the levels that are right) or `quiet: true`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click
import msgspec
import yaml
from msgspec import Struct

from measuring.charts import is_odd
from measuring.regimens import outcome_of
from safety.cli.common import engine, json_option
from safety.cli.main import EXIT_OK
from safety.engine import Engine
from safety.errors import RequestError
from safety.knowledge.collecting import base_folder
from safety.model.report import Finding, Report

Row = Mapping[str, Any]
DAY: Final = "2026-11-20"
_NOTHING: Final[dict[str, Any]] = {"conditions": [], "allergies": [], "labs": [], "medications": []}
_WOMAN: Final = {"sex": "female", "pregnancy": "no", "breastfeeding": "no"}
PEOPLE: Final[dict[str, dict[str, Any]]] = {
    "man": {"age": "40 y", "sex": "male", "weight": "80 kg", **_NOTHING},
    "woman": {"age": "30 y", "weight": "65 kg", **_WOMAN, **_NOTHING},
    "old": {"age": "78 y", "sex": "female", "weight": "62 kg", **_NOTHING},
    "child": {"age": "8 y", "sex": "male", "weight": "26 kg", **_NOTHING},
    "infant": {"age": "14 months", "sex": "male", "weight": "10 kg", **_NOTHING},
    "newborn": {"age": "5 days", "sex": "male", "weight": "3.2 kg", **_NOTHING},
    "nobody": {},
}
"""Of whom everything is told; a row says what is otherwise."""
_WORDS: Final = ("interrupts", "told", "noted", "quiet", "silent", "reminded", "asked")
_BOUGHT: Final = "OTC "
LEFT_ALONE: Final = frozenset({"quiet", "silent"})
_HEARD: Final = frozenset({"contraindicated", "major", "moderate"})


class Category(Struct):
    """The orders of one category: how many must be spoken about and are, and how many must be left alone and are."""

    kind: str
    must: int = 0
    said: int = 0
    leave: int = 0
    left: int = 0
    wrong: list[str] = []


def orders_of(path: Path) -> list[Row]:
    """The orders of a file, YAML or JSON lines, in order."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return [order for row in yaml.safe_load(text) for order in (_each(row) if "condition" in row else (row,))]


def _each(row: Row) -> Iterator[Row]:
    """The orders for a patient with a condition, one a line."""
    for expect in _WORDS:
        for line in row.get(expect, ()):
            drug: Any = {"drug": line.removeprefix(_BOUGHT), "supply": "otc"} if line.startswith(_BOUGHT) else line
            patient = {"conditions": [row["condition"]]}
            who = {"who": row.get("who", "man"), "patient": patient}
            yield {"kind": row["condition"], "name": line, **who, "plan": [drug], "expect": expect}


def name_of(row: Row) -> str:
    """By which an order is told from others."""
    return str(row.get("id") or f"{row['kind']}: {row['name']}")


def report_of(row: Row, engine: Engine) -> Report:
    """The report on the patient of a row and what is ordered; raises RequestError where the row cannot be read."""
    told = {**PEOPLE[row.get("who", "man" if "name" in row else "nobody")], **(row.get("patient") or {})}
    return engine.check({"patient": {k: v for k, v in told.items() if v is not None}, "plan": row.get("plan") or []}, DAY)


def as_expected(row: Row, engine: Engine) -> tuple[bool, bool]:
    """Whether an order had to be spoken about, and whether it came out as is right."""
    try:
        report = report_of(row, engine)
    except RequestError:
        return not row.get("quiet"), False
    if "must" in row:
        return True, outcome_of(engine, report, row["must"]) == "told"
    if "expect" not in row:
        return False, not any(f.interrupt for f in report.findings)
    return row["expect"] not in LEFT_ALONE, _comes_out(row, report)


def _comes_out(row: Row, report: Report) -> bool:
    found, expect = about(report, row["about"]) if "about" in row else ordered(report), row["expect"]
    loud = any(f.interrupt for f in found)
    if expect == "interrupts":
        return loud
    if expect == "told":
        return any(f.severity in _HEARD for f in found)
    if expect == "noted":
        return bool(found) and not loud
    if expect == "quiet":
        return not loud
    if expect == "reminded":
        return not loud and report.verdict != "clear" and _is_due(report, row["about"])
    missing = [u for u in report.unknown if u.needs and u.ask]
    found = [f for f in found if f.kind != "monitoring"]
    return not found and (not report.unknown if expect == "silent" else bool(missing))


def _is_due(report: Report, drugs: Iterable[str]) -> bool:
    """Whether a test that these medicines need is told as due."""
    names = {d.replace("-", " ") for d in drugs}
    return any(d.state == "due" and names & set(d.medicines) for d in report.due)


def about(report: Report, drugs: Iterable[str]) -> list[Finding]:
    """The findings, on cards of their own or gathered under another, whose medicines hold all these ingredients."""
    wanted = {f"drug.{d}" for d in drugs}
    return [f for f in report.every_finding if wanted <= _named(f)]


def ordered(report: Report) -> list[Finding]:
    """The findings that speak of what is ordered."""
    return [f for f in report.every_finding if any(s.where.among == "plan" for s in f.subjects)]


def _named(found: Finding) -> set[str]:
    return {d for s in found.subjects for d in ((s.drug,) if isinstance(s.drug, str) else s.drug or ())}


def measure_orders(rows: Iterable[Row], engine: Engine) -> list[Category]:
    """A sum for each category, in the order in which they come; `wrong` names the orders that came out otherwise."""
    sums: dict[str, Category] = {}
    for row in rows:
        total = sums.setdefault(row["kind"], Category(row["kind"], wrong=[]))
        must, right = as_expected(row, engine)
        if must:
            total.must, total.said = total.must + 1, total.said + right
        else:
            total.leave, total.left = total.leave + 1, total.left + right
        if not right:
            total.wrong.append(name_of(row))
    return list(sums.values())


def table(found: Iterable[Category], *, wrong: bool = True) -> Iterator[str]:
    """Categories down: orders that must be spoken about, those that must be left alone, and what came out otherwise."""
    found = list(found)
    sums = {k: sum(getattr(c, k) for c in found) for k in ("must", "said", "leave", "left")}
    all_of = Category("all", **sums, wrong=[])
    yield f"{'category':<20}{'must be said':>14}{'said':>6}{'left alone':>14}{'left':>6}"
    for c in (*found, all_of):
        yield f"{c.kind:<20}{c.must:>14}{c.said:>6}{c.leave:>14}{c.left:>6}"
        if wrong:
            yield from (f"  not so: {name}" for name in c.wrong)


def _measured(default: str, file: Path | None, odd: bool, as_json: bool) -> int:
    path = file or base_folder() / "tests" / "orders" / default
    rows = [row for row in orders_of(path) if not odd or is_odd(dict(row))]
    found = measure_orders(rows, engine())
    click.echo(msgspec.json.encode(found) if as_json else "\n".join(table(found)))
    return EXIT_OK


_FILE = click.option(
    "--file", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Other orders (YAML or JSON lines)."
)
_ODD = click.option("--odd", is_flag=True, help="Only orders whose id has an odd number.")


@click.command("order-entry")
@_FILE
@_ODD
@json_option
def order_entry(file: Path | None, odd: bool, as_json: bool) -> int:
    """How test orders come out, by the categories that hospitals' order entry is evaluated in."""
    return _measured("orders.yaml", file, odd, as_json)


@click.command("conditions")
@_FILE
@_ODD
@json_option
def conditions(file: Path | None, odd: bool, as_json: bool) -> int:
    """How medicines come out that a condition forbids, or that it allows, by condition."""
    return _measured("conditions.yaml", file, odd, as_json)
