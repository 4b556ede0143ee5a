"""Rules as rows of a spreadsheet, and back: a changed cell becomes one change of one value in its file, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, get_args

import yaml
from msgspec import Struct

from safety.desk.mending import as_written
from safety.desk.signing import digest
from safety.errors import Place, Problem
from safety.knowledge.entries import Entry
from safety.knowledge.library import Library
from safety.model.report import Severity
from safety.showing.formats import as_text
from safety.text import did_you_mean

EDITED: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "severity": (("severity",),),
    "status": (("status",),),
    "title": (("title",),),
    "advice": (("action", "advice"), ("advice",)),
    "if_unavoidable": (("action", "if_unavoidable"), ("if_unavoidable",)),
    "why": (("rationale", "summary"), ("why", "*"), ("why",)),
    "due": (("review", "due"),),
}
"""The columns that may be changed, and by which keys a rule or a row of a table holds them; `*`: the only key there."""
_WORDS: Final = {"severity": get_args(Severity), "status": ("draft", "active", "retired")}
WAS: Final = "was"


class Edit(Struct, frozen=True):
    """A cell that was changed: of which rule, which column, where its value stands, what it was and what it is to be."""

    id: str
    column: str
    place: Place
    was: str
    now: str


def cells_of(e: Entry) -> dict[str, str]:
    """What may be changed of a rule, as text, and what it was when the sheet was written."""
    return {**{column: _held(e, column) for column in EDITED}, WAS: digest(e)[:12]}


def _held(e: Entry, column: str) -> str:
    value = getattr(e, column)
    return "" if value is None else str(value)


Read = Callable[[str], str | None]


def edits(
    rows: Iterable[tuple[int, Mapping[str, str]]], shown: str, library: Library, read: Read
) -> tuple[list[Edit], list[Problem]]:
    """The cells of a sheet that differ from the knowledge, by the number of their line; and the lines that cannot be taken.

    `read` gives the text of a file of the knowledge. A rule that changed since the sheet was written is not touched.
    """
    found: list[Edit] = []
    problems: list[Problem] = []
    for n, row in rows:
        for one in _of_row(row, library, read):
            if isinstance(one, Edit):
                found.append(one)
            else:
                problems.append(Problem(Place(shown, n, 1), *one))
    return found, problems


def _of_row(row: Mapping[str, str], library: Library, read: Read) -> Iterator[Edit | tuple[str, str, str]]:
    e = library.entry.get(row.get("id", ""))
    if e is None:
        yield (
            "R301",
            f"`{row.get('id', '')}` is not a rule that we know",
            did_you_mean(row.get("id", ""), library.entry, cutoff=60),
        )
        return
    changed = {c: now for c in EDITED if c in row and (now := _plain(row[c])) != _plain(as_text(_held(e, c)))}
    if not changed:
        return
    if row.get(WAS, "") != digest(e)[:12]:
        yield "R123", f"{e.id} changed since the sheet was written", "list it again, and change that"
        return
    text = read(e.place.rsplit(":", 2)[0])
    for column, now in changed.items():
        yield _edit(e, column, now, text)


def _plain(cell: str) -> str:
    """A cell without the mark that keeps a spreadsheet from taking it for a formula."""
    cell = cell.strip()
    return cell[1:] if cell.startswith("'") and as_text(cell[1:]) == cell else cell


def _edit(e: Entry, column: str, now: str, text: str | None) -> Edit | tuple[str, str, str]:
    allowed = _WORDS.get(column)
    if allowed is not None and now not in allowed:
        return "R124", f"`{now}` is not a {column}", f"one of: {' '.join(allowed)}"
    if not now:
        return "R124", f"the {column} of {e.id} is empty", "a value is changed here, never taken away"
    file, line, at = e.place.rsplit(":", 2)
    node = _value_of(text or "", (int(line), int(at)), column)
    if node is None or " ".join(node.value.split()) != " ".join(_held(e, column).split()):
        hint = f"change it in the file itself: {e.place}"
        return "R125", f"the {column} of {e.id} does not stand in its own lines", hint
    mark = node.start_mark
    return Edit(e.id, column, Place(file, mark.line + 1, mark.column + 1), node.value, now)


def _value_of(text: str, at: tuple[int, int], column: str) -> yaml.ScalarNode | None:
    """The value of a column within the entry that begins at a place; None where it is not written there."""
    entry = next((n for n, _ in _nodes(_composed(text)) if isinstance(n, yaml.MappingNode) and _at(n) == at), None)
    for path in EDITED[column]:
        node: yaml.Node | None = entry
        for key in path:
            node = _under(node, key)
        if isinstance(node, yaml.ScalarNode):
            return node
    return None


def _under(node: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    if key == "*":
        return node.value[0][1] if len(node.value) == 1 else None
    return next((value for name, value in node.value if name.value == key), None)


def _at(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _composed(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None


def _nodes(node: yaml.Node | None, flow: bool = False) -> Iterator[tuple[yaml.Node, bool]]:
    """Every node, and whether it stands within brackets."""
    if node is None:
        return
    yield node, flow
    inside = flow or bool(getattr(node, "flow_style", False))
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _nodes(item, inside)
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for one in pair:
                yield from _nodes(one, inside)


def edited(text: str, wanted: Iterable[Edit]) -> str:
    """A file's text with these values changed, and all else as it was: comments, order, quotes."""
    by_place = {(e.place.line, e.place.column): e for e in wanted}
    scalars = [(n, flow) for n, flow in _nodes(_composed(text)) if isinstance(n, yaml.ScalarNode) and _at(n) in by_place]
    for node, flow in sorted(scalars, key=lambda one: -one[0].start_mark.index):
        written = as_written(by_place[_at(node)].now, node.style, flow=flow)
        end = "\n" if node.style in ("|", ">") else ""
        text = text[: node.start_mark.index] + written + end + text[node.end_mark.index :]
    return text
