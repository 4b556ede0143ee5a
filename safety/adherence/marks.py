"""The four ways in which a dose can be right or wrong, and one word for all of them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Mark = Literal["CORRECT", "HIGH", "LOW", "UNKNOWN"]
C: Mark = "CORRECT"
H: Mark = "HIGH"
L: Mark = "LOW"
U: Mark = "UNKNOWN"


class Axes(Struct, frozen=True):
    """One dose, the day, how often, and when."""

    per_dose: Mark = U
    per_day: Mark = U
    frequency: Mark = U
    timing: Mark = U


def overall(axes: Axes) -> Mark:
    """One word for all: too much at once or in a day comes first, then anything too little, then too often.

    CORRECT needs dose, day and frequency to be told; the part of the day is asked for, but does not hold it up.
    """
    if H in (axes.per_dose, axes.per_day):
        return H
    if L in (axes.per_dose, axes.per_day, axes.frequency, axes.timing):
        return L
    if H in (axes.frequency, axes.timing):
        return H
    return C if axes.per_dose == axes.per_day == axes.frequency == C else U
