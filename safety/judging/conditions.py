"""Kleene logic over the lines of a condition: true, false, or not known and what would settle it.

This is the only place where a line gets its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, TypeAlias

from msgspec import Struct

from safety.judging.bounds import Watch, span_within
from safety.judging.equivalents import daily_equivalent
from safety.judging.intake import intake
from safety.knowledge import library as lib
from safety.labs.standing import must_repeat
from safety.model.directions import KINDS_OF_PARENTERAL, PARENTERAL, least_gap
from safety.model.patient import Told
from safety.model.quantity import Quantity, plain
from safety.model.truth import YES, Seen, Truth, all_of, any_of, joined
from safety.understanding.allergies import KnownAllergy
from safety.understanding.amounts import Span
from safety.understanding.facts import Facts
from safety.understanding.findings import KnownProcedure
from safety.understanding.kidney import Clearance, between
from safety.understanding.medications import Entry
from safety.understanding.problems import Problem
from safety.understanding.results import Result, newest_of


class Ingredient(Struct, frozen=True):
    """A drug line's entry and the ingredient of it that the line means."""

    entry: Entry
    drug: str


Binding: TypeAlias = Mapping[str, Ingredient]
Note: TypeAlias = Callable[[lib.LeafType | lib.Limit, Seen], None]

NO_BINDING: Binding = {}
DENYING = "negation"
"""The words that deny what follows them in an order."""


