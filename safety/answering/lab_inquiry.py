"""A question about tests that tells no value → its answer: what moves them, where they ought to lie, the newest on file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from safety.answering.lab_result import Question, answer_of
from safety.knowledge.library import Lab, LabRange
from safety.labs.effects import effects_on
from safety.labs.standing import band, ordinary, target_of
from safety.model.lab_answer import LabAnswer, LabEffect
from safety.reading.results.inquired import Inquiry
from safety.understanding.facts import Facts
from safety.understanding.told_results import Placed

_OF_WAY = {"up": "raise", "down": "lower", "": "change"}
_DOES = {"up": ("raises", "may raise or lower"), "down": ("lowers", "may raise or lower")}
_NOTHING = "does not change"


def inquired(inquiry: Inquiry, on_file: Sequence[Placed], q: Question) -> list[LabAnswer]:
    """The answer for each test that is asked about; none where the newest result is asked for and none is on file.

    `on_file`: the newest result of each of these tests.
    """
    newest = {p.test.id: p for p in on_file if p.test is not None}
    tests = [q.facts.library.lab[test] for test in inquiry.tests]
    if inquiry.kind == "moves":
        return [_what_moves(test, inquiry, newest.get(test.id), q) for test in tests]
    if inquiry.kind == "normal":
        return [_where_it_ought_to_lie(test, newest.get(test.id), q) for test in tests]
    return [answer_of(p, q) for p in on_file]


def _what_moves(test: Lab, inquiry: Inquiry, newest: Placed | None, q: Question) -> LabAnswer:
    """Which medicines on the list move a test, that way or the other; with its newest result, if one is on file."""
    told = LabAnswer(test.id, test.name, "", "unknown", loinc=next(iter(test.loinc), None))
    answer = answer_of(newest, q) if newest is not None else told
    if not q.facts.patient.medications:
        ask = f"Which medicines are taken? They decide what may {_OF_WAY[inquiry.way]} {test.name}."
        return replace(answer, needs=["medications"], ask=ask, task=ask)
    effects = effects_on(test.id, q.facts)
    meant = [e for e in effects if _is_meant(e, inquiry)]
    others = [e for e in effects if e not in meant and e.direction != _NOTHING]
    if meant:
        said = [f"May {_OF_WAY[inquiry.way]} {test.name}: {_listed(meant, inquiry)}."]
    else:
        said = [
            f"No medicine on the list is held here to {_OF_WAY[inquiry.way]} {test.name}; ask the clinician for another cause."
        ]
    said += [f"The other way: {_listed(others, inquiry)}."] if others else []
    said += [answer.task] if newest is not None else []
    return replace(answer, medication_effects=effects, task=" ".join(dict.fromkeys(one for one in said if one)))


def _is_meant(effect: LabEffect, inquiry: Inquiry) -> bool:
    return effect.direction != _NOTHING and (not inquiry.way or effect.direction in _DOES[inquiry.way])


def _listed(effects: Iterable[LabEffect], inquiry: Inquiry) -> str:
    def one(effect: LabEffect) -> str:
        does = "" if inquiry.way and effect.direction in _DOES[inquiry.way] else f"{effect.direction} it"
        said = ", ".join(part for part in (does, effect.note) if part)
        return f"{effect.name} ({said})" if said else effect.name

    return "; ".join(dict.fromkeys(one(effect) for effect in effects))


def _where_it_ought_to_lie(test: Lab, newest: Placed | None, q: Question) -> LabAnswer:
    """The range of a test for this patient; each of several, where a fact that decides is not told; and its goal."""
    facts = q.facts
    rows, goal = ordinary(test, facts), target_of(test, facts, q.conditions)
    each = list(dict.fromkeys(_in_words(row, test, facts) for row in rows))
    said = [f"Usual {test.name}: {'; '.join(each)}."] if each else [f"No range of {test.name} is held here."]
    said += [f"Goal: {_in_words(goal, test, facts)}."] if goal is not None else []
    sources = {row.source for row in (*rows, goal) if row is not None}
    answer = LabAnswer(
        test.id, test.name, "", "unknown", loinc=next(iter(test.loinc), None),
        range=band(rows[0], test, facts) if len(rows) == 1 else None, target=band(goal, test, facts),
        evidence=[c for c in test.evidence if c.source in sources],
    )  # fmt: skip
    if newest is not None:
        answer = replace(answer_of(newest, q), range=answer.range or answer_of(newest, q).range)
        said += [f"On file: {answer.value}{f' on {answer.on}' if answer.on else ''}.", answer.task]
    return replace(answer, task=" ".join(one for one in said if one))


def _in_words(row: LabRange, test: Lab, facts: Facts) -> str:
    """A range as it is said: "3.5 to 5.2 mmol/L (18 y and older)"."""
    shown = band(row, test, facts)
    assert shown is not None
    ends = (shown.low, shown.high)
    amount = (
        f"{ends[0]} to {ends[1]}" if None not in ends else f"at least {ends[0]}" if ends[0] is not None else f"up to {ends[1]}"
    )
    if ends[0] is None and not row.high_in:
        amount = f"under {ends[1]}"
    return f"{amount} {test.unit}{f' ({shown.for_})' if shown.for_ else ''}"
