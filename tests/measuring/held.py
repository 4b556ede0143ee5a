"""Proves the coverage ledger: each entry that is said to hold a statement of a label speaks, for that medicine, in some patient.

The patients are those of the entry's own cases in which it speaks, with the medicine of the label in place of the one that
the case names: in its own words, by a route of the label, in a dose that the case, the line of the rule or its dose table knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from safety.answering.checker import Checker
from safety.answering.due import is_reminder
from safety.answering.proof import case_values
from safety.errors import Place, Problem, RequestError
from safety.judging.candidates import asked_by
from safety.judging.judgement import Judgement
from safety.judging.rules import explain
from safety.knowledge import library as lib
from safety.knowledge.proofs import Proof
from safety.model.position import Position
from safety.model.report import RANK, Severity
from safety.reading.case import Path_, read_case
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry as Taken

How = Literal["fires", "reminds", "asks", "never"]
_WEIGHT: dict[How, int] = {"fires": 3, "reminds": 2, "asks": 1, "never": 0}
_LISTS = ("drugs", "plan")
_MOST = 300
"""So many patients are tried for one case at most."""
_FIELDS = ("drug", "route", "form", "dose", "frequency", "strength", "sig")
_NUMBER = re.compile(r"\s\d")


class Spoke(Struct, frozen=True):
    """Whether an entry speaks for a medicine, at its loudest, and in which patient; `why`: why it never does."""

    how: How
    severity: Severity = "minor"
    given: Mapping[str, Any] = {}
    why: str = ""


class Claim(Struct, frozen=True):
    """One entry that a statement of a ledger is held by, and what became of it."""

    ledger: lib.Coverage
    section: str
    statement: lib.Statement
    entry: str
    spoke: Spoke


class _Label(Struct, frozen=True):
    """What a label is about: a medicine, by these routes (none named: however it is taken), prescribed or bought."""

    drug: str
    routes: tuple[str, ...] = ()
    supply: str = "prescription"


class Prover:
    """Tries the cases of entries with other medicines; what an entry does for a medicine is worked out once."""

    def __init__(self, checker: Checker, cases_of: Callable[[str], Sequence[Proof]]) -> None:
        self.checker, self.library, self.cases_of = checker, checker.library, cases_of
        self._tried: dict[tuple[str, _Label], Spoke] = {}

    def claims(self, ledger: lib.Coverage) -> Iterator[Claim]:
        """Everything that a ledger says is held, in its order."""
        of = _Label(ledger.drug, ledger.routes, ledger.supply)
        for section, statements in ledger.sections.items():
            for statement in statements:
                for i in statement.held:
                    yield Claim(ledger, section, statement, i, self._spoke(i, of))

    def _spoke(self, i: str, of: _Label) -> Spoke:
        key = (self.library.current_id(i), of)
        if key not in self._tried:
            self._tried[key] = self._try(self.library.entry[key[0]], of)
        return self._tried[key]

    def _try(self, entry: lib.Entry, of: _Label) -> Spoke:
        if not _names(entry, of.drug):
            return Spoke("never", why=f"it does not name {self.library.name_of(of.drug)}")
        best = Spoke("never", why="it speaks in none of its own cases with this medicine in it")
        cases = sorted(self.cases_of(entry.id), key=lambda p: p.expect != "violated")
        for case in (p for p in cases if p.expect in ("violated", "unknown")):
            if case.expect == "unknown" and best.how != "never":
                break
            for patient in self._patients(entry, case, of):
                found = self._judged(entry, case, patient, of)
                best = max(best, found, key=lambda s: (_WEIGHT[s.how], -RANK[s.severity]))
                if found.how in ("fires", "reminds"):
                    break
            if best.how == "fires" and RANK[best.severity] <= _loudest(entry):
                break
        return best

    def _judged(self, entry: lib.Entry, case: Proof, given: Mapping[str, Any], of: _Label) -> Spoke:
        read = self._read(entry, case, given)
        if read is None or not _takes(read[1], of):
            return Spoke("never")
        judged = read[0]
        if judged.verdict not in ("violated", "unknown"):
            return Spoke("never")
        if not _about(judged, of.drug) and self._same_without(entry, case, given, of.drug, judged):
            return Spoke("never")
        how: How = "asks" if judged.verdict == "unknown" else "reminds" if is_reminder(judged) else "fires"
        return Spoke(how, judged.severity, given)

    def _same_without(self, entry: lib.Entry, case: Proof, given: Mapping[str, Any], drug: str, judged: Judgement) -> bool:
        """Whether the entry says the same where the medicine is left out."""
        name = self.library.name_of(drug).lower()
        left = {k: [x for x in v if name not in _text(x).lower()] if k in _LISTS else v for k, v in given.items()}
        read = self._read(entry, case, left)
        return read is not None and read[0].verdict == judged.verdict and read[0].severity == judged.severity

    def _read(self, entry: lib.Entry, case: Proof, given: Mapping[str, Any]) -> tuple[Judgement, Facts] | None:
        def locate(path: Path_) -> Place:
            return Place(case.place)

        try:
            told = read_case(case_values(dict(given)), locate)
        except RequestError:
            return None
        facts = Facts(told, self.checker.terms, told.as_of or entry.start or entry.reviewed)
        return explain(entry, facts), facts

    # -------------------------------------------------------------- patients

    def _patients(self, entry: lib.Entry, case: Proof, of: _Label) -> Iterator[Mapping[str, Any]]:
        read = self._read(entry, case, case.given)
        if read is None:
            return
        facts = read[1]
        if _takes(facts, of):
            yield case.given
        bound = {e.where for e in _bound(read[0])}
        fitting = [
            e for e in facts.entries if e.resolved and _may_be(entry, e, of.drug) and _item(case.given, e.where) is not None
        ]
        tried = 0
        for old in sorted(fitting, key=lambda e: e.where not in bound):
            for given in self._instead(entry, case.given, old, of):
                tried += 1
                if tried > _MOST:
                    return
                yield given

    def _instead(self, entry: lib.Entry, given: Mapping[str, Any], old: Taken, of: _Label) -> Iterator[Mapping[str, Any]]:
        """The patients of a case who take the medicine instead of another one."""
        item = _item(given, old.where)
        name, called = self.library.name_of(of.drug), self._called(old)
        renamed = _renamed(dict(given), called, name)
        first = _renamed(item, called, name)
        yield _with(given, old.where, first)
        told = {**(first if isinstance(first, dict) else {"drug": first}), "supply": of.supply}
        yield _with(given, old.where, told)
        yield from (_with(given, old.where, {**told, "route": route}) for route in of.routes)
        yield renamed
        yield _swapped(dict(given), called, name)
        patients = [given, renamed, *_allergic_to(given, entry, name)]
        for line in self._lines(entry, item, of):
            yield from (_with(patient, old.where, line) for patient in patients)
            yield _everywhere(given, called, line)

    def _called(self, old: Taken) -> str:
        """The name of a medicine within the words of its line."""
        names = (n.text for d in old.drugs if d in self.library.drug for n in self.library.drug[d].names)
        heard = old.answer.heard.lower()
        return max((n for n in names if n.lower() in heard), key=len, default=old.answer.heard)

    def _lines(self, entry: lib.Entry, item: Any, of: _Label) -> Iterator[dict[str, Any]]:
        """Ways to write the medicine on a list: bare, by each route and form, in the doses that are known of it."""
        drug, routes = of.drug, of.routes
        known, name = self.library.drug.get(drug), self.library.name_of(drug)
        kept = {k: v for k, v in item.items() if k not in _FIELDS} if isinstance(item, dict) else {}
        kept |= {"supply": "otc"} if of.supply == "otc" else {}
        ways = [*dict.fromkeys((*_ways(entry, drug), *((r, None) for r in routes or (known.routes if known else ()))))]
        usual = known.usual_route if known else ""
        ways.sort(key=lambda w: (bool(routes) and w[0] not in routes, w[0] != (usual or "oral")))
        for says in ("", *_said(entry, drug)):
            for route, form in ways:
                told = {"route": route, "form": form, "indication": None}
                words = f"{name} {says}".strip()
                yield {**kept, "drug": words, **{k: v for k, v in told.items() if v}}
                for dose in _doses(entry, drug):
                    yield {**kept, "drug": words, **{k: v for k, v in told.items() if v}, **dose}
        yield from ({**kept, **line} for line in self._ordinary(drug))

    def _ordinary(self, drug: str) -> Iterator[dict[str, Any]]:
        """The medicine as the cases of its dose table write it."""
        table = self.library.dose_entry(drug)
        for case in self.cases_of(table.id) if table is not None else ():
            for line in (x for key in _LISTS for x in case.given.get(key, ())):
                if self.library.name_of(drug).lower() in _text(line).lower():
                    yield line if isinstance(line, dict) else {"drug": line}


# ------------------------------------------------------------------ what an entry asks of a medicine


def _lines_of(entry: lib.Entry) -> Iterator[lib.DrugLeaf | lib.BurdenLeaf]:
    asked = (*asked_by(entry), *(leaf for clause in entry.severity_when for leaf in clause.lines))
    return (leaf for leaf in asked if isinstance(leaf, lib.DrugLeaf | lib.BurdenLeaf))


def _may_fill(leaf: lib.DrugLeaf | lib.BurdenLeaf, drug: str) -> bool:
    if isinstance(leaf, lib.DrugLeaf) and (drug in leaf.except_ or (leaf.of is not None and leaf.members is None)):
        return False
    return leaf.members is None or drug in leaf.members


def _may_mean(leaf: lib.DrugLeaf | lib.BurdenLeaf, drug: str) -> bool:
    """Whether a line may ask something of the medicine: it names it, or speaks of what another line is bound to."""
    return _may_fill(leaf, drug) or (isinstance(leaf, lib.DrugLeaf) and leaf.of is not None and drug not in leaf.except_)


def _names(entry: lib.Entry, drug: str) -> bool:
    return (entry.doses is not None and entry.doses.drug == drug) or any(_may_fill(leaf, drug) for leaf in _lines_of(entry))


def _may_be(entry: lib.Entry, old: Taken, drug: str) -> bool:
    """Whether both the medicine of a case and another one may stand in the same line of an entry."""
    return any(_may_fill(leaf, drug) and any(_may_fill(leaf, d) for d in old.drugs) for leaf in _lines_of(entry))


def _ways(entry: lib.Entry, drug: str) -> Iterator[tuple[str | None, str | None]]:
    """The routes and forms that the lines of an entry ask for."""
    for leaf in _lines_of(entry):
        if not _may_mean(leaf, drug):
            continue
        each = (leaf.members or {}).get(drug, ()) or (lib.Restriction(),)
        for way in each:
            routes = way.routes or (leaf.routes if isinstance(leaf, lib.DrugLeaf) else None) or (None,)
            forms = way.forms or (leaf.forms if isinstance(leaf, lib.DrugLeaf) else None) or (None,)
            yield from ((route, form) for route in routes for form in forms)


def _said(entry: lib.Entry, drug: str) -> Iterator[str]:
    for leaf in _lines_of(entry):
        if isinstance(leaf, lib.DrugLeaf) and _may_mean(leaf, drug):
            yield from leaf.says


def _doses(entry: lib.Entry, drug: str) -> Iterator[dict[str, Any]]:
    """Doses at, above and below each amount that the lines of an entry ask for."""
    for leaf in _lines_of(entry):
        if isinstance(leaf, lib.DrugLeaf) and _may_fill(leaf, drug):
            for bound in (*leaf.single_dose, *leaf.daily_dose):
                for factor in (1, 2):
                    amount = bound.value.value * factor if bound.op in ("at_least", "above") else bound.value.value / factor
                    yield {"dose": f"{amount:f} {bound.value.unit}".replace(".0 ", " "), "frequency": "once daily"}


def _loudest(entry: lib.Entry) -> int:
    return min(RANK[s] for s in (entry.severity, *(clause.severity for clause in entry.severity_when)))


# ------------------------------------------------------------------ patients, rewritten


def _bound(judged: Judgement) -> Iterator[Taken]:
    return (b.entry for b in (*(b for _, b in judged.bound), *judged.also, *judged.beside))


def _about(judged: Judgement, drug: str) -> bool:
    return any(b.drug == drug for b in (*(b for _, b in judged.bound), *judged.also, *judged.beside))


def _takes(facts: Facts, of: _Label) -> bool:
    """Whether the medicine is taken as its label is about: by one of its routes, and prescribed or bought."""
    meant = (e for e in facts.entries if e.resolved and of.drug in e.drugs and of.supply in e.supplies)
    return any(not of.routes or (e.routes and set(e.routes) <= set(of.routes)) for e in meant)


def _item(given: Mapping[str, Any], where: Position) -> Any:
    listed = given.get("plan" if where.among == "plan" else "drugs")
    known = where.among in ("medications", "plan") and isinstance(listed, list) and where.index < len(listed)
    return listed[where.index] if known and listed is not None else None


def _with(given: Mapping[str, Any], where: Position, item: Any) -> dict[str, Any]:
    key = "plan" if where.among == "plan" else "drugs"
    return {**given, key: [item if n == where.index else x for n, x in enumerate(given[key])]}


def _everywhere(given: Mapping[str, Any], heard: str, line: Any) -> dict[str, Any]:
    """The patient with the line in place of every line of the other medicine."""
    return {
        key: [line if heard.lower() in _text(x).lower() else x for x in value]
        if key in _LISTS and isinstance(value, list)
        else value
        for key, value in given.items()
    }


def _allergic_to(given: Mapping[str, Any], entry: lib.Entry, name: str) -> Iterator[dict[str, Any]]:
    """The patient allergic to the medicine itself, where the entry is about that."""
    if any(isinstance(leaf, lib.AllergyLeaf) and leaf.slot for leaf in asked_by(entry)) and given.get("allergies"):
        yield {**given, "allergies": [{**x, "to": name} if isinstance(x, dict) else name for x in given["allergies"]]}


def _swapped(given: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """The patient with two names in each other's place."""
    mark = "\x00"
    swapped: dict[str, Any] = _renamed(_renamed(_renamed(given, old, mark), new, old), mark, new)
    return swapped


def _text(item: Any) -> str:
    return str(item.get("drug", "")) if isinstance(item, dict) else str(item)


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str) and old == "\x00":
        return value.replace(old, new)
    if isinstance(value, str):
        return re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", lambda _: new, value, flags=re.I) if old else value
    if isinstance(value, list):
        return [_renamed(x, old, new) for x in value]
    if isinstance(value, dict):
        return {k: _renamed(x, old, new) for k, x in value.items()}
    return value


def unproved(claims: Iterable[Claim]) -> list[Problem]:
    """What a ledger says is held by an entry that never speaks for its medicine."""
    found = []
    for claim in claims:
        if claim.spoke.how == "never":
            file, line, column = claim.statement.place.rsplit(":", 2)
            message = f"`{claim.entry}` never speaks for {claim.ledger.drug}: {claim.spoke.why}"
            hint = "name the medicine there, with a case; or hold the statement by what speaks; or leave it out with its reason"
            found.append(Problem(Place(file, int(line), int(column)), "K505", message, hint))
    return found
