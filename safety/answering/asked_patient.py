"""The patient as the question itself tells: "72F K 5.9", "Hgb 10 in my 2 year old", "on warfarin, INR 5.2"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.knowledge.language import Language
from safety.knowledge.library import Lab
from safety.labs.request import LabRequest
from safety.model.patient import Age, LabResult, Medication, Patient, Pregnancy, age_months
from safety.model.quantity import number
from safety.reading.results.patient_told import PatientTold
from safety.reading.results.unsaid import unsaid
from safety.reading.wording import any_of, key_of
from safety.text import lowered
from safety.understanding.facts import Facts

_CLAUSE_ENDS = re.compile(r"[,;()\n]|\.(?!\d)|\s[–-]\s")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_DENIED_WITHIN = 2
"""So many words before a cue may deny it, and so many words behind a number belong to its dose."""
_LONGEST = 5
"""So many words at most has the name of a condition that is told beside a result."""


class _Said:
    """What a language says of whom a question is about; made once for it."""

    def __init__(self, language: Language) -> None:
        own, kin = any_of(language.words("of-the-speaker")), any_of(language.meaning("chart-kin"))
        self.of_another = re.compile(
            rf"(?:(?<=[.?!;,])|\A)\s*(?:\w+\s+)?{own}\s+(?:\w+\s+)?{kin}(?:['’]s)?\b[^.?!;,]*[.?!;,]?", re.I
        )
        """A part of a sentence that begins with a relative of the speaker."""
        self.months = language.meaning("told-young")
        otherwise = any_of(language.words("not-of-the-young"))
        self.young = re.compile(rf"(?<!\w){any_of(self.months)}(?!\w)(?!\s+(?:{otherwise})(?!\w))", re.I)
        """Words for the young, that are not part of something else ("baby aspirin")."""
        self.cue = (
            rf"(?:{any_of(language.words('takes-beside-a-result'))}|{any_of(language.words('time-units'))}\s+(?:\d{{1,3}}\s+)?of)"
        )
        """What stands before a medicine that is taken, "on", "month 2 of"."""
        self.leads = re.compile(rf"(?:\A|\s){self.cue}\Z", re.I)
        lists = ("strength-units", "time-units", "daily", "numbers", "parts-of-the-day", "part-of-day", "result-beside-a-dose")
        more = (word for name in ("times-a-day", "counted-time", "routes") for word in language.words(name))
        of_doses = (*(word for name in lists for word in language.words(name)), *more)
        self.of_doses = frozenset(part for word in of_doses for part in word.split())
        self.numbers = frozenset(language.words("numbers"))
        often = (*language.words("daily"), *language.words("times-a-day"), *language.words("part-of-day"))
        self.often = frozenset(word for word in often if " " not in word)
        self.joins = frozenset(language.words("joins-medicines-taken"))
        self.denied = frozenset(language.words("negation"))


def of_its_patient(request: LabRequest, checker: Checker, day: date) -> LabRequest:
    """The request with the age, sex, pregnancy and medicines that its line of text tells, where they are not told apart."""
    labs = request.case.patient.labs or ()
    if len(labs) != request.asked + 1 or not labs[-1].as_written:
        return request
    whole = text = labs[-1].test
    patient = request.case.patient
    patient = _with_weeks(patient, text, checker)
    named = _taken(text, checker, day)
    doses = frozenset(n for one in patient.medications or () for n in _NUMBER.findall(one.text))
    for said in named.values():
        text = _without(text, said, checker, doses)
    told = checker.terms.result_lines.patient(text)
    if (told.anything or named) and _reads_as_much(told.rest, whole, named, checker, day):
        patient = _with_facts(replace(patient, labs=(*labs[:-1], replace(labs[-1], test=told.rest))), told)
    held = _listed(request, checker, day) if named else set()
    new = [Medication(said) for said in named if held.isdisjoint(checker.terms.resolver.read(said, guess=False).drugs)]
    if new:
        complete = patient.medications_told and patient.medications_complete
        patient = replace(patient, medications=(*patient.medications, *new), medications_complete=complete)
    return replace(request, case=replace(request.case, patient=patient))


def without_others(request: LabRequest, checker: Checker, day: date) -> LabRequest:
    """The request without what its line tells of somebody else: "my brother gets his INR every month on coumadin".

    So only where that part begins with a relative, tells no result, and names a medicine that this patient does not take; whose
    mother is asked about takes it. What is left has to say something.
    """
    labs = request.case.patient.labs or ()
    if len(labs) != request.asked + 1 or not labs[-1].as_written:
        return request
    text = labs[-1].test
    parts = list(checker.library.language.made(_Said).of_another.finditer(text))
    taken = _listed(request, checker, day) if parts else set()
    apart = [part for part in parts if taken and _is_of_another(part[0], taken, checker, day)]
    for part in reversed(apart):
        text = f"{text[: part.start()]} {text[part.end() :]}".strip(" ,;")
    if not apart or not any(c.isalpha() for c in text):
        return request
    patient = replace(request.case.patient, labs=(*labs[:-1], replace(labs[-1], test=text)))
    return replace(request, case=replace(request.case, patient=patient))


def _listed(request: LabRequest, checker: Checker, day: date) -> set[str]:
    """The ingredients on the patient's own list, and not those that the question names."""
    return {drug for entry, drug in Facts(request.case, checker.terms, day).each_current if not entry.beside}


