"""Medicines that are named by their kind alone, "my blood thinner", "the cholesterol pill": where, and which it can be."""

from __future__ import annotations

import re

from msgspec import Struct

from safety.answering.checker import Checker
from safety.model.patient import Allergy
from safety.reading.wording import any_of
from safety.text import lowered

_NAME_FOLLOWS = 14
"""So many characters behind the kind the name itself may stand: "my blood pressure pill, lisinopril"."""
_FOR = re.compile(r"\s+for\s+(?:[\w'-]+\s*){1,3},")
""""An antibiotic for my sinuses, Augmentin"."""


class Kind(Struct, frozen=True):
    """A kind that a text names: from where to where, and what it can be; a step counts where none before is taken.

    `theirs`: it is told of somebody who is neither the speaker nor spoken to, "her water pill".
    """

    start: int
    end: int
    steps: tuple[frozenset[str], ...]
    theirs: bool = False


class Kinds:
    """Finds kinds by the lists of one library; made once, never changed."""

    def __init__(self, checker: Checker) -> None:
        language, self._checker = checker.library.language, checker
        alone, for_what = language.meaning("medicines-by-their-kind"), language.meaning("medicines-by-what-they-treat")
        self._steps = {phrase: self._read(meaning) for each in (for_what, alone) for phrase, meaning in each.items()}
        self.phrases = tuple(alone)
        own, theirs = any_of(language.words("mine")), any_of(language.words("theirs"))
        self._ends = re.compile(rf"[.!?;]\s|\n|\s{any_of(language.words('begins-another-thought'))}(?![\w-])", re.I)
        nouns = any_of(language.words("words-for-a-medicine"))
        which = rf"(?P<alone>{any_of(alone)})|(?P<what>{any_of(for_what)})\s+(?:{nouns}|ones?(?!\s+of\b))"
        self._to_another = re.compile(rf"\s+{any_of(language.words('from-a-kind-to-another'))}\s+", re.I)
        of_all = r"(?<!any )(?<!no )(?<!all )(?<!some )(?<!other )"
        self._named = re.compile(
            rf"(?<![\w-]){of_all}(?:(?:(?P<theirs>{theirs})|{own})\s+)?(?:{which})(?:\s+{nouns})?(?![\w-]|'(?!s\b))", re.I
        )

    def _read(self, meaning: str) -> tuple[frozenset[str], ...]:
        steps = [step.split(",") for step in meaning.split(">")]
        return tuple(frozenset(d for name in step for one in self._known(name.strip()) for d in one) for step in steps)

    def _known(self, name: str) -> list[frozenset[str]]:
        return [frozenset(one.drugs) for one in self._checker.terms.allergies.read(Allergy(name))[0]]

    def share_one(self, some: frozenset[str], others: frozenset[str]) -> bool:
        """Whether two medicines are named by one kind."""
        return any(some & step and others & step for steps in self._steps.values() for step in steps)

    @staticmethod
    def _is_right_before(text: str, at: int, hit: re.Match[str]) -> bool:
        """Whether the name of a medicine stands right before its kind: "an albuterol puffer"."""
        return at < hit.start() and len(text[at : hit.start()].split()) == 1

    def find(self, text: str, named: tuple[int, ...] = ()) -> tuple[Kind, ...]:
        """The kinds that a text names without a name behind them. `named`: where medicines are named by their names."""
        found = []
        for hit in self._named.finditer(text):
            for_what = _FOR.match(text, hit.end())
            begin = for_what.end() if for_what is not None else hit.end()
            behind = text[begin : begin + _NAME_FOLLOWS]
            reach = begin + (stop.start() if (stop := self._ends.search(behind)) is not None else _NAME_FOLLOWS)
            if (other := self._to_another.match(text, hit.end())) is not None and other.end() in named:
                reach = hit.end()  # "changed my cholesterol pill to rosuvastatin": not the name of that pill
            first = hit.end() if hit["what"] else hit.start()  # "thyroid pills" is no medicine "thyroid"
            if not any(first <= at < reach or self._is_right_before(text, at, hit) for at in named):
                said = " ".join(lowered(hit["alone"] or hit["what"]).split())
                found.append(Kind(hit.start(), hit.end(), self._steps[said], hit["theirs"] is not None))
        return tuple(found)
