"""A number of which nobody said what it is: taken as the first of a panel that needs no name ("125"), and asked about."""

from __future__ import annotations

from msgspec.structs import replace

from safety.answering.lab_result import Question, answer_of
from safety.answering.lab_wording import CRITICAL
from safety.knowledge.library import Lab, Panel
from safety.model.lab_answer import LabAnswer
from safety.model.patient import LabResult
from safety.model.position import Position
from safety.model.quantity import number
from safety.reading.results.unsaid import plausible
from safety.understanding.told_results import Placed


def of_a_lone_number(q: Question) -> LabAnswer | None:
    """The answer to a whole number alone, as the first of a panel in which it can be; None for anything else.

    A critical one is not judged, as nobody said that it is of this test: what is to be done if it is, is told.
    """
    labs = q.request.case.patient.labs or ()
    said = labs[-1].test.strip(" .?!") if len(labs) == q.request.asked + 1 and labs[-1].as_written else ""
    found = _first_of_a_panel(said, q)
    if found is None:
        return None
    panel, test = found
    placed = Placed(LabResult(test.name, number(said), test.unit), Position("labs", q.request.asked), test)
    answer = answer_of(placed, q)
    ask = f"Is {said} the first number of a {panel.name}? And what was the second?"
    notes = [*answer.notes, f"no test named: taken as {test.name}"]
    if answer.status in CRITICAL:
        task = f"{ask} If it is, {test.name} is critical: call the clinician now; with symptoms call 911."
        return replace(answer, status="unknown", escalate="none", needs=["test", "value"], ask=ask, task=task, notes=notes)
    task = " ".join(part for part in (answer.task, ask) if part)
    return replace(answer, needs=["test", "value"], ask=ask, task=task, notes=notes)


def _first_of_a_panel(said: str, q: Question) -> tuple[Panel, Lab] | None:
    if not said.isdecimal():
        return None
    value, library = number(said), q.checker.library
    named = ((p, library.lab[p.parts[0]]) for p in library.panels if p.without_a_name and p.first_alone)
    return next(((p, test) for p, test in named if value is not None and plausible(value, test)), None)
