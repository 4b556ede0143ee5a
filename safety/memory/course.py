"""Findings along a history: when each appears, changes and clears, by an event or by time alone (a washout is over)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from msgspec import Struct

from safety.memory.as_case import case_at
from safety.memory.belief import Belief
from safety.memory.events import Known
from safety.memory.history import History
from safety.model.patient import Case
from safety.model.report import Report

_MOST_DAYS = 400
Key = tuple[str, tuple[str, ...]]


class Spell(Struct, frozen=True):
    """A finding from the first day on which it stands to the last; `until` None: it stands on the last day that was looked at."""

    rule: str
    title: str
    severity: str
    medicines: tuple[str, ...]
    since: date
    until: date | None = None

    def to_dict(self) -> dict[str, Any]:
        """The spell as plain values."""
        return {
            "rule": self.rule, "title": self.title, "severity": self.severity, "medicines": list(self.medicines),
            "since": self.since.isoformat(), "until": self.until.isoformat() if self.until is not None else None,
        }  # fmt: skip


class Course(Struct, frozen=True):
    """Every finding of a stretch of days, in the order in which they appear; `looked`: on how many days was checked."""

    first: date
    last: date
    spells: tuple[Spell, ...]
    looked: int
    cut: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The course as plain values."""
        return {
            "first": self.first.isoformat(), "last": self.last.isoformat(), "days_looked_at": self.looked, "cut": self.cut,
            "findings": [s.to_dict() for s in self.spells],
        }  # fmt: skip


def course_of(
    history: History, check: Callable[[Case, date], Report], last: date, beside: Case | None = None, known: Known = None
) -> Course:  # fmt: skip
    """The findings from the first event to a day.

    Between two days on which something was told a finding can only clear or appear by time, so the days in between are looked at
    only where the two ends differ.
    """
    days = _days(history, last)
    looking = _Looking(history, check, beside, known)
    if not days:
        return Course(last, last, (), 0)
    seen: list[tuple[date, Mapping[Key, Spell]]] = []
    cut = len(days) > _MOST_DAYS
    for day, following in zip(days[-_MOST_DAYS:], [*days[-_MOST_DAYS:][1:], last + timedelta(1)], strict=True):
        seen += looking.between(day, following - timedelta(1))
    return Course(seen[0][0], last, tuple(_spells(seen)), looking.count, cut)


def _days(history: History, last: date) -> list[date]:
    """The days on which something that was told begins or ends."""
    found: set[date] = set()
    for held in history.lines.values():
        for chain in held.versions[-1].chains.values():
            for unit in chain:
                found |= {unit.start.first, unit.start.last}
    found |= {m.event.at.last for measured in history.results.values() for m in measured}
    return sorted(d for d in found if date.min < d <= last)


class _Looking:
    """Checks days, each once."""

    def __init__(self, history: History, check: Callable[[Case, date], Report], beside: Case | None, known: Known) -> None:
        self._history, self._check, self._beside, self._known = history, check, beside, known
        self._seen: dict[date, Mapping[Key, Spell]] = {}

    @property
    def count(self) -> int:
        """On how many days was looked."""
        return len(self._seen)

    def on(self, day: date) -> Mapping[Key, Spell]:
        """The findings of a day, by rule and medicines."""
        found = self._seen.get(day)
        if found is None:
            report = self._check(case_at(Belief(self._history, day, self._known), self._beside), day)
            found = {}
            for f in report.every_finding:
                medicines = tuple(sorted({s.drug if isinstance(s.drug, str) else s.text for s in f.subjects}))
                found[f.rule, medicines] = Spell(f.rule, f.title, f.severity, medicines, day)
            self._seen[day] = found
        return found

    def between(self, first: date, last: date) -> list[tuple[date, Mapping[Key, Spell]]]:
        """The days of a stretch without events on which the findings become other ones, its first day included."""
        start = self.on(first)
        if last <= first or _same(self.on(last), start):
            return [(first, start)]
        low, high = first, last
        while (high - low).days > 1:
            middle = low + timedelta((high - low).days // 2)
            if _same(self.on(middle), start):
                low = middle
            else:
                high = middle
        return [(first, start), *self.between(high, last)]


def _same(one: Mapping[Key, Spell], other: Mapping[Key, Spell]) -> bool:
    return {k: s.severity for k, s in one.items()} == {k: s.severity for k, s in other.items()}


def _spells(seen: list[tuple[date, Mapping[Key, Spell]]]) -> list[Spell]:
    """Each finding from the day it stands to the day before it does not; another severity is another spell."""
    done: list[Spell] = []
    running: dict[Key, Spell] = {}
    for day, now in seen:
        for key, spell in [*running.items()]:
            if key not in now or now[key].severity != spell.severity:
                done.append(Spell(spell.rule, spell.title, spell.severity, spell.medicines, spell.since, day - timedelta(1)))
                del running[key]
        for key, spell in now.items():
            running.setdefault(key, spell)
    return sorted([*done, *running.values()], key=lambda s: (s.since, s.rule, s.medicines))
