"""What a note names and nobody has: names of people, lists of risks, what is thought of, and what a feeling is likened to."""

from __future__ import annotations

import re
from typing import Literal

from safety.knowledge.language import Language
from safety.reading.wording import any_of

_A_FEW = r"(?:[\w'-]+\s+){0,8}?"


class NotHad:
    """Reads it with the lists of one language; immutable, may be shared."""

    def __init__(self, language: Language) -> None:
        titles = any_of(language.words("titles-before-names"))
        self._names = re.compile(rf"(?<!\w)(?i:{titles})\b\.?(?:\s+[A-Z][\w'’-]+){{1,3}}")
        self._other = re.compile(rf"(?<![\w-]){any_of(language.words('no-problems-in-notes'))}(?![\w-])", re.I)
        told = language.meaning("lists-of-risks")
        of, opens, alone = (any_of(w for w, meaning in told.items() if meaning == what) for what in ("of", "opens", "alone"))
        self._risks = re.compile(rf"(?<![\w-])(?:{of}\b(?!\s+factors)\s+{_A_FEW}{opens}|{alone})(?![\w-])", re.I)
        self._thought = re.compile(rf"(?<![\w-]){any_of(language.words('lists-of-possible-causes'))}(?![\w-])", re.I)
        self._likened = re.compile(rf"(?<![\w-]){any_of(language.words('likened-to'))}\s+(?:\w+\s+){{0,2}}\Z", re.I)

    def standing(self, said: str, start: int, end: int) -> Literal["", "nobody", "suspected"]:
        """Whether what a sentence names from here to there is had by nobody, or only thought of; empty where it may be had."""
        inside = any(
            hit.start() <= start and end <= hit.end() for hit in (*self._names.finditer(said), *self._other.finditer(said))
        )
        before = said[:start]
        if inside or self._risks.search(before) is not None or self._likened.search(before) is not None:
            return "nobody"
        return "suspected" if self._thought.search(before) is not None else ""
