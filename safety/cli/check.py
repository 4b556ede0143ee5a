"""`medsafe check` and `medsafe why`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click
import msgspec

from safety.cli.cases import IN_PLACE, Given, InPlace, cases
from safety.cli.common import Counter, Day, as_of_option, engine, json_option, overlay_option, read_input, today
from safety.cli.completion import medicines_or_files, rules
from safety.cli.forms import FORMATS, writer_of
from safety.cli.main import EXIT_FINDINGS, EXIT_KNOWLEDGE, EXIT_OK, EXIT_UNKNOWN, EXIT_USAGE, first_of
from safety.cli.requests import answered
from safety.desk.calibration import Calibration, arranged, calibrated
from safety.desk.feedback import heard_in
from safety.engine import Engine
from safety.errors import EngineError, Place, Problem, RequestError, SafetyError
from safety.knowledge.policy import ROLES, Role
from safety.model.patient import Case
from safety.model.refused import refused
from safety.model.report import RANK, Report


def case_options(command: Callable[..., int]) -> Callable[..., int]:
    """How a case is told on the command line: the patient in place, what is proposed, and how a file is read."""
    for option in reversed(_CASE_OPTIONS):
        command = option(command)
    return command


_CASE_OPTIONS = (
    click.option("--age", metavar="AGE", help="In place: 70, `10 months`."),
    click.option("--sex", metavar="SEX", help="In place: f or m."),
    click.option("--weight", metavar="WEIGHT", help="In place: `81 kg`."),
    click.option("--height", metavar="HEIGHT", help="In place: `165 cm`."),
    click.option("--pregnancy", metavar="STAGE", help="In place: no, yes, `trimester 2`, `weeks 23`."),
    click.option("--condition", "conditions", multiple=True, metavar="TEXT", help="In place: a problem (repeatable)."),
    click.option("--allergy", "allergies", multiple=True, metavar="TEXT", help="In place: `pcn: hives` (repeatable)."),
    click.option("--lab", "labs", multiple=True, metavar="TEXT", help="In place: `K 5.9`, `BP 148/88` (repeatable)."),
    click.option("--gene", "genes", multiple=True, metavar="TEXT", help="In place: `HLA-B*57:01 negative` (repeatable)."),
    click.option(
        "--plan", multiple=True, metavar="MEDICINE|FILE", help="What is proposed: a medicine, or a file that lists some."
    ),
    click.option("--note", "notes", multiple=True, metavar="FILE|TEXT", help="In place: a clinical note (repeatable)."),
    click.option("--fhir", is_flag=True, help="FILE is a FHIR R4 record that is not recognized by itself."),
    click.option("--at", type=Day(), help="FILE holds events, or is a FHIR record: check what is believed of this day."),
)


@click.command()
@click.argument("items", nargs=-1, metavar="MEDICINE|FILE...", shell_complete=medicines_or_files)
@case_options
@as_of_option
@overlay_option
@click.option(
    "--fail-on", type=click.Choice(["minor", "moderate", "major", "contraindicated", "never"]), default="minor",
    show_default=True, help="Exit 1 from findings of this severity on.",
)  # fmt: skip
@click.option(
    "--role", type=click.Choice(ROLES), default="pharmacist", show_default=True, help="Who would be interrupted (alert policy).",
)  # fmt: skip
@click.option("--feedback", metavar="FILE", help="Show first what was heeded (medsafe feedback); what interrupts stays on top.")
@click.option("--brief", "in_brief", is_flag=True, help="One line of JSON: at most 1.5 KB for ten medications.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True,
    help="What comes out; html is one page that holds everything.",
)  # fmt: skip
@json_option
def check(
    items: tuple[str, ...], plan: tuple[str, ...], fhir: bool, at: date | None, as_of: date | None, overlays: tuple[str, ...],
    fail_on: str, role: Role, feedback: str | None, in_brief: bool, form: str, as_json: bool, **said: Any,
) -> int:  # fmt: skip
    """Check medicines said in place, or cases in files: YAML, JSON, JSON Lines,
    FHIR R4, a list of medicines (YAML, or text with one a line), a clinical
    note as text, or a folder of these. `-` reads standard input.

    \b
    medsafe check "warfarin 5 mg daily" "ibuprofen 400 mg tid prn" --age 70
    medsafe check examples/knee-pain.yaml
    medsafe check cases.jsonl --json > reports.jsonl
    medsafe check bundle.json --plan "naproxen 500 mg bid"
    medsafe check cases/ --format html > reports.html
    medsafe check --note visit.txt --allergy "sulfa: rash"
    medsafe check events.yaml --at 2026-03-08
    """
    loaded = engine(overlays)
    learnt = _learnt(feedback, loaded) if feedback else None
    codes: list[int] = []
    told: list[str] = []
    progress = Counter("cases")
    as_json = as_json or form in ("json", "ndjson")
    writer = writer_of(form, loaded.library)
    machine = as_json or in_brief or writer is not None
    alone = len(items) == 1 and not items[0].endswith(".jsonl") and not Path(items[0]).is_dir()
    for given in _given(loaded, items, plan, fhir=fhir, at=at, said=said):
        answer = _answer(loaded, given.case, as_of, role)
        if isinstance(answer, RequestError | EngineError) and (alone or given.shown == IN_PLACE):
            raise answer
        codes.append(_code(answer, fail_on))
        progress.step()
        if any(verdict != _UNREAD for verdict in told) and not machine:
            click.echo()
        if writer is None or not isinstance(answer, Report):
            _print(loaded, answer, given.shown, as_json, in_brief, learnt)
        else:
            click.echo(writer.one(answer, given.case, given.shown), nl=False)
        told.append(answer.verdict if isinstance(answer, Report) else _UNREAD)
    progress.done()
    if writer is not None:
        click.echo(writer.end(), nl=False)
    if not machine:
        _close(loaded, told)
    if told and all(verdict == _UNREAD for verdict in told) and EXIT_KNOWLEDGE not in codes:
        return EXIT_USAGE
    return first_of(codes)


def _given(
    loaded: Engine, items: Sequence[str], plan: Sequence[str], *, fhir: bool, at: date | None, said: dict[str, Any]
) -> Iterator[Given]:
    """The cases that the arguments and the options of `case_options` give."""
    if not items and not said["notes"]:
        raise click.UsageError("give medicines, files or a --note")
    if at is not None:
        return _over_time(loaded, items, at)
    return cases(items, InPlace(**said), plan, fhir=fhir, read_note=loaded.note)


def _over_time(loaded: Engine, files: Sequence[str], at: date) -> Iterator[Given]:
    """The cases of files that hold what was told over time: of each, what is believed of a day."""
    from safety.cli.timeline import memory_of

    for file in files:
        yield Given(file, memory_of(loaded, file, None, at).case(at))


_MOST_FEEDBACK = 64 << 20
_UNREAD = "could not be checked"


def _close(loaded: Engine, told: list[str]) -> None:
    """What ends an output: the sum of several cases, and what made the answers."""
    if len(told) > 1:
        counted = [f"{told.count(verdict)} {verdict}" for verdict in ("violated", "unknown", "clear", _UNREAD) if verdict in told]
        click.echo(f"\n{len(told)} cases: {', '.join(counted)}")
    if any(verdict != _UNREAD for verdict in told):
        from safety.cli.page import print_closing

        print_closing(loaded.checker.made_by)


def _answer(loaded: Engine, case: Case | RequestError, as_of: date | None, role: Role) -> Report | RequestError | EngineError:
    return answered(case, lambda c: loaded.check(c, as_of or c.as_of or today(), role=role), "case")


def _code(answer: Report | RequestError | EngineError, fail_on: str) -> int:
    if isinstance(answer, EngineError):
        return EXIT_KNOWLEDGE
    if isinstance(answer, RequestError):
        return EXIT_UNKNOWN
    threshold = RANK.get(fail_on, -1)
    if any(RANK[f.severity] <= threshold for f in answer.findings):
        return EXIT_FINDINGS
    return EXIT_OK if answer.complete else EXIT_UNKNOWN


def _learnt(file: str, loaded: Engine) -> Calibration:
    """What became of earlier alerts, as it orders those of today."""
    return calibrated(heard_in([(file, read_input(file, _MOST_FEEDBACK))]).answers, loaded.library)


def _print(
    loaded: Engine, answer: Report | RequestError | EngineError, file: str, as_json: bool, in_brief: bool,
    learnt: Calibration | None,
) -> None:  # fmt: skip
    if isinstance(answer, SafetyError):
        if as_json or in_brief:
            click.echo(refused(answer.problems).to_json())
        else:
            click.echo("\n".join(str(p) for p in answer.problems), err=True)
    elif as_json or in_brief:
        sys.stdout.buffer.write((msgspec.json.encode(answer.brief()) if in_brief else answer.to_json()) + b"\n")
    else:
        from safety.cli.page import print_report

        if learnt is None:
            print_report(answer, loaded.library, file)
            return
        standing = arranged(answer.findings, learnt)
        print_report(msgspec.structs.replace(answer, findings=[s.finding for s in standing]), loaded.library, file)
        last = [s.finding.rule for s in standing if s.tier == "last"]
        if last:
            click.echo(f"\nLast, because seldom heeded here: {', '.join(last)}")


@click.command()
@click.argument("rule", shell_complete=rules)
@click.argument("items", nargs=-1, metavar="MEDICINE|FILE...", shell_complete=medicines_or_files)
@case_options
@as_of_option
@overlay_option
@json_option
def why(
    rule: str, items: tuple[str, ...], plan: tuple[str, ...], fhir: bool, at: date | None, as_of: date | None,
    overlays: tuple[str, ...], as_json: bool, **said: Any,
) -> int:  # fmt: skip
    """Why RULE did, or did not, speak for a case: each line, and what the patient had.
    The case is a file, or said in place, as for `medsafe check`.

    \b
    medsafe why interaction.warfarin-nsaid examples/knee-pain.yaml
    medsafe why interaction.warfarin-nsaid "warfarin 5 mg" "Advil" --age 70
    """
    loaded = engine(overlays)
    read = _one(_given(loaded, items, plan, fhir=fhir, at=at, said=said))
    day = as_of or read.as_of or today()
    judgement = loaded.why(rule, read, day)
    if as_json:
        from safety.cli.page import judgement_values

        click.echo(msgspec.json.encode(judgement_values(judgement, day, loaded.library)))
    else:
        from safety.cli.page import print_why

        print_why(judgement, day, loaded.library)
    return EXIT_OK


def _one(every: Iterator[Given]) -> Case:
    """The only case. Raises RequestError where it could not be read, or where there are more."""
    first, second = next(every, None), next(every, None)
    if first is None or second is not None:
        place = Place(first.shown if first is not None else "CASE")
        hint = "`medsafe check FILE --json` traces every rule that spoke, case by case" if first is not None else ""
        raise RequestError([Problem(place, "R008", f"holds {'more than one case' if first is not None else 'no case'}", hint)])
    if isinstance(first.case, RequestError):
        raise first.case
    return first.case
