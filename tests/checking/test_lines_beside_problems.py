"""What stands on a problem line beside its conditions, and lists that had no place: flares, medicines, food, vaccines, weeks."""

from __future__ import annotations

import json
from datetime import date

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine, as_case
from safety.reading.fhir.bundle import read_fhir
from safety.understanding.facts import Facts

DAY = date(2026, 11, 20)
LASTING = [
    "asthma",
    "COPD",
    "gout",
    "ulcerative colitis",
    "multiple sclerosis",
    "lupus",
    "psoriasis",
    "heart failure",
    "migraine",
]
FLARES = ["{} exacerbation", "{} flare", "{} exac", "{} attack", "{} relapse"]
OVER = ["{} 2/24 - resolved", "{} 2019", "h/o {}", "{}, resolved", "s/p {}", "{} (resolved)"]
WHOLE = {
    "conditions": [], "allergies": [], "labs": [], "vitals": [], "intake": [], "diet_limits": [], "genes": [], "procedures": [],
    "devices": [], "vaccines": [], "age": 50, "sex": "male", "weight": "80 kg", "height": "178 cm",
}  # fmt: skip
ADALIMUMAB = "adalimumab 40 mg subcutaneous every 2 weeks"


def facts(engine: Engine, **patient: object) -> Facts:
    return Facts(as_case({"patient": patient}), engine.checker.terms, DAY)


def of(engine: Engine, line: str) -> dict[str, bool | None]:
    return {p.id.removeprefix("condition."): p.active for p in facts(engine, conditions=[line]).problems or ()}


# ------------------------------------------------------------------ laws


@given(head=st.sampled_from(LASTING), flare=st.sampled_from(FLARES), over=st.sampled_from(OVER))
@settings(deadline=None, max_examples=examples(120))
def test_a_flare_that_is_over_leaves_the_disease_there(engine: Engine, head: str, flare: str, over: str) -> None:
    plain = {k for p in facts(engine, conditions=[head]).problems or () for k in p.kinds}
    now = {k for p in facts(engine, conditions=[over.format(flare.format(head))]).problems or () if p.active for k in p.kinds}
    assert plain & now, over.format(flare.format(head))


@given(
    head=st.sampled_from([*LASTING, "smoker", "hepatitis C", "HIV", "stroke", "DVT"]),
    denial=st.sampled_from(["no {}", "denies {}", "{} neg", "{} Ab nonreactive", "{} ruled out", "neg for {}", "avoid {}"]),
    added=st.sampled_from(["{}", "{} 2019", "{} (2021)", "{}, see note", "1. {}"]),
    recased=st.sampled_from([str, str.lower]),
)  # fmt: skip
@settings(deadline=None, max_examples=examples(150))
def test_a_denial_never_alarms_whatever_year_bracket_or_case(
    engine: Engine, head: str, denial: str, added: str, recased: object
) -> None:  # fmt: skip
    assert callable(recased)
    line = recased(added.format(denial.format(head)))
    assert not [p for p in facts(engine, conditions=[line]).problems or () if p.active], line


@given(
    vaccine=st.sampled_from(["MMR", "varicella vaccine", "yellow fever vaccine", "FluMist", "rotavirus vaccine"]),
    told=st.sampled_from(
        ["{} 11/10", "{} planned", "{} due", "{} today", "{} given yesterday", "{} scheduled 12/5", "{} 2026-11-10"]
    ),
    key=st.sampled_from(["vaccines", "conditions", "procedures"]),
)
@settings(deadline=None, max_examples=examples(80))
def test_a_live_vaccine_of_these_days_is_judged_on_whichever_list(engine: Engine, vaccine: str, told: str, key: str) -> None:
    report = engine.check({"patient": {**WHOLE, key: [told.format(vaccine)], "medications": [ADALIMUMAB]}}, DAY)
    rules = {f.rule for f in report.every_finding}
    assert "interaction.live-vaccines.immunosuppressant" in rules, (key, told.format(vaccine))


@given(word=st.sampled_from(["glorply", "QZX", "77", "x9"]), key=st.sampled_from(["vaccines", "procedures", "genes", "devices"]))
@settings(deadline=None, max_examples=examples(40))
def test_a_word_that_is_not_read_is_asked_about(engine: Engine, word: str, key: str) -> None:
    item = {"vaccines": "MMR", "procedures": "CABG", "genes": "CYP2C19 poor metabolizer", "devices": "pacemaker"}[key]
    assert facts(engine, **{key: [f"{item} {word}"]}).unresolved


# ------------------------------------------------------------------ examples


