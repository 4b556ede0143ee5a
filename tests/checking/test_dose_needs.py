"""What of a dose table is not known: everything that it hangs on is named, and nothing that it does not hang on."""

from __future__ import annotations

from typing import Any

import pytest
from small_kb import DAY, LABS, doses, small

from safety.engine import Engine

ADULT = {"id": "adult", "who": [{"age": {"at_least": "18 y"}}], "day": {"at_least": "10 mg", "at_most": "80 mg"}}
KIDNEY = {"id": "kidney-30", "who": [{"kidney": {"under": "30 mL/min"}}], "day": {"at_least": "10 mg", "at_most": "20 mg"}}
ULCER = {"id": "ulcer", "who": [{"has": "condition.ulcer"}], "day": {"at_most": "40 mg"}}
BY_WEIGHT = {"id": "ulcer-by-weight", "who": [{"has": "condition.ulcer"}], "day": {"at_most": "1 mg/kg"}}
MORE = {
    "labs": {
        "clearance": {**LABS["clearance"], "role": "creatinine-clearance"},
        "creatinine": {**LABS["creatinine"], "role": "creatinine"},
    },
    "conditions": {
        "stage-3": {"name": "stage 3", "implies": {"kidney": {"at_least": "20 mL/min", "under": "60 mL/min"}}},
        "machine": {"name": "machine", "implies": {"kidney": {"under": "15 mL/min"}}},
    },
}
WELL = [{"test": "clearance", "value": 90, "unit": "mL/min", "on": DAY}]


def asked(engine: Engine, sig: str, **patient: Any) -> tuple[str, str, set[str]]:
    """The verdict on alphadine, what is seen of it, and what is missing."""
    case = {"patient": {"medications": [f"alphadine {sig}"], **patient}}
    why = engine.why("dose.alphadine", case, DAY)
    return why.verdict, why.dose.direction if why.dose else "", set(why.needs)


@pytest.mark.parametrize(
    ("sig", "patient", "expected"),
    [
        ("60 mg once daily", {"age": "40 y"}, {"lab.creatinine", "conditions"}),
        ("60 mg once daily", {"age": "40 y", "conditions": []}, {"lab.creatinine"}),
        ("60 mg once daily", {"age": "40 y", "labs": WELL}, {"conditions"}),
        ("30 mg once daily", {"age": "40 y"}, {"lab.creatinine"}),  # below the most of the ulcer line: nothing hangs on it
        ("60 mg once daily", {}, {"age", "lab.creatinine", "conditions"}),
    ],
)
def test_each_line_that_the_dose_would_exceed_is_asked_about(sig: str, patient: dict[str, Any], expected: set[str]) -> None:
    engine = small(doses(ADULT, adjust=[KIDNEY, ULCER]), **MORE)
    assert asked(engine, sig, **patient) == ("unknown", "", expected)


def test_a_line_by_weight_that_may_hold_leaves_a_dose_open_where_no_weight_is_told() -> None:
    engine = small(doses(ADULT, adjust=[BY_WEIGHT]), **MORE)
    assert asked(engine, "60 mg once daily", age="40 y") == ("unknown", "", {"conditions", "weight"})
    assert asked(engine, "60 mg once daily", age="40 y", weight="70 kg") == ("satisfied", "", set())
    assert asked(engine, "60 mg once daily", age="40 y", weight="50 kg") == ("unknown", "", {"conditions"})
    assert asked(engine, "60 mg once daily", age="40 y", conditions=["ulcer"]) == ("unknown", "", {"weight"})


@pytest.mark.parametrize(
    ("patient", "expected"),
    [({}, {"weight", "height"}), ({"weight": "70 kg"}, {"height"}), ({"height": "170 cm"}, {"weight"})],
)
def test_a_dose_by_surface_asks_for_both_of_what_it_is_reckoned_from(patient: dict[str, Any], expected: set[str]) -> None:
    by_surface = {"id": "adult", "day": {"at_most": "10 mg/m2"}}
    engine = small(doses(by_surface))
    assert asked(engine, "30 mg once daily", age="40 y", **patient) == ("unknown", "", expected)
    assert asked(engine, "30 mg", age="40 y", **patient)[2] == expected | {"frequency"}


def test_a_plain_least_beside_a_most_by_weight_is_judged_without_a_weight() -> None:
    engine = small(doses({"id": "adult", "day": {"at_least": "10 mg", "at_most": "2 mg/kg"}}))
    assert asked(engine, "5 mg once daily", age="40 y") == ("violated", "LOW", set())
    assert asked(engine, "10 mg once daily", age="40 y") == ("unknown", "", {"weight"})


def test_too_little_stays_so_where_the_line_that_may_hold_has_the_same_least() -> None:
    engine = small(doses(ADULT, adjust=[KIDNEY]), **MORE)
    assert asked(engine, "5 mg once daily", age="40 y") == ("violated", "LOW", set())
    without = small(doses(ADULT, adjust=[ULCER]), **MORE)
    assert asked(without, "5 mg once daily", age="40 y") == ("unknown", "", {"conditions"})


