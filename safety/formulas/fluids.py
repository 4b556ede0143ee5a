"""Maintenance fluids by weight."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from safety.formulas.answers import Answer, Formula
from safety.formulas.inputs import WEIGHT, answered, gather
from safety.model.patient import Age
from safety.model.quantity import Quantity

MAINTENANCE = Formula(
    "fluids", "maintenance fluids (4-2-1)", "1957, by the hour",
    "Holliday MA, Segar WE. The maintenance need for water in parenteral fluid therapy. Pediatrics 1957;19:823-832", "mL/h", 0,
    "secondary", "https://www.pediatricir.com/fluid-replacement.html",
)  # fmt: skip
_ADULT_MONTHS = 18 * 12
_LEAST_ADULT = 20
_DAYS_IN_A_MONTH = Decimal("30.4375")  # as ages told in days are counted
_NEWBORN_DAYS = Decimal("27.9999")  # 28 days in months and back again lose the last digits


def maintenance_fluids(weight: Quantity | None, age: Age | None = None) -> Answer:
    """Maintenance fluid in mL/h: 4 mL/kg for the first 10 kg, 2 for the next 10, 1 for each kg above 20.

    Not for newborns: at 10 kg and less the age is needed, and under 28 days the formula is refused. A grown person of less
    than 20 kg is refused as a slip. 0.3 to 500 kg.
    """
    got = gather(MAINTENANCE, (WEIGHT, weight))
    if isinstance(got, Answer):
        return got
    kilograms = got["weight"]
    if age is None and kilograms <= 10:
        return Answer(MAINTENANCE, used=tuple(got.used), missing=("age",))
    if age is not None and age.months * _DAYS_IN_A_MONTH < _NEWBORN_DAYS:
        return Answer(MAINTENANCE, used=tuple(got.used), refused=(f"age {age.text} is under 28 days, where 4-2-1 is not used",))
    if age is not None and age.months >= _ADULT_MONTHS and kilograms < _LEAST_ADULT:
        return Answer(MAINTENANCE, used=tuple(got.used), refused=(f"weight {weight} at age {age.text} is not believable",))
    # the first ten count four, the second ten two, the rest one: one for all, one more up to 20, two more up to 10
    value = kilograms + min(kilograms, Fraction(20)) + 2 * min(kilograms, Fraction(10))
    return answered(MAINTENANCE, value, got.used)
