"""The tools as OpenAI-style function calling has them."""

from __future__ import annotations

import json
from datetime import date

import pytest
from jsonschema import Draft202012Validator

from safety.engine import Engine
from safety.serving.adapters import langchain_tools, openai_call, openai_tools, pydantic_ai_tools
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


ASKED = {"patient": {"medications": ["warfarin 5 mg daily"]}, "plan": ["Advil 400 mg"]}


def test_an_agent_of_langchain_has_each_tool(engine: Engine) -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    tools = {tool.name: tool for tool in langchain_tools(engine, lambda: DAY)}
    assert list(tools) == list(BY_NAME)
    assert json.loads(tools["check_regimen"].invoke(ASKED)) == json.loads(
        openai_call(engine, "check_regimen", json.dumps(ASKED), DAY)
    )
    assert tools["check_regimen"].args_schema == BY_NAME["check_regimen"].input
    assert json.loads(tools["check_regimen"].invoke({"patient": {"meds": []}}))["error"]


def test_an_agent_of_pydantic_ai_has_each_tool(engine: Engine) -> None:
    pytest.importorskip("pydantic_ai", reason="pydantic-ai-slim is not installed")
    tools = {tool.name: tool for tool in pydantic_ai_tools(engine, lambda: DAY)}
    assert list(tools) == list(BY_NAME)
    one = tools["check_regimen"]
    assert one.tool_def.parameters_json_schema == BY_NAME["check_regimen"].input
    assert json.loads(one.function(**ASKED)) == json.loads(openai_call(engine, "check_regimen", json.dumps(ASKED), DAY))
