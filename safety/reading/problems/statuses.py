"""Phrases of denial, doubt, kinship and the past that are put together from parts ("no convincing evidence of").

A list of whole phrases never has all of them: here each word has a part that it plays, and a row of parts says what is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from safety.reading.problems.lexing import Words
from safety.reading.problems.words import Phrase
from safety.reading.wording import longest_by_first
from safety.text import fold

_PARTS = {
    "denying": "n", "lowering": "l", "doubting": "s", "unlikely": "u", "negative": "z", "out": "x", "evidence": "e",
    "history": "h", "concern": "q", "about": "a", "of": "p", "for": "r", "degree": "d", "test": "t", "workup": "w",
    "going": "g", "kin": "f", "or": "o", "telling": "v", "gone-through": "y", "treatment": "m", "like": "c",
    "not-believing": "N", "having": "W", "in-a-time": "i", "time": "j", "as-one": "I", "person": "J", "alone": "k", "over": "b",
}  # fmt: skip
"""The letter by which a part stands in a form."""
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("denied", "", r"n[ad]*[eh](?:[aeh]|o(?=[eh]))*[pr]*"),  # no clear evidence of, no known history of
    ("denied", "", r"[nl][ad]*q[pr]*"),  # no concern for, low suspicion for
    ("denied", "", r"na+"),  # no known, not currently
    ("denied", "", r"[te]*n[pr]"),  # nothing to suggest
    ("denied", "", r"(?:t+d*|w)z[pr]+|z[wt]+[pr]+"),  # imaging negative for, negative workup for
    ("denied", "denied", r"[te]*d*[nl][ad]*(?:s[pr]*|c)"),  # not suspected, felt less likely, not consistent with
    ("denied", "denied", r"d+[ux][pr]*|d*u[pr]+"),  # considered unlikely, unlikely to be, was excluded
    ("denied", "", r"NW"),  # doesn't think he has ever had
    ("suspected", "suspected", r"d+sd*[pr]*"),  # most likely, felt likely to be
    ("suspected", "", r"[te]*d*s[pr]+"),  # imaging concerning for
    ("suspected", "", r"a*q[pr]+"),  # strong suspicion for
    ("suspected", "", r"g+d*w[pr]+"),  # undergoing evaluation for
    ("family", "family", r"[av]*fa*h"),  # strong family history
    ("family", "", r"[av]*fa*hd*[va]*[pr]*"),  # strong family history of
    ("nobody", "", r"n[av]*fa*h[pr]*|fa*hd*zr?|zfa*h[pr]*"),  # no family history of
    ("denied", "", r"na+ofa*h[pr]*|nfoa+h[pr]*"),  # no personal or family history of
    ("history", "", r"a*hd*[va]+[pr]+"),  # history significant for
    ("history", "", r"ym[pr]"),  # completed treatment for
    ("", "resolved", r"ym|md*[by]"),  # finished therapy, treatment was completed
    ("", "history", r"k?(?:ij|IJ)k?"),  # as a teenager, in his youth only
)
"""What a row of parts says before a condition, what behind one, and the row."""
_PLAIN = frozenset("nszxuehqpfr")
"""The parts of which a phrase keeps the plain word, so that it reaches as far as its plain one ("no history of")."""
_BEGIN_NAMES = frozenset("asdtwm")
"""The parts that may be the first word of a name."""
_FEWEST, _MOST = 2, 9
"""So many parts has a phrase; one word by itself stands in a list."""
_APART = frozenset({"", " ", "-", " -", ". "})
"""What may stand between two parts."""
_REMEMBERED = 1024


class Statuses:
    """Reads phrases of standing that are put together; immutable, made once."""

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._letters = {fold(text): _PARTS[part] for text, part in parts.items()}
        self._plain: dict[str, str] = {}
        for text, letter in self._letters.items():
            self._plain.setdefault(letter, text)
        self._longest = longest_by_first(self._letters)
        self._forms = tuple((before, after, re.compile(row)) for before, after, row in _FORMS)
        self._form = lru_cache(_REMEMBERED)(self._longest_form)  # rows of parts are few

    def at(self, line: Words, i: int, reach: Callable[[int], int]) -> tuple[Phrase | None, int]:
        """The longest phrase that begins at a word, with how many words it has; none that ends inside the name of a condition.

        `reach`: how many words the name has that begins at a word ("no acute kidney injury" has no "no acute").
        """
        if line.folded[i] not in self._longest:
            return None, 0
        letters, ends = self._row(line, i)
        while len(letters) >= _FEWEST:
            phrase, count = self._form(letters)
            if phrase is None:
                break
            end = ends[count - 1]
            kept = next(
                (n for n in range(1, count) if letters[n] in _BEGIN_NAMES and ends[n - 1] + reach(ends[n - 1]) > end), None
            )
            if kept is None:
                return phrase, end - i
            letters = letters[:kept]
        return None, 0

    def _row(self, line: Words, i: int) -> tuple[str, list[int]]:
        """The letters of the parts from a word on, and where each ends."""
        letters, ends, n = "", [], i
        while n < line.size and len(letters) < _MOST and (n == i or _goes_on(line, n)):
            most = min(self._longest.get(line.folded[n], 0), line.size - n)
            long = next((c for c in range(most, 0, -1) if line.key(n, n + c) in self._letters), 0)
            if not long:
                break
            letters += self._letters[line.key(n, n + long)]
            n += long
            ends.append(n)
        return letters, ends

    def _longest_form(self, letters: str) -> tuple[Phrase | None, int]:
        longest, count = None, _FEWEST - 1
        for before, after, row in self._forms:
            found = row.match(letters)
            if found is not None and found.end() > count:
                longest, count = (before, after), found.end()
        if longest is None:
            return None, 0
        plain = " ".join(self._plain[c] for c in letters[:count] if c in _PLAIN)
        return Phrase("before" if longest[0] else "after", *longest, plain), count


def _goes_on(line: Words, n: int) -> bool:
    """Whether a word may be of the same phrase as the one before; one word of it may stand in brackets ("fam hx (+) for")."""
    gap = line.gaps[n]
    return gap in _APART or (gap == " (" and line.gaps[n + 1] == ") ") or (gap == ") " and line.gaps[n - 1] == " (")
