"""Files read and shaped, with overlays applied: one draft per id, not yet cross-referenced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from msgspec import Struct
from pydantic import BaseModel

from safety.errors import Place, Problem
from safety.knowledge import pairs, shapes
from safety.knowledge.asking import Asking, Watched, WatchedSet
from safety.knowledge.collecting import (
    CONDITIONS,
    CSV,
    DOSES,
    FACT_FOLDERS,
    FOLDERS,
    REACTIONS,
    ROLES,
    RULE_FOLDERS,
    TABLES,
    Collected,
    KnowledgeFile,
)
from safety.knowledge.coverage_shapes import CoverageShape
from safety.knowledge.documents import Document, Path_, read_bytes
from safety.knowledge.dose_shapes import DoseShape
from safety.knowledge.factor_shapes import FactorsShape
from safety.knowledge.language_shapes import LanguageShape
from safety.knowledge.memory import DeclaredFile, Memory
from safety.knowledge.pair_shapes import SIDES, STRENGTHS, PathwayShape
from safety.knowledge.pairs import placed
from safety.knowledge.policy_shapes import PolicyShape
from safety.knowledge.score_shapes import ScoreShape
from safety.knowledge.shaping import shape
from safety.knowledge.spoken_shapes import SpokenShape
from safety.knowledge.store import Store
from safety.model.report import Severity
from safety.model.site import Signed
from safety.text import did_you_mean, printable

_ID = re.compile(r"[a-z-]+(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+\Z")
SHAPES: dict[str, type[BaseModel]] = {
    **shapes.FACTS, "factors": FactorsShape, "score": ScoreShape, "policy": PolicyShape, "language": LanguageShape,
    "spoken": SpokenShape, "coverage": CoverageShape,
}  # fmt: skip
"""The shape of a file of facts, by what its ids begin with."""
_ROLE = re.compile(r"[a-z][a-z0-9_]*\Z")
_ADDED_TO = {"language": ("list of words", "word"), "spoken": ("table of what people say", "row")}
"""Kinds of which a site's file adds to ours, rather than take its place: what each is, and what it is made of."""
_ROW_ADDS = ("condition", "evidence", "tags")


class Written(Struct, frozen=True):
    """What an author wrote of one entry: the shape, the raw values, and where they stand.

    `where`: for the beginnings of paths in the entry, where they were written in the document (in a row of a table).
    """

    shape: BaseModel
    raw: Mapping[str, Any]
    document: Document
    where: Mapping[Path_, Path_] = {}


class Draft:
    """One entry as its author wrote it, and in which file; what is written is read when it is asked for."""

    def __init__(
        self, id: str, file: KnowledgeFile, written: Callable[[], Written], was: Sequence[str] = (), status: str = ""
    ) -> None:
        self.id = id
        self.file = file
        self.was = tuple(was)
        """The ids that it had before."""
        self.status = status
        """Of what is judged, whether it is a draft, active or retired."""
        self._read = written

    @property
    def origin(self) -> str:
        """Whose it is: the name of an overlay; empty for ours."""
        return self.file.origin

    @cached_property
    def written(self) -> Written:
        """The entry as it stands in its file."""
        return self._read()

    @property
    def shape(self) -> BaseModel:
        """The author's values, checked."""
        return self.written.shape

    @property
    def raw(self) -> Mapping[str, Any]:
        """The author's values as they stand there."""
        return self.written.raw

    @property
    def document(self) -> Document:
        """The file's content."""
        return self.written.document

    def place(self, path: Path_, of_key: bool = False) -> Place:
        """Where a value of this entry stands, in a row of a table too."""
        return placed(self.written.document, self.written.where, path, of_key)


class Override(Struct, frozen=True):
    """How loud a site makes an entry of ours (None: as it is), why, and where that is written."""

    origin: str
    severity: Severity | None
    because: str
    place: Place

    def __str__(self) -> str:
        return f"{self.origin} {self.severity} {self.because}"


