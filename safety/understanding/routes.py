"""What a form, a dose's unit or a strength says of the route: nobody swallows two puffs or drinks a patch.

Galenic language only: which routes a drug is marketed for at all is the library's knowledge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from safety.model.directions import Directions
from safety.reading.directions.galenic import ROUTE_OF_FORM

_SWALLOWED: Final = frozenset({"oral", "sublingual", "buccal", "vaginal"})
_ON_THE_SKIN: Final = frozenset({"topical", "vaginal", "rectal", "ophthalmic", "dental", "nasal", "oral"})
_BY_UNIT: Final = {
    "tablet": _SWALLOWED,
    "capsule": frozenset({"oral", "inhaled", "vaginal"}),
    "caplet": frozenset({"oral"}),
    "lozenge": frozenset({"oral", "buccal"}),
    "gum": frozenset({"oral", "buccal"}),
    "puff": frozenset({"inhaled", "nasal", "oral"}),
    "spray": frozenset({"nasal", "sublingual", "topical", "inhaled", "oral"}),
    "drop": frozenset({"ophthalmic", "otic", "nasal", "oral", "topical"}),
    "patch": frozenset({"transdermal", "topical"}),
    "suppository": frozenset({"rectal", "vaginal"}),
}
_BY_FORM: Final = {
    **{form: frozenset({route}) for form, route in ROUTE_OF_FORM.items()},
    "cream": _ON_THE_SKIN - {"oral"},
    "ointment": _ON_THE_SKIN - {"oral"},
    "gel": _ON_THE_SKIN | {"transdermal"},
    "lotion": frozenset({"topical"}),
    "shampoo": frozenset({"topical"}),
    "patch": frozenset({"transdermal", "topical"}),
}
_NOT_IN_MILLIGRAMS: Final = frozenset({"topical", "ophthalmic", "otic", "dental"})
_NOT_SEVERAL_TIMES_A_DAY: Final = frozenset({"vaginal", "intrauterine", "implant", "intrathecal", "transdermal"})
_NOT_IN_PERCENT: Final = frozenset({"oral", "sublingual", "buccal", "rectal"})


def narrow(routes: Sequence[str], directions: Directions) -> tuple[str, ...]:
    """Those of the possible routes that what was told allows; all of them where nothing told fits any."""
    possible = tuple(routes)
    for allowed in _hints(directions):
        left = tuple(r for r in possible if r in allowed)
        possible = left or possible
    for excluded in _exclusions(directions):
        left = tuple(r for r in possible if r not in excluded)
        possible = left or possible
    return possible


def _hints(directions: Directions) -> list[frozenset[str]]:
    found = []
    if directions.form:
        words = directions.form.split()
        found += [f for f in (_BY_FORM.get(directions.form), _BY_FORM.get(words[-1]), _BY_UNIT.get(words[-1])) if f][:1]
        if len(words) > 1 and words[0] in ("oral", "topical", "nasal", "rectal", "vaginal", "sublingual", "buccal"):
            found.append(frozenset({words[0]}))
    unit = directions.dose[0].unit if directions.dose else ""
    if unit in _BY_UNIT:
        found.append(_BY_UNIT[unit])
    return found


def _exclusions(directions: Directions) -> list[frozenset[str]]:
    found = []
    amounts = [told[0] for told in (directions.dose, directions.per_day) if told is not None]
    if any(q.unit.removesuffix("/kg").removesuffix("/m2") in ("mg", "mcg") for q in amounts):
        found.append(_NOT_IN_MILLIGRAMS)
        if directions.times_per_day and directions.times_per_day[0] > 1:
            found.append(_NOT_SEVERAL_TIMES_A_DAY)
    if directions.strength and directions.strength.unit == "%":
        found.append(_NOT_IN_PERCENT)
    return found
