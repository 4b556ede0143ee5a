"""Text about a medicine as words that can be compared, each with its place."""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct

from safety.reading.names import words
from safety.text import printable

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[+/&%]")
_MAX_TEXT = 2000


class Token(Struct, frozen=True):
    """One word, number or sign, and where it stands."""

    text: str
    start: int
    end: int


def cleaned(text: str) -> str:
    """Text as it is read: one way of writing each character, nothing invisible, cut where it is endless."""
    text = unicodedata.normalize("NFKC", text[:_MAX_TEXT]) if not text.isascii() else text[:_MAX_TEXT]
    return printable(text, _MAX_TEXT)


def tokens_of(text: str) -> list[Token]:
    """The words, numbers and signs of a text that was cleaned."""
    if text.isascii():
        return [Token(m[0].replace("'", ""), m.start(), m.end()) for m in _TOKEN.finditer(text.lower())]
    return [Token(_plain(m[0]), m.start(), m.end()) for m in _TOKEN.finditer(text)]


def has_tokens(text: str) -> bool:
    """Whether there is a word, a number or a sign in a text."""
    return _TOKEN.search(text) is not None


def _plain(text: str) -> str:
    text = text.lower()
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return text.replace("'", "").replace("’", "")


def key_of(text: str) -> str:
    """A name as it is looked up: its words with single spaces."""
    if text.isalpha() and text.isascii():  # most names are one plain word
        return text.lower()
    return " ".join(t.text for t in tokens_of(cleaned(text)))


def written_keys(key: str) -> tuple[str, ...]:
    """A name, and the same with its salt as labels abbreviate it (metformin hcl)."""
    head, _, salt = key.rpartition(" ")
    short = words.SALTS_IN_SHORT.get(salt)
    return (key, f"{head} {short}") if short and head else (key,)
