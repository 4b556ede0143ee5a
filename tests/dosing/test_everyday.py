"""Directions as they are said every day: numbers in words, codes, units that are easily misread, scales, and noise."""

from __future__ import annotations

from decimal import Decimal

import pytest
from dosing_units import LEX, UNITS
from measuring.directions import day_of

from safety.model.directions import Directions
from safety.model.quantity import Quantity
from safety.reading.directions.sig import read_sig
from safety.understanding.amounts import Amounts, Body, Contents, amounts_of


def read(text: str) -> Directions:
    return read_sig(text, LEX)


def q(text: str) -> Quantity:
    value, _, unit = text.partition(" ")
    return Quantity(Decimal(value), unit)


def of(text: str, amount: str | None = None, per: str = "1 tablet", body: Body | None = None) -> Amounts:
    return amounts_of(read(text), Contents(q(amount), q(per)) if amount else None, UNITS, body=body)


def span(low: str, high: str | None = None) -> tuple[Quantity, Quantity]:
    return q(low), q(high or low)


DAYS = [
    ("1 po bid prn", "0..2"), ("1 qhs", "1"), ("800 mg six times a day", "4800 mg"),
    ("a couple of tablets twice a day", "4 tablet"),
    ("take two tablets by mouth every 4 to 6 hours as needed, not more than 8 in 24 hours", "0..8 tablet"),
    ("1 tablet weekly on Mondays", "1 tablet"), ("10 units before meals", "30 unit"), ("1 tab bid mdd 6", "2 tablet"),
    ("1½ tablets daily", "1.5 tablet"), ("one and a half tablets daily", "1.5 tablet"),
    ("one tablet and a half daily", "1.5 tablet"), ("1 tab and 1/2 tab bid", "3 tablet"),
    ("1 tablet in the morning and half at night", "1.5 tablet"), ("half a dozen tablets daily", "6 tablet"),
    ("a dozen tablets daily", "12 tablet"), ("1 tab x3/day", "3 tablet"), ("1 tab 3 X daily", "3 tablet"),
    ("1 tab TID-QID", "3..4 tablet"), ("1 tab q4-6h prn", "0..6 tablet"), ("1 tab QOD", "1 tablet"),
    ("1 tablet on odd days", "1 tablet"), ("1 tab Mon/Wed/Fri", "1 tablet"), ("1 tablet AM & PM", "2 tablet"),
    ("1 tab t.i.d.", "3 tablet"), ("1 tab q6h max 6/day", "4 tablet"), ("1 tab prn limit 2 per day", "0..2 tablet"),
    ("500 mg q6h do not exceed 1.5 g/day", "1.5 g"), ("1 tab daily for 10 days", "1 tablet for 10"),
    ("1 tab daily #30", "1 tablet"), ("1 tab bid until finished", "2 tablet"),
    ("1 vial bid via nebulizer until cough is gone", "2 vial"), ("10 U SQ qAC", "30 unit"),
    ("1 patch every 72 hours", "1 patch"), ("300 mg every 12 weeks", "300 mg"),
    ("1 tablet daily, patient will buy it if not covered", "1 tablet"), ("1 tablet daily if wheezing", "0..1 tablet"),
    ("inhale 1 puff in the morning to reduce wheezing", "1 puff"), ("1 caps po tidwminstror milk", "3 capsule"),
    ("1 tab by mouth once a dayinstrplease complete fasting labs", "1 tablet"),
    ("1 vial to each nostril once daily", "1 vial"), ("4.5 g in 100 mL IV every 6 hours", "18 g"),
    ("2 tablets twice daily, 3 tablets a day", None), ("4.5 grams in D5W 250 ml IV every 6 hours", "18 g"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "day"), DAYS, ids=[row[0] for row in DAYS])
def test_what_a_day_comes_to(text: str, day: str | None) -> None:
    assert day_of(read(text), UNITS) == day


SLIPS = [
    ("0.25mg daily", "0.25 mg"), (".25 mg daily", "0.25 mg"), ("2.0 mg daily", "2 mg"), ("10U daily", "10 unit"),
    ("10 u daily", "10 unit"), ("50 µg daily", "50 mcg"), ("50 ug daily", "50 mcg"), ("400 iu daily", "400 unit"),
    ("20 mEq bid", "40 mEq"), ("20 mmol bid", "40 mmol"), ("1 gm tid", "3 g"), ("5 cc bid", "10 mL"), ("2 tsp bid", "4 tsp"),
    ("1 tbsp daily", "1 tbsp"), ("2 gtt each eye bid", "8 drop"), ("5 gr daily", None), ("2 gr bid", None),
    ("1,5 mg daily", None), ("1/3 tablet daily", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "day"), SLIPS, ids=[row[0] for row in SLIPS])
def test_a_unit_is_read_as_written_and_never_repaired(text: str, day: str | None) -> None:
    assert day_of(read(text), UNITS) == day


