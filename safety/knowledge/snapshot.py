"""Compiled knowledge in one file, keyed by the knowledge's content, the engine's version and the code that compiled it.

A snapshot holds the library, what is derived from it to look things up in, and what the next compiling may take over.
It stands in a cache folder, or beside the knowledge itself (in an installed package). What counts is its key. A note in
the cache remembers the stamps of all files at the time the key was last worked out: where no stamp has changed, the key
is believed; stamps never say more than that.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from safety.errors import EngineError, KnowledgeError
from safety.knowledge import format as form
from safety.knowledge.collecting import NOTHING, ChangedError, Collected, Stamp, collect, look, stamp_of
from safety.knowledge.compiled import Compiled
from safety.knowledge.library import Derived, Library
from safety.knowledge.memory import DERIVED, LIBRARY, holds_derived
from safety.knowledge.proofs import Cases, Remarks, SealedProofs
from safety.knowledge.resting import collector_resting
from safety.knowledge.store import Store, Writer, read_records, read_value, write_value

if TYPE_CHECKING:
    from safety.knowledge.standing import Standing

SHIPPED = "compiled.snapshot"
"""How a snapshot is called that stands beside the `kb/` and `rules/` it was made from."""
_PROOFS = "work.proofs"
_REMARKS = "work.remarks"
_FORMAT = "work.format"
_ENDING = ".snapshot"
_KEPT = 6
_TRIES = 3
_FRESH = 2_000_000_000
"""A file changed so shortly (ns) before its stamp was noted may change again within the same tick of the clock."""


Later = Callable[[Callable[[], object]], None]
"""Takes what is to be done when there is time."""


class Recipe(Struct, frozen=True):
    """With what knowledge is compiled: the version of the engine, and what is derived from a library to be stored with it."""

    engine: str
    derived: tuple[Derived[Any], ...] = ()

    @property
    def identity(self) -> str:
        """The same for the same recipe; how each step of it is written stands in the sources."""
        return " ".join((self.engine, *(f"{d.build.__module__}:{d.name}" for d in self.derived)))


class _Note(Struct, frozen=True, array_like=True):
    """Which snapshot was right for some folders, and the stamps of everything that it was made from."""

    recipe: str
    key: str
    snapshot: Stamp
    sources: dict[str, Stamp]
    files: bytes
    digests: tuple[bytes, ...]

    def known(self) -> dict[str, tuple[Stamp, bytes]]:
        """The stamps and digests of the files."""
        stamps = msgspec.msgpack.decode(self.files, type=dict[str, Stamp])
        return dict(zip(stamps, zip(stamps.values(), self.digests, strict=True), strict=True))


def load_library(
    base: Path,
    overlays: Sequence[Path],
    cache: Path | None,
    recipe: Recipe,
    on_compile: Callable[[], None] = lambda: None,
) -> Library:
    """The library of a base folder with overlays: from its snapshot if there is one, compiled otherwise.

    `cache` None, or a folder that cannot be written, means that nothing is kept; a snapshot beside the knowledge serves
    all the same. `on_compile` is called before the (slow) compiling begins. Raises KnowledgeError with every problem.
    """
    compiled = load_compiled(base, overlays, cache, recipe, on_compile, derive=True)
    if compiled.problems:
        raise KnowledgeError(compiled.problems)
    return compiled.library


def load_compiled(
    base: Path,
    overlays: Sequence[Path],
    cache: Path | None,
    recipe: Recipe,
    on_compile: Callable[[], None] = lambda: None,
    *,
    derive: bool = False,
    later: Later | None = None,
    changed: bool = False,
) -> Compiled:
    """The library with the cases inside it, and the problems where there are any; only what has changed is compiled.

    `derive`: what is derived is stored, too, where it is not; for whoever loads, and not for authors, edit after edit.
    `later`: is handed the writing of the snapshot, to be done once the answer is told; without it, it is done at once.
    `changed`: something is known to have been saved since, so that no note is asked whether anything was.
    """
    for _ in range(_TRIES - 1):
        with contextlib.suppress(ChangedError):
            return _Loading(base, overlays, cache, recipe, derive).compiled(on_compile, later, changed=changed)
    return _Loading(base, overlays, cache, recipe, derive).compiled(on_compile, later, changed=changed)


def standing(base: Path, overlays: Sequence[Path], cache: Path | None, recipe: Recipe, library: Library) -> Standing | None:
    """Knowledge to be edited, built upon what was compiled before; None where it is not what `library` was made from."""
    from safety.knowledge.standing import Standing

    loading = _Loading(base, overlays, cache, recipe, derive=False)
    collected = collect(base, overlays, loading.note.known() if loading.note else None)
    code = form.digest(form.sources(_roots(recipe)))
    return Standing.of(collected, library, next(loading.earlier(code), None), recipe.derived)


def snapshot_of(base: Path, recipe: Recipe) -> bytes:
    """The snapshot of a base folder, to be shipped beside it. Raises KnowledgeError."""
    from safety.knowledge.compiling import compile_collected

    collected = collect(base)
    compiled = compile_collected(collected, keeps=True)
    if compiled.problems:
        raise KnowledgeError(compiled.problems)
    code = form.digest(form.sources(_roots(recipe)))
    return packed(compiled, recipe, code, _key(collected, recipe, code))


def _roots(recipe: Recipe) -> list[str]:
    """The modules that decide how a snapshot comes out."""
    return ["safety.knowledge.compiling", __name__, *sorted({d.build.__module__ for d in recipe.derived})]


def _key(collected: Collected, recipe: Recipe, code: str) -> str:
    return hashlib.sha256(f"{recipe.identity}\0{code}\0{collected.sha256}".encode()).hexdigest()


# ------------------------------------------------------------------ loading


class _Loading:
    def __init__(self, base: Path, overlays: Sequence[Path], cache: Path | None, recipe: Recipe, derive: bool) -> None:
        self.base = base
        self.overlays = overlays
        self.cache = cache
        self.recipe = recipe
        self.derive = derive
        self.note = self._note(overlays)

    def compiled(self, on_compile: Callable[[], None], later: Later | None, *, changed: bool = False) -> Compiled:
        """From the snapshot that a note vouches for, that has the right key, or compiled with what it may take over."""
        vouched = None if changed else self._vouched()
        if vouched is not None:
            return opened(vouched)
        collected = collect(self.base, self.overlays, self.note.known() if self.note else None)
        sources = form.sources(_roots(self.recipe))
        code = form.digest(sources)
        key = _key(collected, self.recipe, code)
        if not collected.problems:
            for path in self._places(key):
                store = _whole(path, key)
                if store is not None and self._serves(store):
                    self._write_note(collected, sources, key, path)
                    return opened(store)
        on_compile()
        with collector_resting():
            compiled = self._compile(collected, code)
            if compiled.problems or self.cache is None:
                return compiled
            path, pack = _path(self.cache, key), partial(packed, recipe=self.recipe, code=code, key=key, derive=self.derive)
            if later is not None:
                return _read_now(compiled, later, lambda data: self._keep(path, data, collected, sources, key), pack)
            data = pack(compiled)
            del compiled
        return opened(self._keep(path, data, collected, sources, key) or Store.of(data))

    def _keep(self, path: Path, data: bytes, collected: Collected, sources: dict[str, bytes], key: str) -> Store | None:
        """Write a snapshot and its note; None where the cache cannot be written, which only costs time."""
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            _replace(path, data)
            self._write_note(collected, sources, key, path)
            _prune(path.parent, path)
            return Store.open(path)
        return None

    def _serves(self, store: Store) -> bool:
        """Whether a store holds everything that is to be loaded from it."""
        return not self.derive or all(holds_derived(store, derived) for derived in self.recipe.derived)

    def _places(self, key: str) -> list[Path]:
        kept = [_path(self.cache, key)] if self.cache is not None else []
        return [*kept, self.base / SHIPPED]

    def _compile(self, collected: Collected, code: str) -> Compiled:
        from safety.knowledge.compiling import compile_collected

        keeps = self.cache is not None
        for store in self.earlier(code):
            try:
                return compile_collected(collected, store, keeps=keeps)
            except ChangedError:
                raise
            except EngineError:  # it is damaged: the next one, or none
                continue
        return compile_collected(collected, keeps=keeps)

    def earlier(self, code: str) -> Iterator[Store]:
        """Snapshots that something may be taken over from: of the same folders, of the base alone, beside the base."""
        notes = [self.note, *([self._note(())] if self.overlays else [])]
        places = [self.cache / f"{note.key}{_ENDING}" for note in notes if note is not None and self.cache is not None]
        for path in (*places, self.base / SHIPPED):
            with contextlib.suppress(EngineError):
                store = Store.open(path)
                store.verify()
                if _FORMAT in store and store.part(_FORMAT) == code.encode():
                    yield store

    # -------------------------------------------------------------- notes

    def _note_path(self, overlays: Sequence[Path]) -> Path | None:
        if self.cache is None:
            return None
        whole = hashlib.sha256(f"{form.PACKAGE}\0".encode())  # another copy of the code has notes of its own
        for root in (self.base, *overlays):
            whole.update(f"{root}\0{root.resolve()}\0".encode())
        return self.cache / f"{whole.hexdigest()[:32]}.note"

    def _note(self, overlays: Sequence[Path]) -> _Note | None:
        path = self._note_path(overlays)
        try:
            return msgspec.msgpack.decode(path.read_bytes(), type=_Note) if path is not None else None
        except (OSError, msgspec.MsgspecError):
            return None

    def _vouched(self) -> Store | None:
        """The snapshot of the note, if no stamp of anything that it was made from has changed."""
        note = self.note
        if note is None or self.cache is None or note.recipe != self.recipe.identity:
            return None
        path = self.cache / f"{note.key}{_ENDING}"
        place = path if stamp_of(path) == note.snapshot else self.base / SHIPPED
        unchanged = (
            stamp_of(place) == note.snapshot != NOTHING
            and all(stamp_of(source) == stamp != NOTHING for source, stamp in note.sources.items())
            and msgspec.msgpack.encode(look(self.base, self.overlays)) == note.files
        )
        if not unchanged:
            return None
        try:
            store = Store.open(place)
        except EngineError:
            return None
        return store if store.key == note.key and self._serves(store) else None

    def _write_note(self, collected: Collected, sources: dict[str, bytes], key: str, snapshot: Path) -> None:
        """Remember, in one step, what was right for these folders; a file that has just been changed is not believed."""
        path = self._note_path(self.overlays)
        if path is None:
            return
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with _temporary(path) as (handle, name):
                now = os.fstat(handle).st_mtime_ns

                def old(stamp: Stamp) -> Stamp:
                    return stamp if max(stamp[1], stamp[2]) < now - _FRESH else NOTHING

                files = msgspec.msgpack.encode({file: old(stamp) for file, (stamp, _) in collected.seen.items()})
                digests = tuple(digest for _, digest in collected.seen.values())
                stamps = {source: old(stamp_of(source)) for source in sources}
                note = _Note(self.recipe.identity, key, stamp_of(snapshot), stamps, files, digests)
                _write(handle, msgspec.msgpack.encode(note))
                os.replace(name, path)


# ------------------------------------------------------------------ snapshots


def packed(compiled: Compiled, recipe: Recipe, code: str, key: str, *, derive: bool = True) -> bytes:
    """A snapshot as it is written: the same knowledge, compiled by the same code, gives the same bytes.

    Without `derive`, what is derived is only taken over.
    """
    assert compiled.memory is not None
    writer = Writer(key)
    write_value(writer, LIBRARY, compiled.library)
    for derived in recipe.derived:
        compiled.memory.write_derived(derived, compiled.library, writer, derive=derive)
    writer.add(_FORMAT, code.encode())
    compiled.memory.write(writer)
    return writer.whole()


def _read_now(compiled: Compiled, later: Later, keep: Callable[[bytes], object], pack: Callable[[Compiled], bytes]) -> Compiled:
    """What was compiled, with what is derived from it taken over, before any of it is written."""
    later(lambda: keep(pack(compiled)))
    library, memory = compiled.library, compiled.memory
    assert memory is not None
    library.keep_derived(lambda what: memory.derived(what, library))
    return Compiled(library, compiled.cases, (), compiled.remarks)


def opened(store: Store) -> Compiled:
    """What a snapshot holds, each thing decoded when it is asked for."""
    library = _library_in(store)
    cases = Cases(read_records(store, _PROOFS, SealedProofs).by_id if _PROOFS in store else {})
    remarks = read_records(store, _REMARKS, Remarks).by_id if _REMARKS in store else {}
    return Compiled(library, cases, (), remarks)


def _library_in(store: Store) -> Library:
    library = read_value(store, LIBRARY, Library)

    def derived(what: Derived[Any]) -> Any:
        return read_value(store, DERIVED + what.name, what.of) if holds_derived(store, what) else None

    library.keep_derived(derived)
    return library


def _whole(path: Path, key: str) -> Store | None:
    """The snapshot at a place, if it is there, has this key and is undamaged."""
    try:
        store = Store.open(path)
        if store.key != key:
            return None
        store.verify()
    except EngineError:
        return None
    return store


# ------------------------------------------------------------------ files


@contextlib.contextmanager
def _temporary(path: Path) -> Iterator[tuple[int, str]]:
    """A new file beside a path, to be filled and moved there; gone afterwards if it was not."""
    import tempfile

    handle, name = tempfile.mkstemp(prefix=".writing-", dir=path.parent)
    try:
        yield handle, name
    finally:
        os.close(handle)
        with contextlib.suppress(OSError):
            os.unlink(name)


def _write(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _replace(path: Path, data: bytes) -> None:
    """Put a file in its place in one step, so that a reader sees all of it or nothing. Raises OSError."""
    with _temporary(path) as (handle, name):
        _write(handle, data)
        os.replace(name, path)


def _path(cache: Path, key: str) -> Path:
    return cache / f"{key}{_ENDING}"


def _prune(cache: Path, newest: Path) -> None:
    """Keep the newest few snapshots and notes, and no file that somebody began to write long before."""
    with contextlib.suppress(OSError):
        now = newest.stat().st_mtime
        for pattern, keep in ((f"*{_ENDING}", _KEPT), ("*.note", 4 * _KEPT)):
            for path in sorted(cache.glob(pattern), key=lambda p: p.stat().st_mtime, reverse=True)[keep:]:
                path.unlink(missing_ok=True)
        for path in cache.glob(".writing-*"):
            if path.stat().st_mtime < now - 3600:
                path.unlink(missing_ok=True)
