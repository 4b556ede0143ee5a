"""How much of one ingredient a direction comes to, in one dose and in a day."""

from __future__ import annotations

from decimal import Decimal

import pytest
from dosing_units import LEX, UNITS
from hypothesis import given
from hypothesis import strategies as st

from safety.model.directions import Directions
from safety.model.patient import Medication
from safety.model.quantity import Quantity
from safety.reading.directions.sig import read_sig
from safety.reading.directions.told import read_told
from safety.understanding.amounts import Amounts, Contents, Total, amounts_of, total


def q(text: str) -> Quantity:
    value, _, unit = text.partition(" ")
    return Quantity(Decimal(value), unit)


def of(text: str, amount: str | None = None, per: str = "1 tablet", *, combination: bool = False) -> Amounts:
    contents = Contents(q(amount), q(per)) if amount else None
    return amounts_of(read_sig(text, LEX), contents, UNITS, combination=combination)


def span(text: str | None) -> tuple[Quantity, Quantity] | None:
    if text is None:
        return None
    low, _, high = text.partition("..")
    return q(low), q(high or low)


# text, contents, one dose, 24 hours
AMOUNTS = [
    ("400 mg every 4 hours", None, "400 mg", "2400 mg"),
    ("400 mg every 4 to 6 hours", None, "400 mg", "1600 mg..2400 mg"),
    ("400 mg every 4 hours as needed", None, "400 mg", "0 mg..2400 mg"),
    ("2 tablets every 6 hours", "325 mg", "650 mg", "2600 mg"),
    ("1-2 tablets every 4-6 hours prn, max 8 tablets per day", "325 mg", "325 mg..650 mg", "0 mg..2600 mg"),
    ("2 every 4 hours, not more than 8 in 24 hours", "325 mg", "650 mg", "2600 mg"),
    ("325 mg tablet, 2 tablets every 4 hours, max 3 g/day", None, "650 mg", "3 g"),
    ("2 tabs q4h, up to 5 times a day", "500 mg", "1000 mg", "5000 mg"),
    ("20 mg tablet, take 1 tablet daily", None, "20 mg", "20 mg"),
    ("2 tablets (20 mg total) twice daily", None, "20 mg", "40 mg"),
    ("3000 mg/24h", None, None, "3000 mg"),
    ("2 tablets a day", "500 mg", None, "1000 mg"),
    ("1 tab in the morning and 2 tabs at bedtime", "500 mg", "500 mg..1000 mg", "1500 mg"),
    ("500 mg once", None, "500 mg", "500 mg"),
    ("70 mg once weekly", None, "70 mg", "70 mg"),
    ("25 mg every other day", None, "25 mg", "25 mg"),
    ("10 mg every 5 hours", None, "10 mg", "40 mg..50 mg"),
    ("500 mg up to 3 times a day", None, "500 mg", "0 mg..1500 mg"),
    ("10 mL every 6 hours", "160 mg per 5 mL", "320 mg", "1280 mg"),
    ("160 mg/5 mL, 10 mL every 6 hours", None, "320 mg", "1280 mg"),
    ("500 mg/15 mL take 30 mL every 6 hours", None, "1000 mg", "4000 mg"),
    ("10 mg/mL, 1 teaspoonful bid", None, "50 mg", "100 mg"),
    ("90 mcg/actuation 2 puffs q4h", None, "180 mcg", "1080 mcg"),
    ("2 sprays in each nostril daily", "50 mcg per 1 spray", "200 mcg", "200 mcg"),
    ("10 units before meals", None, "10 unit", "30 unit"),
    ("1 % gel, apply 4 g four times a day topical", None, "0.04 g", "0.16 g"),
    ("2 capsules daily", "25 mg", "50 mg", "50 mg"),
    ("half a tablet daily", "25 mg", "12.5 mg", "12.5 mg"),
    ("as needed, max 3 g/day", None, None, "0 g..3 g"),
]


@pytest.mark.parametrize(("text", "contents", "single", "day"), AMOUNTS, ids=[row[0] for row in AMOUNTS])
def test_amounts_of_the_ingredient(text: str, contents: str | None, single: str | None, day: str) -> None:
    amount, _, per = (contents or "").partition(" per ")
    found = of(text, amount or None, per or "1 tablet")
    assert (found.single, found.day) == (span(single), span(day))


