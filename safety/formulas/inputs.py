"""The inputs of formulas: the unit each is counted in, the units it may be told in, and what is believable."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from msgspec import Struct

from safety.formulas.answers import Answer, Formula, Used, decimal
from safety.model.patient import Age, Sex
from safety.model.quantity import Quantity, plain


class Input(Struct, frozen=True):
    """One input: its unit, other units with their factor (and offset) to it, and the believable range in the former.

    `unitless` inputs may be told as a bare number (an empty unit).
    """

    name: str
    unit: str
    others: dict[str, str] = {}
    at_least: str = "0"
    at_most: str = "1000000"
    offsets: dict[str, str] = {}

    def amount(self, given: Quantity) -> Fraction | None:
        """The amount in this input's unit; None for a unit that it cannot be told in."""
        if given.unit == self.unit:
            return Fraction(given.value)
        factor = self.others.get(given.unit)
        return None if factor is None else Fraction(given.value) * Fraction(factor) + Fraction(self.offsets.get(given.unit, 0))

    def counted(self, given: Quantity | Age) -> Fraction | None:
        """The amount in this input's unit, an age in completed years; None for a unit that it cannot be told in."""
        return Fraction(int(given.months // 12)) if isinstance(given, Age) else self.amount(given)

    def within(self, at_least: str | None = None, at_most: str | None = None) -> Input:
        """The same input with the narrower range that a formula is valid in."""
        return Input(self.name, self.unit, self.others, at_least or self.at_least, at_most or self.at_most, self.offsets)


# The factors are those of `kb/units.yaml` and `kb/labs/`; a test holds the two equal.
AGE = Input("age", "y", at_most="120")
ADULT = AGE.within("18")
WEIGHT = Input("weight", "kg", {"g": "0.001", "lb": "0.45359237", "oz": "0.028349523125"}, "0.3", "500")
HEIGHT = Input("height", "cm", {"m": "100", "mm": "0.1", "in": "2.54", "ft": "30.48"}, "20", "260")
_CHARGE = {"mEq/L": "1"}
_MOLES_OF_UREA = {"mmol/L": "2.8014"}
_CHOLESTEROL = {"mmol/L": "38.665"}
SODIUM = Input("sodium", "mmol/L", _CHARGE, "90", "200")
CHLORIDE = Input("chloride", "mmol/L", _CHARGE, "50", "150")
BICARBONATE = Input("bicarbonate", "mmol/L", _CHARGE, "2", "60")
GLUCOSE = Input("glucose", "mg/dL", {"mmol/L": "18.0156"}, "10", "2000")
UREA_NITROGEN = Input("bun", "mg/dL", _MOLES_OF_UREA, "1", "300")
TOTAL_CALCIUM = Input("calcium", "mg/dL", {"mmol/L": "4.0078", "mEq/L": "2.0039"}, "3", "25")
TOTAL_LEVEL = Input("level", "mcg/mL", {}, "0", "200")
SERUM_ALBUMIN = Input("albumin", "g/dL", {"g/L": "0.1"}, "0.5", "8")
BILIRUBIN = Input("bilirubin", "mg/dL", {"umol/L": "0.058466"}, "0", "60")
INR = Input("inr", "INR", {"": "1"}, "0.5", "20")
ALT = Input("alt", "unit/L", {"ukat/L": "60"}, "0", "20000")
AST = Input("ast", "unit/L", {"ukat/L": "60"}, "0", "25000")
PLATELETS = Input("platelets", "10*9/L", {"/uL": "0.001", "G/L": "1", "K": "1"}, "1", "3000")
CHOLESTEROL = Input("cholesterol", "mg/dL", _CHOLESTEROL, "30", "1500")
HDL = Input("hdl", "mg/dL", _CHOLESTEROL, "3", "200")
TRIGLYCERIDES = Input("triglycerides", "mg/dL", {"mmol/L": "88.57"}, "10", "15000")
HEART_RATE = Input("heart rate", "/min", {}, "20", "350")
QT = Input("qt", "ms", {"s": "1000"}, "150", "900")
SYSTOLIC = Input("systolic", "mmHg", {"kPa": "7.500617"}, "30", "300")
DIASTOLIC = Input("diastolic", "mmHg", {"kPa": "7.500617"}, "15", "200")
CREATININE = Input("creatinine", "mg/dL", {"umol/L": "0.011312", "mmol/L": "11.312"}, "0.1", "30")


class Gathered(Struct):
    """Inputs in their units, and how each is to be shown."""

    amount: dict[str, Fraction]
    used: list[Used]

    def __getitem__(self, name: str) -> Fraction:
        return self.amount[name]


def gather(
    formula: Formula, *wanted: tuple[Input, Quantity | Age | None], sex: Sex | bool | None = False, missing: Sequence[str] = ()
) -> Gathered | Answer:
    """Every input in its own unit; else an answer that names all that is missing and all that cannot be believed.

    `sex` is given (None: not told) only by formulas that need it.
    """
    got = Gathered({}, [])
    lacking: list[str] = list(missing)
    refused: list[str] = []
    for one, given in wanted:
        if given is None:
            lacking.append(one.name)
            continue
        amount = one.counted(given)
        told = given.text if isinstance(given, Age) else str(given)
        wrong = outside(one, told, amount)
        if wrong or amount is None:
            refused.append(wrong)
        else:
            got.amount[one.name] = amount
            got.used.append(Used(one.name, told, _note(one, told, amount)))
    if sex is None:
        lacking.append("sex")
    elif isinstance(sex, str):
        got.used.append(Used("sex", sex))
    if lacking or refused:
        return Answer(formula, used=tuple(got.used), missing=tuple(lacking), refused=tuple(refused))
    return got


def outside(one: Input, told: str, amount: Fraction | None) -> str:
    """Why an input cannot be taken: its unit, or an amount that is not believable here; empty where it can."""
    if amount is None:
        units = ", ".join(u for u in (one.unit, *one.others) if u)
        return f"{one.name} {told} is not in a unit that it can be read in ({units})"
    if not Fraction(one.at_least) <= amount <= Fraction(one.at_most):
        return f"{one.name} {told} is outside {one.at_least} to {one.at_most} {one.unit}, where this formula is used".replace(
            "  ", " "
        )
    return ""


def answered(formula: Formula, value: Fraction | Decimal, used: Sequence[Used], notes: Sequence[str] = (), **more: Any) -> Answer:
    """An answer with a value."""
    exact = value if isinstance(value, Decimal) else decimal(value)
    return Answer(formula, exact, tuple(used), notes=tuple(notes), **more)


def unanswered(formula: Formula, part: Answer) -> Answer:
    """A formula that could not be answered because a part of it could not."""
    return Answer(formula, used=part.used, missing=part.missing, refused=part.refused, notes=part.notes)


def merged(*used: Sequence[Used]) -> tuple[Used, ...]:
    """Inputs of several steps, each named once."""
    seen: dict[str, Used] = {}
    for one in (u for some in used for u in some):
        seen.setdefault(one.name, one)
    return tuple(seen.values())


def _note(one: Input, told: str, amount: Fraction) -> str:
    counted = f"{plain(decimal(amount))} {one.unit}".strip()
    if counted == told:
        return ""
    return f"counted as {plain(round(decimal(amount), 4))} {one.unit}".strip()
