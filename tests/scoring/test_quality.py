"""Q(R) worked out by hand: safety of the regimen times coverage of the gold components."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from scoring.saying import broken, report, waits

from safety.engine import Engine
from safety.scoring.measures import EPSILON, NOTHING, Counted, regimen_of, same
from safety.scoring.plans import plan_of
from safety.scoring.quality import quality, safe_share
from safety.scoring.scored import Scored
from safety.scoring.scorer import Scorer

DAY = "2026-11-20"
ADULT = {"age": "50 y", "sex": "male", "conditions": [], "allergies": [], "medications": []}


def scored(engine: Engine, **told: Any) -> Scored:
    (row,) = Scorer(engine.checker).score([plan_of({"as_of": DAY, "patient": ADULT, **told}, 1)])
    assert isinstance(row, Scored), row
    return row


def completeness(engine: Engine, plan: list[str], gold: list[str]) -> Counted:
    return scored(engine, plan=plan, gold=gold).counted["C"]


def near(counted: Counted, value: float) -> bool:
    return all(v is not None and abs(v - value) < 1e-4 for v in (counted.strict, counted.report, counted.lenient))


# ------------------------------------------------------------------ C(R)


def test_the_same_ingredient_in_the_same_daily_dose_covers_its_component(engine: Engine) -> None:
    counted = completeness(engine, ["Prinivil 10 mg by mouth twice daily"], ["lisinopril 20 mg by mouth once daily"])
    assert counted == same(1 / (1 + EPSILON))


def test_half_the_daily_dose_is_half_as_faithful_and_costs_half_of_the_share_that_rests_on_dose(engine: Engine) -> None:
    counted = completeness(engine, ["lisinopril 10 mg by mouth once daily"], ["lisinopril 20 mg by mouth once daily"])
    assert near(counted, 1 - 0.5 * (1 - 0.5))


def test_twice_the_dose_is_as_unfaithful_as_half_of_it(engine: Engine) -> None:
    counted = completeness(engine, ["lisinopril 40 mg by mouth once daily"], ["lisinopril 20 mg by mouth once daily"])
    assert near(counted, 0.75)


def test_another_ace_inhibitor_counts_half(engine: Engine) -> None:
    counted = completeness(engine, ["enalapril 10 mg by mouth once daily"], ["lisinopril 20 mg by mouth once daily"])
    assert near(counted, 0.5)


def test_a_medicine_of_another_class_covers_nothing(engine: Engine) -> None:
    assert near(completeness(engine, ["amlodipine 5 mg by mouth once daily"], ["lisinopril 20 mg by mouth once daily"]), 0)


def test_a_cream_does_not_stand_for_a_tablet(engine: Engine) -> None:
    counted = completeness(
        engine, ["diclofenac 1 % gel 4 g topically four times daily"], ["diclofenac 50 mg by mouth three times daily"]
    )
    assert near(counted, 0)


def test_a_combination_covers_each_of_its_ingredients(engine: Engine) -> None:
    gold = ["lisinopril 20 mg by mouth once daily", "hydrochlorothiazide 12.5 mg by mouth once daily"]
    assert near(completeness(engine, ["lisinopril/hydrochlorothiazide 20/12.5 mg by mouth once daily"], gold), 1)


def test_one_medicine_stands_for_one_component_only(engine: Engine) -> None:
    gold = ["lisinopril 20 mg by mouth once daily", "enalapril 10 mg by mouth once daily"]
    assert near(completeness(engine, ["lisinopril 20 mg by mouth once daily"], gold), 0.5)


def test_one_component_of_two_is_half(engine: Engine) -> None:
    gold = ["lisinopril 20 mg by mouth once daily", "amlodipine 5 mg by mouth once daily"]
    assert near(completeness(engine, ["amlodipine 5 mg by mouth once daily"], gold), 0.5)


def test_where_a_dose_is_not_told_only_strict_holds_that_against_the_plan(engine: Engine) -> None:
    counted = completeness(engine, ["lisinopril"], ["lisinopril 20 mg by mouth once daily"])
    assert counted == Counted(0.5 / (1 + EPSILON), 1 / (1 + EPSILON), 1 / (1 + EPSILON))


def test_a_name_that_nobody_knows_may_be_the_component(engine: Engine) -> None:
    counted = completeness(engine, ["flurbozide 5 mg daily"], ["lisinopril 20 mg by mouth once daily"])
    assert counted == Counted(0.0, None, 1 / (1 + EPSILON))


def test_without_a_gold_regimen_there_is_no_quality(engine: Engine) -> None:
    row = scored(engine, plan=["lisinopril 20 mg daily"])
    assert (row.counted["C"], row.counted["Q"]) == (NOTHING, NOTHING)


def test_where_the_gold_regimen_holds_no_medicine_completeness_is_an_empty_share(engine: Engine) -> None:
    assert completeness(engine, [], []) == same(0.0)


# ------------------------------------------------------------------ S(R) and the product


def test_a_pair_that_is_severe_takes_both_its_medicines() -> None:
    severe = broken("interaction.x", "interaction", "major", "plan[0]", "plan[1]")
    assert safe_share(regimen_of(report(4, findings=[severe]))) == same(1 - 2 / (4 + EPSILON))


def test_a_regimen_of_nothing_is_safe_and_covers_nothing(engine: Engine) -> None:
    row = scored(engine, plan=[], gold=["lisinopril 20 mg daily"])
    assert (row.counted["S"], row.counted["Q"]) == (same(1.0), same(0.0))


def test_quality_is_the_product() -> None:
    assert quality(same(0.5), same(0.75)) == same(0.375)
    assert quality(Counted(0.25, 0.5, 1.0), Counted(0.5, 0.5, 1.0)) == Counted(0.125, 0.25, 1.0)


def test_where_nothing_of_a_factor_is_known_nothing_is_known_of_the_product() -> None:
    assert quality(Counted(0.0, None, 1.0), same(0.75)) == Counted(0.0, None, 1.0)


def test_an_open_rule_leaves_its_medicine_out_of_the_safe_share() -> None:
    waiting = waits("renal.never", "renal", "contraindicated", "plan[1]")
    counted = safe_share(regimen_of(report(2, unknown=[waiting])))
    assert counted == Counted(1 - 1 / (2 + EPSILON), 1.0, 1.0)


LINES = st.lists(
    st.sampled_from(["lisinopril 20 mg daily", "lisinopril", "enalapril 10 mg daily", "warfarin 5 mg daily", "flurbozide 2 mg",
                     "ibuprofen 400 mg tid", "amlodipine 5 mg daily"]),
    max_size=4, unique=True,
)  # fmt: skip


@given(plan=LINES, gold=LINES)
@settings(deadline=None)
def test_strict_is_never_kinder_than_report_nor_report_than_lenient(engine: Engine, plan: list[str], gold: list[str]) -> None:
    row = scored(engine, plan=plan, gold=gold)
    for metric in ("S", "C", "Q"):
        counted = row.counted[metric]
        assert counted.strict is not None
        assert counted.lenient is not None
        middle = counted.strict if counted.report is None else counted.report
        assert 0 <= counted.strict <= middle + 1e-6
        assert middle <= counted.lenient + 1e-6 <= 1 + 2e-6


@given(plan=LINES, gold=LINES, order=st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_the_medicines_does_not_matter(engine: Engine, plan: list[str], gold: list[str], order: Any) -> None:
    shuffled = list(plan)
    order.shuffle(shuffled)
    one, other = scored(engine, plan=plan, gold=gold), scored(engine, plan=shuffled, gold=gold)
    assert one.state == other.state
    for metric, counted in one.counted.items():
        if metric not in ("C", "Q"):
            assert other.counted[metric] == counted
