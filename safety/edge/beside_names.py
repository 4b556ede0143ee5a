"""What is told beside a name that is easily misread: its level, and that it is borne by somebody who reacts to another."""

from __future__ import annotations

import re

from safety.knowledge.language import Language
from safety.reading.wording import any_of

_FAR = 120
"""So many characters before a name an allergy may be told, beside which it is told to be borne."""
_STOP = re.compile(r"[.!?]\s|\n")
_ORDERS = frozenset({"change", "hold", "stop", "restart", "start", "continue"})


class BesideNames:
    """Reads by the lists of one language; made once, never changed."""

    def __init__(self, language: Language) -> None:
        words = language.words
        verbs = [verb for verb, act in language.meaning("verbs-of-acts").items() if act in _ORDERS and "~" not in verb]
        self._ordered = re.compile(
            rf"\s+{any_of(words('names-of-a-test'))}\s+(?:[\w:]+\s+){{0,3}}?[<>]?\d+(?:\.\d+)?[^,;.\n]*(?:[,;]|\.(?=\s)|\s[-–—]+)\s+"
            rf"(?:[\w-]+\s+){{0,2}}?{any_of(verbs)}(?![\w-])", re.I,
        )  # fmt: skip
        allergy = any_of([*words("of-allergies"), *words("of-reactions"), *words("signs-of-an-allergy")])
        borne = rf"{any_of(words('borne-beside-an-allergy'))}\s+(?:\w+\s+){{0,2}}?\Z"
        self._borne = re.compile(rf"(?<![\w-]){allergy}(?![\w-]).*(?<![\w-]){borne}", re.I | re.S)

    def is_ordered_by_its_level(self, text: str, end: int, until: int) -> bool:
        """Whether a medicine of which the level is told is dosed by it: "tacro level 14, decrease to 2 mg BID"."""
        return self._ordered.match(text, end, until) is not None

    def is_borne(self, text: str, start: int, at: int) -> bool:
        """Whether a medicine without a dose is only told to be borne by somebody who reacts to another, in one
        sentence: "PCN allergy; tolerates cefazolin", not "PCN (hives). Tolerates apixaban". `start`: where the turn begins.
        """
        begin = max(start, at - _FAR)
        stops = [hit.end() for hit in _STOP.finditer(text, begin, at)]
        return self._borne.search(text, stops[-1] if stops else begin, at) is not None
