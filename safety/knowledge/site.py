"""What a site's overlays did to our entries: found by compiling each entry they touch as it is without them.

An entry may be quieter although nobody wrote about it: where a site's class has fewer members. What is protected (see
`floor`) may not be retired, replaced or made quieter, unless the same overlay says who answers for that. Words that a site
makes to be read take an unread word out of a report, so they are a change too, whatever line they are for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from safety.errors import Place, Problem
from safety.knowledge import library as lib
from safety.knowledge.drafts import Draft, Drafts
from safety.knowledge.floor import protected
from safety.knowledge.harms import HarmCompiler
from safety.knowledge.judged import entry_of
from safety.knowledge.nouns import FactCompiler
from safety.model.quantity import Units
from safety.model.report import RANK
from safety.model.site import Signed, SiteChange, What

_JUDGED = ("kind", "start", "end", "constraint", "severity_when", "tags", "doses")
"""What decides when an entry speaks and how loud; its drug lines are compared by their members."""

_NAMING = ("name", "synonyms", "abbreviations", "brands", "salts", "misspellings", "states")
"""What holds the words by which a fact is found."""
_SHOWN = ("drug", "product", "class")
"""Kinds of which a site's own are told by the report itself, where they are read: with each medicine, and the overlay's name."""
_MOST_TOLD = 5


class _Decided(Struct, frozen=True):
    """Of an entry whose it is, and which sites decide over it, so that of a stored one nothing else is decoded."""

    id: str
    origin: str = ""
    decided_by: tuple[str, ...] = ()


class Touched(Struct, frozen=True):
    """Every change of a site, in order of id, and those entries as they are without it."""

    changes: tuple[SiteChange, ...] = ()
    originals: tuple[lib.Entry, ...] = ()


def touched(drafts: Drafts, units: Units, entries: Sequence[lib.Entry]) -> Touched:
    """What the overlays did to our entries; a problem for what is protected and not signed for."""
    if drafts.without_sites is None:
        return Touched()
    return _Comparing(drafts, drafts.without_sites, units, entries).touched()


class _Comparing:
    def __init__(self, drafts: Drafts, ours: Drafts, units: Units, entries: Sequence[lib.Entry]) -> None:
        self.drafts = drafts
        self.ours = ours
        self.facts = FactCompiler(ours, units)
        self.harms = HarmCompiler(self.facts)
        self.listed = entries
        self.entries = lib.by_id(entries)

    def touched(self) -> Touched:
        changes: dict[str, SiteChange] = {}
        originals: list[lib.Entry] = []
        for i in self._concerned():
            before = self._original(i)
            if before is None or before.status != "active":
                continue
            change = self._change(before, self.entries.get(self.drafts.replaced.get(i, i)))
            if change is not None:
                changes[i] = change
                originals.append(before)
        for draft in self.drafts.held_back:
            kept = self.drafts.rules[draft.id].shape
            place, level = str(draft.place(())), str(getattr(kept, "severity", ""))
            changes.setdefault(draft.id, SiteChange(draft.id, "draft", (draft.origin,), level, level, "", place))
        changes.update(_loosened(self.drafts, self.ours))
        return Touched(tuple(changes[i] for i in sorted(changes)), tuple(originals))

    def _concerned(self) -> list[str]:
        """Ids of our entries that some overlay may have changed."""
        decided = {e.id for e in lib.slim(self.listed, _Decided) if e.decided_by and not e.origin}
        return sorted(i for i in {*decided, *self.drafts.replaced, *self.drafts.switched_off} if i in self.ours.rules)

    def _original(self, i: str) -> lib.Entry | None:
        return entry_of(self.ours, self.facts, self.harms, self.ours.rules[i])

    # -------------------------------------------------------------- one entry

    def _change(self, before: lib.Entry, now: lib.Entry | None) -> SiteChange | None:
        if now is None:  # it has a problem of its own
            return None
        off = self.drafts.switched_off.get(now.id)
        over = self.drafts.overrides.get(now.id)
        if off is not None or now.status != "active":
            origin, reason = off if off is not None else (now.origin, f"its status is {now.status}")
            retired = self.drafts.retired_at.get(now.id)
            return self._told("retired", before, "", (origin,), reason, retired or Place(*_at(now.place)))
        if now.origin:
            what, place = self._replaced(before, now), Place(*_at(now.place))
            return self._told(what, before, now.severity, now.decided_by, self._reason(before.id, now), place, now.id)
        if over is not None and over.severity is not None and over.severity != before.severity:
            quieter = RANK[over.severity] > RANK[before.severity]
            what = "weakened" if quieter else "strengthened"
            return self._told(what, before, now.severity, (over.origin,), over.because, over.place)
        return self._through_facts(before, now)

    def _reason(self, i: str, now: lib.Entry) -> str:
        found = self.drafts.signatures.get(i) or self.drafts.signatures.get(now.id)
        return found[1] if found is not None else ""

    def _replaced(self, before: lib.Entry, now: lib.Entry) -> What:
        return "weakened" if RANK[now.severity] > RANK[before.severity] else "replaced"

    def _through_facts(self, before: lib.Entry, now: lib.Entry) -> SiteChange | None:
        """An entry of ours that names something a site wrote anew."""
        lost, gained = _members(before, now)
        same = len(before.condition) == len(now.condition) and all(
            _without_members(a) == _without_members(b) for a, b in zip(before.condition, now.condition, strict=True)
        )
        same = same and all(getattr(before, key) == getattr(now, key) for key in _JUDGED)
        if same and not lost and not gained:
            return None
        place, because = self._where(lost or gained, now)
        if same and not lost:
            return self._told("strengthened", before, now.severity, now.decided_by, because, place)
        return self._told("weakened", before, now.severity, now.decided_by, because, place)

    def _where(self, drugs: set[str], now: lib.Entry) -> tuple[Place, str]:
        """The class of a site by which some drugs came or went, and that in words."""
        theirs = self.drafts.facts["class"]
        for i in sorted(theirs):
            draft = theirs[i]
            if not draft.origin or i not in self.ours.facts["class"]:
                continue
            here, there = ({m.drug for m in _written(group[i].shape)} for group in (theirs, self.ours.facts["class"]))
            if drugs & (here ^ there):
                gone, come = (", ".join(sorted(d & drugs)) for d in (there - here, here - there))
                parts = [f"`{i}`", f"without {gone}" if gone else "", f"with {come}" if come else ""]
                return draft.place(()), " ".join(p for p in parts if p)
        return Place(*_at(now.place)), "what it names was written anew"

    def _told(
        self, what: What, before: lib.Entry, severity: str, overlays: tuple[str, ...], because: str, place: Place, now: str = ""
    ) -> SiteChange:
        why = protected(before) if what != "strengthened" else ""
        signed = self._signature(before.id, now, overlays)
        if why and signed is None:
            done = {"retired": "retired", "replaced": "replaced", "weakened": "weakened"}[what]
            message = f"`{before.id}` is {why}: it is not {done} without somebody who answers for it"
            hint = "write `signed: {by: NAME, on: 2026-11-20, why: REASON}` beside `retire` or `overrides: ID` (kb/README.md)"
            self.drafts.problems.append(Problem(place, "K230", message, hint))
        other = now if now != before.id else ""
        return SiteChange(
            before.id, what, overlays, before.severity, severity, because, str(place), bool(why), signed if why else None, other
        )

    def _signature(self, i: str, now: str, overlays: tuple[str, ...]) -> Signed | None:
        """Who answers for a change; only the overlay that made it can say so."""
        found = (self.drafts.signatures.get(key) for key in (i, now))
        return next((signed for one in found if one is not None for origin, _, signed in (one,) if origin in overlays), None)


def _loosened(drafts: Drafts, ours: Drafts) -> dict[str, SiteChange]:
    """The words that sites made to be read: in lists, in tables of what people say, in other tables, as names of facts."""
    found: dict[str, SiteChange] = {}
    for files in drafts.added_to.values():
        for i, each in files.items():
            theirs = [draft for draft in each if draft.origin]
            if theirs:
                told = "; ".join(filter(None, (_words_of(draft) for draft in theirs)))
                found[i] = _loose(i, [d.origin for d in theirs], told or "rows of it are read", theirs[0].place(()))
    for table in drafts.tables:
        if table.file.origin:
            i, place = f"{table.file.folder}", Place(table.file.shown, 1, 1)
            found[i] = _loose(i, [*(found[i].overlays if i in found else ()), table.file.origin], "what it says is read", place)
    for kind, group in drafts.facts.items():
        for i, draft in group.items():
            gained = _names(draft) - _names(ours.facts[kind].peek(i)) if draft.origin else set()
            if gained and (kind not in _SHOWN or ours.facts[kind].peek(i) is not None):
                found[i] = _loose(i, [draft.origin], f"read as it: {_listed(sorted(gained))}", draft.place(()))
    return found


def _loose(i: str, overlays: Iterable[str], because: str, place: Place) -> SiteChange:
    return SiteChange(i, "loosened", tuple(dict.fromkeys(overlays)), "", "", because, str(place))


def _words_of(draft: Draft) -> str:
    """The words that a file adds to a list, and those that it takes out."""
    shape: Any = draft.shape
    added = [*getattr(shape, "words", ()), *(w for group in getattr(shape, "meanings", {}).values() for w in group)]
    added += getattr(shape, "includes", ())
    gone = getattr(shape, "remove", ())
    parts = (f"{_listed(added)} added" if added else "", f"{_listed(gone)} taken out" if gone else "")
    return ", ".join(filter(None, parts))


def _listed(words: Sequence[Any]) -> str:
    more = len(words) - _MOST_TOLD
    return ", ".join(f"`{word}`" for word in words[:_MOST_TOLD]) + (f" and {more} more" if more > 0 else "")


def _names(draft: Draft | None) -> set[str]:
    """Every word by which a fact is found; empty for none."""
    found: set[str] = set()
    for key in _NAMING:
        held = getattr(draft.shape, key, ()) if draft is not None else ()
        if isinstance(held, dict):
            held = [word for group in held.values() for word in group]
        found |= {str(getattr(word, "text", word)) for word in ([held] if isinstance(held, str) else held)}
    return found


def _written(shape: Any) -> Iterator[Any]:
    yield from shape.members


def _without_members(leaf: Any) -> Any:
    return replace(leaf, members=None) if isinstance(leaf, lib.DrugLeaf) else leaf


def _members(before: lib.Entry, now: lib.Entry) -> tuple[set[str], set[str]]:
    """Drugs that some drug line meant and means no more (or by fewer routes), and those that it means now."""
    lost: set[str] = set()
    gained: set[str] = set()
    for a, b in zip(before.condition, now.condition, strict=False):
        if isinstance(a, lib.DrugLeaf) and isinstance(b, lib.DrugLeaf):
            old, new = a.members or {}, b.members or {}
            lost |= {d for d, ways in old.items() if d not in new or (new[d] and new[d] != ways)}
            gained |= {d for d, ways in new.items() if d not in old or (old[d] and not ways)}
    return lost, gained


def _at(text: str) -> tuple[str, int, int]:
    file, line, column = text.rsplit(":", 2)
    return file, int(line), int(column)
