"""A medication as told, understood: which drugs, by which routes, how much, and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Library, Presentation, Product
from safety.model.patient import Case, Medication
from safety.model.quantity import Quantity, Units, plain
from safety.model.report import Subject
from safety.reading.directions.clock import Window, times_of_day
from safety.reading.directions.notes import Step
from safety.reading.directions.sig import Sig
from safety.reading.directions.words import HELD_IN_ONE, RELEASE
from safety.reading.names.resolver import NameAnswer, ReadName, Resolver
from safety.text import printable
from safety.understanding.amounts import Amounts, Body, Contents, amounts_of, schedule_of
from safety.understanding.routes import narrow
from safety.understanding.strengths import combined

Among = Literal["plan", "medications"]
SURE = ("exact", "brand", "salt", "known-misspelling", "code", "contains")
"""Ways of recognising a name that leave nothing to confirm before an answer may be `clear`."""


class Span(Struct, frozen=True):
    """An amount known only within limits: at least `low`, at most `high` (`None`: no telling). `why` says what is missing."""

    low: Quantity | None
    high: Quantity | None
    why: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return f"not told ({', '.join(self.why)})" if self.why else "not told"
        if self.low == self.high:
            return str(self.low)
        return f"{self.low or '?'} to {self.high or '?'}"


def _closest(steps: Sequence[Entry], drug: str, units: Units) -> Span:
    """The shortest time between doses over the steps of a taper."""
    spans = [step.interval(drug, units) for step in steps]
    known = [s.high for s in spans if s.high is not None]
    if len(known) < len(spans):
        return Span(None, None, ("frequency",))
    least = min(known, key=lambda q: units.convert(q, "h") or Decimal(0))
    return Span(least if all(s.low is not None for s in spans) else None, least, spans[0].why)


UNTOLD = Span(None, None)


class WorkedOut:
    """Amounts of one line that were worked out before, by ingredient and what they are counted in; and what others keep of it."""

    __slots__ = ("amounts", "kept", "spans")

    def __init__(self) -> None:
        self.amounts: dict[tuple[str, str | None], list[Amounts]] = {}
        self.spans: dict[tuple[str, str, str | None], Span] = {}
        self.kept: dict[str, Any] = {}


class Entry(Struct, frozen=True, dict=True):
    """One entry of the medication list or the plan, as it was understood.

    `routes`: every route it may be taken by, given what was told; `supplies`: likewise.
    """

    index: int
    where: str
    among: Among
    told: Medication
    answer: NameAnswer
    drugs: tuple[str, ...]
    product: Product | None
    strengths: tuple[Presentation, ...]
    stated: dict[str, Quantity | None]
    sig: Sig
    routes: tuple[str, ...]
    form: str | None
    supplies: tuple[str, ...]
    current: bool
    stopped_on: date | None
    body: Body | None = None
    worked_out: WorkedOut = WorkedOut()
    """What was worked out before; what does not depend on the body is kept with the line, for everybody."""

    @property
    def times_of_day(self) -> tuple[Window, ...]:
        """When each dose of a day is taken, if every one of them is told; as needed, none is."""
        told = self.told
        if told.as_needed or self.sig.as_needed or "[" in (told.drug or told.text):
            return ()  # what stands in brackets is not among the directions, and may take a time back
        shown = (told.drug, told.strength, told.form, told.dose, told.route, told.frequency, told.sig)
        beside = ""  # a line of text told beside the fields, not put together from them
        if told.drug and told.text != " ".join(filter(None, shown)):
            beside = told.text.lower().replace(told.drug.lower(), " ")
        words = (self.sig.text, beside, told.dose, told.frequency, told.sig)
        return times_of_day(tuple(filter(None, words)), self.sig.times_per_day)

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
            return [amounts_of(self.sig, Contents(one, one), units, body=self.body)]
        options: list[Contents | None] = []
        for strength in self.strengths:
            content = next((c for c in strength.contents if c.drug == drug), None)
            if content is not None:
                options.append(Contents(content.amount, strength.per) if content.amount else None)
        if not options and drug in self.stated:
            amount = self.stated[drug]
            counted = self.sig.dose[0].unit if self.sig.dose and self.sig.dose[0].unit in HELD_IN_ONE else ""
            one = Quantity(Decimal(1), counted) if counted and self.form is None else _one(self.form)
            options.append(Contents(amount, one) if amount else None)
        if not options:
            options.append(None)
        several = len(self.drugs) > 1
        return [amounts_of(self.sig, option, units, combination=several, body=self.body) for option in options]

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

        "Once a week" tells it; "three times a day" tells only that it is at most 8 hours.
        """
        hours = self._amounts(drug, units)[0].interval_hours
        if hours is not None:
            return Span(Quantity(hours, "h"), Quantity(hours, "h"))
        if self.sig.times_per_day is None and self.sig.steps:
            return _closest([self._step(step) for step in self.sig.steps], drug, units)
        if self.sig.times_per_day is None:
            return Span(None, None, ("frequency",))
        apart = 24 / self.sig.times_per_day[1]
        longest = Quantity(Decimal(apart.numerator) / Decimal(apart.denominator), "h")
        return Span(longest, longest) if apart >= 24 else Span(None, longest, ("frequency",))

    def _step(self, step: Step) -> Entry:
        """The entry as if one step of a taper were all of it."""
        sig = replace(self.sig, steps=(), times_per_day=step.times_per_day, interval_hours=step.interval_hours)
        return replace(self, sig=sig, worked_out=WorkedOut())

    def days(self, day: date) -> Span:
        """For how many days it is, or has been, taken; counted from the first day where only that is told."""
        told = self.told.days if self.told.days is not None else self.sig.days
        if told is None and self.sig.once:
            told = Decimal(1)
        if told is None and self.told.since is not None:
            told = Decimal(((self.told.until or day) - self.told.since).days + 1)
        amount = Quantity(told, "d") if told is not None else None
        return Span(amount, amount, () if amount else ("days",))

    @cached_property
    def described(self) -> str:
        """The entry in the words it was told: name, and how it is taken where a record keeps that apart."""
        told = self.told
        taken = told.sig or ", ".join(w for w in (told.dose, told.frequency, told.route) if w)
        apart = told.drug is None and taken and taken not in told.text
        return printable(f"{told.text}: {taken}" if apart else told.text)

    @cached_property
    def shown(self) -> str:
        """The entry and where it stands, for a trace."""
        return f"{self.described} ({self.where})"


