"""Which patients a change of rules can reach: who takes a medicine that a changed rule names. Nobody else need be checked."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from safety.answering.checker import Checker
from safety.desk.touched import marks
from safety.judging.candidates import within
from safety.knowledge.entries import Entry
from safety.knowledge.leaves import DrugLeaf
from safety.knowledge.library import Library
from safety.model.patient import Case
from safety.understanding.facts import Facts


class Reach(Struct, frozen=True):
    """Whom the rules that differ can concern: whoever takes one of these medicines, or anybody."""

    medicines: frozenset[str]
    anybody: bool

    def meets(self, case: Case, day: date, by: Checker) -> bool:
        """Whether they can concern a patient; also where a medicine of theirs is not understood."""
        if self.anybody:
            return True
        taken = Facts(case, by.terms, day).entries
        return any(e.answer.candidates if not e.resolved else not self.medicines.isdisjoint(e.drugs) for e in taken)


def reach(old: Library, new: Library) -> Reach:
    """Whom the rules that differ between two libraries can concern, where all else in them is the same."""
    before, after = marks(old), marks(new)
    differ = [i for i in before.keys() | after.keys() if before.get(i) != after.get(i)]
    changed = [library.entry[i] for library in (old, new) for i in differ if i in library.entry]
    lines = (leaf for e in changed for leaf in within((*e.condition, *e.constraint.lines)))
    named = {drug for leaf in lines if isinstance(leaf, DrugLeaf) for drug in leaf.members or ()}
    named |= {e.doses.drug for e in changed if e.doses is not None}
    return Reach(frozenset(named), any(map(_of_anybody, changed)))


def _of_anybody(e: Entry) -> bool:
    """Whether a rule may speak of somebody who takes none of the medicines that it names."""
    return not e.slots or any(leaf.members is None for leaf in e.slots)
