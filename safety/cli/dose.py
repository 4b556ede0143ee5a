"""`medsafe dose`."""

from __future__ import annotations

import sys
from datetime import date
from typing import Any

import click
import msgspec

from safety.adherence.request import read_dose_request
from safety.cli.common import Counter, as_of_option, engine, json_option, overlay_option, today
from safety.cli.main import EXIT_FINDINGS, EXIT_KNOWLEDGE, EXIT_OK, EXIT_UNKNOWN, EXIT_USAGE
from safety.cli.requests import answered, exit_code, print_error, requests_of
from safety.engine import as_dose_request
from safety.errors import EngineError, RequestError, SafetyError
from safety.model.report import DoseAnswer

_CODE = {"CORRECT": EXIT_OK, "HIGH": EXIT_FINDINGS, "LOW": EXIT_FINDINGS, "UNKNOWN": EXIT_UNKNOWN}
Answer = DoseAnswer | RequestError | EngineError


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@as_of_option
@overlay_option
@json_option
def dose(files: tuple[str, ...], as_of: date | None, overlays: tuple[str, ...], as_json: bool) -> int:
    """Is what the patient says they take right? CORRECT, HIGH, LOW or UNKNOWN.

    FILE is YAML, JSON, or JSON Lines (one request a line, one answer a line);
    `-` reads standard input.

    \b
    medsafe dose said.yaml
    medsafe dose said.jsonl --json > answers.jsonl

    \b
    patient: {age: 72 y}
    prescribed: NAME 40 mg twice daily       # text or fields; leave out if none
    reported: I took 80 mg this morning for the whole day

    \b
    Exit codes: 0 CORRECT, 1 HIGH or LOW, 4 UNKNOWN, 2 unreadable, 3 ours;
    of several answers the first of 3, 1, 4 counts.
    """
    loaded = engine(overlays)
    codes: list[int] = []
    progress = Counter("statements")
    for file in files:
        for request in requests_of(file, as_dose_request, read_dose_request):
            answer = answered(request, lambda r: loaded.dose(r, as_of or r.case.as_of or today()))
            codes.append(_code(answer))
            progress.step()
            _print(answer, file, as_json)
    progress.done()
    return exit_code(codes)


def _code(answer: Answer) -> int:
    if isinstance(answer, EngineError):
        return EXIT_KNOWLEDGE
    return EXIT_USAGE if isinstance(answer, RequestError) else _CODE[answer.verdict]


def _print(answer: Answer, file: str, as_json: bool) -> None:
    if isinstance(answer, SafetyError):
        print_error(answer, as_json, verdict="UNKNOWN")
    elif as_json:
        sys.stdout.buffer.write(answer.to_json() + b"\n")
    else:
        _page(answer, file)


_STYLE = {"CORRECT": "bold green", "HIGH": "bold red", "LOW": "bold yellow", "UNKNOWN": "bold cyan"}
_AGAINST = {
    "prescription": "the prescription", "otc-label": "the label", "clinical-ceiling": "the clinical ceiling",
    "dose-range": "the doses in use (no prescription given)",
}  # fmt: skip
_TIER = {"label_limit": "label", "clinical_ceiling": "ceiling", "toxic": "poisonous", "dose_range": "in use"}
_IS = {True: "EXCEEDED", False: "kept", None: "not known"}
_PER = {"single": "at once", "day": "in 24 hours", "interval": "between doses", "days": "days of use", "use": ""}


def _page(a: DoseAnswer, file: str) -> None:
    from rich.text import Text

    from safety.cli.page import Page, sources

    page = Page()
    title = a.id or a.name or file
    page.out.print(Text(a.verdict, style=_STYLE[a.verdict]) + Text(f"  {title}", style="bold") + Text(f"  as of {a.as_of}"))
    page.labelled("task", a.task)
    page.labelled("ask", a.ask)
    page.labelled("call", a.escalate if a.escalate != "none" else "")
    page.labelled("suspect", ", ".join(a.suspects))
    page.labelled("against", _AGAINST.get(a.against or "", ""))
    axes: dict[str, Any] = msgspec.structs.asdict(a.axes)
    page.labelled("axes", ", ".join(f"{name.replace('_', ' ')} {mark}" for name, mark in axes.items()))
    if a.reported_per_day or a.expected_per_day:
        page.labelled("per day", f"taken {a.reported_per_day or 'not known'}; right is {a.expected_per_day or 'not known'}")
    for x in _shown(a):
        amount = f"{x.amount} against " if x.amount else ""
        page.labelled("limit", f"{_TIER.get(x.tier, x.tier)}: {amount}{x.limit} {_PER[x.kind]}: {_IS[x.exceeded]}  [{x.rule}]")
    hidden = len(a.limits) - len(_shown(a))
    page.labelled("", f"and {hidden} more limits that are kept (--json shows all)" if hidden else "")
    page.labelled("missed", a.missed_dose)
    for said in a.understood:
        page.labelled("read as", _understood(said))
    page.labelled("source", sources(a.evidence[:3]))
    page.line()


def _shown(a: DoseAnswer) -> list[Any]:
    """The limits that say something: those exceeded or not known, and the day's."""
    return [x for x in a.limits if x.exceeded is not False or (x.kind == "day" and x.tier != "toxic")][:6]


def _understood(said: Any) -> str:
    parts = [said.name, said.dose, said.times, said.per_day, ", ".join(said.slots), ", ".join(said.events)]
    return "; ".join(dict.fromkeys(p for p in parts if p)) or "nothing that tells how it is taken"
