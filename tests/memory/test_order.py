"""Laws of a history: it does not matter in which order, how often or in how many parts events arrive; and knowing less is knowing
only what was told by then."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.real import DAY, SMART, SYNTHEA, smart, synthea, told_by
from safety.engine import Engine
from safety.memory.belief import Belief
from safety.memory.events import Act, Event, Time
from safety.memory.history import History
from safety.memory.subjects import Understanding
from safety.model.patient import Medication

FIRST = date(2026, 1, 1)
ACTS: tuple[Act, ...] = (
    "prescribed", "started", "taking", "changed", "held", "resumed", "stopped", "denies", "confirmed", "irregular", "regular",
    "filled", "asks", "considers", "others",
)  # fmt: skip
MEDICINES = (
    "metformin", "metformin 500 mg twice daily", "Glucophage 1000 mg once daily", "metformin 850 mg for 10 days",
    "lisinopril 10 mg once daily", "lisinopril/hydrochlorothiazide 20/12.5 once daily", "hydrochlorothiazide 25 mg",
    "diclofenac 75 mg by mouth twice daily", "diclofenac 1 % gel", "insulin 10 units", "insulin glargine 12 units at bedtime",
)  # fmt: skip


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Up to 14 events about a few medicines over half a year, some with vague times, corrections and retractions."""
    count = draw(st.integers(1, 14))
    days = sorted(draw(st.lists(st.integers(0, 180), min_size=count, max_size=count)))
    found: list[Event] = []
    for n, day in enumerate(days):
        told = FIRST + timedelta(day)
        when = None
        if draw(st.booleans()):
            back, width = draw(st.integers(0, 90)), draw(st.sampled_from((0, 0, 7, 30)))
            when = Time(told - timedelta(back + width), told - timedelta(back))
        gone = draw(st.sampled_from(found)).id if found and draw(st.integers(0, 5)) == 0 else None
        if gone is not None and draw(st.booleans()):
            found.append(Event(f"e{n}", n + 1, told, "patient", "retracted", retracts=(gone,)))
            continue
        by = draw(st.sampled_from(("patient", "clinician", "record", "caregiver")))
        medicine = Medication(draw(st.sampled_from(MEDICINES)))
        says = draw(st.sampled_from(ACTS))
        corrects = (gone,) if gone is not None else ()
        why = draw(st.sampled_from(("", "x")))
        found.append(Event(f"e{n}", n + 1, told, by, says, medicine, when=when, corrects=corrects, why=why))
    return found


