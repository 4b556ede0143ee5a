"""A medicine that a line names as one taken before: "(previously on warfarin)", "switched from lisinopril to losartan".

It is past: it goes apart, as one that was stopped, and never beside the other as if both were taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from safety.reading.names.several import Hit, Part
from safety.reading.names.words import NameWords
from safety.reading.wording import Wording, worded

_ARROW: Final = re.compile(r"\s*(?:-+>|=+>|→|➔)\s*")
_ENDS: Final = re.compile(r"[,;|)\]]|\.\s|\s[-–—]+\s")
_OPENS: Final = re.compile(r"[\s,;|(\[–—-]+\Z")
_PARTS: Final = re.compile(r"[,;|)]")
_EDGES: Final = " ,;:-–—=()[]"
_MOST_BETWEEN: Final = 3
"""So many words, "on", "taking her", may stand between what tells that it is past and the name."""

Longest = Callable[[Sequence[str], int], Hit | None]


def formerly(line: Wording, longest: Longest, words: NameWords) -> tuple[Part, ...]:
    """The words of what is taken and then of each medicine that was, where a line tells both; else nothing."""
    if _ARROW.search(line.text) is None and (words.former_first | words.swapped).isdisjoint(line.words):
        return ()
    hits = _hits(line, longest)
    if len(hits) < 2:
        return ()
    taken, past = line.text, list[str]()
    for n in reversed(range(len(hits))):
        cut = _cut(line, hits, n, words)
        if cut is not None:
            start, end = cut
            past.insert(0, f"{words.stopped} {_own_words(line, hits[n], end, words)}")
            taken = f"{taken[:start].rstrip()} {taken[end:].lstrip(' ,;)]')}"
    if not past or len(past) == len(hits):
        return ()
    return (Part(_bare(taken)), *(Part(text) for text in past))


def _own_words(line: Wording, hit: Hit, end: int, words: NameWords) -> str:
    """The name of a past medicine, and what of the line is told of it up to the next mark or to what replaced it."""
    told = line.text[line.starts[hit.first] : end]
    marked = _ENDS.search(told, line.ends[hit.after - 1] - line.starts[hit.first])
    told = _ARROW.split(told[: marked.start()] if marked is not None else told)[0]
    kept = worded(told)
    for phrase in (*words.succeeded, ("to",), ("with",)):
        if tuple(kept.words[-len(phrase) :]) == phrase:
            return told[: kept.starts[-len(phrase)]].strip(_EDGES)
    return told.strip(_EDGES)


def _hits(line: Wording, longest: Longest) -> list[Hit]:
    """Every name of a line as it is written, in order."""
    found: list[Hit] = []
    at = 0
    while at < len(line.words):
        hit = longest(line.words, at)
        if hit is not None:
            found.append(hit)
        at = hit.after if hit is not None else at + 1
    return found


def _cut(line: Wording, hits: Sequence[Hit], n: int, words: NameWords) -> tuple[int, int] | None:
    """From where to where a line tells a medicine that was taken before; None where it does not."""
    hit = hits[n]
    following = hits[n + 1] if n + 1 < len(hits) else None
    start = _begins(line, hit, words)
    if following is not None:
        succeeded = _until_its_successor(line, hit, following, words)
        if succeeded is not None:
            first = hit.first - (hit.first > 0 and line.words[hit.first - 1] in words.swapped)
            return line.starts[first] if start is None else start, succeeded
    if start is None:
        return None
    after = line.ends[hit.after - 1]
    closed = line.text.find(")", after) if "(" in line.text[start : line.starts[hit.first]] else -1
    ended = _ENDS.search(line.text, after)
    return start, closed if closed >= 0 else ended.start() if ended is not None else len(line.text)


def _until_its_successor(line: Wording, hit: Hit, following: Hit, words: NameWords) -> int | None:
    """Where the words end that tell that the next name follows this one: "… to", "replaced by", an arrow."""
    gap = line.text[line.ends[hit.after - 1] : line.starts[following.first]]
    arrow = list(_ARROW.finditer(gap))
    if arrow and _no_dose_before(gap, arrow[0]):
        return line.ends[hit.after - 1] + arrow[-1].end()
    between = tuple(line.words[hit.after : following.first])
    led = _begins(line, hit, words) is not None
    by = any(between[-len(phrase) :] == phrase for phrase in words.succeeded if between)
    swapped = hit.first > 0 and line.words[hit.first - 1] in words.swapped and between[-1:] == ("with",)
    led = led or (hit.first > 0 and line.words[hit.first - 1] in words.swapped)
    if by or swapped or (led and between and between[-1] == "to"):
        return line.starts[following.first]
    return None


def _no_dose_before(gap: str, arrow: re.Match[str]) -> bool:
    """Whether an arrow follows a name alone: where both sides tell a dose, it may as well lead from one medicine to the next."""
    return not any(c.isdigit() for c in gap[: arrow.start()])


def _begins(line: Wording, hit: Hit, words: NameWords) -> int | None:
    """Where the words begin that tell that a name is one taken before; None where none lead to it."""
    if any(tuple(line.words[max(0, hit.first - len(p)) : hit.first]) == p for p in words.succeeded):
        return None
    for end in range(hit.first, max(0, hit.first - _MOST_BETWEEN) - 1, -1):
        between = line.words[end : hit.first]
        if any(w not in words.lead_ins for w in between):
            break
        for phrase in words.former:
            start = end - len(phrase)
            if start >= 0 and tuple(line.words[start:end]) == phrase:
                return None if _is_of_the_one_before(line, start, end, hit) else _with_marks(line, start)
    return None


def _is_of_the_one_before(line: Wording, start: int, end: int, hit: Hit) -> bool:
    """As in "prednisone 10 mg daily, off, lisinopril 5 mg daily": a comma parts what says it from the name behind it."""
    parted = _PARTS.search(line.text[line.ends[end - 1] : line.starts[hit.first]]) is not None
    return parted and start > 0


def _with_marks(line: Wording, first: int) -> int:
    """Where the marks begin that stand before a word."""
    before = line.text[: line.starts[first]]
    opened = _OPENS.search(before)
    return opened.start() if opened is not None else len(before)


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(" ,;:-–—>→➔=")