class Logic:
    """Judges lines for one patient. `note`, if given, is told of every line and what it came to; `watch` of every
    comparison with a number. `strict`: what is not told is not taken as no, whatever a line says. `excused`: facts that are not
    told and that a line took as no, since it was last emptied. `steps`: whether judgements tell every step of them."""

    def __init__(
        self, facts: Facts, note: Note | None = None, watch: Watch | None = None, *, strict: bool = False, steps: bool = True
    ) -> None:
        self.facts = facts
        self.strict = strict
        self.steps = steps
        self.excused: set[str] = set()
        self._excusing: dict[int, frozenset[str]] = {} if strict else facts.excusing
        self._asked: dict[int, Seen] = {} if strict else facts.judged
        self.note = note
        self.watch = watch

    def inside(self, low: Quantity | None, high: Quantity | None, bounds: lib.Bounds) -> Truth:
        """Whether an amount between `low` and `high` is inside the bounds."""
        return span_within(low, high, bounds, self.facts.units, self.watch)

    def lines(self, lines: Sequence[lib.LeafType], binding: Binding = NO_BINDING) -> Seen:
        """All the lines together; no further than is needed, but every one of them where somebody wants to be told of all."""
        if self.note is not None or self.watch is not None:
            return all_of([self.line(leaf, binding) for leaf in lines])
        if len(lines) == 1:
            return self.line(lines[0], binding)
        kept = []
        for leaf in lines:
            seen = self.line(leaf, binding)
            if seen.truth is False:
                return seen
            kept.append(seen)
        return all_of(kept)

    def line(self, leaf: lib.LeafType, binding: Binding = NO_BINDING) -> Seen:
        """One line: its truth with `if_missing` applied."""
        seen = self._judged(leaf, binding)
        if seen.truth is None and leaf.missing_is_no is not None and not self.strict and not self._told(leaf):
            self.excused.update(seen.needs)
            seen = Seen(False, (_excused, seen, leaf.missing_is_no))
        if self.note is not None:
            self.note(leaf, seen)
        return seen

    def _told(self, leaf: lib.LeafType) -> bool:
        """Whether a usable result was told of the test: what it leaves open ("<5", two that disagree) is not missing."""
        if isinstance(leaf, lib.ChangeLeaf):
            return sum(not r.unusable for r in self.facts.history.get(leaf.test, ())) > 1
        return isinstance(leaf, lib.LabLeaf) and any(not r.unusable for r in self.newest(leaf))

    def _judged(self, leaf: lib.LeafType, binding: Binding) -> Seen:
        """What a line asks, once for each patient; anew for whoever wants to be told of every step of it."""
        if not leaf.asks or self.note is not None or self.watch is not None:
            seen: Seen = _JUDGES[type(leaf)](self, leaf, binding)
            return seen
        found = self._asked.get(leaf.asks)
        if found is None:
            before, self.excused = self.excused, set()
            found = self._asked[leaf.asks] = _JUDGES[type(leaf)](self, leaf, binding)
            if self.excused:  # by a line inside
                self._excusing[leaf.asks] = frozenset(self.excused)
            self.excused |= before
        elif leaf.asks in self._excusing:
            self.excused |= self._excusing[leaf.asks]
        return found

    # -------------------------------------------------------------- groups

    def _any(self, leaf: lib.AnyLeaf, binding: Binding) -> Seen:
        judged = (self.line(line, binding) for line in leaf.lines)
        return any_of(judged if self.note is None and self.watch is None else list(judged))

    def _all(self, leaf: lib.AllLeaf, binding: Binding) -> Seen:
        return self.lines(leaf.lines, binding)

    def _not(self, leaf: lib.NotLeaf, binding: Binding) -> Seen:
        inner = self.line(leaf.line, binding)
        return Seen(None if inner.truth is None else not inner.truth, inner.telling, inner.needs)

    # -------------------------------------------------------------- drugs

    def _drug(self, leaf: lib.DrugLeaf, binding: Binding) -> Seen:
        """A drug line without a name of its own: is there such an entry? With one: the entry bound to it."""
        if leaf.slot:
            bound = binding.get(leaf.slot)
            return self.fits(leaf, bound.entry, bound.drug) if bound else Seen(False, "no such entry")
        if leaf.of:
            return self._is(leaf, binding.get(leaf.of))
        parts = [self.fits(leaf, entry, drug) for entry, drug in self.options(leaf)]
        found = any_of(parts) if parts else Seen(False, "none on the list")
        if found.truth is not False:
            return found
        if self.facts.unresolved_current:
            return Seen(None, "a medicine on the list is not recognised", ("medication",))
        if not self.facts.patient.medications_complete:
            return Seen(None, "the medication list is not complete", ("medications",))
        return found

    def _is(self, leaf: lib.DrugLeaf, bound: Ingredient | None) -> Seen:
        """Whether the entry that another line is bound to is what this line says."""
        if bound is None:
            return Seen(False, "no such entry")
        meant = bound.drug not in leaf.except_ if leaf.members is None else bound.drug in leaf.members
        return self.fits(leaf, bound.entry, bound.drug) if meant else Seen(False, bound.entry.shown)

    def options(self, leaf: lib.DrugLeaf) -> list[tuple[Entry, str]]:
        """Entries (taken now, or stopped and still in question) and the ingredient in each that the line could mean."""
        each = self.facts.each_current if leaf.or_stopped_within is None else self.facts.each_ever
        members = leaf.members
        if members is None:
            return [(e, d) for e, d in each if d not in leaf.except_]
        return [(e, d) for e, d in each if d in members]

    def fits(self, leaf: lib.DrugLeaf, entry: Entry, drug: str) -> Seen:
        """Whether an entry's ingredient is meant by a drug line in every respect: route, form, supply, amount, time."""
        ways = leaf.members.get(drug, ()) if leaf.members is not None else ()
        if entry.current and not ways and not _asks_more(leaf):
            return Seen(True, entry.shown)
        parts = []
        for part in self._respects(leaf, ways, entry, drug):
            if part.truth is False:  # what else does not fit is told only where somebody reads it
                return Seen(False, (_unfit, entry, self._respects, (leaf, ways, entry, drug)))
            parts.append(part)
        found = all_of(parts)
        return Seen(found.truth, (_fitting, entry, parts), found.needs)

    def _respects(self, leaf: lib.DrugLeaf, ways: Sequence[lib.Restriction], entry: Entry, drug: str) -> Iterator[Seen]:
        """Each respect in which a drug line asks more than which drug it is."""
        yield self._time(leaf, entry)
        if ways:
            yield any_of([_way(way.routes, way.forms, entry) for way in ways])
        if leaf.routes:
            yield self._by_route(leaf, entry, drug)
        if leaf.forms:
            yield _form(entry, leaf.forms)
        if leaf.supply:
            yield _one_of(entry.supplies, (leaf.supply,), "supply")
        if leaf.says:
            yield self._says(leaf.says, entry)
        if leaf.indications:
            yield self.purpose(leaf.indications, entry)
        if leaf.among and entry.stands_in != leaf.among:
            yield Seen(False, f"not in the {leaf.among}")
        if leaf.single_dose:
            yield self._amount(entry.single(drug, self.facts.units), leaf.single_dose, "one dose")
        if leaf.daily_dose:
            yield self._amount(entry.day(drug, self.facts.units), leaf.daily_dose, "a day")

    def _by_route(self, leaf: lib.DrugLeaf, entry: Entry, drug: str) -> Seen:
        """Whether an entry is taken by one of a line's routes. Where nothing of it is told, `if_missing` may say no; that it is
        injected, of what is swallowed as well, is something told, and into what is asked."""
        seen = _by_route(entry, leaf.routes or ())
        if seen.truth is not None or leaf.missing_is_no is None:
            return seen
        said = entry.form is not None or entry.told.route is not None  # a brand alone says nothing
        injected = said and entry.routes == (PARENTERAL,) and len(self.facts.library.drug[drug].routes) > 1
        return seen if injected else Seen(False, (_excused, seen, leaf.missing_is_no))

    def _says(self, phrases: tuple[str, ...], entry: Entry) -> Seen:
        """Whether the words that an entry was told in have one of these phrases, and do not deny it."""
        found = entry.says(phrases, frozenset(self.facts.library.language.words(DENYING)))
        return Seen(found is not None, f"told: {found}" if found else "not told so")

    def purpose(self, indications: Sequence[str], entry: Entry) -> Seen:
        """Whether an entry is taken for one of these problems, as told with it; not known where it is not told."""
        text = entry.told.indication or entry.directions.reason
        known = self.facts.terms.condition(Told(text)) if text else None
        if known is None:
            return Seen(None, "what it is for is not told", ("indication",))
        return Seen(not set(self.facts.library.condition[known[0]].is_a).isdisjoint(indications), f"for {text}")

    def way(self, routes: tuple[str, ...] | None, forms: tuple[str, ...] | None, entry: Entry) -> Seen:
        """Whether an entry is taken by one of these routes and in one of these forms (`None`: any)."""
        return _way(routes, forms, entry)

    def _time(self, leaf: lib.DrugLeaf, entry: Entry) -> Seen:
        day = self.facts.day
        if leaf.started_within is not None:
            if entry.told.since is None:
                started = Seen(True, "to be started") if entry.stands_in == "plan" else Seen(None, "start not told", ("since",))
            else:
                ago = (day - entry.told.since).days
                started = Seen(ago <= leaf.started_within, f"started {ago} days ago")
            if started.truth is not True:
                return started
        if entry.current:
            return YES
        if leaf.or_stopped_within is None:
            return Seen(False, "no longer taken")
        last = entry.told.last_taken or entry.stopped_on
        if last is None:
            return Seen(None, "stopped, day not told", ("last_taken",))
        ago = (day - last).days
        return Seen(ago <= leaf.or_stopped_within, f"stopped {ago} days ago")

    def _amount(self, span: Span, bounds: lib.Bounds, what: str) -> Seen:
        truth = self.inside(span.low, span.high, bounds)
        return Seen(truth, (_amount_told, what, span), span.why or ("dose",) if truth is None else ())

    def _apart(self, leaf: lib.ApartLeaf, binding: Binding) -> Seen:
        """Whether the doses of two medicines are told to lie far enough apart; not told, they are not known to."""
        first, second = (binding[slot].entry for slot in leaf.slots)
        gap = least_gap(first.times_of_day, second.times_of_day)
        if gap is None:
            return Seen(False, "the times of day are not told")
        return Seen(gap >= leaf.minutes, f"at least {gap // 60} h {gap % 60} min apart")

    def _ingredient(self, leaf: lib.IngredientLeaf, binding: Binding) -> Seen:
        a, b = (binding[s].drug for s in leaf.slots)
        return Seen((a == b) is leaf.same, f"{self._name(a)}, {self._name(b)}")

    def _burden(self, leaf: lib.BurdenLeaf, binding: Binding) -> Seen:
        sure: set[str] = set()
        maybe: set[str] = set()
        for entry in self.facts.current:
            for drug in entry.drugs:
                if drug in leaf.members:
                    ways = leaf.members[drug]
                    fits = any_of([_way(way.routes, way.forms, entry) for way in ways]).truth if ways else True
                    (sure if fits else maybe if fits is None else set()).add(drug)
        names = ", ".join(sorted(self._name(d) for d in sure)) or "none"
        if len(sure) >= leaf.at_least:
            return Seen(True, f"{len(sure)}: {names}")
        if len(sure | maybe) >= leaf.at_least:
            return Seen(None, f"{len(sure)} or more: {names}", ("route",))
        strangers = sum(e.current and not e.resolved for e in self.facts.entries)
        if strangers and len(sure | maybe) + strangers >= leaf.at_least:
            return Seen(None, f"{len(sure)}: {names}, and {strangers} not recognised", ("medication",))
        if not self.facts.patient.medications_complete:
            return Seen(None, f"{len(sure)}: {names}, and the list is not complete", ("medications",))
        return Seen(False, f"{len(sure)}: {names}")

    def _name(self, drug: str) -> str:
        return self.facts.library.name_of(drug)

    # -------------------------------------------------------------- the patient

    def _has(self, leaf: lib.HasLeaf, binding: Binding) -> Seen:
        wanted = frozenset(leaf.conditions)
        known = self.facts.implied if self.facts.problems is None else self.facts.problems
        listed = [p for p in known if not wanted.isdisjoint(p.kinds)]
        parts = [self._had(problem, leaf) for problem in listed]
        if leaf.family:
            parts += [Seen(True, f"{p.text} (family)") for p in self.facts.listed.family if not wanted.isdisjoint(p.kinds)]
        found = any_of(parts) if parts else Seen(False, "not on the problem list")
        if found.truth is True:
            return found
        measured = next((seen for i, seen in self.following if not wanted.isdisjoint(self.facts.library.condition[i].is_a)), None)
        if measured is not None:
            return measured
        if self.facts.problems is None:
            return Seen(None, "problem list not told", tuple(dict.fromkeys(("conditions", *found.needs))))
        if found.truth is None:
            return found
        suspected = next((p for p in self.facts.listed.suspected if not wanted.isdisjoint(p.kinds)), None)
        return found if suspected is None else Seen(None, f"{suspected.text} (suspected)", ("status",))

    def _had(self, problem: Problem, leaf: lib.HasLeaf) -> Seen:
        """Whether a problem is there at the time that a line asks about: now, ever, or in the last days."""
        if leaf.within is not None:
            return self._within(problem, leaf.within)
        if problem.active or leaf.ever:
            return Seen(True, problem.text if problem.active else f"{problem.text} (past)")
        if problem.active is None:
            return Seen(None, f"{problem.text}: present now, or past?", ("status",))
        return Seen(False, f"{problem.text} is past")

    def _within(self, problem: Problem, days: int) -> Seen:
        if problem.ago is None:
            return Seen(None, f"{problem.text}: when it was is not told", ("onset",))
        least, most = problem.ago
        if least <= days < most:
            return Seen(None, f"{problem.text}: {least} to {most} days ago", ("onset",))
        return Seen(most <= days, f"{problem.text}: {least} days ago" + ("" if most <= days else " or more"))

    @cached_property
    def following(self) -> tuple[tuple[str, Seen], ...]:
        """Conditions that a result is by itself, with the result; none of those that the problem list names has to be."""
        if not self.facts.results:
            return ()
        found = self.facts.following
        if found is None:
            self.facts.following = ()  # an inference that asks for a condition sees those that are told
            found = self.facts.following = tuple(self._measured())
        return found

    def _measured(self) -> Iterator[tuple[str, Seen]]:
        logic = Logic(self.facts)
        for inference in self.facts.terms.inferences:
            if inference.conditions:
                seen = logic.lines(inference.when)
                if seen.truth is True:
                    yield from ((i, Seen(True, f"{seen.saw} ({inference.id})")) for i in inference.conditions)

    def _lab(self, leaf: lib.LabLeaf, binding: Binding) -> Seen:
        test = self.facts.library.lab[leaf.test]
        results = (self.facts.results or {}).get(leaf.test, ())
        if not results:
            return Seen(None, f"no {test.name} told", (leaf.test,))
        latest = self.newest(leaf)
        if not latest:
            shown = max(results, key=lambda r: r.on or self.facts.day).shown
            return Seen(None, f"{shown} is older than {leaf.newest_within or leaf.any_within} days", (leaf.test,))
        if leaf.any_within is not None:
            return self._any_result(leaf, leaf.any_within)
        return _agreed([self._result(r, leaf) for r in latest])

    def _any_result(self, leaf: lib.LabLeaf, within: int) -> Seen:
        """Whether any result of so many days says so; not known where none does and one cannot be read."""
        results = (self.facts.results or {}).get(leaf.test, ())
        parts = [self._result(r, leaf) for r in results if r.on is None or (self.facts.day - r.on).days <= within]
        return min(parts, key=lambda seen: (True, None, False).index(seen.truth))

    def newest(self, leaf: lib.LabLeaf) -> list[Result]:
        """The results that count: those of the newest day, if recent enough, and those whose day is not told."""
        results = (self.facts.results or {}).get(leaf.test, ())
        days = [r.on for r in results if r.on is not None]
        newest = max(days, default=None)
        within = leaf.newest_within if leaf.newest_within is not None else leaf.any_within
        if newest is not None and within is not None and (self.facts.day - newest).days > within:
            newest = None
        return [r for r in results if r.on is None or r.on == newest]

    def missing(self, leaf: lib.LeafType) -> bool:
        """Whether a result was asked for, labs were told, and it is not among them, or only too old."""
        return isinstance(leaf, lib.LabLeaf) and self.facts.patient.labs is not None and not self.newest(leaf)

    def _result(self, result: Result, leaf: lib.LabLeaf) -> Seen:
        if result.unusable:
            return Seen(None, f"{result.shown} {result.unusable}", (leaf.test,))
        if leaf.words:
            return Seen(result.word in leaf.words if result.word else None, result.shown, () if result.word else (leaf.test,))
        unit = leaf.bounds[0].value.unit if leaf.bounds else ""
        low = Quantity(result.low, unit) if result.low is not None else None
        high = Quantity(result.high, unit) if result.high is not None else None
        truth = self.inside(low, high, leaf.bounds)
        return Seen(truth, result.shown, (leaf.test,) if truth is None else ())

    def _measured_lately(self, leaf: lib.MeasuredLeaf, binding: Binding) -> Seen:
        """Whether one of the tests was measured lately; what is toxic or critical must be measured again: it does not count."""
        named = " or ".join(self.facts.library.lab[t].name for t in leaf.tests)
        told = [(t, r) for t in leaf.tests for r in (self.facts.results or {}).get(t, ()) if not r.derived]
        recent = [(t, r) for t, r in told if r.on is None or (self.facts.day - r.on).days <= leaf.within]
        usable = [(t, r) for t, r in recent if r.fault is None]
        if usable:
            newest = max((r.on or self.facts.day for _, r in usable))
            last = [(t, r) for t, r in usable if (r.on or self.facts.day) == newest]
            again = all(must_repeat(self.facts.library.lab[t], r, self.facts) for t, r in last)
            return Seen(not again, f"{last[0][1].shown}: to be measured again" if again else last[0][1].shown)
        done = self._examined(leaf)
        if done:
            return any_of(done)
        if recent:
            return Seen(None, recent[0][1].shown, (recent[0][0],))
        if self.facts.patient.labs is None:
            return Seen(None, f"no {named} told", (leaf.tests[0],))
        if told:
            oldest = max((r.on for _, r in told if r.on is not None), default=None)
            return Seen(False, f"last {named} on {oldest}, more than {leaf.within} days ago")
        return Seen(False, f"no {named} on file")

    def _examined(self, leaf: lib.MeasuredLeaf) -> list[Seen]:
        """Examinations on the list of procedures with which a test was measured: lately, long ago, or not known when."""
        told = [p for p in self.facts.findings.procedures if p.measures in leaf.tests and p.status == "done"]
        return [Seen(self._so_lately(p, leaf.within), p.text, (leaf.tests[0],)) for p in told]

    def _so_lately(self, done: KnownProcedure, days: int) -> bool | None:
        """Whether it was done at most so many days ago; None where it is not told when, or only roughly."""
        least, most = done.between or (None, None)
        if done.on is not None:
            least = most = (self.facts.day - done.on).days
        if least is None or most is None:
            return None
        if least < 0:  # dated ahead: it is not done yet
            return False
        return True if most <= days else False if least > days else None

    def _change(self, leaf: lib.ChangeLeaf, binding: Binding) -> Seen:
        """How far the newest result lies from any one of the time before it; an earlier one without a day is of that time."""
        test = self.facts.library.lab[leaf.test]
        line = self.facts.history.get(leaf.test, ())
        told = [r for r in line if r.low is not None or r.high is not None]
        newest = newest_of(told, self.facts.day)
        if not newest or len(told) < 2:
            return Seen(None, f"no two results of {test.name} told", (leaf.test,))
        now = newest[0].on or self.facts.day
        if leaf.newest_within is not None and (self.facts.day - now).days > leaf.newest_within:
            return Seen(False, f"{newest[0].shown} is older than {leaf.newest_within} days")
        begun = binding[leaf.after].entry.told.since if leaf.after is not None and leaf.after in binding else None
        if begun is not None and now < begun:
            return Seen(False, f"{newest[0].shown}: before it was begun on {begun}")
        before = [r for r in told if r not in newest and (r.on is None or 0 <= (now - r.on).days <= leaf.within)]
        if not before:
            return Seen(False, f"no earlier result of {test.name} within {leaf.within} days")
        ordered = sorted(before, key=lambda r: (r.shown, r.on or self.facts.day))
        return all_of([any_of([_moved(leaf, r, last) for r in ordered]) for last in newest])

    def _gene(self, leaf: lib.GeneLeaf, binding: Binding) -> Seen:
        """A result that says one of the states, or another; none: not known, unless it was told that there are none at all."""
        told = [g for g in self.facts.findings.genes if g.gene == leaf.gene]
        if told:
            return _agreed([Seen(g.state in leaf.states, g.text) for g in told])
        if self.facts.patient.genes == ():
            return Seen(False, "no genetic result told")
        name = self.facts.library.gene[leaf.gene].name
        return Seen(None, f"{name} not told", (leaf.gene if self.facts.patient.genes else "genes",))

    def _procedure(self, leaf: lib.ProcedureLeaf, binding: Binding) -> Seen:
        told = [p for p in self.facts.findings.procedures if not set(leaf.procedures).isdisjoint(p.kinds)]
        if told:
            return any_of([self._when(p, leaf) for p in told])
        if self.facts.patient.procedures is None:
            return Seen(None, "procedures not told", ("procedures",))
        return Seen(False, "no such procedure told")

    def _when(self, told: KnownProcedure, leaf: lib.ProcedureLeaf) -> Seen:
        """Whether a procedure is still to come, or was done so lately as a line says."""
        ahead = told.status == "planned" and (told.on is None or told.on >= self.facts.day)
        if ahead:
            return Seen(leaf.planned, f"{told.text}: planned")
        if leaf.done_within is None:
            return Seen(False, f"{told.text}: done")
        if told.on is None and told.between is not None:
            least, most = told.between
            sure = True if most <= leaf.done_within else False if least > leaf.done_within else None
            return Seen(sure, f"{told.text}: {least} to {most} days ago", () if sure is not None else ("procedures",))
        if told.on is None:
            return Seen(None, f"{told.text}: its day is not told", ("procedures",))
        return Seen((self.facts.day - told.on).days <= leaf.done_within, f"{told.text} on {told.on}")

    def _device(self, leaf: lib.DeviceLeaf, binding: Binding) -> Seen:
        told = next((d for d in self.facts.findings.devices if not set(leaf.devices).isdisjoint(d.kinds)), None)
        if told is not None:
            return Seen(True, told.text)
        if self.facts.patient.devices is None:
            return Seen(None, "devices not told", ("devices",))
        return Seen(False, "no such device told")

    def _age(self, leaf: lib.AgeLeaf, binding: Binding) -> Seen:
        age = self.facts.age
        if age is None:
            return Seen(None, "age not told", ("age",))
        months = Quantity(age.months, "month")
        return Seen(self.inside(months, months, leaf.bounds), age.text)

    def _weight(self, leaf: lib.WeightLeaf, binding: Binding) -> Seen:
        weight = self.facts.patient.weight
        if weight is None:
            return Seen(None, "weight not told", ("weight",))
        truth = self.inside(weight, weight, leaf.bounds)
        return Seen(truth, (str, weight), () if truth is not None else ("weight",))

    def _kidney(self, leaf: lib.KidneyLeaf, binding: Binding) -> Seen:
        known = self.clearance()
        truth = self.inside(known.low, known.high, leaf.bounds) if known.low or known.high else None
        return Seen(truth, (_clearance_told, known), () if truth is not None else known.needs or ("labs",))

    def clearance(self) -> Clearance:
        """As told or worked out; else what follows from the rest, where nothing that was told may be about the kidneys."""
        if self.facts.clearance is None:
            self.facts.clearance = self._reckoned()
        return self.facts.clearance

    def _reckoned(self) -> Clearance:
        known = self.facts.kidney
        if known.low or known.high or not self.facts.kidneys_unmentioned:
            return known
        logic = Logic(self.facts)
        for inference in self.facts.terms.inferences:
            if inference.kidney:
                seen = logic.lines(inference.when)
                if seen.truth is True:
                    return between(inference.kidney, f"taken as sound: {seen.saw} ({inference.id})")
        return known

    def _sex(self, leaf: lib.SexLeaf, binding: Binding) -> Seen:
        sex = self.facts.patient.sex
        return Seen(None, "sex not told", ("sex",)) if sex is None else Seen(sex == leaf.sex, sex)

    def _pregnancy(self, leaf: lib.PregnancyLeaf, binding: Binding) -> Seen:
        pregnancy, saw = self.facts.pregnancy
        if pregnancy is None:
            inferred = self.inferred("pregnancy") if saw == "told" else None
            if inferred is None:
                return Seen(None, "pregnancy not told" if saw == "told" else saw, ("pregnancy",))
            present, saw = inferred
        else:
            present = pregnancy.present
            saw = ("pregnant" if present else "not pregnant") + ("" if saw == "told" else f" ({saw})")
        if not leaf.present or not present:
            return Seen(present is leaf.present, saw)
        if leaf.trimesters is None and not leaf.weeks:
            return Seen(True, saw)
        return self._stage(leaf, pregnancy, saw)

    def _stage(self, leaf: lib.PregnancyLeaf, pregnancy: Any, saw: str) -> Seen:
        low = high = pregnancy.weeks if pregnancy is not None else None
        if pregnancy is not None and low is None and pregnancy.trimester:
            low, high = self.facts.terms.trimesters[pregnancy.trimester]
        if low is None:
            return Seen(None, f"{saw}, week not told", ("pregnancy",))
        shown = f"pregnant, week {plain(low)}" if low == high else f"pregnant, trimester {pregnancy.trimester}"
        truth: Truth = True
        if leaf.trimesters is not None:
            weeks = [self.facts.terms.trimesters[t] for t in leaf.trimesters]
            truth = any(first <= low <= last for first, last in weeks)
        if truth and leaf.weeks:
            truth = self.inside(Quantity(low, "week"), Quantity(high or low, "week"), leaf.weeks)
        return Seen(truth, shown, () if truth is not None else ("pregnancy",))

    def _breastfeeding(self, leaf: lib.BreastfeedingLeaf, binding: Binding) -> Seen:
        told = self.facts.breastfeeding
        if told is None:
            inferred = self.inferred("breastfeeding")
            if inferred is None:
                return Seen(None, "breastfeeding not told", ("breastfeeding",))
            return Seen(inferred[0] is leaf.present, inferred[1])
        return Seen(told is leaf.present, "breastfeeding" if told else "not breastfeeding")

    def inferred(self, fact: str) -> tuple[bool, str] | None:
        """A fact that follows from others, by the inferences of the library; None if none applies."""
        known = self.facts.inferred
        if fact not in known:
            known[fact] = self._infer(fact)
        return known[fact]

    def _infer(self, fact: str) -> tuple[bool, str] | None:
        plain_logic = Logic(self.facts)
        for inference in self.facts.terms.inferences:
            value = getattr(inference, fact)
            if value is not None:
                seen = plain_logic.lines(inference.when)
                if seen.truth is True:
                    return (
                        value,
                        f"{'' if value else 'not '}{'pregnant' if fact == 'pregnancy' else fact}: {seen.saw} ({inference.id})",
                    )
        return None

    def _allergy(self, leaf: lib.AllergyLeaf, binding: Binding) -> Seen:
        allergies = self.facts.allergies
        known = (*(allergies or ()), *self.facts.listed.reactions)
        parts = [self._graded(a, leaf) for a in known if self._covers(a, leaf, binding)]
        if allergies is None and not parts:
            return Seen(None, "allergies not told", ("allergies",))
        return any_of(parts) if parts else Seen(False, "no such allergy told")

    def _covers(self, allergy: KnownAllergy, leaf: lib.AllergyLeaf, binding: Binding) -> bool:
        if leaf.slot:
            drug = binding[leaf.slot].drug
            return drug in allergy.drugs
        for target in leaf.targets:
            if allergy.target == target or target in allergy.drugs:
                return True
            group = self.facts.library.drug_class.get(target)
            if group is None or not allergy.drugs:
                continue
            shared = allergy.drugs & group.members.keys()
            # a class told by name is meant only if all of it is; of a product, any ingredient may be the culprit
            if shared and (shared == allergy.drugs or not allergy.target.startswith("class.")):
                return True
        return False

    def _graded(self, allergy: KnownAllergy, leaf: lib.AllergyLeaf) -> Seen:
        if leaf.grades is None:
            return Seen(True, allergy.text)
        if allergy.grade is None:
            return Seen(None, f"{allergy.text}: what happened is not told", ("reaction",))
        skin = allergy.grade == "severe_skin" and "severe" in leaf.grades  # of the skin is severe, too
        return Seen(skin or allergy.grade in leaf.grades, f"{allergy.text}: {allergy.grade.replace('_', ' ')}")


