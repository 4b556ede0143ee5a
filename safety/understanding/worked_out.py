"""Results that follow from others of the same day by a formula (the anion gap), where they were not told themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from safety.formulas.corrections import WORKED_OUT
from safety.knowledge.library import Lab
from safety.model.patient import LabResult
from safety.model.quantity import Quantity, plain
from safety.understanding.results import result_of
from safety.understanding.terms import Terms
from safety.understanding.told_results import Placed, counting

_PLACES = 2


def worked_out(told: Sequence[Placed], terms: Terms) -> Iterator[Placed]:
    """Each result that follows, at the place of the last result that it needs; of a day on which it was told itself none."""
    for test in terms.library.labs if told else ():
        if test.worked_out is None:
            continue
        days = dict.fromkeys(p.told.on for p in told if p.test is not None and p.test.id == test.worked_out.of[0])
        for day in days:
            of_day = [p for p in counting(told) if p.told.on == day and p.test is not None]
            if not any(p.test is not None and p.test.id == test.id for p in of_day):
                yield from _of_day(test, of_day, day, terms)


def _of_day(test: Lab, told: Sequence[Placed], day: date | None, terms: Terms) -> Iterator[Placed]:
    """The result of one day, where each part has one exact result of that day."""
    assert test.worked_out is not None
    parts: list[tuple[Placed, Quantity]] = []
    for part in test.worked_out.of:
        found = [p for p in told if p.test is not None and p.test.id == part]
        exact = {q for p in found if (q := _exact(p, terms)) is not None}
        if len(exact) != 1:
            return
        parts.append((found[-1], exact.pop()))
    answer = WORKED_OUT[test.worked_out.formula]([quantity for _, quantity in parts])
    if answer.value is None:
        return
    last = max((placed for placed, _ in parts), key=lambda p: p.where)
    said = ", ".join(f"{p.test.name} {plain(q.value.normalize())}" for p, q in parts if p.test is not None)
    value = plain(round(answer.value, _PLACES).normalize())
    yield Placed(LabResult(test.name, value, test.unit, day, worked_out=said), last.where, test)


def _exact(placed: Placed, terms: Terms) -> Quantity | None:
    """One number in the test's own unit; nothing of a limit such as `<5`, or of a unit that nobody told."""
    if placed.test is None:
        return None
    result = result_of(placed.told, placed.test, terms)
    if result.fault is not None or result.low is None or result.low != result.high:
        return None
    return Quantity(result.low, placed.test.unit)
