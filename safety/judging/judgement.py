"""What one entry of the library comes to for some medications of one patient."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.judging.conditions import Ingredient
from safety.knowledge import library as lib
from safety.model.report import Severity, Step, Subject
from safety.understanding.amounts import Span
from safety.understanding.medications import Entry

Verdict = Literal["violated", "satisfied", "not_applicable", "unknown"]
WHOLE = frozenset({"burden", "omission"})
"""Kinds about the whole list: one rule is one problem, however many of its medicines are on it."""
WEIGHT = {"violated": 3, "unknown": 2, "satisfied": 1, "not_applicable": 0}


_SAID = {"single": "at once", "day": "in 24 hours", "interval": "between doses", "days": "of use"}


class DoseFound(Struct, frozen=True):
    """Where a dose leaves its range: too high or too low, in what, and what is taken against which bound.

    `gross`: at least three times the most. `suspect`: the slip it looks like (`tenfold`, `unit-slip ×1000`,
    `weekly-as-daily`), empty where it looks like none.
    """

    direction: Literal["HIGH", "LOW"]
    axis: Literal["single", "day", "interval", "days"]
    amount: Span
    limit: lib.Bound
    range: str
    gross: bool = False
    suspect: str = ""
    why: str = ""

    @property
    def told(self) -> str:
        """What is taken, in words."""
        low, high = self.amount.low, self.amount.high
        if low is not None and high is None:
            shown = f"at least {low}"
        else:
            shown = f"at most {high}" if low is None and high is not None else str(self.amount)
        return f"{shown} {_SAID[self.axis]}"

    @property
    def bound(self) -> str:
        """The bound, in words."""
        return f"{self.limit.value} {_SAID[self.axis]}{self._as_written}"

    @property
    def bound_alone(self) -> str:
        """The bound without saying again in what: it follows what is taken."""
        return f"{self.limit.value}{self._as_written}"

    @property
    def _as_written(self) -> str:
        """How the bound was written, where it was worked out for this patient."""
        text = self.limit.text
        return f" ({text})" if text and text != str(self.limit.value) else ""


class Judgement(Struct, frozen=True):
    """What an entry says of some medications of this patient.

    `bound` is what it is told of, `also` the other entries that are in the same position, `ways` how those were bound:
    how loud it is may differ from one to the next.
    """

    entry: lib.Entry
    verdict: Verdict
    bound: tuple[tuple[str, Ingredient], ...] = ()
    also: tuple[Ingredient, ...] = ()
    severity: Severity = "minor"
    because: str = ""
    severity_needs: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    saw: str = ""
    trace: tuple[Step, ...] = ()
    dose: DoseFound | None = None
    ways: tuple[tuple[tuple[str, Ingredient], ...], ...] = ()
    beside: tuple[Ingredient, ...] = ()
    """What an interaction's dose limit is kept beside: the other medicine, which the limit itself does not count."""

    def with_also(self, other: Judgement) -> Judgement:
        """This judgement, of the medications of another one too."""
        also = (*self.also, *(b for _, b in other.bound), *other.also)
        return replace(self, also=also, ways=(*self.ways, other.bound, *other.ways))

    @property
    def subjects(self) -> list[Subject]:
        """Every medication entry that the judgement is about, in the order of the list, with the ingredients meant."""
        meant: dict[int, tuple[Entry, dict[str, None]]] = {}
        for b in (*(b for _, b in self.bound), *self.also, *self.beside):
            meant.setdefault(b.entry.index, (b.entry, {}))[1][b.drug] = None
        return [entry.subject(*drugs) for _, (entry, drugs) in sorted(meant.items())]
