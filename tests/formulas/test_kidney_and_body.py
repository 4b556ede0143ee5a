"""Kidney function and body size: worked examples, boundaries, and what holds for everybody."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from told import age, q, value

from safety.formulas import body, kidney
from safety.formulas.answers import Answer
from safety.model.patient import Age, Sex
from safety.model.quantity import Quantity

SEXES = st.sampled_from(["female", "male"])
AGES = st.integers(18, 110).map(lambda n: Age(Decimal(12 * n), f"{n} y"))
CREATININES = st.decimals(Decimal("0.2"), Decimal(15), places=2).map(lambda d: Quantity(d, "mg/dL"))
WEIGHTS = st.decimals(Decimal(30), Decimal(250), places=1).map(lambda d: Quantity(d, "kg"))
HEIGHTS = st.integers(130, 215).map(lambda n: Quantity(Decimal(n), "cm"))


def crcl(**changed: object) -> Answer:
    told: dict[str, object] = {
        "age": age("72 y"), "sex": "female", "weight": q("81 kg"), "height": q("165 cm"), "creatinine": q("1.4 mg/dL"),
    }  # fmt: skip
    return kidney.cockcroft_gault(**{**told, **changed})  # type: ignore[arg-type]


def close(got: Answer, wanted: str) -> bool:
    return abs(value(got) - Decimal(wanted)) <= Decimal("0.005")


# ------------------------------------------------------------------ worked by hand


def test_the_clearance_of_an_obese_woman_counts_her_adjusted_weight() -> None:
    got = crcl()  # ideal 56.909, adjusted 66.546; 68 x 66.546 x 0.85 / (72 x 1.4)
    assert close(got, "38.158")
    assert got.shown == "38 mL/min"
    (weight,) = (u for u in got.used if u.name == "weight used")
    assert (weight.value, weight.note) == ("66.5 kg", "adjusted weight, because the body mass index is 25 or above")
    assert "Nephron 1976" in got.formula.citation


@pytest.mark.parametrize(
    ("weight", "rule", "kilograms", "why"),
    [
        ("50.3 kg", "by-bmi", "50.3", "under 18.5"),  # 50.3 / 1.65^2 = 18.476
        ("50.36625 kg", "by-bmi", "50.36625", "actual weight, the lesser"),  # exactly 18.5
        ("50.4 kg", "by-bmi", "50.4", "actual weight, the lesser"),  # 18.512, ideal 56.9
        ("60 kg", "by-bmi", "56.909", "ideal weight, the lesser"),
        ("68 kg", "by-bmi", "56.909", "ideal weight, the lesser"),  # 24.977
        ("68.0625 kg", "by-bmi", "61.371", "adjusted"),  # exactly 25
        ("81 kg", "actual", "81", "as asked"),
        ("81 kg", "ideal", "56.909", "as asked"),
        ("81 kg", "adjusted", "66.546", "as asked"),
    ],
)
def test_the_weight_that_a_clearance_counts(weight: str, rule: body.WeightRule, kilograms: str, why: str) -> None:
    got = body.dosing_weight("female", q(weight), q("165 cm"), rule)
    assert close(got, kilograms)
    assert why in got.notes[0]


def test_under_the_rule_actual_neither_height_nor_its_absence_matters() -> None:
    assert close(crcl(height=None, rule="actual"), "46.446")  # 68 x 81 x 0.85 / 100.8


@pytest.mark.parametrize(
    ("years", "woman", "creatinine"), [(60, 0, 1.9), (50, 1, 0.7), (50, 0, 0.9), (80, 0, 0.87), (33, 1, 0.4)]
)
def test_estimated_filtration_by_a_second_reckoning(years: int, woman: int, creatinine: float) -> None:
    knot, low = (0.7, -0.241) if woman else (0.9, -0.302)
    ratio = creatinine / knot
    epi = 142 * min(ratio, 1) ** low * max(ratio, 1) ** -1.2 * 0.9938**years * (1.012 if woman else 1)
    mdrd = 175 * creatinine**-1.154 * years**-0.203 * (0.742 if woman else 1)
    told = (age(f"{years} y"), "female" if woman else "male", q(f"{creatinine} mg/dL"))
    assert float(value(kidney.ckd_epi_2021(*told))) == pytest.approx(epi)  # type: ignore[arg-type]
    assert float(value(kidney.mdrd(*told))) == pytest.approx(mdrd)  # type: ignore[arg-type]


def test_the_race_factor_of_mdrd_is_applied_only_where_it_is_asked_for() -> None:
    told = (age("66 y"), "female", q("1.6 mg/dL"))
    plain, with_factor = kidney.mdrd(*told), kidney.mdrd(*told, with_race_factor=True)  # type: ignore[arg-type]
    assert round(value(with_factor) / value(plain), 6) == Decimal("1.212")
    assert plain.formula.id != with_factor.formula.id


def test_a_child_by_height_and_creatinine() -> None:
    assert close(kidney.schwartz(age("6 y"), q("115 cm"), q("0.5 mg/dL")), "94.99")
    for years, fine in (("11 months", False), ("1 y", True), ("17 y", True), ("18 y", False)):
        assert (kidney.schwartz(age(years), q("100 cm"), q("0.5 mg/dL")).value is not None) is fine
    # nobody falls between the equation for children and the one for adults
    assert kidney.ckd_epi_2021(age("18 y"), "male", q("0.8 mg/dL")).value is not None


def test_the_size_of_a_body() -> None:
    assert close(body.ideal_weight("male", q("70 in")), "73")
    assert close(body.adjusted_weight("male", q("100 kg"), q("70 in")), "83.8")
    assert close(body.bmi(q("81 kg"), q("165 cm")), "29.752")
    assert close(body.bsa_mosteller(q("70 kg"), q("170 cm")), "1.818")
    assert close(body.bsa_dubois(q("70 kg"), q("170 cm")), "1.810")
    assert close(body.target_weight(q("24 kg/m2"), q("165 cm")), "65.34")
    assert close(kidney.deindexed(q("60 mL/min/1.73m2"), q("2 m2")), "69.364")


def test_below_five_feet_the_ideal_weight_says_that_the_line_is_carried_on() -> None:
    assert body.ideal_weight("female", q("152.4 cm")).notes == ()
    short = body.ideal_weight("female", q("147.32 cm"))
    assert close(short, "40.9")
    assert "60 in" in short.notes[0]


# ------------------------------------------------------------------ what is missing, what is refused


def test_everything_that_is_missing_is_named_at_once() -> None:
    got = kidney.cockcroft_gault(None, None, None, None, None)
    assert set(got.missing) == {"age", "sex", "weight", "height", "creatinine"}
    assert got.value is None
    assert got.refused == ()


@pytest.mark.parametrize("name", ["age", "sex", "weight", "height", "creatinine"])
def test_one_missing_input_is_the_one_that_is_named(name: str) -> None:
    got = crcl(**{name: None})
    assert (got.value, got.missing) == (None, (name,))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"creatinine": q("140 mg/dL")}, "creatinine 140 mg/dL"),
        ({"creatinine": q("1.4 mg/L")}, "unit"),
        ({"creatinine": q("0 mg/dL")}, "creatinine 0 mg/dL"),
        ({"age": age("17 y")}, "age 17 y"),
        ({"age": age("121 y")}, "age 121 y"),
        ({"weight": q("810 kg")}, "weight 810 kg"),
        ({"weight": q("81 L")}, "unit"),
        ({"height": q("165 in")}, "height 165 in"),
    ],
)
def test_what_cannot_be_believed_is_refused_with_its_reason(changed: dict[str, object], said: str) -> None:
    got = crcl(**changed)
    assert got.value is None
    assert said in got.refused[0]
    assert got.missing == ()


def test_the_edges_of_what_is_believed_are_inside() -> None:
    for inside in ({"age": age("18 y")}, {"age": age("120 y")}, {"creatinine": q("0.1 mg/dL")}, {"creatinine": q("30 mg/dL")}):
        assert crcl(**inside).value is not None


@pytest.mark.parametrize(
    ("least", "most", "call"),
    [
        ("119.9 cm|120 cm", "230 cm|230.1 cm", lambda x: body.ideal_weight("male", x)),
        ("19.9 kg|20 kg", "500 kg|500.1 kg", lambda x: body.dosing_weight("male", x, None, "actual")),
        ("0.29 kg|0.3 kg", "500 kg|500.1 kg", lambda x: body.bmi(x, q("100 cm"))),
        ("19.9 cm|20 cm", "260 cm|260.1 cm", lambda x: body.bmi(q("10 kg"), x)),
        ("9.9 kg/m2|10 kg/m2", "60 kg/m2|60.1 kg/m2", lambda x: body.target_weight(x, q("170 cm"))),
        ("-1 mL/min/1.73m2|0 mL/min/1.73m2", "250 mL/min/1.73m2|251 mL/min/1.73m2", lambda x: kidney.deindexed(x, q("2 m2"))),
        ("0.09 m2|0.1 m2", "4 m2|4.1 m2", lambda x: kidney.deindexed(q("50 mL/min/1.73m2"), x)),
    ],
)
def test_a_range_ends_where_it_says(least: str, most: str, call: Callable[[Quantity], Answer]) -> None:
    below, first = (call(q(text)).value for text in least.split("|"))
    last, beyond = (call(q(text)).value for text in most.split("|"))
    assert below is None
    assert beyond is None
    assert first is not None
    assert last is not None


def test_an_age_counts_in_completed_years() -> None:
    assert crcl(age=Age(Decimal(12 * 73) - Decimal("0.1"), "72 y")).value == crcl().value


# ------------------------------------------------------------------ what holds for everybody


@settings(max_examples=examples(60), deadline=None)
@given(AGES, SEXES, WEIGHTS, HEIGHTS, CREATININES, CREATININES)
def test_more_creatinine_is_never_better(
    years: Age, sex: Sex, weight: Quantity, height: Quantity, one: Quantity, two: Quantity
) -> None:
    low, high = sorted((one, two), key=lambda c: c.value)
    assert value(kidney.cockcroft_gault(years, sex, weight, height, low)) >= value(
        kidney.cockcroft_gault(years, sex, weight, height, high)
    )
    for formula in (kidney.ckd_epi_2021, kidney.mdrd):
        assert value(formula(years, sex, low)) >= value(formula(years, sex, high))


@settings(max_examples=examples(60), deadline=None)
@given(AGES, AGES, SEXES, WEIGHTS, HEIGHTS, CREATININES)
def test_age_takes_away(one: Age, two: Age, sex: Sex, weight: Quantity, height: Quantity, creatinine: Quantity) -> None:
    young, old = sorted((one, two), key=lambda a: a.months)
    assert value(kidney.cockcroft_gault(young, sex, weight, height, creatinine)) >= value(
        kidney.cockcroft_gault(old, sex, weight, height, creatinine)
    )
    for formula in (kidney.ckd_epi_2021, kidney.mdrd):
        assert value(formula(young, sex, creatinine)) >= value(formula(old, sex, creatinine))


@settings(max_examples=examples(60), deadline=None)
@given(AGES, WEIGHTS, CREATININES)
def test_a_woman_has_the_stated_part_of_a_man_of_the_same_weight(years: Age, weight: Quantity, creatinine: Quantity) -> None:
    def ratio(woman: Answer, man: Answer) -> Decimal:
        return round(value(woman) / value(man), 12)

    both = [kidney.cockcroft_gault(years, s, weight, None, creatinine, "actual") for s in ("female", "male")]  # type: ignore[arg-type]
    assert ratio(*both) == Decimal("0.85")
    assert ratio(*(kidney.mdrd(years, s, creatinine) for s in ("female", "male"))) == Decimal("0.742")  # type: ignore[arg-type]
    above = Quantity(creatinine.value + 1, "mg/dL")  # beyond both knots the two curves run alike
    knots = (7 / 9) ** 1.2
    epi = ratio(*(kidney.ckd_epi_2021(years, s, above) for s in ("female", "male")))  # type: ignore[arg-type]
    assert abs(float(epi) - 1.012 * knots) < 1e-9


@settings(max_examples=examples(60), deadline=None)
@given(AGES, SEXES, WEIGHTS, HEIGHTS, CREATININES)
def test_the_unit_in_which_it_was_told_does_not_matter(
    years: Age, sex: Sex, weight: Quantity, height: Quantity, creatinine: Quantity
) -> None:
    def other(told: Quantity, unit: str, factor: str) -> Quantity:
        return Quantity(told.value / Decimal(factor), unit)

    first = value(kidney.cockcroft_gault(years, sex, weight, height, creatinine))
    pounds, inches = other(weight, "lb", "0.45359237"), other(height, "in", "2.54")
    micromoles = other(creatinine, "umol/L", "0.011312")
    index = value(body.bmi(weight, height))
    # the rule jumps at its limits, which division may round across
    if all(abs(index - limit) > Decimal("1e-9") for limit in (Decimal("18.5"), Decimal(25))):
        assert abs(value(kidney.cockcroft_gault(years, sex, pounds, inches, micromoles)) - first) < Decimal("1e-15")
    assert abs(value(body.bsa_mosteller(pounds, inches)) - value(body.bsa_mosteller(weight, height))) < Decimal("1e-15")


@settings(max_examples=examples(60), deadline=None)
@given(SEXES, WEIGHTS, HEIGHTS)
def test_the_adjusted_weight_lies_between_ideal_and_actual(sex: Sex, weight: Quantity, height: Quantity) -> None:
    ideal, adjusted = value(body.ideal_weight(sex, height)), value(body.adjusted_weight(sex, weight, height))
    assert min(ideal, weight.value) <= adjusted <= max(ideal, weight.value)
    assert value(body.dosing_weight(sex, weight, height)) <= max(ideal, weight.value)
