"""A dose table and one patient → is what is taken inside the doses in use: alternatives, adjustments, three values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.judging.bounds import Watch
from safety.judging.conditions import Ingredient, Logic
from safety.judging.judgement import WEIGHT, DoseFound, Judgement
from safety.judging.sums import added, capped, for_body, widest
from safety.knowledge import library as lib
from safety.model.quantity import Quantity
from safety.model.report import RANK, Severity, Step
from safety.model.truth import YES, Seen, Telling, all_of, any_of, in_words
from safety.understanding.amounts import Span
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry

Axis = Literal["single", "day", "interval", "days"]
AXES: tuple[Axis, ...] = ("single", "day", "interval", "days")
GROSS = 3
"""From three times the most a dose is a slip until somebody says otherwise."""
TENFOLD = 10
_SLIPS = ((1000, "unit-slip ×1000"), (10, "tenfold"))
_OFTEN = 5


_DAY = Quantity(Decimal(24), "h")
_MEASURE = {"strength", "unit"}
_HOW = ("indication", "route", "form")
"""Facts about the medicine rather than the patient: where every range that they leave open agrees, they need no asking."""


class Outcome(Struct, frozen=True):
    """One range held against what is taken."""

    range: lib.DoseRange
    truth: bool | None
    """Whether the range is meant for this patient."""
    word: Literal["ok", "high", "low", "unknown"]
    found: DoseFound | None = None
    needs: tuple[str, ...] = ()
    who_needs: tuple[str, ...] = ()
    saw: Telling = ""
    ratio: Decimal = Decimal(0)
    days_untold: bool = False
    """Right only for a short course, and nobody told how long."""
    counts: bool = False
    """The range counts puffs, drops or patches."""


class _Group:
    """Entries whose amounts add up: a cream and a tablet of one drug are two groups, two kinds of tablet are one."""

    __slots__ = ("_taken", "adjust", "entries", "ranges")

    def __init__(self, ranges: tuple[lib.DoseRange, ...], adjust: tuple[lib.DoseRange, ...], entries: tuple[Entry, ...]) -> None:
        self.ranges, self.adjust, self.entries = ranges, adjust, entries
        self._taken: dict[tuple[str, str, str], Span] = {}

    def taken(self, axis: Axis, bound: lib.Bound, drug: str, facts: Facts) -> Span:
        """What is taken in the measure of a bound; ranges ask the same again and again, so it is worked out once."""
        measure = (axis, bound.op, bound.value.unit)
        if axis == "interval":  # a bound under a day is held against doses taken evenly
            return _taken(axis, bound, self.entries, drug, facts)
        found = self._taken.get(measure)
        if found is None:
            found = self._taken[measure] = _taken(axis, bound, self.entries, drug, facts)
        return found


def judge_doses(entry: lib.Entry, logic: Logic) -> list[Judgement]:
    """Every dose of the table's drug that leaves its range, or cannot be judged; empty if all are right."""
    return [j for j in _judgements(entry, logic) if j.verdict in ("violated", "unknown")]


def explain_doses(entry: lib.Entry, facts: Facts, watch: Watch | None = None) -> Judgement:
    """The weightiest judgement of a dose table with its whole trace."""
    found = list(_judgements(entry, Logic(facts, watch=watch), always=True))
    best = max(found, key=lambda j: WEIGHT[j.verdict], default=None)
    return best or Judgement(entry, "not_applicable", trace=tuple(_why_none(entry, facts)))


def _judgements(entry: lib.Entry, logic: Logic, *, always: bool = False) -> Iterator[Judgement]:
    """One judgement for each group; what fits is traced only where somebody asks why (`always`)."""
    assert entry.doses is not None
    for group in _groups(entry.doses, logic):
        yield _judged(entry, entry.doses, group, logic, always)


