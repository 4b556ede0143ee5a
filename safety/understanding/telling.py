"""Words beside a condition that tell something of the patient, and of which nothing was read: they are asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from safety.knowledge.language import Language
from safety.model.problem_line import ProblemLine, Rest
from safety.reading.wording import any_of
from safety.text import fold

Span = tuple[int, int]

_PART = re.compile(r"[,;|\n()\[\]]|\.\s|\s-\s|--|→|->")
_WORD = re.compile(r"\w[\w']*")
_NUMBER = r"(?<![\d/.-])(?!(?:19|20)\d\d(?!\d))\d+(?:\.\d+)?(?!\d|\.\d|[/-]\d|\s*/\s*\d)"
"""A number that is neither a date nor a year."""
_BETWEEN = r"(?:[^\w\n]+[a-z]+){0,2}?[^\w\n]+"


class Telling:
    """Finds what must not pass as words that add nothing; immutable, made once for a library's language."""

    def __init__(self, language: Language) -> None:
        words = language.words
        alone = tuple(map(fold, words("problem-telling")))
        self._alone = re.compile(rf"(?<![\w-]){any_of(alone)}(?![\w-])")
        self._not = frozenset(word for phrase in words("denial") for word in phrase.split()[:1])
        lacks = any_of(p for p in alone if p.split()[0] in self._not)
        self._lacks = re.compile(rf"(?<![\w-]){lacks}(?![\w-])")
        """Phrases that tell what is not there, and deny nothing ("no urine")."""
        shares = any_of(fold(p) for p in language.meaning("problem-status-after") if " " not in p and fold(p) not in alone)
        self._standing = re.compile(rf"(?<![\w-]){shares}(?![\w-])")
        """Words of standing, which may hold such a word within a sign ("r/o'd")."""
        self._of, self._how = frozenset(words("problem-tells-of")), frozenset(words("problem-tells-how"))
        plain = (
            *words("problem-fillers"),
            *words("problem-idle-phrases"),
            *language.meaning("problem-marks"),
            *language.meaning("problem-status-after"),
        )
        phrases = {fold(p) for p in plain if " " in p} - set(alone)
        self._plain = re.compile(rf"(?<![\w-]){any_of(phrases)}(?![\w-])")
        ended = (p for p, how in language.meaning("problem-status-after").items() if " " in p and how == "resolved")
        self._ended = re.compile(rf"(?<![\w-]){any_of(map(fold, ended))}(?![\w-])")
        """Words of which a measure is part, and which say that something is over."""
        figures = any_of(map(fold, words("problem-tells-by-number")))
        units = any_of(map(fold, words("time-units")))
        self._figures = re.compile(rf"(?<![\w-]){figures}{_BETWEEN}{_NUMBER}(?!\s?{units}(?!\w))")
        """A test of which nothing was read, with its number ("echo 35%", "aortic root 5.1")."""
        acts, near = any_of(map(fold, words("problem-tells-acts"))), any_of(map(fold, words("problem-tells-when")))
        near = rf"(?:{near}|\d+\s?{units}\s{any_of(map(fold, words('ago')))})"
        self._act, self._near = re.compile(rf"(?<![\w-]){acts}(?![\w-])"), re.compile(rf"(?<![\w-]){near}(?![\w-])")
        """What was done, stopped or is to be done, and that it is near ("tube feeds stopped yesterday")."""
        self._first = self._of | {phrase.split()[0] for phrase in alone}
        for name in ("problem-tells-by-number", "problem-tells-acts"):
            self._first |= {fold(phrase).split()[0] for phrase in words(name)}

    def untold(self, line: ProblemLine, read: Iterable[Span]) -> Iterator[Rest]:
        """The parts of a line that tell something outside of what was `read` of it ("OA, bleeding", "gout, kidneys worse").

        Nothing of a line that speaks of kin; of one that denies something, only parts that do not deny.
        """
        if line.of_kin or line.names_kin or self._first.isdisjoint(_WORD.findall(fold(line.text))):
            return
        known = [*read, *((h.start, h.end) for h in line.heads), *((m.start, m.end) for m in line.measured)]
        denying = False
        for start, end in spans(line.text, _PART.finditer(line.text)):
            shown = fold(_blanked(line.text, start, end, known))
            words = _WORD.findall(shown)
            denying = denying or (line.denies and not self._not.isdisjoint(words))
            whole = fold(line.text[start:end])
            if self._lacks.search(shown) if denying else self._tells(shown, words, whole):
                text = line.text[start:end].strip()
                yield Rest(text, start, end)

    def _stands_alone(self, shown: str, whole: str) -> bool:
        """Whether such a phrase stands there, and not only within a word of standing that is longer ("od" in "r/o'd"), or over
        what was read between its words ("neg for bleed or infarct" has no "for OR")."""
        of_standing = [found.span() for found in self._standing.finditer(shown)]
        return any(
            not any(start <= found.start() and found.end() <= end for start, end in of_standing)
            for found in self._alone.finditer(shown)
            if found[0] in whole
        )

    def _tells(self, shown: str, words: list[str], whole: str) -> bool:
        figures = self._figures.search(self._ended.sub(" ", shown))  # "EF recovered 55%" is read
        if self._stands_alone(shown, whole) or figures or (self._act.search(shown) and self._near.search(shown)):
            return True
        if self._of.isdisjoint(words) or self._how.isdisjoint(words):
            return False
        left = _WORD.findall(self._plain.sub(" ", shown))
        return not self._of.isdisjoint(left) and not self._how.isdisjoint(left)


def spans(text: str, breaks: Iterable[re.Match[str]]) -> Iterator[Span]:
    """Where each part of a text begins and ends, as these breaks part it."""
    start = 0
    for found in breaks:
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def _blanked(text: str, start: int, end: int, known: Iterable[Span]) -> str:
    """A part of a text with blanks where something was read."""
    letters = list(text)
    for a, b in known:
        letters[a:b] = " " * (b - a)
    return "".join(letters[start:end])
