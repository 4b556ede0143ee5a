"""Number words → digits, each run of them one number: "one twenty five" is 125, "one and a half" 1.5, "two point five" 2.5.

Every word is given a letter for the part it plays in a number (by the lists of kb/language); what follows looks at the letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from safety.knowledge.language import Language
from safety.model.quantity import plain

# e: one to nine, t: zero and ten to nineteen, y: twenty, thirty …, H: hundred, K: thousand; N: digits, /: a written fraction,
# P: a number in the plural, U: a unit, T: a form
_ROLES = {
    "one": "a", "and": "&", "point": ".", "zero": "o", "of": "f", "half": "h", "quarter": "q", "couple": "c", "dozen": "z",
    "or": "|", "times": "x", "my": "m", "dose": "s", "so often": "w",
}  # fmt: skip
_HUNDRED, _THOUSAND = 100, 1000
_MOST_OF_A_KIND = 2
"""So many "hundreds" may be so many of a hundred."""

_LONGEST = 8
"""So many words a number that is said twice has at most."""
_MOST_COUNTED = 12
"""So many of one strength may be counted out: "five five milligram"."""

_ADD, _HUNDREDS, _SHIFT, _SHIFT_AND_ADD, _THOUSANDS, _GO_ON = range(6)
# where a run of number words has come to, and the next word → where it is then, and what the word does to the number
_STEPS: dict[tuple[str, str], tuple[str, int]] = {
    ("", "a"): ("one", _GO_ON), ("", "e"): ("one", _ADD), ("", "t"): ("teen", _ADD), ("", "y"): ("tens", _ADD),
    ("", "H"): ("hundred", _HUNDREDS), ("one", "H"): ("hundred", _HUNDREDS), ("teen", "H"): ("hundred", _HUNDREDS),
    ("end", "H"): ("hundred", _HUNDREDS), ("one", "y"): ("tens", _SHIFT_AND_ADD), ("one", "o"): ("hundred", _SHIFT),
    ("tens", "e"): ("end", _ADD), ("hundred", "&"): ("hundred", _GO_ON), ("hundred", "e"): ("whole", _ADD),
    ("hundred", "t"): ("whole", _ADD), ("hundred", "y"): ("tens behind", _ADD), ("tens behind", "e"): ("whole", _ADD),
    ("thousand", "&"): ("thousand", _GO_ON),
    ("thousand", "e"): ("one", _ADD), ("thousand", "t"): ("teen", _ADD), ("thousand", "y"): ("tens", _ADD),
    **{(seen, "K"): ("thousand", _THOUSANDS) for seen in ("one", "teen", "tens", "tens behind", "hundred", "end", "whole")},
}  # fmt: skip
# a word that is a part of the number only before one of these
_ONLY_BEFORE = {"a": "HK", "o": "et", "&": "ety"}
_ARTICLE = re.compile(r"(?!aw)(?:f[aem]|[af])?")
_HALF = re.compile(r"h(?!s|m|as)")
_QUARTER = re.compile(r"q(?=[UT]|fa)")
_POINT = re.compile(r"\.(?=[oetyN])")
_ONE_THING = re.compile(r"e(?!T)")
_COUNT_AND_STRENGTH = re.compile(r"ey+e?U[^T]?T")
_ONE_OF = re.compile(r"e(?=(?:y.?|N.?)U)")


class Numbers:
    """Number words by the lists of one language."""

    def __init__(self, language: Language) -> None:
        self.values = {**_whole(language, "numbers"), **_whole(language, "numbers-misspelt")}
        self.plurals = _whole(language, "numbers-in-plural")
        self.before_one = frozenset(language.words("before-one"))
        self.letters = {word: _ROLES[role] for word, role in language.meaning("number-grammar").items()}
        self.letters |= dict.fromkeys(language.words("unit"), "U") | dict.fromkeys(language.words("form"), "T")
        self.letters |= dict.fromkeys(self.plurals, "P")
        self.letters |= {word: "e" if 0 < n < 10 else "t" if n < 20 else "y" for word, n in self.values.items()}
        self.letters |= {word: {_HUNDRED: "H", _THOUSAND: "K"}.get(n, "-") for word, n in _whole(language, "multiples").items()}

    def as_digits(self, words: Sequence[str], *, apart: bool = False) -> list[str]:
        """The words with every number in digits; `apart`: "one forty milligram" is one of forty."""
        return _Reading(self, words, apart).read()

    def two_ways(self, words: Sequence[str]) -> bool:
        """Whether there is a "one forty" that may be a hundred and forty, or one of forty."""
        spelled = self.spelled(words)
        return any(self.values.get(words[m.start()]) == 1 for m in re.finditer("e(?=y)", spelled))

    def spelled(self, words: Sequence[str]) -> str:
        """One letter for each word."""
        return "".join(
            self.letters.get(word, "-") if not word[0].isdigit() else "N" if "/" not in word else "/" for word in words
        )


def _whole(language: Language, name: str) -> dict[str, int]:
    return {word: int(Fraction(value)) for word, value in language.meaning(name).items()}


class _Reading:
    """One statement's words, read from left to right."""

    def __init__(self, numbers: Numbers, words: Sequence[str], apart: bool) -> None:
        self.numbers, self.words, self.apart = numbers, words, apart
        self.letters = numbers.spelled(words)
        self.found: list[str] = []
        self.at = 0

    def read(self) -> list[str]:
        if not any(letter in "ehqczytHKP./" for letter in self.letters):
            return list(self.words)
        while self.at < len(self.words):
            # the first that can make something of the words here, does
            _ = (
                self._plural() or self._one_thing() or self._one_of() or self._number() or self._fraction()
                or self._half() or self._quarter() or self._couple() or self._dozen() or self._other()
            )  # fmt: skip
        return self.found

    def _take(self, count: int, *words: str) -> bool:
        """So many words are read, as these."""
        self.found += words
        self.at += count
        return True

    def _other(self) -> bool:
        return self._take(1, self.words[self.at])

    def _value(self, at: int) -> int:
        return self.numbers.values[self.words[at]]

    def _plural(self) -> bool:
        """As in "the forties", "the one twelves", "five hundreds", "the twenty fives"."""
        letter, after = self.letters[self.at], self.letters[self.at + 1 : self.at + 2]
        if letter == "P":
            return self._take(1, f"{self.numbers.plurals[self.words[self.at]]}s")
        if letter not in ("e", "y") or after != "P":
            return False
        mine, plural = self._value(self.at), self.numbers.plurals[self.words[self.at + 1]]
        if mine == 1 and 10 <= plural < _HUNDRED:
            return self._take(2, f"{_HUNDRED + plural}s")
        if letter == "e" and mine > _MOST_OF_A_KIND and plural == _HUNDRED:
            return self._take(2, f"{mine * _HUNDRED}s")
        return letter == "y" and plural < 10 and self._take(2, f"{mine + plural}s")

    def _one_thing(self) -> bool:
        """As in "the white one"."""
        one = _ONE_THING.match(self.letters, self.at) and self._value(self.at) == 1
        before = self.found[-1] if self.found else ""
        return bool(one) and before in self.numbers.before_one and self._other()

    def _one_of(self) -> bool:
        """As in "one forty milligram", where that is one of forty."""
        if not self.apart or not _ONE_OF.match(self.letters, self.at) or self._value(self.at) != 1:
            return False
        return self._take(1, "1")

    def _number(self) -> bool:
        """A run of number words, with what stands behind "point"."""
        if said_before := self._said_twice():
            return self._take(said_before)
        end, value = self._run()
        point = _POINT.match(self.letters, end)
        if point:
            behind, digits = self._decimals(point.end())
            return self._take(behind - self.at, f"{value}.{digits}")
        if end == self.at:
            return False
        run = self.letters[self.at : end]
        if _HUNDRED < value < _THOUSAND and _COUNT_AND_STRENGTH.match(self.letters, self.at) and "H" not in run:
            count = self._value(self.at)  # "two twenty milligram tablets": two of them
            return self._take(end - self.at, str(count), str(value - _HUNDRED * count))
        return self._take(end - self.at, str(value))

    def _said_twice(self) -> int:
        """How many words of a number are said once more at once, "five hundred five hundred mg"; a few may as well be a count."""
        if self.letters[self.at] not in "aety":
            return 0
        for n in range(min(_LONGEST, (len(self.words) - self.at) // 2), 0, -1):
            behind = self.at + 2 * n
            again = self.words[self.at : self.at + n] == self.words[self.at + n : behind]
            if again and self.letters[behind : behind + 1] == "U" and self.letters[behind + 1 : behind + 2] != "T":
                alone = _Reading(self.numbers, self.words[self.at : self.at + n], self.apart).read()
                if len(alone) == 1 and alone[0].isdecimal() and int(alone[0]) > _MOST_COUNTED:
                    return n
        return 0

    def _run(self) -> tuple[int, int]:
        """Where the number words from here on end, and what they come to."""
        at, seen, total, group = self.at, "", 0, 0
        while (step := self._step(at, seen)) is not None:
            seen, does = step
            added = self._value(at) if does in (_ADD, _SHIFT_AND_ADD) else 0
            if does == _THOUSANDS:
                total, group = total + (group or 1) * _THOUSAND, 0
            elif does in (_HUNDREDS, _SHIFT, _SHIFT_AND_ADD):
                group = (group or 1) * _HUNDRED + added
            else:
                group += added
            at += 1
        return at, total + group

    def _step(self, at: int, seen: str) -> tuple[str, int] | None:
        """What the word here does to the number that has come so far; None where it is no part of it."""
        letter, after = self.letters[at : at + 1], self.letters[at + 1 : at + 2]
        if letter in _ONLY_BEFORE and (not after or after not in _ONLY_BEFORE[letter]):
            return None
        if letter in ("e", "t") and seen and after == "x":
            return None  # "five hundred three times a day"
        if letter in ("e", "t") and seen in ("hundred", "tens behind") and after == "H":
            return None  # "five hundred five hundred": two numbers, or one said twice
        return _STEPS.get((seen, letter))

    def _decimals(self, at: int) -> tuple[int, str]:
        """The digits behind a point: "one two five", "twenty five", "5"."""
        digits = ""
        while at < len(self.words):
            letter, after = self.letters[at], self.letters[at + 1 : at + 2]
            if letter == "y":
                both = after == "e"
                digits += str(self._value(at) + (self._value(at + 1) if both else 0))
                at += both
            elif letter == "e" or (letter == "t" and self._value(at) == 0):
                digits += str(self._value(at))
            elif letter in ("o", "N"):
                digits += "0" if letter == "o" else self.words[at]
            else:
                break
            at += 1
        return at, digits

    def _fraction(self) -> bool:
        """A written half, quarter or three quarters, after a whole number or not."""
        if self.letters[self.at] != "/":
            return False
        top, _, bottom = self.words[self.at].partition("/")
        if bottom not in ("2", "4") or Decimal(top) >= Decimal(bottom):
            return False
        whole = self.found.pop() if self.found and self.found[-1].isdecimal() else "0"
        return self._take(1 + self._article(), plain(Decimal(whole) + Decimal(top) / Decimal(bottom)))

    def _article(self) -> int:
        """How many words after a part of one belong to it: "half of a", "half a"; "a day" is how often."""
        found = _ARTICLE.match(self.letters, self.at + 1)
        return len(found[0]) if found else 0

    def _half(self) -> bool:
        if not _HALF.match(self.letters, self.at):
            return False
        return self._part("5", 1 + self._article())

    def _quarter(self) -> bool:
        if not _QUARTER.match(self.letters, self.at):
            return False
        return self._part("25", 3 if self.letters[self.at + 1] == "f" else 1)

    def _part(self, decimals: str, taken: int) -> bool:
        """A part of one, alone or after "two and a"."""
        before = self.letters[self.at - 1 : self.at]
        if self.found and before and (before == "a" or (before == "e" and self.found[-1] == "1")):
            self.found.pop()
        if len(self.found) > 1 and self.numbers.letters.get(self.found[-1]) == "&" and self.found[-2].isdigit():
            whole = self.found[-2]
            del self.found[-2:]
            return self._take(1, f"{whole}.{decimals}")
        return self._take(taken, f"0.{decimals}")

    def _couple(self) -> bool:
        if self.letters[self.at] != "c":
            return False
        self._without_article()
        return self._take(2 if self.letters[self.at + 1 : self.at + 2] == "f" else 1, "2")

    def _dozen(self) -> bool:
        return self.letters[self.at] == "z" and self._without_article() and self._take(1, "12")

    def _without_article(self) -> bool:
        """Whether "a" stood before, which is taken away."""
        if not self.found or self.numbers.letters.get(self.found[-1]) != "a":
            return False
        self.found.pop()
        return True
