"""What the US problem list vocabulary calls conditions: `kb/recognised/problems.csv` (terms with their ICD-10-CM codes) and
`codes.csv` (which conditions of ours a code is a kind of) → by term and by code, which conditions are meant.

A condition's own names outrank the terms, so that writing a name never means editing a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from safety.errors import Problem
from safety.knowledge.collecting import CODES, PROBLEMS
from safety.knowledge.drafts import Drafts
from safety.knowledge.library import Coded
from safety.knowledge.recognised import BETWEEN, Row, read_rows
from safety.knowledge.vocabularies import beginnings
from safety.text import did_you_mean, fold

_CODE = re.compile(r"[A-Z][0-9A-Z]{2}(?:\.[0-9A-Z]{1,4})?")
_RANGE = re.compile(r"([A-Z]\d[0-9A-Z])-([A-Z]\d[0-9A-Z])")
_THIRD = "0123456789AB"
"""What the third character of a category may be, in order."""


class ProblemTerms:
    """Terms and codes of both tables; every problem in them goes to `drafts`, once a table."""

    def __init__(self, drafts: Drafts) -> None:
        self._drafts, self._problems = drafts, drafts.problems

    @cached_property
    def _rows(self) -> dict[str, Coded]:
        """What each row of codes says, by the beginnings of codes; of ranges by each category, the narrowest last."""
        ranges: list[tuple[int, str, Coded]] = []
        found: dict[str, Coded] = {}
        seen: dict[str, Row] = {}
        for row in self._table(CODES, "codes", seen):
            means = Coded(tuple(self._conditions(row)), row.cells["past"] == "yes")
            key = row.cells["codes"]
            held = _RANGE.fullmatch(key)
            if held is not None:
                categories = list(_between(held[1], held[2]))
                ranges += [(len(categories), c, means) for c in categories]
            elif _CODE.fullmatch(key):
                found[key] = means
            else:
                hint = "`E11`, `E11.2` or a range of categories, `A00-B99`"
                self._problems.append(Problem(row.place("codes"), "K118", f"`{key}` is no ICD-10-CM code", hint))
        wide = {category: means for _, category, means in sorted(ranges, key=lambda r: -r[0])}
        return dict(sorted({**wide, **found}.items()))

    @cached_property
    def kinds(self) -> tuple[Coded, ...]:
        """What codes may come to, each once."""
        return tuple(sorted({k for k in self._rows.values() if k.conditions}, key=lambda k: (k.conditions, k.past)))

    @cached_property
    def _numbers(self) -> dict[Coded, int]:
        return {kind: n for n, kind in enumerate(self.kinds)}

    def codes(self) -> dict[str, int]:
        """By the beginning of a code the number of what it comes to; -1 where it is no condition."""
        return {code: self._numbers.get(means, -1) for code, means in self._rows.items()}

    @cached_property
    def terms(self) -> dict[str, int]:
        """By term, folded, the number of what it comes to."""
        found: dict[str, int] = {}
        for row in self._table(PROBLEMS, "term", {}):
            means = coded(row.cells["code"], self._rows)
            key = fold(row.cells["term"])
            if not key:
                what = f"`{row.cells['term']}` holds no letter or digit"
                self._problems.append(Problem(row.place("term"), "K117", what))
            elif means is not None and means.conditions:
                found[key] = self._numbers[means]
        return found

    def _table(self, table: str, name: str, seen: dict[str, Row]) -> Iterator[Row]:
        """The rows of one table, ours and those that a site adds; a row twice in one file is a problem."""
        for reading in self._drafts.tables_of([table]):
            for row in read_rows(reading.file, self._problems):
                before = seen.get(row.cells[name])
                if before is not None and before.origin == row.origin:
                    what = f"`{row.cells[name]}` stands here a second time"
                    self._problems.append(Problem(row.place(name), "K113", what, f"the first is at {before.place()}"))
                    continue
                seen[row.cells[name]] = row
                yield row

    def _conditions(self, row: Row) -> Iterator[str]:
        facts = self._drafts.facts["condition"]
        for name in filter(None, row.cells["conditions"].split(BETWEEN)):
            i = f"condition.{name}"
            if i in self._drafts.switched_off:
                continue
            if i in facts:
                yield i
            else:
                hint = did_you_mean(i, facts)
                self._problems.append(Problem(row.place("conditions"), "K118", f"`{name}` is not a condition that we know", hint))


def coded(code: str, rows: Mapping[str, Coded]) -> Coded | None:
    """What the row of the longest beginning of a code says."""
    return next((rows[b] for b in beginnings(code) if b in rows), None)


def _between(first: str, last: str) -> Iterator[str]:
    """Every category from one to another."""
    for letter in map(chr, range(ord(first[0]), ord(last[0]) + 1)):
        for ten in "0123456789":
            for one in _THIRD:
                if first <= (category := letter + ten + one) <= last:
                    yield category
