"""One turn of a conversation → tasks. What was said is judged by check, dose and lab; here answers are only sorted and named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from safety.adherence.answer import answer_dose
from safety.adherence.request import DoseRequest, Statement
from safety.answering.checker import Checker
from safety.answering.labs import answer_lab
from safety.edge.as_case import case_of, medication_of
from safety.edge.dictionary import TO_A_MACHINE
from safety.edge.extraction import PROPOSED, AllergySaid, Extraction, MedicationSaid, ResultSaid
from safety.edge.extractor import Extractor
from safety.edge.tasks import Call, Task, TaskKind, TurnAnswer
from safety.labs.request import LabRequest
from safety.model.patient import Case, LabResult, Medication
from safety.model.report import DoseAnswer, Finding, Report
from safety.text import fold, printable, whole

_AGENT, _PATIENT = "Agent", "Patient"
_ROLES = {"assistant": _AGENT, "agent": _AGENT, "user": _PATIENT, "patient": _PATIENT}
_ANSWERED = frozenset({"taking", "missed", "stopped", "denied"})
_WINDOW = 3
"""So many turns before what is said now are read with it: a "yes" answers the question before."""
_REMEMBERED = 256
_LOUD: tuple[Call, ...] = ("none", "pharmacist", "clinician", "emergency")
_ORDER: tuple[TaskKind, ...] = (
    "escalate", "avoid", "correct_dose", "educate", "spell", "confirm", "ask", "advise", "follow_up", "lab", "reconcile", "refer",
    "permit",
)  # fmt: skip
_QUIET = frozenset({"minor"})
_KIND_OF: dict[str, TaskKind] = {"stop": "avoid", "replace": "avoid", "reduce": "correct_dose", "increase": "correct_dose"}
_MOST_QUESTIONS = 2


class Line(Struct, frozen=True):
    """What one speaker said, by the name that a transcript gives them."""

    who: str
    text: str

    @property
    def shown(self) -> str:
        """As a line of a transcript."""
        return f"{self.who}: {' '.join(self.text.split())}"


class _Said(Struct, frozen=True):
    """A medicine as it stands after everything said so far, and the words that told it last."""

    item: MedicationSaid
    words: str


class _State(Struct, frozen=True):
    """Everything said so far: medicines by what they are, other facts, and the tasks that are open."""

    medicines: tuple[_Said, ...] = ()
    facts: Extraction = Extraction()
    tasks: tuple[Task, ...] = ()
    extraction: Extraction = Extraction()


class Conversing:
    """Answers turns for one library; what was judged is remembered, so that a turn costs only what is new."""

    def __init__(self, checker: Checker, extractor: Extractor) -> None:
        self._checker, self._extractor = checker, extractor
        self._states: dict[object, _State] = {}
        self._dose = lru_cache(_REMEMBERED)(self._answer_dose)
        self._check = lru_cache(_REMEMBERED)(checker.check)

    def turn(self, history: Sequence[Line], said: Line, case: Case, day: date) -> TurnAnswer:
        """The tasks that what was just said brings, and which it takes back, for one patient's record."""
        case = replace(case, reading=None, gold=(), revised=None)  # what is remembered is found by what it is made of
        before = self._after(tuple(history), case, day)
        now = self._next(before, tuple(history), said, case, day)
        self._remember((*history, said), case, day, now)
        known = {t.id for t in before.tasks}
        held = {t.id for t in now.tasks}
        fresh = tuple(t for t in now.tasks if t.id not in known)
        return TurnAnswer(
            fresh, tuple(t.id for t in before.tasks if t.id not in held), now.tasks, now.extraction, day.isoformat()
        )

    def _after(self, lines: tuple[Line, ...], case: Case, day: date) -> _State:
        """The state after some turns, from the longest part of them that is remembered."""
        start = next((n for n in range(len(lines), 0, -1) if (lines[:n], case, day) in self._states), 0)
        state = self._states[lines[:start], case, day] if start else _State()
        for n in range(start, len(lines)):
            state = self._next(state, lines[:n], lines[n], case, day)
        self._remember(lines, case, day, state)
        return state

    def _remember(self, lines: tuple[Line, ...], case: Case, day: date, state: _State) -> None:
        if len(self._states) >= _REMEMBERED:
            self._states.pop(next(iter(self._states)), None)
        self._states[lines, case, day] = state

    # -------------------------------------------------------------- one turn

    def _next(self, state: _State, before: tuple[Line, ...], said: Line, case: Case, day: date) -> _State:
        if said.who == _AGENT:
            return replace(state, extraction=Extraction())
        window = "\n".join(line.shown for line in before[-_WINDOW:])
        text = f"{window}\n{said.shown}" if window else said.shown
        begin = len(text) - len(said.shown)
        asked = begin - len(before[-1].shown) - 1 if before and before[-1].who == _AGENT else begin
        new = _of_this_turn(self._extractor.extract(text), begin, asked)
        if new.empty and not self._checker.terms.urgent_symptoms(said.text):
            return replace(state, extraction=new)
        medicines = self._brought_together(state.medicines, new.medications, said.text, begin)
        facts = _with_facts(state.facts, new)
        tasks = self._tasks(medicines, facts, new, said, case, day, state)
        return _State(medicines, facts, tasks, new)

    def _brought_together(
        self, before: tuple[_Said, ...], new: Sequence[MedicationSaid], words: str, begin: int
    ) -> tuple[_Said, ...]:
        """What is said last of a medicine counts; a name that was not understood goes once a name is understood."""
        kept = {_key(one.item): one for one in before}
        if any(m.normalised.status == "match" and not m.normalised.confirm for m in new):
            kept = {
                key: one for key, one in kept.items() if one.item.normalised.status == "match" and not one.item.normalised.confirm
            }
        for item in new:
            earlier = kept.get(_key(item))
            if earlier is not None and item.context == "mentioned":
                item = replace(item, context=earlier.item.context)
            told = words if any(s.start >= begin for s in (item.span, *item.also)) else f"{item.span.text}. {words}"
            kept[_key(item)] = _Said(item, told)
        return tuple(kept.values())

    def _tasks(
        self, medicines: tuple[_Said, ...], facts: Extraction, new: Extraction, said: Line, case: Case, day: date, state: _State
    ) -> tuple[Task, ...]:
        found: list[Task] = [t for t in state.tasks if t.kind == "escalate" and t.rule == _SYMPTOM]
        found += self._symptoms(said)
        for one in medicines:
            found += self._of_name(one.item)
        untold = tuple(one.item for one in medicines if one.item.context == "mentioned")
        whole = case_of(replace(facts, medications=untold), case, day)
        found += self._of_doses(medicines, whole, day)
        found += self._of_check(medicines, whole, day)
        found += [t for t in state.tasks if t.kind in ("lab", "follow_up") and not _again(t, new.results)]
        found += self._of_results(new.results, medicines, whole, day)
        found += self._unknown_to_the_record(medicines, case)
        found += _new_allergies(facts.allergies, case)
        return _each_once(found)

    # -------------------------------------------------------------- names

    def _of_name(self, item: MedicationSaid) -> Iterator[Task]:
        """A name that is not understood is spelled; one that is only near is asked back."""
        read = item.normalised
        if _is_to_a_machine(item):
            yield Task(
                f"confirm:{_about(item)}", "confirm", f"{printable(item.span.text, 60)}: {item.ask}", item.drugs, item.span.text
            )
        if item.context in ("mentioned", "someone_elses", "denied") or (read.status == "match" and not read.confirm):
            return
        heard = printable(item.span.text, 60)
        if read.status == "match":
            yield Task(f"confirm:{fold(heard)}", "confirm", f"{read.ask}", item.drugs, heard)
        elif item.context != "allergic":
            yield Task(f"spell:{fold(heard)}", "spell", f"`{heard}`: {read.ask}", read.candidates[:5], heard)

    # -------------------------------------------------------------- doses

    def _of_doses(self, medicines: Sequence[_Said], case: Case, day: date) -> Iterator[Task]:
        for one in medicines:
            item = one.item
            if not item.is_taken or not item.drugs:
                continue
            order = tuple(m for m in case.patient.medications if self._is_of(m, item.drugs))
            answer = self._dose(DoseRequest(replace(case, plan=()), order, (Statement(one.words),)), item.drugs, day)
            if answer is not None:
                yield from _of_dose(answer, item)

    def _answer_dose(self, request: DoseRequest, drugs: tuple[str, ...], day: date) -> DoseAnswer | None:
        """What is said of a dose, judged against its order; None where it was not about this medicine."""
        answer = answer_dose(self._checker, request, day)
        mine = [answer.drug] if isinstance(answer.drug, str) else list(answer.drug or ())
        return answer if set(mine) & set(drugs) else None

    def _is_of(self, medication: Medication, drugs: tuple[str, ...]) -> bool:
        read = self._checker.terms.meaning_of(medication).read
        return bool(set(read.drugs) & set(drugs))

    # -------------------------------------------------------------- the check

    def _of_check(self, medicines: Sequence[_Said], case: Case, day: date) -> Iterator[Task]:
        """What a check says of what is taken or weighed and stands in no record."""
        taken = [m.item for m in medicines if m.item.is_taken and not self._on_record(m.item, case)]
        weighed = [
            m.item
            for m in medicines
            if m.item.context in PROPOSED and not m.item.is_taken and (m.item.drugs or m.item.normalised.candidates)
        ]
        weighed += [m.item for m in medicines if _is_to_a_machine(m.item)]  # nothing they say may silence what speaks against it
        weighed = [m for m in weighed if not self._on_record(m, case)]
        if not taken and not weighed:
            return
        listed, planned = len(case.patient.medications), len(case.plan)
        patient = replace(
            case.patient, medications=(*case.patient.medications, *map(medication_of, taken)), medications_told=True
        )
        report = self._check(replace(case, patient=patient, plan=(*case.plan, *map(medication_of, weighed))), day)
        where = {f"medications[{listed + n}]": m for n, m in enumerate(taken)} | {
            f"plan[{planned + n}]": m for n, m in enumerate(weighed)
        }
        against: set[str] = set()
        for finding in report.findings:
            mine = [where[str(s.where)] for s in finding.subjects if str(s.where) in where]
            if mine and finding.severity not in _QUIET:
                against |= {str(s.where) for s in finding.subjects}
                yield _of_finding(finding, mine[0])
        yield from _questions(report, where)
        for place, item in where.items():
            if item.context == "asking" and item.drugs and place not in against:
                yield _of_silence(item, report)

    def _on_record(self, item: MedicationSaid, case: Case) -> bool:
        return bool(item.drugs) and any(self._is_of(m, item.drugs) for m in case.patient.medications)

    def _unknown_to_the_record(self, medicines: Sequence[_Said], case: Case) -> Iterator[Task]:
        """What is taken and on no list, or on the list and not taken: to be reconciled."""
        for one in medicines:
            item, name = one.item, one.item.normalised.name or one.item.span.text
            if not item.drugs or not case.patient.medications_told:
                continue
            on_record = self._on_record(item, case)
            if item.is_taken and not on_record:
                text = f"The patient takes {name}, which is not on the medication list: have it added, and reviewed."
                yield Task(f"reconcile:{_about(item)}", "reconcile", text, item.drugs, item.span.text)
            elif item.context in ("stopped", "denied") and on_record:
                text = (
                    f"The patient says that {name} is not taken; the medication list has it. Ask why, and let the care team know."
                )
                yield Task(f"reconcile:{_about(item)}", "reconcile", text, item.drugs, item.span.text, escalate="pharmacist")

    # -------------------------------------------------------------- results and symptoms

    def _of_results(self, results: Sequence[ResultSaid], medicines: Sequence[_Said], case: Case, day: date) -> Iterator[Task]:
        own = case.patient.labs or ()
        before = tuple(r for r in own if not any(r.test == new.name and str(r.value) == new.value for new in results))
        for one in results:
            line = LabResult(f"{one.name} {one.value}{f' {one.unit}' if one.unit else ''}", as_written=True)
            asked = replace(case, patient=replace(case.patient, labs=(*before, line)))
            answer = answer_lab(self._checker, LabRequest(asked, len(before), len(before)), day)
            for each in (answer, *answer.also):
                if each.test is None:
                    continue
                key, call = f"{each.test}:{each.value}", each.escalate
                if call in ("clinician", "emergency"):
                    yield Task(f"escalate:{key}", "escalate", each.task, (each.test,), one.span.text, escalate=call)
                elif each.task:
                    yield Task(f"lab:{key}", "lab", each.task, (each.test,), one.span.text, escalate=call)
                if each.ask:
                    yield Task(f"follow_up:{key}", "follow_up", each.ask, (each.test,), one.span.text)

    def _symptoms(self, said: Line) -> Iterator[Task]:
        """Symptoms with which nobody waits."""
        for symptom in dict.fromkeys(self._checker.terms.urgent_symptoms(said.text)):
            text = f"The patient tells of {symptom}: ask whether it is there now, and bring in a human at once."
            yield Task(f"escalate:{symptom}", "escalate", text, (), symptom, escalate="emergency", rule=_SYMPTOM)


