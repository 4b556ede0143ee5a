"""What a test found nothing of, what lies ahead, whose a condition is and what doubt speaks of, on lines of problem lists."""

from __future__ import annotations

from datetime import date

import pytest

from safety.engine import Engine, as_case
from safety.understanding.facts import Facts

DAY = date(2026, 11, 20)
DENIED = {
    "pulmonary-embolism": ("r/o PE - CTA neg for PE", "PE: CTA chest without clot", "PE - CTA neg"),
    "deep-vein-thrombosis": ("DVT LLE: duplex no clot", "r/o DVT, duplex clean"),
    "pheochromocytoma": ("pheo w/u negative (metanephrines wnl)", "pheo: mets nl"),
    "lupus": ("lupus w/u neg (ANA neg, dsDNA neg)",),
    "sleep-apnea": ("OSA: PSG AHI 2, no OSA",),
    "pituitary-disorder": ("acromegaly w/u -, IGF-1 nl",),
    "myocardial-infarction": ("MI r/o'd - trop flat x3, stress nl",),
    "hypertension": ("DM +, HTN -", "(+) DM, (-) HTN"),
    "hiv": ("STI screen (GC/CT, HIV, RPR)",),
}
THERE = {
    "pulmonary-embolism": ("PE - CTA neg for progression", "PE - CTA pos, LE duplex neg"),
    "stroke": ("stroke: MRI no hemorrhage", "stroke - MRI w/ L MCA infarct"),
    "coronary-heart-disease": ("CAD: cath 2020 stents patent",),
    "pneumonia": ("PNA - CXR clear now", "pneumonia likely viral"),
    "epilepsy": ("epilepsy - EEG nl",),
    "anemia": ("anemia, w/u neg",),
    "prostate-cancer": ("high risk prostate cancer", "prostate cancer, high risk"),
    "heart-failure": ("CHF, echo pending", "HF, heart transplant eval"),
    "diabetes": ("DM +, HTN -", "(+) DM, (-) HTN"),
    "hyponatremia": ("hypoNa 124 likely sertraline",),
    "cough": ("cough, pneumonia vs CHF", "chronic cough, ?UACS vs GERD"),
    "aortic-stenosis": ("sev AS, TAVR 12/10",),
    "end-stage-renal-disease": ("ESRD, failed transplant 2015", "ESRD, transplant candidate"),
    "cirrhosis": ("cirrhosis, listed for OLT",),
    "hypothyroidism": ("hypothyroid, now euthyroid on LT4",),
    "depression": ("depression, better on Zoloft",),
    "hernia": ("hernia both sides",),
    "hyperlipidemia": ("HTN, no DM, no CAD, +HLD",),
    "aortic-aneurysm": ("AAA 5.1, EVAR scheduled",),
    "spinal-cord-injury": ("T6 complete SCI, AD episodes",),
}
OVER = {
    "acute-kidney-injury": ("AKI Oct 2026, Cr back to 0.9 - resolved",),
    "end-stage-renal-disease": ("ESRD s/p DDKT 2018",),
    "primary-sclerosing-cholangitis": ("OLT 2015 for PSC, on tac",),
    "aortic-stenosis": ("sev AS, TAVR 2024",),
    "hyperthyroidism": ("hyperthyroid now euthyroid off MMI x 2 yr",),
}
KIN = {
    "diabetes": ('"diabetes runs in my family but my sugar is fine"', "DM on mom's side"),
    "hypertension": ("everyone in family has high BP",),
}


def facts(engine: Engine, line: str) -> Facts:
    return Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)


def told(engine: Engine, line: str, condition: str) -> list[bool | None]:
    return [p.active for p in facts(engine, line).problems or () if f"condition.{condition}" in p.kinds]


def rows(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(condition, line) for condition, lines in table.items() for line in lines]


@pytest.mark.parametrize(("condition", "line"), rows(DENIED))
def test_what_a_test_found_nothing_of_is_denied(engine: Engine, condition: str, line: str) -> None:
    assert told(engine, line, condition) == []
    assert any(f"condition.{condition}" in p.kinds for p, _ in facts(engine, line).listed.denied)


@pytest.mark.parametrize(("condition", "line"), rows(THERE))
def test_what_looks_like_a_denial_and_is_none_leaves_it_there(engine: Engine, condition: str, line: str) -> None:
    assert True in told(engine, line, condition) or (condition == "prostate-cancer" and told(engine, line, condition))


@pytest.mark.parametrize(("condition", "line"), rows(OVER))
def test_what_ended_is_over(engine: Engine, condition: str, line: str) -> None:
    assert set(told(engine, line, condition)) <= {False, None}
    assert told(engine, line, condition)


@pytest.mark.parametrize(("condition", "line"), rows(KIN))
def test_what_runs_in_the_family_is_theirs(engine: Engine, condition: str, line: str) -> None:
    assert told(engine, line, condition) == []


def test_a_word_for_the_past_ends_at_a_comma_unless_it_begins_a_list(engine: Engine) -> None:
    assert told(engine, "IUP 24w2d, prev C/S x1, anemia", "anemia") == [True]
    assert told(engine, "h/o C/S, GI bleed", "gi-bleeding") == [False]


def test_a_colon_says_one_word_of_the_whole_list(engine: Engine) -> None:
    assert told(engine, "at risk: falls, delirium", "delirium") == []
    assert told(engine, "s/p: CABG, HTN", "hypertension") == [True]


def test_weeks_count_beside_a_denial_of_something_else(engine: Engine) -> None:
    assert told(engine, "18 wks by LMP, no bleeding", "pregnancy") == [True]
    assert True not in told(engine, "no pregnancy at 18 wks by LMP", "pregnancy")


def test_three_months_are_no_mother(engine: Engine) -> None:
    assert facts(engine, "was on HD x3 mo 2021, recovered").listed.family == ()


def test_a_genetic_result_counts_whatever_stands_behind_it(engine: Engine) -> None:
    def genes(line: str) -> list[tuple[str, str]]:
        return [(g.gene, g.state) for g in facts(engine, line).findings.genes]

    assert genes("HLA-B*58:01 pos (Hmong)") == [("gene.hla-b-5801", "carried")]
    assert genes("DPYD *2A het - 5FU dose reduced") == [("gene.dpyd", "partial_deficiency")]
    assert genes("mom - breast ca dx 39, pt BRCA neg") == [("gene.brca", "not_carried")]
    assert genes("sister BRCA1+, no cancer") == []


def test_an_allergy_in_other_words(engine: Engine) -> None:
    def to(line: str) -> set[str]:
        return {known.target for known in facts(engine, line).listed.reactions}

    assert to("PCN all - anaphylaxis as child") == {"class.penicillins"}
    assert to("TEN 2011 (lamotrigine)") == {"drug.lamotrigine"}
    assert to("HIT 2018 - heparin listed as allergy") == {"drug.heparin"}
    assert told(engine, "HIT 2018 - heparin listed as allergy", "heparin-induced-thrombocytopenia")
