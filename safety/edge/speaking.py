"""Who says what: a text cut into turns by the names of speakers, and each turn into sentences; places are those of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from safety.edge.extraction import Speaker
from safety.knowledge.language import Language
from safety.reading.wording import any_of

LONGEST = 100_000
"""So many characters of a text are read."""
_END = re.compile(r"(?<!\.)\.(?=\s|\Z)|[!?;]+(?=\s|\Z)|\n+")
"""Where a sentence ends; "…" in full stops is a pause."""
_ABBREVIATED = re.compile(r"(?:\b[A-Za-z]|\b[A-Za-z]\.[A-Za-z]|\bvs|\bapprox|\b[Cc]ont|\bSt)\Z")

_LETTER_AT_THE_END = re.compile(r"[a-z]{2} [A-Z]\Z|\b[Aa]n? [A-Z]\Z|\d ?[a-z]\Z")
_BEGINS = re.compile(r"\s+[A-Z]")
"""A letter behind a small word or a number ("x 48 h."), and a capital behind its stop, end a sentence; behind a name in
capitals it is an initial."""


class Sentence(Struct, frozen=True):
    """From where to where of the text; whether it ends in a question mark; whether it stands at the beginning of a line."""

    start: int
    end: int
    asks: bool
    begins_a_line: bool = False


class Turn(Struct, frozen=True):
    """What one speaker says before the next does, without the speaker's name."""

    speaker: Speaker
    start: int
    end: int
    sentences: tuple[Sentence, ...]


class Speaking:
    """Cuts texts by the lists of one language; made once."""

    def __init__(self, language: Language) -> None:
        self._who: dict[str, Speaker] = language.read("speakers", _speaker, "a speaker")
        names = any_of(self._who, r"[\s_]+")
        self._name = re.compile(
            rf"(?:(?<=\n)|\A)[ \t]*(?:\[\s*(?P<in>{names})\b[^\]\n]{{0,30}}\][ \t]*:?|"
            rf"(?P<at>{names})(?:[ _]\d{{1,2}})?(?-i:\s+[A-Z][\w'-]*\.?){{0,3}}\s*:(?=\s|\Z))",
            re.I,
        )
        short = {phrase.rstrip(".") for phrase in language.words("titles-of-people")}
        self._title = re.compile(rf"\b{any_of(short)}\Z", re.I)
        self._cut_short = re.compile(rf"\b{any_of(language.words('cut-short-in-notes'))}\Z", re.I)

    def turns(self, text: str) -> tuple[Turn, ...]:
        """The turns of a text, in order; one of an unknown speaker where no speaker is named."""
        text = text[:LONGEST]
        found = list(self._name.finditer(text))
        edges: list[tuple[int, int, Speaker]] = []
        if not found or text[: found[0].start()].strip():
            edges.append((0, found[0].start() if found else len(text), "unknown"))
        for n, name in enumerate(found):
            end = found[n + 1].start() if n + 1 < len(found) else len(text)
            said = (name["in"] or name["at"]).lower().replace("_", " ")
            edges.append((name.end(), end, self._who[" ".join(said.split())]))
        return tuple(Turn(who, a, b, tuple(self._sentences(text, a, b))) for a, b, who in edges)

    def _sentences(self, text: str, start: int, end: int) -> Iterator[Sentence]:
        at = start
        for stop in _END.finditer(text, start, end):
            before = text[at : stop.start()]
            if stop[0] == "." and not before.endswith(" ") and self._is_short(text, at, stop):
                continue
            if before.strip():
                yield Sentence(at, stop.end(), "?" in stop[0], _begins_a_line(text, at))
            at = stop.end()
        if text[at:end].strip():
            yield Sentence(at, end, False, _begins_a_line(text, at))

    def _is_short(self, text: str, at: int, stop: re.Match[str]) -> bool:
        """Whether the stop is that of a word cut short, and no end: "J. Smith", "p.o.", but not "vitamin D. My wife …"."""
        before = text[at : stop.start()]
        if _LETTER_AT_THE_END.search(before) and _BEGINS.match(text, stop.end()):
            return False
        goes_on = self._cut_short.search(before) is not None and text[stop.end() :].lstrip()[:1].islower()
        return goes_on or bool(_ABBREVIATED.search(before) or self._title.search(before))


def _speaker(_: str, meaning: str) -> Speaker:
    known: dict[str, Speaker] = {"patient": "patient", "clinician": "clinician", "other": "other"}
    return known[meaning]


def _begins_a_line(text: str, at: int) -> bool:
    """Whether what begins there is the first of its line, or of the text."""
    while at < len(text) and text[at].isspace():
        at += 1
    return not text[max(0, text.rfind("\n", 0, at) + 1) : at].strip()
