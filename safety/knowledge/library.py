"""The frozen, cross-referenced library that the engine judges with. No file, no author's shorthand is left in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, cast

import msgspec
from msgspec import Struct

from safety.errors import KnowledgeError, Place, Problem
from safety.formulas.equivalents import Factors
from safety.formulas.scored import Score
from safety.knowledge.entries import (
    Constraint as Constraint,
)
from safety.knowledge.entries import (
    DoseRange as DoseRange,
)
from safety.knowledge.entries import (
    DoseTable as DoseTable,
)
from safety.knowledge.entries import (
    Entry as Entry,
)
from safety.knowledge.entries import (
    Limit as Limit,
)
from safety.knowledge.entries import (
    SeverityClause as SeverityClause,
)
from safety.knowledge.entries import (
    Through as Through,
)
from safety.knowledge.label_sections import BEYOND, stated_in
from safety.knowledge.language import Language as Language
from safety.knowledge.language import WordList as WordList
from safety.knowledge.lazy import Together
from safety.knowledge.lazy import by_id as by_id
from safety.knowledge.leaves import (
    AgeLeaf as AgeLeaf,
)
from safety.knowledge.leaves import (
    AllergyLeaf as AllergyLeaf,
)
from safety.knowledge.leaves import (
    AllLeaf as AllLeaf,
)
from safety.knowledge.leaves import (
    AnyLeaf as AnyLeaf,
)
from safety.knowledge.leaves import (
    ApartLeaf as ApartLeaf,
)
from safety.knowledge.leaves import (
    Bound as Bound,
)
from safety.knowledge.leaves import (
    Bounds as Bounds,
)
from safety.knowledge.leaves import (
    BreastfeedingLeaf as BreastfeedingLeaf,
)
from safety.knowledge.leaves import (
    BurdenLeaf as BurdenLeaf,
)
from safety.knowledge.leaves import (
    ChangeLeaf as ChangeLeaf,
)
from safety.knowledge.leaves import (
    DeviceLeaf as DeviceLeaf,
)
from safety.knowledge.leaves import (
    DrugLeaf as DrugLeaf,
)
from safety.knowledge.leaves import (
    EquivalentLeaf as EquivalentLeaf,
)
from safety.knowledge.leaves import (
    GeneLeaf as GeneLeaf,
)
from safety.knowledge.leaves import (
    HasLeaf as HasLeaf,
)
from safety.knowledge.leaves import (
    IngredientLeaf as IngredientLeaf,
)
from safety.knowledge.leaves import (
    IntakeLeaf as IntakeLeaf,
)
from safety.knowledge.leaves import (
    KidneyLeaf as KidneyLeaf,
)
from safety.knowledge.leaves import (
    LabLeaf as LabLeaf,
)
from safety.knowledge.leaves import (
    Leaf as Leaf,
)
from safety.knowledge.leaves import (
    LeafType as LeafType,
)
from safety.knowledge.leaves import (
    MeasuredLeaf as MeasuredLeaf,
)
from safety.knowledge.leaves import (
    Members as Members,
)
from safety.knowledge.leaves import (
    NotLeaf as NotLeaf,
)
from safety.knowledge.leaves import (
    PregnancyLeaf as PregnancyLeaf,
)
from safety.knowledge.leaves import (
    ProcedureLeaf as ProcedureLeaf,
)
from safety.knowledge.leaves import (
    Restriction as Restriction,
)
from safety.knowledge.leaves import (
    SexLeaf as SexLeaf,
)
from safety.knowledge.leaves import (
    WeightLeaf as WeightLeaf,
)
from safety.knowledge.leaves import (
    needs_binding as needs_binding,
)
from safety.knowledge.policy import Policy
from safety.knowledge.spoken import SpokenTable as SpokenTable
from safety.knowledge.store import Lookup
from safety.model.quantity import Quantity, Units
from safety.model.report import Citation
from safety.model.site import SiteChange
from safety.text import fold

D = TypeVar("D", bound=Struct)


class Named(Struct, frozen=True):
    """A name that people use for something, and what kind of name it is."""

    text: str
    via: Literal["name", "synonym", "abbreviation", "brand", "salt", "misspelling", "product"]
    error_prone: bool = False


class Drug(Struct, frozen=True):
    """One ingredient; `forms` and `strengths` are those it is sold in by itself (empty: not written down yet).

    `names_salts`: its name, right beside another's ("warfarin potassium"), says which salt that is, not a second medicine.
    `usual_route`: the way it is taken where nobody says how, from what is dispensed; empty where that is not known.
    `brand_routes`: the routes of a brand, where that is not sold for all of them.
    `single_doses`: what each pen, syringe or vial holds that is meant to be used up at once. `once_a_week`: taken so where an
    amount is told by the week. `unit_is`: what one unit of it weighs, where units and weights are the same thing said twice.
    """

    id: str
    name: str
    names: tuple[Named, ...]
    supply: Literal["prescription", "otc", "both"]
    routes: tuple[str, ...]
    otc_routes: tuple[str, ...] = ()
    rxnorm: str | None = None
    rxnorm_also: tuple[str, ...] = ()
    counts_as: str | None = None
    names_salts: bool = False
    forms: tuple[str, ...] = ()
    strengths: tuple[Quantity, ...] = ()
    usual_route: str = ""
    brand_routes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    single_doses: tuple[Quantity, ...] = ()
    once_a_week: bool = False
    unit_is: Quantity | None = None
    origin: str = ""
    place: str = ""


class Content(Struct, frozen=True):
    """How much of an ingredient one unit holds; `None` where the label does not state it."""

    drug: str
    amount: Quantity | None


class Presentation(Struct, frozen=True):
    """One strength of a product: what one `per` (1 tablet, 15 mL) holds."""

    name: str
    form: str | None
    per: Quantity
    contents: tuple[Content, ...]


class Product(Struct, frozen=True):
    """A marketed product with known contents; the first presentation is the usual one."""

    id: str
    name: str
    names: tuple[Named, ...]
    supply: Literal["prescription", "otc", "both"]
    route: str | None
    presentations: tuple[Presentation, ...]
    rxnorm: str | None = None
    rxnorm_also: tuple[str, ...] = ()
    origin: str = ""
    place: str = ""

    @property
    def drugs(self) -> tuple[str, ...]:
        """Every ingredient that any strength of it holds, in the order of the label."""
        return tuple(dict.fromkeys(c.drug for p in self.presentations for c in p.contents))


class Recognised(Struct, frozen=True, array_like=True):
    """A name from RxNorm that has no monograph of its own: known to be a medicine, its ingredients perhaps covered.

    `ingredients` are ids: what a salt, brand or combination holds, `drug.…` where there is a monograph and
    `recognised.…` where not; empty for an ingredient itself, and where what a brand holds is not settled.
    Not `bare`: the words alone do not tell a medicine (a food, a plant, an everyday word); only the code does.
    """

    id: str
    name: str
    kind: Literal["ingredient", "salt", "combination", "brand"]
    rxcui: str | None
    ingredients: tuple[str, ...]
    bare: bool
    source: str
    origin: str = ""
    place: str = ""

    @property
    def means(self) -> tuple[str, ...]:
        """Ids of what is taken with it: its ingredients, or itself where none are held."""
        return self.ingredients or (self.id,)


class LookAlike(Struct, frozen=True, array_like=True):
    """Names that have been taken for one another: the ids, the name of each that is confused, and who says so; of one short
    form of several, which words beside it tell that a member is meant."""

    members: tuple[str, ...]
    names: tuple[str, ...]
    basis: str
    told: tuple[tuple[str, ...], ...] = ()


class DrugClass(Struct, frozen=True):
    """A class with all its members, those of included classes too."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    members: Members
    origin: str = ""
    place: str = ""


