"""`medsafe sign` and `medsafe review`: who stands for the knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click
import msgspec

from safety.cli.common import as_of_option, engine, json_option, overlay_option, today
from safety.cli.completion import rules
from safety.cli.main import EXIT_FINDINGS, EXIT_OK
from safety.cli.page import Page
from safety.desk.keeping import in_force
from safety.desk.signing import FILE, Signature, digest, signatures_in, signer, state_of
from safety.desk.signing import sign as write_signatures
from safety.errors import Place, Problem, RequestError
from safety.knowledge.collecting import base_folder
from safety.knowledge.entries import Entry
from safety.knowledge.library import Library
from safety.text import did_you_mean


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=rules)
@click.option("--as", "who", required=True, metavar="NAME, LICENSE", help="Who signs, and the license with its number.")
@click.option(
    "--in", "folder", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The knowledge folder that keeps the sign-off (default: the last overlay, else the knowledge itself).",
)  # fmt: skip
@as_of_option
@overlay_option
def sign(ids: tuple[str, ...], who: str, folder: Path | None, as_of: date | None, overlays: tuple[str, ...]) -> int:
    """Sign rules as they are now: who stands for them, with which license.

    A later change of a rule's words or figures ends its sign-off, and `medsafe
    audit` says so. An ID of a table signs every row of it.

    \b
    medsafe sign interaction.warfarin-nsaid --as "Jane Doe, RPh OH 03-1-23456"
    """
    library = engine(overlays).library
    name, license = signer(who)
    chosen = _entries(ids, library)
    kept_in = folder or (Path(overlays[-1]) if overlays else base_folder())
    day = as_of or today()
    write_signatures(kept_in, [Signature(e.id, digest(e), name, license, day) for e in chosen])
    out = Page()
    for e in chosen:
        out.paragraph(f"signed {e.id}: {e.title}", 0)
    out.line(f"{len(chosen)} signed by {name} ({license}) on {day}, in {kept_in / FILE}", "dim")
    return EXIT_OK


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID...]", shell_complete=rules)
@click.option("--by", "who", metavar="NAME", help="Only what this person signed.")
@overlay_option
@json_option
def review(ids: tuple[str, ...], who: str | None, overlays: tuple[str, ...], as_json: bool) -> int:
    """Who stands for which rules: signed, changed since, or unsigned.

    Without an ID the counts, and every rule that is signed or was.

    \b
    medsafe review
    medsafe review interaction.warfarin-nsaid

    Exit code 1 where a sign-off no longer holds.
    """
    library = engine(overlays).library
    signed = signatures_in([base_folder(), *map(Path, overlays)])
    chosen = _entries(ids, library) if ids else in_force(library)
    states = [(e, state_of(e, signed)) for e in chosen]
    if who is not None:
        states = [(e, s) for e, s in states if s.newest is not None and who.lower() in s.newest.by.lower()]
    if as_json:
        for e, s in states:
            click.echo(msgspec.json.encode({"id": e.id, "state": s.state, "signature": s.newest, "due": e.due}))
        return EXIT_FINDINGS if any(s.state == "changed" for _, s in states) else EXIT_OK
    out = Page()
    for e, s in states:
        if s.state == "unsigned" and not ids:
            continue
        by = f" by {s.newest.by} ({s.newest.license}) on {s.newest.on}" if s.newest is not None else ""
        out.paragraph(f"{s.state}{by}: {e.id}, due {e.due}", 0, "yellow" if s.state == "changed" else "")
    counts = {state: sum(s.state == state for _, s in states) for state in ("signed", "changed", "unsigned")}
    out.line(", ".join(f"{count:,} {state}" for state, count in counts.items()), "dim")
    return EXIT_FINDINGS if counts["changed"] else EXIT_OK


def _entries(ids: Sequence[str], library: Library) -> list[Entry]:
    """The rules of these ids, and every row of a table. Raises RequestError for an id that is none."""
    found: dict[str, Entry] = {}
    problems: list[Problem] = []
    for i in ids:
        rows = [i] if library.current_id(i) in library.entry else library.rows_of(i)
        found |= {e.id: e for e in (library.entry[library.current_id(row)] for row in rows)}
        if not rows:
            hint = did_you_mean(i, library.entry, cutoff=60)
            problems.append(Problem(Place("id"), "R301", f"`{i}` is not a rule that we know", hint))
    if problems:
        raise RequestError(problems)
    return list(found.values())
