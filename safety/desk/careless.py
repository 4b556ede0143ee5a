"""What `medsafe lint` says of rules that compile and still cannot be meant so: carelessness that no case would show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from safety.desk.keeping import in_force, placeholder, unlikely_review
from safety.desk.overlapping import overlapping
from safety.desk.reach import impossible_rule
from safety.desk.remarks import Remark
from safety.errors import Place, Problem
from safety.knowledge.library import Library

_TOLD: Final = {
    "text.placeholder": ("K707", "write what only you can know"),
    "reach.impossible": ("K708", "which of the two is meant?"),
    "review.reviewer": ("K709", 'write the license too, "NAME, RPh OH 03-1-23456", or leave `by_whom` empty'),
    "review.order": ("K710", "`due` comes after `last`"),
    "reach.shadowed": ("K711", "take it out, make it louder, or change that rule by an override"),
}
_KEYS: Final = {"reach.impossible": ("condition:", "when:"), "review.order": ("due:",), "reach.shadowed": ("condition:", "with:")}
"""In which line of an entry the mistake stands, where the remark quotes no words of it."""
_QUOTED: Final = re.compile(r"`([^`]+)`")

TextOf = Callable[[str], Sequence[str]]
"""The lines of a file of the knowledge, by the name that places give it."""


def careless(library: Library, part: str = "", text_of: TextOf = lambda _: ()) -> list[Problem]:
    """Placeholders, conditions that no patient meets, reviewers without a license, reviews due before they were, and rules that
    another covers; each in its own line where `text_of` gives the text."""
    every = in_force(library)
    entries = (e for e in every if e.place.startswith(part))
    remarks = [r for e in entries for r in (*placeholder(e), *impossible_rule(e, library.units), *unlikely_review(e))]
    return sorted(_problem(r, text_of) for r in (*remarks, *overlapping(every, part)))


def _problem(r: Remark, text_of: TextOf) -> Problem:
    code, hint = _TOLD[r.line]
    file, line, column = r.place.rsplit(":", 2)
    sought = _KEYS.get(r.line) or tuple(_QUOTED.findall(r.says)[:1])
    return Problem(_within(Place(file, int(line), int(column)), sought, text_of(file)), code, f"{r.about}: {r.says}", hint)


def _within(place: Place, sought: Sequence[str], lines: Sequence[str]) -> Place:
    """Where one of these words stands first in an entry; where the entry begins if it does not hold them."""
    for n, line in _of_entry(place, lines):
        at = min((line.find(word) for word in sought if word in line), default=-1)
        if at >= 0:
            return Place(place.file, n, at + 1)
    return place


def _of_entry(place: Place, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of an entry with their numbers: of a row of a table, as far as the next row; comments are left out."""
    begun = " " * (place.column - 3) + "- " if place.column > 2 else None
    for n, line in enumerate(lines[place.line - 1 :], place.line):
        if begun is not None and n > place.line and line.startswith(begun):
            return
        if not line.lstrip().startswith("#"):
            yield n, line
