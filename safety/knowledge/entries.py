"""The judged entries of the library: rules, limits and dose tables, with everything they refer to looked up."""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import Literal

from msgspec import Struct

from safety.knowledge.leaves import Bounds, DrugLeaf, IngredientLeaf, LeafType, needs_binding
from safety.model.report import Citation, Severity


class Limit(Struct, frozen=True):
    """A dated row of a limit: for whom, from and to when, and the bounds."""

    who: tuple[LeafType, ...]
    start: date | None
    end: date | None
    bounds: Bounds
    place: str
    text: str
    missing_is_no: str | None = None


class Constraint(Struct, frozen=True):
    """What must be true: slots to avoid, limits to keep, or lines that must hold."""

    kind: Literal[
        "avoid", "avoid_together", "dose_in_24h", "single_dose", "dose_interval", "days_of_use", "require", "dose_ranges"
    ]  # fmt: skip
    slots: tuple[str, ...]
    limits: tuple[Limit, ...]
    lines: tuple[LeafType, ...]
    place: str
    text: str


class DoseRange(Struct, frozen=True):
    """What is right for whom: bounds on one dose, on a day, on the time between doses and on the course.

    `usual` is shown and not judged. An adjustment has the same shape and lowers the most for those it holds for.
    `in_a_row`: the days are those of a cycle, one after the other, and not how long it has been taken.
    """

    id: str
    indications: tuple[str, ...]
    routes: tuple[str, ...] | None
    forms: tuple[str, ...] | None
    who: tuple[LeafType, ...]
    single: Bounds
    day: Bounds
    interval: Bounds
    days: Bounds
    usual: str
    severity: Severity | None
    why: str
    place: str
    in_a_row: bool = False

    @property
    def has_a_least(self) -> bool:
        """Whether a dose can be too low for it: an amount or a course has a least, or the time between doses a most."""
        least = any(b.op == "at_least" for bounds in (self.single, self.day, self.days) for b in bounds)
        return least or any(b.op == "at_most" for b in self.interval)


class DoseTable(Struct, frozen=True):
    """The doses of one ingredient: ranges that are alternatives, and adjustments that each lower the most.

    `harms_low`: what too little of it does, the chief harm first; `harm_low`: the same as the card says it.
    """

    drug: str
    ranges: tuple[DoseRange, ...]
    adjust: tuple[DoseRange, ...]
    too_low: Severity
    must_know: bool
    harms_low: tuple[str, ...]
    harm_low: str
    missed_dose: str


class SeverityClause(Struct, frozen=True):
    """Under this condition the entry is this loud, because."""

    lines: tuple[LeafType, ...]
    severity: Severity
    because: str
    place: str


class Through(Struct, frozen=True):
    """The two facts that a rule follows from: who inhibits or induces a pathway, and what the affected medicine has of it.

    `slot`: what the medicine on the other side is called in the rule. `named`: those that the rule names by itself, with
    where. `does`: what the pathway does with the affected medicine; `sensitivity`: how much it depends on it, if known.
    """

    pathway: str
    side: Literal["inhibitors", "inducers"]
    slot: str
    affected: str
    does: str
    sensitivity: str | None
    named: dict[str, str]
    place: str
    evidence: tuple[Citation, ...]


class Entry(Struct, frozen=True, dict=True):
    """A judged entry: a rule, or one row of a table.

    `harms`: what goes wrong, the chief harm first; `harm`: the same as the card says it. `was`: ids that it had before.
    `through`: of a rule that two facts make, what they are. `because`: why a site made it as loud as it is. `reviewed`, `due`,
    `by_whom`: last looked at, by when again, and which licensed persons stand for it.
    """

    id: str
    title: str
    kind: str
    status: Literal["draft", "active", "retired"]
    severity: Severity
    start: date | None
    end: date | None
    reviewed: date
    condition: tuple[LeafType, ...]
    constraint: Constraint
    severity_when: tuple[SeverityClause, ...]
    do: str
    target: str | None
    advice: str
    if_unavoidable: str
    escalate: str
    mechanism: str
    why: str
    harms: tuple[str, ...]
    harm: str
    onset: str
    evidence: tuple[Citation, ...]
    tier: str | None
    tags: tuple[str, ...]
    place: str
    origin: str = ""
    decided_by: tuple[str, ...] = ()
    switched_off: str = ""
    replaced_by: str | None = None
    doses: DoseTable | None = None
    was: tuple[str, ...] = ()
    through: Through | None = None
    because: str = ""
    due: date | None = None
    by_whom: tuple[str, ...] = ()

    @cached_property
    def slots(self) -> tuple[DrugLeaf, ...]:
        """The drug lines that are bound to an entry of the medication list, in order."""
        return tuple(leaf for leaf in self.condition if isinstance(leaf, DrugLeaf) and leaf.slot)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int, bool], ...]:
        """Which two bound drugs must be the same ingredient, or must not, as positions in `slots`."""
        names = [leaf.slot for leaf in self.slots]
        return tuple(
            (names.index(leaf.slots[0]), names.index(leaf.slots[1]), leaf.same)
            for leaf in self.condition
            if isinstance(leaf, IngredientLeaf)
        )

    @cached_property
    def about_patient(self) -> tuple[LeafType, ...]:
        """The lines that do not depend on which medication is meant."""
        return tuple(leaf for leaf in self.condition if not needs_binding(leaf))

    @cached_property
    def about_medication(self) -> tuple[LeafType, ...]:
        """The other lines; those that only bind a drug stand in `slots`."""
        others = (leaf for leaf in self.condition if needs_binding(leaf) and not isinstance(leaf, IngredientLeaf))
        return tuple(leaf for leaf in others if not (isinstance(leaf, DrugLeaf) and leaf.slot))

    def in_force(self, day: date) -> bool:
        """Whether the entry is active on that day."""
        begun = self.start is None or self.start <= day
        return self.status == "active" and begun and (self.end is None or day <= self.end)
