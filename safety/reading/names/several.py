"""One line that tells several medicines → the words of each: its name, and the strength and directions that stand with it.

Names on a line are several medicines unless together they are one product: a combination that is known to be sold, or
one that is written as RxNorm writes it, each ingredient with its strength and a slash between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from safety.reading.names.words import NameWords
from safety.reading.wording import Wording

MARKS = frozenset(",;|")
"""Marks between the items of a list."""
_EDGES = " ,;:+&/-|"
_SIGN = "/"


class Hit(Struct, frozen=True):
    """A name as written: what it stands for, how it is shown, and the words from `first` to before `after`."""

    target: str
    shown: str
    via: str
    error_prone: bool
    first: int
    after: int


class Part(Struct, frozen=True):
    """The words of one medicine of a line; `eaten`: something that is eaten, drunk or smoked instead."""

    text: str
    eaten: bool = False


def grouped(hits: Sequence[Hit], together: Callable[[Sequence[Hit]], bool]) -> list[list[Hit]]:
    """Names that stand side by side, as medicines: the longest runs that are one product, from the left."""
    found: list[list[Hit]] = []
    at = 0
    while at < len(hits):
        end = next((j for j in range(len(hits), at + 1, -1) if together(hits[at:j])), at + 1)
        found.append(list(hits[at:end]))
        at = end
    return found


def in_brackets(line: Wording, hit: Hit) -> bool:
    """Whether a name stands inside brackets: it then explains what stands before them."""
    start = line.starts[hit.first]
    return line.text.rfind("(", 0, start) > line.text.rfind(")", 0, start)


def cut(line: Wording, before: int, first: int, words: NameWords) -> int | None:
    """Where in the text that of one medicine ends and that of the next begins; None where the line does not list the second.

    `before`: after which word the earlier name ends; `first`: the word with which the later name begins. A mark, a sign
    or a word that joins stands between them, followed at most by how much of the later one; or nothing at all but dosing.
    """
    at = separated(line, before, first, words)
    after = before if at is None else at
    between = line.words[after:first]
    if any(w in words.relating for w in between[-2:]) or denied(line.words[before:first], words):
        return None
    if at is not None:
        return line.starts[at]
    if all(w in words.known or w in words.lead_ins or not w[0].isalpha() for w in between):
        return line.starts[first]
    return None


def separated(line: Wording, before: int, first: int, words: NameWords) -> int | None:
    """The first word of what belongs to the later name, after the last mark or joining word before it."""
    for n in range(first, before - 1, -1):
        gap = line.text[line.ends[n - 1] : line.starts[n]] if n else ""
        if not MARKS.isdisjoint(gap):
            return n
        if n == before:
            return None
        word = line.words[n - 1]
        if word in words.joiners and (word != _SIGN or n == first):
            return n
        if not (word in words.lead_ins or word in words.units or word in words.forms or word[0].isdigit()):
            return None
    return None


def denied(between: Sequence[str], words: NameWords) -> bool:
    """Whether a word says that what follows is not taken; "if needed" says nothing of the kind."""
    said = " ".join(between)
    for phrase in words.as_needed:
        said = said.replace(phrase, " ")
    return not words.negations.isdisjoint(said.split())


def texts(line: Wording, cuts: Sequence[int], words: NameWords) -> tuple[str, ...]:
    """The line in pieces, without the marks and words that joined them."""
    edges = [0, *cuts, len(line.text)]
    return tuple(_bare(line.text[a:b], words) for a, b in pairwise(edges))


def _bare(text: str, words: NameWords) -> str:
    text = text.strip(_EDGES)
    while True:
        head, _, last = text.rpartition(" ")
        if not head or last.lower() not in words.joiners:
            break
        text = head.strip(_EDGES)
    while True:
        first, _, rest = text.partition(" ")
        if not rest or first.lower() not in words.joiners:
            return text
        text = rest.strip(_EDGES)
