"""Blood chemistry, QT, fluids and dates: worked examples and limits."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from told import age, q, value

from safety.formulas import blood, fluids, heart, pregnancy
from safety.model.quantity import Quantity

QT_FORMULAS = (heart.qtc_bazett, heart.qtc_fridericia, heart.qtc_framingham, heart.qtc_hodges, heart.qtc_rautaharju)


@pytest.mark.parametrize(
    ("call", "told", "wanted"),
    [
        (blood.corrected_calcium, ("7.2 mg/dL", "3.2 g/dL"), "7.8 mg/dL"),
        (blood.corrected_calcium, ("1.7964 mmol/L", "32 g/L"), "7.8 mg/dL"),
        (blood.corrected_sodium, ("128 mmol/L", "836 mg/dL"), "140 mmol/L"),
        (blood.corrected_sodium, ("128 mEq/L", "100 mg/dL"), "128 mmol/L"),
        (blood.corrected_sodium, ("141 mmol/L", "33 mg/dL"), "141 mmol/L"),
        (blood.anion_gap, ("140 mmol/L", "104 mmol/L", "24 mmol/L"), "12 mmol/L"),
        (blood.anion_gap_for_albumin, ("140 mmol/L", "104 mmol/L", "24 mmol/L", "2 g/dL"), "17 mmol/L"),
        (blood.osmolality, ("140 mmol/L", "90 mg/dL", "14 mg/dL"), "290 mmol/kg"),
        (blood.ldl_friedewald, ("210 mg/dL", "50 mg/dL", "150 mg/dL"), "130 mg/dL"),
        (blood.fractional_sodium, ("140 mmol/L", "2 mg/dL", "20 mmol/L", "100 mg/dL"), "0.3 %"),
        (heart.mean_arterial_pressure, ("120 mmHg", "80 mmHg"), "93 mmHg"),
    ],
)
def test_worked_by_hand(call: Any, told: tuple[str, ...], wanted: str) -> None:
    assert call(*(q(t) for t in told)).shown == wanted


def test_a_fraction_of_excreted_sodium_to_its_last_digit() -> None:
    got = blood.fractional_sodium(q("140 mmol/L"), q("2 mg/dL"), q("70 mmol/L"), q("100 mg/dL"))
    assert value(got) == 1


def test_sodium_by_the_steeper_rule() -> None:
    got = blood.corrected_sodium(q("127 mmol/L"), q("1240 mg/dL"), "2.4")
    assert value(got) == Decimal("154.36")
    assert "Hillier" in got.formula.citation


@pytest.mark.parametrize(
    ("call", "told", "said"),
    [
        (blood.ldl_friedewald, ("210 mg/dL", "50 mg/dL", "401 mg/dL"), "triglycerides 401 mg/dL"),
        (blood.ldl_friedewald, ("60 mg/dL", "50 mg/dL", "150 mg/dL"), "exceed"),
        (heart.mean_arterial_pressure, ("80 mmHg", "120 mmHg"), "under diastolic"),
        (blood.corrected_sodium, ("14 mmol/L", "100 mg/dL"), "sodium 14 mmol/L"),
        (heart.qtc_bazett, ("0.42 ms", "75 /min"), "qt 0.42 ms"),
    ],
)
def test_what_cannot_be_is_refused(call: Any, told: tuple[str, ...], said: str) -> None:
    got = call(*(q(t) for t in told))
    assert got.value is None
    assert said in got.refused[0]


# ------------------------------------------------------------------ QT


def test_at_sixty_beats_there_is_nothing_to_correct() -> None:
    for formula in QT_FORMULAS:
        assert value(formula(q("420 ms"), q("60 /min"))) == Decimal(420)
        assert value(formula(q("0.42 s"), q("60 /min"))) == Decimal(420)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(300, 600), st.integers(30, 180), st.integers(30, 180))
def test_the_same_qt_at_a_faster_rate_is_longer_when_corrected(qt: int, one: int, two: int) -> None:
    slow, fast = sorted((one, two))
    for formula in QT_FORMULAS:
        told = [formula(Quantity(Decimal(qt), "ms"), Quantity(Decimal(rate), "/min")) for rate in (slow, fast)]
        assert value(told[0]) <= value(told[1])


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        (heart.qtc_bazett, "516 ms"),
        (heart.qtc_fridericia, "474 ms"),
        (heart.qtc_framingham, "462 ms"),
        (heart.qtc_hodges, "470 ms"),
        (heart.qtc_rautaharju, "489 ms"),
    ],
)
def test_a_qt_of_400_at_100_beats(formula: Any, wanted: str) -> None:
    assert formula(q("400 ms"), q("100 /min")).shown == wanted


def test_bazett_says_where_it_errs() -> None:
    assert heart.qtc_bazett(q("400 ms"), q("101 /min")).notes
    assert not heart.qtc_bazett(q("400 ms"), q("100 /min")).notes
    assert not heart.qtc_bazett(q("400 ms"), q("60 /min")).notes
    assert heart.qtc_bazett(q("400 ms"), q("59 /min")).notes


# ------------------------------------------------------------------ fluids


@pytest.mark.parametrize(
    ("weight", "years", "wanted"),
    [
        ("10 kg", "1 y", "40 mL/h"),
        ("17 kg", None, "54 mL/h"),
        ("20 kg", None, "60 mL/h"),
        ("45 kg", None, "85 mL/h"),
        ("4 kg", "1 month", "16 mL/h"),
    ],
)
def test_four_two_one(weight: str, years: str | None, wanted: str) -> None:
    assert fluids.maintenance_fluids(q(weight), age(years) if years else None).shown == wanted


def test_a_weight_of_a_newborn_needs_the_age() -> None:
    assert fluids.maintenance_fluids(q("10 kg")).missing == ("age",)
    assert fluids.maintenance_fluids(q("10.1 kg")).value is not None
    assert fluids.maintenance_fluids(q("4 kg"), age("27 days")).value is None
    assert fluids.maintenance_fluids(q("4 kg"), age("28 days")).value == 16
    assert fluids.maintenance_fluids(q("19.9 kg"), age("18 y")).value is None
    assert fluids.maintenance_fluids(q("20 kg"), age("18 y")).value == 60
    assert fluids.maintenance_fluids(q("19.9 kg"), age("17 y")).value is not None
    assert "not believable" in fluids.maintenance_fluids(q("7 kg"), age("58 y")).refused[0]


# ------------------------------------------------------------------ dates


@pytest.mark.parametrize(
    ("last", "cycle", "due"),
    [
        ("2011-06-20", 21, "2012-03-20"),
        ("2020-05-20", 28, "2021-02-27"),
        ("2023-01-15", 28, "2023-10-22"),
        ("2023-03-31", 28, "2024-01-07"),  # 31 December + 7 d
        ("2023-05-31", 28, "2024-03-09"),  # there is no 31 February: three days into March, counting the leap day, + 7
        ("2005-06-12", 30, "2006-03-21"),
    ],
)
def test_naegele(last: str, cycle: int, due: str) -> None:
    assert pregnancy.due_date(date.fromisoformat(last), cycle).shown == due


def test_dates_name_what_is_missing_and_refuse_what_is_no_pregnancy() -> None:
    day = date(2026, 1, 1)
    assert pregnancy.due_date(None, None).missing == ("last period", "cycle days")
    assert pregnancy.due_date(day, 19).refused
    assert pregnancy.due_date(day, 20).day is not None
    assert pregnancy.conception(day, 26).day == date(2026, 1, 13)
    assert pregnancy.gestational_age(day, date(2026, 2, 1)).notes == ("4 weeks 3 days",)
    assert pregnancy.gestational_age(day, date(2025, 12, 31)).refused
    assert pregnancy.gestational_age(day, day).value == 0
    assert pregnancy.gestational_age(day, date(2026, 11, 5)).notes == ("44 weeks 0 days",)
    assert pregnancy.gestational_age(day, date(2026, 11, 6)).refused
    assert pregnancy.due_date(day, 45).day is not None
    assert pregnancy.due_date(day, 46).refused
