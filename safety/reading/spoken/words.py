"""What people say, made plain: contractions opened, numbers as digits, common slips of the keyboard mended.

`i've been takin' forty-mg twice` → `i have been taking 40 mg 2 times`. Nothing is interpreted yet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from safety.knowledge.language import Language
from safety.knowledge.spoken import filled
from safety.reading.spoken.matching import Table, Words
from safety.reading.spoken.numbers import Numbers

LONGEST_STATEMENT = 2000
_SHORTEST_MENDED = 5
_ASKED_AGAIN = 16
"""A statement is asked several things in a row: how it is taken, what the bottle held."""
_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "½": " 1/2 ", "¼": " 1/4 ", "¾": " 3/4 ", "×": " x ", "μ": "µ"} | dict.fromkeys("‐‑‒–—−", "-")
)
_WORD = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+/\d+(?:\.\d+)?|\d{1,2}:\d\d(?!\d)|\d+(?:\.\d+)?(?:s(?![a-z]))?|"  # 1,500 8:30 50s
    r"(?<![\d.])\.\d+|(?<![a-zµ'])[a-z](?:\.[a-z])+(?![a-z])\.?|'?[a-zµ]+(?:'[a-z]+)*'?|"  # .5 a.m. don't
    r"(?<=\d)-(?=\d)|(?<=\d )-(?= ?\d)|(?<=\d)-(?= \d)|[.,;:!?()/&+]"  # 40-80, and stops
)


class Plainly:
    """A statement's words made plain, by the lists of one language."""

    def __init__(self, language: Language, rewriting: Table) -> None:
        self.numbers = Numbers(language)
        self.rewriting = rewriting
        self.phrases = _by_first_word(language.meaning("made-plain"))
        self.mended = language.words("mended")
        self.real = frozenset(self.mended) | frozenset(language.words("not-mended"))
        self.mend = lru_cache(4096)(self._mend)
        self.words = lru_cache(_ASKED_AGAIN)(self._plain)

    def _plain(self, text: str, *, apart: bool = False) -> Words:
        """The words of a statement; `apart`: "one forty milligram" is one of forty, not a hundred and forty."""
        return self._rewritten(self.in_digits(text, apart=apart))

    def in_digits(self, text: str, *, apart: bool = False) -> Words:
        """The words of a statement, numbers as digits, before the table `rewriting` says them more plainly."""
        return _words(self.numbers.as_digits(self._said(text), apart=apart))

    def as_said(self, text: str) -> Words:
        """The words of a statement with contractions opened, numbers as they were said."""
        return _words(self._said(text))

    def two_ways(self, text: str) -> bool:
        """Whether "one forty milligram" in it may be a hundred and forty, or one of forty."""
        return self.numbers.two_ways(self._said(text))

    def _said(self, text: str) -> list[str]:
        """The words with contractions opened and slips mended, numbers as they were said."""
        opened = self._opened(_split(text))
        return [self.mend(word) if len(word) >= _SHORTEST_MENDED else word for word in opened]

    def _opened(self, words: list[str]) -> list[str]:
        found: list[str] = []
        at = 0
        while at < len(words):
            for phrase, plain in self.phrases.get(words[at], ()):
                if words[at : at + len(phrase)] == phrase:
                    found += plain
                    at += len(phrase)
                    break
            else:
                word = words[at].replace("'", "")
                found += [word] if word else []
                at += 1
        return found

    def _mend(self, word: str) -> str:
        """A word one slip away from one that matters here (`frgot`), unless it is a word of its own."""
        if word in self.real or not word.isalpha():
            return word
        near = [k for k in self.mended if len(k) >= _SHORTEST_MENDED and _one_slip(word, k)]
        plural = any(word in (k + "s", k.removesuffix("s")) for k in near)
        return near[0] if len(near) == 1 and not plural else word

    def _rewritten(self, words: Words) -> Words:
        may_hit = self.rewriting.may_hit(words)
        for n in range(len(self.rewriting.rows)) if may_hit else ():
            hits = self.rewriting.of_row(n, words) if n in may_hit else []
            for hit in reversed(hits):
                plainly = filled(hit.row.becomes, hit.said, hit.read) + " "
                words = Words(words.text[: hit.start] + plainly + words.text[hit.end :])
            may_hit = self.rewriting.may_hit(words) if hits else may_hit
        return words


def _words(words: list[str]) -> Words:
    return Words("".join(f"{word} " for word in words))


def _one_slip(word: str, other: str) -> bool:
    return DamerauLevenshtein.distance(word, other, score_cutoff=1) <= 1


def _split(text: str) -> list[str]:
    """The words, numbers and stops of a text in lower case."""
    lower = " ".join(text[:LONGEST_STATEMENT].translate(_PLAIN).lower().split())
    found = [m[0] for m in _WORD.finditer(lower)]
    return [_number(word) if word[0].isdigit() or (word[0] == "." and len(word) > 1) else word for word in found]


def _number(word: str) -> str:
    word = word.replace(",", "")
    return f"0{word}" if word.startswith(".") else word


def _by_first_word(meanings: Mapping[str, str]) -> dict[str, list[tuple[list[str], list[str]]]]:
    """Phrases with how they are said plainly, the longest first."""
    found: dict[str, list[tuple[list[str], list[str]]]] = {}
    for phrase in sorted(meanings, key=lambda phrase: (-len(phrase.split()), phrase)):
        words = _lexed(phrase)
        if words:
            found.setdefault(words[0], []).append((words, meanings[phrase].split()))
    return found


def _lexed(phrase: str) -> list[str]:
    return [m[0] for m in _WORD.finditer(phrase)]
