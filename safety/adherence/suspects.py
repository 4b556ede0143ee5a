"""What a wrong dose looks like: a slip of unit or of a decimal point, a dose doubled, the wrong tablet, one left out."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from safety.adherence.axes import Axes, C, H, L, Mark, Order, ReportedAmounts, U, kind_of
from safety.model.quantity import Quantity, Units
from safety.reading.spoken import reported as r
from safety.reading.spoken.reported import Reported

_THOUSAND, _TEN, _WEEK = 1000, 10, 7
UNIT_SLIP, TENFOLD = "unit-slip ×1000", "tenfold"


def suspects(told: Reported, order: Order, axes: Axes, m: ReportedAmounts, verdict: Mark, units: Units) -> tuple[str, ...]:
    """Every reason that fits, the most telling first; none for a right dose."""
    if verdict not in (H, L):
        return ()
    found = _high(told, order, axes, m, units) if verdict == H else _low(told, order, axes, m, units)
    return tuple(dict.fromkeys(found))


def _high(told: Reported, order: Order, axes: Axes, m: ReportedAmounts, units: Units) -> Iterator[str]:  # noqa: C901 (to be redrawn)
    events = set(told.events)
    ratio = _dose_ratio(m, order)
    if ratio == _THOUSAND:
        yield UNIT_SLIP
    if ratio == _TEN:
        yield TENFOLD
    if _often_ratio(m, order) == _WEEK and order.times and order.times[1] <= Fraction(1, _WEEK):
        yield "weekly-as-daily"
    if r.BOTH_NAMES in events:
        yield "brand-and-generic"
    if r.TO_BE_SAFE in events and r.MAKE_UP not in events:
        yield "extra-to-be-safe"
    more = axes.per_dose == H or events & {r.DOUBLE, r.EXTRA}
    if more and events & {r.FORGOTTEN, r.SKIPPED, r.IF_MISSED, r.MAKE_UP} and not _both_doses(axes, m, order):
        yield "compensatory"
    if r.TO_BE_SAFE in events:
        yield "extra-to-be-safe"
    together = m.day is not None and m.day == order.daily and axes.frequency in (L, U) and r.BY_ACCIDENT not in events
    if axes.per_dose == H and together and order.times and order.times[1] > 1:
        yield "all-at-once"
    if any(i.strength is not None for i in told.regimens):
        yield from _pieces(told, order, axes, m, units)
    if events & {r.DOUBLE} or (r.BY_ACCIDENT in events and r.ALL_AT_ONCE not in events and _doubled(axes, m, order)):
        yield "double-dose"
    if r.ALL_AT_ONCE not in events and r.EXTRA not in events and _twice_on_a_day(told, m, order):
        yield "double-dose"
    if axes.per_dose == H and axes.frequency == L and (axes.per_day == C or r.ALL_AT_ONCE in events):
        yield "all-at-once"
    if r.BROKEN_UP in events and order.extended:
        yield "split-extended-release"
    yield from _pieces(told, order, axes, m, units)
    if r.EXTRA in events:
        yield "extra-dose"
    if order.as_needed and H in (axes.per_day, axes.frequency):
        yield "exceeds-prn-maximum"
    if axes.timing == H or axes.frequency == H:
        yield "too-often"
    if r.LASTED_SHORT in events:
        yield "supply-short"


def _low(told: Reported, order: Order, axes: Axes, m: ReportedAmounts, units: Units) -> Iterator[str]:  # noqa: C901 (to be redrawn)
    events = set(told.events)
    ratio = _dose_ratio(m, order)
    if ratio == Fraction(1, _THOUSAND):
        yield UNIT_SLIP
    if ratio == Fraction(1, _TEN):
        yield TENFOLD
    if _often_ratio(m, order) == Fraction(1, _WEEK) and order.times and order.times[0] >= 1:
        yield "daily-as-weekly"
    if r.BROKEN_UP in events and order.extended:
        yield "split-extended-release"
    for event, name in ((r.RAN_OUT, "ran-out"), (r.STOPPED, "stopped"), (r.FORGOTTEN, "forgotten"), (r.SKIPPED, "skipped")):
        if event in events:
            yield name
    if r.HALVED in events and axes.per_dose == L:
        yield "half-tablet"
    yield from _pieces(told, order, axes, m, units)
    if r.HALF_DOSE in events:
        yield "half-dose"
    if axes.timing == L and L not in (axes.per_dose, axes.per_day, axes.frequency):
        yield "wrong-time"
    if r.IRREGULAR in events:
        yield "irregular"
    if r.LASTED_LONG in events:
        yield "supply-left-over"
    if axes.frequency == L:
        yield "too-seldom"


def _pieces(told: Reported, order: Order, axes: Axes, m: ReportedAmounts, units: Units) -> Iterator[str]:
    """The wrong tablet, the wrong number of tablets, or a part of one."""
    wanted = H if axes.per_dose == H else L
    if axes.per_dose not in (H, L):
        return
    for regimen, dose in zip([i for i in told.regimens if not i.empty], m.doses, strict=False):
        said = regimen.dose or regimen.per_day
        if said is None or dose is None or order.dose is None:
            continue
        if (dose[1] > order.dose[1]) if wanted == H else (dose[0] < order.dose[0]):
            counted = kind_of(said[1].unit) in ("count", "stroke")
            if not counted:
                continue
            count = said[1].value
            if count < 1 and wanted == L:
                yield "half-tablet"
            elif _other_strength(regimen.strength, count, order):
                yield "wrong-strength"
            else:
                yield "wrong-count"


def _other_strength(strength: Quantity | None, count: Decimal, order: Order) -> bool:
    """Whether the tablet, not the number of them, is what differs."""
    if strength is None:
        return False
    if order.count is not None and order.each is not None:
        return Fraction(count) in order.count
    return count == 1


def _dose_ratio(m: ReportedAmounts, order: Order) -> Fraction | None:
    known = [d for d in m.doses if d is not None]
    if len(known) != 1 or order.dose is None or not order.dose[1]:
        return None
    return known[0][1] / order.dose[1]


def _often_ratio(m: ReportedAmounts, order: Order) -> Fraction | None:
    if m.times is None or order.times is None or not order.times[1]:
        return None
    return m.times[1] / order.times[1]


def _doubled(axes: Axes, m: ReportedAmounts, order: Order) -> bool:
    ratio = _often_ratio(m, order)
    return axes.per_dose == H or (ratio is not None and ratio >= 2)


def _twice_on_a_day(told: Reported, m: ReportedAmounts, order: Order) -> bool:
    """Told of one day, in the past: the usual dose twice."""
    ratio = _often_ratio(m, order)
    past = any(w in f" {told.text.lower()} " for w in (" took ", " injected ", " last night", " today", " yesterday"))
    return ratio == 2 and past and order.times is not None and order.times[1] >= 1 and not order.as_needed


def _both_doses(axes: Axes, m: ReportedAmounts, order: Order) -> bool:
    """Whether the day's doses were taken together rather than a missed one made up for."""
    return axes.per_day == C and axes.frequency == L and not m.at_least and order.times is not None and order.times[0] > 1
