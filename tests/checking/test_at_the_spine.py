"""A needle or a catheter at the spine, and contrast, however a problem list tells it: done, there, or still to come."""

from __future__ import annotations

from datetime import date

import pytest

from safety.engine import Engine, as_case
from safety.understanding.facts import Facts

DAY = date(2026, 11, 30)
AHEAD = [
    "spinal anesthesia planned", "planned spinal anesthesia", "epidural anesthesia planned", "spinal tap tomorrow", "LP tomorrow",
    "HTN, LP tomorrow", "lumbar puncture planned", "epidural steroid injection next week",
]  # fmt: skip
THERE = ["epidural catheter in place", "epidural catheter", "indwelling epidural"]
NOT_NOW = ["s/p lumbar puncture 2019", "no LP", "CHF f/u tomorrow"]


def loud(engine: Engine, line: str) -> bool:
    patient = {"age": 60, "sex": "male", "conditions": [line], "medications": ["apixaban 5 mg bid"]}
    found = engine.check({"patient": patient}, as_of=DAY).every_finding
    return any(f.rule == "contraindication.procedures-devices.anticoagulant-neuraxial" for f in found)


@pytest.mark.parametrize("line", [*AHEAD, *THERE])
def test_an_anticoagulant_beside_a_needle_or_catheter_at_the_spine_is_told(engine: Engine, line: str) -> None:
    assert loud(engine, line)


@pytest.mark.parametrize("line", NOT_NOW)
def test_what_is_long_done_or_denied_is_not(engine: Engine, line: str) -> None:
    assert not loud(engine, line)


@pytest.mark.parametrize("line", ["CT with contrast planned", "contrast CT planned", "heart failure; CT with contrast planned"])
def test_contrast_that_is_planned_is_a_procedure_to_come(engine: Engine, line: str) -> None:
    facts = Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)
    assert [(p.kinds[0], p.status) for p in facts.findings.procedures] == [("procedure.iodinated-contrast", "planned")]
