"""Which rules a change of files touches, so that their cases are run again and no others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import Final

import msgspec

from safety.knowledge.collecting import RULE_FOLDERS
from safety.knowledge.library import Library

_COMPILED_IN: Final = frozenset((*RULE_FOLDERS, "kb/classes", "kb/pathways", "kb/harms", "kb/sources", "kb/coverage"))
"""Folders whose files reach a case through the rules that name them, and in no other way; words and units reach every case."""


_JUDGED_WITH: Final = frozenset(
    ("entries", "classes", "pathways", "harms", "sources", "coverage", "alternatives", "changes", "originals")
)
"""Sections that reach a case through the rules that are compiled with them; by the others any case may be read otherwise."""


def marks(library: Library) -> dict[str, bytes]:
    """A mark of each judged entry: the same for the same entry."""
    entries = library.entries
    raw = getattr(entries, "raw", None)
    rows = ((i, raw(n)) for n, i in enumerate(entries.ids)) if raw else ((e.id, msgspec.msgpack.encode(e)) for e in entries)  # type: ignore[attr-defined]
    return {i: blake2b(row, digest_size=12).digest() for i, row in rows}


def otherwise(before: Library, now: Library) -> set[str]:
    """The judged entries that came out otherwise than before."""
    earlier = marks(before)
    return {i for i, mark in marks(now).items() if earlier.get(i) != mark}


def touched(
    files: Iterable[str], others: Collection[str], library: Library, sections: Collection[str] | None = None
) -> set[str] | None:
    """The entries of changed files, and the `others` that came out otherwise by them; None where any case may be read
    otherwise. `sections`: those that came out otherwise, where that is known."""
    changed = list(files)
    known = sections is not None and _JUDGED_WITH.issuperset(sections)
    if not known and not all(_folder(file) in _COMPILED_IN for file in changed):
        return None
    return {i for file in changed for i in library.entries_in(file)} | set(others)


def _folder(file: str) -> str:
    """The folder of the knowledge that a file stands in, whichever folder that one is in."""
    parts = file.split("/")
    roots = [n for n, part in enumerate(parts) if part in ("kb", "rules")]
    return "/".join(parts[roots[0] : roots[0] + 2]) if roots else ""
