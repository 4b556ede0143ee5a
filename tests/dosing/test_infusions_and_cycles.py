"""Infusions, loading doses, cycles, starter packs and pumps: what runs in, on which days, and which numbers are no dose."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from conftest import examples, loaded
from hypothesis import given, settings
from hypothesis import strategies as st
from measuring.chart_lines import told_of

from safety.model.directions import Directions
from safety.model.patient import Case, Medication, Patient
from safety.understanding.medications import Entry, understand

ENGINE = loaded()
DAY = date(2026, 11, 20)
UNITS = ENGINE.library.units


def entry(line: str) -> Entry:
    (one,) = told_of(line, ENGINE)
    return one


def read(line: str) -> Directions:
    return entry(line).directions


def doses(line: str) -> list[str]:
    return [str(step.dose[1]) for step in read(line).steps if step.dose is not None]


# --- infusions -------------------------------------------------------------------------------------------------------
@settings(deadline=None, max_examples=examples(60))
@given(bolus=st.integers(1, 200), rate=st.integers(1, 50))
def test_a_bolus_and_what_runs_in_after_it_add_up_over_the_first_day(bolus: int, rate: int) -> None:
    one = entry(f"pantoprazole {bolus} mg IV bolus then {rate} mg/hr")
    day = one.day(one.drugs[0], UNITS).high
    assert day is not None
    assert day.value == bolus + 24 * rate
    assert str(one.single(one.drugs[0], UNITS).high) == f"{bolus} mg"
    assert not one.directions.unread


def test_a_rate_that_is_lowered_within_the_day_counts_for_as_long_as_it_runs() -> None:
    one = entry("amiodarone 150 mg IV over 10 min, then 1 mg/min x 6 h, then 0.5 mg/min x 18 h")
    assert str(one.day(one.drugs[0], UNITS).high) == "1050 mg"


@settings(deadline=None, max_examples=examples(40))
@given(low=st.integers(1, 20), more=st.integers(1, 20), unit=st.sampled_from(["mg/hr", "mcg/kg/min", "mcg/min", "mg/kg/hr"]))
def test_a_range_of_rates_is_read_and_is_no_dose(low: int, more: int, unit: str) -> None:
    one = entry(f"diltiazem {low}-{low + more} {unit} IV, titrate to HR < 110")
    told = one.directions.dose
    assert told is not None
    assert (told[0].value, told[1].value) == (low, low + more)
    assert not one.directions.unread
    assert one.single(one.drugs[0], UNITS).high is None


def test_how_fast_it_runs_in_waits_for_the_weight() -> None:
    one = entry("heparin 80 units/kg bolus then 18 units/kg/hr")
    assert doses("heparin 80 units/kg bolus then 18 units/kg/hr") == ["80 unit/kg", "18 unit/kg/h"]
    assert "weight" in one.day(one.drugs[0], UNITS).why


# --- doses by body, in equivalents, with a cap -------------------------------------------------------------------------
def test_milligrams_of_phenytoin_equivalents_per_kilogram_stay_per_kilogram() -> None:
    assert str((read("fosphenytoin 20 mg PE/kg IV x1").dose or [None])[0]) == "20 mg/kg"
    assert str((read("fosphenytoin 100 mg PE IV q8h").dose or [None])[0]) == "100 mg"


@pytest.mark.parametrize("cap", ["(max 2 mg)", "(cap 2 mg)", "max 2 mg"])
def test_the_most_of_a_dose_by_surface_is_the_most_of_its_day(cap: str) -> None:
    told = read(f"vincristine 1.4 mg/m2 {cap} IV q3w")
    assert str(told.day_max) == "2 mg"
    assert not told.unread


def test_the_most_of_one_dose_that_is_given_often_is_not_the_most_of_a_day() -> None:
    told = read("acetaminophen 15 mg/kg q6h (max 650 mg)")
    assert told.day_max is None
    assert "650" in " ".join(told.unread)


# --- cycles and inductions ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "low", "high"),
    [
        ("Remicade 5 mg/kg IV at 0, 2, 6 wks then q8wks", Fraction(1, 56), Fraction(1, 14)),
        ("Cosentyx 300 mg SQ weeks 0,1,2,3,4 then q4 weeks", Fraction(1, 28), Fraction(1, 7)),
        ("Skyrizi 150 mg wk 0, wk 4, then q12w", Fraction(1, 84), Fraction(1, 28)),
    ],
)
def test_an_induction_is_from_its_longest_to_its_shortest_interval(line: str, low: Fraction, high: Fraction) -> None:
    told = read(line)
    assert told.times_per_day == (low, high)
    assert told.dose is not None
    assert not told.unread


@pytest.mark.parametrize(
    "line",
    ["bortezomib 1.3 mg/m2 SQ D1,4,8,11", "bortezomib 1.3 mg/m2 days 1, 4, 8, 11", "cyclophosphamide 750 mg/m2 D1 of R-CHOP"],
)
def test_days_of_a_cycle_whose_length_is_not_told_tell_no_frequency(line: str) -> None:
    told = read(line)
    assert told.dose is not None
    assert told.times_per_day is None
    assert not told.unread


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("palbociclib 125 mg daily for 28 days", 28),
        ("palbociclib 125 mg daily on days 1-21 of a 28-day cycle", 21),
        ("palbociclib 125 mg daily for 21 of 28 days", 21),
        ("sunitinib 50 mg daily for 4 of 6 weeks", 28),
        ("palbociclib 125 mg daily 3 weeks on 1 week off", 21),
        ("palbociclib 125 mg daily 21 days on 7 days off for 84 days", 21),
        ("palbociclib 125 mg daily for 21 days, then 7 days off", 21),
        ("capecitabine 1500 mg BID d1-14 q21d", 14),
    ],
)
def test_days_in_a_row_are_those_of_the_cycle_or_of_the_course(line: str, days: int) -> None:
    told = entry(line).days_in_a_row.high
    assert told is not None
    assert told.value == days


def test_since_when_it_is_taken_says_nothing_of_days_in_a_row() -> None:
    case = Case(Patient(medications=(Medication("palbociclib 125 mg daily", since=date(2025, 11, 1)),)))
    (one,) = understand(case, ENGINE.checker.terms.meaning_of, DAY)[0]
    assert one.days_in_a_row.high is None
    assert one.days(DAY).high is not None


@pytest.mark.parametrize("target", ["AUC 5", "AUC=5", "AUC of 6"])
def test_a_target_exposure_is_no_dose(target: str) -> None:
    told = read(f"carboplatin {target} IV q21d")
    assert told.dose is None
    assert told.times_per_day == (Fraction(1, 21),) * 2
    assert not told.unread


# --- tapers, loads, starter packs -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [
        "prednisone taper 40/30/20/10 x3 days each",
        "prednisone taper 40-30-20-10 mg q3d",
        "prednisone 40 mg x3d → 30 mg x3d → 20 mg x3d → 10 mg x3d",
        "prednisone 40 mg x3d -> 30 mg x3d -> 20 mg x3d -> 10 mg x3d -> stop",
    ],
)
def test_a_taper_in_numbers_or_with_arrows_is_its_steps(line: str) -> None:
    assert doses(line) == ["40 mg", "30 mg", "20 mg", "10 mg"]
    assert [int(step.days or 0) for step in read(line).steps] == [3, 3, 3, 3]


def test_an_arrow_before_one_amount_tells_todays_and_with_a_time_two_steps() -> None:
    assert str((read("lisinopril 10 mg → 20 mg daily").dose or [None])[0]) == "20 mg"
    assert doses("Mounjaro 2.5 → 5 mg weekly after 4 wks") == ["2.5 mg", "5 mg"]


def test_a_loading_dose_is_given_once() -> None:
    first, then = read("ticagrelor 180 mg LD, 90 mg BID").steps
    assert (str((first.dose or [None])[0]), first.once) == ("180 mg", True)
    assert (str((then.dose or [None])[0]), then.times_per_day) == ("90 mg", (Fraction(2),) * 2)


@pytest.mark.parametrize("name", ["Otezla", "apremilast"])
def test_what_follows_a_starter_pack_is_the_dose(name: str) -> None:
    told = read(f"{name} starter pack then 30 mg BID")
    assert str((told.dose or [None])[0]) == "30 mg"
    assert told.times_per_day == (Fraction(2),) * 2


# --- pumps and ratios -----------------------------------------------------------------------------------------------------
def test_ratios_of_an_insulin_pump_are_no_doses() -> None:
    told = read("Novolog via pump, basal 0.8 u/hr, I:C 1:10, ISF 40")
    assert told.dose is None
    assert told.per_day is None


def test_what_a_patient_gives_himself_is_as_needed_up_to_its_limit() -> None:
    told = read("morphine PCA 1 mg demand, lockout 10 min, no basal, 4-hr limit 24 mg")
    assert told.as_needed
    assert told.day_max is not None
    assert told.day_max.value == Decimal(144)


def test_minutes_between_a_few_doses_are_no_frequency_beside_a_number_of_them() -> None:
    one = entry("metoprolol tartrate 5 mg IV q5min x3")
    assert one.directions.once
    assert str(one.day(one.drugs[0], UNITS).high) == "15 mg"


# --- how often ------------------------------------------------------------------------------------------------------------
def test_meals_of_two_parts_of_the_day_are_two() -> None:
    assert read("Multaq 400 mg w/ am & pm meals").times_per_day == (Fraction(2),) * 2


def test_a_frequency_behind_a_word_that_is_not_read_is_not_that_of_the_dose_before_it() -> None:
    told = read("Zytiga 1000 mg daily on empty stomach w/ pred 5 bid")
    assert told.times_per_day is None
    assert told.unread


def test_one_dose_within_hours_is_taken_once() -> None:
    told = read("Plan B One-Step 1.5 mg x1 within 72 h")
    assert told.once
    assert told.interval_hours is None


# --- another medicine by which a time is told -------------------------------------------------------------------------------
def test_a_medicine_that_tells_the_time_is_read_where_it_has_a_line_of_its_own_and_asked_about_elsewhere() -> None:
    line = "metolazone 2.5 mg 30 min before Lasix MWF"
    listed = Case(Patient(medications=(Medication(line), Medication("furosemide 40 mg daily"))))
    both = understand(listed, ENGINE.checker.terms.meaning_of, DAY)[0]
    assert [e.directions.unread for e in both] == [(), ()]
    assert read(line).unread == ("Lasix",)
    assert read(line).times_per_day == (Fraction(3, 7),) * 2


# --- tapers that nobody tells, medicines given together ------------------------------------------------------------------------
@pytest.mark.parametrize("tail", ["then taper", ", taper off over 2 wks", "then slow taper", "and wean as tolerated"])
def test_a_taper_that_is_not_told_leaves_the_dose_and_how_long_it_lasts_open(tail: str) -> None:
    told = read(f"prednisone 40 mg daily x5d {tail}")
    assert str((told.dose or [None])[0]) == "40 mg"
    assert told.days is None
    assert read("prednisone 40 mg daily x5d no taper").days == 5


def test_steps_of_which_the_last_goes_on_thereafter_follow_one_another() -> None:
    assert doses("lamotrigine 25 mg qd wk 1-2, 50 mg qd wk 3-4, 100 mg qd thereafter") == ["25 mg", "50 mg", "100 mg"]


def test_how_often_holds_for_both_of_two_that_a_stroke_joins_and_a_time_of_day_for_its_own_only() -> None:
    both = told_of("haldol 5 mg / ativan 2 mg IM q6h prn agitation", ENGINE)
    assert [e.directions.times_per_day for e in both] == [(Fraction(4),) * 2] * 2
    assert all(e.directions.as_needed for e in both)
    daily = told_of("allopurinol 300 mg + colchicine 0.6 mg daily", ENGINE)
    assert [e.directions.times_per_day for e in daily] == [(Fraction(1),) * 2] * 2
    first, _ = told_of("Concerta 54 mg + Ritalin 10 mg at 4 pm", ENGINE)
    assert first.directions.times_per_day is None


@pytest.mark.parametrize("goal", ["aPTT 1.5-3x baseline", "MAP > 65", "RASS -1"])
def test_what_a_drip_is_titrated_to_is_no_dose(goal: str) -> None:
    told = read(f"argatroban 2 mcg/kg/min titrate to {goal}")
    assert str(told.strength) == "2 mcg/kg/min"
    assert told.dose is None


@pytest.mark.parametrize("hours", ["8a & noon", "8a and noon", "8a/2p"])
def test_hours_in_short_beside_noon_are_times_of_the_day(hours: str) -> None:
    assert read(f"methylphenidate 10 mg {hours}").times_per_day == (Fraction(2),) * 2


@pytest.mark.parametrize(("typed", "meant"), [("insulin glargin", "insulin-glargine"), ("insulin asparte", "insulin-aspart")])
def test_one_slip_in_a_name_of_several_words_leads_clearly(typed: str, meant: str) -> None:
    assert ENGINE.name(typed).drug == f"drug.{meant}"
