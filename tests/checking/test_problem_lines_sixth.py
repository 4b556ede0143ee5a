"""The problem lines of the sixth blind list, a regression test since it was measured; and the kinds that were mended by it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from measuring.charts import problems_read, read_rows, score_problem

from safety.engine import Engine, as_case
from safety.understanding.facts import Facts

ROWS = read_rows(Path(__file__).with_name("problem_lines_sixth.jsonl"))
DAY = date(2026, 11, 20)
AS: dict[str, dict[str, str | None]] = {
    # kin and others with an aside, or words that are not read, behind them
    "daughter (12) treated for ADHD": {"adhd": "family"},
    "wife (not pt) recently tx'd for trich": {"trichomoniasis": "family"},
    "wife just dx'd with flu": {"influenza": "family"},
    "donor was CMV+": {"cytomegalovirus": "family"},
    "cat has ringworm": {"tinea": "family"},
    "grandmother's breast cancer at 45": {"breast-cancer": "family"},
    "works w/ TB pts": {"tuberculosis": "denied"},
    "CT PE neg": {"pulmonary-embolism": "denied"},
    "BPH w/ retention, foley since 10/30": {"urinary-retention": "present"},
    "no FH of clots": {"venous-thromboembolism": "denied"},
    "brought in by daughter with AMS": {"confusion": "present"},
    # looked for, and a test that decides is negative; another test decides nothing
    "r/o PE - CTA neg 11/02": {"pulmonary-embolism": "denied"},
    "r/o sepsis, cx NGTD 48h": {"sepsis": "denied"},
    "stroke alert called, MRI neg": {"stroke": "denied"},
    "r/o PE, CXR neg": {"pulmonary-embolism": "suspected"},
    "seizure vs syncope, EEG nl": {"seizure": "suspected", "syncope": "suspected"},
    "not pregnant, UPT neg 11/19": {"pregnancy": "denied"},
    "hep B/C neg": {"hepatitis-b": "denied", "hepatitis-c": "denied"},
    "HIV NR 6/26": {"hiv": "denied"},
    "HIV, VL <20, CD4 640": {"hiv": "present"},
    '"no" to stroke, heart attack, clots': {"stroke": "denied", "myocardial-infarction": "denied"},
    "denies h/o seizures, ulcers, asthma": {"seizure": "denied", "peptic-ulcer": "denied", "asthma": "denied"},
    "doesn't have diabetes, takes metformin for PCOS": {"diabetes": "denied", "polycystic-ovary-syndrome": "present"},
    # shots and screening of something else
    "pernicious anemia, B12 shots": {"pernicious-anemia": "present"},
    "needle stick from HCV+ source": {"hepatitis-c": "denied"},
    "hep C screening per CDC": {"hepatitis-c": "denied"},
    "afraid of getting dementia": {"dementia": "denied"},
    "SBP x1 on cipro ppx": {"spontaneous-bacterial-peritonitis": "over"},
    "?early dementia": {"dementia": "suspected"},
    "post-MI depression on zoloft": {"myocardial-infarction": "over", "depression": "present"},
    "lives with smoker": {"smoking": None},
    "mono in HS": {"mononucleosis": "over", "hidradenitis-suppurativa": None},
    "no evidence of recurrence breast ca 2015": {"breast-cancer": "over"},
    # what lies ahead
    "TKR L booked Jan 2027": {"knee-replacement": "denied"},
    "TKR L Jan 2025": {"knee-replacement": "present"},
    "CHF f/u scheduled": {"heart-failure": "present"},
    # over, and not over
    "TIA x1 in June": {"transient-ischemic-attack": "over"},
    "COVID Sep 5, sx since gone": {"covid-19": "over"},
    "SAH s/p coiling": {"subarachnoid-hemorrhage": "over"},
    "hysterectomy 2009 for fibroids": {"uterine-fibroids": "over"},
    "RCC s/p nephrectomy": {"kidney-cancer": "over"},
    "RCC s/p nephrectomy, mets to lung": {"kidney-cancer": "present"},
    "multiple myeloma s/p auto SCT": {"multiple-myeloma": "present"},
    "colon CA s/p hemicolectomy, FOLFOX c4": {"colon-cancer": "present"},
    # letters written together, and codes
    "DM2HTNHLD": {"type-2-diabetes": "present", "hypertension": "present", "hyperlipidemia": "present"},
    "I10, E78.5": {"hypertension": "present", "hyperlipidemia": "present"},
    "E11.9 sugar thing": {"type-2-diabetes": "present"},
    "B12 deficiency": {"vitamin-b12-deficiency": "present"},
    # letters by their company
    "PsA + PsO": {"psoriatic-arthritis": "present", "psoriasis": "present"},
    "BP on dapsone": {"bullous-pemphigoid": "present"},
    "sacral PI st 4": {"skin-ulcer": "present"},
}


def facts(engine: Engine, line: str) -> Facts:
    return Facts(as_case({"patient": {"conditions": [line]}}), engine.checker.terms, DAY)


def test_the_sixth_list_is_read_at_least_as_well_as_when_it_was_mended(engine: Engine) -> None:
    counts = Counter(word for row in ROWS for word in score_problem(row, engine).counts)
    assert counts["all heads"] >= 200
    assert counts["status wrong"] <= 5
    assert counts["alarms"] <= 2  # a wish to conceive, and somebody immobile: both are hers


@pytest.mark.parametrize("line", AS)
def test_a_line_tells_each_condition_with_its_standing(engine: Engine, line: str) -> None:
    found = {p.id.removeprefix("condition."): p.status for p in problems_read(line, engine)[0]}
    assert {i: found.get(i) for i in AS[line]} == AS[line]


@pytest.mark.parametrize("line", ["son (4) has peanut allergy", "daughter (8) allergic to PCN", "wife allergic to PCN"])
def test_an_allergy_of_kin_is_not_the_patients(engine: Engine, line: str) -> None:
    assert not facts(engine, line).listed.reactions


@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("Z88.0 allergy status to PCN", {"class.penicillins"}),
        ("eczema, food allergies (egg, milk)", {"allergen.egg", "allergen.dairy"}),
    ],
)
def test_an_allergy_beside_a_code_or_in_brackets_is_held(engine: Engine, line: str, targets: set[str]) -> None:
    assert {known.target for known in facts(engine, line).listed.reactions} == targets


@pytest.mark.parametrize(
    ("line", "device"), [("urinary retention, foley in", "urinary-catheter"), ("T1DM dx age 9, on pump", "insulin-pump")]
)
def test_a_device_that_somebody_lives_with_is_held(engine: Engine, line: str, device: str) -> None:
    assert any(f"device.{device}" in d.kinds for d in facts(engine, line).findings.devices)


def test_drinks_that_are_denied_are_not_taken(engine: Engine) -> None:
    assert "food.alcohol" in facts(engine, "denies EtOH, tob, illicits").not_taken
    assert [t.food for t in facts(engine, "drinks a 6-pack most nights").foods_on_lines] == ["food.alcohol"]