def in_question(facts: Facts) -> set[str] | None:
    """Every condition that the patient has, had or may have, a blood relative's and those that results are; None: not told."""
    if facts.problems is None:
        return None
    listed = (*facts.problems, *facts.listed.suspected, *facts.listed.family)
    measured = (k for i, _ in Logic(facts).following for k in facts.library.condition[i].is_a)
    return {k for p in listed for k in p.kinds} | set(measured)


def _asks_more(leaf: lib.DrugLeaf) -> bool:
    """Whether a drug line asks anything beyond which drug it is."""
    return bool(
        leaf.routes
        or leaf.forms
        or leaf.supply
        or leaf.single_dose
        or leaf.daily_dose
        or leaf.among
        or leaf.indications
        or leaf.says
        or leaf.started_within is not None
    )


def _way(routes: tuple[str, ...] | None, forms: tuple[str, ...] | None, entry: Entry) -> Seen:
    """Whether an entry is taken by one of these routes and in one of these forms (`None`: any)."""
    by_route = _by_route(entry, routes) if routes else YES
    if not forms or by_route.truth is False:
        return by_route
    by_form = _form(entry, forms)
    return all_of((by_route, by_form)) if routes else by_form


def _by_route(entry: Entry, wanted: Sequence[str]) -> Seen:
    """Whether an entry is taken by one of these routes. A parenteral one is any kind of it: into what, only the line tells."""
    kinds = KINDS_OF_PARENTERAL.intersection(wanted)
    plain = [route for route in wanted if route not in kinds]
    seen = _one_of(entry.routes, plain, "route") if plain else Seen(False, (_one_of_told, entry.routes, wanted, "route", False))
    if not kinds or PARENTERAL in plain or PARENTERAL not in entry.routes or seen.truth is True:
        return seen
    if len(entry.routes) > 1 or entry.directions.injected is None:
        return Seen(None, f"route not told ({'/'.join(entry.directions.injected or r for r in entry.routes)})", ("route",))
    inside = entry.directions.injected in kinds
    return Seen(inside, (_one_of_told, (entry.directions.injected,), wanted, "route", inside))


