"""What a medication as told means, whoever takes it and whenever: which drugs, of which strength, by which routes, how taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from safety.knowledge.library import Drug, Library, Presentation, Product
from safety.model.directions import ONE_DOSE, PARENTERAL, Directions
from safety.model.patient import Medication, Supply
from safety.model.quantity import Quantity, Units
from safety.reading.directions.galenic import HELD_IN_ONE
from safety.reading.directions.remarks import Noted, Remarks
from safety.reading.directions.structure import settled_amount
from safety.reading.directions.told import Tellings, line_beside, read_told
from safety.reading.directions.words import Lexicon
from safety.reading.names.resolver import NameAnswer, ReadName, Resolver
from safety.reading.wording import key_of
from safety.text import lowered
from safety.understanding.amounts import Amounts, Contents, Span
from safety.understanding.bare import units_of
from safety.understanding.differences import Difference, differences
from safety.understanding.routes import narrow
from safety.understanding.strengths import Combined, combined

_OFTENER_THAN_WEEKLY = Fraction(1, 6)
SURE = ("exact", "brand", "salt", "known-misspelling", "code", "contains")
"""Ways of recognising a name that leave nothing to confirm before an answer may be `clear`."""


class WorkedOut:
    """Amounts of one medication that were worked out before, by ingredient and what they are counted in; and what others keep.

    `said`: of phrases that were looked for in its words, the first that stands there.
    """

    __slots__ = ("amounts", "kept", "said", "spans")

    def __init__(self) -> None:
        self.amounts: dict[tuple[str, str | None], list[Amounts]] = {}
        self.spans: dict[tuple[str, str, str | None], Span] = {}
        self.kept: dict[str, Any] = {}
        self.said: dict[tuple[str, ...], str | None] = {}


class Meaning(Struct, frozen=True, dict=True):
    """What a medication as told means.

    `strengths`: the presentations that it may be. `stated`: what one unit holds of each ingredient, where that was told.
    `routes`, `supplies`: every one that is possible, given what was told. `differences`: where its words contradict its
    structure; `directions` are what is judged all the same. `otherwise`: another medicine that was told to be it, or in it.
    """

    read: ReadName
    strengths: tuple[Presentation, ...]
    stated: dict[str, Quantity | None]
    directions: Directions
    routes: tuple[str, ...]
    form: str | None
    supplies: tuple[str, ...]
    differences: tuple[Difference, ...] = ()
    noted: Noted = Noted("")
    """What its line tells beside: that it is held or was stopped, aims and results."""
    otherwise: str = ""
    unit_is: dict[str, Quantity] = {}
    """What one unit of an ingredient weighs, where it is told in either."""

    @cached_property
    def worked_out(self) -> WorkedOut:
        """The amounts it comes to, kept from one patient to the next: they are the same for everybody."""
        return WorkedOut()

    @cached_property
    def by_body(self) -> bool:
        """Whether a dose in it is told by body weight or surface, so that its amounts differ from one patient to the next."""
        d = self.directions
        ranges = (d.dose, d.per_day, *(told for step in d.steps for told in (step.dose, step.per_day)))
        told = [*(q for both in ranges if both is not None for q in both), d.day_max, d.strength]
        return any(q is not None and q.unit.endswith(("/kg", "/m2")) for q in told)

    @property
    def each(self) -> Quantity | None:
        """What one tablet or puff holds, where there is one ingredient and one strength."""
        told = self.directions.strength
        if told is not None and not self.directions.strength_per and "/" not in told.unit:
            return told if told.unit != "%" else None
        amounts = {c.amount for p in self.strengths for c in p.contents if p.per.value == 1}
        return amounts.pop() if len(amounts) == 1 and len(self.read.drugs) == 1 else None

    def contents(self, drug: str) -> list[Contents | None]:
        """What one unit holds of an ingredient: one for each strength it may be, None for one that does not say."""
        found: list[Contents | None] = [
            Contents(content.amount, strength.per) if content.amount else None
            for strength in self.strengths
            for content in strength.contents
            if content.drug == drug
        ]
        if not found and drug in self.stated:
            amount = self.stated[drug]
            found.append(Contents(amount, self._one_stated()) if amount else None)
        return found or [None]

    def _one_stated(self) -> Quantity:
        """The unit that a stated amount is held in: what the dose counts, else one of the form."""
        dose = self.directions.dose
        if dose and dose[0].unit and dose[0].unit in HELD_IN_ONE and self.form is None:
            return Quantity(Decimal(1), dose[0].unit)
        return one_of(self.form)


MeaningOf = Callable[[Medication], Meaning]


def meaning_reader(library: Library, resolver: Resolver, lex: Lexicon, remembered: int = 4096) -> MeaningOf:
    """Reads medications with one library. The same words mean the same for everybody, so the last few are remembered."""
    remarks = library.language.made(Remarks)
    return lru_cache(remembered)(lambda told: _meaning(told, library, resolver, lex, remarks))


def one_of(form: str | None) -> Quantity:
    """What one of a form is called when it is counted: a tablet, a puff, a drop."""
    return Quantity(Decimal(1), form.split()[-1] if form else "tablet")


def _meaning(heard: Medication, library: Library, resolver: Resolver, lex: Lexicon, remarks: Remarks) -> Meaning:
    told, noted = _without_remarks(heard, remarks)
    read = resolver.read(told.drug or told.text, told.codes, written=True)
    if read.parts and noted.status != "taken" and not (heard.drug or heard.text).lower().startswith(noted.said.lower()):
        read = resolver.read(heard.drug or heard.text, heard.codes, written=True)  # of which medicine it is said, its part tells
    stated: dict[str, Quantity | None] = {c.drug: c.amount for c in read.stated}
    if read.answer.status != "match" and told.contains:
        read, stated = _from_contents(read, told, resolver, lex)
    read, supplied = _supplied(read, (told.drug or told.text).strip(), lex)
    of_each = combined(read, told.strength, library, lex)
    stated |= of_each.stated
    line, otherwise = _line_beside(heard, read, resolver, remarks)
    tellings = read_told(told, of_each.rest, lex, units_of(read, library, lex), line)
    if _only_the_name(read, tellings.together, library):
        read = replace(read, product=None)
        of_each = combined(read, told.strength, library, lex)
        tellings = read_told(told, of_each.rest, lex, units_of(read, library, lex), line)
    directions = tellings.together
    strengths = of_each.named or (() if stated else _strengths(read.product, directions, library.units))
    directions = _one_of_that_strength(directions, of_each, _named_by_strength(read, lex))
    directions = _without_why(directions, noted)
    supplies = (supplied,) if supplied and not told.supply else _supplies(read, told, library)
    routes = _routes(read, told, directions, supplies, library, lex)
    # what the product is decides what an amount of it means: 4 g of a gel are not 4 g of the drug
    form = _form(told, directions, strengths, read, library, lex)
    route = directions.route or (routes[0] if len(routes) == 1 else None)
    directions = _given_off(replace(directions, form=directions.form or form, route=route))
    otherwise = otherwise or _contained(told, read, resolver)
    known = Meaning(read, strengths, stated, directions, routes, form, supplies, noted=noted, otherwise=otherwise,
                    unit_is=_units_of(read, library))  # fmt: skip
    return _compared(known, tellings, library.units)


def _units_of(read: ReadName, library: Library) -> dict[str, Quantity]:
    weighed = ((d, library.drug[d].unit_is) for d in read.drugs if d in library.drug)
    return {d: one for d, one in weighed if one is not None}


def _given_off(directions: Directions) -> Directions:
    """As in "Vivelle-Dot 0.05 mg/24 hr change twice weekly": of what is seldom changed, what one patch gives off in a day."""
    d = directions
    seldom = d.times_per_day is not None and d.times_per_day[1] < 1
    if d.route != "transdermal" or d.per_day is None or d.dose or d.strength or not seldom or d.form not in (None, "patch"):
        return directions
    one = one_of("patch")
    return replace(d, strength=d.per_day[1], per_day=None, dose=(one, one), form="patch")


def _supplied(read: ReadName, line: str, lex: Lexicon) -> tuple[ReadName, Supply | None]:
    """What was read, without the word beside the name that tells how it is had ("Claritin OTC", "over-the-counter Claritin");
    and how."""
    found = lex.supplied.match(read.rest)
    if found is None:
        led = lex.supplied.match(line)
        return read, _how_had(led, lex) if led and read.answer.status == "match" else None
    return replace(read, rest=read.rest[found.end() :].lstrip(" ,;-")), _how_had(found, lex)


def _how_had(found: re.Match[str], lex: Lexicon) -> Supply:
    return "otc" if lex.supply_told[lowered(found[0])] == "otc" else "prescription"


def _without_remarks(told: Medication, remarks: Remarks) -> tuple[Medication, Noted]:
    """A medication whose words tell only its name and how it is taken; and what else they told."""
    line = remarks.read(_without_its_number(told.drug or told.text))
    sig = remarks.read(told.sig) if told.sig else None
    if line.text == (told.drug or told.text) and (sig is None or sig.text == told.sig):
        return told, line
    named = replace(told, drug=line.text) if told.drug else replace(told, text=line.text)
    if sig is None:
        return named, line
    said = line if line.status != "taken" else sig
    return replace(named, sig=sig.text), replace(said, kept=line.kept + sig.kept)


_ITEM = re.compile(r"\s*(?:[-–—*•·▪◦‣>]+|\(?\d{1,2}[.)])\s*(?=[^\W\d_])")
_ANOTHER_ITEM = re.compile(r"\s\(?\d{1,2}[.)]\s+[^\W\d_]")


def _without_its_number(line: str) -> str:
    """A line without the number or the mark that it has in a list: "1. Lisinopril", "• metoprolol"; a whole list keeps them."""
    found = _ITEM.match(line)
    return line[found.end() :] if found is not None and _ANOTHER_ITEM.search(line) is None else line


def _line_beside(told: Medication, read: ReadName, resolver: Resolver, remarks: Remarks) -> tuple[str, str]:
    """What stands beside the name in a line of text told with the fields; and the medicine it names, where that is another."""
    line = line_beside(told)
    if not line:
        return "", ""
    noted = remarks.read(line)
    line = noted.text if noted.status == "taken" else line  # "STOPPED" in the words, not in the fields: it is asked about
    other = resolver.read(line, written=True)
    if other.answer.status == "match":
        return other.rest, "" if {*other.drugs} & {*read.drugs} else str(other.answer.name)
    return line.lower().replace((told.drug or "").lower(), " ").strip(), ""


def _contained(told: Medication, read: ReadName, resolver: Resolver) -> str:
    """An ingredient told of a product that we know, and that it does not hold, or that we do not recognise."""
    if read.answer.via == "contains" or read.answer.status != "match":
        return ""
    names = ((content.text, resolver.read(content.text)) for content in told.contains)
    return next((text for text, inner in names if not inner.drugs or not {*inner.drugs} <= {*read.drugs}), "")


def _compared(known: Meaning, told: Tellings, units: Units) -> Meaning:
    """With what its words and its structure contradict each other in, or one telling and another."""
    drugs = known.read.drugs
    possible = known.contents(drugs[0]) if len(drugs) == 1 else []
    contents = possible[0] if len(possible) == 1 else None
    found = differences(told, known.directions, contents, units, combination=len(drugs) > 1)
    return replace(known, differences=found) if found else known


def _only_the_name(read: ReadName, directions: Directions, library: Library) -> bool:
    """As in "benadryl 25 IV": whether a product that is swallowed names the ingredient that is injected."""
    product, drug = read.product, library.drug.get(read.drugs[0]) if len(read.drugs) == 1 else None
    injected = directions.route == PARENTERAL and drug is not None and PARENTERAL in drug.routes
    return product is not None and injected and product.route not in (None, PARENTERAL)


def _named_by_strength(read: ReadName, lex: Lexicon) -> Presentation | None:
    """As in "Bactrim DS": the one strength that a product's own name tells; None for any other name."""
    sold = read.product.presentations if read.product else ()
    return sold[0] if len(sold) == 1 and not lex.one_strength.isdisjoint(key_of(read.answer.heard).split()) else None