class Reading:
    """One file: what it declares, what is wrong with it; and its document, read when it is asked for."""

    def __init__(self, file: KnowledgeFile) -> None:
        self.file = file
        self.given = ""
        self.drafts: list[Draft] = []
        self.retire: shapes.RetireShape | None = None
        self.override: shapes.OverrideShape | None = None
        self.broken: list[str] = []
        self.problems: list[Problem] = []

    @cached_property
    def document(self) -> Document | None:
        """The content; None, with problems, where it cannot be read."""
        document, problems = read_bytes(self.file.data, self.file.shown)
        self.problems += problems
        return document

    def keep(self, i: str, shape: BaseModel, raw: Mapping[str, Any], where: Mapping[Path_, Path_] | None = None) -> None:
        """One entry that the file declares."""
        assert self.document is not None
        written = Written(shape, raw, self.document, where or {})
        self.drafts.append(Draft(i, self.file, lambda: written, getattr(shape, "was", ()), getattr(shape, "status", "")))


class Drafts:
    """All drafts by id; entries switched off by an overlay; tables; and the problems met on the way."""

    def __init__(self, problems: Iterable[Problem], memory_store: Store | None = None, *, keeps: bool = False) -> None:
        asking = Asking()

        def group(name: str) -> Watched[Draft]:
            return Watched(name, asking, lambda d: d.file.identity, lambda d: d.origin, lambda d: d.status)

        self.facts: dict[str, Watched[Draft]] = {kind: group(kind) for kind in FACT_FOLDERS.values()}
        self.rules = group("rules")
        self.switched_off: Watched[tuple[str, str]] = Watched("switched off", asking, ": ".join)
        self.overrides: Watched[Override] = Watched("overrides", asking, str)
        self.replaced: dict[str, str] = {}
        """Our entries in whose place a site put its own: the id of that by the id of ours."""
        self.held_back: list[Draft] = []
        """Drafts of a site that would take the place of what is in force, and do not."""
        self.retired_at: dict[str, Place] = {}
        self.signatures: dict[str, tuple[str, str, Signed]] = {}
        """Who answers for what a site does to an entry: the overlay, why it is done, and the signature."""
        self.without_sites: Drafts | None = None
        """Our files alone, where there are others."""
        self.broken = WatchedSet("broken", asking)
        """Ids whose files have problems of their own; naming them is no second problem."""
        self.added_to: dict[str, dict[str, list[Draft]]] = {kind: {} for kind in _ADDED_TO}
        """The files of each list of words and of each table of what people say, a site's after ours."""
        self.tables: list[Reading] = []
        """Files that hold no entry, in the order in which they were found."""
        self.problems = list(problems)
        self.memory = Memory(asking, memory_store, keeps=keeps)
        self.memory.watch(*self.facts.values(), self.rules, self.switched_off, self.overrides, self.broken)

    def group_of(self, draft: Draft) -> Watched[Draft]:
        """The group that an entry belongs to."""
        return self.rules if draft.file.folder in RULE_FOLDERS else self.facts[draft.id.partition(".")[0]]

    def documents(self, table: str) -> Iterator[Document]:
        """The documents of a table that could be read, a site's after ours."""
        for reading in self.tables_of([table]):
            if reading.document is not None and isinstance(reading.document.value, dict):
                yield reading.document

    def tables_of(self, folders: Iterable[str]) -> list[Reading]:
        """The files of some tables, in the order in which they were found."""
        wanted = set(folders)
        return [reading for reading in self.tables if reading.file.folder in wanted]

    @property
    def language(self) -> dict[str, list[Draft]]:
        """The files of each list of words."""
        return self.added_to["language"]

    @property
    def spoken(self) -> dict[str, list[Draft]]:
        """The files of each table of what people say."""
        return self.added_to["spoken"]

    def words_from(self) -> list[str]:
        """What the lists of words are made from."""
        return _identities(self.language)

    def spoken_from(self) -> list[str]:
        """What the tables of what people say are made from; of the lists that they name, only that they are there."""
        return [*_identities(self.spoken), *sorted(self.language)]

    def identities(self, folders: Iterable[str]) -> list[str]:
        """What some tables are made from."""
        return [reading.file.identity for reading in self.tables_of(folders)]