def _one_of(possible: Sequence[str], wanted: Sequence[str], what: str) -> Seen:
    """Whether something that may be any of `possible` is among `wanted`."""
    if len(possible) == 1:
        inside = possible[0] in wanted
        return Seen(inside, (_one_of_told, possible, wanted, what, inside))
    count = sum(p in wanted for p in possible)
    if possible and count == len(possible):
        return Seen(True, (_one_of_told, possible, wanted, what, True))
    if possible and not count:
        return Seen(False, (_one_of_told, possible, wanted, what, False))
    return Seen(None, f"{what} not told ({'/'.join(possible)})", (what,))


def _form(entry: Entry, wanted: Sequence[str]) -> Seen:
    """Whether a form is one of those wanted; `tablet` wants an extended-release tablet too, not the other way round.

    What is wanted with its route ("oral solution") is told by the form and the route ("solution", by mouth) as well.
    """
    form = entry.form
    if form is None:
        return Seen(None, "form not told", ("form",))
    if any(form == w or form.endswith(f" {w}") for w in wanted):
        return Seen(True, f"form {form}")
    by_route = [route for route in entry.routes if f"{route} {form}" in wanted]
    if by_route and len(by_route) < len(entry.routes):
        return Seen(None, f"form {form}, route not told ({'/'.join(entry.routes)})", ("route",))
    return Seen(bool(by_route), f"form {form}")


