"""The alert policy and its floor; one card for what one decision answers."""

from __future__ import annotations

from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import engine_of, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from small_kb import DAY, rule, small, write_kb

from safety.answering.alerting import interrupts
from safety.answering.grouping import grouped
from safety.engine import Engine
from safety.knowledge.compiling import compile_folder
from safety.knowledge.policy import ROLES, Policy, PolicyLine
from safety.model.patient import Case, Patient
from safety.model.position import ListName, Position
from safety.model.report import Finding, Subject

KINDS = ("interaction", "contraindication", "dose", "otc_limit", "monitoring", "omission", "food", "burden")
SEVERITIES = ("contraindicated", "major", "moderate", "minor")
ESCALATIONS = ("none", "pharmacist", "clinician", "emergency")


def finding(
    severity: str, kind: str = "interaction", where: ListName = "plan", escalate: str = "none", hard: bool = False
) -> Finding:
    subjects = [Subject("x", "drug.x", Position(where, 0))]
    return Finding(
        rule="it", kind=kind, severity=severity, hard=hard, interrupt=False, subjects=subjects, title="",  # type: ignore[arg-type]
        harms=["harm.x"], harm="", why="", do="stop", advice="", if_unavoidable="", escalate=escalate, task="",
        evidence=[], trace=[],
    )  # fmt: skip


some = st.lists(st.sampled_from(SEVERITIES), max_size=3).map(tuple)
policy_lines = st.builds(
    PolicyLine,
    role=st.sampled_from([None, *ROLES]), severities=some, kinds=st.lists(st.sampled_from(KINDS), max_size=3).map(tuple),
    tags=st.lists(st.sampled_from(["onc-low", "onc-high", "site"]), max_size=2).map(tuple),
    escalations=st.lists(st.sampled_from(ESCALATIONS), max_size=2).map(tuple), hard=st.sampled_from([None, True, False]),
    about=st.sampled_from([None, "plan", "existing"]), interrupt=st.booleans(), because=st.just("why"), place=st.just(""),
)  # fmt: skip
policies = st.builds(Policy, id=st.just("policy.default"), lines=st.lists(policy_lines, max_size=6).map(tuple))
CASES = [Case(Patient()), Case(Patient(), plan=())]


@given(
    policies,
    st.sampled_from(KINDS),
    st.sampled_from(SEVERITIES),
    st.sampled_from(ROLES),
    st.sampled_from(["plan", "medications"]),
)
@settings(max_examples=examples(300), deadline=None)
def test_no_policy_can_hide_what_is_contraindicated_or_onc_high(
    policy: Policy, kind: str, severity: str, role: Any, where: ListName
) -> None:
    for case in CASES:
        assert interrupts(policy, [], finding("contraindicated", kind, where), case, role)
        assert interrupts(policy, ["onc-high-07"], finding(severity, kind, where), case, role)


@pytest.mark.parametrize(
    ("role", "severity", "where", "tags", "escalate", "expected"),
    [
        ("pharmacist", "major", "medications", [], "pharmacist", True),
        ("prescriber", "major", "medications", [], "pharmacist", False),
        ("prescriber", "major", "plan", [], "pharmacist", True),
        ("pharmacist", "moderate", "plan", [], "clinician", False),
        ("patient", "moderate", "plan", [], "clinician", True),
        ("patient", "moderate", "plan", [], "pharmacist", False),
        ("pharmacist", "major", "plan", ["onc-low-03"], "pharmacist", False),
        ("prescriber", "major", "medications", ["onc-high-03"], "pharmacist", True),
    ],
)
def test_our_policy_by_role_and_context(
    engine: Engine, role: Any, severity: str, where: ListName, tags: list[str], escalate: str, expected: bool
) -> None:
    (policy,) = (p for p in engine.library.policies if p.id == "policy.default")
    case = Case(Patient(), plan=(engine_case().plan[0],))
    assert interrupts(policy, tags, finding(severity, where=where, escalate=escalate), case, role) is expected


def engine_case() -> Case:
    from safety.reading.case import read_case

    return read_case({"patient": {}, "plan": ["ibuprofen 400 mg"]})


def test_a_site_writes_its_own_policy(tmp_path: Path) -> None:
    site = tmp_path / "site" / "rules" / "policy"
    site.mkdir(parents=True)
    review = {"last": date(2026, 11, 20), "due": date(2027, 11, 20), "by_whom": []}
    quiet = {"id": "policy.default", "title": "Quiet", "review": review,
             "lines": [{"severity": ["major"], "interrupt": "no", "because": "we page nobody"}]}  # fmt: skip
    (site / "default.yaml").write_text(yaml.safe_dump(quiet), encoding="utf-8")
    pair = [{"drug": {"id": f"drug.{d}", "as": d}} for d in ("alphadine", "betadorm")]
    rules = [
        rule(f"interaction.{s}", kind="interaction", severity=s, condition=pair,
             constraint={"avoid_together": ["alphadine", "betadorm"]})
        for s in ("contraindicated", "major")
    ]  # fmt: skip
    base = write_kb(tmp_path / "base", rules)
    found = compile_folder(base, [tmp_path / "site"])
    assert found.problems == ()
    report = engine_of(found.library).check({"patient": {"medications": ["alphadine 5 mg daily", "betadorm 5 mg daily"]}}, DAY)
    said = {f.rule: f.interrupt for f in report.every_finding}
    assert said["interaction.major"] is False
    assert said["interaction.contraindicated"] is True


