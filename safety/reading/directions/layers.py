"""Directions told more than once for one medication, laid over each other: what is told later wins, part by part."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from safety.model.directions import Directions, DirectionsPart, DosingStep, Window
from safety.reading.directions.galenic import HELD_IN_ONE, forms_apart

T = TypeVar("T")


def laid_over(under: Directions, told: Directions) -> Directions:
    """What two tellings come to: each part that `told` tells replaces the other's, also where it could not be read.

    A mass alone in what lies under ("… 20 mg", sig "1 tablet daily") is the strength. Steps that tell no frequency are
    taken as often as is told over them.
    """
    under = _mass_as_strength(under, told)
    amount = told if _tells_amount(told) else under
    rate = told if _tells_rate(told) else under
    held = told if told.strength or "strength" in told.unclear else under
    steps = _steps(under, told)
    return Directions(
        text="; ".join(filter(None, (under.text, told.text))),
        strength=held.strength,
        strength_per=held.strength_per,
        dose=amount.dose,
        times_per_day=rate.times_per_day,
        interval_hours=rate.interval_hours,
        once=rate.once,
        as_needed=_first_told(told.as_needed, under.as_needed),
        day_max=_first_told(told.day_max, under.day_max),
        per_day=under.per_day if amount is rate is under else told.per_day,
        route=_first_told(told.route, _unless_unclear("route", told, under.route)),
        injected=_first_told(told.injected, under.injected if told.route in (None, under.route) else None),
        form=_form(under, told),
        days=_first_told(told.days, under.days),
        in_a_row=_first_told(told.in_a_row, under.in_a_row),
        sites=max(told.sites, under.sites),
        reason=_first_told(told.reason, under.reason),
        unread=under.unread + told.unread,
        steps=steps,
        scale=amount.scale,
        number=None if amount.dose or steps else _first_told(told.number, amount.number),
        parts_of_day=tuple(dict.fromkeys(under.parts_of_day + told.parts_of_day)),
        windows=either_windows(under.windows, told.windows),
        unclear=under.unclear | told.unclear,
    )


def _first_told(told: T | None, under: T | None) -> T | None:
    return under if told is None else told


def _unless_unclear(part: DirectionsPart, told: Directions, under: T | None) -> T | None:
    """What lies under, unless the part was told again and not understood."""
    return None if part in told.unclear else under


def _form(under: Directions, told: Directions) -> str | None:
    """The form told last; one that is only what the dose counts does not take back the form of the product."""
    before = _unless_unclear("form", told, under.form)
    only_counted = told.dose is not None and told.dose[0].unit == told.form
    return before if only_counted and forms_apart(before, told.form or "") else fuller(told.form, before)


def fuller(told: str | None, before: str | None) -> str | None:
    """As in "tablet" in the sig does not take back "extended-release tablet" in the text."""
    return before if told and before and before.endswith(told) else told or before


def either_windows(one: tuple[Window, ...] | None, other: tuple[Window, ...] | None) -> tuple[Window, ...] | None:
    """The times of the one telling that says anything of when or how often; where both do, only what both say is believed."""
    if one == ():
        return other
    return one if other in ((), one) else None


def _tells_amount(told: Directions) -> bool:
    """Whether it says how much, or said it and was not understood."""
    return bool(told.dose or told.per_day or told.steps or told.scale or "dose" in told.unclear)


def _tells_rate(told: Directions) -> bool:
    """Whether it says how often, or said it and was not understood."""
    return bool(told.times_per_day or told.per_day or told.steps or told.scale or "frequency" in told.unclear)


def _mass_as_strength(under: Directions, told: Directions) -> Directions:
    """The lower telling with its lone mass taken as the strength, where the dose is told over it and is another."""
    dose = told.dose or next((step.dose for step in told.steps if step.dose), None)
    if under.dose is None or dose is None or under.strength is not None or under.dose[0] != under.dose[1]:
        return under
    mass = under.dose[0]
    if mass.unit in HELD_IN_ONE or dose[0] == mass:
        return under
    return msgspec.structs.replace(under, strength=mass, dose=None)


def _steps(under: Directions, told: Directions) -> tuple[DosingStep, ...]:
    if told.steps or _tells_amount(told):
        return told.steps
    return as_often(under.steps, told) if _tells_rate(told) else under.steps


def as_often(steps: tuple[DosingStep, ...], told: Directions) -> tuple[DosingStep, ...]:
    """Steps taken as often as is told; one that tells another frequency itself cannot be brought together with it."""
    times = told.times_per_day
    if times is None or any(s.times_per_day not in (None, times) or s.per_day for s in steps):
        return ()
    return tuple(msgspec.structs.replace(s, times_per_day=times, interval_hours=told.interval_hours) for s in steps)