def _identities(files: Mapping[str, Iterable[Draft]]) -> list[str]:
    return [draft.file.identity for i in sorted(files) for draft in files[i]]


def draft_all(collected: Collected, store: Store | None = None, *, keeps: bool = False) -> Drafts:
    """Read and shape every file in order; a later overlay's entry takes the place of an earlier one.

    A file that an earlier compiling read without a slip (`store`) is not read until something in it is asked for.
    """
    drafts = Drafts(collected.problems, store, keeps=keeps)
    if any(file.origin for file in collected.files):
        drafts.without_sites = Drafts([])
    overrides: list[Reading] = []
    for file in collected.files:
        declared = drafts.memory.declared(file)
        reading = _declared(file, declared) if declared is not None else read_file(file)
        drafts.problems += reading.problems
        for i in reading.broken:
            drafts.broken.add(i)
        if file.folder in TABLES:
            drafts.tables.append(reading)
        elif reading.override is not None:
            overrides.append(reading)
        else:
            _arrange(reading, drafts)
            if drafts.without_sites is not None and not file.origin:
                _arrange(reading, drafts.without_sites)
        if declared is None and not reading.problems and reading.retire is None and reading.override is None:
            drafts.memory.declare(file, reading.given, [(d.id, d.was, d.status) for d in reading.drafts])
    _told_once(drafts)
    order = {name: n for n, name in enumerate(["", *collected.overlays])}
    for reading in overrides:
        _override(reading, drafts, order)
    return drafts


class Redrawn(Struct, frozen=True):
    """What an edited file said before, with what is wrong with it now: then what cannot be read of it is gone."""

    before: tuple[Draft, ...]
    gone: frozenset[str]
    slips: tuple[Problem, ...]
    broken: tuple[str, ...]


def draw_again(drafts: Drafts, was: KnowledgeFile, now: KnowledgeFile) -> Redrawn | None:
    """Put what an edited file says in the place of what it said before.

    None, and nothing is done, where that does not suffice: the file declares others than before, or reaches further.
    """
    declared = drafts.memory.declared(was)
    if declared is None or now.folder in TABLES or FOLDERS.get(now.folder) in _ADDED_TO:
        return None
    if drafts.without_sites is not None and (not now.origin or (declared.given and drafts.retired_at)):
        return None
    reading = read_file(now)
    slips = (*reading.problems,)
    if (slips and now.folder not in RULE_FOLDERS) or reading.retire is not None or reading.override is not None:
        return None
    names = {(draft.id, draft.was, draft.status) for draft in reading.drafts}
    same = DeclaredFile(reading.given, tuple((d.id, d.was, d.status) for d in reading.drafts)) == declared
    if not (same or (slips and names <= set(declared.ids))):
        return None
    rules = now.folder in RULE_FOLDERS
    groups = {i: drafts.rules if rules else drafts.facts[i.partition(".")[0]] for i, _, _ in declared.ids}
    before = [draft for i, group in groups.items() if (draft := group.peek(i)) is not None and draft.file is was]
    if len(before) != len(groups):
        return None
    for draft in reading.drafts:
        groups[draft.id][draft.id] = draft
    gone = groups.keys() - {draft.id for draft in reading.drafts}
    for i in gone:
        del groups[i][i]
    for i in reading.broken:
        drafts.broken.add(i)
    if not slips:
        drafts.memory.declare(now, declared.given, declared.ids)
    return Redrawn(tuple(before), frozenset(gone), slips, tuple(reading.broken))


def _declared(file: KnowledgeFile, declared: DeclaredFile) -> Reading:
    """A file that need not be read to know what it declares."""
    found = Reading(file)
    found.given = declared.given
    again = _Again(file)
    found.drafts = [Draft(i, file, partial(again.written, i), was, status) for i, was, status in declared.ids]
    return found


class _Again:
    """A file that is read once something in it is asked for."""

    __slots__ = ("_file", "_read")

    def __init__(self, file: KnowledgeFile) -> None:
        self._file = file
        self._read: dict[str, Draft] = {}

    def written(self, i: str) -> Written:
        """What its author wrote of one of its entries."""
        if not self._read:
            self._read = {d.id: d for d in read_file(self._file).drafts}
        return self._read[i].written


