"""A number alone beside a name, "lisinopril 20", "prednisone 40 x3d": the strength that is sold, in its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final

from safety.knowledge.library import Drug, Library
from safety.model.directions import PARENTERAL
from safety.model.quantity import Quantity, Units, in_parts
from safety.reading.directions.galenic import MOST_BARE_UNITS, MOST_UNTOLD
from safety.reading.directions.notes import UnitOf, none_sold
from safety.reading.directions.words import Lexicon
from safety.reading.names.resolver import ReadName
from safety.reading.wording import key_of

_USUAL_COUNT: Final = Decimal(2)
"""Up to so many, in halves, a number may as well be how many are taken: "warfarin 2" stays open."""
_HALF: Final = Decimal("0.5")
_MOST_AT_ONCE: Final = 8
"""So many of the largest strength are taken at once, at most: more is no dose."""
_SMALLER: Final = "mcg"
_LARGER: Final = "mg"
_STEP: Final = 1000
_DAY: Final = "d"
_PATCHED: Final = "transdermal"
_WEIGHS: Final = re.compile(r"(\d+(?:\.\d+)?) ?(g|mg)")
_WEIGHTS: Final = ("g", "mg", "mcg")
_LEAST_OF_A_VIAL: Final = Quantity(Decimal(500), "mg")
_LEAST_BESIDE_PIECES: Final = Decimal("0.1")
_LEAST_OF_THE_STRONGEST: Final = Decimal("0.025")
"""Less of the strongest solution says that the number is in another unit: "mag 2 IV" is no milligrams."""
_MOST_OF_A_PIECE: Final = 20
"""Of what is swallowed in pieces, no smaller part of the smallest is injected."""
_PER_BODY: Final = "mg/kg"
_MOST_OF_A_BODY: Final = 5
"""So many times the milligrams of a kilogram are no milligrams of a kilogram."""
_LEAST_AT_ONCE: Final = Decimal("0.2")
_MOST_OF_A_SYRINGE: Final = Decimal(20)
"""So many mL of the weakest solution are pushed at once, at least and at most."""
_LEAST_VOLUME: Final = Decimal("0.01")
_MOST_VOLUME: Final = Decimal(50)
"""So many mL are given at once, at least and at most, of what is only injected."""


def units_of(read: ReadName, library: Library, lex: Lexicon) -> UnitOf:
    """In which unit a number alone, told of one ingredient, is a strength that it is sold in."""
    inhaled = bool(read.drugs) and all(_inhaled(drug, library) for drug in read.drugs)
    if len(read.drugs) != 1:
        return (
            UnitOf(lambda number, _, __: _of_the_whole(number, read, library.units, lex), inhaled=inhaled)
            if read.drugs
            else none_sold
        )
    told: list[tuple[Quantity, bool]] = []
    known = library.drug.get(read.drugs[0])
    injected = known is not None and known.routes == (PARENTERAL,)
    patched = known is not None and _is_a_brand_of_patches(read, known)  # "butrans 20 weekly": no several of its tablets

    def unit_of(number: Decimal, said: bool, decimal: bool) -> str | None:
        if not (number > _USUAL_COUNT or in_parts(number / _HALF) or decimal) or number <= 0:
            return None
        if not told:
            told.extend(_strengths(read, library))
        sold = [q for q, _ in told if not (q.unit in lex.activity.values() and number in lex.insulin)]
        found = _sold(number, sold, library.units)
        if (
            found is None
            and said
            and not patched
            and (number >= MOST_BARE_UNITS or number % _HALF or (number > MOST_UNTOLD and in_parts(number)))
        ):
            found = _several(number, [q for q, piece in told if piece])
        poured = known is not None and ("oral" not in known.routes or not any(piece for _, piece in told))
        by_activity = bool(told) and not any(piece or q.unit not in lex.activity.values() for q, piece in told)
        liquid = injected or by_activity or (poured and said and number > MOST_BARE_UNITS)
        return found or (_drawn_up(number, told, lex) if liquid and not patched else None)

    def is_strength(number: Decimal) -> bool:
        if not told:
            told.extend(_strengths(read, library))
        return any(q.value == number for q, piece in told if piece)

    def by_needle(number: Decimal) -> str | None:
        unit = unit_of(number, True, True)
        whole = next((q.unit for q in (known.single_doses if known else ()) if q.value == number), None)
        no_weight = unit is not None and library.units.convert(Quantity(number, unit), _LARGER) is None  # units, mEq
        if whole or no_weight or (known is not None and known.single_doses and number <= _USUAL_COUNT):
            return whole or (unit if no_weight else None)  # "trulicity 1 SQ weekly" is a pen
        unit = _injected(number, told, library.units)
        if unit is None and _goes_by_the_body(number, read.drugs[0], library):
            return _LARGER  # "vanc 1250 IV"
        return unit if unit is not None and _is_dosed_in_milligrams(read.drugs[0], library) else None

    if known is None:
        return UnitOf(unit_of)
    return UnitOf(
        unit_of,
        by_needle,
        is_strength,
        known.single_doses,
        known.once_a_week,
        injected,
        inhaled,
        of_the_eye="ophthalmic" in known.routes,
        of_the_nose="nasal" in known.routes,
    )


def _inhaled(drug: str, library: Library) -> bool:
    """Whether it is sold to be inhaled."""
    known = library.drug.get(drug)
    return known is not None and "inhaled" in known.routes


def _sold(number: Decimal, sold: list[Quantity], units: Units) -> str | None:
    """The unit of the strength of that number: as it is sold, else micrograms; None where there is none, or several."""
    meant = {q for q in sold if q.value == number} or {q for q in sold if _is(number, q, units)}
    if len({q.unit for q in meant}) != 1:
        return None
    one = meant.pop()
    return one.unit if one.value == number else _SMALLER


def _several(number: Decimal, pieces: list[Quantity]) -> str | None:
    """The unit of the strengths of which the number is a few, or one and a half: "prednisone 40" is two of 20 mg."""
    if len({q.unit for q in pieces}) != 1:
        return None
    if _few(Fraction(number), pieces):
        return pieces[0].unit
    smaller = pieces[0].unit == _LARGER and _few(Fraction(number) / _STEP, pieces)  # "cytotec 800" of 0.2 mg each
    return _SMALLER if smaller else None


def _few(amount: Fraction, pieces: list[Quantity]) -> bool:
    """Whether an amount is a few of one strength, halves too; or made up of several ("methadone 85" of 40, 10 and 5 mg)."""
    shares = [amount / Fraction(q.value) for q in pieces]
    most = min(shares, default=Fraction(_MOST_AT_ONCE + 1))
    return most <= _MOST_AT_ONCE and any((2 * share).denominator == 1 for share in shares)


def _of_the_whole(number: Decimal, read: ReadName, units: Units, lex: Lexicon) -> str | None:
    """The unit of a vial of several ingredients that is called by what all of them weigh ("zosyn 4.5 q6h"); of a mixture that is
    told in units of activity, that unit ("humulin 70/30 30 bid")."""
    held = {c.amount.unit if c.amount else "" for p in (read.product.presentations if read.product else ()) for c in p.contents}
    if len(held) == 1 and held <= set(lex.activity.values()):
        return next(iter(held)) if number > _USUAL_COUNT else None
    names = (found for p in (read.product.presentations if read.product else ()) if (found := _WEIGHS.fullmatch(p.name or "")))
    return next((symbol for found in names if Decimal(found[1]) == number and (symbol := units.symbol(found[2]))), None)


def _drawn_up(number: Decimal, told: list[tuple[Quantity, bool]], lex: Lexicon) -> str | None:
    """The unit of what is only injected, and measured by its volume: "lantus 20" is 20 units, "lovenox 40" 40 mg; None for a
    number that its concentration is called by ("lantus 100"), or that is no volume anybody injects."""
    held = [q for q, piece in told if not piece]
    vials = [q for q, piece in told if piece]
    if len({q.unit for q, _ in told}) != 1 or (told[0][0].unit in lex.activity.values() and number in lex.insulin):
        return None
    volumes = [number / q.value for q in held]
    drawn = volumes and max(volumes) >= _LEAST_VOLUME and min(volumes) <= _MOST_VOLUME
    of_vials = number > MOST_BARE_UNITS and any(number <= q.value * _MOST_AT_ONCE for q in vials)
    return told[0][0].unit if drawn or of_vials else None


def _is_dosed_in_milligrams(drug: str, library: Library) -> bool:
    """Whether doses of so many milligrams are held of what is injected of it: of what runs in by the minute ("norepinephrine 5"),
    or goes by the body alone ("foscarnet 6"), a number is no amount."""
    table = library.dose_table(drug)
    injected = [r for r in table.ranges if not r.routes or PARENTERAL in r.routes] if table is not None else []
    units = {bound.value.unit for r in injected for bound in (*r.single, *r.day)}
    return any(library.units.convert(Quantity(Decimal(1), unit), _LARGER) is not None for unit in units)


def _goes_by_the_body(number: Decimal, drug: str, library: Library) -> bool:
    """Whether a number is far more milligrams than are held for a kilogram of whom it is injected into, so that it is all of
    them: "vanc 1250" where 15 to 20 mg/kg are given."""
    table = library.dose_table(drug)
    bounds = [b for r in (table.ranges if table else ()) if not r.routes or PARENTERAL in r.routes for b in (*r.single, *r.day)]
    weighed = [b.value.value for b in bounds if b.value.unit.startswith(_PER_BODY)]
    return bool(weighed) and len(weighed) == len(bounds) and number > _MOST_OF_A_BODY * max(weighed)


def _injected(number: Decimal, told: list[tuple[Quantity, bool]], units: Units) -> str | None:
    """The one unit in which a number is as many pieces, or as much of a solution, as are given at once: "dilaudid 0.5" is half a
    milligram, "vanc 1" a gram; of what comes in vials of so much that they are dissolved, and only of it, pieces are counted."""
    if any(units.convert(q, _LARGER) is None for q, _ in told):
        return None  # "KCl 20 IV": told in another kind of unit, too
    in_vials = any(piece and units.compare(q, _LEAST_OF_A_VIAL) in (0, 1) for q, piece in told)
    in_mcg = {q.unit for q, piece in told if piece} == {_SMALLER}  # "B12 1 IM": of what is told in micrograms 1 may be a mL
    found = set()
    for unit in (_SMALLER,) if in_mcg else _WEIGHTS if in_vials else _WEIGHTS[1:]:
        pieces, held = ([v for q, p in told if p is piece and (v := units.convert(q, unit))] for piece in (True, False))
        volumes = [number / v for v in held]
        fits = bool(volumes) and _LEAST_AT_ONCE <= max(volumes) <= _MOST_OF_A_SYRINGE
        fits = fits and number * _MOST_OF_A_PIECE >= min(pieces, default=number)
        fits = fits and min(volumes) >= _LEAST_OF_THE_STRONGEST
        few = _few(Fraction(number), [Quantity(v, unit) for v in pieces])
        drawn = any(_LEAST_BESIDE_PIECES <= v <= _MOST_OF_A_SYRINGE for v in volumes)  # "decadron 10 IM" of 4 mg tablets
        if (fits or (few and drawn)) if held and not in_vials else few:
            found.add(unit)
    return found.pop() if len(found) == 1 else None


def _is(number: Decimal, sold: Quantity, units: Units) -> bool:
    return units.compare(Quantity(number, _SMALLER), sold) == 0


def _strengths(read: ReadName, library: Library) -> Iterator[tuple[Quantity, bool]]:
    """What one piece of the drug (`True`), or a measure of it, holds, of everything that it is sold as by itself."""
    known = library.drug.get(read.drugs[0])
    for q in known.strengths if known else ():
        top, _, under = q.unit.partition("/")
        of_a_patch = under == _DAY and (q.value > _USUAL_COUNT or q.value < 1)  # "nicotine patch 21", "estradiol 0.05 patch"
        if top != "%" and (under in ("", "mL") or of_a_patch) and q.value > 0:
            yield Quantity(q.value, top), under != "mL"
    if known is not None:
        yield from ((q, True) for q in known.single_doses)
    for p in read.product.presentations if read.product else ():
        yield from ((c.amount, True) for c in p.contents if c.amount)


def _is_a_brand_of_patches(read: ReadName, drug: Drug) -> bool:
    """Whether it was told by a brand that is sold as a patch only, of a medicine that is taken otherwise, too."""
    heard = f" {key_of(read.answer.heard)} "
    return any(f" {key_of(brand)} " in heard and set(routes) == {_PATCHED} for brand, routes in drug.brand_routes)
