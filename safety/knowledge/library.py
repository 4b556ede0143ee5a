"""The frozen, cross-referenced library that the engine judges with. No file, no author's shorthand is left in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from safety.quantity import Quantity, Units
from safety.report import Citation, Severity


class Restriction(Struct, frozen=True):
    """By which routes and forms a drug is meant; `None` is any."""

    routes: tuple[str, ...] | None = None
    forms: tuple[str, ...] | None = None


Members: TypeAlias = dict[str, tuple[Restriction, ...]]
"""Drug id → the ways in which it is a member (one of them must hold); an empty tuple is "in any way"."""


class Named(Struct, frozen=True):
    """A name that people use for something, and what kind of name it is."""

    text: str
    via: Literal["name", "synonym", "abbreviation", "brand", "salt", "misspelling", "product"]
    error_prone: bool = False


class Drug(Struct, frozen=True):
    """One ingredient."""

    id: str
    name: str
    names: tuple[Named, ...]
    supply: Literal["prescription", "otc", "both"]
    routes: tuple[str, ...]
    otc_routes: tuple[str, ...] = ()
    rxnorm: str | None = None
    rxnorm_also: tuple[str, ...] = ()
    counts_as: str | None = None
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
    """Names that have been taken for one another: the ids, the name of each that is confused, and who says so."""

    members: tuple[str, ...]
    names: tuple[str, ...]
    basis: str


class DrugClass(Struct, frozen=True):
    """A class with all its members, those of included classes too."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    members: Members
    origin: str = ""
    place: str = ""


class Condition(Struct, frozen=True):
    """A problem; `is_a` lists itself and everything it is a kind of."""

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


class Allergen(Struct, frozen=True):
    """Something that is not a drug and that people are allergic to."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    codes: tuple[tuple[str, str], ...]
    origin: str = ""
    place: str = ""


class UnitFactor(Struct, frozen=True):
    """value in the test's unit = value × factor + offset."""

    unit: str
    factor: Decimal
    offset: Decimal


class Lab(Struct, frozen=True):
    """A test: the unit rules are written in, other units it may come in, and what is plausible at all."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    loinc: tuple[str, ...]
    unit: str
    other_units: tuple[UnitFactor, ...]
    plausible_low: Decimal | None
    plausible_high: Decimal | None
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


# ------------------------------------------------------------------ conditions


class Bound(Struct, frozen=True):
    """One side of a limit, in words: at_least and at_most include the number, under and above do not."""

    op: Literal["at_least", "at_most", "under", "above"]
    value: Quantity
    place: str


Bounds: TypeAlias = tuple[Bound, ...]


class Leaf(Struct, frozen=True, kw_only=True, tag_field="is"):
    """A line of a condition. `text` is the line as written; `missing_is_no` says why not told counts as no."""

    place: str
    text: str
    missing_is_no: str | None = None


class DrugLeaf(Leaf, frozen=True, kw_only=True, tag="drug"):
    """A drug by id, class or list; `members` None is any drug. With a `slot` it is bound to one entry."""

    slot: str | None = None
    members: Members | None = None
    routes: tuple[str, ...] | None = None
    forms: tuple[str, ...] | None = None
    supply: Literal["prescription", "otc"] | None = None
    single_dose: Bounds = ()
    daily_dose: Bounds = ()
    or_stopped_within: int | None = None
    started_within: int | None = None
    among: Literal["plan", "medications"] | None = None
    except_: tuple[str, ...] = ()


class IngredientLeaf(Leaf, frozen=True, kw_only=True, tag="ingredient"):
    """Two bound drugs are the same ingredient, or are not."""

    slots: tuple[str, str]
    same: bool


class HasLeaf(Leaf, frozen=True, kw_only=True, tag="has"):
    """One of these problems (or a kind of it) is on the list; `ever`: past ones count too."""

    conditions: tuple[str, ...]
    ever: bool = False


class LabLeaf(Leaf, frozen=True, kw_only=True, tag="lab"):
    """The newest result of a test, not older than so many days, is within the bounds (none: it only has to exist)."""

    test: str
    bounds: Bounds
    newest_within: int | None = None


class AgeLeaf(Leaf, frozen=True, kw_only=True, tag="age"):
    """Age in months is within the bounds."""

    bounds: Bounds


class WeightLeaf(Leaf, frozen=True, kw_only=True, tag="weight"):
    """Body weight is within the bounds."""

    bounds: Bounds


class SexLeaf(Leaf, frozen=True, kw_only=True, tag="sex"):
    """Female or male."""

    sex: Literal["female", "male"]


class PregnancyLeaf(Leaf, frozen=True, kw_only=True, tag="pregnancy"):
    """Pregnant (or not), in one of the trimesters, or within bounds of weeks."""

    present: bool
    trimesters: tuple[int, ...] | None = None
    weeks: Bounds = ()


class BreastfeedingLeaf(Leaf, frozen=True, kw_only=True, tag="breastfeeding"):
    """Breastfeeding (or not)."""

    present: bool


class AllergyLeaf(Leaf, frozen=True, kw_only=True, tag="allergy"):
    """Allergic to a slot's drug, to one of these drugs, classes or allergens, graded if so asked."""

    slot: str | None = None
    targets: tuple[str, ...] = ()
    grades: tuple[str, ...] | None = None


class BurdenLeaf(Leaf, frozen=True, kw_only=True, tag="burden"):
    """At least so many different ingredients of a class at once."""

    members: Members
    at_least: int


