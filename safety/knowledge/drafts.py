"""Files read and shaped, with overlays applied: one draft per id, not yet cross-referenced."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from safety.errors import Place, Problem
from safety.knowledge import shapes
from safety.knowledge.collecting import (
    DOSES,
    FACT_FOLDERS,
    FOLDERS,
    NAMING,
    RECOGNISED,
    RULE_FOLDERS,
    Collected,
    KnowledgeFile,
)
from safety.knowledge.documents import Document, Path_, read_bytes
from safety.knowledge.dose_shapes import DoseShape
from safety.knowledge.factor_shapes import FactorsShape
from safety.knowledge.language_shapes import LanguageShape
from safety.knowledge.policy_shapes import PolicyShape
from safety.knowledge.shaping import shape
from safety.knowledge.spoken_shapes import SpokenShape
from safety.text import did_you_mean, printable

_ID = re.compile(r"[a-z-]+(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+\Z")
_FACTS: dict[str, type[BaseModel]] = {**shapes.FACTS, "factors": FactorsShape, "policy": PolicyShape}
_ADDED_TO: dict[str, type[BaseModel]] = {"language": LanguageShape, "spoken": SpokenShape}
"""Kinds of which a site's file adds to ours, rather than take its place."""
_ROW_ADDS = ("condition", "evidence", "tags")


@dataclass(frozen=True)
class Draft:
    """One entry as its author wrote it: the shape, the raw values, where they stand and whose file it is."""

    id: str
    shape: BaseModel
    raw: Mapping[str, Any]
    document: Document
    origin: str
    row: int | None = None
    header_lists: Mapping[str, int] = field(default_factory=dict)

    def place(self, path: Path_, of_key: bool = False) -> Place:
        """Where a value of this entry stands, through a table's header and row."""
        if self.row is None:
            return self.document.place(path, of_key=of_key)
        if not path:
            return self.document.place(("rows", self.row))
        head = path[0]
        if head in self.header_lists and len(path) > 1 and isinstance(path[1], int):
            in_header = self.header_lists[str(head)]
            if path[1] < in_header:
                return self.document.place(path, of_key=of_key)
            path = (head, path[1] - in_header, *path[2:])
        row = self.document.value["rows"][self.row]
        if head in row or head not in self.document.value:
            return self.document.place(("rows", self.row, *path), of_key=of_key)
        return self.document.place(path, of_key=of_key)


