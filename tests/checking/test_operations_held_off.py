"""An operation that is worked up, listed, put off or refused was not done, and what it would end is there."""

from __future__ import annotations

import pytest
from measuring.charts import problems_read

from safety.engine import Engine

AHEAD = (
    "w/u in progress", "workup ongoing", "w/u pending", "under evaluation", "evaluation", "listed 9/26", "waitlisted",
    "candidate", "referral placed", "awaiting date", "on hold", "deferred", "discussed", "if worsens", "recommended", "offered",
    "in AM", "not done", "never done", "declined", "refused", "cancelled", "aborted", "not a candidate", "(w/u in progress)",
)  # fmt: skip
"""What may stand behind an operation that is yet to come, or never was."""
OPERATIONS = {
    "Severe AS, TAVR": ("severe-aortic-stenosis", "bioprosthetic-heart-valve"),
    "ESRD, kidney transplant": ("end-stage-renal-disease", "kidney-transplant"),
    "obesity - gastric bypass": ("obesity", "bariatric-surgery"),
}
THERE = frozenset({"present", "over"})


def statuses(text: str, engine: Engine) -> dict[str, str]:
    return {p.id.removeprefix("condition."): p.status for p in problems_read(text, engine)[0]}


@pytest.mark.parametrize("line", OPERATIONS)
def test_what_is_yet_to_come_or_was_refused_was_not_done(line: str, engine: Engine) -> None:
    told, operation = OPERATIONS[line]
    for words in AHEAD:
        found = statuses(f"{line} {words}", engine)
        assert found.get(operation) not in THERE, words
        assert found.get(told) == "present", words


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("R TKA 2019, referred to PT", "knee-replacement"),
        ("TKA, referred to PT", "knee-replacement"),
        ("CABG 2018, statin declined", "coronary-revascularization"),
        ("CABG x3, declined rehab", "coronary-revascularization"),
        ("s/p kidney transplant, w/u in progress", "kidney-transplant"),
        ("kidney transplant, w/u of proteinuria in progress", "kidney-transplant"),
        ("kidney transplant 2015, biopsy pending", "kidney-transplant"),
        ("2019 CABG, referred", "coronary-revascularization"),
        ("ileostomy - takedown planned 1/27", "bowel-stoma"),
        ("gastric bypass, plan to recheck B12", "bariatric-surgery"),
    ],
)
def test_what_is_told_of_something_else_leaves_an_operation_done(text: str, operation: str, engine: Engine) -> None:
    assert statuses(text, engine).get(operation) in THERE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("post-op ileus POD3 s/p R hemicolectomy", {"paralytic-ileus": "present"}),
        ("prostate CA GS 3+4=7", {"prostate-cancer": "present"}),
        ("GS on US", {"gallbladder-disease": "present"}),
        ("MGD OU", {"eye-and-ear-problem": "present"}),
        ("cholelithiasis mgd conservatively", {"gallbladder-disease": "present"}),
        ("ST depression in V4-6", {"abnormal-finding": "present"}),
        ("pregnant 2024, delivered at term", {"pregnancy": "over"}),
        ("gestational HTN last pregnancy (2023)", {"gestational-hypertension": "over"}),
        ("status epi", {"status-epilepticus": "present"}),
        ("Chronic HBV inactive carrier", {"hepatitis-b": "present"}),
        ("Renal tx 2012 failed, back on HD TTS", {"dialysis": "present", "back-pain": None}),
        ("day +100 post allo, skin GVHD gr 1", {"graft-versus-host-disease": "present"}),
        ("DI central s/p TSS for craniopharyngioma", {"diabetes-insipidus": "present"}),
        ("post MI, CHF", {"myocardial-infarction": "over", "heart-failure": "present"}),
        ("pl effusion", {"pleural-effusion": "present"}),
        ("Gout, tophaceous, UA 9.1", {"gout": "present"}),
        ("Bronchiectasis w/ PsA colonization", {"bronchiectasis": "present", "bacteria-without-infection": "present"}),
    ],
)
def test_letters_mean_what_stands_beside_them(text: str, expected: dict[str, str], engine: Engine) -> None:
    found = statuses(text, engine)
    assert {i: found.get(i) for i in expected} == expected
    assert not {"unstable-angina", "psoriatic-arthritis", "joint-effusion", "depression"} & set(found)
    assert ("eye-and-ear-problem" in found) == ("MGD" in text)


@pytest.mark.parametrize(("text", "kind"), [("acute on chronic HFpEF", "preserved"), ("HFrEF exacerbation", "reduced")])
def test_acute_heart_failure_of_either_kind_is_of_both(text: str, kind: str, engine: Engine) -> None:
    (found,) = problems_read(text, engine)[0]
    assert {"condition.decompensated-heart-failure", f"condition.heart-failure-{kind}-ejection-fraction"} <= set(found.kinds)
