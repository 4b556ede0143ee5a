"""Parts of a stored library, decoded when they are asked for: frozen, in their order, the same for every thread.

They stand where compiling puts a tuple or a dict, and are equal to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, overload
from zlib import crc32

T = TypeVar("T")
V = TypeVar("V")
K = TypeVar("K")


class Rows(Protocol):
    """Stored pieces by number: how many there are, and the bytes of one."""

    def __len__(self) -> int:
        """How many pieces there are."""

    def row(self, n: int) -> bytes:
        """The bytes of one piece. Raises EngineError where they are not what was stored."""


class _Listed(Sequence[T], Generic[T]):
    """What every lazy sequence shares; equal to any list, tuple or lazy sequence with the same items."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | list | _Listed):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class Records(_Listed[T]):
    """Records of one kind, in order of id; each is decoded at its first use."""

    def __init__(self, rows: Rows, decode: Callable[[bytes], T], ids: Callable[[], Ids]) -> None:
        self._rows = rows
        self._decode = decode
        self._load_ids = ids
        self._made: dict[int, T] = {}
        self._ids: Ids | None = None

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, n: int) -> T: ...
    @overload
    def __getitem__(self, n: slice) -> Sequence[T]: ...
    def __getitem__(self, n: int | slice) -> T | Sequence[T]:
        if isinstance(n, slice):
            return tuple(self._at(i) for i in range(len(self))[n])
        found = self._made.get(n)
        return self._at(range(len(self))[n]) if found is None else found

    def __iter__(self) -> Iterator[T]:
        return map(self._at, range(len(self)))

    def _at(self, n: int) -> T:
        found = self._made.get(n)
        return self._made.setdefault(n, self._decode(self._rows.row(n))) if found is None else found

    def raw(self, n: int) -> bytes:
        """One record as it is stored."""
        return self._rows.row(n)

    @property
    def ids(self) -> Ids:
        """The ids in order, without decoding what they belong to."""
        if self._ids is None:
            self._ids = self._load_ids()
        return self._ids

    @property
    def by_id(self) -> Mapping[str, T]:
        """The records by id."""
        return _ById(self)


class Ids(_Listed[str]):
    """Sorted ids; one is found without decoding the others."""

    def __init__(self, ends: Sequence[int], text: bytes) -> None:
        self._ends = ends
        self._text = text
        self._found: dict[str, int | None] = {}

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, n: int) -> str: ...
    @overload
    def __getitem__(self, n: slice) -> Sequence[str]: ...
    def __getitem__(self, n: int | slice) -> str | Sequence[str]:
        if isinstance(n, slice):
            return tuple(self._at(i).decode() for i in range(len(self))[n])
        return self._at(range(len(self))[n]).decode()

    def _at(self, n: int) -> bytes:
        return self._text[self._ends[n - 1] if n else 0 : self._ends[n]]

    def know_all(self) -> None:
        """Decode them all: quicker where each will be looked up."""
        self._found = {self._at(n).decode(): n for n in range(len(self))}

    def position(self, i: str) -> int | None:
        """Where an id stands; None if it is none of these."""
        try:
            return self._found[i]
        except KeyError:
            found = self._search(i.encode("utf-8", "surrogatepass"))
            if len(self._found) < len(self) + _MISSES:
                self._found[i] = found
            return found

    def _search(self, key: bytes) -> int | None:
        count = len(self._ends)
        if not count or not self._at(0) <= key <= self._at(count - 1):  # an id of another kind: "drug.…" is no product
            return None
        n = bisect_left(range(count), key, key=self._at)
        return n if self._at(n) == key else None


class _ById(Mapping[str, T]):
    def __init__(self, records: Records[T]) -> None:
        self._records = records
        self._known: dict[str, T] = {}
        self._strange: set[str] = set()

    def _find(self, i: str) -> T | None:
        n = self._records.ids.position(i)
        if n is None and len(self._strange) < _MISSES:
            self._strange.add(i)
        return None if n is None else self._known.setdefault(i, self._records[n])

    def __getitem__(self, i: str) -> T:
        found = self._known.get(i)
        if found is None:
            found = self._find(i)
            if found is None:
                raise KeyError(i)
        return found

    def get(self, i: str, default: Any = None) -> Any:
        """The record of an id, or the default."""
        found = self._known.get(i)
        if found is None and i not in self._strange:
            found = self._find(i)
        return default if found is None else found

    def __contains__(self, i: object) -> bool:
        return isinstance(i, str) and self._records.ids.position(i) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._records.ids)

    def __len__(self) -> int:
        return len(self._records)


