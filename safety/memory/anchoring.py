"""A statement in which no reader found a kind, held against the record itself: which of its items do its words name?

A record is short, and what people say of it is said in endless ways: "they took my appendix" names the appendectomy that is
written there. An item is named where all the words of one of its names stand in the statement, word by word or by their stems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from safety.answering.checker import Checker
from safety.knowledge.language import Language
from safety.memory.record import ClinicalRecord, Recorded
from safety.memory.statements import Manner, Statement, StatementKind
from safety.memory.subjects import Understanding
from safety.model.patient import Told
from safety.model.quantity import number
from safety.reading.wording import alone, any_of
from safety.text import fold

_SHORTEST_STEM, _SHARED = 3, 5
"""A stem has so many letters at least; words that begin with so many in common are of one root."""
_FEWEST = 2
"""So many words of an operation's name are enough."""
_LETTERS_AND_DIGITS = re.compile(r"\b[A-Za-z]+\d\w*")
"""Names with a number in them, "A1c" and "B12"."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)")


class Anchoring:
    """Finds the items of a record that a statement names, by one library; made once, never changed."""

    def __init__(self, checker: Checker, understanding: Understanding) -> None:
        language = checker.library.language
        self._library, self._terms, self._understanding = checker.library, checker.terms, understanding
        self._plainly = checker.spoken.plainly
        self._endings = tuple(sorted(language.words("word-endings"), key=len, reverse=True))
        self._idle = frozenset(w for phrase in language.words("says-nothing-in-a-record") for w in phrase.split())
        denials = ("denying", "denials-in-talk", "none-of-it", "denial")
        self._denies = alone([w for name in denials for w in language.words(name)])
        self._has = alone(language.words("says-that-one-has"))
        self._done = alone(language.words("says-that-it-was-done"))
        self._taken_out, self._operations = (
            alone(language.words("says-that-it-was-taken-out")),
            language.meaning("operations-in-talk"),
        )
        self._kept = alone(language.words("still-has-the-organ"))
        self._take_out = frozenset(language.words("operations-that-take-out"))
        self._fine = alone([*language.words("medicines-tolerated"), *language.words("eaten-without-harm")])
        self._no_statement = alone([*language.words("only-in-mind"), *language.words("may-be-done")])
        self._time = _times(language)

    def statements(self, said: Statement, record: ClinicalRecord) -> tuple[Statement, ...]:
        """What a statement that was not understood tells of the items of a record that it names; none where it names none."""
        text = self._plainly.in_digits(said.value or said.name).text
        if text.rstrip().endswith("?") or self._no_statement.search(text) is not None:
            return ()
        stems = self._stems(said.value or said.name)
        found = (self._of(item, text, stems, said) for item in record.items if not item.none)
        told = [one for one in found if one is not None]
        return tuple(dict.fromkeys(told))

    def _of(self, item: Recorded, text: str, stems: frozenset[str], said: Statement) -> Statement | None:
        if item.kind == "result":
            return self._result(item, text, said) if self._is_named(item, stems) else None
        kept = item.kind == "procedure" and self._kept.search(text) is not None
        named = self._is_named(item, stems) and not kept
        manner = self._manner(item, text) if named else self._by_organ(item, text, stems)
        if manner is None:
            return None
        kinds: dict[str, StatementKind] = {"condition": "condition", "procedure": "procedure", "allergy": "allergy"}
        key = self._key(item)
        return replace(said, kind=kinds[item.kind], manner=manner, name=item.text, key=key, guessed=True)

    def _manner(self, item: Recorded, text: str) -> Manner | None:
        """How it is told: as there, as done, as denied; None where that is not said in so many words."""
        denied = self._denies.search(text) is not None
        if item.kind == "allergy":
            return "denied" if self._fine.search(text) is not None else None
        if item.kind == "condition" and self._has.search(text) is not None:
            return "denied" if denied else "has"
        if item.kind == "procedure" and self._done.search(text) is not None:
            return "denied" if denied else "done"
        return None

    def _by_organ(self, item: Recorded, text: str, stems: frozenset[str]) -> Manner | None:
        """What is told of an operation by its organ and what was done to it: "my gallbladder came out"."""
        if item.kind != "procedure" or (self._taken_out.search(text) is None and self._kept.search(text) is None):
            return None
        words = f" {fold(item.text).replace('(', ' ').replace(')', ' ')} "
        families = {family for phrase, family in self._operations.items() if f" {fold(phrase)} " in words}
        names = (self._stems(phrase) for phrase, family in self._operations.items() if family in families)
        if not any(name and name <= stems for name in names):
            return None
        kept = self._kept.search(text) is not None and bool(families & self._take_out)
        return "denied" if kept or self._denies.search(text) is not None else "done"

    def _result(self, item: Recorded, text: str, said: Statement) -> Statement | None:
        """The one number of a statement that names a test of the record."""
        raw = self._time.sub(" ", _LETTERS_AND_DIGITS.sub(" ", said.value or said.name))
        numbers = _NUMBER.findall(self._time.sub(" ", self._plainly.in_digits(raw).text))
        if len(numbers) != 1 or number(item.value) is None or self._denies.search(text) is not None:
            return None
        key = self._understanding.test_of(item.text, item.codes)
        return replace(said, kind="result", manner="measured", name=item.text, key=key, value=numbers[0], guessed=True)

    def _key(self, item: Recorded) -> str:
        if item.kind == "allergy":
            return self._understanding.allergy(item.text).key
        found = self._terms.condition(Told(item.text, item.codes)) if item.kind == "condition" else None
        return found[0] if found is not None else f"text:{fold(item.text)}"

    # -------------------------------------------------------------- names

    def _is_named(self, item: Recorded, stems: frozenset[str]) -> bool:
        """Whether all the words of one of an item's names stand among the stems; of an operation, two of them, or a rare one."""
        for name in self._names(item):
            own = self._stems(name)
            rooted = item.kind in ("procedure", "result")
            shared = frozenset(w for w in own if w in stems or (rooted and _of_one_root(w, stems)))
            if own and (shared == own or self._is_enough(item, shared)):
                return True
        return False

    @staticmethod
    def _is_enough(item: Recorded, shared: frozenset[str]) -> bool:
        """Of an operation two words; what somebody is allergic to is often named by one, "cashews"."""
        return len(shared) >= {"procedure": _FEWEST, "allergy": 1}.get(item.kind, len(shared) + 1)

    def _names(self, item: Recorded) -> Iterator[str]:
        yield item.text
        if item.kind == "condition":
            found = self._terms.condition(Told(item.text, item.codes))
            known = self._library.condition[found[0]] if found is not None else None
            yield from (known.name, *known.synonyms) if known is not None else ()
        if item.kind == "result":
            lab = self._library.lab.get(self._understanding.test_of(item.text, item.codes))
            yield from (lab.name, *lab.synonyms) if lab is not None else ()

    def _stems(self, text: str) -> frozenset[str]:
        words = fold(text.replace("-", "")).replace("(", " ").replace(")", " ").replace(",", " ").replace("/", " ").split()
        return frozenset(self._stem(w) for w in words if w not in self._idle and not w[0].isdigit())

    def _stem(self, word: str) -> str:
        ending = next((e for e in self._endings if word.endswith(e) and len(word) - len(e) >= _SHORTEST_STEM), "")
        return word[: len(word) - len(ending)]


def _of_one_root(word: str, stems: Iterable[str]) -> bool:
    return len(word) >= _SHARED and any(len(s) >= _SHARED and s[:_SHARED] == word[:_SHARED] for s in stems)


def _times(language: Language) -> re.Pattern[str]:
    """Days and months, whose numbers are no results."""
    named = any_of([*language.meaning("month-names"), *language.meaning("weekdays"), *language.meaning("near-days")])
    units = any_of(w for w in language.meaning("time-units") if len(w) > 1)
    return re.compile(
        rf"\b{named}(?:\s+\d{{1,2}})?(?:[\s,]+(?:19|20)\d\d)?\b|\b(?:19|20)\d\d\b|\b\d+\s+{units}(?:\s+ago)?\b", re.I
    )
