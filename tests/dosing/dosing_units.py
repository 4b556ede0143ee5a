"""The few units that the dosing tests need, made by hand; `kb/units.yaml` is tested elsewhere."""

from __future__ import annotations

from fractions import Fraction

from conftest import compiled

from safety.model.quantity import Units
from safety.reading.directions.words import lexicon_of

UNITS = Units(
    {
        "mass": {"g": Fraction(1), "mg": Fraction(1, 1000), "mcg": Fraction(1, 10**6), "kg": Fraction(1000), "oz": Fraction(28)},
        "volume": {"L": Fraction(1), "mL": Fraction(1, 1000), "tsp": Fraction(5, 1000), "tbsp": Fraction(15, 1000)},
        "activity": {"unit": Fraction(1)},
        "charge": {"mEq": Fraction(1)},
        "time": {"d": Fraction(1), "h": Fraction(1, 24), "min": Fraction(1, 1440)},
        "amount": {"mmol": Fraction(1)},
        "area": {"m2": Fraction(1)},
        "length": {"in": Fraction(1)},
    },
    {
        "mg": ["milligram", "milligrams", "MG"],
        "g": ["gram", "grams", "gm"],
        "mcg": ["microgram", "micrograms", "ug", "µg"],
        "mL": ["ml", "mls", "milliliter", "milliliters", "cc"],
        "tsp": ["teaspoon", "teaspoons", "teaspoonful"],
        "unit": ["units", "U", "IU", "international units"],
        "in": ["inch", "inches"],
        "h": ["hr", "hour", "hours"],
        "%": ["percent"],
    },
    ["tablet", "capsule", "caplet", "puff", "spray", "drop", "patch", "suppository", "packet", "dose"],
)

LEX = lexicon_of(compiled().library.language, UNITS)
"""The words of the checkout, with these units."""
