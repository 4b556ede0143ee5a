"""What is offered instead of a medicine that a rule speaks against: for this patient, and checked like anything else."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.model.patient import Case, Medication, Patient
from safety.model.report import RANK, Finding
from safety.understanding.medications import understand

DAY = "2026-11-20"
ADULT: dict[str, Any] = {"age": "66 y", "sex": "male", "weight": "80 kg", "allergies": [], "labs": []}


def card(engine: Engine, rule: str, **told: Any) -> Finding:
    plan = told.pop("plan", [])
    report = engine.check({"patient": {**ADULT, **told}, "plan": plan}, DAY)
    return next(f for f in report.findings if f.rule == rule)


def test_beside_warfarin_acetaminophen_and_a_gel_are_offered_instead_of_naproxen(engine: Engine) -> None:
    found = card(engine, "interaction.warfarin-nsaid", medications=["warfarin 5 mg daily"], plan=["naproxen 500 mg twice daily"])
    assert [o.drug for o in found.instead] == ["drug.acetaminophen", "drug.diclofenac", "drug.lidocaine"]
    assert found.instead[0].mind == ["interaction.warfarin-acetaminophen"]


def test_what_the_patient_is_allergic_to_is_not_offered(engine: Engine) -> None:
    found = card(
        engine, "interaction.warfarin-nsaid", medications=["warfarin 5 mg daily"], plan=["naproxen 500 mg twice daily"],
        allergies=[{"to": "acetaminophen", "reaction": "anaphylaxis"}],
    )  # fmt: skip
    assert "drug.acetaminophen" not in [o.drug for o in found.instead]


def test_what_the_same_rules_forbid_is_not_offered(engine: Engine) -> None:
    """In severe liver disease neither the one nor the other: duloxetine's card offers nothing that the liver forbids."""
    patient = {**ADULT, "conditions": ["decompensated cirrhosis", "type 2 diabetes"]}
    report = engine.check(
        {"patient": {**patient, "medications": ["metformin 1000 mg twice daily"]}},
        DAY,
    )  # fmt: skip
    for finding in report.findings:
        assert "drug.metformin" not in [o.drug for o in finding.instead]


def test_a_medicine_on_the_list_is_not_offered_again(engine: Engine) -> None:
    found = card(
        engine, "interaction.warfarin-nsaid", medications=["warfarin 5 mg daily", "acetaminophen 500 mg twice daily"],
        plan=["naproxen 500 mg twice daily"],
    )  # fmt: skip
    assert "drug.acetaminophen" not in [o.drug for o in found.instead]


def test_with_a_mechanical_valve_warfarin_is_offered_and_no_other_direct_anticoagulant(engine: Engine) -> None:
    patient = {**ADULT, "conditions": ["mechanical mitral valve", "atrial fibrillation"]}
    report = engine.check(
        {"patient": patient, "plan": ["dabigatran 150 mg twice daily"]},
        DAY,
    )  # fmt: skip
    offered = [o.drug for f in report.findings for o in f.instead]
    assert "drug.warfarin" in offered
    assert not {"drug.apixaban", "drug.rivaroxaban"} & set(offered)


def test_every_order_offered_is_read_as_the_medicine_it_names(engine: Engine) -> None:
    wrong: list[tuple[str, str, set[str], list[str]]] = []
    for group in engine.library.alternatives:
        for offer in group.offer:
            case = Case(Patient(medications=(Medication(offer.order),)))
            entries, *_ = understand(case, engine.checker.terms.meaning_of, date(2026, 11, 20))
            read = {d for e in entries for d in e.drugs}
            left = [w for e in entries for w in e.directions.unread]
            wrong += [(group.id, offer.order, read, left)] if offer.drug not in read or left else []
    assert wrong == []


PLANS = [
    "naproxen 500 mg twice daily", "ciprofloxacin 500 mg twice daily", "simvastatin 40 mg daily", 
    "diphenhydramine 50 mg at bedtime", "dabigatran 150 mg twice daily", "glyburide 5 mg daily", "tramadol 50 mg every 6 hours",
    "pseudoephedrine 60 mg every 6 hours",
]  # fmt: skip
TAKEN = [
    "warfarin 5 mg daily",
    "clarithromycin 500 mg twice daily",
    "phenelzine 15 mg three times daily",
    "tizanidine 4 mg daily",
]
PROBLEMS = [
    "atrial fibrillation",
    "hypertension",
    "type 2 diabetes",
    "chronic kidney disease stage 4",
    "asthma",
    "insomnia",
    "cirrhosis",
]


@settings(max_examples=examples(40), deadline=None)
@given(
    st.sampled_from(PLANS),
    st.lists(st.sampled_from(TAKEN), max_size=2, unique=True),
    st.lists(st.sampled_from(PROBLEMS), max_size=3, unique=True),
)
def test_what_is_offered_brings_nothing_as_bad_as_what_it_replaces(
    engine: Engine, plan: str, taken: list[str], problems: list[str]
) -> None:
    patient = {**ADULT, "conditions": problems, "medications": taken}
    for found in engine.check({"patient": patient, "plan": [plan]}, DAY).findings:
        replaced = [s for s in found.subjects if s.where == "plan[0]"]
        assert len(found.instead) <= 3
        for offer in found.instead if replaced and len(found.subjects) == 1 else ():
            again = engine.check({"patient": patient, "plan": [offer.order]}, DAY)
            about = [f for f in again.every_finding if any(s.where == "plan[0]" for s in f.subjects)]
            told = [f for f in about if f.kind not in ("omission", "monitoring")]
            assert not [f.rule for f in told if RANK[f.severity] <= min(RANK[found.severity], RANK["major"])]


@pytest.mark.parametrize("severity", ["minor"])
def test_nothing_is_offered_for_what_needs_no_action(engine: Engine, severity: str) -> None:
    report = engine.check(
        {
            "patient": {
                **ADULT,
                "medications": ["amlodipine 5 mg daily", "lisinopril 10 mg daily"],
                "conditions": ["hypertension"],
            }
        },
        DAY,
    )
    assert all(not f.instead for f in report.every_finding if f.severity == severity)
