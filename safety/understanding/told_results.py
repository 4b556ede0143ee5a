"""Results as they stand in the lists of a case: lines read, pairs taken apart, each with where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Lab
from safety.model.patient import LabResult, Patient
from safety.model.position import ListName, Position
from safety.model.quantity import number
from safety.reading.results.told import ToldResult
from safety.reading.results.unsaid import unsaid
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
    return ToldResults(tuple(_in_units_told(found)), tuple(left), tuple(back))


_NEAR, _APART = Decimal("0.25"), Decimal("1.5")
"""A result within a quarter of the one before may be in its unit; another unit is out of the question half as much away."""


def _in_units_told(placed: list[Placed]) -> Iterator[Placed]:
    """The results, a weight or height without a unit in that of the newest one that tells it, where it lies near that one in
    this unit alone: "wt 191" behind 187 lb. Of what may be critical the unit is asked."""
    for p in placed:
        open_ = p.test is not None and p.test.measures is not None and p.told.unit is None and not p.told.fault
        value = number(str(p.told.value)) if open_ and p.told.value is not None else None
        may_be = unsaid(value, p.test).readings if p.test is not None and value is not None else ()
        unit = _unit_told(p, placed, dict(may_be)) if len(may_be) > 1 else ""
        yield replace(p, told=replace(p.told, unit=unit)) if unit else p


def _unit_told(p: Placed, placed: list[Placed], readings: dict[str, Decimal]) -> str:
    """The one unit of these in which a result lies near the newest other one of its test that tells a unit; empty for none."""
    others = [o for o in placed if o.test is p.test and o.told.unit in readings and o.told.on is not None]
    newest = max(others, key=lambda o: o.told.on or date.min, default=None)
    value = number(str(newest.told.value)) if newest is not None and newest.told.value is not None else None
    bare = number(str(p.told.value))
    unit = newest.told.unit if newest is not None else None
    if value is None or not value or bare is None or unit is None or abs(bare - value) > _NEAR * value:
        return ""
    last = readings[unit] * value / bare
    apart = (max(found, last) >= _APART * min(found, last) for other, found in readings.items() if other != unit)
    return unit if all(apart) else ""


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
