"""Reads YAML with the file, line and column of every key and value, and refuses what could surprise its author."""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import yaml

from safety.errors import Place, Problem
from safety.text import printable

MAX_BYTES = 1 << 20
MAX_NODES = 100_000
MAX_DEPTH = 40

Path_ = tuple[str | int, ...]
_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"[+-]?(?:0|[1-9][0-9]*)\.[0-9]+\Z")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")), **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}  # fmt: skip
_RESOLVER = yaml.SafeLoader("")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN, _QUOTED = "plain", "quoted"
"""Stand for the tag of a scalar whose author wrote none: looking up which it would be costs a third of the reading."""
_COLLECTIONS: dict[type[yaml.Node], str] = {yaml.MappingNode: "tag:yaml.org,2002:map", yaml.SequenceNode: "tag:yaml.org,2002:seq"}


class Document:
    """One file's content as plain values, and where each key and value stands."""

    def __init__(self, file: str, value: Any, root: yaml.Node | None = None) -> None:
        self.file = file
        self.value = value
        self._root = root

    def place(self, path: Path_, *, of_key: bool = False) -> Place:
        """Where the value (or its key) at `path` stands; the nearest place around it where there is none."""
        value = self._root
        key: yaml.Node | None = None
        if not path or value is None:
            return Place(self.file, 1, 1)
        found = None
        for part in path:
            inner = _inside(value, part)
            if inner is None:
                break
            key, value = found = inner
        if found is None:
            return Place(self.file, 1, 1)
        mark = (key if of_key and key is not None else value).start_mark
        return Place(self.file, mark.line + 1, mark.column + 1)


