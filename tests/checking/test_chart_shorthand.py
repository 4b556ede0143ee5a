"""Shorthand of charts: what is over, denied at the end, of which year, whose organ, how much of how much; results and vaccines
that stand on lists of something else."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any

import pytest
from conftest import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from safety.engine import Engine, as_case
from safety.model.patient import Medication
from safety.understanding.facts import Facts

DAY = date(2026, 11, 20)
SHOWN = {True: "+", False: "~", None: "?"}


ADDED = [
    "{} 2019", "{} (2021)", "{} [2020]", "{} 3/2020", "s/p {}", "h/o {}", "hx of {} 2018", "{} dx 2015", "{} since 2010",
    "severe {}", "1. {}", "{} at age 20", "{} five years ago", "{} in the 1990s", "{} - 2018", "2019: {}", "pt has {}",
    "known {}", "{}.", "{}, s/p treatment", "{} (per old records)", "{} on meds", "{} in 09", "{} / HTN", "HTN, {}",
]  # fmt: skip
DENIALS = [
    "no {}", "denies {}", "no h/o {}", "no evidence of {}", "{} ruled out", "negative for {}", "{}: negative",
    "family history of {}", "FHx: {}", "mother with {}", "screening for {}", "at risk for {}", "w/o {}",
    "pt does not have any history of {}", "{}: no", "dad died of {}", "{} - workup neg, not {}", "no known hx of gout, {}",
    "no hx of HTN, {}", "not {}", "brother: {}",
]  # fmt: skip


@cache
def names(engine: Engine) -> tuple[str, ...]:
    """Every name of a condition that somebody may or may not have, but for letters and what says by itself that it came back."""
    told = [name for c in engine.library.conditions if not c.circumstance for name in (c.name, *c.synonyms)]
    return tuple(n for n in told if len(n) > len("CKD4") and n.isascii() and not n.lower().startswith("recurrent"))


def one_condition(engine: Engine, name: str) -> bool:
    """Whether a name is read as one condition and nothing else, so that what is added to it is all that differs."""
    line = engine.checker.terms.problems.read(name)
    return len(line.heads) == 1 and line.heads[0].text == name and line.heads[0].standing == "told"


def facts(engine: Engine, **patient: Any) -> Facts:
    return Facts(as_case({"patient": patient}), engine.checker.terms, DAY)


def read(engine: Engine, line: str) -> set[str]:
    """Each condition of a line behind a sign: there (+), over (~), one or the other (?), suspected (s), kin's (k), denied (-)."""
    found = facts(engine, conditions=[line])
    listed = found.listed
    told = {f"{SHOWN[p.active]}{p.id}" for p in found.problems or ()} | {f"-{p.id}" for p, _ in listed.denied}
    told |= {f"s{p.id}" for p in listed.suspected} | {f"k{p.id}" for p in (*listed.family, *listed.kin_denied)}
    return {one.replace("condition.", "") for one in told}


@given(data=st.data(), added=st.sampled_from(ADDED), recased=st.sampled_from([str, str.upper, str.lower]))
@settings(deadline=None, max_examples=examples(240))
def test_no_year_bracket_case_or_order_loses_any_condition_of_the_library(
    engine: Engine, data: st.DataObject, added: str, recased: Any
) -> None:
    name = data.draw(st.sampled_from(names(engine)))
    assume(one_condition(engine, name))
    plain = {one[1:] for one in read(engine, name)}
    line = added.format(recased(name) if len(name.split()) > 1 else name)
    had = {k.removeprefix("condition.") for p in facts(engine, conditions=[line]).problems or () for k in p.kinds}
    assert plain <= had, line


