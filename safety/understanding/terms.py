"""What conditions, allergies and tests are called: codes and text → the library's terms."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cached_property, lru_cache

from safety.knowledge.library import Lab, Library
from safety.model.patient import Code, LabResult, Told
from safety.reading.directions.words import Lexicon
from safety.reading.names.resolver import Resolver
from safety.reading.results.reader import ResultReader
from safety.reading.wording import any_of
from safety.text import fold
from safety.understanding.allergies import AllergyReader
from safety.understanding.denials import Denials
from safety.understanding.intake import IntakeReader
from safety.understanding.meaning import meaning_reader
from safety.understanding.vocabulary import TERMS

_NEAR = 88
_REMEMBERED = 4096
_SHORT_OF = Decimal("0.01")
"""A week that is "under" another ends so much short of it."""


class Terms:
    """Looks conditions, allergies and tests up by code or text; immutable, made once for a library."""

    def __init__(self, library: Library, resolver: Resolver, lex: Lexicon) -> None:
        self.library = library
        words = library.language.words
        self._about, self._beside = frozenset(words("about-conditions")), frozenset(words("beside-a-condition"))
        self._history = re.compile(rf"^{any_of(map(fold, words('history-of')), ' ')} (?:an? )?")
        self.resolver = resolver
        self.meaning_of = meaning_reader(library, resolver, lex)
        self._index = library.derived(TERMS)
        self._conditions = self._index.conditions
        self.allergies = AllergyReader(library, resolver)
        self.denials = Denials(library.language)
        self.intake = IntakeReader(library)
        self._kidneys = _kidneys(library)
        self.no_unit = frozenset(words("no-unit"))
        self.trimesters = {n: _weeks(library, str(n)) for n in (1, 2, 3)}
        """The first and the last week of each, to the hundredth of a week."""
        # the same words mean the same for everybody, so the last few are remembered
        self._condition_of = lru_cache(_REMEMBERED)(self._read_condition)
        self._lab_of = lru_cache(_REMEMBERED)(self._read_lab)

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
            said = fold(text)
            ways = (said, _without(said, self._about), _without(said, self._beside))
            known = next((self._conditions[way] for way in ways if way in self._conditions), None)
            if known:
                return known, False
            if text in self.library.condition:
                return text, False
            history = self._history.sub("", said, count=1)
            if history in self._conditions:
                return self._conditions[history], None
        return None

    def conditions_near(self, text: str) -> list[str]:
        """Up to three problems whose names are close to what was written, to ask about; never taken for them."""
        from rapidfuzz import fuzz, process

        found = process.extract(fold(text), self._index.condition_names, scorer=fuzz.ratio, score_cutoff=_NEAR, limit=6)
        return list(dict.fromkeys(self.library.condition[self._conditions[name]].name for name, _, _ in found))[:3]

    def may_be_about_kidneys(self, text: str) -> bool:
        """Whether the words of a problem that we do not recognise may speak of the kidneys."""
        return self._kidneys.search(text) is not None

    @cached_property
    def result_lines(self) -> ResultReader:
        """The reader of results as they are written; made when the first such line comes."""
        return ResultReader(self.library, self._index.labs)

    def lab(self, told: LabResult) -> Lab | None:
        """Which test a result is of; None if it is none of ours."""
        return self._lab_of(told.test, told.codes)

    def _read_lab(self, text: str, codes: tuple[Code, ...]) -> Lab | None:
        labs = self._index.labs
        coded = next((i for code in codes if (i := labs.get(f"{code.system}:{code.code}"))), None)
        found = coded or labs.get(fold(text)) or labs.get(text)
        return self.library.lab[found] if found else None


def _kidneys(library: Library) -> re.Pattern[str]:
    by_kind: dict[str, list[str]] = {"part": [], "word": []}
    library.language.read("kidney-words", lambda text, kind: by_kind[kind].append(text), "a `part` of a word or a `word`")
    return re.compile(rf"{any_of(by_kind['part'])}|\b{any_of(by_kind['word'])}\b", re.I)


def _weeks(library: Library, trimester: str) -> tuple[Decimal, Decimal]:
    first, last = Decimal(0), Decimal("Infinity")
    for b in library.figure("trimesters", trimester):
        week = library.units.convert(b.value, "wk") or Decimal(0)
        if b.op in ("at_least", "above"):
            first = week
        else:
            last = week - _SHORT_OF if b.op == "under" else week
    return first, last


def _without(folded: str, words: frozenset[str]) -> str:
    return " ".join(w for w in folded.split() if w not in words)
