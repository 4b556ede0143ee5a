"""Rows of a file of interactions → judged entries as a file of their own would write them, with where each value stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from safety.errors import Place, Problem
from safety.knowledge.documents import Document, Path_
from safety.knowledge.pair_shapes import (
    DependentShape,
    DependsShape,
    ExpandedShape,
    PairShape,
    PairsShape,
    ThroughLine,
    WhichLine,
)
from safety.knowledge.shaping import shape

AFFECTED, OTHER = "affected", "other"
SLOTS = {"inhibitors": "inhibitor", "inducers": "inducer"}
"""What the medicines of each side of a pathway are called in texts."""
_SUPPORTS = ["severity", "constraint"]
_CASES = {"fires": "violated", "quiet": "not_applicable", "unsure": "unknown"}
_OF_THE_CASE = ("severity", "missing", "expect")
_SAID = (
    "affected",
    "when",
    "severity",
    "severity_when",
    "constraint",
    "do",
    "advice",
    "if_unavoidable",
    "escalate",
    "outcome",
    "why",
)


class Expanded(Struct, frozen=True):
    """A row as an entry: its values, and for the beginning of each path in them where it was written."""

    id: str
    shape: ExpandedShape
    raw: Mapping[str, Any]
    where: Mapping[Path_, Path_]


class _Row(Struct, frozen=True):
    """A row where it stands; of a rule that two facts make, also the dependence it belongs to and its place there."""

    shape: PairShape | DependentShape
    raw: Mapping[str, Any]
    base: Path_
    depends: DependsShape | None = None
    at: int = 0


def is_table(value: Mapping[str, Any]) -> bool:
    """Whether a file is one of pairs."""
    return "pairs" in value or "depends_on" in value


def class_of(pathway: str, side: str, strength: str) -> str:
    """The id of the class of those who inhibit or induce a pathway so strongly."""
    return f"class.{strength}-{pathway.partition('.')[2]}-{side}"


def expand(document: Document, given: str, problems: list[Problem]) -> Iterator[Expanded]:
    """Every row of a file as an entry; problems for what cannot be one."""
    value: Mapping[str, Any] = document.value
    whole = shape(PairsShape, value, lambda p, k: document.place(p, of_key=k), problems)
    if whole is None:
        return
    expander = _Expander(document, given, value, whole, problems)
    for row in _rows(value, whole):
        expanded = expander.one(row)
        if expanded is not None:
            yield expanded


def _rows(value: Mapping[str, Any], whole: PairsShape) -> Iterator[_Row]:
    for n, depends in enumerate(whole.depends_on):
        for m, rule in enumerate(depends.rules):
            yield _Row(rule, value["depends_on"][n]["rules"][m], ("depends_on", n, "rules", m), depends, n)
    for n, pair in enumerate(whole.pairs):
        yield _Row(pair, value["pairs"][n], ("pairs", n))


class _Expander:
    def __init__(
        self, document: Document, given: str, value: Mapping[str, Any], whole: PairsShape, problems: list[Problem]
    ) -> None:
        self.document = document
        self.given = given
        self.value = value
        self.whole = whole
        self.problems = problems

    def problem(self, path: Path_, code: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(self.document.place(path), code, message, hint))

    def one(self, row: _Row) -> Expanded | None:
        """A row as an entry."""
        name = row.shape.id or _name(row)
        if name is None:
            self.problem(row.base, "K204", "a row needs an `id` of its own", "lower case with hyphens")
            return None
        affected = self._affected(row)
        if not self._at_home(row, affected):
            return None
        where: dict[Path_, Path_] = {(): row.base}
        raw: dict[str, Any] = {"id": f"{self.given}.{name}", "kind": "interaction"}
        self._head(row, raw, where)
        self._condition(row, affected, raw, where)
        self._card(row, raw, where)
        self._cases(row, raw, where)
        if row.depends is not None:
            raw["through"] = self._through(row)
            where["through",] = ("depends_on", row.at)
        shaped = shape(ExpandedShape, raw, lambda p, k: placed(self.document, where, p, k), self.problems)
        return None if shaped is None else Expanded(raw["id"], shaped, raw, where)

    # -------------------------------------------------------------- who

    def _affected(self, row: _Row) -> dict[str, Any]:
        """The affected medicine of a row, as a drug line would write it."""
        own = _which(row.raw.get("affected") or {})
        if _ids(own):
            return own
        return {**_which(self.value.get("affected") or {}), **own}

    def _at_home(self, row: _Row, affected: Mapping[str, Any]) -> bool:
        """Whether the medicine that the file is named after takes part in the row."""
        who = [*_ids(affected), *(row.shape.with_.ids if isinstance(row.shape.with_, WhichLine) else ())]
        stem = self.given.partition(".")[2]
        if any(i.partition(".")[2] == stem for i in who):
            return True
        if not _ids(affected):
            hint = "write `affected: drug.x` (or a class) at the head of the file, or in the row"
            self.problem(row.base, "K219", "nobody is affected: the row does not say whose level or effect changes", hint)
        else:
            hint = f"it belongs into the file of `{_ids(affected)[0]}`"
            self.problem(row.base, "K219", f"neither `drug.{stem}` nor `class.{stem}` takes part in this row", hint)
        return False

    def _condition(self, row: _Row, affected: Mapping[str, Any], raw: dict[str, Any], where: dict[Path_, Path_]) -> None:
        limited = row.shape.constraint is not None and row.shape.constraint.key != "avoid_together"
        bound = {} if limited else {"as": _slot(row)}  # a dose limit is about the affected medicine alone
        lines = [{"drug": {**affected, "as": AFFECTED}}, {"drug": {**self._other(row), **bound}}]
        first: Path_ = ("condition", 0, "drug")
        where[first] = (*row.base, "affected") if "affected" in row.raw else ("affected",)
        where["condition", 1, "drug"] = (*row.base, "with")
        more = row.raw.get("when", [])
        for n, line in enumerate(more if isinstance(more, list) else [more]):
            where["condition", n + 2] = (*row.base, "when", n)
            lines.append(line)
        raw["condition"] = lines
        if "constraint" in row.raw:
            raw["constraint"] = row.raw["constraint"]
        else:
            raw["constraint"] = {"avoid_together": [AFFECTED, _slot(row)]}
            where["constraint",] = (*row.base, "with")

    def _other(self, row: _Row) -> dict[str, Any]:
        """The other medicine of a row, as a drug line would write it."""
        line = row.shape.with_
        if row.depends is None or not isinstance(line, ThroughLine):
            return _which(row.raw["with"])
        ids = [*(class_of(row.depends.pathway, line.side, s) for s in line.strengths), *line.named]
        one = {"class" if ids[0].startswith("class.") else "id": ids[0]} if len(ids) == 1 else {"any_of": ids}
        rest = {k: v for k, v in row.raw["with"].items() if k not in ("inhibitors", "inducers", "except")}
        out = [*line.except_, *(i for i in _taken_out(row.depends, row.shape) if i not in line.except_)]
        return {**one, **({"except": out} if out else {}), **rest}

    # -------------------------------------------------------------- the rest of the card

    def _head(self, row: _Row, raw: dict[str, Any], where: dict[Path_, Path_]) -> None:
        for key in ("was", "title", "note", "severity_when"):
            if key in row.raw:
                raw[key] = row.raw[key]
        for key in ("status", "severity", "review", "tags"):
            if key in row.raw:
                raw[key] = row.raw[key]
            elif key in self.value:
                raw[key] = self.value[key]
                where[key,] = (key,)

    def _card(self, row: _Row, raw: dict[str, Any], where: dict[Path_, Path_]) -> None:
        ((verb, target),) = row.raw["do"].items()
        raw["action"] = {"do": verb, "target": target}
        where["action", "target"] = where["action", "do"] = (*row.base, "do", verb)
        for key in ("advice", "if_unavoidable", "escalate"):
            if key in row.raw:
                raw["action"][key] = row.raw[key]
                where["action", key] = (*row.base, key)
        why = row.raw.get("why")
        if isinstance(why, Mapping):
            ((mechanism, summary),) = why.items()
            raw["rationale"] = {"mechanism": mechanism, "summary": summary}
        elif why is not None:
            raw["rationale"] = {"mechanism": "pharmacokinetic", "summary": why}
        where["rationale",] = (*row.base, "why")
        raw["outcome"] = row.raw["outcome"]
        evidence, at = self._evidence(row)
        raw["evidence"] = [{"supports": _SUPPORTS, **e} for e in (evidence if isinstance(evidence, list) else [evidence])]
        if isinstance(evidence, list):
            where["evidence",] = at
        else:
            where["evidence", 0] = at

    def _evidence(self, row: _Row) -> tuple[Any, Path_]:
        if row.depends is None or "evidence" in row.raw:
            return row.raw["evidence"], (*row.base, "evidence")
        return self.value["depends_on"][row.at]["evidence"], ("depends_on", row.at, "evidence")

    def _cases(self, row: _Row, raw: dict[str, Any], where: dict[Path_, Path_]) -> None:
        cases: list[dict[str, Any]] = []
        for key, expect in _CASES.items():
            for name, given in getattr(row.shape, key).items():
                where["cases", len(cases)] = (*row.base, key, name)
                of_case = {k: given[k] for k in _OF_THE_CASE if k in given}
                patient = {k: v for k, v in given.items() if k not in _OF_THE_CASE}
                cases.append({"name": name, "given": patient, "expect": expect, **of_case})
        raw["cases"] = cases

    # -------------------------------------------------------------- two facts

    def _through(self, row: _Row) -> dict[str, Any]:
        depends, line = row.depends, row.shape.with_
        assert depends is not None
        assert isinstance(line, ThroughLine)
        return {
            "pathway": depends.pathway, "side": line.side, "strengths": line.strengths, "named": line.named,
            "does": depends.does, "sensitivity": depends.sensitivity, "evidence": depends.evidence,
            "taken_out": _taken_out(depends, row.shape), "says_nothing_new": self._same(row, depends, line),
        }  # fmt: skip

    def _same(self, row: _Row, depends: DependsShape, line: ThroughLine) -> str | None:
        """The rule that an exception differs from in nothing."""
        if line.strengths:
            return None
        for other in _rows(self.value, self.whole):
            there = other.shape.with_
            if other.depends is not depends or not isinstance(there, ThroughLine) or there.side != line.side:
                continue
            if there.strengths and self._said(other) == self._said(row):
                return f"{self.given}.{other.shape.id or _name(other)}"
        return None

    def _said(self, row: _Row) -> dict[str, Any]:
        said = {key: row.raw.get(key) for key in _SAID}
        return {**said, "severity": row.raw.get("severity", self.value.get("severity"))}


def placed(document: Document, where: Mapping[Path_, Path_], path: Path_, of_key: bool = False) -> Place:
    """Where a value of an entry was written: the longest beginning of its path that is known decides."""
    for n in range(len(path), -1, -1) if where else ():
        if path[:n] in where:
            return document.place((*where[path[:n]], *path[n:]), of_key=of_key)
    return document.place(path, of_key=of_key)


def _slot(row: _Row) -> str:
    return SLOTS[row.shape.with_.side] if isinstance(row.shape.with_, ThroughLine) else OTHER


def _name(row: _Row) -> str | None:
    """The name of a rule that two facts make: the pathway, how strongly, on which side."""
    line = row.shape.with_
    if row.depends is None or not isinstance(line, ThroughLine) or not line.strengths:
        return None
    return "-".join((row.depends.pathway.partition(".")[2], *line.strengths, line.side))


def _taken_out(depends: DependsShape, rule: Any) -> list[str]:
    """What the other rules of a dependence name by itself: it is judged there, and not as one of its class here."""
    line: ThroughLine = rule.with_
    if not line.strengths:
        return []
    named: dict[str, None] = {}
    for other in depends.rules:
        if other is not rule and other.with_.side == line.side:
            named.update(dict.fromkeys(i for i in other.with_.named if i.startswith("drug.") or not other.with_.strengths))
    return [i for i in named if i not in line.named]


def _which(value: Any) -> dict[str, Any]:
    """Whom a short line means, written out as a mapping."""
    if isinstance(value, str):
        return {"class" if value.startswith("class.") else "id": value}
    return {"any_of": value} if isinstance(value, list) else dict(value)


def _ids(line: Mapping[str, Any]) -> list[str]:
    return [line[key] for key in ("id", "class") if key in line] + list(line.get("any_of", ()))
