"""Scores counted up as they come: how many cases of each model, and of each group, have each value. Nothing else is kept, so that
millions of cases take no more room than thousands, and two tallies add up to that of all their cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from safety.model.report import SEVERITIES
from safety.scoring.critic import Raised
from safety.scoring.measures import NOTHING, Counted
from safety.scoring.plans import Unreadable
from safety.scoring.scored import Scored

K = TypeVar("K")
V = TypeVar("V")
ALL = ("", "")
"""The group of all cases of a model."""
Group = tuple[str, str]
"""By what cases are grouped, and which group: `("department", "cardiology")`."""
NOT_TOLD = "(not told)"
_KEPT_SLIPS = 1000
_KEPT_EXAMPLES = 50


class Example(Struct, frozen=True, order=True):
    """A plan with hard violations, to be shown: where it stands, and what it breaks."""

    line: int
    id: str | None
    model: str
    raised: tuple[Raised, ...]


class Tally:
    """Counts of values by model, group and metric. `by`: what cases are grouped by: `age`, `core`, or a column."""

    def __init__(self, by: Sequence[str] = ()) -> None:
        self.by = tuple(by)
        self.values: dict[tuple[str, Group, str], Counter[Counted]] = {}
        self.kinds: dict[tuple[str, str], Counter[Counted]] = {}
        self.states: dict[tuple[str, Group], Counter[str]] = {}
        self.worst: dict[str, Counter[str]] = {}
        self.rules: dict[str, Counter[str]] = {}
        self.sums: dict[str, Counter[str]] = {}
        self.days: set[str] = set()
        self.examples: list[Example] = []
        self.unreadable: list[Unreadable] = []
        self.unreadable_count = 0

    def add(self, row: Scored | Unreadable) -> None:
        """Count one more."""
        if isinstance(row, Unreadable):
            self.unreadable_count += 1
            if len(self.unreadable) < _KEPT_SLIPS:
                self.unreadable.append(row)
            return
        model = row.model
        self.days.add(row.as_of)
        for group in (ALL, *((by, _group(row, by)) for by in self.by)):
            self.states.setdefault((model, group), Counter())[row.state] += 1
            for metric, counted in ((m, c) for m, c in row.counted.items() if c != NOTHING):
                self.values.setdefault((model, group, metric), Counter())[counted] += 1
        for kind, counted in row.kinds.items():
            self.kinds.setdefault((model, kind), Counter())[counted] += 1
        if row.hard_rules and len(self.examples) < _KEPT_EXAMPLES:
            self.examples.append(Example(row.line, row.id, model, tuple(row.hard_rules)))
        self.worst.setdefault(model, Counter())[row.worst] += 1
        self.rules.setdefault(model, Counter()).update({r.rule for r in row.hard_rules})
        self.sums.setdefault(model, Counter()).update(
            {
                "empty": row.proposed == 0, "hard": row.critique.hard_violations_count, "medicines": row.proposed,
                "pairs": row.pairs, "severe_pairs": row.severe_pairs,
                "missing_components": bool(row.critique.missing_components), "standing": bool(row.critique.standing),
            }
        )  # fmt: skip

    def add_all(self, rows: Iterable[Scored | Unreadable]) -> Tally:
        """Count all of these, and give the tally back."""
        for row in rows:
            self.add(row)
        return self

    def merge(self, other: Tally) -> None:
        """Count what another tally counted, too."""
        _add(self.values, other.values)
        _add(self.kinds, other.kinds)
        _add(self.states, other.states)
        for mine, theirs in ((self.worst, other.worst), (self.rules, other.rules), (self.sums, other.sums)):
            _add(mine, theirs)
        self.days |= other.days
        self.unreadable_count += other.unreadable_count
        both = sorted([*self.unreadable, *other.unreadable], key=lambda u: (u.line, u.problems))
        self.unreadable = both[:_KEPT_SLIPS]
        shown = sorted([*self.examples, *other.examples], key=lambda e: (e.line, e.model))
        self.examples = shown[:_KEPT_EXAMPLES]

    @property
    def models(self) -> list[str]:
        """Every model, by name."""
        return sorted(self.worst)

    def groups(self, model: str) -> list[Group]:
        """The groups of a model, by name."""
        return sorted(group for of, group in self.states if of == model and group != ALL)


def _add(mine: dict[K, Counter[V]], theirs: Mapping[K, Counter[V]]) -> None:
    for key, counts in theirs.items():
        mine.setdefault(key, Counter()).update(counts)


def _group(row: Scored, by: str) -> str:
    return row.tags.get(by) or NOT_TOLD


LEVELS = (*SEVERITIES, "none")
