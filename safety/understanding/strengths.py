"""The strengths of a combination as people write them: "10/325", "20-12.5 mg", each number an ingredient's."""

from __future__ import annotations

import re
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Content, Library, Presentation
from safety.model.directions import ONE_DOSE
from safety.model.quantity import Quantity, number
from safety.reading.directions.words import Lexicon
from safety.reading.names.index import NAMES, combination_key
from safety.reading.names.resolver import ReadName

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_UNIT = r"(?:mg|mcg|g)"
_NUMBERS = rf"(?<![\w.]){_NUMBER}\s*{_UNIT}?(?:\s*[-/]\s*{_NUMBER}\s*{_UNIT}?)+"
_SEVERAL = re.compile(rf"{_NUMBERS}(?![\w.])", re.I)
_LIQUID = re.compile(rf"(?P<held>{_NUMBERS}?)\s*(?:/|per|in)\s*(?P<much>{_NUMBER})?\s*mL\b", re.I)
_SPOONFUL = re.compile(rf"(?P<held>{_NUMBERS})\s*/\s*(?P<much>5|15)(?=\s.*?\d\s*(?:mL|cc|tsp))", re.I)
_ALONE = re.compile(
    rf"\s*(?P<number>{_NUMBER})\s*(?:mg\b)?(?=\s+[A-Za-z(\d]|\s*[,;-]|\s*\Z)(?!\s*(?:-|to|or)\s*\d)(?!\s*(?:m[lcg]|%|unit|g\b))",
    re.I,
)
_OF_ONE_IN_A_SPOON = re.compile(
    rf"\s*(?:-\s*{_NUMBER}(?=\s*/)|(?P<number>{_NUMBER})\s*(?:mg)?)?\s*/\s*5(?:\s*mL)?(?![\d.%])"
    r"(?=.*?\d\s*(?:mL|cc|tsp|teaspoon))",
    re.I,
)
_USUAL_COUNT = Decimal(4)
"""Up to so many, a number behind a combination's name may as well be how many are taken."""
_ONE = re.compile(rf"({_NUMBER})\s*({_UNIT})?", re.I)


_ANOTHER = re.compile(rf"(?:[A-Za-z]+\s*)?[,/+&-]*\s*(?P<number>{_NUMBER})\s*{_UNIT}\s+[A-Za-z]{{5}}", re.I)


_DRAWN_UP = "injection"
"""By what one mL holds no dose of it is told: "Humulin 70/30 30 bid" is 30 units."""


class Combined(Struct, frozen=True):
    """Which strengths of a known product were meant, or what one unit of an unknown strength holds; and the rest of the text."""

    named: tuple[Presentation, ...]
    stated: dict[str, Quantity]
    rest: str


def combined(read: ReadName, strength: str | None, library: Library, lex: Lexicon) -> Combined:
    """The strengths told by name or number in what follows the name of a combination; nothing for a single ingredient."""
    if read.product is None and len(read.drugs) < 2:
        return Combined((), {}, read.rest)
    read = _without_days_of_a_pack(read, lex)
    presentations = _sold(read, library)
    liquid = _of_a_liquid(read, presentations, library) or _by_one_in_a_spoon(read, presentations)
    if liquid is not None:
        return liquid
    for text in (read.rest, strength or ""):
        for found in _SEVERAL.finditer(text):
            amounts = _amounts(found[0], _usual_unit(presentations))
            if len(amounts) != len(read.drugs):
                continue
            rest = read.rest.replace(found[0], " ", 1).strip()
            for order in _orders(read, library):
                told = dict(zip(order, amounts, strict=True))
                equal = [p for p in presentations if _same(p, told)]
                if equal:  # sold under several names, it holds the same; the product that was named stands first
                    return Combined((equal[0],), {}, rest)
            # where we hold what is sold, other numbers are no strength of it: "1-2 tablets", "5-10 mg"
            by_name = {c.drug for c in read.stated if c.amount is not None} == set(read.drugs)
            if (by_name or not presentations) and not lex.counted_next.match(text, found.end()):
                return Combined((), dict(zip(_orders(read, library)[0], amounts, strict=True)), rest)
    own = read.product.presentations if read.product else ()
    return _by_one_number(own or presentations, read, lex) or _by_name(own, read, strength)


def _without_days_of_a_pack(read: ReadName, lex: Lexicon) -> ReadName:
    """As in "Sprintec 28 1 tab po daily": the days in a pack are no amount; a strength of that number stays."""
    found = lex.pack.match(read.rest)
    if found is None or read.product is None:
        return read
    held = {value for p in read.product.presentations for value in _values(p)}
    return read if number(found["days"]) in held else replace(read, rest=read.rest[found.end() :].lstrip(" -"))


def _of_a_liquid(read: ReadName, presentations: tuple[Presentation, ...], library: Library) -> Combined | None:
    """As in "400-57 mg/5 mL": what so much of a liquid holds of each, as it is sold or else as it is told."""
    found = _LIQUID.search(read.rest) or _SPOONFUL.search(read.rest)
    if found is None:
        return None
    amounts = _amounts(found["held"], "mg")
    per = Quantity(number(found["much"] or "1") or Decimal(1), "mL")
    if len(amounts) != len(read.drugs):
        return None
    rest = read.rest.replace(found[0], " ", 1).strip()
    orders = _orders(read, library)
    for order in orders:
        told = dict(zip(order, amounts, strict=True))
        equal = [p for p in presentations if _same(p, told) and p.per == per]
        if equal:
            return Combined((equal[0],), {}, rest)
    contents = tuple(Content(drug, amount) for drug, amount in zip(orders[0], amounts, strict=True))
    return Combined((Presentation(found[0], None, per, contents),), {}, rest)