class Line(Struct, frozen=True, dict=True):
    """What a medication as told means, whoever takes it and whenever."""

    read: ReadName
    strengths: tuple[Presentation, ...]
    stated: dict[str, Quantity | None]
    sig: Sig
    routes: tuple[str, ...]
    form: str | None
    supplies: tuple[str, ...]

    @cached_property
    def worked_out(self) -> WorkedOut:
        """The amounts it comes to, kept from one patient to the next: they are the same for everybody."""
        return WorkedOut()

    @cached_property
    def by_body(self) -> bool:
        """Whether a dose in it is told by body weight or surface, so that its amounts differ from one patient to the next."""
        sig = self.sig
        told = [
            *(sig.dose or ()),
            sig.per_day,
            sig.day_max,
            sig.strength,
            *(q for s in sig.steps for q in (*(s.dose or ()), s.per_day)),
        ]
        return any(q is not None and q.unit.endswith(("/kg", "/m2")) for q in told)


ReadLine = Callable[[Medication], Line]


def line_reader(library: Library, resolver: Resolver, remembered: int = 4096) -> ReadLine:
    """Reads medications with one library. The same words mean the same for everybody, so the last few are remembered."""
    return lru_cache(remembered)(lambda told: _line(told, library, resolver))


def understand(case: Case, read: ReadLine, day: date, body: Body | None = None) -> tuple[Entry, ...]:
    """Every entry of the medication list and then the plan, in order; `body` is what doses per kg or m2 count by."""
    lists: list[tuple[Among, Sequence[Medication]]] = [("medications", case.patient.medications), ("plan", case.plan)]
    entries: list[Entry] = []
    for among, medications in lists:
        for n, told in enumerate(medications):
            line = read(told)
            current = told.current(day)
            entries.append(
                Entry(
                    len(entries), f"{among}[{n}]", among, told, line.read.answer, line.read.drugs, line.read.product,
                    line.strengths, line.stated, line.sig, line.routes, line.form, line.supplies, current,
                    None if current else told.until, body, WorkedOut() if line.by_body else line.worked_out,
                )
            )  # fmt: skip
    return tuple(entries)


def _line(told: Medication, library: Library, resolver: Resolver) -> Line:
    read = resolver.read(told.drug or told.text, told.codes)
    stated: dict[str, Quantity | None] = {c.drug: c.amount for c in read.stated}
    if read.answer.status != "match" and told.contains:
        read, stated = _from_contents(read, told, resolver, library.units)
    of_each = combined(read, told.strength, library)
    named, stated = of_each.named, {**stated, **of_each.stated}
    sig = schedule_of(told, of_each.rest, library.units)
    strengths = named or (() if stated else _strengths(read.product, sig, library.units))
    if (len(named) == 1 or of_each.stated) and sig.dose is None and sig.per_day is None and sig.times_per_day and not sig.unread:
        one = named[0].per if named else _one(sig.form)
        sig = replace(sig, dose=(one, one))  # "10/40 once daily": one of that strength
    form = sig.form or told.form or (strengths[0].form if len({s.form for s in strengths}) == 1 else None)
    form = form or _released(told.drug or told.text, read, library)
    supplies = _supplies(read, told, library)
    routes = _routes(read, sig, supplies, library)
    if _release(told.drug or told.text) and "oral" in routes and sig.route is None:
        routes = ("oral",)  # XL, SR and ER are said of what is swallowed
    # what the product is decides what an amount of it means: 4 g of a gel are not 4 g of the drug
    known = replace(sig, form=sig.form or form, route=sig.route or (routes[0] if len(routes) == 1 else None))
    return Line(read, strengths, stated, known, routes, form, supplies)


