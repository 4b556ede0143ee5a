"""The tools over the Model Context Protocol, with the official SDK; its low-level server, which logs nothing of what is asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import anyio
import mcp_types as types
import msgspec
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from safety.engine import VERSION, Engine
from safety.errors import RequestError
from safety.serving.tools import BY_NAME, TOOLS, Tool, call, problems_of, rule_of, whole

_RULES = "medsafe://rules/"
_KNOWLEDGE = "medsafe://knowledge"
_JSON = "application/json"
_SAFE = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
INSTRUCTIONS = (
    "Medication-safety checks by written rules, for a professional's judgement; not a medical device. Tell only what you were "
    "told: leave out what was not said, write [] where somebody said there is none. `unknown` is not `clear`: ask the questions. "
    "Never answer in place of a finding's task, and pass on whom to call (`escalate`)."
)


def server(engine: Engine, today: Callable[[], date]) -> Server[Any]:
    """An MCP server that answers with this engine."""

    async def list_tools(_: Any, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(tool) for tool in TOOLS])

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in BY_NAME:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool of that name; there are: {' '.join(BY_NAME)}")
        return await anyio.to_thread.run_sync(answered, engine, params.name, params.arguments or {}, today())

    async def list_resources(_: Any, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        about = "versions and counts of the knowledge that answers"
        return types.ListResourcesResult(
            resources=[types.Resource(uri=_KNOWLEDGE, name="knowledge", description=about, mime_type=_JSON)]
        )

    async def list_templates(_: Any, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        about = "one rule, whole: condition, reason, sources, cases; findings name their rule"
        template = types.ResourceTemplate(uri_template=f"{_RULES}{{id}}", name="rule", description=about, mime_type=_JSON)
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(_: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        text = _resource(engine, uri, today())
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=_JSON, text=text)])

    return Server(
        "medsafe", version=VERSION, title="medsafe: medication safety", instructions=INSTRUCTIONS,
        on_list_tools=list_tools, on_call_tool=call_tool, on_list_resources=list_resources,
        on_list_resource_templates=list_templates, on_read_resource=read_resource,
    )  # fmt: skip


def described(tool: Tool) -> types.Tool:
    """A tool as MCP lists it."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.says,
        input_schema=tool.input,
        output_schema=tool.output,
        annotations=_SAFE,
    )


def answered(engine: Engine, name: str, arguments: dict[str, Any], today: date) -> types.CallToolResult:
    """The result of a tool; where it cannot be answered, an error that says what to mend, and never a word of the patient."""
    try:
        told = call(engine, name, arguments, today)
    except RequestError as error:
        return _result({"error": problems_of(error)}, wrong=True)
    except Exception as error:  # ours; its text may hold patient data, so only its kind is told
        what = f"the engine failed on this request ({type(error).__name__}); it is not the caller's slip"
        return _result({"error": [{"place": name, "what": what}]}, wrong=True)
    return _result(told)


def _result(told: dict[str, Any], *, wrong: bool = False) -> types.CallToolResult:
    text = types.TextContent(type="text", text=msgspec.json.encode(told).decode())
    structured = None if wrong else msgspec.to_builtins(told)
    return types.CallToolResult(content=[text], structured_content=structured, is_error=wrong)


def _resource(engine: Engine, uri: str, today: date) -> str:
    """The text of a resource. Raises MCPError where there is none of that address."""
    if uri == _KNOWLEDGE:
        return msgspec.json.encode(call(engine, "coverage", {}, today)).decode()
    if not uri.startswith(_RULES):
        raise MCPError(types.INVALID_PARAMS, f"there is no such resource; rules are {_RULES}ID")
    try:
        entry = rule_of(engine.library, uri.removeprefix(_RULES))
    except RequestError as error:
        raise MCPError(types.INVALID_PARAMS, "; ".join(f"{p.message} {p.hint}".strip() for p in error.problems)) from None
    return msgspec.json.encode(whole(entry)).decode()


async def over_stdio(engine: Engine, today: Callable[[], date]) -> None:
    """Serve one client on standard input and output until it goes."""
    made = server(engine, today)
    async with stdio_server() as (read, write):
        await made.run(read, write, made.create_initialization_options())


def web_app(engine: Engine, today: Callable[[], date], host: str) -> Any:
    """The server as a web application (Streamable HTTP at /mcp); each request stands alone."""
    return server(engine, today).streamable_http_app(stateless_http=True, json_response=True, host=host)
