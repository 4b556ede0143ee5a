"""What the engine says of a small patient: a medicine of a ledger beside one thing that a statement of it names.

A condition stands on the problem list, a medicine (of a class: each member) is taken too, food is taken in, a procedure was done.
What is said of the two and of neither alone is the answer; nothing said, or said milder than the statement words it, is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger_words import Named, Words
from msgspec import Struct

import safety
from safety.knowledge import library as lib
from safety.model.report import RANK

_PARTS = re.compile(r"[,;:()]| and | or | with | in | of | after | by | on ")
_SAYS_NOTHING = len(RANK)
_ASKS = _SAYS_NOTHING - 1
_DAY = "2026-01-01"
_PERSON = {"age": "50 y", "allergies": [], "conditions": []}
_WHO: Sequence[Mapping[str, Any]] = (
    {**_PERSON, "sex": "female", "pregnancy": "no", "breastfeeding": "no"},
    {**_PERSON, "sex": "male"},
)
_OF_WHO: Mapping[str, Mapping[str, Any]] = {
    "pregnancy": {"age": "30 y", "pregnancy": "12 weeks"},
    "breastfeeding": {"age": "30 y", "breastfeeding": "yes"},
    "kidneys": {"conditions": ["chronic kidney disease stage 5"]},
    "liver": {"conditions": ["cirrhosis Child-Pugh C"]},
}
"""Patients for the facts that words tell without a name."""


class Tried(Struct, frozen=True):
    """What became of one thing that a statement names: how loud the loudest answer is, which rules, and who was passed over."""

    named: Named
    loudest: int
    rules: tuple[str, ...]
    silent: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """How loud it is, in a word."""
        words = {rank: word for word, rank in RANK.items()}
        return "nothing" if self.loudest >= _SAYS_NOTHING else words.get(self.loudest, "asks")


class Trials:
    """Tries what statements name; what the engine says of one medicine alone is worked out once."""

    def __init__(self, engine: safety.Engine, words: Words) -> None:
        self.engine, self.library, self.words = engine, engine.library, words
        self._known: dict[str, dict[str, int]] = {}

    def of(self, ledger: lib.Coverage, statement: lib.Statement) -> Iterator[Tried]:
        """Each thing that a statement names, tried with the medicine of its ledger."""
        for named in self._named(statement.says, ledger.drug):
            if "allergy" in statement.checks and named.kind in ("drug", "class"):
                yield self._allergy(self._taken(ledger.drug, ledger.routes), named)
            else:
                yield from self.tried(ledger, named, statement.says)

    def tried(self, ledger: lib.Coverage, named: Named, says: str) -> Iterator[Tried]:
        """One thing that some words name, tried with the medicine of a ledger; nothing where no patient can be made of it."""
        own = self._taken(ledger.drug, ledger.routes)
        if named.kind == "class":
            yield self._class(own, named, ledger.drug)
        elif named.kind in ("drug", "condition", "food", "procedure") or named.id in _OF_WHO:
            new = self._new(own, named, says)
            yield Tried(named, min(new.values(), default=_SAYS_NOTHING), tuple(sorted(new)))

    def _named(self, says: str, own: str) -> list[Named]:
        found = [n for n in self.words.named(says, own) if not self._told_otherwise(n)]
        text = " ".join(n.words for n in found)
        for part in (p.strip() for p in _PARTS.split(says)):
            if len(part) > 3 and part.lower() not in text and not any(n.words in part.lower() for n in found):
                condition = self._condition(part)
                if condition and condition not in {n.id for n in found}:
                    found.append(Named("condition", condition, part))
        return found

    def _told_otherwise(self, named: Named) -> bool:
        """Whether a patient's own fact tells it: pregnancy stands on no problem list here."""
        return named.kind == "condition" and self.library.condition[named.id].pregnancy is not None

    def _condition(self, part: str) -> str:
        said = self.engine.extract(part).conditions
        return said[0].condition if len(said) == 1 and said[0].standing == "active" else ""

    # -------------------------------------------------------------- patients

    def _allergy(self, own: dict[str, str], named: Named) -> Tried:
        told = {"allergies": [{"to": named.words, "reaction": "anaphylaxis"}]}
        new = _more(self._said([own], told), self._said([own], {}), self._said([], told))
        return Tried(named, min(new.values(), default=_SAYS_NOTHING), tuple(sorted(new)))

    def _class(self, own: dict[str, str], named: Named, drug: str) -> Tried:
        members = [m for m in self.library.drug_class[named.id].members if m in self.library.drug and m != drug]
        loudest, rules, silent = _SAYS_NOTHING, set[str](), []
        for member in members:
            new = self._with(own, member)
            if not new:
                silent.append(self.library.name_of(member))
            loudest = min([loudest, *new.values()])
            rules.update(new)
        return Tried(named, loudest, tuple(sorted(rules)), tuple(silent))

    def _new(self, own: dict[str, str], named: Named, says: str) -> dict[str, int]:
        if named.kind == "drug":
            return self._with(own, named.id)
        best: dict[str, int] = {}
        for told in _told(named, says):
            new = _more(self._said([own], told), self._said([own], {}), self._said([], told))
            best |= {i: min(rank, best.get(i, rank)) for i, rank in new.items()}
        return best

    def _with(self, own: dict[str, str], other: str) -> dict[str, int]:
        beside = self._taken(other, ())
        return _more(self._said([own, beside], {}), self._said([own], {}), self._said([beside], {}))

    def _taken(self, drug: str, routes: Sequence[str]) -> dict[str, str]:
        held = self.library.drug[drug]
        route = routes[0] if routes else "oral" if "oral" in held.routes else held.usual_route
        return {"drug": held.name} | ({"route": route} if route else {})

    def _said(self, medications: list[dict[str, str]], told: Mapping[str, Any]) -> dict[str, int]:
        key = repr((medications, told))
        if key not in self._known:
            self._known[key] = self._asked(medications, told)
        return self._known[key]

    def _asked(self, medications: list[dict[str, str]], told: Mapping[str, Any]) -> dict[str, int]:
        said: dict[str, int] = {}
        for who in _WHO if told is not _OF_WHO["pregnancy"] and told is not _OF_WHO["breastfeeding"] else _WHO[:1]:
            report = self.engine.check({"patient": {**who, "medications": medications, **told}}, as_of=_DAY)
            for i in (i for x in report.unknown for i in (x.rule, *x.also)):
                said.setdefault(i, _ASKS)
            for finding in (x for one in report.findings for x in (one, *one.also)):
                said[finding.rule] = min(RANK[finding.severity], said.get(finding.rule, _SAYS_NOTHING))
        return said


def _told(named: Named, says: str) -> Iterator[Mapping[str, Any]]:
    """Patients of whom a thing is told: as it is named, and as the words around it do."""
    if named.kind == "fact":
        yield _OF_WHO[named.id]
    elif named.kind == "food":
        yield {"intake": [named.words]}
        yield {"intake": [f"{named.words} 4 drinks a day"]}
    elif named.kind == "procedure":
        yield {"procedures": [{"text": named.words, "on": _DAY, "status": "planned"}]}
        yield {"conditions": [named.words]}
    else:
        around = [part.strip() for part in re.split(r"[,;:()]", says) if named.words in part.lower()]
        yield from ({"conditions": [words]} for words in dict.fromkeys([named.words, *around]))


def _more(together: Mapping[str, int], *alone: Mapping[str, int]) -> dict[str, int]:
    """What is said of the two and of neither alone, or louder than of either."""
    return {i: rank for i, rank in together.items() if all(rank < one.get(i, _SAYS_NOTHING) for one in alone)}
