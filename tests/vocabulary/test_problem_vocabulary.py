"""The names and codes of ICD-10-CM: read from problem lists, each as the conditions of ours that its code is a kind of."""

from __future__ import annotations

import csv
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from conftest import REPO

from safety.engine import Engine, as_case
from safety.knowledge.library import Library
from safety.knowledge.vocabularies import beginnings
from safety.model.patient import Case
from safety.understanding.facts import Facts

DAY = date(2026, 11, 24)
TABLE = REPO / "kb" / "recognised"


def kinds(engine: Engine, *told: object) -> set[str]:
    """Everything that the patient now has, or had, by these lines."""
    return {f"{'' if active else 'past '}{kind}" for kind, active in held(engine, *told)}


def held(engine: Engine, *told: object) -> set[tuple[str, bool]]:
    case: Case = as_case({"patient": {"conditions": list(told)}})
    problems = Facts(case, engine.checker.terms, DAY).problems or ()
    return {(kind.removeprefix("condition."), bool(p.active)) for p in problems for kind in p.kinds}


def rows(name: str) -> list[dict[str, str]]:
    with (TABLE / name).open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(line for line in handle if not line.startswith("#")))


IS = [
    ("Type 2 diabetes mellitus with diabetic chronic kidney disease", {"type-2-diabetes", "ckd"}),
    ("Type 1 diabetes mellitus with ketoacidosis", {"type-1-diabetes", "diabetic-ketoacidosis"}),
    ("Hypertensive heart and chronic kidney disease with heart failure", {"hypertension", "ckd", "heart-failure"}),
    ("Essential (primary) hypertension", {"hypertension"}),
    ("secondary hypertension", {"hypertension"}),
    ("Duodenal ulcer with hemorrhage", {"peptic-ulcer", "gi-bleeding"}),
    ("cancer of stomach", {"stomach-cancer", "cancer"}),
    ("follicular lymphoma grade II", {"lymphoma", "cancer"}),
    ("antithrombin III deficiency", {"thrombophilia"}),
    ("Hereditary factor X deficiency", {"bleeding-disorder"}),
    ("eosinophilic asthma", {"asthma"}),
    ("Budd-Chiari syndrome", {"venous-thromboembolism"}),
    ("Budd-Chiari", set()),
    ("primary lateral sclerosis", {"als"}),
    ("lateral malleolus fracture", {"fracture"}),
    ("nontraumatic subarachnoid hemorrhage", {"subarachnoid-hemorrhage", "intracranial-bleeding"}),
    ("toxic megacolon", set()),
    ("Bulimia nervosa, extreme", {"eating-disorder"}),
    ("schizophreniform disorder", {"psychosis"}),
    ("postprocedural hypothyroidism", {"hypothyroidism"}),
    ("renal sclerosis", {"ckd"}),
    ("chronic persistent hepatitis", {"hepatitis", "liver-disease"}),
    ("Thyrotoxicosis with diffuse goiter", {"hyperthyroidism"}),
    ("neuromuscular dysfunction of bladder", {"neurogenic-bladder"}),
    ("unilateral inguinal hernia", {"hernia"}),
]
"""A line, and what it must be a kind of."""
IS_NOT = [
    ("Family history of cancer of stomach", {"cancer", "stomach-cancer"}),
    ("screening for cancer of stomach", {"cancer", "stomach-cancer"}),
    ("no cancer of stomach", {"cancer", "stomach-cancer"}),
    ("neonatal hypertension", {"hypertension"}),
    ("transitory neonatal hyperthyroidism", {"hyperthyroidism"}),
    ("elevated blood pressure reading without diagnosis of hypertension", {"hypertension"}),
    ("pulmonary hypertension", {"hypertension"}),
    ("ocular hypertension", {"hypertension"}),
    ("benign neoplasm of stomach", {"cancer"}),
    ("Chronic congestive heart failure", {"heart-failure-reduced-ejection-fraction"}),
    ("artery disease", {"coronary-heart-disease"}),
    ("alcohol use", {"alcohol-use-disorder"}),
    ("gestational proteinuria in the puerperium", {"pregnancy"}),
    ("anemia complicating the puerperium", {"pregnancy"}),
    ("cholera", {"diarrhea"}),
    ("acute laryngitis", {"asthma", "copd"}),
    ("diabetes insipidus", {"diabetes"}),
    ("angioid streaks", {"angioedema", "angina"}),
    ("abnormal glucose", {"diabetes"}),
    ("cardiac murmur", {"heart-disease"}),
    ("cyst of kidney", {"ckd"}),
]
"""A line, and what it must not be a kind of, now or ever."""


@pytest.mark.parametrize(("line", "wanted"), IS, ids=lambda x: x if isinstance(x, str) else "")
def test_a_name_of_the_vocabulary_is_every_condition_that_its_code_is_a_kind_of(
    engine: Engine, line: str, wanted: set[str]
) -> None:
    assert {kind for kind, active in held(engine, line) if active} >= wanted


