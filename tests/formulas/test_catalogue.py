"""The list of formulas: each can be asked for by text, its example works, and its inputs agree with the knowledge."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from tables import content, units

from safety.formulas import inputs
from safety.formulas.answers import Answer, rounded
from safety.formulas.catalogue import CALCULATORS, Ask, Calculator, read
from safety.formulas.inputs import Input
from safety.model.quantity import number

ALL = pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda c: c.id)
INPUTS = {i.name: i for i in vars(inputs).values() if isinstance(i, Input)}
LABS = {
    "creatinine": "creatinine", "sodium": "sodium", "bicarbonate": "bicarbonate", "glucose": "glucose", "bun": "bun",
    "calcium": "calcium", "albumin": "albumin", "bilirubin": "bilirubin-total", "inr": "inr", "alt": "alt", "ast": "ast",
    "platelets": "platelets", "cholesterol": "total-cholesterol", "hdl": "hdl-cholesterol", "triglycerides": "triglycerides",
    "heart rate": "heart-rate", "systolic": "systolic-blood-pressure", "diastolic": "diastolic-blood-pressure",
}  # fmt: skip


def given(calculator: Calculator, *, without: str = "") -> dict[str, object]:
    return {a.key: read(a, a.example, units()) for a in calculator.asks if a.key != without}


def answered(answer: Answer) -> bool:
    return answer.value is not None or answer.day is not None


def test_no_two_formulas_share_a_name() -> None:
    assert len({c.id for c in CALCULATORS}) == len(CALCULATORS) >= 35


@ALL
def test_the_examples_of_a_formula_give_an_answer(calculator: Calculator) -> None:
    told = given(calculator)
    assert None not in told.values()
    answer = calculator.answer(told)
    assert answered(answer), (answer.missing, answer.refused)
    assert answer.shown
    assert answer.used
    assert answer.formula == calculator.formula


@ALL
def test_each_input_that_is_not_told_is_named_by_its_own_key(calculator: Calculator) -> None:
    for ask in calculator.asks:
        answer = calculator.answer(given(calculator, without=ask.key))
        if not ask.optional:
            assert not answered(answer), ask.key
            assert [m.replace(" ", "-") for m in answer.missing] == [ask.key]


@ALL
def test_nothing_about_a_patient_raises(calculator: Calculator) -> None:
    assert not answered(calculator.answer({}))
    for ask in calculator.asks:
        if ask.kind == "amount":
            for text in ("0", "-1 kg", "999999 kg", "1 mL"):
                got = read(ask, text, units())
                calculator.answer({**given(calculator), ask.key: got})


@pytest.mark.parametrize(
    ("ask", "text", "fine"),
    [
        (Ask("creatinine", "amount", "1.4 mg/dL"), "1.4", False),
        (Ask("creatinine", "amount", "1.4 mg/dL"), "124 µmol/L", True),
        (Ask("inr", "amount", "1.5"), "1.5", True),
        (Ask("age", "age", "72 y"), "72", True),
        (Ask("age", "age", "72 y"), "old", False),
        (Ask("stroke", "yes", "no"), "Yes", True),
        (Ask("stroke", "yes", "no"), "maybe", False),
        (Ask("on", "day", "2026-06-01"), "06/01/2026", False),
        (Ask("cycle-days", "count", "28"), "-3", False),
    ],
)
def test_inputs_are_read_or_not_read_but_never_guessed(ask: Ask, text: str, fine: bool) -> None:
    assert (read(ask, text, units()) is not None) is fine


@pytest.mark.parametrize("name", sorted(LABS))
def test_units_and_believable_ranges_are_those_of_the_labs(name: str) -> None:
    one, lab = INPUTS[name], content(f"kb/labs/{LABS[name]}.yaml")
    assert one.unit == lab["unit"]
    others = {o["unit"]: Fraction(str(o["factor"])) for o in lab.get("other_units", [])}
    assert {u: Fraction(f) for u, f in one.others.items() if u} == others
    assert ("" in one.others) == (lab.get("unitless") == "yes" or lab.get("unitless") is True)
    plausible = {k: str(v).split(" ")[0] for k, v in lab["plausible"].items()}
    assert {"at_least": number(one.at_least), "at_most": number(one.at_most)} == {k: number(v) for k, v in plausible.items()}


@pytest.mark.parametrize("one", [inputs.WEIGHT, inputs.HEIGHT], ids=lambda i: i.name)
def test_weights_and_lengths_convert_as_the_units_do(one: Input) -> None:
    from safety.model.quantity import Quantity

    for unit, factor in one.others.items():
        assert units().convert(Quantity(Decimal(1), unit), one.unit) == Decimal(factor)


def test_rounding_is_half_up() -> None:
    assert [str(rounded(Decimal(x), 0)) for x in ("2.5", "3.5", "2.4999")] == ["3", "4", "2"]


@ALL
def test_a_formula_says_where_it_comes_from_and_how_that_was_checked(calculator: Calculator) -> None:
    f = calculator.formula
    assert f.citation
    assert (f.checked == "recalled") == (f.copy == "")