class Strength(Struct, frozen=True):
    """Who inhibits or induces a pathway so strongly, each with where that is written, and what says so."""

    members: dict[str, str]
    evidence: tuple[Citation, ...]


class Pathway(Struct, frozen=True):
    """An enzyme or a transporter; its inhibitors and inducers by strength."""

    id: str
    name: str
    inhibitors: dict[str, Strength]
    inducers: dict[str, Strength]
    origin: str = ""
    place: str = ""


class Graded(Struct, frozen=True):
    """By which grades of which scales somebody with one of some conditions has a narrower one ("CHF, NYHA III").

    Without `at` the words themselves are the grade ("severe"). `anywhere`: the scale grades nothing else, wherever on the line it
    stands.
    """

    scales: tuple[str, ...]
    at: tuple[str, ...]
    of: tuple[str, ...]
    anywhere: bool


class Joined(Struct, frozen=True):
    """Who has one of some conditions, and one of others beside it, has a third ("cirrhosis" and "ascites")."""

    of: tuple[str, ...]
    beside: tuple[str, ...]


class Condition(Struct, frozen=True):
    """A problem; `is_a` lists itself and everything it is a kind of. `liver`: the liver works less well, or may.

    `unjudged`: no rule speaks of it, it is only recognized. `lasts`: so many days after the day told with it, it counts as
    over; `lifelong`: who had it has it; `always`: even where a record says that it is over.
    `circumstance`: how somebody lives or is cared for; nobody is ill by it.
    `leaves`: what somebody still has of whom it is long over (a heart attack: coronary disease). `outgrown`: nobody has it who
    is so many days old; over, it tells nothing of what it is a kind of (febrile seizures of a child: no seizures of hers now).
    `graded`: a grade that stands beside another condition and comes to this one; `joined`: two others that together are it.
    """

    id: str
    name: str
    synonyms: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]
    past_codes: tuple[tuple[str, str], ...]
    is_a: tuple[str, ...]
    pregnancy: bool | None = None
    breastfeeding: bool | None = None
    origin: str = ""
    place: str = ""
    kidney: Bounds = ()
    liver: bool = False
    unjudged: bool = False
    lasts: int | None = None
    lifelong: bool = False
    always: bool = False
    circumstance: bool = False
    leaves: tuple[str, ...] = ()
    outgrown: int | None = None
    graded: tuple[Graded, ...] = ()
    joined: tuple[Joined, ...] = ()