def days_of(events: list[Event] | tuple[Event, ...]) -> list[date]:
    some = sorted({e.at.last for e in events} | {e.told for e in events})
    return [*some[:: max(len(some) // 6, 1)], DAY]


def told(history: History, day: date, known: int | date | None = None) -> dict[str, object]:
    return Belief(history, day, known).to_dict()


@given(histories(), st.randoms(use_true_random=False))
@settings(max_examples=examples(150), deadline=None)
def test_order_and_repeats_do_not_matter(engine: Engine, events: list[Event], chance: random.Random) -> None:
    understanding = Understanding(engine.checker)
    shuffled = [*events, *chance.sample(events, k=len(events) // 2)]
    chance.shuffle(shuffled)
    one, other = History(events, understanding), History(shuffled, understanding)
    for day in days_of(events):
        assert told(one, day) == told(other, day)


@given(histories(), st.integers(0, 14))
@settings(max_examples=examples(100), deadline=None)
def test_in_parts_is_the_same_as_at_once(engine: Engine, events: list[Event], cut: int) -> None:
    understanding = Understanding(engine.checker)
    parts = History(events[cut:], understanding).with_events(events[:cut])
    for day in days_of(events):
        assert told(parts, day) == told(History(events, understanding), day)


@given(histories(), st.integers(0, 15))
@settings(max_examples=examples(150), deadline=None)
def test_knowing_so_much_is_having_been_told_so_much(engine: Engine, events: list[Event], turn: int) -> None:
    """What was believed then is what would be believed of what was told by then; later words change nothing of it."""
    understanding = Understanding(engine.checker)
    then = History([e for e in events if e.turn <= turn], understanding)
    for day in days_of(events):
        before, after = told(then, day), told(History(events, understanding), day, turn)
        assert {**before, "known": turn} == after


@given(histories())
@settings(max_examples=examples(150), deadline=None)
def test_what_is_believed_was_told_and_windows_follow_one_another(engine: Engine, events: list[Event]) -> None:
    understanding = Understanding(engine.checker)
    history = History(events, understanding)
    ids = {e.id for e in events}
    for held in history.lines.values():
        for chain in held.versions[-1].chains.values():
            starts = [u.start.last for u in chain]
            assert starts == sorted(starts)
            assert all(u.start.first <= u.start.last for u in chain)
            assert {e.event for u in chain for c in u.candidates for e in c.evidence} <= ids
            for unit in chain:  # sides of a conflict differ
                assert len({str(c.value) for c in unit.candidates}) == len(unit.candidates)


@given(histories())
@settings(max_examples=examples(100), deadline=None)
def test_every_conflict_brings_a_question_and_certainty_lies_between_0_and_1(engine: Engine, events: list[Event]) -> None:
    belief = Belief(History(events, Understanding(engine.checker)), DAY)
    for one in belief.lines:
        for slot, holding in one.slots.items():
            assert all(0 <= side.confidence <= 1 for side in holding.sides)
            if holding.standing == "conflict" and slot != "reaction":
                assert belief.asked_of(one.line)
                assert len(holding.sides) > 1


@given(histories())
@settings(max_examples=examples(60), deadline=None)
def test_taking_it_irregularly_never_stops_a_medicine(engine: Engine, events: list[Event]) -> None:
    understanding = Understanding(engine.checker)
    last = max(e.told for e in events)
    irregular = Event("last", 99, last, "patient", "irregular", Medication("metformin"))
    before = Belief(History(events, understanding), last).medicine("metformin").slot("taking")
    after = Belief(History([*events, irregular], understanding), last).medicine("metformin").slot("taking")
    if before.standing == "known" and str(before.value) == "taken":
        assert (after.standing, str(after.value)) == ("known", "taken")
    assert not (after.standing == "known" and str(after.value) == "not taken")


# ------------------------------------------------------------------ real histories

needs_records = pytest.mark.skipif(not SYNTHEA or not SMART, reason="no real records here")


def shuffled_is_the_same(engine: Engine, events: tuple[Event, ...], seed: int) -> None:
    chance, understanding = random.Random(seed), Understanding(engine.checker)
    mixed = [*events, *chance.sample(events, k=len(events) // 3)]
    chance.shuffle(mixed)
    one, other = History(events, understanding), History(mixed, understanding)
    assert one.events == other.events
    for day in days_of(events):
        assert told(one, day) == told(other, day)
        assert told(one, DAY, day) == told(other, DAY, day)


@needs_records
@pytest.mark.parametrize("name", SMART)
def test_a_real_history_with_dispenses_is_the_same_in_any_order(engine: Engine, name: str) -> None:
    record = smart(name)
    if record is not None:
        events = told_by(record, engine)
        shuffled_is_the_same(engine, events, len(events))


@needs_records
@pytest.mark.parametrize("path", SYNTHEA[::4], ids=[p.name[:12] for p in SYNTHEA[::4]])
def test_a_synthetic_history_is_the_same_in_any_order(engine: Engine, path: object) -> None:
    events = told_by(synthea(path), engine)  # type: ignore[arg-type]
    shuffled_is_the_same(engine, events, len(events))


@needs_records
def test_supplies_of_real_patients_add_up(engine: Engine) -> None:
    """Every fill with its days is counted once; days covered and days in gaps make up the time from the first fill on."""
    fills = 0
    for name in SMART:
        record = smart(name)
        if record is None:
            continue
        belief = Belief(History(told_by(record, engine), Understanding(engine.checker)), DAY)
        for one in belief.medicines:
            if one.supply is None or one.supply.ends is None:
                continue
            known = [f for f in one.supply.fills if f.days is not None]
            first = min(f.day for f in known)
            gaps = sum((b - a).days + 1 for a, b in one.supply.gaps)
            assert (one.supply.ends - first).days + 1 == sum(f.days or 0 for f in known) + gaps
            fills += len(one.supply.fills)
    assert fills > 300
