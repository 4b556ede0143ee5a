"""`medsafe check` and `medsafe why`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import click
import msgspec

from safety.cli.common import Counter, as_of_option, engine, json_option, overlay_option, read_input, read_text, today
from safety.cli.main import EXIT_FINDINGS, EXIT_KNOWLEDGE, EXIT_OK, EXIT_UNKNOWN, EXIT_USAGE, first_of
from safety.engine import Engine, case_from_text
from safety.errors import EngineError, Place, Problem, RequestError, SafetyError
from safety.knowledge.policy import ROLES, Role
from safety.model.patient import Case, Medication
from safety.model.refused import refused
from safety.model.report import RANK, Report
from safety.reading.case import read_case, read_medications

_MAX_LINE = 1 << 20
_MAX_FHIR = 200 << 20


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--fhir", is_flag=True, help="FILE is a FHIR R4 Bundle (or list of resources), .json or .json.gz.")
@click.option("--plan", metavar="FILE", help="What is proposed: a YAML list, or a case with `plan:`; for --fhir.")
@as_of_option
@overlay_option
@click.option(
    "--fail-on", type=click.Choice(["minor", "moderate", "major", "contraindicated", "never"]), default="minor",
    show_default=True, help="Exit 1 from findings of this severity on.",
)  # fmt: skip
@click.option(
    "--role", type=click.Choice(ROLES), default="pharmacist", show_default=True, help="Who would be interrupted (alert policy).",
)  # fmt: skip
@click.option("--brief", "in_brief", is_flag=True, help="One line of JSON: at most 1.5 KB for ten medications.")
@json_option
def check(
    files: tuple[str, ...], fhir: bool, plan: str | None, as_of: date | None, overlays: tuple[str, ...], fail_on: str,
    role: Role, in_brief: bool, as_json: bool,
) -> int:  # fmt: skip
    """Check cases: YAML, JSON, JSON Lines, or FHIR R4. `-` reads standard input.

    \b
    medsafe check examples/knee-pain.yaml
    medsafe check cases.jsonl --json > reports.jsonl
    medsafe check --fhir bundle.json --plan plan.yaml
    """
    if plan is not None and not fhir:
        raise click.UsageError("--plan goes with --fhir; a case file holds its own `plan:`")
    loaded = engine(overlays)
    codes: list[int] = []
    progress = Counter("cases")
    unread, told, machine = 0, False, as_json or in_brief
    alone = len(files) == 1 and (fhir or not files[0].endswith(".jsonl"))
    for file in files:
        for case in _cases(file, fhir, plan):
            answer = _answer(loaded, case, as_of, role)
            if isinstance(answer, RequestError | EngineError) and alone:
                raise answer
            unread += isinstance(answer, RequestError)
            codes.append(_code(answer, fail_on))
            progress.step()
            if told and not machine:
                click.echo()
            _print(loaded, answer, file, as_json, in_brief)
            told = told or isinstance(answer, Report)
    progress.done()
    if told and not machine:
        from safety.cli.page import print_closing

        print_closing(loaded.checker.made_by)
    if unread and unread == len(codes):
        return EXIT_USAGE
    return first_of(codes)


def _cases(file: str, fhir: bool, plan: str | None) -> Iterator[Case | RequestError]:
    """Each case of a file, or what was wrong with it."""
    if fhir:
        yield _caught(lambda: _from_fhir(file, plan))
    elif file.endswith(".jsonl"):
        yield from _lines(file)
    else:
        yield _caught(lambda: case_from_text(read_text(file), file))


def _caught(read: Any) -> Case | RequestError:
    try:
        found: Case = read()
        return found
    except RequestError as error:
        return error


def _lines(file: str) -> Iterator[Case | RequestError]:
    if not Path(file).is_file():
        yield RequestError([Problem(Place(file), "R001", "cannot be read: no such file", "is the path right?")])
        return
    with open(file, "rb") as handle:
        n = 0
        while line := handle.readline(_MAX_LINE + 1):
            n += 1
            if len(line) > _MAX_LINE:
                while line and not line.endswith(b"\n"):
                    line = handle.readline(_MAX_LINE)
                yield RequestError([Problem(Place(file, n, 1), "R002", f"the line is longer than {_MAX_LINE:,} bytes")])
            elif line.strip():
                yield _caught(lambda text=line, at=n: _from_line(text, file, at))


def _from_line(line: bytes, file: str, n: int) -> Case:
    from safety.knowledge.documents import read_json

    try:
        text = line.decode("utf-8-sig" if n == 1 else "utf-8")
    except UnicodeDecodeError:
        raise RequestError([Problem(Place(file, n, 1), "R003", "is not UTF-8 text", "one case a line")]) from None
    value, problems = read_json(text.strip(), file, n)
    if problems:
        raise RequestError(problems)
    return read_case(value, lambda path: Place(file, n, 1) if not path else Place(f"{file}:{n} " + ".".join(map(str, path))))


def _from_fhir(file: str, plan: str | None) -> Case:
    from safety.reading.fhir.bundle import read_fhir

    case = read_fhir(read_input(file, _MAX_FHIR), where=file)
    if plan is None:
        return case
    return msgspec.structs.replace(case, plan=(*case.plan, *_plan(plan)))


def _plan(file: str) -> tuple[Medication, ...]:
    from safety.knowledge.documents import read_text as read_yaml

    document, problems = read_yaml(read_text(file), file)
    if document is None:
        raise RequestError(problems)
    value = document.value
    return read_medications(value.get("plan", []) if isinstance(value, dict) else value)


def _answer(loaded: Engine, case: Case | RequestError, as_of: date | None, role: Role) -> Report | RequestError | EngineError:
    if isinstance(case, RequestError):
        return case
    day = as_of or case.as_of or today()
    try:
        return loaded.check(case, day, role=role)
    except (RequestError, EngineError) as error:
        return error
    except Exception as error:  # nothing about a patient may raise: this is ours, said without patient data
        if os.environ.get("MEDSAFE_DEBUG"):
            raise
        return EngineError(f"the engine failed on this case ({type(error).__name__}); MEDSAFE_DEBUG=1 shows where")


def _code(answer: Report | RequestError | EngineError, fail_on: str) -> int:
    if isinstance(answer, EngineError):
        return EXIT_KNOWLEDGE
    if isinstance(answer, RequestError):
        return EXIT_UNKNOWN
    threshold = RANK.get(fail_on, -1)
    if any(RANK[f.severity] <= threshold for f in answer.findings):
        return EXIT_FINDINGS
    return EXIT_OK if answer.complete else EXIT_UNKNOWN


def _print(loaded: Engine, answer: Report | RequestError | EngineError, file: str, as_json: bool, in_brief: bool) -> None:
    if isinstance(answer, SafetyError):
        if as_json or in_brief:
            click.echo(refused(answer.problems).to_json())
        else:
            click.echo("\n".join(str(p) for p in answer.problems), err=True)
    elif as_json or in_brief:
        sys.stdout.buffer.write((msgspec.json.encode(answer.brief()) if in_brief else answer.to_json()) + b"\n")
    else:
        from safety.cli.page import print_report

        print_report(answer, loaded.library, file)


@click.command()
@click.argument("rule")
@click.argument("case")
@click.option("--fhir", is_flag=True, help="CASE is a FHIR R4 Bundle.")
@as_of_option
@overlay_option
@json_option
def why(rule: str, case: str, fhir: bool, as_of: date | None, overlays: tuple[str, ...], as_json: bool) -> int:
    """Why RULE did, or did not, speak for CASE: each line, and what the patient had.

    \b
    medsafe why interaction.warfarin-nsaid examples/knee-pain.yaml
    """
    loaded = engine(overlays)
    read = _from_fhir(case, None) if fhir else case_from_text(read_text(case), case)
    day = as_of or read.as_of or today()
    judgement = loaded.why(rule, read, day)
    if as_json:
        from safety.cli.page import judgement_values

        click.echo(msgspec.json.encode(judgement_values(judgement, day)))
    else:
        from safety.cli.page import print_why

        print_why(judgement, day)
    return EXIT_OK
