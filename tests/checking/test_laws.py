"""Laws that hold for every case: the same answer each time, in any order, and never calmer for knowing less."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import pytest
import yaml
from conftest import examples, refusal
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from library_cases import DAY, cases, leaves, medications, mentioned

from safety.answering.due import is_reminder
from safety.engine import Engine
from safety.knowledge import library as lib
from safety.model.report import Report

# without the phase that explains a failure, which takes minutes for cases as large as these
law = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=set(Phase) - {Phase.explain})
any_case = st.deferred(lambda: cases())
OF_WHAT_IS_MISSING = ("omission", "monitoring")
FACTS = ("age", "sex", "weight", "pregnancy", "breastfeeding", "conditions", "allergies", "labs")
LISTS = ("conditions", "allergies", "labs", "medications")


def spoken(report: Report) -> set[tuple[str, tuple[str, ...]]]:
    """The rules that were broken, each with its drugs."""
    return {(f.rule, tuple(sorted({str(s.drug) for s in f.subjects}))) for f in report.every_finding}


def open_or_broken(report: Report) -> set[str]:
    return {f.rule for f in report.every_finding} | {rule for u in report.unknown for rule in (u.rule, *u.also)}


@settings(law, max_examples=examples(150))
@given(case=any_case)
def test_a_well_formed_case_is_always_answered_and_the_same_way_twice(engine: Engine, case: dict[str, Any]) -> None:
    first = engine.check(case, DAY).to_json()
    assert engine.check(case, DAY).to_json() == first
    assert json.loads(first)["report"] == 1


@settings(law, max_examples=examples(120))
@given(case=any_case, data=st.data())
def test_the_order_in_which_facts_are_told_changes_no_answer(engine: Engine, case: dict[str, Any], data: st.DataObject) -> None:
    patient = dict(case["patient"])
    for key in LISTS:
        if key in patient:
            patient[key] = data.draw(st.permutations(patient[key]))
    shuffled = {**case, "patient": patient}
    if "plan" in case:
        shuffled["plan"] = data.draw(st.permutations(case["plan"]))
    before, after = engine.check(case, DAY), engine.check(shuffled, DAY)
    assert after.verdict == before.verdict
    assert spoken(after) == spoken(before)
    assert {(u.rule, tuple(sorted(u.needs))) for u in after.unknown} == {(u.rule, tuple(sorted(u.needs))) for u in before.unknown}
    assert sorted(n.drug for n in after.not_covered) == sorted(n.drug for n in before.not_covered)


@settings(law, max_examples=examples(120))
@given(case=any_case, data=st.data())
def test_adding_a_medicine_that_no_rule_names_removes_no_finding(
    engine: Engine, case: dict[str, Any], data: st.DataObject
) -> None:
    used = mentioned()
    plain = [d.name for d in engine.library.drugs if d.id not in used]
    extra = data.draw(st.sampled_from([*plain, "qwxyz"] if plain else ["qwxyz"]))
    more = {**case, "patient": {**case["patient"], "medications": [*case["patient"].get("medications", []), extra]}}
    before, after = engine.check(case, DAY), engine.check(more, DAY)
    # what is missing may be the very medicine whose name nobody knows: only what speaks of that waits
    waits = {(u.rule, tuple(sorted({str(s.drug) for s in u.subjects}))) for u in after.unknown if u.kind in OF_WHAT_IS_MISSING}
    assert spoken(before) <= spoken(after) | (waits if extra == "qwxyz" else set())
    assert after.verdict != "clear"
    if before.verdict == "violated" and not waits:
        assert after.verdict == "violated"


def _silencing(entry: lib.Entry) -> set[str]:
    """The drugs that a rule says would make it silent: those of its negated lines, and those that it asks for."""
    found: set[str] = set()

    def walk(leaf: lib.LeafType, negated: bool) -> None:
        if isinstance(leaf, lib.DrugLeaf) and negated:
            found.update(leaf.members if leaf.members is not None else ["any"])
        for inner in (leaf.line,) if isinstance(leaf, lib.NotLeaf) else getattr(leaf, "lines", ()):
            walk(inner, negated or isinstance(leaf, lib.NotLeaf))

    for leaf in entry.condition:
        walk(leaf, False)
    for leaf in entry.constraint.lines:
        walk(leaf, True)
    return found


@settings(law, max_examples=examples(120))
@given(case=any_case, data=st.data())
def test_a_medicine_takes_a_finding_away_only_where_the_rule_names_it_as_the_remedy(
    engine: Engine, case: dict[str, Any], data: st.DataObject
) -> None:
    extra = data.draw(st.sampled_from([d for d in engine.library.drugs if d.id in mentioned()]))
    more = {**case, "patient": {**case["patient"], "medications": [*case["patient"].get("medications", []), extra.name]}}
    before, after = engine.check(case, DAY), engine.check(more, DAY)
    for rule in {f.rule for f in before.every_finding} - {f.rule for f in after.every_finding}:
        assert extra.id in _silencing(engine.library.entry[rule]), f"{extra.name} silenced {rule}"


@settings(law, max_examples=examples(150))
@given(case=any_case, data=st.data())
def test_telling_less_of_the_patient_never_makes_the_answer_clear(
    engine: Engine, case: dict[str, Any], data: st.DataObject
) -> None:
    """A rule that spoke, or asked, still speaks or asks. Rules that excuse a missing fact (`if_missing`) decide otherwise."""
    case = _plausible(engine, case)
    told = [f for f in FACTS if f in case["patient"]]
    gone = set(data.draw(st.lists(st.sampled_from(told), min_size=1, unique=True))) if told else set()
    less = {**case, "patient": {k: v for k, v in case["patient"].items() if k not in gone}}
    before, after = engine.check(case, DAY), engine.check(less, DAY)
    strict = {r for r in open_or_broken(before) if not _excuses(engine, r)}
    assert strict <= open_or_broken(after)
    if strict or before.unresolved:
        assert after.verdict != "clear" or not strict


def _plausible(engine: Engine, case: dict[str, Any]) -> dict[str, Any]:
    """Whoever is pregnant or breastfeeding is a woman of 30: taking back a contradiction may well calm a rule."""
    patient = dict(case["patient"])
    implied = {c.name for c in engine.library.conditions for k in c.is_a if engine.library.condition[k].pregnancy is not None}
    texts = {c["text"] if isinstance(c, dict) else c for c in patient.get("conditions", [])}
    if "pregnancy" in patient or "breastfeeding" in patient or implied & texts:
        patient |= {k: v for k, v in (("age", 30), ("sex", "female")) if k in patient}
    return {**case, "patient": patient}


def _excuses(engine: Engine, rule: str) -> bool:
    entry = engine.library.entry[rule]
    return any(leaf.missing_is_no for leaf in leaves(entry)) or any(row.missing_is_no for row in entry.constraint.limits)


@settings(law, max_examples=examples(40))
@given(several=st.lists(any_case, min_size=1, max_size=4))
def test_many_cases_are_answered_as_one_by_one(engine: Engine, several: list[dict[str, Any]]) -> None:
    together = [r.to_json() for r in engine.check_many(several, DAY)]
    assert together == [engine.check(c, DAY).to_json() for c in several]


@settings(law, max_examples=examples(10))
@given(several=st.lists(any_case, min_size=4, max_size=8))
def test_threads_that_share_an_engine_give_the_same_bytes(engine: Engine, several: list[dict[str, Any]]) -> None:
    alone = [engine.check(c, DAY).to_json() for c in several]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda c: engine.check(c, DAY).to_json(), several * 4)) == alone * 4


@settings(law, max_examples=examples(60))
@given(case=any_case)
def test_a_case_is_the_same_as_values_as_yaml_and_as_json(engine: Engine, case: dict[str, Any]) -> None:
    expected = engine.check(case, DAY).to_json()
    assert engine.check(yaml.safe_dump(case, allow_unicode=True), DAY).to_json() == expected
    assert engine.check(json.dumps(case), DAY).to_json() == expected
    assert engine.check(json.dumps(case, indent=2, ensure_ascii=False), DAY).to_json() == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"patient": {"medications": ["warfarin 5 mg daily \\ud83d\\ude00"]}}',
        '{"patient":\t{"medications":\t["warfarin 5 mg daily"]}}',
        '{\n\t"patient": {\n\t\t"medications": ["warfarin 5 mg daily"]\n\t}\n}',
        '{"patient": {"medications": ["warfarin 5 mg daily\\/bedtime"]}}',
        '{"patient": {"age": 7.2e1, "medications": ["warfarin 5 mg daily"]}}',
        '{"patient":{"age":72,"medications":["warfarin 5 mg daily"]}}',
    ],
    ids=["an emoji as json.dumps writes it", "tabs between", "tabs as indent", "an escaped slash", "an exponent", "no spaces"],
)
def test_json_text_is_read_as_json_reads_it(engine: Engine, text: str) -> None:
    assert engine.check(text, DAY).to_json() == engine.check(json.loads(text), DAY).to_json()


@settings(law, max_examples=max(examples(6) // 5, 1))
@given(case=any_case)
def test_why_agrees_with_the_report_for_every_rule(engine: Engine, case: dict[str, Any]) -> None:
    report = engine.check(case, DAY)
    whichever = {f.rule for f in report.every_finding if any(a.fact == "medication" for a in f.assumed)}
    broken, asked = {f.rule for f in report.every_finding}, {rule for u in report.unknown for rule in (u.rule, *u.also)}
    for entry in engine.library.entries:
        if entry.status == "active" and entry.in_force(date(2026, 11, 20)) and entry.id not in whichever:
            expected = "violated" if entry.id in broken else "unknown" if entry.id in asked else None
            why = engine.why(entry.id, case, DAY)
            got = why.verdict
            if expected is None and is_reminder(why):
                continue  # what is to be measured stands under `due`
            assert got == expected or (expected is None and got in ("satisfied", "not_applicable")), entry.id


@settings(law, max_examples=examples(200))
@given(case=any_case)
def test_every_answer_points_into_the_case_and_asks_a_question(engine: Engine, case: dict[str, Any]) -> None:
    report = engine.check(case, DAY)
    sizes = {"medications": len(case["patient"].get("medications", [])), "plan": len(case.get("plan", []))}
    for answer in (*report.every_finding, *report.unknown):
        for subject in answer.subjects:
            assert subject.where.index < sizes[subject.where.among]
    for unknown in report.unknown:
        assert unknown.needs
        assert unknown.ask.rstrip().endswith("?")
    for finding in report.every_finding:
        assert finding.advice or finding not in report.findings  # below one that says not to give it at all
        assert finding.evidence
        assert "{" not in finding.title + finding.advice + finding.if_unavoidable
    silent = not (report.findings or report.unknown or report.unresolved or report.not_covered or report.unknown_because)
    assert (report.verdict == "clear") is silent


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
keys = st.sampled_from([*FACTS, "medications", "height", "birth_date", "medications_complete"])
nearly = st.fixed_dictionaries(
    {"patient": st.dictionaries(keys, json_values, max_size=5)}, optional={"plan": json_values, "id": json_values}
)


@settings(law, max_examples=examples(300))
@given(value=json_values | nearly)
def test_any_json_value_is_answered_or_refused_and_nothing_else(engine: Engine, value: Any) -> None:
    problems = refusal(lambda: engine.check(value, DAY).to_json())
    assert problems != ()
    assert all(p.message and p.code.startswith(("R", "K")) for p in problems or ())


@settings(law, max_examples=examples(300))
@given(text=st.text(max_size=60) | st.deferred(lambda: st.builds(str, medications())))
def test_any_text_is_answered_or_refused_and_nothing_else(engine: Engine, text: str) -> None:
    assert refusal(lambda: engine.check(text, DAY)) != ()
    engine.name(text)
    report = engine.check({"patient": {"medications": [f"x{text}"], "conditions": [f"x{text}"], "allergies": [f"x{text}"]}}, DAY)
    assert report.verdict in ("unknown", "violated", "clear")
