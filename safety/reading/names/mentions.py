"""Medicines named inside a sentence: where, and what each was taken to be. A name that is only near is a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from safety.reading.names.resolver import ReadName, Resolver
from safety.reading.names.words import TalkWords
from safety.reading.wording import LONGEST, Wording, worded
from safety.text import lowered

_SHORTEST_NEAR = 6
_SHORTEST = 4


class Mention(Struct, frozen=True):
    """A name in a text, from where to where; `near`: not written as any name is, so a question goes with it."""

    start: int
    end: int
    text: str
    read: ReadName
    near: bool = False

    @property
    def drugs(self) -> tuple[str, ...]:
        """What it was taken to hold; empty where that is open."""
        return self.read.drugs

    @property
    def sure(self) -> bool:
        """Whether there is one meaning."""
        return self.read.answer.status == "match"


def find_mentions(text: str, resolver: Resolver, expected: Collection[str] = ()) -> tuple[Mention, ...]:
    """Every medicine that a text names, in order.

    `expected`: drugs that would be no surprise (the prescription); a word near one of those is taken for it, with a
    question. Other near words count only where no name stands in the text as written.
    """
    line = worded(text[:LONGEST])
    found, left = _as_written(line, resolver)
    wanted = set(expected)
    if not any(m.drugs and (not wanted or wanted & set(m.drugs)) for m in found):
        found += _near(line, left, resolver, wanted, alone=not found)
        if not found:
            found += _strange(line.text, resolver)
    return tuple(sorted(found, key=lambda m: m.start))


def _as_written(line: Wording, resolver: Resolver) -> tuple[list[Mention], list[int]]:
    """The names that stand in a text as names are written, in order; which words are left."""
    words, text = line.words, line.text
    found: list[Mention] = []
    left: list[int] = []
    i = 0
    while i < len(words):
        hit = resolver.longest_at(words, i)
        if hit is None and (several := _plural(words[i], resolver)) is not None:
            found.append(Mention(line.starts[i], line.ends[i], words[i].removesuffix("s"), several))
            i += 1
            continue
        if hit is None or (hit.after == i + 1 and _ordinary(words[i], resolver.talk)):
            left.append(i)
            i += 1
            continue
        after = hit.after
        while after + 1 < len(words) and words[after] in ("/", "+") and (more := resolver.longest_at(words, after + 1)):
            if not resolver.read(text[line.starts[i] : line.ends[more.after - 1]], guess=False).drugs:
                break  # a medicine of its own
            after = more.after
        start, end = line.starts[i], line.ends[after - 1]
        end = _with_strength_name(text, end, resolver.read(text[start:end]))
        while after < len(words) and line.starts[after] < end:
            after += 1
        found.append(Mention(start, end, text[start:end], resolver.read(text[start:end])))
        i = after
    return found, left


def _plural(word: str, resolver: Resolver) -> ReadName | None:
    """A name said in the plural, as of pieces: "four benadryls"."""
    singular, talk = word.removesuffix("s"), resolver.talk
    if singular == word or len(singular) <= _SHORTEST or _ordinary(word, talk) or _ordinary(singular, talk):
        return None
    read = resolver.read(singular) if resolver.longest_at([singular], 0) else None
    return read if read is not None and read.drugs else None


_PLAIN_AMOUNT = re.compile(r"[\d.,]+\s*[a-z]*", re.I)


def _with_strength_name(text: str, end: int, read: ReadName) -> int:
    """Where a product's strength is called by a name ("10/325") right after it, that belongs to the name."""
    if read.product is None:
        return end
    rest = text[end:]
    for p in read.product.presentations:
        if _PLAIN_AMOUNT.fullmatch(p.name):
            continue  # "200 mg" may be the dose
        found = re.match(rf"\s+{re.escape(p.name)}(?![\w.])", rest, re.I) if p.name else None
        if found:
            return end + found.end()
    return end


def _ordinary(word: str, talk: TalkWords) -> bool:
    return (len(word) < _SHORTEST and not word.isupper()) or word in talk.no_names


def _near(line: Wording, left: Sequence[int], resolver: Resolver, wanted: set[str], *, alone: bool) -> Iterator[Mention]:
    """Words, and pairs of words side by side, that sound or look like a name."""
    done: set[int] = set()
    for size in (2, 1):
        for at in range(len(left) - size + 1):
            run = left[at : at + size]
            if run[-1] - run[0] != size - 1 or done & set(run):
                continue
            start, end = line.starts[run[0]], line.ends[run[-1]]
            heard = line.text[start:end]
            if not _worth_asking(heard, size, resolver.talk):
                continue
            read = resolver.read(heard)
            named = {d for c in read.answer.candidates for d in ([c.drug] if isinstance(c.drug, str) else c.drug)}
            meant = set(read.drugs) | named
            cued = not wanted or resolver.talk.cue.search(line.text[:start])
            if wanted & meant or (alone and cued and size == 1 and read.answer.status != "unrecognised"):
                done.update(run)
                yield Mention(start, end, heard, read, near=True)


def _strange(text: str, resolver: Resolver) -> Iterator[Mention]:
    """A word where a medicine's name stands ("I take flurbozide 10 mg") that is no word of every day and no name we know."""
    for m in resolver.talk.thing.finditer(text):
        if _worth_asking(m[1], 1, resolver.talk) and not lowered(m[1]).endswith(("ly", "ing", "edly")):
            yield Mention(m.start(1), m.end(1), m[1], resolver.read(m[1]), near=True)


def _worth_asking(heard: str, size: int, talk: TalkWords) -> bool:
    parts = re.findall(r"[^\W\d_]+", heard.lower())
    if len(parts) != size or any(p in talk.no_names or p in talk.talk for p in parts):
        return False
    return sum(map(len, parts)) >= _SHORTEST_NEAR


def replaced(text: str, mentions: Sequence[Mention], name: str, talk: TalkWords) -> str:
    """The text with each mention told by one word; words such as "extra strength" beside a name go with it."""
    out, at = [], 0
    for m in mentions:
        start = m.start
        before = text[at:start]
        while word := talk.strength.search(before):
            before = before[: word.start()]
        out.append(before)
        out.append(f" {name} ")
        at = m.end
    out.append(text[at:])
    return "".join(out)
