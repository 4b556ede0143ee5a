"""FHIR Dosage → typed directions from its numbers and codes, and its words. What is neither is noted, never dropped."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import KINDS_OF_PARENTERAL, PARENTERAL, Directions, amount_in_words
from safety.model.quantity import Quantity, QuantityRange, counted
from safety.reading.fhir.routes import route
from safety.reading.fhir.timing import Frequency, course, frequency
from safety.reading.fhir.unread import unread_of
from safety.reading.fhir.values import Json, clean, day, obj, objs, positive, unit, untagged, words
from safety.text import lowered

# units of a dose as HL7 and UCUM code them, in the words a sig uses
_DOSE_UNITS = {
    "tab": "tablet",
    "cap": "capsule",
    "supp": "suppository",
    "recsupp": "suppository",
    "ug": "mcg",
    "\u00b5g": "mcg",
    "\u03bcg": "mcg",
    "u": "unit",
    "[iu]": "IU",
    "meq": "mEq",
    "[drp]": "drop",
    "gtt": "drop",
    "ml": "mL",
}
_NO_UNIT = {"ea", "each", "1", "{each}"}
_RATES = ("rateRatio", "rateRange", "rateQuantity")
_DOSES = frozenset({"doseQuantity", "doseRange"})
_INFUSED = "it is given at a rate: kept as text, not as a dose and frequency"
NOTHING = Directions("")


class Dosing(Struct, frozen=True):
    """What one order or statement says of its dosing.

    `directions`: what numbers and codes tell; their `text` is what the dosing is shown by. `frequency` and `route` are words
    that stand where a code should; `sig` the instruction as written, `beside` what else is written with it.
    """

    directions: Directions | None = None
    frequency: str | None = None
    route: str | None = None
    sig: str | None = None
    beside: tuple[str, ...] = ()
    reason: str | None = None
    start: date | None = None
    end: date | None = None
    notes: tuple[str, ...] = ()


class _Coded(Struct, frozen=True):
    """What the numbers and codes of one dosage tell, how often in words for showing, and what could not be read of them."""

    directions: Directions
    often: Frequency
    length: str
    problems: tuple[str, ...]


def read_dosage(dosage: Json) -> Dosing:
    """The dosing of one FHIR Dosage."""
    coded, (way, way_in_words) = _coded(dosage), route(dosage.get("route"))
    as_needed, reason = _as_needed(dosage)
    told = replace(coded.directions, as_needed=as_needed, **_way(way))
    fields = _fields(told, coded, way or way_in_words)
    text, beside = _words(dosage, coded.often, wanted=not any(fields))
    told = replace(told, text=_shown_as(text, fields, told.day_max))
    bounds = obj(obj(obj(dosage.get("timing")).get("repeat")).get("boundsPeriod"))
    return Dosing(
        directions=told if replace(told, text="") != NOTHING else None,
        frequency=coded.often.words,
        route=way_in_words or None,
        sig=text or None,
        beside=beside,
        reason=reason,
        start=day(bounds.get("start")),
        end=day(bounds.get("end"), last=True),
        notes=tuple(problem for problem in (*coded.problems, unread_of(dosage)) if problem),
    )


def _coded(dosage: Json) -> _Coded:
    timing = obj(dosage.get("timing"))
    often, (dose, dose_problem), most = frequency(timing), _dose(dosage), _maximum(dosage)
    if dose_problem == _INFUSED:
        often = Frequency(problem=often.problem)
    days, length = course(obj(timing.get("repeat")))
    problems = (
        dose_problem,
        often.problem,
        "its maximum dose is no amount with a unit in a day" if "maxDosePerPeriod" in dosage and most is None else "",
        f"how long ({length}) is not read as days" if length else "",
    )
    return _Coded(_directions(dose, often, days, most), often, length, problems)


def _fields(told: Directions, coded: _Coded, way: str) -> list[str]:
    """Dose, frequency, route, as needed and how long, in words for showing."""
    return [amount_in_words(told.dose), str(coded.often), way, "as needed" if told.as_needed else "", coded.length]


def _words(dosage: Json, often: Frequency, *, wanted: bool) -> tuple[str, tuple[str, ...]]:
    """The instruction that counts, and what else is written: for the patient, in addition, as the name of a timing that its
    numbers tell. Where nothing else tells anything (`wanted`), the additional instructions are the one that counts."""
    patient, name = clean(dosage.get("patientInstruction")), words(obj(dosage.get("timing")).get("code"))
    text = clean(dosage.get("text")) or patient
    added = [found for item in objs(dosage.get("additionalInstruction")) if (found := words(item))]
    if not text and wanted:
        return "; ".join(added), ()
    beside = [patient] if patient != text else []
    beside += added
    beside += [name] if often.rate is not None and not often.coded else []
    return text, tuple(dict.fromkeys(told for told in beside if told))


def _directions(dose: QuantityRange | None, often: Frequency, days: Decimal | None, most: Quantity | None) -> Directions:
    """The parts as one value."""
    one = Directions("", dose=dose, days=days, day_max=most)
    rate = often.rate
    if rate is not None:
        return replace(
            one, times_per_day=rate.times_per_day(), interval_hours=rate.hours_apart(), parts_of_day=rate.parts_of_day(),
            windows=rate.windows(),
        )  # fmt: skip
    return replace(one, times_per_day=(Fraction(1), Fraction(1)), once=True, windows=None) if often.once else one


def _shown_as(text: str, fields: Sequence[str], most: Quantity | None) -> str:
    """The dosing in words, for showing: as written, with any stated maximum; else what the fields tell."""
    if most is None:
        return text or ", ".join(field for field in fields[:3] if field)
    if any(word in text.lower() for word in ("max", "exceed", "no more than")):
        return text
    spoken = text or ", ".join(field for field in fields if field)
    return ", ".join(part for part in (spoken, f"maximum {counted(most)} in 1 day") if part)


def _dose(dosage: Json) -> tuple[QuantityRange | None, str]:
    """One administered dose, its unit as coded; or why there is not one."""
    options = objs(dosage.get("doseAndRate")) or [dosage]  # before R4 the dose stood in the Dosage itself
    if any(key in option for option in options for key in _RATES):
        return None, _INFUSED
    found = list(dict.fromkeys(_option(option) for option in options if not _DOSES.isdisjoint(option)))
    doses = [dose for dose in found if dose is not None]
    if len(doses) < len(found):
        return None, "the amount of its dose could not be read"
    if len(doses) > 1:
        return None, f"it says {' and '.join(map(amount_in_words, doses))} as the dose"
    return (doses[0] if doses else None), ""


def _option(option: Json) -> QuantityRange | None:
    if "doseQuantity" not in option:
        return _between(obj(option["doseRange"]))
    one = _amount(obj(option["doseQuantity"]))
    return (one, one) if one is not None else None


def _amount(quantity: Json) -> Quantity | None:
    value = positive(quantity.get("value"))
    lost = any(key in quantity and not clean(quantity[key]) for key in ("unit", "code"))
    return None if value is None or lost or "comparator" in quantity else Quantity(value, _dose_unit(quantity))


def _between(range_: Json) -> QuantityRange | None:
    """From the low to the high end; without a low end, from nothing."""
    low, high = obj(range_.get("low")), obj(range_.get("high"))
    most = _amount(high)
    if most is None or "value" not in low:
        return (Quantity(Decimal(0), most.unit), most) if most is not None else None
    least = _amount(low)
    if least is None or least.unit != most.unit or least.value > most.value:
        return None
    return least, most


def _dose_unit(quantity: Json) -> str:
    """The unit in the words of a sig: `TAB` and `{tablet}` as tablet, `ug` as mcg; empty where it only counts."""
    code, text = clean(quantity.get("code")), clean(quantity.get("unit"))
    told = text or code
    for name in (code, text):
        if name.lower() in _DOSE_UNITS:
            told = _DOSE_UNITS[lowered(name)]
            break
    if told.startswith("{") and told.endswith("}"):
        told = told[1:-1]
    told = untagged(told)
    return "" if told.lower() in _NO_UNIT or code in _NO_UNIT else told


def _as_needed(dosage: Json) -> tuple[bool | None, str | None]:
    for concept in [dosage.get("asNeededCodeableConcept"), *objs(dosage.get("asNeededFor"))]:
        reason = words(concept)
        if reason:
            return True, reason
    told = dosage.get("asNeededBoolean", dosage.get("asNeeded"))
    return (told if isinstance(told, bool) else None), None


def _maximum(dosage: Json) -> Quantity | None:
    """The most in a day (or 24 hours) from maxDosePerPeriod; None where it is told otherwise, or without a unit."""
    for ratio in objs(dosage.get("maxDosePerPeriod")):
        most, span = _amount(obj(ratio.get("numerator"))), obj(ratio.get("denominator"))
        days = {"d": Decimal(1), "h": Decimal(24)}.get(unit(span) or "")
        if most is not None and most.unit and days is not None and positive(span.get("value")) == days:
            return most
    return None


def _way(route: str | None) -> dict[str, str | None]:
    """A route as directions hold it: of a parenteral one, into what it is injected apart."""
    if route in KINDS_OF_PARENTERAL:
        return {"route": PARENTERAL, "injected": route}
    return {"route": route}
