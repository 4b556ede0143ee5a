"""A medication told in fields (dose, frequency, strength …) → its directions."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from safety.model.directions import Directions, DirectionsPart
from safety.model.patient import Medication
from safety.model.quantity import Quantity, QuantityRange
from safety.reading.directions.galenic import HELD_IN_ONE, one_way
from safety.reading.directions.layers import as_often, either_windows, fuller
from safety.reading.directions.sig import read_sig
from safety.reading.directions.words import Lexicon


def read_fields(medication: Medication, lex: Lexicon) -> Directions:
    """What the fields say together. Each is read once, and tells what it is for; a frequency may name a dose, a dose a
    frequency, where the field for it does not. A field that could not be read leaves its part `unclear` and lists its words.
    """
    fields: tuple[tuple[str | None, Callable[[Directions, Directions], Directions]], ...] = (
        (medication.strength, add_strength),
        (medication.dose, add_dose),
        (medication.frequency, _frequency),
        (medication.form, _form),
        (medication.route, _route),
    )
    found = Directions("")
    each: list[tuple[str, Directions, bool]] = []
    for text, add in fields:
        if text:
            read = read_sig(text, lex)
            before, found = found.unclear, add(found, read)
            each.append((text, read, found.unclear != before))
    unread = tuple(w for text, read, unclear in each for w in _not_read(text, read, found, unclear=unclear))
    return msgspec.structs.replace(
        found,
        unread=unread,
        as_needed=found.as_needed if medication.as_needed is None else medication.as_needed,
        days=found.days if medication.days is None else medication.days,
    )


def _not_read(text: str, read: Directions, found: Directions, *, unclear: bool) -> tuple[str, ...]:
    """The words of a field that were not understood; all of it where it tells nothing of what it is for, or tells besides what
    another field tells otherwise ("100 mg 1 tablet" beside a strength of 20 mg)."""
    if read.unread:
        return read.unread
    return (text,) if unclear or _tells_otherwise(read, found) else ()


def _tells_otherwise(read: Directions, found: Directions) -> bool:
    if read.number and not (found.number or found.dose):
        return True
    form = read.form or found.form
    return (
        _is_another(read.strength, found)
        or (read.dose is not None and read.dose != found.dose and any(_is_another(end, found) for end in read.dose))
        or (read.times_per_day is not None and read.times_per_day != found.times_per_day)
        or fuller(form, found.form) != fuller(found.form, form)
        or not one_way(read.route, found.route)
    )


def _is_another(amount: Quantity | None, found: Directions) -> bool:
    """Whether an amount is neither the dose nor the strength, nor what so many of the strength come to."""
    told = [*(found.dose or ()), *([found.strength] if found.strength else [])]
    if found.dose and found.strength:
        told += [Quantity(end.value * found.strength.value, found.strength.unit) for end in found.dose]
    return amount is not None and amount not in told


def add_strength(found: Directions, read: Directions) -> Directions:
    """The directions with a strength, which a text about nothing else tells."""
    strength = None if read.unread else read.strength or _plain_mass(read.dose)
    return msgspec.structs.replace(
        found,
        strength=strength,
        strength_per=read.strength_per if strength else None,
        form=fuller(read.form, found.form),
        unclear=_unless(strength, found, "strength"),
    )


def _plain_mass(dose: QuantityRange | None) -> Quantity | None:
    """The one amount of a range that is none, if it can be what a tablet holds."""
    return dose[0] if dose and dose[0] == dose[1] and dose[0].unit not in HELD_IN_ONE else None


def add_dose(found: Directions, read: Directions) -> Directions:
    """The directions with a dose, which a text about nothing else tells."""
    dose = _dose_told(read)
    told = bool(dose or read.per_day or read.steps or read.scale)
    return msgspec.structs.replace(
        found,
        dose=dose,
        per_day=read.per_day,
        times_per_day=read.times_per_day,
        interval_hours=read.interval_hours,
        as_needed=read.as_needed,
        strength=found.strength or (read.strength if read.dose else None),
        form=fuller(read.form, found.form),
        steps=read.steps,
        scale=read.scale,
        number=None if dose else read.number,
        parts_of_day=read.parts_of_day,
        windows=read.windows,
        unclear=_unless(told, found, "dose"),
    )


def _dose_told(read: Directions) -> QuantityRange | None:
    """The dose that a text about nothing else tells: "20 mg tablet" is 20 mg; None where a number in it was not read."""
    dose, strength = read.dose, read.strength
    if dose is None and strength and not read.strength_per and "/" not in strength.unit and strength.unit != "%":
        dose = strength, strength
    return None if any(any(c.isdigit() for c in word) for word in read.unread) else dose


def _frequency(found: Directions, read: Directions) -> Directions:
    rest = msgspec.structs.replace(
        found,
        dose=found.dose or read.dose,
        as_needed=found.as_needed or read.as_needed,
        day_max=read.day_max,
        days=read.days,
        in_a_row=read.in_a_row,
        route=read.route,
        injected=read.injected,
        sites=read.sites,
        reason=read.reason,
        parts_of_day=found.parts_of_day + read.parts_of_day,
        windows=either_windows(found.windows, read.windows),
    )
    if read.times_per_day is None and not read.unread and not read.steps:
        return msgspec.structs.replace(rest, per_day=read.per_day or found.per_day)  # "as needed" says nothing about how often
    return msgspec.structs.replace(
        rest,
        times_per_day=read.times_per_day,
        interval_hours=read.interval_hours,
        once=read.once,
        per_day=read.per_day or (None if read.times_per_day else found.per_day),
        steps=read.steps or as_often(found.steps, read),
        unclear=_unless(read.times_per_day or read.per_day or read.steps, found, "frequency"),
    )


def _form(found: Directions, read: Directions) -> Directions:
    return msgspec.structs.replace(
        found,
        form=read.form,
        route=found.route or read.route,
        injected=found.injected or read.injected,
        unclear=_unless(read.form, found, "form"),
    )


def _route(found: Directions, read: Directions) -> Directions:
    return msgspec.structs.replace(
        found,
        route=read.route,
        injected=read.injected,
        sites=max(found.sites, read.sites),
        unclear=_unless(read.route, found, "route"),
    )


def _unless(told: object, found: Directions, part: DirectionsPart) -> frozenset[DirectionsPart]:
    """The parts that are unclear: this one too, unless it was understood."""
    return found.unclear if told else found.unclear | {part}
