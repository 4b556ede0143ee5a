"""`medsafe selftest labs`: how questions about results are answered, by kind, and what becomes of those of whole records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click
import msgspec

from measuring.lab_cases import Kind, measure_labs, odd_only, read_cases
from measuring.observations import Seen, measure_observations, none_of_ours
from safety.cli.common import engine, json_option
from safety.cli.main import EXIT_OK
from safety.knowledge.collecting import base_folder

_DAY = date(2026, 11, 20)


@click.command()
@click.option("--file", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Other cases, as JSON lines.")
@click.option("--odd", is_flag=True, help="Of other cases: which of odd number came out otherwise than expected.")
@click.option("--data", metavar="DIR", help="The folder with whole records (default: ../shared/data/real/synthea_r4).")
@json_option
def labs(file: Path | None, odd: bool, data: str | None, as_json: bool) -> int:
    """How often a question about a result is answered as it should be, by kind.

    \b
    right    all that is expected of a case came out so
    below    each thing that is expected: how often it came out so
    records  every observation of whole records, by test: judged, asked about, taken as
             a fact of the patient, told as not usable, or of a test that is none of ours (the last rows)
    """
    files = [file] if file else sorted((base_folder() / "tests" / "labs").glob("*.jsonl"))
    shown = odd_only if odd else (lambda _: file is None)
    rows = [row for one in files for row in read_cases(one)]
    found = measure_labs(rows, engine(), remarks=shown)
    folder = Path(data) if data else base_folder().parent / "shared" / "data" / "real" / "synthea_r4"
    records = sorted(folder.glob("*.json.gz")) if file is None else []
    seen = measure_observations(records, engine(), _DAY)
    if as_json:
        click.echo(msgspec.json.encode({"cases": found, "records": seen}))
        return EXIT_OK
    click.echo("\n".join(_lines(found)))
    if file is None:
        click.echo("\n".join(_of_records(seen, len(records), folder)))
    return EXIT_OK


def _of_records(seen: Sequence[Seen], records: int, folder: Path) -> list[str]:
    if not records:
        return [f"records: not there ({folder})"]
    heads = ("results", "judged", "asked", "taken", "unusable", "not ours")
    each = [(one.test, (one.results, one.judged, one.asked, one.taken, one.unusable, none_of_ours(one))) for one in seen]
    sums = tuple(map(sum, zip(*(counts for _, counts in each), strict=True)))
    rows = [(f"{records} records", heads), *each, ("all", sums)]
    return [f"{name:<50.49}" + "".join(f"{n:>9}" for n in counts) for name, counts in rows]


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
