"""What `medsafe check` is given → cases: medicines in place, case files, lists of medicines, FHIR records, folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from safety.cli.common import read_input, read_text
from safety.cli.listed import Listed, of_lines, of_yaml
from safety.cli.requests import from_line
from safety.engine import case_from_text
from safety.errors import Place, Problem, RequestError
from safety.model.patient import Case, Medication
from safety.reading.case import read_case, read_medications
from safety.reading.entered import RESOURCE, allergy_of, is_case, is_prose

IN_PLACE = "(in place)"
_MAX_LINE = 1 << 20
_MAX_FHIR = 200 << 20
_FILES = (".yaml", ".yml", ".json", ".jsonl", ".txt", ".gz")
_GZIP = b"\x1f\x8b"


class InPlace(Struct, frozen=True):
    """What the options say of the patient; the texts as they were typed, None and empty where not said."""

    age: str | None = None
    sex: str | None = None
    weight: str | None = None
    height: str | None = None
    pregnancy: str | None = None
    conditions: tuple[str, ...] = ()
    allergies: tuple[str, ...] = ()
    labs: tuple[str, ...] = ()
    genes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Clinical notes: files, or the texts themselves."""

    def given(self) -> dict[str, Any]:
        """As a case file would say it."""
        lists = {"conditions": self.conditions, "labs": self.labs, "genes": self.genes}
        told: dict[str, Any] = {key: list(items) for key, items in lists.items() if items}
        if self.allergies:
            told["allergies"] = [allergy_of(text) for text in self.allergies]
        single = {"age": self.age, "sex": self.sex, "weight": self.weight, "height": self.height, "pregnancy": self.pregnancy}
        return {key: value for key, value in single.items() if value is not None} | told


class Given(Struct, frozen=True):
    """A case, or what was wrong with it, and where it stood."""

    shown: str
    case: Case | RequestError


ReadNote: TypeAlias = Callable[[str, Case], Case]
"""Reads a note beside a case."""


def cases(
    items: Sequence[str], said: InPlace, plan: Sequence[str], *, fhir: bool, read_note: ReadNote | None = None
) -> Iterator[Given]:  # fmt: skip
    """Every case that the arguments give, in their order; without `read_note`, notes are read as lists of medicines.

    Raises RequestError where files and medicines are mixed, or where the options speak of a patient whom a file describes.
    """
    files = [is_file(item) or fhir for item in items]
    if any(files) and not all(files):
        strange = next(item for item, file in zip(items, files, strict=True) if not file)
        raise _refused(strange, "is neither a file nor can it stand beside one", "give files, or medicines in place; not both")
    if not any(files):
        yield Given(IN_PLACE, _caught(lambda: _in_place(items, said, plan, read_note)))
        return
    if said.notes:
        raise _refused(
            said.notes[0], "is a note beside a file that describes its patient", "give the note and medicines in place"
        )
    for path in _each_file(items):
        yield from _of_file(path, said, plan, fhir=fhir, read_note=read_note)


def is_file(item: str) -> bool:
    """Whether an argument names a file or a folder, rather than a medicine."""
    return item == "-" or item.lower().endswith(_FILES) or Path(item).exists()


def _each_file(items: Sequence[str]) -> Iterator[str]:
    for item in items:
        if item != "-" and Path(item).is_dir():
            inside = sorted(str(p) for p in Path(item).iterdir() if p.is_file() and p.name.lower().endswith(_FILES))
            if not inside:
                hint = f"cases end in {' '.join(_FILES)}"
                raise RequestError([Problem(Place(item), "R001", "cannot be read: the folder holds no case", hint)])
            yield from inside
        else:
            yield item


def _of_file(
    path: str, said: InPlace, plan: Sequence[str], *, fhir: bool, read_note: ReadNote | None
) -> Iterator[Given]:  # fmt: skip
    if path.lower().endswith(".jsonl") and not fhir:
        yield from (Given(path, case) for case in _lines(path))
    else:
        yield Given(path, _caught(lambda: _from_file(path, said, plan, fhir=fhir, read_note=read_note)))