# ------------------------------------------------------------------ in words, where somebody reads it


def _excused(seen: Seen, because: str) -> str:
    return f"{seen.saw}; taken as no: {because}"


def _fitting(entry: Entry, parts: Sequence[Seen]) -> str:
    said = joined(parts)
    return f"{entry.shown}: {said}" if said else entry.shown


def _unfit(entry: Entry, respects: Callable[..., Iterable[Seen]], asked: tuple[Any, ...]) -> str:
    return _fitting(entry, [part for part in respects(*asked) if part.truth is False])


def _one_of_told(possible: Sequence[str], wanted: Sequence[str], what: str, inside: bool) -> str:
    told = f"{what} {'/'.join(possible)}"
    return told if inside else f"{told} is not {'/'.join(wanted)}"


def _amount_told(what: str, span: Span) -> str:
    return f"{what}: {span}"


def _clearance_told(known: Clearance) -> str:
    return f"clearance {known.saw}"


def _moved(leaf: lib.ChangeLeaf, before: Result, now: Result) -> Seen:
    """Whether a result moved so far from an earlier one; what both leave open ("<5") may leave that open, too."""
    (least, most), (from_low, from_high) = (now.low, now.high), (before.low, before.high)
    if leaf.up:
        sure = least is not None and from_high is not None and least >= _limit(leaf, from_high)
        may = most is None or from_low is None or most >= _limit(leaf, from_low)
    else:
        sure = most is not None and from_low is not None and most <= _limit(leaf, from_low)
        may = least is None or from_high is None or least <= _limit(leaf, from_high)
    truth: Truth = True if sure else None if may else False
    return Seen(truth, f"{before.shown}, then {now.shown}", (leaf.test,) if truth is None else ())


