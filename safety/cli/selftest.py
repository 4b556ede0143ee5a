"""`medsafe selftest`: how well names are resolved, by kind, on reference tables that are not part of the package."""

from __future__ import annotations

import time
from pathlib import Path

import click
import msgspec

from safety.cli.common import engine, json_option
from safety.cli.main import EXIT_OK
from safety.errors import Place, Problem, RequestError
from safety.knowledge.collecting import base_folder
from safety.names.measuring import Tally, heard_rows, measure, typed_rows

_TABLES = {"names_dev.csv": typed_rows, "asr_dev.csv": heard_rows}


@click.group()
def selftest() -> None:
    """Measure parts of the engine on reference tables.

    \b
    medsafe selftest names
    medsafe selftest names --data DIR --json
    """


@selftest.command()
@click.option("--data", metavar="DIR", help="The folder with names_dev.csv and asr_dev.csv (default: ../shared/data/vocabulary).")
@json_option
def names(data: str | None, as_json: bool) -> int:
    """How often a misspelt, split or misheard name finds its drug, by kind.

    \b
    found         the drug is the answer, or among at most five candidates
    right, asked  the two parts of it
    wrong         a single drug that was not meant, or where only a question is right
    """
    folder = Path(data) if data else base_folder().parent / "shared" / "data" / "vocabulary"
    present = [name for name in _TABLES if (folder / name).is_file()]
    if not present:
        hint = "give the folder that holds names_dev.csv or asr_dev.csv with --data DIR"
        raise RequestError([Problem(Place(str(folder)), "R001", "holds none of the reference tables", hint)])
    ask = engine().name
    ask("warm up")
    results = {name: measure(_TABLES[name](folder / name, ask), ask, time.perf_counter) for name in present}
    if as_json:
        click.echo(msgspec.json.encode(results))
        return EXIT_OK
    for name, tallies in results.items():
        click.echo(f"{name}\n{'kind':<18}{'rows':>6}{'found':>8}{'right':>7}{'asked':>7}{'wrong':>7}{'median':>10}")
        for tally in tallies:
            click.echo(_line(tally))
        wrong = [one for tally in tallies for one in tally.wrong_ones]
        click.echo("".join(f"  wrong: {one}\n" for one in wrong))
    return EXIT_OK


def _line(t: Tally) -> str:
    found = f"{100 * t.found / t.rows:.1f}%"
    return f"{t.kind:<18}{t.rows:>6}{found:>8}{t.right:>7}{t.among:>7}{t.wrong:>7}{t.middle_ms:>7.2f} ms"