class AnyLeaf(Leaf, frozen=True, kw_only=True, tag="any"):
    """One of the lines holds."""

    lines: tuple[LeafType, ...]


class AllLeaf(Leaf, frozen=True, kw_only=True, tag="all"):
    """All of the lines hold."""

    lines: tuple[LeafType, ...]


class NotLeaf(Leaf, frozen=True, kw_only=True, tag="not"):
    """The line does not hold."""

    line: LeafType


LeafType: TypeAlias = (
    DrugLeaf
    | IngredientLeaf
    | HasLeaf
    | LabLeaf
    | AgeLeaf
    | WeightLeaf
    | SexLeaf
    | PregnancyLeaf
    | BreastfeedingLeaf
    | AllergyLeaf
    | BurdenLeaf
    | AnyLeaf
    | AllLeaf
    | NotLeaf
)

# ------------------------------------------------------------------ judged entries


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

    kind: Literal["avoid", "avoid_together", "dose_in_24h", "single_dose", "dose_interval", "days_of_use", "require"]
    slots: tuple[str, ...]
    limits: tuple[Limit, ...]
    lines: tuple[LeafType, ...]
    place: str
    text: str


class SeverityClause(Struct, frozen=True):
    """Under this condition the entry is this loud, because."""

    lines: tuple[LeafType, ...]
    severity: Severity
    because: str
    place: str


class Entry(Struct, frozen=True, dict=True):
    """A judged entry: a rule, or one row of a table."""

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
        return tuple(leaf for leaf in self.condition if needs_binding(leaf) and not isinstance(leaf, DrugLeaf | IngredientLeaf))

    def in_force(self, day: date) -> bool:
        """Whether the entry is active on that day."""
        begun = self.start is None or self.start <= day
        return self.status == "active" and begun and (self.end is None or day <= self.end)


def needs_binding(leaf: LeafType) -> bool:
    """Whether a line speaks of a drug that another line has given a name."""
    if isinstance(leaf, DrugLeaf | AllergyLeaf):
        return leaf.slot is not None
    if isinstance(leaf, IngredientLeaf):
        return True
    if isinstance(leaf, AnyLeaf | AllLeaf):
        return any(needs_binding(inner) for inner in leaf.lines)
    return isinstance(leaf, NotLeaf) and needs_binding(leaf.line)


class Inference(Struct, frozen=True):
    """A fact about the patient that follows from others."""

    id: str
    when: tuple[LeafType, ...]
    pregnancy: bool | None
    breastfeeding: bool | None
    origin: str = ""
    place: str = ""


class UnitTable(Struct, frozen=True):
    """The rows of `kb/units.yaml`; factors as exact fractions in text."""

    dimensions: dict[str, dict[str, str]]
    aliases: dict[str, tuple[str, ...]]
    count: tuple[str, ...]


class Library(Struct, frozen=True, dict=True):
    """Everything that is known, each list in order of id, and how it can be looked up."""

    version: str
    sha256: str
    overlays: tuple[str, ...]
    drugs: tuple[Drug, ...]
    products: tuple[Product, ...]
    classes: tuple[DrugClass, ...]
    conditions: tuple[Condition, ...]
    allergens: tuple[Allergen, ...]
    labs: tuple[Lab, ...]
    sources: tuple[Source, ...]
    inferences: tuple[Inference, ...]
    entries: tuple[Entry, ...]
    units_table: UnitTable
    reactions: dict[str, tuple[str, ...]]
    recognised: tuple[Recognised, ...] = ()
    lookalikes: tuple[LookAlike, ...] = ()
    uses: dict[str, str] = {}
    everyday: tuple[str, ...] = ()

    @cached_property
    def units(self) -> Units:
        """The only conversions that may be made."""
        return units_from(self.units_table)

    @cached_property
    def by_id(self) -> dict[str, object]:
        """Anything by its id."""
        return {item.id: item for item in self.items()}  # type: ignore[attr-defined]

    @cached_property
    def drug(self) -> dict[str, Drug]:
        """Drugs by id."""
        return {d.id: d for d in self.drugs}

    @cached_property
    def product(self) -> dict[str, Product]:
        """Products by id."""
        return {p.id: p for p in self.products}

    @cached_property
    def recognised_by_id(self) -> dict[str, Recognised]:
        """Names without a monograph, by id."""
        return {r.id: r for r in self.recognised}

    @cached_property
    def drug_class(self) -> dict[str, DrugClass]:
        """Classes by id."""
        return {c.id: c for c in self.classes}

    @cached_property
    def condition(self) -> dict[str, Condition]:
        """Conditions by id."""
        return {c.id: c for c in self.conditions}

    @cached_property
    def lab(self) -> dict[str, Lab]:
        """Lab tests by id."""
        return {t.id: t for t in self.labs}

    @cached_property
    def entry(self) -> dict[str, Entry]:
        """Judged entries by id."""
        return {e.id: e for e in self.entries}

    def name_of(self, drug: str) -> str:
        """What a drug is called, with or without a monograph."""
        item = self.drug.get(drug) or self.recognised_by_id.get(drug)
        return item.name if item else drug

    def items(self) -> Iterator[object]:
        """Everything that has an id."""
        for part in (
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
        ):
            yield from part


def units_from(table: UnitTable) -> Units:
    """The unit converter for a table of factors."""
    from fractions import Fraction

    dimensions = {d: {u: Fraction(f) for u, f in units.items()} for d, units in table.dimensions.items()}
    return Units(dimensions, table.aliases, table.count)
