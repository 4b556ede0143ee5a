"""The question that would settle what is open: said once, plainly, with both sides and their days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from safety.memory.belief import Belief, Believed, Holding, Question, Side
from safety.memory.chains import at
from safety.memory.folding import TAKEN
from safety.memory.values import Slot

_ASKED: Mapping[Slot, str] = {
    "taking": "Is {name} taken now?", "dose": "How much {name} is taken at a time?", "frequency": "How often is {name} taken?",
    "route": "How is {name} taken: by mouth, injected, or otherwise?", "for": "What is {name} taken for?",
    "adherence": "How regularly is {name} taken?", "state": "Does the patient have {name}?",
}  # fmt: skip
_OF_ALLERGY = "Is there an allergy to {name}?"
_WHOSE = {"clinician": "a clinician said", "record": "the record says", "patient": "the patient said", "caregiver": "a caregiver said", "inferred": "it was taken for granted"}


def questions_of(belief: Belief) -> Iterator[Question]:
    """Every question, in the order in which its lines were first told."""
    for one in belief.lines:
        about = str(one.line)
        for slot, holding in one.slots.items():
            if holding.standing == "conflict" and slot in _ASKED:
                yield Question(_of_conflict(one, slot, holding), about, _events(holding))
        yield from _begun_again(belief, one, about)
        unsure = next(((e, m) for e, m in belief.known_events(one.line) if m.ask), None)
        if unsure is not None:
            yield Question(unsure[1].ask, about, (unsure[0].id,))
    for name, holding, day in belief.results:
        if holding.standing == "conflict":
            sides = " or ".join(str(s.value) for s in holding.sides)
            yield Question(f"Which {name} was it on {day}: {sides}?", name, _events(holding))
    yield from (Question(d.ask, d.events[0], d.events) for d in belief.doubts)


def _of_conflict(one: Believed, slot: Slot, holding: Holding) -> str:
    asked = (_OF_ALLERGY if one.line.kind == "allergy" else _ASKED[slot]).format(name=one.name)
    return f"{asked} {'; '.join(_side(s) for s in holding.sides)}."


def _side(side: Side) -> str:
    last = max(side.evidence, key=lambda e: (e.turn, e.event))
    when = f" on {last.told}" if last.told else ""
    return f"{side.value}, {_WHOSE[last.by]}{when}"


def _begun_again(belief: Belief, one: Believed, about: str) -> Iterator[Question]:
    """The dose of what is taken again after a stop, where only the dose of before is known."""
    if one.slot("taking").value != TAKEN or one.slot("dose").sides:
        return
    held = belief.history.lines[one.line]
    slots = held.slots(belief.history.known(belief.known))
    chain = slots.chain("dose") if slots is not None else ()
    place = at(chain, belief.day)
    if place is not None and chain[place].how == "closed":
        yield Question(f"At which dose is {one.name} taken again? The last one known is from before it was stopped.", about, ())


def _events(holding: Holding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e.event for s in holding.sides for e in s.evidence))


