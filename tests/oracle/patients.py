"""A patient who is already understood: ids, numbers and days, no text; and the same patient as a case for the engine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from oracle.files import Files

DAY = date(2026, 11, 20)
"""The day on which everybody is judged."""


@dataclass(frozen=True)
class Medicine:
    """One entry of the list. None is not told. `every`: hours from dose to dose. `until` before the day: it was stopped."""

    drug: str
    single: tuple[Fraction, str] | None = None
    every: Fraction | None = None
    route: str | None = None
    form: str | None = None
    supply: str | None = None
    since: date | None = None
    until: date | None = None
    days: Fraction | None = None
    purpose: str | None = None
    planned: bool = False
    hour: int | None = None
    """At which hour of the day it is taken, once a day."""

    def stopped(self, day: date) -> bool:
        """Whether it is no longer taken."""
        return self.until is not None and self.until < day

    def taken_for(self, day: date) -> Fraction | None:
        """For how many days: as told, else from the first day to the last, both of them counted."""
        if self.days is not None or self.since is None:
            return self.days
        return Fraction(((self.until or day) - self.since).days + 1)

    @property
    def in_24h(self) -> tuple[Fraction, str] | None:
        """What is taken of it in 24 hours, on a day on which it is taken."""
        if self.single is None or self.every is None:
            return None
        return self.single[0] * max(Fraction(1), 24 / self.every), self.single[1]


@dataclass(frozen=True)
class Problem:
    """A condition on the list: said to be `active` or `past`, or neither; and since when, where told."""

    condition: str
    status: str | None = None
    onset: date | None = None


@dataclass(frozen=True)
class Result:
    """A test with a number and its unit, or with a word, and its day."""

    lab: str
    value: Fraction | None
    unit: str | None
    word: str | None
    on: date | None


@dataclass(frozen=True)
class Allergy:
    """What it is to (a drug, a class, an allergen) and how it showed."""

    to: str
    reaction: str | None = None


@dataclass(frozen=True)
class Procedure:
    """Planned or done, and its day where told."""

    procedure: str
    planned: bool = False
    on: date | None = None


@dataclass(frozen=True)
class Patient:
    """None is not told; an empty list is told that there are none."""

    medicines: tuple[Medicine, ...] = ()
    age: tuple[Fraction, str] | None = None
    sex: str | None = None
    weight: tuple[Fraction, str] | None = None
    height: tuple[Fraction, str] | None = None
    pregnant: bool | None = None
    trimester: int | None = None
    weeks: Fraction | None = None
    breastfeeding: bool | None = None
    problems: tuple[Problem, ...] | None = None
    family: tuple[str, ...] = ()
    """Conditions of blood relatives, told on the list of problems."""
    allergies: tuple[Allergy, ...] | None = None
    labs: tuple[Result, ...] | None = None
    genes: tuple[tuple[str, str], ...] | None = None
    procedures: tuple[Procedure, ...] | None = None
    devices: tuple[str, ...] | None = None
    intake: tuple[tuple[str, tuple[Fraction, str] | None], ...] | None = None
    limits: tuple[tuple[str, tuple[Fraction, str]], ...] | None = None
    complete: bool = True
    reasons: tuple[Problem, ...] = ()
    """Problems that a medicine is taken for, as far as the list of problems does not tell them (see `believing.py`)."""
    listed: tuple[Procedure, ...] = ()
    """Operations that stand among the problems."""
    day: date = field(default=DAY)

    def where(self, n: int) -> str:
        """Where an entry stands in the case."""
        planned = self.medicines[n].planned
        return f"{'plan' if planned else 'medications'}[{sum(m.planned == planned for m in self.medicines[:n])}]"

    def but(self, **facts: Any) -> Patient:
        """The same patient with some facts told otherwise."""
        return replace(self, **facts)


def number(value: Fraction) -> str:
    """A number as people write it; raises ValueError for one that has no end."""
    digits = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    if Fraction(digits) != value:
        raise ValueError(f"{value} cannot be written out")
    return digits


def told(amount: tuple[Fraction, str]) -> str:
    """An amount with its unit."""
    return f"{number(amount[0])} {amount[1]}"


def often(every: Fraction) -> str:
    """How often, in words."""
    named = {24: "once daily", 48: "every other day", 168: "once a week"}
    return named.get(int(every)) or f"every {number(every)} hours"


def _how_often(m: Medicine) -> str | None:
    if m.every is None:
        return None
    return (
        often(m.every)
        if m.hour is None or m.every != 24
        else f"once daily at {m.hour % 12 or 12} {'am' if m.hour < 12 else 'pm'}"
    )


class Writer:
    """Writes a typed patient as a case, each thing by its name in the files."""

    def __init__(self, files: Files) -> None:
        self.files = files

    def case(self, who: Patient) -> dict[str, Any]:
        """The case. What was not told is not there."""
        lists = {
            "conditions": None if who.problems is None else [self._problem(p) for p in who.problems] + self._of_kin(who),
            "allergies": None if who.allergies is None else [self._allergy(a) for a in who.allergies],
            "labs": None if who.labs is None else [self._result(r) for r in who.labs],
            "genes": None if who.genes is None else [self._gene(*g) for g in who.genes],
            "procedures": None if who.procedures is None else [self._procedure(p) for p in who.procedures],
            "devices": None if who.devices is None else [self.files.devices[d]["name"] for d in who.devices],
            "intake": None if who.intake is None else [self._intake(*i) for i in who.intake],
            "diet_limits": None
            if who.limits is None
            else [f"{self.files.foods[f]['name']} {told(a)} a day" for f, a in who.limits],
        }
        facts = {
            "age": told(who.age) if who.age else None,
            "sex": who.sex,
            "weight": told(who.weight) if who.weight else None,
            "height": told(who.height) if who.height else None,
            "pregnancy": self._pregnancy(who),
            "breastfeeding": who.breastfeeding,
            **lists,
            "medications": [self._medicine(m) for m in who.medicines if not m.planned],
            "medications_complete": None if who.complete else "no",
        }
        case: dict[str, Any] = {"as_of": str(who.day), "patient": _said(facts)}
        plan = [self._medicine(m) for m in who.medicines if m.planned]
        return {**case, "plan": plan} if plan else case

    def _medicine(self, m: Medicine) -> dict[str, Any]:
        return _said({
            "drug": self.files.drugs[m.drug]["name"], "dose": told(m.single) if m.single else None,
            "frequency": _how_often(m), "route": m.route, "form": m.form, "supply": m.supply,
            "since": str(m.since) if m.since else None, "until": str(m.until) if m.until else None,
            "days": float(m.days) if m.days is not None else None,
            "for": self.files.conditions[m.purpose]["name"] if m.purpose else None,
        })  # fmt: skip

    def _problem(self, p: Problem) -> Any:
        name = self.files.conditions[p.condition]["name"]
        return _said({"text": name, "status": p.status, "onset": str(p.onset) if p.onset else None})

    def _of_kin(self, who: Patient) -> list[Any]:
        return [{"text": f"family history of {self.files.conditions[c]['name']}"} for c in who.family]

    def _allergy(self, a: Allergy) -> Any:
        fact = self.files.drugs.get(a.to) or self.files.classes.get(a.to) or self.files.allergens[a.to]
        return _said({"to": fact["name"], "reaction": a.reaction})

    def _result(self, r: Result) -> Any:
        value = r.word if r.value is None else float(r.value)
        return _said({"test": self.files.labs[r.lab]["name"], "value": value, "unit": r.unit, "on": str(r.on) if r.on else None})

    def _gene(self, gene: str, state: str) -> Any:
        fact = self.files.genes[gene]
        return {"gene": fact["name"], "phenotype": fact["states"][state][0]}

    def _procedure(self, p: Procedure) -> Any:
        name = self.files.procedures[p.procedure]["name"]
        return _said({"text": name, "status": "planned" if p.planned else "done", "on": str(p.on) if p.on else None})

    def _intake(self, food: str, daily: tuple[Fraction, str] | None) -> str:
        name = self.files.foods[food]["name"]
        return name if daily is None else f"{name} {told(daily)} a day"

    @staticmethod
    def _pregnancy(who: Patient) -> str | None:
        if who.weeks is not None:
            return f"weeks {number(who.weeks)}"
        if who.trimester is not None:
            return f"trimester {who.trimester}"
        return None if who.pregnant is None else "yes" if who.pregnant else "no"


def _said(facts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if value is not None}


def before(days: int, day: date = DAY) -> date:
    """So many days before the day that is judged."""
    return day - timedelta(days=days)
