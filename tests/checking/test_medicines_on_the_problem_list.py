"""A medicine that the problem list says is taken, and that no list of medicines has: it counts, and is asked about."""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine
from safety.model.report import Report


def of(
    engine: Engine, line: str, *, plan: str = "ibuprofen 600 mg tid", taken: tuple[str, ...] | None = ("atorvastatin 20 mg",)
) -> Report:
    patient: dict[str, Any] = {"age": "60 y", "sex": "female", "allergies": [], "conditions": [line]}
    if taken is not None:
        patient["medications"] = list(taken)
    return engine.check({"as_of": "2026-11-30", "patient": patient, "plan": [plan]})


def warned(report: Report) -> bool:
    return any("arfarin" in f.title or "nticoag" in f.title for f in report.findings)


def asked(report: Report) -> bool:
    return any("arfarin` taken" in q.ask or "arfarin taken" in q.ask for q in report.questions)


@pytest.mark.parametrize(
    "line",
    [
        "AF on warfarin", "AF, on coumadin per cards", "AF - warfarin 5 mg daily", "AF, CVA 2019 on warfarin", "on warfarin",
        "lupus anticoagulant, on lifelong warfarin", "?AF on warfarin", "fall on warfarin", "AF on warfarin, failed Eliquis",
        "mech AVR, INR goal 2.5-3.5 on warfarin", "GIB on warfarin",
    ],
)  # fmt: skip
def test_what_the_problem_list_says_is_taken_counts_and_is_asked_about(line: str, engine: Engine) -> None:
    report = of(engine, line)
    assert warned(report)
    assert any(a.fact == "taken" for f in report.findings for a in f.assumed)
    assert report.verdict == "violated"
    assert not report.complete
    assert warned(of(engine, line, taken=None))


@pytest.mark.parametrize(
    "line",
    [
        "AF (warfarin)", "h/o DVT on warfarin", "AF on warfarin until 2019", "chronic warfarin", "ICH on warfarin 2019",
        "AF on warfarin -> switched to Eliquis", "AF on warfarin, now off", "AF, planning to go on warfarin",
        "DVT 2015 treated w/ warfarin x6mo",
    ],
)  # fmt: skip
def test_what_it_only_names_or_may_be_over_is_asked_where_it_would_break_something(line: str, engine: Engine) -> None:
    report = of(engine, line)
    assert not warned(report)
    assert asked(report)
    assert any(rules for u in report.unresolved for rules in u.would_break.values())
    harmless = of(engine, line, plan="acetaminophen 500 mg once")
    assert not any(u.would_break for u in harmless.unresolved)
    assert not asked(harmless)


@pytest.mark.parametrize(
    "line",
    [
        "AF, not on warfarin", "AF - declined warfarin", "AF off warfarin", "AF, d/c warfarin", "AF no longer on warfarin",
        "mom has AF on warfarin", "brother on warfarin", "AF never on warfarin", "AF, failed warfarin", "AF on warfarin (held)",
        "AF, was on warfarin", "warfarin allergy", "AF not a candidate for warfarin", "AF, warfarin stopped after GIB",
    ],
)  # fmt: skip
def test_what_is_denied_ended_or_anothers_is_not_taken(line: str, engine: Engine) -> None:
    assert not warned(of(engine, line))


def test_what_a_list_has_too_is_that_one(engine: Engine) -> None:
    report = of(engine, "AF on warfarin", taken=("warfarin 5 mg daily",))
    assert warned(report)
    assert not any(a.fact == "taken" for f in report.findings for a in f.assumed)
    assert [m.where.among for m in report.medications] == ["medications", "plan"]


def test_where_another_of_its_class_is_listed_the_problem_list_may_be_old(engine: Engine) -> None:
    report = of(engine, "AF on warfarin", plan="acetaminophen 500 mg once", taken=("apixaban 5 mg bid",))
    assert not warned(report)
    assert asked(report)  # were both taken, that would be a finding


def test_nothing_is_missed_of_a_list_that_does_not_name_it(engine: Engine) -> None:
    """What goes with it (folic acid beside methotrexate), what is measured of it and how much is taken are asked of lists."""
    report = of(engine, "RA on methotrexate", plan="acetaminophen 500 mg once")
    assert not any(f.kind in ("omission", "monitoring") for f in report.findings)
    assert not any(u.kind == "dose" and any(s.where.among == "conditions" for s in u.subjects) for u in report.unknown)
