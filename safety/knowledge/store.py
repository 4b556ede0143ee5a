"""One file of parts, each with a checksum: what compiled knowledge is kept in, and read from piece by piece.

A part is whole, or rows of which each is read by itself. Which fields of a value become which is said by their types:

    Sequence[X], X with an `id`    rows in order of id, decoded one by one (`Records`)
    Lookup[V]                      keys in shards (`Shards`)
    Sequence[X], Mapping[K, V]     one part, decoded at its first use
    anything else                  one part, decoded at once
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal, Protocol, TypeAlias, TypeVar, get_args, get_origin, get_type_hints
from zlib import crc32

import msgspec
from msgspec import Struct

from safety.errors import EngineError
from safety.knowledge.lazy import PER_SHARD, Ids, Later, LaterMapping, Records, Shards, shard_of

V = TypeVar("V")
S = TypeVar("S", bound=Struct)

_LOOKED_UP = "looked up by key"
Lookup: TypeAlias = Annotated[Mapping[str, V], _LOOKED_UP]
"""A mapping that is asked for a few of its keys, and iterated in no promised order."""

_MAGIC = b"medsafe compiled\n"
_CHUNK = 1 << 20
_ENDS, _IDS = "#ends", "#ids"


# ------------------------------------------------------------------ bytes


class _Source(Protocol):
    def read(self, at: int, length: int) -> bytes: ...
    def size(self) -> int: ...


class _Memory:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, at: int, length: int) -> bytes:
        return self._data[at : at + length]

    def size(self) -> int:
        return len(self._data)


class _File:
    """An open file that many threads read from; it stays what it was when another is moved to its place."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._turn = threading.Lock()

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            os.close(self._handle)

    def read(self, at: int, length: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._handle, length, at)
        with self._turn:
            os.lseek(self._handle, at, os.SEEK_SET)
            return os.read(self._handle, length)

    def size(self) -> int:
        return os.fstat(self._handle).st_size


class _Part(Struct, frozen=True, array_like=True):
    at: int
    length: int
    sum: int


class _Header(Struct, frozen=True):
    key: str
    parts: dict[str, _Part]


class Store:
    """Parts by name, read when asked for. A damaged or shortened file is an EngineError that names it."""

    def __init__(self, source: _Source, shown: str) -> None:
        self._source = source
        self._shown = shown
        start = len(_MAGIC)
        head = self._read(0, start + 8)
        length, total = (int.from_bytes(head[start + n : start + n + 4], "little") for n in (0, 4))
        if not head.startswith(_MAGIC) or source.size() < start + 8 + length:
            raise self.damaged("it does not begin as one")
        packed = self._read(start + 8, length)
        if crc32(packed) != total:
            raise self.damaged("its table of parts is damaged")
        try:
            self._header = msgspec.msgpack.decode(packed, type=_Header)
        except msgspec.MsgspecError as error:
            raise self.damaged(str(error)) from error
        self._base = start + 8 + length
        end = max((p.at + p.length for p in self._header.parts.values()), default=0)
        if source.size() != self._base + end:
            raise self.damaged(f"it holds {source.size():,} bytes instead of {self._base + end:,}")

    @classmethod
    def open(cls, path: Path) -> Store:
        """The store in a file. Raises EngineError where it is none, or damaged where that can be seen at once."""
        try:
            return cls(_File(path), str(path))
        except OSError as error:
            raise EngineError(f"{path} cannot be read: {error.strerror or error}") from error

    @classmethod
    def of(cls, data: bytes) -> Store:
        """The store in bytes."""
        return cls(_Memory(data), "compiled knowledge in memory")

    @property
    def key(self) -> str:
        """What the store was made from."""
        return self._header.key

    def damaged(self, why: str) -> EngineError:
        """The error of a store that is not what was written."""
        return EngineError(f"{self._shown} is not compiled knowledge that can be read ({why}): delete it; it is made anew")

    def verify(self) -> None:
        """Read every part and compare it with its checksum. Raises EngineError."""
        for name, part in self._header.parts.items():
            total = 0
            for at in range(0, part.length, _CHUNK):
                total = crc32(self._read(self._base + part.at + at, min(_CHUNK, part.length - at)), total)
            if total != part.sum:
                raise self.damaged(f"its part `{name}` is damaged")

    def __contains__(self, name: object) -> bool:
        return name in self._header.parts

    def names(self) -> Iterable[str]:
        """The names of all parts."""
        return self._header.parts

    def part(self, name: str) -> bytes:
        """One part as it was written. Raises EngineError where it is missing or damaged."""
        part = self._part(name)
        data = self._read(self._base + part.at, part.length)
        if crc32(data) != part.sum:
            raise self.damaged(f"its part `{name}` is damaged")
        return data

    def slice(self, name: str, at: int, end: int, total: int) -> bytes:
        """A piece of a part, with its own checksum."""
        data = self._read(self._base + self._part(name).at + at, end - at)
        if crc32(data) != total:
            raise self.damaged(f"its part `{name}` is damaged")
        return data

    def _part(self, name: str) -> _Part:
        part = self._header.parts.get(name)
        if part is None:
            raise self.damaged(f"its part `{name}` is missing")
        return part

    def _read(self, at: int, length: int) -> bytes:
        try:
            data = self._source.read(at, length)
        except OSError as error:
            raise self.damaged(error.strerror or str(error)) from error
        if len(data) != length:
            raise self.damaged("it is cut short")
        return data


