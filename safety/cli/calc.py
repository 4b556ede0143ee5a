"""`medsafe calc`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import click
import msgspec

from safety.cli.common import engine, json_option, overlay_option
from safety.cli.main import EXIT_OK, EXIT_UNKNOWN
from safety.engine import Engine
from safety.formulas.answers import Answer
from safety.formulas.catalogue import CALCULATORS, Ask, Calculator, read
from safety.formulas.equivalents import Dose, Factors, converted, equivalents
from safety.text import did_you_mean

_DOSE = re.compile(r"(.*?)\s*(\d[\d.,]*\s*[^\d\s].*)\Z", re.S)
_CONVERT = ("dose", "drug", "route", "to", "to-route")


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
    tables = {table.formula.id: table for table in loaded.library.factors}
    if formula is None:
        _list(tables, as_json)
        return EXIT_OK
    given = _pairs(inputs)
    known = {c.id: c for c in CALCULATORS}
    if formula in known:
        answer = _calculated(known[formula], given, loaded)
        keys = [a.key for a in known[formula].asks]
    elif formula in tables:
        answer, keys = _summed(tables[formula], given, loaded), ["dose"]
    elif formula.removesuffix("-to") in tables:
        answer, keys = _converted(tables[formula.removesuffix("-to")], given, loaded), list(_CONVERT)
    else:
        hint = did_you_mean(formula, [*known, *tables])
        raise click.UsageError(f"`{formula}` is not a formula that we know; {hint or '`medsafe calc` lists them'}")
    _print(answer, keys, as_json)
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


def _check(given: Mapping[str, Sequence[str]], keys: Sequence[str], several: Sequence[str] = ()) -> None:
    for key, values in given.items():
        if key not in keys:
            raise click.UsageError(f"`{key}` is not an input here; {did_you_mean(key, keys) or 'inputs: ' + ', '.join(keys)}")
        if len(values) > 1 and key not in several:
            raise click.UsageError(f"`{key}` is given {len(values)} times")


def _calculated(calculator: Calculator, given: Mapping[str, Sequence[str]], loaded: Engine) -> Answer:
    _check(given, [a.key for a in calculator.asks])
    values: dict[str, Any] = {}
    for ask in calculator.asks:
        if ask.key in given:
            text = given[ask.key][0]
            values[ask.key] = read(ask, text, loaded.library.units)
            if values[ask.key] is None:
                raise click.UsageError(f"{ask.key} `{text}` cannot be read; {_how(ask)}")
    return calculator.answer(values)


def _how(ask: Ask) -> str:
    return f"one of: {', '.join(ask.words)}" if ask.words else f'write it as {ask.key}="{ask.example}"'


def _summed(table: Factors, given: Mapping[str, Sequence[str]], loaded: Engine) -> Answer:
    _check(given, ["dose"], ["dose"])
    if "dose" not in given:
        return equivalents(table, None)
    return equivalents(table, [_dose(text, table, loaded) for text in given["dose"]])


def _dose(text: str, table: Factors, loaded: Engine) -> Dose:
    """`fentanyl buccal tablet 200 mcg/d`: a name, a route and a form where they matter, and an amount a day or an hour."""
    match = _DOSE.match(text.strip())
    amount = loaded.library.units.parse(match[2]) if match else None
    words = match[1].split() if match else []
    if amount is None or not words:
        raise click.UsageError(f'dose `{text}` cannot be read; write it as dose="NAME 20 mg/d"')
    routes = {route for row in table.rows for route in row.routes}
    forms = {form for row in table.rows for form in row.forms}
    route = next((w for w in words if w.lower() in routes), None)
    form = next((w for w in words if w.lower() in forms), None)
    name = " ".join(w for w in words if w not in (route, form))
    answer = loaded.name(name)
    if answer.status != "match" or not isinstance(answer.drug, str):
        raise click.UsageError(f"`{name}` is not one drug that we know; {answer.ask or 'name one ingredient'}")
    return Dose(answer.drug, amount, route.lower() if route else None, form.lower() if form else None)


def _converted(table: Factors, given: Mapping[str, Sequence[str]], loaded: Engine) -> Answer:
    _check(given, _CONVERT)
    told = {key: values[0] for key, values in given.items()}
    dose = loaded.library.units.parse(told["dose"]) if "dose" in told else None
    if dose is None and "dose" in told:
        raise click.UsageError(f'dose `{told["dose"]}` cannot be read; write it as dose="40 mg"')
    drugs = []
    for key in ("drug", "to"):
        answer = loaded.name(told[key]) if key in told else None
        if answer is not None and not (answer.status == "match" and isinstance(answer.drug, str)):
            hint = answer.ask or "name one ingredient"
            raise click.UsageError(f"`{told[key]}` is not one drug that we know; {hint}")
        drugs.append(str(answer.drug) if answer else None)
    return converted(table, dose, drugs[0], told.get("route"), drugs[1], told.get("to-route"))


def _list(tables: Mapping[str, Factors], as_json: bool) -> None:
    rows = [(c.id, c.formula.name, [f"{a.key}?" if a.optional else a.key for a in c.asks]) for c in CALCULATORS]
    for id_, table in tables.items():
        rows.append((id_, table.title, ["dose"]))
        rows.append((f"{id_}-to", f"{table.title}: another drug's dose", list(_CONVERT)))
    if as_json:
        for id_, name, keys in rows:
            click.echo(msgspec.json.encode({"formula": id_, "name": name, "inputs": keys}))
        return
    from safety.cli.page import Page

    page = Page()
    for id_, name, keys in rows:
        page.line(f"{id_}: {name}", "bold")
        page.paragraph(", ".join(keys))


def _print(answer: Answer, keys: Sequence[str], as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(_plain(answer)))
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


def _plain(answer: Answer) -> dict[str, Any]:
    """The answer as JSON: `value` as it is reported, `exact` unrounded."""
    out: dict[str, Any] = {"value": answer.shown or None, "exact": answer.value, **msgspec.to_builtins(answer)}
    out["value"], out["unit"] = answer.shown or None, answer.formula.unit
    return out
