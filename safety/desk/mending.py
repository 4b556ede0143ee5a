"""A problem in its line, with a mark below the word that is meant; and the slips that mend themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import yaml
from msgspec import Struct

from safety.errors import Place, Problem

_WORD: Final = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s,\[\]{}:#]+|\S")
_MARGIN: Final = 8


class Mended(Struct, frozen=True):
    """A slip that was mended: where it stood, which code it had, what stood there and what stands there now."""

    place: Place
    code: str
    was: str
    now: str


def file_of(file: str, base: Path, overlays: Iterable[Path] = ()) -> Path | None:
    """The file that a place names: of an overlay as it was named, else of the knowledge itself; None where there is none."""
    path = Path(file) if any(file.startswith(f"{o}/") for o in overlays) else base / file
    return path if path.is_file() else None


def in_its_line(place: Place, text: str, width: int) -> list[str]:
    """The line of a place with its number, and a mark below the word; of a long line the part around it."""
    lines = text.splitlines()
    if not 0 < place.line <= len(lines):
        return []
    line = lines[place.line - 1].replace("\t", " ")
    column = min(max(place.column - 1, 0), len(line))
    found = _WORD.match(line, column) if column < len(line) else None
    length = len(found[0]) if found else 1
    room = width - _MARGIN
    start = max(0, min(column - room // 3, len(line) - room + 1)) if len(line) >= room else 0
    shown = line[start : start + room]
    if start:
        shown = f"…{shown[1:]}"
    if start + room < len(line):
        shown = f"{shown[:-1]}…"
    mark = "^" + "~" * (min(length, room - (column - start)) - 1)
    return [f"{place.line:>5} | {shown}".rstrip(), f"{'':>5} | {' ' * (column - start)}{mark}"]


def mend_text(text: str, problems: Iterable[Problem]) -> tuple[str, list[Mended]]:
    """A file's text with every slip mended that says what can only be meant; all else stays as it is, to the letter."""
    wanted = {(p.place.line, p.place.column): p for p in problems if p.fix and p.place.line}
    try:
        nodes = list(_scalars(yaml.compose(text, Loader=yaml.SafeLoader)))
    except yaml.YAMLError:
        return text, []
    done: list[Mended] = []
    for node in sorted(nodes, key=lambda n: -n.start_mark.index):
        problem = wanted.get((node.start_mark.line + 1, node.start_mark.column + 1))
        if problem is None:
            continue
        start, end = node.start_mark.index, node.end_mark.index
        done.append(Mended(problem.place, problem.code, text[start:end], problem.fix))
        text = text[:start] + as_written(problem.fix, node.style) + text[end:]
    return text, done[::-1]


def mend_files(problems: Sequence[Problem], base: Path, overlays: Sequence[Path] = ()) -> list[Mended]:
    """Mend the files that problems are in, and give a file its right ending; what was done, in order of place."""
    done: list[Mended] = []
    for name in sorted({p.place.file for p in problems if p.fix}):
        here = [p for p in problems if p.place.file == name]
        path = file_of(name, base, overlays)
        if path is None:
            continue
        before = path.read_bytes().decode("utf-8-sig")
        after, mended = mend_text(before, here)
        if after != before:
            path.write_bytes(after.encode())
        done += [*mended, *_renamed(path, here)]
    return done


def _renamed(path: Path, problems: Iterable[Problem]) -> Iterator[Mended]:
    for p in problems:
        to = path.with_name(p.fix) if p.fix and not p.place.line else path
        if not to.exists():
            path.rename(to)
            yield Mended(p.place, p.code, path.name, to.name)


def _scalars(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Every key and value of a document that is one piece of text."""
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _scalars(item)
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for one in pair:
                yield from _scalars(one)


def as_written(text: str, style: str | None, *, flow: bool = True) -> str:
    """A text as YAML in the quotes that stood there; in quotes too where it would not be that text without them, or not
    within brackets (`flow`)."""
    if style == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if style is None and _reads_as(text, f"[{text}]" if flow else f"- {text}"):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _reads_as(text: str, written: str) -> bool:
    """Whether a text without quotes is read as that text, or as the day that it names."""
    if not text.isprintable() or "\n" in text:
        return False
    try:
        read = yaml.load(written, Loader=yaml.BaseLoader)
        plain = yaml.load(written, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return False
    return bool(read == [text] and isinstance(plain[0], str | date))
