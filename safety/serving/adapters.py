"""The tools as OpenAI-style function calling has them, which most agent frameworks take; no framework is needed for it."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from safety.engine import Engine
from safety.errors import RequestError
from safety.serving.tools import TOOLS, call, problems_of


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
