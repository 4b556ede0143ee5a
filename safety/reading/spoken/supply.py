"""How long a filled bottle lasted, from what was said or told in fields: too long, too short, or nothing to go by."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from safety.model import events as e
from safety.reading.spoken.matching import Hit

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


class Supply(Struct, frozen=True):
    """A filled bottle: how many units or days it holds, how long ago it was filled, and whether some is left."""

    units: Decimal | None = None
    days: Decimal | None = None
    elapsed: Decimal | None = None
    left: bool | None = None

    def lasts(self, units_per_day: Fraction | None) -> Fraction | None:
        """For how many days it is meant to last."""
        if self.days is not None:
            return Fraction(self.days)
        if self.units is not None and units_per_day:
            return Fraction(self.units) / units_per_day
        return None


def supply_in(hits: Mapping[str, Hit]) -> Supply:
    """What the rows of the table `supply` read, by what they say."""
    holds, told, span = hits.get("holds"), hits.get("supply-days"), hits.get("lasted") or hits.get("filled")
    left = True if "some-left" in hits else False if hits.keys() & {"none-left", "lasted"} else None
    return Supply(Decimal(holds.read["units"]) if holds else None, _days(told), _days(span), left)


def supply_says(supply: Supply, units_per_day: Fraction | None) -> str | None:
    """Whether a bottle lasted longer than doses as prescribed would (some were left out), or not as long; None: no telling."""
    lasts = supply.lasts(units_per_day)
    if lasts is None or supply.elapsed is None:
        return None
    elapsed = Fraction(supply.elapsed)
    if supply.left is False:
        return e.LASTED_SHORT if elapsed < lasts else e.RAN_OUT if elapsed > lasts else None
    return e.LASTED_LONG if elapsed > lasts else None


def _days(hit: Hit | None) -> Decimal | None:
    """So many days, weeks or months as days; "a week" is one."""
    if hit is None or hit.read["period"] not in _DAYS:
        return None
    return Decimal(hit.read.get("many", "1")) * _DAYS[hit.read["period"]]
