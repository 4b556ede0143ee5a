"""Which results a question is about: those of a line with its history, and the level of which medicine is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from safety.answering.asked_patient import of_its_patient
from safety.answering.checker import Checker
from safety.labs.request import LabRequest
from safety.model.patient import LabResult
from safety.reading.results.told import ToldLine
from safety.text import printable
from safety.understanding.facts import Facts
from safety.understanding.results import result_of
from safety.understanding.told_results import Placed


class Level(Struct, frozen=True):
    """Which levels "the level" may be, by the medicines taken; `said`: what it was called."""

    said: str
    may_be: tuple[str, ...] = ()


def prepared(request: LabRequest, checker: Checker, day: date) -> tuple[LabRequest, Level | None]:
    """The request with every result under the name of its test and, beside others, of its day; and a level that stays open."""
    request = of_its_patient(request, checker, day)
    labs = list(request.case.patient.labs or ())
    asked = request.asked
    _name_the_past(labs, request, checker, day)
    level = _name_the_level(labs, request, checker, day)
    if labs[:asked] or request.case.patient.vitals:  # what is asked about beside others is of today
        labs[asked:] = [one if one.on is not None else replace(one, on=day) for one in labs[asked:]]
    _take_the_place(labs, request, checker, day)
    patient = replace(request.case.patient, labs=tuple(labs))
    return replace(request, case=replace(request.case, patient=patient)), level


def _line_of(one: LabResult, checker: Checker, day: date) -> ToldLine | None:
    return checker.terms.result_lines.line(one.test, day) if one.as_written else None


def _name_the_past(labs: list[LabResult], request: LabRequest, checker: Checker, day: date) -> None:
    """Results before a line of text are of the test, or of the panel, that the line names."""
    line = _line_of(labs[request.asked], checker, day) if request.history < request.asked < len(labs) else None
    named = dict.fromkeys(r.test for r in line.results if r.test) if line is not None else {}
    if not named:
        return
    library, text = checker.library, labs[request.asked].test
    panel = next((p.name for p in library.panels if len(named) > 1 and set(named) <= set(p.parts)), "")
    name = panel or library.lab[next(iter(named))].name
    for n in range(request.history, request.asked):
        if labs[n].test == text and not labs[n].as_written:
            labs[n] = replace(labs[n], test=name)


def _name_the_level(labs: list[LabResult], request: LabRequest, checker: Checker, day: date) -> Level | None:
    """ "The level came back 14" is of the one medicine whose level is measured; of several, those in which the number can be."""
    if request.asked != len(labs) - 1:
        return None
    said = checker.terms.level_said(labs[-1].test)
    line = _line_of(labs[-1], checker, day)
    if not said or checker.terms.lab(labs[-1]) is not None or (line is not None and any(r.test for r in line.results)):
        return None
    if line is not None and len(line.results) != 1:
        return None
    names = _levels(said, Facts(request.case, checker.terms, day))
    each = {name: _named(labs[-1], name) for name in names}
    can_be = [name for name, one in each.items() if _is_possible(one, checker, day)] or list(each)
    if len(can_be) != 1:
        return Level(said, tuple(can_be))
    labs[-1] = each[can_be[0]]
    return None


def _named(one: LabResult, name: str) -> LabResult:
    return replace(one, test=f"{name} {one.test}" if one.as_written else name)


def _levels(said: str, facts: Facts) -> list[str]:
    """What the level, trough or peak of each medicine that is taken is called, where we know such a test; each test once."""
    found: dict[str, str] = {}
    for _, drug in facts.each_current:
        for kind in dict.fromkeys((said, "level")):
            name = f"{facts.library.name_of(drug)} {kind}"
            test = facts.terms.lab(LabResult(name))
            if test is not None:
                found.setdefault(test.id, name)
                break
    return list(found.values())


def _is_possible(one: LabResult, checker: Checker, day: date) -> bool:
    """Whether the number can be a result of the test that it is named now."""
    line = _line_of(one, checker, day)
    told = [LabResult(r.name, r.value, r.unit) for r in line.results if r.test] if line is not None else [one]
    tests = [(t, checker.terms.lab(t)) for t in told]
    return any(test is not None and result_of(t, test, checker.terms).fault is None for t, test in tests)


def _take_the_place(labs: list[LabResult], request: LabRequest, checker: Checker, day: date) -> None:
    """A result of before on the day of the one asked about, or of one that corrects it, no longer counts."""
    tests = [checker.terms.lab(one) if not one.as_written else None for one in labs]
    asked = {(t, one.on or day) for one in labs[request.asked :] for t in _tests_of(one, checker, day)}
    right = {(test.id, labs[n].on) for n in request.corrected if (test := tests[n]) is not None}
    for n in range(request.history, request.asked):
        test, on = tests[n], labs[n].on
        if test is not None and on is not None and n not in request.corrected and (test.id, on) in asked | right:
            labs[n] = replace(labs[n], earlier=True)


def _tests_of(one: LabResult, checker: Checker, day: date) -> Iterable[str]:
    line = _line_of(one, checker, day)
    if line is not None:
        return [r.test for r in line.results if r.test and not r.fault]
    test = checker.terms.lab(one)
    return [test.id] if test is not None else []


def newest_of_each(asked: Sequence[Placed], facts: Facts) -> tuple[list[Placed], list[Placed]]:
    """What is answered of the results asked about, and those told beside it as older ones of the same test: its history."""
    newest: dict[str, tuple[bool, date]] = {}
    for p in asked:
        if p.test is not None and _is_usable(p, facts):
            key = (not p.told.earlier, p.told.on or facts.day)
            newest[p.test.id] = max(key, newest.get(p.test.id, key))

    def is_older(p: Placed) -> bool:
        last = newest.get(p.test.id) if p.test is not None else None
        return last is not None and (not p.told.earlier, p.told.on or facts.day) < last

    return [p for p in asked if not is_older(p)], [p for p in asked if is_older(p)]


def _is_usable(p: Placed, facts: Facts) -> bool:
    return p.test is not None and not p.told.fault and facts.result_of(p.told, p.test).fault is None


def is_only_named(asked: Sequence[Placed]) -> bool:
    """Whether tests are asked for by name, and no value is told of any: "what is my blood pressure?"."""
    return bool(asked) and all(p.told.fault == "value" and not str(p.told.value or "").strip(" ?.") for p in asked)


def told_before(older: Sequence[Placed]) -> list[str]:
    """The history that was told in the line itself, in words."""
    each = [(p.test.name if p.test is not None else p.told.test, p.told) for p in older]
    return [
        printable(f"told before: {name} {told.value} {told.unit or ''}".strip() + (f" on {told.on}" if told.on else ""))
        for name, told in each
    ]