_IN_BRACKETS = re.compile(r"\(([^()\d]*)\)|\(([^()\d]*)\Z")


def _without_why(directions: Directions, noted: Noted) -> Directions:
    """As in "STOPPED: glipizide 5 mg daily (hypoglycemia)": of what is not taken, words in brackets say why, and not how much."""
    if noted.status not in ("stopped", "held") or not directions.unread or directions.unclear:
        return directions
    said = {word for found in _IN_BRACKETS.finditer(noted.text) for word in (found[1] or found[2] or "").split()}
    return replace(directions, unread=()) if said.issuperset(directions.unread) else directions


def _one_of_that_strength(directions: Directions, of_each: Combined, sold: Presentation | None) -> Directions:
    """As in "10/40 once daily", "Bactrim DS bid": one of that strength."""
    d = directions
    told = len(of_each.named) == 1 or of_each.stated or (sold is not None and d.times_per_day)
    if not told or d.dose or d.per_day or d.steps or d.unread:
        return directions
    if not d.times_per_day and (d.form or d.scale) and not d.as_needed:
        return directions  # a product, as it is described
    one = of_each.named[0].per if of_each.named else sold.per if sold is not None else one_of(d.form)
    if one.unit not in HELD_IN_ONE and one.unit != ONE_DOSE:
        return directions  # so much of a liquid holds that: how much is taken is not told
    return replace(directions, dose=(one, one))


