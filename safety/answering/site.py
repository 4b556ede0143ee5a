"""What a site changed of our knowledge, told in every report that it touches."""

from __future__ import annotations

import msgspec
from msgspec import UnsetType

from safety.judging.conditions import Logic
from safety.judging.rules import judge
from safety.knowledge.library import Entry, Library
from safety.model.report import MadeBy
from safety.model.site import SiteChange
from safety.understanding.facts import Facts


def made_by(library: Library, version: str) -> MadeBy:
    """Which knowledge answers; with every signature for what a site made quieter of what is protected."""
    signed = [str(c) for c in library.changes if c.signed is not None]
    return MadeBy(version, library.version, library.sha256, list(library.overlays), signed or msgspec.UNSET)


class SiteChanges:
    """The changes of a library's sites, held against the entries as they are without the sites."""

    def __init__(self, library: Library) -> None:
        self._loosened = [c for c in library.changes if c.what == "loosened"]
        self._changes = [c for c in library.changes if c.what not in ("draft", "loosened")]
        originals = {e.id: e for e in library.originals}
        self._original = {c.id: originals[c.id] for c in self._changes}

    def touching(self, facts: Facts, spoke: set[str]) -> list[SiteChange] | UnsetType:
        """Changes whose entry speaks or asks (its id is in `spoke`), or would if the site had not changed it.

        Words that a site made to be read are told in every report: a line that holds one no longer shows that it did.
        """
        if not self._changes:
            return self._loosened or msgspec.UNSET
        drugs = {d for e in facts.entries if e.resolved for d in e.drugs}
        logic = Logic(facts)
        found = [
            c for c in self._changes if c.id in spoke or c.now in spoke or _would_speak(self._original[c.id], facts, drugs, logic)
        ]
        return [*found, *self._loosened] or msgspec.UNSET


def _would_speak(entry: Entry, facts: Facts, drugs: set[str], logic: Logic) -> bool:
    if not entry.in_force(facts.day):
        return False
    if any(leaf.members is not None and drugs.isdisjoint(leaf.members) for leaf in entry.slots):
        return False
    return bool(judge(entry, logic))
