"""Medicines named inside a sentence: where, and what each was taken to be. A name that is only near is a question."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from safety.reading.names import words
from safety.reading.names.resolver import ReadName, Resolver
from safety.reading.names.tokens import Token, tokens_of

_LONGEST = 2000
_SHORTEST_NEAR = 6
_SHORTEST = 4
_NOT_NAMES = words.KNOWN | words.LEAD_INS | words.NEGATIONS | words.DESCRIBING
_STRENGTH_WORDS = re.compile(
    r"\b(?:(?:extra|regular|maximum|max)[\s-]*strength|junior|infants?['’]?s?|children['’]?s|arthritis)\s*$", re.I
)


def _listed(text: str) -> list[str]:
    return text.split()


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
    text = text[:_LONGEST]
    tokens = tokens_of(text)
    found: list[Mention] = []
    left: list[int] = []
    i = 0
    while i < len(tokens):
        hit = resolver._longest_at(tokens, i)
        if hit is None and (several := _plural_at(tokens[i], resolver)) is not None:
            found.append(Mention(tokens[i].start, tokens[i].end, tokens[i].text.removesuffix("s"), several))
            i += 1
            continue
        if hit is None or (hit.after == i + 1 and _ordinary(tokens[i].text)):
            left.append(i)
            i += 1
            continue
        after = hit.after
        while after + 1 < len(tokens) and tokens[after].text in "/+" and (more := resolver._longest_at(tokens, after + 1)):
            after = more.after
        start, end = tokens[i].start, tokens[after - 1].end
        read = resolver.read(text[start:end])
        end = _with_strength_name(text, end, read)
        while after < len(tokens) and tokens[after].start < end:
            after += 1
        read = resolver.read(text[start:end])
        found.append(Mention(start, end, text[start:end], read))
        i = after
    wanted = set(expected)
    if not any(m.drugs and (not wanted or wanted & set(m.drugs)) for m in found):
        found += _near(text, tokens, left, resolver, wanted, alone=not found)
        if not found:
            found += _strange(text, resolver)
    return tuple(sorted(found, key=lambda m: m.start))


def _plural_at(token: Token, resolver: Resolver) -> ReadName | None:
    """A name said in the plural, as of pieces: "four benadryls"."""
    singular = token.text.removesuffix("s")
    if singular == token.text or len(singular) <= _SHORTEST or _ordinary(token.text) or _ordinary(singular):
        return None
    read = resolver.read(singular) if resolver._longest_at([Token(singular, token.start, token.end)], 0) else None
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


def _ordinary(word: str) -> bool:
    return (len(word) < _SHORTEST and not word.isupper()) or word in _NOT_NAMES


def _near(
    text: str, tokens: Sequence[object], left: Sequence[int], resolver: Resolver, wanted: set[str], *, alone: bool
) -> Iterator[Mention]:
    """Words, and pairs of words side by side, that sound or look like a name."""
    done: set[int] = set()
    for size in (2, 1):
        for at in range(len(left) - size + 1):
            run = left[at : at + size]
            if run[-1] - run[0] != size - 1 or done & set(run):
                continue
            pieces = [tokens[n] for n in run]
            start, end = pieces[0].start, pieces[-1].end  # type: ignore[attr-defined]
            heard = text[start:end]
            if not _worth_asking(heard, size, resolver):
                continue
            read = resolver.read(heard)
            named = {d for c in read.answer.candidates for d in ([c.drug] if isinstance(c.drug, str) else c.drug)}
            meant = set(read.drugs) | named
            cued = not wanted or _CUE.search(text[:start])
            if wanted & meant or (alone and cued and size == 1 and read.answer.status != "unrecognised"):
                done.update(run)
                yield Mention(start, end, heard, read, near=True)


_CUE = re.compile(
    r"\b(?:take|takes|taking|took|tried|using|use|of|called|started|on|mg|mcg|my|some|the)\s+(?:my\s+|some\s+|the\s+)?$", re.I
)
_OBJECT = re.compile(
    r"\b(?:(?:take|takes|taking|took|using|use|called|started)\s+(?:my\s+|some\s+|the\s+)?|(?:mg|mcg|milligrams?|"
    r"micrograms?|tablets?|pills?|capsules?)\s+of\s+)"
    r"([^\W\d_]{6,})(?=\s+(?:\d|one|two|three|half|once|twice|every|daily|for|in the|at)|\s*[.,!?]|\s*$)",
    re.I,
)


def _strange(text: str, resolver: Resolver) -> Iterator[Mention]:
    """A word where a medicine's name stands ("I take flurbozide 10 mg") that is no word of every day and no name we know."""
    for m in _OBJECT.finditer(text):
        if _worth_asking(m[1], 1, resolver) and not m[1].lower().endswith(("ly", "ing", "edly")):
            yield Mention(m.start(1), m.end(1), m[1], resolver.read(m[1]), near=True)