def _is_of_another(part: str, taken: set[str], checker: Checker, day: date) -> bool:
    terms = checker.terms
    words, at, named = key_of(part).split(), 0, set[str]()
    while at < len(words):
        hit = terms.resolver.longest_at(words, at)
        if hit is not None:
            named |= set(terms.resolver.read(" ".join(words[at : hit.after]), guess=False).drugs)
        at = hit.after if hit is not None else at + 1
    told = any(r.test and not r.fault for r in terms.result_lines.line(part, day).results)
    return bool(named) and named.isdisjoint(taken) and not told


def conditions_told(request: LabRequest, checker: Checker) -> frozenset[str]:
    """What a line of text tells that the patient has, "A1c 6.7, T2DM x 4 yrs", with all that it is a kind of.

    Only what is aimed at with a result is looked up by it: no rule judges by it, and a clause that denies, doubts or tells of kin
    says nothing.
    """
    lines = (request.case.patient.labs or ())[request.asked :]
    clauses = [clause for one in lines if one.as_written for clause in _CLAUSE_ENDS.split(one.test)]
    words = checker.library.language
    not_had = re.compile(rf"(?<!\w){any_of((*words.words('result-not-had'), *words.meaning('chart-kin')))}(?!\w)", re.I)
    return frozenset(kind for clause in clauses if not not_had.search(clause) for kind in _kinds_in(clause, checker))


def weeks_of_what(request: LabRequest, checker: Checker) -> int | None:
    """So many weeks that a line of text tells and that may be of a pregnancy."""
    lines = (one.test for one in (request.case.patient.labs or ())[request.asked :] if one.as_written)
    told = (checker.terms.result_lines.weeks_of_what(line) for line in lines)
    return next((weeks for weeks in told if weeks is not None), None)


def young_told(request: LabRequest, checker: Checker, day: date) -> Decimal | None:
    """Under how many months the patient is by the words of the question, "in our baby"; None where the age itself is told, or
    nothing of it."""
    said = checker.library.language.made(_Said)
    lines = (one.test for one in (request.case.patient.labs or ())[request.asked :] if one.as_written)
    found = [Decimal(said.months[" ".join(lowered(word[0]).split())]) for line in lines for word in said.young.finditer(line)]
    if found and Facts(request.case, checker.terms, day).age is not None:
        return None
    return min(found, default=None)


def _kinds_in(clause: str, checker: Checker) -> Iterable[str]:
    words = key_of(clause).split()
    spans = ((start, end) for start in range(len(words)) for end in range(min(start + _LONGEST, len(words)), start, -1))
    named = (checker.terms.named(" ".join(words[start:end])) for start, end in spans)
    return (kind for found in named if found is not None for kind in checker.library.condition[found].is_a)


def _reads_as_much(rest: str, text: str, named: Mapping[str, str], checker: Checker, day: date) -> bool:
    """Whether the words without the patient tell a result, and none otherwise than with: "99F temp" tells none without it.

    What reads as the level of a medicine that was told with its dose is none: "digoxin 0.25 daily, K 3.1".
    """
    dosed = (checker.terms.lab(LabResult(name)) for name, said in named.items() if said != name)
    no_level = {test.id for test in dosed if test is not None}
    after, before = (_values_told(one, checker, day) for one in (rest, text))
    kept = {test: values for test, values in before.items() if test not in no_level}
    return bool(after) and all(after.get(test) == values for test, values in kept.items())


def _values_told(text: str, checker: Checker, day: date) -> dict[str, list[object]]:
    """The values of each test that a text tells, in order."""
    told: dict[str, list[object]] = {}
    for r in checker.terms.result_lines.line(text, day).results:
        if r.test and not r.fault:
            told.setdefault(r.test, []).append(r.value)
    return told


def _with_facts(patient: Patient, told: PatientTold) -> Patient:
    facts: dict[str, Any] = {}
    months = age_months(told.age) if told.age is not None else None
    if months is not None and patient.age is None and patient.birth_date is None:
        facts["age"] = Age(months, told.age or "")
    if told.sex is not None and patient.sex is None:
        facts["sex"] = told.sex
    if told.pregnant and patient.pregnancy is None:
        facts["pregnancy"] = Pregnancy(True, weeks=Decimal(told.weeks) if told.weeks is not None else None)
        facts.setdefault("sex", patient.sex or "female")
    return replace(patient, **facts)


def _with_weeks(patient: Patient, text: str, checker: Checker) -> Patient:
    """A pregnancy of which nobody told the weeks, with those that stand beside the result: "Hgb 10.9 at 26 wks"."""
    known = patient.pregnancy
    if known is None or not known.present or known.weeks is not None or known.trimester is not None:
        return patient
    lines = checker.terms.result_lines
    weeks = lines.patient(text).weeks or lines.weeks_of_what(text)
    return patient if weeks is None else replace(patient, pregnancy=replace(known, weeks=Decimal(weeks)))


