"""The engine and the oracle on one patient, side by side: rule by rule, verdict, severity, entries and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from oracle import doses, rules
from oracle.believing import understood
from oracle.files import Files, amount, many
from oracle.language import Scene
from oracle.patients import Medicine, Patient, Writer
from oracle.rules import Verdict
from safety.engine import Engine
from safety.model.report import Report

_ORDER = ("violated", "unknown", "satisfied", "not_applicable")
_SEVERITIES = ("contraindicated", "major", "moderate", "minor", "")
_OF_A_MEDICINE = {"route", "form", "supply", "dose", "frequency"}
"""What is taken as usual where a finding hangs on it."""


_ASKED = ("dose", "otc_limit")
"""Kinds about an amount: nothing is taken for granted there."""


@dataclass(frozen=True)
class Said:
    """What one side says of one rule: the verdict, how loud, which entries, what is missing."""

    says: str
    severity: str = ""
    entries: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Difference:
    """One rule on which the two disagree about one patient."""

    rule: str
    engine: Said
    oracle: Said
    who: Patient

    @property
    def kind(self) -> str:
        """In what they differ."""
        if self.engine.says != self.oracle.says:
            return f"{self.engine.says}, not {self.oracle.says}"
        parts = [name for name in ("severity", "needs", "entries") if getattr(self.engine, name) != getattr(self.oracle, name)]
        return f"{self.engine.says}, other {' and '.join(parts)}"


class Oracle:
    """All rules and dose tables, found by the drugs that they may speak of."""

    def __init__(self, files: Files) -> None:
        self.files, self.writer = files, Writer(files)
        self.by_drug: dict[str, list[str]] = {}
        self.always: list[str] = []
        for id, rule in files.rules.items():
            first = next((line["drug"] for line in rule["condition"] if "drug" in line and "as" in line["drug"]), None)
            of = [] if first is None else [first[k] for k in ("id", "class") if k in first] + many(first.get("any_of"))
            if not of:
                self.always.append(id)
            for drug in {d for one in of for d in files.members(one)}:
                self.by_drug.setdefault(drug, []).append(id)
        self.tables = {table["drug"]: id for id, table in files.doses.items()}

    def judged(self, who: Patient) -> Iterator[tuple[str, list[Said]]]:
        """What each rule that may speak comes to, each way in which its medicines are found by itself."""
        who = understood(self.files, who.but(medicines=tuple(self._in_units(m) for m in who.medicines)))
        ids = [*self.always, *(id for m in who.medicines for id in self.by_drug.get(m.drug, []))]
        usual = who.but(medicines=tuple(self._usual(m) for m in who.medicines))
        for id in dict.fromkeys(ids):
            rule = self.files.rules[id]
            verdicts = rules.judge(self.files, rule, who)
            waits = rule.get("kind") not in _ASKED and any(v.says == "unknown" and v.needs & _OF_A_MEDICINE for v in verdicts)
            taken = {v.entries: v for v in rules.judge(self.files, rule, usual)} if waits else {}
            yield id, [self._said(who, v, taken.get(v.entries)) for v in verdicts]
        for id in dict.fromkeys(self.tables[m.drug] for m in who.medicines if m.drug in self.tables):
            verdict = doses.judge(self.files, self.files.doses[id], who)
            if verdict is not None:
                yield id, [self._said(who, verdict, None)]

    def _said(self, who: Patient, verdict: Verdict, usual: Verdict | None) -> Said:
        """A verdict; where something of a medicine is missing and the usual would break the rule, it is broken as assumed."""
        if verdict.says == "unknown" and verdict.needs & _OF_A_MEDICINE and usual is not None and usual.says == "violated":
            return replace(self._said(who, usual, None), says="assumed")
        says = "violated" if verdict.says in ("high", "low") else verdict.says
        places = frozenset(who.where(n) for n in verdict.entries)
        return Said(
            says, verdict.severity if says == "violated" else "", places, verdict.needs if says == "unknown" else frozenset()
        )

    def _in_units(self, m: Medicine) -> Medicine:
        """A dose that was told by weight, of a medicine of which a unit weighs something: in units, as its doses are written."""
        weighs = self.files.drugs[m.drug].get("unit_is")
        if not weighs or m.single is None:
            return m
        in_weight = self.files.units.to(m.single[0], m.single[1], amount(weighs)[1])
        return m if in_weight is None else replace(m, single=(in_weight / amount(weighs)[0], "unit"))

    def _usual(self, m: Medicine) -> Medicine:
        fact = self.files.drugs[m.drug]
        routes = Scene(self.files, Patient()).routes_of(m)
        usual = fact.get("usual_route") if fact.get("usual_route") in routes else "oral" if "oral" in routes else None
        if m.supply is None and fact["supply"] == "both" and m.single is None and m.every is None:
            m = replace(m, supply="otc")
        if m.single is not None and m.every is None:
            m = replace(m, every=Fraction(24))
        return replace(m, route=usual) if m.route is None and usual else m


def differences(engine: Engine, oracle: Oracle, who: Patient) -> tuple[list[Difference], int] | None:
    """Where the two differ about a patient, and how many rules said something; None where a word of the case was not read as
    it was meant (a weight that is not believed, a problem that does not go with the sex), so that they judge two patients.
    """
    case = oracle.writer.case(who)
    report = engine.check(case)
    if any(u.status != "unjudged" for u in report.unresolved):
        return None
    shown, found, spoke = _shown(report), [], 0
    for id, mine in oracle.judged(who):
        told = shown.pop(id, [])
        spoke += any(s.says in ("violated", "assumed", "unknown") for s in [*mine, *told])
        if not _agree(oracle.files, who, told, mine) and (differs := _asked(engine, case, id, told, mine, who)):
            found.append(differs)
    for id, told in shown.items():  # the oracle had no reason to look at these at all
        if id not in oracle.files.doses and (differs := _asked(engine, case, id, told, [], who)):
            found.append(differs)
    return found, spoke


def _shown(report: Report) -> dict[str, list[Said]]:
    """What a report says, by rule: findings on their card or under another, and what could not be judged."""
    found: dict[str, list[Said]] = {}
    todo = list(report.findings)
    while todo:
        f = todo.pop()
        todo += f.also
        places = frozenset(str(s.where) for s in f.subjects)
        found.setdefault(f.rule, []).append(Said("assumed" if f.assumed else "violated", f.severity, places))
    for u in report.unknown:
        found.setdefault(u.rule, []).append(Said("unknown", "", frozenset(str(s.where) for s in u.subjects), frozenset(u.needs)))
    return found


def _agree(files: Files, who: Patient, told: list[Said], mine: list[Said]) -> bool:
    """Whether a report shows of a rule what the oracle says: entries of one drug stand on one card, open ones on one line."""
    return _gathered(files, who, told) == _gathered(files, who, mine)


def _gathered(files: Files, who: Patient, said: list[Said]) -> dict[tuple[str, str, frozenset[str]], tuple[set[str], set[str]]]:
    drugs = {who.where(n): m.drug for n, m in enumerate(who.medicines)}
    found: dict[tuple[str, str, frozenset[str]], tuple[set[str], set[str]]] = {}
    for one in said:
        if one.says in ("violated", "assumed", "unknown"):
            of = frozenset() if one.says == "unknown" else frozenset(drugs[place] for place in one.entries)
            entries, needs = found.setdefault((one.says, one.severity, of), (set(), set()))
            entries |= one.entries if one.says != "assumed" else frozenset()  # what is assumed is said once of a medicine
            needs |= one.needs
    return found


def _asked(
    engine: Engine, case: dict[str, object], id: str, told: list[Said], mine: list[Said], who: Patient
) -> Difference | None:
    """A report leaves out what need not be said twice. So where it differs the engine is asked for the verdict itself."""
    supposed = {s.says for s in told} == {"assumed"} and {s.says for s in mine} <= {"assumed", "unknown"}
    if supposed and set().union(*(s.needs for s in mine)) <= _OF_A_MEDICINE:
        return None
    judgement = engine.why(id, case)
    says = judgement.verdict
    of = Said(
        "assumed" if says == "violated" and any(s.says == "assumed" for s in told) else says,
        judgement.severity if says == "violated" else "",
        needs=frozenset(judgement.needs) if says == "unknown" else frozenset(),
    )
    if says == "unknown" and of.needs != _worst(mine).needs:  # of several ways in which its medicines are found, all together
        of = replace(of, needs=of.needs.union(*(s.needs for s in told)))
    worst = _worst(mine)
    quiet = {"satisfied", "not_applicable"}
    same = {of.says, worst.says} <= quiet or (of.says, of.severity, of.needs) == (worst.says, worst.severity, worst.needs)
    if id.startswith("monitoring.") and {of.says, worst.says} <= {"violated", "assumed"}:
        return None  # a reminder stands under `due`, which says nothing of what is assumed
    said = worst.says in ("violated", "assumed") and not any(s.says in ("violated", "assumed") for s in told)
    reminder = id.startswith("monitoring.")  # stands under `due`, not among the findings
    return None if same and (not said or reminder) else Difference(id, of if not same else Said("silent"), worst, who)


def _worst(mine: list[Said]) -> Said:
    """The verdict on a rule as a whole: violated before unknown, unknown before satisfied, the loudest first."""
    if not mine:
        return Said("not_applicable")
    order = {"assumed": 0.5, **{says: n for n, says in enumerate(_ORDER)}}
    worst = min(mine, key=lambda s: (order[s.says], _SEVERITIES.index(s.severity)))
    if worst.says != "unknown":
        return replace(worst, entries=frozenset(), needs=frozenset())
    return Said("unknown", needs=frozenset().union(*(s.needs for s in mine)))
