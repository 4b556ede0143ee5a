"""Who tells it: "my wife says I never take it" is told of the patient by somebody else, and may be at odds with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from safety.knowledge.language import Language
from safety.memory.events import Event
from safety.reading.wording import alone, any_of
from safety.text import lowered

PRONOUNS = {"he": "male", "his": "male", "him": "male", "she": "female", "her": "female"}


class Segment(Struct, frozen=True):
    """A part of a text that one person tells, from where to where; `by`: the speaker, the patient, or somebody near them."""

    start: int
    end: int
    by: Literal["speaker", "patient", "near"] = "speaker"


class Reporting:
    """Finds who is told to say something by the lists of one language; made once, never changed."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self._sexes = language.meaning("reporters")
        self._own = frozenset(words("of-the-patient-reported"))
        self._lead = re.compile(
            rf"(?:\A|(?<=[.!?;,]\s)|(?<=\bbut\s)|(?<=\band\s))(?:(?P<whose>{any_of(words('whose-reporter'))})\s+)?"
            rf"(?P<who>{any_of(self._sexes)})\s+(?:himself\s+|herself\s+|themselves\s+)?(?:\w+ly\s+|also\s+|still\s+)?{any_of(words('reports-in-talk'))}\s*[,:]?\s+"
            rf"(?:that\s+)?(?P<subject>[\w]+)(?=['’\s])(?!\s+{any_of(words('is-only-advised'))}\b)", re.I,
        )  # fmt: skip
        self._doctors = alone(words("who-orders"))

    def segments(self, text: str, earlier: Sequence[Event]) -> tuple[Segment, ...]:
        """The parts of a text by who tells them, without the words that say so; the whole of it where nobody is told to."""
        hits = [hit for hit in self._lead.finditer(text) if self._is_of_the_patient(hit, earlier)]
        return tuple(self._cut(text, hits))

    def _cut(self, text: str, hits: Sequence[re.Match[str]]) -> Iterator[Segment]:
        first = hits[0].start() if hits else len(text)
        if text[:first].strip():
            yield Segment(0, first)
        for n, hit in enumerate(hits):
            end = hits[n + 1].start() if n + 1 < len(hits) else len(text)
            own = lowered(hit["who"]) in ("patient", "pt") and not (hit["whose"] or "").lower().endswith("s")
            treats = self._doctors.search(hit["who"]) is not None
            yield Segment(hit.start("subject"), end, "patient" if own else "speaker" if treats else "near")

    def _is_of_the_patient(self, hit: re.Match[str], earlier: Sequence[Event]) -> bool:
        """Whether what is reported is told of the patient, and not of the one who reports it."""
        subject = lowered(hit["subject"])
        if subject in self._own:
            return True
        sex = PRONOUNS.get(subject)
        if sex is None:
            return False
        other = self._sexes[" ".join(lowered(hit["who"]).split())]
        return other not in (sex, "either") or bool(earlier) or "patient" in (hit["whose"] or "").lower() or hit.start() > 0

    def orders(self, text: str) -> bool:
        """Whether one who prescribes is named: what they changed is no matter of who takes what."""
        return self._doctors.search(text) is not None
