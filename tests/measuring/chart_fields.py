"""What a line of a problem list tells that is no condition: whether the case holds it, in the field where it belongs.

Each field has one function, which says of a head whether it is held and how: `present`, `over`, `denied`; `any` where the field
knows no such difference; None where it is not held.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from safety.engine import Engine
from safety.judging.conditions import Logic
from safety.model.patient import Allergy, LabResult, Told
from safety.model.quantity import number
from safety.understanding.facts import Facts

Held = Callable[[Facts, dict[str, Any], Engine], str | None]
_NONE = frozenset({"normal", "not_carried", "not_found", "negative"})
"""States in which a gene is as in most people."""


_VALUE = re.compile(r"\s+[<>]?\d[\d.,]*\s*\S*\Z")
"""A value, and its unit, behind the name of a test in a head ("potassium 5.9")."""
_HOW_MUCH = frozenset({"high", "low", "elevated", "raised", "abnormal", "increased", "decreased", "reduced"})
"""Words before the name of a test in a head ("elevated lactate")."""


def _pregnancy(facts: Facts, meant: dict[str, Any], engine: Engine) -> str | None:
    if meant.get("status") == "planned" and any(p.id == "condition.pregnancy-planning" for p in facts.problems or ()):
        return "denied"
    pregnant = any(p.active and facts.library.condition[k].pregnancy for p in facts.problems or () for k in p.kinds)
    return "present" if pregnant else None


def _gene(facts: Facts, meant: dict[str, Any], engine: Engine) -> str | None:
    """The gene that the head names, with a state; `normal` and the like are what a negative result comes to."""
    named = engine.checker.terms.findings.gene(meant["head"])
    wanted = named[0].id if named is not None else ""
    states = {g.state for g in facts.findings.genes if g.gene == wanted}
    return None if not states else "denied" if states <= _NONE else "present"


_OVER = frozenset({"history", "resolved", "past", "unclear"})
_GIVEN_UP = {"food.tobacco": ("condition.former-smoker",)}
"""What somebody is who gave up what is smoked: it is held as a condition."""


def _result(facts: Facts, meant: dict[str, Any], engine: Engine) -> str | None:
    """A result that is the condition by itself, or of the test that head or list names: rules of their own speak of it."""
    if "test" in meant:
        test = engine.checker.terms.lab(LabResult(meant["test"]))
        held = [r for r in facts.told_results.results if test is not None and r.test is not None and r.test.id == test.id]
        return "present" if any(number(str(r.told.value)) is not None for r in held) else None
    head = _VALUE.sub("", meant["head"])
    first, _, rest = head.partition(" ")
    if head != meant["head"]:
        first, rest = "high", head  # "QTc 512 ms" names its test as "high QTc" does
    if engine.checker.terms.lab(LabResult(head)) is not None:
        first, rest = "high", head
    test = engine.checker.terms.lab(LabResult(rest)) if first in _HOW_MUCH else None
    if test is not None and any(r.test is not None and r.test.id == test.id for r in facts.told_results.results):
        return "present"
    known = engine.checker.terms.condition(Told(meant["head"]))
    kinds = {k for i, _ in Logic(facts).following for k in facts.library.condition[i].is_a}
    return "present" if known is not None and known[0] in kinds else None


def _intake(facts: Facts, meant: dict[str, Any], engine: Engine) -> str | None:
    """A food, drink or smoke that is the one meant, or that the head names within its words ("alcohol use")."""
    wanted = engine.checker.terms.intake.read(meant["head"]).food
    taken = [t for t in facts.foods_on_lines if wanted is not None and t.food == wanted]
    if not taken and wanted in facts.not_taken:
        return "denied"
    if not taken and meant.get("status") in _OVER and any(p.id in _GIVEN_UP.get(wanted or "", ()) for p in facts.problems or ()):
        return "over"
    return None if not taken else "denied" if all(t.denied for t in taken) else "present"


def _allergy(facts: Facts, meant: dict[str, Any], engine: Engine) -> str | None:
    """An allergy with a target that the head, read as an allergy, has too; one that was taken back is held as none."""
    told = {known.target for known in facts.listed.reactions}
    wanted = {known.target for known in engine.checker.terms.allergies.read(Allergy(meant["head"]))[0]}
    if told & wanted:
        return "present"
    said = " ".join(line.text for line in facts.patient.conditions or ())
    if meant.get("status") == "denied":
        return None if told or facts.unresolved else "denied"
    return "over" if wanted and not told and engine.checker.terms.refuted.search(said) else None


def _weight(facts: Facts, meant: dict[str, Any], engine: Engine) -> str | None:
    return "any" if facts.kilograms[0] is not None else None


def _device(facts: Facts, meant: dict[str, Any], engine: Engine) -> str | None:
    wanted = engine.checker.terms.findings.device(meant["head"])
    return "any" if wanted is not None and any(wanted.id in d.kinds for d in facts.findings.devices) else None


def _procedure(facts: Facts, meant: dict[str, Any], engine: Engine) -> str | None:
    """A procedure, or the operation as a condition that somebody has gone through."""
    known = engine.checker.terms.condition(Told(meant["head"]))
    gone = known is not None and any(known[0] in p.kinds for p in facts.problems or ())
    wanted = engine.checker.terms.findings.procedure(meant["head"])
    done = wanted is not None and any(wanted[0].id in p.kinds for p in facts.findings.procedures)
    return "any" if gone or done else None


HELD: dict[str, Held] = {
    "pregnancy": _pregnancy, "gene": _gene, "result": _result, "intake": _intake, "allergy": _allergy, "weight": _weight,
    "device": _device, "procedure": _procedure,
}  # fmt: skip
