"""The pairs that always interrupt and those that never do (the ONC lists), whichever of the two comes first.

The other orders of the order-entry evaluation are data: tests/orders/.
"""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine

DAY = "2026-11-20"
# A healthy adult of whom everything is told; a case changes what it is about.
ADULT: dict[str, Any] = {
    "age": "40 y",
    "sex": "male",
    "weight": "80 kg",
    "conditions": [],
    "allergies": [],
    "labs": [],
    "medications": [],
}


def test_a_healthy_adult_with_one_ordinary_medicine_and_all_facts_told_is_clear(engine: Engine) -> None:
    drug = {"drug": "loratadine", "dose": "10 mg", "frequency": "once daily", "route": "oral", "supply": "otc", "days": 5}
    none: dict[str, Any] = {key: [] for key in ("vitals", "intake", "diet_limits", "genes", "procedures", "devices", "vaccines")}
    report = engine.check({"patient": {**ADULT, **none, "medications": [drug]}}, DAY)
    assert (report.verdict, report.findings, report.unknown, report.unresolved) == ("clear", [], [], [])


# ------------------------------------------------------------------ the ONC lists

HIGH: list[tuple[str, str, str]] = [
    ("1 amphetamines x MAO inhibitors", "dextroamphetamine 10 mg by mouth daily", "phenelzine 15 mg by mouth three times daily"),
    ("2 atazanavir x PPI", "atazanavir 300 mg by mouth daily", "omeprazole 20 mg by mouth daily"),
    ("3 febuxostat x azathioprine", "febuxostat 40 mg by mouth daily", "azathioprine 50 mg by mouth daily"),
    ("4 SSRI x MAO inhibitors", "fluoxetine 20 mg by mouth daily", "tranylcypromine 10 mg by mouth twice daily"),
    (
        "5 irinotecan x strong CYP3A4 inhibitors",
        "irinotecan 200 mg intravenous every 2 weeks",
        "ketoconazole 200 mg by mouth daily",
    ),
    (
        "6 narcotic analgesics x MAO inhibitors",
        "meperidine 50 mg by mouth every 4 hours",
        "phenelzine 15 mg by mouth three times daily",
    ),
    ("6 tramadol x MAO inhibitors", "tramadol 50 mg by mouth every 6 hours", "isocarboxazid 10 mg by mouth twice daily"),
    (
        "6 dextromethorphan x MAO inhibitors",
        "dextromethorphan 20 mg by mouth every 6 hours",
        "selegiline 5 mg by mouth twice daily",
    ),
    ("7 tricyclics x MAO inhibitors", "amitriptyline 50 mg by mouth at bedtime", "phenelzine 15 mg by mouth three times daily"),
    ("8 QT x QT", "sotalol 80 mg by mouth twice daily", "haloperidol 5 mg by mouth twice daily"),
    ("9 ramelteon x CYP1A2 inhibitors", "ramelteon 8 mg by mouth at bedtime", "fluvoxamine 100 mg by mouth at bedtime"),
    (
        "10 protease inhibitors x strong inducers",
        "lopinavir/ritonavir 400 mg by mouth twice daily",
        "rifampin 600 mg by mouth daily",
    ),
    ("11 simvastatin x CYP3A4 inhibitors", "simvastatin 40 mg by mouth daily", "itraconazole 200 mg by mouth daily"),
    ("11 lovastatin x protease inhibitors", "lovastatin 20 mg by mouth daily", "ritonavir 100 mg by mouth twice daily"),
    ("12 ergots x CYP3A4 inhibitors", "ergotamine 1 mg by mouth once", "clarithromycin 500 mg by mouth twice daily"),
    (
        "13 tizanidine x CYP1A2 inhibitors",
        "tizanidine 4 mg by mouth three times daily",
        "ciprofloxacin 500 mg by mouth twice daily",
    ),
    ("14 tranylcypromine x procarbazine", "tranylcypromine 10 mg by mouth twice daily", "procarbazine 100 mg by mouth daily"),
    ("15 triptans x MAO inhibitors", "sumatriptan 50 mg by mouth once", "phenelzine 15 mg by mouth three times daily"),
]
LOW: list[tuple[str, str, str]] = [
    ("1 ACE inhibitors x salicylates", "enalapril 10 mg by mouth daily", "aspirin 81 mg by mouth daily"),
    ("2 niacin x statins", "niacin 500 mg by mouth at bedtime", "atorvastatin 20 mg by mouth daily"),
    ("3 beta blockers x SSRIs", "metoprolol 50 mg by mouth twice daily", "citalopram 20 mg by mouth daily"),
    ("4 iron x PPIs", "ferrous sulfate 325 mg by mouth daily", "omeprazole 20 mg by mouth daily"),
    ("5 thiazides x ACE inhibitors", "chlorthalidone 25 mg by mouth daily", "lisinopril 10 mg by mouth daily"),
    ("6 thyroid x calcium", "levothyroxine 100 mcg by mouth daily", "calcium carbonate 500 mg by mouth daily"),
    ("7 thyroid x statins", "levothyroxine 100 mcg by mouth daily", "simvastatin 20 mg by mouth daily"),
    ("8 thiazides x NSAIDs", "hydrochlorothiazide 25 mg by mouth daily", "naproxen 250 mg by mouth twice daily"),
    ("9 beta blockers x thyroid", "propranolol 40 mg by mouth twice daily", "levothyroxine 100 mcg by mouth daily"),
    ("10 tacrolimus x corticosteroids", "tacrolimus 1 mg by mouth twice daily", "prednisone 5 mg by mouth daily"),
    ("11 antacids x corticosteroids", "calcium carbonate 500 mg by mouth daily", "prednisone 5 mg by mouth daily"),
    ("12 bisphosphonates x calcium", "alendronate 70 mg by mouth once weekly", "calcium carbonate 500 mg by mouth daily"),
    ("13 vitamin B12 x omeprazole", "cyanocobalamin 1000 mcg by mouth daily", "omeprazole 20 mg by mouth daily"),
    ("14 folic acid x methotrexate", "folic acid 1 mg by mouth daily", "methotrexate 15 mg by mouth once weekly"),
    ("15 sulfonylureas x ACE inhibitors", "glipizide 5 mg by mouth daily", "lisinopril 10 mg by mouth daily"),
    ("16 iron x thyroid", "ferrous sulfate 325 mg by mouth daily", "levothyroxine 100 mcg by mouth daily"),
    ("17 anticoagulants x corticosteroids", "warfarin 5 mg by mouth daily", "prednisone 5 mg by mouth daily"),
    ("18 anticoagulants x acetaminophen", "warfarin 5 mg by mouth daily", "acetaminophen 500 mg by mouth every 6 hours"),
    ("19 antacids x iron", "calcium carbonate 500 mg by mouth daily", "ferrous sulfate 325 mg by mouth daily"),
    ("20 anticoagulants x PPIs", "warfarin 5 mg by mouth daily", "pantoprazole 40 mg by mouth daily"),
    ("21 PPIs x imidazoles", "omeprazole 20 mg by mouth daily", "ketoconazole 200 mg by mouth daily"),
    ("22 beta blockers x calcium", "atenolol 50 mg by mouth daily", "calcium carbonate 500 mg by mouth daily"),
    ("23 ACE inhibitors x ARBs", "lisinopril 10 mg by mouth daily", "losartan 50 mg by mouth daily"),
    ("24 anticoagulants x statins", "warfarin 5 mg by mouth daily", "rosuvastatin 10 mg by mouth daily"),
    ("25 omeprazole x benzodiazepines", "omeprazole 20 mg by mouth daily", "diazepam 5 mg by mouth daily"),
    ("26 anticoagulants x vitamin E", "warfarin 5 mg by mouth daily", "vitamin E 400 units by mouth daily"),
    ("27 zinc x quinolones", "zinc sulfate 220 mg by mouth daily", "ciprofloxacin 500 mg by mouth twice daily"),
    ("28 NSAIDs x beta blockers", "naproxen 250 mg by mouth twice daily", "atenolol 50 mg by mouth daily"),
    ("29 clopidogrel x salicylates", "clopidogrel 75 mg by mouth daily", "aspirin 81 mg by mouth daily"),
    ("30 oral contraceptives x corticosteroids", "ethinyl estradiol 0.02 mg by mouth daily", "prednisone 5 mg by mouth daily"),
    ("31 beta blockers x dihydropyridines", "metoprolol 50 mg by mouth twice daily", "amlodipine 5 mg by mouth daily"),
    ("32 corticosteroids x anticholinesterases", "prednisone 5 mg by mouth daily", "donepezil 5 mg by mouth at bedtime"),
    ("33 ACE inhibitors x NSAIDs", "lisinopril 10 mg by mouth daily", "naproxen 250 mg by mouth twice daily"),
]


def of_both(engine: Engine, first: str, second: str) -> list[Any]:
    report = engine.check({"patient": {**ADULT, "medications": [first]}, "plan": [second]}, DAY)
    assert report.unresolved == []
    return [f for f in report.findings if {s.where for s in f.subjects} == {"medications[0]", "plan[0]"}]


@pytest.mark.parametrize(("group", "first", "second"), HIGH, ids=[g for g, *_ in HIGH])
def test_a_pair_of_the_high_priority_list_interrupts_whichever_comes_first(
    engine: Engine, group: str, first: str, second: str
) -> None:
    for one, other in ((first, second), (second, first)):
        assert any(f.interrupt for f in of_both(engine, one, other))


@pytest.mark.parametrize(("group", "first", "second"), LOW, ids=[g for g, *_ in LOW])
def test_a_pair_of_the_low_priority_list_never_interrupts(engine: Engine, group: str, first: str, second: str) -> None:
    for one, other in ((first, second), (second, first)):
        assert [f.rule for f in of_both(engine, one, other) if f.interrupt] == []
