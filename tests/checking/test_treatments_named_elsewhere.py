"""Medicines, and kinds of them, that lines of other lists than that of medicines name: judged, or asked about, never dropped."""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine

_LISTS = (
    "conditions", "allergies", "labs", "medications", "intake", "procedures", "devices", "vaccines", "vitals", "diet_limits",
    "genes",
)  # fmt: skip


def _report(engine: Engine, among: str, line: str, plan: str, *also: str) -> dict[str, Any]:
    patient: dict[str, Any] = {name: [] for name in _LISTS} | {"age": 45, "sex": "female", among: [line]}
    patient["medications"] = [*patient["medications"], *also]
    return engine.check({"patient": patient, "plan": [plan]}, as_of="2026-11-20").to_dict()


def _rules(report: dict[str, Any]) -> set[str]:
    return {f["rule"] for f in report["findings"]} | {i for f in report["findings"] for i in f.get("also", [])}


@pytest.mark.parametrize(
    ("among", "line", "plan", "rule"),
    [
        ("conditions", "on anticoagulation", "ibuprofen 400 mg tid", "interaction.doac-nsaid"),
        ("conditions", "AF on DOAC", "naproxen 500 mg bid", "interaction.doac-nsaid"),
        ("conditions", "Long term (current) use of anticoagulants", "ibuprofen 400 mg tid", "interaction.doac-nsaid"),
        ("conditions", "chronic pain on opioids", "alprazolam 0.5 mg bid", "interaction.opioid-benzodiazepine"),
        ("conditions", "chronic opioid therapy", "alprazolam 0.5 mg bid", "interaction.opioid-benzodiazepine"),
        ("conditions", "anxiety on benzos", "oxycodone 5 mg q6h", "interaction.opioid-benzodiazepine"),
        ("conditions", "on birth control pills", "rifampin 600 mg daily", "interaction.contraceptive-inducer"),
        ("conditions", "depression on SSRI", "tramadol 50 mg q6h", "interaction.ssri-tramadol"),
        ("conditions", "bipolar on lithium", "ibuprofen 400 mg tid", "interaction.lithium-nsaid"),
        ("procedures", "ablation 2026-09, on Eliquis", "ketorolac 10 mg q6h", "interaction.doac-nsaid"),
        ("devices", "mechanical mitral valve on warfarin", "ibuprofen 400 mg tid", "interaction.warfarin-nsaid"),
        ("devices", "intrathecal morphine pump", "alprazolam 0.5 mg bid", "interaction.opioid-benzodiazepine"),
        ("labs", "Cr 1.1 on lithium", "ibuprofen 400 mg tid", "interaction.lithium-nsaid"),
        ("labs", "INR 2.4 on warfarin", "ibuprofen 400 mg tid", "interaction.warfarin-nsaid"),
        ("vitals", "HR 52 on metoprolol", "verapamil 240 mg daily", "interaction.beta-blocker-nondihydropyridine"),
        ("intake", "ibuprofen now and then", "warfarin 5 mg daily", "interaction.warfarin-nsaid"),
        ("intake", "methadone clinic daily", "alprazolam 0.5 mg bid", "interaction.opioid-benzodiazepine"),
    ],
)
def test_what_a_line_of_another_list_says_is_taken_is_judged(engine: Engine, among: str, line: str, plan: str, rule: str) -> None:
    assert rule in _rules(_report(engine, among, line, plan))


@pytest.mark.parametrize(
    ("among", "line", "plan"),
    [
        ("conditions", "HIV on ART", "simvastatin 40 mg daily"),
        ("conditions", "HIV on HAART", "lovastatin 40 mg daily"),
        ("conditions", "psoriasis on biologic", "MMR vaccine"),
        ("conditions", "MS on mAb", "MMR vaccine"),
        ("conditions", "on MAOI", "sertraline 50 mg daily"),
        ("conditions", "AF on AC, s/p ablation", "naproxen 500 mg bid"),
        ("conditions", "kidney transplant on immunosuppression", "clarithromycin 500 mg bid"),
        ("procedures", "stent 2026-08, DAPT", "naproxen 500 mg bid"),
    ],
)
def test_a_kind_of_which_only_some_break_a_rule_is_asked_about_with_these(
    engine: Engine, among: str, line: str, plan: str
) -> None:
    asked = [u for u in _report(engine, among, line, plan)["unresolved"] if u["where"].startswith(among)]
    assert any(any(rules) for u in asked for rules in u.get("would_break", {}).values())


@pytest.mark.parametrize(
    ("among", "line", "plan"),
    [
        ("conditions", "not on anticoagulation", "ibuprofen 400 mg tid"),
        ("conditions", "father on blood thinners", "ibuprofen 400 mg tid"),
        ("conditions", "candidate for DOAC", "ibuprofen 400 mg tid"),
        ("conditions", "insulin resistance", "glyburide 5 mg daily"),
        ("conditions", "chronic iron deficiency", "levothyroxine 50 mcg daily"),
        ("conditions", "allergic rhinitis on nasal steroids", "ibuprofen 400 mg tid"),
        ("conditions", "hx opioid overdose, now off opioids", "alprazolam 0.5 mg bid"),
        ("conditions", "COPD on home oxygen", "ibuprofen 400 mg tid"),
        ("intake", "no ibuprofen", "warfarin 5 mg daily"),
        ("intake", "coffee 2 cups a day", "warfarin 5 mg daily"),
        ("labs", "INR 2.4 off warfarin", "ibuprofen 400 mg tid"),
    ],
)
def test_what_is_not_taken_is_no_medicine_of_the_patient(engine: Engine, among: str, line: str, plan: str) -> None:
    there = engine.check({"patient": {among: [line], "medications": []}, "plan": [plan]}, as_of="2026-11-20")
    assert not [m for m in there.medications if m.where.among == among]


@pytest.mark.parametrize(
    ("among", "line", "listed"),
    [
        ("conditions", "AF on DOAC", "apixaban 5 mg bid"),
        ("conditions", "HIV on ART", "bictegravir/emtricitabine/tenofovir alafenamide 1 tablet daily"),
        ("labs", "INR 2.4 on warfarin", "warfarin 5 mg daily"),
        ("devices", "insulin pump", "insulin lispro 40 units daily"),
        ("intake", "takes viagra", "sildenafil 50 mg as needed"),
        ("procedures", "PCI 2026-10, on clopidogrel", "clopidogrel 75 mg daily"),
    ],
)
def test_of_what_is_on_the_list_of_medicines_nothing_is_asked(engine: Engine, among: str, line: str, listed: str) -> None:
    report = _report(engine, among, line, "cetirizine 10 mg daily", listed)
    assert not [u for u in report["unresolved"] if u["where"].startswith(among)]


def test_a_medicine_behind_a_result_is_no_second_test(engine: Engine) -> None:
    asked = _report(engine, "labs", "Cr 1.1 mg/dL on lithium", "cetirizine 10 mg daily")["unresolved"]
    assert [u["ask"] for u in asked] == ["Is lithium taken? It stands beside a result, and it is not among the medications."]


def test_each_kind_of_treatment_means_medicines_of_ours(engine: Engine) -> None:
    library, treatments = engine.checker.library, engine.checker.terms.treatments
    for words in ("treatments-by-their-kind", "treatments-told-in-a-word"):
        for phrase, meaning in library.language.meaning(words).items():
            each = {name.strip() for side in meaning.split(" + ") for name in side.split(",")} - {"-"}
            assert all(treatments._members(name) for name in each), (phrase, each)
