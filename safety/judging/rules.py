"""One entry of the library and one patient → verdicts: which medications, why, and what is missing where it is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from safety.judging.bounds import Watch
from safety.judging.conditions import NO_BINDING, Binding, Ingredient, Logic
from safety.judging.doses import TENFOLD, Axis, explain_doses, judge_doses, left_range, ratio_of
from safety.judging.judgement import WEIGHT, WHOLE, DoseFound, Judgement, Verdict
from safety.judging.sums import added, for_body, widest
from safety.knowledge import library as lib
from safety.model.report import RANK, Citation, Severity, Step
from safety.model.truth import NO, YES, Seen, all_of, any_of
from safety.understanding.amounts import Span
from safety.understanding.facts import Facts
from safety.understanding.medications import Entry

_AXIS: dict[str, Axis] = {"dose_in_24h": "day", "single_dose": "single", "dose_interval": "interval", "days_of_use": "days"}
_WHAT = {"dose_in_24h": "in 24 hours", "single_dose": "in one dose", "dose_interval": "between doses", "days_of_use": "of use"}


def judge(entry: lib.Entry, logic: Logic) -> list[Judgement]:
    """Every violation and every unknown of an entry, one for each set of drugs; empty if there is neither."""
    if entry.doses is not None:
        return judge_doses(entry, logic)
    shared = logic.lines(entry.about_patient)
    if shared.truth is False:
        return []
    found: dict[tuple[str, ...], Judgement] = {}
    for binding, also, fits in _bindings(entry, logic):
        weighed = _weighed(entry, logic, shared, binding, also, fits)
        if weighed.verdict in ("violated", "unknown"):
            _merge(found, weighed.judgement(entry, shared, binding, also))
    if not found:
        return []
    once = _once_each(found.values())
    whole = _as_one(once) if entry.kind in WHOLE else once
    return [_finish(j, logic.facts) if logic.steps else _counted(_loudest(j, logic.facts), logic.facts) for j in whole]


def _as_one(judged: Sequence[Judgement]) -> list[Judgement]:
    """A rule about the whole list says it once, of all its medicines; of several verdicts the weightiest."""
    if len(judged) < 2:
        return list(judged)
    best = max(judged, key=lambda j: WEIGHT[j.verdict])
    one = best
    for j in judged:
        if j is not best and j.verdict == best.verdict:
            one = replace(one.with_also(j), needs=tuple(dict.fromkeys((*one.needs, *j.needs))))
    return [one]


def explain(entry: lib.Entry, facts: Facts, watch: Watch | None = None) -> Judgement:
    """The weightiest judgement of an entry with its whole trace; for a near miss, the line that kept it silent."""
    logic = Logic(facts, watch=watch)
    if entry.doses is not None:
        return explain_doses(entry, facts, watch)
    shared = logic.lines(entry.about_patient)
    options = [
        _weighed(entry, logic, shared, binding, also, fits).judgement(entry, shared, binding, also)
        for binding, also, fits in _bindings(entry, logic)
    ]
    best = max(options, key=lambda j: WEIGHT[j.verdict], default=None)
    if best is None:
        return Judgement(entry, "not_applicable", trace=tuple(_trace_unbound(entry, facts)))
    if best.verdict in ("violated", "unknown") and not best.also:
        same = replace(best, ways=tuple(j.bound for j in options if j is not best and j.verdict == best.verdict))
        best = replace(_loudest(same, facts), also=())
    return _finish(best, facts, watch)


# ------------------------------------------------------------------ binding


_Way: TypeAlias = tuple[Binding, tuple[Ingredient, ...], Sequence[Seen]]
"""One way to bind the drug lines, what comes along with it, and how well each line fits."""


def _bindings(entry: lib.Entry, logic: Logic) -> Iterator[_Way]:
    """Each way to bind the drug lines to different entries, and how well each line fits its entry.

    A limit takes all entries of one ingredient together: the first is bound, all of them come along.
    """
    slots = entry.slots
    if not slots:
        yield NO_BINDING, (), ()
        return
    options: list[list[tuple[Ingredient, Seen]]] = []
    twice = _twice(entry, logic)
    for leaf in slots:
        meant = logic.options(leaf)
        if twice is not None:
            meant = [(e, d) for e, d in meant if d in twice]
        seen = [(e, d, logic.fits(leaf, e, d)) for e, d in meant]
        options.append([(Ingredient(e, d), fit) for e, d, fit in seen if fit.truth is not False])
        if not options[-1]:
            return
    names = [leaf.slot or "" for leaf in slots]
    if entry.constraint.limits:
        yield from _of_each_ingredient(names[0], options[0])
    elif len(slots) == 1:
        yield from (({names[0]: bound}, (), (fit,)) for bound, fit in options[0])
    else:
        yield from _combined(entry, names, options)


_Fitting: TypeAlias = tuple[Ingredient, Seen]


def _of_each_ingredient(slot: str, fitting: Sequence[_Fitting]) -> Iterator[_Way]:
    for drug in dict.fromkeys(bound.drug for bound, _ in fitting):
        same = [(bound, fit) for bound, fit in fitting if bound.drug == drug]
        best = next((bound for bound, fit in same if fit.truth), same[0][0])
        yield {slot: best}, tuple(bound for bound, _ in same), (any_of([fit for _, fit in same]),)


def _combined(entry: lib.Entry, names: Sequence[str], options: Sequence[Sequence[_Fitting]]) -> Iterator[_Way]:
    """Every choice of different entries, one for each drug line, that keeps to which must be the same ingredient."""
    pairs = entry.pairs
    for chosen in product(*options):
        if any((chosen[a][0].drug == chosen[b][0].drug) is not same for a, b, same in pairs):
            continue
        if _apart([bound for bound, _ in chosen]):
            yield {n: bound for n, (bound, _) in zip(names, chosen, strict=True)}, (), [fit for _, fit in chosen]


def _apart(chosen: Sequence[Ingredient]) -> bool:
    """Whether what fills the lines are medicines that somebody put together.

    Two lines want two entries: what one product holds was put together by its maker. Of three, one product may fill two
    by different ingredients: an ACE inhibitor with its diuretic is both, as the two tablets would be.
    """
    entries = {b.entry.index for b in chosen}
    return len(entries) == len(chosen) or (len(entries) > 1 and len({(b.entry.index, b.drug) for b in chosen}) == len(chosen) > 2)


def _twice(entry: lib.Entry, logic: Logic) -> set[str] | None:
    """For a rule about one ingredient in two entries: the ingredients that stand in two at all; None for other rules."""
    if len(entry.slots) != 2 or not any(same for _, _, same in entry.pairs):
        return None
    seen: set[str] = set()
    twice: set[str] = set()
    for e in logic.facts.entries:
        twice.update(d for d in e.drugs if d in seen)
        seen.update(e.drugs)
    return twice


def _merge(found: dict[tuple[str, ...], Judgement], new: Judgement) -> None:
    """Keep one judgement for each set of drugs: the weightiest, with all the entries that are in the same position."""
    key = tuple(sorted({b.drug for _, b in new.bound}))
    old = found.get(key)
    if old is None:
        found[key] = new
        return
    better = (WEIGHT[new.verdict], _aims_at_the_plan(new)) > (WEIGHT[old.verdict], _aims_at_the_plan(old))
    first, second = (new, old) if better else (old, new)
    if first.verdict == second.verdict:
        needs = tuple(dict.fromkeys((*first.needs, *second.needs)))
        first = replace(first.with_also(second), needs=needs)
    found[key] = first


def _aims_at_the_plan(j: Judgement) -> bool:
    """Whether what is to be done is done to a medicine that is not taken yet."""
    return any(slot == j.entry.target and b.entry.where.among == "plan" for slot, b in j.bound)


def _once_each(found: Iterable[Judgement]) -> list[Judgement]:
    """One judgement for the same medications: a product with two ingredients of a class is one problem, not two."""
    kept: dict[frozenset[int], Judgement] = {}
    judged = list(found)
    if judged and judged[0].entry.constraint.limits:
        return judged  # a limit is about one ingredient: each is a problem of its own
    for j in judged:
        entries = frozenset(b.entry.index for b in (*(b for _, b in j.bound), *j.also))
        old = kept.get(entries)
        if old is None or WEIGHT[j.verdict] > WEIGHT[old.verdict]:
            kept[entries] = j
        elif j.verdict == old.verdict:
            kept[entries] = old.with_also(j)
    return list(kept.values())


# ------------------------------------------------------------------ one binding


class _Weighed(Struct, frozen=True):
    """What one binding comes to: the verdict, whether it is meant, whether the constraint is broken, and both together."""

    verdict: Verdict
    condition: Seen
    broken: Seen = NO
    both: Seen = NO

    def judgement(self, entry: lib.Entry, shared: Seen, binding: Binding, also: tuple[Ingredient, ...]) -> Judgement:
        """The same as a judgement about these medications."""
        bound = tuple(binding.items())
        if self.verdict == "not_applicable":
            return Judgement(entry, "not_applicable", bound, also, saw=self.condition.saw)
        # taken, or together, says nothing new: what of the patient made the rule speak does
        saw = shared.saw if entry.constraint.kind in ("avoid", "avoid_together") else ""
        return Judgement(entry, self.verdict, bound, also, entry.severity, needs=self.both.needs, saw=saw or self.broken.saw)


def _weighed(
    entry: lib.Entry, logic: Logic, shared: Seen, binding: Binding, also: tuple[Ingredient, ...], fits: Sequence[Seen]
) -> _Weighed:
    """The verdict for one binding: condition and broken constraint, in three-valued logic."""
    about = entry.about_medication
    condition = all_of([*fits, shared, logic.lines(about, binding)] if about else [*fits, shared])
    if condition.truth is False:
        return _Weighed("not_applicable", condition)
    broken = _broken(entry, logic, binding, also)
    if broken.truth is False:
        return _Weighed("satisfied", condition, broken, broken)
    both = all_of([broken, condition])
    return _Weighed("violated" if both.truth else "unknown", condition, broken, both)


_TAKEN, _TOGETHER = Seen(True, "taken"), Seen(True, "together")


def _broken(entry: lib.Entry, logic: Logic, binding: Binding, also: Sequence[Ingredient]) -> Seen:
    """Whether the constraint does not hold."""
    constraint = entry.constraint
    if constraint.kind == "avoid":
        return _TAKEN
    if constraint.kind == "avoid_together":
        return _TOGETHER
    if constraint.kind == "require":
        seen = logic.lines(constraint.lines, binding)
        if seen.truth is None and all(logic.missing(leaf) for leaf in constraint.lines):
            return Seen(True, seen.telling)  # told the labs, and it is not among them: that is the finding itself
        return Seen(None if seen.truth is None else not seen.truth, seen.telling, seen.needs)
    in_force = [limit for limit in constraint.limits if _dated(limit, logic)]
    if not in_force:
        return Seen(False, "no limit in force yet")
    amount = _Total(entry, logic, also)
    return any_of([_exceeds(entry, limit, logic, amount) for limit in in_force])


def _dated(limit: lib.Limit, logic: Logic) -> bool:
    day = logic.facts.day
    return (limit.start is None or limit.start <= day) and (limit.end is None or day <= limit.end)


class _Total:
    """The amount that a limit is about, worked out when a row of it asks."""

    __slots__ = ("also", "entry", "logic", "meant", "span")

    def __init__(self, entry: lib.Entry, logic: Logic, also: Sequence[Ingredient]) -> None:
        self.entry, self.logic, self.also = entry, logic, also
        self.span: Span | None = None
        self.meant: Span | None = None

    def amount(self) -> Span:
        """How much it is."""
        if self.span is None:
            self.span = _total(self.entry, self.logic, self.also)
        return self.span

    def if_meant(self) -> Span:
        """How much it is if every entry counts of which that is not known (its route or supply is not told)."""
        if self.meant is None:
            self.meant = _total(self.entry, self.logic, self.also, doubted=False)
        return self.meant


def _exceeds(entry: lib.Entry, limit: lib.Limit, logic: Logic, total: _Total) -> Seen:
    who = logic.lines(limit.who) if limit.who else YES
    if who.truth is False:
        return Seen(False, who.telling)
    amount = total.amount()
    bounds, missing = for_body(limit.bounds, logic.facts)
    if missing:
        exceeded = Seen(None, f"{' and '.join(missing)} not told", tuple(dict.fromkeys((*missing, *amount.why))))
    else:
        truth = logic.inside(amount.low, amount.high, bounds)
        needs = amount.why if truth is None else ()
        if truth is None and (not needs or not _comparable(amount, bounds, logic)):
            needs = tuple(dict.fromkeys((*needs, "dose")))
        exceeded = Seen(None if truth is None else not truth, (_limit_told, amount, entry.constraint.kind), needs)
    if exceeded.truth is None and limit.missing_is_no and not logic.strict:
        if missing or not _past(bounds, logic, total):
            logic.excused.update(exceeded.needs)
            exceeded = Seen(False, (_kept_told, exceeded, limit.missing_is_no))
        else:  # an amount that is not told beside it would change nothing: only whether what was told counts is open
            counts = tuple(need for need in exceeded.needs if need not in total.if_meant().why)
            exceeded = Seen(None, exceeded.telling, counts or exceeded.needs)
    found = all_of([exceeded, who])
    if logic.note is not None:
        logic.note(limit, found)
    return found


def _comparable(amount: Span, bounds: lib.Bounds, logic: Logic) -> bool:
    """Whether what is known of an amount is told in a unit that says something of the bounds."""
    units = logic.facts.units
    known = [one for one in (amount.low, amount.high) if one is not None]
    return all(units.convert(one, b.value.unit) is not None for one in known for b in bounds)


def _past(bounds: lib.Bounds, logic: Logic, total: _Total) -> bool:
    """Whether what was told lies outside once it counts: then only whether it counts is open, and no row excuses that."""
    amount = total.if_meant()
    return logic.inside(amount.low, amount.high, bounds) is False


def amount_judged(j: Judgement, facts: Facts) -> Span:
    """What the limit of a judgement is about, over all the medications that it counts."""
    return _total(j.entry, Logic(facts), j.also or tuple(b for _, b in j.bound))


def _limit_told(amount: Span, kind: str) -> str:
    return f"{amount} {_WHAT[kind]}"


def _kept_told(exceeded: Seen, because: str) -> str:
    return f"{exceeded.saw}; taken as kept: {because}"


def _total(entry: lib.Entry, logic: Logic, also: Sequence[Ingredient], *, doubted: bool = True) -> Span:
    """The amount a limit is about, over every entry of the ingredient; entries that only may count raise the upper end, or
    lower the shortest time between doses (where they are `doubted`; else they count)."""
    kind = entry.constraint.kind
    facts = logic.facts
    leaf = entry.slots[0]
    spans = []
    for bound in also:
        sure = logic.fits(leaf, bound.entry, bound.drug)
        if kind == "dose_in_24h":
            span = bound.entry.day(bound.drug, facts.units)
        elif kind == "single_dose":
            span = bound.entry.single(bound.drug, facts.units)
        elif kind == "dose_interval":
            span = bound.entry.interval(bound.drug, facts.units)
        else:
            span = bound.entry.days(facts.day)
        if sure.truth is None and doubted:
            why = tuple(dict.fromkeys((*sure.needs, *span.why)))
            span = Span(span.low, None, why) if kind == "dose_interval" else Span(None, span.high, why)
        spans.append(span)
    unit = next((b.value.unit for limit in entry.constraint.limits for b in limit.bounds), "")
    return (
        added(spans, facts.units, unit) if kind == "dose_in_24h" else widest(spans, facts.units, smallest=kind == "dose_interval")
    )


def _left(entry: lib.Entry, logic: Logic, also: Sequence[Ingredient]) -> DoseFound | None:
    """How far a broken limit is exceeded: the furthest of its rows that are meant for sure."""
    axis = _AXIS.get(entry.constraint.kind)
    if axis is None:
        return None
    amount = _total(entry, logic, also)
    found: list[DoseFound] = []
    for limit in entry.constraint.limits:
        if _dated(limit, logic) and (not limit.who or logic.lines(limit.who).truth):
            bounds, missing = for_body(limit.bounds, logic.facts)
            broken = [b for b in bounds if not missing and logic.inside(amount.low, amount.high, (b,)) is False]
            found += [_of_tier(entry, left_range(axis, b, bounds, amount, limit, logic), b, amount, logic) for b in broken]
    return max(found, key=lambda f: f.gross, default=None)


def _of_tier(entry: lib.Entry, left: DoseFound, bound: lib.Bound, amount: Span, logic: Logic) -> DoseFound:
    """What a package allows lies far below what harms: of that, only ten times as much is a gross error."""
    if entry.tier != "label_limit" or not left.gross:
        return left
    return replace(left, gross=ratio_of(left.axis, bound, amount, logic) >= TENFOLD)


# ------------------------------------------------------------------ severity and trace


def _finish(j: Judgement, facts: Facts, watch: Watch | None = None) -> Judgement:
    """Add how loud it is, and the trace of every step."""
    steps: list[Step] = []
    j = _loudest(j, facts)

    def note(leaf: lib.LeafType | lib.Limit, seen: Seen) -> None:
        steps.append(Step(leaf.text, seen.saw, seen.truth, leaf.place))

    logic = Logic(facts, note, watch)
    binding = dict(j.bound)
    logic.lines(j.entry.condition, binding)
    steps += _two_facts(j.entry, binding, facts)
    if j.verdict == "not_applicable":
        return replace(j, trace=tuple(steps))
    constraint = j.entry.constraint
    if constraint.lines or constraint.limits:
        broken = _broken(j.entry, logic, binding, j.also or tuple(binding.values()))
    else:
        broken = Seen(True, ", ".join(b.entry.shown for b in binding.values()))
    kept = None if broken.truth is None else not broken.truth
    steps.append(Step(f"must {constraint.text}", broken.saw, kept, constraint.place))
    levelled = _levelled(j, logic, broken)  # asks of clauses, too, which are steps
    return replace(levelled, saw=j.saw or broken.saw, trace=tuple(steps))


def _counted(j: Judgement, facts: Facts) -> Judgement:
    """Add how loud it is, and no steps. A limit may be exceeded though something else of the rule is not known."""
    logic = Logic(facts)
    open_limit = j.verdict == "unknown" and bool(j.entry.constraint.limits)
    binding = dict(j.bound)
    return _levelled(j, logic, _broken(j.entry, logic, binding, j.also or tuple(binding.values())) if open_limit else None)


def _levelled(j: Judgement, logic: Logic, broken: Seen | None = None) -> Judgement:
    """Add how loud it is, how far a limit is exceeded, and what it is beside; `broken`: its constraint, judged again."""
    severity, because, undecided = _severity(j.entry, logic, dict(j.bound))
    needs = tuple(dict.fromkeys((*_louder(severity, undecided), *j.severity_needs)))
    limited = bool(j.entry.constraint.limits) and (j.verdict == "violated" if broken is None else broken.truth is True)
    left = _left(j.entry, Logic(logic.facts), j.also or tuple(b for _, b in j.bound)) if limited else None
    if left is not None and left.gross and RANK[severity] > RANK["major"]:
        severity, because = "major", "it is far above the limit"
    return replace(
        j, severity=severity, because=because, severity_needs=needs, dose=left, beside=_beside(j, Logic(logic.facts)),
    )  # fmt: skip


def _two_facts(entry: lib.Entry, binding: Binding, facts: Facts) -> list[Step]:
    """What a rule follows from: how strongly one of the two drugs works on a pathway, and how the other depends on it."""
    through = entry.through
    if through is None or through.affected not in binding or through.slot not in binding:
        return []
    pathway = facts.terms.library.pathway[through.pathway]
    names = {slot: facts.terms.library.name_of(binding[slot].drug) for slot in (through.slot, through.affected)}
    drug = binding[through.slot].drug
    sides = pathway.inhibitors if through.side == "inhibitors" else pathway.inducers
    strength = next((s for s, of in sides.items() if drug in of.members), None)
    steps = []
    if strength is not None:
        of = sides[strength]
        fact = f"{names[through.slot]} is a {strength} {pathway.name} {through.slot}"
        steps.append(Step(fact, _cited(of.evidence), True, of.members[drug]))
    elif drug in through.named:
        fact = f"{names[through.slot]} is named beside the {pathway.name} {through.side}"
        steps.append(Step(fact, _cited(entry.evidence), True, through.named[drug]))
    how = f", {through.sensitivity}" if through.sensitivity else ""
    fact = f"{names[through.affected]} depends on {pathway.name}, which {through.does} it{how}"
    return [*steps, Step(fact, _cited(through.evidence), True, through.place)]


def _cited(evidence: Sequence[Citation]) -> str:
    """Where a fact is read, in short."""
    return "; ".join(f"{c.source}, {c.at} ({c.checked})" if c.at else f"{c.source} ({c.checked})" for c in evidence)


def _beside(j: Judgement, logic: Logic) -> tuple[Ingredient, ...]:
    """The other medicines of an interaction that is a dose limit: without them the reader would see only one of the two."""
    if j.entry.kind != "interaction" or not j.entry.constraint.limits:
        return ()
    limited = {b.entry.index for b in (*(b for _, b in j.bound), *j.also)}
    others = (leaf for leaf in j.entry.about_patient if isinstance(leaf, lib.DrugLeaf))
    meant = ((leaf, e, d) for leaf in others for e, d in logic.options(leaf) if e.index not in limited)
    return tuple(Ingredient(e, d) for leaf, e, d in meant if logic.fits(leaf, e, d).truth is not False)


def _loudest(j: Judgement, facts: Facts) -> Judgement:
    """Of all the bindings gathered in a judgement the one whose level is the worst; of equals the one that was kept.

    So a clause softens only where it holds for every one of them, and what could make another louder is still asked.
    """
    one_by_one = bool(j.entry.constraint.limits) and len(j.also) > 1
    if not (j.ways or one_by_one):
        return j
    if not any(lib.needs_binding(leaf) for clause in j.entry.severity_when for leaf in clause.lines):
        return j
    logic = Logic(facts)
    ways = (j.bound, *(_each_counted(j, logic) if one_by_one else j.ways))
    judged = [_severity(j.entry, logic, dict(way)) for way in ways]
    best = min(range(len(ways)), key=lambda n: RANK[judged[n][0]])
    needs = _louder(judged[best][0], [u for _, _, undecided in judged for u in undecided])
    if not best:
        return replace(j, ways=(), severity_needs=needs)
    # what was seen of a constraint with lines was seen of the binding that was kept
    saw = "" if j.entry.constraint.lines else j.saw
    also = j.also if one_by_one else (*(b for _, b in j.bound), *j.also)
    return replace(j, bound=ways[best], also=also, ways=(), saw=saw, severity_needs=needs)


def _each_counted(j: Judgement, logic: Logic) -> tuple[tuple[tuple[str, Ingredient], ...], ...]:
    """Each of the entries that a limit counts for sure, bound by itself."""
    leaf, slot = j.entry.slots[0], j.bound[0][0]
    return tuple(((slot, b),) for b in j.also if logic.fits(leaf, b.entry, b.drug).truth)


_Undecided: TypeAlias = list[tuple[Severity, tuple[str, ...]]]


def _louder(severity: Severity, undecided: _Undecided) -> tuple[str, ...]:
    """What is missing to know whether it is louder than this."""
    return tuple(dict.fromkeys(n for loudness, needs in undecided if RANK[loudness] < RANK[severity] for n in needs))


def _severity(entry: lib.Entry, logic: Logic, binding: Binding) -> tuple[Severity, str, _Undecided]:
    """The first clause that holds decides; what an undecided louder clause would need is told, not assumed."""
    undecided: _Undecided = []
    for clause in entry.severity_when:
        seen = logic.lines(clause.lines, binding)
        if seen.truth is True:
            return clause.severity, clause.because, undecided
        if seen.truth is None:
            undecided.append((clause.severity, seen.needs))
    return entry.severity, entry.because, undecided


def _trace_unbound(entry: lib.Entry, facts: Facts) -> Iterator[Step]:
    """Why no medication could be bound: for each drug line, the entries that come nearest and what kept them out."""
    logic = Logic(facts)
    for leaf in entry.condition:
        if not (isinstance(leaf, lib.DrugLeaf) and leaf.slot):
            if not lib.needs_binding(leaf):
                seen = logic.line(leaf)
                yield Step(leaf.text, seen.saw, seen.truth, leaf.place)
            continue
        options = [logic.fits(leaf, e, d) for e, d in _near(leaf, facts)]
        fitting = [s for s in options if s.truth is not False]
        if fitting:
            yield Step(leaf.text, "; ".join(s.saw for s in fitting), all(s.truth for s in fitting) or None, leaf.place)
        elif options:
            yield Step(leaf.text, "; ".join(s.saw for s in options), False, leaf.place)
        else:
            names = ", ".join(e.shown for e in facts.entries if e.current) or "nothing"
            yield Step(leaf.text, f"none of: {names}", False, leaf.place)


def _near(leaf: lib.DrugLeaf, facts: Facts) -> list[tuple[Entry, str]]:
    return [(e, d) for e in facts.entries if e.resolved for d in e.drugs if leaf.members is None or d in leaf.members]
