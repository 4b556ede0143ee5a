"""How what was said to have happened changes the four axes: an ordered table, each row seeing what the rows before it left.

A row says when it holds, in small named questions that must all be answered yes, and what it makes of the axes.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.adherence.marks import Axes, C, H, L, Mark, U
from safety.adherence.reported_amounts import ONCE, Order, ReportedAmounts, kind_of
from safety.model import events as e
from safety.reading.spoken.reported import Reported

_WEEKLY, _MANY_DAYS = Fraction(1, 7), 3
_ENDLESS = Decimal("Infinity")


class Seen(Struct, frozen=True):
    """A statement, the order it is held against, what it comes to, and the axes as they stand."""

    told: Reported
    order: Order
    amounts: ReportedAmounts
    axes: Axes = Axes()


Question = Callable[[Seen], bool]
Effect = Callable[[Axes], Axes]


class Change(Struct, frozen=True):
    """One row: its id, the questions that must be answered yes, and what is made of the axes then."""

    id: str
    when: tuple[Question, ...]
    then: Effect


def changed(seen: Seen, table: tuple[Change, ...]) -> tuple[Axes, tuple[str, ...]]:
    """The axes after every row of a table that holds, and the ids of those rows."""
    held: list[str] = []
    for change in table:
        if all(question(seen) for question in change.when):
            seen = replace(seen, axes=change.then(seen.axes))
            held.append(change.id)
    return seen.axes, tuple(held)


# ------------------------------------------------------------------ what is made of the axes


def put(**marks: Mark) -> Effect:
    """These axes are so."""
    return lambda axes: replace(axes, **marks)


def where_unknown(**marks: Mark) -> Effect:
    """These axes are so where nothing was known of them."""
    return lambda axes: replace(axes, **{axis: m for axis, m in marks.items() if getattr(axes, axis) == U})


def unless_high(**marks: Mark) -> Effect:
    """These axes are so unless they are HIGH."""
    return lambda axes: replace(axes, **{axis: m for axis, m in marks.items() if getattr(axes, axis) != H})


def both(first: Effect, second: Effect) -> Effect:
    """One after the other."""
    return lambda axes: second(first(axes))


ALL_RIGHT = where_unknown(per_dose=C, per_day=C, frequency=C, timing=C)


# ------------------------------------------------------------------ what is asked


def said(*events: str) -> Question:
    """Whether one of these was said to have happened."""
    return lambda seen: any(event in seen.told.events for event in events)


def unsaid(*events: str) -> Question:
    """Whether none of these was said to have happened."""
    return lambda seen: not any(event in seen.told.events for event in events)


def at(**marks: tuple[Mark, ...]) -> Question:
    """Whether each of these axes stands at one of these marks."""
    return lambda seen: all(getattr(seen.axes, axis) in wanted for axis, wanted in marks.items())


def scheduled(seen: Seen) -> bool:
    """Whether it is ordered for every day, not as needed."""
    return not seen.order.as_needed


def as_needed(seen: Seen) -> bool:
    """Whether it is ordered as needed, so that all of it is a ceiling."""
    return seen.order.as_needed


def how_often_is_left_open(seen: Seen) -> bool:
    """Whether the order does not say how often."""
    return seen.order.times is None


def whole_days_left_out(seen: Seen) -> bool:
    """Whether it is taken less than once a day, where it is ordered at least once."""
    told, ordered = seen.amounts.times, seen.order.times
    return told is not None and ordered is not None and told[1] < 1 <= ordered[0] and not seen.amounts.at_least


def one_dose_is_the_day(seen: Seen) -> bool:
    """Whether the order is for one dose a day."""
    return seen.order.times == ONCE and seen.order.daily == seen.order.dose


def fewer_pieces_than_doses(seen: Seen) -> bool:
    """Whether fewer pieces are taken in a day than doses are ordered."""
    return seen.order.times is not None and pieces_a_day(seen.told) < seen.order.times[0]


def more_pieces_than_doses(seen: Seen) -> bool:
    """Whether more pieces are taken in a day than doses are allowed, whatever one holds."""
    order = seen.order
    return order.times is not None and order.each is None and order.times[1] < pieces_a_day(seen.told) != _ENDLESS


def weekly(seen: Seen) -> bool:
    """Whether it is ordered once a week or less."""
    return seen.order.times is not None and seen.order.times[1] <= _WEEKLY


def many_weekdays_named(seen: Seen) -> bool:
    """Whether at least three days of the week are named."""
    return len(seen.told.weekdays) >= _MANY_DAYS


def ordered_one_at_a_time(seen: Seen) -> bool:
    """Whether one piece is a dose."""
    return seen.order.count == ONCE


def told_by_the_day(seen: Seen) -> bool:
    """Whether a number of pieces a day was told."""
    return any(i.per_day is not None and kind_of(i.per_day[1].unit) == "count" for i in seen.told.regimens)


def told_how_it_is_taken(seen: Seen) -> bool:
    """Whether anything was told of how it is taken."""
    return bool(seen.told.regimens)


def told_nothing_of_how_it_is_taken(seen: Seen) -> bool:
    """Whether nothing was told of how it is taken."""
    return not seen.told.regimens


def not_made_up_for(seen: Seen) -> bool:
    """Whether a missed dose was not made up for: no double or extra one, nor this one later on."""
    if said(e.DOUBLE, e.MAKE_UP)(seen) or extra(seen):
        return False
    later = seen.amounts.at_least and (any(seen.amounts.doses) or "taken-then" in seen.told.signs)
    of_another_day = said(e.EARLIER)(seen) and seen.axes.per_dose == C
    return not (said(e.FORGOTTEN, e.SKIPPED)(seen) and later and not of_another_day)


def not_taken_together(seen: Seen) -> bool:
    """Whether not all of the day, or more, was taken at once all the same."""
    return not at(per_dose=(H,), per_day=(C, H))(seen)


def extra(seen: Seen) -> bool:
    """Whether a dose was taken beyond the ordered ones: said so, or a second or third where fewer are ordered."""
    often, single = seen.order.times, seen.order.count is None or seen.order.count[1] < 2
    if said(e.EXTRA)(seen) or often is None:
        return said(e.EXTRA)(seen)
    return (said(e.SECOND)(seen) and single and often[1] < 2) or (said(e.THIRD)(seen) and often[1] < 3)


def not_extra(seen: Seen) -> bool:
    """Whether no dose was taken beyond the ordered ones."""
    return not extra(seen)


def surely_double(seen: Seen) -> bool:
    """Whether a double dose was one dose too large, not the right one twice by accident."""
    return not (said(e.BY_ACCIDENT)(seen) and seen.axes.per_dose == C)


def not_added_up(seen: Seen) -> bool:
    """Whether the amounts of two names of one medicine do not both stand in the day."""
    return seen.axes.per_day == U or sum(i.dose is not None for i in seen.told.regimens) < 2


def several_pieces(seen: Seen) -> bool:
    """Whether two or more pieces were taken at once."""
    return any(i.dose is not None and i.dose[1].value >= 2 and kind_of(i.dose[1].unit) == "count" for i in seen.told.regimens)


def all_doses_at_once(seen: Seen) -> bool:
    """Whether as many pieces were taken at once as doses are ordered in the day, and more than one."""
    return seen.order.times is not None and pieces_at_once(seen.told) == seen.order.times[1] > 1


def how_much_is_not_told(seen: Seen) -> bool:
    """Whether, besides the halving, it was not told how much is taken how often: then it is the tablet that is halved."""
    return said(e.HALF_DOSE)(seen) or not any(i.dose is not None and i.times is not None for i in seen.told.regimens)


def slow_release(seen: Seen) -> bool:
    """Whether it releases its dose slowly."""
    return seen.order.extended


def right_dose_in_whole_pieces(seen: Seen) -> bool:
    """Whether the dose is right, and not told as a part of a tablet."""
    return seen.axes.per_dose == C and not any(i.dose and i.dose[0].value < 1 for i in seen.told.regimens)


def halved_to_an_unknown_dose(seen: Seen) -> bool:
    """Whether it was halved, and may be half of one twice as strong."""
    return said(e.HALVED)(seen) and not right_dose_in_whole_pieces(seen)


def broken_all_the_same(seen: Seen) -> bool:
    """Whether it was broken, and not merely halved to an unknown dose."""
    return not halved_to_an_unknown_dose(seen)


def of_one_past_day(seen: Seen) -> bool:
    """Whether it tells of one day in the past, in full, and of no amount."""
    return "one-day" in seen.told.signs and not seen.amounts.at_least and not any(seen.amounts.doses)


def pieces_a_day(told: Reported) -> Decimal:
    """The pieces taken in a day, where that is all that is told; beyond every number otherwise."""
    counts = [i.per_day[1].value for i in told.regimens if i.per_day is not None and kind_of(i.per_day[1].unit) == "count"]
    return counts[0] if len(counts) == len(told.regimens) == 1 else _ENDLESS


def pieces_at_once(told: Reported) -> Decimal | None:
    """The number of pieces taken at once, where one is told."""
    counts = [i.dose[1].value for i in told.regimens if i.dose is not None and kind_of(i.dose[1].unit) == "count"]
    return counts[0] if len(counts) == 1 else None


# ------------------------------------------------------------------ the table

_MISSED = tuple(sorted(e.MISSED))
_MISSED_OR_ADDED = (*_MISSED, *sorted(e.ADDED), e.COMMAND)
_BROKEN = (said(e.BROKEN_UP), slow_release, at(per_dose=(C, H, U)))
_LEFT_OUT = (said(*_MISSED), scheduled, not_made_up_for, not_taken_together)

BY_NUMBERS: tuple[Change, ...] = (
    Change("whole-days-left-out", (at(per_dose=(U,), per_day=(U,)), whole_days_left_out), put(per_day=L)),
    Change("one-dose-over-the-day", (at(per_dose=(H,), per_day=(U,)), one_dose_is_the_day, scheduled), put(per_day=H)),
    Change("fewer-pieces-than-doses", (at(frequency=(U,)), scheduled, fewer_pieces_than_doses), put(frequency=L)),
    Change("weekly-on-many-days", (at(per_day=(U,), frequency=(U,)), weekly, many_weekdays_named), put(per_day=H, frequency=H)),
    Change(
        "as-needed-within-the-day",
        (at(per_day=(C,), per_dose=(U,), frequency=(U,)), as_needed, told_by_the_day, ordered_one_at_a_time),
        put(per_dose=C, frequency=C),
    ),
    Change("as-needed-however-often", (at(per_day=(C,), per_dose=(C,)), as_needed, how_often_is_left_open), put(frequency=C)),
    Change("as-needed-beyond-the-doses", (at(per_day=(U,)), as_needed, more_pieces_than_doses), put(per_day=H, frequency=H)),
)  # fmt: skip
"""What the numbers leave open, and the rest of what was told settles."""
BY_EVENTS: tuple[Change, ...] = (
    # doses left out
    Change("left-out", _LEFT_OUT, unless_high(per_day=L)),
    Change("left-out-told-how-often", (*_LEFT_OUT, told_how_it_is_taken), unless_high(frequency=L)),
    Change("left-out-told-nothing-else", (*_LEFT_OUT, told_nothing_of_how_it_is_taken), put(frequency=L)),
    Change("not-needed", (said(*_MISSED, e.NOT_NEEDED), as_needed), ALL_RIGHT),
    # doses too large or too many
    Change("doubled", (said(e.DOUBLE), surely_double), put(per_dose=H)),
    Change("doubled-day", (said(e.DOUBLE), at(per_day=(U, L)), unsaid(*_MISSED)), put(per_day=H)),
    Change("extra", (extra,), put(per_day=H, frequency=H)),
    Change("used-up-early", (said(e.LASTED_SHORT),), put(per_day=H)),
    Change("two-names", (said(e.BOTH_NAMES), not_added_up), both(put(per_day=H), where_unknown(frequency=H))),
    Change(
        "several-after-a-missed-one",
        (said(e.MAKE_UP, e.FORGOTTEN, e.SKIPPED, e.IF_MISSED), at(per_dose=(U,)), several_pieces),
        put(per_dose=H),
    ),
    Change(
        "all-at-once", (said(e.ALL_AT_ONCE), at(per_dose=(U,)), all_doses_at_once),
        both(put(per_dose=H), where_unknown(per_day=C)),
    ),
    Change("too-often-by-accident", (said(e.BY_ACCIDENT), at(per_day=(U,), frequency=(H,))), put(per_day=H)),
    # told against what would be right
    Change("more-at-once", (said(e.MORE_DOSE),), both(put(per_dose=H), where_unknown(per_day=H))),
    Change("less-at-once", (said(e.LESS_DOSE),), where_unknown(per_dose=L, per_day=L)),
    Change("more-often", (said(e.MORE_OFTEN),), both(put(frequency=H), where_unknown(per_day=H))),
    Change("less-often", (said(e.LESS_OFTEN),), both(put(frequency=L), where_unknown(per_day=L))),
    # tablets halved or broken
    Change(
        "halved", (said(e.HALVED, e.HALF_DOSE), at(per_dose=(U,)), how_much_is_not_told),
        both(put(per_dose=L), where_unknown(per_day=L)),
    ),
    Change("halved-slow-release", (*_BROKEN, halved_to_an_unknown_dose), put(per_dose=U)),
    Change("broken-slow-release", (*_BROKEN, broken_all_the_same), put(per_dose=H)),
    # what is left
    Change("too-often-on-one-day", (at(per_dose=(U,), per_day=(U,), frequency=(H,)), scheduled, of_one_past_day), put(per_day=H)),
    Change("as-prescribed", (said(e.AS_PRESCRIBED), unsaid(*_MISSED_OR_ADDED), not_extra), ALL_RIGHT),
)  # fmt: skip
"""What is said to have happened."""
