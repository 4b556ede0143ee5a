"""FHIR Conditions and AllergyIntolerances → problems, present and past, and what the patient reacts to."""

from __future__ import annotations

from typing import Literal

from safety.model.patient import Allergy, Told
from safety.reading.fhir.absent import absent, only_of_drugs
from safety.reading.fhir.record import Record
from safety.reading.fhir.resources import Entry
from safety.reading.fhir.values import clean, codes, obj, objs, word, words

_PRESENT = {"active", "recurrence", "relapse"}
_PAST = {"inactive", "remission", "resolved"}
_DENIED = {"refuted": "it is refuted", "entered-in-error": "it was entered in error"}
_UNSURE = {"unconfirmed", "provisional", "differential"}
_ENDED = ("abatementDateTime", "abatementAge", "abatementPeriod", "abatementRange", "abatementString")
_WORST_LAST = ("mild", "moderate", "severe")
_NOT_DRUGS = {"food", "environment"}


def read_conditions(record: Record) -> tuple[Told, ...] | None:
    """The problems, present and past; None where the record tells of none, empty where it says there are none.

    The clinical status decides; without one a problem is present unless an abatement is recorded.
    Refuted and erroneous ones are listed, doubtful ones (provisional, differential …) are read and noted.
    """
    found: list[Told] = []
    told = False
    for entry in record.about_patient("Condition"):
        concept = entry.resource.get("code")
        said = absent(concept, "problem")
        if _denied(record, entry):
            continue
        if said == "none":
            told = True
        elif said:
            record.leave(entry, "it says that problems are not known")
            continue
        elif not words(concept):  # kept, so that the answer is never clear for want of its name
            told = True
            record.note(entry, "code", "it names no problem")
            found.append(Told("a problem that the record does not name"))
        else:
            told = True
            found.append(_condition(record, entry))
        record.used["Condition"] += 1
    return tuple(found) if told else None


def _condition(record: Record, entry: Entry) -> Told:
    given = entry.resource
    sure = word(given.get("verificationStatus"))
    if sure in _UNSURE:
        record.note(entry, "verificationStatus", f"it is {sure}: read as a problem of the patient")
    period = obj(given.get("onsetPeriod"))
    onset = record.day(entry, "onset", given.get("onsetDateTime", period.get("start")))
    concept = given.get("code")
    return Told(words(concept), codes(concept), _presence(record, entry), onset)


def _presence(record: Record, entry: Entry) -> Literal["active", "past"]:
    given = entry.resource
    status = word(given.get("clinicalStatus"))
    ended = any(key in given for key in _ENDED) or given.get("abatementBoolean") is True
    if status in _PAST:
        return "past"
    if status in _PRESENT:
        if ended:
            record.note(entry, "abatement", f"it is {status} and has an end: read as present")
        return "active"
    if status:
        record.note(entry, "clinicalStatus", f"`{status[:40]}` is not a clinical status: read by whether it has an end")
    return "past" if ended else "active"


def read_allergies(record: Record) -> tuple[Allergy, ...] | None:
    """What the patient reacts to; empty where the record says "no known allergies", None where it does not say.

    "None known" beside a recorded allergy of that kind is a contradiction: the allergy stands, and it is asked about.
    """
    found: list[Allergy] = []
    kinds: list[bool] = []  # of each allergy: may it be to a medicine
    denials: list[Entry] = []
    for entry in record.about_patient("AllergyIntolerance"):
        given = entry.resource
        concept = given.get("code")
        said = absent(concept, "allergy")
        if _denied(record, entry) or _over(record, entry):
            continue
        to = _agent(entry)
        if said == "none":
            denials.append(entry)
        elif said:
            record.leave(entry, "it says nothing of allergies to medicines")
        elif not to:
            record.note(entry, "code", "it names nothing that the patient reacts to")
            kinds.append(True)
            found.append(Allergy("an allergy that the record does not name"))
            record.used["AllergyIntolerance"] += 1
        else:
            categories = given.get("category")
            named = {clean(name) for name in (categories if isinstance(categories, list) else [categories])}
            kinds.append(not (named - {""} and named - {""} <= _NOT_DRUGS))
            found.append(Allergy(to, _reaction(entry), _severity(entry), codes(concept)))
            record.used["AllergyIntolerance"] += 1
    for entry in denials:
        if any(kinds) if only_of_drugs(entry.resource.get("code")) else found:
            found.append(Allergy(words(entry.resource.get("code")) or "no known allergies", denied=True))
        record.used["AllergyIntolerance"] += 1
    stands = found or record.used["AllergyIntolerance"]
    return tuple(found) if stands else None


def _denied(record: Record, entry: Entry) -> bool:
    status = word(entry.resource.get("verificationStatus"))
    if status not in _DENIED:
        return False
    record.leave(entry, _DENIED[status])
    return True


def _over(record: Record, entry: Entry) -> bool:
    status = word(entry.resource.get("clinicalStatus"))
    if status not in ("", "active", "inactive", "resolved"):
        record.note(entry, "clinicalStatus", f"`{status[:40]}` is not a clinical status: the allergy is taken to hold")
    if status not in ("inactive", "resolved"):
        return False
    record.leave(entry, f"it is {status}")
    return True


def _agent(entry: Entry) -> str:
    """What they react to: its code, or the substance of a reaction where only that is told."""
    named = words(entry.resource.get("code"))
    reactions = objs(entry.resource.get("reaction"))
    return named or next((words(item["substance"]) for item in reactions if "substance" in item), "")


def _reaction(entry: Entry) -> str | None:
    """Every manifestation in words, or the description where none is named."""
    seen: list[str] = []
    for reaction in objs(entry.resource.get("reaction")):
        shown = [text for item in objs(reaction.get("manifestation")) if (text := words(item))]
        seen += shown or [text for text in [clean(reaction.get("description"))] if text]
    return ", ".join(dict.fromkeys(seen)) or None


def _severity(entry: Entry) -> str | None:
    """The worst severity of its reactions; without one, `high criticality` or `low criticality` where told."""
    told = [clean(reaction.get("severity")).lower() for reaction in objs(entry.resource.get("reaction"))]
    known = [severity for severity in told if severity in _WORST_LAST]
    if known:
        return max(known, key=_WORST_LAST.index)
    criticality = clean(entry.resource.get("criticality")).lower()
    return f"{criticality} criticality" if criticality in ("high", "low") else None