def _form(
    told: Medication, directions: Directions, strengths: Sequence[Presentation], read: ReadName, library: Library, lex: Lexicon
) -> str | None:
    """The form as told, else the only one of the strengths it may be, else what the release in the name tells."""
    if directions.form or told.form:
        return directions.form or told.form
    only = strengths[0].form if len({s.form for s in strengths}) == 1 else None
    return only or _released(told.drug or told.text, read, library, lex)


def _from_contents(
    read: ReadName, told: Medication, resolver: Resolver, lex: Lexicon
) -> tuple[ReadName, dict[str, Quantity | None]]:
    """A product we do not hold, whose ingredients the caller told: all of them must be recognised."""
    stated: dict[str, Quantity | None] = {}
    guessed: list[NameAnswer] = []
    for content in told.contains:
        inner = resolver.read(content.text)
        if inner.answer.status != "match" or len(inner.drugs) != 1:
            return read, {}
        stated[inner.drugs[0]] = settled_amount(content.amount, lex) if content.amount else lex.units.parse(inner.rest)
        guessed += [inner.answer] if inner.answer.via not in SURE else []
    drugs = tuple(stated)
    via = guessed[0].via if guessed else "contains"
    answer = NameAnswer(
        read.answer.heard, "match", list(drugs) if len(drugs) > 1 else drugs[0], read.answer.heard, None, via, 1.0,
        bool(guessed), [], " ".join(a.ask for a in guessed),
    )  # fmt: skip
    return ReadName(answer, drugs, None, (), read.rest), stated


