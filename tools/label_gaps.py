#!/usr/bin/env python3
"""What labels forbid or say to avoid, and whether it is told, or left untold for a reason that was tried.

    python ../shared/tools/label_gaps.py pairs --medsafe .venv/bin/medsafe --out pairs.csv
    python tools/label_gaps.py pairs.csv …

Reads what the label library's tool of the same name wrote and counts, level by level, the sentences that are told, those that
tools/label-gaps.yaml gives a reason for, and those that are open (softer, asked, silent or clear). A medicine without a monograph
is outside: a report says so of it and is never clear, so its sentences are counted apart. Names each open row, and what is wrong
with the file of reasons: a reason that holds nothing, says nothing, or does not come true when it is tried.
"""

from __future__ import annotations

import argparse
import collections
import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import safety
from safety.model.report import RANK

REASONS = Path(__file__).resolve().parent / "label-gaps.yaml"
AS_OF = "2026-11-20"
NOISE = {
    "another word": "the name stands for something else there: a salt, an organ, a laboratory test, a part of a longer name",
    "another medicine": "it is said of another medicine, pair or use; this name is an example, a substitute or a relative",
    "exception": "the name is what makes it allowed, or is taken out of what is forbidden",
    "reaction": "what happened to somebody who took it, or an allergy; the allergy checks hold it",
    "harm": "what goes wrong if the rest of the sentence is not heeded",
    "use": "what it is taken for, or the treatment of its harm",
    "no action": "the sentence asks for nothing to be avoided or stopped in this patient",
    "not sold": "the medicine or the product is no longer sold in the United States",
    "not in a record": "what decides it (a site of use, an aim, a plan) is nothing that a record tells",
}
"""Why a sentence forbids no such thing, each counted apart."""
LEFT = {
    "shows itself": "what is to be watched shows itself, or is watched with this medicine whatever else is taken",
}
"""Why a pair that is to be watched is not told: nothing is to be done about it before. Counted apart."""
HOLDS = {
    "other facts": "told as soon as the case tells them: `given` says which, and they are tried (`loud`: how loudly, else major)",
    "softer": "told at another level, on purpose; `note` says why",
}
"""Why a sentence that does forbid it is not told as loudly of the bare pair; `held` says by what it is told."""
PERSON = {"age": "45 y", "sex": "female", "pregnancy": "no", "breastfeeding": "no", "conditions": [], "allergies": []}
OPEN = ("open, softer", "open, asked", "open, silent", "open, clear")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one medicine is not told as one sentence of its label seems to ask."""

    drug: str
    about: str
    because: str
    note: str
    held: tuple[str, ...]
    given: dict[str, Any]
    loud: str = "major"

    def __str__(self) -> str:
        return f"{self.drug} | {self.about}"


def main() -> int:
    """Count what the files of the label library's tool say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--quiet", action="store_true", help="the counts alone")
    args = parser.parse_args()
    lines = [*counted(safety.load(), args.files)]
    print(*(line for line in lines if not args.quiet or line.startswith("#")), sep="\n")
    return 0


# ------------------------------------------------------------------ the file of reasons


def reasons(path: Path = REASONS) -> tuple[dict[tuple[str, str], Reason], list[str]]:
    """The reasons that stand in the file, by medicine and what it is about; and what is wrong with how they are written."""
    found, wrong = dict[tuple[str, str], Reason](), list[str]()
    for row in yaml.safe_load(path.read_text(encoding="utf-8"))["gaps"]:
        for drug in _listed(row["drug"]):
            for about in _listed(row["about"]):
                held, given = tuple(row.get("held", ())), row.get("given", {})
                reason = Reason(drug, about, row["because"], row.get("note", ""), held, given, row.get("loud", "major"))
                wrong += [f"{problem}: {reason}" for problem in _misshapen(reason, found)]
                found[drug, about] = reason
    return found, wrong


def _listed(told: str | list[str]) -> list[str]:
    return told if isinstance(told, list) else [told]


def _misshapen(reason: Reason, found: dict[tuple[str, str], Reason]) -> Iterator[str]:
    if (reason.drug, reason.about) in found:
        yield "twice"
    if reason.because not in {*NOISE, *LEFT, *HOLDS}:
        yield f"say why with one of {', '.join([*NOISE, *LEFT, *HOLDS])}"
    if not reason.note:
        yield "say why in a note"
    if reason.because in HOLDS and not reason.held:
        yield "say by what it is held"
    if reason.because == "other facts" and not reason.given:
        yield "say by which facts it is told"


