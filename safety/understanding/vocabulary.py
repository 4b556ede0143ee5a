"""What conditions, tests, allergens and classes are called, worked out once for a library and stored with it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from safety.knowledge.library import Allergen, Condition, Derived, DrugClass, Lab
from safety.knowledge.store import Lookup
from safety.text import fold


class TermIndex(Struct, frozen=True):
    """Ids by name (folded) and by code (`system:code`); a condition's code with whether it tells a past problem.

    The names of conditions and of classes are also there in alphabetical order, to find near ones.
    """

    conditions: Lookup[str]
    condition_codes: Lookup[tuple[str, bool]]
    condition_names: Sequence[str]
    labs: Lookup[str]
    allergens: Lookup[str]
    classes: Lookup[str]
    class_names: Sequence[str]


def _term_index(
    conditions: Sequence[Condition], labs: Sequence[Lab], allergens: Sequence[Allergen], classes: Sequence[DrugClass]
) -> TermIndex:
    names: dict[str, str] = {}
    codes: dict[str, tuple[str, bool]] = {}
    for c in conditions:
        codes.update({f"{system}:{code}": (c.id, False) for system, code in c.codes})
        codes.update({f"{system}:{code}": (c.id, True) for system, code in c.past_codes})
        for text in (c.name, *c.synonyms):
            names.setdefault(fold(text), c.id)
    tests = {f"loinc:{code}": t.id for t in labs for code in t.loinc}
    for t in labs:
        for text in (t.id, t.name, *t.synonyms):
            tests.setdefault(fold(text), t.id)
    substances: dict[str, str] = {}
    for a in allergens:
        substances.update({f"{system}:{code}": a.id for system, code in a.codes})
        for text in (a.name, *a.synonyms):
            substances.setdefault(fold(text), a.id)
    groups = {fold(text): c.id for c in classes for text in (c.name, *c.synonyms)}
    return TermIndex(names, codes, tuple(sorted(names)), tests, substances, groups, tuple(sorted(groups)))


TERMS = Derived("terms", TermIndex, ("conditions", "labs", "allergens", "classes"), _term_index)