@given(data=st.data(), denial=st.sampled_from(DENIALS))
@settings(deadline=None, max_examples=examples(240))
def test_no_denial_or_kin_alarms_with_any_condition_of_the_library(engine: Engine, data: st.DataObject, denial: str) -> None:
    name = data.draw(st.sampled_from(names(engine)))
    assume(one_condition(engine, name))
    line = denial.replace("{}", name)
    assert not facts(engine, conditions=[line]).problems, line


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("heparin-induced thrombocytopenia 2019", {"~heparin-induced-thrombocytopenia"}),
        ("severe pain with intercourse", {"+painful-intercourse"}),
        ("decompensated heart failure, chronic", {"+decompensated-heart-failure"}),
        ("bronchitis, chronic", {"+copd"}),
        ("h/o CVA 2017 w/ residual L hemiparesis", {"~stroke", "+weakness"}),
        ("hx CVA, residual dysphagia", {"~stroke", "+swallowing-difficulty"}),
        ("CVA 2017, no residual weakness", {"~stroke", "-weakness"}),
        ("used to have asthma as a kid", {"~asthma"}),
        ("h/o asthma as a kid", {"?asthma"}),  # as a child: an adult may have it no more, and it is asked
        ("used to be diabetic before gastric bypass", {"~diabetes", "+bariatric-surgery"}),
        ("formerly hypertensive", {"~hypertension"}),
        ("past hx of HTN but this is no longer an issue", {"~hypertension"}),
        ("urinary retention post op, foley d/c'd, now voiding", {"~urinary-retention"}),
        ("AKI, Cr back to baseline", {"~acute-kidney-injury"}),
        ("delirium, now back to baseline", {"~delirium"}),
        ("COPD, back to baseline", {"+copd"}),
        ("AKI on CKD3, back to baseline", {"~acute-kidney-injury", "+ckd-stage-3"}),
        ("recurrent cellulitis, none x 2 yrs", {"~bacterial-skin-infection"}),
        ("hyponatremia, corrected", {"~hyponatremia"}),
        ("pancreatitis, gallstone, resolved", {"~pancreatitis", "~gallbladder-disease"}),
        ("tobacco 1ppd x 30y, quit 2010", {"~smoking"}),
        ("gestational HTN, resolved pp", {"~gestational-hypertension"}),
        ("ESLD, on txp list", {"+liver-failure"}),
        ("pancreatitis (alcoholic), resolved 2024", {"~pancreatitis", "+alcohol-use-disorder"}),
        ("severe AS, TAVR w/u", {"+severe-aortic-stenosis", "sbioprosthetic-heart-valve"}),
        ("TAVR 2023 for severe AS", {"?severe-aortic-stenosis", "+bioprosthetic-heart-valve"}),
    ],
)
def test_what_is_over_and_what_it_left(engine: Engine, line: str, meant: set[str]) -> None:
    assert read(engine, line) == meant


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("No known hx of kidney disease, liver disease.", {"-ckd", "-liver-disease"}),
        ("no known CAD, CHF, COPD", {"-coronary-heart-disease", "-heart-failure", "-copd"}),
        ("no hx of DM, stroke 2019", {"-diabetes", "sstroke"}),  # a year is told of the second: is it denied?
        ("celiac - tTG neg, bx neg, not celiac", {"-celiac-disease"}),
        ("PE - CTA neg, not PE", {"-pulmonary-embolism"}),
        ("lung nodule r/o ca", {"+lung-nodule"}),
        ("DVT r/o", {"-deep-vein-thrombosis"}),
        ("UTI, probable", {"surinary-tract-infection"}),
        ("husb has TB", {"ktuberculosis"}),
        ("no personal hx cancer", {"-cancer"}),
        ("had seizures as a child but does not have seizures now", {"~seizure", "-seizure"}),
        ("COPD, no COPD exacerbation", {"+copd"}),
        ("PE 2021, no PE on repeat CT, on warfarin", {"~pulmonary-embolism", "-pulmonary-embolism"}),
        ("No significant medical history, trauma, or prior abdominal surgery", {"-injury", "-surgery"}),
        ("no CAD, h/o DM or HTN", {"-coronary-heart-disease", "+diabetes", "+hypertension"}),
    ],
)
def test_what_is_denied_and_how_far(engine: Engine, line: str, meant: set[str]) -> None:
    assert meant <= read(engine, line)
    assert not {f"+{one[1:]}" for one in meant if one[0] == "-"} & read(engine, line)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("living related donor renal transplant 2015", "+kidney-transplant"),
        ("s/p kidney transplant, living donor (brother)", "+kidney-transplant"),
        ("matched unrelated donor HSCT 2022 for AML", "+stem-cell-transplant"),
        ("sister had a kidney transplant", "kkidney-transplant"),
        ("pt is kidney donor 2010", "+single-kidney"),
    ],
)
def test_the_organ_is_the_patients_whoever_gave_it(engine: Engine, line: str, meant: str) -> None:
    assert meant in read(engine, line)


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("heart attack back in 09", (6168, 6532)),
        ("MI in 09", (6168, 6532)),
        ("had a blood clot back in 98", (10186, 10550)),
        ("gout, 2/6 systolic murmur", None),
        ("low back pain 8/10", None),
        ("weakness 3/5 L leg", None),
        ("stroke 4/5", (229, 229)),
        ("urinary retention, this may be due to BPH", None),
        ("recurrent UTI (4 in 12 mo)", None),
    ],
)  # fmt: skip
def test_two_digits_behind_in_are_a_year_and_parts_of_five_six_or_ten_no_day(
    engine: Engine, line: str, days: tuple[int, int] | None
) -> None:
    first = (facts(engine, conditions=[line]).problems or ())[0]
    assert first.ago == days


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Stage IV NSCLC, EGFR L858R+, brain mets", {"egfr found"}),
        ("NSCLC EGFR neg ALK neg", {"egfr not_found", "alk not_found"}),
        ("breast ca ER+/PR+/HER2-", {"her2 negative"}),
        ("HER2-positive breast cancer s/p TCHP", {"her2 positive"}),
        ("breast ca HER2 3+ by IHC", {"her2 positive"}),
        ("mCRC RAS/BRAF wild type", {"kras not_found"}),
        ("prostate ca BRCA2+", {"brca carried"}),
        ("gout, HLA-B*5801 neg", {"hla-b-5801 not_carried"}),
        ("RET fusion", {"ret found"}),
        ("NSCLC, EGFR testing pending", set()),
        ("sister BRCA+, pt neg", set()),
        ("mother with EGFR+ NSCLC", set()),
        ("met with patient", set()),
    ],
)
def test_a_genetic_result_beside_a_condition_is_held_as_one(engine: Engine, line: str, meant: set[str]) -> None:
    found = facts(engine, conditions=[line])
    assert {f"{g.gene.removeprefix('gene.')} {g.state}" for g in found.findings.genes} == meant
    assert not {"spine-surgery", "renal-artery-stenosis"} & {p.id.removeprefix("condition.") for p in found.problems or ()}


