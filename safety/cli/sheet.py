"""`medsafe import`: a spreadsheet of rules that was changed, back into their files."""

from __future__ import annotations

import csv
import difflib
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from safety.cli.common import engine, json_option, overlay_option, read_text
from safety.cli.main import EXIT_OK, EXIT_USAGE
from safety.desk.mending import file_of
from safety.desk.sheets import EDITED, WAS, Edit, edited, edits
from safety.errors import Place, Problem, RequestError
from safety.knowledge.collecting import base_folder

_NEEDED = ("id", WAS)


@click.command("import")
@click.argument("sheet")
@click.option("--write", is_flag=True, help="Write the changes into the files (default: show them only).")
@overlay_option
@json_option
def import_(sheet: str, write: bool, overlays: tuple[str, ...], as_json: bool) -> int:
    """Take a spreadsheet of rules back: what was changed in it, as a diff.

    In a list of rules as CSV or XLSX these columns may be changed: severity,
    status, title, advice, if_unavoidable, why, due. Each changed cell becomes
    one change in the file of its rule; comments and all else stay. A rule that
    changed since the sheet was written is left alone, and told.

    \b
    medsafe list rules --drug warfarin --format xlsx --out rules.xlsx
    medsafe import rules.xlsx
    medsafe import rules.xlsx --write

    Exit code 2 where a line cannot be taken; then nothing is written.
    """
    base = base_folder()
    texts: dict[str, tuple[Path, str]] = {}

    def read(file: str) -> str | None:
        path = file_of(file, base, [Path(o) for o in overlays])
        if path is not None and file not in texts:
            texts[file] = path, path.read_bytes().decode("utf-8")
        return texts[file][1] if path is not None else None

    found, problems = edits(_rows(sheet), sheet, engine(overlays).library, read)
    by_file: dict[str, list[Edit]] = {}
    for one in found:
        by_file.setdefault(one.place.file, []).append(one)
    for file, wanted in by_file.items():
        _file(file, wanted, texts[file], write=write and not problems, quiet=as_json)
    if as_json:
        for one in found:
            click.echo(msgspec.json.encode({**msgspec.structs.asdict(one), "place": str(one.place)}))
    for problem in problems:
        click.echo(str(problem), err=True)
    click.echo(_sum(found, by_file, problems, write=write), err=True)
    return EXIT_USAGE if problems else EXIT_OK


def _file(file: str, wanted: Sequence[Edit], held: tuple[Path, str], *, write: bool, quiet: bool) -> None:
    path, before = held
    after = edited(before, wanted)
    if not quiet:
        lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), file, file, n=1)
        click.echo("".join(line if line.endswith("\n") else f"{line}\n" for line in lines), nl=False)
    if write:
        path.write_bytes(after.encode())


def _sum(found: Sequence[Edit], by_file: Mapping[str, Any], problems: Sequence[Problem], *, write: bool) -> str:
    told = f"{len(found)} cell{'s' * (len(found) != 1)} changed in {len(by_file)} file{'s' * (len(by_file) != 1)}"
    if problems:
        return f"{told}, {len(problems)} not taken: nothing is written"
    if not found:
        return "nothing was changed"
    return f"{told}: written; next medsafe lint, medsafe test" if write else f"{told}; --write writes them"


def _rows(sheet: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The lines of a sheet with their numbers. Raises RequestError where it is no list of rules."""
    lines = _of_workbook(sheet) if sheet.lower().endswith(".xlsx") else _of_csv(sheet)
    head = [str(cell).strip() for cell in next(lines, [])]
    lacking = [name for name in _NEEDED if name not in head]
    if lacking or not set(EDITED) & set(head):
        hint = "medsafe list rules --format xlsx --out rules.xlsx writes one"
        what = f"has no column `{lacking[0]}`" if lacking else "has no column that may be changed"
        raise RequestError([Problem(Place(sheet, 1, 1), "R212", what, hint)])
    for n, cells in enumerate(lines, 2):
        if any(cells):
            yield n, dict(zip(head, cells, strict=False))


def _of_csv(sheet: str) -> Iterator[list[str]]:
    text = read_text(sheet)
    first = text.partition("\n")[0]
    return csv.reader(io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",")


def _of_workbook(sheet: str) -> Iterator[list[str]]:
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError:
        hint = "pip install 'medsafe[desk]', or save the sheet as CSV"
        raise RequestError([Problem(Place(sheet), "R121", "xlsx needs the package `openpyxl`", hint)]) from None
    try:
        book = load_workbook(sheet, read_only=True, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError):
        raise RequestError(
            [Problem(Place(sheet), "R003", "is no spreadsheet that can be read", "save it as .xlsx or .csv")]
        ) from None
    for row in book.worksheets[0].iter_rows(values_only=True):
        yield [_text(cell) for cell in row]


def _text(cell: object) -> str:
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    return "" if cell is None else str(cell)