_SOLID = frozenset({"tablet", "capsule", "caplet", "softgel", "gelcap", "lozenge", "gummy"})


def _strengths(product: Product | None, directions: Directions, units: Units) -> tuple[Presentation, ...]:
    """The strengths of a product that fit the amount and form told; all of them where nothing narrows them down."""
    if product is None:
        return ()
    options = _of_strength(product.presentations, directions, units)
    if directions.form:
        options = tuple(p for p in options if p.form == directions.form) or options
    return _measured(options, directions, units) if directions.dose else options


def _of_strength(options: tuple[Presentation, ...], directions: Directions, units: Units) -> tuple[Presentation, ...]:
    """Those that hold the strength told, or else the dose; none where the strength told is one that it is not sold in."""
    strength = directions.strength
    stated = strength or (directions.dose[0] if directions.dose else None)
    equal = tuple(p for p in options if _holds(p, stated, units)) if stated is not None else ()
    if not equal and strength is not None and units.dimension(strength.unit) == "mass":
        return ()  # what one holds is not known
    return equal or options


def _measured(options: tuple[Presentation, ...], directions: Directions, units: Units) -> tuple[Presentation, ...]:
    """Those of a product's presentations that are measured as the dose is: 30 mL is the liquid, 2 capsules are not."""
    assert directions.dose is not None
    unit = directions.dose[0].unit
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


