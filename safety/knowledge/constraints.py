"""Drafts of constraints on regimens → what each asks, with the medicines it speaks of looked up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from safety.errors import Problem
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.library import Ask, Members, PlanConstraint
from safety.knowledge.memory import MadeRecords
from safety.knowledge.nouns import FactCompiler
from safety.model.quantity import number
from safety.text import fold

MEDICINES, NUMBER = "{medicines}", "{number}"
_NUMBERS = ("times_a_day", "medicines", "tier")
_PLACE = re.compile(r"\{[^}]*\}")


def plan_constraints(facts: FactCompiler) -> MadeRecords[PlanConstraint]:
    """Every constraint that may be put on a regimen."""

    def build(draft: Draft, s: Any) -> PlanConstraint:
        facts.cited(draft)
        _says_what_it_asks(facts, draft, s)
        tiers: dict[str, Decimal] = {}
        for n, row in enumerate(s.tiers):
            tier = number(row.tier)
            if tier is None:
                facts.problems.append(
                    Problem(draft.place(("tiers", n, "tier")), "K234", f"`{row.tier}` is not a tier", "a number")
                )
                continue
            for drug in _members(facts, draft, row.of, ("tiers", n, "of")):
                tiers.setdefault(drug, tier)
        return PlanConstraint(
            draft.id, s.title, tuple(s.says), _asks(facts, draft, s.asks), tiers, draft.origin, str(draft.place(()))
        )

    return facts.table("constraints", "constraint", PlanConstraint, build)


def _asks(facts: FactCompiler, draft: Draft, s: Any) -> Ask:
    return Ask(
        not_by=tuple(s.not_by), only_by=tuple(s.only_by), not_as=tuple(s.not_as), unsure_as=tuple(s.unsure_as),
        without=_members(facts, draft, s.without, ("asks", "without")), named=s.named, generic=s.by_name is not None,
        supply=s.supply, times_a_day=_amount(s.times_a_day), medicines=_amount(s.medicines), tier=_amount(s.tier),
        told=tuple(name for name in _NUMBERS if getattr(s, name) == "told"), breaks_no=tuple(s.breaks_no),
    )  # fmt: skip


def _amount(value: Any) -> Decimal | None:
    """A number; None where the words tell it, or where it is none, which was told of before."""
    return None if value is None or value == "told" else number(value)


def _members(facts: FactCompiler, draft: Draft, items: Sequence[str], path: Path_) -> Members:
    members: Members = {}
    for n, i in enumerate(items):
        kind = "class" if i.startswith("class.") else "drug"
        if facts.known(kind, i, draft, (*path, n)):
            found = facts.drug_class(i) if kind == "class" else None
            members |= found.members if found is not None else {i: ()}
    return members


def _says_what_it_asks(facts: FactCompiler, draft: Draft, s: Any) -> None:
    """A problem where it asks for nothing, or where its words name what it does not ask for, or the other way round."""
    asks = s.asks
    wanted = ({MEDICINES} if asks.named else set()) | (
        {NUMBER} if "told" in (asks.times_a_day, asks.medicines, asks.tier) else set()
    )
    if not any(getattr(asks, name) not in (None, []) for name in type(asks).model_fields):
        facts.problems.append(Problem(draft.place(("asks",)), "K234", "asks for nothing", "see kb/README.md"))
    for name in _NUMBERS:
        value = getattr(asks, name)
        if value not in (None, "told") and (number(value) is None or Decimal(value) <= 0):
            message = f"`{value}` is not a number that a regimen can have"
            facts.problems.append(Problem(draft.place(("asks", name)), "K234", message, "a number, or `told`"))
    for n, words in enumerate(s.says):
        named = set(_PLACE.findall(words))
        if named != wanted:
            told = " and ".join(sorted(wanted)) or "nothing"
            message = f"what it asks names {told}, and these words name {' and '.join(sorted(named)) or 'nothing'}"
            facts.problems.append(Problem(draft.place(("says", n)), "K234", message, "each of its words must name the same"))
        elif not fold(words.partition("{")[0]):
            message = "must begin with a word, before what is named"
            facts.problems.append(Problem(draft.place(("says", n)), "K234", message))
