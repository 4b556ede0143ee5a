"""The written names nearest to what was heard: narrowed down by a coarse key, then compared by sound and by letters.

Figures that led to this choice (right drug first / among five, over 3,400 names, no look-alike or threshold logic;
`asr near` = real recogniser output on the clearer voices, N=157; `typed` = misspellings of names and brands, N=152):

    method                                    asr near    typed
    Damerau-Levenshtein on letters             44/64      99/100
    Jaro-Winkler on letters                    27/53      95/98
    letter pairs (Dice)                        29/44      95/99
    metaphone codes                            43/66      90/98
    letters and metaphone, averaged            57/80      99/100
    sounds aligned with articulatory costs     80/94      98/99
    sounds and letters, averaged               64/87      99/100
    the better of sounds and letters           80/94      99/99

One word is narrowed down by pairs of letters and of jellyfish's metaphone code, kept as bits; rows in which the drug meant
is among the names left (of 152 typed ones), and the time of narrowing down, against rapidfuzz over all:

    rapidfuzz over coarse keys, 60 names       149       0.90 ms
    pairs of letters, 60 names                 151       0.08 ms
    pairs of metaphone codes, 60 names         151       0.09 ms
    both, 60 names                             152       0.08 ms

Several words stay with rapidfuzz: pairs find 172 of 202 rows of clear recogniser output, the keys 187.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from safety.reading.names.index import Vocabulary
from safety.reading.names.likeness import Said, blocking_key, pairs, sound_likeness, spelling_likeness
from safety.reading.names.sounds import pronounce

_NARROWED, _NARROWED_WORD = 60, 30
_LEAST_KEY = 0.34
_SHARING, _SHARING_HEARD = 60, 300
"""Of one word, at least so many names that share most pairs with it are looked at; more where it may have been heard."""
_PREFIX_LETTERS = 4
_TOO_FAR_BEHIND = 0.25


class Written(Struct, frozen=True):
    """A name in the vocabulary: as shown, the item it stands for, the drugs that holds, whether it is in common use, and whether
    more is held of it than the name."""

    text: str
    target: str
    shown: str
    drugs: tuple[str, ...]
    common: bool
    held: bool


class Near(Struct, frozen=True):
    """A name that is near: how near in all, by sound, by letters, and whether it begins with what was heard."""

    written: Written
    score: float
    sound: float
    letters: float
    prefix: bool


class Nearest:
    """Finds near names in one vocabulary; made once, then only read."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._names = vocabulary
        self._letters = [text.replace(" ", "") for text in vocabulary.texts]
        self._keys = list(vocabulary.keys)
        self._said: dict[int, Said] = {}
        self._bits: dict[str, int] = {}

    def find(
        self, words: str, least: float, *, if_any: float = 0.0, by_sound: bool = False, least_letters: float = 0.0
    ) -> list[Near]:
        """Names at least so near to the words (lower case, single spaces), nearest first; none unless one is as near as `if_any`.

        One word is taken as typed, so its letters count as much as its sounds, unless `by_sound`. `least_letters`: names spelt
        less alike are passed over, unless they go on where the words end.
        """
        letters, sounds = words.replace(" ", ""), pronounce(words)
        if len(letters) < 3 or len(letters) > 60 or not sounds:
            return []
        typed = " " not in words and not by_sound
        said = Said(sounds)
        narrowed, beginning = self._narrowed(words, letters, sounds, typed, least_letters), self._beginning_with(letters)
        spelt = {n: spelling_likeness(letters, self._letters[n]) for n in narrowed}
        # who is spelt most alike is compared first: what comes far behind that one need not be compared to the end
        ranked = [n for n in narrowed if spelt[n] >= least_letters]
        if typed:
            ranked.sort(key=lambda n: (-spelt[n], self._names.texts[n]))
        if not beginning and not any(self._compare(n, spelt[n], said, typed, if_any) for n in ranked):
            return []
        found = self._close(ranked, spelt, said, typed, least)
        for n in beginning:
            near = self._exactly(n, spelling_likeness(letters, self._letters[n]), said, typed)
            share = len(letters) / len(self._letters[n])
            score = max(near.score, 0.6 + 0.25 * share)
            found[n] = Near(near.written, score, near.sound, near.letters, True)
        return sorted(found.values(), key=lambda x: (-x.score, not x.written.common, x.written.text, x.written.target))

    def _close(self, ranked: Sequence[int], spelt: Mapping[int, float], said: Said, typed: bool, least: float) -> dict[int, Near]:
        """Of names in the order in which they are compared, those at least so near and not far behind the nearest."""
        found: dict[int, Near] = {}
        best = 0.0
        for n in ranked:
            near = self._compare(n, spelt[n], said, typed, max(least, best - _TOO_FAR_BEHIND))
            if near is not None:
                found[n] = near
                best = max(best, near.score)
        return {n: near for n, near in found.items() if near.score >= best - _TOO_FAR_BEHIND}

    def one(self, words: str, name: str) -> Near | None:
        """How near the words are to one name, of the vocabulary or a common word of several ("penicillin"); None if there is no
        telling."""
        n = self._places.get(name)
        if n is None:
            sounds = pronounce(name)
            spelt = spelling_likeness(words.replace(" ", ""), name.replace(" ", ""))
            alike = sound_likeness(Said(pronounce(words)), Said(sounds)) if sounds else 0.0
            unlisted = Written(name, "", name, (), common=False, held=False)
            return Near(unlisted, (spelt + alike) / 2, alike, spelt, False) if sounds else None
        return self._exactly(
            n, spelling_likeness(words.replace(" ", ""), self._letters[n]), Said(pronounce(words)), " " not in words
        )

    def _exactly(self, n: int, spelt: float, said: Said, typed: bool) -> Near:
        near = self._compare(n, spelt, said, typed, 0.0)
        assert near is not None  # nothing is less near than not at all
        return near

    def _compare(self, n: int, spelt: float, said: Said, typed: bool, least: float) -> Near | None:
        """How near a name is that is spelt so alike; None where it is not at least so near."""
        least_sound = 2 * least - spelt if typed else min(least, 2 * least - spelt)
        if least_sound > 1.0:
            return None
        sound = sound_likeness(said, self._said_at(n), max(0.0, least_sound))
        score = (sound + spelt) / 2 if typed else max(sound, (sound + spelt) / 2)
        return Near(self._written(n), score, sound, spelt, False) if score >= least else None

    def _narrowed(self, words: str, letters: str, sounds: str, typed: bool, least_letters: float) -> list[int]:
        """The names worth comparing closely: of one word those that share pairs with it, else by the key."""
        several = " " in words
        if several and least_letters:
            return self._sharing(pairs(letters), _SHARING)  # what is spelt so alike shares its pairs
        keys: list[str] | dict[int, str] = self._keys
        if not several:
            keys = {n: self._keys[n] for n in self._sharing(pairs(letters), _SHARING if typed else _SHARING_HEARD)}
        most = _NARROWED if several else _NARROWED_WORD
        near = process.extract(blocking_key(letters, sounds), keys, scorer=Levenshtein.normalized_similarity,
                               limit=most, score_cutoff=_LEAST_KEY)  # fmt: skip
        return [n for _, _, n in near]

    def _sharing(self, wanted: frozenset[str], least: int) -> list[int]:
        """The names that share most pairs with a word: at least so many, and all that share as many as the last.

        Sets of names are numbers, a bit a name; how many pairs each shares is added up in binary, a number a digit.
        """
        digits: list[int] = []
        for pair in wanted:
            carry = self._bits.get(pair) or self._having(pair)
            for n, digit in enumerate(digits):
                digits[n], carry = digit ^ carry, digit & carry
                if not carry:
                    break
            if carry:
                digits.append(carry)
        few, many = 1, 1 << len(digits)
        while few < many:
            middle = (few + many + 1) // 2
            few, many = (middle, many) if _sharing_at_least(digits, middle).bit_count() >= least else (few, middle - 1)
        return _places(_sharing_at_least(digits, few))

    def _having(self, pair: str) -> int:
        """The names that have a pair, as bits."""
        held = self._names.sharing.get(pair)
        return 0 if held is None else self._bits.setdefault(pair, int.from_bytes(held, "little"))

    def _beginning_with(self, letters: str) -> list[int]:
        """Names that go on where the letters end (a name cut short)."""
        if len(letters) < _PREFIX_LETTERS:
            return []

        order, keys = self._names.order, self._alphabetical
        return list(order[bisect_right(keys, letters) : bisect_left(keys, letters + "{")][:40])

    def going_on(self, letters: str) -> list[tuple[str, ...]]:
        """The drugs of each name that goes on where the letters end."""
        return [self._names.drugs[n] for n in self._beginning_with(letters)]

    def names_going_on(self, letters: str) -> list[Written]:
        """Each name that goes on where the letters end."""
        return [self._written(n) for n in self._beginning_with(letters)]

    def _written(self, n: int) -> Written:
        names = self._names
        return Written(names.texts[n], names.targets[n], names.shown[n], names.drugs[n], names.common[n], names.held[n])

    def _said_at(self, n: int) -> Said:
        found = self._said.get(n)
        return self._said.setdefault(n, Said(self._names.sounds[n])) if found is None else found

    @cached_property
    def _places(self) -> dict[str, int]:
        return {text: n for n, text in enumerate(self._names.texts)}

    @cached_property
    def _alphabetical(self) -> list[str]:
        return [self._letters[n] for n in self._names.order]


def _sharing_at_least(digits: Sequence[int], count: int) -> int:
    """The names, as bits, whose counts (a number a binary digit, lowest first) are not less than one count."""
    if count >> len(digits):
        return 0
    more, even = 0, -1
    for n in reversed(range(len(digits))):
        if count >> n & 1:
            even &= digits[n]
        else:
            more |= even & digits[n]
            even &= ~digits[n]
    return more | even


def _places(bits: int) -> list[int]:
    """Which bits are set, lowest first."""
    digits = f"{bits:b}"[::-1]
    found = []
    at = digits.find("1")
    while at >= 0:
        found.append(at)
        at = digits.find("1", at + 1)
    return found
