"""The schemas that are published say what really goes in and comes out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from checking.library_cases import DAY, cases
from conftest import REPO, examples, refusal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from serving.schema_checks import closed, validator, wrong, yaml_of

from safety.engine import Engine
from safety.model.report import Report
from safety.serving.schemas import SCHEMAS, schema

EXAMPLES = sorted((REPO / "examples").glob("*.yaml"))
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_is_one_names_itself_and_lies_where_it_is_published(name: str) -> None:
    made = schema(name)
    Draft202012Validator.check_schema(made)
    assert made["$id"] == f"urn:medsafe:{name}:{SCHEMAS[name][0]}"
    published = json.loads((REPO / f"schemas/{name}.schema.json").read_text(encoding="utf-8"))
    assert published == json.loads(json.dumps(made)), "run: python tools/schemas.py --answers schemas"


def test_every_published_schema_is_one_of_ours() -> None:
    assert {p.name for p in (REPO / "schemas").iterdir()} == {f"{name}.schema.json" for name in SCHEMAS}


@pytest.mark.parametrize("name", ["case", "dose-request", "lab-request"])
def test_what_an_agent_sends_is_described_in_less_than_6_kb(name: str) -> None:
    assert len(json.dumps(schema(name), separators=(",", ":"))) < 6000


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_every_example_and_its_answer_are_as_the_schemas_say(engine: Engine, path: Path) -> None:
    value = yaml_of(path)
    if "reported" in value:
        assert wrong("dose-request", value) == []
        assert wrong("dose", engine.dose(value)) == []
    else:
        assert wrong("case", value) == []
        assert wrong("report", engine.check(value)) == []


def test_the_report_of_a_record_is_as_the_schema_says(engine: Engine) -> None:
    assert wrong("report", engine.check(engine.fhir((REPO / "examples/fhir-patient.json").read_bytes()), DAY)) == []


@settings(max_examples=examples(60), **QUIET)
@given(data=st.data())
def test_whatever_the_case_it_and_its_report_are_as_the_schemas_say(engine: Engine, data: st.DataObject) -> None:
    case = data.draw(cases())
    assert wrong("case", case) == []
    assert wrong("report", engine.check(case, DAY)) == []


ODD: list[Any] = [
    {"patient": None}, {"patient": {}}, {"patient": {"medications": []}, "plan": None},
    {"id": 5, "patient": {"age": 3, "pregnancy": False, "breastfeeding": "no", "labs": ["K 5.9 (H)"],
                          "genes": ["HLA-B*57:01 positive"]}},
    {"patient": {"medications": [{"drug": "Advil", "dose": "400 mg", "for": "pain", "as_needed": "yes", "days": 5,
                                  "contains": []}]}},
    {"patient": {"allergies": [{"to": "penicillin", "status": "refuted"}], "procedures": [{"text": "CT", "status": "planned"}],
                 "vaccines": ["MMR"], "devices": ["pacemaker"], "conditions": [{"code": "38341003", "system": "snomed"}]}},
]  # fmt: skip
MALFORMED: list[Any] = [
    {}, [], {"patient": []}, {"patient": {"meds": []}}, {"patient": {"medications": "warfarin"}}, {"patient": {"weight": 81}},
    {"patient": {}, "plan": [{"drug": "x", "supply": "shop"}]}, {"patient": {"labs": [{"test": "K", "valu": 5}]}},
]  # fmt: skip


@pytest.mark.parametrize("case", ODD, ids=str)
def test_what_is_read_is_allowed(engine: Engine, case: Any) -> None:
    assert wrong("case", case) == []
    assert isinstance(engine.check(case, DAY), Report)


@pytest.mark.parametrize("case", MALFORMED, ids=str)
def test_what_is_refused_is_not_allowed(engine: Engine, case: Any) -> None:
    assert wrong("case", case) != []
    assert refusal(lambda: engine.check(case, DAY))
    (answer,) = engine.check_many([case], DAY)
    assert wrong("refused", answer) == []


def lab_requests() -> list[Any]:
    lines = [json.loads(line) for line in (REPO / "tests/labs/results.jsonl").read_text(encoding="utf-8").splitlines()]
    asked = [line.get("request") or line.get("ask") or line.get("given") for line in lines]
    return [one for one in asked if one] + [
        "my sugar was 250",
        "BP 190/95",
        {"patient": {"medications": ["warfarin 5 mg daily"]}},
    ]


@pytest.mark.parametrize("asked", lab_requests()[:80] + lab_requests()[-3:], ids=str)
def test_the_answer_to_a_result_is_as_the_schema_says(engine: Engine, asked: Any) -> None:
    if isinstance(asked, dict):
        assert wrong("lab-request", asked) == []
    assert wrong("lab", engine.lab(asked, DAY)) == []


SAID = [
    ("warfarin 5 mg daily", "I took two of them"), ("furosemide 40 mg twice daily", {"dose": "80 mg", "frequency": "once daily"}),
    (None, "Tylenol 1000 mg every 4 hours"), ("metformin 500 mg bid", ""), ("x", ["one", "two"]),
]  # fmt: skip


@pytest.mark.parametrize(("prescribed", "reported"), SAID, ids=str)
def test_the_answer_to_a_reported_dose_is_as_the_schema_says(engine: Engine, prescribed: Any, reported: Any) -> None:
    request = {"patient": {"age": 70}, "prescribed": prescribed, "reported": reported}
    assert wrong("dose-request", request) == []
    assert wrong("dose", engine.dose(request, DAY)) == []


@pytest.mark.parametrize("name", ["warfarin", "met formin", "Tylenol PM", "hydralazine", "zorp", "", "prednis", "sulfa drugs"])
def test_the_answer_to_a_name_is_as_the_schema_says(engine: Engine, name: str) -> None:
    assert wrong("name", engine.name(name).to_dict()) == []


@pytest.mark.parametrize(
    "text", ["1 po bid prn", "prednisone 40 mg daily x5 days then 20 mg", "blorp", "HOLD metformin 500 mg bid", ""]
)
def test_the_answer_to_directions_is_as_the_schema_says(engine: Engine, text: str) -> None:
    assert wrong("sig", engine.sig(text)) == []


SPOKEN = [
    "I'm 70, I weigh 81 kg, I take warfarin 5 mg once a day by mouth for AFib. My INR was 4.5. Penicillin gave me hives.",
    "Doctor: are you still taking the Lasix?\nPatient: no, I stopped it in June. I smoke a pack a day. I got my flu shot.",
    "I take flurbozide 10 mg, met formin and 20, no, 40 mg of lisinopril. My wife has gout.", "",
]  # fmt: skip


@pytest.mark.parametrize("text", SPOKEN)
def test_what_was_said_and_what_a_turn_brings_are_as_their_schemas_say(engine: Engine, text: str) -> None:
    assert wrong("extraction", engine.extract(text)) == []
    patient = {"age": "70 y", "medications": ["ibuprofen 400 mg tid", "warfarin 5 mg daily"]}
    assert wrong("turn", engine.turn([], text or "Can I take Advil?", patient, DAY).to_dict()) == []


def test_the_answer_of_every_formula_is_as_the_schema_says(engine: Engine) -> None:
    for card in engine.calculators():
        inputs = {one.key: one.example for one in card.inputs if not one.optional}
        for told in ({}, inputs):
            assert wrong("calc", msgspec.to_builtins(engine.calc(card.id, **told).to_dict())) == [], card.id


def test_a_key_that_a_schema_forgot_would_show() -> None:
    made = closed({"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}})
    assert not Draft202012Validator(made).is_valid({"a": {"b": 1, "c": 2}})
    assert validator("report").schema["$defs"]["Finding"]["additionalProperties"] is False


def test_the_command_prints_a_schema_and_knows_when_there_is_none() -> None:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).with_name("medsafe")), "schema", *args]
        return subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=False)

    assert json.loads(run("sig").stdout) == json.loads(json.dumps(schema("sig")))
    assert run().stdout.splitlines()[0] == "case  urn:medsafe:case:1"
    refused = run("reprot")
    assert refused.returncode == 2
    assert "did you mean `report`?" in refused.stderr
