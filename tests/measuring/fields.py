"""How well lines of the lists that stand beside problems and results are read: genes, procedures, devices, vaccines, weeks of a
pregnancy, use of opioids, what is eaten, limits.

An answer is `right`, `asked` (not read whole, and something is asked), `lost` (not read, and nothing is asked) or `wrong`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from measuring.charts import DAY, Scored, Sum, is_odd
from safety.engine import Engine, as_case
from safety.model.patient import Told
from safety.understanding.facts import Facts
from safety.understanding.problems import read_problems

Row = Mapping[str, Any]
_LIST = {
    "gene": "genes", "procedure": "procedures", "device": "devices", "vaccine": "vaccines", "transplant": "procedures",
    "gestational_age": "conditions", "opioid_tolerant": "conditions", "intake": "intake", "diet_limit": "diet_limits",
}  # fmt: skip
_OVER = re.compile(r"quit|none|no |former|stopped|never|denied|denies", re.I)
_NUMBER = re.compile(r"\d+")


def measure_fields(rows: list[dict[str, Any]], engine: Engine) -> list[Sum]:
    """One sum for each kind of field: what was read of `what`, and of its status and day where they are told."""
    sums: dict[str, Sum] = {}
    for row in rows:
        kind = row["expect"]["kind"]
        total = sums.setdefault(kind, Sum(kind, counts={}, remarks=[]))
        total.rows += 1
        scored = score_field(row, engine)
        for word in scored.counts:
            total.counts[word] = total.counts.get(word, 0) + 1
        if is_odd(row):
            total.remarks += [f"{row['id']} {row['text']}: {remark}" for remark in scored.remarks]
    return list(sums.values())


def score_field(row: Row, engine: Engine) -> Scored:
    """What came of one line in the list where it belongs."""
    want = row["expect"]
    facts = Facts(as_case({"patient": {_LIST[want["kind"]]: [row["text"]]}}), engine.checker.terms, DAY)
    read, status, on = _FOUND[want["kind"]](facts, want, engine)
    asked = bool(facts.unresolved)
    outcome = ("asked" if asked else "lost") if read is None else "wrong" if not read else "asked" if asked else "right"
    counts = [outcome]
    remarks = [] if outcome == "right" else [f"{outcome}: {', '.join(u.ask[:80] for u in facts.unresolved)}"]
    if read:
        for name, told, expected in (("status", status, want["status"]), ("day", str(on) if on else None, want["date"])):
            if expected is not None:
                counts.append(f"{name} {'right' if told == expected else 'wrong'}")
                remarks += [] if told == expected else [f"{name} {told}, meant {expected}"]
    return Scored(tuple(counts), tuple(remarks))


Found = tuple[bool | None, str | None, date | None]


def _gene(facts: Facts, want: Row, engine: Engine) -> Found:
    meant = engine.checker.terms.findings.gene(want["what"])
    read = [g.gene for g in facts.findings.genes]
    return (meant is not None and meant[0].id in read) if read else None, None, None


def _procedure(facts: Facts, want: Row, engine: Engine) -> Found:
    meant = engine.checker.terms.findings.procedure(want["what"])
    read = facts.findings.procedures
    one = next((p for p in read if meant is None or meant[0].id in p.kinds), None)
    if not read and (told := _as_problem(facts, want, engine)) is not None:
        return told, "done", None
    return (one is not None) if read else None, one.status if one else None, one.on if one else None


def _device(facts: Facts, want: Row, engine: Engine) -> Found:
    meant = engine.checker.terms.findings.device(want["what"])
    read = facts.findings.devices
    if not read and (told := _as_problem(facts, want, engine)) is not None:
        return told, None, None
    return any(meant is None or meant.id in d.kinds for d in read) if read else None, None, None


def _as_problem(facts: Facts, want: Row, engine: Engine) -> bool | None:
    """Whether the line was taken for the condition that it means; None where it was taken for none."""
    read = read_problems((Told(want["what"]),), engine.checker.terms, DAY, [])
    meant = {problem.id for problem in read.own} if read is not None else set()
    return any(problem.id in meant for problem in facts.implied) if facts.implied else None


def _vaccine(facts: Facts, want: Row, engine: Engine) -> Found:
    read = getattr(facts, "vaccines", ())
    meant = engine.name(want["what"]).drug
    named = {meant} if isinstance(meant, str) else set(meant or ())
    live = {m for c in engine.library.classes if c.id == "class.live-vaccines" for m in c.members}
    one = next((v for v in read if set(v.drugs) == (named & live)), None)
    return (one is not None) if read else None, one.status if one else None, one.on if one else None


def _weeks(facts: Facts, want: Row, engine: Engine) -> Found:
    told = facts.pregnancy[0]
    if told is None or told.weeks is None:
        return None, None, None
    number = _NUMBER.search(want["result"])
    return number is not None and told.weeks == int(number[0]), None, None


def _opioids(facts: Facts, want: Row, engine: Engine) -> Found:
    known = {p.id for p in facts.problems or () if p.active}
    naive = bool(re.search(r"naive|naïve|never|no ", str(want["result"]), re.I))
    meant = "condition.opioid-naive" if naive else "condition.opioid-tolerance"
    other = "condition.opioid-tolerance" if naive else "condition.opioid-naive"
    dose = not naive and "lab.opioid-dose" in (facts.results or {})
    return True if meant in known or dose else False if other in known else None, None, None


def _eaten(facts: Facts, want: Row, engine: Engine) -> Found:
    meant = engine.checker.terms.intake.read(want["what"]).food
    told = facts.patient.intake or ()
    read = [engine.checker.terms.intake.read(text) for text in told]
    foods = [t.food for t in read if t.food is not None]
    over = any(t.denied for t in read) and bool(_OVER.search(str(want["result"])))
    return (meant in foods or over) if foods else None, None, None


def _limit(facts: Facts, want: Row, engine: Engine) -> Found:
    meant = engine.checker.terms.intake.read(want["what"]).food
    foods = [t.food for t in facts.diet_limits]
    return (meant in foods) if foods else None, None, None


_FOUND: dict[str, Callable[[Facts, Row, Engine], Found]] = {
    "gene": _gene, "procedure": _procedure, "transplant": _procedure, "device": _device, "vaccine": _vaccine,
    "gestational_age": _weeks, "opioid_tolerant": _opioids, "intake": _eaten, "diet_limit": _limit,
}  # fmt: skip
