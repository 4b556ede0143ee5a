"""Real histories as events: the synthetic patients of Synthea, and the SMART sample patients with what was dispensed to them."""

from __future__ import annotations

import gzip
import json
from datetime import date
from functools import cache
from pathlib import Path

from conftest import SHARED

from safety.engine import Engine
from safety.memory.events import Event
from safety.memory.from_record import events_of
from safety.memory.record import ClinicalRecord, read_record
from safety.memory.subjects import Understanding

REAL = SHARED / "data" / "real"
SYNTHEA = sorted((REAL / "synthea_r4").glob("*.json.gz"))
SMART_FILES = sorted((REAL / "smart_stu3").glob("patient-*.json.gz"))
SMART = sorted({p.name.partition(".")[0] for p in SMART_FILES})
DAY = date(2026, 11, 20)


@cache
def synthea(path: Path) -> ClinicalRecord:
    return read_record(gzip.decompress(path.read_bytes()))


@cache
def smart(name: str) -> ClinicalRecord | None:
    """A sample patient, whose record is in several bundles; None where none of them holds the patient."""
    entries = []
    for path in SMART_FILES:
        if path.name.partition(".")[0] == name:
            entries += [e["resource"] for e in json.loads(gzip.decompress(path.read_bytes())).get("entry", [])]
    patients = [r for r in entries if r["resourceType"] == "Patient"][:1]
    return read_record([*patients, *(r for r in entries if r["resourceType"] != "Patient")]) if patients else None


def told_by(record: ClinicalRecord, engine: Engine) -> tuple[Event, ...]:
    return events_of(record, DAY, Understanding(engine.checker))
