"""Orders that have hurt people, and orders that must be left alone: what a good system says to each, from medicine.

The table follows the field's own order-entry evaluation (shared/design/ORDER-ENTRY.md), by category.
`loud`: a finding interrupts. `told`: a finding names the drugs. `quiet`: whatever is said, nothing interrupts.
`silent`: no finding names them. `asked`: no finding, but a question that names what is missing.
"""

from __future__ import annotations

from typing import Any

import pytest

from safety.engine import Engine
from safety.model.report import Report

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
WOMAN = {**ADULT, "age": "30 y", "sex": "female", "weight": "65 kg", "pregnancy": "no", "breastfeeding": "no"}


def lab(test: str, value: Any, unit: str, on: str = "2026-11-15") -> dict[str, Any]:
    return {"test": test, "value": value, "unit": unit, "on": on}


EGFR = "mL/min/1.73m2"

# category, name, what the patient has besides, what is ordered, which drugs the answer is about, what is expected
ORDERS: list[tuple[str, str, dict[str, Any], list[Any], set[str], str]] = [
    (
        "allergy",
        "penicillin V with a penicillin allergy",
        {"allergies": [{"to": "penicillin", "reaction": "anaphylaxis"}]},
        ["penicillin V potassium 500 mg by mouth four times daily"],
        {"penicillin"},
        "loud",
    ),
    (
        "allergy",
        "the drug itself with an allergy to it",
        {"allergies": [{"to": "naproxen", "reaction": "hives"}]},
        ["naproxen 250 mg by mouth twice daily"],
        {"naproxen"},
        "loud",
    ),
    (
        "allergy",
        "an allergy hidden in a product",
        {"allergies": [{"to": "codeine", "reaction": "anaphylaxis"}]},
        ["Tylenol with codeine 1 tablet every 6 hours"],
        {"codeine"},
        "loud",
    ),
    (
        "cross-allergy",
        "amoxicillin with a penicillin allergy",
        {"allergies": [{"to": "penicillin", "reaction": "anaphylaxis"}]},
        ["amoxicillin 500 mg by mouth three times daily"],
        {"amoxicillin"},
        "loud",
    ),
    (
        "cross-allergy",
        "cephalexin after anaphylaxis to amoxicillin",
        {"allergies": [{"to": "amoxicillin", "reaction": "anaphylaxis"}]},
        ["cephalexin 500 mg by mouth four times daily"],
        {"cephalexin"},
        "loud",
    ),
    (
        "cross-allergy",
        "cefazolin, which shares no side chain, after a mild rash",
        {"allergies": [{"to": "penicillin", "reaction": "rash"}]},
        ["cefazolin 1 g intravenous every 8 hours"],
        {"cefazolin"},
        "quiet",
    ),
    (
        "cross-allergy",
        "nausea from penicillin is no allergy that interrupts",
        {"allergies": [{"to": "penicillin", "reaction": "nausea"}]},
        ["amoxicillin 500 mg by mouth three times daily"],
        {"amoxicillin"},
        "quiet",
    ),
    (
        "drug-drug",
        "linezolid with sertraline",
        {"medications": ["sertraline 50 mg by mouth daily"]},
        ["linezolid 600 mg by mouth twice daily"],
        {"linezolid", "sertraline"},
        "loud",
    ),
    (
        "drug-drug",
        "simvastatin with clarithromycin",
        {"medications": ["simvastatin 40 mg by mouth daily"]},
        ["clarithromycin 500 mg by mouth twice daily"],
        {"simvastatin", "clarithromycin"},
        "loud",
    ),
    (
        "drug-drug",
        "digoxin with quinidine",
        {"medications": ["digoxin 0.125 mg by mouth daily"]},
        ["quinidine sulfate 200 mg by mouth every 6 hours"],
        {"digoxin", "quinidine"},
        "told",
    ),
    (
        "drug-drug",
        "warfarin with an NSAID",
        {"medications": ["warfarin 5 mg by mouth daily"]},
        ["ibuprofen 400 mg by mouth three times daily"],
        {"warfarin", "ibuprofen"},
        "loud",
    ),
    (
        "drug-drug",
        "sildenafil with nitroglycerin",
        {"medications": ["nitroglycerin 0.4 mg sublingual as needed"]},
        ["sildenafil 50 mg by mouth as needed"],
        {"sildenafil", "nitroglycerin"},
        "loud",
    ),
    (
        "drug-drug",
        "methotrexate with trimethoprim",
        {"medications": ["methotrexate 15 mg by mouth once weekly"]},
        ["Bactrim DS 1 tablet by mouth twice daily"],
        {"methotrexate", "trimethoprim"},
        "loud",
    ),
    (
        "duplication",
        "codeine with Tylenol No. 3",
        {"medications": ["codeine 30 mg by mouth every 6 hours"]},
        ["Tylenol with codeine 1 tablet every 6 hours"],
        {"codeine"},
        "told",
    ),
    (
        "duplication",
        "clonazepam with lorazepam",
        {"medications": ["clonazepam 0.5 mg by mouth twice daily"]},
        ["lorazepam 1 mg by mouth twice daily"],
        {"clonazepam", "lorazepam"},
        "told",
    ),
    (
        "duplication",
        "two ACE inhibitors",
        {"medications": ["lisinopril 10 mg by mouth daily"]},
        ["enalapril 10 mg by mouth daily"],
        {"lisinopril", "enalapril"},
        "told",
    ),
    (
        "duplication",
        "two products with acetaminophen",
        {"medications": ["Percocet 5/325 1 tablet every 6 hours"]},
        [{"drug": "Tylenol Extra Strength", "dose": "2 caplets", "frequency": "every 6 hours", "supply": "otc"}],
        {"acetaminophen"},
        "told",
    ),
    (
        "daily limit",
        "acetaminophen from two products above 4 g",
        {},
        [
            {"drug": "acetaminophen", "dose": "1000 mg", "frequency": "every 6 hours", "route": "oral", "supply": "otc"},
            {"drug": "acetaminophen", "dose": "650 mg", "frequency": "every 8 hours", "route": "oral", "supply": "otc"},
        ],
        {"acetaminophen"},
        "told",
    ),
    (
        "daily limit",
        "ibuprofen 400 mg every 3 hours without a prescription",
        {},
        [{"drug": "ibuprofen", "dose": "400 mg", "frequency": "every 3 hours", "route": "oral", "supply": "otc"}],
        {"ibuprofen"},
        "told",
    ),
    (
        "daily limit",
        "ibuprofen 800 mg six times a day",
        {},
        [{"drug": "ibuprofen", "dose": "800 mg", "frequency": "six times a day", "route": "oral", "supply": "otc"}],
        {"ibuprofen"},
        "told",
    ),
    (
        "daily limit",
        "ibuprofen 200 mg every 6 hours is within the label",
        {},
        [{"drug": "ibuprofen", "dose": "200 mg", "frequency": "every 6 hours", "route": "oral", "supply": "otc", "days": 3}],
        {"ibuprofen"},
        "silent",
    ),
    (
        "daily limit",
        "doxylamine 100 mg at bedtime",
        {},
        [{"drug": "doxylamine", "dose": "100 mg", "frequency": "at bedtime", "route": "oral", "supply": "otc"}],
        {"doxylamine"},
        "told",
    ),
    (
        "daily limit",
        "doxylamine 25 mg at bedtime is the labelled dose",
        {},
        [{"drug": "doxylamine", "dose": "25 mg", "frequency": "at bedtime", "route": "oral", "supply": "otc", "days": 3}],
        {"doxylamine"},
        "silent",
    ),
    ("age", "diazepam over 65", {"age": "78 y"}, ["diazepam 5 mg by mouth at bedtime"], {"diazepam"}, "told"),
    ("age", "codeine under 12", {"age": "8 y", "weight": "25 kg"}, ["codeine 15 mg by mouth every 6 hours"], {"codeine"}, "loud"),
    (
        "age",
        "aspirin in a child with flu",
        {"age": "9 y", "weight": "30 kg", "conditions": ["influenza"]},
        ["aspirin 325 mg by mouth every 6 hours"],
        {"aspirin"},
        "loud",
    ),
    (
        "diagnosis",
        "a non-selective beta blocker in asthma",
        {"conditions": ["asthma"]},
        ["propranolol 40 mg by mouth twice daily"],
        {"propranolol"},
        "loud",
    ),
    (
        "diagnosis",
        "metoclopramide in Parkinson's disease",
        {"conditions": ["Parkinson's disease"]},
        ["metoclopramide 10 mg by mouth three times daily"],
        {"metoclopramide"},
        "told",
    ),
    (
        "diagnosis",
        "bupropion in a seizure disorder",
        {"conditions": ["epilepsy"]},
        ["bupropion 150 mg by mouth daily"],
        {"bupropion"},
        "loud",
    ),
    (
        "diagnosis",
        "an NSAID in heart failure",
        {"conditions": ["heart failure"]},
        ["naproxen 500 mg by mouth twice daily"],
        {"naproxen"},
        "told",
    ),
    (
        "renal and lab",
        "metformin with an eGFR of 25",
        {"conditions": ["type 2 diabetes"], "labs": [lab("eGFR", 25, EGFR)]},
        ["metformin 1000 mg by mouth twice daily"],
        {"metformin"},
        "loud",
    ),
    (
        "renal and lab",
        "metformin with an eGFR of 80",
        {"conditions": ["type 2 diabetes"], "labs": [lab("eGFR", 80, EGFR)]},
        ["metformin 1000 mg by mouth twice daily"],
        {"metformin"},
        "silent",
    ),
    (
        "renal and lab",
        "metformin where no eGFR is told",
        {"conditions": ["type 2 diabetes"], "labs": None},
        ["metformin 1000 mg by mouth twice daily"],
        {"metformin"},
        "asked",
    ),
    (
        "renal and lab",
        "spironolactone with a potassium of 5.8",
        {"labs": [lab("potassium", "5.8", "mmol/L"), lab("eGFR", 70, EGFR)]},
        ["spironolactone 25 mg by mouth daily"],
        {"spironolactone"},
        "loud",
    ),
    (
        "renal and lab",
        "an NSAID with an eGFR of 20",
        {"labs": [lab("eGFR", 20, EGFR)], "conditions": ["CKD stage 4"]},
        ["ibuprofen 400 mg by mouth three times daily"],
        {"ibuprofen"},
        "loud",
    ),
    (
        "pregnancy",
        "isotretinoin in pregnancy",
        {**WOMAN, "pregnancy": "yes"},
        ["isotretinoin 40 mg by mouth daily"],
        {"isotretinoin"},
        "loud",
    ),
    (
        "pregnancy",
        "warfarin in pregnancy",
        {**WOMAN, "pregnancy": "weeks 9"},
        ["warfarin 5 mg by mouth daily"],
        {"warfarin"},
        "loud",
    ),
    (
        "pregnancy",
        "an ACE inhibitor in the second trimester",
        {**WOMAN, "pregnancy": "trimester 2"},
        ["lisinopril 10 mg by mouth daily"],
        {"lisinopril"},
        "loud",
    ),
    (
        "pregnancy",
        "isotretinoin in a woman of 30 who was not asked",
        {k: v for k, v in WOMAN.items() if k != "pregnancy"},
        ["isotretinoin 40 mg by mouth daily"],
        {"isotretinoin"},
        "asked",
    ),
    ("monitoring", "warfarin without an INR", {"labs": []}, ["warfarin 5 mg by mouth daily"], {"warfarin"}, "told"),
    (
        "excessive alerts",
        "hydrochlorothiazide with amlodipine",
        {"medications": ["hydrochlorothiazide 25 mg by mouth daily"], "conditions": ["hypertension"]},
        ["amlodipine 5 mg by mouth daily"],
        {"hydrochlorothiazide", "amlodipine"},
        "quiet",
    ),
    (
        "excessive alerts",
        "lisinopril with hydrochlorothiazide",
        {"medications": ["hydrochlorothiazide 25 mg by mouth daily"], "conditions": ["hypertension"]},
        ["lisinopril 10 mg by mouth daily"],
        {"hydrochlorothiazide", "lisinopril"},
        "quiet",
    ),
    (
        "excessive alerts",
        "metoprolol with sertraline",
        {"medications": ["metoprolol 50 mg by mouth twice daily"]},
        ["sertraline 50 mg by mouth daily"],
        {"metoprolol", "sertraline"},
        "quiet",
    ),
    (
        "excessive alerts",
        "aspirin 81 mg with clopidogrel after a stent",
        {"medications": ["clopidogrel 75 mg by mouth daily"], "conditions": ["coronary heart disease"]},
        ["aspirin 81 mg by mouth daily"],
        {"aspirin", "clopidogrel"},
        "quiet",
    ),
    (
        "excessive alerts",
        "levothyroxine with calcium",
        {"medications": ["levothyroxine 100 mcg by mouth daily"]},
        ["calcium carbonate 500 mg by mouth daily"],
        {"levothyroxine", "calcium-carbonate"},
        "quiet",
    ),
    (
        "excessive alerts",
        "warfarin with simvastatin",
        {"medications": ["warfarin 5 mg by mouth daily"], "labs": [lab("INR", "2.5", "INR")]},
        ["simvastatin 20 mg by mouth daily"],
        {"warfarin", "simvastatin"},
        "quiet",
    ),
    (
        "excessive alerts",
        "lisinopril with aspirin 81 mg",
        {"medications": ["lisinopril 10 mg by mouth daily"]},
        ["aspirin 81 mg by mouth daily"],
        {"lisinopril", "aspirin"},
        "quiet",
    ),
    (
        "excessive alerts",
        "omeprazole with vitamin B12",
        {"medications": ["omeprazole 20 mg by mouth daily"]},
        ["cyanocobalamin 1000 mcg by mouth daily"],
        {"omeprazole", "cyanocobalamin"},
        "quiet",
    ),
    (
        "control",
        "loratadine 10 mg once daily",
        {},
        [{"drug": "loratadine", "dose": "10 mg", "frequency": "once daily", "route": "oral", "supply": "otc"}],
        {"loratadine"},
        "silent",
    ),
    (
        "control",
        "acetaminophen 500 mg every 6 hours as needed",
        {},
        [
            {
                "drug": "acetaminophen",
                "dose": "500 mg",
                "frequency": "every 6 hours",
                "as_needed": "yes",
                "route": "oral",
                "supply": "otc",
                "days": 3,
            }
        ],
        {"acetaminophen"},
        "silent",
    ),
    (
        "control",
        "amoxicillin for a healthy adult",
        {},
        ["amoxicillin 500 mg by mouth three times daily for 7 days"],
        {"amoxicillin"},
        "silent",
    ),
    ("control", "atorvastatin 20 mg at bedtime", {}, ["atorvastatin 20 mg by mouth at bedtime"], {"atorvastatin"}, "silent"),
    (
        "OTC",
        "Advil with hypertension",
        {"conditions": ["hypertension"]},
        [{"drug": "Advil", "dose": "200 mg", "frequency": "every 6 hours", "supply": "otc"}],
        {"ibuprofen"},
        "told",
    ),
    (
        "OTC",
        "Zyrtec-D with heart failure",
        {"conditions": ["heart failure"]},
        [{"drug": "Zyrtec-D", "dose": "1 tablet", "frequency": "twice daily", "supply": "otc"}],
        {"pseudoephedrine"},
        "told",
    ),
    (
        "OTC",
        "Sudafed with CKD 3b and hypertension",
        {"conditions": ["chronic kidney disease stage 3b", "hypertension"]},
        [{"drug": "Sudafed", "dose": "30 mg", "frequency": "every 6 hours", "supply": "otc"}],
        {"pseudoephedrine"},
        "told",
    ),
    (
        "OTC",
        "ibuprofen with CKD 3b",
        {"conditions": ["chronic kidney disease stage 3b"]},
        [{"drug": "ibuprofen", "dose": "200 mg", "frequency": "every 6 hours", "supply": "otc"}],
        {"ibuprofen"},
        "told",
    ),
    (
        "OTC",
        "Sudafed with CKD 3b",
        {"conditions": ["chronic kidney disease stage 3b"]},
        [{"drug": "Sudafed", "dose": "30 mg", "frequency": "every 6 hours", "supply": "otc"}],
        {"pseudoephedrine"},
        "told",
    ),
]