@pytest.mark.parametrize(
    "line", ["MMR", "MMR 2019", "flu shot today", "Shingrix #2 due", "Tdap 2019", "declined MMR", "COVID booster 10/3"]
)
def test_old_inactivated_and_declined_vaccines_need_nothing(engine: Engine, line: str) -> None:
    found = facts(engine, vaccines=[line], medications=[ADALIMUMAB])
    assert not found.unresolved
    assert len(found.current) == 1


def test_a_disease_is_no_vaccine_on_the_problem_list(engine: Engine) -> None:
    assert not facts(engine, conditions=["varicella"]).vaccines


def test_a_live_vaccine_planned_in_pregnancy_is_told(engine: Engine) -> None:
    patient = {**WHOLE, "age": 30, "sex": "female", "pregnancy": "yes", "breastfeeding": "no", "medications": []}
    report = engine.check({"patient": {**patient, "vaccines": [{"text": "MMR", "status": "planned"}]}}, DAY)
    assert "pregnancy.newer-medicines.measles-varicella-vaccine" in {f.rule for f in report.every_finding}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("PTC s/p total thyroidectomy + RAI 2014, NED", {"thyroid-cancer": None, "hypothyroidism": True}),
        ("SDH s/p burr hole 2022", {"subdural-hematoma": False}),
        ("NSTEMI s/p PCI 2019", {"myocardial-infarction": False, "coronary-revascularization": True}),
        ("Thrombocytopenia, unspecified (HCC)", {"thrombocytopenia": True}),
        ("ESKD on PD", {"dialysis": True}),
        ("pneumonia, repeat CXR 6 wks", {"pneumonia": True}),
        ("Stress test normal", {}),
    ],
)
def test_what_was_done_bounds_and_ends_what_it_was_done_for(
    engine: Engine, line: str, expected: dict[str, bool | None]
) -> None:  # fmt: skip
    found = of(engine, line)
    assert {k: found.get(k, "missing") for k in expected} == expected, found
    assert not ({"liver-cancer", "parkinson-disease", "stress-reaction"} & found.keys())


@pytest.mark.parametrize("line", ["PTC s/p foo, HTN, NED of the skin", "DM2, foobar leukemia, in remission"])
def test_remission_of_something_not_read_ends_no_other_disease(engine: Engine, line: str) -> None:
    found = of(engine, line)
    assert found.get("hypertension", True) is True
    assert found.get("type-2-diabetes", True) is True


def test_what_is_drunk_is_no_use_disorder_and_the_bare_word_is(engine: Engine) -> None:
    told = facts(engine, conditions=["2 cups coffee/d, social etoh, no drugs"])
    assert not told.problems
    assert {t.food for t in told.listed.taken} == {"food.coffee", "food.alcohol"}
    assert "alcohol-use-disorder" in of(engine, "EtOH")


def test_a_medicine_on_the_problem_line_is_asked_about_only_where_it_has_no_line_of_its_own(engine: Engine) -> None:
    alone = facts(engine, conditions=["AF on apixaban"], medications=[])
    listed = facts(engine, conditions=["AF on apixaban"], medications=["apixaban 5 mg twice daily"])
    assert [u.status for u in alone.unresolved] == ["unread"]
    assert "taken" in alone.unresolved[0].ask
    assert not listed.unresolved


@pytest.mark.parametrize("line", ["dementia, avoid haloperidol", "tardive dyskinesia from haloperidol"])
def test_a_medicine_that_is_avoided_or_was_the_cause_and_is_taken_is_a_contradiction(engine: Engine, line: str) -> None:
    taken = facts(engine, conditions=[line], medications=["haloperidol 1 mg twice daily"])
    assert "contradicted" in {u.status for u in taken.unresolved}
    assert not facts(engine, conditions=[line], medications=["lisinopril 10 mg daily"]).unresolved


@pytest.mark.parametrize(
    ("line", "weeks"),
    [("G2P1 at 23w4d", 23), ("28 weeks pregnant", 28), ("32 wks IUP", 32), ("G1P0 34 3/7 wks", 34), ("EGA 30w2d", 30),
     ("G2P2, 6 wks PP", None), ("h/o preterm delivery at 28w5d", None), ("ex 32w3d preemie", None), ("neck pain 6 wks", None)],
)  # fmt: skip
@pytest.mark.parametrize("key", ["conditions", "procedures"])
def test_weeks_of_a_pregnancy_of_now_count_on_any_list(engine: Engine, line: str, weeks: int | None, key: str) -> None:
    told = facts(engine, **{key: [line]}).pregnancy[0]
    assert (told.weeks if told else None) == weeks