_SYMPTOM = "urgent-symptoms"


def _of_dose(answer: DoseAnswer, item: MedicationSaid) -> Iterator[Task]:
    about, key, said = item.drugs, _about(item), item.span.text
    rule = next((limit.rule for limit in answer.limits if limit.exceeded), "")
    evidence = tuple(answer.evidence)
    if answer.escalate in ("clinician", "emergency") and answer.verdict == "HIGH":
        yield Task(f"escalate:{key}", "escalate", answer.task, about, said, "", answer.escalate, rule, (), evidence)
    elif answer.verdict in ("HIGH", "LOW") and answer.task:
        yield Task(
            f"correct_dose:{key}:{answer.verdict}",
            "correct_dose",
            answer.task,
            about,
            said,
            "",
            answer.escalate,
            rule,
            (),
            evidence,
        )
    if answer.missed_dose:
        yield Task(f"educate:{key}", "educate", answer.missed_dose, about, said, "", "none", "", (), evidence)
    if answer.ask and answer.verdict == "UNKNOWN":
        yield Task(f"ask:dose:{key}", "ask", answer.ask, about, said)


def _of_finding(finding: Finding, item: MedicationSaid) -> Task:
    kind = _KIND_OF.get(finding.do, "advise")
    offered = tuple(o.order for o in finding.instead)
    text = f"{finding.task} May be offered instead: {'; '.join(offered)}." if offered and kind == "avoid" else finding.task
    call = next((c for c in _LOUD if c == finding.escalate), _LOUD[0])
    return Task(
        f"{kind}:{finding.rule}:{_about(item)}", kind, text, item.drugs, item.span.text, finding.severity, call, finding.rule,
        offered, tuple(finding.evidence),
    )  # fmt: skip


