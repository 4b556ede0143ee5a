"""What was assumed of a medication, in words: the fact, its value, and how to ask for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from safety.judging.supposing import STRANGER, Supposition
from safety.knowledge.library import Library
from safety.model.report import Assumed, Finding
from safety.understanding.facts import Facts
from safety.understanding.meaning import SURE
from safety.understanding.medications import Entry

_BY_ROUTE = {
    "oral": "swallowed",
    "parenteral": "injected",
    "topical": "put on the skin",
    "transdermal": "a patch or gel that works through the skin",
    "ophthalmic": "put into the eye",
    "otic": "put into the ear",
    "nasal": "put into the nose",
    "inhaled": "inhaled",
    "vaginal": "put into the vagina",
    "rectal": "put into the rectum",
    "sublingual": "dissolved under the tongue",
    "buccal": "dissolved in the cheek",
    "dental": "rinsed or brushed in the mouth",
    "implant": "an implant",
    "intrauterine": "put into the womb",
    "intrathecal": "injected into the spine",
}


def assuming(finding: Finding, suppositions: Sequence[Supposition], library: Library) -> Finding:
    """A finding that says what it rests on; one that is not of the usual way counts against nobody."""
    assumed = [*finding.assumed, *(assumption(one, library) for one in suppositions)]
    told = replace(finding, assumed=assumed)
    return told if stands(told) else replace(told, hard=False)


def under_names(finding: Finding, guessed: Sequence[Entry]) -> Finding:
    """A finding about a medicine whose name is not written as any is, or that only the problem list names: it says which name was
    taken, or that it is taken, and asks for it."""
    about = [e for e in guessed if any(s.where == e.where and s.text == e.described for s in finding.subjects)]
    taken = [Assumed("taken" if e.beside else "name", e.answer.name or e.described, e.answer.ask, e.where) for e in about]
    return replace(finding, assumed=[*taken, *finding.assumed]) if taken else finding


def guessed(entries: Sequence[Entry]) -> list[Entry]:
    """The medicines whose names were taken for one that is written otherwise, and those that only the problem list names."""
    matched = (e for e in entries if e.current and e.answer.status == "match")
    return [e for e in matched if e.beside or e.answer.via not in (None, *SURE)]


def in_units_not_told(finding: Finding, tests: Iterable[str], facts: Facts) -> Finding:
    """A finding that rests on results whose unit nobody told, with the units in which each was judged."""
    units = facts.units_not_told
    assumed = [
        Assumed(f"unit of {told}", " or ".join(each), f"Is {told} in {' or '.join(each)}?", where)
        for told, each, where in (units[test] for test in tests if test in units)
    ]
    return replace(finding, assumed=[*finding.assumed, *assumed]) if assumed else finding


def stands(finding: Finding) -> bool:
    """Whether a finding stands as loud as it is under what it assumes: the usual way does, an amount past a cap only where
    that would be contraindicated."""
    usual = all(a.usual for a in finding.assumed)
    return usual and (finding.severity == "contraindicated" or not any(a.past_cap for a in finding.assumed))


def assumption(one: Supposition, library: Library) -> Assumed:
    """An assumption as a report tells it."""
    name = " and ".join(library.name_of(d) for d in one.entry.drugs)
    return Assumed(one.fact, one.value, _asked(one, name), one.entry.where, one.usual, bool(one.amounts))


def _asked(one: Supposition, name: str) -> str:
    if one.fact == STRANGER:
        return one.entry.answer.ask
    if one.fact == "route":
        return f"Is the {name} {_BY_ROUTE.get(one.value, one.value)}?"
    if one.fact == "form":
        return f"Which form of {name} is it: {one.value}, or another?"
    if one.fact == "supply":
        return f"Is the {name} bought without a prescription?"
    if one.fact == "frequency":
        return f"How often is the {name} taken?"
    if not one.amounts:
        return f"How much {name} is taken at a time, and how often?"
    return f"How much {name} is taken at a time, and how often? More or less than {_amount(one.value)} decides."


def _amount(value: str) -> str:
    """The number of a cap without its comparison: the question is on which side of it the dose lies."""
    words = value.split()
    return " ".join(words[next((n for n, w in enumerate(words) if w[0].isdigit()), 0) :])
