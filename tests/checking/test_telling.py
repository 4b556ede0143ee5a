"""What stands beside a condition and may decide about a medicine never passes as words that add nothing."""

from __future__ import annotations

import pytest

from safety.engine import Engine
from safety.model.report import Report

LISTS: dict[str, list[str]] = {name: [] for name in ("intake", "diet_limits", "genes", "devices", "vaccines", "allergies")}
WELL = {"age": "50 y", "sex": "female", "weight": "70 kg", "height": "170 cm", "pregnancy": "no", "breastfeeding": "no"}


def judged(engine: Engine, line: str) -> Report:
    """What is said of one line of a problem list beside a painkiller and two other medicines."""
    medicines = ["ibuprofen 400 mg tid", "metformin 500 mg bid", "sertraline 50 mg daily"]
    return engine.check({"patient": {**WELL, **LISTS, "conditions": [line], "medications": medicines}}, as_of="2026-11-30")


def said(report: Report) -> tuple[list[str], list[str], list[str]]:
    """Its findings, what is asked of lines, and what is missing."""
    return (
        sorted(f"{f.severity} {f.title}" for f in report.findings),
        sorted(u.ask for u in report.unresolved),
        sorted(hole.about for hole in report.unknown_because),
    )


@pytest.mark.parametrize(
    "tail",
    [
        "bleeding",
        "bled last week",
        "black stools",
        "kidneys worse",
        "kidney low",
        "renal changes",
        "liver worse",
        "high Cr",
        "cr rising",
        "plts falling",
        "hgb falling",
        "no urine",
        "not peeing",
        "sees things",
        "wants baby",
        "per tube",
        "stent last month",
        "core +",
        "prostate big",
    ],
)
@pytest.mark.parametrize("head", ["OA", "GERD", "HLD"])
def test_what_may_decide_is_asked_about_where_it_is_not_read(engine: Engine, head: str, tail: str) -> None:
    alone, with_it = said(judged(engine, head)), said(judged(engine, f"{head}, {tail}"))
    assert with_it != alone


@pytest.mark.parametrize(
    "line",
    [
        "OA, no bleeding",
        "OA, denies bleeding, kidney problems",
        "OA, low Na diet",
        "OA, renal c/s",
        "OA, LFTs nl",
        "OA, per cardiology",
        "OA, f/u 3 mo",
        "OA, XR stable",
        "OA, worse w/ stairs",
        "OA, mother bleeding",
    ],
)
def test_denials_and_what_tells_nothing_are_not_asked_about(engine: Engine, line: str) -> None:
    assert said(judged(engine, line)) == said(judged(engine, "OA"))