def read_file(file: KnowledgeFile) -> Reading:
    """What one file declares and what is wrong with it, whatever stands in the others."""
    reading = Reading(file)
    if file.folder in CSV:
        return reading
    document = reading.document
    if document is None:
        reading.broken.append(f"{FOLDERS.get(file.folder, '')}.{file.stem}")
    elif not isinstance(document.value, dict):
        reading.problems.append(Problem(document.place(()), "K011", "must be a mapping: `id:`, `title:` and so on"))
    elif file.folder == CONDITIONS:
        _conditions(reading, document)
    elif file.folder not in TABLES:
        _entry(reading, document)
    return reading


def _conditions(reading: Reading, document: Document) -> None:
    """Conditions one a row; what each may say is what a file of its own may."""
    rows = document.value.get("conditions")
    if set(document.value) != {"conditions"} or not isinstance(rows, list):
        place = document.place(())
        reading.problems.append(Problem(place, "K107", "holds `conditions:` and nothing else", "a list, one condition a row"))
        return
    for n, row in enumerate(rows):
        where: dict[Path_, Path_] = {(): ("conditions", n)}
        given = row.get("id") if isinstance(row, dict) else None
        if not isinstance(given, str) or not _ID.match(given) or not given.startswith("condition."):
            hint = "`{id: condition.NAME, name: what it is called, synonyms: [other names]}`"
            reading.problems.append(Problem(document.place(("conditions", n)), "K204", "a row needs an `id`", hint))
            continue
        shaped = shape(shapes.ConditionShape, row, lambda p, k, w=where: placed(document, w, p, k), reading.problems)  # type: ignore[misc]
        if shaped is None:
            reading.broken.append(given)
        else:
            reading.keep(given, shaped, row, where)


def reactions(drafts: Drafts) -> dict[str, tuple[str, ...]]:
    """What a reaction is called, by its grade; a site's words take the place of ours, grade by grade."""
    found: dict[str, tuple[str, ...]] = {}
    for document in drafts.documents(REACTIONS):
        for grade, words in document.value.items():
            if grade not in ("severe_skin", "severe", "mild", "intolerance") or not isinstance(words, list):
                place = document.place((grade,), of_key=True)
                hint = "grades: severe_skin severe mild intolerance"
                drafts.problems.append(Problem(place, "K107", f"`{grade}` is not a grade with a list of words", hint))
                continue
            found[grade] = tuple(str(w) for w in words)
    return found


def roles(drafts: Drafts) -> dict[str, str]:
    """What rules call the medicines they bind, and what each of these words means; a site's words add to ours."""
    found: dict[str, str] = {}
    for document in drafts.documents(ROLES):
        for role, meaning in document.value.items():
            if not _ROLE.match(role) or not isinstance(meaning, str):
                place = document.place((role,), of_key=True)
                hint = "write `anticoagulant: a medicine that thins the blood`"
                drafts.problems.append(Problem(place, "K107", f"`{role}` is not a role with what it means", hint))
                continue
            found[role] = meaning
    return found


def _entry(reading: Reading, document: Document) -> None:
    file, value = reading.file, document.value
    prefix = FOLDERS[file.folder]
    if "overrides" in value:
        _read_override(reading, document)
        return
    given = value.get("id")
    if not isinstance(given, str):
        reading.problems.append(Problem(document.place(()), "K102", "`id` is missing: every entry needs it"))
        return
    expected = f"{prefix}.{file.stem}"
    place = document.place(("id",))
    if not _ID.match(given):
        hint = "lower case letters, digits and hyphens after the dot"
        fix = expected if prefix and "-".join(given.lower().replace("_", " ").split()) == expected else ""
        reading.problems.append(Problem(place, "K207", f"`{printable(given, 60)}` is not written as an id", hint, fix))
        return
    if "retire" in value:
        _retire(reading, document, given)
        return
    if (prefix and given != expected) or given.partition(".")[2] != file.stem:
        hint = f"the id is the address: here `{expected}`" if prefix else f"the file's name says `{file.stem}`"
        fix = expected if prefix and given.partition(".")[0] == prefix else ""
        reading.problems.append(Problem(place, "K201", f"`{given}` does not match where the file stands", hint, fix))
        return
    if prefix == "pathway":
        _pathway(reading, document, given)
        return
    if file.folder in RULE_FOLDERS and file.folder != DOSES:
        _rules(reading, document, given)
        if reading.problems:
            reading.broken.append(given)
        return
    model = DoseShape if file.folder == DOSES else SHAPES[prefix]
    shaped = shape(model, value, lambda p, k: document.place(p, of_key=k), reading.problems)
    if shaped is None:
        reading.broken.append(given)
    else:
        reading.keep(given, shaped, value)


