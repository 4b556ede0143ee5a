"""A question about when a test is to be measured: "is my potassium due?", "when should I have my next INR?"."""

from __future__ import annotations

import re
from datetime import date

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.results.scan import Scanner
from safety.reading.wording import any_of
from safety.text import lowered

_UP_TO_A_STOP = re.compile(r"[^?;]*")
_OPENING = re.compile(r"(?:\A|[.?!;,])\s*\Z")
_PART_ENDS = re.compile(r"[,;:?!]|\.(?=\s)|\s-\s")
_SENTENCES = re.compile(r"(?<=[.?!;])\s+")
_WORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]")
_TEST_BEGINS = re.compile(r"(?<![A-Za-z0-9'’])[A-Za-z0-9]")
"""Also behind a slash or a plus: "TSH/LFTs", "A1C+lipids"."""


_NUMBER_BEFORE = re.compile(r"\d\s?\Z")


class AskedWhen(Struct, frozen=True):
    """The tests that are asked about, in the order named; `all`: the tests altogether, of which none is named.

    `of`: the words, where the tests of what they name are asked about: "are my digoxin labs due?".
    `last`: the day on which they were last measured, as told beside the question.
    """

    named: tuple[str, ...]
    all: bool = False
    of: str = ""
    last: date | None = None
    last_of: tuple[str, ...] = ()
    """The tests that were measured on that day, as the same part of the sentence names them; none: all that are asked about."""

    @property
    def tests(self) -> frozenset[str]:
        """The tests that are asked about, by id."""
        return frozenset(self.named)


class WhenAsked:
    """Reads such questions, by the lists of one language."""

    def __init__(self, language: Language, scanner: Scanner) -> None:
        self._meant = language.meaning("asks-when-due")
        self._pattern = re.compile(rf"\b{any_of(self._meant)}(?!\w)", re.I)
        every = [word for word, meaning in self._meant.items() if meaning in ("all", "whole")]
        self._every = re.compile(rf"\b{any_of(every)}(?!\w)", re.I)
        self._told = re.compile(rf"(?<![\w-]){any_of(language.words('tells-how-tests-were'))}(?![\w-])", re.I)
        self._nobody = frozenset(word for word, meaning in self._meant.items() if meaning == "patient")
        self._before_a_day = re.compile(rf"\b{any_of(language.words('asks-when-last'))}(?!\w)", re.I)
        self._measuring = re.compile(rf"\b{any_of(language.words('speaks-of-measuring'))}(?!\w)", re.I)
        self._scanner = scanner

    def read(self, text: str, day: date) -> AskedWhen | None:
        """What is asked, as of a day; None where it is not asked when anything is to be measured, or of no test."""
        each = [(self._meant[" ".join(lowered(found[0]).split())], found.start()) for found in self._pattern.finditer(text)]
        said = {meaning for meaning, _ in each}
        opens = any(meaning == "opens" and _OPENING.search(text, 0, at) for meaning, at in each)
        if not (opens or said & {"asks", "whole"} or {"needs", "all"} <= said):
            return None
        named, (last, last_of) = self.named(self._asking(text)), self._last(text, day)
        if not named or self._asks_apart(text):
            return AskedWhen((), True, last=last, last_of=named) if self._every.search(text) else None
        return AskedWhen(named, of=text if self._every.search(text) else "", last=last, last_of=last_of)

    def _asks_apart(self, text: str) -> bool:
        """Whether a part that names none asks for all tests, and those named were measured: "labs due? BMP in October"."""
        parts = _PART_ENDS.split(text)
        asking = [p for p in parts if self._every.search(p) and self._pattern.search(p)]
        others = [p for p in parts if p not in asking]
        done = all(self._before_a_day.search(p) or self._told.search(p) for p in others if self.named(p))
        return bool(asking) and done and not self.named(" ".join(asking))

    def _asking(self, text: str) -> str:
        """What asks of a text: without a sentence that tells how tests were, where another asks for all of them ("is any lab due
        for my statin? LFTs were fine in May")."""
        each = _SENTENCES.split(text)
        kept = [one for one in each if self._told.search(one) is None]
        asking = [one for one in kept if self._pattern.search(one) and self._every.search(one)]
        return " ".join(kept) if asking and not self.named(" ".join(asking)) else text

    def without_asking(self, text: str, day: date) -> AskedWhen | None:
        """The tests of a text that tells when they were last measured, and nothing else of them: "CK last checked 11/9"."""
        named, (last, last_of) = self.named(text), self._last(text, day)
        return AskedWhen(named, last=last, last_of=last_of) if named and last is not None else None

    def _last(self, text: str, day: date) -> tuple[date | None, tuple[str, ...]]:
        """The day that stands behind a word that says so, "last checked August 1", with the tests beside it; None where none
        does, or more than one."""
        told, tests = set[date](), list[str]()
        for word in self._before_a_day.finditer(text):
            rest = _UP_TO_A_STOP.match(text, word.end())
            for at in (found.start() for found in _WORD.finditer(text, word.end(), rest.end() if rest else len(text))):
                found = self._scanner.around.day(text, at, day)
                month = self._scanner.around.month(text, at, day)
                on = found[0] if found is not None and found[0] is not None and found[0] <= day else month
                if on is not None:
                    told.add(on)
                    begins = max((m.end() for m in _PART_ENDS.finditer(text, 0, word.start())), default=0)
                    tests += self.named(text[begins:at])
                    break
        return (told.pop(), tuple(dict.fromkeys(tests))) if len(told) == 1 else (None, ())

    def speaks_of_measuring(self, text: str) -> bool:
        """Whether a text speaks of measuring or drawing anything, or of tests altogether."""
        return self._measuring.search(text) is not None

    def named(self, text: str) -> tuple[str, ...]:
        """The tests that a text names, in order; no unit behind a number ("15 mg"), and nothing that is said of the patient."""
        found: list[str] = []
        at = 0
        for word in _TEST_BEGINS.finditer(text):
            if word.start() < at:
                continue
            test, panel = self._scanner.test(text, word.start()), self._scanner.asked_together(text, word.start())
            if panel is not None and test is not None and panel[1] > test[1]:
                test = None
            if test is not None and self._is_no_test(text, word.start(), test[1]):
                continue
            if test is not None and test[0]:
                found.append(test[0])
                at = test[1]
            elif panel is not None:
                found += (*panel[0].parts, *panel[0].beside)
                at = panel[1]
        return tuple(dict.fromkeys(found))

    def _is_no_test(self, text: str, start: int, end: int) -> bool:
        """Whether what may name a test is the unit of the number before it, or a short word for the patient."""
        said = text[start:end]
        behind_a_number = _NUMBER_BEFORE.search(text, 0, start) is not None
        return (behind_a_number and self._scanner.is_a_unit(said)) or (lowered(said) in self._nobody and not said.isupper())
