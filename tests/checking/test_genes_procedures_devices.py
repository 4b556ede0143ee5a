"""Genetic results, procedures and devices: read from whichever list they stand in, and used in three values."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from safety.engine import Engine, as_case
from safety.knowledge.library import Library
from safety.model.report import Report
from safety.understanding.facts import Facts

DAY = date(2026, 11, 20)
ABACAVIR = "contraindication.genes.abacavir-hla-b-5701"
CLOPIDOGREL = "contraindication.genes.clopidogrel-cyp2c19-poor"
PRIMAQUINE = "contraindication.g6pd-myasthenia.g6pd-primaquine"


def check(engine: Engine, drug: str, **patient: Any) -> Report:
    return engine.check({"patient": {"age": 50, "sex": "male", "medications": [drug], **patient}}, DAY)


def rules(report: Report) -> set[str]:
    return {f.rule for f in report.findings} | {a.rule for f in report.findings for a in f.also}


WAYS = [
    {"genes": ["HLA-B*57:01 positive"]},
    {"genes": [{"gene": "HLA-B", "allele": "*57:01", "result": "positive"}]},
    {"genes": ["HLA-B*5701: detected"]},
    {"genes": ["hla b 5701 carrier"]},
    {"conditions": ["HLA-B*5701 positive"]},
    {"labs": ["HLA-B*57:01 positive"]},
    {"labs": [{"test": "HLA-B*57:01", "value": "positive"}]},
]


@pytest.mark.parametrize("told", WAYS)
def test_a_positive_result_is_found_in_whichever_list_it_stands(engine: Engine, told: dict[str, Any]) -> None:
    report = check(engine, "abacavir 300 mg by mouth twice daily", **told)
    assert ABACAVIR in rules(report)


@pytest.mark.parametrize("said", ["negative", "not detected", "absent", "non-carrier", "not a carrier"])
def test_a_negative_result_is_a_no_and_not_an_unknown(engine: Engine, said: str) -> None:
    report = check(engine, "abacavir 300 mg by mouth twice daily", genes=[f"HLA-B*57:01 {said}"])
    assert ABACAVIR not in rules(report)
    assert ABACAVIR not in {u.rule for u in report.unknown}


@pytest.mark.parametrize("told", [{}, {"genes": ["CYP2D6 normal metabolizer"]}])
def test_a_result_that_is_not_told_is_unknown(engine: Engine, told: dict[str, Any]) -> None:
    report = check(engine, "abacavir 300 mg by mouth twice daily", **told)
    assert ABACAVIR in {u.rule for u in report.unknown}


def test_results_that_contradict_each_other_are_unknown(engine: Engine) -> None:
    report = check(engine, "abacavir 300 mg by mouth twice daily", genes=["HLA-B*57:01 positive", "HLA-B*57:01 negative"])
    assert ABACAVIR in {u.rule for u in report.unknown}


@pytest.mark.parametrize(
    ("text", "poor"),
    [("CYP2C19 poor metabolizer", True), ("CYP2C19 *2/*2", True), ("CYP2C19: PM", True), ("2C19 poor metaboliser", True),
     ("CYP2C19 *1/*2", False), ("CYP2C19 intermediate metabolizer", False), ("CYP2C19 ultrarapid", False),
     ("CYP2D6 poor metabolizer", False), ("CYP2C9 *2/*3", False)],
)  # fmt: skip
def test_the_phenotype_and_the_genotype_say_the_same(engine: Engine, text: str, poor: bool) -> None:
    assert (CLOPIDOGREL in rules(check(engine, "clopidogrel 75 mg by mouth daily", genes=[text]))) is poor


@pytest.mark.parametrize(
    ("text", "status"), [("CYP2C19 tested", "unread"), ("CYP2C19 *2/*17", "unread"), ("ABCG2 poor", "unrecognised")]
)
def test_a_result_that_is_not_understood_is_asked_about(engine: Engine, text: str, status: str) -> None:
    report = check(engine, "clopidogrel 75 mg by mouth daily", genes=[text])
    assert [u.status for u in report.unresolved if str(u.where) == "genes[0]"] == [status]


@pytest.mark.parametrize(
    "text", ["factor VIII normal", "factor VII positive", "CYP2C190 poor metabolizer", "XCYP2D6 poor metabolizer"]
)
def test_a_longer_name_is_another_gene(engine: Engine, text: str) -> None:
    report = check(engine, "clopidogrel 75 mg by mouth daily", genes=[text])
    assert [u.status for u in report.unresolved if str(u.where) == "genes[0]"] == ["unrecognised"]


@pytest.mark.parametrize(
    "text",
    ["family history of G6PD deficiency", "no G6PD deficiency", "brother G6PD deficient", "G6PD deficiency ruled out"],
)
@pytest.mark.parametrize("among", ["genes", "conditions"])
def test_what_is_denied_or_of_the_family_alarms_nobody(engine: Engine, among: str, text: str) -> None:
    assert PRIMAQUINE not in rules(check(engine, "primaquine 15 mg by mouth daily", **{"conditions": [], among: [text]}))


def test_two_genes_on_a_line_are_both_read(engine: Engine) -> None:
    line = {"genes": ["CYP2D6 normal metabolizer, CYP2C19 *2/*2"]}
    assert CLOPIDOGREL in rules(check(engine, "clopidogrel 75 mg by mouth daily", **line))


def test_a_result_that_is_a_condition_counts_as_one(engine: Engine) -> None:
    assert PRIMAQUINE in rules(check(engine, "primaquine 15 mg by mouth daily", conditions=[], genes=["G6PD deficient"]))
    assert PRIMAQUINE in rules(check(engine, "primaquine 15 mg by mouth daily", genes=["G6PD deficient"]))
    assert PRIMAQUINE not in rules(check(engine, "primaquine 15 mg by mouth daily", conditions=[], genes=["G6PD normal"]))


@pytest.mark.parametrize(
    "told",
    [{"devices": ["mechanical valve"]}, {"devices": ["mechanical mitral valve"]}, {"conditions": ["mechanical heart valve"]}],
)
def test_a_mechanical_valve_among_the_devices_speaks_as_on_the_problem_list(engine: Engine, told: dict[str, Any]) -> None:
    listed = rules(check(engine, "dabigatran 150 mg by mouth twice daily", conditions=["mechanical heart valve"]))
    silent = rules(check(engine, "dabigatran 150 mg by mouth twice daily", conditions=[]))
    assert listed - silent
    assert listed - silent <= rules(check(engine, "dabigatran 150 mg by mouth twice daily", **{"conditions": [], **told}))


@pytest.mark.parametrize("told", [{"devices": ["PEG tube"]}, {"conditions": ["PEG tube"]}, {"conditions": ["s/p G-tube"]}])
def test_a_device_is_found_in_whichever_list_it_stands(engine: Engine, told: dict[str, Any]) -> None:
    report = check(engine, "dabigatran 150 mg capsule by mouth twice daily", **told)
    assert "contraindication.procedures-devices.dabigatran-feeding-tube" in rules(report)


@pytest.mark.parametrize(
    ("text", "speaks"), [("s/p CABG 11/16/2026", True), ("s/p CABG 11/16/2020", False), ("s/p CABG 2018", False)]
)
def test_the_day_of_a_procedure_on_the_problem_list_decides_too(engine: Engine, text: str, speaks: bool) -> None:
    report = check(engine, "ibuprofen 400 mg by mouth three times daily", conditions=[text])
    assert ("contraindication.procedures-devices.nsaid-around-bypass" in rules(report)) is speaks


@pytest.mark.parametrize(
    ("procedure", "speaks"),
    [({"text": "CABG", "on": "2026-11-16"}, True), ({"text": "CABG", "status": "planned"}, True), ("CABG planned", True),
     ({"text": "CABG", "on": "2018-05-02"}, False), ("s/p CABG 2018", False),
     ({"text": "colonoscopy", "on": "2026-11-16"}, False)],
)  # fmt: skip
def test_when_a_procedure_is_decides(engine: Engine, procedure: Any, speaks: bool) -> None:
    report = check(engine, "ibuprofen 400 mg by mouth three times daily", procedures=[procedure])
    assert ("contraindication.procedures-devices.nsaid-around-bypass" in rules(report)) is speaks


def test_what_no_rule_is_about_is_said_to_be_judged_by_hand(engine: Engine) -> None:
    report = check(engine, "metformin 500 mg by mouth daily", devices=["subdermal chip"], procedures=["ear piercing"])
    assert {(str(u.where), u.status) for u in report.unresolved} >= {("devices[0]", "unjudged"), ("procedures[0]", "unjudged")}


# ------------------------------------------------------------------ what is a condition, told among procedures or devices


def known(engine: Engine, **patient: Any) -> Facts:
    return Facts(as_case({"patient": patient}), engine.checker.terms, DAY)


@pytest.mark.parametrize(
    ("told", "condition"),
    [
        ({"procedures": ["DES to LAD 8/30/2026"]}, "condition.coronary-revascularization"),
        ({"procedures": ["splenectomy 2008"]}, "condition.asplenia"),
        ({"procedures": [{"text": "splenectomy", "on": "2008-03-01"}]}, "condition.asplenia"),
        ({"devices": ["PICC line L arm"]}, "condition.vascular-access"),
        ({"devices": ["has a VP shunt"]}, "condition.ventriculoperitoneal-shunt"),
        ({"devices": ["R IJ tunneled dialysis catheter"]}, "condition.dialysis"),
        ({"genes": ["RYR1 pathogenic variant"]}, "condition.malignant-hyperthermia"),
    ],
)
def test_what_is_told_among_procedures_or_devices_counts_as_the_condition_it_is(
    engine: Engine, told: dict[str, Any], condition: str
) -> None:
    facts = known(engine, **told)
    assert condition in {p.id for p in facts.implied}
    assert facts.unresolved == []


@pytest.mark.parametrize(
    "told",
    [
        {"procedures": ["planned splenectomy 12/5/2026"]},
        {"procedures": [{"text": "splenectomy", "status": "planned"}]},
        {"procedures": [{"text": "splenectomy", "on": "2027-01-05"}]},
        {"procedures": ["no splenectomy"]},
        {"procedures": ["mother had a splenectomy"]},
        {"genes": ["RYR1 negative"]},
    ],
)
def test_what_is_to_come_denied_or_of_the_family_is_no_condition(engine: Engine, told: dict[str, Any]) -> None:
    assert {p.id for p in known(engine, **told).implied} & {"condition.asplenia", "condition.malignant-hyperthermia"} == set()


def test_a_condition_told_among_the_procedures_stands_beside_the_problem_list(engine: Engine) -> None:
    facts = known(engine, conditions=["hypertension"], procedures=["splenectomy 2008"])
    assert {"condition.hypertension", "condition.asplenia"} <= {p.id for p in facts.problems or ()}


def test_a_moment_of_today_is_still_to_come_unless_it_is_told_as_done(engine: Engine) -> None:
    assert [p.status for p in known(engine, procedures=["lumbar puncture today at 2 pm"]).findings.procedures] == ["planned"]
    assert [p.status for p in known(engine, procedures=["lumbar puncture done today at 2 pm"]).findings.procedures] == ["done"]
    assert [p.status for p in known(engine, procedures=["lumbar puncture today"]).findings.procedures] == ["done"]


@pytest.mark.parametrize("device", ["dual chamber ICD placed 5/2/2025", "Foley in place", "Tandem insulin pump", "Dexcom G7"])
def test_nobody_is_asked_about_a_device_that_no_rule_is_about(engine: Engine, device: str) -> None:
    assert known(engine, devices=[device]).unresolved == []


@pytest.mark.parametrize("among", ["procedures", "devices", "vaccines"])
@pytest.mark.parametrize("text", ["none", "None", "n/a", "no devices", "no surgical history"])
def test_a_list_that_says_there_is_nothing_on_it_asks_nothing(engine: Engine, among: str, text: str) -> None:
    facts = known(engine, **{among: [text]})
    assert facts.unresolved == []
    assert not facts.implied


@pytest.mark.parametrize(
    ("told", "condition"),
    [
        ({"procedures": ["s/p PCI 10/2026"]}, "condition.coronary-revascularization"),
        ({"procedures": ["kidney tx 2018"]}, "condition.kidney-transplant"),
        ({"devices": ["St Jude mitral valve"]}, "condition.mechanical-mitral-valve"),
    ],
)
def test_a_procedure_of_ours_tells_its_condition_too(engine: Engine, told: dict[str, Any], condition: str) -> None:
    facts = known(engine, **told)
    assert condition in {p.id for p in facts.implied}
    assert facts.unresolved == []


@pytest.mark.parametrize(
    "text", ["CT A/P with contrast 11/21", "CT abd/pelvis w/ contrast tomorrow", "CT chest with IV contrast 11/22"]
)
def test_a_ct_with_contrast_is_one_whatever_it_is_of(engine: Engine, text: str) -> None:
    read = known(engine, procedures=[text]).findings.procedures
    assert [("procedure.iodinated-contrast" in p.kinds, p.status) for p in read] == [(True, "planned")]


@pytest.mark.parametrize("text", ["MRI with contrast tomorrow", "CT without contrast tomorrow"])
def test_another_contrast_or_none_is_no_iodine(engine: Engine, text: str) -> None:
    assert known(engine, procedures=[text]).findings.procedures == ()


def test_what_is_a_kind_of_an_operation_is_one_through_however_many_steps(library: Library) -> None:
    for kind in (library.procedures, library.devices):
        above = {one.id: set(one.is_a) for one in kind}
        assert [i for i, kinds in above.items() if any(not above[k] <= kinds for k in kinds)] == []
    assert "procedure.surgery" in next(p for p in library.procedures if p.id == "procedure.coronary-bypass").is_a
