"""A switch that names only the new medicine: "they switched me to losartan" ends the one that was taken for the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from safety.edge.kinds import Kinds
from safety.edge.pointing import Before, Known
from safety.knowledge.language import Language
from safety.memory.events import Event
from safety.memory.subjects import Understanding
from safety.model.patient import Medication
from safety.reading.wording import alone

_FOR_SOMETHING = re.compile(r"\bfor\s+(?:my|his|her|the)\b", re.I)
_BEGUN = frozenset({"taking", "started", "changed", "resumed"})
_ENDED = frozenset({"stopped", "held", "denies"})


class Switching:
    """Finds what a switch ends by the lists of one language; made once, never changed."""

    def __init__(self, language: Language, understanding: Understanding, kinds: Kinds) -> None:
        self._understanding, self._kinds = understanding, kinds
        self._switched = alone(language.words("switches-to-another"))
        self._then_another = alone(language.words("then-another-is-taken"))
        self._added = alone(language.words("added-to-what-is-taken"))
        self._parted = alone(language.words("one-part-by-itself"))

    def ended(self, text: str, said: Sequence[Event], before: Before) -> Iterator[Event]:
        """The end of what was taken for the same as the one new medicine; where that may be several, of each, and open which."""
        switched = self._switched.search(text) is not None
        then = not switched and self._then_another.search(text) is not None
        if not then and (not switched or self._added.search(text) is not None):
            return  # "the patch irritated her skin, so she's back on the pills": one of its kind
        if any(e.says in _ENDED for e in said):
            return
        still = {self._name(e) for e in said if e.says in _BEGUN}
        taken = {one.name for one in before.known if one.taken}
        before = replace(before, known=tuple(one for one in before.known if one.name not in still))
        new = [e for e in said if e.says in _BEGUN and e.medicine is not None and self._name(e) not in taken]
        ordered = [e for e in said if e.says == "prescribed" and e.medicine is not None and self._name(e) not in taken]
        new = [*new, *ordered] if then else new or ordered
        if not new or len({e.said.start for e in new if len(new) > 1}) > 1:
            return
        drugs = frozenset(d for e in new for d in self._drugs(e))  # of "losartan/HCTZ" both
        told = {self._name(e) for e in said} | {e.allergy for e in said}
        here = [Known(self._name(e), self._drugs(e), taken=True, own=True) for e in said if self._is_begun_before(e, new[0])]
        old = [one for one in here if switched and self._is_for_the_same(one, drugs)]
        old = old or [one for one in before.known if one.taken and one.name in told and switched]
        old = old or [one for one in before.known if one.taken and self._is_for_the_same(one, drugs)]
        old = old or (self._the_only_one(text, before, drugs) if switched else [])
        among = tuple(one.name for one in old) if len(old) > 1 else ()
        yield from (replace(new[0], id="", says="stopped", medicine=Medication(one.name), days=None, among=among) for one in old)

    def _is_begun_before(self, event: Event, new: Event) -> bool:
        """Whether an event of the same text tells of another medicine that was begun before the new one."""
        begun = event.says in _BEGUN | {"prescribed"} and event.medicine is not None and not event.among
        return begun and self._name(event) != self._name(new) and (event.said.start or 0) < (new.said.start or 0)

    def _the_only_one(self, text: str, before: Before, drugs: frozenset[str]) -> list[Known]:
        """The one medicine that is taken and was told last, where nothing says that the new one is for something else."""
        taken = [one for one in before.known if one.taken]
        alone_ = [one for one in taken if (one.name,) == before.last and one.drugs and one.drugs != drugs]
        return alone_ if len(taken) == 1 and _FOR_SOMETHING.search(text) is None else []

    def parted(self, text: str, said: Sequence[Event], before: Before) -> list[Event]:
        """The events of a turn, a combination ended where a part of it is taken by itself: "plain losartan now"."""
        taken = {d for e in said if e.says in _BEGUN and e.medicine is not None for d in self._drugs(e)}
        ended = {d for e in said if e.says in _ENDED and e.medicine is not None for d in self._drugs(e)}
        whole = [one for one in before.known if one.taken and one.drugs > (one.drugs & taken) != frozenset()]
        over = [one for one in whole if one.drugs & ended - taken or self._parted.search(text) is not None]
        if len(over) != 1 or any(self._name(e) == over[0].name for e in said):
            return list(said)
        part = next(e for e in said if e.says in _BEGUN and e.medicine is not None and self._drugs(e) & over[0].drugs)
        kept = [e for e in said if e.says not in _ENDED or e.medicine is None or not self._drugs(e) < over[0].drugs]
        return [*kept, replace(part, id="", says="stopped", medicine=Medication(over[0].name), days=None)]

    def _drugs(self, event: Event) -> frozenset[str]:
        return frozenset(self._understanding.medicine(event.medicine).drugs) if event.medicine is not None else frozenset()

    def _name(self, event: Event) -> str:
        return self._understanding.medicine(event.medicine).name if event.medicine is not None else ""

    def _is_for_the_same(self, one: Known, drugs: frozenset[str]) -> bool:
        return one.drugs != drugs and (bool(one.drugs & drugs) or self._kinds.share_one(one.drugs, drugs))
