"""Formulas that correct a result for another one, or make one of several, by the name that knowledge calls them by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from safety.formulas.answers import Answer, Formula
from safety.formulas.blood import (
    ANION_GAP,
    CORRECTED_CALCIUM,
    CORRECTED_SODIUM,
    LEVEL_FOR_ALBUMIN,
    anion_gap,
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
NEUTROPHIL_COUNT = Formula(
    "neutrophil-count", "neutrophils of the white cells by their share", "", "white cells x neutrophils / 100", "10*9/L", 2
)
PARTS: Mapping[str, int] = {ANION_GAP.id: 3, NEUTROPHIL_COUNT.id: 2}
"""How many results a formula makes one of: sodium, chloride and bicarbonate; white cells and the share of neutrophils."""


def neutrophil_count(white: Quantity, share: Quantity) -> Answer:
    """Neutrophils in 10*9/L: white cells in 10*9/L x neutrophils in percent / 100."""
    return Answer(NEUTROPHIL_COUNT, white.value * share.value / 100)


WORKED_OUT: Mapping[str, Callable[[Sequence[Quantity]], Answer]] = {
    ANION_GAP.id: lambda parts: anion_gap(*parts),
    NEUTROPHIL_COUNT.id: lambda parts: neutrophil_count(*parts),
}
"""Formulas that make a result of others of the same day, in the order in which knowledge names them."""
