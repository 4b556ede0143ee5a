"""The knowledge files as a stranger reads them: YAML with every scalar as text, classes and conditions unfolded, rules laid out
one by one. Shares nothing with the engine but the files; written from `kb/README.md`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import yaml


class _Texts(yaml.CSafeLoader):
    """YAML in which yes, no, dates and numbers are what they look like: text."""


_Texts.yaml_implicit_resolvers = {}

Line = dict[str, Any]


def read(path: Path) -> Any:
    """One file."""
    return yaml.load(path.read_text(encoding="utf-8"), _Texts)


def many(value: Any) -> list[Any]:
    """A list of what may be one or several."""
    return [] if value is None else value if isinstance(value, list) else [value]


class Only(NamedTuple):
    """What a member of a class is restricted to."""

    routes: tuple[str, ...] | None
    forms: tuple[str, ...] | None


Members = dict[str, list[Only]]


class Units:
    """The conversions of `kb/units.yaml`."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.alias: dict[str, str] = {}
        self.scale: dict[str, tuple[str, Fraction]] = {}
        for dimension, units in table.items():
            if dimension == "count":
                self.scale |= {unit: (unit, Fraction(1)) for unit in units}
            elif dimension == "aliases":
                self.alias |= {other: unit for unit, others in units.items() for other in others}
            else:
                self.scale |= {unit: (dimension, Fraction(factor)) for unit, factor in units.items()}

    def named(self, unit: str) -> str:
        """A unit by its own symbol."""
        return self.alias.get(unit, unit)

    def to(self, value: Fraction, unit: str, wanted: str) -> Fraction | None:
        """A value in another unit; None where no conversion is written."""
        unit, wanted = self.named(unit), self.named(wanted)
        if unit == wanted:
            return value
        mine, its = unit.split("/"), wanted.split("/")
        if len(mine) != len(its):
            return None
        for n, (one, other) in enumerate(zip(mine, its, strict=True)):
            a, b = self.scale.get(self.named(one)), self.scale.get(self.named(other))
            if self.named(one) == self.named(other):
                continue
            if a is None or b is None or a[0] != b[0]:
                return None
            value = value * a[1] / b[1] if n == 0 else value * b[1] / a[1]
        return value


def amount(text: str) -> tuple[Fraction, str]:
    """`4000 mg` as its number and unit."""
    number, _, unit = str(text).strip().partition(" ")
    return Fraction(number), unit.strip()


