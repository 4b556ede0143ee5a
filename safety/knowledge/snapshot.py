"""The compiled library as a DuckDB file, named after the SHA-256 of the knowledge it was made from."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from safety.errors import EngineError, KnowledgeError
from safety.knowledge.collecting import Collected, collect, fingerprint
from safety.knowledge.library import Drug, Library, Product

_KEPT = 6
_SECTIONS = tuple(f.name for f in msgspec.structs.fields(Library))
_TABLES: dict[str, tuple[str, ...]] = {
    "drugs": ("id", "name", "supply", "routes", "forms", "strengths", "rxnorm", "place", "origin"),
    "names": ("text", "means", "via", "error_prone"),
    "products": ("id", "name", "supply", "route", "place", "origin"),
    "recognised": ("id", "name", "kind", "rxnorm", "ingredients", "bare", "source", "place", "origin"),
    "contents": ("product", "presentation", "form", "per", "drug", "amount"),
    "classes": ("id", "name", "place", "origin"),
    "class_members": ("class", "drug", "routes", "forms"),
    "conditions": ("id", "name", "place", "origin"),
    "condition_codes": ("condition", "system", "code", "past"),
    "condition_kinds": ("condition", "is_a"),
    "words": ("list", "phrase", "means", "odd", "included", "place", "origin"),
    "spoken": ("table", "row", "says", "words", "example", "near_miss", "place", "origin"),
    "labs": ("id", "name", "unit", "loinc", "place", "origin"),
    "harms": ("id", "name", "is_a", "place", "origin"),
    "sources": ("id", "title", "publisher", "type", "edition", "url", "licence"),
    "entries": (
        "id", "kind", "severity", "status", "title", "tier", "do", "target", "advice", "escalate", "mechanism", "why",
        "harm", "onset", "starts", "ends", "tags", "place", "origin",
    ),
    "entry_harms": ("entry", "harm", "chief"),
    "entry_drugs": ("entry", "slot", "drug"),
    "doses": ("entry", "drug", "part", "range", "for", "routes", "forms", "who", "axis", "op", "amount", "cap", "usual", "place"),
    "evidence": ("entry", "source", "at", "grade", "checked", "supports", "copy"),
}  # fmt: skip


def load_library(
    base: Path, overlays: Sequence[Path], cache: Path | None, on_compile: Callable[[], None] = lambda: None
) -> Library:
    """The library of a base folder with overlays: from its snapshot if there is one, compiled otherwise.

    `cache` None, or a folder that cannot be written, means compiling each time. `on_compile` is called before
    the (slow) compiling begins. Raises KnowledgeError with every problem.
    """
    if cache is None:
        return _compiled(collect(base, overlays), on_compile)
    seen = cache / f"{fingerprint(base, overlays)}.key"
    with contextlib.suppress(Exception):  # no key, no snapshot, or a damaged one: all made anew below
        return _from_key(seen, cache)
    collected = collect(base, overlays)
    path = cache / f"{collected.sha256}.duckdb"
    library = _from_file(path) or _compiled(collected, on_compile)
    with contextlib.suppress(OSError):  # a cache that cannot be written only costs time
        cache.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or not _from_file(path):
            write_snapshot(library, path)
        _write_key(seen, path, library)
        _prune(cache)
    return library


def _from_file(path: Path) -> Library | None:
    try:
        return read_snapshot(path)
    except EngineError:
        return None


def _stamp(path: Path) -> bytes:
    seen = path.stat()
    return f"{path.stem} {seen.st_size} {seen.st_mtime_ns}".encode()


def _from_key(key: Path, cache: Path) -> Library:
    """The library as a key file keeps it, if the snapshot it was written with is still there, untouched.

    Opening a database costs several times what decoding does; the snapshot stays what counts.
    """
    head, _, body = key.read_bytes().partition(b"\n")
    if head != _stamp(cache / f"{head.split()[0].decode('ascii')}.duckdb"):
        raise EngineError(f"{key} belongs to another snapshot")
    with _collector_resting():
        return msgspec.json.decode(body, type=Library)


def _write_key(key: Path, snapshot: Path, library: Library) -> None:
    """Remember, in one step, which contents a fingerprint stood for, and the library beside it."""
    handle, name = tempfile.mkstemp(prefix=".key-", dir=key.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(_stamp(snapshot) + b"\n" + msgspec.json.encode(library))
    os.replace(name, key)


def _prune(cache: Path) -> None:
    """Keep the newest few snapshots and keys; every edit makes new ones."""
    for pattern, keep in (("*.duckdb", _KEPT), ("*.key", _KEPT)):
        old = sorted(cache.glob(pattern), key=lambda p: p.stat().st_mtime, reverse=True)[keep:]
        for path in old:
            path.unlink(missing_ok=True)


def _compiled(collected: Collected, on_compile: Callable[[], None]) -> Library:
    if collected.problems:
        raise KnowledgeError(collected.problems)
    from safety.knowledge.compiling import compile_collected

    on_compile()
    compiled = compile_collected(collected)
    if compiled.problems:
        raise KnowledgeError(compiled.problems)
    return compiled.library


def read_snapshot(path: Path) -> Library:
    """The library in a snapshot file. Raises EngineError if the file is not one."""
    import duckdb

    try:
        with contextlib.closing(duckdb.connect(str(path), read_only=True)) as connection:
            rows = dict(connection.execute("select section, body from library").fetchall())
        return msgspec.json.decode(b"{" + b",".join(f'"{name}":{rows[name]}'.encode() for name in _SECTIONS) + b"}", type=Library)
    except (duckdb.Error, KeyError, msgspec.MsgspecError) as error:
        raise EngineError(f"{path} is not a snapshot that this version can read: {error}") from error


@contextlib.contextmanager
def _collector_resting() -> Iterator[None]:
    """Decoding makes many objects and no garbage: looking for it meanwhile costs a quarter of the time."""
    import gc

    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def write_snapshot(library: Library, path: Path) -> None:
    """Write the library beside `path` and move it there in one step, so that a reader sees all of it or nothing."""
    import duckdb

    handle, name = tempfile.mkstemp(prefix=f".{path.stem[:12]}-", suffix=".duckdb", dir=path.parent)
    os.close(handle)
    os.unlink(name)  # DuckDB makes its own file; the name is ours alone
    temporary = Path(name)
    try:
        with contextlib.closing(duckdb.connect(name)) as connection:
            connection.execute("begin")
            connection.execute("create table library (section varchar primary key, body varchar)")
            for section in _SECTIONS:
                body = msgspec.json.encode(getattr(library, section)).decode()
                connection.execute("insert into library values (?, ?)", [section, body])
            for table, columns in _TABLES.items():
                _fill(connection, table, columns, globals()[f"_{table}"](library))
            connection.execute("commit")
        os.replace(temporary, path)
    except duckdb.Error as error:
        raise OSError(f"cannot write a snapshot at {path}: {error}") from error
    finally:
        for leftover in (temporary, Path(f"{name}.wal")):
            leftover.unlink(missing_ok=True)


def _fill(connection: Any, table: str, columns: tuple[str, ...], rows: Iterable[Sequence[Any]]) -> None:
    """One table; rows go in as one JSON text because row-by-row inserts are slow."""
    shape = ", ".join(f'"{c}" varchar' for c in columns)
    connection.execute(f'create table "{table}" ({shape})')
    records = [dict(zip(columns, map(_text, row), strict=True)) for row in rows]
    if not records:
        return
    structure = msgspec.json.encode([dict.fromkeys(columns, "VARCHAR")]).decode()
    picked = ", ".join(f'r."{c}"' for c in columns)
    connection.execute(
        f'insert into "{table}" select {picked} from (select unnest(from_json(?::json, ?)) as r)',
        [msgspec.json.encode(records).decode(), structure],
    )


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple | list):
        return ", ".join(str(v) for v in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


Rows = Iterator[Sequence[Any]]


def _drugs(library: Library) -> Rows:
    for d in library.drugs:
        yield d.id, d.name, d.supply, d.routes, d.forms, d.strengths, d.rxnorm, d.place, d.origin


def _names(library: Library) -> Rows:
    everything: list[Drug | Product] = [*library.drugs, *library.products]
    for item in everything:
        for n in item.names:
            yield n.text, item.id, n.via, n.error_prone


def _products(library: Library) -> Rows:
    for p in library.products:
        yield p.id, p.name, p.supply, p.route, p.place, p.origin


def _recognised(library: Library) -> Rows:
    for r in library.recognised:
        yield r.id, r.name, r.kind, r.rxcui, r.ingredients, r.bare, r.source, r.place, r.origin


def _contents(library: Library) -> Rows:
    for product in library.products:
        for strength in product.presentations:
            for content in strength.contents:
                amount = str(content.amount) if content.amount else None
                yield product.id, strength.name, strength.form, str(strength.per), content.drug, amount


def _classes(library: Library) -> Rows:
    for c in library.classes:
        yield c.id, c.name, c.place, c.origin


def _class_members(library: Library) -> Rows:
    for c in library.classes:
        for drug, ways in c.members.items():
            for way in ways or (None,):
                yield c.id, drug, way and way.routes, way and way.forms


def _conditions(library: Library) -> Rows:
    for c in library.conditions:
        yield c.id, c.name, c.place, c.origin


def _condition_codes(library: Library) -> Rows:
    for c in library.conditions:
        for past, codes in ((False, c.codes), (True, c.past_codes)):
            for system, code in codes:
                yield c.id, system, code, past


def _condition_kinds(library: Library) -> Rows:
    for c in library.conditions:
        for kind in c.is_a:
            yield c.id, kind


def _words(library: Library) -> Rows:
    for each in library.language:
        inner = {w for i in each.includes for w in library.language.words(i.partition(".")[2])}
        for phrase in each.words:
            means = each.meanings.get(phrase)
            yield each.id, phrase, means, each.odd.get(phrase), phrase in inner, each.place, each.origin


def _spoken(library: Library) -> Rows:
    for table in library.spoken:
        for row in table.rows:
            yield table.id, row.id, row.says, row.words, row.example, row.near_miss, row.place, row.origin


def _labs(library: Library) -> Rows:
    for t in library.labs:
        yield t.id, t.name, t.unit, t.loinc, t.place, t.origin


def _harms(library: Library) -> Rows:
    for h in library.harms:
        yield h.id, h.name, h.is_a[1:], h.place, h.origin


def _sources(library: Library) -> Rows:
    for s in library.sources:
        yield s.id, s.title, s.publisher, s.type, s.edition, s.url, s.licence


def _entries(library: Library) -> Rows:
    for e in library.entries:
        yield (
            e.id, e.kind, e.severity, e.status, e.title, e.tier, e.do, e.target, e.advice, e.escalate, e.mechanism,
            e.why, e.harm, e.onset, e.start, e.end, e.tags, e.place, e.origin,
        )  # fmt: skip


def _entry_harms(library: Library) -> Rows:
    for e in library.entries:
        for harm in e.harms:
            yield e.id, harm, harm == e.harms[0]


def _entry_drugs(library: Library) -> Rows:
    for e in library.entries:
        for leaf in e.slots:
            for drug in leaf.members if leaf.members is not None else ("any",):
                yield e.id, leaf.slot, drug


def _doses(library: Library) -> Rows:
    for e in library.entries:
        for part, ranges in (("range", e.doses.ranges), ("adjust", e.doses.adjust)) if e.doses else ():
            for r in ranges:
                who = "; ".join(leaf.text for leaf in r.who)
                for axis in ("single", "day", "interval", "days"):
                    for b in getattr(r, axis):
                        yield (
                            e.id, e.slots[0].text.partition(" ")[2], part, r.id, r.indications, r.routes, r.forms, who, axis,
                            b.op, str(b.value), str(b.cap) if b.cap else None, r.usual, b.place,
                        )  # fmt: skip


def _evidence(library: Library) -> Rows:
    for e in library.entries:
        for c in e.evidence:
            yield e.id, c.source, c.at, c.grade, c.checked, c.supports, c.copy


__all__ = ["load_library", "read_snapshot", "write_snapshot"]
