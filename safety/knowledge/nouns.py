"""Drafts of drugs, products, classes, conditions, labs … → the library's frozen values, cross-references checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeVar

from safety.errors import Problem
from safety.formulas.corrections import CORRECTIONS, PARTS
from safety.knowledge import shapes
from safety.knowledge.collecting import CONDITIONS
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft, Drafts
from safety.knowledge.library import (
    Allergen,
    AlsoSaid,
    Alternative,
    Bound,
    Bounds,
    Condition,
    Content,
    Correction,
    Device,
    Drawn,
    Drug,
    DrugClass,
    Effect,
    EffectOn,
    Figures,
    Food,
    Gene,
    Graded,
    Instead,
    Joined,
    Lab,
    LabRange,
    Members,
    Named,
    Panel,
    Pathway,
    Presentation,
    Procedure,
    Product,
    Restriction,
    Source,
    Strength,
    UnitFactor,
    WorkedOut,
)
from safety.knowledge.memory import Made, MadeRecords
from safety.knowledge.pair_shapes import SIDES, STRENGTHS
from safety.model.patient import age_months
from safety.model.quantity import Quantity, Units, number
from safety.model.report import Citation
from safety.text import did_you_mean, fold

T = TypeVar("T")
_ALWAYS = "always"
_FOR_LIFE = frozenset({"life", _ALWAYS})
"""How a condition says that who had it has it; `always` even where a record says that it is over."""
_LISTED = {"class": "classes", "factors": "factors"}
"""What `medsafe list` calls things of a kind where that is not the kind with an s."""
TO_BE_READ = "source.to-be-read"
"""What `medsafe new` writes where a source belongs; whoever read the text puts its source there."""
Via = Literal["name", "synonym", "abbreviation", "brand", "salt", "misspelling", "product"]


class FactCompiler:
    """Compiles facts; keeps the problems it meets and answers questions about ids."""

    def __init__(self, drafts: Drafts, units: Units) -> None:
        self.drafts = drafts
        self.units = units
        self.problems = drafts.problems
        self.memory = drafts.memory
        self.memory.maker("classes", self._class_held)
        self.memory.maker("work.parts", self._parts_held)

    # -------------------------------------------------------------- shared

    def known(self, kind: str, given: str, draft: Draft, path: Path_) -> bool:
        """Whether an id of a kind exists; a problem with a suggestion if not."""
        group = self.drafts.facts[kind]
        if given in group and given not in self.drafts.switched_off:
            return True
        if given in self.drafts.broken and given.startswith(f"{kind}."):
            return False  # its own file has a problem already
        hint = did_you_mean(given, group) or f"which there are: medsafe list {_LISTED.get(kind, f'{kind}s')} --find WORD"
        if given in self.drafts.switched_off:
            hint = f"the overlay `{self.drafts.switched_off[given][0]}` retired it"
        self.problems.append(Problem(draft.place(path), "K301", f"`{given}` is not a {kind} that we know", hint))
        return False

    def quantity(self, text: str, draft: Draft, path: Path_, dimension: str | None = None) -> Quantity | None:
        """An amount with its unit; a problem where it cannot be read or measures something else."""
        found = self.units.parse(text)
        if found is None:
            hint = "a number never travels without its unit, e.g. `4000 mg`"
            self.problems.append(Problem(draft.place(path), "K205", f"`{text}` is not an amount with a unit that we know", hint))
            return None
        if dimension and self.units.dimension(found.unit) != dimension:
            self.problems.append(Problem(draft.place(path), "K206", f"`{text}` is not a {dimension}"))
            return None
        return found

    def citations(
        self, draft: Draft, items: Sequence[shapes.Evidence] | None = None, path: Path_ = ("evidence",)
    ) -> tuple[Citation, ...]:
        """The evidence of a draft (or what stands at another path of it), each source looked up."""
        evidence: Sequence[shapes.Evidence] = draft.shape.evidence if items is None else items  # type: ignore[attr-defined]
        built = (self._citation(item, draft, (*path, n)) for n, item in enumerate(evidence))
        return tuple(citation for citation in built if citation is not None)

    def cited(self, draft: Draft) -> None:
        """A problem for each piece of evidence whose source is not known, or that does not say what was opened."""
        self.citations(draft)

    def _citation(self, item: shapes.Evidence, draft: Draft, path: Path_) -> Citation | None:
        """What the source is decides what is left out: its kind is the grade, its address the copy that was opened."""
        if item.source == TO_BE_READ:
            hint = "name a source of kb/sources/, where in it you saw this, and whether you read it"
            message = f"`{TO_BE_READ}` stands for the text that this was read in"
            self.problems.append(Problem(draft.place((*path, "source")), "K224", message, hint))
            return None
        if not self.known("source", item.source, draft, (*path, "source")):
            return None
        source: Any = self.drafts.facts["source"][item.source].shape
        checked = item.checked
        copy = checked.copy_ or ("" if checked.how == "recalled" else source.url)
        if not copy and checked.how != "recalled":
            message = f"`{checked.how}` needs `copy` (the address of what was opened): `{item.source}` has none"
            self.problems.append(Problem(draft.place((*path, "checked")), "K104", message))
        return Citation(item.source, item.at, item.grade or source.type, checked.how, list(item.supports), source.title, copy)

    def each(self, kind: str) -> Iterable[Draft]:
        """Drafts of a kind in order of id, without those a site switched off."""
        for i in sorted(self.drafts.facts[kind]):
            if i not in self.drafts.switched_off:
                yield self.drafts.facts[kind][i]

    def table(self, section: str, kind: str, of: type[T], build: Callable[[Draft, Any], T]) -> MadeRecords[T]:
        """Every entry of a kind, compiled, in order of id; what nothing has changed about is taken over as it was."""
        made: Callable[[str], Made[T] | None] = self.memory.section(
            section, of, self.drafts.facts[kind].peek, lambda d: build(d, d.shape)
        )
        return MadeRecords(held for d in self.each(kind) if (held := made(d.id)) is not None)

    # -------------------------------------------------------------- kinds

    def drugs(self) -> MadeRecords[Drug]:
        """Every drug with its names."""
        return self.table("drugs", "drug", Drug, self._drug)

    def _drug(self, draft: Draft, s: Any) -> Drug:
        self.cited(draft)
        for n, route in enumerate(s.otc_routes):
            if route not in s.routes:
                self.problems.append(Problem(draft.place(("otc_routes", n)), "K217", f"`{route}` is not one of its routes"))
        if s.usual_route is not None and s.usual_route not in s.routes:
            self.problems.append(Problem(draft.place(("usual_route",)), "K217", f"`{s.usual_route}` is not one of its routes"))
        self._routes_of_brands(draft, s)
        groups: list[tuple[Via, Iterable[tuple[str, bool]]]] = [
            ("name", [(s.name, False)]),
            ("synonym", [(t, False) for t in s.synonyms]),
            ("abbreviation", [(a.text, a.error_prone) for a in s.abbreviations]),
            ("brand", [(t, False) for t in s.brands]),
            ("salt", [(t, False) for t in s.salts]),
            ("misspelling", [(t, False) for t in s.misspellings]),
        ]
        strengths = [self.quantity(text, draft, ("strengths", n)) for n, text in enumerate(s.strengths)]
        whole = [self.quantity(text, draft, ("single_doses", n)) for n, text in enumerate(s.single_doses)]
        return Drug(
            id=draft.id, name=s.name, names=_names(groups), supply=s.supply, routes=tuple(s.routes),
            otc_routes=tuple(s.otc_routes), rxnorm=s.codes.rxnorm, rxnorm_also=tuple(s.codes.rxnorm_also),
            counts_as=s.counts_as, names_salts=s.names_salts, forms=tuple(s.forms),
            strengths=tuple(q for q in strengths if q is not None), usual_route=s.usual_route or _usual(s.routes),
            brand_routes=tuple((brand, tuple(routes)) for brand, routes in sorted(s.brand_routes.items())),
            single_doses=tuple(q for q in whole if q is not None), once_a_week=s.once_a_week,
            unit_is=self.quantity(s.unit_is, draft, ("unit_is",), "mass") if s.unit_is else None,
            origin=draft.origin, place=str(draft.place(())),
        )  # fmt: skip

    def _routes_of_brands(self, draft: Draft, s: Any) -> None:
        for brand, routes in s.brand_routes.items():
            place = draft.place(("brand_routes", brand))
            if brand not in s.brands:
                self.problems.append(Problem(place, "K217", f"`{brand}` is not one of its brands", did_you_mean(brand, s.brands)))
            for route in routes:
                if route not in s.routes:
                    self.problems.append(Problem(place, "K217", f"`{route}` is not one of its routes"))

    def products(self) -> MadeRecords[Product]:
        """Every product with its strengths."""
        return self.table("products", "product", Product, self._product)

    def _product(self, draft: Draft, s: Any) -> Product:
        self.cited(draft)
        strengths = tuple(self._presentation(draft, n, p) for n, p in enumerate(s.presentations))
        groups: list[tuple[Via, Iterable[tuple[str, bool]]]] = [("product", [(s.name, False), *((t, False) for t in s.synonyms)])]
        return Product(
            id=draft.id, name=s.name, names=_names(groups), supply=s.supply, route=s.route,
            presentations=strengths, rxnorm=s.codes.rxnorm, rxnorm_also=tuple(s.codes.rxnorm_also),
            origin=draft.origin, place=str(draft.place(())),
        )  # fmt: skip

    def _presentation(self, draft: Draft, n: int, p: shapes.Presentation) -> Presentation:
        path: Path_ = ("presentations", n)
        per = self.quantity(p.per, draft, (*path, "per")) or Quantity(Decimal(1), "tablet")
        contents = []
        for drug, amount in p.contains.items():
            here = (*path, "contains", drug)
            self.known("drug", drug, draft, here)
            contents.append(Content(drug, None if amount == "unstated" else self.quantity(amount, draft, here)))
        return Presentation(p.name, p.form, per, tuple(contents))

    def classes(self) -> MadeRecords[DrugClass]:
        """Every class with all its members."""
        held = (self._class_held(draft.id) for draft in self.each("class"))
        return MadeRecords(h for h in held if h is not None)

    def drug_class(self, i: str) -> DrugClass | None:
        """A class with all its members; None if it is none, or holds itself."""
        held = self._class_held(i)
        return held.value if held is not None else None

    def parts(self, i: str) -> tuple[str, ...]:
        """A class with the classes that it is made of, in order of id."""
        held = self._parts_held(i)
        return held.value if held is not None else (i,)

    def _class_held(self, i: str, above: tuple[str, ...] = ()) -> Made[DrugClass] | None:
        draft = self.drafts.facts["class"].peek(i)
        if draft is None:
            return None
        if i in above:
            ring = " → ".join([*above[above.index(i) :], i])
            self.problems.append(Problem(draft.place(("includes",)), "K302", f"the class includes itself: {ring}"))
            return None
        return self.memory.made("classes", i, draft.file, DrugClass, lambda: self._class(draft, (*above, i)))

    def _parts_held(self, i: str, above: tuple[str, ...] = ()) -> Made[tuple[str, ...]] | None:
        draft = self.drafts.facts["class"].peek(i)
        if draft is None or i in above:
            return None
        return self.memory.made("work.parts", i, draft.file, tuple[str, ...], lambda: self._parts(draft, (*above, i)))

    def _parts(self, draft: Draft, above: tuple[str, ...]) -> tuple[str, ...]:
        s: Any = draft.shape
        found = {draft.id}
        for inner in (*s.includes, *s.excludes):
            held = self._parts_held(inner, above) if inner in self.drafts.facts["class"] else None
            if held is not None and inner not in self.drafts.switched_off:
                found.update(held.value)
        return tuple(sorted(found))

    def _members_of(self, i: str, above: tuple[str, ...]) -> Members:
        held = self._class_held(i, above)
        return held.value.members if held is not None else {}

    def _class(self, draft: Draft, above: tuple[str, ...]) -> DrugClass:
        s: Any = draft.shape
        self.cited(draft)
        members, told = self._members(draft, s, above)
        if not members and not told and not self._waits(s):
            self.problems.append(Problem(draft.place(()), "K303", "the class has no member"))
        whole = Restriction(_tuple(s.route), _tuple(s.form))
        return DrugClass(draft.id, s.name, tuple(s.synonyms), _narrowed(members, whole), draft.origin, str(draft.place(())))

    def _members(self, draft: Draft, s: Any, above: tuple[str, ...]) -> tuple[dict[str, list[Restriction]], bool]:
        """The members of a class as they are written, and whether it was told already why there may be none."""
        members: dict[str, list[Restriction]] = {}
        told = False
        for n, included in enumerate(s.includes):
            inner = self._members_of(included, above) if self.known("class", included, draft, ("includes", n)) else {}
            told = told or not inner
            for drug, ways in inner.items():
                members.setdefault(drug, []).extend(ways or (Restriction(),))
        for n, member in enumerate(s.members):
            if self.known("drug", member.drug, draft, ("members", n)):
                members.setdefault(member.drug, []).append(Restriction(_tuple(member.route), _tuple(member.form)))
            else:
                told = True
        for n, excluded in enumerate(s.excludes):
            if excluded.startswith("class."):
                if self.known("class", excluded, draft, ("excludes", n)):
                    for drug, ways in self._members_of(excluded, above).items():
                        self._take_out(members, drug, ways)
            elif self.known("drug", excluded, draft, ("excludes", n)):
                members.pop(excluded, None)
        return members, told

    def _waits(self, s: Any) -> bool:
        """Whether a class names something whose own file is broken."""
        return any(i in self.drafts.broken for i in (*(m.drug for m in s.members), *s.includes))

    def _take_out(self, members: dict[str, list[Restriction]], drug: str, ways: tuple[Restriction, ...]) -> None:
        """Take a drug out of a class: altogether, or only by the routes that the excluded class holds it by."""
        if drug not in members:
            return
        routes = {r for way in ways for r in way.routes or ()}
        if not ways or any(way.routes is None or way.forms is not None for way in ways):
            del members[drug]
            return
        marketed: Any = self.drafts.facts["drug"][drug].shape
        left = []
        for way in members[drug]:
            kept = tuple(r for r in way.routes or marketed.routes if r not in routes)
            if kept:
                left.append(Restriction(kept, way.forms))
        if left:
            members[drug] = left
        else:
            del members[drug]

    def pathways(self) -> MadeRecords[Pathway]:
        """Every pathway with those who inhibit and induce it."""

        def build(draft: Draft, s: Any) -> Pathway:
            self.citations(draft)
            inhibitors, inducers = (self._side(draft, s, side) for side in SIDES)
            return Pathway(draft.id, s.name, inhibitors, inducers, draft.origin, str(draft.place(())))

        return self.table("pathways", "pathway", Pathway, build)

    def _side(self, draft: Draft, s: Any, side: str) -> dict[str, Strength]:
        return {st: self._strength(draft, s, side, st) for st in STRENGTHS if _strength(s, side, st) is not None}

    def _strength(self, draft: Draft, s: Any, side: str, strength: str) -> Strength:
        """Who it is, each with where it is written; whether they are known is told of the class that they are."""
        written = _strength(s, side, strength)
        path: Path_ = (side, strength)
        places = {m.drug: str(draft.place((*path, "members", n))) for n, m in enumerate(written.members)}
        return Strength(places, self.citations(draft, written.evidence, (*path, "evidence")))

    def conditions(self) -> MadeRecords[Condition]:
        """Every condition with all it is a kind of."""
        return self.table("conditions", "condition", Condition, self._condition)

    def _condition(self, draft: Draft, s: Any) -> Condition:
        self.cited(draft)
        return Condition(
            id=draft.id, name=s.name, synonyms=tuple(s.synonyms), codes=codes_of(s.codes), past_codes=codes_of(s.past_codes),
            is_a=tuple(dict.fromkeys(self._kinds("condition", draft.id))), pregnancy=s.implies.pregnancy,
            breastfeeding=s.implies.breastfeeding,
            kidney=self.clearance(s.implies.kidney, draft, ("implies", "kidney")), liver=s.implies.liver,
            origin=draft.origin, place=str(draft.place(())), unjudged=draft.file.folder == CONDITIONS,
            lasts=self._lasts(s.lasts, draft, "lasts"), outgrown=self._lasts(s.outgrown, draft, "outgrown"),
            lifelong=s.lasts in _FOR_LIFE, always=s.lasts == _ALWAYS, circumstance=s.circumstance,
            leaves=self._those(s.leaves, draft, ("leaves",)),
            graded=tuple(
                Graded(tuple(one.scales), tuple(one.at), self._those(one.of, draft, ("graded", n, "of")), one.anywhere)
                for n, one in enumerate(s.graded)
            ),
            joined=tuple(
                Joined(self._those(one.of, draft, ("joined", n, "of")), self._those(one.beside, draft, ("joined", n, "beside")))
                for n, one in enumerate(s.joined)
            ),
        )  # fmt: skip

    def _those(self, ids: Sequence[str], draft: Draft, path: Path_) -> tuple[str, ...]:
        """Those of some conditions that there are; of the others it is told."""
        return tuple(i for n, i in enumerate(ids) if self.known("condition", i, draft, (*path, n)))

    def _lasts(self, text: str | None, draft: Draft, key: str) -> int | None:
        """How many days a problem lasts after the day told with it, or old who outgrew it; None where it is not said."""
        if text is None or text in _FOR_LIFE:
            return None
        found = self.quantity(text, draft, (key,), "time")
        days = self.units.convert(found, "d") if found is not None else None
        return int(days) if days is not None else None

    def clearance(self, s: Any, draft: Draft, path: Path_) -> Bounds:
        """What a problem, or a fact that follows from others, says of the clearance of the kidneys."""
        return self.bounds(s, draft, path, "volume/time")

    def bounds(self, s: Any, draft: Draft, path: Path_, dimension: str | None = None) -> Bounds:
        """The bounds that are written at `path`."""
        found = []
        for op in ("at_least", "at_most", "under", "above"):
            text = getattr(s, op, None)
            amount = self.quantity(text, draft, (*path, op), dimension) if text is not None else None
            if amount is not None:
                found.append(Bound(op, amount, str(draft.place((*path, op))), str(text)))
        return tuple(found)

    def _kinds(self, kind: str, i: str, above: tuple[str, ...] = ()) -> list[str]:
        """What a condition, procedure or device is a kind of, of however many steps, itself first."""
        draft = self.drafts.facts[kind][i]
        if i in above:
            ring = " → ".join([*above[above.index(i) :], i])
            self.problems.append(Problem(draft.place(("is_a",)), "K302", f"the {kind} is a kind of itself: {ring}"))
            return []
        kinds = [i]
        s: Any = draft.shape
        for n, parent in enumerate(s.is_a):
            if self.known(kind, parent, draft, ("is_a", n)):
                kinds += self._kinds(kind, parent, (*above, i))
        return kinds

    def allergens(self) -> MadeRecords[Allergen]:
        """Every allergen that is not a drug."""

        def build(draft: Draft, s: Any) -> Allergen:
            self.cited(draft)
            return Allergen(draft.id, s.name, tuple(s.synonyms), codes_of(s.codes), draft.origin, str(draft.place(())))

        return self.table("allergens", "allergen", Allergen, build)

    def figures(self) -> MadeRecords[Figures]:
        """Every table of figures."""

        def build(draft: Draft, s: Any) -> Figures:
            self.cited(draft)
            rows = {name: self.bounds(row, draft, ("rows", name)) for name, row in s.rows.items()}
            return Figures(draft.id, s.title, rows, draft.origin, str(draft.place(("id",), True)))

        return self.table("figures", "figures", Figures, build)

    def foods(self) -> MadeRecords[Food]:
        """What is eaten, drunk and smoked."""

        def build(draft: Draft, s: Any) -> Food:
            self.cited(draft)
            counted = {word: unit for unit, words in s.counted.items() for word in words}
            asked = tuple(s.asked_as)
            return Food(draft.id, s.name, tuple(s.synonyms), counted, asked, draft.origin, str(draft.place(())))

        return self.table("foods", "food", Food, build)

    def labs(self) -> MadeRecords[Lab]:
        """Every test with its units."""
        return self.table("labs", "lab", Lab, self._lab)

    def _lab(self, draft: Draft, s: Any) -> Lab:
        others = []
        for n, other in enumerate(s.other_units):
            factor, offset = number(other.factor), number(other.offset)
            if factor is None or offset is None or factor == 0:
                place = draft.place(("other_units", n))
                self.problems.append(Problem(place, "K205", "factor and offset must be plain numbers, the factor not 0"))
                continue
            least = number(other.unsaid_from) if other.unsaid_from is not None else None
            most = number(other.unsaid_under) if other.unsaid_under is not None else None
            unit = self.units.symbol(other.unit) or other.unit
            young = self._young(draft, other, ("other_units", n, "young"))
            step = self._plain_step(draft, other, ("other_units", n, "unsaid_step"))
            others.append(UnitFactor(unit, factor, offset, other.unsaid, least, most, *young, unsaid_step=step))
        low, high = s.plausible.at_least, s.plausible.at_most
        least, most = self._plain(low, draft, "at_least"), self._plain(high, draft, "at_most")
        if least is not None and most is not None and least >= most:
            self.problems.append(Problem(draft.place(("plausible",)), "K213", "it ends before it begins"))
        return Lab(
            id=draft.id, name=s.name, synonyms=tuple(s.synonyms), loinc=tuple(s.codes.get("loinc", ())),
            unit=self.units.symbol(s.unit) or s.unit, other_units=tuple(others),
            plausible_low=least, plausible_high=most, unitless=s.unitless, unit_goes_unsaid=s.unit_goes_unsaid, role=s.role,
            measures=s.measures,
            ranges=tuple(self._range(draft, s, row, n) for n, row in enumerate(s.ranges)),
            varies=number(s.varies) if s.varies is not None else None, varies_young=self._varies_young(draft, s),
            expected=s.expected, evidence=self.citations(draft),
            **self._pregnant(draft, s), drawn=self._drawn(draft, s),
            corrected=self._correction(draft, s), also_said=tuple(self._also_said(draft, s)),
            worked_out=self._worked_out(draft, s), **self._beyond_words(draft, s),
            share_of=s.share_of if s.share_of and self.known("lab", s.share_of, draft, ("share_of",)) else "",
            moves_with=s.moves_with if s.moves_with and self.known("lab", s.moves_with, draft, ("moves_with",)) else "",
            of_disease=self._of_disease(draft, s),
            origin=draft.origin, place=str(draft.place(())),
        )  # fmt: skip

    def _plain_step(self, draft: Draft, other: Any, at: tuple[str | int, ...]) -> Decimal | None:
        """The step in which numbers of a unit come; above nothing."""
        if other.unsaid_step is None:
            return None
        step = number(other.unsaid_step)
        if step is None or step <= 0:
            self.problems.append(Problem(draft.place(at), "K205", "a step must be a plain number above 0"))
            return None
        return step

    def _of_disease(self, draft: Draft, s: Any) -> dict[str, tuple[str, ...]]:
        """Which diseases a test measures, by the side on which its results lie."""
        sides: dict[str, list[str]] = {"high": s.of_disease.high, "low": s.of_disease.low}
        return {
            side: tuple(i for n, i in enumerate(ids) if self.known("condition", i, draft, ("of_disease", side, n)))
            for side, ids in sides.items()
            if ids
        }

    def _varies_young(self, draft: Draft, s: Any) -> tuple[Decimal, Decimal] | None:
        """Under which age a test varies otherwise, and how much."""
        if s.varies_young is None:
            return None
        months, percent = self._months(s.varies_young.under, draft, ("varies_young", "under")), number(s.varies_young.percent)
        return (months, percent) if months is not None and percent is not None else None

    def _young(self, draft: Draft, other: Any, path: Path_) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
        """Under which age, from which number on and under which, another unit may be meant that nobody told."""
        if other.young is None:
            return None, None, None
        least, most = (number(end) if end is not None else None for end in (other.young.unsaid_from, other.young.unsaid_under))
        return self._months(other.young.under, draft, (*path, "under")), least, most

    def _pregnant(self, draft: Draft, s: Any) -> dict[str, Any]:
        """From which number on, or in which word, a test says that somebody is pregnant."""
        if s.pregnant is None:
            return {}
        within = self.quantity(s.pregnant.within, draft, ("pregnant", "within"), "time")
        days = self.units.convert(within, "d") if within is not None else None
        says: dict[str, Any] = {"pregnant_days": int(days or 0)}
        if s.pregnant.from_ == "positive":
            return says | {"pregnant_word": s.pregnant.from_}
        return (
            says
            | {"pregnant_word": "positive" if s.expected is not None else ""}
            | {"pregnant_from": self._own_amount(s.pregnant.from_, draft, s, ("pregnant", "from"))}
        )

    def _drawn(self, draft: Draft, s: Any) -> Drawn | None:
        """When a sample ought to be drawn: by the clock, or so long after a dose."""
        d = s.drawn
        if d is None:
            return None
        times = tuple((name, hours.from_, hours.under) for name, hours in d.times.items())
        after = None
        if d.after is not None:
            ends = (("at_least", d.after.at_least), ("at_most", d.after.at_most))
            after = tuple(self._hours(text, draft, ("drawn", "after", key)) for key, text in ends)
        return Drawn(d.ask, d.of, times, after, d.otherwise or "")  # type: ignore[arg-type]

    def _hours(self, text: str | None, draft: Draft, path: Path_) -> Decimal | None:
        told = self.quantity(text, draft, path, "time") if text is not None else None
        return self.units.convert(told, "h") if told is not None else None

    def _time(self, name: str | None, draft: Draft, s: Any, path: Path_) -> str:
        """The time of drawing that a range is of, which the test names."""
        times = s.drawn.times if s.drawn is not None else {}
        if name is not None and name not in times:
            hint = f"one of: {' '.join(times)}" if times else "name the times under `drawn: {times: {…}}`"
            self.problems.append(Problem(draft.place(path), "K301", f"`{name}` is no time of drawing of this test", hint))
        return name or ""

    def _correction(self, draft: Draft, s: Any) -> Correction | None:
        """By which other test, by which formula, within how many days."""
        c = s.corrected
        if c is None or not self.known("lab", c.by, draft, ("corrected", "by")):
            return None
        if c.formula not in CORRECTIONS:
            place, hint = draft.place(("corrected", "formula")), "one of: " + " ".join(CORRECTIONS)
            self.problems.append(Problem(place, "K301", f"`{c.formula}` is no formula that corrects a result", hint))
            return None
        other: Any = self.drafts.facts["lab"][c.by].shape
        within = self.quantity(c.within, draft, ("corrected", "within"), "time")
        days = self.units.convert(within, "d") if within is not None else None
        under = self._own_amount(c.where.under, draft, other, ("corrected", "where", "under")) if c.where.under else None
        above = self._own_amount(c.where.above, draft, other, ("corrected", "where", "above")) if c.where.above else None
        return Correction(c.formula, c.by, int(days or 0), under, above, c.ask)

    def _beyond_words(self, draft: Draft, s: Any) -> dict[str, Any]:
        """Numbers that stand for a word, and words that stand for numbers."""
        titre = number(s.titre) if s.titre is not None else None
        counted = number(s.counted.from_) if s.counted is not None else None
        meant = {word.lower(): str(range_) for word, range_ in s.off_scale.items()}
        bad = [r for r in meant.values() if r[:1] not in ("<", ">") or number(r[1:].strip()) is None]
        if bad or (s.titre is not None and titre is None) or (s.counted is not None and counted is None):
            place = draft.place(("off_scale",) if bad else ("titre",) if s.titre is not None else ("counted",))
            self.problems.append(
                Problem(place, "K205", "a plain number belongs here", 'e.g. `off_scale: {hi: "> 500"}`, `titre: 80`')
            )
            return {}
        return {
            "titre": int(titre) if titre is not None else None,
            "counted": (s.counted.unit, counted, s.counted.less) if counted is not None else None,
            "off_scale": tuple(meant.items()),
        }

    def _worked_out(self, draft: Draft, s: Any) -> WorkedOut | None:
        """From which other tests of the same day a result follows, and by which formula."""
        w = s.worked_out
        if w is None:
            return None
        known = [self.known("lab", part, draft, ("worked_out", "of", n)) for n, part in enumerate(w.of)]
        if not all(known):
            return None
        if PARTS.get(w.formula) != len(w.of):
            place = draft.place(("worked_out", "formula"))
            hint = "one of: " + ", ".join(f"{name} (of {n})" for name, n in PARTS.items())
            self.problems.append(Problem(place, "K301", f"`{w.formula}` is no formula of {len(w.of)} results", hint))
            return None
        return WorkedOut(w.formula, tuple(w.of))

    def _also_said(self, draft: Draft, s: Any) -> Iterator[AlsoSaid]:
        for n, one in enumerate(s.also_said):
            path: Path_ = ("also_said", n)
            low = self._own_amount(one.at_least, draft, s, (*path, "at_least")) if one.at_least else None
            under = self._own_amount(one.under, draft, s, (*path, "under")) if one.under else None
            yield AlsoSaid(one.text, low, under)

    def _own_amount(self, text: str, draft: Draft, s: Any, path: Path_) -> Decimal | None:
        """An amount written in the unit of a test."""
        amount, _, unit = str(text).partition(" ")
        found = number(amount)
        if found is None or unit != s.unit:
            self.problems.append(Problem(draft.place(path), "K206", f"`{text}` is not an amount in {s.unit}"))
        return found

    def _range(self, draft: Draft, s: Any, row: shapes.RangeShape, n: int) -> LabRange:
        path: Path_ = ("ranges", n)
        if all(item.source != row.source for item in s.evidence):
            hint = "a row's source stands under `evidence` too, with what was opened"
            place = draft.place((*path, "source"))
            self.problems.append(Problem(place, "K229", f"`{row.source}` is not among the evidence of this file", hint))
        for m, i in enumerate(row.on):
            self.known("class" if i.startswith("class.") else "drug", i, draft, (*path, "on", m))
        low = self._end(row, ("at_least", "above"), draft, s, path)
        high = self._end(row, ("at_most", "under"), draft, s, path)
        return LabRange(
            row.kind, low, high, row.above is None, row.under is None, row.who.sex,
            self._months(row.who.age.at_least, draft, (*path, "who", "age", "at_least")),
            self._months(row.who.age.under, draft, (*path, "who", "age", "under")),
            tuple(map(int, row.who.pregnancy)) if row.who.pregnancy is not None else None, tuple(row.on),
            tuple(i for m, i in enumerate(row.for_) if self.known("condition", i, draft, (*path, "for", m))), row.who.fasting,
            row.source, row.call, self._time(row.who.drawn, draft, s, (*path, "who", "drawn")),
        )  # fmt: skip

    def _end(self, row: Any, ops: tuple[str, str], draft: Draft, s: Any, path: Path_) -> Decimal | None:
        """One end of a range, written in the unit of its test."""
        op = next((op for op in ops if getattr(row, op) is not None), None)
        if op is None:
            return None
        return self._own_amount(getattr(row, op), draft, s, (*path, op))

    def _months(self, text: str | None, draft: Draft, path: Path_) -> Decimal | None:
        months = age_months(text) if text is not None else None
        if text is not None and months is None:
            hint = "write `65 y`, `6 months`, `2 weeks` or `28 d`"
            self.problems.append(Problem(draft.place(path), "K206", f"`{text}` is not an age", hint))
        return months

    def _plain(self, text: str | None, draft: Draft, key: str) -> Decimal | None:
        if text is None:
            return None
        found = number(text.split()[0] if text.split() else "")
        if found is None:
            self.problems.append(Problem(draft.place(("plausible", key)), "K205", f"`{text}` is not a number"))
        return found

    def genes(self) -> MadeRecords[Gene]:
        """Every gene whose results are read."""

        def build(draft: Draft, s: Any) -> Gene:
            self.cited(draft)
            for state, condition in s.implies.items():
                self.known("condition", condition, draft, ("implies", state))
                if state not in s.states:
                    hint = did_you_mean(state, s.states) or "states here: " + " ".join(s.states)
                    message = f"`{state}` is not a state of `{draft.id}`"
                    self.problems.append(Problem(draft.place(("implies", state), True), "K301", message, hint))
            states = {state: tuple(said) for state, said in s.states.items()}
            loinc = tuple(s.codes.get("loinc", ()))
            place = str(draft.place(()))
            return Gene(draft.id, s.name, tuple(s.synonyms), loinc, states, dict(s.implies), draft.origin, place)

        return self.table("genes", "gene", Gene, build)

    def procedures(self) -> MadeRecords[Procedure]:
        """Every operation and examination."""

        def build(draft: Draft, s: Any) -> Procedure:
            if s.measures is not None:
                self.known("lab", s.measures, draft, ("measures",))
            return Procedure(*(*self._done(draft, s, "procedure"), s.measures or ""))

        return self.table("procedures", "procedure", Procedure, build)

    def devices(self) -> MadeRecords[Device]:
        """Every device."""
        return self.table("devices", "device", Device, lambda d, s: Device(*self._done(d, s, "device")))

    def _done(self, draft: Draft, s: Any, kind: str) -> tuple[Any, ...]:
        self.cited(draft)
        kinds = dict.fromkeys(self._kinds(kind, draft.id))
        if s.implies is not None:
            self.known("condition", s.implies, draft, ("implies",))
        place = str(draft.place(()))
        return draft.id, s.name, tuple(s.synonyms), codes_of(s.codes), tuple(kinds), s.implies or "", draft.origin, place

    def effects(self) -> MadeRecords[Effect]:
        """What medicines do to tests, a file a test."""

        def build(draft: Draft, s: Any) -> Effect:
            self.cited(draft)
            self.known("lab", s.test, draft, ("test",))
            for n, row in enumerate(s.rows):
                for m, i in enumerate(row.of):
                    self.known("class" if i.startswith("class.") else "drug", i, draft, ("rows", n, "of", m))
            rows = tuple(EffectOn(tuple(row.of), row.moves, row.as_, row.note) for row in s.rows)
            up, down = (
                tuple(i for n, i in enumerate(named) if self.known("harm", i, draft, ("shows", way, n)))
                for way, named in (("up", s.shows.up), ("down", s.shows.down))
            )
            return Effect(draft.id, s.test, rows, draft.origin, str(draft.place(())), up, down)

        return self.table("effects", "effect", Effect, build)

    def panels(self) -> MadeRecords[Panel]:
        """Every group of tests that are written together."""

        def build(draft: Draft, s: Any) -> Panel:
            self.cited(draft)
            parts = tuple(i for n, i in enumerate(s.parts) if self.known("lab", i, draft, ("parts", n)))
            if len(s.between) not in (0, 1, len(s.parts) - 1):
                message = "`between` says what stands between the parts: one mark for all, or one for each gap"
                self.problems.append(Problem(draft.place(("between",)), "K232", message))
            marks = tuple(s.between) if len(s.between) > 1 else tuple(s.between) * (len(s.parts) - 1)
            beside = tuple(i for n, i in enumerate(s.beside) if self.known("lab", i, draft, ("beside", n)))
            place = str(draft.place(()))
            return Panel(
                draft.id, s.name, tuple(s.synonyms), parts, marks, s.without_a_name, s.first_alone, s.falls, tuple(s.asked),
                beside, draft.origin, place,
            )  # fmt: skip

        return self.table("panels", "panel", Panel, build)

    def alternatives(self) -> MadeRecords[Alternative]:
        """What may be taken instead of a medicine, a file a purpose."""

        def build(draft: Draft, s: Any) -> Alternative:
            members: Members = {}
            for n, i in enumerate(s.instead_of):
                path = ("instead_of", n)
                if i.startswith("class.") and self.known("class", i, draft, path):
                    found = self.drug_class(i)
                    members |= found.members if found is not None else {}
                elif not i.startswith("class.") and self.known("drug", i, draft, path):
                    members |= {i: ()}
            conditions = tuple(i for n, i in enumerate(s.for_) if self.known("condition", i, draft, ("for", n)))
            offer = tuple(
                Instead(row.drug, row.order)
                for n, row in enumerate(s.offer)
                if self.known("drug", row.drug, draft, ("offer", n, "drug"))
            )
            place = str(draft.place(()))
            return Alternative(draft.id, s.title, members, conditions, offer, self.citations(draft), draft.origin, place)

        return self.table("alternatives", "alternative", Alternative, build)

    def sources(self) -> MadeRecords[Source]:
        """Every source."""

        def build(draft: Draft, s: Any) -> Source:
            place = str(draft.place(()))
            return Source(draft.id, s.title, s.publisher, s.type, s.edition, s.url, s.licence, draft.origin, place)

        return self.table("sources", "source", Source, build)


def _strength(s: Any, side: str, strength: str) -> Any:
    """What a pathway says of a side at a strength; None where nothing."""
    return getattr(getattr(s, side), strength, None)


def _tuple(values: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def _usual(routes: Sequence[str]) -> str:
    """The usual route of a drug whose file names none: by mouth where it is taken so, else its only one."""
    return "oral" if "oral" in routes else routes[0] if len(routes) == 1 else ""


def _names(groups: Iterable[tuple[Via, Iterable[tuple[str, bool]]]]) -> tuple[Named, ...]:
    found: dict[str, Named] = {}
    for via, texts in groups:
        for text, error_prone in texts:
            found.setdefault(fold(text), Named(text, via, error_prone))
    return tuple(found.values())


def codes_of(codes: shapes.ConditionCodes) -> tuple[tuple[str, str], ...]:
    """Codes with their systems."""
    return tuple(("snomed", c) for c in codes.snomed) + tuple(("icd10cm", c) for c in codes.icd10cm)


def _narrowed(members: dict[str, list[Restriction]], whole: Restriction) -> Members:
    """Each member's ways, cut down to what the class as a whole allows; a member without a way left goes."""
    built: Members = {}
    for drug in sorted(members):
        ways = []
        for way in members[drug]:
            routes, forms = _both(way.routes, whole.routes), _both(way.forms, whole.forms)
            if routes != () and forms != ():
                ways.append(Restriction(routes, forms))
        if Restriction() in ways:
            built[drug] = ()
        elif ways:
            built[drug] = tuple(dict.fromkeys(ways))
    return built


def _both(a: tuple[str, ...] | None, b: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if a is None or b is None:
        return b if a is None else a
    return tuple(x for x in a if x in b)
