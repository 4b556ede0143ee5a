"""By which way a medicine is taken, as a sentence tells it before the name or behind it: "intravenous pulse steroids"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from safety.edge.extraction import Quoted, Span
from safety.knowledge.language import Language
from safety.reading.wording import Wording

_STOP = re.compile(r"[,;:.!?\n()]")
_ADVERB = ("ly", "by mouth", "by injection", "per rectum", "per os")
_AHEAD, _BEHIND = 8, 8
_LONGEST = 3
_SHORT = 3
_ABBREVIATED = frozenset({"oral", "intravenous", "intramuscular", "subcutaneous"})
"""Routes whose abbreviations in capitals ("IV", "PO") mean nothing else in a sentence; those of others do ("AD", "OS", "PR")."""
_DEVICES = frozenset({"implant", "dental"})
"""Routes whose words are of devices and of teeth in a sentence."""


def _is_meant(written: str, route: str) -> bool:
    """Whether words that may tell a route do so in a sentence."""
    if len(written) <= _SHORT:
        return route in _ABBREVIATED and written.isupper()
    return route not in _DEVICES


def _is_adverb(told: Quoted) -> bool:
    """Whether words of a route stand behind the name that they are told of."""
    return told.span.text.lower().endswith(_ADVERB)


class Routes:
    """Finds the words of a route beside a name."""

    def __init__(self, language: Language, joiners: frozenset[str]) -> None:
        self._routes = language.meaning("routes-in-prose")
        self._joiners = joiners

    def of(self, line: Wording, name: tuple[int, int], left: int, right: int, start: int) -> Quoted | None:
        """The route told of a name (its first word, and the word after it) between two others; `start`: where its sentence does.

        The last one that stands before it in the same breath, or an adverb behind it; none where the two differ.
        """
        first, after = name
        told = [q for q in (self._before(line, first, left, start), self._after(line, after, right)) if q is not None]
        return told[0] if told and len({q.value for q in told}) == 1 else None

    def goes_on(self, line: Wording, before: int, first: int) -> bool:
        """Whether nothing but a joiner stands between two names, so that the route of the one is the other's."""
        between = line.words[before:first]
        return len(between) <= 1 and all(w in self._joiners for w in between) and first > before

    def _before(self, line: Wording, first: int, left: int, start: int) -> Quoted | None:
        begin = max(left, first - _AHEAD)
        while begin < first and (line.starts[begin] < start or self._stops(line, begin, first)):
            begin += 1
        found = [
            q for q in self._among(line, range(begin, first), first) if not _is_adverb(q)
        ]  # "… by mouth and" is behind another
        return found[-1] if found else None

    def _after(self, line: Wording, after: int, right: int) -> Quoted | None:
        end = min(right, after + _BEHIND, len(line.words))
        while end > after and self._stops(line, after - 1, end - 1):
            end -= 1
        found = self._among(line, range(after, end), end)
        return next((q for q in found if _is_adverb(q)), None)

    @staticmethod
    def _stops(line: Wording, one: int, other: int) -> bool:
        """Whether a mark that ends a thought stands between two words."""
        return _STOP.search(line.text, line.ends[one], line.starts[other]) is not None if other > one else False

    def _among(self, line: Wording, places: Sequence[int], end: int) -> list[Quoted]:
        found: list[Quoted] = []
        at = 0
        for n in places:
            if n < at:
                continue
            for long in range(min(_LONGEST, end - n), 0, -1):
                span = Span(line.starts[n], line.ends[n + long - 1], line.text[line.starts[n] : line.ends[n + long - 1]])
                route = self._routes.get(" ".join(line.words[n : n + long]))
                if route is not None and _is_meant(span.text, route):
                    found.append(Quoted(span, route))
                    at = n + long
                    break
        return found
