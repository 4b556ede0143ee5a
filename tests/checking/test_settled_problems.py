"""What was looked for and then settled, on lines of problem lists: by a test, by a word, by an operation on the right organ."""

from __future__ import annotations

import pytest
from measuring.charts import problems_read

from safety.engine import Engine

LOOKED_FOR = ("r/o", "c/f", "?", "concern for", "w/u for", "poss")
BY_THEIR_TESTS = {
    "pulmonary embolism": ("PE", "CTA"),
    "deep vein thrombosis": ("DVT", "duplex"),
    "myocardial infarction": ("MI", "trops"),
    "stroke": ("stroke", "MRI"),
    "compartment syndrome": ("compartment syndrome", "pressures"),
    "endocarditis": ("endocarditis", "TEE"),
    "meningitis": ("meningitis", "LP"),
}
TELLS = ("{}, {} {}", "{} - {} {}", "{}; {} {}", "{} -> {} {}")
CANCERS = ("breast ca", "colon ca", "lung ca", "prostate ca", "RCC", "melanoma")
ELSEWHERE = ("lap chole", "CCY", "appy", "TKA", "cataract surgery", "hernia repair", "tonsillectomy", "C/S")
NO_KIN = ("fam hx -", "FHx neg", "fhx (-)", "family history negative", "no fam hx")

