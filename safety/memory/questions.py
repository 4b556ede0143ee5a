"""The question that would settle what is open: said once, plainly, with both sides and their days."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date

from safety.memory.doubts import Doubt
from safety.memory.events import Event
from safety.memory.folding import TAKEN
from safety.memory.holding import Believed, Holding, Question, Side
from safety.memory.subjects import Line, Meant
from safety.memory.values import Slot

_ASKED: Mapping[Slot, str] = {
    "taking": "Is {name} taken now?", "dose": "How much {name} is taken at a time?", "frequency": "How often is {name} taken?",
    "route": "How is {name} taken: by mouth, injected, or otherwise?", "for": "What is {name} taken for?",
    "adherence": "How regularly is {name} taken?", "state": "Does the patient have {name}?",
}  # fmt: skip
_OF_ALLERGY = "Is there an allergy to {name}?"
_WHOSE = {
    "clinician": "a clinician said",
    "record": "the record says",
    "patient": "the patient said",
    "caregiver": "a caregiver said",
    "inferred": "it was taken for granted",
}


def questions_of(
    lines: Iterable[Believed], results: Iterable[tuple[str, Holding, date]], doubts: Iterable[Doubt],
    events_of: Callable[[Line], list[tuple[Event, Meant]]], dose_is_of_before: Callable[[Line], bool],
) -> Iterator[Question]:  # fmt: skip
    """Every question, in the order in which its lines were first told.

    `dose_is_of_before`: whether the only dose that is known of a line is from before it was stopped.
    """
    for one in lines:
        about = str(one.line)
        for slot, holding in one.slots.items():
            if holding.standing == "conflict" and slot in _ASKED:
                open_ = [e for e, _ in events_of(one.line) if e.among and e.id in _events(holding)]
                yield (
                    _which(open_[-1], about, holding)
                    if open_
                    else Question(_of_conflict(one, slot, holding), about, _events(holding))
                )
        if one.slot("taking").value == TAKEN and not one.slot("dose").sides and dose_is_of_before(one.line):
            ask = f"At which dose is {one.name} taken now? The last one known is from before it was stopped or changed."
            yield Question(ask, about, ())
        unsure = next(((e, m) for e, m in events_of(one.line) if m.ask), None)
        if unsure is not None:
            yield Question(unsure[1].ask, about, (unsure[0].id,))
    for name, holding, day in results:
        if holding.standing == "conflict":
            sides = " or ".join(str(s.value) for s in holding.sides)
            yield Question(f"Which {name} was it on {day}: {sides}?", name, _events(holding))
    yield from (Question(d.ask, d.events[0], d.events) for d in doubts)


def _which(event: Event, about: str, holding: Holding) -> Question:
    """Which of several medicines was meant."""
    words = f" “{event.said.text}”," if event.said.text else ""
    return Question(
        f"Which is meant: {' or '.join(event.among)}? It was said on {event.told}:{words} {event.says}.", about, _events(holding)
    )


def _of_conflict(one: Believed, slot: Slot, holding: Holding) -> str:
    asked = (_OF_ALLERGY if one.line.kind == "allergy" else _ASKED[slot]).format(name=one.name)
    return f"{asked} {'; '.join(_side(s) for s in holding.sides)}."


def _side(side: Side) -> str:
    last = max(side.evidence, key=lambda e: (e.turn, e.event))
    when = f" on {last.told}" if last.told else ""
    return f"{side.value}, {_WHOSE[last.by]}{when}"


def _events(holding: Holding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e.event for s in holding.sides for e in s.evidence))