class Files:
    """All that the oracle reads."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.units = Units(read(root / "kb/units.yaml"))
        self.drugs = self._facts("drugs")
        self.classes = self._facts("classes")
        self.labs = self._facts("labs")
        self.genes = self._facts("genes")
        self.procedures = self._facts("procedures")
        self.devices = self._facts("devices")
        self.foods = self._facts("foods")
        self.allergens = self._facts("allergens")
        self.factors = self._facts("factors")
        self.conditions = self._facts("conditions")
        seen = root / "kb/recognised/conditions.yaml"
        for row in read(seen)["conditions"] if seen.exists() else []:
            self.conditions.setdefault(row["id"], row)
        self.inferences = list(self._facts("inferences").values())
        self.trimesters = read(root / "kb/figures/trimesters.yaml")["rows"]
        self.rounding = (
            Fraction(read(root / "kb/figures/dose-rounding.yaml")["rows"]["above what is reckoned"]["at_most"].split()[0]) / 100
        )
        self.believable = read(root / "kb/figures/believable.yaml")["rows"]
        self.forms = {
            phrase: form
            for name in ("forms", "pieces")
            for form, phrases in read(root / f"kb/language/{name}.yaml")["meanings"].items()
            for phrase in phrases
        }
        self.grades = read(root / "kb/reactions.yaml")
        self._pathway_classes()
        self._of: dict[str, Members] = {}

    def _facts(self, folder: str) -> dict[str, dict[str, Any]]:
        found = (read(path) for path in sorted((self.root / "kb" / folder).glob("*.yaml")))
        return {fact["id"]: fact for fact in found}

    def _pathway_classes(self) -> None:
        self.pathways = self._facts("pathways")
        for pathway in self.pathways.values():
            name = pathway["id"].removeprefix("pathway.")
            for side in ("inhibitors", "inducers"):
                for strength, held in pathway.get(side, {}).items():
                    if strength == "called":
                        continue
                    own = self.classes.setdefault(f"class.{strength}-{name}-{side}", {"members": []})
                    own["members"] = [*own.get("members", []), *held["members"]]

    def members(self, of: str) -> Members:
        """The drugs of a class, each with what it is restricted to; of a drug, itself."""
        if of.startswith("drug."):
            return {of: [Only(None, None)]}
        if of not in self._of:
            self._of[of] = self._unfold(self.classes[of])
        return self._of[of]

    def _unfold(self, held: dict[str, Any]) -> Members:
        found: Members = {}
        for member in held.get("members", []):
            row = {"drug": member} if isinstance(member, str) else member
            found.setdefault(row["drug"], []).append(Only(_texts(row.get("route")), _texts(row.get("form"))))
        for included in held.get("includes", []):
            for drug, onlys in self.members(included).items():
                found.setdefault(drug, []).extend(onlys)
        for taken_out in held.get("excludes", []):
            for drug in self.members(taken_out):
                found.pop(drug, None)
        mine = Only(_texts(held.get("route")), _texts(held.get("form")))
        return {
            drug: [Only(_both(o.routes, mine.routes), _both(o.forms, mine.forms)) for o in onlys] for drug, onlys in found.items()
        }

    def never_ends(self, condition: str) -> bool:
        """Whether nobody loses it, even if a record says that it is past."""
        return bool(self.conditions[condition].get("lasts") == "always")

    def kinds_of(self, condition: str) -> set[str]:
        """A condition and all that it is a kind of (procedures and devices likewise)."""
        found, todo = set(), [condition]
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                fact = self.conditions.get(one) or self.procedures.get(one) or self.devices.get(one) or {}
                todo += many(fact.get("is_a"))
        return found

    @cached_property
    def rules(self) -> dict[str, dict[str, Any]]:
        """Every rule in force, by its id, with `condition`, `constraint`, `severity` and `severity_when`."""
        paths = [*sorted((self.root / "rules").rglob("*.yaml")), *sorted((self.root / "kb/otc").glob("*.yaml"))]
        found = {}
        for path in paths:
            if "retired" not in path.parts and "policy" not in path.parts:
                found |= {rule["id"]: rule for rule in self._laid_out(read(path))}
        return {id: rule for id, rule in found.items() if rule.get("status") == "active"}

    @cached_property
    def doses(self) -> dict[str, dict[str, Any]]:
        """Every dose table in force, by its id."""
        return {id: table for id, table in self._facts("doses").items() if table.get("status") == "active"}

    def _laid_out(self, file: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for row in file.get("rows", []):
            rule = {**{k: v for k, v in file.items() if k != "rows"}, **row, "id": f"{file['id']}.{row['id']}"}
            yield {**rule, "condition": [*file.get("condition", []), *row.get("condition", [])]}
        for row in file.get("pairs", []):
            yield self._pair(file, row, f"{file['id']}.{row['id']}", _side(row["with"], "other"))
        for chain in file.get("depends_on", []):
            yield from self._chain(file, chain)
        if not any(key in file for key in ("rows", "pairs", "depends_on")):
            yield file

    def _pair(self, file: dict[str, Any], row: dict[str, Any], id: str, other: Line) -> dict[str, Any]:
        whole, mine = file.get("affected"), row.get("affected")
        if isinstance(mine, dict) and not {"id", "class", "any_of", "any"} & set(mine):
            mine = {**_side(whole, "affected")["drug"], **mine}  # it only narrows whom the file is about
        affected = _side(mine or whole, "affected")
        return {
            "id": id, "kind": "interaction", "status": row.get("status", file.get("status")),
            "severity": row.get("severity", file.get("severity")), "severity_when": row.get("severity_when", []),
            "effective": row.get("effective", {}), "action": {"do": next(iter(row["do"]))},
            "condition": [affected, other, *many(row.get("when"))],
            "constraint": row.get("constraint") or {"avoid_together": ["affected", other["drug"]["as"]]},
        }  # fmt: skip

    def _chain(self, file: dict[str, Any], chain: dict[str, Any]) -> Iterator[dict[str, Any]]:
        name = chain["pathway"].removeprefix("pathway.")
        for row in chain["rules"]:
            side = "inhibitors" if "inhibitors" in row["with"] else "inducers"
            told = many(row["with"][side])
            strengths = [x for x in told if "." not in x]
            apart_from = [many(r["with"].get(side)) for r in chain["rules"] if r is not row]
            alone = {named for each in apart_from if all("." in x for x in each) for named in each}
            by_id = alone | {named for each in apart_from for named in each if named.startswith("drug.")}
            apart = sorted(by_id - set(told)) if strengths else []
            line = {key: value for key, value in row["with"].items() if key != side}
            line["any_of"] = [x if "." in x else f"class.{x}-{name}-{side}" for x in told]
            line["except"] = [*many(line.get("except")), *apart]
            line["as"] = side.removesuffix("s")
            own = row.get("id") or f"{name}-{'-'.join(strengths)}-{side}"
            yield self._pair(file, row, f"{file['id']}.{own}", {"drug": line})


def _texts(value: Any) -> tuple[str, ...] | None:
    return tuple(many(value)) if value is not None else None


def _both(one: tuple[str, ...] | None, other: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    return tuple(x for x in one if x in other)


def _side(told: Any, name: str) -> Line:
    """A side of a pair as a drug line."""
    if isinstance(told, dict):
        return {"drug": {**told, "as": name}}
    return {"drug": {"any_of": many(told), "as": name}}


def lines_in(lines: Iterable[Line]) -> Iterator[tuple[str, Any]]:
    """Every leaf under some lines, with its key."""
    for line in lines:
        for key, value in line.items():
            if key in ("any", "all"):
                yield from lines_in(value)
            elif key == "not":
                yield from lines_in([value])
            else:
                yield key, value
