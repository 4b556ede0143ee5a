"""What was not told of a medication, taken as usual: an entry that could not be judged, judged under an assumption.

An assumption only ever adds a violation, or makes one louder: an entry that keeps silent under it stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, groupby, islice
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from safety.judging.bounds import span_within
from safety.judging.conditions import Logic
from safety.judging.judgement import WHOLE, Judgement
from safety.judging.rules import judge
from safety.judging.sums import for_body
from safety.knowledge import library as lib
from safety.model.directions import Directions
from safety.model.quantity import Quantity
from safety.model.report import RANK
from safety.model.truth import Truth
from safety.understanding.amounts import Span
from safety.understanding.facts import Facts
from safety.understanding.meaning import WorkedOut, one_of
from safety.understanding.medications import Entry

OF_A_MEDICINE = frozenset({"route", "form", "supply", "dose", "frequency", "strength"})
"""Facts that an assumption may stand in for; facts of the patient are always asked."""
STRANGER = "medication"
"""A medicine whose name is not known: that it is none which would keep an entry from speaking is assumed, and said."""
_OF_WHAT_IS_MISSING = frozenset({"omission", "monitoring"})
"""Kinds that speak of what is not on the list: there an unknown name may be just that, and nothing is assumed of it."""
_NEVER = frozenset({"dose", "otc_limit"})
"""Kinds about the amount itself: an amount that was not told is asked for, not assumed."""
_AMOUNTS = frozenset({"dose", "strength"})
_MOST_WAYS = 24
_HIGHER = {("above", True), ("at_least", True), ("at_most", False), ("under", False)}
_SAYS = {"above": "more than", "at_least": "at least", "under": "less than", "at_most": "at most"}
_OTHERWISE = {"above": "at_most", "at_least": "under", "under": "at_least", "at_most": "above"}
_WHEN = {"day": "a day", "single": "at a time"}
_LIMITED = {"dose_in_24h": "day", "single_dose": "single"}
_ONCE = (Fraction(1), Fraction(1))


class Supposition(Struct, frozen=True):
    """One fact of one medication, as it is assumed: `value` in words, `entry` as if it had been told.

    `amounts`: for an amount, which one (`day`, `single`), of which ingredient, and how much. `usual`: whether that is how
    it is taken most often; what is not is said without interrupting.
    """

    fact: str
    value: str
    entry: Entry
    amounts: tuple[tuple[str, str, Span], ...] = ()
    usual: bool = True

    def onto(self, entry: Entry) -> Entry:
        """Another supposition of the same entry, with this one too."""
        if self.fact == STRANGER:
            return replace(entry, current=False)
        if self.fact == "route":
            return replace(entry, routes=self.entry.routes)
        if self.fact == "form":
            return replace(entry, form=self.entry.form)
        if self.fact == "supply":
            return replace(entry, supplies=self.entry.supplies)
        if self.fact == "frequency" or not self.amounts:
            return replace(entry, directions=self.entry.directions, worked_out=WorkedOut())
        known = WorkedOut()
        known.amounts.update(entry.worked_out.amounts)
        known.spans.update(entry.worked_out.spans)
        known.spans.update({(axis, drug, None): span for axis, drug, span in self.amounts})
        return replace(entry, worked_out=known)


_Set: TypeAlias = tuple[Supposition, ...]
Weighed: TypeAlias = tuple[Judgement, _Set]
"""A judgement, and what was assumed for it."""


def under_assumptions(judged: Iterable[Judgement], facts: Facts, *, steps: bool = True) -> Iterator[Weighed]:
    """Each judgement; one that waits for a fact of a medicine as it is under the usual value, if that is a violation.

    `steps`: whether judgements tell every step of them.
    """
    supposing: _Supposing | None = None
    for _, group in groupby(judged, key=lambda j: j.entry.id):
        found = list(group)
        entry = found[0].entry
        if not _waits(entry, found):
            yield from ((j, ()) for j in found)
            continue
        supposing = supposing or _Supposing(facts, steps)
        yield from supposing.weighed(entry, found)


def _waits(entry: lib.Entry, judged: Sequence[Judgement]) -> bool:
    """Whether any of the judgements of an entry hangs on a fact of a medicine."""
    if entry.doses is not None or entry.kind in _NEVER:
        return False
    supposed = _supposed_of(entry)
    return any(not supposed.isdisjoint(j.needs if j.verdict == "unknown" else j.severity_needs) for j in judged)


def _supposed_of(entry: lib.Entry) -> frozenset[str]:
    """The facts that an assumption may stand in for where this entry is judged."""
    return OF_A_MEDICINE if entry.kind in _OF_WHAT_IS_MISSING else OF_A_MEDICINE | {STRANGER}


class _Supposing:
    """The assumptions for one patient; what is usual is worked out once."""

    def __init__(self, facts: Facts, steps: bool) -> None:
        self.facts, self.steps = facts, steps
        self.usual: _Set = tuple(s for e in facts.entries if e.resolved for s in _usual(e, facts.library))
        self._with_usual = _supposed(facts, self.usual)
        strange = (e for e in facts.entries if e.current and not e.resolved)
        self.strangers: _Set = tuple(Supposition(STRANGER, "none that changes this", e) for e in strange)

    def weighed(self, entry: lib.Entry, judged: Sequence[Judgement]) -> Iterator[Weighed]:
        """The judgements of one entry, under the first assumption that makes them speak, or speak louder."""
        held = {_key(j) for j in judged if j.verdict == "violated"}
        for j in judged:
            answer = self._louder(entry, j) if j.verdict == "violated" else self._violated(entry, j, held)
            if answer is not None:
                held.add(_key(answer[0]))
            yield answer or (j, ())

    def _louder(self, entry: lib.Entry, j: Judgement) -> Weighed | None:
        if OF_A_MEDICINE.isdisjoint(j.severity_needs):
            return None
        found = self._speaks(entry, j, self._with_usual)
        if found is None or RANK[found.severity] >= RANK[j.severity]:
            return None
        return self._least(entry, j, found, self.usual)

    def _violated(self, entry: lib.Entry, j: Judgement, held: set[_Key]) -> Weighed | None:
        if _supposed_of(entry).isdisjoint(j.needs):
            return None
        for suppositions in self._ways(entry, j):
            supposed = self._with_usual if suppositions is self.usual else _supposed(self.facts, suppositions)
            found = self._speaks(entry, j, supposed)
            if found is not None and _key(found) not in held and _worth_saying(found, suppositions):
                return self._least(entry, j, found, suppositions)
        return None

    def _ways(self, entry: lib.Entry, j: Judgement) -> Iterator[_Set]:
        """The usual way first; of an interaction then each amount that breaks a cap, and each other way it is sold."""
        yield self.usual
        if STRANGER in j.needs and STRANGER in _supposed_of(entry):
            yield (*self.usual, *self.strangers)
        if entry.kind != "interaction":
            return
        if not _AMOUNTS.isdisjoint(j.needs):
            for capped in self._past_caps(entry):
                yield (*self.usual, *capped)
        if "form" in j.needs:
            for formed in self._of_form(entry):
                yield (*self.usual, formed)
        if "route" in j.needs and "contraindicated" in (entry.severity, *(c.severity for c in entry.severity_when)):
            others = tuple(self._other_routes(j))
            pairs = (two for two in combinations(others, 2) if two[0].entry.index != two[1].entry.index)
            for routed in islice(chain(((one,) for one in others), pairs), _MOST_WAYS):
                changed = {one.entry.index for one in routed}
                kept = (s for s in self.usual if s.fact != "route" or s.entry.index not in changed)
                yield (*kept, *routed)

    def _speaks(self, entry: lib.Entry, j: Judgement, facts: Facts) -> Judgement | None:
        """The violation of the same medications under assumptions, if there is one."""
        where = _where(j)
        for found in judge(entry, Logic(facts, steps=self.steps)):
            if found.verdict == "violated" and (entry.kind in WHOLE or where <= _where(found) or _where(found) <= where):
                return found
        return None

    def _least(self, entry: lib.Entry, j: Judgement, found: Judgement, suppositions: _Set) -> Weighed:
        """Only what stands between harm and no harm: each assumption without which it is the same is dropped."""
        concerned = _where(found) | _where(j)
        near = tuple(s for s in suppositions if s.entry.index in concerned)
        alone = self._speaks(entry, j, _supposed(self.facts, near)) if len(near) < len(suppositions) else None
        if alone is not None and RANK[alone.severity] <= RANK[found.severity]:
            suppositions, found = near, alone
        needed = list(suppositions)
        for one in suppositions if len(suppositions) > 1 else ():
            fewer = tuple(s for s in needed if s is not one)
            without = self._speaks(entry, j, _supposed(self.facts, fewer))
            if without is not None and RANK[without.severity] <= RANK[found.severity]:
                needed, found = list(fewer), without
        return found, tuple(needed)

    # -------------------------------------------------------------- what may be assumed beyond the usual

    def _other_routes(self, j: Judgement) -> Iterator[Supposition]:
        concerned = _where(j)
        for e in self.facts.current:
            if e.index in concerned and len(e.routes) > 1:
                usual = next((s.entry.routes for s in self.usual if s.fact == "route" and s.entry.index == e.index), ())
                for route in e.routes:
                    if (route,) != usual:
                        yield Supposition("route", route, replace(e, routes=(route,)), usual=False)

    def _of_form(self, entry: lib.Entry) -> Iterator[Supposition]:
        for leaf, _ in _drug_lines(entry.condition):
            ways = leaf.members or {}
            for e in self.facts.current:
                if e.form is None:
                    of_members = (f for d in e.drugs for way in ways.get(d, ()) for f in way.forms or ())
                    for form in dict.fromkeys((*(leaf.forms or ()), *of_members)):
                        yield Supposition("form", form, replace(e, form=form), usual=False)

    def _past_caps(self, entry: lib.Entry) -> Iterator[_Set]:
        """For each amount that the entry asks about and nobody told: one that breaks it; then two of them together."""
        found: list[Supposition] = []
        for leaf, axis, bound, inside in self._caps(entry):
            for e, drug in self._with_usual.each_current:
                if leaf.members is not None and drug in leaf.members and self._untold(e, drug, axis):
                    amount = self._past(bound, inside, drug)
                    if amount is not None:
                        op = bound.op if inside else _OTHERWISE[bound.op]
                        said = f"{_SAYS[op]} {bound.value} {_WHEN[axis]}"
                        found.append(Supposition("dose", said, e, ((axis, drug, Span(amount, amount)),)))
        yield from islice(chain(((one,) for one in found), combinations(found, 2)), _MOST_WAYS)

    def _caps(self, entry: lib.Entry) -> Iterator[tuple[lib.DrugLeaf, str, lib.Bound, bool]]:
        """Every bound of an amount: for which drug line, of a dose or a day, and whether the entry speaks inside or outside."""
        for leaf, meant in _drug_lines(entry.condition):
            for axis, bounds in (("day", leaf.daily_dose), ("single", leaf.single_dose)):
                yield from ((leaf, axis, bound, meant) for bound in bounds or ())
        axis = _LIMITED.get(entry.constraint.kind, "")
        if axis and entry.slots:
            for limit in entry.constraint.limits:
                bounds, missing = for_body(limit.bounds, self.facts)
                yield from ((entry.slots[0], axis, bound, False) for bound in bounds if not missing)

    def _untold(self, e: Entry, drug: str, axis: str) -> bool:
        span = e.day(drug, self.facts.units) if axis == "day" else e.single(drug, self.facts.units)
        return span.low is None and span.high is None and not _AMOUNTS.isdisjoint(span.why)

    def _past(self, bound: lib.Bound, inside: bool, drug: str) -> Quantity | None:
        """The nearest strength that is sold beyond a bound, but not far beyond; else half as much more, or half."""
        higher = (bound.op, inside) in _HIGHER
        wanted: Truth = inside
        units = self.facts.units
        one = bound.value
        known = self.facts.library.drug.get(drug)
        sold = sorted(v for s in (known.strengths if known else ()) if (v := units.convert(s, one.unit)) is not None)
        near = [v for v in sold if (one.value <= v <= one.value * 2 if higher else one.value / 2 <= v <= one.value)]
        for value in (*(near if higher else reversed(near)), one.value, one.value * 3 / 2 if higher else one.value / 2):
            amount = Quantity(value, one.unit)
            if span_within(amount, amount, (bound,), units) is wanted:
                return amount
        return None


def _supposed(facts: Facts, suppositions: Sequence[Supposition]) -> Facts:
    """The same patient as if what is assumed had been told."""
    changed = list(facts.entries)
    for one in suppositions:
        changed[one.entry.index] = one.onto(changed[one.entry.index])
    return facts.with_entries(tuple(changed))


def _usual(e: Entry, library: lib.Library) -> Iterator[Supposition]:
    """What is usual of one entry, of everything that was not told."""
    route = usual_route(e, library) if len(e.routes) > 1 else ""
    if route:
        yield Supposition("route", route, replace(e, routes=(route,)))
    yield from _usual_amount(e)
    d = e.directions
    if len(e.supplies) > 1 and not (_says_how_much(d) or d.strength or d.times_per_day):
        yield Supposition("supply", "otc", replace(e, supplies=("otc",)))


def _usual_amount(e: Entry) -> Iterator[Supposition]:
    """One unit where a strength is all that is told, once a day where a dose is."""
    d = e.directions
    if e.meaning.each is not None and not (_says_how_much(d) or d.number or "dose" in d.unclear):
        one = one_of(e.form)
        daily = replace(d, dose=(one, one), times_per_day=d.times_per_day or _ONCE)
        said = f"one {one.unit}" if d.times_per_day else f"one {one.unit} a day"
        yield Supposition("dose", said, replace(e, directions=daily, worked_out=WorkedOut()))
    often = d.times_per_day or d.per_day or d.steps or d.once or d.interval_hours
    if d.dose and not often and "frequency" not in d.unclear:
        once = replace(d, times_per_day=_ONCE)
        yield Supposition("frequency", "once a day", replace(e, directions=once, worked_out=WorkedOut()))


def _says_how_much(d: Directions) -> bool:
    return bool(d.dose or d.per_day or d.steps)


def usual_route(e: Entry, library: lib.Library) -> str:
    """How an entry is taken where nobody says how, of the routes that what was told allows; empty where no way is usual."""
    usual = {library.drug[d].usual_route for d in e.drugs if d in library.drug}
    only = usual.pop() if len(usual) == 1 else ""
    if only in e.routes:
        return only
    return "oral" if "oral" in e.routes else ""


def _drug_lines(lines: Iterable[lib.LeafType], meant: bool = True) -> Iterator[tuple[lib.DrugLeaf, bool]]:
    """Every drug line of a condition, wherever it stands, and whether the entry speaks if it holds (not: under "not")."""
    for line in lines:
        if isinstance(line, lib.DrugLeaf):
            yield line, meant
        elif isinstance(line, lib.AnyLeaf | lib.AllLeaf):
            yield from _drug_lines(line.lines, meant)
        elif isinstance(line, lib.NotLeaf):
            yield from _drug_lines((line.line,), not meant)


def _worth_saying(found: Judgement, suppositions: _Set) -> bool:
    """Another route than the usual one is said only where that would be contraindicated."""
    return found.severity == "contraindicated" or all(s.usual or s.fact == "form" for s in suppositions)


_Key: TypeAlias = tuple[str, ...]


def _key(j: Judgement) -> _Key:
    return tuple(sorted({b.drug for _, b in j.bound}))


def _where(j: Judgement) -> frozenset[int]:
    return frozenset(b.entry.index for b in (*(b for _, b in j.bound), *j.also, *j.beside))
