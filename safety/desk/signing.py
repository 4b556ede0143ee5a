"""Who stands for an entry: sign-offs in a file beside the knowledge, each for the words and figures that it had that day."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from safety.desk.lines import add_lines, lines_of
from safety.errors import KnowledgeError, Place, Problem, RequestError
from safety.knowledge.library import Entry

FILE: Final = "signatures.jsonl"
_WHEREABOUTS: Final = frozenset(("place", "asks", "origin", "decided_by", "reviewed", "due", "by_whom"))
"""What may differ while an entry says the same."""

State = Literal["signed", "changed", "unsigned"]


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """A licensed person stands for an entry as it was on a day: its id, the digest of what it said, who, which license."""

    id: str
    sha256: str
    by: str
    license: str
    on: date


class SignedState(Struct, frozen=True):
    """Whether somebody stands for an entry as it is now, and the newest sign-off there is."""

    state: State
    newest: Signature | None = None


def digest(entry: Entry) -> str:
    """SHA-256 of what an entry says and does, wherever it stands."""
    told = _without(msgspec.to_builtins(entry, order="deterministic", enc_hook=str))
    return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without(v) for k, v in value.items() if k not in _WHEREABOUTS}
    return [_without(v) for v in value] if isinstance(value, list | tuple) else value


def signer(told: str) -> tuple[str, str]:
    """The name and the license of "NAME, license". Raises RequestError where one is missing."""
    name, _, license = (part.strip() for part in told.partition(","))
    if not name or not any(c.isdigit() for c in license):
        hint = 'write --as "Jane Doe, RPh OH 03-1-23456"'
        raise RequestError([Problem(Place("--as"), "R122", "must be a name and a license with its number", hint)])
    return name, license


def sign(folder: Path, signatures: Iterable[Signature]) -> None:
    """Add sign-offs to the file of a folder; when this returns they are on the disk, all of them."""
    add_lines(folder / FILE, b"".join(msgspec.json.encode(one) + b"\n" for one in signatures))


def signatures_in(folders: Iterable[Path]) -> dict[str, Signature]:
    """The newest sign-off of each entry, over the folders of the knowledge. Raises KnowledgeError for a line that is none."""
    found: dict[str, Signature] = {}
    problems: list[Problem] = []
    for folder in folders:
        path = folder / FILE
        for n, line in enumerate(lines_of(path.read_bytes()) if path.is_file() else (), 1):
            try:
                one = msgspec.json.decode(line, type=Signature)
            except (msgspec.DecodeError, UnicodeDecodeError):
                hint = "a line that was cut off? take it out, and sign again"
                problems.append(Problem(Place(str(path), n, 1), "S001", "is not a sign-off", hint))
                continue
            before = found.get(one.id)
            if before is None or before.on <= one.on:
                found[one.id] = one
    if problems:
        raise KnowledgeError(problems)
    return found


def state_of(entry: Entry, signed: Mapping[str, Signature]) -> SignedState:
    """Whether somebody stands for an entry as it is now: by a sign-off, or by name in its own review."""
    newest = signed.get(entry.id)
    if newest is not None:
        return SignedState("signed" if newest.sha256 == digest(entry) else "changed", newest)
    return SignedState("signed" if any(has_license(who) for who in entry.by_whom) else "unsigned")


def has_license(who: str) -> bool:
    """Whether a reviewer is named with a license: a number after the name."""
    _, _, license = who.partition(",")
    return any(c.isdigit() for c in license)
