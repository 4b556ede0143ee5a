"""The tools over MCP, asked by the official client: over standard input, over HTTP, and in one process."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import pytest
from conftest import REPO
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from safety.engine import Engine
from safety.serving.mcp_server import server
from safety.serving.tools import BY_NAME

MEDSAFE = str(Path(sys.executable).with_name("medsafe"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPO)}
ASKED = {"patient": {"medications": ["warfarin 5 mg daily"]}, "plan": ["Advil 400 mg"], "as_of": "2026-11-20"}


def in_process(engine: Engine) -> Client:
    return Client(server(engine, lambda: date(2026, 11, 20)))


def asked(client: Client, name: str, arguments: dict[str, Any]) -> Any:
    async def ask() -> Any:
        async with client:
            return await client.call_tool(name, arguments)

    return anyio.run(ask)


def test_every_tool_is_listed_as_safe_to_call_and_closed(engine: Engine) -> None:
    async def listed() -> Any:
        async with in_process(engine) as client:
            return (await client.list_tools()).tools

    tools = anyio.run(listed)
    assert [t.name for t in tools] == list(BY_NAME)
    for tool in tools:
        hints = tool.annotations
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
            True,
            False,
            True,
            False,
        )
        assert tool.output_schema["type"] == "object"


def test_a_regimen_is_checked_and_said_twice_in_text_and_in_structure(engine: Engine) -> None:
    result = asked(in_process(engine), "check_regimen", ASKED)
    assert not result.is_error
    assert result.structured_content["verdict"] == "violated"
    assert "interaction.warfarin-nsaid" in {f["rule"] for f in result.structured_content["findings"]}
    assert json.loads(result.content[0].text) == result.structured_content


def test_a_slip_comes_back_as_an_error_that_a_model_can_mend(engine: Engine) -> None:
    result = asked(in_process(engine), "check_regimen", {"patient": {"meds": ["warfarin"]}})
    assert result.is_error
    (problem,) = json.loads(result.content[0].text)["error"]
    assert problem == {
        "place": "case.patient.meds", "what": "`meds` is not a key of a patient", "hint": "did you mean `medications`?",
        "code": "R102",
    }  # fmt: skip


def test_a_failure_of_ours_names_nobody(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ValueError("Jane Doe, warfarin")

    monkeypatch.setattr(engine.checker, "in_brief", fails)
    result = asked(in_process(engine), "check_regimen", ASKED)
    assert result.is_error
    assert "Jane" not in result.content[0].text
    assert "ValueError" in result.content[0].text


def test_rules_are_resources(engine: Engine) -> None:
    async def read() -> tuple[Any, Any, list[str]]:
        async with in_process(engine) as client:
            templates = (await client.list_resource_templates()).resource_templates
            rule = await client.read_resource("medsafe://rules/interaction.warfarin-nsaid")
            knowledge = await client.read_resource("medsafe://knowledge")
            with pytest.raises(MCPError, match="did you mean"):
                await client.read_resource("medsafe://rules/interaction.warfarin-nsiad")
            return json.loads(rule.contents[0].text), json.loads(knowledge.contents[0].text), [t.uri_template for t in templates]

    rule, knowledge, templates = anyio.run(read)
    assert rule["id"] == "interaction.warfarin-nsaid"
    assert knowledge["counts"]["rules"] == len(engine.library.entries)
    assert templates == ["medsafe://rules/{id}"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_command_serves_the_official_client_on_standard_input(mode: str) -> None:
    command = StdioServerParameters(command=MEDSAFE, args=["mcp"], env=ENVIRONMENT, cwd=REPO)
    from mcp.client.stdio import stdio_client

    result = asked(Client(stdio_client(command), mode=mode), "check_regimen", ASKED)
    assert result.structured_content["verdict"] == "violated"


def test_the_command_serves_the_official_client_over_http() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = subprocess.Popen(
        [MEDSAFE, "mcp", "--http", f"127.0.0.1:{port}"], env=ENVIRONMENT, cwd=REPO, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        result = asked(Client(f"http://127.0.0.1:{port}/mcp"), "check_regimen", ASKED)
        assert result.structured_content["verdict"] == "violated"
    finally:
        running.terminate()
        running.wait(20)
