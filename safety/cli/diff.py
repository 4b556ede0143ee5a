"""`medsafe diff`."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import click
import msgspec

from safety.answering.checker import Checker
from safety.cli.cases import InPlace, cases
from safety.cli.common import Counter, as_of_option, json_option, today, working
from safety.cli.main import EXIT_FINDINGS, EXIT_OK
from safety.cli.page import Page
from safety.desk.flips import Flip, flips, in_order
from safety.desk.reached import Reach, reach
from safety.desk.versions import WAYS, Change, OtherChange, Way, changes, other_changes
from safety.engine import RECIPE, VERSION, cache_folder
from safety.errors import Place, Problem, RequestError
from safety.knowledge.collecting import base_folder
from safety.knowledge.library import Library
from safety.knowledge.snapshot import load_library, opened
from safety.knowledge.store import Store
from safety.model.patient import Case

_TOLD: dict[Way, str] = {
    "looser": "LOOSER: may now be silent, or milder", "gone": "GONE: no longer in force", "stricter": "STRICTER", "new": "NEW",
    "changed": "CHANGED: asks something else", "words": "OTHER WORDS", "evidence": "OTHER SOURCES",
}  # fmt: skip
_MOST = 20


@click.command()
@click.argument("old")
@click.argument("new", required=False)
@click.option("--cohort", "cohort", multiple=True, metavar="CASES", help="Patients whose answers are compared (files, folders).")
@click.option("--md", "as_md", is_flag=True, help="A draft of the changelog, in Markdown.")
@as_of_option
@json_option
def diff(old: str, new: str | None, cohort: tuple[str, ...], as_md: bool, as_of: date | None, as_json: bool) -> int:
    """What differs between two versions of the knowledge, and whose answer flips.

    OLD and NEW are folders with kb/ and rules/, git revisions, snapshots, or a
    site's folder (which stands on ours). With one alone, it is held against
    ours. Looser comes first: what may now stay silent.

    \b
    medsafe diff my-site/ --cohort patients/
    medsafe diff HEAD~1 .
    medsafe diff v1.0 v1.1 --cohort patients/
    medsafe diff HEAD . --md >> CHANGELOG.md

    Exit code 1 where something is looser, 0 otherwise.
    """
    working("Reading both versions of the knowledge")
    before, after = (_library(old), _library(new)) if new is not None else (_ours(), _library(old))
    found, others = changes(before, after), other_changes(before, after)
    rules_alone = new is None and _holds_rules_alone(Path(old))
    within = reach(before, after) if cohort and rules_alone else None
    flipped = _flips(cohort, before, after, as_of or today(), within) if cohort else []
    if as_json:
        for one in (*found, *others):
            click.echo(msgspec.json.encode(one))
        for flip in flipped:
            click.echo(msgspec.json.encode({"way": "flip", "looser": flip.looser, **msgspec.to_builtins(flip)}))
    elif as_md:
        click.echo("\n".join(_markdown(found, others)))
    else:
        _print(found, others, flipped, cohort)
    loose = any(c.way in ("looser", "gone") for c in found) or any(f.looser for f in flipped)
    return EXIT_FINDINGS if loose else EXIT_OK


def _holds_rules_alone(site: Path) -> bool:
    """Whether a folder is a site's, and adds to ours nothing but rules."""
    return site.is_dir() and not (site / "kb").exists()


def _ours() -> Library:
    return load_library(base_folder(), [], cache_folder(), RECIPE)


def _library(told: str) -> Library:
    """The knowledge of a folder, of a snapshot, or of a git revision. Raises RequestError where it is none of these."""
    path = Path(told)
    if path.is_dir() and (path / "kb" / "VERSION").is_file():
        return load_library(path, [], cache_folder(), RECIPE)
    if path.is_dir():
        return load_library(base_folder(), [path], cache_folder(), RECIPE)
    if path.is_file():
        return opened(Store.open(path)).library
    with _revision(told) as folder:
        return load_library(folder, [], cache_folder(), RECIPE)


