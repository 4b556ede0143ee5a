"""The strengths of a combination as people write them: "10/325", "20-12.5 mg", each number an ingredient's."""

from __future__ import annotations

import re
from decimal import Decimal

from msgspec import Struct

from safety.knowledge.library import Library, Presentation
from safety.names.resolver import ReadName
from safety.quantity import Quantity, number

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_UNIT = r"(?:mg|mcg|g)"
_SEVERAL = re.compile(rf"(?<![\w.]){_NUMBER}\s*{_UNIT}?(?:\s*[-/]\s*{_NUMBER}\s*{_UNIT}?)+(?![\w.])", re.I)
_ONE = re.compile(rf"({_NUMBER})\s*({_UNIT})?", re.I)


class Combined(Struct, frozen=True):
    """Which strengths of a known product were meant, or what one unit of an unknown strength holds; and the rest of the text."""

    named: tuple[Presentation, ...]
    stated: dict[str, Quantity]
    rest: str


def combined(read: ReadName, strength: str | None, library: Library) -> Combined:
    """The strengths told by name or number in what follows the name of a combination; nothing for a single ingredient."""
    if read.product is None and len(read.drugs) < 2:
        return Combined((), {}, read.rest)
    presentations = read.product.presentations if read.product else ()
    found = _SEVERAL.search(read.rest) or (_SEVERAL.search(strength) if strength else None)
    amounts = _amounts(found[0], _usual_unit(presentations)) if found else ()
    rest = read.rest if found is None else read.rest.replace(found[0], " ", 1).strip()
    if len(amounts) != len(read.drugs) or len(amounts) < 2:
        return _by_name(presentations, read, strength)
    for order in _orders(read, library):
        told = dict(zip(order, amounts, strict=True))
        equal = tuple(p for p in presentations if _same(p, told))
        if equal:
            return Combined(equal, {}, rest)
    return Combined((), dict(zip(_orders(read, library)[0], amounts, strict=True)), rest)


def _by_name(presentations: tuple[Presentation, ...], read: ReadName, strength: str | None) -> Combined:
    rest = f" {read.rest} "
    words = f"{rest}{strength or ''} ".lower()
    named = tuple(p for p in presentations if p.name and f" {p.name.lower()} " in words)
    for p in named:
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
