"""Drafts of drugs, products, classes, conditions, labs … → the library's frozen values, cross-references checked."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeVar

from safety.errors import Problem
from safety.knowledge import shapes
from safety.knowledge.documents import Document, Path_
from safety.knowledge.drafts import Draft, Drafts
from safety.knowledge.library import (
    Allergen,
    Bound,
    Bounds,
    Condition,
    Content,
    Drug,
    DrugClass,
    Figures,
    Food,
    Lab,
    Members,
    Named,
    Presentation,
    Product,
    Restriction,
    Source,
    UnitFactor,
    UnitTable,
)
from safety.model.quantity import Quantity, Units, number
from safety.model.report import Citation
from safety.text import did_you_mean, fold

T = TypeVar("T")
Via = Literal["name", "synonym", "abbreviation", "brand", "salt", "misspelling", "product"]


class FactCompiler:
    """Compiles facts; keeps the problems it meets and answers questions about ids."""

    def __init__(self, drafts: Drafts, units: Units) -> None:
        self.drafts = drafts
        self.units = units
        self.problems = drafts.problems
        self.classes: dict[str, DrugClass] = {}
        self.parts: dict[str, set[str]] = {}
        """A class with the classes that it is made of."""

    # -------------------------------------------------------------- shared

    def known(self, kind: str, given: str, draft: Draft, path: Path_) -> bool:
        """Whether an id of a kind exists; a problem with a suggestion if not."""
        group = self.drafts.facts[kind]
        if given in group and given not in self.drafts.switched_off:
            return True
        if given in self.drafts.broken and given.startswith(f"{kind}."):
            return False  # its own file has a problem already
        hint = did_you_mean(given, group)
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

    def citations(self, draft: Draft) -> tuple[Citation, ...]:
        """The evidence of a draft, each source looked up."""
        built = []
        for n, item in enumerate(draft.shape.evidence):  # type: ignore[attr-defined]
            if not self.known("source", item.source, draft, ("evidence", n, "source")):
                continue
            source: Any = self.drafts.facts["source"][item.source].shape
            copy = item.checked.copy_ or ""
            built.append(Citation(item.source, item.at, item.grade, item.checked.how, list(item.supports), source.title, copy))
        return tuple(built)

    def each(self, kind: str) -> Iterable[tuple[Draft, Any]]:
        """Drafts of a kind in order of id, without those a site switched off."""
        for i in sorted(self.drafts.facts[kind]):
            if i not in self.drafts.switched_off:
                draft = self.drafts.facts[kind][i]
                yield draft, draft.shape

    # -------------------------------------------------------------- kinds

    def drugs(self) -> tuple[Drug, ...]:
        """Every drug with its names."""
        built = []
        for draft, s in self.each("drug"):
            self.citations(draft)
            for n, route in enumerate(s.otc_routes):
                if route not in s.routes:
                    self.problems.append(Problem(draft.place(("otc_routes", n)), "K217", f"`{route}` is not one of its routes"))
            groups: list[tuple[Via, Iterable[tuple[str, bool]]]] = [
                ("name", [(s.name, False)]),
                ("synonym", [(t, False) for t in s.synonyms]),
                ("abbreviation", [(a.text, a.error_prone) for a in s.abbreviations]),
                ("brand", [(t, False) for t in s.brands]),
                ("salt", [(t, False) for t in s.salts]),
                ("misspelling", [(t, False) for t in s.misspellings]),
            ]
            strengths = [self.quantity(text, draft, ("strengths", n)) for n, text in enumerate(s.strengths)]
            built.append(
                Drug(
                    id=draft.id, name=s.name, names=_names(groups), supply=s.supply, routes=tuple(s.routes),
                    otc_routes=tuple(s.otc_routes), rxnorm=s.codes.rxnorm, rxnorm_also=tuple(s.codes.rxnorm_also),
                    counts_as=s.counts_as, names_salts=s.names_salts, forms=tuple(s.forms),
                    strengths=tuple(q for q in strengths if q is not None),
                    origin=draft.origin, place=str(draft.place(())),
                )
            )  # fmt: skip
        return tuple(built)

    def products(self) -> tuple[Product, ...]:
        """Every product with its strengths."""
        built = []
        for draft, s in self.each("product"):
            self.citations(draft)
            strengths = tuple(self._presentation(draft, n, p) for n, p in enumerate(s.presentations))
            groups: list[tuple[Via, Iterable[tuple[str, bool]]]] = [
                ("product", [(s.name, False), *((t, False) for t in s.synonyms)])
            ]
            built.append(
                Product(
                    id=draft.id, name=s.name, names=_names(groups), supply=s.supply, route=s.route,
                    presentations=strengths, rxnorm=s.codes.rxnorm, rxnorm_also=tuple(s.codes.rxnorm_also),
                    origin=draft.origin, place=str(draft.place(())),
                )
            )  # fmt: skip
        return tuple(built)

    def _presentation(self, draft: Draft, n: int, p: shapes.Presentation) -> Presentation:
        path: Path_ = ("presentations", n)
        per = self.quantity(p.per, draft, (*path, "per")) or Quantity(Decimal(1), "tablet")
        contents = []
        for drug, amount in p.contains.items():
            here = (*path, "contains", drug)
            self.known("drug", drug, draft, here)
            contents.append(Content(drug, None if amount == "unstated" else self.quantity(amount, draft, here)))
        return Presentation(p.name, p.form, per, tuple(contents))

    def all_classes(self) -> tuple[DrugClass, ...]:
        """Every class with all its members."""
        self.classes = {}
        for draft, _ in self.each("class"):
            self._class(draft.id, ())
        return tuple(self.classes[i] for i in sorted(self.classes))

    def _class(self, i: str, above: tuple[str, ...]) -> DrugClass | None:  # noqa: C901 (to be redrawn)
        if i in self.classes:
            return self.classes[i]
        draft = self.drafts.facts["class"][i]
        s: Any = draft.shape
        if i in above:
            ring = " → ".join([*above[above.index(i) :], i])
            self.problems.append(Problem(draft.place(("includes",)), "K302", f"the class includes itself: {ring}"))
            return None
        self.citations(draft)
        members: dict[str, list[Restriction]] = {}
        before = len(self.problems)
        parts = self.parts[i] = {i}
        for n, included in enumerate(s.includes):
            if self.known("class", included, draft, ("includes", n)):
                inner = self._class(included, (*above, i))
                parts |= self.parts.get(included, set())
                for drug, ways in inner.members.items() if inner else ():
                    members.setdefault(drug, []).extend(ways or (Restriction(),))
        for n, member in enumerate(s.members):
            if self.known("drug", member.drug, draft, ("members", n)):
                members.setdefault(member.drug, []).append(Restriction(_tuple(member.route), _tuple(member.form)))
        for n, excluded in enumerate(s.excludes):
            if excluded.startswith("class."):
                if self.known("class", excluded, draft, ("excludes", n)):
                    inner = self._class(excluded, (*above, i))
                    parts |= self.parts.get(excluded, set())
                    for drug, ways in inner.members.items() if inner else ():
                        self._take_out(members, drug, ways)
            elif self.known("drug", excluded, draft, ("excludes", n)):
                members.pop(excluded, None)
        named = not s.members and not s.includes
        if not members and (named or len(self.problems) == before) and not self._waits(s):
            self.problems.append(Problem(draft.place(()), "K303", "the class has no member"))
        whole = Restriction(_tuple(s.route), _tuple(s.form))
        built = DrugClass(draft.id, s.name, tuple(s.synonyms), _narrowed(members, whole), draft.origin, str(draft.place(())))
        self.classes[i] = built
        return built

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

    def conditions(self) -> tuple[Condition, ...]:
        """Every condition with all it is a kind of."""
        built = []
        for draft, s in self.each("condition"):
            self.citations(draft)
            built.append(
                Condition(
                    id=draft.id, name=s.name, synonyms=tuple(s.synonyms), codes=_codes(s.codes), past_codes=_codes(s.past_codes),
                    is_a=tuple(dict.fromkeys(self._kinds(draft.id, ()))), pregnancy=s.implies.pregnancy,
                    breastfeeding=s.implies.breastfeeding,
                    kidney=self.clearance(s.implies.kidney, draft, ("implies", "kidney")),
                    origin=draft.origin, place=str(draft.place(())),
                )
            )  # fmt: skip
        return tuple(built)

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

    def _kinds(self, i: str, above: tuple[str, ...]) -> list[str]:
        draft = self.drafts.facts["condition"][i]
        if i in above:
            ring = " → ".join([*above[above.index(i) :], i])
            self.problems.append(Problem(draft.place(("is_a",)), "K302", f"the condition is a kind of itself: {ring}"))
            return []
        kinds = [i]
        s: Any = draft.shape
        for n, parent in enumerate(s.is_a):
            if self.known("condition", parent, draft, ("is_a", n)):
                kinds += self._kinds(parent, (*above, i))
        return kinds

    def allergens(self) -> tuple[Allergen, ...]:
        """Every allergen that is not a drug."""
        built = []
        for draft, s in self.each("allergen"):
            self.citations(draft)
            place = str(draft.place(()))
            built.append(Allergen(draft.id, s.name, tuple(s.synonyms), _codes(s.codes), draft.origin, place))
        return tuple(built)

    def figures(self) -> tuple[Figures, ...]:
        """Every table of figures."""
        built = []
        for draft, s in self.each("figures"):
            self.citations(draft)
            rows = {name: self.bounds(row, draft, ("rows", name)) for name, row in s.rows.items()}
            built.append(Figures(draft.id, s.title, rows, draft.origin, str(draft.place(("id",), True))))
        return tuple(built)

    def foods(self) -> tuple[Food, ...]:
        """What is eaten, drunk and smoked."""
        built = []
        for draft, s in self.each("food"):
            self.citations(draft)
            built.append(Food(draft.id, s.name, tuple(s.synonyms), draft.origin, str(draft.place(()))))
        return tuple(built)

    def labs(self) -> tuple[Lab, ...]:
        """Every test with its units."""
        built = []
        for draft, s in self.each("lab"):
            self.citations(draft)
            others = []
            for n, other in enumerate(s.other_units):
                factor, offset = number(other.factor), number(other.offset)
                if factor is None or offset is None or factor == 0:
                    place = draft.place(("other_units", n))
                    self.problems.append(Problem(place, "K205", "factor and offset must be plain numbers, the factor not 0"))
                    continue
                others.append(UnitFactor(self.units.symbol(other.unit) or other.unit, factor, offset))
            low, high = s.plausible.at_least, s.plausible.at_most
            least, most = self._plain(low, draft, "at_least"), self._plain(high, draft, "at_most")
            if least is not None and most is not None and least >= most:
                self.problems.append(Problem(draft.place(("plausible",)), "K213", "it ends before it begins"))
            built.append(
                Lab(
                    id=draft.id, name=s.name, synonyms=tuple(s.synonyms), loinc=tuple(s.codes.get("loinc", ())),
                    unit=self.units.symbol(s.unit) or s.unit, other_units=tuple(others),
                    plausible_low=least, plausible_high=most, unitless=s.unitless, role=s.role,
                    origin=draft.origin, place=str(draft.place(())),
                )
            )  # fmt: skip
        return tuple(built)

    def _plain(self, text: str | None, draft: Draft, key: str) -> Decimal | None:
        if text is None:
            return None
        found = number(text.split()[0] if text.split() else "")
        if found is None:
            self.problems.append(Problem(draft.place(("plausible", key)), "K205", f"`{text}` is not a number"))
        return found

    def sources(self) -> tuple[Source, ...]:
        """Every source."""
        return tuple(
            Source(d.id, s.title, s.publisher, s.type, s.edition, s.url, s.licence, d.origin, str(d.place(())))
            for d, s in self.each("source")
        )

    # -------------------------------------------------------------- clashes

    def clashes(self) -> None:
        """No name and no code may stand for two different things."""
        self._clash_of_names("drug", "product")
        self._clash_of_names("condition")
        self._clash_of_names("lab")
        self._clash_of_names("food")
        self._clash_of_names("harm")
        self._clash_of_codes()

    def _clash_of_names(self, *kinds: str) -> None:
        seen: dict[str, str] = {}
        for kind in kinds:
            for draft, s in self.each(kind):
                own: set[str] = set()
                for path, text in _all_names(s):
                    folded = fold(text)
                    other = seen.get(folded)
                    if not folded:
                        self.problems.append(Problem(draft.place(path), "K402", f"`{text}` holds no letter or digit"))
                    elif other and other != draft.id:
                        hint = "a name may mean one thing only"
                        self.problems.append(Problem(draft.place(path), "K401", f"`{text}` is already a name of `{other}`", hint))
                    own.add(folded)
                for folded in own:
                    seen.setdefault(folded, draft.id)

    def _clash_of_codes(self) -> None:
        seen: dict[tuple[str, str], str] = {}
        for kind in ("drug", "product", "condition", "allergen", "lab"):
            for draft, s in self.each(kind):
                for system, path, code in _all_codes(kind, s):
                    other = seen.setdefault((system, code), draft.id)
                    if other != draft.id:
                        self.problems.append(Problem(draft.place(path), "K403", f"code {code} already belongs to `{other}`"))


def unit_table(drafts: Drafts) -> UnitTable:
    """The rows of `kb/units.yaml`, factors checked to be exact numbers."""
    document = drafts.units_document
    dimensions: dict[str, dict[str, str]] = {}
    aliases: dict[str, tuple[str, ...]] = {}
    count: tuple[str, ...] = ()
    if document is None:
        return UnitTable({}, {}, ())
    for key, value in drafts.units.items():
        place = document.place((key,))
        if key == "count" and isinstance(value, list):
            count = tuple(str(v) for v in value)
        elif key == "aliases" and isinstance(value, dict):
            aliases = _aliases(value, document, drafts)
        elif isinstance(value, dict):
            dimensions[key] = _factors(key, value, document, drafts)
        else:
            drafts.problems.append(Problem(place, "K109", f"`{key}` must be units with their factors"))
    return UnitTable(dimensions, aliases, count)


def _factors(dimension: str, value: dict[str, Any], document: Document, drafts: Drafts) -> dict[str, str]:
    built = {}
    for unit, written in value.items():
        try:
            factor = Fraction(str(written))
        except (ValueError, ZeroDivisionError):
            factor = Fraction(0)
        if factor <= 0:
            place = document.place((dimension, unit))
            drafts.problems.append(
                Problem(place, "K205", f"the factor of `{unit}` is not a number above 0", 'write 0.001 or "1/24"')
            )
            continue
        built[unit] = str(factor)
    return built


def _aliases(value: dict[str, Any], document: Document, drafts: Drafts) -> dict[str, tuple[str, ...]]:
    built: dict[str, tuple[str, ...]] = {}
    seen: dict[str, str] = {}
    for unit, others in value.items():
        if not isinstance(others, list):
            drafts.problems.append(
                Problem(document.place(("aliases", unit)), "K109", f"the other spellings of `{unit}` must be a list")
            )
            continue
        built[unit] = tuple(str(v) for v in others)
        for n, spelling in enumerate(built[unit]):
            before = seen.setdefault(spelling, unit)
            if before != unit:
                place = document.place(("aliases", unit, n))
                drafts.problems.append(Problem(place, "K401", f"`{spelling}` is already a spelling of `{before}`"))
    return built


def _tuple(values: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def _names(groups: Iterable[tuple[Via, Iterable[tuple[str, bool]]]]) -> tuple[Named, ...]:
    found: dict[str, Named] = {}
    for via, texts in groups:
        for text, error_prone in texts:
            found.setdefault(fold(text), Named(text, via, error_prone))
    return tuple(found.values())


def _codes(codes: shapes.ConditionCodes) -> tuple[tuple[str, str], ...]:
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


def _all_names(s: Any) -> Iterable[tuple[Path_, str]]:
    yield ("name",), s.name
    for key in ("synonyms", "brands", "salts", "misspellings"):
        for n, text in enumerate(getattr(s, key, ())):
            yield (key, n), text
    for n, item in enumerate(getattr(s, "abbreviations", ())):
        yield ("abbreviations", n), item.text


def _all_codes(kind: str, s: Any) -> Iterable[tuple[str, Path_, str]]:
    if kind in ("drug", "product"):
        if s.codes.rxnorm:
            yield "rxnorm", ("codes", "rxnorm"), s.codes.rxnorm
        for n, code in enumerate(s.codes.rxnorm_also):
            yield "rxnorm", ("codes", "rxnorm_also", n), code
    elif kind == "lab":
        for n, code in enumerate(s.codes.get("loinc", ())):
            yield "loinc", ("codes", "loinc", n), code
    else:
        for key in ("codes", "past_codes"):
            for system, code in _codes(getattr(s, key, shapes.ConditionCodes())):
                yield system, (key,), code
