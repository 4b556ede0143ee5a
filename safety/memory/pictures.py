"""What people paint instead of naming it: "they ran that camera up my backside", "I get on the scale first thing every day".

A picture is several groups of words, of each of which one stands in the text, in whatever order: an organ and what was done to
it, a thing of a care plan and when. What it means is looked for on the record of the patient; a picture alone proves little.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from safety.knowledge.language import Language
from safety.memory.record import ClinicalRecord, Recorded
from safety.memory.statements import Manner, Statement
from safety.reading.wording import alone
from safety.text import fold

_ALL_OF, _ONE_OF = "&", "/"
Groups = tuple[re.Pattern[str], ...]


class Pictures:
    """Finds pictures by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, key_of: Callable[[str], str]) -> None:
        self._done, self._kept, self._asked = (
            _read(language, name) for name in ("pictures-of-operations", "pictures-of-what-is-kept", "pictures-of-care")
        )
        self._had, self._well = (
            {key_of(name): groups for name, groups in _read(language, table).items()}
            for table in ("pictures-of-problems", "pictures-of-health")
        )
        words = language.words
        denials = ("denying", "denials-in-talk", "none-of-it", "declines-what-is-done", "told-by-nobody")
        self._denies = alone([w for name in denials for w in words(name)])
        self._of_others = alone(words("done-all-the-same"))
        self._never_asked = alone(words("never-told-of-care"))
        self._fails = alone([*words("care-barriers"), *words("does-against-care")])
        self._follows = alone(words("does-as-asked"))
        self._past = alone(words("used-to-do"))
        self._bad, self._keeps_off = alone(words("bad-for-care")), alone(words("keeps-off"))

    def of_operations(self, text: str, record: ClinicalRecord, operations: dict[str, str]) -> Iterator[Statement]:
        """Operations and examinations that are painted as done, or as not done, and those on the record that cannot have been."""
        listed = record.of("procedure")
        for family in _hit(self._done, text):
            denied = self._denies.search(text) is not None and self._of_others.search(text) is None
            yield Statement("procedure", "denied" if denied else "done", family, family, value=text, guessed=True)
        for family in _hit(self._kept, text):
            if any(family in named_in(i.text, operations) for i in listed):
                yield Statement("procedure", "denied", family, family, value=text, guessed=True)

    def of_care(self, text: str, record: ClinicalRecord, activities: dict[str, str]) -> Iterator[Statement]:
        """What a care plan on the record asks for, painted as done, as not done, or as never asked for."""
        asked = {family for i in record.of("plan") if i.status == "current" for family in named_in(i.text, activities)}
        for family in _hit(self._asked, text):
            manner = self._kept_to(text)
            if family in asked and manner is not None:
                yield Statement("plan", manner, family, family, value=text, guessed=True)

    def _kept_to(self, text: str) -> Manner | None:
        if self._never_asked.search(text) is not None:
            return "denied"
        if self._bad.search(text) is not None:
            return "follows" if self._keeps_off.search(text) is not None and not self._cannot(text) else "fails"
        if self._is_over(text):
            return "fails"
        return "follows" if self._follows.search(text) is not None else "fails" if self._fails.search(text) is not None else None

    def _cannot(self, text: str) -> bool:
        """Whether it is told that something cannot be, or is not, kept to, "I can't give up my ham"."""
        return self._fails.search(self._keeps_off.sub(" ", text)) is not None

    def _is_over(self, text: str) -> bool:
        """Whether something is told as done once and no more."""
        return self._past.search(text) is not None

    def of_problems(self, text: str, on_record: dict[str, Recorded]) -> Iterator[Statement]:
        """Problems of the record, by their keys, that are painted as there, or as if they were not."""
        denied = self._denies.search(text) is not None
        well = [key for key in _hit(self._well, text) if key in on_record]
        for key in well:
            yield Statement("condition", "denied", on_record[key].text, key, value=text, guessed=True)
        for key in _hit(self._had, text) if not well else ():
            if key in on_record:
                yield Statement("condition", "denied" if denied else "has", on_record[key].text, key, value=text, guessed=True)


class Pictured:
    """Finds the pictures of one list that nothing beside them denies; made once, never changed."""

    def __init__(self, language: Language, name: str, denials: list[str]) -> None:
        self._table, self._denies = _read(language, name), alone(denials)

    def told_in(self, text: str) -> list[str]:
        """What the pictures in a text mean."""
        return [topic for topic, pictures in self._table.items() if any(self._is_told(groups, text) for groups in pictures)]

    def _is_told(self, groups: Groups, text: str) -> bool:
        rest = text
        for group in groups:
            if group.search(text) is None:
                return False
            rest = group.sub(" ", rest)
        return self._denies.search(rest) is None


def named_in(text: str, families: dict[str, str]) -> set[str]:
    """Which of the families a text of a record names."""
    words = f" {' '.join(fold(text).replace('(', ' ').replace(')', ' ').replace(',', ' ').split())} "
    return {family for phrase, family in families.items() if f" {phrase} " in words}


def _hit(table: dict[str, list[Groups]], text: str) -> list[str]:
    return [topic for topic, pictures in table.items() if any(all(g.search(text) for g in groups) for groups in pictures)]


def _read(language: Language, name: str) -> dict[str, list[Groups]]:
    """`camera/scope & behind/bottom` → the groups of words of which one each must stand in a text, by what they mean."""
    found: dict[str, list[Groups]] = {}
    for phrase, topic in language.meaning(name).items():
        groups = tuple(alone(w.strip() for w in group.split(_ONE_OF)) for group in phrase.split(_ALL_OF))
        for name in topic.split(","):
            found.setdefault(name.strip(), []).append(groups)
    return found
