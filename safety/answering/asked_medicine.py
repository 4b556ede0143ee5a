"""A medicine that a question about a result names, "is metformin all right at eGFR 22?": judged as if it were proposed."""

from __future__ import annotations

import re
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.knowledge.language import Language
from safety.labs.request import LabRequest
from safety.model.lab_answer import LabAnswer
from safety.model.patient import LabResult, Medication
from safety.model.report import Report, Subject
from safety.reading.wording import any_of, key_of
from safety.understanding.facts import Facts
from safety.understanding.terms import Terms

_KNOWN = ("low", "normal", "high", "critical_low", "critical_high", "positive", "negative")


class Named(Struct, frozen=True):
    """A medicine that the question names: its words, and what it holds."""

    shown: str
    drugs: frozenset[str]


def with_named(request: LabRequest, checker: Checker, day: date) -> tuple[LabRequest, list[Named]]:
    """The request with the medicines of its question proposed, where they are not taken already; and which they are."""
    asked = (request.case.patient.labs or ())[request.asked :]
    text = asked[0].test if len(asked) == 1 and asked[0].as_written else ""
    lines = checker.terms.result_lines
    inquiry = lines.inquiry(text) if text else None
    if inquiry is not None and inquiry.kind == "moves":
        return _as_taken(request, _named(text, set(inquiry.tests), checker.terms), checker, day), []
    if not text or not lines.asks_of_a_medicine(text) or inquiry or lines.asks_when(text, day):
        return request, []
    measured = {r.test for r in lines.line(text, day).results if r.test and not r.fault}
    named = _named(text, measured, checker.terms) if measured else []
    if not named:
        return request, []
    facts = Facts(request.case, checker.terms, day)
    taken = {drug for _, drug in facts.each_current}
    new = [Medication(one.shown) for one in named if one.drugs.isdisjoint(taken)]
    case = replace(request.case, plan=(*request.case.plan, *new))
    return replace(request, case=case), named


def _as_taken(request: LabRequest, named: list[Named], checker: Checker, day: date) -> LabRequest:
    """The request with the medicines of which it is asked what they do to a test, "does metformin lower B12", as taken."""
    taken = {drug for _, drug in Facts(request.case, checker.terms, day).each_current}
    new = [Medication(one.shown) for one in named if one.drugs.isdisjoint(taken)]
    patient = request.case.patient
    told = replace(patient, medications=(*(patient.medications or ()), *new)) if new else patient
    return replace(request, case=replace(request.case, patient=told))


def begun_in(request: LabRequest, checker: Checker, day: date) -> list[Medication]:
    """The medicines that a question says are to be begun, "starting azathioprine, which labs first?"; and those that it
    names and that are not taken."""
    text = _line_of(request)
    begins = [found.end() for found in checker.terms.result_lines.begins_a_medicine(text)]
    behind = [one for at in begins[:1] for one in _named(text[at:], set(), checker.terms)[:1]]
    if behind:  # else it stands before them: "Humira start, what first"
        return [Medication(one.shown) for one in behind]
    taken = {drug for _, drug in Facts(request.case, checker.terms, day).each_current}
    return [Medication(one.shown) for one in named_in(request, checker) if one.drugs.isdisjoint(taken)]


_SENTENCE_ENDS = re.compile(r"[.?!;](?=\s|\Z)")


def with_since(request: LabRequest, checker: Checker, day: date) -> LabRequest:
    """The request with the day since when a medicine is taken that its line names, where it tells one: "clozapine month 2"."""
    since = begun_days(request, checker, day)
    patient, facts = request.case.patient, Facts(request.case, checker.terms, day)
    in_the_list = ((one, checker.terms.result_lines.begun(one.text, day)) for one in patient.medications or ())
    told = {one: days[0].day for one, days in in_the_list if days and one.since is None}
    told |= {entry.told: since[drug] for entry, drug in facts.each_current if drug in since}
    each = tuple(replace(one, since=told[one]) if one.since is None and one in told else one for one in patient.medications)
    new = _taken_since(request, since, {drug for _, drug in facts.each_current}, checker, day) if since else ()
    changed = replace(request.case, patient=replace(patient, medications=(*each, *new)))
    return replace(request, case=changed) if told or new else request


def _taken_since(
    request: LabRequest, since: dict[str, date], taken: set[str], checker: Checker, day: date
) -> tuple[Medication, ...]:
    """The medicines that a line tells beside a result with since when they are taken, "Mg 1.3, omeprazole for 10 yrs", and that
    no list tells; none of a question, which may ask of one that is not taken."""
    text, lines = _line_of(request), checker.terms.result_lines
    if lines.asks_of_a_medicine(text) or not any(r.test and not r.fault for r in lines.line(text, day).results):
        return ()
    named = [one for one in named_in(request, checker) if one.drugs.isdisjoint(taken)]
    days = ((one, next((since[drug] for drug in one.drugs if drug in since), None)) for one in named)
    return tuple(Medication(one.shown, since=on) for one, on in days if on is not None)


class _Reason:
    """Words that lead to what a medicine is taken for: "lisinopril for BP since 11/2" tells its day; made once."""

    def __init__(self, language: Language) -> None:
        self.pattern = re.compile(rf"(?<!\w){any_of(language.words('for-what'))}(?!\w)", re.I)


