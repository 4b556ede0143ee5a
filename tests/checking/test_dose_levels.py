"""How loud too much is: a larger dose is never told more softly, by our own tables too, whichever limit the card names."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from small_kb import DAY, doses, small

from safety.engine import Engine
from safety.knowledge import library as lib
from safety.model.report import RANK

LARGE = {"id": "adult", "day": {"at_least": "10 mg", "at_most": "80 mg"}}
OLD = {"id": "old", "who": [{"age": {"at_least": "65 y"}}], "day": {"at_most": "20 mg"}}
SOFTER = small(doses(LARGE, severity="major", adjust=[{**OLD, "severity": "moderate"}]))
LOUDER = small(doses(LARGE, severity="moderate", adjust=[{**OLD, "severity": "major"}]))
_WHO = {"sex": "male", "weight": "70 kg", "height": "175 cm", "conditions": [], "allergies": [], "labs": []}


def level(engine: Engine, milligrams: Decimal | int, **patient: Any) -> tuple[str, str]:
    """How loud a dose of this many milligrams once a day is, and the slip it looks like; empty where nothing is told."""
    case = {"patient": {**_WHO, **patient, "medications": [f"alphadine {milligrams} mg once daily"]}}
    found = [(f.severity, f.suspect or "") for f in engine.check(case, DAY).findings if f.rule == "dose.alphadine"]
    return found[0] if found else ("", "")


@pytest.mark.parametrize(
    ("engine", "age", "milligrams", "expected"),
    [
        (SOFTER, "70 y", 20, ""), (SOFTER, "70 y", 21, "moderate"), (SOFTER, "70 y", 59, "moderate"),
        (SOFTER, "70 y", 81, "major"), (SOFTER, "40 y", 80, ""), (SOFTER, "40 y", 81, "major"),
        (LOUDER, "70 y", 21, "major"), (LOUDER, "70 y", 81, "major"), (LOUDER, "40 y", 81, "moderate"),
    ],
)  # fmt: skip
def test_a_dose_beyond_two_limits_is_as_loud_as_the_louder(engine: Engine, age: str, milligrams: int, expected: str) -> None:
    assert level(engine, milligrams, age=age)[0] == expected


def test_what_is_too_much_for_anybody_is_a_slip_and_what_is_too_much_for_the_old_was_meant() -> None:
    assert level(SOFTER, 400, age="70 y")[1] == "tenfold"
    assert level(SOFTER, 80, age="70 y")[1] == ""


def _most(table: lib.DoseTable) -> Decimal | None:
    """The largest plain amount of a day, in milligrams, that a table by mouth names."""
    held = [
        bound.value.value
        for one in (*table.ranges, *table.adjust) if one.routes is None or "oral" in one.routes
        for bound in one.day if bound.op == "at_most" and bound.value.unit == "mg"
    ]  # fmt: skip
    return max(held, default=None)


@pytest.mark.parametrize("age", ["40 y", "82 y"])
def test_more_of_a_medicine_is_never_told_more_softly(engine: Engine, age: str) -> None:
    tables = [entry.doses for entry in engine.library.entries if entry.doses is not None]
    known = [(table, most) for table in tables if (most := _most(table))]
    softer, tried = [], 0
    for table, most in known:
        loudest = len(RANK)
        for times in (Decimal("0.6"), Decimal("1.2"), Decimal("2.5"), Decimal("3.5"), Decimal(11)):
            line = {"drug": engine.library.name_of(table.drug), "dose": f"{(most * times).normalize():f} mg",
                    "frequency": "once daily", "route": "oral", "supply": "prescription"}  # fmt: skip
            report = engine.check({"patient": {**_WHO, "age": age, "medications": [line]}}, DAY)
            rank = min((RANK[f.severity] for one in report.findings for f in (one, *one.also)), default=len(RANK))
            tried += rank < len(RANK)
            if rank > loudest:
                softer.append(f"{line['drug']} {line['dose']}")
            loudest = min(rank, loudest)
    assert not softer
    assert tried > len(known)
