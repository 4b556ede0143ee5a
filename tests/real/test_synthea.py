"""The 118 synthetic patients of Synthea: every record is answered, nothing in it is lost."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import SHARED, sampled

from safety.engine import Engine
from safety.model.patient import Case
from safety.model.position import Position
from safety.model.report import Report
from safety.reading.fhir.bundle import read_fhir
from safety.understanding.facts import Facts

FOLDER = SHARED / "data" / "real" / "synthea_r4"
RECORDS = sorted(FOLDER.glob("*.json.gz"))
DAY = date(2026, 11, 20)
here = pytest.mark.skipif(not RECORDS, reason=f"no patients in {FOLDER}")
each = pytest.mark.parametrize("path", RECORDS, ids=[p.name.partition("_")[0] + str(n) for n, p in enumerate(RECORDS)])


@cache
def record(path: Path) -> tuple[dict[str, Any], Case]:
    data = gzip.decompress(path.read_bytes())
    raw: dict[str, Any] = json.loads(data)
    return raw, read_fhir(data)


@pytest.fixture(scope="module")
def report_of(engine: Engine) -> Callable[[Path], Report]:
    """The report of a record, made once for all that is asked of it."""
    return cache(lambda path: engine.check(record(path)[1], DAY))


def count(raw: dict[str, Any], kind: str) -> int:
    return sum(entry["resource"]["resourceType"] == kind for entry in raw["entry"])


@here
def test_all_118_are_there() -> None:
    assert len(RECORDS) == 118


@here
@pytest.mark.parametrize("path", sampled(RECORDS), ids=lambda path: path.name.split(".")[0])
def test_a_record_is_answered_the_same_way_twice(engine: Engine, report_of: Callable[[Path], Report], path: Path) -> None:
    first = report_of(path)
    assert first.verdict in ("violated", "unknown", "clear")
    assert engine.check(read_fhir(path.read_bytes()), DAY).to_json() == first.to_json()


@here
@each
def test_every_medication_of_the_record_is_read(report_of: Callable[[Path], Report], path: Path) -> None:
    raw, case = record(path)
    report = report_of(path).to_dict()
    requests = count(raw, "MedicationRequest")
    read = report["read"]
    assert read["resources"].get("MedicationRequest", 0) == requests
    assert len(case.patient.medications) + len(case.plan) == requests
    assert read["used"].get("MedicationRequest", 0) == requests
    assert sum(read["used"][f"medications {when}"] for when in ("current", "past", "planned")) == requests
    assert read["resources"].get("Condition", 0) == count(raw, "Condition")
    assert read["resources"].get("Observation", 0) == count(raw, "Observation")


@here
@each
def test_every_medication_is_recognised_or_told_as_unresolved(
    engine: Engine, report_of: Callable[[Path], Report], path: Path
) -> None:
    _, case = record(path)
    report = report_of(path)
    facts = Facts(case, engine.checker.terms, DAY)
    unresolved = {u.where for u in report.unresolved if u.status != "unread"}
    for entry in facts.entries:
        assert entry.resolved or entry.where in unresolved
        assert not (entry.resolved and entry.where in unresolved)
        assert all(d in engine.library.drug for d in entry.drugs)
        assert bool(entry.drugs) is entry.resolved
    if report.verdict == "clear":
        assert not unresolved


@here
@each
def test_every_problem_and_allergy_is_recognised_or_told_as_unresolved(
    engine: Engine, report_of: Callable[[Path], Report], path: Path
) -> None:
    _, case = record(path)
    facts = Facts(case, engine.checker.terms, DAY)
    told = {u.where for u in report_of(path).unresolved}
    named = {p.text for p in facts.problems or () if p not in facts.implied}  # what follows from a procedure stands on no list
    for n, item in enumerate(case.patient.conditions or ()):
        assert item.text in named or Position("conditions", n) in told, item.text
    assert len(case.patient.allergies or ()) == len(facts.allergies or ()) + len([w for w in told if w.among == "allergies"])


@here
def test_most_medications_of_all_records_are_recognised(engine: Engine) -> None:
    whole = unknown = 0
    for path in RECORDS:
        facts = Facts(record(path)[1], engine.checker.terms, DAY)
        whole += len(facts.entries)
        unknown += sum(not e.resolved for e in facts.entries)
    assert whole > 1000
    assert unknown / whole < 0.02