def _why_none(entry: lib.Entry, facts: Facts) -> Iterator[Step]:
    assert entry.doses is not None
    leaf = entry.slots[0]
    mine = [e for e in facts.entries if entry.doses.drug in e.drugs]
    for e in mine:
        bought = "bought, not prescribed" if e.supplies == ("otc",) else "no range for its route or form"
        yield Step(leaf.text, f"{e.shown}: {bought if e.current else 'no longer taken'}", False, leaf.place)
    if not mine:
        names = ", ".join(e.shown for e in facts.entries if e.current) or "nothing"
        yield Step(leaf.text, f"none of: {names}", False, leaf.place)


# ------------------------------------------------------------------ which entries, which ranges


def _groups(table: lib.DoseTable, logic: Logic) -> list[_Group]:
    """A dose that is given once, beside one that is taken again and again, begins it: it is judged by itself."""
    found: dict[tuple[tuple[str, ...], bool], tuple[_Ways, list[Entry]]] = {}
    mine = [e for e in logic.facts.current if table.drug in e.drugs and "prescription" in e.supplies]
    begins = len({e.directions.once for e in mine}) > 1
    for e in mine:
        ways = _ways_of(table, e, logic)
        if ways is not None:
            found.setdefault((ways.key, begins and e.directions.once), (ways, []))[1].append(e)
    return [_Group(ways.ranges, ways.adjust, tuple(entries)) for ways, entries in found.values()]


class _Ways(Struct, frozen=True):
    """The ranges and adjustments of a table that an entry's route and form leave open."""

    ranges: tuple[lib.DoseRange, ...]
    adjust: tuple[lib.DoseRange, ...]
    key: tuple[str, ...]


def _ways_of(table: lib.DoseTable, e: Entry, logic: Logic) -> _Ways | None:
    """Which ranges may be meant by the way an entry is taken; None where none is. The same for everybody, so it is kept."""
    kept = e.worked_out.kept
    if table.drug not in kept:
        ranges = [r for r in table.ranges if _route(r, e, logic).truth is not False]
        adjust = [r for r in table.adjust if _route(r, e, logic).truth is not False]
        if _unsaid(e):  # nobody writes an injection without saying so
            ranges = [r for r in ranges if _by_mouth(r)] or ranges
            adjust = [r for r in adjust if _by_mouth(r)] or adjust
        none = all(_way(r, e, logic).truth is False for r in ranges)
        key = tuple(r.id for r in (*ranges, *adjust))
        kept[table.drug] = None if none else _Ways(tuple(ranges), tuple(adjust), key)
    found: _Ways | None = kept[table.drug]
    return found


def _unsaid(e: Entry) -> bool:
    """Whether no route is told of something that may be swallowed."""
    return len(e.routes) > 1 and "oral" in e.routes


def _by_mouth(r: lib.DoseRange) -> bool:
    """Whether a range is about a dose that is swallowed."""
    return r.routes is None or "oral" in r.routes


def _way(r: lib.DoseRange, e: Entry, logic: Logic) -> Seen:
    """Whether an entry is taken by a route and in a form that the range is about."""
    return logic.way(r.routes, r.forms, e)


def _route(r: lib.DoseRange, e: Entry, logic: Logic) -> Seen:
    """Whether an entry is taken by a route that the range is about; tablets of every form add up."""
    return logic.way(r.routes, None, e) if r.routes else YES


def _for_whom(r: lib.DoseRange, group: _Group, logic: Logic) -> Seen:
    """Whether a range is meant for this patient: who, what it is for, by which way it is taken."""
    parts: list[Seen] = []
    if r.who:
        parts.append(logic.lines(r.who))
        if parts[0].truth is False:
            return parts[0]
    if r.indications:
        parts.append(_indicated(r, group, logic))
    if r.routes:
        parts += [_route(r, e, logic) for e in group.entries if not (_unsaid(e) and "oral" in r.routes)]
    if r.forms:  # where several forms are taken, the range of one of them may hold for the sum
        routes = None if r.routes and "oral" in r.routes else r.routes
        parts.append(any_of([logic.way(routes if _unsaid(e) else r.routes, r.forms, e) for e in group.entries]))
    return all_of(parts)


