"""How lines of charts as people write them are read: problems, medications, results; each against what was meant.

A file holds one JSON object a line: `id`, `kind` (problem, medication, result), `text`, `expect`, and what else is told.
A head of a problem line may name `as` what it is held where it is no condition: a pregnancy, a gene, a result, what is drunk or
smoked (`intake`), an allergy, a weight, a device or a procedure. It is read where the case holds that fact, and only there.
Each kind has one scorer in `SCORERS`; a kind without one is counted and not measured.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from measuring.chart_fields import HELD
from measuring.chart_lines import PARTS, measure_medications
from measuring.chart_results import score_results
from safety.engine import Engine, as_case
from safety.judging.conditions import Logic
from safety.model.patient import Told
from safety.understanding.facts import Facts

DAY = date(2026, 11, 27)
Row = dict[str, Any]
PRESENT, OVER = "present", "over"
_MEANT = {
    "active": PRESENT, "history": OVER, "resolved": OVER, "past": OVER, "unclear": OVER, "family": "family", "denied": "denied",
    "ruled_out": "denied", "suspected": "suspected", "at_risk": "denied", "screening": "denied", "planned": "denied",
}  # fmt: skip
"""Which of the few answers that matter to a rule each status comes to."""
_NOT_HERS = frozenset({"family", "denied", "suspected"})
_GONE_THROUGH = frozenset({"procedure", "device"})
"""Of what was done, or is worn, no difference is made between a history of it and that it is there."""


class Scored(Struct):
    """What came of one line: words that are counted, each a column of the table, and what to look at."""

    counts: tuple[str, ...]
    remarks: tuple[str, ...] = ()


class Sum(Struct):
    """Of one kind of line: how many there are, and how many have each word."""

    kind: str
    rows: int = 0
    counts: dict[str, int] = {}
    remarks: list[str] = []


def read_rows(path: Path) -> list[Row]:
    """The lines of a file, in order."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def is_odd(row: Row) -> bool:
    """Whether a line is of the half that may be looked at while developing."""
    return int("".join(c for c in str(row["id"]) if c.isdigit()) or 0) % 2 == 1


def measure_charts(rows: Iterable[Row], engine: Engine, *, remarks: bool = False) -> list[Sum]:
    """One sum for each kind of line; remarks only of the odd half."""
    sums: dict[str, Sum] = {}
    for row in rows:
        total = sums.setdefault(row["kind"], Sum(row["kind"], counts={}, remarks=[]))
        total.rows += 1
        scorer = SCORERS.get(row["kind"])
        if scorer is None:
            continue
        scored = scorer(row, engine)
        for word in scored.counts:
            total.counts[word] = total.counts.get(word, 0) + 1
        if remarks and is_odd(row):
            total.remarks += [f"{row['id']} {row['text']}: {remark}" for remark in scored.remarks]
    return list(sums.values())


# ------------------------------------------------------------------ problems


class ReadProblem(Struct, frozen=True):
    """A condition that was read from a line: everything it is a kind of, and which answer its status comes to."""

    id: str
    kinds: tuple[str, ...]
    status: str


def problems_read(text: str, engine: Engine) -> tuple[list[ReadProblem], list[str]]:
    """The conditions that are read from one line of a problem list, with those that a result on it is ("K+ 6.4"), and what of
    it is asked about."""
    case = as_case({"patient": {"conditions": [text]}})
    facts = Facts(case, engine.checker.terms, DAY)
    listed = facts.listed
    found = [ReadProblem(p.id, p.kinds, PRESENT if p.active else OVER) for p in facts.problems or ()]
    found += [ReadProblem(p.id, p.kinds, "suspected") for p in listed.suspected]
    found += [ReadProblem(p.id, p.kinds, "family") for p in listed.family]
    found += [ReadProblem(p.id, p.kinds, "denied") for p in (*(p for p, _ in listed.denied), *listed.kin_denied)]
    told = {kind for p in found for kind in p.kinds}
    found += [ReadProblem(i, _kinds(i, engine), PRESENT) for i, _ in Logic(facts).following if i not in told]
    return found, [u.text for u in facts.unresolved if u.where.among == "conditions"]


def told_elsewhere(text: str, engine: Engine) -> frozenset[str]:
    """What a line of a problem list tells that is no condition there: an allergy, a genetic result."""
    facts = Facts(as_case({"patient": {"conditions": [text]}}), engine.checker.terms, DAY)
    genes = (f"{gene.gene} {gene.state}" for gene in facts.findings.genes)
    return frozenset((*(known.target for known in facts.listed.reactions), *genes))