def untrue(engine: safety.Engine, reason: Reason) -> str:
    """What of a reason does not come true: an entry that is not in force or of neither, facts at which it stays quiet."""
    library = engine.library
    for i in reason.held:
        entry = library.entry.get(library.current_id(i))
        if entry is None or entry.status != "active":
            return f"{i} is not held: {reason}"
        spoken_of = {d for slot in entry.slots for d in slot.members or ()}
        if not spoken_of & {*_drugs(engine, reason.drug), *_drugs(engine, reason.about)}:
            return f"{i} speaks of neither: {reason}"
    if reason.because != "other facts":
        return ""
    said = engine.check({"patient": _case(engine, reason)}, as_of=AS_OF).findings
    held = {library.current_id(i) for i in reason.held}
    if any(x.rule in held and RANK[x.severity] <= RANK[reason.loud] for x in said):
        return ""
    told = ", ".join(f"{x.rule} {x.severity}" for x in said) or "nothing"
    return f"the facts given are answered with {told}: {reason}"


def _case(engine: safety.Engine, reason: Reason) -> dict[str, Any]:
    """The patient whom a reason gives: the medicine by the route and dose given, and the other one where the row is a pair."""
    given = dict(reason.given)
    taken = {key: given.pop(key) for key in ("route", "dose", "frequency", "form", "for", "text") if key in given}
    drug = taken.pop("text", None) or {"drug": reason.drug, **taken}
    other = [reason.about] if _drugs(engine, reason.about) and not given.pop("alone", False) else []
    return {**PERSON, **given, "medications": [drug, *other, *given.get("medications", ())]}


def _drugs(engine: safety.Engine, name: str) -> tuple[str, ...]:
    """The medicines with a monograph that a name surely means."""
    answer = engine.name(name).to_dict()
    found = answer.get("drug") or ()
    drugs = (found,) if isinstance(found, str) else tuple(found)
    return drugs if answer["status"] == "match" and all(d in engine.library.drug for d in drugs) else ()


# ------------------------------------------------------------------ the count


def counted(engine: safety.Engine, files: list[Path]) -> Iterator[str]:
    """Each open row, each fault of the file of reasons, and the counts by level (lines that begin with #)."""
    reasoned, wrong = reasons()
    counts = collections.defaultdict[str, collections.Counter[str]](collections.Counter)
    needed = set[tuple[str, str]]()
    held = dict[str, bool]()
    for row in (row for path in files for row in _rows(path)):
        key = (row["drug"], row["about"])
        inside = held.setdefault(row["drug"], bool(_drugs(engine, row["drug"])))
        if row["answer"] != "told" and inside:
            needed.add(key)
        counts[row["level"]][why := _why(row, reasoned.get(key), inside)] += 1
        if why in OPEN and row["level"] != "moderate":
            yield f"{' | '.join(key)} | {row['level']} | {row['answer']} | {row['by']} | {row['sentence'][:160]}"
    yield from wrong
    yield from (problem for reason in reasoned.values() if (problem := untrue(engine, reason)))
    yield from (f"for nothing: {' | '.join(key)}" for key in reasoned if key not in needed)
    for level, count in counts.items():
        yield f"# {level}: {_summary(count)}"


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as f:
        yield from csv.DictReader(f)


def _why(row: dict[str, str], reason: Reason | None, inside: bool) -> str:
    if row["answer"] == "told":
        return "told"
    if not inside and row["answer"] != "clear":
        return "outside"
    return reason.because if reason is not None else f"open, {row['answer']}"


def _summary(count: collections.Counter[str]) -> str:
    """The counts of one level, and the share of what is inside that is told or has its reason."""
    inside = sum(count.values()) - count["outside"]
    still = sum(count[answer] for answer in OPEN)
    noise = sum(count[kind] for kind in NOISE)
    parts = {"told": count["told"], **{k: count[k] for k in [*HOLDS, *LEFT]}, "noise": noise}
    open_rows = ", ".join(f"{count[answer]} {answer.removeprefix('open, ')}" for answer in OPEN if count[answer]) or "none"
    kinds = ", ".join(f"{count[kind]} {kind}" for kind in NOISE if count[kind])
    return (
        f"{sum(count.values())} rows, {count['outside']} of medicines without a monograph; of {inside}: "
        + ", ".join(f"{n} {what}" for what, n in parts.items())
        + (f" ({kinds})" if kinds else "")
        + f"; open: {open_rows}; told or reasoned {100 * (inside - still) / max(inside, 1):.1f} %"
    )


if __name__ == "__main__":
    sys.exit(main())
