"""Text that people typed, made comparable; and "did you mean", only when close."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_LONG = 6
"""In a word of so many letters two may be wrong and it is still the same word."""
_INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Cn"}
_PUNCTUATION = re.compile(r"[^a-z0-9%+&/.'-]+")
_PLAIN = re.compile(r"[a-z0-9%]+(?: [a-z0-9%]+)*")
"""Text that is folded already."""
_LOOSE = re.compile(r"(?<![0-9])[.](?![0-9])|[.'’]")


_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")
"""Half of a pair that stands for one character: no text can be written with one."""
_ALIKE = str.maketrans({"ı": "i", "İ": "I", "ſ": "s", "K": "K"})


def plain_letters(text: str) -> str:
    """A text, as long as it was, without the letters that a pattern which ignores case takes for plain ones ("ı" for "i")."""
    return text if text.isascii() else text.translate(_ALIKE)


def whole(text: str) -> str:
    """A text with a mark in place of each half of a character, which no answer could be written with."""
    return _HALF_A_CHARACTER.sub("\ufffd", text)


def lowered(text: str) -> str:
    """What a pattern that ignores case has found, as it stands in the list that the pattern was made from."""
    return plain_letters(text).lower()


def printable(text: str, limit: int = 200) -> str:
    """Text that is safe to echo: control and zero-width characters out, white space folded, cut with an ellipsis."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c) not in _INVISIBLE)
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def fold(text: str) -> str:
    """A name as it is compared: lower case, no accents, no invisible characters, punctuation as single spaces.

    `Tylenol® Extra-Strength` and `tylenol extra strength` fold to the same text.
    """
    if _PLAIN.fullmatch(text):
        return text
    text = unaccented(text).lower().replace("'", "").replace("’", "")
    text = _PUNCTUATION.sub(" ", text).replace("-", " ").replace("/", " / ").replace("+", " + ").replace("&", " & ")
    if "." in text:
        text = _LOOSE.sub(" ", text)
    return " ".join(text.split())


def unaccented(text: str) -> str:
    """Text without accents and without invisible characters, compatibility characters as plain ones."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", text)
    return "".join(c for c in text if not unicodedata.combining(c) and unicodedata.category(c) not in _INVISIBLE)


def did_you_mean(word: str, known: Iterable[str], *, cutoff: float = 75.0) -> str:
    """A hint naming the closest known word; empty when nothing is close. The kind before an id's dot does not count."""
    from rapidfuzz import fuzz, process

    best = process.extractOne(word, sorted(known), scorer=fuzz.ratio, processor=_own_part, score_cutoff=cutoff)
    return f"did you mean `{best[0]}`?" if best else ""


def only_near(word: str, known: Iterable[str]) -> str:
    """The one known word that a slip of a letter or two makes of this one; empty where there is none, or a second one."""
    from rapidfuzz.distance import OSA

    most = 1 if len(word) < _LONG else 2
    found = {other for other in known if OSA.distance(word, other, score_cutoff=most) <= most}
    return found.pop() if len(found) == 1 else ""


def _own_part(word: str) -> str:
    kind, dot, rest = word.partition(".")
    return rest if dot and rest else kind
