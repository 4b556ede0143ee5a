"""The patient as the question itself tells: "72F K 5.9", "Hgb 10 in my 2 year old", "on warfarin, INR 5.2"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.labs.request import LabRequest
from safety.model.patient import Age, LabResult, Medication, Patient, Pregnancy, age_months
from safety.reading.results.patient_told import PatientTold
from safety.reading.wording import any_of, key_of
from safety.understanding.facts import Facts

_CLAUSE_ENDS = re.compile(r"[,;()\n]|\.(?!\d)|\s[–-]\s")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_LONGEST = 5
"""So many words at most has the name of a condition that is told beside a result."""


def of_its_patient(request: LabRequest, checker: Checker, day: date) -> LabRequest:
    """The request with the age, sex, pregnancy and medicines that its line of text tells, where they are not told apart."""
    labs = request.case.patient.labs or ()
    if len(labs) != request.asked + 1 or not labs[-1].as_written:
        return request
    whole = text = labs[-1].test
    patient = request.case.patient
    named = _taken(text, checker)
    doses = frozenset(n for one in patient.medications or () for n in _NUMBER.findall(one.text))
    for said in named:
        text = _without(text, said, checker, doses)
    told = checker.terms.result_lines.patient(text)
    if (told.anything or named) and _reads_as_much(told.rest, whole, checker, day):
        patient = _with_facts(replace(patient, labs=(*labs[:-1], replace(labs[-1], test=told.rest))), told)
    held = {drug for _, drug in Facts(request.case, checker.terms, day).each_current} if named else set()
    new = [Medication(said) for said in named if held.isdisjoint(checker.terms.resolver.read(said, guess=False).drugs)]
    if new:
        complete = patient.medications_told and patient.medications_complete
        patient = replace(patient, medications=(*patient.medications, *new), medications_complete=complete)
    return replace(request, case=replace(request.case, patient=patient))


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


def _kinds_in(clause: str, checker: Checker) -> Iterable[str]:
    words = key_of(clause).split()
    spans = ((start, end) for start in range(len(words)) for end in range(min(start + _LONGEST, len(words)), start, -1))
    named = (checker.terms.named(" ".join(words[start:end])) for start, end in spans)
    return (kind for found in named if found is not None for kind in checker.library.condition[found].is_a)


def _reads_as_much(rest: str, text: str, checker: Checker, day: date) -> bool:
    """Whether the words without the patient tell a result, and no fewer than with: "99F temp" tells none without it."""
    lines = checker.terms.result_lines
    most, least = (sum(1 for r in lines.line(one, day).results if r.test and not r.fault) for one in (rest, text))
    return most >= max(least, 1)


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


def _cue(checker: Checker) -> str:
    return any_of(checker.library.language.words("takes-beside-a-result"))


def _without(text: str, said: str, checker: Checker, doses: frozenset[str]) -> str:
    """A text without the name of a medicine, the words before it, and its dose behind it: a number with a unit of mass, or one
    that the list of medicines tells, "INR due, on warfarin 5"."""
    name = r"\W+".join(map(re.escape, said.split()))
    known = any_of(doses) if doses else r"(?!)"
    dose = rf"(?:\s+(?:{known}(?![\w.])|\d+(?:\.\d+)?\s?(?:mg|mcg)(?!\w)))?"
    return re.sub(rf"\s*(?<!\w){_cue(checker)}\s+{name}(?!\w){dose}\s*", ", ", text, count=1, flags=re.I).strip(" ,")


def _taken(text: str, checker: Checker) -> list[str]:
    """Medicines behind words that say that they are taken, by their names."""
    terms = checker.terms
    words = key_of(text).split()
    denied = set(checker.library.language.words("negation"))
    cue = re.compile(rf"(?:\A|\s){_cue(checker)}\Z", re.I)
    found: list[str] = []
    for at in range(1, len(words)):
        before = cue.search(" ".join(words[:at]))
        hit = terms.resolver.longest_at(words, at) if before is not None else None
        if hit is None or before is None or denied & set(" ".join(words[:at])[: before.start()].split()[-2:]):
            continue
        said = " ".join(words[at : hit.after])
        drugs = terms.resolver.read(said, guess=False).drugs
        if drugs and terms.lab(LabResult(said)) is None and said not in found:
            found.append(said)
    return found