LINES: dict[str, dict[str, str]] = {
    # looked for, and settled
    "r/o MI - ruled in": {"myocardial-infarction": "present"},
    "c/f PE, confirmed": {"pulmonary-embolism": "present"},
    "mom GBS+, sepsis eval neg": {"sepsis": "denied"},
    "r/o lupus, w/u neg": {"lupus": "denied"},
    "CTH neg for bleed": {"hemorrhagic-stroke": "denied"},
    "TEE neg for veg": {"endocarditis": "denied"},
    "FVL het, never clotted": {"thrombophilia": "present", "venous-thromboembolism": "denied"},
    "AVF clotted": {"venous-thromboembolism": "unread"},
    # doubted behind a comma, and not where the word goes on to something else
    "MI, prob": {"myocardial-infarction": "suspected"},
    "HTN, DM, poss": {"hypertension": "present", "diabetes": "suspected"},
    "AKI, likely prerenal": {"acute-kidney-injury": "present"},
    # removed, or only being treated
    "L BKA 2020 2/2 DFU/osteo": {"amputation": "present", "diabetic-foot-ulcer": "over", "osteomyelitis": "over"},
    "missed Ab s/p D&C": {"miscarriage": "over"},
    "missed AB 8w s/p D&C": {"miscarriage": "over"},
    "R ectopic s/p MTX D4": {"ectopic-pregnancy": "present"},
    "R ectopic s/p MTX 2021": {"ectopic-pregnancy": "over"},
    "SDH s/p burr hole 10/30/26": {"subdural-hematoma": "present"},
    "breast ca s/p mastectomy 2015": {"breast-cancer": "over"},
    "gallstones s/p lap chole": {"gallbladder-disease": "over"},
    "cancer s/p hysterectomy": {"cancer": "over"},
    "endocarditis on IV vanc day 12/42": {"endocarditis": "present"},
    "MI 3/6": {"myocardial-infarction": "over"},
    "PNA tx'd x7d, CXR clear now": {"pneumonia": "over"},
    "GDM last preg, now nl A1c": {"gestational-diabetes": "over"},
    "epilepsy, seizure free": {"epilepsy": "present", "seizure": "over"},
    # a test that decides something else
    "hep B core+ sAg neg": {"hepatitis-b": "over"},
    "PPD+ CXR neg": {"latent-tuberculosis": "present"},
    "latent TB CXR neg": {"latent-tuberculosis": "present"},
    "PE CTA neg": {"pulmonary-embolism": "denied"},
    "w/u for PE unrevealing": {"pulmonary-embolism": "denied"},
    "PE considered, r/o'd": {"pulmonary-embolism": "denied"},
    "AKI, no further w/u": {"acute-kidney-injury": "present"},
    "ICH 2/2 supratherapeutic INR, reversed w/ Kcentra": {"hemorrhagic-stroke": "present"},
    "carotid stenosis 80% L, CEA sched": {"carotid-artery-disease": "present"},
    "urosepsis 2/2 obstructing stone s/p stent": {"kidney-stones": "present", "coronary-revascularization": "unread"},
    "GBS 2014 s/p IVIG": {"guillain-barre-syndrome": "over"},
    "DM (dermatomyositis) w/ anti-MDA5": {"inflammatory-myopathy": "present", "diabetes": "unread"},
    "DM (diabetes)": {"diabetes": "present"},
    "nobody in family w/ cancer": {"cancer": "denied"},
    "neg hx: asthma, COPD": {"asthma": "denied", "copd": "denied"},
    "carried dx of seizures, EEG neg, PNES": {"seizure": "denied", "nonepileptic-seizures": "present"},
    "h/o PNA, depression on meds": {"pneumonia": "over", "depression": "present"},
    "h/o DVT on Eliquis": {"deep-vein-thrombosis": "over"},
    "COPD, was told lupus but r/o'd": {"copd": "present", "lupus": "denied"},
    "Primary HPT, Ca 11.2, DEXA -2.7": {"hyperparathyroidism": "present", "osteoporosis": "present"},
    "DEXA T-score -2.5": {"osteoporosis": "present"},
    "DEXA -2.4": {"osteoporosis": "unread"},
    "r/o PE, D-dimer pos": {"pulmonary-embolism": "suspected"},
    "poss TB: IGRA +, CXR nl -> LTBI on rifampin": {"tuberculosis": "suspected", "latent-tuberculosis": "present"},
    "osteo s/p 6 wks abx": {"osteomyelitis": "over"},
    "osteo, on abx": {"osteomyelitis": "present"},
    "NGT to LIS": {"feeding-tube": "unread"},
    "LE cellulitis, hx MRSA": {"bacterial-skin-infection": "present"},
    "ex-26wk'er, BPD, home O2": {"prematurity": "present"},
    "CP, trop neg x3, likely MSK": {"chest-pain": "present"},
    "afib? on Apple Watch, Holter neg": {"atrial-fibrillation": "denied"},
    "MI, old": {"myocardial-infarction": "over"},
    "hernia, not repaired": {"hernia": "present"},
    "PNA, treated as outpt, worsening": {"pneumonia": "present"},
    "UTI, treated, sx persist": {"urinary-tract-infection": "present"},
    "CTA: PE RLL seg": {"pulmonary-embolism": "present"},
    "CTA PE neg": {"pulmonary-embolism": "denied"},
    # kin of whom only their death is told
    "MI, pt's mom deceased": {"myocardial-infarction": "present"},
    "MI, pt's mom": {"myocardial-infarction": "family"},
    # desired, and what stands in brackets is why or why not
    "desires BTL": {"sterilization": "denied"},
    "Prev C/S x2, desires rpt + BTL": {"cesarean-section": "present", "sterilization": "denied"},
    "AUB-O, desires POP (migraine w/ aura)": {"migraine-with-aura": "present"},
    "needs (CABG)": {"coronary-revascularization": "denied"},
    # letters that mean this or that
    "h/o SA by OD '09": {"suicidal-ideation": "over"},
    "No hx bleeding d/o or MH": {"bleeding-disorder": "denied", "malignant-hyperthermia": "denied"},
    "Dad MI 44, bro SCD 39": {"myocardial-infarction": "family", "cardiac-arrest": "family"},
    "SCD, HbSS": {"sickle-cell-disease": "present"},
    "MUD in early remission, 5 mo": {"substance-use-disorder": "present"},
    "BP type 2": {"bipolar-disorder": "present"},
    "A/C sys HF, cards following": {"acute-on-chronic-hfref": "present"},
}


