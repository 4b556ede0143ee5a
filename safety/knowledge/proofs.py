"""What authors have of an entry beside its answers: the cases that prove it, and what there is to tidy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal

import msgspec
from msgspec import Struct

_DECIMAL, _INTEGER = 1, 2


class Proof(Struct, frozen=True):
    """A case written inside an entry: the patient, and the verdict that medicine asks for."""

    entry: str
    name: str
    given: dict[str, Any]
    expect: Literal["violated", "satisfied", "not_applicable", "unknown"]
    missing: tuple[str, ...]
    severity: str | None
    place: str
    direction: Literal["HIGH", "LOW"] | None = None
    hard: bool | None = None
    suspect: str | None = None


class SealedProof(Struct, frozen=True, array_like=True):
    """A case as it is stored; `given` is packed, so that a number stays the number that was written."""

    proof: Proof
    given: bytes


SealedProofs = tuple[SealedProof, ...]


class Remark(Struct, frozen=True, array_like=True):
    """One thing to tidy: where, which (a stable code), what, and a hint."""

    place: str
    code: str
    message: str
    hint: str


Remarks = tuple[Remark, ...]


class Cases(Mapping[str, tuple[Proof, ...]]):
    """The cases of each entry by its id, in order of id; unpacked when they are asked for."""

    def __init__(self, sealed: Mapping[str, SealedProofs]) -> None:
        self.sealed = sealed

    def __getitem__(self, entry: str) -> tuple[Proof, ...]:
        return tuple(unsealed(each) for each in self.sealed[entry])

    def __contains__(self, entry: object) -> bool:
        return entry in self.sealed

    def __iter__(self) -> Iterator[str]:
        return iter(self.sealed)

    def __len__(self) -> int:
        return len(self.sealed)


def sealed(proof: Proof) -> SealedProof:
    """A case ready to be stored."""
    given = msgspec.msgpack.encode(_packed(proof.given))
    return SealedProof(msgspec.structs.replace(proof, given={}), given)


def unsealed(stored: SealedProof) -> Proof:
    """A case as it was written."""
    return msgspec.structs.replace(stored.proof, given=msgspec.msgpack.decode(stored.given, ext_hook=_number))


def _packed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _packed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_packed(inner) for inner in value]
    if isinstance(value, Decimal):
        return msgspec.msgpack.Ext(_DECIMAL, str(value).encode())
    if isinstance(value, int) and value.bit_length() > 63:
        return msgspec.msgpack.Ext(_INTEGER, str(value).encode())
    return value


def _number(code: int, data: memoryview) -> Decimal | int:
    read: Callable[[str], Decimal | int] = Decimal if code == _DECIMAL else int
    return read(bytes(data).decode())
