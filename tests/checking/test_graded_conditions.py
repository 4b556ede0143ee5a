"""A grade beside a condition makes it a narrower one, and two problems together may be a third."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import loaded
from measuring.charts import problems_read

from safety.engine import Engine, as_case
from safety.understanding.facts import Facts

GRADED = {
    "severe-heart-failure": [
        "CHF NYHA III", "HFrEF, EF 25% (TTE 8/26), NYHA class 3", "HTN, CHF NYHA IV", "CHF, CKD 3, NYHA III", "HFpEF NYHA II-III",
        "ischemic CM EF 25%, NYHA III", "heart failure, class III", "stage D HFrEF", "severe HFrEF", "CHF, severe",
        "NICM, EF 20%, NYHA 3", "HFrEF, end stage, hospice",
    ],
    "decompensated-cirrhosis": [
        "EtOH cirrhosis c/b ascites, CTP C (10)", "cirrhosis 2/2 HCV, MELD 18, CPT-C", "HCV cirrhosis Child C",
        "ESLD/cirrhosis, Child C",
        "cirrhosis, Child's class C", "decompensated EtOH cirrhosis", "cirrhosis 2/2 EtOH, decompensated", "NASH cirrhosis w/ HE",
    ],
    "child-pugh-b-cirrhosis": ["alcoholic cirrhosis (CP B)", "NASH cirrhosis, Child-Pugh B7",
                               "cirrhosis Child Pugh score 9", "Child B cirrhosis"],
    "severe-copd": ["COPD GOLD 4", "COPD, GOLD 3, on tiotropium", "end stage COPD"],
    "severe-asthma": ["asthma, mod-severe persistent", "severe persistent asthma"],
    "severe-anemia": ["iron def anemia, severe"],
}  # fmt: skip
NOT = {
    "severe-heart-failure": [
        "CHF, NYHA II", "HFpEF, obesity class III", "HFrEF, severe MR", "severe AS, CHF", "no CHF, NYHA I", "CHF, CKD stage 4",
        "CAD, CCS class III angina", "cardiomyopathy, COPD stage D", "mother CHF NYHA IV", "NYHA IV CHF ruled out",
    ],
    "decompensated-cirrhosis": ["cirrhosis CTP A5", "NASH cirrhosis, Child-Pugh B7", "compensated cirrhosis",
                               "cirrhosis, h/o ascites resolved"],
    "severe-copd": ["COPD GOLD B", "COPD GOLD 2", "COPD GOLD D"],
    "severe-anemia": ["no severe anemia", "anemia of CKD, mild"],
}  # fmt: skip


def has(engine: Engine, line: str, condition: str) -> bool:
    return any(p.id == f"condition.{condition}" and p.status == "present" for p in problems_read(line, engine)[0])


@pytest.mark.parametrize(("condition", "line"), [(c, line) for c, lines in GRADED.items() for line in lines])
def test_a_grade_beside_a_condition_is_that_grade_of_it(engine: Engine, condition: str, line: str) -> None:
    assert has(engine, line, condition)


@pytest.mark.parametrize(("condition", "line"), [(c, line) for c, lines in NOT.items() for line in lines])
def test_a_milder_grade_or_one_of_something_else_is_none(engine: Engine, condition: str, line: str) -> None:
    assert not has(engine, line, condition)


def test_cirrhosis_and_ascites_on_two_lines_are_a_decompensated_one(engine: Engine) -> None:
    def said(*conditions: str) -> set[str]:
        patient = {"age": "60 y", "sex": "male", "conditions": [*conditions], "medications": ["apixaban 5 mg twice daily"]}
        return {f"{f.rule} {f.severity}" for f in engine.check({"patient": patient}, as_of="2026-11-20").every_finding}

    assert said("EtOH cirrhosis", "ascites") == said("ascites", "EtOH cirrhosis") >= said("decompensated cirrhosis")
    assert said("EtOH cirrhosis") != said("decompensated cirrhosis")


def test_a_grade_is_louder_where_a_rule_says_so(engine: Engine) -> None:
    """Pioglitazone: its box forbids a start in NYHA III and IV, and asks for care in any heart failure."""

    def severities(line: str) -> set[str]:
        patient = {"age": "60 y", "sex": "male", "conditions": [line, "DM2"], "medications": ["pioglitazone 30 mg daily"]}
        return {f.severity for f in engine.check({"patient": patient}, as_of="2026-11-20").every_finding}

    assert "contraindicated" in severities("HFrEF, NYHA III")
    assert "contraindicated" not in severities("HFrEF, NYHA I")


@pytest.mark.parametrize(
    ("text", "code", "also"),
    [
        ("T2DM w/ CKD4", "E11.9", "ckd-stage-4"),
        ("CHF, NYHA III", "I50.9", "severe-heart-failure"),
        ("Atrial fibrillation, CKD stage 5 on HD", "I48.91", "dialysis"),
        ("HFrEF EF 25%", "I50.9", "heart-failure-reduced-ejection-fraction"),
        ("20 weeks, preeclampsia", "Z34.90", "preeclampsia"),
    ],
)
def test_what_the_words_beside_a_code_tell_beyond_it_is_told_too(engine: Engine, text: str, code: str, also: str) -> None:
    told = {"text": text, "system": "icd10cm", "code": code}
    facts = Facts(as_case({"patient": {"conditions": [told]}}), engine.checker.terms, date(2026, 11, 30))
    alone = Facts(as_case({"patient": {"conditions": [told | {"text": code}]}}), engine.checker.terms, date(2026, 11, 30))
    assert f"condition.{also}" in {p.id for p in facts.problems or ()}
    assert {p.id for p in alone.problems or ()} < {p.id for p in facts.problems or ()}


def test_words_of_what_a_code_says_already_add_nothing(engine: Engine) -> None:
    told = {"text": "chronic heart failure, NYHA II, no CKD", "system": "icd10cm", "code": "I50.9"}
    facts = Facts(as_case({"patient": {"conditions": [told]}}), engine.checker.terms, date(2026, 11, 30))
    assert [p.id for p in facts.problems or ()] == ["condition.heart-failure"]


def coded(text: str, code: str, display: str = "") -> Facts:
    told = {"text": text, "system": "icd10cm", "code": code} | ({"display": display} if display else {})
    return Facts(as_case({"patient": {"conditions": [told]}}), loaded().checker.terms, date(2026, 11, 30))


def test_whatever_else_stands_beside_a_code_is_heard_or_asked_about() -> None:
    assert "condition.implantable-defibrillator" in {p.id for p in coded("CHF s/p ICD", "I50.9").problems or ()}
    assert [p.id for p in coded("DM2; possible PE", "E11.9").listed.suspected] == ["condition.pulmonary-embolism"]
    assert "gene.g6pd" in {g.gene for g in coded("HTN - G6PD deficient", "I10").findings.genes}
    assert [u.text for u in coded("T2DM w/ zorblaxia", "E11.9").unresolved] == ["T2DM w/ zorblaxia"]


def test_of_what_a_code_is_called_nothing_is_asked() -> None:
    name = "Type 2 diabetes mellitus with zorblaxia"
    assert coded(name, "E11.9", f"{name} (disorder)").unresolved == []
    assert coded(name, "E11.9").unresolved != []