@lru_cache(8)
def _everyday(words_of_base: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words_of_base) | _EVERYDAY


def _worth_asking(heard: str, size: int, resolver: Resolver) -> bool:
    parts = re.findall(r"[^\W\d_]+", heard.lower())
    common = _everyday(resolver._library.language.words("everyday"))
    if len(parts) != size or any(p in _NOT_NAMES or p in common or p in _SMALL for p in parts):
        return False
    return sum(map(len, parts)) >= _SHORTEST_NEAR


_SMALL = frozenset(
    _listed(
        "a i my me we he she it is in on of or an am as at be by do go if no so to up us run ran out the its our new old "
        "top pop one two ten and are but can did for get had has her him his how let may not now off own per say see too "
        "try use was way who why yes you all any feel felt well fine back left cut cuts gave give gives self them they "
        "many much more just skip make real good says said legs hurt like over ever oh ate dog cat wife mom dad son same "
        "side last next take took need want know keep ask bad bed big day eat few"
    )
)
_EVERYDAY = frozenset(
    _listed(
        "mornin evenin nothin ankles anxious applesauce arms blood brother bumped coffee cousin cramps cutting daughter "
        "easier forgetting "
        "fourteen fridays hardly inject injected injecting lasted little lunchtime many myself peeing pounds pudding "
        "ignore sister sprinkle sundays slipped saturdays mondays tuesdays thursdays teaspoon teaspoons tablespoon though "
        "verdict weaned wednesdays kidney kidneys heart swell nausea vomiting headaches dizziness sixteen seventeen "
        "eighteen nineteen thirteen thousand forties eighties about accidentally actually afford again already always "
        "another anymore around because been before bottle both breakfast catch chewing clinic cannot could couldn couple "
        "crush crushing directed didn directions dizzy doctor doesn doing dollars doubled doubling doubles either else "
        "enough every everything exactly extra feeling finish finished forget forgot forgotten friday fifteen fifties "
        "filled finally forty further getting giving half haven having headache heard hundred husband honestly instead "
        "instructions itself label lately later longer lunch making maybe milligram milligrams missed missing mistake "
        "monday morning mornings mother never night nights nothing occasionally often okay other pharmacy pharmacist "
        "pillbox picked pressure prescribed prescription previous problem problems question refill regularly remember "
        "remembered running safe saturday second should skipped skipping sleeping something sometimes still stomach "
        "stopped sunday supper supposed swallow swelling taking tablets taken thank thanks their thing things think "
        "thinking thought through throw thursday tired nineties sixties seventies thirties twenties prescriptions "
        "thanksgiving christmas medicine medicines vitamins supplement supplements together tomorrow tonight tuesday "
        "twenty twice unless until usually waiting water wednesday weekend weekends weekly weather whatever whenever "
        "whether which white whole without wouldn wrong yesterday yourself"
    )
)


def replaced(text: str, mentions: Sequence[Mention], name: str) -> str:
    """The text with each mention told by one word; words such as "extra strength" beside a name go with it."""
    out, at = [], 0
    for m in mentions:
        start = m.start
        before = text[at:start]
        while word := _STRENGTH_WORDS.search(before):
            before = before[: word.start()]
        out.append(before)
        out.append(f" {name} ")
        at = m.end
    out.append(text[at:])
    return "".join(out)
