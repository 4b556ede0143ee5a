"""FHIR medication orders and statements → medications that are taken, were taken, or are proposed.

How a status is read, after the R4 definitions (`listed`: left out and named in `Reading.unread`; `noted`: read, and
named there):

| resource | status or mark | read as |
|---|---|---|
| MedicationRequest | active | current |
| | on-hold ("halted, expected to continue later"), unknown, missing, any other word | current, noted |
| | completed ("all actions implied have occurred") | past; until = end of its bounds, else of dispensing validity |
| | stopped ("halted before all occurred") | past; the day is not known (its ends are plans that were not kept) |
| | cancelled ("withdrawn before any administration"), entered-in-error, doNotPerform | listed |
| | draft; or intent proposal, plan or option | the plan |
| | intent plan, but reported or requested by the patient (how US Core records self-chosen medicines) | by its status |
| MedicationStatement | active | current |
| | on-hold, unknown, missing, any other word | current, noted |
| | completed, stopped | past; until = end of effectivePeriod |
| | intended ("may be taken in the future") | the plan |
| | not-taken, entered-in-error | listed |

A current medicine whose stated end (effectivePeriod.end, boundsPeriod.end) has passed carries that day as `until`;
whether it still counts on the day judged is `Medication.current`'s to say. The dispensing validity of an active
order is not an end of taking it. Dispenses and administrations are counted and not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import Directions
from safety.model.patient import Code, ContentTold, Medication, Supply
from safety.model.quantity import Quantity
from safety.reading.fhir.absent import absent
from safety.reading.fhir.dosage import Dosing
from safety.reading.fhir.dosages import dosing
from safety.reading.fhir.record import Record
from safety.reading.fhir.resources import Entry
from safety.reading.fhir.values import Json, clean, codes, day, obj, objs, positive, shown, unit, word, words

When = Literal["current", "past", "plan"]

_REQUEST: dict[str, When] = {"active": "current", "completed": "past", "stopped": "past", "draft": "plan"}
_STATEMENT: dict[str, When] = {"active": "current", "completed": "past", "stopped": "past", "intended": "plan"}
_LEFT_OUT = {
    "entered-in-error": "it was entered in error",
    "cancelled": "it was cancelled before anything was given",
    "not-taken": "it says that the medicine was not taken",
}
_UNSURE = {
    "on-hold": "it is on hold: read as current, for it is expected to be resumed",
    "unknown": "its status is unknown: read as current",
    "": "it has no status: read as current",
}
_PROPOSED = {"proposal", "plan", "option"}
_OTC = re.compile(r"\botc\b|\bover[- ]the[- ]counter\b|\bnon-?prescription\b", re.I)
_COUNTED = {"", "1", "ea", "each", "tab", "tablet", "cap", "capsule", "{tbl}", "{tablet}", "{capsule}", "patch"}


class Use(Struct, frozen=True):
    """One medication and whether it is taken, was taken or is proposed; from which resource."""

    medication: Medication
    when: When
    entry: Entry


class _Strength(Struct, frozen=True):
    """What one unit holds; or, by volume or mass, so much of it."""

    amount: Quantity
    per: Quantity | None = None

    def __str__(self) -> str:
        per = self.per
        return f"{self.amount}/{'' if per.value == 1 else shown(per.value) + ' '}{per.unit}" if per else str(self.amount)


class _Product(Struct, frozen=True):
    text: str
    codes: tuple[Code, ...] = ()
    form: str | None = None
    strength: _Strength | None = None
    contains: tuple[ContentTold, ...] = ()


def read_medications(record: Record) -> tuple[list[Use], bool]:
    """Every order and statement as a use of a medicine, and whether the list can be taken as whole.

    It is not whole where something that may be taken could not be read, or where the record tells of
    medicines dispensed or given and of none ordered or stated.
    """
    whole = True
    uses: list[Use] = []
    for type_ in ("MedicationRequest", "MedicationStatement"):
        for entry in record.about_patient(type_):
            when = _when(record, entry)
            if when is None:
                continue
            said = absent(entry.resource.get("medicationCodeableConcept"), "medication")
            product = None if said else _product(record, entry)
            if said == "none":
                record.used[type_] += 1
            elif product is None:
                whole = False
                if said:
                    record.leave(entry, "it says that medications are not known")
            else:
                uses.append(_use(record, entry, when, product))
    kept = _without_echoes(record, uses)
    for use in kept:
        record.used[use.entry.type] += 1
    _close(record)
    ordered = any(record.resources[type_] for type_ in ("MedicationRequest", "MedicationStatement"))
    given = any(record.resources[type_] for type_ in ("MedicationDispense", "MedicationAdministration"))
    return kept, whole and (ordered or not given)


def _close(record: Record) -> None:
    """Medication resources that an order or statement referred to are used; the others are listed."""
    for entry in record.by_type.get("Medication", ()):
        if record.needed(entry):
            record.used["Medication"] += 1
        else:
            record.leave(entry, "no order or statement that was read refers to it")


# --- status ---


def _when(record: Record, entry: Entry) -> When | None:
    """Taken, past or proposed, by status and intent; None (and listed) where it is none of them."""
    given, status = entry.resource, word(entry.resource.get("status"))
    if status in _LEFT_OUT:
        record.leave(entry, _LEFT_OUT[status])
        return None
    if given.get("doNotPerform") is True:
        record.leave(entry, "it is an order not to give the medicine (doNotPerform)")
        return None
    request = entry.type == "MedicationRequest"
    when = (_REQUEST if request else _STATEMENT).get(status)
    if request and when != "past" and word(given.get("intent")) in _PROPOSED and not _recorded(record, given):
        return "plan"
    if when is None:
        why = _UNSURE.get(status) or f"`{status[:40]}` is not a status of it: read as current"
        record.note(entry, "status", why)
    return when or "current"


def _recorded(record: Record, given: Json) -> bool:
    """Whether a request with intent `plan` only records what the patient takes: as told, or of their own choice."""
    if word(given.get("intent")) != "plan":
        return False
    own_choice = record.is_patient(obj(given.get("requester")).get("reference"))
    return given.get("reportedBoolean") is True or "reportedReference" in given or own_choice


# --- which medicine ---


def _product(record: Record, entry: Entry) -> _Product | None:
    """What is ordered: in the order itself or in the Medication it refers to; None (and listed) if not told."""
    given = entry.resource
    concept = given.get("medicationCodeableConcept")
    text = words(concept)
    if text:
        return _Product(text, codes(concept))
    reference = obj(given.get("medicationReference"))
    shown_as = words(clean(reference.get("display")))
    medication = record.resolve(reference, given, "Medication")
    if medication is not None:
        product = _medication(medication, shown_as)
        if product is not None:
            return product
    if shown_as:
        return _Product(shown_as)
    target = clean(reference.get("reference"))
    if medication is not None:
        record.leave(entry, "the Medication it refers to has no code, name or ingredient")
    elif target:
        record.leave(entry, f"it refers to `{target[:100]}`, which is not in the record")
    else:
        record.leave(entry, "it names no medicine")
    return None


def _medication(given: Json, shown_as: str) -> _Product | None:
    """A Medication resource: its name and codes, form, and what one unit of it contains."""
    contents = list(_contents(given))
    text = words(given.get("code")) or shown_as or " / ".join(_content(*part) for part in contents)
    if not text:
        return None
    known = [(name, strength) for name, strength in contents if strength is not None]
    return _Product(
        text=text,
        codes=codes(given.get("code")),
        form=words(given.get("form")) or None,
        strength=contents[0][1] if len(contents) == 1 else None,
        contains=tuple(_contained(*part) for part in known) if len(known) == len(contents) else (),
    )


def _contents(given: Json) -> Iterator[tuple[str, _Strength | None]]:
    """The active ingredients that are named, with what one unit holds of them."""
    for part in objs(given.get("ingredient")):
        name = _ingredient(part, given)
        if name and part.get("isActive") is not False:
            yield name, _strength(obj(part.get("strength")))


def _contained(name: str, strength: _Strength) -> ContentTold:
    """How much of it one unit holds is told, unless it is told by volume."""
    return ContentTold(name, strength.amount if strength.per is None else None)


def _content(name: str, strength: _Strength | None) -> str:
    """`acetaminophen 500 mg`, for showing; without saying the amount twice where the name has it."""
    amount = str(strength or "")
    said = amount.replace(" ", "").lower() in name.replace(" ", "").lower()
    return name if said else f"{name} {amount}"


def _ingredient(part: Json, holder: Json) -> str:
    named = words(part.get("itemCodeableConcept"))
    if named:
        return named
    reference = obj(part.get("itemReference"))
    target = clean(reference.get("reference")).removeprefix("#")
    inner = (words(item.get("code")) for item in objs(holder.get("contained")) if target and item.get("id") == target)
    return words(clean(reference.get("display"))) or next(inner, "")


def _strength(ratio: Json) -> _Strength | None:
    """500 mg for one tablet, 250 mg in 5 mL; None where it is not told."""
    top, bottom = obj(ratio.get("numerator")), obj(ratio.get("denominator"))
    amount, measure = positive(top.get("value")), unit(top)
    per, per_unit = positive(bottom.get("value", 1)), (clean(bottom.get("unit")) or clean(bottom.get("code")))
    if amount is None or not measure or per is None:
        return None
    if per_unit.lower() in _COUNTED:
        return _Strength(Quantity(amount, measure)) if per == 1 else None
    return _Strength(Quantity(amount, measure), Quantity(per, per_unit))


# --- the whole use ---


def _use(record: Record, entry: Entry, when: When, product: _Product) -> Use:
    given = entry.resource
    request = entry.type == "MedicationRequest"
    part = "dosageInstruction" if request else "dosage"
    how = dosing(given.get(part))
    for note in how.notes:
        record.note(entry, part, note)
    since, until = _request_days(record, entry, how) if request else _statement_days(record, entry, how)
    medication = Medication(
        text=product.text,
        form=product.form,
        frequency=how.frequency,
        route=how.route,
        sig=how.sig,
        supply=_supply(record, given, product.text, request),
        indication=_indication(record, given) or how.reason,
        since=since,
        until=until,
        contains=product.contains,
        codes=product.codes,
        stopped=when == "past",
        directions=_directions(how, product),
        beside=how.beside,
    )
    return Use(medication, when, entry)


def _directions(how: Dosing, product: _Product) -> Directions | None:
    """What the order's dosing and the product's strength tell in numbers and codes."""
    if product.strength is None:
        return how.directions
    return replace(how.directions or Directions(""), strength=product.strength.amount, strength_per=product.strength.per)


def _request_days(record: Record, entry: Entry, how: Dosing) -> tuple[date | None, date | None]:
    """From when (bounds, else the day it was written) until when an order runs, as far as the data says."""
    given, status = entry.resource, word(entry.resource.get("status"))
    written = record.day(entry, "authoredOn", given.get("authoredOn"))
    if status == "stopped":
        return how.start or written, None
    validity = obj(obj(given.get("dispenseRequest")).get("validityPeriod"))
    spent = day(validity.get("end"), last=True) if status == "completed" else None
    return how.start or written, how.end or spent


def _statement_days(record: Record, entry: Entry, how: Dosing) -> tuple[date | None, date | None]:
    """From when until when a medicine is said to be taken: its effective time, else the bounds of its dosage."""
    given = entry.resource
    period = obj(given.get("effectivePeriod"))
    start = record.day(entry, "effective", period.get("start", given.get("effectiveDateTime")))
    end = record.day(entry, "effectivePeriod.end", period.get("end"), last=True)
    planned = None if word(given.get("status")) == "stopped" else how.end
    return start or how.start, end or planned


def _supply(record: Record, given: Json, text: str, request: bool) -> Supply | None:
    """`otc` only where category or name say so; a prescriber's order is a prescription; otherwise not told."""
    for category in objs(given.get("category")):
        told = [words(category), *(clean(coding.get(key)) for coding in objs(category.get("coding")) for key in _NAMES)]
        if any(_OTC.search(name) for name in told):
            return "otc"
    if _OTC.search(text):
        return "otc"
    if request:
        return None if _recorded(record, given) else "prescription"
    ordered = any("MedicationRequest/" in clean(basis.get("reference")) for basis in objs(given.get("basedOn")))
    return "prescription" if ordered else None


