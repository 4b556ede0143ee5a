"""Amounts of several entries together, and bounds that depend on the body."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from safety.knowledge import library as lib
from safety.model.quantity import Quantity, Units
from safety.understanding.amounts import Span
from safety.understanding.facts import Facts


def for_body(bounds: lib.Bounds, facts: Facts) -> tuple[lib.Bounds, tuple[str, ...]]:
    """Bounds per kg or per m2 times this patient's weight or surface, capped where a cap is given.

    Also the facts that are missing for it (`weight`, `height`).
    """
    if not any(b.value.unit.endswith(("/kg", "/m2")) for b in bounds):
        return bounds, ()
    built = []
    for b in bounds:
        unit, _, per = b.value.unit.rpartition("/")
        if per not in ("kg", "m2") or not unit:
            built.append(b)
            continue
        size, missing = facts.kilograms if per == "kg" else facts.surface
        if size is None:
            return bounds, missing
        value = Quantity(b.value.value * size, unit)
        if b.cap is not None and facts.units.compare(value, b.cap) == 1:
            built.append(lib.Bound(b.op, b.cap, b.place, f"{b.text}, at most {b.cap}"))
        else:
            built.append(lib.Bound(b.op, value, b.place, b.text))
    return tuple(built), ()


def capped(bounds: lib.Bounds) -> lib.Bounds:
    """What holds for every weight: plain bounds, and only the caps of those per kg or per m2."""
    held = ((b, b.cap) if b.value.unit.endswith(("/kg", "/m2")) else (b, b.value) for b in bounds)
    return tuple(
        b if value is b.value else lib.Bound(b.op, value, b.place, f"{b.text}, at most {value}")
        for b, value in held
        if value is not None
    )


def added(spans: Sequence[Span], units: Units, unit: str = "") -> Span:
    """Several entries' amounts together; open on the side where one of them is.

    `unit`: of what they are held against. Where they cannot all be added up, those in that unit are so much at least.
    """
    if len(spans) == 1:
        return spans[0]
    why = tuple(dict.fromkeys(w for s in spans for w in s.why))
    lows = [s.low for s in spans if s.low is not None]
    low = _sum(lows, units)
    if low is None and unit:
        low = _sum([one for one in lows if units.convert(one, unit) is not None], units)
    high = _sum([s.high for s in spans if s.high is not None], units) if all(s.high for s in spans) else None
    return Span(low, high, why)


def _sum(amounts: Sequence[Quantity], units: Units) -> Quantity | None:
    if not amounts:
        return None
    unit = amounts[0].unit
    total = Decimal(0)
    for amount in amounts:
        value = units.convert(amount, unit)
        if value is None:
            return None
        total += value
    return Quantity(total, unit)


def widest(spans: Sequence[Span], units: Units, *, smallest: bool) -> Span:
    """Over several entries: the largest of the amounts (or, for times between doses, the smallest)."""
    if len(spans) == 1:
        one = spans[0]
        return one if smallest or (one.low is not None and one.high is not None) else Span(None, one.high, one.why)
    why = tuple(dict.fromkeys(w for s in spans for w in s.why))

    def pick(values: Iterable[Quantity]) -> Quantity | None:
        best: Quantity | None = None
        for value in values:
            order = units.compare(value, best) if best is not None else 0
            if best is None or (order is not None and (order < 0 if smallest else order > 0)):
                best = value
        return best

    lows, highs = [s.low for s in spans if s.low is not None], [s.high for s in spans if s.high is not None]
    low = pick(lows) if len(lows) == len(spans) or not smallest else None  # one that is not told may be shorter still
    high = pick(highs) if len(highs) == len(spans) or smallest else None  # or larger still
    return Span(low, high, why)
