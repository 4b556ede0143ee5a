"""When a test is to be measured: the answer to "is my potassium due?", and what all the medicines of a patient need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.asked_medicine import begun_days, begun_in, levels_by_name, named_in
from safety.answering.checker import Checker
from safety.answering.lab_wording import loudest
from safety.labs.request import LabRequest
from safety.model.lab_answer import LabAnswer
from safety.model.patient import LabResult
from safety.model.report import Due
from safety.reading.results.asked import AskedWhen
from safety.text import printable

_NAME = "tests that are due"
_ONCE = 3000
"""A test that lasts so many days is done once."""
_WHICH = "Which medicines are taken? They decide what is to be measured, and when."


def asked_when(request: LabRequest, checker: Checker, day: date) -> AskedWhen | None:
    """The tests of which it is asked when they are to be measured; None where nothing of the kind is asked.

    Since when a medicine is taken says nothing of when they were last: "on heparin since yesterday, next PTT?".
    """
    asked = (request.case.patient.labs or ())[request.asked :]
    lines = checker.terms.result_lines
    when = lines.asks_when(asked[0].test, day) if len(asked) == 1 and asked[0].as_written else None
    if when is not None and when.last is not None and when.last in begun_days(request, checker, day).values():
        return replace(when, last=None, last_of=())
    return when


def due_of(request: LabRequest, checker: Checker, day: date, *, told: bool = False) -> list[Due]:
    """What the medicines need measured, by the results on file, if any are told, and by those of the question (`told`)."""
    patient = request.case.patient
    filed = (patient.labs or ())[: request.asked] or (() if request.listed else None)
    plan = (*request.case.plan, *begun_in(request, checker, day))

    def by(labs: Sequence[LabResult] | None) -> list[Due]:
        case = replace(request.case, patient=replace(patient, labs=None if labs is None else tuple(labs)), plan=plan)
        return checker.due(case, day)

    on_file = by(filed)
    if not told:
        return on_file
    settled = {rule: d for d in on_file if d.state != "not told" for rule in d.rules}
    each = by(patient.labs)  # what a question tells and nobody can use opens nothing: "lithium 900, which labs"
    return [next((settled[r] for r in d.rules if r in settled), d) if d.state == "not told" else d for d in each]


def when_due(asked: AskedWhen, due: Sequence[Due], request: LabRequest, checker: Checker, day: date) -> LabAnswer:
    """Whether the tests that are asked about are due, and when next; of one that no medicine and no problem needs, that."""
    taken = request.case.patient.medications
    of = _Of.line(request, checker)
    meant = _as_all_told([d for d in due if _is_meant(d, asked, of)], asked, day)
    unneeded = "" if meant or not asked.named else _nothing_needs(", ".join(checker.library.lab[t].name for t in asked.named))
    if unneeded:  # "do I need an INR with Eliquis", "how often a finger stick for Coumadin"
        meant = _as_all_told([d for d in due if not of.medicines.isdisjoint(d.medicines)], asked, day)
    which = _WHICH if taken is None else ""
    each = dict.fromkeys(t for d in meant for t in d.tests if t in asked.tests) if len(meant) == 1 else asked.named
    test = next(iter(each), None) if len(meant) == 1 or len(asked.named) == 1 else None
    if not meant:
        names = ", ".join(dict.fromkeys(checker.library.lab[t].name for t in asked.named))
        ask = "" if taken else _WHICH
        task = ask or _nothing_needs(names or "a test")
        return LabAnswer(test, _NAME, "", "unknown", needs=["medications"] if ask else [], ask=ask, task=task)
    said = [" ".join(one for one in (*_each(d, day), _advice(d), *_how_often(d)) if one) for d in meant]
    untold = any(d.state == "not told" for d in meant)
    call = loudest("none", *("pharmacist" for d in meant if d.state == "due"))
    asks = [*(_when_last(d) for d in meant if d.state == "not told"), which]
    return LabAnswer(
        test, _NAME, "", "unknown" if untold else "normal", due=meant, escalate=call,
        task=" ".join(one for one in (unneeded, *said, which) if one), ask=" ".join(one for one in asks if one),
        needs=[*(["history"] if untold else []), *(["medications"] if which else [])],
    )  # fmt: skip


def _nothing_needs(names: str) -> str:
    return (
        f"No medicine and no problem on the list needs {names} by the rules held here. "
        "Whether it is wanted for another reason, ask the clinician who orders it."
    )


class _Of(Struct, frozen=True):
    """The medicines that the question names, and the tests that are called as they are."""

    medicines: frozenset[str] = frozenset()
    levels: frozenset[str] = frozenset()

    @classmethod
    def line(cls, request: LabRequest, checker: Checker) -> _Of:
        named = named_in(request, checker)
        names = frozenset(checker.library.name_of(drug) for one in named for drug in one.drugs)
        return cls(names, levels_by_name(request, named, checker))


def _is_meant(due: Due, asked: AskedWhen, of: _Of) -> bool:
    """Whether it is one of the tests asked about; or one that a named medicine needs, where no other test is asked about
    ("my digoxin labs", "clozapine month 2, what do you want")."""
    of_a_medicine = not of.medicines.isdisjoint(due.medicines) and (bool(asked.of) or asked.tests <= of.levels)
    return asked.all or of_a_medicine or not asked.tests.isdisjoint(due.tests)


def due_beside(tests: Sequence[str], request: LabRequest, checker: Checker, day: date) -> LabAnswer | None:
    """When tests of which no value is told, or those of a medicine that is named, are to be measured; None where none of them
    is needed, or where nobody told which results are on file."""
    asked = AskedWhen(tuple(tests), of=" ".join(one.test for one in (request.case.patient.labs or ())[request.asked :]))
    of = _Of.line(request, checker)
    due = [d for d in due_of(request, checker, day) if d.state != "not told"]
    meant = [d for d in due if _is_meant(d, asked, of)]
    return when_due(asked, meant, request, checker, day) if meant else None


def _as_told(due: Due, asked: AskedWhen, day: date) -> Due:
    """Whether it is due by the day on which the question says that it was last measured, where none as new is on file."""
    last = asked.last
    if last is None or due.every is None or (due.last and _is_as_new(date.fromisoformat(due.last), last, day)):
        return due
    if asked.last_of and set(asked.last_of).isdisjoint(due.tests):
        return due  # "on digoxin, K and mag last checked in May" says nothing of a digoxin level
    if (day - last).days <= due.every:
        return replace(due, state="in time", last=last.isoformat())
    return replace(due, state="due", last=last.isoformat(), saw=f"last on {last}, more than {due.every} days ago")


def _is_as_new(filed: date, last: date, day: date) -> bool:
    """Whether the day on file is no older than the one told; of a month or a year that is told, "5/2026", "last year", one that
    lies in it is."""
    ends_a_month = (last + timedelta(days=1)).day == 1
    last_year = (last.month, last.day) == (day.month, day.day) and filed.year == last.year < day.year
    return filed >= last or last_year or (ends_a_month and (filed.year, filed.month) == (last.year, last.month))


def _as_all_told(due: Sequence[Due], asked: AskedWhen, day: date) -> list[Due]:
    """Each as the question tells it; where some were measured on file when it says, it speaks of those, and the others are as
    old as the file has them ("last chem panel in September" beside an A1c of a year ago)."""
    told = [_as_told(d, asked, day) for d in due]
    kept = any(d.last and asked.last is not None and _is_as_new(date.fromisoformat(d.last), asked.last, day) for d in due)
    return [d if kept and d.last else one for d, one in zip(due, told, strict=True)]


def _each(due: Due, day: date) -> Iterable[str]:
    if due.state == "due":
        yield f"Due now: {_for_whom(due)}; {printable(due.saw)}."
    elif due.state == "not told":
        yield _when_last(due)
    else:
        yield f"In time: {_for_whom(due)}, last on {due.last}." if due.last else f"In time: {_for_whom(due)}."
        if due.last and due.every:
            yield f"Next by {date.fromisoformat(due.last) + timedelta(days=due.every)} at the latest."


def _how_often(due: Due) -> Iterable[str]:
    if due.every is not None and due.every < _ONCE and due.state == "not told":
        yield f"It is never left for more than {due.every} days."


def _advice(due: Due) -> str:
    return due.advice if due.state in ("due", "not told") else ""


def _when_last(due: Due) -> str:
    return f"When was it last measured: {_for_whom(due)}?"


def nothing_asked(request: LabRequest, due: list[Due], on_file: list[LabAnswer]) -> LabAnswer:
    """No result is asked about: what the medicines need measured; without medicines, which result is meant."""
    if due:
        return _what_is_due(due, on_file)
    asked = (request.case.patient.labs or ())[request.asked :]
    text = printable(asked[0].test) if asked else ""
    ask = "Which test is it, and what was the value with its unit?"
    return LabAnswer(None, text, "", "unknown", needs=["test", "value"], ask=ask, task=ask)


def nothing_read(request: LabRequest, due: list[Due]) -> LabAnswer:
    """No test and no result was read: which is meant, and, if that is what is asked, what the medicines need measured."""
    asks = nothing_asked(request, [], [])
    if not due:
        return asks
    needs = list(dict.fromkeys((*asks.needs, *(["history"] if any(d.state == "not told" for d in due) else []))))
    return replace(
        asks, name=_NAME, due=due, needs=needs, task=f"{_what_is_due(due, []).task} If a result is meant: {asks.ask}",
        escalate=loudest("none", *("pharmacist" for d in due if d.state == "due")),
    )  # fmt: skip


def _what_is_due(due: list[Due], on_file: list[LabAnswer]) -> LabAnswer:
    """What is to be measured now, what could not be told, and how many results on file are out of their range."""
    now = [d for d in due if d.state == "due"]
    untold = [d for d in due if d.state == "not told"]
    said = [f"Measure: {'; '.join(_for_whom(d) for d in now)}."] if now else []
    said += [f"When was it last measured: {'; '.join(_for_whom(d) for d in untold)}?"] if untold else []
    if not said:
        said = ["Nothing is due: every test that these medicines need is on file and in time."]
    off = [a.name for a in on_file if a.status not in ("normal", "negative") and (a.ask or a.status != "unknown")]
    said += [f"On file and not normal: {', '.join(dict.fromkeys(off))}."] if off else []
    call = loudest("none", *("pharmacist" for _ in now), *(a.escalate for a in on_file))
    return LabAnswer(
        None, _NAME, "", "unknown" if untold else "normal", due=due, escalate=call, task=" ".join(said),
        needs=["history"] if untold else [],
    )  # fmt: skip


def _for_whom(due: Due) -> str:
    return due.called
