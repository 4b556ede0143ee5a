"""`medsafe aggregate`."""

from __future__ import annotations

import click

from safety.cli.common import json_option, read_text
from safety.cli.main import EXIT_OK
from safety.scoring.aggregate import Aggregate, Settings, aggregate
from safety.scoring.tables import read_metrics


@click.command(name="aggregate")
@click.argument("table", metavar="METRICS.csv")
@click.option("--outside", multiple=True, metavar="MODEL", help="Scored, but no part of the reference (repeatable).")
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME=WAY:GROUP", help="A metric of your own, e.g. `Cost=down:treatment`."
)
@click.option(
    "--clip",
    type=click.FloatRange(min=0, min_open=True),
    default=2.0,
    show_default=True,
    help="Ends of the scale, in interquartile ranges.",
)
@click.option("--center-rank", type=click.FloatRange(min=1), help="The center's rank from the worst, instead of the median.")
@click.option(
    "--gate",
    type=click.FloatRange(0, 1),
    default=0.45,
    show_default=True,
    help="The most that a model with a hard violation gets.",
)
@json_option
def aggregate_command(
    table: str,
    outside: tuple[str, ...],
    metrics: tuple[str, ...],
    clip: float,
    center_rank: float | None,
    gate: float,
    as_json: bool,
) -> int:
    """One normalized, weighted, safety-gated score and rank over a table of
    metrics: first column the model, one column a metric; a column `hard` with
    the number of hard violations puts the gate in force.

    \b
    medsafe aggregate metrics.csv
    medsafe aggregate metrics.csv --outside Baseline --json
    """
    told = [_metric(text) for text in metrics]
    models, columns = read_metrics(read_text(table), table, told, outside)
    made = aggregate(models, columns, Settings(clip=clip, centre_rank=center_rank, gate=gate))
    if as_json:
        click.echo(made.to_json())
    else:
        _print(made)
    return EXIT_OK


def _metric(text: str) -> tuple[str, str, str]:
    name, equals, rest = text.rpartition("=")
    way, colon, group = rest.partition(":")
    if not (equals and colon and name):
        raise click.UsageError(f"`{text}` is not NAME=WAY:GROUP, e.g. Cost=down:treatment")
    return name.strip(), way.strip(), group.strip()


def _print(made: Aggregate) -> None:
    from rich import box
    from rich.table import Table

    from safety.cli.page import console

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, side in (
        ("rank", "right"),
        ("model", "left"),
        ("score", "right"),
        ("before the gate", "right"),
        ("at the scale's end", "left"),
    ):
        shown.add_column(name, justify="right" if side == "right" else "left")
    for one in made.models:
        before = f"{one.raw:.4f}" if one.gated else ""
        shown.add_row(str(one.rank), one.name, f"{one.score:.4f}", before, ", ".join(one.clipped))
    console().print(shown)
    if all(one.gated is None for one in made.models):
        click.echo("No column `hard`: the safety gate was not applied.")
