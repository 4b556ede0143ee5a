"""`medsafe calc`."""

from __future__ import annotations

from collections.abc import Sequence

import click
import msgspec

from safety.answering.calculating import CalculatorCard
from safety.cli.common import engine, json_option, overlay_option
from safety.cli.main import EXIT_OK, EXIT_UNKNOWN
from safety.formulas.answers import Answer


@click.command()
@click.argument("formula", required=False)
@click.argument("inputs", nargs=-1, metavar="KEY=VALUE...")
@overlay_option
@json_option
def calc(formula: str | None, inputs: tuple[str, ...], overlays: tuple[str, ...], as_json: bool) -> int:
    """Clinical arithmetic: a value, its formula, what went in, and the source.

    \b
    medsafe calc                       every formula and its inputs
    medsafe calc crcl age="72 y" sex=female weight="81 kg" \\
        height="165 cm" creatinine="1.4 mg/dL"
    medsafe calc mme-cdc-2022 dose="oxycodone 20 mg/d" \\
        dose="fentanyl transdermal 25 mcg/h"
    medsafe calc glucocorticoids-to dose="40 mg" drug=prednisone \\
        route=oral to=dexamethasone to-route=oral
    """
    loaded = engine(overlays)
    if formula is None:
        _list(loaded.calculators(), as_json)
        return EXIT_OK
    answer = loaded.calc(formula, **_pairs(inputs))
    card = next((c for c in loaded.calculators() if c.id == formula), None)
    _print(answer, [one.key for one in card.inputs] if card else [], as_json)
    return EXIT_OK if answer.value is not None or answer.day is not None else EXIT_UNKNOWN


def _pairs(inputs: Sequence[str]) -> dict[str, list[str]]:
    """Inputs by key; a key may be given several times where the formula adds them up."""
    given: dict[str, list[str]] = {}
    for text in inputs:
        key, equals, value = text.partition("=")
        if not equals or not key or not value.strip():
            raise click.UsageError(f'`{text}` is not KEY=VALUE, e.g. weight="81 kg"')
        given.setdefault(key.strip().replace("_", "-"), []).append(value)
    return given


def _list(cards: Sequence[CalculatorCard], as_json: bool) -> None:
    if as_json:
        for card in cards:
            click.echo(msgspec.json.encode({"formula": card.id, **card.to_dict()}))
        return
    from safety.cli.page import Page

    page = Page()
    for card in cards:
        page.line(f"{card.id}: {card.name}", "bold")
        page.paragraph(", ".join(f"{one.key}?" if one.optional else one.key for one in card.inputs))


def _print(answer: Answer, keys: Sequence[str], as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(answer.to_dict()))
        return
    from safety.cli.page import Page

    page = Page()
    f = answer.formula
    page.line(f"{f.name}: {answer.shown or 'cannot be said'}", "bold" if answer.shown else "bold yellow")
    for missing in answer.missing:
        page.labelled("missing", missing)
    for refused in answer.refused:
        page.labelled("refused", refused)
    for text in (_bounds(answer), *answer.notes):
        page.labelled("note", text)
    for used in answer.used:
        page.labelled("used", f"{used.name} {used.value}{f' ({used.note})' if used.note else ''}")
    page.labelled("formula", f"{f.name}{f', {f.edition}' if f.edition else ''}")
    copy = f", copy {f.copy}" if f.copy else ""
    page.labelled("source", f"{f.citation} [{f.checked}{copy}]", "dim")
    if answer.missing:
        page.labelled("inputs", ", ".join(keys), "dim")


def _bounds(answer: Answer) -> str:
    if answer.low is None:
        return ""
    return (
        f"at least {answer.low}" + (f" and at most {answer.high}" if answer.high is not None else "") + f" {answer.formula.unit}"
    )