def _questions(report: Report, where: Mapping[str, MedicationSaid]) -> Iterator[Task]:
    """What would settle a grave rule about what was said; the gravest few."""
    mine = {
        u.rule
        for u in report.unknown
        if any(str(s.where) in where for s in u.subjects) and u.severity in ("contraindicated", "major")
    }
    asked = [q for q in report.questions if mine & set(q.settles)]
    for q in asked[:_MOST_QUESTIONS]:
        about = tuple(dict.fromkeys(d for m in where.values() for d in m.drugs))
        yield Task(f"ask:{'+'.join(sorted(q.needs))}", "ask", q.ask, about, "", q.worst)


def _of_silence(item: MedicationSaid, report: Report) -> Task:
    """A medicine that was asked about and that nothing was found against: said only where nothing was left open."""
    name, key = item.normalised.name or item.span.text, _about(item)
    if report.verdict == "clear":
        text = f"Nothing that is held speaks against {name} for this patient, as the label directs."
        return Task(f"permit:{key}", "permit", text, item.drugs, item.span.text)
    text = f"Whether {name} suits this patient cannot be said from what is known: give no advice, refer to a pharmacist."
    return Task(f"refer:{key}", "refer", text, item.drugs, item.span.text, escalate="pharmacist")


def _new_allergies(told: Sequence[AllergySaid], case: Case) -> Iterator[Task]:
    """An allergy that the record does not have."""
    known = {fold(a.to) for a in case.patient.allergies or ()}
    for one in told:
        if not one.denied and case.patient.allergies is not None and not {fold(one.to), fold(one.span.text)} & known:
            what = printable(one.to, 60)
            text = f"The patient tells of an allergy to {what}, not on the list: ask what happened, and have it added."
            yield Task(f"reconcile:allergy:{fold(one.to)}", "reconcile", text, (), one.span.text)