class Coded(Struct, frozen=True, array_like=True):
    """What a code of a vocabulary comes to: conditions of ours, all of them; `past`: whoever has the code had them."""

    conditions: tuple[str, ...]
    past: bool = False


class Allergen(Struct, frozen=True):
    """Something that is not a drug and that people are allergic to."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]
    origin: str = ""
    place: str = ""


class Food(Struct, frozen=True):
    """Something eaten, drunk or smoked, or what is in it, that matters for medicines or that a clinician limits.

    `counted`: words of which each is one of a unit ("3 beers" are three drinks), by word.
    `asked_as`: names of an observation whose answer says whether it is taken ("tobacco smoking status").
    """

    id: str
    name: str
    synonyms: tuple[str, ...]
    counted: Mapping[str, str] = {}
    asked_as: tuple[str, ...] = ()
    origin: str = ""
    place: str = ""


class Harm(Struct, frozen=True):
    """What goes wrong for the patient; `is_a` lists itself and the wider harms that it is a kind, a sign or a stage of.

    `plain`: what a patient would call it, as it follows "can cause"; empty where nobody wrote it.
    """

    id: str
    name: str
    is_a: tuple[str, ...]
    origin: str = ""
    place: str = ""
    plain: str = ""


class Figures(Struct, frozen=True):
    """A clinical fact in figures, "the weeks of each trimester": what is called by a name, and within which bounds it lies."""

    id: str
    title: str
    rows: dict[str, Bounds]
    origin: str = ""
    place: str = ""


class Statement(Struct, frozen=True):
    """One thing that a label states, for which kinds of check; the entries that hold it, or why none does."""

    says: str
    checks: tuple[str, ...]
    held: tuple[str, ...] = ()
    left_out: str = ""
    place: str = ""

    @property
    def beyond(self) -> bool:
        """Whether nobody is judged by it, though a record may tell of it."""
        return self.left_out == BEYOND


class Coverage(Struct, frozen=True):
    """The ledger of one label of a drug: when it was read, and what it states, section by section.

    `supply`: the kind of label (Drug Facts are `otc`); `routes`: taken so only (empty: however); `unread`: sections not opened.
    """

    id: str
    drug: str
    read: date | None
    supply: str
    routes: tuple[str, ...]
    sections: dict[str, tuple[Statement, ...]]
    unread: tuple[str, ...]
    evidence: tuple[Citation, ...]
    origin: str = ""
    place: str = ""

    def about(self, check: str) -> Iterator[Statement]:
        """What the label states for a kind of check."""
        return (s for statements in self.sections.values() for s in statements if check in s.checks)

    def whole(self, check: str) -> bool:
        """Whether every section was read that may state something for a kind of check."""
        return set(self.unread).isdisjoint(stated_in(check))


class UnitFactor(Struct, frozen=True):
    """value in the test's unit = value × factor + offset.

    `unsaid`: whether it may be meant where no unit is told; `unsaid_from`, `unsaid_under`: which numbers; of whoever is younger
    than `young_under` months from `young_from` on and below `young_below`; `unsaid_step`: in which steps it is measured.
    """

    unit: str
    factor: Decimal
    offset: Decimal
    unsaid: Literal["usual", "possible", "never"] = "possible"
    unsaid_from: Decimal | None = None
    unsaid_under: Decimal | None = None
    young_under: Decimal | None = None
    young_from: Decimal | None = None
    young_below: Decimal | None = None
    unsaid_step: Decimal | None = None


class LabRange(Struct, frozen=True):
    """What is normal (reference), works without harm (therapeutic, `on` these drugs or classes), is aimed at (target, in one of
    these `conditions`, and `on` a medicine if it names one), outside which a clinician acts soon (intervention, `call`; in one of
    these `conditions`, if it names some) or is brought in now (critical), in the test's own unit.

    Ages in months, from (included) and to (not included); `trimesters` None: not pregnant. An end that is None is open.
    `drawn`: at which of the times of its test.
    """

    kind: Literal["reference", "therapeutic", "target", "intervention", "critical"]
    low: Decimal | None
    high: Decimal | None
    low_in: bool = True
    high_in: bool = True
    sex: Literal["female", "male"] | None = None
    from_age: Decimal | None = None
    to_age: Decimal | None = None
    trimesters: tuple[int, ...] | None = None
    on: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    fasting: bool | None = None
    source: str = ""
    call: Literal["pharmacist", "clinician", "emergency"] = "clinician"
    drawn: str = ""


class WorkedOut(Struct, frozen=True):
    """The results of the same day, in the order of the formula, that a result follows from where nobody told it."""

    formula: str
    of: tuple[str, ...]


class Correction(Struct, frozen=True):
    """The result of another test (`by`), of the same days, by which a result is corrected with a named formula.

    `low`, `high`: only while the other result is below, or above, that; `ask`: on which side of its own range a result makes the
    other test worth asking for, where it is not told.
    """

    formula: str
    by: str
    within: int
    under: Decimal | None = None
    above: Decimal | None = None
    ask: Literal["low", "high", "never"] = "never"


class Drawn(Struct, frozen=True):
    """A result of which the time it was drawn decides: what to ask, and on which side of its range (`apart`: only where its times
    judge it differently).

    `times`: the hours of the day by name, from (included) to (not included); `after`: from how many hours after a dose on, and to
    how many, it counts. `otherwise`: what is said of one that was drawn at another time.
    """

    ask: str
    of: Literal["any", "high", "low", "out", "apart"] = "out"
    times: tuple[tuple[str, int, int], ...] = ()
    after: tuple[Decimal | None, Decimal | None] | None = None
    otherwise: str = ""

    def time_at(self, hour: int) -> str:
        """The name of the time in which an hour of the day lies; empty for none."""
        return next((name for name, start, end in self.times if start <= hour < end), "")


class AlsoSaid(Struct, frozen=True):
    """A name that several tests go by, and between which numbers this one is meant."""

    text: str
    low: Decimal | None = None
    under: Decimal | None = None


class EffectOn(Struct, frozen=True):
    """One row: these drugs and classes move the test so, meant or not, and what to make of it."""

    of: tuple[str, ...]
    moves: Literal["up", "down", "either", "not"]
    kind: Literal["intended", "adverse", "assay", "level"]
    note: str


class Effect(Struct, frozen=True):
    """What medicines are expected to do to one test: in the body, to the assay, or to a level; rows in their order.

    `shows_up`, `shows_down`: harms of medicines together that show in a test which is too high, or too low.
    """

    id: str
    test: str
    rows: tuple[EffectOn, ...]
    origin: str = ""
    place: str = ""
    shows_up: tuple[str, ...] = ()
    shows_down: tuple[str, ...] = ()


class Lab(Struct, frozen=True):
    """A test: the unit rules are written in, other units it may come in, what is plausible at all, and what is normal.

    `varies`: how much it varies within one healthy person, in percent; `varies_young`: under so many months, so much.
    `expected`: what a result in words ought to be.
    `unit_goes_unsaid`: nobody writes the unit ("BP 148/88", "K 4.1"): a number plausible in it alone is in it.
    `measures`: the fact of the patient's body that it is, so that a result counts as this fact.
    `pregnant_from`: from which number on it says that she is pregnant; `pregnant_word`: in which word.
    `drawn`: the time of drawing decides; `corrected`: another test of the same days does; `also_said`: names shared with others.
    `worked_out`: other tests of the same day say what it is, where nobody told it.
    `titre`: from which dilution on a test in words is positive (80 of "1:80"); `counted`: from which count on, with its unit,
    and what fewer say. `off_scale`: what stands for a number beyond what an instrument shows ("HI"), and which numbers it
    means ("> 500"). `share_of`: the test of which it is the share in its own unit, so that a result of that one in it is of this.
    `moves_with`: the test with which it rises and falls: what medicines do to that one they do to this.
    `of_disease`: whoever has one of these has such results, high or low: they measure the disease.
    """

    id: str
    name: str
    synonyms: tuple[str, ...]
    loinc: tuple[str, ...]
    unit: str
    other_units: tuple[UnitFactor, ...]
    plausible_low: Decimal | None
    plausible_high: Decimal | None
    unitless: bool = False
    unit_goes_unsaid: bool = False
    role: Literal["creatinine", "creatinine-clearance", "gfr"] | None = None
    measures: Literal["weight", "height"] | None = None
    ranges: tuple[LabRange, ...] = ()
    varies: Decimal | None = None
    varies_young: tuple[Decimal, Decimal] | None = None
    expected: Literal["negative"] | None = None
    evidence: tuple[Citation, ...] = ()
    pregnant_from: Decimal | None = None
    pregnant_word: str = ""
    pregnant_days: int | None = None
    drawn: Drawn | None = None
    corrected: Correction | None = None
    also_said: tuple[AlsoSaid, ...] = ()
    worked_out: WorkedOut | None = None
    titre: int | None = None
    counted: tuple[str, Decimal, str] | None = None
    off_scale: tuple[tuple[str, str], ...] = ()
    share_of: str = ""
    moves_with: str = ""
    of_disease: dict[str, tuple[str, ...]] = {}
    origin: str = ""
    place: str = ""


class Panel(Struct, frozen=True):
    """Tests that are written together, as in `148/88`: in which order, and what stands between one and the next.

    `without_a_name`: so written, they need no name; `first_alone`: a lone number under its name is the first of them;
    `falls`: the first number is never smaller than the second ("148/88"). `between` empty: their order says nothing.
    `asked`: what is asked of all of them together, though beside a number it is the name of one of them. `beside`: what a
    laboratory measures with them, so that they are due where these are.
    """

    id: str
    name: str
    synonyms: tuple[str, ...]
    parts: tuple[str, ...]
    between: tuple[str, ...]
    without_a_name: bool = False
    first_alone: bool = False
    falls: bool = False
    asked: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    origin: str = ""
    place: str = ""


class Instead(Struct, frozen=True):
    """A medicine that may be taken instead, and the order as it would be written."""

    drug: str
    order: str


class Alternative(Struct, frozen=True):
    """What may be taken instead of some medicines (`instead_of`, each with the ways in which it is meant); with `conditions`
    only for whoever takes it for one of them or has it."""

    id: str
    title: str
    instead_of: Members
    conditions: tuple[str, ...]
    offer: tuple[Instead, ...]
    evidence: tuple[Citation, ...] = ()
    origin: str = ""
    place: str = ""


class Ask(Struct, frozen=True):
    """What a constraint asks of every medicine of a regimen; None and empty: nothing of that kind.

    `named`: of the medicines that its words name; `told`: of which of the numbers its words name it.
    """

    not_by: tuple[str, ...] = ()
    only_by: tuple[str, ...] = ()
    not_as: tuple[str, ...] = ()
    unsure_as: tuple[str, ...] = ()
    without: Members = {}
    named: Literal["without", "only"] | None = None
    generic: bool = False
    supply: Literal["otc", "prescription"] | None = None
    times_a_day: Decimal | None = None
    medicines: Decimal | None = None
    tier: Decimal | None = None
    told: tuple[str, ...] = ()
    breaks_no: tuple[str, ...] = ()


class PlanConstraint(Struct, frozen=True):
    """What a patient or a payer may ask of a regimen: the words that say it, what it asks, and the tier of each medicine."""

    id: str
    title: str
    says: tuple[str, ...]
    asks: Ask
    tiers: dict[str, Decimal] = {}
    origin: str = ""
    place: str = ""


class Gene(Struct, frozen=True):
    """A gene, or one allele of it: each state of its result with what says so, and the problem that a state means."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    loinc: tuple[str, ...]
    states: dict[str, tuple[str, ...]]
    implies: dict[str, str]
    origin: str = ""
    place: str = ""