def _inside(node: yaml.Node, part: str | int) -> tuple[yaml.Node | None, yaml.Node] | None:
    """The key and value under a key of a mapping, or an item of a list (which has no key); None where there is none."""
    if isinstance(node, yaml.MappingNode):
        return next(((k, v) for k, v in node.value if isinstance(k, yaml.ScalarNode) and k.value == part), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and 0 <= part < len(node.value):
        return None, node.value[part]
    return None


class _StopError(Exception):
    """Reading cannot go on; carries the problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def read_file(path: Path, shown: str) -> tuple[Document | None, list[Problem]]:
    """Read one YAML file; `shown` is how messages name it. Problems instead of exceptions."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            return None, [_too_large(shown, size)]
        data = path.read_bytes()
    except OSError as error:
        return None, [Problem(Place(shown), "K001", f"cannot be read: {error.strerror or error}")]
    return read_bytes(data, shown)


def read_bytes(data: bytes, shown: str) -> tuple[Document | None, list[Problem]]:
    """Read YAML (or JSON, which is YAML) from bytes."""
    if len(data) > MAX_BYTES:
        return None, [_too_large(shown, len(data))]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return None, [Problem(Place(shown, line, 1), "K002", "is not UTF-8 text", "is this a text file?")]
    return read_text(text, shown)


def read_text(text: str, shown: str) -> tuple[Document | None, list[Problem]]:
    """Read YAML from text: one document, a mapping or a list at the top."""
    reader = _Reader(shown)
    try:
        nodes = _nodes(text)
        if nodes is None:
            reader.guard_depth(text)
            nodes = list(yaml.compose_all(text, Loader=_LOADER))
        if len(nodes) > 1:
            place = reader.place(nodes[1])
            raise _StopError(Problem(place, "K010", "a second document starts here", "one entry, one file"))
        if not nodes or nodes[0] is None:
            raise _StopError(Problem(Place(shown, 1, 1), "K009", "is empty"))
        value = reader.build(nodes[0])
    except _StopError as stop:
        return None, [*reader.problems, stop.problem]
    except yaml.YAMLError as error:
        plain, _ = read_json(text, shown)
        if plain is not None:
            return Document(shown, plain), []
        return None, [_syntax(error, text, shown)]
    except (RecursionError, ValueError) as error:
        return None, [Problem(Place(shown, 1, 1), "K004", f"cannot be read as YAML: {error}")]
    if reader.problems:
        return None, reader.problems
    return Document(shown, value, nodes[0]), []


def read_json(text: str, shown: str, line: int = 1) -> tuple[Any, list[Problem]]:
    """A JSON object or list as plain values, numbers exact; a key that stands twice is refused, as in YAML."""
    if text.lstrip()[:1] not in ("{", "["):
        return None, [Problem(Place(shown, line, 1), "R004", "is not a JSON object")]
    try:
        return json.loads(text, object_pairs_hook=_once, parse_float=_exact, parse_constant=_refuse), []
    except RecursionError:
        return None, [Problem(Place(shown, line, 1), "R006", "is nested too deep")]
    except json.JSONDecodeError as error:
        place = Place(shown, line + error.lineno - 1, error.colno)
        return None, [Problem(place, "R004", f"is not JSON: {error.msg.lower()}")]
    except ValueError as error:
        return None, [Problem(Place(shown, line, 1), "R005", str(error))]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [k for k, _ in pairs]
        twice = next(k for n, k in enumerate(keys) if k in keys[:n])
        raise ValueError(f"`{printable(twice, 60)}` stands here a second time")
    return found


def _exact(digits: str) -> Decimal:
    """A number as it is written; raises ValueError for one beyond what any number can be ("9e999999999999999999")."""
    try:
        return Decimal(digits)
    except InvalidOperation:
        raise ValueError(f"`{printable(digits, 40)}` is too large or too small a number") from None


def _refuse(word: str) -> Any:
    raise ValueError(f"`{word}` is not a number")


def _too_large(shown: str, size: int) -> Problem:
    return Problem(Place(shown), "K003", f"is {size:,} bytes; at most {MAX_BYTES:,} are read", "split it into several files")


def _syntax(error: yaml.YAMLError, text: str, shown: str) -> Problem:
    mark = getattr(error, "problem_mark", None)
    place = Place(shown, mark.line + 1, mark.column + 1) if mark else Place(shown, 1, 1)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    hint = ""
    if "mapping values are not allowed" in what:
        hint = "put text that contains `: ` in quotes"
    elif "found character" in what:
        hint = "indent with spaces; quote text that starts with a special character"
    elif "characters are not allowed" in what:
        hint = "is this a text file?"
        before = text[: getattr(error, "position", 0) or 0]
        place = Place(shown, before.count("\n") + 1, len(before) - before.rfind("\n"))
    return Problem(place, "K004", f"cannot be read as YAML: {printable(what)}", hint)


class _DeepError(Exception):
    """Nested deeper than anything that is read quickly."""


class _QuickLoader(_LOADER):  # type: ignore[misc, valid-type]
    """Composes nodes without looking up the tags that nobody wrote; stops at what is nested deep."""

    depth = 0

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        """The tag of a node without one: which kind of scalar or collection it is."""
        return _COLLECTIONS.get(kind) or (_PLAIN if implicit[0] else _QUOTED)

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """Called on the way into a node."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _DeepError

    def ascend_resolver(self) -> None:
        """Called on the way out of a node."""
        self.depth -= 1


def _nodes(text: str) -> list[yaml.Node] | None:
    """The documents of a text as nodes; None where they are nested so deep that each step has to be watched."""
    try:
        return list(yaml.compose_all(text, Loader=_QuickLoader))
    except _DeepError:
        return None


class _Reader:
    """Builds values from YAML nodes, noting places and collecting problems."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.problems: list[Problem] = []
        self._count = 0

    def place(self, node: yaml.Node) -> Place:
        mark = node.start_mark
        return Place(self.shown, mark.line + 1, mark.column + 1)

    def guard_depth(self, text: str) -> None:
        """Refuse deep nesting before the composer, which recurses in C, ever sees it."""
        if text.count("[") + text.count("{") < 200 and max(map(len, text.split("\n"))) < 1000:
            return
        depth = 0
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    mark = event.start_mark
                    place = Place(self.shown, mark.line + 1, mark.column + 1) if mark else Place(self.shown)
                    raise _StopError(Problem(place, "K007", f"is nested more than {MAX_DEPTH} levels deep"))
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1

    def build(self, node: yaml.Node, depth: int = 0) -> Any:
        """The plain value of a node; problems for what cannot be read."""
        self._count += 1
        if self._count > MAX_NODES:
            raise _StopError(Problem(self.place(node), "K006", "holds too many values", "are anchors multiplying something?"))
        if depth > MAX_DEPTH:
            raise _StopError(Problem(self.place(node), "K007", f"is nested more than {MAX_DEPTH} levels deep"))
        node.end_mark = None  # only where a node begins is ever asked for
        if isinstance(node, yaml.ScalarNode):
            if node.tag is not (_QUOTED if node.style else _PLAIN):
                self._check_tag(node)
            return node.value if node.style else _plain_value(node.value)
        if node.tag != _COLLECTIONS[type(node)]:
            self._check_tag(node)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        return [self.build(item, depth + 1) for item in node.value]

    def _check_tag(self, node: yaml.Node) -> None:
        """A problem where a node has another tag than the one it has by itself."""
        written = node.tag is not _PLAIN and node.tag is not _QUOTED
        tag = str(node.tag) if written else _resolved(node.value, node.tag is _PLAIN)
        if tag != _natural_tag(node):
            self.problems.append(Problem(self.place(node), "K008", f"the tag `{printable(tag, 60)}` is not read"))

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        built: dict[str, Any] = {}
        first: dict[str, yaml.Node] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key_node, yaml.ScalarNode):
                self._refuse(key_node, "K008", "a key must be a word", "quote text that starts with `[` or `{`")
            elif key == "<<":
                self._refuse(key_node, "K008", "merge keys (`<<`) are not read", "write the keys out")
            elif key in built:
                hint = f"the first is on line {first[key].start_mark.line + 1}"
                self._refuse(key_node, "K005", f"`{printable(key, 60)}` stands here a second time", hint)
            else:
                first[key] = key_node
                built[key] = self.build(value_node, depth + 1)
        return built

    def _refuse(self, node: yaml.Node, code: str, what: str, hint: str) -> None:
        self.problems.append(Problem(self.place(node), code, what, hint))


def _plain_value(text: str) -> Any:
    """What a scalar without quotes means: nothing, yes or no in YAML's own words, a number, or text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text) and len(text) < 20:
        return int(text)
    if _DECIMAL.match(text) and len(text) < 40:
        return Decimal(text)
    return text


def _natural_tag(node: yaml.Node) -> str:
    """The tag that a node has when its author wrote none."""
    return _COLLECTIONS.get(type(node)) or _resolved(node.value, not getattr(node, "style", None))


def _resolved(text: str, plain: bool) -> str:
    """The tag that YAML gives a scalar without one."""
    return str(_RESOLVER.resolve(yaml.ScalarNode, text, (plain, not plain)))  # type: ignore[no-untyped-call]