def test_a_dose_per_weight_or_surface_needs_the_body() -> None:
    assert of("100 mg/kg/day divided q8h").why_not == ("weight",)
    child = Body(weight_kg=Decimal(15))
    assert of("100 mg/kg/day divided q8h", body=child) == Amounts(span("500 mg"), span("1500 mg"), Decimal(8), None)
    assert of("15 mg/kg q6h prn", body=child).day == span("0 mg", "900 mg")
    assert of("0.5 units/kg/day", body=child).day == span("7.5 unit")
    assert of("50 mg/m2 weekly", body=child).why_not == ("body surface",)
    assert of("50 mg/m² weekly", body=Body(area_m2=Decimal("1.6"))).day == span("80 mg")
    assert of("4 mcg/kg/min", body=child).day is None


def test_a_volume_of_a_known_strength_is_an_amount() -> None:
    assert of("0.3 mL of U-100 daily").day == span("30 unit")
    assert of("U-500 0.1 mL before meals").day == span("150 unit")
    assert of("10 units of U-500 tid").day == span("30 unit")
    assert of("5 mL of 0.5 % oral solution tid").day == span("75 mg")
    assert of("5 mL of 0.5 % cream daily").day is None
    assert of("325 mg (65 mg elemental iron) daily").day != span("65 mg")


def test_a_number_alone_counts_milligrams_only_of_a_product_that_holds_them() -> None:
    sig = read("800 six times a day")
    assert (sig.dose, sig.number, sig.unread) == (None, (Decimal(800), Decimal(800)), ("800",))
    assert of("800 six times a day").why_not == ("dose",)
    assert of("800 six times a day", "400 mg").day == span("4800 mg")
    assert of("70 six times a day", "400 mg").why_not == ("dose",)
    assert read("1 tablet daily, 555 1234").number is None or read("1 tablet daily, 555 1234").dose == span("1 tablet")


def test_a_whole_day_divided_tells_one_dose() -> None:
    assert of("600 mg/day divided every 8 hours").single == span("200 mg")
    assert of("3000 mg/24h").single is None


SCALES = [
    ("inject 2 units for 150-200, 4 units for 201-250, max 30 units/day", "4 unit", "30 unit"),
    ("150-200: 2 units; 201-250: 4 units; >300: 8 units, three times daily before meals", "8 unit", "24 unit"),
    ("BG 150-199 = 1 unit, 200-249 = 2 units, 300 or more = 4 units qid", "4 unit", "16 unit"),
    ("inject 0-12 units per sliding scale before meals", "12 unit", "36 unit"),
    ("per sliding scale up to 15 units three times daily", "15 unit", "45 unit"),
    ("sliding scale: 151-200 2 units, 201-250 4 units, 351-400 10 units, call md if over 400, ac and hs", "10 unit", "40 unit"),
    ("inject per sliding scale max 30 units/day", None, "30 unit"),
    ("inject 2 units for 150-200, 4 units for 201-250", "4 unit", None),
]


@pytest.mark.parametrize(("text", "single", "day"), SCALES, ids=[row[0] for row in SCALES])
def test_a_scale_goes_from_nothing_to_its_highest_dose(text: str, single: str | None, day: str | None) -> None:
    sig, found = read(text), of(text)
    assert sig.scale
    assert found.single == (span("0 unit", single) if single else None)
    assert found.day == (span("0 unit", day) if day else None)


@pytest.mark.parametrize(
    "text",
    [
        "inject per sliding scale", "10 units before meals plus sliding scale 150-200 2 units, 201-250 4 units",
        "10 units before meals, sliding scale 150-200 2 units, 201-250 4 units", "if glucose above 200 take 4 units",
        "sliding scale: 1 unit for every 50 above 150 before meals", "1 unit for each 15 g of carbohydrate with meals",
    ],
)  # fmt: skip
def test_a_scale_without_a_highest_dose_is_unread(text: str) -> None:
    assert read(text).dose is None
    assert of(text).day is None


GOOD = [
    "take 1 tablet daily", "take 2 tablets by mouth twice daily", "500 mg every 8 hours for 5 days",
    "inject 10 units before meals",
]  # fmt: skip
NOISE = [
    "do not take 2 tablets", "never take 3 tablets daily", "weight 80 kg", "patient weighs 176 lb", "blood sugar 180",
    "bp 120/80", "phone 555-123-4567", "call 5551234567", "Rx 6012345", "Rx# 6012345", "filled 11/20/2026", "DOB 1/2/1960",
    "INR 2.5", "A1c 7.2 %", "refills 3", "qty 90", "#30", "NDC 00071-0155-23", "exp 12/2027", "glucose 95 mg/dL",
]  # fmt: skip


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("sig", GOOD)
def test_what_is_no_dose_never_becomes_one(sig: str, noise: str) -> None:
    assert day_of(read(noise), UNITS) is None
    for text in (f"{noise}, {sig}", f"{sig}, {noise}", f"{noise}. {sig}", f"{sig}. {noise}", f"{sig} {noise}"):
        assert day_of(read(text), UNITS) in (day_of(read(sig), UNITS), None), text


def test_not_this_but_that_is_unread() -> None:
    assert day_of(read("not 2 but 3 tablets daily"), UNITS) is None
    assert day_of(read("do not take 2 tablets daily"), UNITS) is None
