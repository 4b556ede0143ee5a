"""Which entries of the medication list a drug line means, and in which combinations."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from small_kb import DAY, avoid, rule, small, verdict

from safety.engine import Engine


def pair(first: dict[str, Any], second: dict[str, Any], *more: Any, **keys: Any) -> dict[str, Any]:
    lines = [{"drug": {**first, "as": "a"}}, {"drug": {**second, "as": "b"}}, *more]
    return rule("interaction.it", kind="interaction", condition=lines, constraint={"avoid_together": ["a", "b"]}, **keys)


GREEKS = {"class": "class.greeks"}


def said(engine: Any, *medications: Any, plan: Any = (), **patient: Any) -> str:
    return verdict(engine, "interaction.it", plan=plan, medications=list(medications), **patient)


# ------------------------------------------------------------------ binding


def test_one_entry_never_fills_two_slots() -> None:
    engine = small(pair(GREEKS, GREEKS))
    assert said(engine, "alphadine 5 mg daily") == "silent"
    assert said(engine, "alphadine 5 mg daily", "betadorm 5 mg daily") == "violated"


def test_one_combination_product_never_fills_two_slots_with_its_own_ingredients() -> None:
    engine = small(pair({"id": "drug.alphadine"}, {"id": "drug.betadorm"}))
    assert said(engine, "Duocap 1 capsule daily") == "silent"


def test_a_combination_product_fills_a_slot_by_a_hidden_ingredient_and_the_finding_names_it() -> None:
    engine = small(pair({"id": "drug.gammapril"}, {"id": "drug.betadorm"}))
    assert said(engine, "Duocap 1 capsule daily", "gammapril 5 mg daily") == "violated"
    case = {"patient": {"medications": ["Duocap 1 capsule daily", "gammapril 5 mg daily"]}}
    (finding,) = engine.check(case, DAY).findings
    assert [(s.drug, s.where) for s in finding.subjects] == [
        ("drug.betadorm", "medications[0]"), ("drug.gammapril", "medications[1]")
    ]  # fmt: skip


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.sampled_from(["alphadine", "betadorm", "gammapril", "epsilox", "zetanol"]), max_size=6))
def test_every_pair_of_different_drugs_is_found_once_and_every_entry_is_named(drugs: list[str]) -> None:
    report = PAIRS.check({"patient": {"medications": [f"{d} 5 mg daily" for d in drugs]}}, DAY)
    left = [d for d in drugs if d in ("alphadine", "betadorm")]
    right = [d for d in drugs if d in ("gammapril", "epsilox")]
    found = [tuple(sorted({str(s.drug) for s in f.subjects})) for f in report.every_finding]
    assert sorted(found) == sorted({tuple(sorted((f"drug.{a}", f"drug.{b}"))) for a in left for b in right})
    for finding in report.every_finding:
        wanted = {s.drug for s in finding.subjects}
        assert {s.where for s in finding.subjects} == {
            f"medications[{n}]" for n, d in enumerate(drugs) if f"drug.{d}" in wanted
        }  # fmt: skip


PAIRS = small(pair(GREEKS, {"any_of": ["drug.gammapril", "drug.epsilox"]}))


def test_of_two_entries_that_wait_for_different_facts_one_assumption_is_enough() -> None:
    engine = small(
        avoid(drug="drug.deltafen")
        | {"condition": [{"drug": {"id": "drug.deltafen", "supply": "otc", "route": "oral", "as": "it"}}]}
    )
    first = {"drug": "deltafen", "supply": "otc"}
    second = {"drug": "deltafen", "route": "oral"}
    for medications in ([first, second], [second, first]):
        [finding] = engine.check({"patient": {"medications": medications}}, DAY).findings
        assert len(finding.assumed) == 1
        assert finding.assumed[0].fact in ("route", "supply")


# ------------------------------------------------------------------ classes


def test_a_class_holds_the_members_of_the_classes_it_includes_without_those_it_excludes() -> None:
    engine = small(avoid() | {"condition": [{"drug": {"class": "class.letters", "as": "it"}}]})
    spoken = {d: verdict(engine, medications=[f"{d} 5 mg daily"]) for d in ("alphadine", "betadorm", "gammapril", "epsilox")}
    assert spoken == {"alphadine": "violated", "betadorm": "silent", "gammapril": "violated", "epsilox": "silent"}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"drug": "deltafen", "route": "oral"}, "violated"),
        ({"drug": "deltafen", "route": "topical"}, "silent"),
        ({"drug": "deltafen", "form": "tablet"}, "violated"),
        ({"drug": "deltafen", "form": "cream"}, "silent"),
        ({"drug": "deltafen"}, "violated"),
        ({"drug": "alphadine"}, "violated"),
    ],
    ids=["oral", "topical", "a tablet", "a cream", "route not told, usually oral", "a drug that has only one route"],
)
def test_a_member_by_route_counts_only_by_that_route(told: dict[str, Any], expected: str) -> None:
    engine = small(avoid() | {"condition": [{"drug": {"class": "class.swallowed", "as": "it"}}]})
    assert verdict(engine, medications=[told]) == expected


def test_a_route_that_is_not_told_is_assumed_and_asked_for() -> None:
    engine = small(avoid() | {"condition": [{"drug": {"class": "class.swallowed", "as": "it"}}]})
    [finding] = engine.check({"patient": {"medications": ["deltafen"]}}, DAY).findings
    assert [(a.fact, a.value, a.ask) for a in finding.assumed] == [("route", "oral", "Is the deltafen swallowed?")]


@pytest.mark.parametrize(("form", "expected"), [("gel", "violated"), ("tablet", "silent"), (None, "unknown")])
def test_a_member_by_form_counts_only_in_that_form(form: str | None, expected: str) -> None:
    engine = small(avoid() | {"condition": [{"drug": {"class": "class.gels", "as": "it"}}]})
    assert verdict(engine, medications=[{"drug": "deltafen", "form": form}]) == expected


@pytest.mark.parametrize(
    ("form", "expected"), [("tablet", "violated"), ("extended-release tablet", "violated"), ("capsule", "silent")]
)
def test_a_line_about_tablets_means_extended_release_tablets_too(form: str, expected: str) -> None:
    engine = small(avoid() | {"condition": [{"drug": {"id": "drug.alphadine", "form": "tablet", "as": "it"}}]})
    assert verdict(engine, medications=[{"drug": "alphadine", "form": form}]) == expected


def test_a_line_about_extended_release_tablets_does_not_mean_plain_ones() -> None:
    engine = small(avoid() | {"condition": [{"drug": {"id": "drug.alphadine", "form": "extended-release tablet", "as": "it"}}]})
    assert verdict(engine, medications=[{"drug": "alphadine", "form": "extended-release tablet"}]) == "violated"
    assert verdict(engine, medications=[{"drug": "alphadine", "form": "tablet"}]) != "violated"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"drug": "deltafen", "supply": "otc"}, "violated"),
        ({"drug": "deltafen", "supply": "prescription"}, "silent"),
        ({"drug": "deltafen"}, "violated"),
        ({"drug": "deltafen", "dose": "600 mg"}, "unknown"),
        ({"drug": "epsilox"}, "violated"),
        ({"drug": "alphadine"}, "silent"),
        ({"drug": "epsilox", "supply": "prescription"}, "silent"),
    ],
    ids=[
        "bought",
        "prescribed",
        "not told of a bare name",
        "not told of a dose",
        "sold only without",
        "sold only with",
        "told to be prescribed",
    ],
)
def test_supply_is_what_was_told_or_the_only_way_it_is_sold(told: dict[str, Any], expected: str) -> None:
    any_of = ["drug.alphadine", "drug.deltafen", "drug.epsilox"]
    engine = small(avoid() | {"condition": [{"drug": {"any_of": any_of, "supply": "otc", "as": "it"}}]})
    assert verdict(engine, medications=[told]) == expected


# ------------------------------------------------------------------ except, in, ingredients


def test_except_takes_a_member_out_of_a_class_and_out_of_any_drug() -> None:
    for which in ({"class": "class.greeks"}, {"any": "yes"}):
        engine = small(avoid() | {"condition": [{"drug": {**which, "except": ["drug.betadorm"], "as": "it"}}]})
        assert verdict(engine, medications=["alphadine 5 mg daily"]) == "violated"
        assert verdict(engine, medications=["betadorm 5 mg daily"]) == "silent"


@pytest.mark.parametrize(("where", "listed", "planned"), [("plan", "silent", "violated"), ("medications", "violated", "silent")])
def test_in_limits_a_line_to_what_is_proposed_or_to_what_is_taken(where: str, listed: str, planned: str) -> None:
    engine = small(avoid() | {"condition": [{"drug": {"id": "drug.alphadine", "in": where, "as": "it"}}]})
    assert verdict(engine, medications=["alphadine 5 mg daily"]) == listed
    assert verdict(engine, plan=["alphadine 5 mg daily"]) == planned


def test_without_in_a_medicine_taken_and_one_proposed_interact() -> None:
    engine = small(pair({"id": "drug.alphadine"}, {"id": "drug.gammapril"}))
    assert said(engine, "alphadine 5 mg daily", plan=["gammapril 5 mg daily"]) == "violated"
    assert said(engine, plan=["gammapril 5 mg daily", "alphadine 5 mg daily"]) == "violated"


def test_same_ingredient_speaks_for_one_ingredient_in_two_entries_only() -> None:
    card = pair({"any": "yes"}, {"any": "yes"}, {"same_ingredient": ["a", "b"]})
    engine = small(card)
    assert said(engine, "alphadine 5 mg daily", "Duocap 1 capsule daily") == "violated"
    assert said(engine, "alphadine 5 mg daily", "betadorm 5 mg daily") == "silent"
    assert said(engine, "Duocap 1 capsule daily") == "silent"


def test_different_ingredient_leaves_two_entries_of_one_ingredient_alone() -> None:
    engine = small(pair(GREEKS, GREEKS, {"different_ingredient": ["a", "b"]}))
    assert said(engine, "alphadine 5 mg daily", "alphadine 10 mg at bedtime") == "silent"
    assert said(engine, "alphadine 5 mg daily", "betadorm 10 mg at bedtime") == "violated"
    assert said(engine, "alphadine 5 mg daily", "Duocap 1 capsule daily") == "violated"


# ------------------------------------------------------------------ time


@pytest.mark.parametrize(
    ("until", "expected"), [("2026-11-20", "violated"), ("2026-11-19", "silent"), ("2026-12-01", "violated")]
)
def test_a_medicine_is_taken_up_to_its_last_day_and_no_longer(until: str, expected: str) -> None:
    assert verdict(small(avoid()), medications=[{"drug": "alphadine", "until": until}]) == expected


@pytest.mark.parametrize(
    ("until", "expected"), [("2026-11-07", "violated"), ("2026-11-06", "violated"), ("2026-11-05", "silent")],
    ids=["13 days ago", "14 days ago", "15 days ago"],
)  # fmt: skip
def test_a_medicine_stopped_within_14_days_still_counts_up_to_the_14th(until: str, expected: str) -> None:
    engine = small(pair({"id": "drug.alphadine", "or_stopped_within": "14 d"}, {"id": "drug.gammapril"}))
    assert said(engine, {"drug": "alphadine", "until": until}, plan=["gammapril 5 mg daily"]) == expected


def test_the_last_dose_outweighs_the_day_the_order_ended() -> None:
    engine = small(pair({"id": "drug.alphadine", "or_stopped_within": "14 d"}, {"id": "drug.gammapril"}))
    stopped = {"drug": "alphadine", "until": "2026-11-18", "last_taken": "2026-10-01"}
    assert said(engine, stopped, plan=["gammapril 5 mg daily"]) == "silent"


@pytest.mark.parametrize(
    ("since", "expected"), [("2026-11-07", "violated"), ("2026-11-06", "violated"), ("2026-11-05", "silent"), (None, "unknown")],
    ids=["13 days ago", "14 days ago", "15 days ago", "not told"],
)  # fmt: skip
def test_started_within_14_days_counts_up_to_the_14th(since: str | None, expected: str) -> None:
    engine = small(avoid() | {"condition": [{"drug": {"id": "drug.alphadine", "started_within": "14 d", "as": "it"}}]})
    assert verdict(engine, medications=[{"drug": "alphadine", "since": since}]) == expected


def test_what_is_only_proposed_is_about_to_be_started() -> None:
    engine = small(avoid() | {"condition": [{"drug": {"id": "drug.alphadine", "started_within": "14 d", "as": "it"}}]})
    assert verdict(engine, plan=["alphadine 5 mg daily"]) == "violated"


# ------------------------------------------------------------------ amounts of one entry


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("alphadine 325 mg daily", "silent"),
        ("alphadine 326 mg daily", "violated"),
        ("alphadine 0.326 g daily", "violated"),
        ("alphadine 325 mg twice daily", "silent"),
        ("alphadine daily", "unknown"),
    ],
)
def test_single_dose_in_a_drug_line_looks_at_one_dose(text: str, expected: str) -> None:
    engine = small(avoid() | {"condition": [{"drug": {"id": "drug.alphadine", "single_dose": {"above": "325 mg"}, "as": "it"}}]})
    assert verdict(engine, medications=[text]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("alphadine 100 mg daily", "violated"),
        ("alphadine 50 mg twice daily", "violated"),
        ("alphadine 51 mg twice daily", "silent"),
        ("alphadine 101 mg daily", "silent"),
        ("alphadine 100 mg", "violated"),
        ("alphadine", "unknown"),
    ],
)
def test_daily_dose_in_a_drug_line_looks_at_the_day(text: str, expected: str) -> None:
    engine = small(avoid() | {"condition": [{"drug": {"id": "drug.alphadine", "daily_dose": {"at_most": "100 mg"}, "as": "it"}}]})
    assert verdict(engine, medications=[text]) == expected


def test_a_drug_line_without_a_name_only_asks_whether_there_is_one() -> None:
    engine = small(avoid({"not": {"drug": {"id": "drug.gammapril"}}}))
    assert verdict(engine, medications=["alphadine 5 mg daily"]) == "violated"
    assert verdict(engine, medications=["alphadine 5 mg daily", "gammapril 5 mg daily"]) == "silent"
    assert verdict(engine, medications=["alphadine 5 mg daily", {"drug": "gammapril", "until": "2026-11-01"}]) == "violated"


@pytest.mark.parametrize("order", [1, -1])
def test_a_dose_limit_beside_another_medicine_names_both(engine: Engine, order: int) -> None:
    """Ranolazine above 1 g with diltiazem: the reader must see which of the list the other medicine is."""
    taken = ["ranolazine ER 1000 mg by mouth twice daily", "diltiazem ER 240 mg by mouth once daily", "cetirizine 10 mg daily"]
    report = engine.check({"patient": {"medications": taken[::order]}}, DAY)
    (found,) = [f for f in report.every_finding if f.rule == "interaction.ranolazine.cyp3a4-moderate-inhibitors"]
    assert {s.drug for s in found.subjects} == {"drug.ranolazine", "drug.diltiazem"}
