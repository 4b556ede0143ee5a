"""`medsafe selftest labs`: how questions about results are answered, by kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from measuring.lab_cases import Kind, measure_labs, odd_only, read_cases
from safety.cli.common import engine, json_option
from safety.cli.main import EXIT_OK
from safety.knowledge.collecting import base_folder


@click.command()
@click.option("--file", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Other cases, as JSON lines.")
@click.option("--odd", is_flag=True, help="Of other cases: which of odd number came out otherwise than expected.")
@json_option
def labs(file: Path | None, odd: bool, as_json: bool) -> int:
    """How often a question about a result is answered as it should be, by kind.

    \b
    right    all that is expected of a case came out so
    below    each thing that is expected: how often it came out so
    """
    files = [file] if file else sorted((base_folder() / "tests" / "labs").glob("*.jsonl"))
    shown = odd_only if odd else (lambda _: file is None)
    rows = [row for one in files for row in read_cases(one)]
    found = measure_labs(rows, engine(), remarks=shown)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return EXIT_OK
    click.echo("\n".join(_lines(found)))
    return EXIT_OK


def _lines(found: Sequence[Kind]) -> list[str]:
    lines = [f"{'kind':<26}{'cases':>6}{'right':>7}"]
    lines += [_line(k.kind, k.rows, k.right) for k in found]
    lines.append(_line("all", sum(k.rows for k in found), sum(k.right for k in found)))
    for key in dict.fromkeys(key for k in found for key in k.keys):
        pairs = [k.keys[key] for k in found if key in k.keys]
        lines.append(_line(f"  {key}", sum(n for n, _ in pairs), sum(n for _, n in pairs)))
    return lines + [f"wrong: {why}" for k in found for why in k.wrong]


def _line(name: str, rows: int, right: int) -> str:
    return f"{name:<26}{rows:>6}{right:>7}  {100 * right / max(rows, 1):5.1f}%"
