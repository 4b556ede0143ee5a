"""A case as callers write it: the contract's own example, every slip at its place, and all slips at once."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from conftest import SHARED, examples, refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine, case_from_text
from safety.errors import RequestError
from safety.model.patient import Age, Case, Code, Pregnancy, Told
from safety.model.quantity import Quantity
from safety.reading.case import read_case

CONTRACT = SHARED / "design" / "CONTRACT.md"
EXAMPLE = """
id: case-1                       # optional; echoed
as_of: 2026-11-20                # the day to judge; the CLI supplies today and prints it
patient:
  age: 72 y                      # or `age: 72` (years), `10 months`, `5 days`; or birth_date
  sex: female                    # female | male
  weight: 81 kg                  # unit required (kg, g, lb)
  height: 165 cm
  pregnancy: trimester 2         # no | yes | trimester 1..3 | weeks 23 ; absent = not told
  breastfeeding: no              # no | yes ; absent = not told
  conditions: [chronic kidney disease stage 3b, {text: hypertension, system: snomed, code: "38341003"}]
  allergies: [{to: penicillin, reaction: anaphylaxis}]        # [] = told there are none; absent = not told
  labs: [{test: eGFR, value: 38, unit: mL/min/1.73m2, on: 2026-11-02}, {test: A1c, value: 7.2, unit: "%", on: 2026-08-01}]
  medications:                   # taken now; text or structure, prescription and OTC alike
    - lisinopril 20 mg by mouth once daily
    - {drug: furosemide, dose: 40 mg, frequency: twice daily, route: oral, supply: prescription, for: heart failure}
  intake: [grapefruit juice, alcohol 4 drinks a day, 1 pack of cigarettes a day]
  diet_limits: [sodium 2 g a day, fluid 1.5 L a day]
  genes: [{gene: HLA-B, allele: "*57:01", result: positive}, {gene: CYP2C19, phenotype: poor metabolizer}]
  procedures: [{text: CT with iodinated contrast, status: planned, on: 2026-11-22}]
  devices: [pacemaker, feeding tube]
  vaccines: [{text: MMR, on: 2026-11-01}]
  vitals: [{test: blood pressure, value: 148/88, on: 2026-11-02}]
plan:                            # proposed; same shape as medications; may be absent
  - {drug: Advil, dose: 800 mg, frequency: every 4 hours, route: oral, supply: otc, for: headache}
