"""`medsafe show`, `medsafe list` and `medsafe sql`: looking at the knowledge."""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from safety.cli.common import Day, engine, json_option, overlay_option
from safety.cli.completion import ids, medicines
from safety.cli.main import EXIT_OK
from safety.cli.page import Page, console
from safety.desk.mending import file_of
from safety.desk.page import best_checked
from safety.desk.sheets import cells_of
from safety.engine import Engine
from safety.errors import Place, Problem, RequestError
from safety.knowledge import library as lib
from safety.knowledge.collecting import base_folder
from safety.knowledge.documents import read_file
from safety.model.report import SEVERITIES
from safety.showing.formats import as_text
from safety.showing.pages import CHECKED
from safety.text import did_you_mean, printable

_UNREAD = "unread"
_LOUD = ("contraindicated", "major")
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
@click.argument("id", shell_complete=ids)
@overlay_option
@json_option
def show(id: str, overlays: tuple[str, ...], as_json: bool) -> int:
    """Everything held under ID: a rule as a card, a drug, a class, a condition ...

    \b
    medsafe show interaction.warfarin-nsaid
    medsafe show drug.warfarin
    medsafe show Coumadin            (a name: the medicine, class, problem ...)
    """
    loaded = engine(overlays)
    library = loaded.library
    item = _item(id, loaded)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(item), indent=2))
    else:
        from safety.cli.cards import print_card

        print_card(item, library, _written(item, overlays))
    return EXIT_OK


def _written(item: object, overlays: Sequence[str]) -> Any:
    """What the author of a fact wrote, where that stands in a file of its own."""
    file, line, _ = str(getattr(item, "place", "")).rsplit(":", 2) if ":" in str(getattr(item, "place", "")) else ("", "0", "")
    path = file_of(file, base_folder(), [Path(o) for o in overlays]) if file.endswith(".yaml") and line == "1" else None
    document, _ = read_file(path, file) if path is not None else (None, [])
    return document.value if document is not None else None


_NAMED = ("drug", "product", "class", "condition", "lab", "allergen", "food", "harm", "source")
"""What a bare name may be of, the likeliest first."""


def _item(told: str, loaded: Engine) -> object:
    """What an id, or a bare name, stands for. Raises RequestError, with what it may have meant."""
    library = loaded.library
    item = library.by_id.get(library.current_id(told))
    if item is None and "." not in told:
        slug = "-".join(told.lower().split())
        named = next((i for kind in _NAMED if (i := f"{kind}.{slug}") in library.by_id), "")
        item = library.by_id.get(named) or _medicine(told, loaded)
    if item is not None:
        return item
    below = library.rows_of(told)
    kind = [i for i in library.by_id if i.partition(".")[0] == told.partition(".")[0]]
    near = did_you_mean(told, kind, cutoff=60) or did_you_mean(told, library.by_id, cutoff=60)
    hint = f"its rows: {' '.join(below)}" if below else near
    raise RequestError([Problem(Place("id"), "R301", f"`{told}` is not known", hint)])


def _medicine(told: str, loaded: Engine) -> object:
    """The medicine of a brand or another name; None where the name does not mean one for sure."""
    answer = loaded.name(told)
    sure = answer.status == "match" and not answer.confirm and isinstance(answer.drug, str)
    return loaded.library.by_id.get(str(answer.drug)) if sure else None


@click.command("list")
@click.argument("kind", type=click.Choice(_KINDS), default="rules")
@click.option("--drug", metavar="NAME", shell_complete=medicines, help="Only rules that could concern this drug (id or name).")
@click.option("--severity", type=click.Choice(SEVERITIES), help="Only rules of this severity.")
@click.option("--loud", is_flag=True, help="Only rules that are major or contraindicated.")
@click.option("--tag", metavar="TAG", help="Only rules with this tag, e.g. onc-high-11.")
@click.option("--of-kind", metavar="KIND", help="Only rules of this kind, e.g. interaction.")
@click.option("--class", "group", metavar="ID", help="Only rules that could concern a member of this class.")
@click.option("--source", metavar="TEXT", help="Only rules that cite a source whose id or title holds this text.")
@click.option("--checked", type=click.Choice((*CHECKED, _UNREAD)),
              help="Only rules whose best citation was checked so; unread: no text of theirs was opened.")  # fmt: skip
