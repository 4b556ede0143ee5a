"""A report in brief has room in 1.5 KB for ten medications and leaves out nothing that must not be overlooked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.model.brief import ROOM

DAY = "2026-11-20"
TAKEN = [
    "warfarin 5 mg daily", "ibuprofen 800 mg three times a day", "digoxin 0.25 mg daily", "amiodarone 200 mg daily",
    "simvastatin 80 mg daily", "spironolactone 50 mg daily", "lisinopril 40 mg daily", "furosemide 40 mg twice a day",
    "clarithromycin 500 mg twice a day", "metformin 1000 mg twice a day", "zolpidem 10 mg at bedtime", "flurbozide 3 mg",
    "sertraline 200 mg", "tramadol 100 mg", "methotrexate 15 mg daily", "lithium 900 mg", "acetaminophen 650 mg every 4 hours",
    "ciprofloxacin 500 mg", "tizanidine 4 mg", "cetirizine 10 mg",
]  # fmt: skip
HEAVY: dict[str, Any] = {
    "age": 78,
    "sex": "female",
    "conditions": ["heart failure", "chronic kidney disease stage 4", "atrial fibrillation", "gout"],
    "labs": [{"test": "potassium", "value": 5.9, "unit": "mmol/L", "on": "2026-11-01"}],
}


@settings(max_examples=examples(25), deadline=None)
@given(taken=st.lists(st.sampled_from(TAKEN), min_size=1, max_size=10, unique=True), heavy=st.booleans())
def test_ten_medications_have_room_and_what_is_contraindicated_is_never_left_out(
    engine: Engine, taken: list[str], heavy: bool
) -> None:
    case = {"patient": {**(HEAVY if heavy else {}), "medications": taken}}
    report = engine.check(case, DAY)
    brief = report.brief()
    assert engine.brief(case, DAY) == brief
    size = len(msgspec.json.encode(brief))
    loud = [f.rule for f in report.findings if f.severity == "contraindicated"]
    told = brief.get("findings", [])
    assert size <= ROOM or (len(told) == len(loud) and not any("task" in f for f in told))
    assert brief["verdict"] == report.verdict
    assert [f["rule"] for f in told][: len(loud)] == loud
    assert [f["rule"] for f in told] == [f.rule for f in report.findings[: len(told)]]
    assert len(told) + brief.get("more", {}).get("findings", 0) == len(report.findings)
    assert bool(report.questions) is bool(brief.get("questions"))
    assert bool(report.unresolved) is bool(brief.get("unresolved"))
    assert bool(report.not_covered) is bool(brief.get("holes") or brief.get("more", {}).get("holes"))


def test_many_names_that_are_not_sure_leave_room_for_what_is_loud(engine: Engine) -> None:
    taken = [
        "a statin", "an ACE inhibitor", "blood thinner", "an NSAID", "opioid", "benzodiazepine", "nitrate", "PDE5 inhibitor",
        "SSRI", "MAO inhibitor",
    ]  # fmt: skip
    case = {"patient": {"age": 50, "medications": taken}}
    report = engine.check(case, DAY)
    brief = report.brief()
    assert engine.brief(case, DAY) == brief
    assert len(msgspec.json.encode(brief)) <= ROOM
    loud = [f.rule for f in report.findings if f.severity in ("contraindicated", "major")]
    assert [f["rule"] for f in brief["findings"] if "task" in f][: len(loud)] == loud
    assert brief["questions"]


def test_a_small_report_is_told_whole(engine: Engine) -> None:
    report = engine.check(
        {"patient": {"medications": ["warfarin 5 mg daily"], "conditions": []}, "plan": ["ibuprofen 400 mg"]}, DAY
    )
    brief = report.brief()
    assert "more" not in brief
    assert [f["task"] for f in brief["findings"]] == [f.task for f in report.findings]
    assert brief["questions"] == [q.ask for q in report.questions]
    assert brief["findings"][0]["about"] == "warfarin + ibuprofen"


def test_the_command_prints_one_line_of_json_a_case(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from safety.cli.main import main

    file = tmp_path / "cases.jsonl"
    file.write_text('{"patient": {"medications": ["warfarin 5 mg", "Advil 400 mg"]}}\n{"patient": 5}\n')
    with pytest.raises(SystemExit):
        main(["check", str(file), "--brief", "--as-of", DAY])
    first, second = map(json.loads, capfdbinary.readouterr().out.splitlines())
    assert first["verdict"] == "violated"
    assert [slip["code"] for slip in second["error"]]


def test_what_nobody_told_is_named_as_long_as_there_is_room(engine: Engine) -> None:
    told = {"age": "70 y", "medications": ["warfarin 5 mg by mouth once daily"]}
    asked = engine.check({"patient": told}, DAY).brief()
    assert {"conditions", "allergies"} <= set(asked["not_told"])
    more = engine.check({"patient": {**told, "allergies": [], "conditions": []}}, DAY).brief()
    assert {"conditions", "allergies"}.isdisjoint(more["not_told"])
