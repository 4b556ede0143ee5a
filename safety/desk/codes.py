"""What each code of a problem means, by an example, and how to mend it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from safety.errors import EngineError
from safety.knowledge.documents import read_file

_FILE: Final = Path(__file__).with_name("codes.yaml")
_CODE: Final = re.compile(r"[A-Za-z][0-9]{3}")
_WHOSE: Final = {
    "K": "knowledge: for whoever writes kb/ and rules/",
    "R": "request: for whoever calls a command or the library",
    "F": "FHIR: for whoever hands a record in",
    "S": "sign-offs",
    "E": "engine: ours to mend",
}


class Code(Struct, frozen=True):
    """A code: whose it is to mend, what it means, what is told so (a line that lint refuses, or in words), how to mend it."""

    code: str
    whose: str
    means: str
    example: str
    mend: str


@cache
def codes() -> Mapping[str, Code]:
    """Every code that a problem may carry."""
    document, problems = read_file(_FILE, _FILE.name)
    if document is None:
        raise EngineError(problems)
    return {code: _code(code, **told) for code, told in document.value.items()}


def _code(code: str, means: str, mend: str, line: str = "", example: str = "") -> Code:
    return Code(code, _WHOSE[code[0]], means, line or example, mend)


def looks_like_a_code(told: str) -> bool:
    """Whether a word is written as codes are."""
    return _CODE.fullmatch(told) is not None