class Procedure(Struct, frozen=True):
    """An operation or examination; `is_a` lists itself and what it is a kind of; `implies`: a problem, once it is done.

    `measures`: the test that was measured with it, whatever came out.
    """

    id: str
    name: str
    synonyms: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]
    is_a: tuple[str, ...]
    implies: str = ""
    origin: str = ""
    place: str = ""
    measures: str = ""


class Device(Struct, frozen=True):
    """What somebody lives with; `is_a` lists itself and what it is a kind of; `implies`: the problem that they have."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]
    is_a: tuple[str, ...]
    implies: str = ""
    origin: str = ""
    place: str = ""


class Source(Struct, frozen=True):
    """A text that evidence points at."""

    id: str
    title: str
    publisher: str
    type: str
    edition: str
    url: str
    licence: str
    origin: str = ""
    place: str = ""


class Inference(Struct, frozen=True):
    """A fact about the patient that follows from others."""

    id: str
    when: tuple[LeafType, ...]
    pregnancy: bool | None
    breastfeeding: bool | None
    origin: str = ""
    place: str = ""
    kidney: Bounds = ()
    conditions: tuple[str, ...] = ()


class UnitTable(Struct, frozen=True):
    """The rows of `kb/units.yaml`; factors as exact fractions in text."""

    dimensions: dict[str, dict[str, str]]
    aliases: dict[str, tuple[str, ...]]
    count: tuple[str, ...]


Seen = Callable[[Any], Any]
"""What is looked at of one thing of a section."""


class Derived(Generic[D]):
    """What is worked out of sections of a library, to look things up in: its name, its type, the sections, how it is made.

    It is stored with the library, field by field as the library is; `build` gets the sections in their order. `sees`: of the
    things of a section all that `build` looks at, so that what differs in nothing else is no reason to make it again.
    """

    def __init__(
        self, name: str, of: type[D], sections: tuple[str, ...], build: Callable[..., D], sees: Mapping[str, Seen] | None = None
    ) -> None:  # fmt: skip
        self.name = name
        self.of = of
        self.sections = sections
        self.build = build
        self.sees = sees or {}


class EntryIndex(Struct, frozen=True):
    """What is asked about all judged entries at once.

    `of_file`: their ids by the file that holds them. `renamed`: the id that an earlier id has now. `dose`,
    `any_dose`: the dose table of a drug, in force or the first there is. `harms`: those that they name.
    """

    of_file: Mapping[str, tuple[str, ...]]
    renamed: Mapping[str, str]
    dose: Lookup[str]
    any_dose: Lookup[str]
    harms: Sequence[str]


class _IndexedDoses(Struct, frozen=True):
    drug: str
    harms_low: tuple[str, ...]


class _Indexed(Struct, frozen=True):
    """Of a judged entry what the index asks of it, so that of a stored one nothing else is decoded."""

    id: str
    status: str
    harms: tuple[str, ...]
    place: str
    doses: _IndexedDoses | None = None
    was: tuple[str, ...] = ()


def slim(entries: Sequence[Entry], of: type[D]) -> Iterator[Entry | D]:
    """Entries, those that are stored with the fields of `of` alone."""
    raw = getattr(entries, "raw", None)
    if raw is None:
        return iter(entries)
    decode = msgspec.msgpack.Decoder(of).decode
    return (decode(raw(n)) for n in range(len(entries)))


def _entry_index(entries: Sequence[Entry]) -> EntryIndex:
    of_file: dict[str, list[str]] = {}
    renamed: dict[str, str] = {}
    dose: dict[str, str] = {}
    any_dose: dict[str, str] = {}
    harms: set[str] = set()
    for e in slim(entries, _Indexed):
        harms.update(e.harms, e.doses.harms_low if e.doses is not None else ())
        of_file.setdefault(e.place.rsplit(":", 2)[0], []).append(e.id)
        renamed.update(dict.fromkeys(e.was, e.id))
        if e.doses is not None:
            any_dose.setdefault(e.doses.drug, e.id)
            if e.status == "active":
                dose[e.doses.drug] = e.id
    files = {file: tuple(ids) for file, ids in sorted(of_file.items())}
    return EntryIndex(files, dict(sorted(renamed.items())), dose, any_dose, tuple(sorted(harms)))


def _seen(e: Entry) -> Any:
    doses = (e.doses.drug, e.doses.harms_low) if e.doses is not None else None
    return e.status, e.harms, e.place.rsplit(":", 2)[0], doses, e.was


ENTRY_INDEX = Derived("entries", EntryIndex, ("entries",), _entry_index, {"entries": _seen})


class Library(Struct, frozen=True, dict=True):
    """Everything that is known, each list in order of id, and how it can be looked up.

    `changes`: what sites did to our entries; `originals`: those entries as they are without the sites.
    The types of the fields say how each is stored: see `store`.
    """

    version: str
    sha256: str
    overlays: tuple[str, ...]
    drugs: Sequence[Drug]
    products: Sequence[Product]
    classes: Sequence[DrugClass]
    conditions: Sequence[Condition]
    allergens: Sequence[Allergen]
    labs: Sequence[Lab]
    sources: Sequence[Source]
    inferences: Sequence[Inference]
    entries: Sequence[Entry]
    units_table: UnitTable
    reactions: Mapping[str, tuple[str, ...]]
    recognised: Sequence[Recognised] = ()
    lookalikes: Sequence[LookAlike] = ()
    uses: Mapping[str, str] = {}
    language: Language = Language()
    figures: Sequence[Figures] = ()
    spoken: Sequence[SpokenTable] = ()
    factors: Sequence[Factors] = ()
    scores: Sequence[Score] = ()
    policies: Sequence[Policy] = ()
    foods: Sequence[Food] = ()
    panels: Sequence[Panel] = ()
    alternatives: Sequence[Alternative] = ()
    constraints: Sequence[PlanConstraint] = ()
    genes: Sequence[Gene] = ()
    procedures: Sequence[Procedure] = ()
    devices: Sequence[Device] = ()
    effects: Sequence[Effect] = ()
    harms: Sequence[Harm] = ()
    pathways: Sequence[Pathway] = ()
    roles: Mapping[str, str] = {}
    changes: Sequence[SiteChange] = ()
    originals: Sequence[Entry] = ()
    coverage: Sequence[Coverage] = ()
    coded: Sequence[Coded] = ()
    problem_terms: Lookup[int] = {}
    problem_codes: Lookup[int] = {}

    def derived(self, what: Derived[D]) -> D:
        """What is worked out of this library: as it is stored, or worked out at its first use."""
        found = self._derived.get(what.name)
        if found is None:
            made = self._stored(what) if self._stored is not None else None
            sections = (getattr(self, name) for name in what.sections)
            found = self._derived.setdefault(what.name, made if made is not None else what.build(*sections))
        return cast(D, found)

    def already_derived(self, what: Derived[D]) -> D | None:
        """What is worked out of this library, where that was done before."""
        found = self._derived.get(what.name)
        return cast(D | None, found if found is not None or self._stored is None else self._stored(what))

    def keep_derived(self, stored: Callable[[Derived[Any]], Any]) -> None:
        """Where what is derived from this library is stored; for whoever reads the library from there."""
        self.__dict__["_stored"] = stored

    @cached_property
    def _derived(self) -> dict[str, Struct]:
        return {}

    @cached_property
    def _stored(self) -> Callable[[Derived[Any]], Any] | None:
        return None

    @cached_property
    def units(self) -> Units:
        """The only conversions that may be made."""
        return units_from(self.units_table)

    @cached_property
    def by_id(self) -> Mapping[str, object]:
        """Anything by its id."""
        return Together([by_id(part) for part in self._parts()])

    @cached_property
    def drug(self) -> Mapping[str, Drug]:
        """Drugs by id."""
        return by_id(self.drugs)

    @cached_property
    def product(self) -> Mapping[str, Product]:
        """Products by id."""
        return by_id(self.products)

    @cached_property
    def recognised_by_id(self) -> Mapping[str, Recognised]:
        """Names without a monograph, by id."""
        return by_id(self.recognised)

    @cached_property
    def drug_class(self) -> Mapping[str, DrugClass]:
        """Classes by id."""
        return by_id(self.classes)

    @cached_property
    def condition(self) -> Mapping[str, Condition]:
        """Conditions by id."""
        return by_id(self.conditions)

    @cached_property
    def lab(self) -> Mapping[str, Lab]:
        """Lab tests by id."""
        return by_id(self.labs)

    @cached_property
    def gene(self) -> Mapping[str, Gene]:
        """Genes by id."""
        return by_id(self.genes)

    @cached_property
    def procedure(self) -> Mapping[str, Procedure]:
        """Operations and examinations by id."""
        return by_id(self.procedures)

    @cached_property
    def device(self) -> Mapping[str, Device]:
        """Devices by id."""
        return by_id(self.devices)

    @cached_property
    def body_tests(self) -> tuple[Lab, ...]:
        """Tests that are a fact of the patient's body: weight, height."""
        return tuple(t for t in self.labs if t.measures)

    @cached_property
    def pregnancy_tests(self) -> tuple[Lab, ...]:
        """Tests that say whether somebody is pregnant."""
        return tuple(t for t in self.labs if t.pregnant_days is not None)

    @cached_property
    def shared_test_names(self) -> dict[str, tuple[tuple[Decimal | None, Decimal | None, str], ...]]:
        """Names that several tests go by, folded: from which number on, under which, each test is meant."""
        found: dict[str, list[tuple[Decimal | None, Decimal | None, str]]] = {}
        for test in self.labs:
            for one in test.also_said:
                found.setdefault(fold(one.text), []).append((one.low, one.under, test.id))
        return {name: tuple(tests) for name, tests in found.items()}

    @cached_property
    def labs_by_role(self) -> dict[str, tuple[Lab, ...]]:
        """The tests that the arithmetic of the kidneys asks for, by what they are to it."""
        roles = dict.fromkeys(t.role for t in self.labs if t.role)
        return {role: tuple(t for t in self.labs if t.role == role) for role in roles}

    @cached_property
    def harm_root(self) -> dict[str, str]:
        """The widest harm that each harm belongs to: findings with one root may stand on one card."""
        return {h.id: h.is_a[-1] for h in self.harms}

    @cached_property
    def entry(self) -> Mapping[str, Entry]:
        """Judged entries by id."""
        return by_id(self.entries)

    @cached_property
    def change(self) -> Mapping[str, SiteChange]:
        """What a site did to an entry of ours, by its id."""
        return by_id(self.changes)

    @cached_property
    def pathway(self) -> Mapping[str, Pathway]:
        """Pathways by id."""
        return by_id(self.pathways)

    def ledgers(self, drug: str) -> Sequence[Coverage]:
        """What was read of the labels of a drug; empty where nobody has said so yet."""
        return self._ledgers.get(drug, ())

    @cached_property
    def _ledgers(self) -> Mapping[str, Sequence[Coverage]]:
        found: dict[str, list[Coverage]] = {}
        for one in self.coverage:
            found.setdefault(one.drug, []).append(one)
        return found

    def current_id(self, i: str) -> str:
        """The id that a judged entry has now, by that or an earlier one; any other id stays as it is."""
        return i if i in self.entry else self._entry_index.renamed.get(i, i)

    def rows_of(self, table: str) -> list[str]:
        """Ids of the judged entries that are rows of a table, or were rows of it before they were filed elsewhere."""
        head = f"{table}."
        renamed = self._entry_index.renamed
        return sorted({*(i for i in self.entry if i.startswith(head)), *(renamed[i] for i in renamed if i.startswith(head))})

    @cached_property
    def _entry_index(self) -> EntryIndex:
        return self.derived(ENTRY_INDEX)

    def dose_table(self, drug: str) -> DoseTable | None:
        """The dose table in force for a drug."""
        i = self._entry_index.dose.get(drug)
        return self.entry[i].doses if i is not None else None

    def dose_entry(self, drug: str) -> Entry | None:
        """The dose table of a drug as a judged entry, in force or not."""
        i = self._entry_index.any_dose.get(drug)
        return self.entry[i] if i is not None else None

    def entries_in(self, part: str) -> list[str]:
        """Ids of the judged entries in files whose paths begin so, in order."""
        of_file = self._entry_index.of_file
        return sorted(i for file, ids in of_file.items() if file.startswith(part) for i in ids)

    def figure(self, table: str, name: str) -> Bounds:
        """What `figures.TABLE` says of a name. Raises KnowledgeError if it does not stand there."""
        for found in self.figures:
            if found.id == f"figures.{table}" and name in found.rows:
                return found.rows[name]
        place = Place(f"kb/figures/{table}.yaml")
        raise KnowledgeError([Problem(place, "K024", "cannot be read", f"judging goes by its row `{name}`")])

    def most(self, table: str, name: str) -> Quantity:
        """The most that `figures.TABLE` allows of a name. Raises KnowledgeError if no most stands there."""
        for bound in self.figure(table, name):
            if bound.op == "at_most":
                return bound.value
        place = Place(f"kb/figures/{table}.yaml")
        raise KnowledgeError([Problem(place, "K024", "cannot be read", f"judging goes by the `at_most` of its row `{name}`")])

    def name_of(self, drug: str) -> str:
        """What a drug is called, with or without a monograph."""
        item = self.drug.get(drug) or self.recognised_by_id.get(drug)
        return item.name if item else drug

    def items(self) -> Iterator[object]:
        """Everything that has an id."""
        for part in self._parts():
            yield from part

    def _parts(self) -> tuple[Sequence[object], ...]:
        return (
            self.drugs,
            self.products,
            self.classes,
            self.conditions,
            self.allergens,
            self.labs,
            self.sources,
            self.inferences,
            self.entries,
            self.recognised,
            self.factors,
            self.scores,
            self.policies,
            self.foods,
            self.panels,
            self.alternatives,
            self.constraints,
            self.genes,
            self.procedures,
            self.devices,
            self.effects,
            self.language.lists,
            self.figures,
            self.spoken,
            self.harms,
            self.pathways,
            self.coverage,
        )


def units_from(table: UnitTable) -> Units:
    """The unit converter for a table of factors."""
    from fractions import Fraction

    dimensions = {d: {u: Fraction(f) for u, f in units.items()} for d, units in table.dimensions.items()}
    return Units(dimensions, table.aliases, table.count)
