"""`medsafe show`, `medsafe list` and `medsafe sql`: looking at the knowledge."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import msgspec

from safety.cli.common import engine, json_option, overlay_option
from safety.cli.main import EXIT_OK
from safety.errors import Place, Problem, RequestError
from safety.knowledge import library as lib
from safety.text import did_you_mean, printable

_KINDS = (
    "rules",
    "drugs",
    "products",
    "classes",
    "conditions",
    "allergens",
    "labs",
    "panels",
    "alternatives",
    "constraints",
    "genes",
    "procedures",
    "devices",
    "effects",
    "foods",
    "harms",
    "pathways",
    "sources",
    "inferences",
    "factors",
    "scores",
    "policies",
    "language",
    "figures",
    "coverage",
    "spoken",
)


@click.command()
@click.argument("id")
@overlay_option
@json_option
def show(id: str, overlays: tuple[str, ...], as_json: bool) -> int:
    """Everything held under ID: a rule as a card, a drug, a class, a condition ...

    \b
    medsafe show interaction.warfarin-nsaid
    medsafe show drug.warfarin
    """
    library = engine(overlays).library
    item = library.by_id.get(library.current_id(id))
    if item is None:
        below = library.rows_of(id)
        kind = [i for i in library.by_id if i.partition(".")[0] == id.partition(".")[0]]
        near = did_you_mean(id, kind, cutoff=60) or did_you_mean(id, library.by_id, cutoff=60)
        hint = f"its rows: {' '.join(below)}" if below else near
        raise RequestError([Problem(Place("id"), "R301", f"`{id}` is not known", hint)])
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(item), indent=2))
    else:
        from safety.cli.cards import print_card

        print_card(item, library)
    return EXIT_OK


@click.command("list")
@click.argument("kind", type=click.Choice(_KINDS), default="rules")
@click.option("--drug", metavar="NAME", help="Only rules that could concern this drug (id or name).")
@click.option("--severity", type=click.Choice(["contraindicated", "major", "moderate", "minor"]), help="Only rules this loud.")
@click.option("--tag", metavar="TAG", help="Only rules with this tag, e.g. onc-high-11.")
@click.option("--of-kind", metavar="KIND", help="Only rules of this kind, e.g. interaction.")
@click.option("--find", metavar="TEXT", help="Only entries whose id or title holds this text.")
@overlay_option
@json_option
def list_(
    kind: str, drug: str | None, severity: str | None, tag: str | None, of_kind: str | None, find: str | None,
    overlays: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """List entries of a KIND (default: rules), one a line.

    \b
    medsafe list rules --drug warfarin --severity major
    medsafe list drugs --find statin
    """
    loaded = engine(overlays)
    library = loaded.library
    if kind == "rules":
        rows = [_rule_row(e) for e in _rules(loaded, drug, severity, tag, of_kind)]
    else:
        if drug or severity or tag or of_kind:
            raise click.UsageError("--drug, --severity, --tag and --of-kind narrow down rules only")
        rows = [_row(item) for item in getattr(library, kind)]
    if find:
        rows = [r for r in rows if find.lower() in f"{r['id']} {r['title']}".lower()]
    if as_json:
        for row in rows:
            click.echo(msgspec.json.encode(row))
    else:
        for row in rows:
            first = f"{row['severity']:<15} " if "severity" in row else ""
            last = (
                "  (recognized only: no rule speaks of it)" if "unjudged" in row else row.get("off", "") and f"  ({row['off']})"
            )
            click.echo(f"{first}{row['id']}  {row['title']}{last}")
        click.echo(f"\n{len(rows)} {kind}", err=True)
    return EXIT_OK


def _rules(loaded: Any, drug: str | None, severity: str | None, tag: str | None, of_kind: str | None) -> Iterable[lib.Entry]:
    wanted: set[str] | None = None
    if drug is not None:
        answer = loaded.name(drug)
        known = drug in loaded.library.drug
        if not known and answer.status != "match":
            raise RequestError([Problem(Place("--drug"), "R301", f"`{drug}` is not a drug that we know", answer.ask)])
        wanted = {drug} if known else set(answer.drug if isinstance(answer.drug, list) else [answer.drug])
    for e in loaded.library.entries:
        members = [leaf.members for leaf in e.condition if isinstance(leaf, lib.DrugLeaf)]
        if wanted is not None and not any(m is None or wanted & m.keys() for m in members):
            continue
        if (severity and e.severity != severity) or (tag and tag not in e.tags) or (of_kind and e.kind != of_kind):
            continue
        yield e


def _rule_row(e: lib.Entry) -> dict[str, Any]:
    row = {"severity": e.severity, "id": e.id, "title": e.title, "kind": e.kind, "status": e.status, "tags": list(e.tags),
           "place": e.place}  # fmt: skip
    if e.switched_off:
        return {**row, "status": "retired", "off": f"not in force: retired by {e.switched_off}"}
    return row if e.status == "active" else {**row, "off": f"not in force: {e.status}"}


def _row(item: Any) -> dict[str, Any]:
    title = next((t for key in ("name", "title", "question", "drug") if (t := getattr(item, key, None))), "")
    row = {"id": item.id, "title": title, "place": item.place}
    return {**row, "unjudged": True} if getattr(item, "unjudged", False) else row


@click.command()
@click.argument("query")
@overlay_option
@json_option
def sql(query: str, overlays: tuple[str, ...], as_json: bool) -> int:
    """Ask the knowledge in SQL (DuckDB, read-only); `show tables` lists what there is.

    \b
    medsafe sql "show tables"
    medsafe sql "select severity, count(*) from entries group by all"
    """
    import contextlib

    import duckdb

    from safety.knowledge.tables import write_tables

    library = engine(overlays).library
    with tempfile.TemporaryDirectory(prefix="medsafe-") as folder:
        path = Path(folder) / "knowledge.duckdb"
        write_tables(library, path)
        with contextlib.closing(duckdb.connect(str(path), read_only=True)) as connection:
            connection.execute("set enable_external_access = false")
            connection.execute("set lock_configuration = true")
            try:
                result = connection.execute(query)
                if result is None:
                    raise RequestError([Problem(Place("query"), "R401", "the query is empty", 'try medsafe sql "show tables"')])
                names = [d[0] for d in result.description or ()]
                rows = result.fetchall()
            except duckdb.Error as error:
                message = str(error).strip()
                raise RequestError([Problem(Place("query"), "R401", message, 'try medsafe sql "show tables"')]) from None
    if as_json:
        for row in rows:
            click.echo(msgspec.json.encode(dict(zip(names, row, strict=True)), enc_hook=str))
        return EXIT_OK
    _table(names, rows)
    return EXIT_OK


def _table(names: list[str], rows: list[tuple[Any, ...]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from safety.cli.page import console

    table = Table(box=box.SIMPLE_HEAD)
    for name in names:
        table.add_column(Text(printable(name)))
    for row in rows:
        table.add_row(*(Text("" if v is None else printable(str(v), 2000)) for v in row))
    out = console()
    with out.capture() as captured:
        out.print(table)
    for line in captured.get().split("\n"):
        if line.strip():
            click.echo(line.rstrip())
