"""What a germ is sensitive or resistant to, as a culture found it: nothing that the patient takes or is allergic to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from safety.edge.extraction import Span
from safety.knowledge.language import Language
from safety.reading.wording import alone, any_of

_NEAR = 200
"""So many characters lie at most between a germ and what it is sensitive to."""
_OVER = r"[;\n]|[.](?!\d)"


def inside(span: Span, stretches: Sequence[tuple[int, int]]) -> bool:
    """Whether words stand in one of these stretches of the text."""
    return any(start <= span.start < end for start, end in stretches)


class Cultures:
    """Finds where a text tells what germs are sensitive or resistant to."""

    def __init__(self, language: Language) -> None:
        told = language.meaning("of-a-sensitivity")
        sure, beside = ([w for w, meaning in told.items() if meaning == kind] for kind in ("sure", "beside a germ"))
        self._told = re.compile(rf"(?<![\w-])(?:(?P<sure>{any_of(sure)})|{any_of(beside)})(?![\w-])", re.I)
        self._germ = alone(language.words("of-a-culture"))
        self._somebody = alone(language.words("of-somebody"))
        self._over = re.compile(rf"{_OVER}|{alone(language.words('after-a-sensitivity')).pattern}", re.I)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """From where to where of a text."""
        found = []
        for told in self._told.finditer(text):
            if told["sure"] or self._tells_of_a_germ(text[max(0, told.start() - _NEAR) : told.start()]):
                over = self._over.search(text, told.end())
                found.append((told.start(), over.start() if over else len(text)))
        return found

    def _tells_of_a_germ(self, before: str) -> bool:
        """Whether a germ is named last before it, and nobody behind the germ."""
        named = [germ.end() for germ in self._germ.finditer(before)]
        return bool(named) and self._somebody.search(before, named[-1]) is None