@contextmanager
def _revision(told: str) -> Iterator[Path]:
    """The knowledge of a git revision, laid out in a folder."""
    asked = ["git", "archive", "--format=tar", told, "kb", "rules"]
    ran = subprocess.run(asked, capture_output=True, check=False) if not told.startswith("-") else None
    if ran is None or ran.returncode:
        hint = "a folder with kb/ and rules/, a snapshot, or a git revision of the folder you stand in"
        raise RequestError([Problem(Place(told), "R001", "is no version of the knowledge", hint)])
    with tempfile.TemporaryDirectory(prefix="medsafe-") as folder:
        with tarfile.open(fileobj=io.BytesIO(ran.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def _flips(items: Sequence[str], old: Library, new: Library, day: date, within: Reach | None) -> list[Flip]:
    counter = Counter("patients")

    def each() -> Iterator[tuple[str, Case]]:
        for given in cases(items, InPlace(), (), fhir=False):
            if not isinstance(given.case, Case):
                raise given.case
            counter.step()
            yield given.case.id or given.shown, given.case

    found = in_order(flips(each(), Checker(old, VERSION), Checker(new, VERSION), day, within))
    counter.done()
    return found


# ------------------------------------------------------------------ in words


def _print(found: Sequence[Change], others: Sequence[OtherChange], flipped: Sequence[Flip], cohort: Sequence[str]) -> None:
    out = Page()
    for way in WAYS:
        listed = [c for c in found if c.way == way]
        if not listed:
            continue
        out.line(f"{_TOLD[way]} ({len(listed)})", "bold red" if way in ("looser", "gone") else "bold")
        for c in listed if way in ("looser", "gone") else listed[:_MOST]:
            out.paragraph(f"{c.severity} {c.id}: {c.title}", 2)
            out.paragraph("; ".join((*c.says, c.place)), 4, "dim")
        if len(listed) > _MOST and way not in ("looser", "gone"):
            out.paragraph(f"{len(listed) - _MOST} more: --json", 2, "dim")
        out.line()
    if others:
        out.line(f"FACTS ({len(others)})", "bold")
        for o in others[:_MOST]:
            out.paragraph(f"{o.way} {o.id}{': ' + ', '.join(o.fields) if o.fields else ''}", 2)
        if len(others) > _MOST:
            out.paragraph(f"{len(others) - _MOST} more: --json", 2, "dim")
        out.line()
    if cohort:
        out.line(f"PATIENTS whose answer flips ({len(flipped)})", "bold")
        for flip in flipped:
            _print_flip(out, flip)
    elif not found and not others:
        out.line("Nothing differs.")


def _print_flip(out: Page, flip: Flip) -> None:
    verdicts = f"{flip.before} to {flip.after}" if flip.before != flip.after else flip.before
    out.paragraph(f"{flip.name}: {verdicts}{', looser' if flip.looser else ''}", 2, "red" if flip.looser else "")
    for label, rules in (("silent", flip.silent), ("milder", flip.milder), ("louder", flip.louder), ("new", flip.new)):
        if rules:
            out.paragraph(f"{label}: {', '.join(rules)}", 4, "dim")


def _markdown(found: Sequence[Change], others: Sequence[OtherChange]) -> Iterator[str]:
    """A draft: which answers may differ, rule by rule, and how many facts are new."""
    yield "### Knowledge"
    heads: dict[Way, str] = {
        "looser": "Looser", "gone": "No longer in force", "stricter": "Stricter", "new": "New", "changed": "Changed",
    }  # fmt: skip
    for way, head in heads.items():
        for c in (c for c in found if c.way == way):
            yield f"- **answers** {head}: {c.title} (`{c.id}`, {c.severity}){': ' + '; '.join(c.says) if c.says else ''}"
    for way, what in (("words", "other words"), ("evidence", "other sources")):
        count = sum(c.way == way for c in found)
        if count:
            yield f"- {count} {'rule has' if count == 1 else 'rules have'} {what}."
    for kind in sorted({o.id.partition(".")[0] for o in others}):
        ways = {way: sum(o.way == way and o.id.startswith(f"{kind}.") for o in others) for way in ("new", "changed", "gone")}
        yield f"- {kind}: {', '.join(f'{count} {way}' for way, count in ways.items() if count)}."