def _indicated(r: lib.DoseRange, group: _Group, logic: Logic) -> Seen:
    """Whether it is taken for what the range is about: as told with it, else as far as the problem list tells."""
    facts = logic.facts
    for e in group.entries:
        told = logic.purpose(r.indications, e)
        if told.truth is not None:
            return told
    every = {i for other in (*group.ranges, *group.adjust) for i in other.indications}
    listed = {k for p in facts.problems or () if p.active is not False for k in p.kinds}
    if every & listed:
        meant = not listed.isdisjoint(r.indications)
        return Seen(meant, "on the problem list" if meant else "another problem on the list is what it is for")
    return Seen(None, "what it is for is not told", ("indication",))


# ------------------------------------------------------------------ one range


def _meant(ranges: Sequence[lib.DoseRange], group: _Group, drug: str, logic: Logic, *, least: bool = True) -> list[Outcome]:
    """The ranges that are, or may be, meant for this patient, held against what is taken."""
    whom = ((r, _for_whom(r, group, logic)) for r in ranges)
    return [_outcome(r, who, group, drug, logic, least=least) for r, who in whom if who.truth is not False]


def _outcome(r: lib.DoseRange, who: Seen, group: _Group, drug: str, logic: Logic, *, least: bool = True) -> Outcome:
    """A range held against what is taken; without its `least` only whether that is too much."""
    if who.truth is False:
        return Outcome(r, False, "ok", saw=who.telling)
    held = _Held(group, drug, logic, r, least=least)
    for axis in AXES:
        bounds: lib.Bounds = getattr(r, axis)
        if bounds:
            held.hold(axis, bounds)
    high = [f for f in held.founds if f.direction == "HIGH"]
    if high:  # the axis that is furthest out decides whether it is a gross error
        worst = max(high, key=lambda f: (f.gross, bool(f.suspect)))
        counts = any(_counted(b, logic.facts) for b in (*r.single, *r.day))
        return Outcome(r, who.truth, "high", worst, (), who.needs, who.telling, held.ratio, counts=counts)
    if held.founds:
        return Outcome(r, who.truth, "low", held.founds[0], (), who.needs, who.telling)
    if held.needs:
        return Outcome(r, who.truth, "unknown", None, tuple(dict.fromkeys(held.needs)), who.needs, who.telling)
    counts = any(_counted(b, logic.facts) for b in (*r.single, *r.day))
    return Outcome(r, who.truth, "ok", None, (), who.needs, who.telling, days_untold=held.days_untold, counts=counts)


ROUNDING = "dose-rounding", "above what is reckoned"
"""The figure that says how far a dose by weight or surface may be rounded up."""


