"""What is believed of a day, as a case to check: what is open stands in it at its worst, and keeps it from being clear."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from msgspec.structs import replace

from safety.memory.belief import Belief
from safety.memory.chains import at
from safety.memory.folding import ABSENT, HELD, NOT_TAKEN, PAST, PRESENT, SUSPECTED, TAKEN
from safety.memory.holding import Believed, Holding
from safety.memory.subjects import is_local
from safety.model.patient import Allergy, Case, LabResult, Medication, Patient, Reading, Told, Unread
from safety.model.quantity import number

_WHERE = "what was told over time"
_NOBODY = Case(Patient(medications_told=False))


def case_at(belief: Belief, beside: Case | None = None) -> Case:
    """The case of a day: medicines that are, may be, or lately were taken; problems, allergies and results known by then.

    `beside`: what else is known of the patient. A medicine of which it is open whether it is taken counts as taken.
    """
    before = beside or _NOBODY
    open_: list[Unread] = []
    patient = before.patient
    medications = tuple(_medications(belief, open_))
    conditions = tuple(_conditions(belief, open_))
    allergies, told = tuple(_allergies(belief, open_)), any(a.slot("state").sides for a in belief.allergies)
    labs = tuple(_labs(belief))
    new = replace(
        patient,
        medications=(*patient.medications, *medications),
        medications_told=patient.medications_told or any(m.slot("taking").sides for m in belief.medicines),
        conditions=(*(patient.conditions or ()), *conditions) if conditions or patient.conditions is not None else None,
        allergies=(*(patient.allergies or ()), *allergies) if told or patient.allergies is not None else None,
        labs=(*(patient.labs or ()), *labs) if labs or patient.labs is not None else None,
    )
    open_ += [Unread(d.text, _WHERE, "it cannot well have been so", "part") for d in belief.doubts]
    reading = Reading({}, {}, tuple(dict.fromkeys(open_))) if open_ else before.reading
    return replace(before, patient=new, as_of=belief.day, reading=reading)


# --- medicines --------------------------------------------------------------------------------------------------------


def _medications(belief: Belief, open_: list[Unread]) -> Iterator[Medication]:
    for one in belief.medicines:
        taking = one.slot("taking")
        if not taking.sides:
            continue
        settled = taking.standing == "known"
        if settled and taking.value == NOT_TAKEN:
            stopped = _stopped(belief, one)
            if stopped is not None:
                yield replace(_as_told(belief, one), stopped=True, until=stopped)
            continue
        if settled and taking.value == HELD:
            open_.append(Unread(one.name, _WHERE, "it is held: is it to be taken again?", "part"))
            yield replace(_as_told(belief, one), stopped=True, until=taking.sides[0].since.last - timedelta(1))
            continue
        if not settled:
            open_.append(Unread(one.name, _WHERE, f"whether it is taken is open ({taking})", "part"))
        for slot in ("dose", "frequency", "route"):
            if one.slot(slot).standing in ("conflict", "unsure"):
                open_.append(Unread(one.name, _WHERE, f"its {slot} is open ({one.slot(slot)})", "part"))
        yield replace(_as_told(belief, one), since=_since(taking))


def _since(taking: Holding) -> date | None:
    """The day from which it is known to be taken, where that day was told and whether it is taken is not open."""
    if taking.standing != "known":
        return None
    sides = [s for s in taking.sides if s.value == TAKEN]
    return sides[0].since.last if sides and sides[0].since.exact and sides[0].since.first != date.min else None


def _stopped(belief: Belief, one: Believed) -> date | None:
    """The last day on which it may have been taken; None where it never was."""
    slots = belief.history.lines[one.line].slots(belief.history.known(belief.known))
    chain = slots.chain("taking") if slots is not None else ()
    place = at(chain, belief.day)
    if place is None or place == 0 or chain[place].how == "implied":
        return None
    return chain[place].start.last - timedelta(1)


def _as_told(belief: Belief, one: Believed) -> Medication:
    """The medicine in the words of the event that tells its dose; put together where dose and frequency were told apart."""
    events = {e.id: e for e, _ in belief.known_events(one.line)}
    dose, often = one.slot("dose"), one.slot("frequency")
    of_dose = {e.event for e in dose.sides[0].evidence} if dose.sides else set()
    of_often = {e.event for e in often.sides[0].evidence} if often.sides else set()
    together = (of_dose & of_often) or (of_dose or of_often if not (of_dose and of_often) else set())
    named = [e for e in events.values() if e.medicine is not None]
    told = [e for e in named if e.id in together]
    if told or len(one.drugs) != 1 or is_local((one.line.route,)):
        medicine = (told or named)[-1].medicine
        assert medicine is not None
        return replace(medicine, since=None, until=None)
    often_said = str(often.value) if often.sides else None
    route = str(one.slot("route").value) if one.slot("route").sides else None
    amount = str(dose.value) if dose.sides else None
    text = " ".join(part for part in (one.name, amount, often_said) if part)
    return Medication(text, drug=one.name, dose=amount, frequency=often_said, route=route)


# --- the rest ---------------------------------------------------------------------------------------------------------


def _conditions(belief: Belief, open_: list[Unread]) -> Iterator[Told]:
    for one in belief.conditions:
        state = one.slot("state")
        if not state.sides or (state.standing == "known" and state.value == ABSENT):
            continue
        since = state.sides[0].since
        onset = since.last if since.exact and state.value == PRESENT else None
        if state.standing != "known":
            open_.append(Unread(one.name, _WHERE, f"whether it is there is open ({state})", "part"))
            yield Told(one.name)
        elif state.value == SUSPECTED:
            yield Told(f"possible {one.name}")
        else:
            yield Told(one.name, status="past" if state.value == PAST else "active", onset=onset)


def _allergies(belief: Belief, open_: list[Unread]) -> Iterator[Allergy]:
    for one in belief.allergies:
        state = one.slot("state")
        if one.line.key == "*" or not state.sides or (state.standing == "known" and state.value != PRESENT):
            continue
        if state.standing != "known":
            open_.append(Unread(one.name, _WHERE, f"whether there is an allergy is open ({state})", "part"))
        reaction = one.slot("reaction")
        yield Allergy(one.name, str(reaction.value) if reaction.sides else None)


def _labs(belief: Belief) -> Iterator[LabResult]:
    for line in belief.history.results:
        for measured in belief.counted(line):
            event = measured.event
            value = number(event.value)
            on = event.at.last
            if value is not None:
                yield LabResult(event.test, value, event.unit or None, on)
            elif event.value:
                yield LabResult(event.test, event.value, event.unit or None, on)
