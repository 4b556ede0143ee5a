"""What a card says to do: the strictest leads and stands alone, in the names that were told, of what is being started."""

from __future__ import annotations

from typing import Any

from safety.engine import Engine
from safety.model.report import Finding

DAY = "2026-11-20"
SOMEBODY: dict[str, Any] = {"age": 70, "sex": "male", "conditions": [], "allergies": [], "weight": "70 kg"}


def cards(engine: Engine, medications: list[str], plan: list[str] | None = None, **more: Any) -> list[Finding]:
    return engine.check({"patient": {**SOMEBODY, "medications": medications, **more}, "plan": plan or []}, DAY).findings


def card(engine: Engine, rule: str, medications: list[str], plan: list[str] | None = None, **more: Any) -> Finding:
    [found] = [c for c in cards(engine, medications, plan, **more) if rule in {c.rule, *(a.rule for a in c.also)}]
    return found


def words(c: Finding) -> str:
    return " ".join(w for f in (c, *c.also) for w in (f.title, f.advice, f.if_unavoidable, f.task, f.why))


def test_where_a_medicine_is_not_to_be_given_no_dose_of_it_is_advised(engine: Engine) -> None:
    clearance = [{"test": "creatinine clearance", "value": 14, "unit": "mL/min", "on": "2026-11-18"}]
    found = card(engine, "dose.dabigatran", ["dabigatran 150 mg bid"], conditions=["atrial fibrillation"], labs=clearance)
    assert found.do in ("stop", "replace")
    assert "150 mg in 24 hours" not in words(found)
    assert "75 mg" not in words(found)
    assert found.advice


def test_where_the_dose_alone_is_wrong_it_is_still_told(engine: Engine) -> None:
    clearance = [{"test": "creatinine clearance", "value": 25, "unit": "mL/min", "on": "2026-11-18"}]
    found = card(engine, "dose.dabigatran", ["dabigatran 150 mg bid"], conditions=["atrial fibrillation"], labs=clearance)
    assert "150 mg" in words(found)


def test_a_product_goes_by_its_name_with_the_ingredient_that_does_it(engine: Engine) -> None:
    found = card(engine, "interaction.warfarin-cyp2c9-inhibitor", ["warfarin 5 daily"], ["Bactrim DS bid x7d"])
    assert "Bactrim DS (sulfamethoxazole)" in found.advice


def test_of_a_boosted_product_the_booster_is_named(engine: Engine) -> None:
    found = card(engine, "interaction.simvastatin.cyp3a4-strong-inhibitors", ["simvastatin 40 qhs"], ["Paxlovid bid"])
    assert "Paxlovid (ritonavir)" in found.advice


def test_the_same_medicine_twice_is_told_by_the_words_of_each_line(engine: Engine) -> None:
    found = card(engine, "duplicate.same-ingredient", ["lisinopril 20 daily"], ["Zestril 10 daily"])
    assert "lisinopril 20 daily and Zestril 10 daily" in found.advice


def test_of_two_that_do_not_go_together_the_one_being_started_goes(engine: Engine) -> None:
    rule = "interaction.qt-high-pair"
    assert card(engine, rule, ["amiodarone 200 daily"], ["sotalol 80 bid"]).advice.startswith("Replace sotalol ")
    assert card(engine, rule, ["sotalol 80 bid"], ["amiodarone 200 daily"]).advice.startswith("Replace amiodarone ")


def test_of_cards_as_loud_the_one_about_what_is_being_started_comes_first(engine: Engine) -> None:
    taken = ["warfarin 5 daily", "amiodarone 200 daily"]
    first, *_ = cards(engine, taken, ["naproxen 500 bid"])
    assert any(s.where.among == "plan" for s in first.subjects)
