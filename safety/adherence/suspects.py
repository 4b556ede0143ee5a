"""What a wrong dose looks like: a slip of unit or of a decimal point, a dose doubled, the wrong tablet, one left out.

Two ordered tables, for a dose too high and one too low: every row that holds names a suspect, the most telling first.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from safety.adherence.axes import Axes, C, H, L, Mark, Order, ReportedAmounts, U
from safety.adherence.changes import Question, Seen, as_needed, at, said, scheduled, slow_release, unsaid, weekly
from safety.adherence.reported_amounts import is_pieces
from safety.model import events as e
from safety.model.quantity import Quantity
from safety.reading.spoken.reported import Regimen, Reported

UNIT_SLIP, TENFOLD = "unit-slip ×1000", "tenfold"
_THOUSAND, _TEN, _WEEK = 1000, 10, 7


class Suspect(Struct, frozen=True):
    """One row: what it would be, and the questions that must be answered yes."""

    name: str
    when: tuple[Question, ...]


def suspects(told: Reported, order: Order, axes: Axes, m: ReportedAmounts, verdict: Mark) -> tuple[str, ...]:
    """Every reason that fits, the most telling first; none for a right dose."""
    table = HIGH if verdict == H else LOW if verdict == L else ()
    seen = Seen(told, order, m, axes)
    return tuple(dict.fromkeys(row.name for row in table if all(question(seen) for question in row.when)))


# ------------------------------------------------------------------ what is asked


def dose_is(ratio: Fraction | int) -> Question:
    """Whether the one dose that was told is so many times the ordered one."""
    return lambda seen: _dose_ratio(seen.amounts, seen.order) == ratio


def as_often_as(ratio: Fraction | int) -> Question:
    """Whether it is taken so many times as often as ordered."""
    return lambda seen: _often_ratio(seen.amounts, seen.order) == ratio


def pieces_are(name: str) -> Question:
    """Whether the tablets, as they were counted, are wrong in this way."""
    return lambda seen: name in _wrong_pieces(seen)


def daily(seen: Seen) -> bool:
    """Whether it is ordered at least once a day."""
    return seen.order.times is not None and seen.order.times[0] >= 1


def several_a_day(seen: Seen) -> bool:
    """Whether more than one dose a day is ordered."""
    return seen.order.times is not None and seen.order.times[1] > 1


def more_was_taken(seen: Seen) -> bool:
    """Whether more was taken at once than ordered, or more doses."""
    return seen.axes.per_dose == H or said(e.DOUBLE, e.EXTRA)(seen)


def not_the_days_doses(seen: Seen) -> bool:
    """Whether it is more than the day's doses taken at one time."""
    together = seen.axes.per_day == C and seen.axes.frequency == L and not seen.amounts.at_least
    return not (together and seen.order.times is not None and seen.order.times[0] > 1)


def the_day_is_right(seen: Seen) -> bool:
    """Whether what was told of the day is the day's amount."""
    return seen.amounts.day is not None and seen.amounts.day == seen.order.daily


def right_or_together(seen: Seen) -> bool:
    """Whether the day is right, or all of it was said to be taken at once."""
    return seen.axes.per_day == C or said(e.ALL_AT_ONCE)(seen)


def too_much_by_half(seen: Seen) -> bool:
    """Whether too much was taken at once, or at least twice as often."""
    ratio = _often_ratio(seen.amounts, seen.order)
    return seen.axes.per_dose == H or (ratio is not None and ratio >= 2)


def in_the_past(seen: Seen) -> bool:
    """Whether it tells of what was, not of what is done every day."""
    return "past" in seen.told.signs


def at_least_daily(seen: Seen) -> bool:
    """Whether at least one dose a day may be taken."""
    return seen.order.times is not None and seen.order.times[1] >= 1


def strength_told(seen: Seen) -> bool:
    """Whether it was told what one tablet holds."""
    return any(i.strength is not None for i in seen.told.regimens)


def over_the_day_or_too_often(seen: Seen) -> bool:
    """Whether the day or how often is HIGH."""
    return H in (seen.axes.per_day, seen.axes.frequency)


def too_often(seen: Seen) -> bool:
    """Whether doses come too often or too close."""
    return H in (seen.axes.timing, seen.axes.frequency)


def only_the_time_is_wrong(seen: Seen) -> bool:
    """Whether nothing is LOW but when it is taken."""
    return seen.axes.timing == L and L not in (seen.axes.per_dose, seen.axes.per_day, seen.axes.frequency)


def _dose_ratio(m: ReportedAmounts, order: Order) -> Fraction | None:
    known = [d for d in m.doses if d is not None]
    if len(known) != 1 or order.dose is None or not order.dose[1]:
        return None
    return known[0][1] / order.dose[1]


def _often_ratio(m: ReportedAmounts, order: Order) -> Fraction | None:
    if m.times is None or order.times is None or not order.times[1]:
        return None
    return m.times[1] / order.times[1]


