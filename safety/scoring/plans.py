"""Plans as a benchmark writes them, one a row of JSON Lines, CSV or Parquet → cases, one after the other; nothing is held whole.

A row that cannot be read is answered by what is wrong with it and where it stands, and the rest goes on.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from msgspec import Struct

from safety.errors import Place, Problem, RequestError
from safety.knowledge.documents import read_json
from safety.model.patient import Case
from safety.reading.case import CASE_KEYS, PATIENT_KEYS, Locate, Path_, read_case
from safety.reading.entered import allergy_of
from safety.text import did_you_mean, printable

Part = Literal["patient_text", "plan_text", "gold_text", "revised_text"]
"""Columns that hold free text, which is read before it is scored."""
PARTS: tuple[Part, ...] = get_args(Part)
_TAGS = ("department", "tags")
_ENDINGS = (".jsonl", ".csv", ".parquet")
_LISTS = frozenset({"plan", "gold", "revised", "constraints", "conditions", "allergies", "labs", "medications", "intake",
                    "diet_limits", "procedures", "devices", "vaccines", "vitals"})  # fmt: skip
_MAX_LINE = 1 << 20
_AT_ONCE = 1000


class Plan(Struct, frozen=True):
    """A row: where it stands, the case, what it is grouped by, and the texts that are still to be read into the case."""

    line: int
    case: Case
    tags: Mapping[str, str] = {}
    texts: Mapping[Part, str] = {}


class Unreadable(Struct, frozen=True):
    """A row that is no plan: where it stands and every problem with it."""

    line: int
    id: str | None
    problems: tuple[Problem, ...]


def read_plans(file: str, by: Sequence[str] = ()) -> Iterator[Plan | Unreadable]:
    """Every row of a file, in its order. `by`: further columns that rows may have, to group them by.

    Raises RequestError where the file as a whole cannot be read.
    """
    ending = Path(file).suffix.lower()
    if ending not in _ENDINGS:
        raise _no_file(file, "is not a file of plans", f"plans end in {' '.join(_ENDINGS)}")
    if not Path(file).is_file():
        raise _no_file(file, "cannot be read: no such file", "is the path right?")
    reader = {".jsonl": _json_lines, ".csv": _csv, ".parquet": _parquet}[ending]
    return reader(file, tuple(by))


def plan_of(value: object, line: int, by: Sequence[str] = (), locate: Locate | None = None) -> Plan:
    """The plan that plain values tell. Raises RequestError with every problem."""
    where: Locate = locate or (lambda path: Place(f"plans[{line}]" + "".join(f".{p}" for p in path)))
    if not isinstance(value, Mapping):
        raise RequestError([Problem(where(()), "R101", "a plan must be a mapping of keys", "one object a line")])
    rest = {key: told for key, told in value.items() if key not in PARTS and key not in _TAGS and key not in by}
    texts = {part: value[part] for part in PARTS if value.get(part) is not None}
    problems = [
        Problem(where((part,)), "R106", "must be text", "a list of medicines goes under the key without `_text`")
        for part, text in texts.items()
        if not isinstance(text, str)
    ]
    tags = _tags(value, by, where, problems)
    if "patient" not in rest and "patient_text" in texts:
        rest["patient"] = {}
    case = None
    try:
        case = read_case(rest, where)
    except RequestError as error:
        problems += [_with_keys(p, by) for p in error.problems]
    if problems or case is None:
        raise RequestError(sorted(problems))
    return Plan(line, case, tags, texts)


def _with_keys(problem: Problem, by: Sequence[str]) -> Problem:
    """What is said of a key that is none: that a plan has others than a case."""
    if problem.code != "R102" or "of a case" not in problem.message:
        return problem
    further = "a column to group by is named by --by" if not by else f"columns to group by: {' '.join(by)}"
    return Problem(problem.place, problem.code, problem.message, f"{problem.hint}; {further}; free text: {' '.join(PARTS)}")


def _tags(value: Mapping[Any, Any], by: Sequence[str], where: Locate, problems: list[Problem]) -> dict[str, str]:
    given = value.get("tags")
    if given is not None and not isinstance(given, Mapping):
        problems.append(Problem(where(("tags",)), "R101", "`tags` must be a mapping of names to texts"))
        given = None
    told = {str(key): one for key, one in (given or {}).items()}
    told |= {key: value[key] for key in ("department", *by) if key in value and key not in CASE_KEYS}
    return {key: printable(str(one)) for key, one in sorted(told.items()) if one is not None and one != ""}


def _no_file(file: str, what: str, hint: str) -> RequestError:
    return RequestError([Problem(Place(file), "R001", what, hint)])


def _row(value: object, file: str, line: int, by: Sequence[str]) -> Plan | Unreadable:
    def locate(path: Path_) -> Place:
        return Place(file, line, 1) if not path else Place(f"{file}:{line} " + ".".join(map(str, path)))

    try:
        return plan_of(value, line, by, locate)
    except RequestError as error:
        named = value.get("id") if isinstance(value, Mapping) else None
        return Unreadable(line, printable(str(named)) if isinstance(named, str | int) else None, tuple(error.problems))


# ------------------------------------------------------------------ JSON Lines


def _json_lines(file: str, by: Sequence[str]) -> Iterator[Plan | Unreadable]:
    with open(file, "rb") as handle:
        line = 0
        while data := handle.readline(_MAX_LINE + 1):
            line += 1
            if len(data) > _MAX_LINE:
                while data and not data.endswith(b"\n"):
                    data = handle.readline(_MAX_LINE)
                yield _bad(file, line, "R002", f"the line is longer than {_MAX_LINE:,} bytes")
            elif data.strip():
                yield json_line(data, file, line, by)


def json_line(data: bytes, file: str, line: int, by: Sequence[str]) -> Plan | Unreadable:
    """The plan that a line of JSON tells; `file` is where it stands."""
    try:
        text = data.decode("utf-8-sig" if line == 1 else "utf-8")
    except UnicodeDecodeError:
        return _bad(file, line, "R003", "is not UTF-8 text", "one plan a line")
    value, problems = read_json(text.strip(), file, line)
    return Unreadable(line, None, tuple(problems)) if problems else _row(value, file, line, by)


def _bad(file: str, line: int, code: str, message: str, hint: str = "") -> Unreadable:
    return Unreadable(line, None, (Problem(Place(file, line, 1), code, message, hint),))


# ------------------------------------------------------------------ tables


def _csv(file: str, by: Sequence[str]) -> Iterator[Plan | Unreadable]:
    with open(file, encoding="utf-8-sig", errors="surrogateescape", newline="") as handle:
        reader = csv.reader(handle)
        head = [cell.strip() for cell in next(reader, [])]
        _known_columns(head, file, by)
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                yield _bad(file, line, "R004", f"is not CSV: {error}")
                continue
            if cells is None:
                return
            if any(cells):
                yield _csv_row(head, cells, file, line, by)


def _csv_row(head: Sequence[str], cells: Sequence[str], file: str, line: int, by: Sequence[str]) -> Plan | Unreadable:
    if len(cells) != len(head):
        return _bad(file, line, "R215", f"must have {len(head)} cells, not {len(cells)}")
    if any(not cell.isascii() and any("\udc80" <= c <= "\udcff" for c in cell) for cell in cells):
        return _bad(file, line, "R003", "is not UTF-8 text")
    return _of_cells(dict(zip(head, cells, strict=True)), file, line, by)


def _parquet(file: str, by: Sequence[str]) -> Iterator[Plan | Unreadable]:
    import duckdb

    with duckdb.connect() as store:
        try:
            found = store.execute("select * from read_parquet(?)", [file])
        except duckdb.Error:
            raise _no_file(file, "cannot be read as Parquet", "is it whole?") from None
        head = [column[0] for column in found.description or ()]
        _known_columns(head, file, by)
        line = 0
        while rows := found.fetchmany(_AT_ONCE):
            for cells in rows:
                line += 1
                yield _of_cells(dict(zip(head, cells, strict=True)), file, line, by)


def _known_columns(head: Sequence[str], file: str, by: Sequence[str]) -> None:
    """Raises RequestError for a column that nobody would read: a slip in its name would leave out what it tells."""
    known = (*CASE_KEYS, *PARTS, *_TAGS, *by, *(f"patient.{key}" for key in PATIENT_KEYS))
    problems = [
        Problem(Place(file, 1, 1), "R102", f"`{printable(name, 60)}` is not a column of plans",
                did_you_mean(name, known) or f"to group by it say --by {printable(name, 40)}; columns: {' '.join(known[:14])}")
        for name in head
        if name not in known
    ]  # fmt: skip
    problems += [Problem(Place(file, 1, 1), "R212", f"has the column `{n}` twice") for n in set(head) if head.count(n) > 1]
    if problems:
        raise RequestError(sorted(problems))


def _of_cells(cells: Mapping[str, Any], file: str, line: int, by: Sequence[str]) -> Plan | Unreadable:
    """A row of a table: `patient.age` is a key of the patient; a cell holds JSON, or a list with `;` between its items."""
    value: dict[str, Any] = {}
    problems: list[Problem] = []
    for column, cell in cells.items():
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            continue
        inside, _, key = column.rpartition(".")
        told = _cell(cell, key, file, line, problems) if column not in PARTS else cell
        if inside != "patient":
            value[column] = {**told, **value.get("patient", {})} if column == "patient" and isinstance(told, Mapping) else told
        elif isinstance(of_patient := value.setdefault("patient", {}), dict):
            of_patient[key] = told
    return Unreadable(line, None, tuple(problems)) if problems else _row(value, file, line, by)


def _cell(cell: Any, key: str, file: str, line: int, problems: list[Problem]) -> Any:
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    if text[:1] in ("{", "[") and (key in _LISTS or key in ("patient", "tags")):
        value, wrong = read_json(text, file, line)
        problems += [Problem(Place(f"{file}:{line} {key}"), p.code, p.message, p.hint) for p in wrong]
        return value
    if key not in _LISTS:
        return text
    items = [item.strip() for item in next(csv.reader(io.StringIO(text), delimiter=";", skipinitialspace=True), [])]
    listed = [item for item in items if item]
    return [allergy_of(item) for item in listed] if key == "allergies" else listed