class Later(_Listed[T]):
    """A sequence that is decoded as a whole at its first use."""

    def __init__(self, load: Callable[[], tuple[T, ...]]) -> None:
        self._load: Callable[[], tuple[T, ...]] | None = load
        self._whole: tuple[T, ...] = ()

    def _all(self) -> tuple[T, ...]:
        load = self._load
        if load is not None:
            self._whole = load()
            self._load = None
        return self._whole

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, n: int) -> T: ...
    @overload
    def __getitem__(self, n: slice) -> Sequence[T]: ...
    def __getitem__(self, n: int | slice) -> T | Sequence[T]:
        return self._all()[n]

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    def __contains__(self, item: object) -> bool:
        return item in self._all()


class LaterMapping(Mapping[K, V]):
    """A mapping that is decoded as a whole at its first use."""

    def __init__(self, load: Callable[[], dict[K, V]]) -> None:
        self._load: Callable[[], dict[K, V]] | None = load
        self._whole: dict[K, V] = {}

    def _all(self) -> dict[K, V]:
        load = self._load
        if load is not None:
            self._whole = load()
            self._load = None
        return self._whole

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, key: K) -> V:
        return self._all()[key]

    def __contains__(self, key: object) -> bool:
        return key in self._all()

    def __iter__(self) -> Iterator[K]:
        return iter(self._all())

    def __repr__(self) -> str:
        return repr(self._all())


PER_SHARD = 16
"""How many keys are decoded together, about."""
_MISSES = 4096
"""So many ids that are not there are remembered."""


def shard_of(key: str, shards: int) -> int:
    """In which of so many shards a key stands: the same on every machine and in every process."""
    return crc32(key.encode("utf-8", "surrogatepass")) % shards


class Shards(Mapping[str, V]):
    """A mapping in pieces: only the few keys that stand beside the one asked for are decoded with it. In order of shard."""

    def __init__(self, rows: Rows, decode: Callable[[bytes], dict[str, V]], count: int) -> None:
        self._rows = rows
        self._decode = decode
        self._count = count
        self._made: list[dict[str, V] | None] = [None] * len(rows)

    @property
    def raw(self) -> Iterator[bytes]:
        """The pieces as they are stored."""
        return (self._rows.row(n) for n in range(len(self._made)))

    def _shard(self, n: int) -> dict[str, V]:
        found = self._made[n]
        if found is None:
            found = self._made[n] = self._decode(self._rows.row(n))
        return found

    def __getitem__(self, key: str) -> V:
        if not self._made:
            raise KeyError(key)
        return self._shard(shard_of(key, len(self._made)))[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default."""
        made = self._made
        if not made:
            return default
        n = crc32(key.encode("utf-8", "surrogatepass")) % len(made)  # as `shard_of`, without the call
        shard = made[n]
        return (self._shard(n) if shard is None else shard).get(key, default)

    def __contains__(self, key: object) -> bool:
        return bool(self._made) and isinstance(key, str) and key in self._shard(shard_of(key, len(self._made)))

    def __iter__(self) -> Iterator[str]:
        for n in range(len(self._made)):
            yield from self._shard(n)

    def __len__(self) -> int:
        return self._count


class Together(Mapping[str, V]):
    """Several mappings as one, in their order; what stands in two of them is taken from the later."""

    def __init__(self, parts: Sequence[Mapping[str, V]]) -> None:
        self._parts = tuple(parts)

    def __getitem__(self, key: str) -> V:
        found = next((part for part in reversed(self._parts) if key in part), None)
        if found is None:
            raise KeyError(key)
        return found[key]

    def __contains__(self, key: object) -> bool:
        return any(key in part for part in self._parts)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(key for part in self._parts for key in part))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def by_id(items: Sequence[T]) -> Mapping[str, T]:
    """Things by their `id`, without decoding them where they are stored."""
    found: Mapping[str, T] | None = getattr(items, "by_id", None)
    return found if found is not None else {item.id: item for item in items}  # type: ignore[attr-defined]