def _is_to_a_machine(item: MedicationSaid) -> bool:
    """Whether a medicine was only named in words to the program that reads the text."""
    return item.context == "mentioned" and item.ask == TO_A_MACHINE and bool(item.drugs)


def _about(item: MedicationSaid) -> str:
    return "+".join(item.drugs) or fold(item.span.text)


def _key(item: MedicationSaid) -> str:
    return _about(item) if item.drugs else f"heard:{fold(item.span.text)}"


def _of_this_turn(found: Extraction, begin: int, asked: int) -> Extraction:
    """What stands in the last turn, and what the agent asked right before (from `asked` on) and the turn answered."""

    def here(item: Any) -> bool:
        return bool(item.span.start >= begin)

    def told(item: MedicationSaid) -> bool:
        told_now = (item.span, *item.also, *(q.span for q in (item.dose, item.directions) if q is not None))
        answered = item.speaker == "clinician" and item.span.start >= asked and item.context in _ANSWERED
        return answered or any(span.start >= begin for span in told_now)

    return replace(
        found, medications=tuple(filter(told, found.medications)), results=tuple(filter(here, found.results)),
        conditions=tuple(filter(here, found.conditions)), allergies=tuple(filter(here, found.allergies)),
        intake=tuple(filter(here, found.intake)), facts=tuple(filter(here, found.facts)),
    )  # fmt: skip


