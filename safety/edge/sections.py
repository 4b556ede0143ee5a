"""The sections of a note whose lines are not of what the patient has or takes: of the family, and of what is not tolerated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.wording import any_of
from safety.text import lowered

Kind = Literal["family", "allergies", "now"]
_OURS: dict[str, Kind] = {"family": "family", "allergies": "allergies"}
_NOW: Kind = "now"
"""Of what there is today: it says nothing of its lines but that."""
_A_CAPITAL_LINE = re.compile(r"[^a-z\n]*[A-Z]{3}[^a-z\n]*")
_MOST_WORDS = 6


class Section(Struct, frozen=True):
    """From where to where the lines of a section stand."""

    kind: Kind
    start: int
    end: int


class Sections:
    """Finds them by the headings of one language; immutable, may be shared."""

    def __init__(self, language: Language) -> None:
        self._headings = language.meaning("note-sections")
        self._alone = re.compile(rf"[\W\d]*(?P<name>{any_of(self._headings)})\s*:?\s*", re.I)
        self._opening = re.compile(rf"[\W\d]*(?P<name>{any_of(self._headings)})\s*:", re.I)

    def is_heading_of_ours(self, said: str) -> bool:
        """Whether a sentence is the heading of such a section, and nothing else: "ALLERGIES"."""
        heading = self._alone.fullmatch(said.strip())
        return heading is not None and self._headings[" ".join(lowered(heading["name"]).split())] in _OURS

    def opening(self, said: str) -> tuple[Kind | None, int]:
        """The section whose heading stands at the beginning of a sentence, "Allergies: PCN", and where that heading ends."""
        heading = self._opening.match(said)
        if heading is None:
            return None, 0
        kind = self._headings[" ".join(lowered(heading["name"]).split())]
        return (_OURS.get(kind) or (_NOW if kind == _NOW else None)), heading.end()

    def of(self, text: str) -> list[Section]:
        """The sections of a text, in order; the lines under a heading that stands alone, up to the next heading."""
        found: list[Section] = []
        kind, begin = None, 0
        for start, end in _lines(text):
            line = text[start:end]
            heading = self._alone.fullmatch(line)
            if heading is None and not _is_capital(line):
                continue
            if kind is not None:
                found.append(Section(kind, begin, start))
            name = " ".join(lowered(heading["name"]).split()) if heading is not None else ""
            kind, begin = _OURS.get(self._headings.get(name, "")), end
        return [*found, Section(kind, begin, len(text))] if kind is not None else found


def within(sections: list[Section], kind: Kind, start: int) -> bool:
    """Whether a place lies in a section of a kind."""
    return any(one.kind == kind and one.start <= start < one.end for one in sections)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, at + len(line.rstrip("\r\n"))
        at += len(line)


def _is_capital(line: str) -> bool:
    """Whether a line is a heading by its letters: "PAST HISTORY"."""
    return _A_CAPITAL_LINE.fullmatch(line.strip()) is not None and len(line.split()) <= _MOST_WORDS
