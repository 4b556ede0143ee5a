"""For how many days a taper lasts: "40 mg, down 10 mg every three days and then off", "40 x3d, 20 x3d, 10 x3d then off"."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal

from safety.knowledge.language import Language
from safety.model.quantity import number
from safety.reading.wording import alone, any_of
from safety.text import lowered

_DAYS = {"day": 1, "week": 7}
_TWO = 2


class Tapers:
    """Reads tapers by the lists of one language; made once, never changed."""

    def __init__(self, language: Language) -> None:
        units = {w: u for w, u in language.meaning("time-units").items() if u in _DAYS}
        self._units = units
        self._ends = alone(language.words("ends-a-taper"))
        self._by = re.compile(
            rf"(?<![\w.])(?P<by>\d+(?:\.\d+)?)\s*[a-z]*\s+(?:every|q)\s*(?:(?P<n>\d{{1,2}})\s*)?(?P<u>{any_of(units)})(?!\w)",
            re.I,
        )
        self._step = re.compile(rf"(?<![\w.])(?:x|for)\s?(?P<n>\d{{1,2}})[\s-]?(?P<u>{any_of(units)})(?!\w)", re.I)

    def days(self, said: str, dose: str | None) -> Decimal | None:
        """How long what begins with a dose is taken, where words tell its steps and that it ends with the last; else None."""
        end = self._ends.search(said)
        if end is None:
            return None
        steps = list(self._step.finditer(said, 0, end.start()))
        if len(steps) >= _TWO:
            return Decimal(sum(int(hit["n"]) * self._long(hit) for hit in steps))
        by = self._by.search(said, 0, end.start())
        start = number((dose or "").partition(" ")[0])
        if by is None or start is None or not Decimal(by["by"]) or start < Decimal(by["by"]):
            return None
        many = (start / Decimal(by["by"])).to_integral_value(ROUND_CEILING)
        return many * int(by["n"] or 1) * self._long(by)

    def _long(self, hit: re.Match[str]) -> int:
        return _DAYS[self._units[lowered(hit["u"])]]
