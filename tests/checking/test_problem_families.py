"""Families of problem lines as charts write them: what is there, over, denied or told in another place of the case."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine, as_case
from safety.understanding.facts import Facts

DAY = date(2026, 11, 20)
THERE, OVER, UNSURE = True, False, None


def facts(engine: Engine, *lines: str, **patient: object) -> Facts:
    return Facts(as_case({"patient": {"conditions": list(lines), **patient}}), engine.checker.terms, DAY)


def of(engine: Engine, line: str) -> dict[str, bool | None]:
    """Everything that the patient has or had by a line, kinds too, and whether it is there."""
    found: dict[str, bool | None] = {}
    for p in facts(engine, line).problems or ():
        for kind in p.kinds:
            found[kind.removeprefix("condition.")] = found.get(kind.removeprefix("condition.")) or p.active
    return found


def allergies(engine: Engine, line: str) -> set[str]:
    return {known.target for known in facts(engine, line).listed.reactions}


# ------------------------------------------------------------------ laws

EVENTS = ["DVT", "PE", "stroke", "GI bleed", "MI", "pancreatitis", "pericarditis", "DKA", "NMS", "SJS"]
CULPRITS = ["haloperidol", "heparin", "ibuprofen", "liraglutide", "lamotrigine"]


@given(event=st.sampled_from(EVENTS), culprit=st.sampled_from(CULPRITS), join=st.sampled_from(["2/2", "from", "due to", "w/"]))
@settings(deadline=None, max_examples=examples(100))
def test_the_year_behind_what_caused_an_event_is_the_year_of_the_event(
    engine: Engine, event: str, culprit: str, join: str
) -> None:
    def told(line: str) -> list[bool | None]:
        return [p.active for p in facts(engine, line).problems or () if p.id == facts(engine, event).problems[0].id]  # type: ignore[index]

    assert told(f"{event} {join} {culprit} 2016") == told(f"{event} 2016")


@given(event=st.sampled_from(EVENTS), count=st.sampled_from(["x1", "x2", "x 3", "x4"]))
@settings(deadline=None, max_examples=examples(60))
def test_how_often_something_happened_never_loses_it(engine: Engine, event: str, count: str) -> None:
    alone = {p.id for p in facts(engine, event).problems or ()}
    assert alone <= {p.id for p in facts(engine, f"{event} {count}").problems or ()}


@given(
    name=st.sampled_from(["C diff", "COVID", "influenza", "GBS", "strep throat", "MRSA"]),
    test=st.sampled_from(["PCR", "toxin", "antigen", "swab", "NAAT", "toxin/PCR", "GDH/toxin"]),
    said=st.sampled_from(["neg", "negative"]),
    day=st.sampled_from(["", " 1/14", " 2024", " x2"]),
)
@settings(deadline=None, max_examples=examples(150))
def test_a_test_that_came_out_negative_tells_of_no_illness(engine: Engine, name: str, test: str, said: str, day: str) -> None:
    assert not facts(engine, f"{name} {test} {said}{day}").problems


@given(
    test=st.sampled_from(["HBsAg", "QuantiFERON", "hCG", "UA", "RPR"]), said=st.sampled_from(["neg", "negative", "nonreactive"])
)
@settings(deadline=None, max_examples=examples(30))
def test_a_negative_result_on_a_problem_line_is_a_result_and_no_illness(engine: Engine, test: str, said: str) -> None:
    assert not facts(engine, f"{test} {said}").problems


@given(sign=st.sampled_from(["CTAB", "RRR", "NAD", "HEENT nl", "VSS", "lungs CTAB, RRR"]), gap=st.sampled_from([": ", " "]))
@settings(deadline=None, max_examples=examples(30))
def test_a_line_of_a_physical_examination_tells_of_no_embolism(engine: Engine, sign: str, gap: str) -> None:
    assert not facts(engine, f"PE{gap}{sign}").problems
    assert "pulmonary-embolism" in of(engine, f"PE, {sign}")  # over a comma it is one, beside an examination


# ------------------------------------------------------------------ examples


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("SBP 140, MetS", {"metabolic-syndrome": THERE}),
        ("colon ca w/ mets", {"cancer": THERE}),
        ("Htn, athritis, sugar", {"hypertension": THERE, "arthritis": THERE, "diabetes": THERE}),
        ("high colesterol", {"hyperlipidemia": THERE}),
        ("my kidneys work at 30 percent", {"ckd": THERE}),
        ("kidneys only work 25%", {"ckd": THERE}),
        ("thyriod low", {"hypothyroidism": THERE}),
        ("\u2191chol, HTN", {"hyperlipidemia": THERE, "hypertension": THERE}),
        ("had a bleeding ulcer", {"bleeding-peptic-ulcer": THERE}),
        ("History of gastric ulcer with bleeding (2018)", {"gi-bleeding": OVER, "peptic-ulcer": OVER}),
        ("hemorrhoids w/ bleeding", {"gi-bleeding": THERE}),
        ("duodenal ulcer c/b bleed", {"bleeding-peptic-ulcer": THERE}),
        ("DLBCL s/p R-CHOP x6 in CR", {"lymphoma": UNSURE}),
        ("Drug-induced parkinsonism (Reglan), resolved off drug", {"extrapyramidal-reaction": OVER}),
        ("MRSA bacteremia 1/25/2025, c/b AKI", {"acute-kidney-injury": UNSURE}),
        ("MRSA bacteremia 11/10/2026, c/b AKI", {"acute-kidney-injury": THERE}),
        ("hip replacement planned for OA", {"osteoarthritis": THERE}),
        ("STEMI inf wall 3/2021", {"myocardial-infarction": OVER}),
        ("stroke when I was 60", {"stroke": UNSURE}),  # how old he is now is not told here
        ("ADHD, ODD", {"agitation": THERE}),
        ("DVT (post op), on Eliquis", {"deep-vein-thrombosis": THERE}),
        ("THA 10/2/26, on enoxaparin ppx", {"hip-replacement": THERE}),
        ("62M here w/ CP r/o ACS", {"chest-pain": THERE}),
        ("GERD w/ Barrett's, HH", {"hiatal-hernia": THERE}),
        ("ex-28 wkr, BPD, on home O2", {"prematurity": THERE}),
        ("stomach bleed from Aleve", {"gi-bleeding": THERE}),
        ("s/p fall 9/12/2026 w/ R hip fx", {"falls": OVER, "fracture": THERE}),
        ("NVAMD OS", {"macular-degeneration": THERE}),
        ("BRCA2 mutation carrier", {"breast-cancer-risk": THERE}),
        ("BRCA1+, s/p ppx b/l mastectomy", {"breast-cancer-risk": THERE}),
        ("AML, CR", {"leukemia": UNSURE}),
        ("CKD, Cr 2.1", {"ckd": THERE}),
        ("PP day 3, BF", {"lactation": THERE}),
        ("ESBL UTI", {"urinary-tract-infection": THERE}),
        ("G3P2002 at 28w1d, hx PPH", {"pregnancy": THERE}),
        ("Prior CS x2, desires TOLAC, 38w0d", {"pregnancy": THERE}),
        ("HepB cirrhosis on entecavir", {"hepatitis-b": THERE, "cirrhosis": THERE}),
        ("T2DM w/ neuropathy", {"diabetic-neuropathy": THERE}),
        ("LMP 9/1, preg test +", {"pregnancy": THERE}),
        ("C diff toxin +", {"c-difficile-infection": THERE}),
        ("Derm: psoriasis", {"psoriasis": THERE}),
        ("recurrent CaOx stones", {"kidney-stones": THERE}),
        ("Serotonin synd 2/2 tramadol+sertraline 2024", {"serotonin-syndrome": OVER}),
        ("DKA x1 at dx", {"diabetic-ketoacidosis": UNSURE}),
    ],
)  # fmt: skip
def test_what_a_line_tells_is_there_or_over(engine: Engine, line: str, expected: dict[str, bool | None]) -> None:
    found = of(engine, line)
    assert {i: found.get(i, "not read") for i in expected} == expected


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("odd affect", "agitation"),
        ("odd days only", "agitation"),
        ("MetS", "cancer"),
        ("ETOH level neg", "alcohol-use-disorder"),
        ("G6PD nl 2022 (checked before dapsone)", "g6pd-deficiency"),
        ("G6PD screen nl", "g6pd-deficiency"),
        ("UA neg for UTI", "unstable-angina"),
        ("UA neg for UTI", "urinary-tract-infection"),
        ("CP r/o ACS", "acute-coronary-syndrome"),
        ("STEMI inf wall", "bacterial-infection"),
        ("needs CT for PE", "pulmonary-embolism"),
        ("brother w/ factor V Leiden (pt neg)", "thrombophilia"),
        ("Father d. 68 lung ca", "lung-cancer"),
        ("MH in mother; pt never tested", "malignant-hyperthermia"),
        ("sugar 240", "diabetes"),
        ("HepB cirrhosis on entecavir", "alcoholic-cirrhosis"),
        ("Pheo ruled out, mets nl", "cancer"),
        ("able to do >4 METS", "cancer"),
        ("Derm: psoriasis", "dermatitis"),
        ("smokes pot daily", "smoking"),
        ("breast ca BRCA neg", "breast-cancer-risk"),
        ("G2P1 hx loss at 20w2d", "pregnancy"),
        ("G2P1, prior loss at 20w2d", "pregnancy"),
        ("duodenal ulcer c/b bleed", "bleeding-disorder"),
        ("cholangit", "biliary-tract-cancer"),
    ],
)
def test_what_a_line_does_not_tell_is_not_there(engine: Engine, line: str, never: str) -> None:
    assert never not in of(engine, line)


def test_what_was_denied_before_a_comma_denies_nothing_behind_it(engine: Engine) -> None:
    listed = facts(engine, "SI w/o plan, OD on acetaminophen 8/26").listed
    assert not listed.denied
    assert [(p.id, p.active) for p in listed.own if p.id == "condition.drug-overdose"]  # told of a medicine and a day, it was


def test_breast_cancer_in_mixed_letters_is_no_gene(engine: Engine) -> None:
    assert [p.id for p in facts(engine, "mother BrCa 45").listed.family] == ["condition.breast-cancer"]


def test_for_how_long_somebody_drank_nothing_is_no_amount(engine: Engine) -> None:
    told = facts(engine, "EtOH: none x 10 y")
    assert all(t.denied and t.daily is None for t in (*told.listed.taken, *told.foods_on_lines))


def test_kin_have_what_the_patient_was_tested_for(engine: Engine) -> None:
    family = {p.id for p in facts(engine, "Father d. 68 lung ca, brother w/ factor V Leiden (pt neg)").listed.family}
    assert family == {"condition.lung-cancer", "condition.thrombophilia"}


def test_what_is_to_be_ruled_out_is_suspected(engine: Engine) -> None:
    for line in ("no CAD, here w/ CP r/o ACS", "needs CT for PE", "Concern for c. diff, stool sent, on contact precautions"):
        assert facts(engine, line).listed.suspected, line


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("Latex - hives", "allergen.latex"),
        ("peanuts - anaphylaxis", "allergen.peanut"),
        ("Allergic to sulfa - SJS", "class.sulfonamide-antibiotics"),
        ("angioedema 2/2 lisinopril 2021", "drug.lisinopril"),
    ],
)
def test_an_allergy_on_a_problem_line_is_one(engine: Engine, line: str, target: str) -> None:
    assert target in allergies(engine, line)


@pytest.mark.parametrize(
    "line",
    [
        "Cetirizine - hives",
        "latex allergy? no",
        "PCN allergy de-labeled 2023, passed amox challenge",
        "egg allergy outgrown",
        "Penicillin allergy removed after testing 2024",
    ],
)
def test_what_helps_and_what_was_taken_back_is_no_allergy(engine: Engine, line: str) -> None:
    assert allergies(engine, line) == set()


def test_a_weight_on_a_problem_line_is_the_patients_unless_another_is_told(engine: Engine) -> None:
    assert facts(engine, "Wt 41 kg, BMI 16.2, FTT").kilograms[0] == 41
    assert facts(engine, "Wt 41 kg", weight="50 kg").kilograms[0] == 50
    assert facts(engine, "Wt 180").kilograms[0] is None  # pounds or kilograms?


@pytest.mark.parametrize(
    ("line", "gene", "state"),
    [
        ("CYP2C19 *2/*2 (PM) - no Plavix", "gene.cyp2c19", "poor"),
        ("G6PD nl 2022", "gene.g6pd", "normal"),
        ("HLA-B*58:01 pos", "gene.hla-b-5801", "carried"),
    ],
)
def test_a_genetic_result_on_a_problem_line_is_one(engine: Engine, line: str, gene: str, state: str) -> None:
    assert [(g.gene, g.state) for g in facts(engine, line).findings.genes] == [(gene, state)]


@given(
    age=st.integers(min_value=8, max_value=95),
    line=st.sampled_from(["febrile seizures", "febrile sz", "childhood febrile seizures", "febrile seizure x2 as toddler"]),
)
@settings(deadline=None, max_examples=examples(40))
def test_who_had_febrile_seizures_as_a_child_has_no_seizures_now(engine: Engine, age: int, line: str) -> None:
    found = facts(engine, line, age=f"{age} y").problems or ()
    assert [(p.id, p.active, p.kinds) for p in found] == [("condition.febrile-seizure", False, ("condition.febrile-seizure",))]


def test_a_small_child_with_febrile_seizures_has_seizures_and_epilepsy_stays_at_any_age(engine: Engine) -> None:
    assert "seizure" in of(engine, "febrile seizure")
    for age in ("18 mo", "4 y"):
        assert any("condition.seizure" in p.kinds for p in facts(engine, "febrile seizure", age=age).problems or ()), age
    assert any("condition.epilepsy" in p.kinds for p in facts(engine, "epilepsy, febrile sz as child", age="40 y").problems or ())


def test_another_persons_genetic_result_is_none_of_the_patient(engine: Engine) -> None:
    assert facts(engine, "CYP2C19 *2/*2 - mother").findings.genes == ()


@pytest.mark.parametrize(
    ("line", "meant", "never"),
    [
        ("ASD (atrial septal defect)", "atrial-septal-defect", "autism"),
        ("mitral stenosis (MS)", "mitral-stenosis", "multiple-sclerosis"),
        ("MS (multiple sclerosis)", "multiple-sclerosis", "mitral-stenosis"),
        ("ASD repaired at age 2", "atrial-septal-defect", "autism"),
        ("ASD level 2", "autism", "atrial-septal-defect"),
        ("PVD OU", "retinal-disease", "peripheral-artery-disease"),
        ("PVD, claudication", "peripheral-artery-disease", "retinal-disease"),
        ("AML R kidney", "benign-neoplasm", "leukemia"),
        ("AML in CR", "leukemia", "benign-neoplasm"),
        ("SCC tongue", "head-and-neck-cancer", "squamous-cell-skin"),
        ("SI joint dysfunction", "back-pain", "suicidal-ideation"),
        ("portal HTN", "portal-hypertension", "esophageal-varices"),
        ("PD catheter", "vascular-access", "parkinson-disease"),
        ("renal abscess", "pyelonephritis", "bacterial-skin-infection"),
        ("asthma since kid", "asthma", ""),
        ("high risk pregnancy", "pregnancy", ""),
        ("no prenatal care", "pregnancy", ""),
    ],
)
def test_what_letters_and_short_words_mean_is_told_by_what_stands_beside_them(
    engine: Engine, line: str, meant: str, never: str
) -> None:
    found = of(engine, line)
    assert meant in found
    assert never not in found


@pytest.mark.parametrize(
    "line",
    [
        "CF carrier",
        "fragile X carrier",
        "HIV exposed infant",
        "Encounter for screening mammogram for malignant neoplasm of breast",
    ],
)
def test_a_carrier_an_exposed_infant_and_a_screening_have_not_the_disease(engine: Engine, line: str) -> None:
    assert of(engine, line).keys().isdisjoint({"cystic-fibrosis", "chromosome-disorder", "hiv", "breast-cancer"})


@pytest.mark.parametrize("word", ["light", "chair", "clothing", "hunting", "incident", "artistic", "round", "selling"])
def test_an_everyday_word_is_no_condition_cut_short_or_misspelled(engine: Engine, word: str) -> None:
    assert of(engine, word) == {}


@pytest.mark.parametrize("event", ["MI", "PE", "heart attack", "stroke"])
@pytest.mark.parametrize("time", ["12 months ago", "18 mo ago", "10 yrs back", "20 yrs ago", "15 years ago"])
def test_a_time_ago_of_two_figures_is_no_reading_of_the_condition_before_it(engine: Engine, event: str, time: str) -> None:
    own = {p.active for p in facts(engine, f"{event} {time}").problems or () if p.id == facts(engine, event).problems[0].id}  # type: ignore[index]
    assert own == {OVER}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("\u2193 plts", "thrombocytopenia"),
        ("\u2191 K", "hyperkalemia"),
        ("siezures", "seizure"),
        ("hart attack", "myocardial-infarction"),
        ("rumatoid arthritis", "rheumatoid-arthritis"),
        ("OM L foot", "osteomyelitis"),
        ("OM, PE tubes", "otitis-media"),
        ("s/p R hemi for colon ca", "bowel-resection"),
    ],
)
def test_arrows_misspellings_and_letters_of_the_ward_are_read(engine: Engine, line: str, expected: str) -> None:
    assert expected in of(engine, line)
