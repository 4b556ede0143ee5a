"""Knowledge that stays compiled while its files are edited: of a file that is saved, only what it feeds is compiled again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from safety.errors import Problem
from safety.knowledge import clashes, judged, remarks
from safety.knowledge.asking import ALL, IS, STANDING, WHAT, WHOSE, Question
from safety.knowledge.collecting import Collected, KnowledgeFile, looked_at_again, with_edited
from safety.knowledge.compiled import Compiled
from safety.knowledge.compiling import RING, WHOLES, Compiling, compile_to_edit
from safety.knowledge.drafts import Draft, Redrawn, draw_again
from safety.knowledge.library import Derived, Library, Seen
from safety.knowledge.memory import Made, MadeRecords, Remade
from safety.knowledge.proofs import Cases
from safety.knowledge.resting import collector_resting
from safety.knowledge.site import touched
from safety.knowledge.store import Store

_SECTIONS = [name for name in Library.__struct_fields__ if name != "sha256"]
_Others = Mapping[str, Made[Any]]


class Amended(Struct, frozen=True):
    """What was compiled after an edit, the judged entries that came out otherwise by it, and the sections that did."""

    compiled: Compiled
    entries: frozenset[str] = frozenset()
    sections: frozenset[str] = frozenset()


class Standing:
    """Compiled knowledge without a problem, and what it was compiled from."""

    def __init__(self, collected: Collected, made: Compiling, derived: Sequence[Derived[Any]]) -> None:
        self._collected = collected
        self._made = made
        self._derived = derived
        self._compiled = made.compiled
        self._by_name = {file.shown: file for file in collected.files}

    @classmethod
    def of(cls, collected: Collected, library: Library, store: Store | None, derived: Sequence[Derived[Any]]) -> Self | None:
        """Files compiled to be edited; None where they are not what `library` was made from, or have a problem.

        `store`: what an earlier compiling left; `derived`: what is kept of all that is worked out of a library.
        """
        if collected.problems or collected.sha256 != library.sha256:
            return None
        with collector_resting():
            made = compile_to_edit(collected, store, keeps=True)
        if made.compiled.problems:
            return None
        made.drafts.memory.know_who_asked()
        made.compiled.library.keep_derived(library.already_derived)
        return cls(collected, made, derived)

    def amended(self, shown: Iterable[str]) -> Amended | None:
        """What is compiled now that files (as their places name them) were saved.

        None where more must be compiled than what these files feed: a file is new or gone, declares others than before,
        cannot be read, or is one that everything is read with.
        """
        edited: list[tuple[KnowledgeFile, KnowledgeFile]] = []
        for name in dict.fromkeys(shown):
            was = self._by_name.get(name)
            now = looked_at_again(was) if was is not None else None
            if was is None or now is None:
                return None
            if now is not was:
                edited.append((was, now))
        return self._amended(edited) if edited else Amended(self._compiled)

    def _amended(self, edited: Sequence[tuple[KnowledgeFile, KnowledgeFile]]) -> Amended | None:
        drafts = self._made.drafts
        rules = drafts.rules.as_it_stands()
        redrawn: list[Redrawn] = []
        for was, now in edited:
            drawn = draw_again(drafts, was, now)
            if drawn is None:
                self._put_back(redrawn, rules)
                return None
            redrawn.append(drawn)
        remade = drafts.memory.make_again(self._questions(redrawn), [draft.id for one in redrawn for draft in one.before])
        if clashes.CALLED in remade.made:
            clashes.clashes(self._made.facts)
        slips = tuple(sorted({*drafts.problems, *(p for one in redrawn for p in one.slips)}))
        collected = with_edited(self._collected, {was.shown: now for was, now in edited})
        compiled = None if slips or remade.lost else self._with(remade, collected)
        if compiled is None or drafts.problems:
            drafts.problems.clear()
            drafts.memory.take_back()
            self._put_back(redrawn, rules)
            return Amended(replace(self._compiled, problems=slips)) if slips and self._all_is_told(slips, remade) else None
        old, now_ = self._compiled.library, compiled.library
        sections = frozenset(name for name in _SECTIONS if getattr(old, name) is not getattr(now_, name))
        self._collected, self._compiled = collected, compiled
        self._by_name |= {now.shown: now for _, now in edited}
        return Amended(compiled, frozenset(remade.made.get("entries", ())), sections)

    def _questions(self, redrawn: Iterable[Redrawn]) -> Iterator[Question]:
        """What is answered otherwise by files that were drawn again."""
        drafts = self._made.drafts
        for one in redrawn:
            for draft in one.before:
                group = drafts.group_of(draft).name
                yield group, draft.id, WHAT
                if draft.id in one.gone:
                    yield from ((group, draft.id, aspect) for aspect in (IS, WHOSE, STANDING))
                    yield group, "", ALL
            yield from ((drafts.broken.name, i, IS) for i in one.broken)

    def _put_back(self, redrawn: Iterable[Redrawn], rules: Mapping[str, Draft]) -> None:
        drafts = self._made.drafts
        for one in redrawn:
            for draft in one.before:
                if draft.id not in one.gone:
                    drafts.group_of(draft)[draft.id] = draft
            for i in one.broken:
                drafts.broken.discard(i)
        drafts.rules.put_back(rules)

    def _all_is_told(self, slips: Iterable[Problem], remade: Remade) -> bool:
        """Whether compiling everything anew would tell no more than these: not of a ring, nor where more is made of these."""
        sites = self._made.drafts.without_sites is not None
        return not sites and not self._concerned(remade) and all(p.code != RING for p in slips)

    def _concerned(self, remade: Remade) -> set[str]:
        """The sections made at once that may be others by what was made again."""
        old = self._compiled.library
        unlike = {name for name, one in WHOLES.items() if not _sees_the_same(one.sections, one.sees, old, remade.made)}
        return unlike | remade.wholes

    def _with(self, remade: Remade, collected: Collected) -> Compiled | None:
        """What is compiled, with what was made again in it; None where a section is made of that in a way not known here."""
        concerned = self._concerned(remade)
        if not concerned <= WHOLES.keys():
            return None
        old = self._compiled.library
        sections: dict[str, Any] = {}
        for name, others in remade.made.items():
            if name in Library.__struct_fields__:
                sections[name] = getattr(old, name).with_others(others)
        for name in sorted(concerned):
            parts = (sections.get(one, getattr(old, one)) for one in WHOLES[name].sections)
            made = WHOLES[name].build(self._made.drafts, *parts)
            if made != getattr(old, name):
                sections[name] = made
        by_sites = touched(self._made.drafts, self._made.facts.units, sections.get("entries", old.entries))
        changes, originals = (
            kept if made == kept else made
            for made, kept in ((by_sites.changes, old.changes), (by_sites.originals, old.originals))
        )
        library = replace(
            old, sha256=collected.sha256, changes=changes, originals=originals, **sections
        )  # fmt: skip
        kept = {what.name: old.already_derived(what) for what in self._derived if _stays(what, old, library, remade.made)}
        library.keep_derived(lambda what: kept.get(what.name))
        cases, told = (
            _with_others(held, remade.made.get(section, {}))
            for held, section in ((self._compiled.cases.sealed, judged.PROOFS), (self._compiled.remarks, remarks.REMARKS))
        )
        return Compiled(library, Cases(cases), (), told, self._compiled.memory)


def _with_others(held: Any, others: _Others) -> Any:
    """Things by their ids, with others in the place of those that have their ids."""
    return MadeRecords(held.made).with_others(others).by_id if others else held


def _sees_the_same(sections: Iterable[str], sees: Mapping[str, Seen], old: Library, made: Mapping[str, _Others]) -> bool:
    """Whether nothing that is looked at of some sections differs by what was made again."""
    for section in sections:
        others = made.get(section, {})
        if others and section not in sees:
            return False
        by_id = getattr(old, section).by_id if others else {}
        if any(sees[section](one.value) != sees[section](by_id[i]) for i, one in others.items()):
            return False
    return True


def _stays(what: Derived[Any], old: Library, library: Library, made: Mapping[str, _Others]) -> bool:
    """Whether what is derived from a library is the same after an edit."""
    others = [s for s in what.sections if s not in made and getattr(old, s) is not getattr(library, s)]
    return not others and _sees_the_same(what.sections, what.sees, old, made)