# ------------------------------------------------------------------ cards


def test_every_high_priority_group_interrupts_everybody(engine: Engine) -> None:
    tagged = [e for e in engine.library.entries if any(t.startswith("onc-high") for t in e.tags)]
    assert len({t for e in tagged for t in e.tags if t.startswith("onc-high")}) == 15
    (policy,) = (p for p in engine.library.policies if p.id == "policy.default")
    for e, role in product(tagged, ROLES):
        assert interrupts(policy, e.tags, finding(e.severity, e.kind, "medications"), engine_case(), role), e.id


def test_reasons_against_one_medicine_are_one_card(engine: Engine) -> None:
    case = {
        "patient": {"age": "70 y", "conditions": ["CKD stage 3b", "hypertension", "heart failure"], "allergies": []},
        "plan": [{"drug": "Advil", "dose": "400 mg", "frequency": "every 8 hours", "supply": "otc"}],
    }
    report = engine.check(case, DAY)
    about = [f for f in report.findings if f.kind in ("contraindication", "otc_disallowed", "renal")]
    assert len(about) == 1
    assert len(about[0].also) >= 2
    assert report.counts.after_grouping == len(report.findings)
    assert report.counts.before_grouping == len(report.every_finding)


def test_cards_lose_nothing_and_start_with_the_strongest() -> None:
    pair = [{"drug": {"id": f"drug.{d}", "as": d}} for d in ("alphadine", "betadorm")]
    both = {"avoid_together": ["alphadine", "betadorm"]}
    engine = small(
        *(rule(f"interaction.{n}", kind="interaction", severity=s, condition=pair, constraint=both)
          for n, s in enumerate(("minor", "contraindicated", "moderate")))
    )  # fmt: skip
    (card,) = engine.check({"patient": {"medications": ["alphadine 5 mg daily", "betadorm 5 mg daily"]}}, DAY).findings
    assert card.severity == "contraindicated"
    assert [f.severity for f in card.also] == ["moderate", "minor"]


@given(st.lists(st.booleans(), min_size=2, max_size=5))
def test_a_card_interrupts_where_any_rule_on_it_does(flags: list[bool]) -> None:
    levels = ["major", *["moderate"] * (len(flags) - 1)]
    findings = [
        replace(finding(level), rule=f"interaction.{n}", interrupt=flag)
        for n, (level, flag) in enumerate(zip(levels, flags, strict=True))
    ]
    (card,) = grouped(findings, {"harm.x": "harm.x"})
    assert card.severity == "major"
    assert card.interrupt is any(flags)


FIFTEEN = [
    "warfarin 5 mg daily", "aspirin 81 mg daily", "ibuprofen 600 mg three times daily", "lisinopril 40 mg daily",
    "spironolactone 25 mg daily", "furosemide 40 mg daily", "sertraline 100 mg daily", "tramadol 50 mg every 6 hours",
    "lorazepam 1 mg twice daily", "zolpidem 5 mg at bedtime", "metformin 1000 mg twice daily", "simvastatin 40 mg at bedtime",
    "amiodarone 200 mg daily", "digoxin 125 mcg daily", "omeprazole 20 mg daily",
]  # fmt: skip


CONCERNS = [  # what a pharmacist would write down for that patient: each once, with the medicines to talk about
    ("harm.bleeding", "major", {"warfarin", "aspirin", "ibuprofen", "sertraline"}),
    ("harm.cns-depression", "major", {"tramadol", "lorazepam", "zolpidem"}),
    ("harm.digoxin-toxicity", "major", {"digoxin", "amiodarone"}),
    ("harm.kidney-injury", "major", {"ibuprofen", "lisinopril", "furosemide"}),
    ("harm.fluid-overload", "major", {"ibuprofen"}),
    ("harm.hyperkalemia", "moderate", {"lisinopril", "spironolactone"}),
    ("harm.myopathy", "moderate", {"simvastatin", "amiodarone"}),
    ("harm.serotonin-syndrome", "moderate", {"sertraline", "tramadol"}),
]


