"""How alike two names are: by their sounds, aligned with what it costs to mistake one for the other, and by their letters.

Costs follow the mouth: two consonants are near when made in the same place, in the same manner, with or without voice;
two vowels when tongue and lips stand alike. Vowels weigh less than consonants, because recognisers and spellers change
them most. Costs were set from these features, not fitted to the test words.
"""

from __future__ import annotations

from itertools import accumulate

import jellyfish
from rapidfuzz.distance import OSA, Postfix, Prefix

_VOWELS = {
    "i": (0.0, 0.0), "I": (0.5, 0.2), "e": (1.0, 0.0), "E": (1.5, 0.3), "a": (2.5, 0.5), "A": (2.6, 1.6), "o": (1.0, 2.0),
    "u": (0.0, 2.0), "U": (0.5, 1.7), "@": (1.5, 1.0), "Y": (2.0, 0.6), "W": (2.0, 1.4), "O": (1.3, 1.3),
}  # fmt: skip
"""Height of the tongue (0 high) and how far back it is (0 front)."""
_PLACE = {
    "p": 0.0, "b": 0.0, "m": 0.0, "f": 0.6, "v": 0.6, "w": 0.3, "T": 1.3, "D": 1.3, "t": 2.0, "d": 2.0, "s": 2.1, "z": 2.1,
    "n": 2.0, "l": 2.2, "r": 2.5, "S": 2.7, "Z": 2.7, "C": 2.7, "J": 2.7, "y": 3.0, "k": 4.0, "g": 4.0, "N": 4.0, "h": 5.0,
}  # fmt: skip
"""From the lips (0) back to the throat (5)."""
_MANNER = {
    "p": 0.0, "b": 0.0, "t": 0.0, "d": 0.0, "k": 0.0, "g": 0.0, "C": 0.7, "J": 0.7, "f": 1.2, "v": 1.2, "T": 1.0, "D": 1.0,
    "s": 1.5, "z": 1.5, "S": 1.5, "Z": 1.5, "h": 1.5, "m": 2.4, "n": 2.4, "N": 2.4, "l": 3.0, "r": 3.2, "w": 3.5, "y": 3.5,
}  # fmt: skip
"""From a full stop of the breath (0) to a glide (3.5)."""
_VOICED = frozenset("bdgJvDzZmnNlrwy")
_GLIDES = frozenset(["yi", "yI", "wu", "wU", "wo", "r@", "l@", "lo", "lu", "lU", "h@", "vu"])
"""A consonant and the vowel it easily passes for."""
_LOST = {
    "@": 0.35, "I": 0.35, "h": 0.35, "y": 0.35, "w": 0.5, "t": 0.55, "d": 0.55, "r": 0.55, "l": 0.55, "m": 0.6, "n": 0.6,
    "s": 0.65, "z": 0.65,
}  # fmt: skip
"""What it costs that a sound is missing or too many; 0.5 for other vowels, 0.8 for other consonants."""


def _swap(a: str, b: str) -> float:
    """What it costs to take one sound for another: 0 the same, 1 nothing in common."""
    if a == b:
        return 0.0
    if a in _VOWELS and b in _VOWELS:
        (high, back), (other_high, other_back) = _VOWELS[a], _VOWELS[b]
        return float(0.1 + 0.15 * ((high - other_high) ** 2 + (back - other_back) ** 2) ** 0.5)
    if a in _VOWELS or b in _VOWELS:
        return 0.4 if a + b in _GLIDES or b + a in _GLIDES else 1.0
    place = min(abs(_PLACE[a] - _PLACE[b]), 3.0) / 3
    manner = min(abs(_MANNER[a] - _MANNER[b]), 2.5) / 2.5
    voice = 0.15 if (a in _VOICED) != (b in _VOICED) else 0.0
    return min(0.95, 0.15 + 0.35 * place + 0.55 * manner + voice)


SOUNDS = "".join(_VOWELS) + "".join(_PLACE)
_AT = {sound: n for n, sound in enumerate(SOUNDS)}
_SWAP = [[_swap(a, b) for b in SOUNDS] for a in SOUNDS]
_DROP = [_LOST.get(a, 0.5 if a in _VOWELS else 0.8) for a in SOUNDS]
_LEAST_DROP = min(_DROP)
_ROUNDED = 1e-9
_FAR = 1000.0
"""More than any two names cost."""


