"""Random cases that are valid and say something: built from the library's own drugs, products, problems, tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from conftest import compiled
from hypothesis import strategies as st

from safety.knowledge import library as lib
from safety.knowledge.library import Library

DAY = "2026-11-20"
SIGS = [
    "",
    "5 mg daily",
    "500 mg twice daily",
    "40 mg by mouth once daily",
    "1 tablet every 6 hours as needed",
    "1 g every 4 hours",
]


def leaves(entry: lib.Entry) -> list[Any]:
    """Every line of an entry, the lines inside lines too."""
    found: list[Any] = []

    def walk(lines: Any) -> None:
        for leaf in lines:
            found.append(leaf)
            walk(getattr(leaf, "lines", ()))
            if isinstance(leaf, lib.NotLeaf):
                walk((leaf.line,))

    walk(entry.condition)
    walk(entry.constraint.lines)
    for row in entry.constraint.limits:
        walk(row.who)
    for clause in entry.severity_when:
        walk(clause.lines)
    return found


@cache
def mentioned() -> dict[str, int]:
    """How many entries have a line that lists the drug."""
    counts: dict[str, int] = {}
    for entry in compiled().library.entries:
        for drug in {d for leaf in leaves(entry) for d in getattr(leaf, "members", None) or ()}:
            counts[drug] = counts.get(drug, 0) + 1
    return counts


@cache
def cases() -> st.SearchStrategy[dict[str, Any]]:
    """Whole cases, every fact of which may be missing."""
    library = compiled().library
    patient = st.fixed_dictionaries(
        {},
        optional={
            "age": st.sampled_from(["5 months", "6 y", "11 y", 12, 30, 55, 64, 65, 80]),
            "sex": st.sampled_from(["female", "male"]),
            "weight": st.sampled_from(["6 kg", "20 kg", "110 lb", "81 kg"]),
            "pregnancy": st.sampled_from(["yes", "trimester 2", "weeks 30"]),
            "breastfeeding": st.sampled_from(["yes", "no"]),
            "conditions": st.lists(_conditions(library), max_size=4),
            "allergies": st.lists(_allergies(library), max_size=2),
            "labs": st.lists(_labs(library), max_size=4),
        },
    )
    taken = st.lists(medications(), min_size=1, max_size=6)
    filled = st.builds(lambda told, taking: {**told, "medications": taking}, patient, taken)
    return st.fixed_dictionaries({"patient": filled}, optional={"plan": st.lists(medications(), max_size=3)})


@cache
def medications() -> st.SearchStrategy[Any]:
    """A line of text or fields, of a drug that rules are about or of a product."""
    library = compiled().library
    often = sorted(mentioned(), key=lambda d: (-mentioned()[d], d))
    busy, all_named = ([library.drug[d].name for d in some] for some in (often[:60], often))
    names = st.sampled_from(busy) | st.sampled_from(all_named) | st.sampled_from([p.name for p in library.products])
    fields = st.fixed_dictionaries(
        {"drug": names},
        optional={
            "dose": st.sampled_from(["5 mg", "500 mg", "2 tablets", "15 mL"]),
            "frequency": st.sampled_from(["once daily", "every 4 hours", "three times a day"]),
            "route": st.sampled_from(["oral", "topical"]),
            "supply": st.sampled_from(["otc", "prescription"]),
            "since": st.sampled_from(["2026-11-10", "2020-01-01"]),
            "until": st.sampled_from(["2026-11-10", "2026-11-19", "2026-12-31"]),
            "days": st.sampled_from([3, 30]),
        },
    )
    return st.builds(lambda name, sig: f"{name} {sig}".strip(), names, st.sampled_from(SIGS)) | fields


def _conditions(library: Library) -> st.SearchStrategy[Any]:
    names = st.sampled_from([c.name for c in library.conditions])
    return names | st.builds(lambda text: {"text": text, "status": "past"}, names)


def _allergies(library: Library) -> st.SearchStrategy[Any]:
    to = st.sampled_from([library.drug[d].name for d in sorted(mentioned())] + [c.name for c in library.classes])
    return to | st.builds(lambda t, r: {"to": t, "reaction": r}, to, st.sampled_from(["anaphylaxis", "rash", "nausea", "odd"]))


def _labs(library: Library) -> st.SearchStrategy[Any]:
    def result(test: lib.Lab, share: int, shown: str, unit: bool, on: str | None) -> dict[str, Any]:
        low, high = test.plausible_low or 0, test.plausible_high or 100
        value = shown.replace("N", str(low + (high - low) * share / 20))
        told = {"test": test.name, "value": value, "unit": test.unit if unit else None, "on": on}
        return {k: v for k, v in told.items() if v}

    days = st.sampled_from(["2026-11-20", "2026-11-02", "2026-08-01", "2024-01-01", "2027-01-01", None])
    shown = st.sampled_from(["N", "N", "N", "N", "<N", ">N", "positive", ""])
    return st.builds(result, st.sampled_from(library.labs), st.integers(1, 19), shown, st.sampled_from([True, True, False]), days)
