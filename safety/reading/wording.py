"""Text → words, each folded once, with the places where they stand; and the patterns that lists of words make."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from safety.text import lowered, plain_letters, printable, unaccented

LONGEST = 2000
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[+/&%]")


class Wording:
    """A text, safe to echo, and its words, numbers and joining signs as they are compared: lower case, no accents.

    `starts` and `ends` say where each word stands in `text`. Three lists of one length; nothing of them is changed.
    """

    __slots__ = ("ends", "starts", "text", "words")

    def __init__(self, text: str, words: list[str], starts: list[int], ends: list[int]) -> None:
        self.text, self.words, self.starts, self.ends = text, words, starts, ends

    @property
    def key(self) -> str:
        """The words with single spaces between them."""
        return " ".join(self.words)


def cleaned(text: str) -> str:
    """A text as it is read: compatibility characters as plain ones, nothing invisible, single spaces, not too long."""
    text = text[:LONGEST]
    return printable(text if text.isascii() else plain_letters(unicodedata.normalize("NFKC", text)), LONGEST)


def worded(text: str) -> Wording:
    """The words of a text that was cleaned."""
    words, starts, ends = [], [], []
    if text.isascii():
        lower = text.lower()
        for found in _WORD.finditer(lower):
            words.append(found[0])
            starts.append(found.start())
            ends.append(found.end())
        if "'" in text:
            words = [word.replace("'", "") for word in words]
    else:
        for found in _WORD.finditer(text):
            words.append(unaccented(lowered(found[0])).replace("'", "").replace("’", ""))
            starts.append(found.start())
            ends.append(found.end())
    return Wording(text, words, starts, ends)


def key_of(text: str) -> str:
    """A name as it is looked up: its words, folded, with single spaces between them."""
    if text.isalpha() and text.isascii():  # most names are one plain word
        return text.lower()
    return worded(cleaned(text)).key


def longest_by_first(phrases: Iterable[str]) -> dict[str, int]:
    """How many words the longest phrase has that begins with a word."""
    found: dict[str, int] = {}
    for phrase in phrases:
        words = phrase.split()
        if words:
            found[words[0]] = max(found.get(words[0], 0), len(words))
    return found


def any_of(phrases: Iterable[str], between: str = r"\s+") -> str:
    """A pattern for any of these phrases, the longest first; `between` stands for each space."""
    parts = (between.join(map(re.escape, phrase.split())) for phrase in sorted(phrases, key=lambda p: (-len(p), p)))
    return "(?:" + "|".join(parts) + ")"


def leading(phrases: Iterable[str]) -> str:
    """A pattern for any of these phrases where more words of its clause stand behind it: "before the surgery"."""
    return rf"(?<![\w-]){any_of(phrases)}(?=\s+[^\s.,;:!?])"


def alone(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of these phrases where it stands by itself, and is no part of a longer word."""
    return re.compile(rf"(?<![\w-]){any_of(phrases)}(?![\w-])", re.I)
