"""Formulas that correct a result for another one of the same days, by the name that knowledge calls them by."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from safety.formulas.answers import Answer, Formula
from safety.formulas.blood import (
    CORRECTED_CALCIUM,
    CORRECTED_SODIUM,
    LEVEL_FOR_ALBUMIN,
    corrected_calcium,
    corrected_sodium,
    level_for_albumin,
)
from safety.model.quantity import Quantity

Correct = Callable[[Quantity, Quantity, bool], Answer]
"""The result, the other one that corrects it, and whether the kidneys have failed; both in the units of their tests."""

FORMULAS: Mapping[str, Formula] = {f.id: f for f in (CORRECTED_CALCIUM, CORRECTED_SODIUM, LEVEL_FOR_ALBUMIN)}
CORRECTIONS: Mapping[str, Correct] = {
    CORRECTED_CALCIUM.id: lambda result, other, _: corrected_calcium(result, other),
    CORRECTED_SODIUM.id: lambda result, other, _: corrected_sodium(result, other),
    LEVEL_FOR_ALBUMIN.id: level_for_albumin,
}
