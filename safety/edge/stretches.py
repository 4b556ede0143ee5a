"""Which words of a text are told of which of its medicines: those of a name reach to where the clause of the next begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from safety.knowledge.language import Language
from safety.reading.wording import any_of


class Stretches:
    """Parts texts by the lists of one language; made once, never changed."""

    def __init__(self, language: Language) -> None:
        self._part = re.compile(
            rf"(?<![\w'’-])(?:{any_of(language.words('begins-the-clause-of-another'))})\s(?=\S)|[,;.!?]\s", re.I
        )

    def between(self, text: str, end: int, start: int) -> tuple[int, int]:
        """Of what stands between two names, up to where it is told of the first, and from where on of the second."""
        hits = list(self._part.finditer(text, end, start))
        return (hits[-1].start(), hits[-1].end()) if hits else (start, end)

    def each(self, text: str, names: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """From where to where the stretch of each of some names reaches."""
        begin = 0
        for n, (_, end) in enumerate(names):
            until, then = self.between(text, end, names[n + 1][0]) if n + 1 < len(names) else (len(text), len(text))
            yield begin, until
            begin = then