def _with_facts(before: Extraction, new: Extraction) -> Extraction:
    """Facts told so far; what is told later counts before what was told earlier."""
    told = {f.fact for f in new.facts}
    denied = {c.condition for c in new.conditions if c.standing in ("denied", "past")}
    allergies: tuple[AllergySaid, ...] = (*before.allergies, *(a for a in new.allergies if a not in before.allergies))
    return replace(
        before,
        facts=(*(f for f in before.facts if f.fact not in told), *new.facts),
        conditions=(*(c for c in before.conditions if c.condition not in denied), *new.conditions),
        allergies=allergies,
        intake=(*before.intake, *new.intake),
        results=(*before.results, *new.results),
    )


def _again(task: Task, results: Sequence[ResultSaid]) -> bool:
    """Whether a later result of the same test was told since."""
    return any(r.test in task.about for r in results)


def _each_once(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """Each task once, the most urgent kind first; a task to a human stands for the weaker one about the same thing."""
    found: dict[str, Task] = {}
    for task in tasks:
        found.setdefault(task.id, task)
    called = {task.about for task in found.values() if task.kind == "escalate"}
    found = {i: task for i, task in found.items() if not (task.kind == "correct_dose" and task.about in called)}
    return tuple(sorted(found.values(), key=lambda t: (_ORDER.index(t.kind), -_LOUD.index(t.escalate), t.id)))


def line_of(said: object) -> Line:
    """A line of the conversation as callers have it: text ("Patient: …", "Agent: …", else the patient's), or role and content."""
    if isinstance(said, Line):
        return said
    if isinstance(said, Mapping):
        who = str(said.get("speaker") or said.get("role") or "patient").lower()
        return Line(_ROLES.get(who, _AGENT), whole(str(said.get("text") or said.get("content") or "")))
    text = whole(str(said))
    name, colon, rest = text.partition(":")
    role = _ROLES.get(name.strip().lower()) if colon else None
    return Line(role, rest.strip()) if role is not None else Line(_PATIENT, text)