MISSING = [
    # text, contents, what is missing
    ("by mouth twice daily", None, ("dose",)),
    ("400 mg", None, ("frequency",)),
    ("20 mg tablet", None, ("dose", "frequency")),
    ("2 tablets every 6 hours", None, ("strength",)),
    ("5 mL every 6 hours", None, ("strength",)),
    ("20 mg tablet, 5 mL daily", None, ("strength",)),
    ("1 drop twice daily", "5 mg per 1 mL", ("unit",)),
    ("2 tablets daily", "160 mg per 5 mL", ("unit",)),
    ("15 mg/kg every 6 hours", None, ("weight",)),
    ("4 g four times a day topical", None, ("strength",)),
    ("10 units daily", "25 mg", ("unit",)),
]


@pytest.mark.parametrize(("text", "contents", "why"), MISSING, ids=[row[0] for row in MISSING])
def test_what_is_missing_is_named(text: str, contents: str | None, why: tuple[str, ...]) -> None:
    amount, _, per = (contents or "").partition(" per ")
    found = of(text, amount or None, per or "1 tablet")
    assert found.day is None
    assert found.why_not == why


def test_milligrams_of_a_combination_belong_to_no_one_ingredient() -> None:
    assert of("330 mg every 6 hours", "325 mg", combination=True).why_not == ("dose",)
    assert of("1 tablet every 6 hours", "325 mg", combination=True).day == span("1300 mg")
    assert of("5 mg tablet, 1 tablet daily", combination=True).why_not == ("strength",)


def test_a_single_ingredient_dose_in_milligrams_needs_no_tablet() -> None:
    assert of("400 mg every 4 hours", "200 mg").day == span("2400 mg")


def test_the_shortest_interval_and_the_course_are_passed_on() -> None:
    found = of("400 mg every 4 to 6 hours for 10 days")
    assert (found.interval_hours, found.days) == (Decimal(4), Decimal(10))
    assert of("400 mg four times a day").interval_hours is None


def test_a_maximum_that_cannot_be_this_ingredients_leaves_the_day_unknown() -> None:
    assert of("1 tablet every 4 hours, max 3 g/day", "325 mg", combination=True).why_not == ("unit",)


# --- fields of a medication --------------------------------------------------------------------------------------
def merged(rest: str = "", **fields: object) -> Directions:
    return read_told(Medication(text=rest, **fields), rest, LEX).together  # type: ignore[arg-type]


def test_fields_alone_make_a_schedule() -> None:
    sig = merged(dose="800 mg", frequency="every 4 hours", route="oral")
    assert amounts_of(sig, None, UNITS).day == span("4800 mg")
    assert (sig.route, sig.interval_hours) == ("oral", (Decimal(4), Decimal(4)))


def test_a_field_wins_over_the_text() -> None:
    sig = merged("200 mg once daily", dose="400 mg", frequency="twice daily")
    assert amounts_of(sig, None, UNITS).day == span("800 mg")


def test_a_mass_in_the_text_beside_a_count_elsewhere_is_the_strength() -> None:
    for fields in ({"dose": "2 tablets", "frequency": "bid"}, {"sig": "Take 2 tablets by mouth twice daily"}):
        sig = merged("20 mg", **fields)
        assert sig.strength == q("20 mg")
        assert amounts_of(sig, None, UNITS).day == span("80 mg")


def test_the_same_mass_in_text_and_field_is_the_dose_not_a_strength() -> None:
    sig = merged("20 mg", dose="20 mg", frequency="daily")
    assert sig.strength is None
    assert amounts_of(sig, None, UNITS).day == span("20 mg")


def test_a_description_with_a_frequency_field_does_not_become_one_tablet() -> None:
    sig = merged("325 MG Oral Tablet", frequency="3 times every 1 day")
    assert amounts_of(sig, None, UNITS).why_not == ("dose",)


def test_a_description_with_a_bare_dose_counts_units_of_the_form() -> None:
    sig = merged("325 MG Oral Tablet", dose="1", frequency="every 6 hours")
    assert amounts_of(sig, None, UNITS).day == span("1300 mg")


def test_a_field_that_cannot_be_read_is_not_replaced_by_the_text() -> None:
    sig = merged("400 mg every 6 hours", frequency="every blue moon")
    assert sig.times_per_day is None
    assert "blue" in sig.unread
    assert merged("400 mg every 6 hours", dose="1,5 tablets").dose is None


def test_a_taper_in_the_sig_is_not_replaced_by_the_text() -> None:
    sig = merged("10 mg daily", sig="take 2 tablets on day 1 then 1 tablet daily")
    assert (sig.dose, sig.times_per_day) == (None, None)


def test_as_needed_and_days_told_as_fields_win() -> None:
    sig = merged("400 mg every 6 hours prn for 5 days", as_needed=False, days=Decimal(7))
    assert (sig.as_needed, sig.days) == (False, Decimal(7))
    assert merged("400 mg every 6 hours", frequency="as needed").as_needed


