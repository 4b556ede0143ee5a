"""What was said, as a case to check: what is taken joins the medications, what is weighed or ordered stands as the plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from msgspec.structs import replace

from safety.edge.dosing import A_DAY
from safety.edge.extraction import PROPOSED, ConditionSaid, Extraction, MedicationSaid
from safety.errors import RequestError
from safety.model.patient import IN_WORDS, Case, Medication, Patient, Reading, Unread
from safety.reading.case import read_case

_SAID, _NOTE = IN_WORDS
_STROKE = "/"
"""In an amount of several parts, or of one for a kilogram or a volume: only the whole line tells which."""


def medication_of(said: MedicationSaid) -> Medication:
    """A medicine that was named, as the line of a list: the name as it was heard, so that what is not certain stays asked."""
    name = said.normalised.name if said.normalised.status == "match" and not said.normalised.confirm else said.span.text
    dose = said.dose.value if said.dose is not None else None
    often = said.directions.value if said.directions is not None else None
    route = said.route.value if said.route is not None else None
    told = " ".join(part for part in (name or said.span.text, dose, route, often) if part)
    if dose is not None and _STROKE in dose:
        return Medication(
            told,
            indication=said.reason.value if said.reason is not None else None,
            stopped=said.context == "stopped",
        )
    whole_day = dose is not None and often is not None and often.startswith(A_DAY)
    return Medication(
        told,
        drug=name or said.span.text,
        dose=None if whole_day else dose,
        frequency=None if whole_day else often,
        sig=f"{dose} {often}" if whole_day else None,
        route=route,
        indication=said.reason.value if said.reason is not None else None,
        stopped=said.context == "stopped",
    )


def case_of(found: Extraction, beside: Case | None = None, as_of: date | None = None, *, confirmed: bool = False) -> Case:
    """The case that an extraction tells, beside what was known before; what the patient denies, or others take, is no part of it.

    What only a model found is no part of it either, unless somebody `confirmed` it: a model changes no verdict. Nothing in it
    raises: a fact that no case can hold, and a medicine of which nothing says who takes it, stand in `reading.unread`, so that
    no such case comes out clear. A fact that was known before stays.
    """
    found = found if confirmed else _without_a_model(found)
    before = beside or Case(Patient(medications_told=False))
    patient = before.patient
    taken = [m for m in found.medications if m.is_taken]
    stopped = [m for m in found.medications if m.context == "stopped"]
    proposed = [m for m in found.medications if m.context in PROPOSED and not m.is_taken]
    plan = [m for m in proposed if m.drugs not in [t.drugs for t in taken if t.drugs]]
    told, refused = _patient(_lists(found))
    single = {
        "age": patient.age or told.age if patient.birth_date is None else patient.age,
        "sex": patient.sex or told.sex,
        "weight": patient.weight or told.weight,
        "height": patient.height or told.height,
        "pregnancy": patient.pregnancy or told.pregnancy,
        "breastfeeding": patient.breastfeeding if patient.breastfeeding is not None else told.breastfeeding,
    }
    lists = {name: _beside(getattr(patient, name), getattr(told, name)) for name in ("conditions", "allergies", "labs", "intake")}
    medications = (*patient.medications, *map(medication_of, [*_each_once(taken), *stopped]))
    has_list = patient.medications_told or bool(medications)
    new = replace(patient, **single, **lists, medications=medications, medications_told=has_list)
    left = (*(Unread(text, _SAID, "it cannot be read", "part") for text in refused), *_open(found))
    return replace(
        before, patient=new, plan=(*before.plan, *map(medication_of, plan)), as_of=as_of or before.as_of,
        reading=_with(before.reading, left),
    )  # fmt: skip


def case_of_note(found: Extraction, beside: Case | None = None) -> Case:
    """The case that a whole note tells, beside what was known before.

    A note is read by what is known of words, so what is not known is passed over: that stands in `reading.unread`, with how many
    of each were read, and silence about a note is never clear.
    """
    found = replace(found, medications=tuple(m for m in found.medications if not _ended_later(m, found.medications)))
    case = case_of(found, beside)
    before = case.reading or Reading({}, {})
    taken = sum(m.is_taken for m in found.medications)
    counts = {
        "medicines taken": taken, "other medicines named": len(found.medications) - taken, "problems": len(found.conditions),
        "results": len(found.results), "allergies": len(found.allergies),
    }  # fmt: skip
    rest = Unread("the rest of the note", _NOTE, "only what is known of words is read in a text", "part")
    return replace(case, reading=replace(before, used={**before.used, **counts}, unread=(*before.unread, rest)))


def _ended_later(said: MedicationSaid, every: Iterable[MedicationSaid]) -> bool:
    """Whether a medicine that is told as taken is one that the note ends further on: "advised to discontinue ibuprofen"."""
    after = [m for m in every if m.drugs and m.drugs == said.drugs and m.span.start > said.span.start]
    ended = bool(after) and after[-1].context == "stopped" and after[-1].change != "held"
    return said.is_taken and ended


def _each_once(said: Iterable[MedicationSaid]) -> list[MedicationSaid]:
    """What is taken, each once: one that is told again, with the same amount or with none, is the same ("continue Brilinta")."""
    found: list[MedicationSaid] = []
    for one in said:
        same = next((n for n, other in enumerate(found) if one.drugs and one.drugs == other.drugs and _agree(one, other)), None)
        if same is None:
            found.append(one)
        elif _told(one) > _told(found[same]):
            found[same] = one
    return found


def _agree(one: MedicationSaid, other: MedicationSaid) -> bool:
    """Whether nothing that is told of both is told otherwise of one."""
    pairs = ((one.dose, other.dose), (one.directions, other.directions), (one.route, other.route))
    return all(a is None or b is None or a.value == b.value for a, b in pairs)


def _told(said: MedicationSaid) -> int:
    return sum(part is not None for part in (said.dose, said.directions, said.route))


def _open(found: Extraction) -> Iterator[Unread]:
    """Medicines that were named and are no part of the case though they may be taken."""
    settled = {drug for m in found.medications if m.context != "mentioned" for drug in m.drugs}
    for said in found.medications:
        if said.context == "mentioned" and not settled.issuperset(said.drugs or ("",)):
            yield Unread(said.span.text, _SAID, "nothing says whether the patient takes it", "part")


def _with(before: Reading | None, left: tuple[Unread, ...]) -> Reading | None:
    """What was left out of a record before, and what is left out of what was said."""
    if not left:
        return before
    return replace(before, unread=(*before.unread, *left)) if before is not None else Reading({}, {}, left)


def _without_a_model(found: Extraction) -> Extraction:
    """The extraction without what only a model found."""
    return replace(
        found,
        medications=tuple(m for m in found.medications if m.by == "dictionary"),
        results=tuple(r for r in found.results if r.by == "dictionary"),
        conditions=tuple(c for c in found.conditions if c.by == "dictionary"),
        allergies=tuple(a for a in found.allergies if a.by == "dictionary"),
    )


def _beside(before: tuple[Any, ...] | None, told: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """What was known before and what is told now, each once; not told in neither stays so."""
    if before is None or told is None:
        return before if told is None else told
    return (*before, *(one for one in told if one not in before))


def _lists(found: Extraction) -> list[dict[str, Any]]:
    """Each fact by itself, as it is written in a case."""
    facts: list[dict[str, Any]] = [{f.fact: f.value} for f in found.facts]
    conditions = [one for c in found.conditions if (one := _condition(c)) is not None]
    allergies = [{"to": a.to} | ({"reaction": a.reaction.value} if a.reaction else {}) for a in found.allergies if not a.denied]
    none = any(a.denied and not a.to for a in found.allergies)
    facts += [{"conditions": conditions}] if conditions else []
    facts += [{"allergies": allergies}] if allergies or none else []
    labs = [{"test": r.name, "value": r.value} | ({"unit": r.unit} if r.unit else {}) for r in found.results]
    facts += [{"labs": [lab]} for lab in labs]
    eaten = [i.span.text if not i.denied else f"no {i.span.text}" for i in found.intake]
    facts += [{"intake": eaten}] if eaten else []
    return facts


def _condition(said: ConditionSaid) -> dict[str, str] | str | None:
    """A condition as a case tells it: what is over as past, what is suspected as possible; what is denied, or of kin, is none.

    What is told as earlier stands as in a list of problems: "stroke two years ago", "history of gout".
    """
    if said.standing in ("denied", "family"):
        return None
    if said.standing == "suspected":
        return f"possible {said.name}"
    if said.standing == "past":
        return {"text": said.name, "status": "past"}
    return said.listed or said.name


def _patient(facts: Iterable[dict[str, Any]]) -> tuple[Patient, list[str]]:
    """The facts that a case can hold, together; and those that it cannot, as they were told."""
    kept: dict[str, Any] = {}
    refused: list[str] = []
    for fact in facts:
        try:
            read_case({"patient": fact})
        except RequestError:
            refused.append(" ".join(str(value) for value in fact.values()))
            continue
        for key, value in fact.items():
            kept[key] = [*kept[key], *value] if isinstance(value, list) and key in kept else value
    return read_case({"patient": kept}).patient, refused
