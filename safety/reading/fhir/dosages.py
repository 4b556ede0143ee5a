"""Several FHIR Dosages of one order → one dosing: steps that follow each other, or parts of one day taken side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from msgspec.structs import replace

from safety.model.directions import Directions, DosingStep, TimesPerDay, Window
from safety.model.quantity import Quantity, QuantityRange
from safety.reading.fhir.dosage import NOTHING, Dosing, read_dosage
from safety.reading.fhir.values import Json, objs, positive

_DIFFER = "{} dosage instructions that differ: kept as text, not as one dose and frequency"


def dosing(given: object) -> Dosing:
    """The dosing of a list of FHIR Dosages: of one; or of several that follow each other, or are taken side by side."""
    different: list[Json] = []
    for dosage in objs(given):
        bare = {key: value for key, value in dosage.items() if key not in ("sequence", "id")}
        if not any(_equal(bare, other) for other in different):
            different.append(bare | {"sequence": dosage.get("sequence")})
    ordered = sorted(different, key=lambda dosage: positive(dosage.get("sequence")) or Decimal(0))
    parts = [read_dosage(dosage) for dosage in ordered]
    if len(parts) < 2:
        return parts[0] if parts else Dosing()
    return _several(parts, [positive(dosage.get("sequence")) for dosage in ordered])


def _equal(left: Json, right: Json) -> bool:
    try:
        return left == {key: value for key, value in right.items() if key != "sequence"}
    except RecursionError:
        return False


def _several(parts: Sequence[Dosing], sequences: Sequence[Decimal | None]) -> Dosing:
    """As one dosing. Where a part does not tell its dose and how often, only what all agree on is told in structure: then the
    words decide, if every part has them; otherwise dose and frequency are told and unclear."""
    told = [part.directions or NOTHING for part in parts]
    joints = ["", *("; then " if a != b else "; " for a, b in pairwise(sequences))]
    written = all(part.sig for part in parts)
    together, notes = _together(told, sequences), [note for part in parts for note in part.notes]
    if together is None:
        together, notes = _agreed(told), [_DIFFER.format(len(parts))]
        together = together if written else replace(together, unclear=frozenset({"dose", "frequency"}))
    shown = [part.sig or d.text for part, d in zip(parts, told, strict=True)]
    return Dosing(
        directions=replace(together, text=_in_order(shown, joints)),
        route=parts[0].route if len({part.route for part in parts}) == 1 else None,
        sig=_in_order([part.sig or "" for part in parts], joints) if written else None,
        beside=tuple(dict.fromkeys(extra for part in parts for extra in part.beside)),
        reason=parts[0].reason,
        start=_all_told([part.start for part in parts], min),
        end=_all_told([part.end for part in parts], max),
        notes=tuple(dict.fromkeys(notes)),
    )


def _all_told(days: Sequence[date | None], pick: Callable[[list[date]], date]) -> date | None:
    known = [day for day in days if day is not None]
    return pick(known) if len(known) == len(days) else None


def _in_order(texts: Sequence[str], joints: Sequence[str]) -> str:
    """The texts one after the other, each said once; "; then" before a later step."""
    text = ""
    said: set[str] = set()
    for one, joint in zip(texts, joints, strict=True):
        if one and one not in said:
            said.add(one)
            text += (joint if text else "") + one
    return text


# --- as one value ---


def _agreed(told: Sequence[Directions]) -> Directions:
    """What all parts say alike: the route, taking it as needed, the most in a day; and the parts of the day they name."""
    ways, needs, tops = {d.route for d in told}, {d.as_needed for d in told}, {d.day_max for d in told}
    return Directions(
        "",
        route=ways.pop() if len(ways) == 1 else None,
        as_needed=needs.pop() if len(needs) == 1 else None,
        day_max=tops.pop() if len(tops) == 1 else None,
        parts_of_day=tuple(dict.fromkeys(part for d in told for part in d.parts_of_day)),
        windows=None,
    )


def _together(told: Sequence[Directions], sequences: Sequence[Decimal | None]) -> Directions | None:
    """Several directions as one; None where one of them does not tell its dose and how often."""
    doses = [d.dose for d in told if d.dose is not None]
    times = [d.times_per_day for d in told if d.times_per_day is not None]
    if not len(doses) == len(times) == len(told):
        return None
    if None not in sequences and len(set(sequences)) == len(sequences):
        return _in_steps(told)
    if len(set(sequences)) > 1:
        return None
    daily = all(low >= 1 for low, _ in times) and not any(d.once for d in told)
    return _side_by_side(told, doses, times) if daily else _in_steps(told)


def _in_steps(told: Sequence[Directions]) -> Directions:
    """Each a step of its own: one after the other, or on days of its own."""
    steps = tuple(
        DosingStep(d.dose, d.times_per_day, None, d.days, bool(d.as_needed), d.once, d.interval_hours) for d in told
    )  # fmt: skip
    days = [d.days for d in told if d.days is not None]
    return replace(_agreed(told), steps=steps, days=sum(days, Decimal(0)) if len(days) == len(told) else None)


def _side_by_side(told: Sequence[Directions], doses: Sequence[QuantityRange], times: Sequence[TimesPerDay]) -> Directions | None:
    """As in 40 mg in the morning and 20 mg at noon: doses and times of one day, added up. What is taken as needed beside what
    is not may be left out of the least."""
    units = {amount.unit for dose in doses for amount in dose}
    if len(units) != 1:
        return None
    unit = units.pop()
    optional = [bool(d.as_needed) and not all(d.as_needed for d in told) for d in told]
    least = [Fraction(0) if may else low for may, (low, _) in zip(optional, times, strict=True)]
    most = [high for _, high in times]
    day = _sum(least, [low.value for low, _ in doses]), _sum(most, [high.value for _, high in doses])
    courses = {d.days for d in told}
    return replace(
        _agreed(told),
        dose=(min((low for low, _ in doses), key=_value), max((high for _, high in doses), key=_value)),
        times_per_day=(sum(least, Fraction(0)), sum(most, Fraction(0))),
        per_day=None if len(set(doses)) == 1 else (Quantity(day[0], unit), Quantity(day[1], unit)),
        windows=_all_windows(told),
        days=courses.pop() if len(courses) == 1 else None,
    )


def _sum(times: Sequence[Fraction], amounts: Sequence[Decimal]) -> Decimal:
    total = sum((t * Fraction(amount) for t, amount in zip(times, amounts, strict=True)), Fraction(0))
    return Decimal(total.numerator) / Decimal(total.denominator)


def _value(amount: Quantity) -> Decimal:
    return amount.value


def _all_windows(told: Sequence[Directions]) -> tuple[Window, ...] | None:
    """When each dose of the day lies; None where one part does not tell it, or two parts may mean one time."""
    found = sorted(window for d in told for window in d.windows or ())
    if not all(d.windows for d in told) or any(a.meets(b) for a, b in pairwise(found)):
        return None
    return tuple(found)
