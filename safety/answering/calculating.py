"""Formulas asked for by name, with inputs as a caller writes them: read, refused with a hint, calculated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec import Struct

from safety.errors import Place, Problem, RequestError
from safety.formulas.answers import Answer, Formula
from safety.formulas.catalogue import CALCULATORS, Ask, Calculator, Kind, asks_of, read
from safety.formulas.equivalents import Dose, Factors, converted, equivalents
from safety.formulas.scored import scored
from safety.knowledge.library import Library
from safety.reading.names.resolver import Resolver
from safety.text import did_you_mean, printable

_DOSE = re.compile(r"(.*?)\s*(\d[\d.,]*\s*[^\d\s].*)\Z", re.S)
_KINDS: Mapping[Kind, str] = {
    "amount": "an amount with its unit", "age": "an age", "sex": "female or male", "yes": "yes or no", "word": "a word",
    "count": "a whole number", "day": "a day", "text": "text",
}  # fmt: skip


class CalculatorInput(Struct, frozen=True):
    """One input: its key, what it is, an example of how it is written, and the words it may be if only some."""

    key: str
    kind: str
    example: str
    words: tuple[str, ...] = ()
    optional: bool = False
    several: bool = False


class CalculatorCard(Struct, frozen=True):
    """A formula that can be asked for: what it answers and in which unit, where it is from, and its inputs."""

    id: str
    name: str
    edition: str
    citation: str
    unit: str
    checked: str
    inputs: tuple[CalculatorInput, ...]

    def to_dict(self) -> dict[str, Any]:
        """The card as plain values."""
        return {
            "id": self.id, "name": self.name, "edition": self.edition, "citation": self.citation, "unit": self.unit,
            "checked": self.checked, "inputs": [_input_values(one) for one in self.inputs],
        }  # fmt: skip


def calculators(library: Library) -> tuple[CalculatorCard, ...]:
    """Every formula and every sum or conversion over a table of equivalents, in the order that they are listed in."""
    cards = [_card_of(c.formula, c.formula.name, c.asks) for c in CALCULATORS]
    cards += [_card_of(score.formula, score.title, asks_of(score)) for score in library.scores]
    for table in library.factors:
        f = table.formula
        cards.append(CalculatorCard(f.id, table.title, f.edition, f.citation, f.unit, f.checked, _inputs(_doses(table, library))))
        to = f"{table.title}: another drug's dose"
        cards.append(CalculatorCard(f"{f.id}-to", to, f.edition, f.citation, "", f.checked, _inputs(_conversion(table, library))))
    return tuple(cards)


def calculate(name: str, given: Mapping[str, Any], library: Library, resolver: Resolver) -> Answer:
    """The answer of the formula `name` to inputs as a caller writes them: text ("81 kg"), numbers, yes and no, a day.

    What is not given is not told: the answer then says what is missing. Raises RequestError, with every slip, for a formula
    or an input that there is none of, and for an input that cannot be read.
    """
    told = _told(given)
    known = {c.id: c for c in CALCULATORS}
    scores = {score.formula.id: score for score in library.scores}
    tables = {table.formula.id: table for table in library.factors}
    plain = name.strip().lower().replace("_", "-")
    if plain in known:
        return _of_formula(known[plain], told, library)
    if plain in scores:
        return scored(scores[plain], _read(asks_of(scores[plain]), told, library))
    if plain in tables:
        return _summed(tables[plain], told, library, resolver)
    if plain.removesuffix("-to") in tables:
        return _converted(tables[plain.removesuffix("-to")], told, library, resolver)
    hint = did_you_mean(plain, [*known, *scores, *tables]) or "`medsafe calc` lists them"
    raise RequestError([_slip("formula", "R201", f"`{printable(name, 60)}` is not a formula that we know", hint)])


def _told(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """Inputs by key as text; nothing (None) is not told. A key may have several where the formula adds them up."""
    told: dict[str, list[str]] = {}
    slips = []
    for key, value in given.items():
        many = value if isinstance(value, list | tuple) else [value]
        texts = [_as_text(one) for one in many if one is not None]
        if None in texts:
            slips.append(_slip(key, "R202", "must be text, a number, yes or no, or a day", 'e.g. "81 kg"'))
        elif texts:
            told[key.strip().lower().replace("_", "-")] = [text for text in texts if text is not None]
    if slips:
        raise RequestError(slips)
    return told


def _as_text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, int | float | Decimal) else None


def _check(told: Mapping[str, Sequence[str]], asks: Iterable[Ask]) -> None:
    by_key = {a.key: a for a in asks}
    slips = []
    for key, values in told.items():
        if key not in by_key:
            hint = did_you_mean(key, by_key) or f"inputs: {', '.join(by_key)}"
            slips.append(_slip(key, "R203", f"`{printable(key, 60)}` is not an input here", hint))
        elif len(values) > 1 and not by_key[key].several:
            slips.append(_slip(key, "R204", f"`{key}` is given {len(values)} times", "give it once"))
    if slips:
        raise RequestError(slips)


def _of_formula(calculator: Calculator, told: Mapping[str, Sequence[str]], library: Library) -> Answer:
    return calculator.answer(_read(calculator.asks, told, library))


def _read(asks: Sequence[Ask], told: Mapping[str, Sequence[str]], library: Library) -> dict[str, Any]:
    """Every input that was told, read. Raises RequestError with every one that is none or cannot be read."""
    _check(told, asks)
    values: dict[str, Any] = {}
    slips = []
    for ask in asks:
        if ask.key in told:
            text = told[ask.key][0]
            values[ask.key] = read(ask, text, library.units)
            if values[ask.key] is None:
                slips.append(_unread(ask.key, text, _how(ask)))
    if slips:
        raise RequestError(slips)
    return values


def _how(ask: Ask) -> str:
    return f"one of: {', '.join(ask.words)}" if ask.words else f'write it as {ask.key}="{ask.example}"'


def _summed(table: Factors, told: Mapping[str, Sequence[str]], library: Library, resolver: Resolver) -> Answer:
    _check(told, _doses(table, library))
    if "dose" not in told:
        return equivalents(table, None)
    return equivalents(table, [_dose(text, table, library, resolver) for text in told["dose"]])


def _doses(table: Factors, library: Library) -> tuple[Ask, ...]:
    """What a sum over a table asks for; the example is its first row."""
    row = table.rows[0]
    said = " ".join([library.drug[row.drug].name, *row.routes[:1], *row.forms[:1], "20", row.per])
    return (Ask("dose", "text", said, several=True),)


def _conversion(table: Factors, library: Library) -> tuple[Ask, ...]:
    """What turning a dose of one drug into another's asks for; the examples are the table's first and last row."""
    first, last = table.rows[0], table.rows[-1]
    return (
        Ask("dose", "amount", f"20 {first.per.removesuffix('/d')}"), Ask("drug", "text", library.drug[first.drug].name),
        Ask("route", "text", next(iter(first.routes), "oral"), optional=True), Ask("to", "text", library.drug[last.drug].name),
        Ask("to-route", "text", next(iter(last.routes), "oral"), optional=True),
    )  # fmt: skip


def _dose(text: str, table: Factors, library: Library, resolver: Resolver) -> Dose:
    """One dose of a sum: a name, a route and a form where they matter, and an amount a day or an hour."""
    match = _DOSE.match(text.strip())
    amount = library.units.parse(match[2]) if match else None
    words = match[1].split() if match else []
    if amount is None or not words:
        raise RequestError([_unread("dose", text, 'write it as dose="NAME 20 mg/d"')])
    routes = {route for row in table.rows for route in row.routes}
    forms = {form for row in table.rows for form in row.forms}
    route = next((w for w in words if w.lower() in routes), None)
    form = next((w for w in words if w.lower() in forms), None)
    name = " ".join(w for w in words if w not in (route, form))
    return Dose(_drug("dose", name, resolver), amount, route.lower() if route else None, form.lower() if form else None)


def _converted(table: Factors, told: Mapping[str, Sequence[str]], library: Library, resolver: Resolver) -> Answer:
    _check(told, _conversion(table, library))
    one = {key: values[0] for key, values in told.items()}
    dose = library.units.parse(one["dose"]) if "dose" in one else None
    if dose is None and "dose" in one:
        raise RequestError([_unread("dose", one["dose"], 'write it as dose="40 mg"')])
    drug, to = (_drug(key, one[key], resolver) if key in one else None for key in ("drug", "to"))
    return converted(table, dose, drug, one.get("route"), to, one.get("to-route"))


def _drug(key: str, text: str, resolver: Resolver) -> str:
    answer = resolver.name(text)
    if answer.status == "match" and isinstance(answer.drug, str):
        return answer.drug
    hint = answer.ask or "name one ingredient"
    raise RequestError([_slip(key, "R206", f"`{printable(text, 60)}` is not one drug that we know", hint)])


def _unread(key: str, text: str, hint: str) -> Problem:
    return _slip(key, "R205", f"{key} `{printable(text, 60)}` cannot be read", hint)


def _slip(key: str, code: str, message: str, hint: str) -> Problem:
    return Problem(Place(key), code, message, hint)


def _card_of(f: Formula, name: str, asks: Iterable[Ask]) -> CalculatorCard:
    return CalculatorCard(f.id, name, f.edition, f.citation, f.unit, f.checked, _inputs(asks))


def _inputs(asks: Iterable[Ask]) -> tuple[CalculatorInput, ...]:
    return tuple(CalculatorInput(a.key, _KINDS[a.kind], a.example, a.words, a.optional, a.several) for a in asks)


def _input_values(one: CalculatorInput) -> dict[str, Any]:
    out: dict[str, Any] = {"key": one.key, "kind": one.kind, "example": one.example}
    more = {"words": list(one.words), "optional": one.optional, "several": one.several}
    return out | {key: value for key, value in more.items() if value}
