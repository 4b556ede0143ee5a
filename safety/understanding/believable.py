"""Facts about the patient's body that cannot be, alone or together: a weight of 4 kg at 40 years, a height of 3 m."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Bound, Library
from safety.model.patient import Age, Patient, age_from_birth, age_months
from safety.model.quantity import Quantity, Units, counted

_TABLE = "believable"
_BANDS = ("newborn", "infant", "young child", "child", "adolescent", "adult")
_MOST_APART = 24
"""Months between an age and a day of birth that still go together: an age may be some months old."""


class Doubt(Struct, frozen=True):
    """A fact that is not believed, why, and what to ask; `contradicts`: it cannot be together with another one."""

    fact: str
    text: str
    ask: str
    contradicts: bool = False


def believed(patient: Patient, age: Age | None, day: date, library: Library) -> tuple[Patient, tuple[Doubt, ...]]:
    """The patient without a weight or height that is not believed; and each doubt."""
    doubts = [*_of_age(patient, age, day, library), *_of_body(patient, age, library)]
    gone = {d.fact for d in doubts}
    left = {fact: None for fact in ("weight", "height") if fact in gone}
    return (replace(patient, **left) if left else patient), tuple(doubts)


def _of_age(patient: Patient, age: Age | None, day: date, library: Library) -> Iterator[Doubt]:
    born = patient.birth_date
    if age is not None and not _within(age, _bounds(library, "age")):
        yield Doubt("age", f"age {age.text}: implausible", "Is the age right?")
    if patient.age is not None and born is not None and born <= day:
        by_birth = age_from_birth(born, day)
        if abs(by_birth.months - patient.age.months) >= _MOST_APART:
            text = f"age {patient.age.text}, and born on {born}: that would be {by_birth.text}"
            ask = f"Which holds: an age of {patient.age.text}, or the day of birth, {born}?"
            yield Doubt("birth_date", text, ask, contradicts=True)
    expecting = patient.pregnancy is not None and patient.pregnancy.present
    if age is not None and (expecting or patient.breastfeeding) and not _within(age, _bounds(library, "age at a pregnancy")):
        state = "pregnant" if expecting else "breastfeeding"
        ask = f"Is it right that the patient, {age.text}, is {state}?"
        yield Doubt("pregnancy", f"{state} at an age of {age.text}", ask, contradicts=True)


def may_expect(patient: Patient, age: Age | None, library: Library) -> bool:
    """Whether the patient may be pregnant, as far as sex, age and what is told of a pregnancy say."""
    if patient.sex == "male" or patient.pregnancy is not None:
        return False
    return age is None or _within(age, _bounds(library, "age at a pregnancy"))


def _of_body(patient: Patient, age: Age | None, library: Library) -> Iterator[Doubt]:
    if patient.weight is None and patient.height is None:
        return
    units = library.units
    band = next((b for b in _BANDS if age is None or _within(age, _bounds(library, f"age of {_a(b)}"))), "adult")
    doubted = False
    for fact, amount in (("weight", patient.weight), ("height", patient.height)):
        if amount is not None and not _believable(amount, fact, age, band, library):
            doubted = True
            of = f" at {age.text}" if age is not None else ""
            yield Doubt(fact, f"{fact} {counted(amount)}{of}: implausible", f"Is {fact} {counted(amount)} right, and its unit?")
    grown = age is None or _within(age, _bounds(library, "age from which the body mass index counts"))
    index = _mass_index(patient, units) if grown and not doubted else None
    if index is not None and not _keeps(index, _bounds(library, "body mass index"), units):
        told = " and ".join(counted(q) for q in (patient.weight, patient.height) if q is not None)
        for fact in ("weight", "height"):
            yield Doubt(fact, f"{fact}: {told} do not go together", f"Are weight and height right, {told}?", contradicts=True)


def _believable(amount: Quantity, fact: str, age: Age | None, band: str, library: Library) -> bool:
    """Whether a weight or height can be that of somebody of this age; of no age told, of anybody."""
    bands = _BANDS if age is None else (band,)
    return any(_keeps(amount, _bounds(library, f"{fact} of {_a(b)}"), library.units) for b in bands)


def _mass_index(patient: Patient, units: Units) -> Quantity | None:
    kg = units.convert(patient.weight, "kg") if patient.weight is not None else None
    m = units.convert(patient.height, "m") if patient.height is not None else None
    return Quantity(kg / (m * m), "kg/m2") if kg is not None and m else None


def _bounds(library: Library, row: str) -> tuple[Bound, ...]:
    return library.figure(_TABLE, row)


def _within(age: Age, bounds: tuple[Bound, ...]) -> bool:
    return all(_kept(b.op, age.months, age_months(b.text) or Decimal(0)) for b in bounds)


def _keeps(amount: Quantity, bounds: tuple[Bound, ...], units: Units) -> bool:
    compared = [(b.op, units.compare(amount, b.value)) for b in bounds]
    return all(order is not None and _kept(op, Decimal(order), Decimal(0)) for op, order in compared)


def _kept(op: str, value: Decimal, bound: Decimal) -> bool:
    if op in ("at_least", "above"):
        return value >= bound if op == "at_least" else value > bound
    return value <= bound if op == "at_most" else value < bound


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
