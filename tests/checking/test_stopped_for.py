"""Why a medicine was stopped counts, and nothing on its line vanishes with it."""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine
from safety.model.report import Report

LISTS: dict[str, Any] = {name: [] for name in ("conditions", "labs", "vitals", "intake", "diet_limits", "genes", "procedures",
                                               "devices", "vaccines", "allergies")}  # fmt: skip


def judged(engine: Engine, line: str, plan: str = "loratadine 10 mg daily", **more: Any) -> Report:
    """A line of a medicine that is no longer taken, and what is to be given."""
    patient = {**LISTS, "age": "60 y", "sex": "male", "weight": "80 kg", "height": "178 cm", "medications": [line], **more}
    return engine.check({"patient": patient, "plan": [plan]}, as_of="2026-11-30")


@pytest.mark.parametrize(
    ("line", "plan", "severity"),
    [
        ("lisinopril stopped due to angioedema", "enalapril 5 mg daily", "contraindicated"),
        ("heparin stopped for HIT", "enoxaparin 40 mg SC daily", "contraindicated"),
        ("ibuprofen d/c'd 2/2 GI bleed", "naproxen 500 mg bid", "major"),
        ("ibuprofen 400 mg tid - stopped 11/20 due to AKI", "naproxen 500 mg bid", "major"),
        ("simvastatin d/c'd (rhabdo)", "atorvastatin 40 mg daily", "major"),
        ("ibuprofen stopped due to GI bleed per cards recs", "naproxen 500 mg bid", "major"),
        ("carbamazepine - stopped 2019 for SJS", "oxcarbazepine 300 mg bid", "major"),
    ],
)
def test_the_reason_of_a_stop_is_a_condition_and_a_reaction(engine: Engine, line: str, plan: str, severity: str) -> None:
    report = judged(engine, line, plan)
    assert severity in {finding.severity for finding in report.findings}


@pytest.mark.parametrize(
    "line",
    [
        "lisinopril stopped due to cost",
        "lisinopril stopped per PCP",
        "lisinopril stopped due to lack of efficacy",
        "lisinopril - stopped because pharmacy out of stock",
        "lisinopril 10 mg daily (stopped 3/2026, no longer needed)",
        "lisinopril 10 mg daily - completed",
    ],
)
def test_other_reasons_ask_nothing(engine: Engine, line: str) -> None:
    report = judged(engine, line, "enalapril 5 mg daily")
    assert not report.unresolved
    assert not [f for f in report.findings if f.severity in ("contraindicated", "major")]


def test_the_reason_counts_where_no_problem_list_was_told(engine: Engine) -> None:
    report = judged(engine, "lisinopril stopped due to angioedema", "enalapril 5 mg daily", conditions=None)
    assert "contraindicated" in {finding.severity for finding in report.findings}


@pytest.mark.parametrize(
    "line",
    [
        "prednisone ten,off, qzxglorply",
        "prednisone 10 mg (stopped, then apixaban 5 mg bid started)",
        "prednisone 10 mg stopped, switched to qzxglorply",
        "prednisone stopped, on apixaban instead",
        "prednisone stopped due to qzxglorply",
        "prednisone stopped due to interaction with warfarin",
        "prednisone 10 mg - held, pt on qzxglorply",
    ],
)
def test_another_medicine_on_the_line_of_a_stopped_one_is_asked_about(engine: Engine, line: str) -> None:
    assert judged(engine, line).unresolved


@pytest.mark.parametrize("mark", [", off,", ", stopped,", "; d/c'd;"])
def test_a_stop_between_commas_is_not_said_of_the_medicine_behind_it(engine: Engine, mark: str) -> None:
    report = judged(engine, f"prednisone 10 mg daily{mark} warfarin 5 mg daily", "ibuprofen 400 mg tid")
    assert report.unresolved
    assert not [note for note in report.notes if "warfarin counts as not taken" in note]
