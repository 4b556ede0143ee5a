"""Smoking, alcohol and the like, as somebody tells it and as a record has it: used now, given up, or never."""

from __future__ import annotations

import re
from typing import Literal

from safety.answering.checker import Checker
from safety.memory.record import ClinicalRecord, Recorded
from safety.memory.statements import Statement
from safety.model.quantity import number
from safety.reading.wording import alone, any_of

Use = Literal["uses", "not", "former", "never"]
"""`not`: it is told that there is none now, and nothing of before."""
_AGREEING = {
    "uses": ("uses",), "not": ("not", "former", "never"), "former": ("former", "not"), "never": ("never", "not"),
}  # fmt: skip


class Habits:
    """Reads habits by the lists of one library; made once, never changed."""

    def __init__(self, checker: Checker) -> None:
        language = checker.library.language
        self._plainly = checker.spoken.plainly
        topics = language.meaning("habits")
        self._topics = {topic: alone(w for w, t in topics.items() if t == topic) for topic in dict.fromkeys(topics.values())}
        self._other = alone(language.words("drunk-without-alcohol"))
        self._never, self._former = alone(language.words("never-had-a-habit")), alone(language.words("gave-up-a-habit"))
        meant, given_up = any_of(language.words("only-in-mind")), any_of(language.words("gave-up-a-habit"))
        self._only_meant = re.compile(rf"(?<![\w-]){meant}\s+(?:\w+\s+)?{given_up}(?![\w-])", re.I)
        self._not = alone([*language.words("denying"), *language.words("none-of-it")])
        self._no_longer = alone(language.words("no-longer"))

    def of(self, text: str) -> dict[str, Use]:
        """The habits that a text speaks of, each with how it stands."""
        if self._other.search(text) is not None:
            return {}
        plain = self._plainly.in_digits(text).text
        return {topic: self._use(plain) for topic, named in self._topics.items() if named.search(plain) is not None}

    def _use(self, text: str) -> Use:
        text = self._only_meant.sub(" ", text)  # "trying to quit" is using it
        if self._never.search(text) is not None:
            return "never"
        denied = self._not.search(text) is not None
        if self._former.search(text) is not None or (denied and self._no_longer.search(text) is not None):
            return "former"
        return "not" if denied else "uses"

    def on_record(self, topic: str, record: ClinicalRecord) -> list[tuple[Recorded, Use]]:
        """What a record has of a habit, the newest first."""
        found = [(i, self._recorded(i, topic)) for i in record.of("condition", "result")]
        told = [(i, use) for i, use in found if use is not None]
        return sorted(told, key=lambda one: one[0].dated.isoformat() if one[0].dated is not None else "", reverse=True)

    def _recorded(self, item: Recorded, topic: str) -> Use | None:
        if topic not in self.of(item.text):
            return None
        if item.kind == "condition":
            use = self.of(item.text)[topic]
            return "former" if use == "uses" and item.status == "past" else use
        value = number(item.value)
        if value is not None:
            return "uses" if value else "not"
        return self.of(f"{item.text} {item.value}")[topic] if item.value else None

    def statements(self, text: str, record: ClinicalRecord) -> tuple[Statement, ...]:
        """What a text tells of habits that the record has, too."""
        told = self.of(text) if "?" not in text else {}
        return tuple(
            Statement("habit", "said", topic, topic, value=use) for topic, use in told.items() if self.on_record(topic, record)
        )

    def used(self, text: str) -> tuple[Statement, ...]:
        """The habits that a text tells as somebody's now."""
        told = self.of(text) if "?" not in text else {}
        return tuple(Statement("intake", "consumes", topic, value=text) for topic, use in told.items() if use == "uses")

    @staticmethod
    def agree(told: str, recorded: str) -> bool:
        """Whether what is told and what is recorded can both be so."""
        return recorded in _AGREEING[told]
