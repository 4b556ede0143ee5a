"""Numbers of results in words → digits: "two point one" 2.1, "one forty eight over eighty eight" 148 over 88."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from safety.knowledge.language import Language
from safety.model.quantity import number
from safety.reading.spoken.numbers import Numbers
from safety.reading.wording import any_of
from safety.text import lowered

_SAID = re.compile(r"[^\W_]+(?:[.,]\d+)?|[/%]")
_WORD = re.compile(r"[^\W\d_]+")
_JOINS = re.compile(r" ?-? ?")
"""Between the words of one number: "sixty-five"."""
_TEENS = range(10, 20)
_BEGIN, _GO_ON, _END = "etyH.", "etyHK.&oahq", "etyHKhq"
"""The parts that a word plays in a number, of the first, of any, and of the last."""
_DOUBT = "fxTPNcz|"
"""Before or behind a number: it is one of several, so often, so many tablets, or one number or another."""
_POINT = "."
_SHORT = re.compile(r"e(?:ye?|t)")
"""As in "one fifty", which is a hundred and fifty, and may be one point fifty."""


class Heard(NamedTuple):
    """A number that was told in words: where it stands as digits, the words; `short`: its hundred, or its point, is left out."""

    start: int
    end: int
    value: Decimal
    words: str
    short: bool


class Spelled:
    """Number words of results, by the lists of one language."""

    def __init__(self, language: Language) -> None:
        self._numbers = Numbers(language)
        self._times = frozenset(language.words("time-units"))
        points = [word for word, part in self._numbers.letters.items() if part == _POINT]
        figures = [word for word, figure in self._numbers.values.items() if 0 <= figure < 10]
        self._mixed = re.compile(
            rf"(?<![\w.,/-])(\d{{1,3}})\s+{any_of(points)}\s+(\d{{1,3}}|{any_of(figures)})(?![\w.,/-])", re.I
        )

    def in_digits(self, text: str) -> str:
        """A text with its number words as digits; empty where it has none, or where they do not come to one number."""
        said = _SAID.findall(text.lower())
        words = _with_teens(self._numbers.as_digits(said), said)
        in_a_row = any(a[0].isdigit() and b[0].isdigit() for a, b in pairwise(words))
        left = "." in self._numbers.spelled(words)
        return "" if words == said or in_a_row or left else " ".join(words)

    def line(self, text: str, known: Callable[[str, int], object] = lambda *_: None) -> tuple[str, tuple[Heard, ...]]:
        """A line with every number that is plainly told in words as digits; what may be read in two ways stays as it is told.

        `known`: whether a phrase begins at a place that says something as it stands, as "two lines" of a test does.
        """
        found, parts, at, shift = list[Heard](), list[str](), 0, 0
        for start, end, value, short in self._said(text, known):
            parts += [text[at:start], value]
            shift += len(value) - (end - start)
            read = number(value)
            if read is not None:
                found.append(Heard(end + shift - len(value), end + shift, read, text[start:end], short))
            at = end
        return ("".join((*parts, text[at:])), tuple(found)) if found else (text, ())

    def _said(self, text: str, known: Callable[[str, int], object]) -> list[tuple[int, int, str, bool]]:
        """Every number in words, in order: where it stands, its digits, and whether its hundred or point is left out."""
        mixed = [(*found.span(), self._with_a_point(found), False) for found in self._mixed.finditer(text)]
        found = list(mixed)
        for run in self._runs(text):
            value = self._value(run, text)
            start, end = run[0].start(), run[-1].end()
            if value is None or known(text, start) or any(a < end and start < b for a, b, *_ in mixed):
                continue
            found.append((start, end, value, _SHORT.fullmatch(self._letters(run)) is not None))
        return sorted(found)

    def _with_a_point(self, found: re.Match[str]) -> str:
        """Digits with the word for a point behind them, "5 point 8" or "5 point eight", as a number."""
        behind = lowered(found[2])
        return f"{found[1]}.{behind if behind.isdigit() else self._numbers.values[behind]}"

    def _letters(self, words: Sequence[re.Match[str]]) -> str:
        return self._numbers.spelled([lowered(w[0]) for w in words])

    def _runs(self, text: str) -> Iterator[list[re.Match[str]]]:
        """The words that follow one another and are parts of numbers."""
        words = list(_WORD.finditer(text))
        letters = self._letters(words)
        at = 0
        while at < len(words):
            run = []
            if letters[at] in _BEGIN or (letters[at] == "a" and letters[at + 1 : at + 2] in ("H", "K")):
                run = [words[at]]
                while self._goes_on(text, words, letters, at + len(run)):
                    run.append(words[at + len(run)])
                while run and letters[at + len(run) - 1] not in _END:
                    run.pop()
            if run and not self._is_doubtful(text, words, letters, at, at + len(run)):
                yield run
            at += max(1, len(run))

    def _goes_on(self, text: str, words: Sequence[re.Match[str]], letters: str, at: int) -> bool:
        joined = at < len(words) and letters[at] in _GO_ON
        return joined and _JOINS.fullmatch(text, words[at - 1].end(), words[at].start()) is not None

    def _is_doubtful(self, text: str, words: Sequence[re.Match[str]], letters: str, at: int, end: int) -> bool:
        """A lone "one", a number with a part of another beside it, and one that counts, or may count, something else."""
        if end == at + 1 and self._numbers.values.get(words[at][0].lower()) == 1:
            return True
        before, behind = (text[words[at - 1].end() : words[at].start()] if at else "x"), text[words[end - 1].end() :][:2]
        beside = letters[at - 1] if not before.strip() else ""
        after = letters[end : end + 1] if behind[:1] == " " and behind[1:].isalpha() else ""
        if end - at > 1 and after and words[end][0].lower() in self._times:  # "one eighty two hours after eating"
            return True
        return beside in tuple(".o|") or after in tuple(f".o{_DOUBT}") or behind[1:].isdigit() or behind[:1] in ("-", "'")

    def _value(self, run: Sequence[re.Match[str]], text: str) -> str | None:
        said = [lowered(w[0]) for w in run]
        words = _with_teens(self._numbers.as_digits(said), said)
        return words[0] if len(words) == 1 and words[0][0].isdigit() and number(words[0]) is not None else None


def _with_teens(words: Sequence[str], said: Sequence[str]) -> list[str]:
    """ "One eighteen" is 118, as a pressure or a pulse is said: a figure in words, and then ten to nineteen in words."""
    found: list[str] = []
    for word in words:
        last = found[-1] if found else ""
        teen = word.isdecimal() and int(word) in _TEENS and word not in said
        if teen and last.isdecimal() and 0 < int(last) < 10 and last not in said:
            found[-1] = last + word
        else:
            found.append(word)
    return found
