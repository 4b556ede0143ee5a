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
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property

from msgspec import Struct
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from safety.reading.names.index import Vocabulary
from safety.reading.names.likeness import Said, blocking_key, sound_likeness, spelling_likeness
from safety.reading.names.sounds import pronounce

_NARROWED = 60
_LEAST_KEY = 0.34
_PREFIX_LETTERS = 4
_TOO_FAR_BEHIND = 0.25


class Written(Struct, frozen=True):
    """A name in the vocabulary: as shown, the item it stands for, and whether that is in common use."""

    text: str
    target: str
    shown: str
    common: bool


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

    def find(self, words: str, least: float, *, by_sound: bool = False) -> list[Near]:
        """Names at least so near to the words (lower case, single spaces), nearest first.

        One word is taken as typed, so its letters count as much as its sounds, unless `by_sound`.
        """
        letters, sounds = words.replace(" ", ""), pronounce(words)
        if len(letters) < 3 or len(letters) > 60 or not sounds:
            return []
        typed = " " not in words and not by_sound
        said = Said(sounds)
        found: dict[int, Near] = {}
        best = 0.0
        for _, _, n in process.extract(blocking_key(letters, sounds), self._keys, scorer=Levenshtein.normalized_similarity,
                                       limit=_NARROWED, score_cutoff=_LEAST_KEY):  # fmt: skip
            near = self._compare(n, letters, said, typed, max(least, best - _TOO_FAR_BEHIND))
            if near.score >= least:
                found[n] = near
                best = max(best, near.score)
        for n in self._beginning_with(letters):
            near = self._compare(n, letters, said, typed, 0.0)
            share = len(letters) / len(self._letters[n])
            score = max(near.score, 0.6 + 0.25 * share)
            found[n] = Near(near.written, score, near.sound, near.letters, True)
        return sorted(found.values(), key=lambda x: (-x.score, not x.written.common, x.written.text, x.written.target))

    def one(self, words: str, name: str) -> Near | None:
        """How near the words are to one name of the vocabulary; None if it is not in it."""
        n = self._places.get(name)
        if n is None:
            return None
        return self._compare(n, words.replace(" ", ""), Said(pronounce(words)), " " not in words, 0.0)

    def _compare(self, n: int, letters: str, said: Said, typed: bool, least: float) -> Near:
        spelt = spelling_likeness(letters, self._letters[n])
        least_sound = 2 * least - spelt if typed else min(least, 2 * least - spelt)
        sound = sound_likeness(said, self._said_at(n), max(0.0, least_sound))
        score = (sound + spelt) / 2 if typed else max(sound, (sound + spelt) / 2)
        return Near(self._written(n), score, sound, spelt, False)

    def _beginning_with(self, letters: str) -> list[int]:
        """Names that go on where the letters end (a name cut short)."""
        if len(letters) < _PREFIX_LETTERS:
            return []

        order, keys = self._names.order, self._alphabetical
        return list(order[bisect_right(keys, letters) : bisect_left(keys, letters + "{")][:40])

    def _written(self, n: int) -> Written:
        names = self._names
        return Written(names.texts[n], names.targets[n], names.shown[n], names.common[n])

    def _said_at(self, n: int) -> Said:
        found = self._said.get(n)
        return self._said.setdefault(n, Said(self._names.sounds[n])) if found is None else found

    @cached_property
    def _places(self) -> dict[str, int]:
        return {text: n for n, text in enumerate(self._names.texts)}

    @cached_property
    def _alphabetical(self) -> list[str]:
        return [self._letters[n] for n in self._names.order]