def score_problem(row: Row, engine: Engine) -> Scored:
    """All heads read, some or none; the status right where one was read; a line that must not alarm and does.

    An allergy or a genetic result that is meant and no condition of ours is read where the same allergy or result is.
    """
    terms = engine.checker.terms
    found, asked = problems_read(row["text"], engine)
    meant = [(e["head"], terms.condition(Told(e["head"])), _of_status(e, found, engine)) for e in row["expect"]]
    counts, remarks = [], []
    elsewhere = told_elsewhere(row["text"], engine)
    read = [(name, want, _match(known[0], want, found, engine) if known else None) for name, known, want in meant]
    read = [
        (name, want, replace(hit, status=want) if hit is not None and told.get("as") in _GONE_THROUGH else hit)
        for told, (name, want, hit) in zip(row["expect"], read, strict=True)
    ]
    read = [
        (name, want, hit or _held(row["text"], told, want, elsewhere, engine, known is None))
        for told, (name, want, hit), (_, known, _) in zip(row["expect"], read, meant, strict=True)
    ]
    hits = [
        (name, want, replace(hit, status=want) if "unclear" in _told(told) and hit.status == "suspected" else hit)
        for told, (name, want, hit) in zip(row["expect"], read, strict=True)
        if hit is not None
    ]  # nobody knows, and so it was read
    if not meant:
        counts.append("no head")
    else:
        counts.append("all heads" if len(hits) == len(meant) else "some heads" if hits else "no head of")
        remarks += [f"not read: {name}" for name, _, hit in read if hit is None]
    if hits:
        right = all(hit.status == want for _, want, hit in hits)
        counts.append("status right" if right else "status wrong")
        remarks += [f"{name}: {hit.status}, meant {want}" for name, want, hit in hits if hit.status != want]
    if asked:
        counts.append("asked")
    own = [want for _, want, _ in read if want not in _NOT_HERS]
    loud = [p for p in found if p.status in (PRESENT, OVER)]
    meant_ids = {k for _, known, want in meant if known and want not in _NOT_HERS for k in _kinds(known[0], engine)}
    if any(e.get("as") == "pregnancy" and "planned" in _told(e) for e in row["expect"]):
        loud = [p for p in loud if p.id != "condition.pregnancy-planning"]
    strangers = [p for p in loud if meant_ids.isdisjoint(p.kinds)]
    if not own and not any(row.get(k) for k in ("procedures", "devices", "intake")):
        counts.append("must not alarm")
        if loud:
            counts.append("alarms")
            remarks.append(f"ALARMS: {', '.join(p.id for p in loud)}")
    if strangers:
        counts.append("other head")
        remarks.append(f"other: {', '.join(f'{p.id} {p.status}' for p in strangers)}")
    if asked:
        remarks.append(f"asked: {' | '.join(asked)}")
    return Scored(tuple(counts), tuple(remarks))


def _of_status(told: Row, found: list[ReadProblem], engine: Engine) -> str:
    """What the status of a head comes to; of several that are right, the one that was read, else the first.

    Where none is told any is right.
    """
    meant = [_MEANT[status] for status in _told(told)]
    known = engine.checker.terms.condition(Told(told["head"]))
    hit = _match(known[0], meant[0], found, engine) if known else None
    return hit.status if hit is not None and hit.status in meant else meant[0]


def _told(head: Row) -> list[str]:
    """The statuses of a head that are right; where the list leaves it out, any of them."""
    told = head.get("status") or ["active", "history", "suspected", "denied", "family"]
    return [told] if isinstance(told, str) else told


def _kinds(i: str, engine: Engine) -> tuple[str, ...]:
    return engine.library.condition[i].is_a


def _match(wanted: str, status: str, found: list[ReadProblem], engine: Engine) -> ReadProblem | None:
    """What was read that is the condition meant, or a kind of it; else one that it is a kind of.

    Where the same condition was read twice ("partner HIV+, pt HIV neg"), the one of the status that is meant.
    """
    exact = sorted((p for p in found if p.id == wanted), key=lambda p: p.status != status)
    narrower = [p for p in found if wanted in p.kinds]
    wider = [p for p in found if p.id in _kinds(wanted, engine)]
    return next(iter((*exact, *narrower, *wider)), None)


