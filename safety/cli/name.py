"""`medsafe name`."""

from __future__ import annotations

from collections.abc import Iterator

import click
import msgspec

from safety.cli.common import engine, json_option, overlay_option, read_text
from safety.cli.completion import medicines
from safety.cli.main import EXIT_OK, EXIT_UNKNOWN
from safety.reading.names.resolver import NameAnswer


@click.command()
@click.argument("texts", nargs=-1, metavar="TEXT...", shell_complete=medicines)
@click.option("--file", "file", metavar="FILE", help="One name a line; `-` is standard input.")
@overlay_option
@json_option
def name(texts: tuple[str, ...], file: str | None, overlays: tuple[str, ...], as_json: bool) -> int:
    """What a drug name means: a match, candidates with a question, or unrecognised.

    \b
    medsafe name Coumadin "Tylenol PM" flurbozide
    medsafe name --file names.txt --json
    cat names.txt | medsafe name -
    """
    wanted = list(_wanted(texts, file))
    if not wanted:
        raise click.UsageError("give a name, several, or --file FILE")
    loaded = engine(overlays)
    answers = [loaded.name(text) for text in wanted]
    for answer in answers:
        click.echo(msgspec.json.encode(answer) if as_json else _line(answer))
    return EXIT_OK if all(a.status == "match" for a in answers) else EXIT_UNKNOWN


def _wanted(texts: tuple[str, ...], file: str | None) -> Iterator[str]:
    yield from (t for t in texts if t != "-")
    source = file or ("-" if "-" in texts else None)
    if source is not None:
        yield from (line for line in read_text(source).splitlines() if line.strip())


def _line(a: NameAnswer) -> str:
    if a.status == "match":
        drugs = ", ".join(a.drug) if isinstance(a.drug, list) else a.drug
        code = f", RxCUI {a.rxcui}" if a.rxcui else ""
        asked = f"\n  {a.ask}" if a.ask else ""
        product = f" as {a.product}" if a.product else ""
        decided = "" if a.decided_by == "medsafe" else f" (overlay {a.decided_by})"
        return f"{a.heard}: {a.name} [{drugs}]{product} ({a.via}{code}){decided}{asked}"
    found = f" Candidates: {', '.join(c.name for c in a.candidates)}." if a.candidates else ""
    return f"{a.heard or '(nothing)'}: {a.status}.{found} {a.ask}"
