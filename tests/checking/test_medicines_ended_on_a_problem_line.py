"""A medicine that a line of the problem list says was stopped counts as one that was stopped lately: some act for weeks."""

from __future__ import annotations

import pytest
from measuring.charts import problems_read

from safety.engine import Engine


def titles(engine: Engine, line: str, *medications: str) -> list[str]:
    report = engine.check(
        {
            "as_of": "2026-11-29",
            "patient": {
                "age": "50 y",
                "sex": "female",
                "conditions": [line],
                "allergies": [],
                "medications": list(medications),
            },
        }
    )
    return [finding.rule for finding in report.findings if finding.severity == "contraindicated"]


@pytest.mark.parametrize(
    ("line", "taken", "rule"),
    [
        ("depression, stopped phenelzine last week", "sertraline 50 mg daily", "interaction.maoi-serotonin-antidepressant"),
        ("MDD, off Prozac 11/15", "phenelzine 15 mg tid", "fluoxetine"),
        ("HTN, lisinopril stopped yesterday", "Entresto 24/26 bid", "sacubitril"),
    ],
)
def test_what_was_stopped_lately_still_acts(engine: Engine, line: str, taken: str, rule: str) -> None:
    assert any(rule in found for found in titles(engine, line, taken))


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("depression, off Nardil since 2015", "sertraline 50 mg daily"),
        ("depression, stopped phenelzine in 2019", "sertraline 50 mg daily"),
        ("MDD, failed Prozac", "phenelzine 15 mg tid"),
        ("HTN, lisinopril stopped 10/1", "Entresto 24/26 bid"),
        ("HTN, lisinopril stopped yesterday", "amlodipine 5 mg daily"),
        ("mother on phenelzine, stopped last week", "sertraline 50 mg daily"),
    ],
)
def test_what_was_stopped_long_ago_or_acts_on_nothing_is_silent(engine: Engine, line: str, taken: str) -> None:
    assert titles(engine, line, taken) == []


def test_what_is_stopped_is_the_medicine_and_not_the_condition(engine: Engine) -> None:
    found, _ = problems_read("depression, stopped phenelzine last week", engine)
    assert [(p.id, p.status) for p in found] == [("condition.depression", "present")]