class Said:
    """A string of sounds, ready to be compared: what each costs when lost or taken for another."""

    __slots__ = ("first_row", "lost", "numbers", "swaps")

    def __init__(self, sounds: str) -> None:
        self.numbers = [_AT[sound] for sound in sounds]
        self.swaps = [_SWAP[n] for n in self.numbers]
        self.lost = [_DROP[n] for n in self.numbers]
        self.first_row = [0.0, *accumulate(self.lost)]


def sound_distance(a: Said, b: Said, most: float = 99.0) -> float:
    """The least it costs to turn one string of sounds into another; once it must exceed `most`, any number above that.

    Each sound more or less costs something, so only cells near the diagonal of the table can lie on a way that costs so little.
    """
    length, gap = len(b.numbers), len(b.numbers) - len(a.numbers)
    spare = (most / _LEAST_DROP - abs(gap)) / 2
    if spare < 0:
        return most + 1.0
    back, ahead = min(0, gap) - int(spare), max(0, gap) + int(spare)
    row, numbers, drops = b.first_row, b.numbers, b.lost
    for n, (swap, lost) in enumerate(zip(a.swaps, a.lost, strict=True)):
        first, last = max(0, n + back), min(length, n + 1 + ahead)
        above = iter(row[first : last + 1])
        diagonal = next(above)
        left = best = diagonal + lost if n + 1 + back <= 0 else _FAR
        new = [_FAR] * first
        new.append(left)
        for other, drop, over in zip(numbers[first:last], drops[first:last], above, strict=True):
            cost = diagonal + swap[other]
            if over + lost < cost:
                cost = over + lost
            left += drop
            if left < cost:
                cost = left
            else:
                left = cost
            new.append(cost)
            if cost < best:
                best = cost
            diagonal = over
        if best > most:
            return most + 1.0
        if last < length:
            new += [_FAR] * (length - last)
        row = new
    return row[-1]


def sound_likeness(a: Said, b: Said, least: float = 0.0) -> float:
    """1 for the same sounds, 0 for nothing in common; rough where it is under `least`."""
    longer = max(len(a.numbers), len(b.numbers), 1)
    return max(0.0, 1.0 - sound_distance(a, b, (1.0 - least) * longer + _ROUNDED) / longer)


def spelling_likeness(a: str, b: str) -> float:
    """1 for the same letters; each letter missing, too many, wrong, or swapped with its neighbour counts against it."""
    return float(OSA.normalized_similarity(a, b))


def slips(a: str, b: str) -> int:
    """How many letters are missing, too many, wrong, or swapped with their neighbours."""
    return int(OSA.distance(a, b))


def is_blend(told: str, own: str, other: str) -> bool:
    """Whether what was told begins or ends as another name does for longer than as the name nearest to it: "clon-apine"."""
    return Prefix.similarity(told, other) > Prefix.similarity(told, own) or ends_more_alike(told, other, own)


def ends_more_alike(told: str, other: str, own: str) -> bool:
    """Whether what was told ends as another name does for longer than as the name nearest to it."""
    return bool(Postfix.similarity(told, other) > Postfix.similarity(told, own))


_CLASSES = str.maketrans({
    **dict.fromkeys("iIeEYaA@WoOuU", "A"), **dict.fromkeys("pb", "P"), **dict.fromkeys("fvw", "F"), **dict.fromkeys("tdTD", "T"),
    **dict.fromkeys("szSZCJ", "S"), **dict.fromkeys("kgh", "K"), "n": "N", "m": "M", "l": "L", "r": "R", "y": "Y",
})  # fmt: skip


def blocking_key(letters: str, sounds: str) -> str:
    """Letters, then sounds in coarse classes: what names are narrowed down by before they are compared closely."""
    return letters + sounds.translate(_CLASSES)


def begin_alike(a: str, b: str) -> bool:
    """Whether two strings of sounds begin with sounds of one kind: that of a name is what a slip changes least."""
    return a[:1].translate(_CLASSES) == b[:1].translate(_CLASSES)


def pairs(letters: str) -> frozenset[str]:
    """What one word is narrowed down by: each two letters side by side, and each two of its metaphone code.

    The code, of consonants as they sound, is jellyfish's; its pairs are in capitals.
    """
    return _two_by_two(letters) | _two_by_two(jellyfish.metaphone(letters).upper())


def _two_by_two(text: str) -> frozenset[str]:
    ended = f"^{text}$"
    return frozenset(ended[n : n + 2] for n in range(len(ended) - 1))