def test_as_needed_as_the_frequency_keeps_the_frequency_of_the_text() -> None:
    assert amounts_of(merged("400 mg every 6 hours", frequency="as needed"), None, UNITS).day == span("0 mg..1600 mg")


def test_a_strength_field_with_a_count() -> None:
    sig = merged("", strength="500 mg", dose="2 tablets", frequency="every 6 hours", form="tablet")
    assert amounts_of(sig, None, UNITS).day == span("4000 mg")


def test_a_sig_keeps_the_fuller_form_of_the_text() -> None:
    sig = merged("500 MG Extended Release Oral Tablet", sig="take 1 tablet daily")
    assert sig.form == "extended-release tablet"
    assert amounts_of(sig, None, UNITS).day == span("500 mg")


# --- sums ----------------------------------------------------------------------------------------------------------
def test_the_tablet_and_the_cold_remedy_add_up() -> None:
    found = total([span("3000 mg"), span("0 g..1.3 g")], UNITS)
    assert found == Total(q("3000 mg"), q("4300 mg"), True)


def test_an_unknown_entry_leaves_a_lower_bound() -> None:
    assert total([span("3000 mg"), None], UNITS) == Total(q("3000 mg"), q("3000 mg"), False)
    assert total([None], UNITS) == Total(None, None, False)
    assert total([], UNITS) == Total(None, None, True)


def test_unlike_units_are_never_added() -> None:
    assert total([span("300 mg"), span("100 unit")], UNITS) == Total(q("300 mg"), q("300 mg"), False)


# --- properties ----------------------------------------------------------------------------------------------------
MILLIGRAMS = st.decimals(min_value=Decimal("0.001"), max_value=5000, places=3)
HOURS = st.integers(1, 48)


def in_mg(pair: tuple[Quantity, Quantity] | None) -> tuple[Decimal | None, ...]:
    assert pair is not None
    return tuple(UNITS.convert(each, "mg") for each in pair)


@given(MILLIGRAMS, HOURS)
def test_grams_and_milligrams_come_to_the_same(dose: Decimal, hours: int) -> None:
    mg, g = of(f"{dose} mg every {hours} hours"), of(f"{dose / 1000:f} g every {hours} hours")
    assert in_mg(mg.day) == in_mg(g.day)
    assert in_mg(mg.single) == in_mg(g.single)


@given(MILLIGRAMS, MILLIGRAMS, st.integers(1, 6))
def test_a_dose_split_over_two_entries_comes_to_the_same_total(one: Decimal, other: Decimal, times: int) -> None:
    together = of(f"{one + other} mg {times} times a day").day
    apart = [of(f"{each} mg {times} times a day").day for each in (one, other)]
    assert total(apart, UNITS) == total([together], UNITS)


@given(MILLIGRAMS, MILLIGRAMS, st.sampled_from(["every 4 to 6 hours", "bid prn", "weekly", "q5h, max 2 g/day", "once"]))
def test_a_larger_dose_never_lowers_the_day(one: Decimal, more: Decimal, often: str) -> None:
    less, larger = of(f"{one} mg {often}").day, of(f"{one + more} mg {often}").day
    assert less is not None
    assert larger is not None
    for before, after in zip(less, larger, strict=True):
        order = UNITS.compare(before, after)
        assert order is not None
        assert order <= 0


@given(MILLIGRAMS, st.integers(1, 8), st.integers(1, 6), st.integers(1, 20))
def test_tablets_times_contents_is_the_same_as_milligrams(per: Decimal, tablets: int, times: int, held: int) -> None:
    counted = of(f"{tablets} tablets {times} times a day", f"{per} mg", f"{held} tablet").day
    weighed = of(f"{per * tablets} mg {times} times a day").day
    if held == 1:
        assert in_mg(counted) == in_mg(weighed)
    else:
        assert counted is not None
        assert weighed is not None
        assert counted[1].value <= weighed[1].value


@given(st.lists(st.one_of(st.none(), MILLIGRAMS), max_size=6))
def test_one_more_entry_never_lowers_the_sum(doses: list[Decimal | None]) -> None:
    pairs = [None if d is None else (Quantity(d, "mg"),) * 2 for d in doses]
    for n in range(len(pairs)):
        fewer, more = total(pairs[:n], UNITS), total(pairs[: n + 1], UNITS)
        if fewer.high is not None:
            assert more.high is not None
            assert more.high.value >= fewer.high.value


@given(st.text(max_size=120), st.sampled_from([None, "325 mg"]))
def test_no_text_makes_the_arithmetic_fail(text: str, contents: str | None) -> None:
    found = of(text, contents)
    assert (found.single is None or found.day is None) == bool(found.why_not)