class _Held:
    """One range's bounds held against what is taken: where it leaves them, and what is missing to tell."""

    __slots__ = ("days_untold", "drug", "founds", "group", "least", "logic", "needs", "range", "ratio")

    def __init__(self, group: _Group, drug: str, logic: Logic, r: lib.DoseRange, *, least: bool = True) -> None:
        self.group, self.drug, self.logic, self.range, self.least = group, drug, logic, r, least
        self.needs: list[str] = []
        self.founds: list[DoseFound] = []
        self.ratio = Decimal(0)
        self.days_untold = False

    def hold(self, axis: Axis, told: lib.Bounds) -> None:
        """Hold one axis against its bounds."""
        bounds = told
        if axis in ("single", "day"):
            bounds, missing = for_body(told, self.logic.facts)
            if missing:
                self.needs += [*missing, *(w for b in told if not self._no_fault(axis, b) for w in self._untold(axis, b))]
                bounds = capped(told)  # above the cap, no weight can make it right
        for bound, written in zip(bounds, told if len(bounds) == len(told) else bounds, strict=True):
            if not self._no_fault(axis, bound):
                self._hold_one(axis, bound, bounds, reckoned=bound.value not in (written.value, written.cap))

    def _no_fault(self, axis: Axis, bound: lib.Bound) -> bool:
        """Whether a bound asks nothing of these directions: a single dose has no second one, as needed less in a day is right."""
        entries = self.group.entries
        if axis == "interval" and all(e.directions.once for e in entries):
            return True
        little = bound.op == ("at_most" if axis == "interval" else "at_least")
        return little and (not self.least or (axis != "single" and all(e.directions.as_needed for e in entries)))

    def _untold(self, axis: Axis, bound: lib.Bound) -> tuple[str, ...]:
        """What of the amount itself is not told, of a bound per kg or per m2 that cannot be worked out either."""
        unit = bound.value.unit.rpartition("/")[0] or bound.value.unit
        return self._missing(self._span(axis, replace(bound, value=Quantity(bound.value.value, unit))), unit)

    def _missing(self, span: Span, unit: str) -> tuple[str, ...]:
        """What is not told of an amount, or that it is told in a unit that says nothing of the bound's."""
        known = [told for told in (span.low, span.high) if told is not None]
        unlike = any(self.logic.facts.units.convert(told, unit) is None for told in known)
        return (*(span.why if len(known) < 2 else ()), *(("unit",) if unlike else ()))

    def _rounded(self, axis: Axis, bound: lib.Bound, span: Span) -> bool:
        """Whether an amount lies above a most only by what a dose by weight is rounded."""
        allowed = self.logic.facts.library.most(*ROUNDING)
        return 1 < ratio_of(axis, bound, span, self.logic) <= 1 + allowed.value / 100

    def _hold_one(self, axis: Axis, bound: lib.Bound, bounds: lib.Bounds, *, reckoned: bool) -> None:
        span = self._span(axis, bound)
        kept = self.logic.inside(span.low, span.high, (bound,))
        if kept is False and reckoned and self._rounded(axis, bound, span):
            return
        if kept is False:
            self.founds.append(left_range(axis, bound, bounds, span, self.range, self.logic))
            self.ratio = max(self.ratio, ratio_of(axis, bound, span, self.logic))
        elif kept is None and axis == "days":
            self.days_untold = not self.range.in_a_row  # no question by itself: how long is asked where the answer hangs on it
        elif kept is None:
            self.needs += self._missing(span, bound.value.unit) or ("dose",)

    def _span(self, axis: Axis, bound: lib.Bound) -> Span:
        facts = self.logic.facts
        if axis == "days" and self.range.in_a_row:
            return widest([e.days_in_a_row for e in self.group.entries], facts.units, smallest=False)
        return self.group.taken(axis, bound, self.drug, facts)


def _taken(axis: Axis, bound: lib.Bound, entries: Sequence[Entry], drug: str, facts: Facts) -> Span:
    """What is taken, in the measure of the bound: the ingredient, or puffs, drops and patches where it counts those."""
    if axis == "interval":
        often = bound.op == "at_least" and facts.units.compare(bound.value, _DAY) == -1
        between = [_evenly(e, drug, facts) if often else e.interval(drug, facts.units) for e in entries]
        return widest(between, facts.units, smallest=bound.op == "at_least")
    if axis == "days":
        return widest([e.days(facts.day) for e in entries], facts.units, smallest=False)
    unit = bound.value.unit if _counted(bound, facts) else None
    both = [(e.single(drug, facts.units, unit), e.day(drug, facts.units, unit)) for e in entries]
    if axis == "day":
        return added([_whole_day(bound, single, day) for single, day in both], facts.units)
    singles = [_one_dose(single, day) for single, day in both]
    if bound.op == "at_least" and len(entries) > 1:
        return added(singles, facts.units)
    return widest(singles, facts.units, smallest=False)


def _counted(bound: lib.Bound, facts: Facts) -> bool:
    """Whether a bound counts puffs, drops or patches rather than the ingredient in them."""
    return (facts.units.dimension(bound.value.unit) or "").startswith("count:")


def _one_dose(single: Span, day: Span) -> Span:
    """One dose: where it was not told, no more than the day's amount."""
    return Span(None, day.high, single.why) if single.high is None and day.high else single


def _whole_day(bound: lib.Bound, single: Span, day: Span) -> Span:
    """A day's amount: against a most, one dose that is told is a part of it, whatever its frequency."""
    if bound.op != "at_most" or day.low is not None or single.low is None:
        return day
    return Span(single.low, None, day.why)


def _evenly(e: Entry, drug: str, facts: Facts) -> Span:
    """The time between doses, taken as even where only their number in a day is told."""
    told = e.interval(drug, facts.units)
    return Span(told.high, told.high) if told.low is None and told.high is not None else told


