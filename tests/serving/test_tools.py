"""The tools of an agent: short answers that are as their schemas say, slips that say how to mend them."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from checking.library_cases import cases
from conftest import examples, refusal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from safety.engine import Engine
from safety.serving.brief import ROOM, fitted, size
from safety.serving.tools import BY_NAME, TOOLS, call

DAY = date(2026, 11, 20)
LONG = "a very long line of words that nobody understands " * 40
PATIENT = {"age": 72, "conditions": [], "allergies": [], "medications": ["warfarin 5 mg daily", "metformin 500 mg bid"]}
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("resolve_drug", {"name": "met formin"}),
    ("resolve_drug", {"name": "hydralzine"}),
    ("resolve_drug", {"name": LONG}),
    ("resolve_drug", {"name": "warfarin and ibuprofen and metformin and lisinopril and aspirin"}),
    ("read_directions", {"text": "amoxicillin 500 mg po bid x10d"}),
    ("read_directions", {"text": LONG}),
    (
        "read_directions",
        {"text": "prednisone 40 mg daily x5 days, then 30 mg daily x5 days, then 20 mg daily x5 days, then 10 mg"},
    ),
    ("check_regimen", {"patient": PATIENT, "plan": ["ibuprofen 400 mg tid"]}),
    ("check_regimen", {"patient": {"medications": [LONG]}}),
    ("check_dose", {"prescribed": "furosemide 40 mg twice daily", "reported": "I took 80 mg in the morning", "patient": PATIENT}),
    ("check_dose", {"reported": "Tylenol 1000 mg every 4 hours"}),
    ("check_dose", {"reported": LONG}),
    ("assess_lab", {"text": "my sugar was 250", "patient": PATIENT}),
    ("assess_lab", {"text": LONG}),
    ("assess_lab", {"patient": PATIENT}),
    ("assess_lab", {"text": "Na 150 K 6.4 Cl 90 CO2 40 BUN 60 Cr 4 glucose 500"}),
    ("calculate", {}),
    ("calculate", {"formula": "crcl"}),
    ("calculate", {"formula": "egfr", "inputs": {"age": 70, "sex": "female"}}),
    ("explain", {"rule": "interaction.warfarin-nsaid"}),
    ("explain", {"rule": "interaction.warfarin-nsaid", "patient": PATIENT}),
    ("coverage", {}),
    ("coverage", {"drugs": ["warfarin", "metformn", "zzzz", LONG]}),
]
SLIPS: list[tuple[str, dict[str, Any], str]] = [
    ("resolve_drug", {}, "name"),
    ("resolve_drug", {"name": 5}, "name"),
    ("resolve_drug", {"nam": "x"}, "nam"),
    ("check_regimen", {"patient": {"meds": []}}, "case.patient.meds"),
    ("check_regimen", {}, "case"),
    ("check_regimen", {"patient": {}, "role": "nurse"}, "role"),
    ("check_dose", {"patient": {}}, "request"),
    ("calculate", {"formula": "crlc", "inputs": {"age": 5}}, "formula"),
    ("calculate", {"inputs": [], "formula": 5}, "formula"),
    ("calculate", {"formula": "crcl", "inputs": {"weigth": "5 kg"}}, "weigth"),
    ("explain", {"rule": "interaction.warfarin-nsiad"}, "rule"),
    ("coverage", {"drugs": "warfarin"}, "drugs"),
    ("assess_lab", {"text": "K 5", "detail": "all"}, "detail"),
    ("zorp", {}, "tool"),
]


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(BY_NAME[name].output)


@pytest.mark.parametrize(("name", "arguments"), ASKED, ids=lambda v: json.dumps(v)[:60])
def test_an_answer_is_short_and_as_its_schema_says_and_full_has_it_all(
    engine: Engine, name: str, arguments: dict[str, Any]
) -> None:
    brief = call(engine, name, arguments, DAY)
    assert size(brief) <= ROOM
    full = call(engine, name, {**arguments, "detail": "full"}, DAY)
    assert full["full"]
    for answer in (brief, full):
        assert [e.message for e in validator(name).iter_errors(json.loads(json.dumps(answer)))] == []


@pytest.mark.parametrize(("name", "arguments"), [a for a in ASKED if "LONG" not in a[1]], ids=lambda v: json.dumps(v)[:60])
def test_what_is_asked_is_allowed_by_the_schema_of_the_input(name: str, arguments: dict[str, Any]) -> None:
    assert [e.message for e in Draft202012Validator(BY_NAME[name].input).iter_errors(arguments)] == []


@pytest.mark.parametrize(("name", "arguments", "place"), SLIPS, ids=lambda v: json.dumps(v)[:60])
def test_a_slip_says_where_it_is_and_how_to_mend_it(engine: Engine, name: str, arguments: dict[str, Any], place: str) -> None:
    problems = refusal(lambda: call(engine, name, arguments, DAY))
    assert problems
    assert problems[0].place.file == place
    assert problems[0].message


def test_the_input_of_each_tool_is_small() -> None:
    for tool in TOOLS:
        Draft202012Validator.check_schema(tool.input)
        Draft202012Validator.check_schema(tool.output)
        assert len(json.dumps(tool.input, separators=(",", ":"))) < 6000, tool.name
        assert len(tool.says) < 500, tool.name


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_the_patient_the_verdict_and_each_task_are_those_of_the_report(engine: Engine, data: st.DataObject) -> None:
    case = data.draw(cases())
    told = {key: case[key] for key in ("patient", "plan") if case.get(key) is not None}
    answer = call(engine, "check_regimen", told, DAY)
    report = engine.check(told, DAY)
    assert answer["verdict"] == report.verdict
    assert size(answer) <= ROOM * max(10, len(report.medications)) // 10
    for f in answer.get("findings", []):
        assert any(f["rule"] == said.rule and said.task.startswith(f.get("task", "")) for said in report.findings)
    assert [e.message for e in validator("check_regimen").iter_errors(json.loads(json.dumps(answer)))] == []


@given(st.dictionaries(st.text(max_size=5), st.lists(st.text(max_size=200), max_size=30) | st.text(max_size=400), max_size=6))
def test_a_short_answer_counts_what_it_leaves_out(told: dict[str, Any]) -> None:
    told.pop("more", None)
    short = fitted(told)
    assert size(short) <= max(ROOM, min(size(told), 6 * 1000))
    for key, items in told.items():
        kept = [item for item in items if item] if isinstance(items, list) else []
        if kept:
            assert len(short.get(key, [])) + short.get("more", {}).get(key, 0) in (len(items), len(kept))
