"""`medsafe explain`."""

from __future__ import annotations

import click
import msgspec
from click.shell_completion import CompletionItem

from safety.cli import completion
from safety.cli.common import engine, json_option, overlay_option
from safety.cli.main import EXIT_OK
from safety.cli.page import Page
from safety.desk.codes import Code, codes, looks_like_a_code
from safety.desk.telling import Told, told
from safety.errors import Place, Problem, RequestError
from safety.knowledge.library import Entry
from safety.text import did_you_mean


def _completed(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    return [*completion.codes(context, parameter, begun), *(completion.rules(context, parameter, begun) if begun else ())]


@click.command()
@click.argument("what", required=False, metavar="[CODE|RULE]", shell_complete=_completed)
@click.option("--patient", is_flag=True, help="Of a rule, only the words for a patient.")
@overlay_option
@json_option
def explain(what: str | None, patient: bool, overlays: tuple[str, ...], as_json: bool) -> int:
    """What a CODE of a problem means and how to mend it; or a RULE in plain words, and in words for a patient.

    Without either, every code, one a line.

    \b
    medsafe explain K301
    medsafe explain interaction.warfarin-nsaid
    medsafe explain interaction.warfarin-nsaid --patient
    medsafe explain
    """
    if what is None or looks_like_a_code(what):
        return _codes(what, as_json=as_json)
    made = [told(e, engine(overlays).library) for e in _rules(what, overlays)]
    for n, one in enumerate(made):
        if as_json:
            click.echo(msgspec.json.encode({"rule": one.rule, "plain": dict(one.plain), "patient": one.patient}))
        else:
            _print_rule(one, patient=patient, first=not n)
    return EXIT_OK


def _rules(what: str, overlays: tuple[str, ...]) -> list[Entry]:
    """The rule of an id, or those of the rows of a table. Raises RequestError."""
    library = engine(overlays).library
    found = [library.current_id(what)] if library.current_id(what) in library.entry else library.rows_of(what)
    if not found:
        hint = did_you_mean(what, library.entry, cutoff=60) or "medsafe list rules; without RULE, the codes of problems"
        raise RequestError([Problem(Place("what"), "R301", f"`{what}` is not a code of a problem, nor a rule", hint)])
    return [library.entry[i] for i in found]


def _print_rule(one: Told, *, patient: bool, first: bool) -> None:
    page = Page()
    if not first:
        page.line()
    page.line(one.rule, "bold")
    if not patient:
        for label, text in one.plain:
            page.labelled(label, text)
        page.line()
        page.line("For a patient", "bold")
    for text in one.patient:
        page.paragraph(text)


def _codes(code: str | None, *, as_json: bool) -> int:
    every = codes()
    if code is not None and code.upper() not in every:
        hint = "medsafe explain, without a code, lists them"
        raise RequestError([Problem(Place("code"), "R301", f"`{code}` is not a code that a problem has", hint)])
    chosen = [every[code.upper()]] if code is not None else list(every.values())
    if as_json:
        for one in chosen:
            click.echo(msgspec.json.encode(one))
    elif code is not None:
        _print(chosen[0])
    else:
        _list(chosen)
    return EXIT_OK


def _print(one: Code) -> None:
    page = Page()
    page.line(f"{one.code}  {one.whose}", "bold")
    page.labelled("means", one.means)
    for n, line in enumerate(one.example.splitlines()):
        page.labelled("" if n else "example", line, "yellow")
    page.labelled("mend", one.mend)


def _list(chosen: list[Code]) -> None:
    page = Page()
    for n, one in enumerate(chosen):
        if not n or chosen[n - 1].code[0] != one.code[0]:
            page.line(one.whose, "bold")
        first, *rest = page.wrapped(one.means, 7)
        page.line(f"  {one.code} {first}")
        for line in rest:
            page.line(f"       {line}")