def _cue(checker: Checker) -> str:
    return checker.library.language.made(_Said).cue


def _without(text: str, said: str, checker: Checker, doses: frozenset[str]) -> str:
    """A text without the name of a medicine, the words before it, and its dose behind it: a number with a unit of mass, or one
    that the list of medicines tells, "INR due, on warfarin 5"."""
    name = r"\W*".join(re.escape(word) for word in said.split() if word.isalnum() or word[0].isdigit())
    known = any_of(doses) if doses else r"(?!)"
    dose = rf"(?:\s+(?:{known}(?![\w.])|\d+(?:\.\d+)?\s?(?:mg|mcg)(?!\w)))?"
    joins = any_of(checker.library.language.words("joins-medicines-taken"))
    lead = rf"(?:(?<!\w){_cue(checker)}\s+|[,;]?\s*{joins}\s*|[,;]\s*|\A|\.\s+|\s[–-]\s+)"
    return re.sub(rf"\s*{lead}{name}(?!\w){dose}\s*", ", ", text, count=1, flags=re.I).strip(" ,")


class _Cues(Struct, frozen=True):
    """What says that a medicine is taken, what joins a further one to it, and what denies both."""

    leads: re.Pattern[str]
    joins: frozenset[str]
    denied: frozenset[str]
    measured: frozenset[str]
    """The tests that are told with a value: "lithium 0.9" is a level."""


def _taken(text: str, checker: Checker, day: date) -> dict[str, str]:
    """Medicines behind words that say that they are taken, by their names, with the words that tell them.

    And those that go on from one, "warfarin + Flagyl", and those of which a part of the sentence tells nothing but the dose, or
    for how long, "plts 91k, depakote 2 g/day".
    """
    told = checker.terms.result_lines.line(text, day).results if _NUMBER.search(text) else ()
    said = checker.library.language.made(_Said)
    cues = _Cues(said.leads, said.joins, said.denied, frozenset(r.test for r in told if r.test and not r.fault))
    found: list[str] = []
    whole: dict[str, str] = {}
    goes_on = False
    for part in _CLAUSE_ENDS.split(text):
        words = key_of(part).split()
        if (dosed := _told_with_its_dose(words, said, cues.measured, checker)) is not None:
            whole.setdefault(dosed, " ".join(words))
            goes_on = True
            continue
        goes_on = _taken_in(words, goes_on, cues, checker, found) if words else goes_on
    return {name: whole.get(name, name) for name in dict.fromkeys((*found, *whole))}


def _told_with_its_dose(words: list[str], said: _Said, measured: frozenset[str], checker: Checker) -> str | None:
    """The medicine with which words begin that tell, behind it, nothing but a dose, or for how long it is taken."""
    hit = checker.terms.resolver.longest_at(words, 0) if words else None
    rest = words[hit.after :] if hit is not None else []
    if hit is None or not any(w[:1].isdigit() or w in said.numbers for w in rest):
        return None
    if not all(w[:1].isdigit() or w in said.of_doses or not w.isalnum() for w in rest):
        return None
    name = " ".join(words[: hit.after])
    test = checker.terms.lab(LabResult(name))
    is_level = test is not None and test.id in measured and said.often.isdisjoint(rest) and _can_be_a_level(rest, test)
    return name if checker.terms.resolver.read(name, guess=False).drugs and not is_level else None


def _can_be_a_level(words: list[str], test: Lab) -> bool:
    """Whether the first number of some words is a possible result of a test: 900 is no lithium level."""
    value = next((found for word in words if (found := number(word)) is not None), None)
    return value is None or bool(unsaid(value, test).readings)


def _taken_in(words: list[str], goes_on: bool, cues: _Cues, checker: Checker, found: list[str]) -> bool:
    """Adds the medicines of one part of a sentence that are taken; whether the part ends with one of them.

    `goes_on`: whether the part before ended so.
    """
    terms, at, last = checker.terms, 0, 0 if goes_on else None
    while at < len(words):
        hit = terms.resolver.longest_at(words, at)
        before = " ".join(words[:at])
        led = cues.leads.search(before)
        joined = last is not None and all(w in cues.joins or _of_a_dose(words, last + n) for n, w in enumerate(words[last:at]))
        denied = led is not None and not cues.denied.isdisjoint(before[: led.start()].split()[-_DENIED_WITHIN:])
        if hit is None or not (joined or (led is not None and not denied)):
            at = hit.after if hit is not None else at + 1
            continue
        said = " ".join(words[at : hit.after])
        test = terms.lab(LabResult(said))
        if terms.resolver.read(said, guess=False).drugs and (test is None or test.id not in cues.measured):
            found.append(said)
            last = hit.after
        at = hit.after
    return last is not None and all(_of_a_dose(words, n) for n in range(last, len(words)))


def _of_a_dose(words: list[str], at: int) -> bool:
    """Whether a word is the number of a dose, or stands behind one: "warfarin 5 mg and"."""
    return words[at][:1].isdigit() or any(word[:1].isdigit() for word in words[max(at - _DENIED_WITHIN, 0) : at])