@dataclass
class Drafts:
    """All drafts by id; entries switched off by an overlay; tables; and the problems met on the way."""

    facts: dict[str, dict[str, Draft]] = field(default_factory=lambda: {kind: {} for kind in FACT_FOLDERS.values()})
    rules: dict[str, Draft] = field(default_factory=dict)
    switched_off: dict[str, tuple[str, str]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    """Ids whose files have problems of their own; naming them is no second problem."""
    units: Mapping[str, Any] = field(default_factory=dict)
    units_document: Document | None = None
    reactions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    recognised: list[KnowledgeFile] = field(default_factory=list)
    naming: dict[str, list[Document]] = field(default_factory=dict)
    language: dict[str, list[Draft]] = field(default_factory=dict)
    """The files of each list of words, a site's after ours."""
    spoken: dict[str, list[Draft]] = field(default_factory=dict)
    """The files of each table of what people say, a site's after ours."""
    problems: list[Problem] = field(default_factory=list)


def draft_all(collected: Collected) -> Drafts:
    """Read and shape every file in order; a later overlay's entry takes the place of an earlier one."""
    drafts = Drafts(problems=list(collected.problems))
    for file in collected.files:
        if file.folder in RECOGNISED:
            drafts.recognised.append(file)
            continue
        document, problems = read_bytes(file.data, file.shown)
        drafts.problems += problems
        if document is None:
            drafts.broken.add(f"{FOLDERS.get(file.folder, '')}.{file.stem}")
            continue
        if not isinstance(document.value, dict):
            drafts.problems.append(Problem(document.place(()), "K011", "must be a mapping: `id:`, `title:` and so on"))
        elif file.folder == "kb/units.yaml":
            drafts.units, drafts.units_document = document.value, document
        elif file.folder == "kb/reactions.yaml":
            _reactions(document, drafts)
        elif file.folder in NAMING:
            drafts.naming.setdefault(file.folder, []).append(document)
        else:
            _entry(file, document, drafts)
    return drafts


def _reactions(document: Document, drafts: Drafts) -> None:
    for grade, words in document.value.items():
        if grade not in ("severe_skin", "severe", "mild", "intolerance") or not isinstance(words, list):
            drafts.problems.append(
                Problem(document.place((grade,), of_key=True), "K107", f"`{grade}` is not a grade with a list of words",
                        "grades: severe_skin severe mild intolerance")
            )  # fmt: skip
            continue
        drafts.reactions[grade] = tuple(str(w) for w in words)


def _entry(file: KnowledgeFile, document: Document, drafts: Drafts) -> None:
    value = document.value
    prefix = FOLDERS[file.folder]
    given = value.get("id")
    if not isinstance(given, str):
        drafts.problems.append(Problem(document.place(()), "K102", "`id` is missing: every entry needs it"))
        return
    expected = f"{prefix}.{file.stem}"
    before = len(drafts.problems)
    if not _ID.match(given):
        hint = "lower case letters, digits and hyphens after the dot"
        drafts.problems.append(
            Problem(document.place(("id",)), "K207", f"`{printable(given, 60)}` is not written as an id", hint)
        )
        return
    if "retire" in value:
        _switch_off(file, document, given, drafts)
        return
    if (prefix and given != expected) or given.partition(".")[2] != file.stem:
        place = document.place(("id",))
        hint = f"the id is the address: here `{expected}`" if prefix else f"the file's name says `{file.stem}`"
        drafts.problems.append(Problem(place, "K201", f"`{given}` does not match where the file stands", hint))
        return
    if file.folder == DOSES:
        table = shape(DoseShape, value, lambda p, k: document.place(p, of_key=k), drafts.problems)
        if table is None:
            drafts.broken.add(given)
        else:
            _keep(drafts.rules, Draft(given, table, value, document, file.origin), drafts)
        return
    if prefix in _ADDED_TO:
        _adding(file, document, given, drafts)
        return
    if file.folder in RULE_FOLDERS:
        _rules(file, document, given, drafts)
        if len(drafts.problems) > before:
            drafts.broken.add(given)
        return
    shaped = shape(_FACTS[prefix], value, lambda p, k: document.place(p, of_key=k), drafts.problems)
    if shaped is not None:
        _keep(drafts.facts[prefix], Draft(given, shaped, value, document, file.origin), drafts)
    else:
        drafts.broken.add(given)


def _adding(file: KnowledgeFile, document: Document, given: str, drafts: Drafts) -> None:
    """One file of a list of words, or of a table of what people say; a site's adds to ours."""
    prefix = FOLDERS[file.folder]
    shaped = shape(_ADDED_TO[prefix], document.value, lambda p, k: document.place(p, of_key=k), drafts.problems)
    if shaped is None:
        drafts.broken.add(given)
    else:
        files = drafts.language if prefix == "language" else drafts.spoken
        files.setdefault(given, []).append(Draft(given, shaped, document.value, document, file.origin))


def _switch_off(file: KnowledgeFile, document: Document, given: str, drafts: Drafts) -> None:
    if not file.origin:
        place = document.place(("retire",), of_key=True)
        drafts.problems.append(
            Problem(place, "K202", "`retire` is for a site's overlay", "move the file to rules/retired/ with `status: retired`")
        )
        return
    if FOLDERS[file.folder] in _ADDED_TO:
        noun, part = ("list of words", "word") if FOLDERS[file.folder] == "language" else ("table of what people say", "row")
        hint = f"take out the {part}s that are not wanted: `remove: [{part}]`"
        drafts.problems.append(Problem(document.place(("retire",), of_key=True), "K202", f"a {noun} cannot be retired", hint))
        return
    shaped = shape(shapes.RetireShape, document.value, lambda p, k: document.place(p, of_key=k), drafts.problems)
    if shaped is None:
        return
    known = [i for i in drafts.rules if i == given or i.startswith(f"{given}.")]
    for group in drafts.facts.values():
        known += [i for i in group if i == given]
    if not known:
        everything = [*drafts.rules, *(i for group in drafts.facts.values() for i in group)]
        place = document.place(("id",))
        drafts.problems.append(
            Problem(place, "K301", f"`{given}` is not known, so it cannot be retired", did_you_mean(given, everything))
        )
    for i in known:
        drafts.switched_off[i] = (file.origin, shaped.retire.reason)


def _keep(group: dict[str, Draft], draft: Draft, drafts: Drafts) -> None:
    before = group.get(draft.id)
    if before is not None and before.origin == draft.origin:
        place = draft.place(("id",))
        first = before.place(("id",))
        drafts.problems.append(Problem(place, "K203", f"`{draft.id}` stands here a second time", f"the first is at {first}"))
        return
    group[draft.id] = draft
    off = drafts.switched_off.get(draft.id)
    if off is not None and off[0] != draft.origin:  # a later overlay writes anew what an earlier one retired
        del drafts.switched_off[draft.id]


def _rules(file: KnowledgeFile, document: Document, given: str, drafts: Drafts) -> None:
    value: Mapping[str, Any] = document.value
    if file.origin:  # an overlay's table takes the place of the whole table it names
        for i in [i for i, d in drafts.rules.items() if i.startswith(f"{given}.") and d.origin != file.origin]:
            del drafts.rules[i]
    if "rows" not in value:
        shaped = shape(shapes.RuleShape, value, lambda p, k: document.place(p, of_key=k), drafts.problems)
        if shaped is not None:
            _keep(drafts.rules, Draft(given, shaped, value, document, file.origin), drafts)
        return
    rows = value["rows"]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or not rows:
        drafts.problems.append(Problem(document.place(("rows",)), "K108", "`rows` must be a list of rules"))
        return
    header = {k: v for k, v in value.items() if k not in ("rows", "id")}
    for n, row in enumerate(rows):
        _row(file, document, given, header, n, row, drafts)


def _row(
    file: KnowledgeFile, document: Document, given: str, header: dict[str, Any], n: int, row: dict[str, Any], drafts: Drafts
) -> None:
    name = row.get("id")
    if not isinstance(name, str) or not name or name != name.lower() or " " in name:
        drafts.problems.append(
            Problem(document.place(("rows", n)), "K204", "a row needs an `id` of its own", "lower case with hyphens")
        )
        return
    merged = {**header, **row, "id": f"{given}.{name}"}
    lists: dict[str, int] = {}
    for key in _ROW_ADDS:
        above, own = header.get(key, []), row.get(key, [])
        if isinstance(above, list) and isinstance(own, list) and (above or own):
            merged[key] = [*above, *own]
            lists[key] = len(above)
    draft = Draft(merged["id"], shapes.Shape(), merged, document, file.origin, n, lists)
    shaped = shape(shapes.RuleShape, merged, draft.place, drafts.problems)
    if shaped is not None:
        _keep(drafts.rules, Draft(draft.id, shaped, merged, document, file.origin, n, lists), drafts)
