"""The tables of names that are recognised without a monograph: `kb/recognised/*.csv` → frozen values, places kept.

A table is CSV with a heading; lines that begin with `#` say where it came from. A monograph or product that names
a row's name outranks the row, so that writing a monograph never means editing a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias, cast

from msgspec import Struct

from safety.errors import Place, Problem
from safety.knowledge.collecting import RECOGNISED, KnowledgeFile
from safety.knowledge.documents import MAX_BYTES
from safety.knowledge.drafts import Drafts
from safety.knowledge.library import Drug, Product, Recognised
from safety.text import did_you_mean, fold

INGREDIENTS = ("name", "rxcui", "kind", "ingredients", "bare", "source")
BRANDS = ("name", "rxcui", "ingredients", "bare", "source")
HEADINGS = {
    "ingredients": INGREDIENTS, "brands": BRANDS, "problems": ("term", "code"), "codes": ("codes", "conditions", "past"),
}  # fmt: skip
"""The columns of each table, by the name of its file."""
BETWEEN = " + "
"""Stands between two ingredients of one name, and between two conditions of one code."""

Kind: TypeAlias = Literal["ingredient", "salt", "combination", "brand"]
_CELL = re.compile(r'"(?:[^"]|"")*"|[^",]*')
_NOT_IN_A_SLUG = re.compile(r"[^a-z0-9]+")


class Row(Struct, frozen=True):
    """One line of a table: its cells by column, and where the line and each cell stand."""

    cells: dict[str, str]
    columns: dict[str, int]
    file: str
    line: int
    origin: str

    def place(self, column: str = "") -> Place:
        """Where a cell stands; without one, where the line begins."""
        return Place(self.file, self.line, self.columns.get(column, 1))


def recognised(drafts: Drafts, drugs: Sequence[Drug], products: Sequence[Product]) -> tuple[Recognised, ...]:
    """Every row of the tables that no monograph or product names, in order of id; problems go to `drafts`."""
    return _Tables(drafts, drugs, products).build()


class _Tables:
    def __init__(self, drafts: Drafts, drugs: Sequence[Drug], products: Sequence[Product]) -> None:
        self.problems = drafts.problems
        self.sources = drafts.facts["source"]
        self.drugs = {fold(n.text): d.id for d in drugs for n in d.names}
        written: list[Drug | Product] = [*drugs, *products]
        self.covered = {fold(n.text) for item in written for n in item.names}
        self.owner: dict[str, str] = {}
        for item in written:
            for code in (item.rxnorm, *item.rxnorm_also):
                if code:
                    self.owner[code] = item.id
        self.rows: dict[str, Row] = {}
        for reading in drafts.tables_of(RECOGNISED):
            for row in read_rows(reading.file, self.problems):
                self._keep(row)

    def _keep(self, row: Row) -> None:
        """A row in the place of an earlier one only if an overlay says so."""
        key = fold(row.cells["name"])
        before = self.rows.get(key)
        if not key:
            self.problems.append(Problem(row.place("name"), "K117", f"`{row.cells['name']}` holds no letter or digit"))
        elif before is not None and before.origin == row.origin:
            first = f"the first is at {before.place()}"
            self.problems.append(Problem(row.place("name"), "K113", f"`{row.cells['name']}` stands here a second time", first))
        else:
            self.rows[key] = row

    def build(self) -> tuple[Recognised, ...]:
        ids: dict[str, str] = {}
        taken: set[str] = set()
        for key in sorted(self.rows):
            if key not in self.covered:
                ids[key] = self._id(self.rows[key], taken)
        built = [self._one(self.rows[key], i, ids) for key, i in ids.items()]
        self._codes_once([self.rows[key] for key in ids])
        return tuple(sorted(built, key=lambda r: r.id))

    def _id(self, row: Row, taken: set[str]) -> str:
        """`recognised.` and the name; the code after it where two names differ only in their punctuation."""
        slug = _NOT_IN_A_SLUG.sub("-", fold(row.cells["name"])).strip("-") or "x"
        slug = slug if slug not in taken else f"{slug}-{row.cells['rxcui'] or row.line}"
        taken.add(slug)
        return f"recognised.{slug}"

    def _one(self, row: Row, i: str, ids: dict[str, str]) -> Recognised:
        c = row.cells
        kind = c.get("kind", "brand")
        code: str | None = c["rxcui"] or None
        if code is not None and not (code.isascii() and code.isdigit()):
            self.problems.append(Problem(row.place("rxcui"), "K114", f"`{code}` is not an RxNorm code", "digits only"))
        if kind not in ("ingredient", "salt", "combination", "brand"):
            hint = "one of: ingredient salt combination"
            self.problems.append(Problem(row.place("kind"), "K115", f"`{kind}` is not a kind of name", hint))
        if c["bare"] not in ("yes", "no"):
            self.problems.append(Problem(row.place("bare"), "K115", f"`{c['bare']}` must be `yes` or `no`"))
        if c["source"] not in self.sources:
            hint = did_you_mean(c["source"], self.sources)
            self.problems.append(Problem(row.place("source"), "K301", f"`{c['source']}` is not a source that we know", hint))
        ingredients = self._ingredients(row, ids)
        owner = self.owner.get(code or "")
        if owner is not None:  # the code is a monograph's: the name stays, as another name of what it stands for
            code = None
            ingredients = ingredients or ((owner,) if owner.startswith("drug.") else ())
        return Recognised(
            i, c["name"], cast(Kind, kind), code, ingredients, c["bare"] == "yes", c["source"], row.origin, str(row.place())
        )

    def _ingredients(self, row: Row, ids: dict[str, str]) -> tuple[str, ...]:
        """The ids of what a row holds, salts taken back to their ingredient."""
        found: list[str] = []
        for name in filter(None, row.cells["ingredients"].split(BETWEEN)):
            key = fold(name)
            base = self.rows.get(key)
            if key not in self.drugs and base is not None and base.cells.get("kind") == "salt" and base.cells["ingredients"]:
                key = fold(base.cells["ingredients"])
            one = self.drugs.get(key) or ids.get(key)
            if one is None:
                hint = did_you_mean(name, {*self.drugs, *ids})
                self.problems.append(
                    Problem(row.place("ingredients"), "K116", f"`{name}` is not an ingredient that we know", hint)
                )
            else:
                found.append(one)
        return tuple(dict.fromkeys(found))

    def _codes_once(self, rows: Sequence[Row]) -> None:
        seen: dict[str, Row] = {}
        for row in rows:
            code = row.cells["rxcui"]
            first = seen.setdefault(code, row) if code else row
            if first is not row:
                hint = f"the first is at {first.place()}"
                self.problems.append(Problem(row.place("rxcui"), "K114", f"code {code} stands here a second time", hint))


def read_rows(file: KnowledgeFile, problems: list[Problem]) -> Iterator[Row]:
    """The rows of one table; a row that cannot be read is a problem and is left out."""
    if len(file.data) > MAX_BYTES:
        what = f"is more than {MAX_BYTES:,} bytes; no more are read"
        problems.append(Problem(Place(file.shown), "K003", what))
        return
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        bad = file.data.count(b"\n", 0, error.start) + 1
        problems.append(Problem(Place(file.shown, bad, 1), "K002", "is not UTF-8 text", "is this a text file?"))
        return
    wanted = HEADINGS[file.stem]
    heading = False
    for n, written in enumerate(text.split("\n"), 1):
        line = written.removesuffix("\r")
        if not line or line.startswith("#"):
            continue
        cells = _cells(line)
        if cells is None:
            place = Place(file.shown, n, line.find('"') + 1)
            problems.append(
                Problem(place, "K112", "a quotation mark is not closed", 'inside quotes, a quotation mark is written ""')
            )
        elif not heading:
            heading = True
            if tuple(cell for cell, _ in cells) != wanted:
                hint = "the first line is: " + ",".join(wanted)
                problems.append(Problem(Place(file.shown, n, 1), "K110", "does not begin with its heading", hint))
                return
        elif len(cells) != len(wanted):
            what = f"holds {len(cells)} cells, the heading {len(wanted)}"
            problems.append(Problem(Place(file.shown, n, 1), "K111", what, "put text that contains a comma in quotes"))
        else:
            pairs = list(zip(wanted, cells, strict=True))
            yield Row({k: t.strip() for k, (t, _) in pairs}, {k: at for k, (_, at) in pairs}, file.shown, n, file.origin)
    if not heading:
        hint = "the first line is: " + ",".join(wanted)
        problems.append(Problem(Place(file.shown, 1, 1), "K110", "does not begin with its heading", hint))


def _cells(line: str) -> list[tuple[str, int]] | None:
    """The cells of one line of CSV, each with the column it begins in; None where a quotation mark is not closed."""
    found: list[tuple[str, int]] = []
    at = 0
    while at <= len(line):
        cell = _CELL.match(line, at)
        if cell is None or (cell.end() < len(line) and line[cell.end()] != ","):
            return None
        text = cell[0]
        found.append((text[1:-1].replace('""', '"') if text.startswith('"') else text, at + 1))
        at = cell.end() + 1
    return found