def _held(text: str, told: Row, want: str, elsewhere: frozenset[str], engine: Engine, strange: bool) -> ReadProblem | None:
    """What was not read as a condition, as the case holds it in another field: in the one the list names, if it names one."""
    if "as" not in told:
        return _elsewhere(told["head"], want, elsewhere, engine) if strange else None
    facts = Facts(as_case({"patient": {"conditions": [text]}}), engine.checker.terms, DAY)
    said = HELD[told["as"]](facts, told, engine)
    return ReadProblem(told["head"], (told["head"],), want if said == "any" else said) if said is not None else None


def _elsewhere(name: str, want: str, told: frozenset[str], engine: Engine) -> ReadProblem | None:
    """What is meant, as it was read where it is no condition; with the status that is meant if that is to be there."""
    alike = bool(told) and not told.isdisjoint(told_elsewhere(name, engine))
    return ReadProblem(name, (name,), want if want == PRESENT else OVER) if alike else None


def score_medication(row: Row, engine: Engine) -> Scored:
    """One line of a medication list: `name right`, `dose asked` …, and how it was read where a part is not right."""
    (line,) = measure_medications([row], engine).lines
    came = {part: getattr(line, part) for part in PARTS}
    off = ", ".join(f"{part} {outcome}" for part, outcome in came.items() if outcome != "right")
    return Scored(tuple(f"{part.replace('_', ' ')} {outcome}" for part, outcome in came.items()), (off,) if off else ())


SCORERS: dict[str, Callable[[Row, Engine], Scored]] = {
    "problem": score_problem,
    "medication": score_medication,
    "result": lambda row, engine: Scored(*score_results(row, engine)),
}


# ------------------------------------------------------------------ problem lines of real records


def real_problem_lines(real: Path) -> dict[str, list[str]]:
    """The different problem lines in records and notes that nobody on the project wrote, by where they stand."""
    found = {"fhir": _displays(real), "mts_dialog": _mts(real), "medrbench": _medrbench(real), "aci_bench": _aci(real)}
    return {name: list(dict.fromkeys(lines)) for name, lines in found.items()}


def _displays(real: Path) -> Iterator[str]:
    """What Conditions of FHIR records are called, by their text or display; their codes are left aside."""
    for path in sorted(
        (*real.glob("synthea_r4/*"), *real.glob("fhir_r4_examples/Condition*.json"), *real.glob("smart_stu3/patient*"))
    ):
        if ".json" not in path.name:
            continue
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        told = json.loads(raw)
        for entry in told.get("entry", [{"resource": told}]):
            resource = entry.get("resource", {})
            if resource.get("resourceType") == "Condition":
                concept = resource.get("code", {})
                yield from (t for t in (concept.get("text"), *(c.get("display") for c in concept.get("coding", ()))) if t)


def _mts(real: Path) -> Iterator[str]:
    for path in sorted(real.glob("mts_dialog/*.csv")):
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True)):
            if row["section_header"] in ("PASTMEDICALHX", "PASTSURGICAL", "DIAGNOSIS"):
                yield from _items(row["section_text"])


def _aci(real: Path) -> Iterator[str]:
    for path in sorted(real.glob("aci_bench/*.csv")):
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True)):
            for section in _ACI.findall(row.get("note") or ""):
                yield from _items(section)


def _medrbench(real: Path) -> Iterator[str]:
    path = real / "medrbench_treatment" / "treatment_cases.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        for section in _HISTORY.findall(line):
            yield from _items(section.replace("\\n", "\n"))


_ACI = re.compile(
    r"(?:PAST (?:MEDICAL )?HISTORY|MEDICAL HISTORY|IMPRESSION|SURGICAL HISTORY)\s*:?\s*\n(.*?)(?:\n[A-Z][A-Z ]{5,}|\Z)", re.S
)
_HISTORY = re.compile(r"(?:Past Medical History|Medical History|Comorbidities)[:*\s]+(.{5,400}?)(?:\\\\n|\"|- \*\*)", re.S)
_NUMBER = re.compile(r"^\s*(?:\d+[.)]|[-*\u2022])\s*")


def _items(section: str) -> Iterator[str]:
    """The lines and sentences of a section."""
    for part in re.split(r"\n|(?<=[a-z)])\.\s+(?=[A-Z0-9])|(?<=\D)\s(?=\d\.\s)", section):
        text = _NUMBER.sub("", part).strip(" .*-")
        if len(text) > 2:
            yield text
