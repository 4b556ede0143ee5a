"""No name and no code may stand for two different things."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from safety.errors import Problem
from safety.knowledge import shapes
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.nouns import FactCompiler, codes_of
from safety.text import fold

CALLED = "work.called"
"""The section of what each thing is called."""
_NAMED_TOGETHER = (
    ("drug", "product"),
    ("condition",),
    ("lab", "panel"),
    ("food",),
    ("harm",),
    ("gene",),
    ("procedure",),
    ("device",),
)
_CODED = ("drug", "product", "condition", "allergen", "lab")


class Called(Struct, frozen=True, array_like=True):
    """By which names (as they are compared) and codes a thing is known."""

    names: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]


def clashes(facts: FactCompiler) -> None:
    """Note a problem for each name or code that stands for two things."""
    kinds = {*(kind for kinds in _NAMED_TOGETHER for kind in kinds), *_CODED}
    made = facts.memory.section(CALLED, Called, lambda i: facts.drafts.facts[i.partition(".")[0]].peek(i), _called)
    called = {kind: [(d, held.value) for d in facts.each(kind) if (held := made(d.id)) is not None] for kind in sorted(kinds)}
    for together in _NAMED_TOGETHER:
        _clash_of_names(facts, [one for kind in together for one in called[kind]])
    _clash_of_codes(facts, [(kind, *one) for kind in _CODED for one in called[kind]])


def _called(draft: Draft) -> Called:
    s: Any = draft.shape
    names = tuple(fold(text) for _, text in _all_names(s))
    return Called(names, tuple((system, code) for system, _, code in _all_codes(draft.id.partition(".")[0], s)))


def _clash_of_names(facts: FactCompiler, called: Iterable[tuple[Draft, Called]]) -> None:
    seen: dict[str, str] = {}
    for draft, known in called:
        for n, folded in enumerate(known.names):
            other = seen.get(folded)
            if not folded:
                path, text = _name(draft, n)
                facts.problems.append(Problem(draft.place(path), "K402", f"`{text}` holds no letter or digit"))
            elif other is not None:
                path, text = _name(draft, n)
                hint = "a name may mean one thing only"
                facts.problems.append(Problem(draft.place(path), "K401", f"`{text}` is already a name of `{other}`", hint))
        for folded in known.names:
            seen.setdefault(folded, draft.id)


def _name(draft: Draft, n: int) -> tuple[Path_, str]:
    return [*_all_names(draft.shape)][n]


def _clash_of_codes(facts: FactCompiler, called: Iterable[tuple[str, Draft, Called]]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for kind, draft, known in called:
        for n, coded in enumerate(known.codes):
            other = seen.setdefault(coded, draft.id)
            if other != draft.id:
                _, path, code = [*_all_codes(kind, draft.shape)][n]
                facts.problems.append(Problem(draft.place(path), "K403", f"code {code} already belongs to `{other}`"))


def _all_names(s: Any) -> Iterable[tuple[Path_, str]]:
    yield ("name",), s.name
    for key in ("synonyms", "brands", "salts", "misspellings"):
        for n, text in enumerate(getattr(s, key, ())):
            yield (key, n), text
    for n, item in enumerate(getattr(s, "abbreviations", ())):
        yield ("abbreviations", n), item.text


def _all_codes(kind: str, s: Any) -> Iterable[tuple[str, Path_, str]]:
    if kind in ("drug", "product"):
        if s.codes.rxnorm:
            yield "rxnorm", ("codes", "rxnorm"), s.codes.rxnorm
        for n, code in enumerate(s.codes.rxnorm_also):
            yield "rxnorm", ("codes", "rxnorm_also", n), code
    elif kind in ("lab", "gene"):
        for n, code in enumerate(s.codes.get("loinc", ())):
            yield "loinc", ("codes", "loinc", n), code
    else:
        for key in ("codes", "past_codes"):
            for system, code in codes_of(getattr(s, key, shapes.ConditionCodes())):
                yield system, (key,), code
