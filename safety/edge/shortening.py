"""Names that are cut short once they were told, "the oxy", "gaba is up to 600" → said with the name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from safety.edge.bare_doses import Change
from safety.edge.pointing import Spelled, with_changes
from safety.edge.stating import Stater
from safety.memory.events import Event
from safety.text import lowered

_WORD = re.compile(r"(?<![\w'’-])[A-Za-z]{3,}(?![\w'’-])")
_SHORTER = 3
"""So many letters at least a name that is cut short leaves out."""


class Shortening:
    """Spells out names that are cut short; made once, never changed. `is_talk`: whether a word is one of every day."""

    def __init__(self, stater: Stater, is_talk: Callable[[str], bool]) -> None:
        self._stater, self._is_talk = stater, is_talk

    def spelled(self, text: str, earlier: Sequence[Event]) -> tuple[Spelled, ...]:
        """The text with the names of medicines that were told before in the place of their beginnings; one for each medicine that
        such a beginning may mean."""
        called = self._called(earlier)
        short = list(self._short(text, called)) if called else []
        places = self._stater.heard_in(text).places if short else ()
        short = [(hit, names) for hit, names in short if not any(hit.start() <= place < hit.end() for place in places)]
        sure = [Change(*hit.span(), names[0]) for hit, names in short if len(names) == 1]
        hit, among = next(((hit, names) for hit, names in short if len(names) > 1), (None, ()))
        if hit is None:
            return (with_changes(text, sure) if sure else Spelled(text),)
        return tuple(with_changes(text, [*sure, Change(*hit.span(), name)], among) for name in among)

    def _called(self, earlier: Sequence[Event]) -> dict[str, str]:
        """What the medicines that were told are called, word by word, and which each of them is."""
        found: dict[str, str] = {}
        for event in earlier:
            if event.medicine is None or event.among:
                continue
            meant = self._stater.understanding.medicine(event.medicine)
            if meant.drugs:
                words = [*_WORD.findall(meant.name), *_WORD.findall(event.medicine.text), *_WORD.findall(event.said.text)]
                own = set(meant.drugs)
                found |= {lowered(w): meant.name for w in words if self._is_name(w, own)}
        return found

    def _is_name(self, word: str, drugs: set[str]) -> bool:
        return not self._is_talk(lowered(word)) and bool(drugs & set(self._stater.understanding.drugs_called(word)))

    def _short(self, text: str, called: dict[str, str]) -> Iterator[tuple[re.Match[str], tuple[str, ...]]]:
        for hit in _WORD.finditer(text):
            word = lowered(hit[0])
            if self._is_talk(word) or word in called:
                continue
            meant = {name for each, name in called.items() if each.startswith(word) and len(each) - len(word) >= _SHORTER}
            if meant and not self._stater.understanding.drugs_called(word):
                yield hit, tuple(sorted(meant))
