"""A needle or catheter at the spine, contrast, a consult and an operation, as a problem list tells them in short."""

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


@pytest.mark.parametrize("line", ["AKI, renal c/s", "bacteremia, ID c/s", "GI bleed, GI c/s in AM", "elder abuse?, SW c/s"])
def test_a_service_that_is_consulted_is_no_cesarean_section(engine: Engine, line: str) -> None:
    facts = Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)
    assert "condition.cesarean-section" not in {p.id for p in facts.problems or ()}


@pytest.mark.parametrize("line", ["prior c/s x2", "s/p c/s 2019", "C/S 2021"])
def test_a_cesarean_section_is_one(engine: Engine, line: str) -> None:
    facts = Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)
    assert "condition.cesarean-section" in {p.id for p in facts.problems or ()}


@pytest.mark.parametrize(
    "line",
    [
        "panhypopit s/p TSS", "hypogonadism s/p orchiectomy", "exocrine pancreatic insufficiency s/p Whipple",
        "urinary incontinence s/p prostatectomy",
    ],
)  # fmt: skip
def test_what_an_operation_leaves_behind_is_not_ended_by_it(engine: Engine, line: str) -> None:
    facts = Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)
    assert (facts.problems or ())[0].active is not False