_NAMES = ("code", "display")


def _indication(record: Record, given: Json) -> str | None:
    """What it is for: the reason as written, else the name of the Condition it refers to."""
    for reason in objs(given.get("reasonCode")):
        if words(reason):
            return words(reason)
    for reference in objs(given.get("reasonReference")):
        found = record.resolve(reference, given, "Condition")
        text = words(obj(found).get("code")) or clean(reference.get("display"))
        if text:
            return text
    return None


def _without_echoes(record: Record, uses: list[Use]) -> list[Use]:
    """Uses without statements that only repeat an order in the record: the same medicine, and no other dosing."""
    orders = {id(use.entry.resource): use for use in uses if use.entry.type == "MedicationRequest"}
    kept: list[Use] = []
    for use in uses:
        order = _origin(record, use, orders)
        if order is None:
            kept.append(use)
        else:
            record.leave(use.entry, f"it repeats {order.entry.name}, which it is derived from")
    return kept


def _origin(record: Record, use: Use, orders: dict[int, Use]) -> Use | None:
    if use.entry.type != "MedicationStatement":
        return None
    given, said = use.entry.resource, use.medication
    for reference in [*objs(given.get("derivedFrom")), *objs(given.get("basedOn"))]:
        found = record.resolve(reference, given, "MedicationRequest")
        order = orders.get(id(found)) if found is not None else None
        if order is None or order.when != use.when:
            continue
        meant = order.medication
        same = said.text.lower() == meant.text.lower() or bool(set(said.codes) & set(meant.codes))
        if same and _dosed(said) in (_NO_DOSING, _dosed(meant)):
            return order
    return None


def _dosed(told: Medication) -> tuple[object, ...]:
    """How much and how often it is taken, in structure and in words."""
    d = told.directions or Directions("")
    return d.dose, d.times_per_day, d.per_day, d.steps, d.once, told.frequency, told.sig


_NO_DOSING = _dosed(Medication(""))
