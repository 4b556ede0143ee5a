"""What a question without a value asks of tests: what moves them, where they ought to lie, the newest result, or all of them."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from safety.knowledge.language import Language
from safety.reading.results.scan import Scanner
from safety.reading.wording import any_of
from safety.text import lowered

Kind = Literal["moves", "normal", "newest", "all"]
Way = Literal["", "up", "down"]
_WORD = re.compile(r"[A-Za-z][^\s,;?]*")
_OF_IT = re.compile(r"(?<=\w)['’]s?(?![\w'’])")
"""Several results, or what belongs to a test: "K's", "the INR's trend"."""
_SHORT = 2
_A_YEAR = r"(?:19|20)\d\d"
_A_DAY = rf"\d{{1,2}}/\d{{1,2}}(?:/(?:{_A_YEAR}|\d\d))?|{_A_YEAR}(?:-\d\d-\d\d)?"
_MOVES, _IS = ("raises", "lowers", "changes"), ("high", "low", "lifts", "cuts")
_UP, _DOWN = frozenset({"raises", "high", "lifts"}), frozenset({"lowers", "low", "cuts"})
_OPENED = {"lifts": "raises", "cuts": "lowers"}
"""What the bare word of a verb means behind the word that opens a question: "does metformin lower B12"."""


class Inquiry(Struct, frozen=True):
    """What is asked of which tests, in the order named; `way`: whether of what raises them, or of what lowers them.

    `every`: all their results are asked for, or how they have been going: "all the potassiums", "her TSH history".
    """

    kind: Kind
    tests: tuple[str, ...] = ()
    way: Way = ""
    every: bool = False


class Inquiries:
    """Reads such questions, by the lists of one language."""

    def __init__(self, language: Language, scanner: Scanner) -> None:
        def anywhere(words: object) -> re.Pattern[str]:
            return re.compile(rf"(?<![\w-]){any_of(words)}(?![\w-])", re.I)  # type: ignore[arg-type]

        self._meant = language.meaning("asks-what-moves")
        self._moves = anywhere(self._meant)
        self._all = anywhere(language.words("asks-for-results"))
        self._normal = anywhere(language.words("asks-what-is-normal"))
        self._last = anywhere(language.words("asks-for-the-last"))
        meant = language.meaning("asks-how-it-goes")
        self._goes = anywhere([word for word, said in meant.items() if said == "goes"])
        self._every = anywhere(language.words("asks-for-every-result"))
        self._beside = anywhere([word for word, said in meant.items() if said == "beside"])
        told = [word for word in language.meaning("result-words") if word[:1].isalpha()]
        self._tells = anywhere([*told, *(word for word, said in meant.items() if said == "tells")])
        before = any_of([word for word, said in meant.items() if said == "counts"])
        behind = any_of([word for word, said in meant.items() if said in ("counts", "counted")])
        some = any_of([word for word, said in meant.items() if said == "some"])
        many = rf"(?:\d{{1,3}}|{any_of(language.meaning('numbers'))})"
        self._counts = re.compile(
            rf"(?<![\w-]){before}\s?#?\s?\d{{1,3}}(?![\w./%])|(?<![\w./])\d{{1,3}}\s?{behind}(?![\w/])"
            rf"|(?<![\w-]){some}\s+{many}(?=\s+[A-Za-z])|(?<![\w-]){any_of(language.words('result-since'))}\s+(?:{_A_DAY})(?![\w./%])"
            rf"|(?<![\w-]){any_of(language.words('result-over'))}\s+{_A_YEAR}(?![\w./%])",
            re.I,
        )
        self._opens = re.compile(rf"\s*{any_of(language.words('question-openings'))}(?!\w)", re.I)
        self._scanner = scanner

    def is_question(self, text: str) -> bool:
        """Whether a text asks: by its mark, or by how it begins."""
        return "?" in text or self._opens.match(text) is not None

    def without_counts(self, text: str) -> str:
        """A text without the days and results that it counts, "dropping on day 8", "rising for 3 weeks", "last three K's", and
        without the day since when: "K since 10/4"."""
        return self._counts.sub(" ", text)

    def read(self, text: str) -> Inquiry | None:
        """What is asked; None where nothing of the kind is, or a number stands beside it."""
        text = _OF_IT.sub("", text)
        named = self._named(text)
        moves = self._moved(text, named)
        if moves is not None:
            return moves
        asks = self._asks(text, named)
        marked = not text.isupper()
        longer = [one for one in named if one[2] - one[1] > _SHORT or (marked and text[one[1] : one[2]].isupper())]
        named = longer or named  # "what should my glucose be" asks of no base excess, "K and mag" of both
        if not named:
            return Inquiry("all") if asks and self._all.search(text) else None
        tests = tuple(dict.fromkeys(test for test, _, _ in named))
        if asks and self._normal.search(text):
            return Inquiry("normal", tests)
        every = self._every.search(text) is not None or self._goes.search(text) is not None
        return Inquiry("newest", tests, every=every) if asks else None

    def _asks(self, text: str, named: list[tuple[str, int, int]]) -> bool:
        """Whether a text without a number asks for a result: by its words, or as it tells none of a test ("low")."""
        asks = any(found.search(text) for found in (self._goes, self._last)) or self.is_question(text)
        said = (self._meant[" ".join(lowered(found[0]).split())] for found in self._moves.finditer(text))
        tells = self._tells.search(text) is not None or not set(_IS).isdisjoint(said)
        return asks or self._only_names(text, named) or (bool(named) and not tells)

    def _only_names(self, text: str, named: list[tuple[str, int, int]]) -> bool:
        """Whether nothing but tests, and small words beside them, stands in a text: "K's", "today's LFTs"."""
        kept, at = list[str](), 0
        for _, start, end in named:
            if start >= at:
                kept.append(text[at:start])
            at = max(at, end)
        rest = self._beside.sub(" ", " ".join((*kept, text[at:])))
        return bool(named) and not any(c.isalnum() for c in rest)

    def _moved(self, text: str, named: list[tuple[str, int, int]]) -> Inquiry | None:
        said = [(self._meant[" ".join(lowered(m[0]).split())], m.start(), m.end()) for m in self._moves.finditer(text)]
        opened = min((start for meaning, start, _ in said if meaning == "opens"), default=len(text))
        said = [(_OPENED.get(m, m) if start > opened else m, start, end) for m, start, end in said]
        means = {meaning for meaning, _, _ in said}
        of_medicines = not means.isdisjoint(_MOVES) or (not means.isdisjoint({"medicine", "why"}) and not means.isdisjoint(_IS))
        if not named or not of_medicines:
            return None
        medicines = {start for meaning, start, _ in said if meaning == "medicine"}
        tests = [one for one in named if not any(0 <= start - one[2] <= 1 for start in medicines)] or named
        verb = min((start for meaning, start, _ in said if meaning in _MOVES), default=0)
        behind = [one for one in tests if one[1] > verb] or tests
        up, down = not means.isdisjoint(_UP), not means.isdisjoint(_DOWN)
        way: Way = "up" if up and not down else "down" if down and not up else ""
        return Inquiry("moves", tuple(dict.fromkeys(test for test, _, _ in behind)), way)

    def _named(self, text: str) -> list[tuple[str, int, int]]:
        """The tests that a text names, with where each begins and ends."""
        found: list[tuple[str, int, int]] = []
        at = 0
        for word in _WORD.finditer(text):
            if word.start() < at:
                continue
            test, panel = self._scanner.test(text, word.start()), self._scanner.asked_together(text, word.start())
            if panel is not None and (test is None or panel[1] >= test[1]):
                found += [(part, word.start(), panel[1]) for part in panel[0].parts]
                at = panel[1]
            elif test is not None and test[0]:
                found.append((test[0], word.start(), test[1]))
                at = test[1]
        return found
