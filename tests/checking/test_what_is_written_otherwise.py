"""Names and facts that are written otherwise: asked about, weighed, and never quietly taken for safe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_kb import READ, WHOLE, avoid, small

import safety
from safety.engine import Engine
from safety.model.report import Report

DAY = "2026-11-20"
TOLD: dict[str, Any] = {"age": 60, "sex": "male", "conditions": [], "allergies": [], "labs": []}


def answer(engine: Engine, *plan: Any, **patient: Any) -> Report:
    return engine.check({"patient": {**TOLD, **patient}, "plan": list(plan)}, DAY)


def test_an_ambiguous_name_says_what_each_candidate_would_break(engine: Engine) -> None:
    report = answer(engine, "celebrx", medications=["warfarin 5 mg daily"])
    (item,) = [u for u in report.unresolved if u.where == "plan[0]"]
    broken = {name.split(" ")[0]: rules for name, rules in item.would_break.items()}
    assert "interaction.warfarin-nsaid" in broken["celecoxib"]
    assert item.agree is False
    assert report.verdict != "clear"


def test_a_name_that_was_guessed_is_never_clear_though_all_else_is_settled() -> None:
    engine = small(avoid({"has": "condition.ulcer"}), coverage={"alphadine": READ})
    reports = {
        name: engine.check({"patient": {**WHOLE, "medications": [f"{name} 5 mg daily"]}}, DAY)
        for name in ("alphadine", "alphaddine", "alpha-dine")
    }
    assert [r.medications[0].status for r in reports.values()] == ["match"] * 3
    assert [r.medications[0].via for r in reports.values()] == ["exact", "phonetic", "split"]
    assert [bool(r.findings or r.unknown or r.unresolved) for r in reports.values()] == [False] * 3
    assert [r.verdict for r in reports.values()] == ["clear", "unknown", "unknown"]


def test_candidates_that_lead_to_the_same_answer_are_said_to_agree_and_are_still_asked(engine: Engine) -> None:
    report = answer(engine, "celebrx")
    (item,) = report.unresolved
    assert item.agree is (len({tuple(rules) for rules in item.would_break.values()}) == 1)
    assert item.ask.endswith((".", "?"))
    assert report.verdict == "unknown"


@pytest.mark.parametrize("written", ["penicilin", "penecillin", "allergic to penicilin"])
def test_an_allergy_written_with_a_slip_is_checked_and_asked_about(engine: Engine, written: str) -> None:
    report = answer(engine, "amoxicillin 500 mg three times daily", allergies=[written])
    assert any(f.kind == "allergy" and f.interrupt for f in report.findings)
    assert [(u.where, u.status) for u in report.unresolved] == [("allergies[0]", "ambiguous")]


@pytest.mark.parametrize(
    ("to", "plan", "speaks"),
    [
        ("Augmentin", "ampicillin 500 mg four times daily", True),
        ("Bactrim", "sulfadiazine 500 mg twice daily", True),
        ("Augmentin", "doxycycline 100 mg twice daily", False),
    ],
)
def test_an_allergy_to_a_product_is_one_to_any_of_its_ingredients(engine: Engine, to: str, plan: str, speaks: bool) -> None:
    report = answer(engine, plan, allergies=[{"to": to, "reaction": "hives"}])
    assert any(f.kind == "allergy" for f in report.findings) is speaks


def test_history_of_a_problem_is_neither_present_nor_past_until_asked(engine: Engine) -> None:
    report = answer(engine, "metoclopramide 10 mg three times daily", conditions=["history of pheochromocytoma"])
    assert not any("pheochromocytoma" in f.rule for f in report.findings)
    assert any("status" in u.needs for u in report.unknown)
    assert report.verdict == "unknown"
    present = answer(engine, "metoclopramide 10 mg three times daily", conditions=["pheochromocytoma"])
    assert any(f.interrupt for f in present.findings)


def test_history_of_what_lasts_for_life_is_there(engine: Engine) -> None:
    report = answer(engine, "propranolol 40 mg twice daily", conditions=["history of asthma"])
    assert any(f.interrupt for f in report.findings)


@pytest.mark.parametrize("unit", [None, "1", "INR", "ratio"])
def test_an_inr_may_be_told_without_a_unit(engine: Engine, unit: str | None) -> None:
    lab = {"test": "INR", "value": 2.5, "on": "2026-11-10"} | ({"unit": unit} if unit else {})
    report = answer(engine, medications=["warfarin 5 mg daily"], labs=[lab])
    assert not any("inr" in f.rule for f in report.findings)


def test_a_product_with_two_ingredients_of_a_class_is_one_finding_that_names_both(engine: Engine) -> None:
    report = answer(engine, "Bactrim DS 1 tablet twice daily", medications=["methotrexate 15 mg once weekly"])
    about = [f for f in report.findings if f.rule == "interaction.methotrexate-trimethoprim"]
    assert len(about) == 1
    named = {s.where: s.drug for s in about[0].subjects}
    assert set(named["plan[0]"] or ()) == {"drug.sulfamethoxazole", "drug.trimethoprim"}


def test_a_problem_with_one_slip_in_a_long_word_is_read_and_one_with_more_is_asked_about(engine: Engine) -> None:
    read = answer(engine, "pseudoephedrine 60 mg every 6 hours", conditions=["hypertensoin"])
    assert read.unresolved == []
    assert any("hypertension" in f.rule for f in read.every_finding)
    (item,) = answer(engine, "loratadine 10 mg daily", conditions=["hyprtensoin"]).unresolved
    assert item.status == "unrecognised"


@pytest.mark.parametrize(("line", "hours"), [("once weekly", 168), ("once daily", 24), ("every other day", 48)])
def test_the_time_between_doses_follows_from_how_often_it_is_taken(engine: Engine, line: str, hours: int) -> None:
    report = answer(engine, f"methotrexate 15 mg by mouth {line}", conditions=["rheumatoid arthritis"])
    assert any(f.rule == "dose.slips.methotrexate-daily" for f in report.findings) is (hours < 6 * 24)


def test_a_name_that_a_site_added_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "site" / "kb" / "products"
    folder.mkdir(parents=True)
    text = "id: product.houseprofen\nname: Houseprofen\nsupply: otc\nroute: oral\npresentations:\n"
    row = "  - {form: tablet, per: 1 tablet, contains: {drug.ibuprofen: 200 mg}}\n"
    (folder / "houseprofen.yaml").write_text(text + row, encoding="utf-8")
    answered = safety.load([tmp_path / "site"]).name("Houseprofen")
    assert (answered.drug, answered.decided_by) == ("drug.ibuprofen", "site")


@pytest.mark.parametrize(
    ("told", "known"), [("kiwi", True), ("perfume", True), ("cottonseed oil", False), ("corn starch", False)]
)
def test_an_allergy_that_is_no_drug_is_blamed_on_none_and_asked_about_if_not_known(
    engine: Engine, told: str, known: bool
) -> None:
    plan = ["hydrocortisone 10 mg daily", "nadolol 40 mg daily", "formoterol 12 mcg inhaled twice daily"]
    report = engine.check({"patient": {"allergies": [{"to": told, "reaction": "hives"}]}, "plan": plan}, DAY)
    assert not any(f.kind == "allergy" for f in report.every_finding)
    assert any(u.where == "allergies[0]" for u in report.unresolved) is not known