@pytest.mark.parametrize(("line", "unwanted"), IS_NOT, ids=lambda x: x if isinstance(x, str) else "")
def test_a_sibling_a_relative_and_what_is_looked_for_is_not_the_disease(engine: Engine, line: str, unwanted: set[str]) -> None:
    assert not {kind for kind, _ in held(engine, line)} & unwanted


CODED = [
    ("E11.3211", {"type-2-diabetes", "diabetic-retinopathy"}, set()),
    ("E11.22", {"type-2-diabetes", "ckd"}, set()),
    ("E10.21", {"type-1-diabetes", "ckd"}, {"type-2-diabetes"}),
    ("I13.2", {"hypertension", "ckd-stage-5", "heart-failure"}, set()),
    ("I50.23", {"heart-failure-reduced-ejection-fraction", "decompensated-heart-failure"}, set()),
    ("I48.19", {"atrial-fibrillation"}, {"atrial-flutter"}),
    ("C50.411", {"breast-cancer", "cancer"}, set()),
    ("O99.212", {"pregnancy"}, set()),
    ("O99.214", set(), {"pregnancy"}),
    ("O14.15", {"hypertension"}, {"pregnancy", "preeclampsia"}),
    ("Z94.0", {"kidney-transplant"}, set()),
    ("Z85.3", {"past cancer"}, {"cancer"}),
    ("Z86.711", {"past pulmonary-embolism"}, {"pulmonary-embolism"}),
    ("I69.351", {"past ischemic-stroke"}, {"ischemic-stroke"}),
    ("I25.2", {"past myocardial-infarction"}, {"myocardial-infarction"}),
    ("Z80.3", set(), {"cancer", "past cancer", "breast-cancer"}),
    ("Z12.11", set(), {"cancer", "past cancer"}),
    ("T39.1X5A", set(), {"drug-overdose"}),
    ("F10.21", {"past alcohol-use-disorder"}, {"alcohol-use-disorder"}),
    ("R03.0", set(), {"hypertension"}),
    ("G43.709", {"migraine-without-aura"}, {"migraine-with-aura"}),
]


@pytest.mark.parametrize(("code", "wanted", "unwanted"), CODED, ids=lambda x: x if isinstance(x, str) else "")
def test_a_code_is_what_the_longest_row_that_begins_it_says(
    engine: Engine, code: str, wanted: set[str], unwanted: set[str]
) -> None:
    found = kinds(engine, {"text": "as coded", "system": "icd10cm", "code": code})
    assert found >= wanted
    assert not found & unwanted


def test_what_our_conditions_say_of_their_codes_the_table_says_too(library: Library) -> None:
    numbers = library.problem_codes
    off = []
    for condition in library.conditions:
        for system, code in condition.codes:
            number = next((numbers[b] for b in beginnings(code) if b in numbers), -1) if system == "icd10cm" else -1
            told = (
                {kind for i in library.coded[number].conditions for kind in library.condition[i].is_a} if number >= 0 else set()
            )
            if number >= 0 and condition.id not in told:
                off.append(condition.id)
    assert off == []


def test_every_term_is_read_from_a_line_and_its_code_stands_in_the_table(library: Library) -> None:
    held = rows("problems.csv")
    assert len(held) > 20_000
    lost = [row["term"] for row in held if row["term"] not in library.problem_terms]
    nothing = [t for t in lost if not any(t == row["term"] and row["code"][0] in "ZTBR" for row in held)]
    assert nothing == []


def test_no_term_is_a_name_that_anything_of_ours_bears(library: Library) -> None:
    from safety.text import fold

    terms = library.problem_terms
    named = {fold(n.text) for d in library.drugs for n in d.names} | {
        fold(t) for c in library.labs for t in (c.name, *c.synonyms)
    }
    assert [t for t in named if t in terms] == []


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Fibrillation, atrial", "atrial-fibrillation"),
        ("Heart failure, congestive", "heart-failure"),
        ("diabetes, type 2", "type-2-diabetes"),
        ("cough, whooping", "pertussis"),
        ("HTN, pulmonary", "pulmonary-hypertension"),
    ],
)
def test_a_name_turned_round_at_its_comma_is_that_name(engine: Engine, line: str, wanted: str) -> None:
    assert wanted in kinds(engine, line)


@pytest.mark.parametrize("line", ["Fever", "fever", "FEVER", "fever and cough"])
def test_a_word_that_names_a_test_as_well_is_the_condition_where_no_number_follows(engine: Engine, line: str) -> None:
    assert "fever" in kinds(engine, line)