@click.option("--due", type=Day(), metavar="DAY", help="Only rules that are due for review by this day.")
@click.option("--find", metavar="TEXT", help="Only entries whose id or title holds this text.")
@click.option("--format", "form", type=click.Choice(("text", "csv", "xlsx")), default="text", help="Or a spreadsheet.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The file that a spreadsheet goes to.")
@overlay_option
@json_option
def list_(
    kind: str, find: str | None, form: str, out: Path | None, overlays: tuple[str, ...], as_json: bool, **filters: Any
) -> int:
    """List entries of a KIND (default: rules), one a line.

    \b
    medsafe list rules --drug warfarin --severity major
    medsafe list rules --loud --checked unread
    medsafe list drugs --find statin
    medsafe list rules --format xlsx --out rules.xlsx
    """
    loaded = engine(overlays)
    library = loaded.library
    if kind == "rules":
        rows = [_rule_row(e) for e in _narrowed(_Asked(**filters), loaded)]
    else:
        if any(filters.values()):
            raise click.UsageError("--drug, --severity, --tag and the other filters narrow down rules only; --find fits all")
        rows = [_row(item) for item in getattr(library, kind)]
    if find:
        rows = [r for r in rows if find.lower() in f"{r['id']} {r['title']}".lower()]
    if as_json:
        for row in rows:
            click.echo(msgspec.json.encode(row))
    elif form != "text":
        edited = {e.id: cells_of(e) for e in library.entries} if kind == "rules" else {}
        _write_table([{**row, **edited.get(row["id"], {})} for row in rows], form, out)
    else:
        for row in rows:
            _print_row(row)
        click.echo(f"\n{len(rows)} {kind}", err=True)
    return EXIT_OK


def _print_row(row: dict[str, Any]) -> None:
    """One line; on a terminal that is too narrow for it, the title stands below."""
    first = f"{row['severity']:<15} {row['id']}" if "severity" in row else row["id"]
    last = "  (recognized only: no rule speaks of it)" if "unjudged" in row else row.get("off", "") and f"  ({row['off']})"
    if not sys.stdout.isatty() or len(f"{first}  {row['title']}{last}") <= console().width:
        click.echo(f"{first}  {row['title']}{last}")
        return
    click.echo(first)
    Page().paragraph(f"{row['title']}{last}", 16 if "severity" in row else 4)


class _Asked(Struct, frozen=True):
    """How rules are narrowed down."""

    drug: str | None = None
    severity: str | None = None
    loud: bool = False
    tag: str | None = None
    of_kind: str | None = None
    group: str | None = None
    source: str | None = None
    checked: str | None = None
    due: date | None = None


def _narrowed(asked: _Asked, loaded: Engine) -> Iterator[lib.Entry]:
    """The rules that are asked for. Raises RequestError for a medicine, class or kind that there is none of."""
    wanted = _drugs_asked(asked, loaded)
    kind = _kind(asked.of_kind, loaded.library) if asked.of_kind else None
    for e in loaded.library.entries:
        same = ((asked.severity, e.severity), (kind, e.kind))
        if all(want in (None, is_) for want, is_ in same) and all(_concerns(e, w) for w in wanted) and _kept(e, asked):
            yield e


def _concerns(e: lib.Entry, wanted: Mapping[str, lib.Drug]) -> bool:
    """Whether a line of a rule means one of these medicines, or any medicine that is given as one of them is."""
    lines = [leaf for leaf in e.condition if isinstance(leaf, lib.DrugLeaf) and leaf.of is None]
    ways = {route for drug in wanted.values() for route in drug.routes}
    return any(
        (leaf.routes is None or not ways.isdisjoint(leaf.routes))
        if leaf.members is None
        else not wanted.keys().isdisjoint(leaf.members)
        for leaf in lines
    )


