"""Words of names of conditions with one slip of the pen ("hypertenson", "pnuemonia") or cut short ("decomp cirrhosis")."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache

_WRITTEN, _MEANT = 7, 8
"""So many letters at least has what was written, and the word that is meant: shorter ones are too near to other words."""
_END = 3
"""One slip leaves so many letters of the beginning as they are, or of the end."""
_CUT_SHORT = 4
"""So many letters at least are left of a word that was cut short ("decomp cirrhosis")."""
_NEAR, _NEARER = 10, 5
"""Of so many letters a word may be two slips away from what is meant, of so many one."""
_MOST_ALIKE = 6
"""A word that is near to more words than this tells none of them."""
_TOO_MANY = 40
"""A beginning that is shared by more words than this tells none of them."""
_REMEMBERED = 4096
_SOUNDS = (
    ("ph", "f"), ("sch", "sk"), ("ck", "k"), ("qu", "kw"), ("x", "ks"), ("ce", "se"), ("ci", "si"), ("cy", "si"), ("c", "k"),
    ("z", "s"), ("rh", "r"), ("th", "t"), ("y", "i"), ("ae", "e"), ("oe", "e"), ("ou", "u"), ("ei", "i"), ("ie", "i"),
    ("ee", "i"), ("ea", "e"),
)  # fmt: skip
"""What sounds alike, in the order in which it is written alike."""


class Slips:
    """Finds the one word of the names of conditions that is a slip away from what was written; made when first asked."""

    def __init__(
        self, words: Callable[[], Iterable[str]], others: Callable[[], Iterable[str]], known: Callable[[str], bool],
        short: Callable[[], Iterable[str]] = tuple,
    ) -> None:  # fmt: skip
        self._load, self._load_others, self._known, self._load_short = words, others, known, short
        self._found: dict[str, str] = {}
        self._begun: dict[str, tuple[str, ...]] = {}
        self._alike: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self._load())

    @cached_property
    def _others(self) -> frozenset[str]:
        return frozenset(self._load_others()) - self._words

    @cached_property
    def _by_end(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for word in sorted(self._words | self._others):
            if len(word) >= _MEANT:
                found.setdefault(word[:_END] + "-", []).append(word)
                found.setdefault("-" + word[-_END:], []).append(word)
        return found

    @cached_property
    def _by_first(self) -> dict[str, list[str]]:
        """The words of names, short and long, by their first letter."""
        found: dict[str, list[str]] = {}
        for word in sorted({*self._words, *self._load_short()}):
            found.setdefault(word[0], []).append(word)
        return found

    def alike(self, word: str) -> tuple[str, ...]:
        """The words of names that a word may be meant for which is none itself; the other words of the name tell which."""
        if len(word) < _NEARER or not word.isalpha():
            return ()
        found = self._alike.get(word)
        if found is None:
            if len(self._alike) >= _REMEMBERED:
                self._alike.clear()
            found = self._alike[word] = self._all_near(word)
        return found

    def _all_near(self, word: str) -> tuple[str, ...]:
        words = self._by_first.get(word[0], ())
        plain = word.removesuffix("s")
        if self._is_word(word) or plain in words or any(other.startswith(word) for other in words):
            return ()  # "cathete" is cut short, and no slip
        from rapidfuzz.distance import OSA  # not before such a word comes

        most = 2 if len(word) >= _NEAR else 1
        far = {other: d for other in words if (d := OSA.distance(word, other, score_cutoff=most)) <= most}
        near = [other for other, d in far.items() if d == min(far.values())]
        return tuple(near) if len(near) <= _MOST_ALIKE else ()

    @cached_property
    def _in_order(self) -> list[str]:
        return sorted(self._words | self._others)

    def beginning(self, word: str) -> tuple[str, ...]:
        """The words that begin with what was written, where that is no word itself; none where they are too many."""
        if len(word) < _CUT_SHORT or not word.isalpha():
            return ()
        found = self._begun.get(word)
        if found is None:
            if len(self._begun) >= _REMEMBERED:
                self._begun.clear()
            found = self._begun[word] = () if self._is_word(word) else self._with_beginning(word)
        return found

    def _with_beginning(self, word: str) -> tuple[str, ...]:
        first = bisect_left(self._in_order, word)
        found: list[str] = []
        for other in self._in_order[first : first + _TOO_MANY + 1]:
            if not other.startswith(word):
                return tuple(found)
            found.append(other)
        return ()

    def corrected(self, word: str) -> str:
        """The word that is meant; empty where the word is one itself, where none is so near, or where several are."""
        if len(word) < _WRITTEN or not word.isalpha():
            return ""
        found = self._found.get(word)
        if found is None:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            found = self._found[word] = self._nearest(word)
        return found

    def _nearest(self, word: str) -> str:
        if self._is_word(word):
            return ""
        from rapidfuzz.distance import OSA  # not before such a word comes

        near = {
            other
            for end in (word[:_END] + "-", "-" + word[-_END:])
            for other in self._by_end.get(end, ())
            if OSA.distance(word, other, score_cutoff=1) <= 1
        }
        near = near or self._sounds_like(word)
        near = near & self._words or near  # a common name before a rare one
        begun = {other.removesuffix("s") for other in self._with_beginning(word)}
        if len(begun) > 1 or (not any(other.startswith(word) for other in near) and self._begins_another(word)):
            return ""  # "cholangit" is cut short, and no slip of "cholangio"; "cathete" may be a catheter or a catheterization
        stems = {other.removesuffix("s") for other in near}
        return min(near) if len(stems) == 1 else ""

    def _sounds_like(self, word: str) -> set[str]:
        """The words with the same beginning or end that sound as this one does ("nefrectomy")."""
        sound = _sound(word)
        ends = (word[:_END] + "-", "-" + word[-_END:])
        return {other for end in ends for other in self._by_end.get(end, ()) if _sound(other) == sound}

    def _begins_another(self, word: str) -> bool:
        first = bisect_left(self._in_order, word)
        return first < len(self._in_order) and self._in_order[first].startswith(word)

    def _is_word(self, word: str) -> bool:
        """Whether it is a word of a name or of the language, in the singular or the plural."""
        return any(w in self._words or w in self._others or self._known(w) for w in (word, word.removesuffix("s"), f"{word}s"))


@lru_cache(_REMEMBERED * 8)
def _sound(word: str) -> str:
    """A word as it sounds, roughly: the same for "nephrectomy" and "nefrectomy"."""
    for written, alike in _SOUNDS:
        word = word.replace(written, alike)
    return "".join(letter for letter, before in zip(word, f" {word}", strict=False) if letter != before)
