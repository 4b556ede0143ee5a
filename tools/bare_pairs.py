"""Every pair that an active interaction rule speaks of, named bare (no route, no dose): does it speak, and how loud?

    python tools/bare_pairs.py [--all] [--json]

Two drugs a side of each rule are tried, the first and the last by name. `level`: the rule speaks as loudly as it is written;
`assumed`: it does and says what it assumes; `other`: another rule says it as loudly of the same pair; `softer`: something
speaks, but milder; `waits`: the rule waits for a fact; `silent`: nothing does. With `--all` each one of the last three is
listed with why.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct

import safety
from safety.engine import Engine
from safety.knowledge import library as lib
from safety.model.report import RANK, Finding, Report

DAY = "2026-11-20"
SOMEBODY = {"age": 50, "sex": "male", "conditions": [], "allergies": [], "intake": []}
OUTCOMES = ("level", "assumed", "other", "softer", "waits", "silent")


class Tried(Struct, frozen=True):
    """A rule, a pair of its drugs, how it came out, and why where it is not said at its level."""

    rule: str
    severity: str
    drugs: tuple[str, str]
    outcome: str
    why: str = ""


def pairs_of(entry: lib.Entry) -> Iterator[tuple[str, str]]:
    """The first and the last drug of each of the two sides of a rule, combined."""
    sides = [leaf.members for leaf in entry.condition if isinstance(leaf, lib.DrugLeaf) and leaf.slot]
    if len(sides) != 2 or not all(sides):
        return
    first, second = (dict.fromkeys((min(side), max(side))) for side in sides if side)
    seen = set()
    for a in first:
        for b in second:
            if a != b and frozenset((a, b)) not in seen:
                seen.add(frozenset((a, b)))
                yield a, b


def tried(engine: Engine, entry: lib.Entry) -> Iterator[Tried]:
    """Each pair of a rule, named bare."""
    for drugs in pairs_of(entry):
        names = [engine.library.name_of(d) for d in drugs]
        report = engine.check({"patient": {**SOMEBODY, "medications": names}}, DAY)
        outcome, why = _outcome(engine, entry, drugs, report)
        yield Tried(entry.id, entry.severity, drugs, outcome, why)


def _outcome(engine: Engine, entry: lib.Entry, drugs: tuple[str, str], report: Report) -> tuple[str, str]:
    own = [f for f in report.every_finding if f.rule == entry.id]
    both = [f for f in report.every_finding if _is_about(f, drugs)]
    for f in own:
        if RANK[f.severity] <= RANK[entry.severity]:
            return ("assumed", "; ".join(f"{a.fact}: {a.value}" for a in f.assumed)) if f.assumed else ("level", "")
    if any(RANK[f.severity] <= RANK[entry.severity] for f in both):
        return "other", ", ".join(f.rule for f in both)
    if own:
        return "softer", f"{own[0].severity}: {own[0].severity_because or 'as the clause of this pair says'}"
    waits = [u for u in report.unknown if entry.id in (u.rule, *u.also)]
    if waits:
        usual = [f"{d} usually {engine.library.drug[d].usual_route}" for d in drugs if len(engine.library.drug[d].routes) > 1]
        return "waits", f"{', '.join(waits[0].needs)} ({', '.join(usual)})"
    if both:
        return "softer", ", ".join(f"{f.rule} {f.severity}" for f in both)
    unread = [m.text for m in report.medications if m.status != "match"]
    return "silent", f"not recognised: {', '.join(unread)}" if unread else _line_that_fails(entry)


def _line_that_fails(entry: lib.Entry) -> str:
    more = [leaf.text for leaf in entry.condition if not (isinstance(leaf, lib.DrugLeaf) and leaf.slot)]
    own = [leaf.text for leaf in entry.condition if isinstance(leaf, lib.DrugLeaf) and leaf.slot]
    return "asks more: " + "; ".join(more or own)


def _is_about(f: Finding, drugs: tuple[str, str]) -> bool:
    told = {d for s in f.subjects for d in ((s.drug,) if isinstance(s.drug, str) else s.drug or ())}
    return set(drugs) <= told


def main() -> None:
    """Print the table, and with `--all` each pair that is not said at its level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="list what is softer, waits or is silent, with why")
    parser.add_argument("--json", action="store_true", help="every pair as a line of JSON")
    told = parser.parse_args()
    engine = safety.load()
    active = [e for e in engine.library.entries if e.kind == "interaction" and e.status == "active"]
    found = [one for entry in active for one in tried(engine, entry)]
    if told.json:
        for one in found:
            print(msgspec.json.encode(one).decode())
        return
    counted = Counter((one.severity, one.outcome) for one in found)
    print(f"{'':<17}" + "".join(f"{o:>9}" for o in OUTCOMES) + f"{'all':>9}")
    for severity in RANK:
        row = [counted[severity, o] for o in OUTCOMES]
        print(f"{severity:<17}" + "".join(f"{n:>9}" for n in (*row, sum(row))))
    for one in found if told.all else ():
        if one.outcome in ("softer", "waits", "silent"):
            print(f"{one.outcome:<7} {one.severity:<15} {one.rule}  {' + '.join(one.drugs)}: {one.why}")


if __name__ == "__main__":
    main()
