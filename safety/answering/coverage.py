"""What was looked at: which kinds of check this patient makes relevant, and what is held of them, medicine by medicine."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from datetime import date
from functools import cached_property, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from safety.judging.candidates import CHECKS, Index
from safety.judging.conditions import Logic
from safety.judging.doses import without_range
from safety.knowledge import library as lib
from safety.model.patient import age_months
from safety.model.position import Position
from safety.model.quantity import Quantity
from safety.model.report import CheckState, Hole, NotCovered
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry

_BOUGHT = "otc"
_ALWAYS = frozenset({"interaction", "contraindication", "dose", "allergy", "route"})
_PREGNANT = lib.PregnancyLeaf(place="", text="", present=True)
_BREASTFEEDING = lib.BreastfeedingLeaf(place="", text="", present=True)


class Reach(Struct, frozen=True):
    """How far each of several checks can be made for a medicine as it is, or may be, taken."""

    checks: tuple[str, ...]
    states: tuple[CheckState, ...]

    def short_of(self, state: CheckState) -> list[str]:
        """The checks that are in any other state than this."""
        return [check for check, found in zip(self.checks, self.states, strict=True) if found != state]


class Stated(Struct, frozen=True):
    """What labels state for a check: whether something of it is not held in force, whether anything is, and whether one was
    read whole for it."""

    open: bool
    held: bool
    whole: bool


class Labels:
    """What the labels of each drug state; the same for everybody on a day, so the last few are remembered."""

    def __init__(self, library: lib.Library, remembered: int = 16384) -> None:
        self.library = library
        self.stated = lru_cache(remembered)(self._stated)
        self.reach: dict[Hashable, Reach] = {}
        """How far checks can be made for a medicine as it is, or may be, taken on a day."""
        self.remembered = remembered
        self.holes: dict[Hashable, Hole] = {}
        """What is not told, as a hole, once it was put into words."""

    def _figure(self, row: str) -> lib.Bounds:
        return self.library.figure("relevance", row)

    @cached_property
    def ages(self) -> tuple[lib.AgeLeaf, ...]:
        """The ages at which checks of the age matter."""
        return tuple(lib.AgeLeaf(place="", text="", bounds=in_months(self._figure(row))) for row in ("child", "older"))

    @cached_property
    def kidneys(self) -> lib.KidneyLeaf:
        """The clearance at which checks of the kidneys matter."""
        return lib.KidneyLeaf(place="", text="", bounds=self._figure("kidney"))

    def _stated(self, drug: str, supplies: tuple[str, ...], routes: tuple[str, ...], check: str, day: date) -> Stated:
        """Of the labels that were read of a drug as it is, or may be, taken: what they state for a check."""
        ledgers = [
            ledger
            for ledger in self.library.ledgers(drug)
            if ledger.supply in supplies and (not ledger.routes or set(routes) <= set(ledger.routes))
        ]
        about = [statement for ledger in ledgers for statement in ledger.about(check)]
        return Stated(
            any(s.beyond or not all(self._in_force(i, day) for i in s.held) for s in about),
            any(s.held for s in about),
            any(ledger.whole(check) for ledger in ledgers),
        )

    def _in_force(self, i: str, day: date) -> bool:
        entry = self.library.entry.get(self.library.current_id(i))
        return entry is not None and entry.in_force(day) and not entry.switched_off


class Coverage:
    """What is held for the medicines of one patient."""

    def __init__(self, facts: Facts, index: Index, labels: Labels) -> None:
        self.facts, self.index, self.library = facts, index, facts.library
        self.labels = labels
        self.relevant = frozenset(self._relevant())
        """The kinds of check that this patient makes relevant for every medicine."""
        self._each = tuple(self._reaches())

    @cached_property
    def not_covered(self) -> list[NotCovered]:
        """Each drug for which a check that matters cannot be made, or not fully, where it first stands."""
        lacks: dict[str, dict[str, None]] = {}
        holds: dict[str, dict[str, None]] = {}
        where: dict[str, Position] = {}
        for entry, drug, reach in self._each:
            where.setdefault(drug, entry.where)
            short = reach.short_of("judged")
            if short:
                lacks.setdefault(drug, {}).update(dict.fromkeys(short))
        for _, drug, reach in self._each if lacks else ():
            if drug in lacks:
                holds.setdefault(drug, {}).update(dict.fromkeys(reach.short_of("not held")))
        return [NotCovered(drug, where[drug], list(lacks[drug]), list(holds[drug])) for drug in sorted(lacks)]

    def holes(self) -> Iterator[Hole]:
        """One line for each medicine that something is not held of."""
        for item in self.not_covered:
            text = f"{self.library.name_of(item.drug)}: {', '.join(item.lacks)}"
            yield Hole("not held", item.drug, text, item.lacks, item.where)

    def states(self) -> Mapping[str, set[CheckState]]:
        """How far each kind of check can be made, over all medicines."""
        found: dict[str, set[CheckState]] = {check: set() for check in CHECKS}
        for _, _, reach in self._each:
            for check, state in zip(reach.checks, reach.states, strict=True):
                found[check].add(state)
        return {check: states for check, states in found.items() if states}

    # -------------------------------------------------------------- which checks matter

    def _relevant(self) -> Iterator[str]:
        """What cannot be said not to matter, because it is not told, matters."""
        facts = self.facts
        logic = Logic(facts)
        yield from _ALWAYS
        if len(facts.each_current) > 1:
            yield "duplicate"
        if logic.line(_PREGNANT).truth is not False:
            yield "pregnancy"
        if logic.line(_BREASTFEEDING).truth is not False:
            yield "lactation"
        if any(logic.line(band).truth is not False for band in self.labels.ages):
            yield "age"
        if logic.line(self.labels.kidneys).truth is not False:
            yield "kidney"
        if self._liver():
            yield "liver"

    def _liver(self) -> bool:
        problems = self.facts.problems
        if problems is None:
            return True
        may_have = (*(p for p in problems if p.active is not False), *self.facts.listed.suspected)
        return any(self.library.condition[k].liver for p in may_have for k in p.kinds)

    # -------------------------------------------------------------- what is held

    def _reaches(self) -> Iterator[tuple[Entry, str, Reach]]:
        of_all = tuple(check for check in CHECKS if check in self.relevant)
        for entry in self.facts.current:
            if entry.where.among not in ("medications", "plan"):
                continue  # what rules say of it is judged; a vaccine has no dose or route to choose
            bought = entry.supplies == ("otc",) and _BOUGHT not in self.relevant
            checks = tuple(check for check in CHECKS if check in self.relevant or check == _BOUGHT) if bought else of_all
            for drug in entry.drugs:
                yield entry, drug, self._reach(entry, drug, checks)

    def _reach(self, entry: Entry, drug: str, checks: tuple[str, ...]) -> Reach:
        """How far each check can be made: the same for everybody who takes it so, and kept."""
        kept = self.labels.reach
        taken = drug, entry.supplies, entry.routes, entry.form, entry.directions.injected, checks, self.facts.day
        found = kept.get(taken)
        if found is None:
            named = {*self.index.holds(drug), *self.index.of_any}
            if len(kept) > self.labels.remembered:
                kept.clear()
            states = tuple(self._state(entry, drug, check, check in named) for check in checks)
            found = kept[taken] = Reach(checks, states)
        return found

    def _state(self, entry: Entry, drug: str, check: str, named: bool) -> CheckState:
        """How far a check can be made: a label read whole, with nothing to state, vouches for it; an open statement does not."""
        if check == "route":
            named = named or self._usual_route(drug, entry)
        stated = self.labels.stated(drug, entry.supplies, entry.routes, check, self.facts.day)
        if stated.open:
            return "partly" if named or stated.held else "not held"
        if check == "dose" and self._no_range(drug, entry):
            return "not held"
        return "judged" if named or stated.whole else "not held"

    def _no_range(self, drug: str, entry: Entry) -> bool:
        """Whether the dose table of a drug says nothing of how it is taken here."""
        table = self.library.dose_table(drug)
        if "prescription" not in entry.supplies:  # a dose table judges what is prescribed
            return table is not None and not self.index.limited(drug)
        return table is not None and without_range(table, entry, self.facts)

    def _usual_route(self, drug: str, entry: Entry) -> bool:
        """Whether every route that it may be taken by is one that it is marketed for."""
        known = self.library.drug.get(drug)
        return known is not None and bool(entry.routes) and set(entry.routes) <= set(known.routes)


def in_months(bounds: lib.Bounds) -> lib.Bounds:
    """Bounds of an age, as ages are compared: in months."""
    return tuple(replace(b, value=Quantity(age_months(b.text) or b.value.value, "month")) for b in bounds)
