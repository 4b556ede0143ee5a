"""The tools as OpenAI-style function calling has them."""

from __future__ import annotations

import json
from datetime import date

from jsonschema import Draft202012Validator

from safety.engine import Engine
from safety.serving.adapters import openai_call, openai_tools
from safety.serving.tools import BY_NAME

DAY = date(2026, 11, 20)


def test_each_tool_is_a_function_with_its_parameters() -> None:
    functions = [tool["function"] for tool in openai_tools()]
    assert [f["name"] for f in functions] == list(BY_NAME)
    for f in functions:
        Draft202012Validator.check_schema(f["parameters"])
        assert f["parameters"]["type"] == "object"
    assert len(json.dumps(openai_tools())) < 16000


def test_a_call_is_answered_in_text_and_a_slip_says_how_to_mend_it(engine: Engine) -> None:
    asked = json.dumps({"patient": {"medications": ["warfarin 5 mg daily"]}, "plan": ["Advil 400 mg"]})
    assert json.loads(openai_call(engine, "check_regimen", asked, DAY))["verdict"] == "violated"
    assert json.loads(openai_call(engine, "coverage", "", DAY))["counts"]["rules"] > 0
    for wrong in ("not json", "[]", '{"patient": {"meds": []}}'):
        (problem,) = json.loads(openai_call(engine, "check_regimen", wrong, DAY))["error"]
        assert problem["what"]
        assert problem["hint"]
