"""`medsafe lab`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click

from safety.cli.common import as_of_option, engine, json_option, overlay_option, today
from safety.cli.main import EXIT_FINDINGS, EXIT_KNOWLEDGE, EXIT_OK, EXIT_UNKNOWN, EXIT_USAGE, first_of
from safety.cli.requests import answered, exit_code, print_error, requests_of
from safety.errors import EngineError, RequestError, SafetyError
from safety.labs.request import LabRequest, read_lab_request
from safety.model.lab_answer import LabAnswer, LabBand

_CODE = {"normal": EXIT_OK, "negative": EXIT_OK, "unknown": EXIT_UNKNOWN, "implausible": EXIT_UNKNOWN}
_STYLE = {"normal": "bold green", "negative": "bold green", "unknown": "bold cyan", "implausible": "bold cyan"}
Answer = LabAnswer | RequestError | EngineError


@click.command()
@click.argument("what", nargs=-1, required=True, metavar="FILE|-|TEXT...")
@as_of_option
@overlay_option
@json_option
def lab(what: tuple[str, ...], as_of: date | None, overlays: tuple[str, ...], as_json: bool) -> int:
    """Where does a test result lie, is it urgent, and what explains it?

    FILE is YAML, JSON, or JSON Lines (one request a line, one answer a line);
    `-` reads standard input; anything else is a result as it was said.

    \b
    medsafe lab "my sugar was 250"
    medsafe lab result.yaml
    medsafe lab patient.yaml           # tests due, all results

    \b
    patient: {age: 72 y, sex: female, medications: [NAME 5 mg daily]}
    test: glucose
    value: 250
    unit: mg/dL
    fasting: yes                             # left out: not told
    history: [{value: 180, unit: mg/dL, on: 2026-08-01}]

    \b
    Exit codes: 0 normal, 1 out of range, 4 unknown or implausible,
    2 unreadable, 3 ours; of several answers the first of 3, 1, 4 counts.
    """
    loaded = engine(overlays)
    codes: list[int] = []
    for one in what:
        for request in _requests(one):
            answer = answered(request, lambda r: loaded.lab(r, as_of or r.case.as_of or today()))
            codes.append(_code(answer))
            _print(answer, as_json)
    return exit_code(codes)


def _requests(what: str) -> Iterator[LabRequest | RequestError]:
    """Each request of a file, of standard input, or of the words themselves."""
    if what == "-" or what.endswith(".jsonl") or Path(what).is_file():
        yield from requests_of(what, _whole, lambda value, _: read_lab_request(value))
    else:
        try:
            yield read_lab_request(what)
        except RequestError as error:
            yield error


def _whole(text: str, file: str) -> LabRequest:
    from safety.knowledge.documents import read_text

    document, problems = read_text(text, file)
    if document is None:
        raise RequestError(problems)
    return read_lab_request(document.value)


def _code(answer: Answer) -> int:
    if isinstance(answer, EngineError):
        return EXIT_KNOWLEDGE
    if isinstance(answer, RequestError):
        return EXIT_USAGE
    return first_of(_CODE.get(a.status, EXIT_FINDINGS) for a in (answer, *answer.also))


def _print(answer: Answer, as_json: bool) -> None:
    if isinstance(answer, SafetyError):
        print_error(answer, as_json, status="unknown")
    elif as_json:
        sys.stdout.buffer.write(answer.to_json() + b"\n")
    else:
        for one in (answer, *answer.also):
            _page(one)


def _page(a: LabAnswer) -> None:
    from rich.text import Text

    from safety.cli.page import Page, print_due, sources

    page = Page()
    if a.due or a.test is None:
        heading = "TESTS" if a.due else "UNKNOWN"
        page.out.print(Text(heading, style="bold cyan") + Text(f"  {'' if a.due else a.name} {a.value}".rstrip(), style="bold"))
        page.labelled("task", a.task)
        print_due(page, a.due)
        page.line()
        return
    status = a.status.replace("_", " ").upper()
    day = f"  on {a.on}" if a.on else ""
    page.out.print(Text(status, style=_STYLE.get(a.status, "bold red")) + Text(f"  {a.name} {a.value}", style="bold") + Text(day))
    page.labelled("task", a.task)
    page.labelled("call", a.escalate if a.escalate != "none" else "")
    if a.corrected is not None:
        page.labelled("measured", f"{a.corrected.measured}, corrected for {a.corrected.for_}: {a.corrected.formula}")
    page.labelled("from", a.worked_out)
    page.labelled("range", _band(a.range))
    if a.limit is not None:
        page.labelled("limit", f"{_band(a.limit)}: {'critical' if a.limit.kind == 'critical' else 'act'} beyond")
    met = {True: "met", False: "not met", None: ""}[a.target_met]
    page.labelled("goal", f"{_band(a.target)} {met}".strip() if a.target else "")
    day = f" on {a.previous.on}" if a.previous and a.previous.on else ""
    page.labelled("before", f"{a.previous.value}{day}: now {a.previous.change}" if a.previous else "")
    page.labelled("trend", a.trend_words or (a.trend or "").replace("_", " ") if a.previous else "")
    for e in a.medication_effects[:6]:
        page.labelled("on", f"{e.name}: {e.direction} it{', as intended' if e.intended else ''} ({e.note})")
    for f in a.findings:
        page.labelled("rule", f"{f.severity}: {f.title}  [{f.rule}]")
    page.labelled("source", sources(a.evidence[:3]))
    page.labelled("note", "; ".join(a.notes))
    page.line()


def _band(band: LabBand | None) -> str:
    if band is None:
        return ""
    if band.low is None or band.high is None:
        text = f"up to {band.high}" if band.low is None else f"{band.low} and more"
    else:
        text = f"{band.low} to {band.high}"
    return f"{text} {band.unit}" + (f" ({band.for_})" if band.for_ else "")