def _wrong_pieces(seen: Seen) -> set[str]:
    """In which ways tablets that were counted are wrong: another strength, another number of them, a part of one."""
    right, wrong = seen.order.dose, seen.axes.per_dose
    if right is None or wrong not in (H, L):
        return set()
    told = [i for i in seen.told.regimens if not i.empty]
    found = set()
    for regimen, dose in zip(told, seen.amounts.doses, strict=False):
        if dose is not None and (dose[1] > right[1] if wrong == H else dose[0] < right[0]):
            found |= _wrong_in(regimen, seen.order, wrong)
    return found


def _wrong_in(regimen: Regimen, order: Order, wrong: Mark) -> set[str]:
    """What is wrong with the pieces of one regimen; nothing where it is not told in pieces."""
    told = regimen.dose or regimen.per_day
    if told is None or not is_pieces(told[1].unit):
        return set()
    if told[1].value < 1 and wrong == L:
        return {"half-tablet"}
    return {"wrong-strength" if _other_strength(regimen.strength, told[1].value, order) else "wrong-count"}


def _other_strength(strength: Quantity | None, count: Decimal, order: Order) -> bool:
    """Whether the tablet, not the number of them, is what differs."""
    if strength is None:
        return False
    if order.count is not None and order.each is not None:
        return Fraction(count) in order.count
    return count == 1


# ------------------------------------------------------------------ the tables

_MISSED_ONE = said(e.FORGOTTEN, e.SKIPPED, e.IF_MISSED, e.MAKE_UP)

HIGH: tuple[Suspect, ...] = (
    Suspect(UNIT_SLIP, (dose_is(_THOUSAND),)),
    Suspect(TENFOLD, (dose_is(_TEN),)),
    Suspect("weekly-as-daily", (as_often_as(_WEEK), weekly)),
    Suspect("brand-and-generic", (said(e.BOTH_NAMES),)),
    Suspect("extra-to-be-safe", (said(e.TO_BE_SAFE), unsaid(e.MAKE_UP))),
    Suspect("compensatory", (more_was_taken, _MISSED_ONE, not_the_days_doses)),
    Suspect("extra-to-be-safe", (said(e.TO_BE_SAFE),)),
    Suspect("all-at-once", (at(per_dose=(H,), frequency=(L, U)), the_day_is_right, unsaid(e.BY_ACCIDENT), several_a_day)),
    Suspect("wrong-strength", (strength_told, pieces_are("wrong-strength"))),
    Suspect("wrong-count", (strength_told, pieces_are("wrong-count"))),
    Suspect("double-dose", (said(e.DOUBLE),)),
    Suspect("double-dose", (said(e.BY_ACCIDENT), unsaid(e.ALL_AT_ONCE), too_much_by_half)),
    Suspect("double-dose", (unsaid(e.ALL_AT_ONCE, e.EXTRA), as_often_as(2), in_the_past, at_least_daily, scheduled)),
    Suspect("all-at-once", (at(per_dose=(H,), frequency=(L,)), right_or_together)),
    Suspect("split-extended-release", (said(e.BROKEN_UP), slow_release)),
    Suspect("wrong-strength", (pieces_are("wrong-strength"),)),
    Suspect("wrong-count", (pieces_are("wrong-count"),)),
    Suspect("extra-dose", (said(e.EXTRA),)),
    Suspect("exceeds-prn-maximum", (as_needed, over_the_day_or_too_often)),
    Suspect("too-often", (too_often,)),
    Suspect("supply-short", (said(e.LASTED_SHORT),)),
)
"""Of a dose that is too high."""

LOW: tuple[Suspect, ...] = (
    Suspect(UNIT_SLIP, (dose_is(Fraction(1, _THOUSAND)),)),
    Suspect(TENFOLD, (dose_is(Fraction(1, _TEN)),)),
    Suspect("daily-as-weekly", (as_often_as(Fraction(1, _WEEK)), daily)),
    Suspect("split-extended-release", (said(e.BROKEN_UP), slow_release)),
    Suspect("ran-out", (said(e.RAN_OUT),)),
    Suspect("stopped", (said(e.STOPPED),)),
    Suspect("forgotten", (said(e.FORGOTTEN),)),
    Suspect("skipped", (said(e.SKIPPED),)),
    Suspect("half-tablet", (said(e.HALVED), at(per_dose=(L,)))),
    Suspect("half-tablet", (pieces_are("half-tablet"),)),
    Suspect("wrong-strength", (pieces_are("wrong-strength"),)),
    Suspect("wrong-count", (pieces_are("wrong-count"),)),
    Suspect("half-dose", (said(e.HALF_DOSE),)),
    Suspect("wrong-time", (only_the_time_is_wrong,)),
    Suspect("irregular", (said(e.IRREGULAR),)),
    Suspect("supply-left-over", (said(e.LASTED_LONG),)),
    Suspect("too-seldom", (at(frequency=(L,)),)),
)
"""Of a dose that is too low."""
