"""The table of units as written → exact factors."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from safety.errors import Place, Problem
from safety.knowledge.collecting import UNITS
from safety.knowledge.documents import Document
from safety.knowledge.drafts import Drafts
from safety.knowledge.library import UnitTable


def unit_table(drafts: Drafts) -> UnitTable:
    """The rows of `kb/units.yaml`, factors checked to be exact numbers."""
    document = next(reversed([*drafts.documents(UNITS)]), None)
    dimensions: dict[str, dict[str, str]] = {}
    aliases: dict[str, tuple[str, ...]] = {}
    count: tuple[str, ...] = ()
    if document is None:
        drafts.problems.append(Problem(Place(UNITS), "K024", "cannot be read", "it holds the unit conversions"))
        return UnitTable({}, {}, ())
    for key, value in document.value.items():
        place = document.place((key,))
        if key == "count" and isinstance(value, list):
            count = tuple(str(v) for v in value)
        elif key == "aliases" and isinstance(value, dict):
            aliases = _aliases(value, document, drafts)
        elif isinstance(value, dict):
            dimensions[key] = _factors(key, value, document, drafts)
        else:
            drafts.problems.append(Problem(place, "K109", f"`{key}` must be units with their factors"))
    return UnitTable(dimensions, aliases, count)


def _factors(dimension: str, value: dict[str, Any], document: Document, drafts: Drafts) -> dict[str, str]:
    built = {}
    for unit, written in value.items():
        try:
            factor = Fraction(str(written))
        except (ValueError, ZeroDivisionError):
            factor = Fraction(0)
        if factor <= 0:
            place = document.place((dimension, unit))
            drafts.problems.append(
                Problem(place, "K205", f"the factor of `{unit}` is not a number above 0", 'write 0.001 or "1/24"')
            )
            continue
        built[unit] = str(factor)
    return built


def _aliases(value: dict[str, Any], document: Document, drafts: Drafts) -> dict[str, tuple[str, ...]]:
    built: dict[str, tuple[str, ...]] = {}
    seen: dict[str, str] = {}
    for unit, others in value.items():
        if not isinstance(others, list):
            drafts.problems.append(
                Problem(document.place(("aliases", unit)), "K109", f"the other spellings of `{unit}` must be a list")
            )
            continue
        built[unit] = tuple(str(v) for v in others)
        for n, spelling in enumerate(built[unit]):
            before = seen.setdefault(spelling, unit)
            if before != unit:
                place = document.place(("aliases", unit, n))
                drafts.problems.append(Problem(place, "K401", f"`{spelling}` is already a spelling of `{before}`"))
    return built
