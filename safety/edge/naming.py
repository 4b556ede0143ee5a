"""Medicines named anywhere in a text, with the place of each; a name that is only near is a question, and looked for only where
a medicine's name is to be expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from safety.edge.extraction import Normalised
from safety.edge.speaking import Turn
from safety.knowledge.library import Library
from safety.reading.names.resolver import ReadName, Resolver
from safety.reading.wording import Wording, any_of
from safety.text import fold, lowered

_BROKEN = re.compile(r"[\n;?!,()\[\]]|\s[.]|[.]\s")
"""What never stands inside a name; "St. John's wort" is spelled with a stop, and is let through."""
_SHORT_OF_SAINT = re.compile(r"\bst[.]\s\Z", re.I)
_SHORTEST_NEAR = 6
_LONGEST_NEAR = 2
_LONGEST_CLASS, _SHORTEST_CLASS = 4, 4
_SHORTEST_STEM = 3
_NEAR_ENOUGH = 82
"""Of a hundred, how like a name several of which are near has to be to one of them."""
_NO_NAMES = ("ly", "ing", "edly", "tion")
"""Endings of words that are no names."""
_REMEMBERED = 4096
_OF_SOMEBODY = ("'s", "’s")
_SHORTEST_PLURAL = 5
_WITHIN = 3
"""So many words lie at most between a word that a name follows and the name, or between the name and its amount."""


class Named(Struct, frozen=True):
    """A medicine's name: from which word to before which, where in the text, and what it was read as.

    `weak`: the name is more often something else, and counts only where what stands around it shows that it is taken.
    `near`: it is not written as any name is.
    """

    first: int
    after: int
    start: int
    end: int
    read: Normalised
    weak: bool = False
    near: bool = False

    @property
    def key(self) -> object:
        """By which two namings of one medicine are the same."""
        return self.read.drug or fold(self.read.name or "")


def normalised(read: ReadName) -> Normalised:
    """How a name was read, as an extraction tells it."""
    answer = read.answer
    drug = tuple(answer.drug) if isinstance(answer.drug, list) else answer.drug
    some = (tuple(c.drug) if isinstance(c.drug, list) else (c.drug,) for c in answer.candidates)
    candidates = tuple(dict.fromkeys(d for each in some for d in each))
    return Normalised(drug, answer.name, answer.via, answer.status, answer.confirm, answer.ask, candidates)


class Naming:
    """Finds names by the resolver of one library; made once, shared, never changed."""

    def __init__(
        self,
        library: Library,
        resolver: Resolver,
        is_food: Callable[[str], bool],
        is_known: Callable[[str], bool],
    ) -> None:
        words = library.language.words
        self._resolver, self._is_food, self._is_known = resolver, is_food, is_known
        self._plain = resolver.talk.talk | resolver.talk.no_names
        self._homographs = frozenset(words("names-that-are-words"))
        self._mine = frozenset(words("mine"))
        self._taking = frozenset(words("taking"))
        self._tests = resolver.words.tested
        between, pause = any_of(words("between-names")), any_of(words("sounds-of-a-pause"))
        gap = rf"(?:\s+|,?\s+{pause}\s*,?\s+)"
        self._follows = re.compile(rf"\b{any_of(words('name-follows'))}{gap}(?:{between}{gap}){{0,2}}\Z", re.I)
        self._stems = tuple(stem for stem in words("drug-name-stems") if len(stem) > _SHORTEST_STEM)
        self._vaccines = frozenset(library.language.meaning("vaccines").values())
        self._talked = self._plain | frozenset(w for each in library.language for phrase in each.words for w in phrase.split())
        self._class_name = {i: c.name for i, c in library.drug_class.items()}
        self._of_vaccines = frozenset(words("vaccine-words"))
        self._near = lru_cache(_REMEMBERED)(self._read_near)

    def is_vaccine(self, read: Normalised) -> bool:
        """Whether nothing but vaccines is meant."""
        if not self._of_vaccines.isdisjoint(fold(read.name or "").split()):
            return True
        drug = read.drug
        drugs = {drug} if isinstance(drug, str) else set(drug or ())
        return bool(drugs) and drugs <= self._vaccines

    def is_everyday(self, words: str) -> bool:
        """Whether nothing but words of every day, or of diseases, are in it."""
        return all(w in self._talked or self._is_known(w) or not w.isalpha() for w in fold(words).split())

    def is_talk(self, word: str) -> bool:
        """Whether a word is one of every day, of no disease and no name."""
        return word in self._resolver.talk.talk

    def find(self, line: Wording, turn: Turn) -> list[Named]:
        """The names that one turn holds, in order."""
        first = next((n for n, start in enumerate(line.starts) if start >= turn.start), len(line.words))
        after = next((n for n in range(first, len(line.words)) if line.starts[n] >= turn.end), len(line.words))
        found: list[Named] = []
        i = first
        while i < after:
            named = self._at(line, i, after)
            if named is None:
                i += 1
            else:
                found.append(named)
                i = named.after
        return found

    def _at(self, line: Wording, i: int, limit: int) -> Named | None:
        """The name that begins with a word, as names are written or said in the plural."""
        words = line.words
        hit = self._resolver.longest_at(words[i : min(limit, i + 12)], 0)
        if hit is None:
            return self._plural(line, i) or self._class_at(line, i, limit)
        after = i + hit.after
        while after > i and self._is_broken(line, i, after):
            after -= 1
            while after > i and self._resolver.longest_at(words[i:after], 0) is None:
                after -= 1
            shorter = self._resolver.longest_at(words[i:after], 0) if after > i else None
            after = i + shorter.after if shorter is not None else i
        if after == i or (after == i + 1 and self._is_ordinary(words[i], line.text[line.starts[i] : line.ends[i]])):
            return None
        start, end = line.starts[i], line.ends[after - 1]
        read = normalised(self._resolver.read(line.text[start:end]))
        if read.status == "unrecognised" or self._is_of_ones_own(words[i:after], line.text[start:end]):
            return None
        return Named(i, after, start, end, read, self._is_weak(words[i:after]))

    def _is_of_ones_own(self, words: Sequence[str], written: str) -> bool:
        """Whether a name of everyday words that begins with whose it is, "my way", is not written as a name."""
        return len(words) > 1 and words[0] in self._mine and all(w in self._plain for w in words) and not written.istitle()

    def _class_at(self, line: Wording, i: int, limit: int) -> Named | None:
        """A class of medicines named instead of one of them: "my statin", "penicillin"."""
        for after in range(min(i + _LONGEST_CLASS, limit), i, -1):
            text = " ".join(line.words[i:after])
            found = (
                self._resolver.class_of(text) if len(text) >= _SHORTEST_CLASS and not self._is_broken(line, i, after) else None
            )
            if found is None or (after == i + 1 and line.words[i] in self._plain):
                continue
            start, end = line.starts[i], line.ends[after - 1]
            read = self._resolver.read(line.text[start:end])
            if read.drugs:
                return None
            candidates = tuple(c.drug for c in read.answer.candidates if isinstance(c.drug, str))
            name = self._class_name.get(found, text)
            return Named(
                i, after, start, end, Normalised(None, name, "class", "ambiguous", True, read.answer.ask, candidates), True
            )
        return None

    def _plural(self, line: Wording, i: int) -> Named | None:
        word = line.words[i]
        if not word.endswith("s") or len(word) <= _SHORTEST_PLURAL or word in self._plain or word[:-1] in self._plain:
            return None
        if self._resolver.longest_at([word[:-1]], 0) is None:
            return None
        read = normalised(self._resolver.read(word[:-1]))
        return Named(i, i + 1, line.starts[i], line.ends[i], read, self._is_weak([word[:-1]])) if read.drug is not None else None

    def _is_broken(self, line: Wording, first: int, after: int) -> bool:
        """Whether a comma, a bracket or the end of a sentence stands inside."""
        for n in range(first + 1, after):
            gap = line.text[line.ends[n - 1] : line.starts[n]]
            if _BROKEN.search(gap) and not _SHORT_OF_SAINT.search(line.text[: line.starts[n]]):
                return True
        return False

    def _is_ordinary(self, word: str, said: str) -> bool:
        return word in self._resolver.talk.no_names or (len(word) < 4 and not said.isupper() and word in self._plain)

    def _is_weak(self, words: Sequence[str]) -> bool:
        name = " ".join(words)
        if name in self._homographs or (len(words) == 1 and len(name) < 4):
            return True
        return all(w in self._plain for w in words) or self._is_food(name)

    # -------------------------------------------------------------- names that are only near

    def near(self, line: Wording, turn: Turn, found: Sequence[Named], *, expected: bool) -> Iterator[Named]:
        """Words where a name is to be expected that come near one, or are no word that we know.

        `expected`: the turn answers which medicine is taken, in a few words.
        """
        taken = {n for named in found for n in range(named.first, named.after)}
        n = next((n for n, start in enumerate(line.starts) if start >= turn.start), len(line.words))
        while n < len(line.words) and line.starts[n] < turn.end:
            size = next((s for s in range(_LONGEST_NEAR, 0, -1) if self._may_be(line, n, s, taken)), 0)
            if size and (self._expected(line, turn, n, n + size) or expected):
                start, end = line.starts[n], line.ends[n + size - 1]
                follows = size == 1 and (
                    self._is_thing(line, turn, start) or self._before_an_amount(line, n + size) or self._is_proper(line, n)
                )
                read = self._near(line.text[start:end], follows)
                if read is not None:
                    yield Named(n, n + size, start, end, read, near=True)
                    n += size
                    continue
            n += 1

    def _may_be(self, line: Wording, n: int, size: int, taken: set[int]) -> bool:
        if n + size > len(line.words) or any(k in taken for k in range(n, n + size)) or self._is_broken(line, n, n + size):
            return False
        words = line.words[n : n + size]
        if size == 1 and words[0] in self._resolver.short_forms:
            return self._before_an_amount(line, n + 1)  # "pred 40 mg"
        if size == 1 and words[0].endswith(_NO_NAMES) and not self._before_an_amount(line, n + 1):
            return False
        if line.text[line.starts[n] : line.ends[n + size - 1]].endswith(_OF_SOMEBODY):
            return False  # "Client's methadone"
        if not all(w.isalpha() and w not in self._talked and not self._is_known(w) for w in words):
            return False
        return sum(map(len, words)) >= _SHORTEST_NEAR and (size == 1 or all(len(w) > 2 for w in words))

    def _expected(self, line: Wording, turn: Turn, first: int, after: int) -> bool:
        return self._after_a_verb(line, turn, first) or self._before_an_amount(line, after)

    def _after_a_verb(self, line: Wording, turn: Turn, first: int) -> bool:
        """Whether a word that a name follows stands up to two words before."""
        begin = max(turn.start, line.starts[max(0, first - _WITHIN)])
        return self._follows.search(line.text[begin : line.starts[first]]) is not None

    def _is_thing(self, line: Wording, turn: Turn, start: int) -> bool:
        """Whether a word stands as what is taken: "I take flurbozide 10 mg"."""
        found = next(
            (m for m in self._resolver.talk.thing.finditer(line.text, turn.start, turn.end) if m.start(1) == start), None
        )
        return found is not None and not lowered(found[1]).endswith(_NO_NAMES)

    def _is_proper(self, line: Wording, n: int) -> bool:
        """Whether a word is written as a name is and stands right behind a verb of taking: "I also took Duraphen II"."""
        written = line.text[line.starts[n] : line.ends[n]]
        return n > 0 and line.words[n - 1] in self._taking and written.istitle() and line.text[line.ends[n - 1]] == " "

    def _before_an_amount(self, line: Wording, after: int) -> bool:
        words, names = line.words, self._resolver.words
        return any(
            words[n][0].isdigit() and n + 1 < len(words) and words[n + 1] in names.units
            for n in range(after, min(after + 2, len(words)))
        )

    def _read_near(self, heard: str, follows: bool) -> Normalised | None:
        """What a word that is no name comes near to; one that stands where a name is taken is asked about, however strange."""
        read = normalised(answer := self._resolver.read(heard))
        best = max((round(100 * c.score) for c in answer.answer.candidates), default=0)
        if read.status == "match" or (read.status == "ambiguous" and (best >= _NEAR_ENOUGH or follows)):
            return Normalised(read.drug, read.name, read.via, read.status, True, read.ask, read.candidates)
        looks = any(fold(heard).endswith(stem) for stem in self._stems)
        return Normalised(None, heard, None, "unrecognised", True, read.ask) if looks or follows else None
