"""What was told of something that we know, and cannot be used: directions not read, results without a unit or not plausible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from safety.model.patient import LabResult, Patient
from safety.model.position import ListName, Position
from safety.model.report import Unresolved
from safety.text import printable
from safety.understanding.medications import Entry
from safety.understanding.results import result_of
from safety.understanding.terms import Terms

_ASK = {
    "unread": "What was the result, as a number? It could not be read, so no rule looked at it.",
    "unit": "In which unit is it? Without one no rule can look at it.",
    "implausible": "Is that the value, and the unit? It is not plausible, so no rule looked at it.",
}
_MOST_NAMED = 5


class _Group(Struct, frozen=True):
    """Results of one test that cannot be used for one reason: the first of them, and how many there are."""

    first: Unresolved
    count: int = 1


def unread_directions(entries: Iterable[Entry]) -> Iterator[Unresolved]:
    """Medications that are taken, with words in their directions that were not understood."""
    for entry in entries:
        if entry.directions.unread:
            words = ", ".join(f"`{printable(w)}`" for w in entry.directions.unread)
            ask = f"What is meant by {words}? It was not read, and may say how much, how often or how it is taken."
            yield Unresolved(entry.described, entry.where, "unread", [], ask)


def unused_results(patient: Patient, terms: Terms, day: date) -> list[Unresolved]:
    """Results of tests that we know and that cannot be used, and coded ones of tests that we do not; each test once."""
    found: dict[tuple[str, str], _Group] = {}
    strange: dict[str, Position] = {}
    both: tuple[tuple[ListName, tuple[LabResult, ...] | None], ...] = (("labs", patient.labs), ("vitals", patient.vitals))
    for among, results in both:
        for n, told in enumerate(results or ()):
            where = Position(among, n)
            test = terms.lab(told)
            if test is None:
                if told.codes:
                    strange.setdefault(printable(told.test), where)
                continue
            item = _later(told, where, day) or _unusable(told, where, terms)
            if item is not None:
                key = (test.id, item.status)
                before = found.get(key)
                found[key] = replace(before, count=before.count + 1) if before else _Group(item)
    return [*(_together(group) for group in found.values()), *_unknown(strange)]


def _later(told: LabResult, where: Position, day: date) -> Unresolved | None:
    if told.on is None or told.on <= day:
        return None
    ask = f"Is {told.on} right? It lies after the day that is judged, so no rule looked at it."
    return Unresolved(printable(told.test), where, "left_out", [], ask)


def _unusable(told: LabResult, where: Position, terms: Terms) -> Unresolved | None:
    test = terms.lab(told)
    result = result_of(told, test, terms) if test is not None else None
    if result is None or result.fault is None:
        return None
    return Unresolved(f"{printable(told.test)} {result.shown}", where, result.fault, [], _ASK[result.fault])


def _together(group: _Group) -> Unresolved:
    more = group.count - 1
    return replace(group.first, text=f"{group.first.text} (and {more} more)") if more else group.first


def _unknown(strange: dict[str, Position]) -> Iterator[Unresolved]:
    """Coded results of tests that are none of ours: one line for all of them."""
    if strange:
        names = list(strange)
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        ask = "These tests are none of ours, so no rule looked at them. Does one of them matter for a medicine?"
        yield Unresolved(f"{', '.join(names[:_MOST_NAMED])}{more}", strange[names[0]], "unjudged", [], ask)
