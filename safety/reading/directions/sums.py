"""How an amount is made up, in brackets behind it: "150 (100+50)", "300 bid (2x150)", "15 mg (6 x 2.5)"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

_N: Final = r"\d{1,4}(?:\.\d+)?"
_MADE_UP: Final = re.compile(
    rf"\s*\(\s*(?:(?P<sum>{_N}(?:\s*\+\s*{_N})+)|(?P<many>{_N})\s*x\s*(?P<one>{_N}))\s*(?:mg)?\s*\)", re.I
)
_NUMBER: Final = re.compile(rf"(?<![\d.,/-]){_N}(?![\d.,/-])")


def without_sums(text: str) -> str:
    """The text without brackets that only say again how an amount before them is made up; as it is where they come to another."""
    return _MADE_UP.sub(lambda found: "" if _comes_to_what_is_told(found) else found[0], text)


def _comes_to_what_is_told(found: re.Match[str]) -> bool:
    """Whether the brackets come to a number that stands before them."""
    if found["sum"]:
        total = sum((Decimal(n.strip()) for n in found["sum"].split("+")), Decimal(0))
    else:
        total = Decimal(found["many"]) * Decimal(found["one"])
    return total in {Decimal(n) for n in _NUMBER.findall(found.string[: found.start()])}
