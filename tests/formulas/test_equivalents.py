"""Opioids and steroids as one: the factors of each edition, bands, sums, and what no table tells."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import content, raw_table, table
from told import q, value

from safety.formulas.equivalents import Dose, converted, equivalents
from safety.model.quantity import Quantity

OLD, NEW, STEROIDS = "mme-cdc-2016", "mme-cdc-2022", "glucocorticoids"
SINGLE = sorted({(r.drug, r.routes[0], r.per) for r in table(NEW).rows if not r.forms})
AMOUNTS = st.decimals(Decimal(0), Decimal(500), places=1)


def dose(drug: str, daily: str, route: str | None = "oral", form: str | None = None) -> Dose:
    return Dose(f"drug.{drug}", q(daily), route, form)


@pytest.mark.parametrize(
    ("taken", "old", "new"),
    [
        (dose("codeine", "60 mg/d"), "9", "9"),
        (dose("tramadol", "200 mg/d"), "20", "40"),
        (dose("hydromorphone", "10 mg/d"), "40", "50"),
        (dose("oxycodone", "20 mg/d"), "30", "30"),
        (dose("oxymorphone", "20 mg/d"), "60", "60"),
        (dose("tapentadol", "100 mg/d"), "40", "40"),
        (dose("fentanyl", "75 mcg/h", "transdermal"), "180", "180"),
        (dose("fentanyl", "200 mcg/d", "buccal", "tablet"), "26", "26"),
        (dose("fentanyl", "0.2 mg/d", "sublingual", "spray"), "36", "36"),
        (dose("methadone", "20 mg/d"), "80", "94"),
        (dose("methadone", "20.1 mg/d"), "160.8", "94.47"),
        (dose("methadone", "40 mg/d"), "320", "188"),
        (dose("methadone", "40.1 mg/d"), "401", "188.47"),
        (dose("methadone", "60 mg/d"), "600", "282"),
        (dose("methadone", "60.1 mg/d"), "721.2", "282.47"),
        (dose("methadone", "0 mg/d"), "0", "0"),
    ],
)
def test_each_edition_by_its_own_factors(taken: Dose, old: str, new: str) -> None:
    assert (value(equivalents(table(OLD), [taken])), value(equivalents(table(NEW), [taken]))) == (Decimal(old), Decimal(new))


def test_the_band_is_chosen_by_the_whole_day_whatever_the_form() -> None:
    two = [dose("methadone", "15 mg/d", form="tablet"), dose("methadone", "15 mg/d", form="solution")]
    assert value(equivalents(table(OLD), two)) == 240


def test_a_patch_is_counted_by_the_hour_and_never_in_milligrams() -> None:
    got = equivalents(table(NEW), [dose("fentanyl", "25 mg/d", "transdermal")])
    assert got.value is None
    assert "not in mcg/h" in got.refused[0]


def test_what_decides_the_factor_is_asked_for_and_the_rest_is_a_lower_bound() -> None:
    got = equivalents(table(NEW), [dose("oxycodone", "20 mg/d"), dose("fentanyl", "200 mcg/d", None)])
    assert (got.value, got.missing, got.low) == (None, ("route of fentanyl",), Decimal(30))
    assert equivalents(table(NEW), [dose("fentanyl", "200 mcg/d", "buccal")]).missing == ("form of fentanyl",)
    assert equivalents(table(NEW), None).missing == ("doses",)


def test_a_route_without_a_factor_is_refused_and_never_counted_by_another() -> None:
    got = equivalents(table(NEW), [dose("morphine", "10 mg/d", "parenteral")])
    assert got.value is None
    assert "no factor for morphine parenteral" in got.refused[0]


def test_a_drug_that_is_left_out_on_purpose_is_said() -> None:
    got = equivalents(table(NEW), [dose("oxycodone", "20 mg/d"), dose("buprenorphine", "16 mg/d", "sublingual", "film")])
    assert value(got) == 30
    assert any("buprenorphine is not counted" in note for note in got.notes)


def test_every_answer_warns_against_changing_over_by_it() -> None:
    assert any("change over" in note for name in (OLD, NEW) for note in equivalents(table(name), []).notes)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(SINGLE), AMOUNTS), max_size=4),
    st.lists(st.tuples(st.sampled_from(SINGLE), AMOUNTS), max_size=4),
)
def test_equivalents_of_2022_add_up(one: list[Any], two: list[Any]) -> None:
    first, second = ([Dose(drug, Quantity(amount, per), route) for (drug, route, per), amount in side] for side in (one, two))
    both = value(equivalents(table(NEW), [*first, *second]))
    assert both == value(equivalents(table(NEW), first)) + value(equivalents(table(NEW), second))


@settings(max_examples=examples(60), deadline=None)
@given(AMOUNTS, AMOUNTS)
def test_more_methadone_is_never_less_in_2016(one: Decimal, two: Decimal) -> None:
    low, high = sorted((one, two))
    counted = [value(equivalents(table(OLD), [Dose("drug.methadone", Quantity(x, "mg/d"), "oral")])) for x in (low, high)]
    assert counted[0] <= counted[1]


# ------------------------------------------------------------------ steroids


@pytest.mark.parametrize(
    ("drug", "amount"),
    [
        ("cortisone", "25"), ("hydrocortisone", "20"), ("prednisone", "5"), ("prednisolone", "5"),
        ("methylprednisolone", "4"), ("triamcinolone", "4"), ("dexamethasone", "0.75"), ("betamethasone", "0.75"),
    ],
)  # fmt: skip
def test_each_steroid_against_the_reference(drug: str, amount: str) -> None:
    got = converted(table(STEROIDS), q(f"{amount} mg"), f"drug.{drug}", "oral", "drug.prednisone", "oral")
    assert value(got) == 5


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(table(STEROIDS).rows), st.sampled_from(table(STEROIDS).rows), st.integers(1, 4000))
def test_there_and_back_is_the_same_dose(one: Any, two: Any, tenths: int) -> None:
    start = Quantity(Decimal(tenths) / 10, "mg")
    there = value(converted(table(STEROIDS), start, one.drug, one.routes[0], two.drug, two.routes[0]))
    back = value(converted(table(STEROIDS), Quantity(there, "mg"), two.drug, two.routes[0], one.drug, one.routes[0]))
    assert abs(back - start.value) < Decimal("1e-15")


def test_a_conversion_names_what_is_missing_and_refuses_what_the_table_does_not_hold() -> None:
    steroids = table(STEROIDS)
    assert converted(steroids, None, "drug.prednisone", None, "drug.dexamethasone", "oral").missing == ("dose", "route")
    assert converted(steroids, q("5 mg"), "drug.prednisone", "topical", "drug.dexamethasone", "oral").refused
    assert converted(steroids, q("5 mL"), "drug.prednisone", "oral", "drug.dexamethasone", "oral").refused


# ------------------------------------------------------------------ the tables themselves


@pytest.mark.parametrize("name", [OLD, NEW, STEROIDS])
def test_a_table_names_drugs_and_sources_that_stand_in_the_knowledge(name: str) -> None:
    raw = raw_table(name)
    sources = {e["source"] for e in raw["evidence"]} | {r["source"] for r in raw["factors"] if "source" in r}
    drugs = {r["drug"] for r in raw["factors"]} | {x["drug"] for x in raw.get("not_counted", [])}
    assert {r["source"] for r in raw["factors"] if "source" in r} <= {e["source"] for e in raw["evidence"]}
    for id_ in [*sources, *drugs]:
        kind, own = id_.split(".", 1)
        assert content(f"kb/{kind}s/{own}.yaml")["id"] == id_


def test_factors_are_exact() -> None:
    (row,) = (r for r in table(STEROIDS).rows if r.drug == "drug.dexamethasone")
    assert row.factor == Fraction(20, 3)
