"""How far a result moved, whether two medicines are one, and how long ago a problem was: true, false, or left open."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from conftest import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_kb import avoid, rule, small, verdict

TAKES = ["alphadine 5 mg daily"]
EARLIER, NOW = "2026-11-01", "2026-11-15"
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "by more": ("rises", {"by": "2 mg/dL"}),
    "by less": ("falls", {"by": "2 mg/dL"}),
    "percent more": ("rises", {"percent": 50}),
    "percent less": ("falls", {"percent": 50}),
    "times more": ("rises", {"times": 2}),
    "times less": ("falls", {"times": 2}),
}
LINES = {
    name: small(avoid({"change": {"test": "lab.creatinine", way: far, "within": "90 d", "newest_within": "30 d"}}))
    for name, (way, far) in WAYS.items()
}
TRUTH = {True: "violated", False: "silent", None: "unknown"}


def moved(way: str, before: Fraction, now: Fraction) -> bool:
    """Whether a number moved so far: the rule, as arithmetic."""
    up, far = WAYS[way][0] == "rises", WAYS[way][1]
    if "by" in far:
        return now - before >= 2 if up else before - now >= 2
    share = Fraction(3, 2) if "percent" in far else Fraction(2)
    if up:
        return now >= before * share
    return now <= before * (Fraction(1, 2))


def ends(told: tuple[str, int], least: Fraction) -> list[Fraction]:
    """Numbers that a result as told may be: itself; for "<7" less than it by the `least` that counts, for ">7" more."""
    sign, n = told
    return {"": [Fraction(n)], "<": [Fraction(0), n - least], ">": [n + least, Fraction(10**6)]}[sign]


RESULT = st.tuples(st.sampled_from(["", "", "<", ">"]), st.integers(2, 12))


@pytest.mark.parametrize("way", sorted(WAYS))
@settings(max_examples=examples(30), deadline=None)
@given(before=RESULT, now=RESULT)
@example(before=("", 4), now=("", 6))
@example(before=("", 6), now=("", 4))
@example(before=("", 4), now=("", 8))
@example(before=("", 8), now=("", 4))
@example(before=("<", 8), now=("", 10))
@example(before=(">", 8), now=("", 10))
@example(before=("", 8), now=(">", 10))
@example(before=("", 8), now=("<", 6))
@example(before=("<", 8), now=("", 2))
@example(before=(">", 8), now=("", 2))
def test_a_result_moved_so_far_where_every_number_that_it_may_be_did(
    way: str, before: tuple[str, int], now: tuple[str, int]
) -> None:
    either = set()
    for least in (Fraction(0), Fraction(1, 1000)):  # "<7" to 7 itself may be left open, or not
        truths = {moved(way, a, b) for a in ends(before, least) for b in ends(now, least)}
        either.add(TRUTH[truths.pop() if len(truths) == 1 else None])
    labs = [
        {"test": "creatinine", "value": f"{sign}{n}" if sign else n, "unit": "mg/dL", "on": day}
        for (sign, n), day in ((before, EARLIER), (now, NOW))
    ]
    assert verdict(LINES[way], plan=TAKES, labs=labs) in either


@pytest.mark.parametrize(
    ("key", "together", "apart"), [("same_ingredient", "violated", "silent"), ("different_ingredient", "silent", "violated")]
)
def test_two_entries_are_of_one_ingredient_or_of_two(key: str, together: str, apart: str) -> None:
    lines = [{"drug": {"class": "class.greeks", "as": "a"}}, {"drug": {"class": "class.greeks", "as": "b"}}, {key: ["a", "b"]}]
    engine = small(rule(condition=lines, constraint={"avoid_together": ["a", "b"]}))
    assert verdict(engine, plan=["alphadine 5 mg daily", "alphadine 10 mg at bedtime"]) == together
    assert verdict(engine, plan=["alphadine 5 mg daily", "betadorm 5 mg daily"]) == apart


@pytest.mark.parametrize(
    ("onset", "wanted"),
    [
        ("2026-11-01", "violated"),
        ("2026-10-21", "violated"),
        ("2026-10-20", "silent"),
        ("2026-10", "unknown"),
        ("2026", "unknown"),
        ("2025", "silent"),
    ],
)
def test_a_problem_was_within_some_days_or_not_or_its_day_leaves_it_open(onset: str, wanted: str) -> None:
    engine = small(avoid({"has": {"any_of": ["condition.ulcer"], "within": "30 d"}}))
    assert verdict(engine, plan=TAKES, conditions=[f"ulcer {onset}"]) == wanted


def doubled(*days: str) -> list[dict[str, Any]]:
    """Results on some days, each twice the one before."""
    return [{"test": "creatinine", "value": 2**n, "unit": "mg/dL", "on": day} for n, day in enumerate(days)]


@pytest.mark.parametrize(
    ("days", "wanted"),
    [
        (("2026-10-01", "2026-10-21"), "violated"),  # the newest is thirty days old
        (("2026-10-01", "2026-10-20"), "silent"),
        (("2026-08-17", "2026-11-15"), "violated"),  # ninety days lie between them
        (("2026-08-16", "2026-11-15"), "silent"),
        (("2026-11-15",), "unknown"),
        ((), "unknown"),
    ],
)
def test_the_newest_must_be_new_and_the_earlier_of_the_time_before_it(days: tuple[str, ...], wanted: str) -> None:
    assert verdict(LINES["times more"], plan=TAKES, labs=doubled(*days)) == wanted


@pytest.mark.parametrize(("since", "wanted"), [("2026-11-15", "violated"), ("2026-11-16", "silent"), (None, "violated")])
def test_a_result_of_before_a_medicine_was_begun_is_not_its_doing(since: str | None, wanted: str) -> None:
    far = {"test": "lab.creatinine", "rises": {"times": 2}, "within": "90 d", "newest_within": "30 d", "after": "it"}
    engine = small(avoid({"change": far}))
    taken = {"drug": "alphadine", "dose": "5 mg", "frequency": "daily"} | ({"since": since} if since else {})
    assert verdict(engine, plan=[taken], labs=doubled(EARLIER, NOW)) == wanted


def test_without_a_bound_on_its_age_any_newest_result_counts() -> None:
    engine = small(avoid({"change": {"test": "lab.creatinine", "rises": {"times": 2}, "within": "90 d"}}))
    assert verdict(engine, plan=TAKES, labs=doubled("2025-01-01", "2025-02-01")) == "violated"
