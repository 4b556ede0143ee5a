"""The tools for agent frameworks: as OpenAI-style functions, which need no framework, and as tools of LangChain and Pydantic AI.

A framework is imported where its tools are made. `today` is asked at each call: an agent may live for days.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from safety.engine import Engine
from safety.errors import RequestError
from safety.serving.tools import TOOLS, call, problems_of

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool
    from pydantic_ai import Tool as PydanticTool


def openai_tools() -> list[dict[str, Any]]:
    """What to pass as `tools`."""
    return [
        {"type": "function", "function": {"name": tool.name, "description": tool.says, "parameters": tool.input}}
        for tool in TOOLS
    ]


def openai_call(engine: Engine, name: str, arguments: str, today: date) -> str:
    """The content of the `tool` message that answers a call; a slip is answered with where, what and how to mend it."""
    try:
        told = msgspec.json.decode(arguments or "{}")
        if not isinstance(told, dict):
            raise msgspec.DecodeError("no object")
        answer = call(engine, name, told, today)
    except msgspec.DecodeError:
        answer = {"error": [{"place": "arguments", "what": "is not a JSON object", "hint": "send one object with the arguments"}]}
    except RequestError as error:
        answer = {"error": problems_of(error)}
    return msgspec.json.encode(answer).decode()


def langchain_tools(engine: Engine, today: Callable[[], date]) -> list[StructuredTool]:
    """Each tool for a LangChain agent; needs `pip install "medsafe[langchain]"`."""
    from langchain_core.tools import StructuredTool

    return [
        StructuredTool.from_function(
            partial(_called, engine, tool.name, today), name=tool.name, description=tool.says, args_schema=tool.input
        )
        for tool in TOOLS
    ]


def pydantic_ai_tools(engine: Engine, today: Callable[[], date]) -> list[PydanticTool[Any]]:
    """Each tool for an agent of Pydantic AI; needs `pip install "medsafe[pydantic-ai]"`."""
    from pydantic_ai import Tool as PydanticTool

    return [
        PydanticTool.from_schema(
            partial(_called, engine, tool.name, today), name=tool.name, description=tool.says, json_schema=tool.input
        )
        for tool in TOOLS
    ]


def _called(engine: Engine, name: str, today: Callable[[], date], **arguments: Any) -> str:
    """What a framework passes as arguments, as the text that its model reads."""
    return openai_call(engine, name, msgspec.json.encode(arguments).decode(), today())