def about(report: Report, drugs: set[str]) -> list[Any]:
    """Findings whose medications are exactly (or include) these ingredients."""
    found = []
    for finding in report.findings:
        named: set[str] = set()
        for subject in finding.subjects:
            named |= {subject.drug} if isinstance(subject.drug, str) else set(subject.drug or ())
        if {f"drug.{d}" for d in drugs} & named if len(drugs) == 1 else {f"drug.{d}" for d in drugs} <= named:
            found.append(finding)
    return found


@pytest.mark.parametrize(
    ("category", "name", "told", "plan", "drugs", "expected"), ORDERS, ids=[f"{c}: {n}" for c, n, *_ in ORDERS]
)
def test_an_order_gets_the_answer_that_medicine_asks_for(
    engine: Engine, category: str, name: str, told: dict[str, Any], plan: list[Any], drugs: set[str], expected: str
) -> None:
    patient = {k: v for k, v in {**ADULT, **told}.items() if v is not None}
    report = engine.check({"patient": patient, "plan": plan}, DAY)
    assert report.unresolved == []
    found = about(report, {d.replace("penicillin", "penicillin-v") if d == "penicillin" else d for d in drugs})
    loud = [f.rule for f in found if f.interrupt]
    if expected == "loud":
        assert loud
    elif expected == "told":
        assert found
    elif expected == "quiet":
        assert loud == []
    elif expected == "silent":
        assert [f.rule for f in found] == []
        assert [(u.rule, u.needs) for u in report.unknown] == []
    else:
        assert [f.rule for f in found] == []
        assert report.verdict == "unknown"
        assert [u for u in report.unknown if u.needs and u.ask]


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
