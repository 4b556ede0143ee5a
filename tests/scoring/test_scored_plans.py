"""Scores of many plans: laws of the metrics, intervals, differences between models, groups."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.engine import Engine
from safety.errors import RequestError
from safety.scoring import score
from safety.scoring.intervals import Sampling, estimate
from safety.scoring.measures import POLICIES, Policy
from safety.scoring.scored import METRICS
from safety.scoring.scorer import Scorer
from safety.scoring.summary import Metric, Summary
from safety.scoring.tally import Tally

DAY = "2026-11-20"
TOLD: dict[str, Any] = {
    "age": "50 y", "sex": "male", "weight": "80 kg", "height": "178 cm", "conditions": [], "allergies": [], "medications": [],
    "intake": [], "diet_limits": [], "genes": [], "procedures": [], "devices": [], "vaccines": [], "labs": [], "vitals": [],
}  # fmt: skip
CASES: list[dict[str, Any]] = [
    {"id": "a", "patient": TOLD, "plan": ["warfarin 5 mg by mouth once daily", "ibuprofen 400 mg by mouth three times daily"]},
    {"id": "b", "patient": TOLD, "plan": []},
    {"id": "c", "patient": {**TOLD, "age": "70 y"}, "plan": ["amlodipine 5 mg by mouth once daily"]},
    {"id": "d", "patient": {"age": "8 y"}, "plan": ["flurbozide 2 mg daily"], "department": "pediatrics"},
    {"id": "e", "patient": {**TOLD, "conditions": ["asthma"]}, "plan": ["propranolol 40 mg by mouth twice daily"], "core": "yes"},
]
PLANS = [{"as_of": DAY, "model": "one", **case} for case in CASES]


def metric(summary: Summary, name: str, model: str = "one") -> Metric:
    (found,) = (m for of in summary.models if of.model == model for m in of.metrics if m.name == name)
    return found


def test_every_plan_is_counted_once_and_the_states_add_up(engine: Engine) -> None:
    summary = score(PLANS, engine).summary
    (model,) = summary.models
    assert (summary.plans, sum(model.states.values()), sum(model.worst.values())) == (5, 5, 5)
    assert model.counts["empty"] == 1
    assert "interaction.warfarin-nsaid" in model.hard_rules


def test_psc_is_the_share_of_plans_without_a_hard_violation(engine: Engine) -> None:
    rows = score(PLANS, engine)
    states = Counter(row.state for row in rows.scored)
    psc = metric(rows.summary, "PSC")
    assert psc.strict == states["safe"] / 5
    assert psc.lenient == (states["safe"] + states["open"]) / 5
    assert psc.report == states["safe"] / (states["safe"] + states["unsafe"])
    assert psc.left_out == states["open"]


@pytest.mark.parametrize("policy", POLICIES)
def test_the_policy_that_is_asked_for_is_the_number_that_is_told(engine: Engine, policy: Policy) -> None:
    summary = score(PLANS, engine, policy=policy).summary
    assert summary.policy == policy
    for m in summary.models[0].metrics:
        assert (m.policy, m.value) == (policy, getattr(m, policy))
        assert m.n + m.left_out == 5


def test_a_policy_that_is_none_is_refused(engine: Engine) -> None:
    with pytest.raises(RequestError, match="policy"):
        score(PLANS, engine, policy="kind")  # type: ignore[arg-type]


def test_two_runs_give_the_same_bytes_in_any_order_of_the_plans(engine: Engine) -> None:
    shuffled = list(PLANS)
    random.Random(1).shuffle(shuffled)
    one = score(PLANS, engine, by=("age", "department", "core"))
    again = score(PLANS, engine, by=("age", "department", "core"))
    other = score(shuffled, engine, by=("age", "department", "core"))
    assert one.summary.to_json() == again.summary.to_json()
    numbers, others = one.summary.to_dict(), other.summary.to_dict()
    assert {e["id"] for e in numbers.pop("examples")} == {e["id"] for e in others.pop("examples")}  # they say their lines
    assert numbers == others
    assert [row.to_dict() for row in one.scored] == [row.to_dict() for row in again.scored]


def test_a_plan_that_cannot_be_read_is_told_and_the_rest_is_scored(engine: Engine) -> None:
    rows = score([PLANS[0], {"plan": ["x"], "patint": {}}, {"patient": {}}, PLANS[2]], engine)
    assert [u.line for u in rows.unreadable] == [2, 3]
    assert [p.code for p in rows.unreadable[1].problems] == ["R117"]
    assert rows.summary.unreadable == 2
    assert [row.line for row in rows.scored] == [1, 4]


def test_groups_add_up_to_the_whole(engine: Engine) -> None:
    summary = score(PLANS, engine, by=("age", "department")).summary
    groups = summary.models[0].groups
    assert sum(g.plans for g in groups if g.by == "age") == 5
    assert {(g.group, g.plans) for g in groups if g.by == "department"} == {("pediatrics", 1), ("(not told)", 4)}
    assert {g.group: g.plans for g in groups if g.by == "age"} == {"0-17": 1, "18-64": 3, "65-79": 1}


def test_tallies_of_parts_add_up_to_the_tally_of_the_whole(engine: Engine) -> None:
    rows = score(PLANS, engine).rows
    whole = Tally(("age",)).add_all(rows)
    first, rest = Tally(("age",)).add_all(rows[:2]), Tally(("age",)).add_all(rows[2:])
    first.merge(rest)
    assert (first.values, first.states, first.kinds, first.rules) == (whole.values, whole.states, whole.kinds, whole.rules)


# ------------------------------------------------------------------ dropping what violates

LINES = [
    "warfarin 5 mg by mouth once daily", "ibuprofen 400 mg by mouth three times daily", "propranolol 40 mg by mouth twice daily",
    "simvastatin 40 mg by mouth once daily", "clarithromycin 500 mg by mouth twice daily", "amlodipine 5 mg by mouth once daily",
    "metformin 500 mg by mouth twice daily", "acetaminophen 9000 mg by mouth once daily",
]  # fmt: skip


@given(plan=st.lists(st.sampled_from(LINES), min_size=1, max_size=4, unique=True), asthma=st.booleans())
@settings(max_examples=examples(40), deadline=None)
def test_dropping_a_violating_medicine_never_lowers_compliance(engine: Engine, plan: list[str], asthma: bool) -> None:
    patient = {**TOLD, "conditions": ["asthma"] if asthma else []}
    whole = score([{"as_of": DAY, "patient": patient, "plan": plan}], engine)
    dropped = {place for r in whole.scored[0].hard_rules for place in r.where if place.startswith("plan")}
    for place in dropped:
        rest = [line for n, line in enumerate(plan) if place != f"plan[{n}]"]
        after = score([{"as_of": DAY, "patient": patient, "plan": rest}], engine)
        for policy in POLICIES:
            before_value, after_value = (s.scored[0].counted["PSC"].under(policy) for s in (whole, after))
            assert before_value == 0
            assert after_value is None or after_value >= before_value
        assert after.scored[0].critique.hard_violations_count < whole.scored[0].critique.hard_violations_count


# ------------------------------------------------------------------ intervals and differences


@given(st.dictionaries(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(1, 50), min_size=1), st.integers(0, 20))
@settings(max_examples=examples(50), deadline=None)
def test_an_interval_holds_its_mean_and_lies_within_the_values(counts: dict[float, int], left_out: int) -> None:
    pytest.importorskip("numpy")
    found = estimate({**counts, None: left_out}, "x", Sampling())
    mean = sum(v * n for v, n in counts.items()) / sum(counts.values())
    assert found.value == pytest.approx(mean)
    assert found.low is not None
    assert found.high is not None
    assert min(counts) - 1e-9 <= found.low <= mean + 0.2
    assert mean - 0.2 <= found.high <= max(counts) + 1e-9
    assert (found.n, found.left_out) == (sum(counts.values()), left_out)


def test_the_interval_of_a_share_is_about_as_wide_as_the_normal_one() -> None:
    pytest.importorskip("numpy")
    found = estimate({1.0: 300, 0.0: 100}, "x", Sampling())
    half = 1.96 * (0.75 * 0.25 / 400) ** 0.5
    assert found.low == pytest.approx(0.75 - half, abs=0.005)
    assert found.high == pytest.approx(0.75 + half, abs=0.005)


def test_another_seed_draws_otherwise_and_the_same_seed_alike() -> None:
    pytest.importorskip("numpy")
    counts = {1.0: 300, 0.37: 137, 0.11: 101}
    one, again = estimate(counts, "x", Sampling(1)), estimate(counts, "x", Sampling(1))
    assert one == again
    assert one != estimate(counts, "x", Sampling(2))


def test_of_nothing_there_is_no_mean() -> None:
    assert estimate({None: 3}, "x", Sampling()).value is None


def test_models_are_compared_over_the_cases_that_both_answered(engine: Engine) -> None:
    two = [
        {**PLANS[0], "model": "two", "plan": ["acetaminophen 500 mg by mouth three times daily"]},
        {**PLANS[1], "model": "two"},
    ]
    summary = score([*PLANS, *two], engine, policy="lenient").summary
    differences = {d.metric: d for d in summary.differences}
    assert {(d.model, d.minus) for d in summary.differences} == {("one", "two")}
    assert set(differences) == set(METRICS) - {"Q", "C", "DCSR", "constraints"}  # nobody told a gold regimen or constraints
    assert (differences["PSC"].difference, differences["PSC"].n) == (-0.5, 2)
    assert differences["DDIV"].difference == pytest.approx(0.5, abs=1e-5)


def test_a_check_from_outside_is_what_is_scored(engine: Engine) -> None:
    asked: list[int] = []

    def check(cases: Any) -> Any:
        asked.append(len(cases))
        return engine.check_many(cases)

    from safety.scoring.plans import plan_of

    plans = [plan_of(plan, n) for n, plan in enumerate(PLANS, 1)]
    by_batch = list(Scorer(engine.checker, check=check).score(plans))
    assert by_batch == list(Scorer(engine.checker).score(plans))
    assert asked == [5]
