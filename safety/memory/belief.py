"""What is believed of a patient as of a day, knowing so much; what is open, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from safety.memory.chains import Candidate, Chain, Evidence, Unit, at
from safety.memory.confidence import confidence
from safety.memory.doubts import Doubt, doubts
from safety.memory.events import Event, Known, Time
from safety.memory.folding import NOT_TAKEN, TAKEN, Fill, Slots
from safety.memory.history import Held, History, Measured
from safety.memory.holding import Believed, Holding, Question, Side, Supply
from safety.memory.questions import questions_of
from safety.memory.subjects import Line, Meant
from safety.memory.values import MEDICINE_SLOTS, Slot, Value, Word
from safety.model.patient import Medication
from safety.model.quantity import plain


class Belief:
    """What is believed as of a day, knowing so much. `questions` and `doubts` are worked out when they are asked for."""

    def __init__(self, history: History, day: date, known: Known = None) -> None:
        self.history, self.day, self.known = history, day, known
        self._count = history.known(known)
        self._turns = max((e.turn for e in history.events[self._count - 1 : self._count]), default=0)

    @cached_property
    def lines(self) -> tuple[Believed, ...]:
        """Every line of which something was told, in the order in which it was first told."""
        return tuple(one for line in self.history.lines if (one := self.of_line(line)) is not None)

    def of_line(self, line: Line) -> Believed | None:
        """What is believed of one line; None where nothing was told of it."""
        held = self.history.lines.get(line)
        slots = held.slots(self._count) if held is not None else None
        return self._believed(line, held, slots) if held is not None and slots is not None else None

    def _believed(self, line: Line, held: Held, slots: Slots) -> Believed:
        kinds: Sequence[Slot] = MEDICINE_SLOTS if line.kind == "medicine" else ("state", "reaction")
        found = {name: self._slot(held, slots.chain(name)) for name in kinds if name in slots.chains}
        drugs = next((m.drugs for _, _, m in held.events if line.key == m.key), ())
        supply = _supply(slots.fills, self.day) if slots.fills else None
        return Believed(line, held.name, {k: v for k, v in found.items() if v.sides}, supply, drugs)

    def _slot(self, held: Held, chain: Chain) -> Holding:
        place = at(chain, self.day)
        unit = chain[place] if place is not None else None
        after = 0 if place is None else place + 1
        if after < len(chain) and chain[after].start.first <= self.day:  # it may have begun by then
            sides = (*self._sides(unit), *self._sides(chain[after]))
            return Holding("unsure", tuple(sorted(sides, key=lambda s: -s.confidence)))
        if unit is None or not unit.candidates:
            return Holding()
        if not unit.conflicting:
            return Holding("known", self._sides(unit))
        doubted = frozenset(event for doubt in self._doubts_of(held) for event in doubt.events)
        return Holding("conflict", self._sides(unit, doubted))

    def _sides(self, unit: Unit | None, doubted: frozenset[str] = frozenset()) -> tuple[Side, ...]:
        if unit is None:
            return ()
        ranked = sorted(unit.candidates, key=lambda c: (-c.latest, str(c.value))) if unit.conflicting else unit.candidates
        since = [_first_told(c) if unit.conflicting else unit.start for c in ranked]
        sides = [Side(c.value, confidence(c, self._turns, doubted), s, c.evidence) for c, s in zip(ranked, since, strict=True)]
        return tuple(sorted(sides, key=lambda s: -s.confidence)) if len(sides) > 1 else tuple(sides)

    # -------------------------------------------------------------- one thing

    @property
    def medicines(self) -> tuple[Believed, ...]:
        """Every medicine of which something was told."""
        return tuple(one for one in self.lines if one.line.kind == "medicine")

    @property
    def conditions(self) -> tuple[Believed, ...]:
        """Every problem of which something was told."""
        return tuple(one for one in self.lines if one.line.kind == "condition")

    @property
    def allergies(self) -> tuple[Believed, ...]:
        """Every allergy of which something was told."""
        return tuple(one for one in self.lines if one.line.kind == "allergy")

    def medicine(self, name: str) -> Believed:
        """A medicine by any of its names; with nothing in it where nothing was told. One that is no more taken by itself and is
        taken in a combination is the combination: who was moved from latanoprost to Rocklatan takes latanoprost."""
        meant = self.history.understanding.medicine(Medication(name))
        line = self.history.medicine_line(meant)
        own = self._named(line if line in self.history.lines else self._holding(meant, line), meant)
        taking = own.slot("taking")
        if taking.standing != "untold" and (taking.value != NOT_TAKEN or taking.standing != "known"):
            return own
        held = [self._named(one, meant) for one in self._combinations(meant) if one != line]
        taken = [one for one in held if one.slot("taking").value == TAKEN and one.slot("taking").standing == "known"]
        return taken[0] if len(taken) == 1 else own

    def _combinations(self, meant: Meant) -> Iterator[Line]:
        """The lines of products of several ingredients, one of which is all of a medicine."""
        for held in self.history.lines.values():
            if held.line.kind == "medicine" and any(set(meant.drugs) < set(m.drugs) for _, _, m in held.events if meant.drugs):
                yield held.line

    def _holding(self, meant: Meant, line: Line) -> Line:
        """The one line of a product of several ingredients of which a medicine that was never told by itself is one, or that
        it is a salt of; its own where there is none, or several."""
        wanted = set(meant.drugs)
        found = {
            held.line for held in self.history.lines.values()
            if held.line.kind == "medicine" and wanted
            and any(m.drugs and (wanted <= set(m.drugs) or wanted <= set(m.one_of)) for _, _, m in held.events)
        }  # fmt: skip
        return found.pop() if len(found) == 1 else line

    def condition(self, text: str) -> Believed:
        """A problem by any of its names."""
        meant = self.history.understanding.condition(text)
        return self._named(Line("condition", meant.key), meant)

    def allergy(self, text: str) -> Believed:
        """An allergy by any of its names; without one of its own, one that covers it (to its class, or a product with it)."""
        meant = self.history.understanding.allergy(text)
        line = Line("allergy", meant.key)
        covers = (
            held.line for held in self.history.lines.values()
            if held.line.kind == "allergy" and meant.drugs and any(set(meant.drugs) <= set(m.drugs) for _, _, m in held.events)
        )  # fmt: skip
        return self._named(line if line in self.history.lines else next(covers, line), meant)

    def _named(self, line: Line, meant: Meant) -> Believed:
        return self.of_line(line) or Believed(line, meant.name, {})

    def result(self, test: str) -> Holding:
        """The newest result of a test on or before the day; a conflict where that day has two."""
        key = self.history.understanding.test(test)
        return self._result(Line("result", key))

    @cached_property
    def results(self) -> tuple[tuple[str, Holding, date], ...]:
        """The newest result of every test, with its name and day."""
        found = []
        for line, measured in self.history.results.items():
            held = self._result(line)
            if held.sides:
                found.append((measured[0].meant.name, held, held.sides[0].since.last))
        return tuple(found)

    def _result(self, line: Line) -> Holding:
        told = self.counted(line)
        newest: list[Measured] = []
        for one in reversed(told):
            if newest and one.event.at != newest[0].event.at:
                break
            newest.append(one)
        groups: list[list[Measured]] = []
        for one in reversed(newest):
            group = next((g for g in groups if self._same_result(g[0], one)), None)
            if group is None:
                groups.append([one])
            else:
                group.append(one)
        sides = [self._side(group) for group in groups]
        ordered = tuple(sorted(sides, key=lambda s: -s.confidence))
        return Holding("conflict" if len(ordered) > 1 else "known", ordered) if ordered else Holding()

    def counted(self, line: Line) -> list[Measured]:
        """The results of a test that are known and count, by their days, up to the day."""
        gone = self.history.gone
        return [
            m for m in self.history.results.get(line, ())
            if m.place < self._count and m.event.at.last <= self.day and gone.get(m.event.id, self._count) >= self._count
        ]  # fmt: skip

    def _same_result(self, one: Measured, other: Measured) -> bool:
        a, b = one.meant, other.meant
        if a.amount is None or b.amount is None:
            return a.word == b.word and a.amount == b.amount
        if a.amount.unit == b.amount.unit or not a.amount.unit or not b.amount.unit:
            return a.amount.value == b.amount.value
        return self.history.understanding.same_amount(a.key, a.amount, b.amount)

    def _side(self, group: Sequence[Measured]) -> Side:
        evidence = tuple(Evidence(m.event.id, m.event.turn, m.event.told, m.event.by, m.event.at) for m in group)
        first = group[0]
        shown = _measured(first.meant)
        return Side(shown, confidence(Candidate(shown, evidence), self._turns), first.event.at, evidence)

    # -------------------------------------------------------------- what is open

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What cannot well have been so, of everything that is known."""
        return tuple(doubt for held in self.history.lines.values() for doubt in self._doubts_of(held))

    def _doubts_of(self, held: Held) -> tuple[Doubt, ...]:
        told = self.history.counting(held, self._count)
        alone = not any(e.because_of for _, e, _ in told)
        key = held.line, held.version(self._count) if alone else -self._count
        found = self.history.doubted.get(key)
        if found is None:
            found = doubts(told, held.name, self.history.understanding.units, self._begun)
            self.history.doubted[key] = found
        return found

    def _begun(self, name: str) -> date | None:
        """The first day on which a medicine may have been taken, where its beginning was told."""
        meant = self.history.understanding.medicine(Medication(name))
        held = self.history.lines.get(self.history.medicine_line(meant))
        slots = held.slots(self._count) if held is not None else None
        for unit in slots.chain("taking") if slots is not None else ():
            if unit.how == "began" and any(c.value == TAKEN for c in unit.candidates):
                return unit.start.first
        return None

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What would settle each conflict, each doubt, and each name that is not sure; and the dose of what was begun again."""
        return tuple(questions_of(self.lines, self.results, self.doubts, self.known_events, self._dose_is_of_before))

    def _dose_is_of_before(self, line: Line) -> bool:
        """Whether the last dose that is known is from before a stop."""
        slots = self.history.lines[line].slots(self._count)
        chain = slots.chain("dose") if slots is not None else ()
        place = at(chain, self.day)
        return place is not None and chain[place].how == "closed"

    def asked_of(self, line: Line) -> tuple[Question, ...]:
        """The questions about one line."""
        return tuple(q for q in self.questions if q.about == str(line))

    def known_events(self, line: Line) -> list[tuple[Event, Meant]]:
        """The events of a line that are known."""
        held = self.history.lines.get(line)
        return [(e, m) for _, e, m in self.history.counting(held, self._count)] if held is not None else []

    def to_dict(self) -> dict[str, Any]:
        """The belief as plain values."""
        results = [{"test": name, "on": day.isoformat()} | held.to_dict() for name, held, day in self.results]
        known = self.known.isoformat() if isinstance(self.known, date) else self.known
        return {
            "belief": 1, "as_of": self.day.isoformat(), "known": known, "events": self._count,
            "medicines": [m.to_dict() for m in self.medicines], "conditions": [c.to_dict() for c in self.conditions],
            "allergies": [a.to_dict() for a in self.allergies], "results": results,
            "questions": [{"ask": q.ask, "about": q.about, "events": list(q.events)} for q in self.questions],
            "doubts": [{"kind": d.kind, "events": list(d.events), "text": d.text} for d in self.doubts],
        }  # fmt: skip


def _first_told(candidate: Candidate) -> Time:
    """Since when one side of a conflict is told to be so."""
    return min((e.at for e in candidate.evidence), key=lambda at: at.last)


def _supply(fills: Sequence[Fill], day: date) -> Supply | None:
    """How far supplies reach on a day: what is handed out early is used up after what there was before."""
    known = sorted((f for f in fills if f.day <= day), key=lambda f: (f.day, f.event))
    if not known:
        return None
    ends: date | None = None
    gaps: list[tuple[date, date]] = []
    early: list[date] = []
    for fill in known:
        if fill.days is None:
            continue
        if ends is not None and fill.day > ends + timedelta(1):
            gaps.append((ends + timedelta(1), fill.day - timedelta(1)))
        if ends is not None and fill.day <= ends:
            early.append(fill.day)
        first = fill.day if ends is None or fill.day > ends else ends + timedelta(1)
        ends = first + timedelta(fill.days - 1)
    return Supply(tuple(known), known[-1].day, ends, tuple(gaps), tuple(early))


def _measured(meant: Meant) -> Value:
    shown = f"{plain(meant.amount.value)} {meant.amount.unit}".strip() if meant.amount is not None else meant.word
    return Word(shown)