def _by_one_in_a_spoon(read: ReadName, presentations: tuple[Presentation, ...]) -> Combined | None:
    """As in "Augmentin ES 600/5 6 mL": the liquid of which 5 mL hold that much of one of the two, where one such is sold."""
    found = _OF_ONE_IN_A_SPOON.match(read.rest)
    if found is None:
        return None
    value = number(found["number"]) if found["number"] else None
    own = read.product.presentations if read.product and value is None else presentations  # "Augmentin ES-600/5"
    liquids = [p for p in own if p.per == Quantity(Decimal(5), "mL")]
    named = [p for p in liquids if value is None or value in {c.amount.value for c in p.contents if c.amount}]
    if len({p.contents for p in named}) != 1:
        return None
    return Combined((named[0],), {}, read.rest[found.end() :].strip())


def _by_one_number(sold: tuple[Presentation, ...], read: ReadName, lex: Lexicon) -> Combined | None:
    """As in "Percocet 10", "Adderall XR 20": the strength of which one ingredient, or all together, is that much. Where several
    are ("Lotrel 10"), or it is sold under several names, the number is that much of one of them, and never how many are taken.
    """
    found = _ALONE.match(read.rest)
    value = number(found["number"]) if found else None
    if found is None or value is None or value <= _USUAL_COUNT or lex.counted_next.match(read.rest, found.end("number")):
        return None
    rest = read.rest[found.end() :].strip()
    another = _ANOTHER.match(rest)  # "5 mg hydrocodone, 500 mg acetaminophen": both are told, and must be held
    told = {value, number(another["number"])} if another is not None else {value}
    named = tuple(p for p in sold if told <= _values(p) and p.form != _DRAWN_UP)
    called = tuple(p for p in sold if p.name == found["number"])  # every Stalevo holds 200 mg of one, and one is called by it
    named = called if len(called) == 1 and another is None else named
    if not named and another is not None:
        return None
    if len(named) == 1:
        return Combined(named, {}, rest)
    unit = _usual_unit(named)
    return Combined((), {}, f"{found['number']} {unit} {rest}") if named and unit else None


def _values(p: Presentation) -> set[Decimal]:
    """What a strength may be called by: the amount of any ingredient, or of all together."""
    amounts = [c.amount for c in p.contents if c.amount]
    units = {q.unit for q in amounts}
    whole = (
        {sum((q.value for q in amounts), Decimal(0))} if len(units) == 1 and len(amounts) == len(p.contents) else set[Decimal]()
    )
    return {q.value for q in amounts} | whole


def _sold(read: ReadName, library: Library) -> tuple[Presentation, ...]:
    """Every strength that is sold of exactly these ingredients, under whatever name; the product that was named first."""
    own = read.product.presentations if read.product else ()
    held = library.derived(NAMES).holding.get(combination_key(read.drugs)) or ()
    others = (p for product in held for p in library.product[product].presentations)
    return (*own, *(p for p in others if p not in own))


def _by_name(presentations: tuple[Presentation, ...], read: ReadName, strength: str | None) -> Combined:
    rest = f" {read.rest} "
    words = f"{rest}{strength or ''} ".lower()
    named = tuple(p for p in presentations if p.name and f" {p.name.lower()} " in words)
    for p in named:
        if p.per.unit == ONE_DOSE or p.name == p.form:
            continue  # "EpiPen 0.3 mg": what the pen gives is the dose; "1 patch" tells how many
        at = rest.lower().find(f" {p.name.lower()} ")
        if at >= 0:
            rest = rest[:at] + " " + rest[at + len(p.name) + 1 :]
    return Combined(named, {}, rest.strip())


def _usual_unit(presentations: tuple[Presentation, ...]) -> str:
    """What the product's amounts are counted in: an inhaler's in micrograms, most others in milligrams."""
    units = {c.amount.unit for p in presentations for c in p.contents if c.amount}
    return units.pop() if len(units) == 1 else "mg"


def _amounts(text: str, usual: str) -> tuple[Quantity, ...]:
    """The numbers with their units; one without a unit has that of the next that has one, else the product's usual unit."""
    parts = _ONE.findall(text)
    unit = usual
    found: list[Quantity] = []
    for value, told in reversed(parts):
        unit = told.lower() or unit
        exact = number(value)
        found.append(Quantity(exact if exact is not None else Decimal(0), unit))
    return tuple(reversed(found))


def _orders(read: ReadName, library: Library) -> list[tuple[str, ...]]:
    """In which order the numbers may stand: as the ingredients were named, else as the product lists them."""
    heard = read.answer.heard.lower()
    places = {d: heard.find(library.name_of(d).lower().split()[0]) for d in read.drugs}
    as_named = tuple(sorted(read.drugs, key=lambda d: places[d])) if all(p >= 0 for p in places.values()) else read.drugs
    return list(dict.fromkeys((as_named, read.drugs, tuple(reversed(as_named)))))


def _same(p: Presentation, told: dict[str, Quantity]) -> bool:
    held = {c.drug: c.amount for c in p.contents}
    return held == told
