"""Facts of the patient on the line of a medicine, and medicines on the line of an allergy, count where they belong."""

from __future__ import annotations

import pytest

from safety.engine import Engine
from safety.model.report import Report


def check(engine: Engine, patient: dict[str, object], *plan: str) -> Report:
    return engine.check({"as_of": "2026-12-01", "patient": {"age": "40 y", "sex": "female", **patient}, "plan": list(plan)})


def told(report: Report) -> set[str]:
    return {f.rule for f in report.findings}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("ibuprofen 600 mg tid (CKD 4)", "renal.nsaid.advanced"),
        ("ibuprofen 600 mg tid for gout flare, CKD 4", "renal.nsaid.advanced"),
        ("propranolol 40 mg bid (asthma)", "contraindication.airways.asthma-nonselective-beta-blocker"),
        ("bupropion XL 300 mg daily, h/o seizures", "contraindication.brain.bupropion-seizures"),
        ("metformin 1000 mg bid for DM2, ESRD on HD", "renal.metformin.severe"),
        ("timolol 0.5% eye drops bid (glaucoma, COPD)", "contraindication.airways.copd-beta-blocker-drops"),
        ("isotretinoin 40 mg daily, 12 weeks pregnant", "pregnancy.teratogens.isotretinoin"),
        ("lisinopril 10 mg daily (pt pregnant)", "pregnancy.teratogens.ace-inhibitors"),
        ("codeine 30 mg q6h prn, breastfeeding", "lactation.avoid.codeine-tramadol"),
        ("amoxicillin 500 mg tid (allergic to PCN)", "allergy.same-ingredient"),
        ("simvastatin 40 mg qhs with grapefruit juice", "food.grapefruit-drugs.simvastatin-lovastatin"),
    ],
)
def test_a_fact_on_the_line_of_a_medicine_is_judged(engine: Engine, line: str, rule: str) -> None:
    assert rule in told(check(engine, {"medications": [line]}))
    assert rule in told(check(engine, {"medications": [], "conditions": []}, line))


@pytest.mark.parametrize(
    "line",
    [
        "nitroglycerin 0.4 mg SL prn (chest pain)", "aspirin 81 mg daily (stroke prevention)",
        "EpiPen 0.3 mg IM prn (anaphylaxis)",
        "metformin 500 mg bid with food", "doxycycline 100 mg bid with a full glass of water", "Miralax 17 g daily in 8 oz water",
        "heparin 5000 units SQ q8h, DVT ppx", "lisinopril 10 mg daily, hold for SBP < 100", "tamsulosin 0.4 mg qhs (BPH)",
        "albuterol 2 puffs q4h prn (mother has asthma)", "prenatal vitamin daily (pregnant)", "Tylenol 650 mg q6h prn (fever)",
    ],
)  # fmt: skip
def test_what_a_medicine_is_taken_for_alarms_nobody(engine: Engine, line: str) -> None:
    assert not told(check(engine, {"medications": [line]}))


def test_a_condition_that_is_denied_or_supposed_on_such_a_line_is_asked_about(engine: Engine) -> None:
    for line in ("metoprolol 25 mg bid (not asthmatic)", "ibuprofen 400 mg tid (avoid if CKD)"):
        report = check(engine, {"medications": [line]})
        assert not told(report)
        assert any(hole.because == "not read" for hole in report.unknown_because)


def test_an_operation_beside_a_condition_is_kept(engine: Engine) -> None:
    patient = {"medications": ["atorvastatin 20 mg daily (CKD 3, kidney transplant 2019)"], "allergies": [], "vaccines": []}
    assert any("transplant" in rule or "live" in rule for rule in told(check(engine, patient, "MMR vaccine 0.5 mL subcutaneous")))


def test_daily_for_seizures_is_a_seizure_disorder_and_as_needed_is_not(engine: Engine) -> None:
    wanted = "contraindication.brain.bupropion-seizures"
    assert wanted in told(check(engine, {"medications": ["levetiracetam 500 mg bid for seizures"]}, "bupropion XL 150 mg daily"))
    assert wanted not in told(check(engine, {"medications": ["aspirin 81 mg daily for stroke"]}, "bupropion XL 150 mg daily"))


@pytest.mark.parametrize(
    "line",
    [
        "NKDA, takes warfarin", "none; on coumadin", "NKDA. Current meds: lisinopril, warfarin", "penicillin; takes warfarin",
        "takes warfarin", "NKDA, on warfarin 5 mg daily", "PCN - hives, on warfarin",
    ],
)  # fmt: skip
def test_a_medicine_that_an_allergy_line_says_is_taken_counts_as_taken(engine: Engine, line: str) -> None:
    patient = {"conditions": [], "medications": [], "allergies": [line]}
    assert "interaction.warfarin-nsaid" in told(check(engine, patient, "ibuprofen 400 mg tid"))
    assert not any(rule.startswith("allergy.") for rule in told(check(engine, patient, "warfarin 5 mg daily")))


@pytest.mark.parametrize("line", ["angioedema, on lisinopril", "angioedema on lisinopril", "angioedema (on lisinopril)"])
def test_a_medicine_behind_nothing_but_a_reaction_is_what_did_it(engine: Engine, line: str) -> None:
    patient = {"conditions": [], "medications": [], "allergies": [line]}
    assert any(rule.startswith("allergy.") for rule in told(check(engine, patient, "lisinopril 10 mg daily")))


def test_what_is_taken_beside_an_allergy_is_no_allergy(engine: Engine) -> None:
    patient = {"conditions": [], "medications": [], "allergies": ["codeine; takes amoxicillin"]}
    report = check(engine, patient, "amoxicillin 500 mg tid", "codeine 30 mg q6h")
    assert [f.subjects[0].drug for f in report.every_finding if f.kind == "allergy"] == ["drug.codeine"]


def test_a_list_of_allergies_that_only_tells_a_medicine_tells_nothing_of_allergies(engine: Engine) -> None:
    report = check(engine, {"conditions": [], "medications": [], "allergies": ["takes warfarin"]}, "amoxicillin 500 mg tid")
    assert any("allergies" in unknown.ask for unknown in report.unknown)
