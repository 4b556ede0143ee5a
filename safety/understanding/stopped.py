"""What a line of a medicine tells beside it: why it was stopped or is held, and results ("warfarin 5 mg daily, last INR 8.1")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from safety.model.patient import LabResult, Told
from safety.understanding.medications import Entry
from safety.understanding.problem_lists import Person
from safety.understanding.problems import Problems, read_problems
from safety.understanding.terms import Terms

_BRACKETS = re.compile(r"\(([^()\d]+)\)")


def why_stopped(entries: Iterable[Entry], terms: Terms, day: date, person: Person) -> Problems:
    """What the reasons tell for which medicines were stopped or are held ("heparin stopped for HIT", "held for HR 42").

    A reaction is told of the medicine too, a result stands where the medicine does; other reasons ("cost") tell nothing here.
    """
    told = [(entry, line) for entry in entries if not entry.current and (line := _as_a_problem(entry, terms, day)) is not None]
    if not told:
        return Problems()
    found = read_problems(tuple(line for _, line in told), terms, day, [], person) or Problems()
    return replace(found, results=tuple((one, told[where.index][0].where) for one, where in found.results))


def _as_a_problem(entry: Entry, terms: Terms, day: date) -> Told | None:
    noted = entry.meaning.noted
    if noted.status not in ("stopped", "held") or not entry.drugs:
        return None
    why = noted.why or next((found[1] for found in _BRACKETS.finditer(noted.text)), "")
    line = terms.problems.read(why) if why else None
    if line is None or not (line.heads or line.measured):
        return None
    when = noted.when.latest(day) if noted.when is not None else None
    did = terms.allergies.grade(why, None) is not None and entry.answer.name
    return Told(f"{why} from {entry.answer.name}" if did else why, onset=when)


def results_beside(entry: Entry, text: str, terms: Terms, day: date) -> list[LabResult]:
    """The results that a remark on a line tells, and nothing else ("last INR 8.1", "BP 88/50"), also of the level of its own
    medicine ("level 2.1"); read as a line of results is.

    None where a limit or an aim is told ("hold for HR < 55", "goal INR 2.5"); a range is one ("INR 2-3").
    """
    name = entry.answer.name
    for said in (text, *((f"{name} {text}",) if name else ())):
        line = terms.result_lines.line(said, day)
        known = [r for r in line.results if r.test and not r.fault and isinstance(r.value, Decimal)]
        if known and len(known) == len(line.results) and not line.left:
            return [LabResult(said, as_written=True)]
    return []