def left_range(
    axis: Axis, bound: lib.Bound, bounds: lib.Bounds, span: Span, r: lib.DoseRange | lib.Limit, logic: Logic
) -> DoseFound:
    """Where an amount leaves its bounds: direction, how far, and the slip it looks like."""
    often = axis == "interval"
    high = (bound.op in ("at_most", "under")) is not often
    gross = high and not often and axis != "days" and ratio_of(axis, bound, span, logic) >= GROSS
    suspect = suspect_of(axis, bound, bounds, span, high, logic)
    name, why = (r.id, r.why) if isinstance(r, lib.DoseRange) else (r.place, "")
    return DoseFound("HIGH" if high else "LOW", axis, span, bound, name, gross, suspect, why)


def ratio_of(axis: Axis, bound: lib.Bound, span: Span, logic: Logic) -> Decimal:
    """How many times the most is taken, at the least."""
    if axis not in ("single", "day") or bound.op not in ("at_most", "under") or span.low is None or not bound.value.value:
        return Decimal(0)
    taken = logic.facts.units.convert(span.low, bound.value.unit)
    return taken / bound.value.value if taken is not None else Decimal(0)


def suspect_of(axis: Axis, bound: lib.Bound, bounds: lib.Bounds, span: Span, high: bool, logic: Logic) -> str:
    """The slip that a dose outside its range looks like: the right figure in the wrong unit, place or week."""
    end = span.low if high else span.high
    if end is None:
        return ""
    if axis == "interval" and high:
        taken = logic.facts.units.convert(end, "d")
        least = logic.facts.units.convert(bound.value, "d")
        weekly = taken is not None and least is not None and least >= _OFTEN and taken * _OFTEN <= least
        return "weekly-as-daily" if weekly else ""
    if axis not in ("single", "day"):
        return ""
    if not _far(end, bound.value, logic):
        return ""
    for factor, name in _SLIPS:
        value = end.value / factor if high else end.value * factor
        if _plausible(Quantity(value, end.unit), bound, bounds, logic):
            return name
    return ""


def _far(taken: Quantity, bound: Quantity, logic: Logic) -> bool:
    """Whether an amount is at least twice, or at most half, of the bound: nearer, it is a choice rather than a slip."""
    value = logic.facts.units.convert(taken, bound.unit)
    return value is not None and (value >= 2 * bound.value or 2 * value <= bound.value)


def _plausible(amount: Quantity, bound: lib.Bound, bounds: lib.Bounds, logic: Logic) -> bool:
    """Whether an amount would have been inside the range (without a least: at least a twentieth of the most)."""
    least = next((b.value for b in bounds if b.op == "at_least"), None)
    most = next((b.value for b in bounds if b.op in ("at_most", "under")), None)
    if least is None and most is not None:
        least = Quantity(most.value / 20, most.unit)
    if most is None and least is not None:
        most = Quantity(least.value * 10, least.unit)
    if least is None or most is None:
        return False
    below, above = logic.facts.units.compare(amount, least), logic.facts.units.compare(amount, most)
    return below is not None and above is not None and below >= 0 >= above


# ------------------------------------------------------------------ all ranges together


def _judged(entry: lib.Entry, table: lib.DoseTable, group: _Group, logic: Logic, always: bool) -> Judgement:
    applied = [_no_slip(o) for o in _meant(group.adjust, group, table.drug, logic)]
    lowered = any(o.truth for o in applied)
    base = _together(_meant(group.ranges, group, table.drug, logic, least=not lowered))
    best = _weighed(base, applied)
    bounds = [Ingredient(e, table.drug) for e in group.entries]
    told = logic.steps and (always or best is None or best.word != "ok")
    steps = tuple(_steps(entry, group, logic, best)) if told else ()
    judgement = Judgement(entry, "satisfied", ((entry.slots[0].slot or "", bounds[0]),), tuple(bounds), trace=steps)
    broken = [o for o in (base, *applied) if o is not None and o.word == "high" and (o is base or o.truth)]
    return _finished(judgement, table, best, broken)


