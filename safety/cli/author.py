"""`medsafe lint`, `test`, `new` and `build`: for those who write knowledge."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from safety.answering import proof
from safety.answering.checker import Checker
from safety.cli.common import json_option, overlay_option, today, working
from safety.cli.main import EXIT_FINDINGS, EXIT_KNOWLEDGE, EXIT_OK, EXIT_USAGE
from safety.engine import RECIPE, VERSION, cache_folder
from safety.errors import KnowledgeError, Place, Problem, RequestError
from safety.knowledge.collecting import FOLDERS, NO_OVERLAY, base_folder
from safety.knowledge.compiled import Compiled
from safety.knowledge.library import Library
from safety.knowledge.remarks import untidy
from safety.knowledge.snapshot import load_compiled
from safety.knowledge.spoken import QUESTIONS
from safety.reading.spoken.examples import slips
from safety.text import did_you_mean


def _target(path: str | None, overlays: Sequence[str]) -> tuple[Path, list[Path], str]:
    """What a PATH means: a base folder, an overlay on the embedded base, or a part of the base (a prefix of it)."""
    base, extra = base_folder(), [Path(o) for o in overlays]
    if path is None:
        return base, extra, ""
    place = Path(path)
    if not place.exists():
        raise RequestError([Problem(Place(path), "R001", "cannot be read: no such file or folder", "is the path right?")])
    if (place / "kb" / "VERSION").is_file():
        return place, extra, ""
    if (place / "kb").is_dir() or (place / "rules").is_dir():
        return base, [*extra, place], f"{place.as_posix().rstrip('/')}/"
    try:
        inside = place.resolve().relative_to(base.resolve()).as_posix()
    except ValueError:
        hint = "name a file or folder of the knowledge, or an overlay folder with kb/ or rules/ in it"
        raise RequestError([Problem(Place(path), "R002", "is not a part of the knowledge", hint)]) from None
    return base, extra, inside


@click.command()
@click.argument("path", required=False)
@overlay_option
@json_option
def lint(path: str | None, overlays: tuple[str, ...], as_json: bool) -> int:
    """Check knowledge files: shapes, ids, amounts, references, cases, examples. Says file:line:col.

    \b
    medsafe lint
    medsafe lint rules/interactions/warfarin-nsaid.yaml
    medsafe lint my-site/          (an overlay, on top of ours)
    """
    base, extra, part = _target(path, overlays)
    working("Reading the knowledge and trying the cases of every rule")
    compiled = load_compiled(base, extra, cache_folder(), RECIPE)
    problems = [p for p in compiled.problems if p.place.file.startswith(part) or p.code in NO_OVERLAY]
    if not compiled.problems:
        shown = (p for p in slips(compiled.library) if p.place.file.startswith(part))
        problems = [*untidy(compiled, part), *shown, *_unproved(compiled, part)]
    changes = [
        c
        for c in compiled.library.changes
        if not part.startswith(tuple(f"{o}/" for o in map(str, extra))) or c.place.startswith(part)
    ]
    if as_json:
        for change in changes:
            click.echo(msgspec.json.encode({"site_change": change, "message": str(change), "place": change.place}))
        for p in problems:
            row = {
                "file": p.place.file,
                "line": p.place.line,
                "column": p.place.column,
                "code": p.code,
                "message": p.message,
                "hint": p.hint,
            }
            click.echo(msgspec.json.encode(row))
    else:
        for change in changes:
            click.echo(f"{change.place}: changes ours: {change}")
        for p in problems:
            click.echo(str(p))
        others = len(compiled.problems) - len(problems) if compiled.problems else 0
        if others:
            click.echo(f"({others} more elsewhere: medsafe lint)", err=True)
        library = compiled.library
        sizes = {"rules": library.entries, "drugs": library.drugs, "classes": library.classes, "conditions": library.conditions}
        counts = ", ".join(f"{len(items)} {noun}" for noun, items in sizes.items())
        click.echo(f"{counts}: {len(problems) or 'no'} problem{'' if len(problems) == 1 else 's'}", err=True)
    return EXIT_KNOWLEDGE if problems else EXIT_OK


def _unproved(compiled: Compiled, part: str) -> list[Problem]:
    library = compiled.library
    entries = [e for i in library.entries_in(part) if (e := library.entry[i]).status == "active" and not e.switched_off]
    return proof.unproved_among(entries, lambda i: compiled.cases.get(i, ()), library, VERSION)


@click.command()
@click.argument("what", required=False, metavar="[PATH|ID]")
@click.option("-v", "--verbose", is_flag=True, help="Name every case, also those that pass.")
@overlay_option
@json_option
def test(what: str | None, verbose: bool, overlays: tuple[str, ...], as_json: bool) -> int:
    """Run the cases written inside rules: all, those under PATH, or those of one ID.

    \b
    medsafe test
    medsafe test interaction.warfarin-nsaid -v
    """
    by_id = what is not None and not Path(what).exists()
    base, extra, part = _target(None if by_id else what, overlays)
    working("Reading the knowledge and running its cases")
    compiled = load_compiled(base, extra, cache_folder(), RECIPE)
    if compiled.problems:
        for problem in compiled.problems:
            click.echo(str(problem), err=True)
        count = len(compiled.problems)
        click.echo(f"\n{count} problem{'s' if count > 1 else ''} in the knowledge; mend first (medsafe lint)", err=True)
        return EXIT_KNOWLEDGE
    chosen = _named(compiled, str(what)) if by_id else compiled.library.entries_in(part)
    proofs = [p for i in chosen for p in compiled.cases.get(i, ())]
    if by_id and not proofs:
        raise RequestError([Problem(Place(str(what)), "R301", "is neither a path nor a rule with cases", "medsafe list rules")])
    failed = 0
    for outcome in proof.run(proofs, Checker(compiled.library, VERSION)):
        failed += bool(outcome.wrong)
        if as_json:
            p = outcome.proof
            row = {
                "rule": p.entry,
                "case": p.name,
                "expect": p.expect,
                "got": outcome.got,
                "passed": not outcome.wrong,
                "wrong": outcome.wrong,
                "place": p.place,
            }
            click.echo(msgspec.json.encode(row))
        elif outcome.wrong:
            click.echo(f"{outcome.proof.place}: FAILED {outcome.proof.entry}: {outcome.proof.name}\n  {outcome.wrong}")
        elif verbose:
            click.echo(f"ok {outcome.proof.entry}: {outcome.proof.name}")
    click.echo(f"{len(proofs) - failed} passed, {failed} failed", err=as_json)
    return EXIT_FINDINGS if failed else EXIT_OK


def _named(compiled: Compiled, i: str) -> list[str]:
    """The entry of an id, or those of the rows of a table; an earlier id finds what it is called now."""
    library = compiled.library
    wanted = {library.current_id(i), *library.rows_of(i)}
    return [entry for entry in compiled.cases if entry in wanted]


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
    click.echo("Next: fill it in, then `medsafe lint` and `medsafe test`. kb/README.md explains each key.", err=True)
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
