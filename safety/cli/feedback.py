"""`medsafe feedback`: what became of alerts, kept and counted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
import msgspec

from safety.cli.common import Day, engine, json_option, overlay_option, today
from safety.cli.completion import rules
from safety.cli.main import EXIT_OK
from safety.cli.page import Page
from safety.desk.calibration import Calibration, calibrated
from safety.desk.feedback import REASONS, Answer, Heard, Share, Tally, answer_line, heard_in, keep, tallies
from safety.desk.lines import lines_of
from safety.errors import Place, Problem, RequestError
from safety.knowledge.library import Library
from safety.knowledge.policy import ROLES
from safety.text import did_you_mean

FILE = "feedback.jsonl"
_MOST = 64 << 20


@click.group()
def feedback() -> None:
    """What became of alerts: answers kept one a line, and counted by rule.

    \b
    medsafe feedback add interaction.warfarin-nsaid --overridden --reason not-so
    medsafe feedback show
    """


@feedback.command()
@click.argument("rule", shell_complete=rules)
@click.option("--accepted/--overridden", "accepted", default=None, help="What was done with the alert.")
@click.option("--reason", type=click.Choice(tuple(REASONS)), help="Why it was overridden.")
@click.option("--role", type=click.Choice(ROLES), help="Who answered.")
@click.option("--with", "along", multiple=True, metavar="RULE", help="Another rule that spoke in the same report (repeatable).")
@click.option("--on", type=Day(), metavar="DAY", help="When (default: today).")
@click.option("--in", "file", default=FILE, show_default=True, metavar="FILE", help="The file that keeps the answers.")
@overlay_option
def add(
    rule: str, accepted: bool | None, reason: str | None, role: str | None, along: tuple[str, ...], on: date | None, file: str,
    overlays: tuple[str, ...],
) -> int:  # fmt: skip
    """Keep what became of an alert of RULE.

    \b
    medsafe feedback add interaction.warfarin-nsaid --accepted --role prescriber
    medsafe feedback add interaction.warfarin-nsaid --overridden --reason not-so
    """
    if accepted is None:
        raise click.UsageError("say --accepted or --overridden")
    library = engine(overlays).library
    rules = tuple(_rule(told, library) for told in (rule, *along))
    answer = Answer(rules[0], "accepted" if accepted else "overridden", reason or "", role or "", on or today(), rules)
    keep(Path(file), answer_line(answer))
    click.echo(f"kept in {file}: {rules[0]} {answer.outcome}{f', {reason}' if reason else ''}", err=True)
    return EXIT_OK


@feedback.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--in", "file", default=FILE, show_default=True, metavar="FILE", help="The file that keeps the answers.")
def import_(files: tuple[str, ...], file: str) -> int:
    """Add the feedback of other files (CDS Hooks, as `medsafe serve --feedback`
    keeps it, or lines of `feedback add`).

    \b
    medsafe feedback import ward-a.jsonl ward-b.jsonl
    """
    texts = [(name, _read(name)) for name in files]
    before = heard_in([(file, _read(file))] if Path(file).is_file() else [])
    heard_in(texts)
    keep(Path(file), b"".join(line + b"\n" for _, data in texts for line in lines_of(data) if line.strip()))
    after = heard_in([(file, _read(file))])
    click.echo(f"{len(after.answers) - len(before.answers)} answers more in {file}", err=True)
    if after.unplaced:
        click.echo(f"{after.unplaced} to cards that nobody knows the rule of: not counted", err=True)
    return EXIT_OK


@feedback.command()
@click.argument("files", nargs=-1, metavar="[FILE...]")
@click.option("--rule", metavar="ID", help="Only this rule, with reasons and roles.")
@overlay_option
@json_option
def show(files: tuple[str, ...], rule: str | None, overlays: tuple[str, ...], as_json: bool) -> int:
    """How often each rule was overridden and was right, with 95% intervals.

    RIGHT (positive predictive value): it was true of the patient, among the
    answers that tell. QUALITY moves with each answer; `last`: shown after all
    others (medsafe check --feedback FILE), unless it must interrupt.

    \b
    medsafe feedback show
    medsafe feedback show --rule interaction.warfarin-nsaid
    """
    names = files or (FILE,)
    heard = heard_in((name, _read(name)) for name in names)
    library = engine(overlays).library
    learnt = calibrated(heard.answers, library)
    chosen = [t for t in tallies(heard) if rule in (None, t.rule)]
    if rule is not None and not chosen:
        raise RequestError([Problem(Place("--rule"), "R301", f"nobody answered `{rule}`", did_you_mean(rule, heard.shown))])
    if as_json:
        for t in chosen:
            click.echo(msgspec.json.encode(_row(t, learnt)))
    elif rule is not None:
        _print_one(chosen[0], learnt)
    else:
        _print_all(chosen, learnt, heard)
    return EXIT_OK


def _read(name: str) -> bytes:
    from safety.cli.common import read_input

    return read_input(name, _MOST)


def _rule(told: str, library: Library) -> str:
    current = library.current_id(told)
    if current not in library.entry:
        raise RequestError(
            [Problem(Place("rule"), "R301", f"`{told}` is not a rule that we know", did_you_mean(told, library.entry, cutoff=60))]
        )
    return current


# ------------------------------------------------------------------ in words and numbers


def _row(t: Tally, learnt: Calibration) -> dict[str, Any]:
    return {
        "rule": t.rule, "shown": t.shown, "accepted": t.accepted, "overridden": t.overridden, "reasons": dict(t.reasons),
        "roles": {role: dict(counts) for role, counts in t.roles.items()}, "override": _share(t.override), "ppv": _share(t.right),
        "override_by_reason": {code: _share(s) for code, s in t.by_reason.items()},
        "override_by_role": {role: _share(s) for role, s in t.by_role.items()},
        "quality": _rounded(learnt.of(t.rule)), "tier": learnt.tier(t.rule),
    }  # fmt: skip


def _share(s: Share) -> dict[str, Any]:
    low, high = s.interval
    return {"count": s.count, "of": s.of, "low": _rounded(low), "high": _rounded(high)}


def _rounded(value: Decimal) -> float:
    return float(round(value, 4))


def _percent(s: Share) -> str:
    if not s.of:
        return "-"
    low, high = (round(100 * end) for end in s.interval)
    return f"{round(Decimal(100 * s.count) / s.of)}% ({low}-{high})"


_HEAD = f"{'SHOWN':>6}{'ANSWERED':>10}  {'OVERRIDDEN':<15}{'RIGHT':<15}{'QUALITY':<9}"


def _print_all(chosen: Sequence[Tally], learnt: Calibration, heard: Heard) -> None:
    page = Page()
    page.line(_HEAD, "bold")
    for t in chosen:
        page.line(t.rule)
        page.line(f"{_numbers(t)}{learnt.of(t.rule):<9.2f}{'last' if learnt.tier(t.rule) == 'last' else ''}".rstrip(), "dim")
    answers = len(heard.answers)
    page.line(f"{len(chosen)} rule{'s' * (len(chosen) != 1)}, {answers} answer{'s' * (answers != 1)}", "bold")
    if heard.unplaced:
        page.paragraph(f"{heard.unplaced} more to cards that nobody knows the rule of.", 0, "dim")


def _numbers(t: Tally) -> str:
    return f"{t.shown:>6}{t.override.of:>10}  {_percent(t.override):<15}{_percent(t.right):<15}"


def _print_one(t: Tally, learnt: Calibration) -> None:
    page = Page()
    page.line(t.rule, "bold")
    page.line(_HEAD, "dim")
    page.line(f"{_numbers(t)}{learnt.of(t.rule):.2f}{', last' if learnt.tier(t.rule) == 'last' else ''}")
    for code, share in t.by_reason.items():
        said = REASONS[code].display if code in REASONS else code or "no reason"
        page.labelled("because", f"{said}: {share.count} of {share.of}, {_percent(share)}")
    for role, share in t.by_role.items():
        page.labelled("by", f"{role or 'not told'}: overridden {share.count} of {share.of}, {_percent(share)}")
    for (one, other), weight in sorted(learnt.weight.items()):
        if t.rule in (one, other):
            page.labelled("with", f"{other if one == t.rule else one}: weight {weight:.2f}")
