"""More than three hundred everyday regimens stay quiet: the list is `blind/everyday.yaml`, with its story at its head."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest
import yaml
from conftest import REPO
from measuring.regimens import checked

from safety.engine import Engine
from safety.model.report import Report

DAY = "2026-11-20"
_LIST = REPO / "tests" / "checking" / "blind" / "everyday.yaml"


@pytest.fixture(scope="module")
def reports(engine: Engine) -> dict[str, Report]:
    rows: list[dict[str, Any]] = yaml.load(_LIST.read_text(encoding="utf-8"), getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    return {row["id"]: checked(engine, row, DAY) for row in rows}


def test_there_are_more_than_three_hundred(reports: dict[str, Report]) -> None:
    assert len(reports) > 300


def test_none_brings_up_anything_contraindicated_or_major(reports: dict[str, Report]) -> None:
    loud = {i: [f.rule for f in r.every_finding if f.severity in ("contraindicated", "major")] for i, r in reports.items()}
    assert {i: rules for i, rules in loud.items() if rules} == {}


def test_none_interrupts(reports: dict[str, Report]) -> None:
    assert [i for i, r in reports.items() if any(f.interrupt for f in r.findings)] == []


def test_few_cards_are_shown(reports: dict[str, Report]) -> None:
    cards = [sum(f.severity != "minor" for f in r.findings) for r in reports.values()]
    assert mean(cards) < 1
    assert sum(n > 2 for n in cards) <= 3


@pytest.mark.parametrize(
    "said",
    ["hepatitis B surface antigen negative", "hep B core Ab neg", "tuberculosis test negative", "latent TB test negative",
     "no personal or family history of medullary thyroid carcinoma", "influenza test negative", "pregnancy test negative"],
)  # fmt: skip
def test_a_negative_test_is_no_condition(engine: Engine, said: str) -> None:
    patient = {"age": "40 y", "sex": "female", "conditions": [said], "allergies": [], "medications": []}
    plan = ["adalimumab 40 mg SC every 2 weeks", "semaglutide 0.25 mg SC weekly", "methotrexate 15 mg PO weekly"]
    report = engine.check({"patient": {**patient, "breastfeeding": "no"}, "plan": plan}, DAY)
    assert [f.rule for f in report.every_finding if f.kind in ("contraindication", "pregnancy")] == []


@pytest.mark.parametrize(
    "said",
    ["hepatitis B surface antigen positive", "tuberculosis test positive", "TB smear negative", "TB culture negative",
     "tuberculosis; sputum smear negative",
     "latent tuberculosis", "family history of medullary thyroid carcinoma"],
)  # fmt: skip
def test_a_positive_test_and_a_smear_without_germs_are_still_told(engine: Engine, said: str) -> None:
    patient = {"age": "40 y", "sex": "female", "conditions": [said], "allergies": [], "medications": [], "pregnancy": "no"}
    plan = ["adalimumab 40 mg SC every 2 weeks", "semaglutide 0.25 mg SC weekly"]
    report = engine.check({"patient": patient, "plan": plan}, DAY)
    assert [f.rule for f in report.every_finding if f.kind == "contraindication"] != []


@pytest.mark.parametrize(
    ("line", "drugs"),
    [("eplerenone 25 mg by mouth once daily, with potassium recheck within 1 week", ["drug.eplerenone"]),
     ("denosumab 60 mg SC once, calcium level in 2 weeks", ["drug.denosumab"]),
     ("furosemide 40 mg daily, potassium chloride 20 mEq daily", ["drug.furosemide", "drug.potassium-chloride"]),
     ("levothyroxine 50 mcg daily, calcium carbonate 500 mg at supper", ["drug.levothyroxine", "drug.calcium-carbonate"])],
)  # fmt: skip
def test_what_is_measured_beside_a_medicine_is_not_taken(engine: Engine, line: str, drugs: list[str]) -> None:
    report = engine.check({"patient": {"age": "40 y", "sex": "male", "medications": [line]}}, DAY)
    assert [m.drug for m in report.medications] == drugs
