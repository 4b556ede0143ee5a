"""A medication told in fields and in text → one sig; what a field says wins over the text."""

from __future__ import annotations

import msgspec

from safety.model.patient import Medication
from safety.model.quantity import Units
from safety.reading.directions.sig import Sig, Step, parse_sig
from safety.reading.directions.words import HELD_IN_ONE


def schedule_of(medication: Medication, rest: str, units: Units) -> Sig:
    """The directions of a medication: `rest` is its text without the name, then its sig, then its other fields.

    What is told later wins: sig over text, a field over both. A field that was told but cannot be read leaves its
    part None (the text is not used in its place) and lists the words. A mass in the text beside a dose told in a
    field or sig ("… 20 mg", sig "1 tablet daily") is the strength.
    """
    found = parse_sig(rest, units)
    if medication.sig:
        found = _over(found, parse_sig(medication.sig, units))
    found = _strength(found, medication.strength, units)
    found = _dose(found, medication.dose, units)
    found = _frequency(found, medication.frequency, units)
    found = _form(found, medication.form, units)
    found = _route(found, medication.route, units)
    return msgspec.structs.replace(
        found,
        text=rest,
        as_needed=found.as_needed if medication.as_needed is None else medication.as_needed,
        days=found.days if medication.days is None else medication.days,
    )


def _over(text: Sig, sig: Sig) -> Sig:
    """A sig laid over the remainder of the text: each part it tells replaces the text's."""
    text = _as_strength(text, sig)
    told = sig.dose or sig.times_per_day or sig.per_day or sig.steps or sig.scale
    silent = bool(sig.unread) and not told  # it says how, and we could not read it
    schedule = sig if told or silent else text
    whole = silent or bool(sig.steps) or sig.scale
    base = sig if sig.dose or sig.per_day or whole else text
    often = sig if sig.times_per_day or sig.per_day or whole or (sig.unread and sig.dose) else text
    return Sig(
        text=text.text,
        strength=sig.strength or text.strength,
        strength_per=sig.strength_per if sig.strength else text.strength_per,
        dose=base.dose,
        times_per_day=often.times_per_day,
        interval_hours=often.interval_hours,
        as_needed=sig.as_needed or text.as_needed,
        day_max=sig.day_max or text.day_max,
        per_day=schedule.per_day if told else base.per_day,
        route=sig.route or text.route,
        form=_fuller(sig.form, text.form),
        days=sig.days if sig.days is not None else text.days,
        once=often.once,
        sites=max(sig.sites, text.sites),
        reason=sig.reason or text.reason,
        unread=text.unread + sig.unread,
        steps=base.steps if not sig.times_per_day else (),
        scale=base.scale,
        number=None if base.dose or base.steps else sig.number or text.number,
    )


def _fuller(told: str | None, before: str | None) -> str | None:
    """As in "tablet" in the sig does not take back "extended-release tablet" in the text."""
    return before if told and before and before.endswith(told) else told or before


def _as_strength(text: Sig, told: Sig) -> Sig:
    """The text with its lone mass taken as the strength, where the dose is told elsewhere and is another."""
    dose = told.dose or next((step.dose for step in told.steps if step.dose), None)
    if text.dose is None or dose is None or text.strength is not None or text.dose[0] != text.dose[1]:
        return text
    mass = text.dose[0]
    if mass.unit in HELD_IN_ONE or dose[0] == mass:
        return text
    return msgspec.structs.replace(text, strength=mass, dose=None)


def _strength(found: Sig, field: str | None, units: Units) -> Sig:
    if not field:
        return found
    read = parse_sig(field, units)
    strength = read.strength
    if strength is None and read.dose and read.dose[0] == read.dose[1] and read.dose[0].unit not in HELD_IN_ONE:
        strength = read.dose[0]
    if read.unread:
        strength = None
    return msgspec.structs.replace(
        found,
        strength=strength,
        strength_per=read.strength_per if strength else None,
        form=_fuller(read.form, found.form),
        unread=found.unread + read.unread,
    )


def _dose(found: Sig, field: str | None, units: Units) -> Sig:
    if not field:
        return found
    read = parse_sig(field, units)
    dose = read.dose
    if dose is None and read.strength and not read.strength_per and "/" not in read.strength.unit and read.strength.unit != "%":
        dose = (read.strength, read.strength)  # "20 mg tablet" as a dose is 20 mg
    if dose is not None and read.unread and any(_has_digit(word) for word in read.unread):
        dose = None
    found = _as_strength(found, read)
    return msgspec.structs.replace(
        found,
        dose=dose,
        per_day=read.per_day or (None if dose else found.per_day),
        times_per_day=found.times_per_day or read.times_per_day,
        interval_hours=found.interval_hours or read.interval_hours,
        as_needed=found.as_needed or read.as_needed,
        strength=found.strength or (read.strength if read.dose else None),
        form=_fuller(read.form, found.form),
        unread=found.unread + read.unread,
        steps=read.steps,
        scale=read.scale,
        number=None if dose else read.number,
    )


def _frequency(found: Sig, field: str | None, units: Units) -> Sig:
    if not field:
        return found
    read = parse_sig(field, units)
    silent = read.times_per_day is None and not read.unread and not read.steps  # "as needed" says nothing about how often
    often = found if silent else read
    return msgspec.structs.replace(
        found,
        dose=found.dose or read.dose,
        times_per_day=often.times_per_day,
        interval_hours=often.interval_hours,
        once=often.once,
        per_day=read.per_day or (None if read.times_per_day else found.per_day),
        as_needed=found.as_needed or read.as_needed,
        day_max=read.day_max or found.day_max,
        days=read.days if read.days is not None else found.days,
        route=found.route or read.route,
        sites=max(found.sites, read.sites),
        reason=found.reason or read.reason,
        unread=found.unread + read.unread,
        steps=read.steps or (found.steps if silent else _as_often(found.steps, read)),
    )


def _as_often(steps: tuple[Step, ...], told: Sig) -> tuple[Step, ...]:
    """Steps taken as often as a field says; one that tells another frequency itself cannot be brought together with it."""
    times = told.times_per_day
    if times is None or any(s.times_per_day not in (None, times) or s.per_day for s in steps):
        return ()
    return tuple(msgspec.structs.replace(s, times_per_day=times, interval_hours=told.interval_hours) for s in steps)


def _form(found: Sig, field: str | None, units: Units) -> Sig:
    if not field:
        return found
    read = parse_sig(field, units)
    return msgspec.structs.replace(found, form=read.form, route=found.route or read.route, unread=found.unread + read.unread)


def _route(found: Sig, field: str | None, units: Units) -> Sig:
    if not field:
        return found
    read = parse_sig(field, units)
    return msgspec.structs.replace(found, route=read.route, sites=max(found.sites, read.sites), unread=found.unread + read.unread)


def _has_digit(word: str) -> bool:
    return any(c.isdigit() for c in word)
