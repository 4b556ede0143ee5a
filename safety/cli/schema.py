"""`medsafe schema`."""

from __future__ import annotations

import click
import msgspec

from safety.cli.main import EXIT_OK
from safety.serving.schemas import SCHEMAS, schema


@click.command("schema")
@click.argument("name", required=False)
def schema_(name: str | None) -> int:
    """The JSON Schema of what goes in or comes out; without NAME, which there are.

    \b
    medsafe schema case
    medsafe schema report
    """
    if name is None:
        for each, (version, _) in SCHEMAS.items():
            click.echo(f"{each}  urn:medsafe:{each}:{version}")
        return EXIT_OK
    click.echo(msgspec.json.format(msgspec.json.encode(schema(name)), indent=1))
    return EXIT_OK
