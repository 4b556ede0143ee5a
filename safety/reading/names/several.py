"""One line that tells several medicines → the words of each: its name, and the strength and directions that stand with it.

Names on a line are several medicines unless together they are one product: a combination that is known to be sold, or
one that is written as RxNorm writes it, each ingredient with its strength and a slash between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from safety.reading.names.words import NameWords
from safety.reading.wording import Wording

MARKS = frozenset(",;|")
"""Marks between the items of a list."""
_EDGES = " ,;:+&/-|@>•."
_SIGN = "/"
_NUMBERED, _NUMBER_NEXT = re.compile(r"\s*1[.)]\s+"), re.compile(r"\s+\d[.)]\s*$")
"""How a numbered list on one line begins, and the number of the next item behind an item of it."""
_PAIRED = re.compile(
    r"(?P<name>\D+?)\s+(?P<first>\d+(?:\.\d+)?)\s?/\s?(?P<second>\d+(?:\.\d+)?)(?P<unit>\s?mg\b)?(?P<rest>(?:\s.*)?)", re.I
)
_DOSED = re.compile(r"\D+?\s+\d+(?:\.\d+)?(?:\s?mg\b)?(?P<rest>(?:\s.*)?)", re.I)
"""A name with its amount, and what is told behind it."""
_MOST_STRANGE = 3
"""Between the names of a list stand at most so many words that are no words of dosing."""


_FROM_TEST, _TO_TEST = 3, 4
"""So many words lie at most between a name and the word for a test before it, "recheck serum potassium", or behind it."""


class Hit(Struct, frozen=True):
    """A name as written: what it stands for, how it is shown, and the words from `first` to before `after`."""

    target: str
    shown: str
    via: str
    error_prone: bool
    first: int
    after: int


class Part(Struct, frozen=True):
    """The words of one medicine of a line; `eaten`: something that is eaten, drunk or smoked instead; `begun`: told as taken
    from now on."""

    text: str
    eaten: bool = False
    begun: bool = False


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
    """Whether a name stands inside brackets."""
    start = line.starts[hit.first]
    return line.text.rfind("(", 0, start) > line.text.rfind(")", 0, start)


def explains(line: Wording, hit: Hit, words: NameWords) -> bool:
    """Whether a name stands inside brackets and says what stands before them; "(plus aspirin)" adds to it."""
    if not in_brackets(line, hit):
        return False
    opened = line.text.rfind("(", 0, line.starts[hit.first])
    return line.words[next(n for n, start in enumerate(line.starts) if start >= opened)] not in words.listing


def cut(line: Wording, before: int, first: int, words: NameWords) -> int | None:
    """Where in the text that of one medicine ends and that of the next begins; None where the line does not list the second.

    `before`: after which word the earlier name ends; `first`: the word with which the later name begins. A mark, a sign
    or a word that joins stands between them, followed at most by how much of the later one; or nothing at all but dosing.
    """
    at = separated(line, before, first, words)
    adding = max((len(p) for p in words.adding if tuple(line.words[first - len(p) : first]) == p), default=0)
    if adding:
        return line.starts[first - adding]  # "lisinopril 10 daily as well as metformin"
    after = before if at is None else at
    between = line.words[after:first]
    if any(w in words.relating for w in between[-2:]) or denied(line.words[before:first], words):
        return None
    if at is not None:
        return line.starts[at]
    strange = [w for w in between if _is_strange(w, words)]
    if len(strange) > _MOST_STRANGE or any(len(w) == 1 or w in words.relating for w in strange):
        return None
    return line.starts[first]


def apart(line: Wording, before: int, first: int, words: NameWords) -> int | None:
    """Where words that belong to neither name begin, behind a mark, a bracket or a joining word: "lithium, sometimes advil"."""
    for n in range(before, first):
        gap = line.text[line.ends[n - 1] : line.starts[n]]
        if "(" in gap or not MARKS.isdisjoint(gap) or line.words[n - 1] in words.joiners:
            between = line.words[n:first]
            return line.starts[n] if any(_is_strange(w, words) for w in between) else None
    return None


def _is_strange(word: str, words: NameWords) -> bool:
    return not (word in words.known or word in words.lead_ins or word in words.joiners or not word[0].isalpha())


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


def measured(line: Wording, hit: Hit, words: NameWords) -> bool:
    """Whether a name further on is that of a test: "with potassium recheck", "check potassium and creatinine weekly"."""
    before = range(max(0, hit.first - _FROM_TEST), hit.first)
    if any(line.words[n] in words.tested and " ".join(line.words[n : n + 2]) not in words.sizes_of_doses for n in before):
        return True
    for n in range(hit.after, min(hit.after + _TO_TEST, len(line.words))):
        if not MARKS.isdisjoint(line.text[line.ends[n - 1] : line.starts[n]]) or line.words[n][0].isdigit():
            return False
        if line.words[n] in words.tested:
            return True
    return False


def texts(line: Wording, cuts: Sequence[int], words: NameWords) -> tuple[str, ...]:
    """The line in pieces, without the marks and words that joined them."""
    edges = [0, *cuts, len(line.text)]
    told = [line.text[a:b] for a, b in pairwise(edges)]
    if _NUMBERED.match(told[0]):
        told = [_NUMBER_NEXT.sub("", _NUMBERED.sub("", text)) for text in told]
    return tuple(_bare(text, words) for text in told)


def shared(line: Wording, cuts: Sequence[int], told: Sequence[str], one_each: bool) -> tuple[str, ...]:
    """The words of medicines joined by strokes, each with what is told of all of them at the end: "hydral/isordil 25/10 tid",
    "haldol 5/ativan 2 IM". `one_each`: each is one ingredient, so that a second number is no part of a strength."""
    *before, last = told
    if not one_each or not before or not all(line.text[:at].rstrip().endswith(_SIGN) for at in cuts):
        return tuple(told)
    in_pairs = _PAIRED.fullmatch(last) if len(before) == 1 and not any(c.isdigit() for c in before[0]) else None
    if in_pairs is not None:
        name, unit, rest = in_pairs["name"], in_pairs["unit"] or "", in_pairs["rest"]
        return f"{before[0]} {in_pairs['first']}{unit}{rest}", f"{name} {in_pairs['second']}{unit}{rest}"
    dosed = [_DOSED.fullmatch(text) for text in told]
    rest = dosed[-1]["rest"] if dosed[-1] is not None else ""
    if not rest.strip() or not all(found is not None and not found["rest"].strip() for found in dosed[:-1]):
        return tuple(told)
    return (*(f"{text}{rest}" for text in before), last)


def pieces(line: Wording, words: NameWords) -> tuple[str, ...]:
    """A line in pieces wherever a mark, a sign or a word that lists stands, and none that says what is not listed."""
    if not words.relating.isdisjoint(line.words):
        return ()
    cuts = [
        line.starts[n]
        for n in range(1, len(line.words))
        if line.words[n - 1] in words.listing or not MARKS.isdisjoint(line.text[line.ends[n - 1] : line.starts[n]])
    ]
    return tuple(piece for piece in texts(line, cuts, words) if piece)


def _bare(text: str, words: NameWords) -> str:
    text = text.strip(_EDGES)
    adding = next((" ".join(p) for p in words.adding if text.lower().startswith(" ".join(p) + " ")), "")
    text = text[len(adding) :].strip(_EDGES)
    if text.count("(") > text.count(")"):
        head, _, inside = text.rpartition("(")
        said = any(w not in words.lead_ins and w not in words.joiners for w in inside.lower().split())
        text = (f"{head}{inside}" if said else head).strip(_EDGES)
    elif text.count(")") > text.count("("):
        text = text.replace(")", "", 1).strip(_EDGES)
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
