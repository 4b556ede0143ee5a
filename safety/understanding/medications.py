"""A medication as told, understood: which drugs, by which routes, how much, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import Directions, DosingStep, Window
from safety.model.patient import Case, Medication
from safety.model.position import ListName, Position
from safety.model.quantity import Quantity, Units
from safety.model.report import Subject
from safety.reading.names.resolver import NameAnswer
from safety.reading.wording import key_of
from safety.text import printable
from safety.understanding.amounts import Amounts, Body, Contents, InUnits, Span, amounts_of
from safety.understanding.lines import Mixed, apart, taken_together
from safety.understanding.meaning import Meaning, MeaningOf, WorkedOut

_END = ""
"""Stands after each part of an order, so that no phrase reaches from one into the next."""
_DENIED_WITHIN = 4
"""How many words before a phrase may deny it: "do not give by iv push"."""


def _closest(steps: Sequence[Entry], drug: str, units: Units) -> Span:
    """The shortest time between doses over the steps of a taper."""
    spans = [step.interval(drug, units) for step in steps]
    known = [s.high for s in spans if s.high is not None]
    if len(known) < len(spans):
        return Span(None, None, ("frequency",))
    least = min(known, key=lambda q: units.convert(q, "h") or Decimal(0))
    return Span(least if all(s.low is not None for s in spans) else None, least, spans[0].why)


class Entry(Struct, frozen=True, dict=True):
    """One entry of the medication list or the plan, as it was understood, for one patient on one day.

    `routes`, `supplies`: every one that is possible, given what was told.
    """

    index: int
    where: Position
    told: Medication
    meaning: Meaning
    answer: NameAnswer
    drugs: tuple[str, ...]
    directions: Directions
    routes: tuple[str, ...]
    form: str | None
    supplies: tuple[str, ...]
    current: bool
    stopped_on: date | None
    body: Body | None = None
    worked_out: WorkedOut = WorkedOut()
    """What was worked out before; what does not depend on the body is kept with the line, for everybody."""
    beside: bool = False
    """Named as taken beside a condition of the problem list, and on no list of medicines: it is asked whether it is."""
    goes_on: bool = False
    """A line of the plan that takes up a medicine of the list ("continue metformin 1000 mg bid"): nothing begins with it."""

    @property
    def stands_in(self) -> ListName:
        """The list that it counts as standing in: what a plan goes on with is taken already."""
        return "medications" if self.goes_on else self.where.among

    @property
    def times_of_day(self) -> tuple[Window, ...]:
        """When each dose of a day is taken, if every one of them is told; as needed, none is."""
        return () if self.directions.as_needed else self.directions.windows or ()

    @cached_property
    def told_words(self) -> tuple[str, ...]:
        """Every word it was told in, as words are compared: its name, its directions, and what else stands in its order."""
        t = self.told
        each = (t.text, t.drug, t.strength, t.form, t.dose, t.frequency, t.route, t.sig, *t.beside)
        return tuple(word for part in each if part for word in (*key_of(part).split(), _END))

    def says(self, phrases: tuple[str, ...], denying: frozenset[str]) -> str | None:
        """The first of these phrases that it was told in, with no word that denies it among the few before.

        The same for everybody, so it is kept with the line.
        """
        kept = self.meaning.worked_out.said
        if phrases not in kept:
            kept[phrases] = next((p for p in phrases if self._says(p, denying)), None)
        return kept[phrases]

    def _says(self, phrase: str, denying: frozenset[str]) -> bool:
        wanted, told = tuple(key_of(phrase).split()), self.told_words
        places = (i for i in range(len(told)) if told[i : i + len(wanted)] == wanted)
        return any(denying.isdisjoint(told[max(0, i - _DENIED_WITHIN) : i]) for i in places)

    @property
    def resolved(self) -> bool:
        """Whether we know what it is."""
        return self.answer.status == "match"

    def subject(self, *meant: str) -> Subject:
        """How a report names this entry; `meant`: only these of its ingredients."""
        drugs = tuple(d for d in self.drugs if d in meant) if meant else self.drugs
        return Subject(self.described, drugs[0] if len(drugs) == 1 else drugs or None, self.where)

    def _amounts(self, drug: str, units: Units, counted: str | None = None) -> list[Amounts]:
        """One result for each strength it may be; worked out once. `counted`: in puffs, drops … instead of the ingredient."""
        kept = self.worked_out.amounts
        found = kept.get((drug, counted))
        if found is None:
            found = kept[drug, counted] = self._work_out(drug, units, counted)
        return found

    def _work_out(self, drug: str, units: Units, counted: str | None) -> list[Amounts]:
        if counted is not None:
            one = Quantity(Decimal(1), counted)
            return [amounts_of(self.directions, Contents(one, one), units, body=self.body)]
        several, options, directions = len(self.drugs) > 1, self.meaning.contents(drug), self.directions
        weighs = self.meaning.unit_is.get(drug)
        if weighs is not None:
            told = InUnits(weighs, units)
            options, directions = [option and told.contents(option) for option in options], told.directions(directions)
        return [amounts_of(directions, option, units, combination=several, body=self.body) for option in options]

    def single(self, drug: str, units: Units, counted: str | None = None) -> Span:
        """One dose of an ingredient, as much as the directions allow; `counted`: in puffs, drops and the like."""
        kept = self.worked_out.spans
        found = kept.get(("single", drug, counted))
        if found is None:
            told = [(a.single[1] if a.single else None, a.why_not) for a in self._amounts(drug, units, counted)]
            found = kept["single", drug, counted] = _span(told, units)
        return found

    def day(self, drug: str, units: Units, counted: str | None = None) -> Span:
        """The ingredient in 24 hours, as much as the directions allow; `counted`: in puffs, drops and the like."""
        kept = self.worked_out.spans
        found = kept.get(("day", drug, counted))
        if found is None:
            told = [(a.day[1] if a.day else None, a.why_not) for a in self._amounts(drug, units, counted)]
            found = kept["day", drug, counted] = _span(told, units)
        return found

    def interval(self, drug: str, units: Units) -> Span:
        """The shortest time between two doses.

        "Once a week" tells it; "three times a day" tells only that it is at most 8 hours; of one dose there is no second.
        """
        if self.directions.once:
            return Span(None, None, ("frequency",))
        hours = self._amounts(drug, units)[0].interval_hours
        if hours is not None:
            return Span(Quantity(hours, "h"), Quantity(hours, "h"))
        if self.directions.times_per_day is None and self.directions.steps:
            return _closest([self._step(step) for step in self.directions.steps], drug, units)
        if self.directions.times_per_day is None:
            return Span(None, None, ("frequency",))
        apart = 24 / self.directions.times_per_day[1]
        longest = Quantity(Decimal(apart.numerator) / Decimal(apart.denominator), "h")
        return Span(longest, longest) if apart >= 24 else Span(None, longest, ("frequency",))

    def _step(self, step: DosingStep) -> Entry:
        """The entry as if one step of a taper were all of it."""
        directions = replace(self.directions, steps=(), times_per_day=step.times_per_day, interval_hours=step.interval_hours)
        return replace(self, directions=directions, worked_out=WorkedOut())

    def days(self, day: date) -> Span:
        """For how many days it is, or has been, taken; counted from the first day where only that is told."""
        told = self.directions.days
        if told is None and self.directions.once:
            told = Decimal(1)
        if told is None and self.told.since is not None:
            told = Decimal(((self.told.until or day) - self.told.since).days + 1)
        return _of_days(told)

    @property
    def days_in_a_row(self) -> Span:
        """On how many days one after the other it is taken, as told: the days of a cycle, the longest of several steps, else the
        course; since when it is taken says nothing of it."""
        told = self.directions
        taken = tuple(s.days for s in told.steps if s.dose is None or s.dose[1].value)
        longest = max((d for d in taken if d is not None), default=None) if told.steps else told.days
        return _of_days(told.in_a_row if told.in_a_row is not None else longest)

    @cached_property
    def described(self) -> str:
        """The entry in the words it was told: name, and how it is taken where a record keeps that apart."""
        told = self.told
        taken = (told.directions.text if told.directions is not None else "") or told.sig
        taken = taken or ", ".join(w for w in (told.dose, told.frequency, told.route) if w)
        apart = told.drug is None and taken and taken not in told.text
        return printable(f"{told.text}: {taken}" if apart else told.text)

    @cached_property
    def shown(self) -> str:
        """The entry and where it stands, for a trace."""
        return f"{self.described} ({self.where})"


def _of_days(told: Decimal | None) -> Span:
    """So many days, or that they were not told."""
    amount = Quantity(told, "d") if told is not None else None
    return Span(amount, amount, () if amount else ("days",))


def understand(
    case: Case, meaning_of: MeaningOf, day: date, body: Body | None = None, goes_on: re.Pattern[str] | None = None
) -> tuple[tuple[Entry, ...], tuple[Mixed, ...]]:
    """Every entry of the medication list and then the plan, in order; `body` is what doses per kg or m2 count by.

    A line that tells several medicines is an entry for each, at the place of the line; what else such lines tell comes second.
    `goes_on`: words with which the plan takes up a medicine of the list ("continue", "increase"): what it then tells holds.
    """
    lists: list[tuple[ListName, Sequence[Medication]]] = [("medications", case.patient.medications), ("plan", case.plan)]
    listed: list[tuple[Position, Medication, bool]] = []
    mixed: list[Mixed] = []
    rates: dict[Position, Directions] = {}
    for among, medications in lists:
        for n, line in enumerate(medications):
            where = Position(among, n)
            each, also = apart(line, meaning_of)
            mixed += [replace(m, where=where) for m in also]
            listed += [(where, told, place > 0) for place, told in enumerate(each)]
            last = meaning_of(each[-1]).directions if len(each) > 1 else None
            if last is not None and last.times_per_day and taken_together(line, each, seldom=last.times_per_day[1] <= 1):
                rates[where] = last
    entries: list[Entry] = []
    ended, taken_up = _ended_by_the_plan(listed, meaning_of), _taken_up(listed, meaning_of, goes_on)
    for where, told, later in listed:
        m = meaning_of(told)
        current, until = _taken(told, m, day)
        if current and where.among == "medications" and m.read.drugs and set(m.read.drugs) <= ended:
            current, until = False, day
        if where.among == "medications" and frozenset(m.read.drugs) in taken_up:
            current, until = False, None
        if later and _listed_elsewhere(m, where, listed, meaning_of):
            continue
        directions = _as_often(_with_those_not_listed(m, where, listed, meaning_of), rates.get(where))
        entries.append(
            Entry(
                len(entries), where, told, m, m.read.answer, m.read.drugs, directions, m.routes, m.form,
                m.supplies, current, until, body,
                WorkedOut() if m.by_body or directions.times_per_day != m.directions.times_per_day else m.worked_out,
                goes_on=where.among == "plan" and frozenset(m.read.drugs) in taken_up,
            )
        )  # fmt: skip
    return tuple(entries), tuple(mixed)


def _ended_by_the_plan(listed: Sequence[tuple[Position, Medication, bool]], meaning_of: MeaningOf) -> frozenset[str]:
    """The medicines that a plan stops, "d/c ibuprofen", "switch from warfarin to apixaban", and does not order at once."""
    planned = [meaning_of(told) for where, told, _ in listed if where.among == "plan"]
    stopped = {drug for m in planned if m.noted.status == "stopped" and _for_good(m.directions) for drug in m.read.drugs}
    return frozenset(stopped - {drug for m in planned if m.noted.status != "stopped" for drug in m.read.drugs})


def _taken_up(
    listed: Sequence[tuple[Position, Medication, bool]], meaning_of: MeaningOf, goes_on: re.Pattern[str] | None
) -> frozenset[frozenset[str]]:
    """The medicines that a plan goes on with or changes, by an amount of its own: "continue metformin 1000 mg bid", "increase
    lisinopril to 40 mg".

    One that the list has twice is none of them, nor one that goes on otherwise than the list has it: which holds is to be asked.
    """
    if goes_on is None:
        return frozenset()
    own: dict[frozenset[str], list[Directions]] = {}
    for where, told, _ in listed:
        if where.among == "medications":
            m = meaning_of(told)
            own.setdefault(frozenset(m.read.drugs), []).append(m.directions)
    found = set()
    for where, told, _ in listed:
        begins = goes_on.match(told.text) if where.among == "plan" else None
        m = meaning_of(told)
        before = own.get(frozenset(m.read.drugs), [])
        if begins is None or len(before) != 1 or m.noted.status != "taken" or not _tells_how_much(m.directions):
            continue
        if begins["changes"] or _as_before(m.directions, before[0]):
            found.add(frozenset(m.read.drugs))
    return frozenset(found)


def _tells_how_much(d: Directions) -> bool:
    return bool(d.dose or d.per_day or d.steps)


def _as_before(now: Directions, before: Directions) -> bool:
    """Whether directions tell nothing otherwise than those before."""
    pairs = (
        (now.dose, before.dose), (now.per_day, before.per_day), (now.times_per_day, before.times_per_day),
        (now.strength, before.strength), (now.steps or None, before.steps or None), (now.route, before.route),
    )  # fmt: skip
    return all(a is None or b is None or a == b for a, b in pairs)


def _for_good(told: Directions) -> bool:
    """Whether nothing is told of when or for how long: "stop warfarin 5 days before surgery" is for a time."""
    amount = bool(told.dose or told.strength)
    return not told.unread and told.days is None and (amount or not any(c.isdigit() for c in told.text))


def _taken(told: Medication, m: Meaning, day: date) -> tuple[bool, date | None]:
    """Whether it is taken on a day, by its fields and by what its line tells; if not, the last day on which it may have been."""
    if not told.current(day):
        return False, told.until
    if m.noted.status not in ("held", "stopped"):
        return True, None
    return False, m.noted.when.latest(day) if m.noted.when is not None else None


def _listed_elsewhere(
    m: Meaning, where: Position, listed: Sequence[tuple[Position, Medication, bool]], meaning_of: MeaningOf
) -> bool:
    """Whether a line only mentions a medicine that has a line of its own ("calcium carbonate 600 mg with levothyroxine")."""
    d = m.directions
    if not m.read.drugs or d.dose or d.per_day or d.strength or d.times_per_day or d.steps:
        return False
    own = (meaning_of(told).read.drugs for at, told, later in listed if at != where and not later)
    return any(set(m.read.drugs) <= set(drugs) for drugs in own)


def _as_often(told: Directions, last: Directions | None) -> Directions:
    """The directions of a medicine with how often is told of the last of those taken together, where nothing is told of it."""
    untold = not (told.times_per_day or told.per_day or told.steps or told.once or told.as_needed or "frequency" in told.unclear)
    if last is None or last.parts_of_day or last.steps or told.dose is None or not untold:
        return told
    return replace(
        told, times_per_day=last.times_per_day, interval_hours=last.interval_hours, as_needed=last.as_needed,
        route=told.route or last.route, windows=last.windows, parts_of_day=last.parts_of_day,
    )  # fmt: skip


def _with_those_not_listed(
    m: Meaning, where: Position, listed: Sequence[tuple[Position, Medication, bool]], meaning_of: MeaningOf
) -> Directions:
    """The directions; a medicine by which a time is told ("30 min before Lasix") and that has no line of its own is unread."""
    if not m.read.timed_by:
        return m.directions
    own = [meaning_of(told).read.drugs for at, told, _ in listed if at != where]
    alone = tuple(name for name, held in m.read.timed_by if not any(set(held) <= set(drugs) for drugs in own))
    return replace(m.directions, unread=m.directions.unread + alone)


def _span(options: Sequence[tuple[Quantity | None, tuple[str, ...]]], units: Units) -> Span:
    """The lowest and highest of several possible amounts; open where one of them is not known."""
    known = [q for q, _ in options if q is not None]
    why = tuple(dict.fromkeys(w for q, reasons in options if q is None for w in reasons))
    if len(known) != len(options):
        return Span(None, None, why)
    low = high = known[0]
    for q in known[1:]:
        below, above = units.compare(q, low), units.compare(q, high)
        if below is None or above is None:
            return Span(None, None, ("unit",))
        low, high = (q if below < 0 else low), (q if above > 0 else high)
    return Span(low, high, () if low == high else ("strength",))