SHORTHAND = [
    ("BPPV", "vertigo"), ("PMR", "polymyalgia-rheumatica"), ("GCA", "giant-cell-arteritis"), ("ILD", "pulmonary-fibrosis"),
    ("MASLD", "fatty-liver"), ("HFpEF", "heart-failure"), ("NSTEMI", "myocardial-infarction"), ("AVNRT", "arrhythmia"),
    ("MGUS", "monoclonal-gammopathy"), ("ITP", "thrombocytopenia"), ("TTP", "thrombocytopenia"), ("OA R knee", "osteoarthritis"),
    ("cervical DDD", "degenerative-disc-disease"), ("CLBP", "chronic-pain"), ("rUTI", "urinary-tract-infection"),
    ("OSAHS", "sleep-apnea"), ("DMII", "type-2-diabetes"), ("CFRD", "diabetes"), ("GAD", "anxiety"), ("MDD", "depression"),
    ("sugar diabetes", "diabetes"), ("water on the lungs", "heart-failure"), ("acid reflux", "gerd"),
    ("high cholesterol", "hyperlipidemia"), ("bad knees", "knee-osteoarthritis"), ("s/p chole", "cholecystectomy"),
    ("SPK", "kidney-transplant"), ("PTLD", "cancer"), ("CPVT", "ventricular-arrhythmia"), ("preE", "preeclampsia"),
    ("AHRF", "respiratory-failure"), ("OVCF", "osteoporosis"), ("CAPD", "dialysis"), ("euDKA", "diabetic-ketoacidosis"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "wanted"), SHORTHAND)
def test_what_charts_and_patients_say_for_short_is_read(engine: Engine, line: str, wanted: str) -> None:
    assert wanted in {kind for kind, _ in held(engine, line)}


@pytest.mark.parametrize("line", ["TD vaccine", "met CPS worker", "no sugars in diet", "vitals OK, AF", "DRE normal"])
def test_letters_that_mean_something_else_as_often_are_no_disease(engine: Engine, line: str) -> None:
    assert not {kind for kind, _ in held(engine, line)} - {"arrhythmia", "atrial-fibrillation", "heart-disease"}


def test_two_names_of_a_list_stay_two(engine: Engine) -> None:
    assert kinds(engine, "anxiety, depression") >= {"anxiety", "depression"}
    assert kinds(engine, "asthma, cough") >= {"asthma", "cough"}


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("hypertenson", "hypertension"),
        ("diabetis type 2", "diabetes"),
        ("pnuemonia", "pneumonia"),
        ("hypothyrodism", "hypothyroidism"),
        ("atrial fibrilation", "atrial-fibrillation"),
        ("no hypercholestrolemia", ""),
        ("mother had alzhiemer disease", ""),
    ],
)
def test_a_slip_of_the_pen_is_read_with_its_status(engine: Engine, line: str, wanted: str) -> None:
    found = {k for k, active in held(engine, line) if active}
    assert wanted in found if wanted else found == set()


def test_no_everyday_word_and_no_medicine_is_a_slip_of_a_disease(engine: Engine, library: Library) -> None:
    lines = (REPO / "tools" / "everyday_words.txt").read_text(encoding="utf-8").splitlines()
    words = {w for line in lines if not line.startswith("#") for w in line.split()}
    words |= {n.text.lower() for d in library.drugs for n in d.names if n.text.isalpha()}
    words |= {r.name.lower() for r in library.recognised if r.name.isalpha()}
    words |= set(library.language.words("everyday"))
    read = {w: engine.checker.terms.problems.read(w).heads for w in words if len(w) >= 6}
    meant = engine.checker.terms.meant
    assert {
        w: [h.name for h in heads] for w, heads in read.items() if heads and meant(w) is meant(w.removesuffix("s")) is None
    } == {}


def test_the_importer_writes_only_terms_that_it_describes(tmp_path: Path) -> None:
    source = tmp_path / "tabular.xml"
    source.write_text(
        """<ICD10CM.tabular><chapter>
        <diag><name>Q99</name><desc>Other zorgle disease, not elsewhere classified</desc>
          <diag><name>Q99.1</name><desc>Zorglitis of the elbow (acute), unspecified</desc>
            <inclusionTerm><note>Fracture of zorgle</note><note>Zorgle use</note></inclusionTerm></diag></diag>
        <diag><name>W99</name><desc>Zorglitis from a fall</desc></diag>
        <diag><name>Z12</name><desc>Encounter for screening for zorglitis</desc></diag></chapter></ICD10CM.tabular>""",
        encoding="utf-8",
    )
    out = tmp_path / "problems.csv"
    done = subprocess.run([sys.executable, "tools/import_icd10cm.py", str(source), "--out", str(out)], cwd=REPO, check=True)
    assert done.returncode == 0
    written = {line.partition(",")[0] for line in out.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
    assert written == {
        "term", "zorgle disease", "zorglitis of the elbow", "zorglitis of the elbow acute",
        "fracture of zorgle", "zorgle fracture", "fx of zorgle", "zorgle fx",
    }  # fmt: skip