@pytest.mark.parametrize(
    ("line", "kind", "status", "on"),
    [("s/p DDRT 2/3/26", "procedure.kidney-transplant", "done", date(2026, 2, 3)),
     ("total knee replacement 12/3", "procedure.major-surgery", "planned", date(2026, 12, 3)),
     ("CT abdomen with IV contrast tomorrow", "procedure.iodinated-contrast", "planned", date(2026, 11, 21)),
     ("CABG 2018", "procedure.coronary-bypass", "done", None)],
)  # fmt: skip
def test_procedures_have_their_day_and_whether_they_are_to_come(
    engine: Engine, line: str, kind: str, status: str, on: date | None
) -> None:  # fmt: skip
    found = facts(engine, procedures=[line])
    assert [(p.kinds[0], p.status, p.on) for p in found.findings.procedures] == [(kind, status, on)]


def test_a_transplant_among_the_problems_has_its_time(engine: Engine) -> None:
    (found,) = facts(engine, conditions=["CKD, s/p kidney transplant 3/2024"]).findings.procedures
    assert found.between is not None
    assert 960 <= found.between[0] < found.between[1] <= 1000


@pytest.mark.parametrize("key", ["medications", "plan"])
@pytest.mark.parametrize(
    "told",
    ["propranolol 40 mg by mouth twice daily for asthma",
     {"drug": "propranolol", "dose": "40 mg", "frequency": "twice daily", "route": "oral", "for": "asthma"}],
)  # fmt: skip
def test_a_told_reason_counts_as_a_condition(engine: Engine, key: str, told: object) -> None:
    patient = {**WHOLE, "medications": []}
    case = {"patient": {**patient, "medications": [told]}} if key == "medications" else {"patient": patient, "plan": [told]}
    assert "contraindication.airways.asthma-nonselective-beta-blocker" in {f.rule for f in engine.check(case, DAY).every_finding}


@pytest.mark.parametrize("reason", ["stroke prevention", "heart attack", "to prevent gout"])
def test_what_is_prevented_or_may_be_past_is_none(engine: Engine, reason: str) -> None:
    found = facts(engine, conditions=[], medications=[{"drug": "aspirin", "dose": "81 mg", "frequency": "daily", "for": reason}])
    assert not [p for p in found.problems or () if p.active]


def test_a_sample_that_was_not_sound_and_a_code_of_another_test_are_asked_about(engine: Engine) -> None:
    potassium = {"test": "potassium", "value": 4.1, "unit": "mmol/L"}
    for more in ({"value": "4.1 (hemolyzed)"}, {"test": "sodium", "code": "2823-3", "system": "loinc"}):
        assert facts(engine, labs=[{**potassium, **more}]).unused
    sound = facts(engine, labs=[{**potassium, "value": "4.1 (not hemolyzed)"}]).unused
    assert not [u for u in sound if "measured again" in u.ask]


def test_fhir_tells_genes_limits_and_vaccines() -> None:
    subject = {"subject": {"reference": "Patient/p"}}
    told = [
        {"resourceType": "Patient", "id": "p", "gender": "female", "birthDate": "1996-05-01"},
        {"resourceType": "Observation", "id": "o", "status": "final", **subject, "code": {"text": "Genetics"}, "component": [
            {"code": {"text": "Gene studied"}, "valueCodeableConcept": {"text": "HLA-B*57:01"}},
            {"code": {"text": "Presence"}, "valueCodeableConcept": {"text": "Positive"}}]},
        {"resourceType": "CarePlan", "id": "c", "status": "active", **subject, "activity": [
            {"detail": {"code": {"text": "Fluid restriction 1.5 L a day"}}}, {"detail": {"code": {"text": "Exercise therapy"}}}]},
        {"resourceType": "NutritionOrder", "id": "n", "status": "active", "patient": {"reference": "Patient/p"}, "oralDiet": {
            "nutrient": [{"modifier": {"text": "Sodium"}, "amount": {"value": 2, "unit": "g"}}]}},
        {"resourceType": "CarePlan", "id": "d", "status": "active", **subject, "title": "Walking"},
    ]  # fmt: skip
    case = read_fhir(json.dumps({"resourceType": "Bundle", "entry": [{"resource": r} for r in told]}))
    assert [g.gene for g in case.patient.genes or ()] == ["HLA-B*57:01 Positive"]
    assert case.patient.diet_limits == ("Fluid restriction 1.5 L a day", "Sodium 2 g a day")
    assert case.reading is not None
    assert {u.what for u in case.reading.unread} >= {"CarePlan/c activity", "CarePlan/d"}
