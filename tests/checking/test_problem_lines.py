"""Lines of a problem list as people write them: the condition is found, and nobody is taken to have what is denied."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine, as_case
from safety.model.patient import Told
from safety.text import fold
from safety.understanding.facts import Facts
from safety.understanding.problems import Problem

DAY = date(2026, 11, 20)
HEADS = [
    "HTN", "T2DM", "HFrEF", "CKD3b", "COPD", "asthma", "AFib", "GERD", "stroke", "GI bleed", "cirrhosis", "epilepsy",
    "myasthenia gravis", "G6PD deficiency", "peptic ulcer", "DVT", "angioedema", "gout", "long QT syndrome", "depression",
]  # fmt: skip
ADDED = [
    "{} 2019",
    "{} (2021)",
    "{}, chronic",
    "s/p {}",
    "h/o {}",
    "hx of {} 2018",
    "{} dx 2015",
    "{} since 2010",
    "severe {}",
    "{}; stable",
    "1. {}",
    "{} flare",
    "{} f/b Dr. Smith",
    "{} on therapy",
    "c/o {}",
    "{} at age 20",
    "{} five years ago",
    "{} in the 1990s",
]
DENIALS = [
    "no {}", "denies {}", "no h/o {}", "no evidence of {}", "{} ruled out", "negative for {}", "{}: negative", "not {}",
    "family history of {}", "FHx: {}", "mother with {}", "{} (mother)", "screening for {}", "at risk for {}", "w/o {}",
    "pt does not have any history of {}", "{} r/o'd", "{} neg", "neg {}", "{}: no", "{} (-)", "hasn't had {}", "{}, mother",
    "{} on mother's side", "dad died of {}", "without mention of {}", "misdiagnosed with {}", "primary prevention of {}",
]  # fmt: skip


def facts_of(engine: Engine, *lines: str | dict[str, object], **patient: object) -> Facts:
    return Facts(as_case({"patient": {"conditions": list(lines), **patient}}), engine.checker.terms, DAY)


def problems_of(engine: Engine, *lines: str) -> tuple[Problem, ...]:
    return facts_of(engine, *lines).problems or ()


def ids_of(engine: Engine, *lines: str) -> set[str]:
    return {p.id.removeprefix("condition.") for p in problems_of(engine, *lines)}


# ------------------------------------------------------------------ laws


@given(head=st.sampled_from(HEADS), added=st.sampled_from(ADDED), recased=st.sampled_from([str, str.upper, str.lower]))
@settings(deadline=None, max_examples=examples(200))
def test_a_year_a_bracket_a_case_or_what_was_gone_through_never_loses_the_condition(
    engine: Engine, head: str, added: str, recased: object
) -> None:
    assert callable(recased)
    plain = {p.id for p in problems_of(engine, head)}
    assert plain
    line = added.format(recased(head))
    assert plain <= {k for p in problems_of(engine, line) for k in (p.id, *p.kinds)}, line


@given(
    first=st.sampled_from(HEADS),
    second=st.sampled_from(HEADS),
    join=st.sampled_from([", ", "; ", " and ", " & ", "/", " w/ ", " with "]),
)
@settings(deadline=None, max_examples=examples(200))
def test_two_conditions_of_one_line_are_both_found_in_either_order(engine: Engine, first: str, second: str, join: str) -> None:
    alone = {k for head in (first, second) for p in problems_of(engine, head) for k in p.kinds}
    assert alone <= {k for p in problems_of(engine, f"{first}{join}{second}") for k in p.kinds}


@given(head=st.sampled_from(HEADS), denial=st.sampled_from(DENIALS))
@settings(deadline=None, max_examples=examples(300))
def test_what_is_denied_or_only_somebody_elses_is_no_condition_of_the_patient(engine: Engine, head: str, denial: str) -> None:
    assert problems_of(engine, denial.format(head)) == ()


@given(head=st.sampled_from(HEADS), denial=st.sampled_from(["no {}", "denies {}", "{} ruled out", "family history of {}"]))
@settings(deadline=None, max_examples=examples(60))
def test_a_denial_says_nothing_of_the_next_sentence(engine: Engine, head: str, denial: str) -> None:
    assert "glaucoma" in ids_of(engine, f"{denial.format(head)}; glaucoma")


@given(head=st.sampled_from(HEADS), tail=st.from_regex(r"q[bcdfgkzx]{5,9}", fullmatch=True))
@settings(deadline=None, max_examples=examples(60))
def test_words_that_are_not_read_are_asked_about_and_never_clear(engine: Engine, head: str, tail: str) -> None:
    facts = facts_of(engine, f"{head} {tail}")
    assert {p.id for p in problems_of(engine, head)} <= {p.id for p in facts.problems or ()}
    assert [u.status for u in facts.unresolved if u.where.among == "conditions"] == ["unread"]


@given(st.text(alphabet="abcdefghi /,;:()-?.0123456789'", max_size=60))
@settings(deadline=None, max_examples=examples(200))
def test_no_line_of_text_is_refused(engine: Engine, text: str) -> None:
    line = engine.checker.terms.problems.read(text)
    assert all(line.text[h.start : h.end] == h.text for h in line.heads)
    assert all(line.text[r.start : r.end] == r.text for r in line.rests)


# ------------------------------------------------------------------ examples


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("HFrEF EF 30%", {"heart-failure-reduced-ejection-fraction"}),
        ("s/p MI 2019", {"myocardial-infarction", "coronary-heart-disease"}),
        ("h/o GI bleed 2021", {"gi-bleeding"}),
        ("Child-Pugh C cirrhosis", {"decompensated-cirrhosis"}),
        ("CKD3b (baseline Cr 1.9)", {"ckd-stage-3b"}),
        ("G6PD def", {"g6pd-deficiency"}),
        ("HIT 2023", {"heparin-induced-thrombocytopenia"}),
        ("DM2 w/ CKD3 and neuropathy", {"type-2-diabetes", "ckd-stage-3", "diabetic-neuropathy"}),
        ("HTN/HLD", {"hypertension", "hyperlipidemia"}),
        ("HTN, HLD, DM2", {"hypertension", "hyperlipidemia", "type-2-diabetes"}),
        ("on HD MWF", {"dialysis"}),
        ("s/p kidney transplant", {"kidney-transplant"}),
        ("mechanical AVR", {"mechanical-aortic-valve"}),
        ("MS IR 15 mg given in ED", set()),
        ("HD #4, POD 2", set()),
        ("sats 91% on RA", set()),
        ("hit his head on the door", set()),
        ("PCN: rash as child", set()),  # an allergy, and no rash of today
        ("flu vaccine UTD", set()),
        ("wife reports insomnia", {"insomnia"}),
        ("lives with mother, HTN", {"hypertension"}),
        ("NSTEMI Nov '21", {"myocardial-infarction", "coronary-heart-disease"}),
        ("child attention deficit disorder", {"adhd"}),
        ("no diabetes, asthma, or prior stroke", set()),
    ],
)
def test_charts_are_read_as_clinicians_mean_them(engine: Engine, line: str, expected: set[str]) -> None:
    assert ids_of(engine, line) == expected


@pytest.mark.parametrize(
    ("line", "active"),
    [
        ("MI 2019", False), ("MI", True), ("recent MI", True), ("MI 2 weeks ago", True), ("s/p CABG 2018", True),
        ("h/o diabetes", True),
        ("h/o GI bleed", False), ("pneumonia, resolved", False), ("C diff 2021", False), ("C diff", True), ("MI 2026", None),
        ("h/o depression", None), ("HTN since 2004", True), ("AKI resolved", False),
    ],
)  # fmt: skip
def test_a_past_event_is_past_and_a_lasting_condition_is_there(engine: Engine, line: str, active: bool | None) -> None:
    told, *left = problems_of(engine, line)
    assert told.active is active
    assert all(p.id in engine.library.condition[told.id].leaves for p in left)


def test_whatever_an_event_leaves_lasts_for_life_and_is_what_the_event_was_a_kind_of(engine: Engine) -> None:
    known = engine.library.condition
    told = {c.id: c.leaves for c in known.values() if c.leaves}
    assert told
    assert all(
        known[left].lifelong and left in known[i].is_a and not known[i].lifelong for i, all_ in told.items() for left in all_
    )


@pytest.mark.parametrize(
    ("line", "speaks"), [("MI 2019", True), ("NSTEMI, age 50", True), ("no MI", False), ("MI ruled out", False)]
)
def test_a_heart_attack_of_years_ago_is_coronary_disease_of_today(engine: Engine, line: str, speaks: bool) -> None:
    case = {
        "patient": {"age": "70 y", "conditions": [line], "allergies": [], "medications": ["hydralazine 25 mg by mouth daily"]}
    }
    rules = {f.rule for f in engine.check(case, DAY).findings}
    assert ("contraindication.heart-stops.hydralazine-coronary" in rules) is speaks


@pytest.mark.parametrize("line", ["possible PE", "r/o PE", "?PE", "PE?", "PE vs pneumonia", "suspected PE", "DDx PE, pneumonia"])
def test_what_is_suspected_is_neither_told_nor_denied(engine: Engine, line: str) -> None:
    facts = facts_of(engine, line)
    assert not facts.problems
    assert "condition.pulmonary-embolism" in {p.id for p in facts.listed.suspected}


def test_after_no_a_list_without_or_is_not_taken_as_denied(engine: Engine) -> None:
    facts = facts_of(engine, "no fever, asthma")
    assert "condition.asthma" in {p.id for p in (*(facts.problems or ()), *facts.listed.suspected)}


def test_after_no_a_list_with_or_is_denied(engine: Engine) -> None:
    facts = facts_of(engine, "no asthma, COPD or gout")
    assert not facts.problems
    assert not facts.listed.suspected


def test_a_result_beside_a_condition_is_a_result_with_its_day(engine: Engine) -> None:
    results = facts_of(engine, "DM2 (A1c 9.2% 2026-05-01)").results
    assert results is not None
    found = results["lab.hba1c"]
    assert [(str(r.low), r.on) for r in found] == [("9.2", date(2026, 5, 1))]


def test_a_result_without_a_unit_is_read_as_in_a_list_of_results(engine: Engine) -> None:
    results = facts_of(engine, "CKD3b (baseline Cr 1.9)").results
    assert results is not None
    assert str(results["lab.creatinine"][0].low) == "1.9"


def test_what_a_medicine_did_is_an_intolerance_of_it(engine: Engine) -> None:
    case = {
        "patient": {"conditions": ["angioedema from lisinopril 2022"], "allergies": [], "medications": []},
        "plan": ["lisinopril 10 mg daily"],
    }
    kinds = {f.kind for f in engine.check(case, DAY).findings}
    assert {"allergy", "contraindication"} <= kinds


def test_a_line_of_denial_beside_the_condition_is_asked_about(engine: Engine) -> None:
    facts = facts_of(engine, "asthma", "no asthma history")
    assert [p.active for p in facts.problems or ()] == [True]


def test_a_code_decides_and_a_status_of_the_record_too(engine: Engine) -> None:
    facts = facts_of(engine, {"text": "gout", "status": "past"})
    assert [p.active for p in facts.problems or ()] == [False]


def test_the_same_words_mean_the_same_as_an_indication(engine: Engine) -> None:
    assert engine.checker.terms.condition(Told("afib")) == engine.checker.terms.condition(Told("AFib"))


@given(head=st.sampled_from(HEADS), after=st.sampled_from(["no complications", "no prior surgeries", "none known of the others"]))
@settings(deadline=None, max_examples=examples(60))
def test_a_denial_that_begins_something_else_says_nothing_of_the_condition_before(engine: Engine, head: str, after: str) -> None:
    assert {p.id for p in problems_of(engine, head)} <= {p.id for p in problems_of(engine, f"{head}; {after}")}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("alcohol use disorder; no chronic illnesses or previous surgeries reported", {"alcohol-use-disorder"}),
        ("diabetes, heart disease", {"diabetes", "heart-disease"}),
        ("T2DM w/ CKD3 and neuropathy", {"type-2-diabetes", "diabetic-neuropathy"}),
        ("colon resection in 1961 with no recurrence, glaucoma", {"glaucoma"}),
        ("hypertension, but this is no longer present; gout", {"hypertension", "gout"}),
        ("recurrent strokes", {"stroke"}),
        ("Born at 36 weeks by C-section delivery", set()),
        ("BP 120s/70s", set()),
    ],
)
def test_words_reach_no_further_than_they_are_meant_to(engine: Engine, line: str, expected: set[str]) -> None:
    assert expected <= ids_of(engine, line) if expected else ids_of(engine, line) == set()


@pytest.mark.parametrize(
    ("line", "age", "ago"),
    [
        ("MI at age 45", 60, (14 * 365, 16 * 365)),
        ("MI at age 45", None, None),
        ("osteomyelitis treated for 6 weeks about 5 years back", None, (1643, 2190)),
        ("MI in the 1990s", None, (9821, 13472)),
        ("MI 3/22", None, (243, 1725)),
        ("MI 3/98", None, (10461, 10491)),
        ("MI 11/30", None, (355, 355)),
    ],
)
def test_an_age_a_span_and_a_decade_are_no_days_ago(
    engine: Engine, line: str, age: int | None, ago: tuple[int, int] | None
) -> None:
    problem, *_ = facts_of(engine, line, **({"age": age} if age else {})).problems or ()
    assert problem.ago == ago


def test_weeks_of_a_pregnancy_on_the_list_are_its_weeks(engine: Engine) -> None:
    told, note = facts_of(engine, "IUP 20w3d").pregnancy
    assert told is not None
    assert (told.present, told.weeks, note) == (True, 20, "on the problem list")


def test_what_is_contradicted_is_said_of_the_line_that_denies_it(engine: Engine) -> None:
    facts = facts_of(engine, "gout", "asthma", "denies gout or seizures")
    assert [u.where.index for u in facts.unresolved if u.status == "contradicted"] == [2]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("FHx MI (father 50), pt has HTN", {("hypertension", True)}),
        ("stroke 2019 w/ HTN", {("stroke", False), ("hypertension", True)}),
        ("GI bleed (on warfarin) 2021", {("gi-bleeding", False)}),
        ("HCV Ab neg", set()),
        ("on transplant list", set()),
        ("non-diabetic", set()),
        ("rubella nonimmune", set()),
        ("Mr. Smith has HTN", {("hypertension", True)}),
    ],
)
def test_whose_and_when_is_told_by_the_words_around(engine: Engine, line: str, expected: set[tuple[str, bool]]) -> None:
    assert {(p.id.removeprefix("condition."), p.active) for p in problems_of(engine, line)} == expected


@pytest.mark.parametrize(
    ("line", "medicine", "speaks"),
    [
        ("sulfonamide-induced Stevens-Johnson syndrome", "Bactrim DS 1 tablet by mouth twice daily", True),
        ("penicillin-induced anaphylaxis", "amoxicillin 500 mg by mouth three times daily", True),
        ("lisinopril induced angioedema", "lisinopril 10 mg by mouth daily", True),
        ("sulfonamide-induced Stevens-Johnson syndrome", "doxycycline 100 mg by mouth twice daily", False),
        ("opioid-induced constipation", "morphine 15 mg by mouth every 12 hours", False),
        ("exercise-induced asthma", "albuterol 90 mcg inhaled as needed", False),
    ],
)
def test_a_grave_reaction_induced_by_a_medicine_is_an_allergy_to_it(
    engine: Engine, line: str, medicine: str, speaks: bool
) -> None:
    patient = {"conditions": [line], "allergies": [], "medications": [medicine]}
    report = engine.check({"as_of": "2026-11-24", "patient": patient})
    assert any(f.kind == "allergy" for f in report.findings) is speaks
    assert not [u for u in report.unresolved if u.where.among == "conditions"]


# ------------------------------------------------------------------ risk, kin, circumstances, company, what is over

AT_RISK = ["{} risk", "at risk for {}", "at risk of {}", "risk for {}", "high risk for {}", "{} precautions"]
CURED = [
    ("RCC", "L nephrectomy"), ("prostate ca", "RALP"), ("colon ca", "R hemicolectomy"), ("melanoma", "WLE"),
    ("pheo", "adrenalectomy"), ("AML", "alloSCT"), ("lung adenoca", "RUL lobectomy"), ("BCC nose", "Mohs"),
]  # fmt: skip
CIRCUMSTANCES = [
    "full code", "SNF resident", "homeless", "works nights",
    "foley chronic",
    "illiterate", "behind on vaccines", "insulin pump", "IVC filter",
]  # fmt: skip


@given(head=st.sampled_from(HEADS), told=st.sampled_from(AT_RISK))
@settings(deadline=None, max_examples=examples(150))
def test_who_is_at_risk_of_something_does_not_have_it(engine: Engine, head: str, told: str) -> None:
    assert problems_of(engine, told.format(head)) == ()


@given(first=st.sampled_from(HEADS), second=st.sampled_from(HEADS))
@settings(deadline=None, max_examples=examples(100))
def test_each_of_the_kin_has_what_is_told_of_them_and_the_patient_nothing(engine: Engine, first: str, second: str) -> None:
    assert problems_of(engine, f"mom {first}, dad {second}") == ()
    facts = facts_of(engine, f"mom {first}, dad {second}")
    assert {p.id for p in facts.listed.suspected} == set() if facts.listed else True


@pytest.mark.parametrize("line", CIRCUMSTANCES)
def test_how_somebody_lives_or_is_cared_for_is_read_and_no_disease(engine: Engine, line: str) -> None:
    facts = facts_of(engine, line)
    assert not facts.problems
    assert not [u for u in facts.unresolved if u.where.among == "conditions"]


@pytest.mark.parametrize(("disease", "operation"), CURED)
@pytest.mark.parametrize("when", ["", " 2018"])
def test_what_an_operation_ended_is_not_told_to_be_there_unless_it_is_still_treated(
    engine: Engine, disease: str, operation: str, when: str
) -> None:
    alone = {p.id for p in problems_of(engine, disease)}
    after = {p.id: p.active for p in problems_of(engine, f"{disease} s/p {operation}{when}")}
    treated = {p.id: p.active for p in problems_of(engine, f"{disease} s/p {operation}{when}, on anastrozole")}
    assert all(after[i] is not True for i in alone)
    assert all(treated[i] is True for i in alone)


@pytest.mark.parametrize(
    ("line", "there", "over"),
    [
        ("sepsis due to pneumonia, resolved", set(), {"sepsis", "pneumonia"}),
        ("AKI on CKD 3b, resolved 2/2024", {"ckd-stage-3b"}, {"acute-kidney-injury"}),
        ("AUD, sober 5 yrs", set(), {"alcohol-use-disorder"}),
        ("sulfa: SJS", set(), {"stevens-johnson-syndrome"}),
        ("SJS", {"stevens-johnson-syndrome"}, set()),
    ],
)
def test_what_is_over_took_its_cause_with_it_and_not_what_lay_beneath(
    engine: Engine, line: str, there: set[str], over: set[str]
) -> None:
    found = {p.id.removeprefix("condition."): p.active for p in problems_of(engine, line)}
    assert {i for i, active in found.items() if active is True} == there
    assert {i for i, active in found.items() if active is False} == over


@pytest.mark.parametrize(
    ("line", "condition"),
    [
        ("HbSS, h/o ACS", "sickle-cell-crisis"), ("CAD, ACS 2019", "acute-coronary-syndrome"),
        ("cirrhosis w/ ascites, HE", "hepatic-encephalopathy"), ("PTSD, BPD", "personality-disorder"),
        ("ESRD, PD", "dialysis"), ("PD, depression", "parkinson-disease"),
    ],
)  # fmt: skip
def test_letters_of_several_meanings_are_told_apart_by_their_company(engine: Engine, line: str, condition: str) -> None:
    assert condition in ids_of(engine, line)


def test_a_condition_that_is_a_device_a_code_alone_and_a_shock_are_what_they_are(engine: Engine) -> None:
    assert "device.feeding-tube" in {k for d in facts_of(engine, "PEG dependent").findings.devices for k in d.kinds}
    assert "ckd-stage-3a" in {k.removeprefix("condition.") for p in problems_of(engine, "N18.31") for k in p.kinds}
    assert {"sepsis", "shock"} <= {k.removeprefix("condition.") for p in problems_of(engine, "septic shock") for k in p.kinds}
    assert "tuberculosis" in {k.removeprefix("condition.") for p in problems_of(engine, "LTBI") for k in p.kinds}
    assert ids_of(engine, "ICD shock x2") == {"implantable-defibrillator"}


# ------------------------------------------------------------------ whose it is, what a doubt speaks of, what is no question


@given(
    head=st.sampled_from(HEADS),
    said=st.sampled_from(
        [
            "{} - pt's sister had it",
            "{}, mother has it",
            "FHx: neg for gout, pos for {}",
            "no family history of {}",
            "FHx: neg for {}",
            "FHx neg for {}",
            "no FHx {}",
            "denies FHx of {}",
        ]
    ),
)
@settings(deadline=None, max_examples=examples(150))
def test_what_kin_had_or_none_of_them_had_is_nothing_of_the_patient(engine: Engine, head: str, said: str) -> None:
    assert problems_of(engine, said.format(head)) == ()


@pytest.mark.parametrize(
    ("line", "theirs"),
    [
        ("FHx: neg for colon ca, pos for CAD (F, PGF)", {"coronary-heart-disease"}),
        ("malignant hyperthermia - pt's sister had it", {"malignant-hyperthermia"}),
        ("no family history of medullary thyroid cancer", set()), ("FHx: neg for MTC", set()),
        ("FHx MTC", {"medullary-thyroid-cancer"}),
    ],
)  # fmt: skip
def test_what_none_of_the_kin_has_is_neither_theirs_nor_denied_of_the_patient(
    engine: Engine, line: str, theirs: set[str]
) -> None:
    listed = facts_of(engine, line).listed
    assert {p.id.removeprefix("condition.") for p in listed.family} == theirs
    assert not listed.denied


@pytest.mark.parametrize(
    ("line", "there", "over"),
    [
        ("AKI on CKD4 - likely prerenal", {"acute-kidney-injury", "ckd-stage-4"}, set()),
        ("homeless, sleeps in shelter", set(), set()),
        ("flu A/B neg, pneumonia", {"pneumonia"}, set()),
        ("acquired absence of R kidney", {"single-kidney"}, set()),
        ("HELLP w/ last preg", set(), {"preeclampsia"}),
        ("T1DM dx'd 2022 in DKA", {"type-1-diabetes"}, {"diabetic-ketoacidosis"}),
        ("T1DM in DKA", {"type-1-diabetes", "diabetic-ketoacidosis"}, set()),
        ("CAD, NSTEMI same yr", {"coronary-heart-disease"}, {"myocardial-infarction"}),
        ("hx DTs", set(), {"delirium-tremens"}),
        ("delirium, cleared by d/c", set(), {"delirium"}),
        ("RSV bronchiolitis, 5 mo M", {"bronchiolitis"}, set()),
        ("RLS; iron low", {"restless-legs", "iron-deficiency"}, set()),
        ("irreg menses", {"menstrual-disorder"}, set()),
        ("ankylosing spond", {"ankylosing-spondylitis"}, set()),
        ("temp arteritis r/o'd", set(), set()),
    ],
)
def test_a_line_tells_what_is_there_and_what_is_over(engine: Engine, line: str, there: set[str], over: set[str]) -> None:
    found = {p.id.removeprefix("condition."): p.active for p in problems_of(engine, line)}
    assert {i for i, active in found.items() if active is True} == there
    assert {i for i, active in found.items() if active is False} == over


def test_what_is_needed_in_labor_denies_no_pregnancy(engine: Engine) -> None:
    assert not facts_of(engine, "GBS pos, needs qqzz in labor").listed.denied


@pytest.mark.parametrize(
    "line",
    ["fall risk", "UTI, site not specified", "hyperkalemia 5.9", "mech MVR 1998, INR goal 2.5-3.5", "CLL Rai 0, watch + wait",
     "closed fx distal radius L (FOOSH) - casted", "celiac sprue, gluten free", "HOCM, gradient 64", 
     "bipolar 1, last manic ep 5/23 req inpt",
     "peanut allergy -- anaphylaxis x1, has epipen"],
)  # fmt: skip
def test_sites_devices_goals_and_circumstances_are_not_asked_about(engine: Engine, line: str) -> None:
    assert not [u for u in facts_of(engine, line).unresolved if u.where.among == "conditions"]


@pytest.mark.parametrize("line", ["RA, on MTX", "OCD (Luvox)", "Crohn's, ileal, quiescent on Stelara"])
def test_a_medicine_that_is_named_and_not_listed_is_asked_about(engine: Engine, line: str) -> None:
    assert [u for u in facts_of(engine, line, medications=[]).unresolved if u.where.among == "conditions"]
    untold = facts_of(engine, line)  # no list was told: it is asked for as a whole
    assert not [u for u in untold.unresolved if u.where.among == "conditions"]


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("cellulitis RLE, failed Keflex", "cephalexin 500 mg qid"),
        ("urge incont, failed oxybutynin", "oxybutynin 5 mg bid"),
        ("PE 2023, off Eliquis", "apixaban 5 mg bid"),
        ("hyperK 5.9, lisinopril held", "lisinopril 10 mg daily"),
        ("LTBI, finished INH 2010", "isoniazid 300 mg daily"),
    ],
)
def test_a_medicine_that_was_ended_is_asked_about_only_where_it_is_listed(engine: Engine, line: str, listed: str) -> None:
    def asked(*medications: str) -> list[str]:
        facts = facts_of(engine, line, medications=list(medications))
        return [u.ask for u in facts.unresolved if u.where.among == "conditions"]

    assert asked("levothyroxine 50 mcg daily") == []
    assert len(asked(listed)) == 1


@pytest.mark.parametrize(
    ("line", "condition"),
    [
        ("AOM R, 2nd this season", "otitis-media"), ("prob OSA, STOP-BANG 6", None), ("AAA 4.3 cm infrarenal, annual US", None),
        ("BPH with LUTS, PVR 180", "benign-prostatic-hyperplasia"), ("R hip fx s/p ORIF POD#2", "fracture"),
        ("Eczema since baby", "dermatitis"), 
    ],
)  # fmt: skip
def test_small_words_and_figures_beside_a_condition_are_not_asked_about(engine: Engine, line: str, condition: str | None) -> None:
    facts = facts_of(engine, line)
    assert not [u for u in facts.unresolved if u.where.among == "conditions"]
    assert condition is None or any(f"condition.{condition}" in p.kinds for p in facts.problems or ())


@pytest.mark.parametrize(
    "line", ["asthma, zorblatt 5", "DM2, foot turning purple", "HTN, throat swells", "CAD, trop rising", "COPD, hasn't taken it"]
)
def test_words_that_may_tell_something_are_asked_about(engine: Engine, line: str) -> None:
    assert [u for u in facts_of(engine, line).unresolved if u.where.among == "conditions"]


@pytest.mark.parametrize(
    ("line", "active", "denied"),
    [
        ("LLE cellulitis, US neg for abscess", {"bacterial-skin-infection"}, {"bacterial-skin-infection"}),
        ("DVT US neg b/l LE", set(), {"deep-vein-thrombosis"}),
        ("PE CTA neg", set(), {"pulmonary-embolism"}),
        ("DVT US neg for propagation", {"deep-vein-thrombosis"}, set()),
        ("celiac - tTG neg, not celiac", set(), {"celiac-disease"}),
        ("doc told me my liver is fatty", {"fatty-liver"}, set()),
        ("my liver is not fatty", set(), set()),
        ("hole in my heart, heart is enlarged", {"atrial-septal-defect", "heart-disease"}, set()),
        ("I have sugar and high blood", {"diabetes", "hypertension"}, set()),
        ("I have sugar cravings", set(), set()),
        ("nefrectomy 2019", {"single-kidney"}, set()),
        ("s/p PPM 2020 for SSS", {"pacemaker", "sick-sinus-syndrome"}, set()),
        ("ED since prostatectomy", {"erectile-dysfunction"}, set()),
        ("osteo R 2nd toe, IV vanc thru 12/20", {"osteomyelitis"}, set()),
    ],
)
def test_what_a_line_tells_as_it_is_said(engine: Engine, line: str, active: set[str], denied: set[str]) -> None:
    facts = facts_of(engine, line)
    told = {p.id.removeprefix("condition.") for p in facts.problems or () if p.active}
    assert active <= told
    assert {p.id.removeprefix("condition.") for p, _ in facts.listed.denied} == denied
    assert active or not told


@pytest.mark.parametrize(
    ("line", "past"), [("depression until 2015", "depression"), ("H. pylori tx'd, stool Ag neg", "helicobacter-pylori-infection")]
)
def test_what_ended_is_over_and_was_there(engine: Engine, line: str, past: str) -> None:
    assert [p.id for p in problems_of(engine, line)] == [f"condition.{past}"]
    assert not problems_of(engine, line)[0].active


@pytest.mark.parametrize(
    ("line", "present", "absent"),
    [
        ("no hx GI bleed. PUD", "condition.peptic-ulcer", "condition.gastrointestinal-bleeding"),
        ("negative for HIV, pos hep B", "condition.hepatitis-b", "condition.hiv"),
        ("never smoked, severe COPD", "condition.copd", "condition.smoking"),
        ("mother - DM, pt - HTN", "condition.hypertension", "condition.diabetes"),
        ("no h/o seizures. Asthma", "condition.asthma", "condition.seizure"),
        ("family hx neg, CHF", "condition.heart-failure", "condition.diabetes"),
        ("neg for PE, DVT +", "condition.deep-vein-thrombosis", "condition.pulmonary-embolism"),
    ],
)
def test_what_a_denial_or_kin_no_longer_reaches_is_the_patients(engine: Engine, line: str, present: str, absent: str) -> None:
    """A stop, "pos" or "pt", and a comma behind what somebody never smoked end a denial; what follows must not be lost."""
    problems = Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, date(2026, 11, 24)).problems
    told = {kind for problem in problems for kind in problem.kinds}
    assert present in told
    assert absent not in told


@pytest.mark.parametrize("line", ["DVT, lifelong AC", "breast cancer on chemo", "AML, FOLFOX"])
def test_a_treatment_that_is_not_named_by_its_medicine_is_asked_about(engine: Engine, line: str) -> None:
    assert engine.check({"as_of": "2026-11-24", "patient": {"conditions": [line], "medications": []}}).unresolved


# ------------------------------------------------------------------ letters, short words, allergies, habits, since when


def test_whatever_letters_mean_by_their_company_is_known(engine: Engine) -> None:
    terms = engine.checker.terms
    told = {word: ways.split(";") for word, ways in engine.library.language.meaning("problem-company").items()}
    names = {(word, fold(way.partition(" beside ")[0])) for word, ways in told.items() for way in ways}
    phrases = engine.checker.terms._problem_words.phrases
    known = {(word, name) for word, name in names if terms.meant(name) is not None or name in phrases}
    doubted = {("gs", "suspected glaucoma"), ("gbs", "possible group b streptococcus colonization")}
    assert names - known == doubted  # a doubt of a condition
    assert terms.meant("glaucoma") is not None


@given(data=st.data(), cut=st.integers(min_value=5, max_value=9))
@settings(deadline=None, max_examples=examples(200))
def test_a_name_cut_short_is_that_name_or_none(engine: Engine, data: st.DataObject, cut: int) -> None:
    terms = engine.checker.terms
    whole = data.draw(st.sampled_from([n for n in terms._index.condition_names if n.isalpha() and len(n) > 9]))
    short = whole[:cut]
    completed = {h.name for h in terms.problems.read(short).heads if h.name.startswith(short) and h.name != short}
    assert {terms.named(name) for name in completed} <= {terms.named(whole)}


@given(
    first=st.sampled_from(["HTN", "COPD", "CHF", "CKD", "DM", "GERD", "PUD", "DVT"]),
    after=st.sampled_from(["", " 2019", ", gout"]),
)
@settings(deadline=None, max_examples=examples(40))
def test_stops_between_capitals_change_nothing(engine: Engine, first: str, after: str) -> None:
    dotted = "".join(f"{letter}." for letter in first)
    assert ids_of(engine, f"{dotted}{after}") == ids_of(engine, f"{first}{after}")


@given(
    what=st.sampled_from(["penicillin", "sulfa", "aspirin", "peanut", "latex", "statin", "lisinopril"]),
    did=st.sampled_from(["hives", "rash", "anaphylaxis", "angioedema", "nausea", "SJS"]),
    told=st.sampled_from(["{what} allergy ({did})", "{what} allergy - {did}", "{what} allergy: {did}"]),
)
@settings(deadline=None, max_examples=examples(120))
def test_an_allergy_with_what_it_does_is_an_allergy_and_no_condition_of_today(
    engine: Engine, what: str, did: str, told: str
) -> None:
    facts = facts_of(engine, told.format(what=what, did=did))
    assert not [p for p in facts.problems or () if p.active]
    assert facts.listed.reactions


@given(head=st.sampled_from(HEADS), habit=st.sampled_from(["tobacco", "smoking", "cocaine use", "vaping"]))
@settings(deadline=None, max_examples=examples(80))
def test_a_denied_habit_neither_denies_nor_loses_the_illness_after_the_comma(engine: Engine, head: str, habit: str) -> None:
    listed = facts_of(engine, f"denies {habit}, {head}").listed
    plain = {p.id for p in problems_of(engine, head)}
    assert plain <= {k for p in (*listed.own, *listed.suspected) for k in p.kinds}
    assert not plain & {p.id for p, _ in listed.denied}


@given(head=st.sampled_from(HEADS))
@settings(deadline=None, max_examples=examples(40))
def test_what_has_been_none_since_a_day_was_there_before(engine: Engine, head: str) -> None:
    plain = {p.id for p in problems_of(engine, head)}
    assert plain <= {k for p in problems_of(engine, f"no {head} since 2010") for k in p.kinds}


@pytest.mark.parametrize(
    ("line", "active", "past"),
    [
        ("NAION OD", {"retinal-disease"}, set()),
        ("AS HLA-B27+", {"ankylosing-spondylitis"}, set()),
        ("severe AS, mean gradient 44", {"severe-aortic-stenosis"}, set()),
        ("CKD w/ h/o kidney stones", {"ckd"}, {"kidney-stones"}),
        ("HTN (CMS-HCC)", {"hypertension"}, set()),
        ("syphilis, tx'd 2019 with PCN", set(), {"syphilis"}),
        ("F: lung ca, M: DM", set(), set()),
        ("mother - HTN, DM2", set(), set()),
        ("no PMH of DM, HTN, or CAD", set(), set()),
        ("no angina since CABG", {"coronary-revascularization"}, {"angina"}),
    ],
)
def test_what_is_there_and_what_is_past(engine: Engine, line: str, active: set[str], past: set[str]) -> None:
    problems = problems_of(engine, line)
    assert active <= {p.id.removeprefix("condition.") for p in problems if p.active}
    assert past <= {p.id.removeprefix("condition.") for p in problems if not p.active}
    assert active or past or not problems
    assert "condition.drug-overdose" not in {p.id for p in problems}
    assert "condition.liver-cancer" not in {p.id for p in problems}


@pytest.mark.parametrize("head", ["ventricular arrhythmia", "DVT", "VT"])
def test_what_is_there_since_a_day_is_there_now_and_what_was_on_that_day_is_over(engine: Engine, head: str) -> None:
    assert [p.active for p in problems_of(engine, f"{head} since 2019")] == [True]
    assert [p.active for p in problems_of(engine, f"{head} 2019")] == [False]


TREATED = [
    ("essential tremor on propranolol", "propranolol"), ("insomnia on trazodone", "trazodone"),
    ("hives on cetirizine", "cetirizine"),
    ("septic shock on norepinephrine", "norepinephrine"), ("autoimmune hepatitis on azathioprine", "azathioprine"),
    ("hereditary angioedema on lanadelumab", "lanadelumab"), ("orthostatic hypotension on midodrine", "midodrine"),
    ("cetirizine - hives", "cetirizine"), ("albuterol - cough", "albuterol"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "medicine"), TREATED)
def test_what_a_medicine_is_taken_for_is_no_reaction_to_it(engine: Engine, line: str, medicine: str) -> None:
    facts = facts_of(engine, line, medications=[])
    assert not facts.listed.reactions
    assert any(medicine in u.ask for u in facts.unresolved)  # whether it is taken


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("Penicillin - rash", "class.penicillins"),
        ("rash on amoxicillin", "drug.amoxicillin"),
        ("codeine - itching", "drug.codeine"),
        ("lisinopril - cough", "drug.lisinopril"),
        ("cough while on benazepril", "drug.benazepril"),
        ("angioedema on lisinopril", "drug.lisinopril"),
        ("thrombocytopenia on heparin", "drug.heparin"),
        ("pancreatitis on valproate 2021", "drug.valproate"),
        ("Statin intol", "class.statins"),
        ("statin intol (myalgias)", "class.statins"),
    ],
)
def test_what_nobody_takes_a_medicine_for_is_what_it_did(engine: Engine, line: str, target: str) -> None:
    assert [known.target for known in facts_of(engine, line).listed.reactions] == [target]


def test_what_nobody_loses_is_there_even_where_a_record_or_a_line_calls_it_past(engine: Engine) -> None:
    always = [c for c in engine.library.condition.values() if c.always]
    assert always
    for condition in always:
        for told in ({"text": condition.name, "status": "past"}, f"{condition.name}, resolved"):
            there = {k for p in facts_of(engine, told).problems or () if p.active for k in p.kinds}
            assert condition.id in there or condition.circumstance, told


@pytest.mark.parametrize(
    ("line", "there", "not_there"),
    [
        ("ESRD on HD MWF", {"end-stage-renal-disease", "dialysis"}, set()),
        ("ESRD (HD)", {"end-stage-renal-disease", "dialysis"}, set()),
        ("anuric ESRD", {"end-stage-renal-disease", "anuria"}, set()),
        ("mitral valve thickening with regurgitation", {"mitral-regurgitation", "valvular-heart-disease"}, set()),
        ("mitral valve prolapse with moderate regurgitation", {"mitral-valve-prolapse", "mitral-regurgitation"}, set()),
        ("Elective chole for gallstones", {"gallbladder-disease"}, {"cholecystectomy"}),
        ("ureteral stone, awaiting URS", {"kidney-stones"}, set()),
        ("planned TKR R Sept for OA", {"osteoarthritis"}, {"knee-replacement"}),
        ("HTN, resolved after gastric sleeve", {"bariatric-surgery"}, {"hypertension"}),
        ("cardiac arrest VF 2/2024", set(), {"cardiac-arrest", "ventricular-arrhythmia"}),
        ("CML in deep molecular remission on dasatinib", {"leukemia"}, set()),
        ("AML in complete remission", set(), {"leukemia"}),
        ("HCC s/p TACE x2", {"liver-cancer"}, set()),
        ("twin IUP 18 wks", {"pregnancy"}, {"thiamine-deficiency"}),
    ],
)
def test_all_that_a_line_names_is_there_and_nothing_else(engine: Engine, line: str, there: set[str], not_there: set[str]) -> None:
    active = {k.removeprefix("condition.") for p in problems_of(engine, line) if p.active for k in p.kinds}
    assert there <= active
    assert active.isdisjoint(not_there)


def test_a_part_that_is_denied_beside_the_whole_is_no_contradiction(engine: Engine) -> None:
    facts = facts_of(engine, "pericardial effusion, small, no tamponade")
    assert not [u for u in facts.unresolved if u.status == "contradicted"]


@pytest.mark.parametrize(
    ("line", "there", "denied"),
    [
        ("h/o RYGB 2016, now Fe def anemia + B12 def", {"iron-deficiency-anemia", "vitamin-b12-deficiency"}, set()),
        ("PMH: HTN, GERD, migraine", {"hypertension", "gerd", "migraine"}, set()),
        ("Elective lap chole scheduled for symptomatic gallstones", {"gallbladder-disease"}, {"cholecystectomy"}),
        ("TKR scheduled 1/15 R knee OA", {"knee-osteoarthritis"}, {"knee-replacement"}),
        ("cirrhosis 2/2 HCV (SVR '17)", {"cirrhosis"}, set()),
        ("NASH cirrhosis", {"fatty-liver", "cirrhosis"}, set()),
        ("PPD neg, RPR nonreactive", set(), {"tuberculosis", "syphilis"}),
        ("urine hCG negative", set(), {"pregnancy"}),
        ("hip and knee OA", {"hip-osteoarthritis", "knee-osteoarthritis"}, set()),
        ("no breast or ovarian ca", set(), {"breast-cancer", "ovarian-cancer"}),
        ("borderline personality disorder", {"personality-disorder"}, set()),
        ("sleep study pending", set(), set()),
        ("GCA r/o by biopsy", set(), {"giant-cell-arteritis"}),
    ],
)
def test_what_is_there_now_and_what_is_denied(engine: Engine, line: str, there: set[str], denied: set[str]) -> None:
    facts = facts_of(engine, line)
    active = {k.removeprefix("condition.") for p in facts.problems or () if p.active for k in p.kinds}
    assert there <= active
    assert denied == {p.id.removeprefix("condition.") for p, _ in facts.listed.denied}
    assert active.isdisjoint(denied)


def test_of_kin_before_other_kin_a_list_is_theirs_and_never_more(engine: Engine) -> None:
    facts = facts_of(engine, "mother HTN, DM; father CAD; pt has gout")
    assert {p.id.removeprefix("condition.") for p in facts.listed.family} == {
        "hypertension",
        "diabetes",
        "coronary-heart-disease",
    }
    assert {p.id.removeprefix("condition.") for p in facts.problems or ()} == {"gout"}
    alone = facts_of(engine, "mother HTN, DM")  # the second may be hers
    assert {p.id.removeprefix("condition.") for p in alone.listed.suspected} == {"diabetes"}


def test_a_catheter_of_the_bladder_is_no_contrast(engine: Engine) -> None:
    assert not facts_of(engine, "suprapubic cath").findings.procedures
    assert facts_of(engine, "cath 11/2026").findings.procedures
