"""Lines of a condition as written → typed leaves with amounts read and ids looked up."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal, get_args

from safety.errors import Problem
from safety.knowledge import library as lib
from safety.knowledge import shapes
from safety.knowledge.documents import Path_
from safety.knowledge.drafts import Draft
from safety.knowledge.leaves import numbered
from safety.knowledge.nouns import FactCompiler
from safety.model.patient import age_months
from safety.model.quantity import Quantity, number
from safety.text import did_you_mean

_Op = Literal["at_least", "at_most", "under", "above"]
_OPS: tuple[_Op, ...] = ("at_least", "at_most", "under", "above")
_GROUPS = {"class": "drug_class", "drug": "drug", "condition": "condition", "lab": "lab"}


class LineCompiler:
    """Compiles the lines of one judged entry (or inference)."""

    def __init__(self, facts: FactCompiler, draft: Draft) -> None:
        self.facts = facts
        self.draft = draft
        self.slots: dict[str, lib.DrugLeaf] = {}
        self.used: set[str] = set()
        """Ids of facts that the lines refer to."""

    def lines(self, written: Sequence[shapes.Line], path: Path_, *, top: bool = False) -> tuple[lib.LeafType, ...]:
        """All lines that can be compiled; problems for the rest. `top`: drug lines may be bound here."""
        found = (self._line(line, (*path, n), top) for n, line in enumerate(written))
        return tuple(leaf for leaf in found if leaf is not None)

    def problem(self, path: Path_, code: str, message: str, hint: str = "") -> None:
        """Note a problem at a path of this entry."""
        self.facts.problems.append(Problem(self.draft.place(path), code, message, hint))

    def _line(self, line: shapes.Line, path: Path_, top: bool) -> lib.LeafType | None:
        key = line.key
        here = (*path, key)
        raw = _at(self.draft.raw, here)
        place = str(self.draft.place(here, of_key=True))
        common: dict[str, Any] = {"place": place, "text": f"{key}: {written(raw)}"}
        inner = getattr(line, key if key != "not" else "not_")
        missing = getattr(inner, "if_missing", None)
        if missing is not None:
            common["missing_is_no"] = missing.because
        if key in ("any", "all"):
            leaves = self.lines(inner, here)
            return numbered(lib.AnyLeaf(lines=leaves, **common) if key == "any" else lib.AllLeaf(lines=leaves, **common))
        if key == "not":
            leaf = self._line(inner, here, False)
            return None if leaf is None else numbered(lib.NotLeaf(line=leaf, **common))
        build = getattr(self, f"_{key}")
        leaf = build(inner, here, common, top) if key == "drug" else build(inner, here, common)
        return numbered(leaf) if isinstance(leaf, get_args(lib.LeafType)) else None

    # -------------------------------------------------------------- drugs

    def _drug(self, s: shapes.DrugLine, path: Path_, common: dict[str, Any], top: bool) -> lib.DrugLeaf:
        members = self._members_of_line(s, path)
        if members is not None:
            for excluded in self._expand(s.except_, (*path, "except")):
                members.pop(excluded, None)
        leaf = lib.DrugLeaf(
            slot=s.as_, of=s.is_, members=members, routes=_tuple(s.route), forms=_tuple(s.form), supply=s.supply,
            single_dose=self._bounds(s.single_dose, (*path, "single_dose")),
            daily_dose=self._bounds(s.daily_dose, (*path, "daily_dose")),
            or_stopped_within=self._days(s.or_stopped_within, (*path, "or_stopped_within")),
            indications=tuple(i for n, i in enumerate(s.for_) if self._fact("condition", i, (*path, "for", n))),
            started_within=self._days(s.started_within, (*path, "started_within")), among=s.in_, says=tuple(s.says),
            except_=tuple(self._expand(s.except_, (*path, "except"))) if members is None else (), **common,
        )  # fmt: skip
        if s.is_:
            self.need_slot(s.is_, (*path, "is"))
        if s.as_:
            if not top:
                self.problem((*path, "as"), "K208", "`as` is allowed only on the top lines of `condition`")
            elif s.as_ in self.slots:
                self.problem((*path, "as"), "K209", f"`{s.as_}` already names another drug line", "give each its own name")
            self.slots[s.as_] = leaf
        return leaf

    def _members_of_line(self, s: shapes.DrugLine, path: Path_) -> lib.Members | None:
        if s.any or not (s.id or s.class_ or s.any_of):
            return None
        if s.id:
            return self._members_of(s.id, (*path, "id"))
        if s.class_:
            return self._members_of(s.class_, (*path, "class"))
        members: dict[str, tuple[lib.Restriction, ...]] = {}
        for n, i in enumerate(s.any_of or ()):
            for drug, ways in self._members_of(i, (*path, "any_of", n)).items():
                before = members.get(drug)
                members[drug] = ways if before is None else (() if not before or not ways else (*before, *ways))
        return members

    def _members_of(self, i: str, path: Path_) -> lib.Members:
        if i.startswith("class."):
            if not self.facts.known("class", i, self.draft, path):
                return {}
            self.used.update(self.facts.parts(i))
            found = self.facts.drug_class(i)
            return dict(found.members) if found else {}
        if self.facts.known("drug", i, self.draft, path):
            self.used.add(i)
            return {i: ()}
        return {}

    def _expand(self, ids: Sequence[str], path: Path_) -> list[str]:
        return [drug for n, i in enumerate(ids) for drug in self._members_of(i, (*path, n))]

    def _same_ingredient(self, s: list[str], path: Path_, common: dict[str, Any]) -> lib.IngredientLeaf:
        return lib.IngredientLeaf(slots=self._two(s, path), same=True, **common)

    def _different_ingredient(self, s: list[str], path: Path_, common: dict[str, Any]) -> lib.IngredientLeaf:
        return lib.IngredientLeaf(slots=self._two(s, path), same=False, **common)

    def _apart(self, s: shapes.ApartLine, path: Path_, common: dict[str, Any]) -> lib.ApartLeaf | None:
        time = self.facts.quantity(s.at_least, self.draft, (*path, "at_least"), "time")
        minutes = self.facts.units.convert(time, "min") if time is not None else None
        if minutes is None:
            return None
        return lib.ApartLeaf(slots=self._two(s.of, (*path, "of")), minutes=int(minutes), **common)

    def _two(self, s: list[str], path: Path_) -> tuple[str, str]:
        for n, slot in enumerate(s):
            self.need_slot(slot, (*path, n))
        return s[0], s[1]

    def need_slot(self, slot: str, path: Path_) -> None:
        """A problem unless a drug line of this entry has that name."""
        if slot not in self.slots:
            names = " ".join(f"`{s}`" for s in self.slots) or "none"
            self.problem(path, "K210", f"`{slot}` is not the name of a drug line", f"names given with `as`: {names}")

    def _burden(self, s: shapes.BurdenLine, path: Path_, common: dict[str, Any]) -> lib.BurdenLeaf:
        return lib.BurdenLeaf(members=self._members_of(s.class_, (*path, "class")), at_least=s.at_least, **common)

    # -------------------------------------------------------------- the patient

    def _has(self, s: shapes.HasLine, path: Path_, common: dict[str, Any]) -> lib.HasLeaf:
        known = [i for n, i in enumerate(s.any_of) if self._fact("condition", i, (*path, "any_of", n))]
        within = self._days(s.within, (*path, "within"))
        return lib.HasLeaf(conditions=tuple(known), ever=s.ever, within=within, family=s.family, **common)

    def _lab(self, s: shapes.LabLine, path: Path_, common: dict[str, Any]) -> lib.LabLeaf | None:
        if not self._fact("lab", s.test, (*path, "test")):
            return None
        bounds = []
        for op in _OPS:
            text = getattr(s, op)
            found = self._of_test(s.test, text, (*path, op)) if text is not None else None
            if found is not None:
                bounds.append(lib.Bound(op, found, str(self.draft.place((*path, op))), str(text)))
        test: Any = self.facts.drafts.facts["lab"][s.test].shape
        if s.is_ and test.expected is None:
            self.problem((*path, "is"), "K206", f"{s.test} does not come in words", "write bounds: `above`, `under` …")
        newest, any_ = (self._days(getattr(s, key), (*path, key)) for key in ("newest_within", "any_within"))
        return lib.LabLeaf(test=s.test, bounds=tuple(bounds), newest_within=newest, any_within=any_, words=tuple(s.is_), **common)

    def _of_test(self, test: str, text: str, path: Path_) -> Quantity | None:
        """An amount in the unit of a test."""
        shape: Any = self.facts.drafts.facts["lab"][test].shape
        unit = self.facts.units.symbol(shape.unit) or shape.unit
        value, _, rest = str(text).partition(" ")
        plain = number(value)
        if plain is None or not rest or (self.facts.units.symbol(rest) or rest.strip()) != unit:
            hint = f"rules about {test} count in {shape.unit}"
            self.problem(path, "K206", f"`{text}` is not an amount in {shape.unit}", hint)
            return None
        return Quantity(plain, unit)

    def _measured(self, s: shapes.MeasuredLine, path: Path_, common: dict[str, Any]) -> lib.MeasuredLeaf | None:
        known = [i for n, i in enumerate(s.any_of) if self._fact("lab", i, (*path, "any_of", n))]
        within = self._days(s.within, (*path, "within"))
        return lib.MeasuredLeaf(tests=tuple(known), within=within, **common) if known and within is not None else None

    def _change(self, s: shapes.ChangeLine, path: Path_, common: dict[str, Any]) -> lib.ChangeLeaf | None:
        if not self._fact("lab", s.test, (*path, "test")):
            return None
        if s.after is not None:
            self.need_slot(s.after, (*path, "after"))
        step, side = (s.rises, "rises") if s.rises is not None else (s.falls, "falls")
        within = self._days(s.within, (*path, "within"))
        if step is None or within is None:
            return None
        by = self._of_test(s.test, step.by, (*path, side, "by")) if step.by is not None else None
        return lib.ChangeLeaf(
            test=s.test, up=side == "rises", within=within, by=by.value if by is not None else None,
            percent=self._plain(step.percent, (*path, side, "percent")), times=self._plain(step.times, (*path, side, "times")),
            newest_within=self._days(s.newest_within, (*path, "newest_within")), after=s.after, **common,
        )  # fmt: skip

    def _plain(self, text: str | None, path: Path_) -> Decimal | None:
        found = number(str(text)) if text is not None else None
        if text is not None and found is None:
            self.problem(path, "K206", f"`{text}` is not a number")
        return found

    def _gene(self, s: shapes.GeneLine, path: Path_, common: dict[str, Any]) -> lib.GeneLeaf | None:
        if not self._fact("gene", s.of, (*path, "of")):
            return None
        states: Any = self.facts.drafts.facts["gene"][s.of].shape.states  # type: ignore[attr-defined]
        for n, state in enumerate(s.is_):
            if state not in states:
                hint = did_you_mean(state, states) or "states: " + " ".join(states)
                self.problem((*path, "is", n), "K301", f"`{state}` is not a state of {s.of}", hint)
        return lib.GeneLeaf(gene=s.of, states=tuple(s.is_), **common)

    def _procedure(self, s: shapes.ProcedureLine, path: Path_, common: dict[str, Any]) -> lib.ProcedureLeaf:
        known = [i for n, i in enumerate(s.any_of) if self._fact("procedure", i, (*path, "any_of", n))]
        within = self._days(s.done_within, (*path, "done_within"))
        return lib.ProcedureLeaf(procedures=tuple(known), planned=s.planned, done_within=within, **common)

    def _device(self, s: shapes.DeviceLine, path: Path_, common: dict[str, Any]) -> lib.DeviceLeaf:
        known = [i for n, i in enumerate(s.any_of) if self._fact("device", i, (*path, "any_of", n))]
        return lib.DeviceLeaf(devices=tuple(known), **common)

    def _fact(self, kind: str, i: str, path: Path_) -> bool:
        if not self.facts.known(kind, i, self.draft, path):
            return False
        self.used.add(i)
        return True

    def _age(self, s: shapes.AgeLine, path: Path_, common: dict[str, Any]) -> lib.AgeLeaf:
        bounds = []
        for op in _OPS:
            text = getattr(s, op)
            months = age_months(text) if text is not None else None
            if text is not None and months is None:
                self.problem((*path, op), "K206", f"`{text}` is not an age", "write `65 y`, `6 months`, `2 weeks` or `28 d`")
            elif months is not None:
                bounds.append(lib.Bound(op, Quantity(months, "month"), str(self.draft.place((*path, op))), str(text)))
        return lib.AgeLeaf(bounds=tuple(bounds), **common)

    def _weight(self, s: shapes.AgeLine, path: Path_, common: dict[str, Any]) -> lib.WeightLeaf:
        return lib.WeightLeaf(bounds=self._bounds(s, path, "mass"), **common)

    def _kidney(self, s: shapes.AgeLine, path: Path_, common: dict[str, Any]) -> lib.KidneyLeaf:
        return lib.KidneyLeaf(bounds=self._bounds(s, path, "volume/time"), **common)

    def _daily_equivalent(self, s: shapes.EquivalentLine, path: Path_, common: dict[str, Any]) -> lib.EquivalentLeaf | None:
        if not self._fact("factors", s.by, (*path, "by")):
            return None
        unit = str(self.facts.drafts.facts["factors"][s.by].shape.unit)  # type: ignore[attr-defined]
        bounds = []
        for op in _OPS:
            text = getattr(s, op)
            value, _, rest = (text or "").partition(" ")
            plain = number(value) if text is not None else None
            if text is not None and (plain is None or rest.strip() != unit):
                self.problem((*path, op), "K206", f"`{text}` is not an amount in {unit}", f"{s.by} counts in {unit}")
            elif plain is not None:
                bounds.append(lib.Bound(op, Quantity(plain, unit), str(self.draft.place((*path, op))), str(text)))
        return lib.EquivalentLeaf(table=s.by, bounds=tuple(bounds), **common)

    def _intake(self, s: shapes.IntakeLine, path: Path_, common: dict[str, Any]) -> lib.IntakeLeaf:
        known = [i for n, i in enumerate(s.of) if self._fact("food", i, (*path, "of", n))]
        return lib.IntakeLeaf(
            foods=tuple(known), bounds=self._bounds(s.daily, (*path, "daily")), over_limit=s.over_limit, **common
        )

    def _sex(self, s: shapes.SexLine, path: Path_, common: dict[str, Any]) -> lib.SexLeaf:
        return lib.SexLeaf(sex=s.is_, **common)

    def _pregnancy(self, s: shapes.PregnancyLine, path: Path_, common: dict[str, Any]) -> lib.PregnancyLeaf:
        weeks = []
        for op in _OPS:
            text = getattr(s.weeks, op) if s.weeks else None
            if text is not None:
                plain = number(text.split()[0]) if text.split() else None
                if plain is None:
                    self.problem((*path, "weeks", op), "K206", f"`{text}` is not a number of weeks")
                    continue
                weeks.append(lib.Bound(op, Quantity(plain, "week"), str(self.draft.place((*path, "weeks", op))), str(text)))
        trimesters = tuple(s.trimester) if s.trimester else None
        return lib.PregnancyLeaf(present=s.is_, trimesters=trimesters, weeks=tuple(weeks), **common)

    def _breastfeeding(self, s: shapes.BreastfeedingLine, path: Path_, common: dict[str, Any]) -> lib.BreastfeedingLeaf:
        return lib.BreastfeedingLeaf(present=s.is_, **common)

    def _allergy(self, s: shapes.AllergyLine, path: Path_, common: dict[str, Any]) -> lib.AllergyLeaf:
        grades = tuple(s.reaction) if s.reaction else None
        kind = s.to.partition(".")[0]
        if "." not in s.to:
            self.need_slot(s.to, (*path, "to"))
            return lib.AllergyLeaf(slot=s.to, grades=grades, **common)
        if kind not in ("class", "drug", "allergen"):
            self.problem((*path, "to"), "K301", f"`{s.to}` is not a drug, a class or an allergen")
        else:
            self._fact(kind, s.to, (*path, "to"))
        return lib.AllergyLeaf(targets=(s.to,), grades=grades, **common)

    # -------------------------------------------------------------- amounts

    def _bounds(self, s: Any, path: Path_, dimension: str | None = None) -> lib.Bounds:
        bounds = []
        for op in _OPS:
            text = getattr(s, op, None)
            found = self.facts.quantity(text, self.draft, (*path, op), dimension) if text is not None else None
            if found is not None:
                bounds.append(lib.Bound(op, found, str(self.draft.place((*path, op))), str(text)))
        return tuple(bounds)

    bounds = _bounds

    def _days(self, text: str | None, path: Path_) -> int | None:
        if text is None:
            return None
        found = self.facts.quantity(text, self.draft, path, "time")
        days = self.facts.units.convert(found, "d") if found else None
        if days is None:
            return None
        if days != int(days) or days <= Decimal(0):
            self.problem(path, "K206", f"`{text}` is not a whole number of days")
            return None
        return int(days)


def _tuple(values: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)


def _at(root: Any, path: Path_) -> Any:
    """The raw value at a path; a single line written without its list stands for item 0."""
    value: Any = root
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            if part != 0:
                return None
    return value


def written(value: Any) -> str:
    """A value as it stands in YAML, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {written(v)}" for k, v in value.items() if k != "if_missing") + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(v) for v in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "~" if value is None else str(value)
