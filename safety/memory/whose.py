"""Whether a sentence is about somebody else than the patient: "my neighbor had his appendix out"."""

from __future__ import annotations

import re

from safety.knowledge.language import Language
from safety.reading.wording import alone, any_of


class Whose:
    """Finds others by the lists of one language; made once, never changed."""

    def __init__(self, language: Language) -> None:
        words = language.words
        patients = [f"{who}{s}" for who in words("chart-patient") for s in ("'s", "’s")]
        own = any_of([*words("mine"), "our", "a", *patients])
        tells = any_of([*words("tells-for-another"), *words("takes-care-of-one")])
        self._other = re.compile(
            rf"(?:\A|[.!?;,]\s+|\b{any_of(words('begins-a-clause'))}\s+)\W*{own}\s+(?:\w+\s+)?{any_of(words('relatives-in-talk'))}"
            rf"(?:['’]s)?\s+(?!(?:also\s+)?{tells}\b)", re.I,
        )  # fmt: skip
        self._born = alone(words("born-of-oneself"))
        self._speaker = alone(words("of-the-speaker"))

    def begins_with_another(self, text: str) -> bool:
        """Whether a text is from its first word about somebody near the speaker: "my neighbor fell"."""
        return self._other.match(text) is not None

    def of_another(self, text: str) -> bool:
        """Whether somebody near the speaker is who does or has it, and nothing behind that is the speaker's own."""
        hit = self._other.search(text)
        return (
            hit is not None and self._born.search(text, hit.end() - 1) is None and self._speaker.search(text, hit.end()) is None
        )
