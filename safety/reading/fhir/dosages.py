"""Several FHIR Dosages of one order → one dosing: steps that follow each other, or parts of one day taken side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct
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
    """As one dosing: what its parts come to in structure, and their words one after the other."""
    told = [part.directions or NOTHING for part in parts]
    together, (shown, sig) = _together(told, sequences), _in_words(parts, sequences)
    directions = together or _left_to_words(told, written=sig is not None)
    return Dosing(
        directions=replace(directions, text=shown),
        route=_common([part.route for part in parts]),
        sig=sig,
        beside=_each_once([part.beside for part in parts]),
        reason=parts[0].reason,
        start=_all_told([part.start for part in parts], min),
        end=_all_told([part.end for part in parts], max),
        notes=_each_once([part.notes for part in parts]) if together is not None else (_DIFFER.format(len(parts)),),
    )


def _in_words(parts: Sequence[Dosing], sequences: Sequence[Decimal | None]) -> tuple[str, str | None]:
    """The words of all parts to show them by; and those that can be read, if every part is written."""
    joints = ["", *("; then " if a != b else "; " for a, b in pairwise(sequences))]
    shown = _in_order([part.sig or (part.directions or NOTHING).text for part in parts], joints)
    written = [part.sig for part in parts if part.sig]
    return shown, _in_order(written, joints) if len(written) == len(parts) else None


def _common(told: Sequence[str | None]) -> str | None:
    """What all of them say alike."""
    return told[0] if len(set(told)) == 1 else None


def _each_once(told: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for texts in told for text in texts))


def _left_to_words(told: Sequence[Directions], *, written: bool) -> Directions:
    """Where a part does not tell its dose and how often: what all agree on. The words decide, if every part has them;
    otherwise dose and frequency were told and are unclear."""
    agreed = _agreed(told)
    return agreed if written else replace(agreed, unclear=frozenset({"dose", "frequency"}))


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
    into = {d.injected for d in told}
    ways, needs, tops = {d.route for d in told}, {d.as_needed for d in told}, {d.day_max for d in told}
    return Directions(
        "",
        route=ways.pop() if len(ways) == 1 else None,
        injected=into.pop() if len(into) == 1 else None,
        as_needed=needs.pop() if len(needs) == 1 else None,
        day_max=tops.pop() if len(tops) == 1 else None,
        parts_of_day=tuple(dict.fromkeys(part for d in told for part in d.parts_of_day)),
        windows=None,
    )


class _Timed(Struct, frozen=True):
    """One of several directions, with its dose and how often."""

    told: Directions
    dose: QuantityRange
    times: TimesPerDay

    @property
    def daily(self) -> bool:
        """Whether it is taken on every day."""
        return self.times[0] >= 1 and not self.told.once


def _together(told: Sequence[Directions], sequences: Sequence[Decimal | None]) -> Directions | None:
    """Several directions as one; None where one of them does not tell its dose and how often."""
    parts = [_Timed(d, d.dose, d.times_per_day) for d in told if d.dose is not None and d.times_per_day is not None]
    different = len(set(sequences))
    if len(parts) < len(told):
        return None
    if different > 1:
        return _in_steps(parts) if different == len(parts) and None not in sequences else None
    return _side_by_side(parts) if all(part.daily for part in parts) else _in_steps(parts)


def _in_steps(parts: Sequence[_Timed]) -> Directions:
    """Each a step of its own: one after the other, or on days of its own."""
    told = [part.told for part in parts]
    steps = tuple(
        DosingStep(d.dose, d.times_per_day, None, d.days, bool(d.as_needed), d.once, d.interval_hours) for d in told
    )  # fmt: skip
    days = [d.days for d in told if d.days is not None]
    return replace(_agreed(told), steps=steps, days=sum(days, Decimal(0)) if len(days) == len(told) else None)


def _side_by_side(parts: Sequence[_Timed]) -> Directions | None:
    """As in 40 mg in the morning and 20 mg at noon: doses and times of one day, added up."""
    told, doses = [part.told for part in parts], [part.dose for part in parts]
    if len({amount.unit for dose in doses for amount in dose}) != 1:
        return None
    least, most = _least_times(parts), [part.times[1] for part in parts]
    day = _sum(least, [low for low, _ in doses]), _sum(most, [high for _, high in doses])
    courses = {d.days for d in told}
    return replace(
        _agreed(told),
        dose=_widest(doses),
        times_per_day=(sum(least, Fraction(0)), sum(most, Fraction(0))),
        per_day=day if len(set(doses)) > 1 else None,
        windows=_all_windows(told),
        days=courses.pop() if len(courses) == 1 else None,
    )


def _least_times(parts: Sequence[_Timed]) -> list[Fraction]:
    """How often at the least: what is taken as needed beside what is not may be left out."""
    needed = [bool(part.told.as_needed) for part in parts]
    return [Fraction(0) if may and not all(needed) else part.times[0] for may, part in zip(needed, parts, strict=True)]


def _sum(times: Sequence[Fraction], amounts: Sequence[Quantity]) -> Quantity:
    total = sum((t * Fraction(amount.value) for t, amount in zip(times, amounts, strict=True)), Fraction(0))
    return Quantity(Decimal(total.numerator) / Decimal(total.denominator), amounts[0].unit)


def _widest(doses: Sequence[QuantityRange]) -> QuantityRange:
    """From the lowest to the highest, all in one unit."""
    lows, highs = [low for low, _ in doses], [high for _, high in doses]
    return min(lows, key=lambda q: q.value), max(highs, key=lambda q: q.value)


def _all_windows(told: Sequence[Directions]) -> tuple[Window, ...] | None:
    """When each dose of the day lies; None where one part does not tell it, or two parts may mean one time."""
    found = sorted(window for d in told for window in d.windows or ())
    if not all(d.windows for d in told) or any(a.meets(b) for a, b in pairwise(found)):
        return None
    return tuple(found)
