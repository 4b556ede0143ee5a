"""A result in number words → digits, to be asked about: "two point one" 2.1, "one forty eight over eighty eight" 148 over 88."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from safety.knowledge.language import Language
from safety.reading.spoken.numbers import Numbers

_SAID = re.compile(r"[^\W_]+(?:[.,]\d+)?|[/%]")
_TEENS = range(10, 20)


class Spelled:
    """Number words of results, by the lists of one language."""

    def __init__(self, language: Language) -> None:
        self._numbers = Numbers(language)

    def in_digits(self, text: str) -> str:
        """A text with its number words as digits; empty where it has none, or where they come to two numbers in a row."""
        said = _SAID.findall(text.lower())
        words = _with_teens(self._numbers.as_digits(said), said)
        in_a_row = any(a[0].isdigit() and b[0].isdigit() for a, b in pairwise(words))
        return "" if words == said or in_a_row else " ".join(words)


def _with_teens(words: Sequence[str], said: Sequence[str]) -> list[str]:
    """ "One eighteen" is 118, as a pressure or a pulse is said: a figure in words, and then ten to nineteen in words."""
    found: list[str] = []
    for word in words:
        last = found[-1] if found else ""
        teen = word.isdigit() and int(word) in _TEENS and word not in said
        if teen and last.isdigit() and 0 < int(last) < 10 and last not in said:
            found[-1] = last + word
        else:
            found.append(word)
    return found
