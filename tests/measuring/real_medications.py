"""Medication lines in records and notes that nobody on the project wrote: which there are, and how much of each is read.

Nothing is expected of them, so nothing is called right; what is counted is what was read whole, in part, or asked about.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from measuring.chart_lines import told_of
from safety.engine import Engine
from safety.understanding.medications import Entry

Came = Literal["whole", "in part", "asked", "nothing"]
"""Name and everything beside it read; the name, and something left over; a medicine asked about; no medicine told."""
_ORDERS: Final = ("MedicationRequest", "MedicationStatement", "MedicationDispense", "MedicationOrder", "MedicationAdministration")
_SECTION = re.compile(r"(?:^|\n)(?:CURRENT )?MEDICATIONS?\s*:?\s*\n(.*?)(?:\n[A-Z][A-Z ]{5,}|\Z)", re.S)
_MEDICATION_LIST = re.compile(r"(?:Current |Home )?Medications?[:*\s]+(.{5,400}?)(?:\\\\n|\"|- \*\*)", re.S)
_BULLET = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s*")
_STOP = re.compile(r"\n|(?<=[a-z)])\.\s+(?=[A-Z0-9])|(?<=\D)\s(?=\d\.\s)|;")
_SHORTEST: Final = 3


class RealTally(Struct, frozen=True):
    """Of the different lines of one source: how many there are, and how many came out in which way."""

    source: str
    lines: int
    came: dict[str, int]


def real_medication_lines(real: Path) -> dict[str, list[str]]:
    """The different medication lines by where they stand; a source that is not there has none."""
    found = {"fhir": _fhir(real), "mts_dialog": _mts(real), "aci_bench": _aci(real), "medrbench": _medrbench(real)}
    return {name: list(dict.fromkeys(lines)) for name, lines in found.items()}


def measure_real(real: Path, engine: Engine) -> list[RealTally]:
    """One tally for each source that is there."""
    tallies = []
    for source, lines in real_medication_lines(real).items():
        if lines:
            counts = Counter[str](came_out(told_of(line, engine)) for line in lines)
            tallies.append(RealTally(source, len(lines), dict(counts)))
    return tallies


def came_out(entries: Iterable[Entry]) -> Came:
    """How much of one line was read."""
    told = tuple(entries)
    if not told:
        return "nothing"
    if any(not e.resolved for e in told):
        return "asked"
    left = any(e.directions.unread or e.directions.unclear or e.directions.number for e in told)
    return "in part" if left else "whole"


# --- where they stand ------------------------------------------------------------------------------------------------
def _fhir(real: Path) -> Iterator[str]:
    """What orders of FHIR records call a medicine, with the text of its directions behind it; their codes are left aside."""
    folders = ("synthea_r4/*", "fhir_r4_examples/Medication*.json", "smart_stu3/patient*", "opioid_cds_r4/*", "pddi_cds/*")
    for path in sorted(p for folder in folders for p in real.glob(folder)):
        if ".json" in path.name:
            raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            lines = raw.decode().splitlines() if ".jsonl" in path.name or ".ndjson" in path.name else [raw.decode()]
            for text in lines:
                yield from _orders(json.loads(text))


def _orders(told: Any) -> Iterator[str]:
    if isinstance(told, list):
        for each in told:
            yield from _orders(each)
    elif isinstance(told, dict):
        if told.get("resourceType") in _ORDERS:
            yield from _order(told)
        for each in told.values():
            if isinstance(each, dict | list):
                yield from _orders(each)


def _order(told: Mapping[str, Any]) -> Iterator[str]:
    concept = told.get("medicationCodeableConcept") or {}
    names = [concept.get("text"), *(c.get("display") for c in concept.get("coding", ()))]
    directions = [d.get("text") for d in told.get("dosageInstruction") or told.get("dosage") or () if isinstance(d, dict)]
    for name in dict.fromkeys(n for n in names if n):
        yield name
        yield from (f"{name} {text}" for text in directions if text)


def _mts(real: Path) -> Iterator[str]:
    for path in sorted(real.glob("mts_dialog/*.csv")):
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True)):
            if row["section_header"] == "MEDICATIONS":
                yield from _items(row["section_text"])


def _aci(real: Path) -> Iterator[str]:
    for path in sorted(real.glob("aci_bench/*.csv")):
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True)):
            for section in _SECTION.findall(row.get("note") or ""):
                yield from _items(section)


def _medrbench(real: Path) -> Iterator[str]:
    path = real / "medrbench_treatment" / "treatment_cases.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        for section in _MEDICATION_LIST.findall(line):
            yield from _items(section.replace("\\n", "\n"))


def _items(section: str) -> Iterator[str]:
    """The lines and sentences of a section."""
    for part in _STOP.split(section):
        text = _BULLET.sub("", part).strip(" .*-")
        if len(text) > _SHORTEST:
            yield text
