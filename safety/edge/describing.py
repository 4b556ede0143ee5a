"""Medicines that a turn means by their place or their age, "the first one", "the old one" → said with their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from safety.edge.bare_doses import Change
from safety.edge.pointing import Spelled, with_changes
from safety.knowledge.language import Language
from safety.memory.events import Event
from safety.memory.subjects import Understanding
from safety.reading.wording import any_of
from safety.text import lowered

_ENDED = frozenset({"stopped", "held", "denies"})
_BEGUN = frozenset({"taking", "started", "prescribed", "changed", "resumed"})
_TWO = 2


class Describing:
    """Fills in names by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, understanding: Understanding) -> None:
        self._understanding = understanding
        self._places, self._ages = (language.meaning(f"one-of-several-by-its-{how}") for how in ("place", "age"))
        behind = any_of(language.words("behind-one-of-several"))
        self._place = re.compile(rf"(?<![\w-]){any_of(self._places)}(?=['’]s\b|\s*[,;.!]|\s*\Z|\s+{behind}(?![\w-])|\s+\d)", re.I)
        self._age = re.compile(rf"(?<![\w-]){any_of(self._ages)}(?![\w-])", re.I)

    def spelled(self, text: str, earlier: Sequence[Event]) -> Spelled:
        """The text with the names that such words mean, where it is plain which."""
        told = [e for e in earlier if e.medicine is not None and not e.among and e.says not in ("others", "retracted")]
        return with_changes(text, [*self._by_place(text, told), *self._by_age(text, told)]) if told else Spelled(text)

    def _by_place(self, text: str, told: Sequence[Event]) -> Iterator[Change]:
        """Of the medicines that the last turn named that named several."""
        turns: dict[tuple[object, int], dict[str, int]] = {}
        for event in told:
            turns.setdefault((event.told, event.turn), {}).setdefault(self._name(event), event.said.start or 0)
        several = [names for _, names in sorted(turns.items(), key=lambda one: str(one[0])) if len(names) >= _TWO]
        if not several:
            return
        names = sorted(several[-1], key=lambda name: several[-1][name])
        for hit in self._place.finditer(text):
            which = self._places[" ".join(lowered(hit[0]).split())]
            n = len(names) if which == "last" else int(which)
            if n <= len(names) and not (which == "last" and len(names) > _TWO and "latter" in lowered(hit[0])):
                yield Change(*hit.span(), names[n - 1])

    def _by_age(self, text: str, told: Sequence[Event]) -> Iterator[Change]:
        """The old one is what was ended last; the new one what is taken in its place."""
        ended = next((e for e in reversed(told) if e.says in _ENDED), None)
        if ended is None:
            return
        since = [e for e in told if e.says in _BEGUN and (e.told, e.turn) >= (ended.told, ended.turn)]
        new = {self._name(e) for e in since} - {self._name(ended)}
        meant = {"old": self._name(ended), "new": next(iter(new)) if len(new) == 1 else ""}
        for hit in self._age.finditer(text):
            name = meant[self._ages[" ".join(lowered(hit[0]).split())]]
            if name:
                yield Change(*hit.span(), name)

    def _name(self, event: Event) -> str:
        assert event.medicine is not None
        return self._understanding.medicine(event.medicine).name