def begun_days(request: LabRequest, checker: Checker, day: date) -> dict[str, date]:
    """The day since when each medicine is taken that the line names, where it tells one of it, and not of tests between them:
    "on lithium, no labs since March" tells none."""
    text, lines = _line_of(request), checker.terms.result_lines
    begun = lines.begun(text, day) if text else ()
    named = named_in(request, checker) if begun else []
    each = ((found.start(), found.end(), one) for one in named for found in _places(one, text))
    places = sorted(each, key=lambda place: place[:2])
    reason = checker.library.language.made(_Reason).pattern
    since: dict[str, date] = {}
    for n, (start, end, one) in enumerate(places):
        ends = _SENTENCE_ENDS.search(text, start)
        until = min(places[n + 1][0] if n + 1 < len(places) else len(text), ends.start() if ends else len(text))
        near = [b for b in begun if start <= b.start < until and not lines.speaks_of_measuring(text[start : b.start])]
        near = [b for b in near if reason.search(text, end, b.start) or not lines.tests_named(text[end : b.start])]
        if len(places) == 1 and not near:
            near = [b for b in begun if b.end <= start and not lines.speaks_of_measuring(text[b.end : start])]
        since |= dict.fromkeys(one.drugs, near[0].day) if near else {}
    return since


def _places(one: Named, text: str) -> list[re.Match[str]]:
    words = r"\W+".join(map(re.escape, one.shown.split()))
    return list(re.finditer(rf"(?<!\w){words}(?!\w)", text, re.I))


def named_in(request: LabRequest, checker: Checker) -> list[Named]:
    """The medicines that the line of text names; of what is also the name of a test, "thyroid", "potassium", only one that is
    taken, or whose level that test is."""
    text = _line_of(request)
    taken = {m.text.lower() for m in request.case.patient.medications or ()} if text else set()
    named = _named(text, set(), checker.terms) if text else []
    return [one for one in named if _is_no_test(one, checker) or any(one.shown in medicine for medicine in taken)]


def _is_no_test(one: Named, checker: Checker) -> bool:
    """Whether a name is of a medicine alone, or its test is the medicine's own level."""
    test = checker.terms.lab(LabResult(one.shown))
    own = (row for row in test.ranges if row.kind == "therapeutic") if test is not None else ()
    if test is None or any(not one.drugs.isdisjoint(row.on) for row in own):
        return True
    names = (checker.library.name_of(drug) for drug in one.drugs)
    return bool(checker.terms.level_said(test.name)) and any(name in test.name for name in names)


def levels_by_name(request: LabRequest, named: list[Named], checker: Checker) -> frozenset[str]:
    """The tests that are called as a medicine is, of those that the line names by the medicine's name alone: "labs on lithium",
    and not where its level is asked for, "is my lithium level due"."""
    text, lines = key_of(_line_of(request)), checker.terms.result_lines
    levels = any_of(checker.library.language.meaning("result-levels"))
    alone = (one for one in named if not re.search(rf"(?<!\w){re.escape(one.shown)}\s+{levels}(?!\w)", text, re.I))
    return frozenset(test for one in alone for test in lines.tests_named(one.shown))


def _line_of(request: LabRequest) -> str:
    asked = (request.case.patient.labs or ())[request.asked :]
    return asked[0].test if len(asked) == 1 and asked[0].as_written else ""


def _named(text: str, measured: set[str], terms: Terms) -> list[Named]:
    """The medicines by name, as they are written; not what is the name of a test that was measured."""
    words, at, found = key_of(text).split(), 0, list[Named]()
    while at < len(words):
        hit = terms.resolver.longest_at(words, at)
        if hit is None:
            at += 1
            continue
        said = " ".join(words[at : hit.after])
        drugs, test = terms.resolver.read(said, guess=False).drugs, terms.lab(LabResult(said))
        off = terms.result_lines.is_not_taken(key_of(text), said)
        if drugs and not hit.error_prone and not off and (test is None or test.id not in measured):
            found.append(Named(said, frozenset(drugs)))
        at = hit.after
    return found


def said_of(answer: LabAnswer, named: list[Named], report: Report) -> LabAnswer:
    """The answer, saying of each medicine of the question that nothing held here speaks against it by this result, where so:

    no rule does or waits for a fact, and it does not move the test the way that it is out already.
    """
    if answer.status not in _KNOWN:
        return answer
    way = {"high": "raises", "critical_high": "raises", "low": "lowers", "critical_low": "lowers"}.get(answer.status)
    spoken = {drug for finding in answer.findings for drug in finding.drugs}
    spoken |= {effect.drug for effect in answer.medication_effects if effect.direction == way}
    waiting = {drug for one in report.unknown for subject in one.subjects for drug in _drugs(subject)}
    silent = [one.shown for one in named if one.drugs.isdisjoint(spoken | waiting)]
    open_ = [one.shown for one in named if one.drugs.isdisjoint(spoken) and not one.drugs.isdisjoint(waiting)]
    said = [answer.task]
    if silent:
        said.append(f"Nothing held here speaks against {' or '.join(silent)} because of this result alone; check the whole list.")
    if open_:
        said.append(f"Whether {' or '.join(open_)} fits this patient is not settled by what was told; check the whole list.")
    return replace(answer, task=" ".join(said).strip())


def _drugs(subject: Subject) -> tuple[str, ...]:
    return (subject.drug,) if isinstance(subject.drug, str) else tuple(subject.drug or ())


def reads(text: str, named: list[Named]) -> bool:
    """Whether words that nothing was made of as a result name a medicine of the question."""
    said = key_of(text)
    return any(one.shown in said for one in named)
