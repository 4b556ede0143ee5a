"""What a transcript spells oddly, put as it is meant, place for place: "twelve . five milligrams", "every uh , six hours"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from safety.edge.extraction import Span
from safety.knowledge.language import Language
from safety.reading.wording import any_of
from safety.text import lowered

_EVERY_HOUR = re.compile(r"(?<![\w.])q\.(?=\s?\d+\s?h)", re.I)


class Hearing:
    """Evens out a transcript by the lists of one language; made once, never changed.

    `numbers`: what number words mean; `units`: words of units, to tell a stop between two numbers from the end of a sentence.
    """

    def __init__(self, language: Language, numbers: Mapping[str, int], units: Iterable[str]) -> None:
        self._whole = whole = {word: value for word, value in numbers.items() if " " not in word}
        number = rf"(?:\d+|{any_of(whole)})"
        spoken = any_of(w for w in units if w.isalpha() and len(w) > 1)
        self._decimal = re.compile(rf"(?<![\w.])(?P<a>{number}) \. (?P<b>{number})(?=\s+{spoken}\b)", re.I)
        tag = any_of(language.words("said-at-the-end-of-a-statement"))
        self._tag = re.compile(rf",\s+(?:[\w'’]+\s+){{0,4}}?{tag}\s*\?(?=\s|\Z)", re.I)
        pauses = any_of(language.words("sounds-of-a-pause"))
        self._every = re.compile(
            rf"\b(?P<every>{any_of(language.words('before-a-number-of-hours'))})(?P<gap>\s+{pauses}[\s,]*)(?={number}\b)", re.I
        )

    def evened(self, text: str) -> str:
        """The text as it is meant, each word where it stood: the same length."""
        text = self._tag.sub(lambda m: f"{m[0][:-1]}.", text)
        text = self._decimal.sub(self._in_digits, text)
        text = self._every.sub(lambda m: m["every"] + " " * len(m["gap"]), text)
        return _EVERY_HOUR.sub(lambda m: m[0][0] + " ", text)

    def _in_digits(self, said: re.Match[str]) -> str:
        a, b = (part if part.isdigit() else str(self._whole[lowered(part)]) for part in (said["a"], said["b"]))
        return f"{a}.{b}".ljust(len(said[0]))


def as_written(value: Any, text: str) -> Any:
    """What was found, each span with the words of the text that stand there."""
    if isinstance(value, Span):
        return Span(value.start, value.end, text[value.start : value.end])
    if isinstance(value, tuple):
        return tuple(as_written(one, text) for one in value)
    if isinstance(value, Struct):
        return replace(value, **{f.name: as_written(getattr(value, f.name), text) for f in fields(value)})
    return value
