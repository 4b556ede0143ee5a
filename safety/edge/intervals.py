"""How often, where talk has no word for it and directions do: "q2wk", "monthly", "MWF", "q6mo"."""

from __future__ import annotations

import re

from safety.edge.extraction import Quoted, Span
from safety.knowledge.language import Language
from safety.reading.directions.sig import read_sig
from safety.reading.directions.words import Lexicon
from safety.reading.wording import any_of
from safety.text import lowered

_LONG = frozenset({"week", "month", "year"})
_DAY = "day"


class Intervals:
    """Finds them by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        days = {w for w, period in language.meaning("periods").items() if period == _DAY}
        words = [
            *(w for w in language.meaning("periods") if w not in days),
            *(w for w in language.meaning("weekday-sets") if " " not in w),
        ]
        units = any_of(w for w, unit in language.meaning("time-units").items() if unit in _LONG)
        self._months = re.compile(
            rf"\d\s?-?{any_of(w for w, unit in language.meaning('time-units').items() if unit == 'month')}\Z", re.I
        )
        every = rf"(?:q|every|each)\.?\s?(?:\d{{1,2}}(?:\s?-\s?\d{{1,2}})?\s?-?)?{units}"
        self._told = re.compile(rf"(?<![\w/-])(?:{any_of(words)}|{every})(?![\w/-])", re.I)

    def of_months(self, text: str, start: int, end: int) -> Quoted | None:
        """What stands between two places, where it is nothing but so many months, which are no number of days."""
        found = self.of(text, start, end)
        return (
            found
            if found is not None and found.span.end - found.span.start == end - start and self._months.search(found.value)
            else None
        )

    def of(self, text: str, start: int, end: int) -> Quoted | None:
        """The first that is told between two places, as directions read it."""
        for hit in self._told.finditer(text, start, end):
            words = " ".join(lowered(hit[0]).split())
            if read_sig(f"1 tablet {words}", self._lexicon).times_per_day is not None:
                return Quoted(Span(hit.start(), hit.end(), hit[0]), words)
        return None
