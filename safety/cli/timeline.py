"""`medsafe timeline` and `medsafe reconcile`."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any

import click
import msgspec

from safety.cli.cases import from_fhir
from safety.cli.common import Day, as_of_option, engine, json_option, overlay_option, read_input, read_text, today
from safety.cli.main import EXIT_FINDINGS, EXIT_OK, EXIT_UNKNOWN
from safety.engine import Engine, events_from
from safety.errors import Place, Problem, RequestError
from safety.memory.belief import Belief
from safety.memory.course import Course
from safety.memory.drawing import Drawn, Strip
from safety.memory.reconciling import Judged, Reconciled, Reconciliation
from safety.memory.remembered import PatientMemory
from safety.text import printable

_MOST_BYTES = 200 << 20
_COLUMNS = 44
_NAME = 24
_LOOKS = {"on": "█", "off": "·", "held": "░", "unsure": "?", "conflict": "!"}
_STYLES = {"on": "green", "off": "dim", "held": "yellow", "unsure": "yellow", "conflict": "bold red"}
_OUTCOMES = {
    "contradiction": "bold red", "gap": "bold yellow", "agreement": "green", "no_relevance": "dim",
    "not_assessed": "bold magenta",
}  # fmt: skip
_STORES = (".duckdb", ".db")


def memory_of(loaded: Engine, file: str, patient: str | None, read_on: date) -> PatientMemory:
    """One patient over time from a file of events (YAML, JSON, JSON Lines), a FHIR record, or a store of events."""
    if file.lower().endswith(_STORES):
        return _stored(loaded, file, patient)
    data = read_input(file, _MOST_BYTES)
    if data.startswith(b"\x1f\x8b") or b'"resourceType"' in data[:100_000]:
        return PatientMemory(loaded.checker, loaded.events_of(data, read_on), _beside(file, data))
    text = read_text(file)
    if file.lower().endswith(".jsonl"):
        lines = [_json(line, file, n) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        told = events_from(lines, loaded.library)
    else:
        told = events_from(text, loaded.library, file)
    return PatientMemory(loaded.checker, told.events, told.case)


def _beside(file: str, data: bytes) -> Any:
    """Of a record: who it is; everything else is told by its events."""
    from msgspec.structs import replace

    case = from_fhir(file, data)
    only = replace(case.patient, medications=(), conditions=None, allergies=None, labs=None, medications_told=False)
    return replace(case, patient=only, plan=())


def _json(line: str, file: str, n: int) -> Any:
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        raise RequestError([Problem(Place(file, n, 1), "R005", "the line is not JSON", "one event a line")]) from None


def _stored(loaded: Engine, file: str, patient: str | None) -> PatientMemory:
    from safety.memory.store import EventStore

    if not Path(file).is_file():
        raise RequestError([Problem(Place(file), "R001", "cannot be read: there is no such file", "is the path right?")])
    with EventStore(file, read_only=True) as store:
        known = store.patients()
        whose = patient or (known[0] if len(known) == 1 else None)
        if whose is None:
            hint = f"say whose with --patient; there are {len(known)}, e.g. {printable(', '.join(known[:5]))}"
            raise RequestError([Problem(Place(file), "R511", "holds the events of several patients", hint)])
        return PatientMemory(loaded.checker, store.events(whose))


def known_of(text: str | None) -> int | date | None:
    """A turn or a day. Raises RequestError."""
    if text is None:
        return None
    if text.isdecimal():
        return int(text)
    try:
        return date.fromisoformat(text)
    except ValueError:
        hint = "write a turn (7) or a day (2026-11-20)"
        raise RequestError([Problem(Place("--known"), "R112", f"`{printable(text, 40)}` is no turn and no day", hint)]) from None


@click.command()
@click.argument("events", metavar="EVENTS")
@click.option("--at", type=Day(), help="The day to ask about (default: today).")
@click.option("--known", metavar="TURN|DAY", help="Knowing only what was known by then.")
@click.option("--ask", metavar="MEDICINE", help="Is this (`NAME 500 mg`) what is taken on that day?")
@click.option("--findings", is_flag=True, help="When findings appear, change and clear.")
@click.option("--patient", metavar="ID", help="Whose, of a store that holds several.")
@click.option("--store", metavar="FILE", help="Add the events to this store first (a DuckDB file; made if there is none).")
@click.option("--format", "form", type=click.Choice(["text", "json", "html"]), default="text", show_default=True)
@overlay_option
@json_option
def timeline(
    events: str, at: date | None, known: str | None, ask: str | None, findings: bool, patient: str | None, store: str | None,
    form: str, overlays: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """What is believed of a day, from everything that was told over time.

    EVENTS is a file of events (YAML, JSON, JSON Lines), a FHIR record, or a
    store of events (.duckdb). Conflicts keep both sides, with the question that
    would settle them.

    \b
    medsafe timeline events.yaml --at 2026-03-08
    medsafe timeline events.yaml --at 2026-03-08 --known 22
    medsafe timeline events.yaml --ask "NAME 500 mg"
    medsafe timeline bundle.json --findings --format html > timeline.html

    \b
    events:
      - {told: 2026-01-05, says: started, medicine: NAME 500 mg}
      - {told: 2026-02-01, says: stopped, medicine: NAME, when: 3 days ago}

    Exit codes: 0 nothing is open, 4 something is.
    """
    loaded = engine(overlays)
    day, by = at or today(), known_of(known)
    memory = memory_of(loaded, events, patient, day)
    if store is not None:
        _kept(store, patient or "patient", memory)
    if ask is not None:
        return _answered(memory, ask, day, by, as_json or form == "json")
    belief, strips = memory.belief(day, by), memory.drawn(day, by)
    course = memory.course(day, by) if findings else None
    if as_json or form == "json":
        told = {**belief.to_dict(), "timeline": strips.to_dict()} | ({"course": course.to_dict()} if course is not None else {})
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    elif form == "html":
        from safety.showing.history_page import history_page

        spells = course.to_dict()["findings"] if course is not None else None
        click.echo(history_page(strips.to_dict(), belief.to_dict(), spells, printable(Path(events).name)), nl=False)
    else:
        _page(belief, strips, course)
    return EXIT_UNKNOWN if belief.questions else EXIT_OK


def _kept(store: str, patient: str, memory: PatientMemory) -> None:
    from safety.memory.store import EventStore

    with EventStore(store) as opened:
        added = opened.add(patient, memory.history.events)
    click.echo(f"{len(added)} new of {len(memory.history.events)} events are kept in {printable(store)}", err=True)


def _answered(memory: PatientMemory, ask: str, day: date, known: int | date | None, as_json: bool) -> int:
    found = memory.asked(ask, day, known)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(found.to_dict()) + b"\n")
    else:
        click.echo(found.text)
        for question in found.questions:
            click.echo(f"  ask: {question}")
    return EXIT_UNKNOWN if found.verdict in ("open", "untold") or found.questions else EXIT_OK


# --- on a terminal ----------------------------------------------------------------------------------------------------


def _page(belief: Belief, strips: Drawn, course: Course | None) -> None:
    from safety.cli.page import Page

    page = Page()
    known = (
        ""
        if belief.known is None
        else f", knowing what was known by {'turn ' if isinstance(belief.known, int) else ''}{belief.known}"
    )
    page.line(f"As of {belief.day}{known}", "bold")
    page.line()
    page.line(f"{'':<{_NAME}} {strips.first.isoformat():<{_COLUMNS - 10}}{strips.last.isoformat()}", "dim")
    for strip in strips.strips:
        _strip(page, strip, strips)
    page.line(f"{'':<{_NAME}} █ so  · not  ░ held  ? unsure  ! conflict", "dim")
    if belief.results:
        page.line()
    for name, holding, day in belief.results:
        page.labelled("result", f"{name} {' or '.join(str(s.value) for s in holding.sides)} on {day}")
    _open(page, belief)
    if course is not None:
        _course(page, course)


def _strip(page: Any, strip: Strip, strips: Drawn) -> None:
    from rich.text import Text

    span = max((strips.last - strips.first).days, 1)
    row = [" "] * _COLUMNS
    style = ["dim"] * _COLUMNS
    for segment in strip.segments:
        a, b = ((d - strips.first).days * (_COLUMNS - 1) // span for d in (segment.first, segment.last))
        for column in range(a, b + 1):
            row[column], style[column] = _LOOKS[segment.look], _STYLES[segment.look]
    name = printable(strip.name, _NAME)
    line = Text(f"{name:<{_NAME}} ")
    for mark, how in zip(row, style, strict=True):
        line.append(mark, style=how)
    last = strip.segments[-1] if strip.segments and strip.segments[-1].last == strips.last else None
    page.out.print(line)
    if last is not None and last.text:
        page.out.print(Text(f"{'':<{_NAME}} {last.text}", style=_STYLES[last.look]))
    if strip.supply:
        page.out.print(Text(f"{'':<{_NAME}} {printable(strip.supply, 200)}", style="dim"))


def _open(page: Any, belief: Belief) -> None:
    for question in belief.questions:
        page.line()
        page.labelled("ask", question.ask, "bold")
    for doubt in belief.doubts:
        page.labelled("doubt", f"{doubt.text}.")


def _course(page: Any, course: Course) -> None:
    page.line()
    page.line("Findings over time", "bold")
    for spell in course.spells:
        until = f"to {spell.until}" if spell.until is not None else "on"
        page.labelled(f"{spell.severity[:8]}", f"{spell.title}: from {spell.since} {until}")
    if not course.spells:
        page.labelled("none", f"no rule speaks on any of the days from {course.first} to {course.last}")


# --- narrative against record -----------------------------------------------------------------------------------------


@click.command()
@click.argument("bundle")
@click.argument("statements")
@click.option("--complete", is_flag=True, help="The statements name everything that is taken: tell what they leave out.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "fhir"]), default="text", show_default=True,
    help="fhir is a List and a DetectedIssue for each discrepancy.",
)  # fmt: skip
@as_of_option
@overlay_option
@json_option
def reconcile(
    bundle: str, statements: str, complete: bool, form: str, as_of: date | None, overlays: tuple[str, ...], as_json: bool
) -> int:  # fmt: skip
    """What a patient says against their record, statement by statement.

    BUNDLE is a FHIR R4 record; STATEMENTS a text with one statement a line, or a
    YAML or JSON list of texts; `-` reads standard input. Neither is changed.

    \b
    medsafe reconcile bundle.json said.txt
    medsafe reconcile bundle.json said.txt --complete --format fhir

    \b
    Exit codes: 0 agreement or nothing of relevance, 1 a contradiction or a gap,
    4 something could not be assessed.
    """
    loaded = engine(overlays)
    found = loaded.reconcile(read_input(bundle, _MOST_BYTES), _texts(statements), as_of or today(), complete=complete)
    if form == "fhir":
        from safety.serving.fhir_reconciled import reconciliation_bundle

        sys.stdout.buffer.write(msgspec.json.encode(reconciliation_bundle(found)) + b"\n")
    elif as_json or form == "json":
        sys.stdout.buffer.write(msgspec.json.encode(found.to_dict()) + b"\n")
    else:
        _reconciled(found)
    if found.omissions or any(r.outcome in ("contradiction", "gap") for r in found.results):
        return EXIT_FINDINGS
    return EXIT_UNKNOWN if any(r.outcome == "not_assessed" for r in found.results) else EXIT_OK


def _texts(file: str) -> list[str]:
    text = read_text(file)
    if not text.lstrip().startswith(("- ", "[", '"')):
        return [line.strip() for line in text.splitlines() if line.strip()]
    from safety.knowledge.documents import read_text as read_yaml

    document, problems = read_yaml(text, file)
    if document is None:
        raise RequestError(problems)
    items = document.value if isinstance(document.value, list) else [document.value]
    if not all(isinstance(item, str) for item in items):
        raise RequestError([Problem(Place(file), "R106", "a statement must be text", "write a list of texts, in quotes")])
    return items


def _reconciled(found: Reconciliation) -> None:
    from rich.text import Text

    from safety.cli.page import Page

    page = Page()
    for result in found.results:
        head = Text(result.outcome.replace("_", " ").upper(), style=_OUTCOMES[result.outcome])
        now = Text("  DOES NOT WAIT", style="bold red") if result.safety_critical else Text("")
        severity = Text(f"  {result.severity}") if result.severity != "none" else Text("")
        page.out.print(head + severity + now)
        page.labelled("said", printable(result.text, 300))
        _parts(page, result)
        page.line()
    for part in found.omissions:
        page.out.print(Text("NOT MENTIONED", style="bold yellow") + Text(f"  {part.severity}"))
        _part(page, part)
        page.line()
    counts = found.to_dict()["counts"]
    page.line(", ".join(f"{n} {o.replace('_', ' ')}" for o, n in counts.items() if n), "dim")


def _parts(page: Any, result: Reconciled) -> None:
    for part in result.parts if len(result.parts) > 1 else result.leading:
        _part(page, part, alone=len(result.parts) == 1)


def _part(page: Any, part: Judged, *, alone: bool = True) -> None:
    page.labelled("because" if alone else part.outcome[:8], part.justification)
    for cited in part.cited:
        page.labelled("record", f"{cited.type}: {printable(cited.display, 120)} [{cited.system} {cited.code}]")