def standings(line: str, engine: Engine) -> dict[str, str]:
    """The conditions of a line, by the last part of their id, with the answer that each comes to."""
    return {p.id.removeprefix("condition."): p.status for p in problems_read(line, engine)[0]}


@pytest.mark.parametrize("line", LINES)
def test_a_line_tells_each_condition_as_the_whole_of_it_says(engine: Engine, line: str) -> None:
    found = standings(line, engine)
    assert {i: found.get(i, "unread") for i in LINES[line]} == LINES[line]


@pytest.mark.parametrize("name", BY_THEIR_TESTS)
@pytest.mark.parametrize("tells", TELLS)
def test_what_was_looked_for_is_as_its_test_found_it_whatever_the_words(engine: Engine, name: str, tells: str) -> None:
    short, test = BY_THEIR_TESTS[name]
    condition = engine.checker.terms.named(name)
    for looked_for in LOOKED_FOR:
        for result, meant in (("neg", "denied"), ("pos", "present")):
            line = tells.format(f"{looked_for} {short}", test, result)
            read, asked = problems_read(line, engine)
            assert {p.status for p in read if condition in p.kinds} == {meant}, line
            assert not asked, line


@pytest.mark.parametrize("cancer", CANCERS)
def test_an_operation_on_another_organ_ends_no_cancer(engine: Engine, cancer: str) -> None:
    (alone,) = standings(cancer, engine)
    told = {operation: standings(f"{cancer} s/p {operation}", engine)[alone] for operation in ELSEWHERE}
    assert set(told.values()) == {"present"}, told


@pytest.mark.parametrize("said", NO_KIN)
def test_that_no_kin_have_it_leaves_the_condition_of_the_patient(engine: Engine, said: str) -> None:
    for head, condition in (("breast ca", "breast-cancer"), ("CAD", "coronary-heart-disease"), ("DM2", "type-2-diabetes")):
        assert standings(f"{head}, {said}", engine) == {condition: "present"}


@pytest.mark.parametrize(
    "line",
    [
        "SBP on ctx, PMN 620", "UGIB 2/2 PUD, s/p EGD w clip 11/12", "IHCP, BA 58 on urso", "NAS - Finnegans 6-9",
        "SI w/o plan, contracts for safety", "ESRD on HD via L BC AVF", "OLT for PSC 2018 c/b ITBL",
        "s/p lap chole POD1, tol regular", "thyroid nodule, bx Bethesda II", "difficult airway - glidescope 2022",
        "dysphagia, NDD2/nectar", "PMR on pred 7.5 taper", "LQT1 (KCNQ1), nadolol", "celiac - tTG IgA >128, bx +",
        "Pancytopenia 2/2 MTX tox", "c/f compartment syndrome - pressures nl",
    ],
)  # fmt: skip
def test_a_line_that_is_understood_whole_asks_nothing(engine: Engine, line: str) -> None:
    read, asked = problems_read(line, engine)
    assert read
    assert not asked


@pytest.mark.parametrize(
    "line", ["seizure precautions", "GI ppx", "FH noncontributory", "UDS neg", "lead screening", "no LOC", "DM education"]
)
def test_what_is_done_for_anybody_names_no_condition_and_asks_nothing(engine: Engine, line: str) -> None:
    assert problems_read(line, engine) == ([], [])


def test_every_listed_test_settles_what_it_is_listed_for(engine: Engine) -> None:
    wrong, terms = [], engine.checker.terms
    only = engine.library.language.words("problem-rules-out-only")
    for name, tests in engine.library.language.meaning("problem-ruled-out-by").items():
        (known,) = [p.id for p in problems_read(name, engine)[0]] or [None]
        for test in tests.split(",") if known is not None and known == terms.named(name) else ():
            found = "suspected" if test.strip() in only else "present"
            for line, meant in ((f"r/o {name} - {test.strip()} neg", "denied"), (f"r/o {name}; {test.strip()} pos", found)):
                told = {p.status for p in problems_read(line, engine)[0] if p.id == known}
                wrong += [(line, told)] if told != {meant} else []
    assert not wrong, wrong[:20]