def _no_slip(o: Outcome) -> Outcome:
    """What is too much only for these kidneys or this age was meant as it is written: no slip is suspected."""
    return replace(o, found=replace(o.found, suspect="")) if o.found and o.range.who else o


def _together(possible: Sequence[Outcome]) -> Outcome | None:
    """What alternatives come to. Those that hold for sure are regimens: one that fits is enough.

    Those that only may hold decide nothing unless they agree with the rest.
    """
    counted = any(o.counts for o in possible)  # what counts puffs says nothing of milligrams, nor the other way round
    possible = [o for o in possible if "unit" not in o.needs and not (counted and "strength" in o.needs)] or possible
    sure = [o for o in possible if o.truth]
    open_ = [o for o in possible if o.truth is None]
    if sure:
        settled = _regimens(sure)
        undecided = [o for o in open_ if o.word in ("ok", "unknown")]
        if settled.word == "ok" or not undecided:
            return settled
        needs = _each((*settled.needs, *(n for o in undecided for n in (*o.who_needs, *o.needs))))
        return Outcome(settled.range, None, "unknown", None, needs, (), settled.saw)
    if not possible:
        return None
    words = {o.word for o in possible}
    if words == {"ok"} or words == {"high"} or words == {"low"}:
        # every range that may hold says the same; too high even for the most generous of them
        chosen = min(possible, key=lambda o: o.ratio)
        unsure = [n for n in chosen.who_needs if n not in _HOW and all(n in o.who_needs for o in possible)]
        return chosen if chosen.word == "high" or not unsure else _asked(chosen, unsure)
    needs = _each(n for o in possible for n in (*o.needs, *o.who_needs))
    return Outcome(possible[0].range, None, "unknown", None, needs)


def _each(needs: Iterable[str]) -> tuple[str, ...]:
    """Each fact once, in the order in which they were met."""
    return tuple(dict.fromkeys(needs))


def _only_measured(o: Outcome) -> bool:
    """Whether a range says nothing of a dose because it counts what the dose is not told in."""
    return o.word == "unknown" and set(o.needs) <= _MEASURE


def _asked(only: Outcome, needs: Sequence[str]) -> Outcome:
    """What may hold is kept, but whether any range holds hangs on a fact, such as the age."""
    return Outcome(only.range, None, "unknown", None, tuple(needs), (), only.saw)


def _regimens(sure: Sequence[Outcome]) -> Outcome:
    """The regimen that fits; a short course fits where its length is told, or where nothing else is on offer."""
    fitting = sorted((o for o in sure if o.word == "ok"), key=lambda o: o.days_untold)
    if fitting and fitting[0].days_untold and any(o.word in ("high", "low") for o in sure):
        return Outcome(fitting[0].range, None, "unknown", None, ("days",), (), fitting[0].saw)
    if fitting:
        return fitting[0]
    # counted in puffs it is judged by puffs; what it is in micrograms need not be known then
    decided = any(o.word != "unknown" for o in sure)
    waiting = [o for o in sure if o.word == "unknown" and not (decided and _only_measured(o))]
    if waiting:
        return replace(waiting[0], needs=_each(n for o in waiting for n in o.needs))
    high, low = ([o for o in sure if o.word == word] for word in ("high", "low"))
    if low and all(o.found and o.found.axis == "interval" for o in high):
        return low[0]  # too little of a daily regimen is no weekly one taken daily
    # a weekly regimen explains a daily dose only where the amount would have been right for it
    return min(high, key=lambda o: (_only_timed(o), o.ratio)) if high else sure[0]


def _only_timed(o: Outcome) -> bool:
    return bool(o.found and o.found.axis == "interval" and not (o.range.single or o.range.day))