def test_a_patient_with_fifteen_medicines_has_one_card_for_one_concern(engine: Engine) -> None:
    patient = {"age": "78 y", "sex": "female", "weight": "60 kg", "allergies": [], "medications": FIFTEEN,
               "conditions": ["atrial fibrillation", "heart failure", "hypertension", "type 2 diabetes"],
               "labs": [{"test": "creatinine", "value": 1.1, "unit": "mg/dL", "on": "2026-11-01"}]}  # fmt: skip
    report = engine.check({"patient": patient}, DAY)
    root = engine.library.harm_root
    loud = [card for card in report.findings if card.severity in ("contraindicated", "major")]
    assert len(loud) == sum(level == "major" for _, level, _ in CONCERNS)
    for harm, level, medicines in CONCERNS:
        (card,) = [c for c in report.findings if root[c.harms[0]] == harm and c.severity == level]
        named = {s.text.split()[0] for f in (card, *card.also) for s in f.subjects}
        assert medicines <= named, (harm, named)
    assert report.counts.before_grouping > 2 * report.counts.after_grouping


def test_what_concerns_the_whole_list_is_said_once_of_all_its_medicines(engine: Engine) -> None:
    report = engine.check({"patient": {"age": "50 y", "medications": FIFTEEN}}, DAY)
    (sedatives,) = [f for f in report.every_finding if f.rule == "burden.cns-depressants"]
    assert [s.text.split()[0] for s in sedatives.subjects] == ["tramadol", "lorazepam", "zolpidem"]
    assert "tramadol, lorazepam and zolpidem" in sedatives.advice


def about(rule: str, severity: str, *places: int, kind: str = "interaction") -> Finding:
    subjects = [Subject("x", f"drug.{n}", Position("medications", n)) for n in places]
    return replace(finding(severity, kind), rule=rule, harms=HARMS[rule], subjects=subjects)


HARMS = {
    "a": ["harm.bleeding"],
    "b": ["harm.major-bleeding", "harm.hyperkalemia"],
    "k": ["harm.myopathy", "harm.kidney-injury"],
    "c": ["harm.hyperkalemia"],
    "d": ["harm.kidney-injury"],
    "e": ["harm.gout"],
    "f": ["harm.gallstones"],
}
ROOT = {"harm.major-bleeding": "harm.bleeding"} | {i: i for ids in HARMS.values() for i in ids if i != "harm.major-bleeding"}


@pytest.mark.parametrize(
    ("findings", "cards"),
    [
        ([about("a", "major", 0, 1), about("b", "moderate", 1, 2), about("c", "moderate", 2, 3)], [["a", "b"], ["c"]]),
        ([about("a", "major", 0, 1), about("a", "major", 2, 3)], [["a"], ["a"]]),
        ([about("d", "major", 0, 1, 2), about("e", "minor", 0, 2)], [["d", "e"]]),
        ([about("d", "major", 0, 1, 2), about("e", "minor", 2, 3)], [["d"], ["e"]]),
        ([about("c", "major", 0, 1), about("c", "moderate", 1, kind="age")], [["c", "c"]]),
        ([about("c", "major", 0, 1), about("c", "major", 1, kind="allergy")], [["c"], ["c"]]),
        ([about("a", "moderate", 0, kind="contraindication"), about("d", "minor", 0, kind="renal")], [["a", "d"]]),
        ([about("c", "moderate", 0, kind="monitoring"), about("c", "minor", 1, kind="monitoring")], [["c", "c"]]),
        ([about("e", "moderate", 0, 1), about("f", "moderate", 1, 2)], [["e"], ["f"]]),
        ([about("k", "contraindicated", 0, 1), about("d", "major", 1, 2)], [["k"], ["d"]]),
        ([about("c", "major", 0, kind="age"), about("c", "major", 1, kind="age"), about("c", "minor", 0, 1)], [["c", "c", "c"]]),
        ([about("e", "major", 0, kind="dose"), about("e", "moderate", 0, kind="renal")], [["e", "e"]]),
    ],
    ids=["another harm does not lead on", "the same harm, other medicines", "a pair of the three", "not a pair of the three",
         "the same harm, of age and of two together", "an allergy stands alone", "two reasons against one medicine",
         "one blood test", "another harm, other medicines", "a harm that comes second", "joined by a weaker third",
         "too much for these kidneys"],
)  # fmt: skip
def test_what_is_one_concern(findings: list[Finding], cards: list[list[str]]) -> None:
    assert [[f.rule for f in (card, *card.also)] for card in grouped(findings, ROOT)] == cards


@given(st.lists(st.sampled_from(FIFTEEN), min_size=1, max_size=8, unique=True))
@settings(max_examples=examples(25), deadline=None)
def test_an_unrelated_medicine_takes_no_finding_away(engine: Engine, medicines: list[str]) -> None:
    patient = {"age": "50 y", "sex": "male", "weight": "80 kg", "conditions": [], "allergies": []}
    before = {f.rule for f in engine.check({"patient": {**patient, "medications": medicines}}, DAY).every_finding}
    more = [*medicines, "polyethylene glycol 3350 17 g daily"]
    assert before <= {f.rule for f in engine.check({"patient": {**patient, "medications": more}}, DAY).every_finding}
