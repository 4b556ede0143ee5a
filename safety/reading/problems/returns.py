"""What a line says further on of a condition that was over: that it is there again ("NHL in CR; biopsy shows relapse")."""

from __future__ import annotations

import re

from safety.model.problem_line import When
from safety.reading.problems.lexing import Words
from safety.reading.problems.scan import Names, Piece
from safety.reading.problems.words import Vocabulary

_PART = re.compile(r"[;,:|\n→>]|\.\s|\s--?\s")
_DOUBT = re.compile(r"\?")
_MOST = 4
"""So many words has a phrase of a return."""
_OVER = frozenset({"resolved", "history", "done", "denied", "suspected"})
"""What words behind a return say that leaves it over ("recurred 2019, none since", "relapsed 2001, s/p ASCT")."""


def came_back(words: Words, pieces: list[Piece], head: Piece, vocabulary: Vocabulary, names: Names) -> tuple[bool, When | None]:
    """Whether the line behind a condition that is over says that it is there again, and when that was told to begin.

    Only up to the next condition, since a return is of the one named last; an operation, as a biopsy, is none.
    """
    at = pieces.index(head)
    spreads = _spreads(head, vocabulary, names)
    end = words.size
    for piece in pieces[at + 1 :]:
        spread = piece.kind == "head" and not vocabulary.spread.isdisjoint(words.folded[piece.i : piece.j])
        if spread and spreads and _is_said(words, pieces, piece.i, piece.j, vocabulary):
            return True, None
        if piece.kind == "head" and not _leads_on(words, pieces, piece, head, names):
            end = piece.i
            break
    for i in range(head.j, end):
        for j in range(min(i + _MOST, end), i, -1):
            key = words.key(i, j)
            alone = key in vocabulary.there_again_alone and _is_a_part(words, pieces, i, j)
            if (alone or key in vocabulary.there_again) and _is_said(words, pieces, i, j, vocabulary):
                return True, _day(words, pieces, j)
    return False, None


def _leads_on(words: Words, pieces: list[Piece], piece: Piece, head: Piece, names: Names) -> bool:
    """Whether a head is what was done, or the same condition again, so that what follows is of the one before still."""
    before = pieces[pieces.index(piece) - 1]
    done = before.kind == "before" and before.meaning == "done" and words.gaps[piece.i] == " "
    return done or names.operation(piece.name) or names.condition(piece.name) == names.condition(head.name)


def _spreads(head: Piece, vocabulary: Vocabulary, names: Names) -> bool:
    return any(names.narrower(head.name, than) for than in vocabulary.spreads)


def _is_a_part(words: Words, pieces: list[Piece], i: int, j: int) -> bool:
    """Whether words stand between two breaks of the line, or before a time."""
    ends = j == words.size or _PART.search(words.gaps[j]) or any(p.kind == "date" and p.i == j for p in pieces)
    return bool(_PART.search(words.gaps[i]) and ends)


def _is_said(words: Words, pieces: list[Piece], i: int, j: int, vocabulary: Vocabulary) -> bool:
    """Whether a return is told as a fact, and the line does not say behind it that it was over again."""
    first, last = i, j
    while first and not _PART.search(words.gaps[first]):
        first -= 1
    while last < words.size and not _PART.search(words.gaps[last]):
        last += 1
    doubted = any(_DOUBT.search(words.gaps[k]) for k in range(first, last + 1))
    if (
        doubted
        or _told(words, first, i, vocabulary.no_comeback)
        or _told(words, j, min(j + 2, last), vocabulary.no_comeback_behind)
    ):
        return False
    behind = (piece for piece in pieces if piece.i >= j and piece.kind in ("before", "after"))
    return all(_OVER.isdisjoint((piece.meaning, piece.after)) for piece in behind)


def _told(words: Words, i: int, j: int, phrases: frozenset[str]) -> bool:
    return any(words.key(k, k + n) in phrases for k in range(i, j) for n in (1, 2, 3) if k + n <= j)


def _day(words: Words, pieces: list[Piece], j: int) -> When | None:
    """A time in the same part of the line behind the words of a return."""
    for piece in pieces:
        if piece.i < j:
            continue
        if _PART.search(words.gaps[piece.i]):
            return None
        if piece.kind == "date":
            return piece.when
    return None