def _weighed(base: Outcome | None, applied: Sequence[Outcome]) -> Outcome | None:
    """The base with the adjustments: a broken one that holds decides, one that may hold asks.

    Where one holds that has a least, that one counts; where nothing says for whom the dose is, nobody's is too low.
    Everything that is not known is asked for, not only what was met first.
    """
    candidates = [base] if base is not None else []
    may = [o for o in applied if o.truth is None]
    if base is not None and base.word == "low" and any(o.word != "low" for o in may):
        needs = _each(n for o in may for n in (*o.who_needs, *o.needs))
        candidates = [Outcome(base.range, base.truth, "unknown", None, needs, (), base.saw)]
    candidates += [o for o in applied if o.truth and (o.word in ("high", "unknown") or (o.word == "low" and base is not None))]
    candidates += [
        Outcome(o.range, None, "unknown", None, _each((*o.who_needs, *o.needs)), (), o.saw)
        for o in may
        if o.word == "high" or (o.word == "unknown" and o.needs != ("unit",))
    ]
    order = {"high": 4, "unknown": 3, "low": 2, "ok": 1}
    best = max(candidates, key=lambda o: (order[o.word], bool(o.found and o.found.gross), o.ratio), default=None)
    if best is not None and best.word == "unknown":
        return replace(best, needs=_each(n for o in candidates if o.word == "unknown" for n in o.needs))
    if best is not None and best.found and base is not None and base.found and base.word == best.word == "high":
        return replace(best, found=replace(best.found, suspect=base.found.suspect))  # too much for anybody: perhaps a slip
    return best


def _finished(j: Judgement, table: lib.DoseTable, best: Outcome | None, broken: Sequence[Outcome]) -> Judgement:
    """`broken`: every limit that is surely exceeded; it is as loud as the loudest of them, whichever of them is told."""
    loud: Severity = "moderate" if table.must_know else "minor"
    if best is None:
        return replace(j, verdict="unknown", severity=loud, needs=("dose_range",), saw="no dose is held for this patient")
    if best.word == "ok":
        return replace(j, saw="inside the doses in use")
    if best.word == "unknown":
        return replace(j, verdict="unknown", severity=loud, needs=best.needs, saw=in_words(best.saw) or "dose not told")
    found = best.found
    assert found is not None
    severity: Severity = table.too_low
    if found.direction == "HIGH":
        severity = min((o.range.severity or j.entry.severity for o in (best, *broken)), key=lambda one: RANK[one])
    if found.gross and RANK[severity] > RANK["major"]:
        severity = "major"
    return replace(j, verdict="violated", severity=severity, saw=found.told, dose=found)


def _steps(entry: lib.Entry, group: _Group, logic: Logic, best: Outcome | None) -> Iterator[Step]:
    """Every range and adjustment with what it came to, also those that are not meant."""
    assert entry.doses is not None
    for kind, ranges in (("range", group.ranges), ("adjustment", group.adjust)):
        for r in ranges:
            o = _outcome(r, _for_whom(r, group, logic), group, entry.doses.drug, logic)
            result = None if o.word == "unknown" or o.truth is None else o.truth and o.word == "ok"
            yield Step(f"{kind} {o.range.id}", _in_words(o), result, o.range.place)
    kept = None if best is None or best.word == "unknown" else best.word == "ok"
    saw = "no range is meant for this patient" if best is None else best.found.told if best.found else in_words(best.saw)
    yield Step(f"must {entry.constraint.text}", saw, kept, entry.constraint.place)


def _in_words(o: Outcome) -> str:
    if o.truth is False:
        return f"not meant: {in_words(o.saw)}"
    said = ""
    if o.found:
        most = (o.found.direction == "HIGH") is not (o.found.axis == "interval")
        said = f": {o.found.told}, {'at most' if most else 'at least'} {o.found.bound}"
    word = {"ok": "fits", "high": "too high", "low": "too low", "unknown": "not known"}[o.word]
    needs = f" ({', '.join(o.needs)})" if o.needs else ""
    meant = "" if o.truth else f"; whether it is meant hangs on {', '.join(o.who_needs)}"
    return f"{word}{said}{needs}{meant}"


def without_range(table: lib.DoseTable, entry: Entry, facts: Facts) -> bool:
    """Whether no range of its drug's table is about a prescribed entry: another route or form, so its dose is not judged."""
    logic = Logic(facts)
    return "prescription" in entry.supplies and all(_way(r, entry, logic).truth is False for r in table.ranges)