def test_room_air_is_no_arthritis(engine: Engine) -> None:
    assert read(engine, "O2 sat 85% RA") == set()
    assert read(engine, "RA, ILD, sats 88%") >= {"+rheumatoid-arthritis"}


def test_what_is_denied_in_a_list_is_not_drunk(engine: Engine) -> None:
    told = facts(engine, conditions=["No history of heart disease, smoking, alcohol use, or drug use"])
    assert not told.foods_on_lines
    assert "food.alcohol" in told.not_taken
    kin = facts(engine, conditions=["FH: CAD, DM, alcohol use"])
    assert not kin.foods_on_lines
    assert [t.food for t in facts(engine, conditions=["CAD, DM, alcohol use 3 beers/d"]).foods_on_lines] == ["food.alcohol"]


def test_an_examination_that_is_scheduled_is_to_come_and_its_day_is_its_own(engine: Engine) -> None:
    told = facts(engine, conditions=["HTN, colonoscopy scheduled 12/3"])
    assert [p.status for p in told.findings.procedures] == ["planned"]
    assert [p.ago for p in told.problems or ()] == [None]


def test_a_vaccine_given_years_ago_is_no_medicine_of_today(engine: Engine) -> None:
    steroid = "prednisone 40 mg by mouth daily"
    given = [
        "MMR 2001",
        "yellow fever vaccine 6/2015",
        "varicella vaccine 1998",
        "Tdap",
        "Shingrix 2/2024",
        "COVID booster 9/2026",
    ]
    case = {"patient": {"age": "60 y", "medications": [steroid, *given]}}
    report = engine.check(case, DAY)
    assert not report.findings
    assert not report.unresolved
    assert len(report.notes) == len(given)
    for now in ("MMR", "MMR 12/2026"):
        case = {"patient": {"age": "60 y", "medications": [steroid, now]}}
        assert any("live-vaccines" in f.rule for f in engine.check(case, DAY).findings), now
    case = {"patient": {"age": "60 y", "medications": [steroid]}, "plan": ["MMR vaccine"]}
    assert any("live-vaccines" in f.rule for f in engine.check(case, DAY).findings)


