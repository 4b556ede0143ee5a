"""The problem list in the library's terms; what is not recognised is asked about."""

from __future__ import annotations

from msgspec import Struct

from safety.model.patient import Told
from safety.model.position import Position
from safety.model.report import Unresolved
from safety.text import printable
from safety.understanding.terms import Terms


class Problem(Struct, frozen=True):
    """A problem on the list that we recognise, with everything it is a kind of; `active` None: "history of", now unclear."""

    id: str
    kinds: tuple[str, ...]
    active: bool | None
    text: str


def read_problems(told: tuple[Told, ...] | None, terms: Terms, unresolved: list[Unresolved]) -> tuple[Problem, ...] | None:
    """The problems that we recognise, `None` where the list was not told; the others are added to `unresolved`.

    A line that says there are none is no problem; the list is told all the same.
    """
    if told is None:
        return None
    found = []
    for n, one in enumerate(told):
        if not one.codes and terms.denials.no_conditions(one.text):
            continue
        known = terms.condition(one)
        if known is None:
            ask = "Which condition is meant? It is not one of ours, so no rule about it was judged."
            near = terms.conditions_near(one.text)
            unresolved.append(Unresolved(printable(one.text), Position("conditions", n), "unrecognised", near, ask))
            continue
        i, past = known
        active = None if past is None and one.status == "active" else one.status == "active" and not past
        found.append(Problem(i, terms.library.condition[i].is_a, active, printable(one.text)))
    return tuple(found)
