"""The same directions told in words, in fields and in FHIR's numbers and codes are one value, for what each of them can say."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from conftest import examples
from dosing_units import LEX
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import Directions
from safety.model.patient import Medication
from safety.model.quantity import Quantity, plain
from safety.reading.directions.fields import read_fields
from safety.reading.directions.layers import laid_over
from safety.reading.directions.sig import read_sig
from safety.reading.directions.structure import settled
from safety.reading.fhir.dosages import dosing

Json = dict[str, Any]
law = settings(deadline=None, max_examples=examples(300))

# unit → how a sig writes one and several, and how FHIR codes it
UNIT_WORDS = {
    "tablet": ("tablet", "tablets", "{tablet}"), "capsule": ("capsule", "caps", "CAP"), "puff": ("puff", "puffs", "{puff}"),
    "drop": ("drop", "drops", "[drp]"), "mg": ("mg", "mg", "mg"), "mcg": ("mcg", "mcg", "ug"), "mL": ("mL", "mL", "ml"),
    "unit": ("unit", "units", "U"), "mEq": ("mEq", "mEq", "meq"),
}  # fmt: skip
PERIODS = {"h": "hours", "d": "days", "wk": "weeks"}
ROUTES = {"oral": ("by mouth", "26643006"), "rectal": ("rectally", "37161004"), "parenteral": ("under the skin", "34206005")}
MOMENTS = {"HS": "at bedtime", "MORN": "in the morning", "CV": "with dinner", "ACM": "before breakfast"}


class Told(Struct, frozen=True):
    """Directions as somebody means them, before they are written in one way or another."""

    low: int
    high: int
    unit: str
    times: int
    period: int
    period_max: int
    period_unit: str
    moment: str
    as_needed: bool
    days: int
    route: str
    most: int


amounts = st.tuples(st.integers(1, 9), st.integers(0, 3))
rates = st.one_of(
    st.tuples(st.integers(1, 4), st.just(1), st.just(0), st.just("d"), st.just("")),
    st.tuples(st.just(1), st.integers(2, 12), st.integers(0, 4), st.just("h"), st.just("")),
    st.tuples(st.just(1), st.integers(2, 6), st.just(0), st.sampled_from(["d", "wk"]), st.just("")),
    st.tuples(st.just(1), st.just(1), st.just(0), st.just("d"), st.sampled_from(sorted(MOMENTS))),
)


@st.composite
def directions(draw: st.DrawFn) -> Told:
    (low, more), (times, period, longer, unit, moment) = draw(amounts), draw(rates)
    return Told(
        low, low + more, draw(st.sampled_from(sorted(UNIT_WORDS))), times, period, period + longer, unit, moment,
        draw(st.booleans()), draw(st.sampled_from([0, 5, 7, 14])), draw(st.sampled_from(["", *ROUTES])),
        draw(st.sampled_from([0, 12, 40])),
    )  # fmt: skip


# --- three ways of writing it ---


def dose_words(told: Told) -> str:
    one, several, _ = UNIT_WORDS[told.unit]
    return f"{told.low} {one if told.high == 1 else several}" if told.low == told.high else f"{told.low} to {told.high} {several}"


def rate_words(told: Told) -> str:
    if told.moment:
        return MOMENTS[told.moment]
    if told.period == 1:
        return {1: "once daily", 2: "twice a day"}.get(told.times, f"{told.times} times a day")
    longest = f" to {told.period_max}" if told.period_max > told.period else ""
    return f"every {told.period}{longest} {PERIODS[told.period_unit]}"


def most_words(told: Told) -> str:
    return f"maximum {told.most} {UNIT_WORDS[told.unit][1]} in 24 hours" if told.most else ""


def as_text(told: Told) -> Directions:
    parts = [
        dose_words(told), ROUTES[told.route][0] if told.route else "", rate_words(told), "as needed" if told.as_needed else "",
        f"for {told.days} days" if told.days else "",
    ]  # fmt: skip
    return read_sig(", ".join(filter(None, [" ".join(filter(None, parts)), most_words(told)])), LEX)


def as_fields(told: Told) -> Directions:
    frequency = ", ".join(filter(None, [rate_words(told), most_words(told)]))
    days = Decimal(told.days) if told.days else None
    medication = Medication("drug", dose=dose_words(told), frequency=frequency, as_needed=told.as_needed or None, days=days)
    return read_fields(replace(medication, route=told.route or None), LEX)


def dosage_of(told: Told) -> Json:
    code = UNIT_WORDS[told.unit][2]
    low, high = ({"value": value, "unit": code, "code": code} for value in (told.low, told.high))
    repeat: Json = {"frequency": told.times, "period": told.period, "periodUnit": told.period_unit}
    repeat |= {"periodMax": told.period_max} if told.period_max > told.period else {}
    repeat |= {"when": [told.moment]} if told.moment else {}
    repeat |= {"boundsDuration": {"value": told.days, "unit": "d"}} if told.days else {}
    dosage: Json = {"timing": {"repeat": repeat}}
    dosage["doseAndRate"] = [{"doseQuantity": high} if told.low == told.high else {"doseRange": {"low": low, "high": high}}]
    dosage |= {"asNeededBoolean": True} if told.as_needed else {}
    if told.route:
        dosage["route"] = {"coding": [{"system": "http://snomed.info/sct", "code": ROUTES[told.route][1]}]}
    if told.most:
        day = {"value": 1, "unit": "d"}
        dosage["maxDosePerPeriod"] = {"numerator": {"value": told.most, "unit": code, "code": code}, "denominator": day}
    return dosage


def as_coded(told: Told) -> Directions:
    read = dosing([dosage_of(told)])
    assert read.notes == ()
    assert read.directions is not None
    return settled(read.directions, LEX)


READERS: dict[str, Callable[[Told], Directions]] = {"text": as_text, "fields": as_fields, "codes": as_coded}


def meant(read: Directions) -> dict[str, object]:
    """What was told, whatever it was told in."""
    return {
        "dose": read.dose, "times": read.times_per_day, "hours": read.interval_hours, "as needed": bool(read.as_needed),
        "days": read.days, "route": read.route, "most": read.day_max, "parts": read.parts_of_day, "unread": read.unread,
        "unclear": read.unclear, "day": read.per_day, "once": read.once,
        "windows": () if read.as_needed else read.windows or (),
    }  # fmt: skip


@law
@given(directions())
def test_text_fields_and_codes_come_to_one_value(told: Told) -> None:
    text, fields, codes = (meant(reader(told)) for reader in READERS.values())
    if told.most:  # a time is believed only where nothing but times is said
        text["windows"] = fields["windows"] = codes["windows"]
    assert text == codes
    assert fields == codes


@law
@given(directions())
def test_the_value_is_what_was_meant(told: Told) -> None:
    read = as_coded(told)
    period = {"h": Fraction(1, 24), "d": Fraction(1), "wk": Fraction(7)}[told.period_unit]
    assert read.dose == (Quantity(Decimal(told.low), told.unit), Quantity(Decimal(told.high), told.unit))
    assert read.times_per_day == (
        Fraction(told.times) / (told.period_max * period),
        Fraction(told.times) / (told.period * period),
    )
    assert (read.route or "", bool(read.as_needed), int(read.days or 0)) == (told.route, told.as_needed, told.days)


@law
@given(directions(), st.randoms(use_true_random=False))
def test_the_order_of_the_parts_of_a_dosage_does_not_matter(told: Told, chance: Any) -> None:
    def shuffled(value: Any) -> Any:
        if not isinstance(value, dict):
            return [shuffled(item) for item in value] if isinstance(value, list) else value
        keys = list(value)
        chance.shuffle(keys)
        return {key: shuffled(value[key]) for key in keys}

    assert dosing([shuffled(dosage_of(told))]) == dosing([dosage_of(told)])


@law
@given(
    directions(),
    st.sampled_from([("mg", "MG"), ("mg", "milligram"), ("mL", "milliliter"), ("mcg", "microgram"), ("tablet", "TAB")]),
)
def test_the_spelling_of_a_unit_does_not_matter(told: Told, spelling: tuple[str, str]) -> None:
    symbol, written = spelling
    dosage = dosage_of(replace(told, unit=symbol, low=told.high, most=0))
    other = {**dosage, "doseAndRate": [{"doseQuantity": {"value": told.high, "unit": written}}]}
    one, two = (settled(dosing([d]).directions or Directions(""), LEX) for d in (dosage, other))
    assert replace(one, text="") == replace(two, text="")


@law
@given(st.integers(1, 5000), st.sampled_from(sorted(PERIODS)))
def test_grams_and_milligrams_are_one_amount(milligrams: int, period: str) -> None:
    def read(value: str, unit: str) -> Quantity:
        quantity = {"value": value, "unit": unit}
        repeat = {"frequency": 1, "period": 1, "periodUnit": period}
        told = dosing([{"timing": {"repeat": repeat}, "doseAndRate": [{"doseQuantity": quantity}]}]).directions
        found = settled(told or Directions(""), LEX).dose
        assert found is not None
        return found[1]

    grams = plain(Decimal(milligrams) / 1000)
    assert LEX.units.compare(read(str(milligrams), "mg"), read(grams, "g")) == 0


@law
@given(directions(), st.sampled_from(["foo", "oz", "mg/fortnight", "kg", "5 mL", "a %"]))
def test_an_amount_in_a_unit_that_is_not_known_is_unclear_and_never_taken_from_elsewhere(told: Told, unit: str) -> None:
    dosage = {**dosage_of(replace(told, most=0)), "doseAndRate": [{"doseQuantity": {"value": told.high, "unit": unit}}]}
    coded = settled(dosing([dosage]).directions or Directions(""), LEX)
    assert coded.dose is None
    assert "dose" in coded.unclear
    assert coded.unread
    assert laid_over(as_text(told), coded).dose is None


@law
@given(directions(), st.sampled_from(sorted(READERS)))
def test_nothing_laid_over_directions_or_under_them_changes_them(told: Told, reader: str) -> None:
    read = READERS[reader](told)
    assert laid_over(read, Directions("")) == read
    assert laid_over(Directions(""), read) == read


@law
@given(directions(), directions(), st.sampled_from(sorted(READERS)), st.sampled_from(sorted(READERS)))
def test_what_is_told_later_wins_part_by_part(under: Told, over: Told, first: str, second: str) -> None:
    below, above = READERS[first](under), READERS[second](over)
    both = laid_over(below, above)
    assert (both.dose, both.times_per_day, both.interval_hours) == (above.dose, above.times_per_day, above.interval_hours)
    assert both.route == (above.route or below.route)
    assert both.days == (above.days or below.days)
    assert both.day_max == (above.day_max or below.day_max)
    assert both.unread == below.unread + above.unread