def test_nobody_takes_too_little_whom_no_range_is_meant_for() -> None:
    engine = small(doses(ADULT, adjust=[KIDNEY]), **MORE)
    failing = [{"test": "clearance", "value": 20, "unit": "mL/min", "on": DAY}]
    assert asked(engine, "5 mg once daily", age="16 y", labs=failing) == ("unknown", "", {"dose_range"})
    assert asked(engine, "21 mg once daily", age="16 y", labs=failing) == ("violated", "HIGH", set())
    assert asked(engine, "5 mg once daily", age="18 y", labs=failing) == ("violated", "LOW", set())


def test_a_line_that_holds_takes_the_general_least_away_before_the_ranges_are_weighed() -> None:
    load = {"id": "load", "day": {"at_most": "2 mg/kg"}, "days": {"at_most": "1 d"}}
    engine = small(doses(ADULT, load, adjust=[ULCER]), **MORE)
    assert asked(engine, "5 mg once daily", age="40 y", conditions=["ulcer"]) == ("satisfied", "", set())
    assert asked(engine, "5 mg once daily", age="40 y", conditions=[]) == ("unknown", "", {"weight"})


def test_a_stage_that_leaves_the_side_of_a_bound_open_asks_for_the_creatinine() -> None:
    engine = small(doses(ADULT, adjust=[KIDNEY]), **MORE)
    assert asked(engine, "60 mg once daily", age="40 y", conditions=["stage 3"]) == ("unknown", "", {"lab.creatinine"})
    assert asked(engine, "60 mg once daily", age="40 y", conditions=["machine"]) == ("violated", "HIGH", set())


@pytest.mark.parametrize(
    ("patient", "expected"),
    [
        ({"age": "14 y", "sex": "male", "weight": "50 kg"}, {"height"}), ({"age": "14 y"}, {"height"}),
        ({"age": "40 y", "weight": "50 kg"}, {"sex"}), ({"sex": "male"}, {"age", "weight"}),
        ({"age": "6 mo", "weight": "7 kg"}, {"labs"}),
    ],
)  # fmt: skip
def test_beside_a_creatinine_what_it_is_reckoned_with_is_asked_for(patient: dict[str, Any], expected: set[str]) -> None:
    engine = small(doses({"id": "all", "day": {"at_most": "80 mg"}}, adjust=[KIDNEY]), **MORE)
    creatinine = [{"test": "creatinine", "value": 1, "unit": "mg/dL", "on": DAY}]
    assert asked(engine, "60 mg once daily", labs=creatinine, **patient) == ("unknown", "", expected)


def test_tablets_are_asked_about_by_their_form_alone_where_nobody_tells_a_route() -> None:
    tablets = {"id": "tablets", "route": "oral", "form": ["tablet"], "day": {"at_most": "20 mg"}}
    by_mouth = {"id": "by-mouth", "route": "oral", "day": {"at_most": "80 mg"}}
    injected = {"id": "injected", "route": "parenteral", "day": {"at_most": "10 mg"}}
    two_ways = {"drugs": {"alphadine": {"supply": "prescription", "routes": ["oral", "parenteral"]}}}
    engine = small(doses(by_mouth, adjust=[tablets, injected]), **two_ways)
    assert asked(engine, "60 mg once daily", age="40 y") == ("unknown", "", {"form"})
    line = small(doses(by_mouth, adjust=[injected]), **two_ways)  # its only line is about another way
    assert asked(line, "60 mg once daily", age="40 y") == ("unknown", "", {"route"})
    assert asked(line, "10 mg once daily", age="40 y") == ("satisfied", "", set())
    only_injected = small(doses(injected), **two_ways)
    assert asked(only_injected, "5 mg once daily", age="40 y") == ("satisfied", "", set())
    assert asked(only_injected, "11 mg once daily", age="40 y") == ("violated", "HIGH", set())


def test_what_counts_puffs_says_nothing_of_milligrams() -> None:
    puffs = {"id": "puffs", "single": {"at_most": "2 puff"}}
    drops = {"id": "nebulized", "who": [{"age": {"at_least": "12 y"}}], "single": {"at_most": "5 mg"}}
    inhaled = {"drugs": {"alphadine": {"supply": "prescription", "routes": ["inhaled"]}}}
    engine = small(doses(puffs, drops), **inhaled)
    assert asked(engine, "5 mg inhaled once daily", age="40 y") == ("satisfied", "", set())
    assert asked(engine, "6 mg inhaled once daily", age="40 y") == ("violated", "HIGH", set())
    assert asked(engine, "3 puffs inhaled once daily", age="40 y") == ("violated", "HIGH", set())
    assert asked(engine, "3 puffs inhaled once daily") == ("violated", "HIGH", set())