@pytest.mark.parametrize(
    ("line", "rates"),
    [
        ("prednisolone acetate 1% OU qid x1wk then tid x1wk then bid x1wk then qd x1wk", [(4, 7), (3, 7), (2, 7), (1, 7)]),
        ("Durezol qid x2wk then bid x1wk", [(4, 14), (2, 7)]),
        ("Pred Forte 1 gtt OD qid x 1 wk, tid x 1 wk", [(4, 7), (3, 7)]),
        ("ofloxacin drops OD qid x 1 wk", []),  # one step is no taper
        ("metformin bid x 1 wk then tid", []),  # how long the second lasts is not told: asked about
    ],
)
def test_drops_that_are_tapered_have_their_steps_also_where_no_amount_is_told(
    engine: Engine, line: str, rates: list[tuple[int, int]]
) -> None:
    steps = engine.checker.terms.meaning_of(Medication(line)).directions.steps
    assert [(s.times_per_day[1] if s.times_per_day else None, s.days) for s in steps] == rates
    report = engine.check({"patient": {"medications": [line]}}, DAY)
    assert report.verdict != "clear"


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("HIT 2020, on fondaparinux then", None),  # what it was treated with
        ("anxiety 2018 on Zoloft", None),
        ("hives 2020 on Zyrtec", None),
        ("pancreatitis 2020 on Creon", None),
        ("angioedema 2021, on lisinopril", "drug.lisinopril"),  # what nobody takes for that
        ("rash 2020 on Bactrim", "product.bactrim"),
        ("DVT 2020, on Eliquis", None),
    ],
)
def test_what_is_taken_for_something_of_a_day_did_not_do_it(engine: Engine, line: str, target: str | None) -> None:
    assert [k.target for k in facts(engine, conditions=[line]).listed.reactions] == ([target] if target else [])


@pytest.mark.parametrize(
    ("line", "dose", "strength"),
    [
        ("sertraline 50 tab daily", "1 tablet", "50 mg"),
        ("omeprazole 20 cap daily", "1 capsule", "20 mg"),
        ("zofran 8 odt q8h prn", "1 odt", "8 mg"),
        ("fentanyl 50 patch q72", None, None),  # so much in an hour: asked about, and never 50 patches
        ("estradiol 0.05 patch 2x/wk", None, None),
        ("lidocaine 2 patches daily", "2 patch", None),
        ("prednisone 4 tabs daily", "4 tablet", None),
        ("methotrexate 6 tabs weekly", "6 tablet", None),
        ("warfarin 5 tab daily", "5 tablet", None),  # five may be taken
        ("take 20 tab methotrexate", "20 tablet", None),
    ],
)
def test_a_large_number_before_one_tablet_is_its_strength(
    engine: Engine, line: str, dose: str | None, strength: str | None
) -> None:
    told = engine.checker.terms.meaning_of(Medication(line)).directions
    assert (f"{told.dose[0].value} {told.dose[0].unit}" if told.dose else None) == dose
    assert (f"{told.strength.value} {told.strength.unit}" if told.strength else None) == strength


@pytest.mark.parametrize("line", ["latanoprost ou hs", "timolol ou bid", "latanoprost od hs"])
def test_which_eye_is_no_part_of_a_name(engine: Engine, line: str) -> None:
    assert engine.name(line).status == "match"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("IV dye", "allergen.iodinated-contrast"),
        ("codeine -> N/V", "drug.codeine"),
        ("cipro - tendon pain", "drug.ciprofloxacin"),
        ("shellfish - lips swell", "allergen.shellfish"),
    ],
)
def test_an_allergy_line_tells_what_it_is_to_and_nothing_else(engine: Engine, text: str, target: str) -> None:
    told = facts(engine, allergies=[text])
    assert [a.target for a in told.allergies or ()] == [target]
    assert not told.unresolved
