"""How often what patients say is judged as written down beforehand, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from safety.errors import RequestError
from safety.model.report import DoseAnswer

_MARK = {"C": "CORRECT", "H": "HIGH", "L": "LOW", "U": "UNKNOWN"}
AS_OF = "2026-11-20"


class Kind(Struct):
    """The statements of one kind: how many, and how many came out right in the verdict, the axes, the suspect."""

    kind: str
    rows: int = 0
    verdict: int = 0
    axes: int = 0
    whole: int = 0
    quiet: int = 0
    """Told as CORRECT though they are not."""
    wrong: list[str] = []


Ask = Callable[[Mapping[str, Any]], DoseAnswer]


def measure_statements(folder: Path, ask: Ask) -> list[Kind]:
    """Every statement of a corpus (tests/adherence/corpus), asked and compared."""
    from safety.knowledge.documents import read_text

    found: dict[str, Kind] = {}
    for file in sorted(folder.glob("*.yaml")):
        document, problems = read_text(file.read_text(encoding="utf-8"), file.name)
        if document is None:
            raise RequestError(problems)
        for row in document.value["statements"]:
            name = str(row.get("kind", document.value["kind"]))
            _count(found.setdefault(name, Kind(name, wrong=[])), row, ask(request_of(row)))
    return list(found.values())


def request_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the corpus as a request."""
    return {"as_of": AS_OF, "patient": row.get("patient", {}), "prescribed": row["prescribed"], "reported": row["says"]}


def right(row: Mapping[str, Any], answer: DoseAnswer) -> tuple[bool, bool, bool]:
    """Whether verdict, axes and suspect are those that the line asserts."""
    given = (answer.axes.per_dose, answer.axes.per_day, answer.axes.frequency, answer.axes.timing)
    axes = all(letter == "." or _MARK[letter] == got for letter, got in zip(row.get("axes", "...."), given, strict=True))
    return answer.verdict == row["verdict"], axes, row.get("suspect") in (None, answer.suspect)


def _count(kind: Kind, row: Mapping[str, Any], answer: DoseAnswer) -> None:
    verdict, axes, suspect = right(row, answer)
    kind.rows += 1
    kind.verdict += verdict
    kind.axes += axes
    kind.whole += verdict and axes and suspect
    kind.quiet += answer.verdict == "CORRECT" and not verdict
    if not (verdict and axes and suspect):
        kind.wrong.append(f"{row['says']!r}: {answer.verdict} ({answer.suspect}), not {row['verdict']}")
