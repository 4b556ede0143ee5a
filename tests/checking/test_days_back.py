"""Words of time right behind an event say how long ago it was; those of a visit do not."""

from __future__ import annotations

from datetime import date

import pytest

from safety.engine import Engine, as_case
from safety.understanding.facts import Facts

DAY = date(2026, 11, 30)


def ago(engine: Engine, line: str) -> tuple[int, int] | None:
    """How many days ago the first condition of a line was, at least and at most."""
    facts = Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)
    return (facts.problems or ())[0].ago


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("CABG yesterday", (1, 1)),
        ("CABG today", (0, 1)),
        ("MI last week", (1, 14)),
        ("MI (last week)", (1, 14)),
        ("stroke this week", (0, 7)),
        ("GI bleed, last month", (1, 62)),
        ("stroke, neuro f/u last week", None),
        ("HTN, seen last week", None),
        ("postpartum day 1", (0, 1)),
        ("PPD#2", (1, 2)),
        ("PPD #3 s/p SVD", (2, 3)),
        ("POD#2 s/p THA", (1, 2)),
        ("s/p THA, POD 2", (1, 2)),
        ("POD 1 lap chole; T2DM", (0, 1)),
        ("seizure #2", None),
        ("T2DM, day 5 of prednisone", None),
        ("HTN, day 3 of abx", None),
        ("POD 2 hx DVT", None),
        ("POD 2, hx DVT", None),
        ("PE day 5 of heparin", (4, 5)),
        ("PNA, day 2/7 of ceftriaxone", None),
    ],
)
def test_words_of_time_behind_an_event(engine: Engine, line: str, days: tuple[int, int] | None) -> None:
    assert ago(engine, line) == days


@pytest.mark.parametrize("said", ["yesterday", "today", "2 days ago", "last week"])
def test_painkillers_right_after_a_bypass_are_forbidden_however_the_day_is_told(engine: Engine, said: str) -> None:
    told = {"patient": {"age": "60 y", "sex": "male", "conditions": [f"CABG {said}"]}, "plan": ["ibuprofen 400 mg tid"]}
    assert "contraindicated" in {finding.severity for finding in engine.check(told, as_of=DAY).findings}
