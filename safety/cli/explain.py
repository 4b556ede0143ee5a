"""`medsafe explain`."""

from __future__ import annotations

import click
import msgspec

from safety.cli.common import json_option
from safety.cli.completion import codes as completed
from safety.cli.main import EXIT_OK
from safety.cli.page import Page
from safety.desk.codes import Code, codes
from safety.errors import Place, Problem, RequestError


@click.command()
@click.argument("code", required=False, shell_complete=completed)
@json_option
def explain(code: str | None, as_json: bool) -> int:
    """What a CODE of a problem means, an example, and how to mend it.

    Without a code, all of them, one a line.

    \b
    medsafe explain K301
    medsafe explain
    """
    every = codes()
    if code is not None and code.upper() not in every:
        hint = "medsafe explain, without a code, lists them; of a rule: medsafe show ID"
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
