"""What conditions, tests, allergens and classes are called, worked out once for a library and stored with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from safety.knowledge.library import Allergen, Condition, Derived, DrugClass, Lab, Panel
from safety.knowledge.store import Lookup
from safety.reading.wording import longest_by_first
from safety.text import fold

LONG_ENOUGH = 7
"""Fewer letters are too near to other words."""
SHORT = 5
"""So many letters at least has a word that may be meant by what is written beside other words of a name, or alone."""


class TermIndex(Struct, frozen=True):
    """Ids by name (folded) and by code (`system:code`); a condition's code with whether it tells a past problem.

    The names of conditions and of classes are also there in alphabetical order, to find near ones; `…_firsts`: how many words
    the longest name has that begins with a word, `measured_firsts` of tests and panels; `spelled`: letters that name a
    condition and a test ("MG", "Mg"), as each is written, with which of the two. `condition_words`: the longer words of names,
    `short_words`: the shorter ones; `other_words`: the longer ones of the names of the vocabulary.
    """

    conditions: Lookup[str]
    condition_codes: Lookup[tuple[str, bool]]
    condition_names: Sequence[str]
    condition_firsts: Lookup[int]
    condition_words: Sequence[str]
    short_words: Sequence[str]
    other_words: Sequence[str]
    spelled: Lookup[str]
    labs: Lookup[str]
    panels: Lookup[str]
    measured_firsts: Lookup[int]
    allergens: Lookup[str]
    classes: Lookup[str]
    class_names: Sequence[str]


def _term_index(
    conditions: Sequence[Condition],
    labs: Sequence[Lab],
    panels: Sequence[Panel],
    allergens: Sequence[Allergen],
    classes: Sequence[DrugClass],
    problem_terms: Mapping[str, int],
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
    together = {fold(text): p.id for p in panels for text in (p.name, *p.synonyms)}
    substances: dict[str, str] = {}
    for a in allergens:
        substances.update({f"{system}:{code}": a.id for system, code in a.codes})
        for text in (a.name, *a.synonyms):
            substances.setdefault(fold(text), a.id)
    groups = {fold(text): c.id for c in classes for text in (c.name, *c.synonyms)}
    return TermIndex(
        conditions=names, condition_codes=codes, condition_names=tuple(sorted(names)),
        condition_firsts=longest_by_first((*names, *problem_terms)), condition_words=_words(names),
        short_words=_words(names, SHORT, LONG_ENOUGH),
        other_words=_words(problem_terms),
        spelled=_spelled(conditions, labs), labs=tests, panels=together,
        measured_firsts=longest_by_first((*tests, *together)), allergens=substances, classes=groups,
        class_names=tuple(sorted(groups)),
    )  # fmt: skip


def _words(names: Iterable[str], least: int = LONG_ENOUGH, under: int | None = None) -> tuple[str, ...]:
    """The words of names that are long enough for a slip of the pen to show, or those of so many letters."""
    words = {word for name in names for word in name.split() if len(word) >= least and word.isalpha()}
    return tuple(sorted(word for word in words if under is None or len(word) < under))


def _spelled(conditions: Sequence[Condition], labs: Sequence[Lab]) -> dict[str, str]:
    """Names of one word that conditions and tests share but for capital letters."""
    written = {text: "condition" for c in conditions for text in (c.name, *c.synonyms) if text.isalpha()}
    tests = {text: "test" for t in labs for text in (t.name, *t.synonyms) if text.isalpha()}
    both = {text.lower() for text in written} & {text.lower() for text in tests}
    found = {text: what for text, what in (*written.items(), *tests.items()) if text.lower() in both}
    alike = written.keys() & tests.keys()  # "fever" with a number is a result and was read as one; alone it is the condition
    return found | {as_: "condition" for text in alike for as_ in (text, text.lower(), text.capitalize(), text.upper())}


TERMS = Derived(
    "terms", TermIndex, ("conditions", "labs", "panels", "allergens", "classes", "problem_terms"), _term_index,
    {"classes": lambda c: (c.name, c.synonyms)},
)  # fmt: skip
