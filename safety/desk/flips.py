"""Whose answer flips between two versions of the knowledge: the patients of a cohort, case by case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from msgspec import Struct

from safety.answering.checker import Checker
from safety.desk.reached import Reach
from safety.model.patient import Case
from safety.model.report import RANK, Report, Verdict

_QUIETER: Final = {"violated": 0, "unknown": 1, "clear": 2}


class Flip(Struct, frozen=True):
    """A patient whose answer differs: the verdicts, and the rules that fell silent, are milder, are louder, or speak now.

    `looser`: something that spoke is silent or milder, or the verdict is quieter than it was.
    """

    name: str
    before: Verdict
    after: Verdict
    silent: tuple[str, ...]
    milder: tuple[str, ...]
    louder: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def looser(self) -> bool:
        """Whether the answer warns of less than it did."""
        return bool(self.silent or self.milder) or _QUIETER[self.after] > _QUIETER[self.before]


def flips(
    cases: Iterable[tuple[str, Case]], old: Checker, new: Checker, day: date, within: Reach | None = None
) -> Iterator[Flip]:
    """The patients whose verdict, or any of whose findings, differ; a rule that has another id now is the same rule.

    `within`: whom the change can reach; nobody else is checked.
    """
    for name, case in cases:
        on = case.as_of or day
        if within is not None and not within.meets(case, on, old):
            continue
        one = _flip(name, old.counted(case, on), new.counted(case, on), new)
        if one is not None:
            yield one


def _flip(name: str, before: Report, after: Report, new: Checker) -> Flip | None:
    was = {new.library.current_id(rule): rank for rule, rank in _loudest(before).items()}
    now = _loudest(after)
    silent = tuple(sorted(was.keys() - now.keys()))
    fresh = tuple(sorted(now.keys() - was.keys()))
    both = sorted(was.keys() & now.keys())
    milder = tuple(rule for rule in both if now[rule] > was[rule])
    louder = tuple(rule for rule in both if now[rule] < was[rule])
    if before.verdict == after.verdict and not (silent or fresh or milder or louder):
        return None
    return Flip(name, before.verdict, after.verdict, silent, milder, louder, fresh)


def _loudest(report: Report) -> dict[str, int]:
    """Each rule that spoke, and the rank of its loudest finding."""
    found: dict[str, int] = {}
    for f in report.every_finding:
        found[f.rule] = min(found.get(f.rule, RANK[f.severity]), RANK[f.severity])
    return found


def in_order(found: Iterable[Flip]) -> list[Flip]:
    """The looser answers first, then by how many rules differ, then by name."""

    def count(one: Flip) -> int:
        return len(one.silent) + len(one.milder) + len(one.louder) + len(one.new)

    return sorted(found, key=lambda one: (not one.looser, -count(one), one.name))
