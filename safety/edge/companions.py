"""A medicine that is named only as what must not be taken with something else: "I can't have my … with the …, so I quit it"."""

from __future__ import annotations

import re

from safety.knowledge.language import Language
from safety.reading.wording import any_of


class Companions:
    """Finds them by the lists of one language; made once, never changed."""

    def __init__(self, language: Language) -> None:
        words = language.words
        denied = rf"(?:(?<![\w-])(?:{any_of(words('denying'))}|cannot)|n['’]t)(?![\w-])"
        behind = rf"{any_of(words('together-with'))}\s+(?P<whose>{any_of(words('before-a-denied-name'))}\s+)?"
        self._denied = re.compile(denied, re.I)
        self._with = re.compile(rf"\s+(?:[\w'’]+\s+){{0,3}}?{behind}", re.I)
        taking = any_of([*words("verbs-of-taking"), *words("verbs-of-intake")])
        self._of_anything = re.compile(rf".*{denied}\s+(?:\w+\s+)?{taking}\s+(?:[\w-]+\s+){{1,3}}?{behind}", re.I)

    def is_one(self, text: str, start: int, end: int | None, other: int) -> bool:
        """Whether the name at `other` is one, in the sentence that begins at `start`: of the name that ends at `end`, or, where
        none stands before, of anything that is taken or eaten, "I can't have grapefruit with my …"."""
        if end is None:
            return self._of_anything.fullmatch(text, start, other) is not None
        return self._denied.search(text, start, other) is not None and self._with.fullmatch(text, end, other) is not None

    def is_taken(self, text: str, start: int, end: int | None, other: int) -> bool:
        """Whether it is somebody's own, or the one that is known: "with my …", "with the …"."""
        hit = self._of_anything.fullmatch(text, start, other) if end is None else self._with.fullmatch(text, end, other)
        return hit is not None and hit["whose"] is not None
