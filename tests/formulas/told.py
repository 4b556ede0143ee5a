"""Short ways to say an age and an amount, for tests of formulas."""

from __future__ import annotations

from decimal import Decimal

from safety.formulas.answers import Answer
from safety.model.patient import Age, age_months
from safety.model.quantity import Quantity


def q(text: str) -> Quantity:
    """`1.4 mg/dL`; a bare number has an empty unit."""
    value, _, unit = text.partition(" ")
    return Quantity(Decimal(value), unit)


def age(text: str) -> Age:
    """`72 y`."""
    months = age_months(text)
    assert months is not None, text
    return Age(months, text)


def value(answer: Answer) -> Decimal:
    """The value of an answer that must have one."""
    assert answer.value is not None, (answer.missing, answer.refused)
    return answer.value
