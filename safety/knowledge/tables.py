"""The library as one DuckDB file, to be asked in SQL."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from safety.knowledge.library import Drug, Library, Product, Statement

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
    "coverage": ("ledger", "drug", "read", "supply", "section", "says", "checks", "held", "left_out", "place", "origin"),
    "figures": ("table", "name", "op", "amount", "place", "origin"),
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


def write_tables(library: Library, path: Path) -> None:
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
            for section in library.__struct_fields__:
                body = msgspec.json.encode(getattr(library, section), enc_hook=_plain).decode()
                connection.execute("insert into library values (?, ?)", [section, body])
            for table, columns in _TABLES.items():
                _fill(connection, table, columns, globals()[f"_{table}"](library))
            connection.execute("commit")
        os.replace(temporary, path)
    except duckdb.Error as error:
        raise OSError(f"cannot write {path}: {error}") from error
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


def _plain(value: Any) -> Any:
    """What is decoded when it is asked for, as a list or a mapping."""
    return dict(value) if isinstance(value, Mapping) else tuple(value)


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


def _figures(library: Library) -> Rows:
    for table in library.figures:
        for name, bounds in table.rows.items():
            for b in bounds:
                yield table.id, name, b.op, str(b.value), b.place, table.origin


def _coverage(library: Library) -> Rows:
    for c in library.coverage:
        for section, statements in c.sections.items():
            for x in statements or (Statement("nothing", ()),):
                yield c.id, c.drug, c.read, c.supply, section, x.says, x.checks, x.held, x.left_out, c.place, c.origin
        for section in c.unread:
            yield c.id, c.drug, c.read, c.supply, section, "not read", (), (), "", c.place, c.origin


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