def _retire(reading: Reading, document: Document, given: str) -> None:
    if not reading.file.origin:
        place = document.place(("retire",), of_key=True)
        hint = "move the file to rules/retired/ with `status: retired`"
        reading.problems.append(Problem(place, "K202", "`retire` is for a site's overlay", hint))
        return
    if FOLDERS[reading.file.folder] in _ADDED_TO:
        noun, part = _ADDED_TO[FOLDERS[reading.file.folder]]
        place = document.place(("retire",), of_key=True)
        hint = f"take out the {part}s that are not wanted: `remove: [{part}]`"
        reading.problems.append(Problem(place, "K202", f"a {noun} cannot be retired", hint))
        return
    reading.given = given
    reading.retire = shape(shapes.RetireShape, document.value, lambda p, k: document.place(p, of_key=k), reading.problems)


def _read_override(reading: Reading, document: Document) -> None:
    place = document.place(("overrides",), of_key=True)
    if not reading.file.origin:
        hint = "write what is right into the entry itself"
        reading.problems.append(Problem(place, "K202", "`overrides` is for a site's overlay", hint))
        return
    if reading.file.folder not in RULE_FOLDERS:
        hint = "an override stands under rules/, kb/otc or kb/doses; a fact is written anew as a file of the same id"
        reading.problems.append(Problem(place, "K202", "a fact cannot be overridden", hint))
        return
    reading.override = shape(shapes.OverrideShape, document.value, lambda p, k: document.place(p, of_key=k), reading.problems)


def _rules(reading: Reading, document: Document, given: str) -> None:
    value: Mapping[str, Any] = document.value
    reading.given = given
    if pairs.is_table(value):
        for row in pairs.expand(document, given, reading.problems):
            reading.keep(row.id, row.shape, row.raw, row.where)
        return
    if "rows" not in value:
        shaped = shape(shapes.RuleShape, value, lambda p, k: document.place(p, of_key=k), reading.problems)
        if shaped is not None:
            reading.keep(given, shaped, value)
        return
    rows = value["rows"]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or not rows:
        reading.problems.append(Problem(document.place(("rows",)), "K108", "`rows` must be a list of rules"))
        return
    header = {k: v for k, v in value.items() if k not in ("rows", "id")}
    for n, row in enumerate(rows):
        _row(reading, document, header, n, row)


def _row(reading: Reading, document: Document, header: dict[str, Any], n: int, row: dict[str, Any]) -> None:
    name = row.get("id")
    if not isinstance(name, str) or not name or name != name.lower() or " " in name:
        reading.problems.append(
            Problem(document.place(("rows", n)), "K204", "a row needs an `id` of its own", "lower case with hyphens")
        )
        return
    merged = {**header, **row, "id": f"{reading.given}.{name}"}
    where: dict[Path_, Path_] = {(): ("rows", n), **{(key,): (key,) for key in header if key not in row}}
    for key in _ROW_ADDS:
        above, own = header.get(key, []), row.get(key, [])
        if isinstance(above, list) and isinstance(own, list) and (above or own):
            merged[key] = [*above, *own]
            where.update({(key, i): (key, i) for i in range(len(above))})
            where.update({(key, len(above) + i): ("rows", n, key, i) for i in range(len(own))})
    shaped = shape(shapes.RuleShape, merged, lambda p, k: placed(document, where, p, k), reading.problems)
    if shaped is not None:
        reading.keep(merged["id"], shaped, merged, where)


