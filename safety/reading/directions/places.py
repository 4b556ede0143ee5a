"""Where in a text of directions each part of them stands: the words that were read, laid over the characters as written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from safety.model.directions import Directions
from safety.reading.directions.phrases import Scan
from safety.reading.directions.spanish import in_english
from safety.reading.directions.words import Lexicon

PartName = Literal[
    "dose", "strength", "per_day", "maximum", "frequency", "time", "route", "form", "duration", "as_needed", "reason", "step",
    "unread",
]  # fmt: skip

_BY_NOTE: dict[str, PartName] = {
    "often": "frequency", "slots": "time", "meals": "time", "weekdays": "frequency", "day_max": "maximum",
    "durations": "duration", "as_needed": "as_needed", "once": "frequency", "routes": "route", "forms": "form",
    "release": "form", "steps": "step", "thens": "step", "repeats": "maximum",
}  # fmt: skip
_SHORT = 5
_FAR = 24
"""So many characters may lie between two words before the later of the two is looked for no further."""


class Part(Struct, frozen=True, order=True):
    """One part of the directions: the characters from `start` up to, not including, `end`, and what they tell."""

    start: int
    end: int
    name: PartName


class _Placed(Scan):
    """A scan that keeps, for each step over the words, from where to where it went and which notes it took."""

    def __init__(self, text: str, lex: Lexicon) -> None:
        self.walked: list[tuple[int, int, list[PartName], list[int]]] = []
        self._inside = False
        super().__init__(text, lex)

    def _number(self, i: int) -> int:
        return self._kept(i, super()._number)

    def _adverb_times(self, i: int) -> int:
        return self._kept(i, super()._adverb_times)

    def _every(self, i: int) -> int:
        return self._kept(i, super()._every)

    def _phrase(self, i: int) -> int:
        return self._kept(i, super()._phrase)

    def _kept(self, i: int, read: object) -> int:
        assert callable(read)
        if self._inside:
            return int(read(i))
        self._inside = True
        before = {note: len(getattr(self, note)) for note in _BY_NOTE}
        amounts = len(self.amounts)
        end = int(read(i))
        self._inside = False
        took = [name for note, name in _BY_NOTE.items() if len(getattr(self, note)) > before[note]]
        self.walked.append((i, end, took, list(range(amounts, len(self.amounts)))))
        return end


def parts_of(text: str, directions: Directions, lex: Lexicon) -> tuple[Part, ...]:
    """The parts of a text whose `directions` were read, in their order; none of a text in Spanish, which is read in English."""
    if in_english(text, lex.spanish) is not None:
        return ()
    scan = _Placed(text, lex)
    words = _named(scan, directions)
    spans = laid_over(scan.raws, text)
    found: list[Part] = []
    for i, name in sorted(words.items()):
        start, end = spans[i]
        last = found[-1] if found else None
        start = max(start, last.end) if last is not None and last.name != name else start
        if last is not None and last.name == name and words.get(i - 1) == name and not _apart(scan, i, name):
            found[-1] = Part(last.start, max(last.end, end), name)
        elif end > start:
            found.append(Part(start, end, name))
    return tuple(found)


def _apart(scan: _Placed, i: int, name: PartName) -> bool:
    """Whether word i begins another thing of the same kind ("bid, at 8 am and at noon")."""
    return name not in ("reason", "unread") and any(start == i for start, _, took, amounts in scan.walked if took or amounts)


def _named(scan: _Placed, directions: Directions) -> dict[int, PartName]:
    """What each word tells, by its place among the words; words that only join tell nothing."""
    words: dict[int, PartName] = {}
    for start, end, took, amounts in scan.walked:
        for note in (scan.amounts[n] for n in amounts):
            words.update(dict.fromkeys(range(start, note.end), _amount(note.low, note.high, note.unit, note.kind, directions)))
        if took:
            rest = [i for i in range(start, end) if i not in words]
            words.update(dict.fromkeys(rest, took[0]))
    words.update(dict.fromkeys(_found(scan.raws, (directions.reason or "").split(), words), "reason"))
    for i in _found(scan.raws, directions.unread, {}):
        words[i] = "unread"
    return words


def _amount(low: object, high: object, unit: str, kind: str, directions: Directions) -> PartName:
    """Whether an amount was taken as one dose, as what one unit holds, or as a day's."""
    strength, per_day = directions.strength, directions.per_day
    doses = [d for d in (directions.dose, *(s.dose for s in directions.steps)) if d is not None]
    if any((low, high, unit) == (d[0].value, d[1].value, d[0].unit) for d in doses):
        return "dose"
    if strength is not None and (low, unit) == (strength.value, strength.unit):
        return "strength"
    if kind == "per_day" or (per_day is not None and (high, unit) == (per_day[1].value, per_day[1].unit)):
        return "per_day"
    return "strength" if kind in ("strength", "percent", "concentration", "per_hour") else "dose"


def _found(raws: Sequence[str], told: Sequence[str], taken: dict[int, PartName]) -> Iterator[int]:
    """Where words that were told, each as written, stand among the words of the text, in order."""
    at = 0
    for word in told:
        here = next((i for i in range(at, len(raws)) if raws[i] == word and i not in taken), None)
        if here is not None:
            yield here
            at = here + 1


def laid_over(raws: Sequence[str], text: str) -> list[tuple[int, int]]:
    """From where to where in the text each word stands, in order.

    A word that is not written so ("with" of "w/", "1/2" of "½") has what lies between the words about it.
    """
    spans: list[tuple[int, int] | None] = []
    at = 0
    for raw in raws:
        here = _next(text, raw, at, waiting=bool(spans) and spans[-1] is None)
        spans.append(here)
        at = here[1] if here else at
    return _filled(spans, text)


def _next(text: str, word: str, at: int, *, waiting: bool) -> tuple[int, int] | None:
    """The next place of a word with no letter or digit passed over, unless a word before it is still to be placed."""
    found = _written(word).search(text, at, at + _FAR + 2 * len(word))
    if found is None or (not waiting and any(c.isalnum() for c in text[at : found.start()])):
        return None
    return found.span()


@lru_cache(4096)
def _written(word: str) -> re.Pattern[str]:
    """A word as it may be written: "po" as "p.o.", "1 and 1/2" with any spaces."""
    parts = [re.escape(part) for part in word.split()]
    if len(parts) == 1 and word.isalpha() and len(word) <= _SHORT:
        return re.compile(rf"{word}|{'[.]'.join(word)}[.]?", re.I)
    return re.compile(r"\s*".join(parts), re.I)


def _filled(spans: Sequence[tuple[int, int] | None], text: str) -> list[tuple[int, int]]:
    """Every span; of those that were not found, what is left between their neighbours."""
    out: list[tuple[int, int]] = []
    before = 0
    for n, span in enumerate(spans):
        if span is None:
            after = next((s[0] for s in spans[n + 1 :] if s is not None), len(text))
            gap = text[before:after]
            start = before + len(gap) - len(gap.lstrip(" ,;.-"))
            span = (min(start, after), before + len(gap.rstrip(" ,;-")) if gap.strip(" ,;.-") else min(start, after))
        out.append(span)
        before = span[1] if span[1] > before and spans[n] is not None else before
    return out


__all__ = ["Part", "PartName", "laid_over", "parts_of"]