def _limit(leaf: lib.ChangeLeaf, start: Decimal) -> Decimal:
    """What a result must come to from `start` on to have moved so far."""
    way = 1 if leaf.up else -1
    if leaf.by is not None:
        return start + way * leaf.by
    if leaf.percent is not None:
        return start * (1 + way * leaf.percent / 100)
    assert leaf.times is not None
    return start * leaf.times if leaf.up else start / leaf.times


def _agreed(parts: Sequence[Seen]) -> Seen:
    """Several results of one day: their common answer, not known where they disagree."""
    truths = {p.truth for p in parts}
    if len(truths) == 1:
        return parts[0]
    saw = "; ".join(sorted(p.saw for p in parts))
    needs = tuple(dict.fromkeys(n for p in parts for n in p.needs))
    return Seen(None, f"results of one day disagree: {saw}", needs or ("labs",))


_JUDGES: dict[type, Any] = {
    lib.AnyLeaf: Logic._any,
    lib.AllLeaf: Logic._all,
    lib.NotLeaf: Logic._not,
    lib.DrugLeaf: Logic._drug,
    lib.IngredientLeaf: Logic._ingredient,
    lib.ApartLeaf: Logic._apart,
    lib.BurdenLeaf: Logic._burden,
    lib.HasLeaf: Logic._has,
    lib.LabLeaf: Logic._lab,
    lib.MeasuredLeaf: Logic._measured_lately,
    lib.ChangeLeaf: Logic._change,
    lib.GeneLeaf: Logic._gene,
    lib.ProcedureLeaf: Logic._procedure,
    lib.DeviceLeaf: Logic._device,
    lib.AgeLeaf: Logic._age,
    lib.WeightLeaf: Logic._weight,
    lib.KidneyLeaf: Logic._kidney,
    lib.EquivalentLeaf: lambda logic, leaf, _: daily_equivalent(leaf, logic.facts, logic.watch),
    lib.IntakeLeaf: lambda logic, leaf, _: intake(leaf, logic.facts, logic.watch),
    lib.SexLeaf: Logic._sex,
    lib.PregnancyLeaf: Logic._pregnancy,
    lib.BreastfeedingLeaf: Logic._breastfeeding,
    lib.AllergyLeaf: Logic._allergy,
}
