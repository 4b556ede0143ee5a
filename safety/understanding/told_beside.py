"""Facts of the patient that stand on the line of a medicine ("ibuprofen 600 mg tid (CKD 4)", "codeine 30 mg, breastfeeding")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from safety.model.patient import Case, Medication, Told
from safety.model.position import ListName, Position
from safety.model.problem_line import Head
from safety.model.report import Unresolved
from safety.understanding.problem_lists import Person
from safety.understanding.problems import Problems, read_problems
from safety.understanding.terms import Terms

_PARTS = re.compile(
    r"\((?P<within>[^()]+)\)|(?:[,;]|\s[-–—]|\.(?=\s))\s+(?P<behind>[^,;()]+?)(?=\s*(?:[,;(]|\s[-–—]\s|\.(?:\s|$)|$))"
)
"""What stands in brackets, and what stands behind a mark up to the next one."""
_LONGEST = 400
"""A longer line is no line of one medicine."""


class Beside(Struct, frozen=True):
    """A part of the line of a medicine that tells of the patient, and where that line stands."""

    where: Position
    text: str


def facts_apart(case: Case, terms: Terms, day: date, person: Person) -> tuple[Case, tuple[Beside, ...]]:
    """The case without what lines of medicines tell of the patient, and those parts by themselves.

    A part leaves its line where it tells a condition, a pregnancy, an allergy or a food of the patient, and nothing of it is left
    to ask.
    An event without a day ("(chest pain)") stays: it is what the medicine is taken for, and may be feared only.
    """
    found: list[Beside] = []
    patient, plan = case.patient, case.plan
    medications = _lines(patient.medications, "medications", terms, day, person, found)
    plan = _lines(plan, "plan", terms, day, person, found)
    if not found:
        return case, ()
    return replace(case, patient=replace(patient, medications=medications), plan=plan), tuple(found)


def read_beside(parts: tuple[Beside, ...], terms: Terms, day: date, person: Person) -> Problems:
    """What those parts tell; each thing stands where its medicine does."""
    if not parts:
        return Problems()
    read = read_problems(tuple(Told(part.text) for part in parts), terms, day, [], person) or Problems()
    return replace(
        read,
        results=tuple((one, parts[where.index].where) for one, where in read.results),
        procedures=tuple(replace(one, where=parts[one.where.index].where) for one in read.procedures),
        devices=tuple(replace(one, where=parts[one.where.index].where) for one in read.devices),
        medicines=tuple(replace(one, where=parts[one.where.index].where) for one in read.medicines),
        denied=(), not_hers=frozenset(),
    )  # fmt: skip


def _lines(
    told: tuple[Medication, ...], among: ListName, terms: Terms, day: date, person: Person, found: list[Beside]
) -> tuple[Medication, ...]:
    return tuple(_without(one, Position(among, n), terms, day, person, found) for n, one in enumerate(told))


def _without(told: Medication, where: Position, terms: Terms, day: date, person: Person, found: list[Beside]) -> Medication:
    """One medication without the parts that tell of the patient; those are added to `found`."""
    if not _may_tell(told, terms):
        return told
    left = told
    for key in ("text", "sig"):
        text: str | None = getattr(left, key)
        spans = [span for span in _parts(text or "") if _tells_of_the_patient(span[2], terms, day, person)]
        spans += [span for span in _eaten(text or "", terms) if not any(span[0] < end for _, end, _ in spans)]
        for start, end, part in sorted(spans, reverse=True):
            text = f"{(text or '')[:start].rstrip()}{(text or '')[end:]}"
            found.append(Beside(where, part))
        if spans:
            left = replace(left, **{key: text})
    return left


def _may_tell(told: Medication, terms: Terms) -> bool:
    """Whether a line of one medicine has words that its directions did not take, or that speak of a person."""
    said = f"{told.text} {told.sig or ''}"
    if len(said) > _LONGEST:
        return False
    if not _PARTS.search(said) and not terms.taken_with.search(said):
        return False
    meaning = terms.meaning_of(told)
    return bool(meaning.read.drugs) and (
        bool(meaning.directions.unread)
        or terms.tells_of_the_patient.search(said) is not None
        or terms.taken_with.search(said) is not None
    )


def _parts(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _PARTS.finditer(text):
        yield match.start(), match.end(), (match["within"] or match["behind"]).strip()


def _eaten(text: str, terms: Terms) -> Iterator[tuple[int, int, str]]:
    """What is eaten or drunk with it, where that is one of ours ("simvastatin 40 mg qhs with grapefruit juice")."""
    for match in terms.taken_with.finditer(text):
        eaten = terms.intake.read(match["what"])
        if eaten.food is not None and not eaten.denied and not eaten.left:
            yield match.start(), match.end(), match["what"]


def _tells_of_the_patient(part: str, terms: Terms, day: date, person: Person) -> bool:
    aside: list[Unresolved] = []
    line = terms.problems.read(part)
    if any(_only_a_reason(head, terms) for head in line.heads):
        return False
    read = read_problems((Told(part),), terms, day, aside, person)
    return read is not None and not aside and bool(read.own or read.suspected or read.reactions or read.weeks)


def _only_a_reason(head: Head, terms: Terms) -> bool:
    """An event that no day or word puts in the past: what a medicine is taken against."""
    i = terms.named(head.name)
    condition = terms.library.condition.get(i) if i is not None else None
    if condition is None or head.standing not in ("told", "recent") or head.when is not None:
        return False
    if condition.pregnancy or condition.breastfeeding:
        return False
    return condition.unjudged or (condition.lasts is not None and not condition.lifelong)
