"""One slot over time: units of what was believed, each from a day on, and how new evidence changes them.

A chain is a tuple of units by the day they begin; each lasts until the next begins. Nothing here changes a unit: every change
gives a new chain, so that what was believed before stays to be asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from datetime import date, timedelta
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from safety.memory.events import Authority, Time, on
from safety.memory.values import Relation, Value

Operator = Literal["CREATE", "SUPPORT", "REFINE", "SUPERSEDE", "BRANCH-CONFLICT", "NONE"]
"""What new evidence does: the four of arbitration; the first word of a slot; and nothing, where it says nothing of now."""

How = Literal["seen", "began", "implied", "planned", "closed"]
"""How a unit begins: it was so when it was told; it was told to become so then; it follows from a later beginning; it is the
planned end of a course; or nothing is known from then on."""


class Evidence(Struct, frozen=True):
    """An event that tells a value: when it came to be known, by whom, and for when."""

    event: str
    turn: int
    told: date
    by: Authority
    at: Time
    dated: bool = False


class Candidate(Struct, frozen=True, dict=True):
    """One of the values that a slot may have, with everything that tells it."""

    value: Value
    evidence: tuple[Evidence, ...]

    @cached_property
    def latest(self) -> int:
        """The last turn in which it was told."""
        return max(e.turn for e in self.evidence)

    @cached_property
    def whose(self) -> frozenset[Authority]:
        """Everybody who tells it."""
        return frozenset(e.by for e in self.evidence)

    @cached_property
    def mentions(self) -> int:
        """How many events tell it."""
        return len({e.event for e in self.evidence})


class Unit(Struct, frozen=True):
    """What is believed of a slot from a time on; several candidates are a conflict, none: it is not known."""

    start: Time
    candidates: tuple[Candidate, ...]
    how: How = "seen"

    @property
    def conflicting(self) -> bool:
        """Whether there is more than one side."""
        return len(self.candidates) > 1


Chain: TypeAlias = tuple[Unit, ...]
Compare: TypeAlias = Callable[[Value, Value], Relation]
_BEFORE = on(date.min)
_INFERRED_BEGINNINGS = frozenset({"implied", "planned"})


def at(chain: Chain, day: date) -> int | None:
    """The unit that surely holds on a day, by its place; None before the first."""
    found = bisect_right(chain, day, key=_begins)
    return found - 1 if found else None


def _begins(unit: Unit) -> date:
    return unit.start.last


def maybe(chain: Chain, day: date) -> Unit | None:
    """The unit that may have begun by a day already, but need not."""
    place = at(chain, day)
    following = (0 if place is None else place) + (0 if place is None else 1)
    if following < len(chain) and chain[following].start.first <= day:
        return chain[following]
    return None


# --- a statement of how it is -----------------------------------------------------------------------------------------


def told(chain: Chain, value: Value, evidence: Evidence, compare: Compare) -> tuple[Chain, Operator]:
    """What a statement that does not say of a change does: it supports, refines, or stands against what was believed."""
    day = evidence.at.last
    narrowed = _narrowed(chain, value, evidence, compare)
    if narrowed is not None:
        return narrowed, "SUPPORT"
    place = at(chain, day)
    fresh = Unit(on(day), (Candidate(value, (evidence,)),))
    if place is None:
        if chain and chain[0].how == "seen" and _same(chain[0], value, compare):
            return (_with(replace(chain[0], start=on(day)), value, evidence, compare), *chain[1:]), "SUPPORT"
        return (fresh, *chain), "CREATE"
    unit = chain[place]
    if not unit.candidates:
        return _after(chain, place, fresh), "CREATE"
    standing = _standing(unit, value, compare)
    if standing != "differs":
        operator: Operator = "REFINE" if standing == "finer" else "SUPPORT"
        return _put(chain, place, _with(unit, value, evidence, compare)), operator
    both = Unit(on(day), (*unit.candidates, Candidate(value, (evidence,))))
    return _after(chain, place, both), "BRANCH-CONFLICT"


def _narrowed(chain: Chain, value: Value, evidence: Evidence, compare: Compare) -> Chain | None:
    """A statement inside a time in which a change is only known to lie says on which side of it the change was."""
    day = evidence.at.last
    following = maybe(chain, day)
    if following is None or following.conflicting or not evidence.at.exact or not following.candidates:
        return None
    place = chain.index(following)
    if _same(following, value, compare):
        sooner = _with(replace(following, start=Time(following.start.first, day)), value, evidence, compare)
        return _put(chain, place, sooner)
    if place and _same(chain[place - 1], value, compare) and day < following.start.last:
        before = _with(chain[place - 1], value, evidence, compare)
        later = replace(following, start=Time(day + timedelta(1), following.start.last))
        return (*chain[: place - 1], before, later, *chain[place + 1 :])
    return None


# --- a change ---------------------------------------------------------------------------------------------------------


def became(
    chain: Chain, value: Value, evidence: Evidence, compare: Compare, *, before: Value | None = None, lasting: bool = False,
    once: bool = False,
) -> tuple[Chain, Operator]:  # fmt: skip
    """What a told change does: the window of what was believed is closed on that day, and a new one begins.

    `before`: what a beginning says of the time before it. `lasting`: it says how things are up to the day it was told, so it
    overrules statements of the days in between that were told earlier. `once`: such a change happens once, so a second day for it
    contradicts the first.
    """
    chain = _without_plans(chain, evidence.at.last)
    time = _after_what_was_seen(chain, value, evidence, compare)
    place = at(chain, time.last)
    if place is not None and _same(chain[place], value, compare) and not chain[place].conflicting:
        return _again(chain, place, value, replace(evidence, at=time), compare, before, once)
    created = place is None or not chain[place].candidates
    fresh = Unit(time, (Candidate(value, (evidence,)),), "began")
    rest = _following(chain[0 if place is None else place + 1 :], value, evidence, compare, lasting)
    kept = chain[: 0 if place is None else place + 1]
    if kept and kept[-1].how == "seen" and kept[-1].start == time and len(kept[-1].candidates) == 1:
        kept = kept[:-1]
    if not kept and before is not None:
        kept = (Unit(_BEFORE, (Candidate(before, (replace(evidence, by="inferred"),)),), "implied"),)
    return (*kept, fresh, *rest), "CREATE" if created else "SUPERSEDE"


def close(chain: Chain, time: Time) -> Chain:
    """From then on nothing is known of the slot: what it held ended with the medicine."""
    kept = tuple(unit for unit in chain if unit.start.last < time.last)
    later = tuple(unit for unit in chain if unit.start.last >= time.last and unit.how == "began")
    if not kept or not kept[-1].candidates:
        return (*kept, *later)
    return (*kept, Unit(time, (), "closed"), *later)


def planned_end(chain: Chain, value: Value, evidence: Evidence, last: date) -> Chain:
    """A course that is meant to last until a day ends after it, unless something else is told."""
    day = last + timedelta(1)
    chain = _without_plans(chain, evidence.at.last)
    place = at(chain, day)
    if place is None or day <= evidence.at.last or chain[place].start.last > evidence.at.last:
        return chain  # something that was told lies in between
    end = Unit(on(day), (Candidate(value, (replace(evidence, by="inferred", at=on(day)),)),), "planned")
    return _after(chain, place, end)


def _without_plans(chain: Chain, day: date) -> Chain:
    return tuple(unit for unit in chain if unit.how != "planned" or unit.start.last <= day)


def _after_what_was_seen(chain: Chain, value: Value, evidence: Evidence, compare: Compare) -> Time:
    """The time of a change, without the days on which it was seen to be otherwise yet."""
    time = evidence.at
    if time.exact:
        return time
    first = time.first
    for unit in chain:
        if unit.how != "seen" or unit.conflicting or not unit.candidates or _same(unit, value, compare):
            continue
        for seen in unit.candidates[0].evidence:
            if first <= seen.at.last < time.last and seen.at.exact:
                first = seen.at.last + timedelta(1)
    return Time(first, time.last)


def _again(
    chain: Chain, place: int, value: Value, evidence: Evidence, compare: Compare, before: Value | None, once: bool
) -> tuple[Chain, Operator]:  # fmt: skip
    """A change to what is believed already: it is told again; or, for another day, it contradicts the day that was told."""
    unit, time = chain[place], evidence.at
    supported = _with(unit, value, evidence, compare)
    first = unit.candidates[0].evidence[0]
    apart = evidence.dated and (first.dated or unit.how == "seen") and unit.start.last < time.first
    other = before if before is not None else _before(chain, place)
    if not once or not apart or other is None or unit.how in _INFERRED_BEGINNINGS:
        if unit.how == "began" and time.first <= unit.start.last and unit.start.first <= time.last:
            both = Time(max(time.first, unit.start.first), min(time.last, unit.start.last))
            supported = replace(supported, start=both)
        return _put(chain, place, supported), "SUPPORT"
    doubtful = replace(unit, candidates=(*unit.candidates, Candidate(other, (evidence,))))
    return (*chain[:place], doubtful, replace(supported, start=time, how="began"), *chain[place + 1 :]), "BRANCH-CONFLICT"


def _before(chain: Chain, place: int) -> Value | None:
    if place == 0 or len(chain[place - 1].candidates) != 1:
        return None
    return chain[place - 1].candidates[0].value


def _following(rest: Chain, value: Value, evidence: Evidence, compare: Compare, lasting: bool) -> Chain:
    """What was told of the days after a change that is told only now."""
    kept: list[Unit] = []
    for n, unit in enumerate(rest):
        if unit.how == "began":
            return (*kept, *rest[n:])
        if not unit.candidates:
            kept.append(unit)
        elif _same(unit, value, compare) and not unit.conflicting:
            continue  # it held then already
        elif lasting and unit.start.last <= evidence.told:
            continue  # what was told then is overruled
        elif _standing(unit, value, compare) != "differs":
            kept.append(_with(unit, value, evidence, compare))
        else:
            kept.append(replace(unit, candidates=(Candidate(value, (evidence,)), *unit.candidates)))
    return tuple(kept)


# --- units ------------------------------------------------------------------------------------------------------------


def _standing(unit: Unit, value: Value, compare: Compare) -> Relation:
    """How a value stands to a unit: the best that it is to any of its candidates."""
    found = [compare(c.value, value) for c in unit.candidates]
    ranked: tuple[Relation, ...] = ("same", "coarser", "finer", "unlike")
    return next((one for one in ranked if one in found), "differs")


def _same(unit: Unit, value: Value, compare: Compare) -> bool:
    return bool(unit.candidates) and _standing(unit, value, compare) == "same"


def _with(unit: Unit, value: Value, evidence: Evidence, compare: Compare) -> Unit:
    """The unit with one more piece of evidence for the candidate that it fits best; a finer value replaces a coarser."""
    standing = _standing(unit, value, compare)
    place = next(n for n, c in enumerate(unit.candidates) if compare(c.value, value) == standing)
    fitting = unit.candidates[place]
    more = Candidate(value if standing == "finer" else fitting.value, (*fitting.evidence, evidence))
    return replace(unit, candidates=(*unit.candidates[:place], more, *unit.candidates[place + 1 :]))


def _put(chain: Chain, place: int, unit: Unit) -> Chain:
    return (*chain[:place], unit, *chain[place + 1 :])


def _after(chain: Chain, place: int, unit: Unit) -> Chain:
    """The unit behind another; in its place where both begin on one day."""
    kept = place if chain[place].start == unit.start and chain[place].how == "seen" else place + 1
    return (*chain[:kept], unit, *chain[place + 1 :])
