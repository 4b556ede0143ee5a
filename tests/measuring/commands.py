"""`medsafe selftest`: how well names and doses are read, by kind, on reference tables that are not part of the package."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path
from typing import Any

import click
import msgspec

from measuring.charts import is_odd, measure_charts, read_rows
from measuring.extraction import extract
from measuring.fields import measure_fields
from measuring.interactions import interactions
from measuring.labs import labs
from measuring.lines import measure_lines
from measuring.names import Row, Tally, heard_rows, measure, told_rows, typed_rows
from measuring.orders import conditions, order_entry
from measuring.parts import measure_parts, with_strengths
from measuring.real_medications import measure_real
from measuring.regimens import regimens
from measuring.told import told_lists
from safety.cli.common import engine, json_option
from safety.cli.main import EXIT_OK
from safety.errors import Place, Problem, RequestError
from safety.knowledge.collecting import base_folder

_TABLES = {"names_dev.csv": typed_rows, "asr_dev.csv": heard_rows}


@click.group()
def selftest() -> None:
    """The measurements, by name."""


selftest.add_command(interactions)
selftest.add_command(labs)
selftest.add_command(regimens)
selftest.add_command(order_entry)
selftest.add_command(conditions)
selftest.add_command(extract)
selftest.add_command(told_lists)


@selftest.command()
@click.option("--data", metavar="DIR", help="The folder with names_dev.csv and asr_dev.csv (default: ../shared/data/vocabulary).")
@click.option(
    "--file", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Lines as JSON instead of the tables."
)
@click.option("--parts", is_flag=True, help="What each part of guessing brings: the same with each taken out.")
@json_option
def names(data: str | None, file: Path | None, parts: bool, as_json: bool) -> int:
    """How often a misspelt, split or misheard name finds its drug, by kind.

    \b
    found         the drug is the answer, or among at most five candidates
    right, asked  the two parts of it
    wrong         a single drug that was not meant, or where only a question is right
    """
    folder = Path(data) if data else base_folder().parent / "shared" / "data" / "vocabulary"
    present = {folder / name: read for name, read in _TABLES.items() if (folder / name).is_file()}
    if file is not None:
        present = {file: told_rows}
    if not present:
        hint = "give the folder that holds names_dev.csv or asr_dev.csv with --data DIR"
        raise RequestError([Problem(Place(str(folder)), "R001", "holds none of the reference tables", hint)])
    ask = engine().name
    ask("warm up")
    if parts:
        return _parts({path.name: read(path, ask) for path, read in present.items()}, as_json)
    results = {path.name: measure(read(path, ask), ask, time.perf_counter) for path, read in present.items()}
    if as_json:
        click.echo(msgspec.json.encode(results))
        return EXIT_OK
    for name, tallies in results.items():
        click.echo(f"{name}\n{'kind':<18}{'rows':>6}{'found':>8}{'right':>7}{'asked':>7}{'wrong':>7}{'median':>9}")
        for tally in tallies:
            click.echo(_line(tally))
        wrong = [one for tally in tallies for one in tally.wrong_ones]
        click.echo("".join(f"  wrong: {one}\n" for one in wrong))
    return EXIT_OK


def _parts(tables: dict[str, list[Row]], as_json: bool) -> int:
    """A table for each set of rows, and one with strengths behind the typed names."""
    library = engine().library
    if "names_dev.csv" in tables:
        tables = {**tables, "names_dev.csv, with a strength": with_strengths(tables["names_dev.csv"], library)}
    results = {name: list(measure_parts(library, rows, time.perf_counter)) for name, rows in tables.items()}
    if as_json:
        click.echo(msgspec.json.encode(results))
        return EXIT_OK
    for name, found in results.items():
        click.echo(f"{name}\n{'without':<22}{'right':>7}{'asked':>7}{'wrong':>7}{'taken':>7}{'median':>12}")
        for r in found:
            click.echo(f"{r.without:<22}{r.right:>7}{r.asked:>7}{r.wrong:>7}{r.taken:>7}{r.middle_ms:>9.2f} ms")
        click.echo()
    return EXIT_OK


@selftest.command()
@json_option
def lines(as_json: bool) -> int:
    """How often a line that names two medicines, another product of a brand or a medicine not held comes out right."""
    loaded = engine()
    day = date(2026, 11, 20)
    path = base_folder() / "tests" / "names" / "lines.yaml"
    found = measure_lines(path, lambda line: loaded.check({"patient": {}, "plan": [line]}, day))
    if as_json:
        click.echo(msgspec.json.encode(found))
        return EXIT_OK
    for t in found:
        click.echo(f"{t.kind:<10}{t.right:>4} of {t.rows:>3}" + (f"   not: {'; '.join(t.wrong)}" if t.wrong else ""))
    click.echo(f"{'all':<10}{sum(t.right for t in found):>4} of {sum(t.rows for t in found):>3}")
    return EXIT_OK


@selftest.command()
@click.option(
    "--file", "file", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Lines as JSON."
)
@click.option("--odd", is_flag=True, help="Only lines of odd number, and what of them came out otherwise than meant.")
@json_option
def charts(file: Path, odd: bool, as_json: bool) -> int:
    """How lines of charts as people write them are read, by kind.

    \b
    all heads, some heads, no head of   of the conditions that a problem line names
    status right                        present, over, suspected, denied, the family's, at risk: where a head was read
    alarms                              a line that tells no condition of the patient, and one was read
    other head                          a condition that was not meant (for procedures: perhaps one that it implies)
    """
    rows = [row for row in read_rows(file) if not odd or is_odd(row)]
    found = measure_charts(rows, engine(), remarks=odd)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return EXIT_OK
    for total in found:
        click.echo(f"{total.kind}: {total.rows} lines" + ("" if total.counts else ", not measured"))
        for word, count in sorted(total.counts.items()):
            click.echo(f"  {word:<18}{count:>5}  {100 * count / total.rows:5.1f}%")
        click.echo("".join(f"  {remark}\n" for remark in total.remarks), nl=False)
    return EXIT_OK


@selftest.command("real-lines")
@click.option("--data", metavar="DIR", help="The folder with real records and notes (default: ../shared/data/real).")
@json_option
def real_lines(data: str | None, as_json: bool) -> int:
    """How much of the medication lines in real records and notes is read, by where they stand."""
    folder = Path(data) if data else base_folder().parent / "shared" / "data" / "real"
    found = measure_real(folder, engine())
    if as_json:
        click.echo(msgspec.json.encode(found))
        return EXIT_OK
    for tally in found:
        came = "  ".join(f"{word} {count} ({100 * count / tally.lines:.0f}%)" for word, count in sorted(tally.came.items()))
        click.echo(f"{tally.source:<12}{tally.lines:>6} lines  {came}")
    if not found:
        click.echo(f"skipped: no records in {folder}")
    return EXIT_OK


@selftest.command()
@click.option(
    "--file", "file", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Lines as JSON."
)
@click.option("--odd", is_flag=True, help="Only lines of odd number, and what of them came out otherwise than meant.")
@json_option
def fields(file: Path, odd: bool, as_json: bool) -> int:
    """How genes, procedures, devices, vaccines, weeks of a pregnancy, use of opioids, food and limits are read, by kind.

    \b
    right, asked, lost, wrong   what is meant was read whole; something is asked; nothing is; something else was read
    status, day                 whether it was done or is planned, and when, of what was read
    """
    found = measure_fields([row for row in read_rows(file) if not odd or is_odd(row)], engine())
    if as_json:
        click.echo(msgspec.json.encode(found))
        return EXIT_OK
    for total in found:
        counted = ", ".join(f"{word} {count}" for word, count in sorted(total.counts.items()))
        click.echo(f"{total.kind}: {total.rows} lines: {counted}")
        click.echo("".join(f"  {remark}\n" for remark in total.remarks if odd), nl=False)
    return EXIT_OK


def _line(t: Tally) -> str:
    found = f"{100 * t.found / t.rows:.1f}%"
    return f"{t.kind:<18}{t.rows:>6}{found:>8}{t.right:>7}{t.among:>7}{t.wrong:>7}{t.middle_ms:>7.2f} ms"


@selftest.command()
@click.option("--data", metavar="DIR", help="The folder with real directions and calculations (default: ../shared/data/real).")
@json_option
def dosing(data: str | None, as_json: bool) -> int:
    """How often reported doses, written directions and calculations come out right.

    \b
    statements  what patients say, judged as written down beforehand, by kind;
                quiet: told as CORRECT though they are not
    directions  the day's amount of real prescriptions, read or left unread
    medcalc     clinical calculations with their inputs given
    """
    real = Path(data) if data else base_folder().parent / "shared" / "data" / "real"
    results: dict[str, Any] = {
        "statements": _statements(base_folder() / "tests" / "adherence" / "corpus"),
        "directions": _directions(real),
        "medcalc": _medcalc(real / "medcalc"),
    }
    if as_json:
        click.echo(msgspec.json.encode(results))
        return EXIT_OK
    for name, found in results.items():
        click.echo(f"{name}{': not there' if found is None else ''}")
        for line in _table(found) if found else ():
            click.echo(line)
    return EXIT_OK


def _statements(folder: Path) -> list[dict[str, Any]] | None:
    from measuring.statements import measure_statements

    if not folder.is_dir():
        return None
    loaded = engine()
    kinds = measure_statements(folder, loaded.dose)
    return [
        {
            "kind": k.kind,
            "rows": k.rows,
            "verdict": k.verdict,
            "axes": k.axes,
            "whole": k.whole,
            "quiet": k.quiet,
            "wrong": k.wrong,
        }
        for k in kinds
    ]


def _directions(real: Path) -> list[dict[str, Any]] | None:
    """Real directions; the amounts that were read by hand count only in a checkout, where the tests are."""
    import runpy

    try:
        from measuring.directions import measure_sigs
    except ImportError:
        return None
    by_hand = base_folder() / "tests" / "dosing" / "expected_days.py"
    expected = runpy.run_path(str(by_hand)).get("EXPECTED", {}) if by_hand.is_file() else {}
    found = measure_sigs(real, engine().checker.lexicon, expected)
    return [
        {"kind": name, "rows": m.rows, "right": m.right, "wrong": len(m.wrong), "abstained": len(m.abstained), "untold": m.untold}
        for name, m in found.items()
    ] or None


def _medcalc(folder: Path) -> list[dict[str, Any]] | None:
    try:
        from measuring.formulas import FILE, Tables, measure_medcalc
    except ImportError:
        return None
    if not (folder / FILE).is_file():
        return None
    tables = {t.id.rpartition(".")[2]: t for t in engine().library.factors}
    wanted = ("mme-cdc-2016", "mme-cdc-2022", "glucocorticoids")
    if not all(name in tables for name in wanted):
        return None
    found = measure_medcalc(folder, Tables(*(tables[name] for name in wanted)))
    return [{"kind": name, "rows": total, "right": right} for name, (right, total) in sorted(found.by_calculator().items())]


def _table(rows: list[dict[str, Any]]) -> list[str]:
    """Numbers in columns, the sum below, and what came out wrong."""
    names = [k for k in rows[0] if k not in ("kind", "wrong") or isinstance(rows[0][k], int)]
    wide = {n: max(9, len(n) + 2) for n in names}
    lines = ["  " + f"{'kind':<26.26}" + "".join(f"{n:>{wide[n]}}" for n in names)]
    lines += ["  " + f"{r['kind']:<26.26}" + "".join(f"{r[n]:>{wide[n]}}" for n in names) for r in rows]
    lines.append("  " + f"{'all':<26}" + "".join(f"{sum(r[n] for r in rows):>{wide[n]}}" for n in names))
    return lines + [f"  wrong: {w}" for r in rows if isinstance(r.get("wrong"), list) for w in r["wrong"]]
