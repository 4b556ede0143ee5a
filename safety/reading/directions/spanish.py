"""Everyday Spanish directions put into the English words that the reader knows; nothing but language."""

from __future__ import annotations

import re

from safety.reading.directions.words import SpanishWords
from safety.text import unaccented

_WORD = re.compile(r"[^\W\d_]+|[0-9]+(?:[.,/][0-9]+)*|\S")


def in_english(text: str, spanish: SpanishWords) -> str | None:
    """A direction that is recognisably Spanish, in English words; `None` for any other text."""
    folded = unaccented(text).lower()
    if not spanish.strong.search(folded) or spanish.refused.search(folded):
        return None
    raws = _WORD.findall(text)
    words = [unaccented(raw.lower()) for raw in raws]
    out: list[str] = []
    i = 0
    while i < len(words):
        i = _joined(words, i, out, spanish) or _phrase(words, raws, i, out, spanish)
    return " ".join(out)


def _joined(words: list[str], i: int, out: list[str], spanish: SpanishWords) -> int:
    """As in "cada 4 a 6 horas", "una tableta y media": past the joining word; 0 where it joins no numbers."""
    after = words[i + 1] if i + 1 < len(words) else ""
    if words[i] in ("a", "o") and out and _is_number(out[-1], spanish) and _is_number(spanish.english.get(after, after), spanish):
        out.append("to" if words[i] == "a" else "or")
        return i + 1
    if words[i] == "y" and after in spanish.halves and len(out) > 1 and _is_number(out[-2], spanish):
        out[-1:] = ["and a half", out[-1]]
        return i + 2
    return 0


def _phrase(words: list[str], raws: list[str], i: int, out: list[str], spanish: SpanishWords) -> int:
    """Past the longest phrase that is known; a word that is not stays as it is, and unread."""
    for size in range(min(spanish.longest, len(words) - i), 0, -1):
        english = spanish.english.get(" ".join(words[i : i + size]))
        if english is not None:
            out.append(english)
            return i + size
    out.append(raws[i])
    return i + 1


def _is_number(word: str, spanish: SpanishWords) -> bool:
    return word[:1].isdigit() or word in spanish.numbers
