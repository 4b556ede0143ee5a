"""How long a filled bottle lasted, from what was said or told in fields: too long, too short, or nothing to go by."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from safety.reading.spoken import reported as r
from safety.reading.spoken.words import plain_words

_DAYS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "month": 30, "months": 30}
_N = r"(\d+(?:\.\d+)?|a|an|last)"
_FILLED = re.compile(
    rf"\b(?:filled|picked (?:it |them )?up|got (?:it|them)|refilled)\b (?:\w+ ){{0,3}}?{_N} (days?|weeks?|months?) ago"
)
_BOTTLE = re.compile(
    r"\b(?:bottle|supply|box|pack|prescription|script) of (\d+)\b|\b(\d+) (?:pills|tablets|capsules) "
    r"(?:(?:were|was) filled|(?:and )?(?:\w+ ){0,3}(?:gone|lasted|used up|finished|empty|out))"
)
_SUPPLY = re.compile(
    rf"\b(?:{_N} |(?=weeks? |months? ))(day|days|weeks?|months?)(?: s)? supply\b|\bsupply (?:of|for) (\d+) "
    rf"(days)"
)
_LASTED = re.compile(
    rf"\b(?:(?:only )?lasted (?:me |him |her )?(?:only )?|(?:gone|empty|used up|finished|out) (?:in|after|within) (?:only |"
    rf"just )?)"
    rf"{_N} (days?|weeks?|months?)\b"
)
_LEFT = re.compile(r"\b(?:still have|(?:some|\d+|a few|plenty|lots?|half)(?: \w+)? left|left over|not finished|half full)\b")
_EMPTY = re.compile(r"\b(?:empty|ran out|run out|all gone|none left|no more|finished|gone|used (?:it|them) up|am out)\b")


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


def supply_told(text: str) -> Supply:
    """What a statement says of a filled bottle."""
    words = plain_words(text)
    bottle, supply, filled, lasted = (p.search(words) for p in (_BOTTLE, _SUPPLY, _FILLED, _LASTED))
    days = None
    if supply:
        days = Decimal(supply[3]) if supply[3] else _count(supply[1] or "a") * _DAYS[supply[2]]
    span = lasted or filled
    elapsed = _count(span[1]) * _DAYS[span[2]] if span else None
    left = True if _LEFT.search(words) else False if _EMPTY.search(words) or lasted else None
    return Supply(Decimal(bottle[1] or bottle[2]) if bottle else None, days, elapsed, left)


def supply_says(supply: Supply, units_per_day: Fraction | None) -> str | None:
    """Whether a bottle lasted longer than doses as prescribed would (some were left out), or not as long; None: no telling."""
    lasts = supply.lasts(units_per_day)
    if lasts is None or supply.elapsed is None:
        return None
    elapsed = Fraction(supply.elapsed)
    if supply.left is False:
        return r.LASTED_SHORT if elapsed < lasts else r.RAN_OUT if elapsed > lasts else None
    return r.LASTED_LONG if elapsed > lasts else None


def _count(word: str) -> Decimal:
    return Decimal(1) if word in ("a", "an", "last") else Decimal(word)
