"""`medsafe ddiv`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import chain, islice

import click
import msgspec

from safety.cli.common import as_of_option, engine, json_option, overlay_option, today
from safety.cli.main import EXIT_OK, EXIT_UNKNOWN, EXIT_USAGE
from safety.cli.score import counted, progress
from safety.scoring.bench import Bench
from safety.scoring.by_pairs import ByPairs, Line, OfModel, Sums
from safety.scoring.intervals import can_sample
from safety.scoring.plans import Plan, Unreadable, read_plans
from safety.scoring.scorer import NO_MODEL

_AT_ONCE = 20_000


@click.command(name="ddiv")
@click.argument("plans", nargs=-1, required=True, metavar="PLANS...")
@as_of_option
@overlay_option
@json_option
def ddiv(plans: tuple[str, ...], as_of: date | None, overlays: tuple[str, ...], as_json: bool) -> int:
    """The share of pairs of proposed medicines with a severe interaction, each
    pair by itself and nothing known of the patient, as MedConsultBench defines
    it; each distinct pair is judged once, so that millions of plans take
    minutes. `medsafe score` also weighs the patient and third medicines.

    \b
    medsafe ddiv plans.jsonl
    medsafe ddiv plans.parquet --json
    """
    if not can_sample():
        raise click.UsageError('this needs NumPy: pip install "medsafe[scoring]"')
    sums = Sums(ByPairs(Bench(engine(overlays).checker), as_of or today()))
    unreadable = 0
    with progress(counted(plans)) as step:
        rows = chain.from_iterable(read_plans(file) for file in plans)
        while some := list(islice(rows, _AT_ONCE)):
            sums.add(list(_lines(some)))
            unreadable += sum(not _is_counted(row) for row in some)
            for _ in some:
                step()
    models = sums.models()
    if as_json:
        click.echo(msgspec.json.encode({"models": models, "unreadable": unreadable}))
    else:
        _print(models, unreadable)
    if not models:
        return EXIT_USAGE
    return EXIT_UNKNOWN if unreadable else EXIT_OK


def _is_counted(row: Plan | Unreadable) -> bool:
    """Whether a plan lists its medicines; one in free text has to be read first, which `medsafe score` does."""
    return isinstance(row, Plan) and "plan_text" not in row.texts


def _lines(rows: list[Plan | Unreadable]) -> Iterator[tuple[str, list[Line]]]:
    for row in rows:
        if isinstance(row, Plan) and _is_counted(row):
            yield row.case.model or NO_MODEL, list(row.case.plan)


def _print(models: list[OfModel], unreadable: int) -> None:
    from rich import box
    from rich.table import Table

    from safety.cli.page import console

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column("model")
    for name in ("plans", "pairs", "severe", "not known", "strict", "report", "lenient"):
        shown.add_column(name, justify="right")
    for one in models:
        values = ("" if value is None else f"{value:.3f}" for value in one.ddiv.values())
        shown.add_row(one.model, f"{one.plans:,}", f"{one.pairs:,}", f"{one.severe:,}", f"{one.not_judged:,}", *values)
    console().print(shown)
    click.echo(
        "DDIV of pairs alone. What is not known counts as severe (strict), is left out\n(report), or counts as none (lenient)."
    )
    if unreadable:
        click.echo(f"{unreadable} rows hold no list of medicines; `medsafe score` tells why, and reads free text.")