def _pathway(reading: Reading, document: Document, given: str) -> None:
    """A pathway, and the class of those who inhibit or induce it, for each strength."""
    reading.given = given
    value: Mapping[str, Any] = document.value
    shaped = shape(PathwayShape, value, lambda p, k: document.place(p, of_key=k), reading.problems)
    if shaped is None:
        reading.broken.append(given)
        return
    reading.keep(given, shaped, value)
    for side in SIDES:
        for strength in STRENGTHS:
            written = value.get(side, {}).get(strength)
            if written is not None:
                i = pairs.class_of(given, side, strength)
                raw = {"name": f"{strength} {shaped.name} {side}", **written, "id": i}
                where: dict[Path_, Path_] = {(): (side, strength)}
                drawn = shape(shapes.ClassShape, raw, lambda p, k, w=where: placed(document, w, p, k), reading.problems)  # type: ignore[misc]
                if drawn is not None:
                    reading.keep(i, drawn, raw, where)


# ------------------------------------------------------------------ one file beside the others


def _arrange(reading: Reading, drafts: Drafts) -> None:
    """Give each entry of a file its place among the others."""
    file = reading.file
    if reading.retire is not None:
        _switch_off(reading, reading.retire, drafts)
        return
    if FOLDERS.get(file.folder) in _ADDED_TO:  # a site's file adds to ours
        for draft in reading.drafts:
            drafts.added_to[FOLDERS[file.folder]].setdefault(draft.id, []).append(draft)
        return
    if file.folder not in RULE_FOLDERS:
        if reading.given and file.origin:  # an overlay's pathway takes the place of the whole pathway it names
            _forget(drafts.facts["class"], lambda d: d.file.folder == file.folder and d.file.stem == file.stem, file.origin)
        for draft in reading.drafts:
            _keep(drafts.facts[draft.id.partition(".")[0]], draft, drafts)
        return
    back = [d for d in reading.drafts if _waits(d, drafts)]
    drafts.held_back += back
    kept = [d for d in reading.drafts if d not in back]
    if reading.given and file.origin and any(_status(d) != "draft" for d in reading.drafts):
        _take_the_place(reading, kept, drafts)
    before = len(drafts.problems)
    for draft in kept:
        _keep(drafts.rules, draft, drafts)
    if reading.given and len(drafts.problems) > before:
        drafts.broken.add(reading.given)


def _status(draft: Draft) -> str:
    return draft.status or "active"


def _waits(draft: Draft, drafts: Drafts) -> bool:
    """Whether a site's draft would take the place of an entry that is in force."""
    before = drafts.rules.peek(draft.id) if draft.origin else None
    return before is not None and before.origin != draft.origin and _status(draft) == "draft" and _status(before) == "active"


def _take_the_place(reading: Reading, kept: Sequence[Draft], drafts: Drafts) -> None:
    """An overlay's table takes the place of the whole table it names: a row that it does not have is switched off."""
    origin, given = reading.file.origin, reading.given
    ids = {d.id for d in reading.drafts}
    for i, before in list(drafts.rules.items()):
        if before.origin == origin or i in ids or not (_is_row(before, given) or given in before.was):
            continue
        heir = next((d.id for d in kept if i in d.was or d.id in before.was), None)
        if heir is None:
            drafts.switched_off[i] = (origin, f"its file takes the place of `{given}` and does not have it")
            if reading.document is not None:
                drafts.retired_at[i] = reading.document.place(("id",))
            continue
        del drafts.rules[i]
        if not before.origin:
            drafts.replaced[i] = heir