class Writer:
    """Gathers parts and gives the bytes of a store; the same parts give the same bytes."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._parts: dict[str, _Part] = {}
        self._data: list[bytes] = []
        self._at = 0

    def add(self, name: str, data: bytes) -> None:
        """One part."""
        self._parts[name] = _Part(self._at, len(data), crc32(data))
        self._data.append(data)
        self._at += len(data)

    def rows(self, name: str, rows: Iterable[bytes]) -> None:
        """A part of rows, and where each ends."""
        held = list(rows)
        ends = array("I", [0]) * 0
        at = 0
        for row in held:
            at += len(row)
            ends.append(at)
        self.add(name, b"".join(held))
        self.add(name + _ENDS, _packed(ends) + _packed(array("I", map(crc32, held))))

    def digest(self, prefix: str) -> str:
        """A digest of a part and of what belongs to it."""
        whole = hashlib.blake2b(digest_size=12)
        for (name, part), data in zip(self._parts.items(), self._data, strict=True):
            if name == prefix or name.startswith(f"{prefix}#"):
                whole.update(f"{name}\0{part.length}\0".encode() + data)
        return whole.hexdigest()

    def whole(self) -> bytes:
        """The store."""
        header = msgspec.msgpack.encode(_Header(self._key, self._parts))
        sizes = len(header).to_bytes(4, "little") + crc32(header).to_bytes(4, "little")
        return b"".join([_MAGIC, sizes, header, *self._data])


def _packed(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def _unpacked(data: bytes) -> array[int]:
    numbers = array("I")
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class StoredRows:
    """The rows of one part."""

    def __init__(self, store: Store, name: str, *, at_once: bool = False) -> None:
        self._store = store
        self._name = name
        self._whole = store.part(name) if at_once else b""
        numbers = _unpacked(store.part(name + _ENDS))
        half = len(numbers) // 2
        self._ends, self._sums = numbers[:half], numbers[half:]

    def __len__(self) -> int:
        return len(self._ends)

    def row(self, n: int) -> bytes:
        """The bytes of one row. Raises EngineError where they are damaged."""
        at, end = self._ends[n - 1] if n else 0, self._ends[n]
        return self._whole[at:end] if self._whole else self._store.slice(self._name, at, end, self._sums[n])


# ------------------------------------------------------------------ values


class Field(Struct, frozen=True):
    """How one field of a value is kept: in which way, and what it (or an item of it) is."""

    kind: Literal["records", "lookup", "sequence", "mapping", "value"]
    of: Any


@cache
def fields(of: type[Struct]) -> Mapping[str, Field]:
    """How each field of a type is kept."""
    return {name: _field(hint) for name, hint in get_type_hints(of, include_extras=True).items()}


def _field(hint: Any) -> Field:
    if get_origin(hint) is Annotated and _LOOKED_UP in hint.__metadata__:
        return Field("lookup", get_args(hint.__origin__)[1])
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Sequence:
        identified = isinstance(inner[0], type) and issubclass(inner[0], Struct) and "id" in inner[0].__struct_fields__
        return Field("records" if identified else "sequence", inner[0])
    if origin is Mapping:
        return Field("mapping", GenericAlias(dict, inner))
    return Field("value", hint)


def write_value(into: Writer, prefix: str, value: Struct) -> None:
    """Every field of a value as parts whose names begin with the prefix."""
    for name, field in fields(type(value)).items():
        write_field(into, f"{prefix}.{name}", field, getattr(value, name))


def write_field(into: Writer, name: str, field: Field, value: Any) -> None:
    """One field."""
    if field.kind == "records":
        write_records(into, name, value)
    elif field.kind == "lookup":
        _write_shards(into, name, value)
    else:
        plain = tuple(value) if field.kind == "sequence" else dict(value) if field.kind == "mapping" else value
        into.add(name, msgspec.msgpack.encode(plain))


def write_records(into: Writer, name: str, items: Any) -> None:
    """Records in order of id; those that were stored before are taken over as they are."""
    if hasattr(items, "raw"):
        ids, rows = list(items.ids), [items.raw(n) for n in range(len(items))]
    else:
        ids, rows = [item.id for item in items], [msgspec.msgpack.encode(item) for item in items]
    if any(a >= b for a, b in pairwise(ids)):
        raise EngineError(f"`{name}` is not in order of id")
    into.rows(name, rows)
    texts = [i.encode() for i in ids]
    ends = array("I")
    at = 0
    for text in texts:
        at += len(text)
        ends.append(at)
    into.add(name + _IDS, _packed(ends) + b"".join(texts))


def _write_shards(into: Writer, name: str, value: Mapping[str, Any]) -> None:
    """A mapping in pieces; one that was stored before is taken over as it is."""
    if isinstance(value, Shards):
        into.rows(name, value.raw)
        into.add(name + "#count", msgspec.msgpack.encode(len(value)))
        return
    count = max(1, len(value) // PER_SHARD) if value else 0
    shards: list[dict[str, Any]] = [{} for _ in range(count)]
    for key in sorted(value):
        shards[shard_of(key, count)][key] = value[key]
    into.rows(name, (msgspec.msgpack.encode(shard) for shard in shards))
    into.add(name + "#count", msgspec.msgpack.encode(len(value)))


def read_value(store: Store, prefix: str, of: type[S]) -> S:
    """A value whose fields are read when they are asked for. Raises EngineError."""
    return of(**{name: read_field(store, f"{prefix}.{name}", field) for name, field in fields(of).items()})


def read_field(store: Store, name: str, field: Field) -> Any:
    """One field."""
    if field.kind == "records":
        return read_records(store, name, field.of)
    if field.kind == "lookup":
        count = msgspec.msgpack.decode(store.part(name + "#count"), type=int)
        return Shards(StoredRows(store, name), _decoder(store, dict[str, field.of]), count)  # type: ignore[name-defined]
    if field.kind == "sequence":
        return Later(lambda: _decoder(store, tuple[field.of, ...])(store.part(name)))  # type: ignore[name-defined]
    decode = _decoder(store, field.of)
    return LaterMapping(lambda: decode(store.part(name))) if field.kind == "mapping" else decode(store.part(name))


def read_records(store: Store, name: str, of: type[V], *, at_once: bool = False) -> Records[V]:
    """Records, decoded one by one; `at_once`: all of them will be asked for, so all are read."""
    rows = StoredRows(store, name, at_once=at_once)
    size = 4 * len(rows)

    def ids() -> Ids:
        data = store.part(name + _IDS)
        found = Ids(_unpacked(data[:size]), data[size:])
        if at_once:
            found.know_all()
        return found

    return Records(rows, _decoder(store, of), ids)


def _decoder(store: Store, of: Any) -> Any:
    """Decodes one type, made at its first use; what cannot be decoded is a damaged store."""
    made: list[msgspec.msgpack.Decoder[Any]] = []

    def decode(data: bytes) -> Any:
        if not made:
            made.append(msgspec.msgpack.Decoder(of))
        try:
            return made[0].decode(data)
        except msgspec.MsgspecError as error:
            raise store.damaged(str(error)) from error

    return decode
