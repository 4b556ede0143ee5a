"""`medsafe selftest interactions`: who is interrupted by which pairs, real requests, and what ten times the rules cost."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click
import msgspec

from measuring.growing import Group, grown, measure_groups, written
from measuring.requests import Expected, Family, measure_requests, opioid_requests
from safety.answering.checker import Checker
from safety.cli.common import json_option, working
from safety.cli.main import EXIT_OK
from safety.engine import VERSION
from safety.errors import KnowledgeError, Place, Problem, RequestError
from safety.knowledge.collecting import base_folder
from safety.knowledge.compiled import Compiled
from safety.knowledge.compiling import compile_folder
from safety.knowledge.documents import read_text

_LISTS = (("onc-high", 15, True), ("onc-low", 33, False))
_TIMES, _ROUNDS = 10, 15
_DAY = date(2023, 5, 1)  # about when the requests are set that carry no date


@click.command()
@click.option("--data", metavar="DIR", help="The folder with real requests (default: ../shared/data/real).")
@json_option
def interactions(data: str | None, as_json: bool) -> int:
    """Whether interactions speak, and interrupt, where they should.

    \b
    onc-high   every written pair of the 15 groups interrupts, for every role
    onc-low    every written pair of the 33 groups is recorded, and interrupts nobody
    requests   real CDS Hooks requests: the expected finding is there, or is not
    growth     one check with the rules as they are, and with ten times as many
    """
    real = Path(data) if data else base_folder().parent / "shared" / "data" / "real"
    working("Reading the knowledge and judging its pairs")
    compiled = compile_folder(base_folder())
    if compiled.problems:
        raise KnowledgeError(compiled.problems)
    checker = Checker(compiled.library, VERSION)
    groups = {name: measure_groups(name, count, compiled.proofs, checker, loud) for name, count, loud in _LISTS}
    results: dict[str, Any] = {
        **groups,
        "requests": _requests(real, checker),
        "growth": _growth(compiled, checker),
    }
    if as_json:
        click.echo(msgspec.json.encode(results))
        return EXIT_OK
    for name, _, loud in _LISTS:
        click.echo("\n".join(_group_lines(name, groups[name], "interrupt" if loud else "recorded and silent")))
    click.echo("\n".join(_request_lines(results["requests"], real)))
    click.echo(_growth_line(results["growth"]))
    return EXIT_OK


def _group_lines(name: str, groups: Sequence[Group], what: str) -> list[str]:
    """How many groups are as wanted; the others by name, and why."""
    right = sum(group.right for group in groups)
    cases = sum(group.cases for group in groups)
    lines = [f"{name:<10}{right} of {len(groups)} {what} ({cases} written pairs)"]
    absent = [group.tag for group in groups if not group.rules]
    untried = [group.tag for group in groups if group.rules and not group.cases]
    lines += [f"  no rule: {', '.join(absent)}"] if absent else []
    lines += [f"  no written pair: {', '.join(untried)}"] if untried else []
    return lines + [f"  wrong: {group.tag}: {why}" for group in groups for why in group.wrong]


def _requests(real: Path, checker: Checker) -> list[Family] | None:
    """The requests of both guides; None where they, or what is expected of them, are not there."""
    table = base_folder() / "tests" / "real" / "cds_expected.yaml"
    if not table.is_file() or not (real / "opioid_cds_r4").is_dir() or not (real / "pddi_cds").is_dir():
        return None
    document, problems = read_text(table.read_text(encoding="utf-8"), str(table))
    if document is None:
        raise RequestError(problems)
    try:
        told = msgspec.convert(document.value, _Table)
    except msgspec.ValidationError as error:
        raise RequestError([Problem(Place(str(table)), "R001", f"cannot be read: {error}")]) from None
    opioids = opioid_requests(real / "opioid_cds_r4", told.opioid_cds_r4, told.opioid_results)
    found = measure_requests(real / "opioid_cds_r4", opioids, checker.check, _DAY)
    return found + measure_requests(real / "pddi_cds", told.pddi_cds, checker.check, _DAY)


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    opioid_cds_r4: dict[str, list[str]]
    opioid_results: dict[str, str]
    pddi_cds: list[Expected]


def _request_lines(families: Sequence[Family] | None, real: Path) -> list[str]:
    if families is None:
        return [f"requests  not there ({real}, tests/real/cds_expected.yaml)"]
    lines = [f"{'requests':<26}{'rows':>6}{'right':>7}"]
    lines += [f"  {family.family:<24}{family.rows:>6}{family.right:>7}" for family in families]
    lines.append(f"  {'all':<24}{sum(f.rows for f in families):>6}{sum(f.right for f in families):>7}")
    return lines + [f"  wrong: {why}" for family in families for why in family.wrong]


def _growth(compiled: Compiled, checker: Checker) -> dict[str, float]:
    """Median time of one check, over the written pairs of both lists, with the rules as they are and ten times as many."""
    tags = tuple(name for name, _, _ in _LISTS)
    entry = compiled.library.entry
    pairs = [p for p in compiled.proofs if p.expect == "violated" and any(t.startswith(tags) for t in entry[p.entry].tags)]
    cases = [written(pair, compiled.library) for pair in pairs]
    many = Checker(grown(compiled.library, _TIMES), VERSION)
    times: dict[str, list[float]] = {"now": [], "then": []}
    for turn in range(_ROUNDS + 1):  # in turns, so that a busy machine slows both; the first is not counted
        for name, judge in (("now", checker), ("then", many)):
            start = time.perf_counter()
            for case, day in cases:
                judge.check(case, day)
            times[name] += [(time.perf_counter() - start) * 1000 / max(len(cases), 1)] if turn else []
    now, then = statistics.median(times["now"]), statistics.median(times["then"])
    rules = (len(compiled.library.entries), len(many.library.entries))
    return {"rules": rules[0], "ms": now, "grown_rules": rules[1], "grown_ms": then, "ratio": then / now}


def _growth_line(found: dict[str, float]) -> str:
    now = f"{found['rules']:,} rules: {found['ms']:.2f} ms a check"
    then = f"{found['grown_rules']:,} rules: {found['grown_ms']:.2f} ms"
    return f"growth    {now}; {then}; ratio {found['ratio']:.2f}"
