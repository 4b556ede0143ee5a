"""`medsafe new` and `medsafe build`: for those who write knowledge."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from safety.cli.common import overlay_option, today
from safety.cli.main import EXIT_KNOWLEDGE, EXIT_OK, EXIT_USAGE
from safety.engine import RECIPE, cache_folder
from safety.errors import KnowledgeError, Place, Problem, RequestError
from safety.knowledge.collecting import FOLDERS, NO_OVERLAY, base_folder
from safety.knowledge.library import Library
from safety.knowledge.snapshot import load_compiled
from safety.knowledge.spoken import QUESTIONS
from safety.text import did_you_mean


@click.command()
@click.argument("kind", type=click.Choice(sorted({p for p in FOLDERS.values() if p})))
@click.argument("name")
@click.option("--in", "folder", metavar="DIR", help="Folder with kb/ and rules/ (default: the knowledge of this checkout).")
@click.option("--with", "other", metavar="OTHER", help="Of an interaction: the other medicine; NAME is then the affected one.")
@overlay_option
def new(kind: str, name: str, folder: str | None, other: str | None, overlays: tuple[str, ...]) -> int:
    """Start a file for a new entry; `medsafe lint` says what is still to be filled in.

    With --with, an interaction is a row in the file of the affected medicine, NAME.

    \b
    medsafe new interaction simvastatin --with cyclosporine
    medsafe new interaction warfarin-cranberry
    medsafe new drug ponesimod --in my-site/
    """
    from safety.cli.templates import template

    for word in (name, other):
        if word is not None and not re.fullmatch(r"[a-z0-9]+(?:[-.][a-z0-9]+)*", word):
            raise click.UsageError("a name is lower case letters, digits and hyphens, e.g. warfarin-cranberry")
    if other is not None and kind != "interaction":
        raise click.UsageError("--with names the other medicine of an interaction")
    if kind == "spoken" and name not in QUESTIONS:
        raise click.UsageError(f"no such question is asked; the questions: {' '.join(QUESTIONS)}")
    root = _own_folder(folder)
    place = next(f for f, prefix in FOLDERS.items() if prefix == kind)
    path = root / place / f"{name}.yaml"
    library = _library_around(root, overlays)
    if other is not None:
        _write_row(path, name, other, library)
    else:
        _refuse_known(path, f"{kind}.{name}", library)
        _write(path, template(kind, name, today()))
    click.echo(str(path))
    there = f" {folder}" if folder is not None else ""
    click.echo(
        f"Next: fill it in, then `medsafe lint{there}` and `medsafe test{there}`.\nkb/README.md explains each key.", err=True
    )
    return EXIT_OK


def _own_folder(folder: str | None) -> Path:
    """Where a new file belongs: never into an installed package, where an update would take it away."""
    if folder is not None:
        return Path(folder)
    base = base_folder()
    if (base.parent / "__init__.py").is_file():
        hint = "name the folder of your own knowledge: `medsafe new … --in my-site/`"
        raise RequestError([Problem(Place(str(base)), "R004", "is inside the installed package", hint)])
    return base


def _library_around(root: Path, overlays: Sequence[str]) -> Library:
    """Everything that is known where a new file is to stand."""
    own = (root / "kb" / "VERSION").is_file()
    beside = [root] if not own and root.is_dir() else []
    named = [Path(o) for o in overlays]
    compiled = load_compiled(root if own else base_folder(), [*named, *beside], cache_folder(), RECIPE)
    missing = [p for p in compiled.problems if p.code in NO_OVERLAY and p.place.file in map(str, named)]
    if missing:
        raise KnowledgeError(missing)
    return compiled.library


def _refuse_known(path: Path, i: str, library: Library, hint: str = "choose another name") -> None:
    """Neither a file nor an id is used twice, not even an id that an entry had before."""
    if path.exists():
        raise RequestError([Problem(Place(str(path)), "R003", "is already there", "choose another name, or edit that file")])
    known = [library.current_id(i)] if library.current_id(i) in library.by_id else library.rows_of(i)
    if known:
        at = getattr(library.by_id[known[0]], "place", "")
        raise RequestError([Problem(Place(str(path)), "R005", f"`{i}` is already there: {at}", hint)])


def _write_row(path: Path, affected: str, other: str, library: Library) -> None:
    """A row in the file of the affected medicine, which is begun if there is none."""
    from safety.cli.templates import pairs_file, pairs_row

    who, beside = _medicine(affected, library), _medicine(other, library)
    if not path.exists():
        hint = f"a file of that name would take the place of ours: `medsafe new interaction {affected}-{other}`, without --with"
        _refuse_known(path, f"interaction.{affected}", library, hint)
        _write(path, pairs_file(who, other, beside, today()))
        return
    i, text = f"interaction.{affected}.{other}", path.read_text(encoding="utf-8")
    if i in library.by_id or f"\n  - id: {other}\n" in text:
        raise RequestError([Problem(Place(str(path)), "R005", f"`{i}` is already there", "edit that row")])
    if not re.search(r"^pairs:\n(?:[ #].*\n|\n)*\Z", text, re.MULTILINE):
        hint = "choose a name for a file of its own, without --with"
        raise RequestError([Problem(Place(str(path)), "R007", "does not end with its `pairs:`", hint)])
    with path.open("a", encoding="utf-8") as handle:
        handle.write(pairs_row(other, beside, today()))


def _medicine(name: str, library: Library) -> str:
    """A drug or a class by its name in ids."""
    for i in (f"drug.{name}", f"class.{name}"):
        if i in library.by_id:
            return i
    hint = did_you_mean(f"drug.{name}", [*library.drug, *library.drug_class])
    raise RequestError([Problem(Place(name), "R006", "is neither a drug nor a class that we know", hint)])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as handle:
        handle.write(text)


@click.command()
@click.option("--out", required=True, metavar="FILE", help="Where to write the DuckDB file.")
@overlay_option
def build(out: str, overlays: tuple[str, ...]) -> int:
    """Compile the knowledge into one DuckDB file (tables and the library itself).

    \b
    medsafe build --out knowledge.duckdb
    """
    from safety.knowledge.tables import write_tables

    path = Path(out)
    if path.is_dir() or not path.parent.is_dir():
        click.echo(f"error: {out}: not a place for a file", err=True)
        return EXIT_USAGE
    compiled = load_compiled(base_folder(), [Path(o) for o in overlays], cache_folder(), RECIPE)
    if compiled.problems:
        for problem in compiled.problems:
            click.echo(str(problem), err=True)
        return EXIT_KNOWLEDGE
    write_tables(compiled.library, path)
    click.echo(
        f"{out}: {len(compiled.library.entries)} rules, knowledge {compiled.library.version}, sha256 {compiled.library.sha256}",
        file=sys.stderr,
    )
    return EXIT_OK
