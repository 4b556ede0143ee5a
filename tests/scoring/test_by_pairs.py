"""DDIV by pairs alone: the same as scoring each pair of lines by itself, whatever the order and however many plans at once."""

from __future__ import annotations

import json
import math
from datetime import date
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.cli.main import EXIT_UNKNOWN, cli
from safety.engine import Engine
from safety.model.patient import Case, Medication, Patient
from safety.scoring.bench import Bench
from safety.scoring.by_pairs import ByPairs, Sums
from safety.scoring.measures import POLICIES, ddiv, regimen_of

DAY = date(2026, 11, 20)
LINES = (
    "warfarin 5 mg daily", "ibuprofen 400 mg three times daily", "simvastatin 40 mg at bedtime", "clarithromycin 500 mg bid",
    "sildenafil 50 mg as needed", "nitroglycerin 0.4 mg sl as needed", "metformin 500 mg twice daily", "something unheard of",
    "lisinopril 20 mg daily", "amoxicillin 500 mg and omeprazole 20 mg daily", "sertraline", "linezolid 600 mg bid",
    "simvastatin 80 mg daily", "amiodarone 200 mg daily", "diltiazem 240 mg daily",
)  # fmt: skip
plans = st.lists(st.lists(st.sampled_from(LINES), max_size=5), max_size=5)


@pytest.fixture(scope="module")
def scorer(engine: Engine) -> ByPairs:
    return ByPairs(Bench(engine.checker), DAY)


def counted(scorer: ByPairs, told: list[list[str]]) -> list[tuple[int, int, int]]:
    found = scorer.counts(told)
    return list(zip(map(int, found.pairs), map(int, found.severe), map(int, found.not_judged), strict=True))


def test_two_medicines_come_to_what_a_case_with_nothing_told_of_the_patient_comes_to(engine: Engine, scorer: ByPairs) -> None:
    two = [[a, b] for a, b in combinations(LINES, 2)]
    found = scorer.counts(two)
    for n, lines in enumerate(two):
        report = engine.check(Case(Patient(medications=()), plan=tuple(map(Medication, lines)), as_of=DAY), DAY)
        whole = ddiv(regimen_of(report))
        for policy in POLICIES:
            value = float(found.under(policy)[n])
            assert (None if math.isnan(value) else pytest.approx(value)) == whole.under(policy), (lines, policy)


def test_what_is_severe_is_found(scorer: ByPairs) -> None:
    warfarin, ibuprofen, simvastatin, clarithromycin, sildenafil, nitroglycerin, metformin, unknown, *_ = LINES
    told = [
        [warfarin, ibuprofen], [simvastatin, clarithromycin, metformin], [sildenafil, nitroglycerin], [metformin, warfarin],
        [warfarin], [], [metformin, unknown],
    ]  # fmt: skip
    assert counted(scorer, told) == [(1, 1, 0), (3, 1, 0), (1, 1, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0), (1, 0, 1)]


@settings(deadline=None, max_examples=examples(60))
@given(told=plans)
def test_a_plan_is_the_sum_of_its_pairs_in_any_order_and_company(scorer: ByPairs, told: list[list[str]]) -> None:
    whole = counted(scorer, told)
    assert whole == counted(scorer, [plan[::-1] for plan in told])
    for plan, (_, severe, not_judged) in zip(told, whole, strict=True):
        alone = counted(scorer, [[line] for line in plan])
        pairs = counted(scorer, [list(two) for two in combinations(plan, 2)])
        inside = len(plan) - 2  # what one line holds by itself is in each of its pairs
        assert severe == sum(p[1] for p in pairs) - inside * sum(a[1] for a in alone)
        assert not_judged == sum(p[2] for p in pairs) - inside * sum(a[2] for a in alone)
        assert counted(scorer, [plan]) == [whole[told.index(plan)]]


def test_many_plans_at_once_are_counted_as_one_by_one(scorer: ByPairs, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [[LINES[n % len(LINES)], LINES[(n * 7 + 3) % len(LINES)], LINES[(n * 5 + 1) % len(LINES)]] for n in range(40)]
    whole = counted(scorer, told)
    monkeypatch.setattr("safety.scoring.by_pairs._AT_ONCE", 7)
    assert counted(scorer, told) == whole == [counted(scorer, [plan])[0] for plan in told]


def test_plans_of_several_models_are_added_up_apart(scorer: ByPairs) -> None:
    warfarin, ibuprofen, *_ = LINES
    sums = Sums(scorer)
    sums.add([("b", [warfarin, ibuprofen]), ("a", [warfarin])])
    sums.add([("b", [warfarin, "metformin 500 mg twice daily"])])
    a, b = sums.models()
    assert (a.model, a.plans, a.pairs, a.severe, b.plans, b.pairs, b.severe) == ("a", 1, 0, 0, 2, 2, 1)
    assert a.ddiv == dict.fromkeys(POLICIES, 0.0)
    assert b.ddiv["lenient"] == pytest.approx(0.5, abs=1e-5)


def test_the_command_counts_the_plans_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "plans.jsonl"
    patient = {"medications": []}
    rows = [{"patient": patient, "plan": list(LINES[:2]), "model": "m"}, {"patient": patient, "plan_text": "rest", "model": "m"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ran = CliRunner().invoke(cli, ["ddiv", str(file), "--as-of", "2026-11-20", "--json"], standalone_mode=False)
    said = json.loads(ran.output)
    assert ran.return_value == EXIT_UNKNOWN
    assert said["unreadable"] == 1
    assert [(m["model"], m["plans"], m["pairs"], m["severe"]) for m in said["models"]] == [("m", 1, 1, 1)]
