"""The words of a line of a problem list, each as it is compared, with what stands between them."""

from __future__ import annotations

import re
from collections.abc import Container

from safety.reading.wording import cleaned
from safety.text import unaccented

_DOTTED = re.compile(r"(?<![\w.])(?:[A-Z]\.){2,}(?:[A-Z](?!\w))?")
"""Capitals with a stop behind each ("C.O.P.D.")."""
_RAISED, _LOWERED = re.compile("\u2191 ?(?=[A-Za-z])"), re.compile("\u2193 ?(?=[A-Za-z])")
"""An arrow before what is too high or too low ("\u2191chol", "\u2193 plts")."""
_BREAK = re.compile(r"\s*[,;|\n\"]|\.(?:\s|$)|\s--?\s")
_OVER_WHICH = frozenset(";|>?#")
_JOINING = frozenset({"/", "&", "+", "and"})
_STOP = re.compile(r"[)\]]?\.\s")
_LONG, _CAPITALS, _FEW = 4, 3, 2
"""So many letters has a word before a full stop, or capitals, that is no abbreviation; fewer before other capitals."""
_LONG_DASH = re.compile("\\s*\u2014\\s*|\\s\u2013\\s")
"""A dash that parts two thoughts ("LGIB\u2014prob diverticular")."""
_WORD = re.compile(r"[a-z0-9%]+(?:['’][a-z]+)*|[/+&]")


class Words:
    """A line and its words: `folded[i]` stands from `starts[i]` to `ends[i]` of `text`; `gaps[i]` is what stands before it.

    `gaps` has one more: what stands after the last word; a full stop that ends a sentence is a semicolon there. `key(i, j)` is
    what names are looked up by. `breaks`: words before which something stands over which no name reaches. `leading`: words that
    lead on, so that a stop behind them ends nothing ("poss. PE"); `following`: words that go on ("evid. of"). `size`: how many
    words there are; `full`: each written out, once a reader of names has done so; `alike`: the words that one may be meant for.
    """

    __slots__ = ("_joined", "_places", "alike", "breaks", "ends", "folded", "full", "gaps", "size", "starts", "text")

    def __init__(self, text: str, leading: Container[str] = (), following: Container[str] = ()) -> None:
        plain = cleaned(_LONG_DASH.sub(" - ", text))
        self.text = _DOTTED.sub(
            lambda found: found[0].replace(".", ""), unaccented(_RAISED.sub("high ", _LOWERED.sub("low ", plain)))
        )
        lower = self.text.lower()
        self.folded: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.gaps: list[str] = []
        self._places = [0]
        before = 0
        for found in _WORD.finditer(lower):
            word = found[0].replace("'", "").replace("’", "")
            self.folded.append(word)
            self.starts.append(found.start())
            self.ends.append(found.end())
            self.gaps.append(self.text[before : found.start()])
            self._places.append(self._places[-1] + len(word) + 1)
            before = found.end()
        self.gaps.append(self.text[before:])
        self._joined = " ".join(self.folded)
        self.size = len(self.folded)
        self.full = self.folded
        self.alike: dict[int, tuple[str, ...]] = {}
        self.breaks = tuple(n for n, gap in enumerate(self.gaps) if gap not in (" ", "#") and not _OVER_WHICH.isdisjoint(gap))
        for n in range(1, len(self.folded)):
            inside = self.folded[n - 1] in leading or self.folded[n] in following
            if _STOP.match(self.gaps[n]) and not inside and self._ends_a_sentence(n):
                self.gaps[n] = self.gaps[n].replace(".", ";", 1)

    def __len__(self) -> int:
        return len(self.folded)

    def _ends_a_sentence(self, n: int) -> bool:
        """Whether a full stop before a word is none of an abbreviation: behind a long word, or between capitals ("HTN. DM")."""
        before, after = self.text[self.starts[n - 1] : self.ends[n - 1]], self.text[self.starts[n]]
        capitals = len(before) if before.isupper() else 0
        return len(before) >= _LONG or capitals >= _CAPITALS or (capitals >= _FEW and after.isupper())

    def key(self, i: int, j: int) -> str:
        """The words from `i` up to, and without, `j`, with single spaces between them."""
        return self._joined[self._places[i] : self._places[j] - 1]

    def shown(self, i: int, j: int) -> str:
        """The same as it was written."""
        return self.text[self.starts[i] : self.ends[j - 1]]

    def alone(self, i: int, led_by: Container[str] = ()) -> bool:
        """Whether a word is all that stands between two breaks of the line, or words that join ("arthritis, sugar"); small words
        that lead to it are none ("I have sugar")."""
        first = i
        while first and self.gaps[first] == " " and self.folded[first - 1] in led_by:
            first -= 1
        before = first == 0 or bool(_BREAK.match(self.gaps[first])) or self.folded[first - 1] in _JOINING
        last = i + 1 == len(self.folded)
        return before and (last or bool(_BREAK.match(self.gaps[i + 1])) or self.folded[i + 1] in _JOINING)

    def word_at(self, end: int, i: int) -> int:
        """The first word from `i` on that begins at or after a place of the text."""
        while i < len(self.folded) and self.starts[i] < end:
            i += 1
        return i