def _from_file(path: str, said: InPlace, plan: Sequence[str], *, fhir: bool, read_note: ReadNote | None) -> Case:
    if fhir or path.lower().endswith(".gz"):
        return _planned(from_fhir(path), plan)
    data = read_input(path, _MAX_FHIR) if path.lower().endswith(".json") else None
    if data is not None and (data.startswith(_GZIP) or RESOURCE.encode() in data):
        return _planned(from_fhir(path, data), plan)
    text = read_text(path)
    if RESOURCE in text:
        return _planned(from_fhir(path, text.encode()), plan)
    if read_note is not None and _is_plain(path, text) and is_prose(text):
        return _planned(read_note(text, _told(said)), plan)
    listed = _listed(path, text)
    if listed is not None:
        return _planned(_of_list(listed, said), plan)
    if said.given():
        raise _refused(path, "is a case that describes its patient itself", "options such as --age go with medicines in place")
    return _planned(case_from_text(text, path), plan)


def _listed(path: str, text: str) -> Listed | None:
    """The medicines of a plain list, one a line, or of a YAML list; None for a case."""
    if _is_plain(path, text):
        return of_lines(text, path)
    return of_yaml(text, path) if text.lstrip().startswith(("- ", "[")) else None


def _is_plain(path: str, text: str) -> bool:
    """Whether a file is plain text, be it a list or a note."""
    plain = path.lower().endswith(".txt") or path == "-"
    return plain and not is_case(text) and not text.lstrip().startswith(("- ", "["))


def _told(said: InPlace, items: Sequence[str] = ()) -> Case:
    """What the options, and medicines in place, say of the patient; a list of medicines was told where there is one."""
    return read_case({"patient": {**said.given(), **({"medications": list(items)} if items else {})}})


def _in_place(items: Sequence[str], said: InPlace, plan: Sequence[str], read_note: ReadNote | None) -> Case:
    if read_note is None or not said.notes:
        return _planned(read_case({"patient": {**said.given(), "medications": list(items)}}), plan)
    case = _told(said, items)
    for note in said.notes:
        case = read_note(read_text(note) if note == "-" or Path(note).is_file() else note, case)
    return _planned(case, plan)


def _of_list(listed: Listed, said: InPlace) -> Case:
    """The case of a list; where an option tells the same as a heading, the option counts, and a list is added to."""
    told, given = dict(listed.patient), said.given()
    for key, value in given.items():
        told[key] = [*told[key], *value] if isinstance(value, list) and key in told else value
    return read_case({"patient": told, "plan": listed.plan}, listed.locate)


def _planned(case: Case, plan: Sequence[str]) -> Case:
    """The case with what the options propose: medicines, or files that hold them."""
    if not plan:
        return case
    added = (m for item in plan for m in (_plan_file(item) if is_file(item) else read_medications([item])))
    return replace(case, plan=(*case.plan, *added))


def _plan_file(file: str) -> tuple[Medication, ...]:
    from safety.knowledge.documents import read_text as read_yaml

    document, problems = read_yaml(read_text(file), file)
    if document is None:
        raise RequestError(problems)
    value = document.value
    return read_medications(value.get("plan", []) if isinstance(value, dict) else value)


def from_fhir(file: str, data: bytes | None = None) -> Case:
    """The case that a FHIR record tells. Raises RequestError."""
    from safety.reading.fhir.bundle import read_fhir

    return read_fhir(data if data is not None else read_input(file, _MAX_FHIR), where=file)


def _refused(where: str, what: str, hint: str) -> RequestError:
    return RequestError([Problem(Place(where), "R008", what, hint)])


def _caught(read: Callable[[], Case]) -> Case | RequestError:
    try:
        return read()
    except RequestError as error:
        return error


def _lines(file: str) -> Iterator[Case | RequestError]:
    """Each line of a .jsonl file, whatever is wrong with one in between."""
    if not Path(file).is_file():
        yield RequestError([Problem(Place(file), "R001", "cannot be read: no such file", "is the path right?")])
        return
    with open(file, "rb") as handle:
        n = 0
        while line := handle.readline(_MAX_LINE + 1):
            n += 1
            if len(line) > _MAX_LINE:
                while line and not line.endswith(b"\n"):
                    line = handle.readline(_MAX_LINE)
                yield RequestError([Problem(Place(file, n, 1), "R002", f"the line is longer than {_MAX_LINE:,} bytes")])
            elif line.strip():
                yield _caught(lambda text=line, at=n: from_line(text, file, at, read_case, "case"))  # type: ignore[misc]