def _from_contents(
    read: ReadName, told: Medication, resolver: Resolver, units: Units
) -> tuple[ReadName, dict[str, Quantity | None]]:
    """A product we do not hold, whose ingredients the caller told: all of them must be recognised."""
    stated: dict[str, Quantity | None] = {}
    guessed: list[NameAnswer] = []
    for line in told.contains:
        inner = resolver.read(line)
        if inner.answer.status != "match" or len(inner.drugs) != 1:
            return read, {}
        stated[inner.drugs[0]] = units.parse(inner.rest)
        guessed += [inner.answer] if inner.answer.via not in SURE else []
    drugs = tuple(stated)
    via = guessed[0].via if guessed else "contains"
    answer = NameAnswer(
        read.answer.heard, "match", list(drugs) if len(drugs) > 1 else drugs[0], read.answer.heard, None, via, 1.0,
        bool(guessed), [], " ".join(a.ask for a in guessed),
    )  # fmt: skip
    return ReadName(answer, drugs, None, (), read.rest), stated


_SOLID = frozenset({"tablet", "capsule", "caplet", "softgel", "gelcap", "lozenge", "gummy"})


def _strengths(product: Product | None, sig: Sig, units: Units) -> tuple[Presentation, ...]:
    """The strengths of a product that fit the amount and form told; all of them where nothing narrows them down."""
    if product is None:
        return ()
    options = product.presentations
    stated = sig.strength or (sig.dose[0] if sig.dose else None)
    if stated is not None:
        equal = tuple(p for p in options if _holds(p, stated, units))
        if not equal and sig.strength and units.dimension(sig.strength.unit) == "mass":
            return ()  # a strength that it is not sold in: what one holds is not known
        options = equal or options
    if sig.form:
        options = tuple(p for p in options if p.form == sig.form) or options
    return _measured(options, sig, units) if sig.dose else options


def _measured(options: tuple[Presentation, ...], sig: Sig, units: Units) -> tuple[Presentation, ...]:
    """Those of a product's presentations that are measured as the dose is: 30 mL is the liquid, 2 capsules are not."""
    assert sig.dose is not None
    unit = sig.dose[0].unit
    liquid = units.dimension(unit) == "volume"
    if not liquid and not any(p.per.unit == unit for p in options) and unit not in _SOLID:
        return options
    alike = tuple(p for p in options if (units.dimension(p.per.unit) == "volume") is liquid)
    return tuple(p for p in alike if p.per.unit == unit) or alike or options


def _holds(p: Presentation, stated: Quantity, units: Units) -> bool:
    """Whether a strength is meant by an amount: that of one ingredient, or of all together (mixed salts)."""
    amounts = [c.amount for c in p.contents if c.amount]
    if any(units.compare(a, stated) == 0 for a in amounts):
        return True
    whole = [units.convert(a, stated.unit) for a in amounts]
    return len(whole) > 1 and None not in whole and sum((w for w in whole if w is not None), Decimal(0)) == stated.value


def _routes(read: ReadName, sig: Sig, supplies: tuple[str, ...], library: Library) -> tuple[str, ...]:
    if sig.route:
        return (sig.route,)
    if read.product and read.product.route:
        return (read.product.route,)
    bought = supplies == ("otc",)
    known = [library.drug[d] for d in read.drugs if d in library.drug]
    routes = [(drug.otc_routes if bought else ()) or drug.routes for drug in known]
    common = tuple(dict.fromkeys(r for group in routes for r in group if all(r in other for other in routes)))
    return narrow(common, sig)


def _release(text: str) -> str | None:
    """The release that "XL", "SR" or "ER" in the name tells."""
    name = text.split(next((c for c in text if c.isdigit()), "\0"))[0].lower().split()
    found = {RELEASE[word] for word in name if RELEASE.get(word)}
    return found.pop() if len(found) == 1 else None


def _released(text: str, read: ReadName, library: Library) -> str | None:
    """The form that the release in the name tells, where the drug is sold in one such form only."""
    kind = _release(text)
    if kind is None or len(read.drugs) != 1 or read.drugs[0] not in library.drug:
        return None
    forms = [f for f in library.drug[read.drugs[0]].forms if f.startswith(kind)]
    return forms[0] if len(forms) == 1 else None


def _supplies(read: ReadName, told: Medication, library: Library) -> tuple[str, ...]:
    if told.supply:
        return (told.supply,)
    kinds = [read.product.supply] if read.product else [library.drug[d].supply for d in read.drugs if d in library.drug]
    if "prescription" in kinds:
        return ("prescription",)
    return ("otc",) if kinds and all(k == "otc" for k in kinds) else ("prescription", "otc")


def _one(form: str | None) -> Quantity:
    """What one of a form is called when it is counted: a tablet, a puff, a drop."""
    return Quantity(Decimal(1), form.split()[-1] if form else "tablet")


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


def shown_span(span: Span) -> str:
    """A span in words."""
    return str(span) if span.low else f"not told: {', '.join(span.why)}"


__all__ = ["SURE", "UNTOLD", "Entry", "Span", "plain", "shown_span", "understand"]