constraints: [no injections, generic only]     # optional, for plan scoring
gold: []                                      # optional, for plan scoring
revised: []
core: yes                                      # optional; model: NAME # optional
"""


def test_the_contracts_example_is_read_whole() -> None:
    case = case_from_text(EXAMPLE, "case.yaml")
    p = case.patient
    assert (case.id, case.as_of, case.constraints) == ("case-1", date(2026, 11, 20), ("no injections", "generic only"))
    assert (p.age, p.sex, p.pregnancy, p.breastfeeding) == (
        Age(Decimal(864), "72 y"),
        "female",
        Pregnancy(True, trimester=2),
        False,
    )
    assert (p.weight, p.height) == (Quantity(Decimal(81), "kg"), Quantity(Decimal(165), "cm"))
    assert p.conditions == (Told("chronic kidney disease stage 3b"), Told("hypertension", (Code("snomed", "38341003"),)))
    assert [(a.to, a.reaction) for a in p.allergies or ()] == [("penicillin", "anaphylaxis")]
    assert [(r.test, r.value, r.unit, r.on) for r in p.labs or ()] == [
        ("eGFR", Decimal(38), "mL/min/1.73m2", date(2026, 11, 2)),
        ("A1c", Decimal("7.2"), "%", date(2026, 8, 1)),
    ]
    assert [(g.gene, g.allele, g.phenotype, g.result) for g in p.genes or ()] == [
        ("HLA-B", "*57:01", None, "positive"),
        ("CYP2C19", None, "poor metabolizer", None),
    ]
    assert [(x.text, x.status, x.on) for x in p.procedures or ()] == [
        ("CT with iodinated contrast", "planned", date(2026, 11, 22))
    ]
    assert (p.devices, [v.text for v in p.vaccines or ()]) == (("pacemaker", "feeding tube"), ["MMR"])
    assert [(v.test, v.value, v.on) for v in p.vitals or ()] == [("blood pressure", "148/88", date(2026, 11, 2))]
    assert list(p.intake or ()) == ["grapefruit juice", "alcohol 4 drinks a day", "1 pack of cigarettes a day"]
    assert (case.revised, case.core, case.model) == ((), True, None)
    assert [m.text for m in p.medications] == ["lisinopril 20 mg by mouth once daily", "furosemide 40 mg oral twice daily"]
    furosemide, advil = p.medications[1], case.plan[0]
    assert (furosemide.drug, furosemide.dose, furosemide.frequency) == ("furosemide", "40 mg", "twice daily")
    assert (furosemide.route, furosemide.supply, furosemide.indication) == ("oral", "prescription", "heart failure")
    assert (advil.drug, advil.dose, advil.frequency, advil.supply) == ("Advil", "800 mg", "every 4 hours", "otc")


def test_the_example_in_the_contract_is_still_the_one_read_here(engine: Engine) -> None:
    if not CONTRACT.is_file():
        pytest.skip(f"{CONTRACT} is not there")
    block = re.findall(r"```yaml\n(id: case-1.*?)```", CONTRACT.read_text(encoding="utf-8"), re.S)
    assert len(block) == 1
    verbatim = block[0].replace("gold: […]", "gold: []").replace("revised: […]", "revised: []")
    read = case_from_text(verbatim, "case.yaml")
    assert read == case_from_text(EXAMPLE, "case.yaml")
    assert engine.check(read).verdict == "violated"


def test_what_is_absent_is_not_told_and_an_empty_list_is_told_there_are_none() -> None:
    nothing = read_case({"patient": {}})
    assert nothing == Case(nothing.patient)
    p = nothing.patient
    assert [p.age, p.sex, p.weight, p.pregnancy, p.breastfeeding, p.conditions, p.allergies, p.labs] == [None] * 8
    assert (p.medications, nothing.plan, p.medications_complete) == ((), (), True)
    told = read_case({"patient": {"conditions": [], "allergies": [], "labs": []}}).patient
    assert (told.conditions, told.allergies, told.labs) == ((), (), ())


@pytest.mark.parametrize(
    ("told", "months"),
    [
        (72, 864),
        ("72", 864),
        ("72 y", 864),
        ("72 years", 864),
        ("72 years old", 864),
        ("10 months", 10),
        ("10mo", 10),
        (0, 0),
        ("0.5 y", 6),
    ],
)
def test_an_age_may_be_written_in_many_ways(told: Any, months: int) -> None:
    age = read_case({"patient": {"age": told}}).patient.age
    assert age is not None
    assert age.months == months


# ------------------------------------------------------------------ slips

P = ("patient",)
SLIPS: list[tuple[str, Any, str]] = [
    # (where the problem must point, the case, its code)
    ("case", "warfarin", "R101"),
    ("case", [1], "R101"),
    ("case", 5, "R101"),
    ("case", {}, "R105"),
    ("case.pateint", {"patient": {}, "pateint": 1}, "R102"),
    ("case.patient", {"patient": "a woman of 30"}, "R101"),
    ("case.patient", {"patient": []}, "R101"),
    ("case.patient", {"patient": 0}, "R101"),
    ("case.patient", {"patient": False}, "R101"),
    ("case.as_of", {"patient": {}, "as_of": "yesterday"}, "R112"),
    ("case.as_of", {"patient": {}, "as_of": "2026-02-30"}, "R112"),
    ("case.as_of", {"patient": {}, "as_of": 20261120}, "R112"),
    ("case.plan", {"patient": {}, "plan": "Advil"}, "R103"),
    ("case.plan[0]", {"patient": {}, "plan": [""]}, "R105"),
    ("case.plan[1]", {"patient": {}, "plan": ["Advil", {}]}, "R105"),
    ("case.plan[0].suply", {"patient": {}, "plan": [{"drug": "Advil", "suply": "otc"}]}, "R102"),
    ("case.plan[0].supply", {"patient": {}, "plan": [{"drug": "Advil", "supply": "shop"}]}, "R115"),
    ("case.plan[0].drug", {"patient": {}, "plan": [{"drug": ["Advil"]}]}, "R106"),
    ("case.plan[0].since", {"patient": {}, "plan": [{"drug": "Advil", "since": "May"}]}, "R112"),
    ("case.plan[0].until", {"patient": {}, "plan": [{"drug": "Advil", "until": 5}]}, "R112"),
    ("case.plan[0].last_taken", {"patient": {}, "plan": [{"drug": "Advil", "last_taken": "2026-13-01"}]}, "R112"),
    ("case.plan[0].days", {"patient": {}, "plan": [{"drug": "Advil", "days": "a few"}]}, "R116"),
    ("case.plan[0].days", {"patient": {}, "plan": [{"drug": "Advil", "days": -5}]}, "R116"),
    ("case.plan[0].as_needed", {"patient": {}, "plan": [{"drug": "Advil", "as_needed": "maybe"}]}, "R110"),
    ("case.plan[0].contains", {"patient": {}, "plan": [{"drug": "Mix", "contains": "aspirin"}]}, "R103"),
    ("case.constraints", {"patient": {}, "constraints": "none"}, "R103"),
    ("case.gold", {"patient": {}, "gold": "none"}, "R103"),
    ("case.patient.agee", {"patient": {"agee": 5}}, "R102"),
    ("case.patient.age", {"patient": {"age": "old"}}, "R107"),
    ("case.patient.age", {"patient": {"age": "72 kg"}}, "R107"),
    ("case.patient.age", {"patient": {"age": -1}}, "R107"),
    ("case.patient.age", {"patient": {"age": 131}}, "R107"),
    ("case.patient.age", {"patient": {"age": True}}, "R107"),
    ("case.patient.age", {"patient": {"age": [5]}}, "R107"),
    ("case.patient.age", {"patient": {"age": float("nan")}}, "R107"),
    ("case.patient.birth_date", {"patient": {"birth_date": "1990"}}, "R112"),
    ("case.patient.sex", {"patient": {"sex": "yes"}}, "R108"),
    ("case.patient.weight", {"patient": {"weight": 81}}, "R109"),
    ("case.patient.weight", {"patient": {"weight": "81"}}, "R109"),
    ("case.patient.weight", {"patient": {"weight": "81 stone"}}, "R109"),
    ("case.patient.weight", {"patient": {"weight": "0 kg"}}, "R109"),
    ("case.patient.weight", {"patient": {"weight": "-5 kg"}}, "R109"),
    ("case.patient.height", {"patient": {"height": "6 kg"}}, "R109"),
    ("case.patient.pregnancy", {"patient": {"pregnancy": "maybe"}}, "R111"),
    ("case.patient.pregnancy", {"patient": {"pregnancy": "trimester 4"}}, "R111"),
    ("case.patient.pregnancy", {"patient": {"pregnancy": "weeks 60"}}, "R111"),
    ("case.patient.pregnancy", {"patient": {"pregnancy": {"weeks": 60}}}, "R111"),
    ("case.patient.pregnancy", {"patient": {"pregnancy": {"weeks": 10, "trimester": 3}}}, "R111"),
    ("case.patient.pregnancy", {"patient": {"pregnancy": {}}}, "R111"),
    ("case.patient.breastfeeding", {"patient": {"breastfeeding": "sometimes"}}, "R110"),
    ("case.patient.conditions", {"patient": {"conditions": "asthma"}}, "R103"),
    ("case.patient.conditions[0]", {"patient": {"conditions": [5]}}, "R101"),
    ("case.patient.conditions[0]", {"patient": {"conditions": [{}]}}, "R105"),
    ("case.patient.conditions[0]", {"patient": {"conditions": [""]}}, "R105"),
    ("case.patient.conditions[0].code", {"patient": {"conditions": [{"text": "asthma", "code": 195967001}]}}, "R113"),
    ("case.patient.conditions[0].status", {"patient": {"conditions": [{"text": "asthma", "status": "gone"}]}}, "R114"),
    ("case.patient.allergies", {"patient": {"allergies": {"to": "nuts"}}}, "R103"),
    ("case.patient.allergies[0]", {"patient": {"allergies": [{"reaction": "rash"}]}}, "R105"),
    ("case.patient.allergies[0]", {"patient": {"allergies": ["  "]}}, "R105"),
    ("case.patient.allergies[0]", {"patient": {"allergies": [None]}}, "R101"),
    ("case.patient.labs[0]", {"patient": {"labs": [{"value": 5}]}}, "R105"),
    ("case.patient.labs[0]", {"patient": {"labs": [38]}}, "R101"),
    ("case.patient.labs[0].on", {"patient": {"labs": [{"test": "eGFR", "value": 38, "on": "last week"}]}}, "R112"),
    ("case.patient.labs[0].value", {"patient": {"labs": [{"test": "eGFR", "value": [38]}]}}, "R106"),
    ("case.patient.medications", {"patient": {"medications": {"drug": "Advil"}}}, "R103"),
    ("case.patient.medications[0]", {"patient": {"medications": [None]}}, "R101"),
    ("case.patient.medications[0]", {"patient": {"medications": [{"dose": "5 mg"}]}}, "R105"),
    ("case.patient.medications_complete", {"patient": {"medications_complete": "nearly"}}, "R110"),
    ("case.patient.medications", {"patient": {"medications": ["warfarin"] * 5001}}, "R104"),
]


@pytest.mark.parametrize(
    ("place", "case", "code"), SLIPS, ids=[f"{place} {code} {n}" for n, (place, _, code) in enumerate(SLIPS)]
)
def test_a_slip_is_told_at_its_own_place_and_nowhere_else(place: str, case: Any, code: str) -> None:
    with pytest.raises(RequestError) as caught:
        read_case(case)
    told = caught.value.problems
    assert (place, code) in [(str(p.place), p.code) for p in told]
    assert all(place.startswith(str(p.place)) for p in told)
    assert all(p.message for p in told)


def test_a_misspelt_key_is_told_with_the_key_that_was_meant() -> None:
    with pytest.raises(RequestError) as caught:
        read_case({"patient": {"wieght": "81 kg"}})
    assert caught.value.problems[0].hint == "did you mean `weight`?"


def test_every_slip_of_a_case_is_told_at_once() -> None:
    case = {
        "patient": {
            "age": "old",
            "sex": "yes",
            "weight": 81,
            "conditions": "asthma",
            "labs": [{"value": 5}],
            "medications": [{"dose": "5 mg"}],
        },
        "plan": [{"drug": "Advil", "supply": "shop", "since": "May"}],
        "as_of": "yesterday",
        "extra": 1,
    }
    with pytest.raises(RequestError) as caught:
        read_case(case)
    codes = sorted(p.code for p in caught.value.problems)
    assert codes == ["R102", "R103", "R105", "R105", "R107", "R108", "R109", "R112", "R112", "R115"]
    assert list(caught.value.problems) == sorted(caught.value.problems)


def test_a_slip_in_a_file_is_told_with_line_and_column() -> None:
    with pytest.raises(RequestError) as caught:
        case_from_text("patient:\n  sex: female\n  weight: 81\nplan:\n  - {drug: Advil, supply: shop}\n", "mine.yaml")
    assert [str(p.place) for p in caught.value.problems] == ["mine.yaml:3:3", "mine.yaml:5:19"]


def test_a_message_never_echoes_control_characters_or_long_input() -> None:
    with pytest.raises(RequestError) as caught:
        read_case({"patient": {"age": "\x1b[31mold\u202e" + "x" * 5000, "s\x07ex": 1}})
    for problem in caught.value.problems:
        assert len(str(problem)) < 500
        assert not any(c in str(problem) for c in "\x1b\x07\u202e")


def test_a_day_that_is_missing_is_the_callers_slip(engine: Engine) -> None:
    for as_of in (None, "soon", "2026-02-30"):
        with pytest.raises(RequestError):
            engine.check({"patient": {}}, as_of)
    assert engine.check({"patient": {}, "as_of": "2026-11-20"}).as_of == "2026-11-20"
    assert engine.check({"patient": {}, "as_of": "2026-11-20"}, "2020-01-01").as_of == "2020-01-01"


# ------------------------------------------------------------------ never anything else

plain = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=4)
    | st.dates()
    | st.datetimes()
)
values = st.recursive(
    plain | st.decimals(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.integers(), inner, max_size=4) | st.tuples(inner)
    ),
    max_leaves=8,
)
KEYS = [
    "age",
    "birth_date",
    "sex",
    "weight",
    "height",
    "pregnancy",
    "breastfeeding",
    "conditions",
    "allergies",
    "labs",
    "medications",
    "medications_complete",
]
item_keys = st.sampled_from(
    [
        "text",
        "drug",
        "to",
        "test",
        "value",
        "unit",
        "on",
        "code",
        "system",
        "status",
        "onset",
        "dose",
        "days",
        "supply",
        "since",
        "as_needed",
        "contains",
        "reaction",
    ]
)
items = st.lists(st.dictionaries(item_keys, values, max_size=4) | values, max_size=3)
nearly = st.fixed_dictionaries(
    {"patient": st.dictionaries(st.sampled_from(KEYS), values | items, max_size=5)},
    optional={"plan": values | items, "as_of": values, "id": values, "constraints": values, "gold": values},
)


@settings(max_examples=examples(200), deadline=None)
@given(values | nearly)
def test_any_value_is_read_or_refused_with_problems(value: Any) -> None:
    assert refusal(lambda: read_case(value)) != ()


@pytest.mark.parametrize("key", ["age", "id", "days", "value"])
def test_a_number_with_five_thousand_digits_is_refused_or_read_like_any_other(key: str) -> None:
    huge = 10**5000
    case: dict[str, Any] = {
        "age": {"patient": {"age": huge}},
        "id": {"patient": {}, "id": huge},
        "days": {"patient": {}, "plan": [{"drug": "Advil", "days": huge}]},
        "value": {"patient": {"labs": [{"test": "eGFR", "value": huge}]}},
    }[key]
    assert refusal(lambda: read_case(case)) != ()


@pytest.mark.parametrize("status", ["refuted", "inactive", "resolved", "entered-in-error"])
def test_an_allergy_that_is_none_any_more_is_not_on_the_list(status: str) -> None:
    told = [{"to": "penicillin", "status": status}, {"to": "latex", "status": "active"}]
    assert [a.to for a in read_case({"patient": {"allergies": told}}).patient.allergies or ()] == ["latex"]
    assert read_case({"patient": {"allergies": told[:1]}}).patient.allergies == ()


def test_a_status_of_an_allergy_that_is_none_of_ours_is_refused() -> None:
    (problem,) = refusal(lambda: read_case({"patient": {"allergies": [{"to": "nuts", "status": "maybe"}]}})) or ()
    assert problem.code == "R114"


def test_what_no_rule_looks_at_yet_is_said_and_keeps_a_case_from_being_clear(engine: Engine) -> None:
    quiet = {
        "age": 40,
        "sex": "male",
        "conditions": [],
        "allergies": [],
        "labs": [],
        "medications": ["amoxicillin 500 mg by mouth three times daily"],
    }
    report = engine.check({"patient": quiet}, "2026-11-20")
    for key, told in {
        "procedures": [{"text": "ear piercing", "status": "planned", "on": "2026-12-01"}],
        "devices": ["subdermal chip"],
    }.items():
        found = engine.check({"patient": {**quiet, key: told}}, "2026-11-20")
        assert [(u.where, u.status) for u in found.unresolved] == [(f"{key}[0]", "unjudged")], key
        assert found.verdict == "unknown"
        assert found.findings == report.findings


@pytest.mark.parametrize(
    ("told", "weeks", "trimester"),
    [
        ("yes, 9 weeks", "9", None), ("31 weeks pregnant", "31", None), ("23w4d", "23", None), ("weeks 23", "23", None),
        ("pregnant, 12 wks", "12", None), ("second trimester", None, 2), ("yes (3rd trimester)", None, 3),
        ("trimester 1", None, 1),
    ],
)  # fmt: skip
def test_how_far_a_pregnancy_is_may_be_told_as_charts_tell_it(told: str, weeks: str | None, trimester: int | None) -> None:
    pregnancy = read_case({"patient": {"pregnancy": told}}).patient.pregnancy
    assert pregnancy is not None
    assert pregnancy.present
    assert (pregnancy.weeks, pregnancy.trimester) == (None if weeks is None else Decimal(weeks), trimester)


@pytest.mark.parametrize("told", ["trimester 4", "60 weeks", "maybe", "9 months", "not yet, 9 weeks"])
def test_what_tells_no_stage_of_a_pregnancy_is_refused(told: str) -> None:
    with pytest.raises(RequestError):
        read_case({"patient": {"pregnancy": told}})


SAID_NOT_KNOWN = ("unknown", "Not known", "not assessed", "unable to obtain", "not documented")


@pytest.mark.parametrize("said", SAID_NOT_KNOWN)
def test_a_fact_or_a_list_that_is_said_not_to_be_known_is_not_told(said: str) -> None:
    facts = ("age", "sex", "birth_date", "weight", "height", "pregnancy", "breastfeeding")
    lists = ("conditions", "allergies", "labs", "intake", "genes", "procedures", "devices", "vaccines", "vitals", "diet_limits")
    assert read_case({"patient": dict.fromkeys(facts, said)}) == read_case({"patient": {}})
    for told in (said, [said], [said, "unknown"]):
        assert read_case({"patient": dict.fromkeys((*lists, "medications"), told)}) == read_case({"patient": {}})


def test_what_does_not_apply_is_a_fact_that_is_not_told_and_in_a_list_stays_to_be_read() -> None:
    assert read_case({"patient": {"pregnancy": "n/a", "weight": "?"}}) == read_case({"patient": {}})
    assert read_case({"patient": {"conditions": ["unknown", "asthma"]}}).patient.conditions is not None
    assert refusal(lambda: read_case({"patient": {"conditions": "asthma"}}))


@pytest.mark.parametrize("key", ["allergies", "conditions"])
def test_a_list_that_nobody_asked_about_is_never_a_list_of_nothing(engine: Engine, key: str) -> None:
    nothing = dict.fromkeys(("allergies", "conditions", "labs", "vitals", "intake", "diet_limits", "genes", "procedures",
                             "devices", "vaccines"), ())  # fmt: skip
    patient = {**nothing, "age": 50, "sex": "male", "medications": ["amlodipine 5 mg by mouth daily"]}
    none = engine.check({"patient": {**patient, key: []}}, "2026-11-29")
    unasked = engine.check({"patient": {**patient, key: ["not assessed"]}}, "2026-11-29")
    assert key in {hole.about for hole in unasked.unknown_because}
    assert key not in {hole.about for hole in none.unknown_because}
