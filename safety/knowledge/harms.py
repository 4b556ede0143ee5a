"""Drafts of harms → harms, and what an entry says goes wrong → ids that are known, with the words for the card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from safety.errors import Problem
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.library import Harm
from safety.knowledge.memory import Made, MadeRecords
from safety.knowledge.nouns import FactCompiler


class Named(Struct, frozen=True):
    """The harms that an entry names, the chief one first; what the card says of them; whose files say what they are."""

    ids: tuple[str, ...]
    words: str
    origins: frozenset[str]


class HarmCompiler:
    """Compiles harms, then looks up those that entries name."""

    def __init__(self, facts: FactCompiler) -> None:
        self.facts = facts
        facts.memory.maker("harms", self._held)

    def harms(self) -> MadeRecords[Harm]:
        """Every harm with the wider ones that it belongs to."""
        return MadeRecords(held for draft in self.facts.each("harm") if (held := self._held(draft.id)) is not None)

    def _held(self, i: str) -> Made[Harm] | None:
        draft = self.facts.drafts.facts["harm"].peek(i)
        return None if draft is None else self.facts.memory.made("harms", i, draft.file, Harm, lambda: self._harm(draft))

    def _harm(self, draft: Draft) -> Harm:
        s: Any = draft.shape
        return Harm(draft.id, s.name, self._wider(draft), draft.origin, str(draft.place(())), s.plain or "")

    def named(self, ids: Sequence[str], text: str | None, draft: Draft, path: Path_) -> Named:
        """What an entry names at `path`; a problem for each harm that is unknown or named twice."""
        known: dict[str, Harm] = {}
        for n, i in enumerate(ids):
            if i in ids[:n]:
                place = draft.place((*path, n))
                self.facts.problems.append(Problem(place, "K203", f"`{i}` stands here a second time"))
            elif self.facts.known("harm", i, draft, (*path, n)) and (held := self._held(i)) is not None:
                known[i] = held.value
        words = text or ", ".join(h.name for h in known.values())
        harms = self.facts.drafts.facts["harm"]
        origins = frozenset(harms.whose(wider) for h in known.values() for wider in h.is_a)
        return Named(tuple(known), words, origins)

    def _wider(self, draft: Draft) -> tuple[str, ...]:
        """The harm itself, then the wider ones that it belongs to, the widest last."""
        self.facts.cited(draft)
        chain = [draft.id]
        while (wider := draft.shape.is_a) is not None:  # type: ignore[attr-defined]
            if wider in chain:
                ring = " → ".join([*chain[chain.index(wider) :], wider])
                message = f"the harm is a kind of itself: {ring}"
                self.facts.problems.append(Problem(draft.place(("is_a",)), "K302", message))
                break
            if not self.facts.known("harm", wider, draft, ("is_a",)):
                break
            chain.append(wider)
            draft = self.facts.drafts.facts["harm"][wider]
        return tuple(chain)
