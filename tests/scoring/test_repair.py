"""Repairs: the smallest changes, each checked by the engine, the most quality retained first."""

from __future__ import annotations

from typing import Any

import duckdb
from cli.running import medsafe
from conftest import REPO, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.scoring.repairs import KINDS, Repair

DAY = "2026-11-20"
ADULT: dict[str, Any] = {"age": "50 y", "sex": "male", "conditions": [], "allergies": [], "medications": []}


def repairs(engine: Engine, plan: list[str], gold: list[str] | None = None, **patient: Any) -> list[Repair]:
    case: dict[str, Any] = {"as_of": DAY, "patient": {**ADULT, **patient}, "plan": plan}
    return engine.repair(case if gold is None else case | {"gold": gold})


def test_a_plan_without_a_hard_violation_needs_none(engine: Engine) -> None:
    assert repairs(engine, ["lisinopril 20 mg by mouth once daily"]) == []


def test_one_of_a_severe_pair_is_replaced_or_dropped_and_the_other_stays(engine: Engine) -> None:
    plan = ["warfarin 5 mg by mouth once daily", "ibuprofen 400 mg by mouth three times daily"]
    found = repairs(engine, plan, gold=["warfarin 5 mg by mouth once daily", "acetaminophen 650 mg by mouth every 6 hours"])
    best = found[0]
    assert [c.kind for c in best.changes] == ["replace"]
    assert best.plan[0] == plan[0]
    assert "acetaminophen" in best.plan[1]
    assert {c.kind for r in found for c in r.changes} >= {"replace", "drop"}


def test_a_medicine_that_the_patient_is_allergic_to_is_replaced_by_one_that_suits(engine: Engine) -> None:
    found = repairs(
        engine, ["amoxicillin 500 mg by mouth twice daily for 10 days"], conditions=["strep throat"],
        allergies=[{"to": "penicillin", "reaction": "anaphylaxis"}],
    )  # fmt: skip
    kinds = [r.changes[0].kind for r in found]
    assert kinds[0] == "replace"
    assert kinds[-1] == "drop"
    assert not any(word in found[0].plan[0] for word in ("amoxicillin", "penicillin", "cephalexin"))


def test_a_dose_ten_times_too_large_is_lowered_to_one_that_is_sold(engine: Engine) -> None:
    found = repairs(engine, ["atorvastatin 400 mg by mouth once daily"], gold=["atorvastatin 40 mg by mouth once daily"])
    assert found[0].changes[0].kind == "reduce"
    assert found[0].plan == ("atorvastatin 40 mg by mouth once a day",)


def test_two_violations_that_no_single_change_clears_take_two(engine: Engine) -> None:
    plan = ["amoxicillin 500 mg by mouth twice daily", "propranolol 40 mg by mouth twice daily"]
    found = repairs(engine, plan, conditions=["asthma"], allergies=[{"to": "penicillin", "reaction": "anaphylaxis"}])
    assert found
    assert {len(r.changes) for r in found} == {2}


def test_two_runs_offer_the_same_repairs(engine: Engine) -> None:
    plan = ["warfarin 5 mg by mouth once daily", "ibuprofen 400 mg by mouth three times daily"]
    assert repairs(engine, plan) == repairs(engine, plan)


LINES = [
    "warfarin 5 mg by mouth once daily", "ibuprofen 400 mg by mouth three times daily", "propranolol 40 mg by mouth twice daily",
    "simvastatin 40 mg by mouth once daily", "clarithromycin 500 mg by mouth twice daily",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), min_size=2, max_size=3, unique=True))
@settings(max_examples=examples(15), deadline=None)
def test_every_repair_clears_every_hard_violation_and_ranks_by_what_is_retained(engine: Engine, plan: list[str]) -> None:
    found = repairs(engine, plan, conditions=["asthma"])
    for repair in found:
        report = engine.check({"as_of": DAY, "patient": {**ADULT, "conditions": ["asthma"]}, "plan": list(repair.plan)})
        assert not any(f.hard for f in report.every_finding)
        assert all(c.kind in KINDS for c in repair.changes)
    kept = [r.quality.strict for r in found if r.quality.strict is not None]
    assert kept == sorted(kept, reverse=True)
    assert len({len(r.changes) for r in found}) <= 1


def test_the_command_writes_repairs_beside_the_scores(tmp_path: Any) -> None:
    ran = medsafe("score", str(REPO / "examples" / "plans.jsonl"), "--out", str(tmp_path / "out"), "--repair")
    assert ran.code == 0, ran.err
    rows = duckdb.sql(f"select state, repairs from '{tmp_path / 'out' / 'cases.parquet'}'").fetchall()
    assert all((state == "unsafe") == bool(found) for state, found in rows)


def test_a_repair_says_whether_it_meets_the_constraints(engine: Engine) -> None:
    case = {
        "as_of": DAY, "patient": ADULT, "constraints": ["generic only"],
        "plan": ["warfarin 5 mg by mouth once daily", "Motrin 400 mg by mouth three times daily"],
    }  # fmt: skip
    found = engine.repair(case)
    assert {r.met for r in found} == {True, False}
    for repair in found:
        assert repair.met is not any(line.startswith("Motrin") for line in repair.plan)
