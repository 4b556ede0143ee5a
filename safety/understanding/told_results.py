"""Results as they stand in the lists of a case: lines read, pairs taken apart, each with where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Lab
from safety.model.patient import LabResult, Patient
from safety.model.position import ListName, Position
from safety.model.quantity import number
from safety.reading.results.told import ToldResult
from safety.text import printable
from safety.understanding.terms import Terms

_Words = list[tuple[str, Position]]


class Placed(Struct, frozen=True):
    """One result with the item of the case that tells it; `test` None is none of ours."""

    told: LabResult
    where: Position
    test: Lab | None


class ToldResults(Struct, frozen=True):
    """All results of a case, and words beside them that nothing was made of (`left`)."""

    results: tuple[Placed, ...] = ()
    left: tuple[tuple[str, Position], ...] = ()
    taken_back: tuple[tuple[str, Position], ...] = ()
    """What the speaker put right himself: it is no result."""


def told_results(patient: Patient, terms: Terms, day: date, listed: Iterable[tuple[LabResult, Position]] = ()) -> ToldResults:
    """Every result of the lists of labs and vitals, in their order; and those `listed` on lines of other lists."""
    found: list[Placed] = []
    left: list[tuple[str, Position]] = []
    back: list[tuple[str, Position]] = []
    both: tuple[tuple[ListName, tuple[LabResult, ...] | None], ...] = (("labs", patient.labs), ("vitals", patient.vitals))
    lists = [(told, Position(among, n)) for among, results in both for n, told in enumerate(results or ())]
    for told, where in (*lists, *listed):
        for one in _each(told, terms, day, (left, back), where):
            found.append(Placed(one, where, terms.lab(one)))
    return ToldResults(tuple(found), tuple(left), tuple(back))


def counting(placed: Iterable[Placed]) -> list[Placed]:
    """Those that are judged: what was measured, an earlier one only where no other result of its test is told."""
    kept = [p for p in placed if p.told.fault not in ("not_done", "name")]
    now = {p.test.id for p in kept if p.test is not None and not p.told.earlier}
    return [p for p in kept if not p.told.earlier or p.test is None or p.test.id not in now]


def _each(
    told: LabResult, terms: Terms, day: date, aside: tuple[_Words, _Words], where: Position
) -> Iterator[LabResult]:  # fmt: skip
    text = told.test if told.as_written else f"{told.test} {told.value or ''}"
    gene = terms.findings.gene(text) if told.as_written or isinstance(told.value, str) else None
    if gene is not None and gene[1] is not None:  # read as a genetic result, from what no test of ours is
        yield LabResult(printable(text), fault="name")
    elif told.as_written:
        line = terms.result_lines.line(told.test, day)
        yield from (replace(_result(one), on=one.on or told.on, timed=one.timed or told.timed) for one in line.results)
        if not line.results:
            yield LabResult(printable(told.test), fault="name")
        aside[0].extend((text, where) for text in line.left if line.results)
        aside[1].extend((text, where) for text in line.taken_back)
    elif isinstance(told.value, str) and not told.codes and number(told.value.lstrip("<>=≤≥ ")) is None:
        yield from _reread(told, terms, day)
    elif told.value is not None and not told.codes and terms.lab(told) is None:
        yield from _reread(told, terms, day)  # "blood pressure" with the first number alone
    else:
        yield told


def _reread(told: LabResult, terms: Terms, day: date) -> list[LabResult]:
    """A value in words, "148/88" or "5.9 (H)", read as it would be in a line; as it stands where that says no more."""
    line = terms.result_lines.line(f"{told.test}: {told.value} {told.unit or ''}".strip(), day)
    whole = line.results and not line.left and all(r.test and not r.fault for r in line.results)
    unread = [r for r in line.results if r.test and r.fault == "value"]
    if unread and terms.lab(told) is None:  # the name is a panel's, and its value cannot be read
        return [replace(_result(r), on=told.on) for r in unread]
    if not whole or all(isinstance(r.value, str) for r in line.results) or any(r.heard for r in line.results):
        return [told]  # words in a field that is for a number are asked about
    return [replace(_result(r), on=told.on or r.on) for r in line.results]


def _result(one: ToldResult) -> LabResult:
    value = one.value
    if value is not None and one.sign not in ("", "~"):
        value = f"{one.sign}{value}"
    if one.fault == "value":
        value = one.said
    return LabResult(
        one.name, value, one.unit, one.on, flag=one.flag, range=one.range, earlier=one.earlier, fault=one.fault,
        timed=one.timed, hour=one.hour, after=one.after, fasting=one.fasting, alone=one.alone, heard=one.heard,
        goal=one.goal,
    )  # fmt: skip
