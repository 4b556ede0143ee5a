"""Runs the cases written inside entries, and checks that each number in a rule is proved by one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Any

from msgspec import Struct

from safety.answering.checker import Checker
from safety.errors import KnowledgeError, Place, Problem, RequestError
from safety.judging.judgement import Judgement
from safety.judging.rules import explain
from safety.knowledge import library as lib
from safety.knowledge.proofs import Proof
from safety.reading.case import Path_, read_case
from safety.understanding.facts import Facts

_TOP = {"plan": "plan", "as_of": "as_of"}


class Outcome(Struct, frozen=True):
    """What one written case came to: the verdict, and what is wrong with it (empty: as medicine asks)."""

    proof: Proof
    got: str
    wrong: str
    judgement: Judgement | None = None


def case_values(given: dict[str, Any]) -> dict[str, Any]:
    """A rule's short `given` as a whole case."""
    case: dict[str, Any] = {"patient": {}}
    for key, value in given.items():
        if key in _TOP:
            case[key] = value
        else:
            case["patient"]["medications" if key == "drugs" else key] = value
    return case


def run(proofs: Iterable[Proof], checker: Checker) -> Iterator[Outcome]:
    """Judge each written case by its own entry."""
    for proof in proofs:
        yield _run_one(proof, checker, set())


def unproved(entry: lib.Entry, proofs: Iterable[Proof], checker: Checker) -> list[Problem]:
    """Numbers of an entry that no case tries exactly at the number, or beyond it where the answer turns."""
    seen: set[tuple[str, str, int]] = set()
    for proof in proofs:
        _run_one(proof, checker, seen)
    problems = []
    for bound in bounds_of(entry):
        turning = -1 if bound.op in ("at_least", "under") else 1
        missing = []
        if not any(place == bound.place and order == 0 for place, _, order in seen):
            missing.append(f"exactly at {bound.text}")
        if not any(place == bound.place and order == turning for place, _, order in seen):
            missing.append(f"{'below' if turning < 0 else 'above'} {bound.text}")
        if missing:
            file, line, column = bound.place.rsplit(":", 2)
            message = f"`{bound.op}: {bound.text}` of {entry.id}: no case {' and none '.join(missing)}"
            problems.append(
                Problem(Place(file, int(line), int(column)), "K504", message, "write a case on each side of the number and at it")
            )
    return problems


def unproved_among(
    entries: Iterable[lib.Entry], cases_of: Callable[[str], Iterable[Proof]], library: lib.Library, version: str
) -> list[Problem]:
    """Unproved numbers of some entries of a library; or why its words cannot be read, so that nothing can be judged with it."""
    try:
        checker = Checker(library, version)
    except KnowledgeError as error:
        return list(error.problems)
    return [problem for e in entries for problem in unproved(e, cases_of(e.id), checker)]


def bounds_of(entry: lib.Entry) -> list[lib.Bound]:
    """Every number with a unit that an entry compares something with."""
    found: list[lib.Bound] = []

    def walk(leaves: Iterable[lib.LeafType]) -> None:
        for leaf in leaves:
            for name in ("bounds", "weeks", "single_dose", "daily_dose"):
                found.extend(getattr(leaf, name, ()))
            walk(getattr(leaf, "lines", ()))
            if isinstance(leaf, lib.NotLeaf):
                walk((leaf.line,))

    for table in (*entry.doses.ranges, *entry.doses.adjust) if entry.doses else ():
        found.extend((*table.single, *table.day, *table.interval, *table.days))
        walk(table.who)
    walk(entry.condition)
    walk(entry.constraint.lines)
    for limit in entry.constraint.limits:
        found.extend(limit.bounds)
        walk(limit.who)
    for clause in entry.severity_when:
        walk(clause.lines)
    return found


def _run_one(proof: Proof, checker: Checker, seen: set[tuple[str, str, int]]) -> Outcome:
    entry = checker.library.entry.get(proof.entry)
    if entry is None:
        return Outcome(proof, "none", "its rule does not compile")

    def locate(path: Path_) -> Place:
        return Place(f"{proof.place} given " + ".".join(str(p) for p in path))

    try:
        case = read_case(case_values(proof.given), locate)
    except RequestError as error:
        return Outcome(proof, "none", "; ".join(str(p) for p in error.problems))
    day: date = case.as_of or entry.start or entry.reviewed
    facts = Facts(case, checker.terms, day)
    strange = [u for u in facts.unresolved if proof.expect != "unknown"]
    if strange:
        return Outcome(proof, "none", "not recognised in the case: " + ", ".join(f"`{u.text}`" for u in strange))
    if not entry.in_force(day) and entry.status == "active":
        got: Judgement = Judgement(entry, "not_applicable")
    else:
        got = explain(entry, facts, lambda bound, order: seen.add((bound.place, bound.op, order)))
    return Outcome(proof, got.verdict, _wrong(proof, got), got)


def _wrong(proof: Proof, got: Judgement) -> str:
    if got.verdict != proof.expect:
        return f"expected {proof.expect}, got {got.verdict}" + (f" (needs {', '.join(got.needs)})" if got.needs else "")
    if proof.direction and (got.dose is None or got.dose.direction != proof.direction):
        return f"expected {proof.direction}, got {got.dose.direction if got.dose else 'neither'}"
    if proof.hard is not None and proof.hard is not bool(got.dose and got.dose.gross):
        return f"expected {'' if proof.hard else 'not '}a gross error"
    if proof.suspect is not None and (got.dose is None or not got.dose.suspect.startswith(proof.suspect)):
        return f"expected to suspect {proof.suspect}, suspected {(got.dose and got.dose.suspect) or 'nothing'}"
    lacking = [m for m in proof.missing if m not in got.needs]
    if lacking:
        return f"expected to miss {', '.join(lacking)}, missed {', '.join(got.needs) or 'nothing'}"
    if proof.severity and got.severity != proof.severity:
        return f"expected severity {proof.severity}, got {got.severity}"
    return ""
