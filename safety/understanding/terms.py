"""What conditions, allergies and tests are called: codes and text → the library's terms."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from safety.knowledge.library import Lab, Library
from safety.model.patient import Code, LabResult, Told
from safety.reading.names.resolver import Resolver
from safety.text import fold
from safety.understanding.allergies import AllergyReader
from safety.understanding.intake import foods_by_name
from safety.understanding.meaning import meaning_reader
from safety.understanding.vocabulary import TERMS

_HISTORY = re.compile(
    r"^(?:(?:past|personal|previous|prior|known)? ?(?:medical )?(?:history|hx) of (?:an? )?"
    r"|h / o |prior |previous |s / p |status post )"
)
_NEAR = 88
_REMEMBERED = 4096
_CONDITION_WORDS = frozenset(["disorder", "finding", "situation", "diagnosis", "diagnosed"])
_BESIDE = _CONDITION_WORDS | frozenset(
    ["left", "right", "bilateral", "chronic", "known", "new", "newly", "longstanding", "stable", "controlled", "uncontrolled",
     "well", "poorly"]
)  # fmt: skip
"""Words beside a problem that leave it what it is; how severe it is, is not among them: that may be another problem."""


class Terms:
    """Looks conditions, allergies and tests up by code or text; immutable, made once for a library."""

    def __init__(self, library: Library, resolver: Resolver) -> None:
        self.library = library
        self.resolver = resolver
        self.meaning_of = meaning_reader(library, resolver)
        self._index = library.derived(TERMS)
        self._conditions = self._index.conditions
        self.allergies = AllergyReader(library, resolver)
        # the same words mean the same for everybody, so the last few are remembered
        self._condition_of = lru_cache(_REMEMBERED)(self._read_condition)
        self._lab_of = lru_cache(_REMEMBERED)(self._read_lab)

    @cached_property
    def foods(self) -> dict[str, str]:
        """Foods by their names."""
        return foods_by_name(self.library)

    def condition(self, told: Told) -> tuple[str, bool | None] | None:
        """A problem's id and whether it is told to be past; None if it is not recognised.

        "History of X" means, on many problem lists, that somebody has X: whether it is past is then not known (None).
        """
        return self._condition_of(told.text, told.codes)

    def _read_condition(self, told: str, codes: tuple[Code, ...]) -> tuple[str, bool | None] | None:
        for code in codes:
            found = self._index.condition_codes.get(f"{code.system}:{code.code}")
            if found:
                return found
        for text in (told, *(c.display for c in codes)):
            ways = (fold(text), _without(text, _CONDITION_WORDS), _without(text, _BESIDE))
            known = next((self._conditions[way] for way in ways if way in self._conditions), None)
            if known:
                return known, False
            if text in self.library.condition:
                return text, False
            history = _HISTORY.sub("", fold(text), count=1)
            if history in self._conditions:
                return self._conditions[history], None
        return None

    def conditions_near(self, text: str) -> list[str]:
        """Up to three problems whose names are close to what was written, to ask about; never taken for them."""
        from rapidfuzz import fuzz, process

        found = process.extract(fold(text), self._index.condition_names, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=6)
        return list(dict.fromkeys(self.library.condition[self._conditions[name]].name for name, _, _ in found))[:3]

    def lab(self, told: LabResult) -> Lab | None:
        """Which test a result is of; None if it is none of ours."""
        return self._lab_of(told.test, told.codes)

    def _read_lab(self, text: str, codes: tuple[Code, ...]) -> Lab | None:
        labs = self._index.labs
        coded = next((i for code in codes if (i := labs.get(f"{code.system}:{code.code}"))), None)
        found = coded or labs.get(fold(text)) or labs.get(text)
        return self.library.lab[found] if found else None


def _without(text: str, words: frozenset[str]) -> str:
    return " ".join(w for w in fold(text).split() if w not in words)
