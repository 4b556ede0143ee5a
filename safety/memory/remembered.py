"""What callers hold of one patient over time: the history, and every question that can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import partial
from typing import Any, Literal

from msgspec import Struct

from safety.answering.checker import Checker
from safety.knowledge.policy import Role
from safety.memory.as_case import case_at
from safety.memory.belief import Belief
from safety.memory.course import Course, course_of
from safety.memory.drawing import Drawn, drawn
from safety.memory.events import Event, Known
from safety.memory.folding import NOT_TAKEN
from safety.memory.history import History
from safety.memory.holding import Believed
from safety.memory.subjects import Meant, Understanding
from safety.memory.values import relation, same_day
from safety.model.patient import Case, Medication
from safety.model.report import Report

AskedVerdict = Literal["current", "superseded", "not_taken", "open", "untold"]


class Asked(Struct, frozen=True):
    """Whether a medicine, with the dose that is asked about, is what is believed to be taken: in words, and what to ask."""

    verdict: AskedVerdict
    text: str
    questions: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values."""
        return {"verdict": self.verdict, "text": self.text, "questions": list(self.questions)}


class PatientMemory:
    """One patient over time. Immutable: `with_events` gives another."""

    def __init__(self, checker: Checker, events: Iterable[Event], beside: Case | None = None) -> None:
        self._checker, self.beside = checker, beside
        self.history = History(events, Understanding(checker))

    def with_events(self, events: Iterable[Event]) -> PatientMemory:
        """The same patient with more that was told. Raises RequestError where an id tells two things."""
        return PatientMemory(self._checker, (*self.history.events, *events), self.beside)

    def belief(self, at: date, known: Known = None) -> Belief:
        """What is believed of a day; `known`: knowing what was known by a turn or by the end of a day."""
        return Belief(self.history, at, known)

    def case(self, at: date, known: Known = None) -> Case:
        """That belief as a case to check; what is open stands in it at its worst and keeps it from being clear."""
        return case_at(self.belief(at, known), self.beside)

    def check(self, at: date, known: Known = None, *, role: Role = "pharmacist") -> Report:
        """What a check says of that day; washouts and recent stops count."""
        return self._checker.check(self.case(at, known), at, role)

    def course(self, last: date, known: Known = None) -> Course:
        """When findings appear, change and clear, from the first event to a day."""
        return course_of(self.history, partial(self._checker.check), last, self.beside, known)

    def drawn(self, last: date, known: Known = None) -> Drawn:
        """The history as strips of time up to a day."""
        return drawn(self.history, last, known)

    def asked(self, medicine: str, at: date, known: Known = None) -> Asked:
        """Whether a medicine with its dose is what is taken on a day ("Should I take my 500 mg pill now?")."""
        belief = self.belief(at, known)
        one = belief.medicine(medicine)
        questions = tuple(q.ask for q in belief.asked_of(one.line))
        meant = self.history.understanding.medicine(Medication(medicine))
        taking = one.slot("taking")
        if not taking.sides:
            return Asked("untold", f"Nothing was told of {one.name} by {at}.", questions)
        if taking.standing != "known":
            return Asked("open", f"It is open whether {one.name} is taken on {at}: {taking}.", questions)
        if taking.value == NOT_TAKEN:
            return Asked("not_taken", f"{one.name} is not taken on {at}, since {taking.sides[0].since}.", questions)
        return self._of_dose(one, meant, at, questions)

    def _of_dose(self, one: Believed, meant: Meant, at: date, questions: tuple[str, ...]) -> Asked:
        dose, asked, units = one.slot("dose"), meant.regimen, self.history.understanding.units
        if dose.standing == "conflict":
            return Asked("open", f"The dose of {one.name} is open: {dose}.", questions)
        if asked.dose is None or dose.value is None:
            return Asked("current", f"{one.name} is taken on {at}{f': {dose}' if dose.sides else ''}.", questions)
        if relation(dose.value, asked.dose, units) != "differs" or same_day(one.regimen, asked, units):
            return Asked("current", f"{one.name} is taken on {at}: {dose}.", questions)
        text = f"The dose of {one.name} is {dose} since {dose.sides[0].since}, not {asked.dose}."
        return Asked("superseded", text, questions)