def _routes(
    read: ReadName, told: Medication, directions: Directions, supplies: tuple[str, ...], library: Library, lex: Lexicon
) -> tuple[str, ...]:
    if directions.route:
        return (directions.route,)
    possible = _marketed(read, told.drug or told.text, directions, supplies, library)
    if _release(told.drug or told.text, lex) and "oral" in possible:
        return ("oral",)  # XL, SR and ER are said of what is swallowed
    return possible


def _marketed(read: ReadName, text: str, directions: Directions, supplies: tuple[str, ...], library: Library) -> tuple[str, ...]:
    """The routes that it is sold for and that what was told allows."""
    if read.product and read.product.route:
        return (read.product.route,)
    bought = supplies == ("otc",)
    known = [library.drug[d] for d in read.drugs if d in library.drug]
    routes = [(drug.otc_routes if bought else ()) or drug.routes for drug in known]
    common = tuple(dict.fromkeys(r for group in routes for r in group if all(r in other for other in routes)))
    if len(known) == 1 and _is_weekly(known[0], directions):
        return (str(known[0].usual_route),)
    of_brand = _of_brand(known[0], text) if len(known) == 1 and len(common) > 1 else frozenset()
    return narrow(tuple(r for r in common if r in of_brand) or common, directions)


def _is_weekly(drug: Drug, directions: Directions) -> bool:
    """As in "semaglutide 1 mg weekly": whether it is taken so by the one route by which it is given once a week."""
    seldom = directions.times_per_day is not None and 0 < directions.times_per_day[1] < _OFTENER_THAN_WEEKLY
    return seldom and drug.once_a_week and drug.usual_route in drug.routes and drug.usual_route != "oral" and not directions.form


@lru_cache(512)
def _brands(told: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Brands as they are looked for, the longest first (Cipro XR before Cipro), with their routes."""
    return tuple((f" {key_of(brand)} ", routes) for brand, routes in sorted(told, key=lambda b: -len(b[0])))


def _of_brand(drug: Drug, text: str) -> frozenset[str]:
    """The routes that the brands in a text are sold for; empty where it names none that is sold for fewer than all."""
    if not drug.brand_routes:
        return frozenset()
    words, found = f" {key_of(text)} ", set[str]()
    for key, routes in _brands(drug.brand_routes):
        if key in words:
            found.update(routes)
            words = words.replace(key, " ")
    return frozenset(found)


def _release(text: str, lex: Lexicon) -> str | None:
    """The release that "XL", "SR" or "ER" in the name tells."""
    name = text.split(next((c for c in text if c.isdigit()), "\0"))[0].lower().split()
    found = {lex.release[word] for word in name if lex.release.get(word)}
    return found.pop() if len(found) == 1 else None


def _released(text: str, read: ReadName, library: Library, lex: Lexicon) -> str | None:
    """The form that the release in the name tells, where the drug is sold in one such form only."""
    kind = _release(text, lex)
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
