"""`medsafe score`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from datetime import date
from itertools import chain
from pathlib import Path

import click

from safety.cli.common import as_of_option, engine, json_option, overlay_option, today
from safety.cli.main import EXIT_OK, EXIT_UNKNOWN, EXIT_USAGE
from safety.cli.score_worker import start, work
from safety.knowledge.resting import let_collector_rest
from safety.scoring.batch import Batch, identity
from safety.scoring.bench import Settings
from safety.scoring.intervals import RESAMPLES, Sampling
from safety.scoring.measures import POLICIES, Policy
from safety.scoring.plans import read_plans
from safety.scoring.saving import Wanted, save_scores
from safety.scoring.scorer import Scorer
from safety.scoring.summary import OfModel, Summary

_MANY = 1000
"""From so many plans on they are scored by several processes."""


@click.command(name="score")
@click.argument("plans", nargs=-1, required=True, metavar="PLANS...")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The folder that results go to.")
@click.option(
    "--policy", type=click.Choice(POLICIES), default="report", show_default=True,
    help="What is not known: counts as a violation (strict), as none (lenient), or is left out and told apart (report).",
)  # fmt: skip
@click.option(
    "--by", multiple=True, metavar="NAME", help="Metrics by group, too: `age`, `core`, or a column of the plans (repeatable)."
)
@click.option("--repair", "repairs", is_flag=True, help="For each unsafe plan also the smallest changes that make it safe.")
@click.option("--seed", type=int, default=Sampling().seed, show_default=True, help="Of the draws that intervals come of.")
@click.option(
    "--resamples", type=click.IntRange(0, 100_000), default=RESAMPLES, show_default=True, help="How many draws; 0: no intervals."
)
@click.option("--workers", type=click.IntRange(1, 256), help="How many processes (default: one a core; a few plans: one).")
@as_of_option
@overlay_option
@json_option
def score_command(
    plans: tuple[str, ...], out: Path, policy: Policy, by: tuple[str, ...], repairs: bool, seed: int, resamples: int,
    workers: int | None, as_of: date | None, overlays: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """Score treatment plans, one a row of .jsonl, .csv or .parquet files, by the
    metrics of MedConsultBench. DIR gets cases.parquet (a row a plan),
    summary.json, report.html, metrics.csv (for `medsafe aggregate`) and
    unreadable.jsonl. A run with several processes that was stopped goes on
    where it was when it is started again.

    \b
    medsafe score plans.jsonl --out scores/
    medsafe score plans.csv --out scores/ --policy strict --by department --by age
    """
    loaded = engine(overlays)
    day = as_of or today()
    scorer = Scorer(loaded.checker, Settings(as_of=day, repairs=repairs), tell=loaded.read_texts)
    rows = chain.from_iterable(read_plans(file, by) for file in plans)
    wanted = Wanted(policy, by, Sampling(seed, resamples))
    let_collector_rest()
    total = counted(plans)
    batch = _batch(plans, by, out, overlays, scorer, workers or _workers(total))
    with progress(total) as step:
        summary = save_scores(rows, scorer, out, wanted, step, batch.scores if batch else None)
    if batch:
        batch.finish()
    if as_json:
        sys.stdout.buffer.write(summary.to_json())
    else:
        _print(summary, out, day if as_of is None else None)
    if not summary.plans:
        return EXIT_USAGE
    return EXIT_UNKNOWN if summary.unreadable else EXIT_OK


def _workers(total: int | None) -> int:
    """One process a core, where the plans are so many that starting them pays."""
    return (os.cpu_count() or 1) if total is None or total >= _MANY else 1


def _batch(
    files: tuple[str, ...], by: tuple[str, ...], out: Path, overlays: tuple[str, ...], scorer: Scorer, workers: int
) -> Batch | None:
    """The run with several processes; None where this one does it alone."""
    if workers < 2:
        return None
    of = identity(files, by=by, settings=scorer.settings, made_by=scorer.checker.made_by)
    return Batch(out, of, workers, start, (overlays, scorer.settings), work)


@contextlib.contextmanager
def progress(total: int | None) -> Iterator[Callable[[], None]]:
    """A bar on stderr, with the time left, where a person looks on."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("plans"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("plans", total=total)
        yield lambda: bar.advance(task)


def counted(files: tuple[str, ...]) -> int | None:
    """How many rows there are; None where it takes reading them all."""
    total = 0
    for file in files:
        if file.endswith(".parquet"):
            import duckdb

            found = duckdb.execute("select sum(num_rows) from parquet_file_metadata(?)", [file]).fetchone()
            total += int(found[0]) if found else 0
        elif file.endswith(".jsonl") and Path(file).is_file():
            with open(file, "rb") as handle:
                total += sum(chunk.count(b"\n") for chunk in iter(lambda: handle.read(1 << 20), b""))
        else:
            return None
    return total


def _print(summary: Summary, out: Path, today_: date | None) -> None:
    for model in summary.models:
        _print_model(model, summary.policy)
    if summary.unreadable:
        click.echo(f"{summary.unreadable} rows could not be read or checked: see {out / 'unreadable.jsonl'}")
    for note in summary.notes:
        click.echo(note)
    if today_ is not None and today_.isoformat() in str(summary.settings.get("as_of")):
        click.echo(f"Plans that tell no day were judged as of {today_}.")
    click.echo(f"Not known is counted by the policy `{summary.policy}`. Results are in {out}.")


def _print_model(model: OfModel, policy: Policy) -> None:
    from rich import box
    from rich.table import Table

    from safety.cli.page import console

    states = model.states
    click.echo(
        f"{model.model}: {model.plans} plans, {states['unsafe']} with a hard violation, {states['safe']} without, "
        f"{states['open']} not known"
    )
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("metric", policy, "95 %", "cases", "left out", "strict", "lenient"):
        shown.add_column(name, justify="left" if name == "metric" else "right")
    for m in (m for m in model.metrics if m.lenient is not None):
        interval = f"{m.low:.3f}–{m.high:.3f}" if m.low is not None and m.high is not None else ""
        numbers = [f"{v:.3f}" if v is not None else "not known" for v in (m.value, m.strict, m.lenient)]
        arrow = "↑" if m.better == "up" else "↓"
        shown.add_row(f"{m.name} {arrow}", numbers[0], interval, str(m.n), str(m.left_out), *numbers[1:])
    console().print(shown)
