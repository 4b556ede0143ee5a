"""The words around medicines' names in what somebody says: where one medicine ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Mapping

from safety.knowledge.language import Language
from safety.reading.spoken.matching import Table
from safety.reading.spoken.words import Plainly
from safety.reading.wording import any_of


class AroundNames:
    """Looks at a statement's own text, letter by letter, by the lists of one language."""

    def __init__(self, tables: Mapping[str, Table], plainly: Plainly, language: Language) -> None:
        self.more, self.two_names, self.plainly = tables["more-than-directions"], tables["two-names"], plainly
        leading, between = any_of(language.words("leading-to-a-name")), any_of(language.words("before-a-name"))
        self._leading = re.compile(rf"(?:\b{leading}|[,;.])\s+(?:{between}\s+){{0,3}}$", re.I)
        self._medicine = re.compile(rf"\s*{any_of(language.words('said-of-medicines'))}\b", re.I)
        self._next = re.compile(rf"(?:\b{any_of(language.words('medicine-after-medicine'))}\b|[,.;])", re.I)
        self._ahead = re.compile(rf"^\W*(?:{any_of(language.words('leading-to-directions'))}\b\W*)*", re.I)
        self._form = re.compile(rf"\b{any_of(language.words('form'))}\b", re.I)

    def before(self, text: str) -> str:
        """What was told before words that lead to the next name; the text itself where none do."""
        return self._leading.sub("", text)

    def is_medicine(self, after: str) -> bool:
        """Whether a word is followed by "pill" or the like, and so may only say what the pill is for."""
        return self._medicine.match(after) is not None

    def next_begins(self, between: str) -> int:
        """Where, between two names, what is told of the second begins."""
        found = [m.start() for m in self._next.finditer(between)]
        return found[-1] if found else len(between)

    def are_two(self, between: str) -> bool:
        """Whether two names of one medicine, with these words between them, are told as two medicines."""
        hit = self.two_names.first(self.plainly.words(between))
        return hit is not None and "added" in hit.says

    def as_directions(self, text: str) -> str | None:
        """The directions that a statement is, without the words that lead to them; None where it is more than directions."""
        if self.more.first(self.plainly.as_said(text)) is not None:
            return None
        return self._ahead.sub("", text).strip(" .,;")

    def names_form(self, text: str) -> bool:
        """Whether a text names what is counted."""
        return self._form.search(text) is not None
