"""What each kind of event does to the slots of its line. Pure: a line as it was, and an event, give a line as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from safety.memory.chains import Chain, Compare, Evidence, Operator, at, became, close, planned_end, told
from safety.memory.events import Authority, Event
from safety.memory.subjects import Meant
from safety.memory.values import Dose, Often, Regimen, Relation, Slot, Value, Word, relation, same_day
from safety.model.quantity import Quantity, Units

TAKEN, NOT_TAKEN, HELD = Word("taken"), Word("not taken"), Word("held")
PRESENT, PAST, ABSENT, SUSPECTED = Word("present"), Word("past"), Word("absent"), Word("suspected")
REGULAR, IRREGULAR = Word("regular"), Word("irregular")
_CLOSED_BY_A_STOP: tuple[Slot, ...] = ("dose", "frequency", "route", "adherence")
_ORDERS = frozenset({"prescribed", "started", "changed", "resumed", "confirmed"})
"""What sets dose, frequency and route anew instead of only telling them."""
_COURSES = _ORDERS | {"taking"}
"""What is said of a course with so many days."""
_SAID_TO_BE_SO = frozenset({"taking", "irregular", "regular", "filled", "asks"})
_NOTHING = frozenset({"considers", "others", "retracted"})
_EXPERT: frozenset[Authority] = frozenset({"clinician", "record"})


class Fill(Struct, frozen=True):
    """A supply that was handed out: the day, and for how many days it lasts if told."""

    event: str
    day: date
    days: int | None


class Operation(Struct, frozen=True):
    """What an event did to a slot."""

    event: str
    slot: Slot
    operator: Operator


class Slots(Struct, frozen=True):
    """The slots of one line after some of its events: a chain for each, and the supplies handed out."""

    chains: Mapping[Slot, Chain] = {}
    fills: tuple[Fill, ...] = ()

    def chain(self, slot: Slot) -> Chain:
        """The chain of a slot; empty where nothing was told of it."""
        return self.chains.get(slot, ())


class _Work:
    """The slots while one event is applied."""

    def __init__(self, slots: Slots, event: Event, units: Units) -> None:
        self.chains: dict[Slot, Chain] = dict(slots.chains)
        self.fills = slots.fills
        self.event, self.units = event, units
        self.done: list[Operation] = []
        by: Authority = "inferred" if event.says in ("asks", "filled") else event.by
        self.evidence = Evidence(event.id, event.turn, event.told, by, event.at, event.dated)

    def chain(self, slot: Slot) -> Chain:
        return self.chains.get(slot, ())

    def set(self, slot: Slot, result: tuple[Chain, Operator]) -> None:
        chain, operator = result
        self.chains[slot] = chain
        self.done.append(Operation(self.event.id, slot, operator))

    def believed(self, slot: Slot, day: date) -> Value | None:
        """The value that surely holds on a day and is no conflict."""
        chain = self.chain(slot)
        place = at(chain, day)
        if place is None or len(chain[place].candidates) != 1:
            return None
        return chain[place].candidates[0].value


def applied(slots: Slots, event: Event, meant: Meant, units: Units) -> tuple[Slots, tuple[Operation, ...]]:
    """The slots after an event, and what it did to each."""
    if event.says in _NOTHING:
        return slots, (Operation(event.id, "taking" if meant.kind == "medicine" else "state", "NONE"),)
    work = _Work(slots, event, units)
    if meant.kind == "medicine":
        _medicine(work, meant)
    elif meant.kind == "condition":
        _condition(work)
    elif meant.kind == "allergy":
        _allergy(work)
    return Slots(work.chains, work.fills), tuple(work.done)


# --- medicines --------------------------------------------------------------------------------------------------------


def _medicine(work: _Work, meant: Meant) -> None:
    says = work.event.says
    was = work.believed("taking", work.evidence.at.last)
    if says == "asks" and not work.chain("taking"):
        work.done.append(Operation(work.event.id, "taking", "NONE"))
        return
    _taking(work, meant)
    if says in ("stopped", "denies"):
        return
    if says == "asks" or (says == "held" and meant.regimen == Regimen()):
        return
    if says in _ORDERS and was == NOT_TAKEN:
        _closed(work, meant)
    if says == "changed" and meant.regimen == Regimen() and not work.event.among and meant.route is None and meant.reason is None:
        work.chains["dose"] = close(work.chain("dose"), work.evidence.at)  # it is another one now, and nobody told which
    _regimen(work, meant)
    _rest(work, meant)
    _ends(work, meant)


def _taking(work: _Work, meant: Meant) -> None:
    """The slot that says whether it is taken."""
    says, evidence, chain = work.event.says, work.evidence, work.chain("taking")
    same: Compare = partial(relation, units=work.units)
    if work.event.among:  # it may have been said of another, so nothing is closed by it
        value = NOT_TAKEN if says in ("stopped", "denies") else HELD if says == "held" else TAKEN
        work.set("taking", told(chain, value, evidence, same))
    elif says == "stopped":
        work.set("taking", became(chain, NOT_TAKEN, evidence, same, lasting=True, once=True))
        for slot in _CLOSED_BY_A_STOP:
            work.chains[slot] = close(work.chain(slot), evidence.at)
    elif says == "held":
        work.set("taking", became(chain, HELD, evidence, same, lasting=True))
    elif says == "started" or _lies_ahead(work):
        work.set("taking", became(chain, TAKEN, evidence, same, before=NOT_TAKEN, once=says == "started"))
    elif says == "prescribed" and meant.regimen == Regimen() and _is_on_course(work):
        work.set("taking", told(chain, TAKEN, evidence, same))
    elif (
        says == "resumed"
        or (says == "prescribed" and chain)
        or says == "confirmed"
        or (says == "changed" and _only_inferred(work))
    ):
        work.set("taking", became(chain, TAKEN, evidence, same))
    elif says == "denies":
        work.set("taking", told(chain, NOT_TAKEN, evidence, same))
    else:
        work.set("taking", told(chain, TAKEN, evidence, same))


def _is_on_course(work: _Work) -> bool:
    """Whether it is taken, and known until when: that it goes on as ordered does not take it further."""
    day = work.evidence.at.last
    planned = any(unit.how == "planned" and unit.start.last > day for unit in work.chain("taking"))
    return planned and work.believed("taking", day) == TAKEN


def _lies_ahead(work: _Work) -> bool:
    """Whether an order is told for a later day: until then it is not taken."""
    event = work.event
    return event.says == "prescribed" and event.when is not None and event.when.first > event.told


def _only_inferred(work: _Work) -> bool:
    """Whether that it is not taken was only drawn from the plan of a course, or from a later beginning."""
    chain = work.chain("taking")
    place = at(chain, work.evidence.at.last)
    return place is not None and chain[place].how in ("planned", "implied")


def _closed(work: _Work, meant: Meant) -> None:
    """What was taken before a stop is not what is taken after it, unless it is told again."""
    for slot, value in (("dose", meant.regimen.dose), ("frequency", meant.regimen.often)):
        if value is None:
            key: Slot = "dose" if slot == "dose" else "frequency"
            work.chains[key] = close(work.chain(key), work.evidence.at)


def _regimen(work: _Work, meant: Meant) -> None:
    """Dose and frequency: at odds only where the amount of a day is not the same."""
    day = work.evidence.at.last
    old = Regimen(_dose(work.believed("dose", day)), _often(work.believed("frequency", day)))
    new = _in_doses(meant.regimen, old)
    equal = new.dose is not None and new.often is not None and same_day(old, new, work.units)
    equal = equal or (new.per_day is not None and same_day(old, new, work.units))
    compare: Compare = _equal if equal else partial(relation, units=work.units)
    anew = work.event.says in _ORDERS and not work.event.among
    values: tuple[tuple[Slot, Value | None], ...] = (("dose", new.dose), ("frequency", new.often))
    for slot, value in values:
        if value is None:
            continue
        change: Callable[..., tuple[Chain, Operator]] = became if anew else told
        used: Compare = partial(relation, units=work.units) if anew else compare
        work.set(slot, change(work.chain(slot), value, work.evidence, used))


def _in_doses(told: Regimen, old: Regimen) -> Regimen:
    """The amount of a day as the dose that it comes to: parted as often as it is known to be taken; where that is not known, in
    one dose if it is sold so."""
    if told.dose is not None or told.per_day is None:
        return told
    often = told.often or old.often
    times = often.times if often is not None and not often.as_needed else None
    rarely = times is not None and times[1] < 1  # once a month before, and now so much a day
    if (often is None or rarely) and told.at_once:
        return replace(told, dose=Dose(told.per_day), often=Often((Fraction(1), Fraction(1))))
    if times is None or rarely or times[0] != times[1] or not times[0]:
        return told
    share = Decimal(times[0].denominator) / Decimal(times[0].numerator)
    low, high = (Quantity(q.value * share, q.unit) for q in told.per_day)
    return replace(told, dose=Dose((low, high)))


def _equal(old: Value, new: Value) -> Relation:
    return "same"


def _dose(value: Value | None) -> Dose | None:
    return value if isinstance(value, Dose) else None


def _often(value: Value | None) -> Often | None:
    return value if isinstance(value, Often) else None


def _rest(work: _Work, meant: Meant) -> None:
    """Route, reason, how faithfully it is taken, and supplies."""
    same: Compare = partial(relation, units=work.units)
    says = work.event.says
    if meant.route is not None:
        change: Callable[..., tuple[Chain, Operator]] = became if says in _ORDERS else told
        work.set("route", change(work.chain("route"), meant.route, work.evidence, same))
    if meant.reason is not None:
        change = became if says in ("changed", "confirmed") else told
        work.set("for", change(work.chain("for"), meant.reason, work.evidence, same))
    if says in ("irregular", "regular"):
        value = IRREGULAR if says == "irregular" else REGULAR
        work.set("adherence", became(work.chain("adherence"), value, work.evidence, same))
    if says == "filled":
        work.fills = (*work.fills, Fill(work.event.id, work.evidence.at.last, work.event.days))


def _ends(work: _Work, meant: Meant) -> None:
    """The planned end of a course."""
    event, start = work.event, work.evidence.at.last
    last = event.until
    if last is None and meant.days is not None and event.says in _COURSES:
        last = start + timedelta(meant.days - 1)
    if last is not None:
        work.chains["taking"] = planned_end(work.chain("taking"), NOT_TAKEN, work.evidence, last)


# --- problems and allergies -------------------------------------------------------------------------------------------


def _condition(work: _Work) -> None:
    says, chain, evidence = work.event.says, work.chain("state"), work.evidence
    same: Compare = partial(relation, units=work.units)
    was = work.believed("state", evidence.at.last)
    if says == "resolved":
        work.set("state", became(chain, PAST, evidence, same, lasting=True))
    elif says == "suspected":
        work.set("state", told(chain, SUSPECTED, evidence, same))
    elif says == "denies":
        ruled_out = was == SUSPECTED or (evidence.by in _EXPERT and was is not None)
        work.set("state", (became if ruled_out else told)(chain, ABSENT, evidence, same))
    elif says in ("has", "confirmed"):
        again = was in (PAST, ABSENT, SUSPECTED) or says == "confirmed"
        work.set("state", (became if again else told)(chain, PRESENT, evidence, same))


def _allergy(work: _Work) -> None:
    says, chain, evidence = work.event.says, work.chain("state"), work.evidence
    same: Compare = partial(relation, units=work.units)
    if says == "resolved":
        work.set("state", (became if evidence.by in _EXPERT else told)(chain, PAST, evidence, same))
    elif says == "denies":
        work.set("state", told(chain, ABSENT, evidence, same))
    elif says in ("allergic", "has", "confirmed"):
        work.set("state", (became if says == "confirmed" else told)(chain, PRESENT, evidence, same))
    if work.event.reaction:
        work.set(
            "reaction", became(work.chain("reaction"), Word(work.event.reaction.lower(), work.event.reaction), evidence, same)
        )
