"""Many patients at once: for each entry, those of whom it may say something, gathered as far as it can tell them apart.

What a key of one patient holds (see `alike`) stands here in columns, a row for each patient: whole numbers that are equal where
what they stand for is. An entry is asked of one patient of each group, and what it says holds for all of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from safety.judging.alike import Asking, Likeness, Telling
from safety.judging.candidates import Index
from safety.judging.conditions import in_question
from safety.knowledge import library as lib
from safety.understanding.facts import Facts

Column: TypeAlias = Any
"""A whole number for each row."""
Rows: TypeAlias = Any
_NO = 0
_WIDEST = 1 << 62


class Group(Struct, frozen=True):
    """Patients, by row, of whom an entry says the same; `like`: the first of them."""

    entry: lib.Entry
    rows: list[int]
    like: Likeness


class Columns:
    """Patients side by side."""

    def __init__(self, cases: Sequence[Facts], telling: Telling, index: Index) -> None:
        self._cases, self._telling, self._index = cases, telling, index
        self._likes = [Likeness(facts, telling) for facts in cases]
        self._all = np.ones(len(cases), dtype=bool)
        self._bases = _numbered([like.base for like in self._likes])
        self._drugs = self._having([{d for e in facts.entries if e.resolved for d in e.drugs} for facts in cases])
        told = [in_question(facts) for facts in cases]
        self._no_problems = np.array([one is None for one in told], dtype=bool)
        self._problems = self._having([one or () for one in told])
        self._lines, self._of_drug = self._of_lines()
        self._strange = sorted({n for like in self._likes for n in like.strange})
        self._known: dict[str, Column] = {}
        self._sides: dict[str, Column] = {}
        self._answers: dict[int, Column] = {}
        self._alike_in: dict[tuple[str, ...], tuple[list[int], Column]] = {}

    def groups(self) -> Iterator[Group]:
        """Every entry that may say something, in order of id, with those of whom it may."""
        for n, entry in sorted(self._index.together(self._drugs, self._problems, untold=bool(self._no_problems.any()))):
            rows = self._concerned(n, entry)
            if len(rows):
                yield from self._grouped(entry, rows)

    # -------------------------------------------------------------- whom an entry may concern

    def _concerned(self, n: int, entry: lib.Entry) -> Rows:
        """The rows for which an entry is a candidate (see `Index.candidates`), in force, and kept silent by no gate."""
        found = self._all
        for leaf in entry.slots:
            if leaf.members is not None:
                found = found & self._any_of(self._drugs, leaf.members)
        needed = self._index.needed(n)
        if needed is not None:
            found = found & (self._any_of(self._problems, needed) | self._no_problems)
        if entry.start is not None or entry.end is not None:
            found = found & self._in_force(entry)
        asking = self._telling.of(entry)
        if asking.hangs.only_twice:
            found = found & self._of_likes("twice")
        if asking.hangs.only_allergic:
            found = found & self._of_likes("allergic")
        rows = np.nonzero(found)[0]
        fitting = asking.hangs.only_fitting
        if fitting is not None:
            rows = rows[np.array([any(self._likes[row].fitting(fitting)) for row in rows.tolist()], dtype=bool)]
        for gate in asking.gates:
            rows = rows[self._answer(gate, rows) != _NO] if len(rows) else rows
        return rows

    def _any_of(self, having: dict[str, Column], names: Iterable[str]) -> Column:
        columns = [having[name] for name in names if name in having]
        return np.logical_or.reduce(columns) if columns else ~self._all

    def _in_force(self, entry: lib.Entry) -> Column:
        days: Sequence[date] = [facts.day for facts in self._cases]
        return np.array([entry.in_force(day) for day in days], dtype=bool)

    def _of_likes(self, name: str) -> Column:
        """What is so of each patient, whatever is asked."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = np.array([getattr(like, name) for like in self._likes], dtype=bool)
        return found

    # -------------------------------------------------------------- who is alike

    def _grouped(self, entry: lib.Entry, rows: Rows) -> Iterator[Group]:
        asking = self._telling.of(entry)
        alone = self._alone(asking, rows)
        for row in rows[alone].tolist():
            yield Group(entry, [row], self._likes[row])
        rows = rows[~alone]
        if not len(rows):
            return
        parts = [*self._of_medicines(asking, rows), *(self._answer(n, rows) for n in asking.numbers), self._bases[rows]]
        if asking.hangs.special:
            parts.append(_numbered([self._likes[row].special(asking.hangs) for row in rows.tolist()]))
        codes = _together(parts)
        if codes is None:
            yield Group(entry, rows.tolist(), self._likes[rows[0]])
            return
        order = np.argsort(codes, kind="stable")
        for some in np.split(rows[order], np.nonzero(np.diff(codes[order]))[0] + 1):
            each = some.tolist()
            yield Group(entry, each, self._likes[each[0]])

    def _alone(self, asking: Asking, rows: Rows) -> Column:
        """Which of these rows have no key (see `Likeness.of_nobody_else`)."""
        hangs = asking.hangs
        if hangs.drugs is None:
            return np.ones(len(rows), dtype=bool)
        found = self._of_likes("reacts")[rows] if hangs.reactions else np.zeros(len(rows), dtype=bool)
        for test in hangs.changes:
            found = found | np.array([self._likes[row].has_moved(test) for row in rows.tolist()], dtype=bool)
        return found

    def _of_medicines(self, asking: Asking, rows: Rows) -> Iterator[Column]:
        """The lines of the list that name a medicine of the entry, or one that nobody knows, each in its place."""
        named = np.zeros(self._telling.count_of_lines + 1, dtype=bool)
        named[self._strange] = True
        for drug in asking.hangs.drugs or ():
            if drug in self._of_drug:
                named[self._of_drug[drug]] = True
        for column in self._lines[:, rows]:
            here = named[column]
            if here.any():
                yield np.where(here, column + 1, 0)

    def _answer(self, number: int, rows: Rows) -> Column:
        """What these rows answer to a question; each answer is worked out for one of those who are alike in it."""
        known = self._answers.get(number)
        if known is None:
            known = self._answers[number] = np.full(len(self._cases), -1, dtype=np.int64)
        about = self._telling.questions[number].about
        missing = rows[known[rows] < 0]
        if about is None:
            for row in missing.tolist():
                known[row] = self._likes[row].answers[number]
        elif len(missing):
            firsts, group = self._alike(about)
            wanted = np.unique(group[missing])
            answers = np.full(len(firsts), -1, dtype=np.int64)
            answers[wanted] = [self._likes[firsts[g]].answers[number] for g in wanted.tolist()]
            known[missing] = answers[group[missing]]
        return known[rows]

    def _alike(self, about: tuple[str, ...]) -> tuple[list[int], Column]:
        """Rows of whom the same is told of these things: the first of each group, and the group of each row."""
        found = self._alike_in.get(about)
        if found is None:
            codes = _together([self._side(name) for name in about])
            group = np.zeros(len(self._cases), dtype=np.int64) if codes is None else _close(codes)[0]
            _, firsts = np.unique(group, return_index=True)
            found = self._alike_in[about] = firsts.tolist(), group
        return found

    def _side(self, name: str) -> Column:
        """What is told of one thing, by its number; what is told of one patient alone is like nobody's."""
        found = self._sides.get(name)
        if found is None:
            each = [like.answers.side(name) for like in self._likes]
            found = self._sides[name] = np.array([-row if n is None else n for row, n in enumerate(each, 1)], dtype=np.int64)
        return found

    # -------------------------------------------------------------- columns

    def _having(self, each: Iterable[Iterable[str]]) -> dict[str, Column]:
        """For each name, which rows have it."""
        found: dict[str, list[int]] = {}
        for row, names in enumerate(each):
            for name in names:
                found.setdefault(name, []).append(row)
        columns: dict[str, Column] = {}
        for name, rows in found.items():
            columns[name] = np.zeros(len(self._cases), dtype=bool)
            columns[name][rows] = True
        return columns

    def _of_lines(self) -> tuple[Column, dict[str, list[int]]]:
        """The lines of each row by their numbers, a column for each place of the list; and the lines that name each drug."""
        of_drug: dict[str, dict[int, None]] = {}
        width = max((len(like.lines) for like in self._likes), default=0)
        columns = np.full((width, len(self._cases)), -1, dtype=np.int64)
        for row, like in enumerate(self._likes):
            for place, (number, drugs) in enumerate(like.lines):
                columns[place, row] = number
                for drug in drugs:
                    of_drug.setdefault(drug, {})[number] = None
        return columns, {drug: list(numbers) for drug, numbers in of_drug.items()}


def _numbered(values: Iterable[Hashable]) -> Column:
    """A small number for each value, the same for equal ones."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def _together(columns: Iterable[Column]) -> Column | None:
    """One column that is equal where all of these are; None where all are equal in every row."""
    found, width = None, 1
    for column in columns:
        least, most = int(column.min()), int(column.max())
        size = most - least + 1
        if size == 1:
            continue
        if found is None:
            found, width = column - least, size
            continue
        if width * size >= _WIDEST:
            found, width = _close(found)
        if width * size >= _WIDEST:
            (column, size), least = _close(column), 0
        found, width = found * size + (column - least), width * size
    return found


def _close(column: Column) -> tuple[Column, int]:
    """The same column with numbers as small as can be, and how many there are."""
    values, numbers = np.unique(column, return_inverse=True)
    return numbers.astype(np.int64), len(values)
