"""What stands beside a condition and may decide about a medicine never passes as words that add nothing."""

from __future__ import annotations

import pytest

from safety.engine import Engine
from safety.model.report import Report

LISTS: dict[str, list[str]] = {name: [] for name in ("intake", "diet_limits", "genes", "devices", "vaccines", "allergies")}
WELL = {"age": "50 y", "sex": "female", "weight": "70 kg", "height": "170 cm", "pregnancy": "no", "breastfeeding": "no"}


def judged(engine: Engine, line: str) -> Report:
    """What is said of one line of a problem list beside a painkiller and two other medicines."""
    medicines = ["ibuprofen 400 mg tid", "metformin 500 mg bid", "sertraline 50 mg daily"]
    return engine.check({"patient": {**WELL, **LISTS, "conditions": [line], "medications": medicines}}, as_of="2026-11-30")


def said(report: Report) -> tuple[list[str], list[str], list[str]]:
    """Its findings, what is asked of lines, and what is missing."""
    return (
        sorted(f"{f.severity} {f.title}" for f in report.findings),
        sorted(u.ask for u in report.unresolved),
        sorted(hole.about for hole in report.unknown_because),
    )


@pytest.mark.parametrize(
    "tail",
    [
        "bleeding",
        "positive test today",
        "perf",
        "IVF",
        "not worked up",
        "bled last week",
        "black stools",
        "kidneys worse",
        "kidney low",
        "renal changes",
        "liver worse",
        "high Cr",
        "cr rising",
        "plts falling",
        "hgb falling",
        "no urine",
        "not peeing",
        "sees things",
        "missed period",
        "NYHA III",
        "MMSE 12",
        "PVR 150",
        "going to OR in am",
        "jaw bone showing",
        "got narcan, blue",
        "uses fentanyl",
        "per tube",
        "stent last month",
        "core +",
        "prostate big",
        "echo 35%",
        "DLCO 35",
        "aortic root 5.1",
        "HR in 30s",
        "quit taking it Tues",
        "stent last wk",
        "drain pulled 2d ago",
        "7+3",
    ],
)
@pytest.mark.parametrize("head", ["OA", "GERD", "HLD"])
def test_what_may_decide_is_asked_about_where_it_is_not_read(engine: Engine, head: str, tail: str) -> None:
    alone, with_it = said(judged(engine, head)), said(judged(engine, f"{head}, {tail}"))
    assert with_it != alone


@pytest.mark.parametrize(
    "line",
    [
        "OA, no bleeding",
        "OA, denies bleeding, kidney problems",
        "OA, low Na diet",
        "OA, UOP ok",
        "OA, wound dry",
        "OA, MMSE nl",
        "OA, no stents",
        "OA, renal c/s",
        "OA, LFTs nl",
        "OA, per cardiology",
        "OA, f/u 3 mo",
        "OA, XR stable",
        "OA, echo 2024",
        "OA, echo 11/24 nl",
        "OA, f/u Tues",
        "OA, appt next wk",
        "OA, worse w/ stairs",
        "OA, mother bleeding",
    ],
)
def test_denials_and_what_tells_nothing_are_not_asked_about(engine: Engine, line: str) -> None:
    assert said(judged(engine, line)) == said(judged(engine, "OA"))


@pytest.mark.parametrize(
    ("line", "medicine", "rule"),
    [
        ("AF, colonoscopy Thu", "warfarin 5 mg daily", "anticoagulant-before-a-procedure"),
        ("AF, liver bx tomorrow", "apixaban 5 mg bid", "anticoagulant-before-a-procedure"),
        ("AF, TURP Wed", "apixaban 5 mg bid", "apixaban-surgery"),
        ("AF, hernia repair next Tues", "warfarin 5 mg daily", "warfarin-surgery"),
        ("AF, to OR tomorrow", "apixaban 5 mg bid", "apixaban-surgery"),
        ("DM2, NPO", "glipizide 5 mg daily", "glucose-lowering-little-food"),
        ("MS, JCV ab +", "natalizumab 300 mg every 4 weeks", "natalizumab-jc-virus"),
        ("AF, TAVR next Tues", "warfarin 5 mg daily", "warfarin-surgery"),
        ("AF, crani Thu", "apixaban 5 mg bid", "apixaban-surgery"),
        ("AF, dental implants 12/14", "rivaroxaban 20 mg daily", "anticoagulant-before-a-procedure"),
        ("AF, port placement tomorrow", "warfarin 5 mg daily", "warfarin-surgery"),
        ("osteoporosis, wisdom teeth out Thurs", "alendronate 70 mg weekly", "bone-medicine-teeth"),
        ("RA, roommate has TB", "adalimumab 40 mg every 2 weeks", "tuberculosis-exposure"),
        ("MS, no VZV antibodies", "fingolimod 0.5 mg daily", "varicella-not-immune"),
        ("DM2, tube feeds stopped", "glipizide 5 mg daily", "glucose-lowering-little-food"),
    ],
)
def test_a_part_of_a_line_that_decides_is_told(engine: Engine, line: str, medicine: str, rule: str) -> None:
    case = {"patient": {**WELL, **LISTS, "conditions": [line], "medications": [medicine]}}
    report = engine.check(case, as_of="2026-11-30")
    told = {id for f in report.findings for id in (f.rule, *(also.rule for also in f.also))}
    assert rule in {id.rpartition(".")[2] for id in told}


@pytest.mark.parametrize(
    "line",
    ["AF, had colonoscopy Mon", "AF, s/p TURP Wed", "AF, colonoscopy 2019 nl", "AF, declined colonoscopy", "AF, s/p TKA 12/14"],
)
def test_a_procedure_that_was_done_or_refused_is_not_one_to_come(engine: Engine, line: str) -> None:
    case = {"patient": {**WELL, **LISTS, "conditions": [line], "medications": ["apixaban 5 mg bid"]}}
    assert not [f for f in engine.check(case, as_of="2026-11-30").findings if "rocedure" in f.title or "surgery" in f.title]


def test_what_a_medicine_that_is_taken_did_is_asked_about(engine: Engine) -> None:
    case = {"patient": {**WELL, **LISTS, "conditions": ["asthma, wheezes w/ ASA"], "medications": ["aspirin 325 mg daily"]}}
    assert any("cause" in u.ask for u in engine.check(case, as_of="2026-11-30").unresolved)


def test_a_medicine_that_a_condition_is_named_by_is_asked_for(engine: Engine) -> None:
    case = {"patient": {**WELL, **LISTS, "conditions": ["AUD, on methadone"], "medications": ["naltrexone 50 mg daily"]}}
    assert any("methadone" in u.text for u in engine.check(case, as_of="2026-11-30").unresolved)


@pytest.mark.parametrize("line", ["acne, pregnant?", "acne, might be pregnant"])
def test_somebody_told_as_not_pregnant_who_may_be_is_asked(engine: Engine, line: str) -> None:
    case = {"patient": {**WELL, **LISTS, "conditions": [line], "medications": ["isotretinoin 40 mg daily"]}}
    assert any("pregnant" in u.ask for u in engine.check(case, as_of="2026-11-30").unresolved)