def _override(reading: Reading, drafts: Drafts, order: Mapping[str, int]) -> None:
    """Put an override on every entry that it names: one, all rows of a table, or one by an earlier id."""
    asked, document, origin = reading.override, reading.document, reading.file.origin
    assert asked is not None
    assert document is not None
    given = asked.overrides
    known = [i for i, d in drafts.rules.items() if i == given or given in d.was or _is_row(d, given)]
    known = known or [i for i in (given,) if i in drafts.replaced]
    if not known:
        place, hint = document.place(("overrides",)), did_you_mean(given, drafts.rules)
        drafts.problems.append(Problem(place, "K301", f"`{given}` is not known, so it cannot be overridden", hint))
    if asked.signed is not None:
        signed = Signed(asked.signed.by, asked.signed.on.isoformat(), asked.signed.why)
        drafts.signatures.update(dict.fromkeys((given, *known), (origin, asked.because, signed)))
    if asked.severity is None:
        return
    for i in known:
        draft, before = drafts.rules.peek(i), drafts.overrides.peek(i)
        place = document.place(("severity",))
        if draft is None or order[draft.origin] > order[origin]:  # a later overlay wrote it anew
            continue
        if isinstance(draft.shape, DoseShape):
            hint = "write the dose table anew, or retire it"
            drafts.problems.append(Problem(place, "K231", f"`{i}` is a dose table: each of its ranges says how loud it is", hint))
        elif draft.origin == origin:
            hint = f"write it at {draft.place(('severity',))}"
            drafts.problems.append(Problem(place, "K231", f"`{i}` is the overlay's own: it says itself how loud it is", hint))
        elif before is not None and before.origin == origin:
            drafts.problems.append(
                Problem(place, "K203", f"`{i}` is overridden a second time", f"the first is at {before.place}")
            )
        else:
            drafts.overrides[i] = Override(origin, asked.severity, asked.because, place)


def _is_row(draft: Draft, table: str) -> bool:
    """Whether an entry is a row of a table, or was one under its earlier id."""
    return any(i.startswith(f"{table}.") for i in (draft.id, *draft.was))


def _forget(group: Watched[Draft], which: Callable[[Draft], bool], origin: str) -> None:
    """Take out what a site's file takes the place of."""
    for i in [i for i, d in group.items() if d.origin != origin and which(d)]:
        del group[i]


def _told_once(drafts: Drafts) -> None:
    """No earlier id may be in use, or be the earlier id of two entries."""
    before: dict[str, Draft] = {}
    for i in drafts.rules:
        draft = drafts.rules[i]
        for old in draft.was:
            other = drafts.rules[old] if old in drafts.rules else before.setdefault(old, draft)
            if other is not draft:
                hint = f"it is at {other.place(('id',))}"
                what = f"`{old}` cannot be an earlier id of this one: it belongs to `{other.id}`"
                drafts.problems.append(Problem(draft.place(("was",)), "K225", what, hint))


def _switch_off(reading: Reading, asked: shapes.RetireShape, drafts: Drafts) -> None:
    given, reason = reading.given, asked.retire.reason
    known = [i for i, d in drafts.rules.items() if i == given or given in d.was or _is_row(d, given)]
    for group in drafts.facts.values():
        known += [i for i in group if i == given]
    if not known and reading.document is not None:
        everything = [*drafts.rules, *(i for group in drafts.facts.values() for i in group)]
        place = reading.document.place(("id",))
        drafts.problems.append(
            Problem(place, "K301", f"`{given}` is not known, so it cannot be retired", did_you_mean(given, everything))
        )
    for i in known:
        drafts.switched_off[i] = (reading.file.origin, reason)
        if reading.document is not None:
            drafts.retired_at[i] = reading.document.place(("retire",), of_key=True)
        if asked.signed is not None:
            signed = Signed(asked.signed.by, asked.signed.on.isoformat(), asked.signed.why)
            drafts.signatures[i] = (reading.file.origin, reason, signed)


def _keep(group: Watched[Draft], draft: Draft, drafts: Drafts) -> None:
    before = group.get(draft.id)
    if before is not None and before.origin == draft.origin:
        place = draft.place(("id",))
        first = before.place(("id",))
        drafts.problems.append(Problem(place, "K203", f"`{draft.id}` stands here a second time", f"the first is at {first}"))
        return
    group[draft.id] = draft
    if before is not None and not before.origin and group is drafts.rules:
        drafts.replaced[draft.id] = draft.id
    off = drafts.switched_off.get(draft.id)
    if off is not None and off[0] != draft.origin:  # a later overlay writes anew what an earlier one retired
        del drafts.switched_off[draft.id]