def _kept(e: lib.Entry, asked: _Asked) -> bool:
    """Whether a rule is as loud, as well read, cites the source, is due by the day and has the tag that are asked for."""
    best = best_checked(e)
    if asked.checked is not None and (best == "read" if asked.checked == _UNREAD else best != asked.checked):
        return False
    if asked.loud and e.severity not in _LOUD:
        return False
    if asked.source and not any(asked.source.lower() in f"{c.source} {c.title}".lower() for c in e.evidence):
        return False
    if asked.due is not None and (e.due is None or e.due > asked.due or e.status != "active"):
        return False
    return asked.tag is None or asked.tag in e.tags


def _drugs_asked(asked: _Asked, loaded: Engine) -> list[Mapping[str, lib.Drug]]:
    """The medicines that rules are to concern, of each option one at least. Raises RequestError for a name of none."""
    named = [_of_class(asked.group, loaded.library)] if asked.group is not None else []
    named += [_of_name(asked.drug, loaded)] if asked.drug is not None else []
    return [{i: loaded.library.drug[i] for i in ids} for ids in named]


def _of_class(told: str, library: lib.Library) -> Collection[str]:
    found = library.drug_class.get(told if "." in told else f"class.{told}")
    if found is None:
        hint = did_you_mean(told, library.drug_class, cutoff=50)
        raise RequestError([Problem(Place("--class"), "R301", f"`{told}` is not a class that we know", hint)])
    return found.members


def _of_name(told: str, loaded: Engine) -> Collection[str]:
    if told in loaded.library.drug:
        return (told,)
    answer = loaded.name(told)
    if answer.status != "match":
        raise RequestError([Problem(Place("--drug"), "R301", f"`{told}` is not a drug that we know", answer.ask)])
    return (answer.drug,) if isinstance(answer.drug, str) else answer.drug or ()


def _kind(told: str, library: lib.Library) -> str:
    """The kind of rule that is meant, also by its plural. Raises RequestError."""
    kinds = sorted({e.kind for e in library.entries})
    plain = told.lower().replace("-", "_")
    found = next((k for k in kinds if plain in (k, f"{k}s", f"{k.removesuffix('y')}ies")), None)
    if found is None:
        hint = f"{did_you_mean(plain, kinds, cutoff=50)} kinds: {' '.join(kinds)}".strip()
        raise RequestError([Problem(Place("--of-kind"), "R301", f"`{told}` is not a kind of rule", hint)])
    return found


def _rule_row(e: lib.Entry) -> dict[str, Any]:
    row = {"severity": e.severity, "id": e.id, "title": e.title, "kind": e.kind, "status": e.status, "tags": list(e.tags),
           "due": e.due, "checked": best_checked(e), "sources": list(dict.fromkeys(c.source for c in e.evidence)),
           "place": e.place}  # fmt: skip
    if e.switched_off:
        return {**row, "status": "retired", "off": f"not in force: retired by {e.switched_off}"}
    return row if e.status == "active" else {**row, "off": f"not in force: {e.status}"}


def _write_table(rows: Sequence[Mapping[str, Any]], form: str, out: Path | None) -> None:
    """Rows as a table for a spreadsheet, in which no text is a formula."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = [columns, *([_cell(row.get(column)) for column in columns] for row in rows)]
    if form == "csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(cells)
        if out is None:
            click.echo(text.getvalue(), nl=False)
        else:
            out.write_text(text.getvalue(), encoding="utf-8")
        return
    if out is None:
        raise click.UsageError("--format xlsx needs --out FILE.xlsx")
    try:
        import xlsxwriter
    except ImportError:
        hint = "pip install 'medsafe[desk]', or --format csv"
        raise RequestError([Problem(Place("--format"), "R121", "xlsx needs the package `xlsxwriter`", hint)]) from None
    with xlsxwriter.Workbook(str(out), {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet = book.add_worksheet()
        sheet.freeze_panes(1, 0)
        for n, line in enumerate(cells):
            sheet.write_row(n, 0, line)
        sheet.autofilter(0, 0, max(len(cells) - 1, 1), max(len(columns) - 1, 0))


def _cell(value: Any) -> str:
    return as_text(", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value))


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
