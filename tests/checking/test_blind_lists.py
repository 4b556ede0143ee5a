"""Lists that were written without sight of our rules: dangers are told, everyday treatment interrupts nobody.

Each list was run once before anything was mended by it (figures in CHANGELOG); since then they are development data and
guard what was reached. `blind/known.yaml` holds what was not, and how it comes out; a row that gets better must leave it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml
from conftest import REPO

from safety.engine import Engine
from safety.model.report import RANK, Finding, Report

BLIND = REPO / "tests" / "checking" / "blind"
DAY = "2026-11-22"


@cache
def rows(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.load((BLIND / f"{name}.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    return loaded


@cache
def known() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load((BLIND / "known.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    return found


def checked(engine: Engine, row: dict[str, Any]) -> Report:
    return engine.check({"patient": row["patient"], "plan": row.get("plan", [])}, DAY)


def meant(engine: Engine, name: str) -> set[str]:
    """The drugs that a name of the list means; none where it is a problem, an allergy or a habit."""
    answer = engine.name(name)
    if answer.status != "match" or answer.via not in ("exact", "brand", "salt"):
        return set()
    return set(answer.drug) if isinstance(answer.drug, list) else {answer.drug or ""}


def drugs(f: Finding) -> set[str]:
    return {d for s in f.subjects for d in ((s.drug,) if isinstance(s.drug, str) else s.drug or ())}


def about(engine: Engine, report: Report, names: list[str]) -> list[Finding]:
    """The findings about every medicine of these names."""
    wanted = [d for d in (meant(engine, name) for name in names) if d]
    return [f for f in report.every_finding if wanted and all(d & drugs(f) for d in wanted)]


def outcome(engine: Engine, report: Report, pair: list[str], levels: list[str]) -> str:
    found = about(engine, report, pair)
    if not found:
        return "asked" if report.verdict != "clear" else "clear"
    loudest = min((f.severity for f in found), key=lambda s: RANK[s])
    return "right" if loudest in levels else loudest


DANGERS = [(row, m) for name in ("dangerous", "tricks") for row in rows(name) for m in row.get("must", [])]


@pytest.mark.parametrize(("row", "must"), DANGERS, ids=[f"{row['id']}:{'+'.join(m['pair'])}" for row, m in DANGERS])
def test_a_danger_is_told_as_loudly_as_it_is(engine: Engine, row: dict[str, Any], must: dict[str, Any]) -> None:
    got = outcome(engine, checked(engine, row), must["pair"], must["severity"])
    assert got == known()["dangers"].get(f"{row['id']}:{'+'.join(must['pair'])}", "right")


QUIET = [row for name in ("ordinary", "tricks") for row in rows(name) if "quiet" in row]


@pytest.mark.parametrize("row", QUIET, ids=[row["id"] for row in QUIET])
def test_everyday_treatment_interrupts_nobody(engine: Engine, row: dict[str, Any]) -> None:
    loud = [f.rule for f in checked(engine, row).every_finding if f.severity in ("contraindicated", "major")]
    assert loud == known()["loud"].get(row["id"], [])


@pytest.mark.parametrize("row", rows("fifteen"), ids=[row["id"] for row in rows("fifteen")])
def test_each_real_problem_of_fifteen_medicines_is_found_and_little_else_is_loud(engine: Engine, row: dict[str, Any]) -> None:
    report = checked(engine, row)
    missed = [p["topic"] for p in row["problems"] if not _told(engine, report, p["about"])]
    assert missed == known()["missed"].get(row["id"], [])
    listed = [_all(engine, p["about"]) for p in (*row["problems"], *row["acceptable"])]
    loud = [card for card in report.findings if card.severity in ("contraindicated", "major")]
    noise = [card.rule for card in loud if not any(len(drugs(card) & some) >= min(2, len(drugs(card))) for some in listed)]
    assert noise == known()["noise"].get(row["id"], [])
    shown = [card for card in report.findings if card.severity != "minor"]
    assert len(shown) <= max(2, len(row["problems"]) + len(row["acceptable"]))


def _all(engine: Engine, names: list[str]) -> set[str]:
    return {d for name in names for d in meant(engine, name)}


def _told(engine: Engine, report: Report, names: list[str]) -> bool:
    wanted = [d for d in (meant(engine, name) for name in names) if d]
    return any(sum(bool(d & drugs(f)) for d in wanted) >= min(2, len(wanted)) for f in report.every_finding)
