"""Medicines that a turn means by their place or their age, "the first one", "the old one" → said with their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from safety.edge.bare_doses import Change
from safety.edge.pointing import Spelled, with_changes
from safety.edge.stating import Stater
from safety.knowledge.language import Language
from safety.memory.events import Event
from safety.reading.wording import any_of
from safety.text import lowered

_ENDED = frozenset({"stopped", "held", "denies"})
_BEGUN = frozenset({"taking", "started", "prescribed", "changed", "resumed"})
_WORD = re.compile(r"[\w-]+")
_TWO, _STEM, _SHORTEST = 2, 5, 4


class Describing:
    """Fills in names by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, stater: Stater) -> None:
        self._stater, self._understanding = stater, stater.understanding
        self._places, self._ages = (language.meaning(f"one-of-several-by-its-{how}") for how in ("place", "age"))
        behind = any_of(language.words("behind-one-of-several"))
        self._place = re.compile(rf"(?<![\w-]){any_of(self._places)}(?=['’]s\b|\s*[,;.!]|\s*\Z|\s+{behind}(?![\w-])|\s+\d)", re.I)
        self._times, self._no_reasons = (
            language.meaning("part-of-a-day-that-means-one"),
            frozenset(language.words("no-reason-of-one")),
        )
        one = any_of(language.words("one-of-a-kind-is"))
        self._time = re.compile(rf"(?<![\w-])(?:the|my|his|her)\s+(?P<when>{any_of(self._times)})\s+{one}(?![\w-])", re.I)
        self._reason = re.compile(rf"(?<![\w-])(?:the|my|his|her)\s+(?P<what>[a-z]+)\s+{one}(?![\w-])", re.I)
        self._age = re.compile(rf"(?<![\w-]){any_of(self._ages)}(?![\w-])", re.I)

    def spelled(self, text: str, earlier: Sequence[Event]) -> Spelled:
        """The text with the names that such words mean, where it is plain which."""
        told = [e for e in earlier if e.medicine is not None and not e.among and e.says not in ("others", "retracted")]
        if not told:
            return Spelled(text)
        found = [*self._by_place(text, told), *self._by_age(text, told), *self._by_time(text, told)]
        found += [one for one in self._by_reason(text, told) if not any(one.start < b.end and b.start < one.end for b in found)]
        found += [one for one in self._by_base(text, told) if not any(one.start < b.end and b.start < one.end for b in found)]
        return with_changes(text, found)

    def _by_base(self, text: str, told: Sequence[Event]) -> Iterator[Change]:
        """The one salt or product that was told, by what it is a salt of: "the potassium" of potassium chloride."""
        known = {self._name(e): frozenset(self._understanding.medicine(e.medicine).drugs) for e in told if e.medicine is not None}
        heard = self._stater.heard_in(text)
        for place, drugs in zip(heard.places, heard.drugs, strict=False):
            if len(drugs) != 1 or drugs in known.values():
                continue
            salts = frozenset(self._understanding.salts(tuple(drugs)))
            meant = [name for name, own in known.items() if own & salts]
            word = _WORD.match(text, place)
            if len(meant) == 1 and word is not None and self._understanding.drugs_called(word[0]) == tuple(drugs):
                yield Change(*word.span(), meant[0])

    def _by_time(self, text: str, told: Sequence[Event]) -> Iterator[Change]:
        """The one medicine of those told that is taken at a time of the day: "the morning one"."""
        for hit in self._time.finditer(text):
            part = self._times[lowered(hit["when"])]
            often = {self._name(e): (e.medicine.frequency or "").lower() for e in told if e.medicine and e.medicine.frequency}
            meant = [name for name, when in often.items() if part in when]
            if len(meant) == 1:
                yield Change(*hit.span(), f"the {meant[0]}")

    def _by_reason(self, text: str, told: Sequence[Event]) -> Iterator[Change]:
        """The one medicine that was told with what it is for, "trazodone for sleep": "the sleeping one"."""
        for hit in self._reason.finditer(text):
            stem = lowered(hit["what"])[:_STEM]
            if len(stem) < _SHORTEST or lowered(hit["what"]) in self._no_reasons:
                continue
            own = re.compile(rf"(?<![\w-])for\s+(?:(?:the|my|his|her)\s+)?(?:\w+\s+)?{re.escape(stem)}", re.I)
            meant = {self._name(e) for e in told if own.search(e.said.text) is not None}
            if len(meant) == 1:
                yield Change(*hit.span(), f"the {meant.pop()}")

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
                yield Change(*hit.span(), f"the {names[n - 1]}")

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
                yield Change(*hit.span(), f"the {name}")

    def _name(self, event: Event) -> str:
        assert event.medicine is not None
        return self._understanding.medicine(event.medicine).name
