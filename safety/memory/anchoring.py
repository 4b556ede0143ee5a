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
from safety.memory.pictures import Pictures, named_in
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
_SPOKEN_POINT = re.compile(r"(?<![\w.])(\d{1,2}) (\d)(?![\w.])")
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
        self._no_more = alone(language.words("used-to-do"))
        self._only_meant = alone([*language.words("only-in-mind"), *language.words("only-aimed-at")])
        self._no_statement = alone(
            [*language.words("only-in-mind"), *language.words("may-be-done"), *language.words("only-aimed-at")]
        )
        self._time = _times(language)
        called: dict[str, list[str]] = {}
        for phrase, names in (language.meaning("tests-in-talk") | language.meaning("measures-in-talk")).items():
            called.setdefault(names, []).append(phrase)
        self._by_number = frozenset(understanding.test(name) for name in language.meaning("measures-in-talk").values())
        keys = {names: frozenset(understanding.test(name.strip()) for name in names.split(",")) for names in called}
        self._called = [(alone(phrases), keys[names]) for names, phrases in called.items()]
        levels = language.meaning("levels-in-words")
        self._levels = [(alone(w for w, lv in levels.items() if lv == level), level) for level in dict.fromkeys(levels.values())]
        self._activities = language.meaning("care-activities")
        self._pictures = Pictures(language, lambda name: understanding.condition(name).key)
        self._borne, self._reacts = alone(language.words("borne-in-talk")), alone(language.words("reacts-in-talk"))
        self._allergies_over = alone(language.words("allergy-is-over"))

    def statements(self, said: Statement, record: ClinicalRecord) -> tuple[Statement, ...]:
        """What a statement that was not understood tells of the items of a record that it names; none where it names none."""
        text = self._plainly.in_digits(said.value or said.name).text
        if text.rstrip().endswith("?"):
            return ()
        if self._no_statement.search(text) is not None:
            return self.painted(said.value or said.name, record)
        stems = self._stems(said.value or said.name)
        found = (self._of(item, text, stems, said) for item in record.items if not item.none)
        told = [one for one in found if one is not None]
        named = {(one.kind, one.key) for one in told}
        told += [one for one in self.painted(said.value or said.name, record) if (one.kind, one.key) not in named]
        return tuple(dict.fromkeys(told))

    def painted(self, text: str, record: ClinicalRecord) -> tuple[Statement, ...]:
        """What a text paints of the record instead of naming it: operations, care, problems, and what somebody reacts to."""
        if (self._only_meant.search(text) is not None and self._no_more.search(text) is None) or text.rstrip().endswith("?"):
            return ()
        problems = {self._key(i): i for i in reversed(record.of("condition")) if not i.none}
        done = list(self._pictures.of_operations(text, record, self._operations))
        against = {i.key for i in done if any(i.key in named_in(r.text, self._operations) for r in record.of("procedure"))}
        done = [i for i in done if not against or i.key in against]
        return (
            *done, *self._pictures.of_care(text, record, self._activities), *self._pictures.of_problems(text, problems),
            *self._allergens(text, record),
        )  # fmt: skip

    def _allergens(self, text: str, record: ClinicalRecord) -> Iterator[Statement]:
        """What somebody bears, or reacts to, of all that some react to; what is borne only where the record has it."""
        borne, reacts = self._borne.search(text) is not None, self._reacts.search(text) is not None
        denied = self._denies.search(text) is not None
        over = self._allergies_over.search(text) is not None
        if not (borne or reacts or over):
            return
        listed = [self._understanding.allergy(i.text).key for i in record.of("allergy") if not i.none]
        words = fold(text.replace("'s", "")).replace("?", " ").replace(",", " ").replace(".", " ").split()
        for one in dict.fromkeys(" ".join(words[a : a + n]) for n in (2, 1) for a in range(len(words) - n + 1)):
            if len(one) <= _SHORTEST_STEM or (self._understanding.is_talk(one) and one not in text.split()):
                continue
            meant = self._understanding.allergy(one)
            if meant.sure == "unknown" or meant.key == "*":
                continue
            if over or borne or (denied and reacts):
                if meant.key in listed:
                    manner: Manner = "over" if over else "denied"
                    yield Statement("allergy", manner, one, meant.key, drugs=meant.drugs, reaction=text, guessed=True)
            elif reacts:
                yield Statement("allergy", "has", one, meant.key, drugs=meant.drugs, reaction=text, guessed=True)

    def _of(self, item: Recorded, text: str, stems: frozenset[str], said: Statement) -> Statement | None:
        if item.kind == "result":
            return self._result(item, text, said) if self._is_called(item, said) or self._is_named(item, stems) else None
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
        plain = self._time.sub(" ", self._plainly.in_digits(raw).text)
        if "." in item.value:
            plain = _SPOKEN_POINT.sub(r"\g<1>.\g<2>", plain)  # "five eight" of what is written with a point
        numbers = _NUMBER.findall(plain)
        key = self._understanding.test_of(item.text, item.codes)
        level = self._level_in(said.value or said.name) if not numbers and key not in self._by_number else ""
        if level and self._denies.search(text) is None:
            return replace(said, kind="result", manner="level", name=item.text, key=key, value=level, guessed=True)
        if len(numbers) != 1 or number(item.value) is None or self._denies.search(text) is not None:
            return None
        behind = plain.partition(numbers[0])[2].split()
        unit = self._library.units.symbol(behind[0]) if behind else None
        return replace(
            said, kind="result", manner="measured", name=item.text, key=key, value=numbers[0], unit=unit or "", guessed=True
        )

    def _is_called(self, item: Recorded, said: Statement) -> bool:
        """Whether a statement names a test of the record as people call it: "my three month number"."""
        key, text = self._understanding.test_of(item.text, item.codes), said.value or said.name
        return any(key in keys and named.search(text) is not None for named, keys in self._called)

    def _level_in(self, text: str) -> str:
        """Where a result lies that is told in words: `high`, `low` or `normal`; empty where several or none are told."""
        found = {level for pattern, level in self._levels if pattern.search(text) is not None}
        return found.pop() if len(found) == 1 else ""

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
