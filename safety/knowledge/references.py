"""Which texts of a file name something else by its id: what an editor completes there."""

from __future__ import annotations

from typing import Any, Final

from pydantic import GetJsonSchemaHandler
from pydantic_core import CoreSchema

KINDS: Final = "ids-of"
"""The key under which a schema says of which kinds a text is an id."""


class Of:
    """Marks a text as the id of something of one of these kinds. Whether there is one is looked up when all is read."""

    def __init__(self, *kinds: str) -> None:
        self.kinds = kinds

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(core), KINDS: list(self.kinds)}
