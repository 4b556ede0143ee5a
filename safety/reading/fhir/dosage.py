"""FHIR Dosage → typed directions from its numbers and codes, and its words. What is neither is noted, never dropped."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from safety.model.directions import Directions, amount_in_words
from safety.model.quantity import Quantity, QuantityRange, counted
from safety.reading.fhir.routes import route
from safety.reading.fhir.timing import READ_OF_REPEAT, READ_OF_TIMING, Frequency, course, frequency
from safety.reading.fhir.values import Json, clean, day, obj, objs, positive, unit, untagged, words

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
_READ = frozenset(
    {"id", "sequence", "text", "patientInstruction", "additionalInstruction", "timing", "route", "doseAndRate",
     "doseQuantity", "doseRange", "maxDosePerPeriod", "asNeeded", "asNeededBoolean", "asNeededCodeableConcept", "asNeededFor",
     *_RATES}
)  # fmt: skip
_READ_OF_DOSE = frozenset({"id", "type", "doseQuantity", "doseRange", *_RATES})
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


def read_dosage(dosage: Json) -> Dosing:
    """The dosing of one FHIR Dosage."""
    timing = obj(dosage.get("timing"))
    repeat = obj(timing.get("repeat"))
    bounds = obj(repeat.get("boundsPeriod"))
    often = frequency(timing)
    dose, dose_problem = _dose(dosage)
    text = clean(dosage.get("text")) or clean(dosage.get("patientInstruction"))
    if dose_problem == _INFUSED:
        often = Frequency(problem=often.problem)
    days, span = course(repeat)
    most = _maximum(dosage)
    as_needed, reason = _as_needed(dosage)
    way, way_in_words = route(dosage.get("route"))
    told = _directions(dose, often, days, most, as_needed, way)
    fields = [amount_in_words(dose), str(often), way or way_in_words, "as needed" if as_needed else "", span]
    extra = _instructions(dosage, text)
    if not text and not any(fields):
        text, extra = "; ".join(extra), ()
    told = replace(told, text=_shown_as(text, fields, _maximum_shown(most)))
    problems = (
        dose_problem,
        often.problem,
        "its maximum dose is no amount with a unit in a day" if "maxDosePerPeriod" in dosage and most is None else "",
        f"how long ({span}) is not read as days" if span else "",
        _unread_keys(dosage),
    )
    return Dosing(
        told if replace(told, text="") != NOTHING else None,
        often.words,
        way_in_words or None,
        text or None,
        extra,
        reason,
        day(bounds.get("start")),
        day(bounds.get("end"), last=True),
        tuple(problem for problem in problems if problem),
    )


def _directions(
    dose: QuantityRange | None, often: Frequency, days: Decimal | None, most: Quantity | None, as_needed: bool | None,
    way: str | None,
) -> Directions:  # fmt: skip
    """The parts as one value."""
    one = Directions("", dose=dose, days=days, day_max=most, as_needed=as_needed, route=way)
    rate = often.rate
    if rate is not None:
        return replace(
            one, times_per_day=rate.times_per_day(), interval_hours=rate.hours_apart(), parts_of_day=rate.parts_of_day(),
            windows=rate.windows(),
        )  # fmt: skip
    return replace(one, times_per_day=(Fraction(1), Fraction(1)), once=True, windows=None) if often.once else one


def _unread_keys(dosage: Json) -> str:
    """What a dosage tells beside all that is read of it; empty where nothing."""
    repeat = obj(obj(dosage.get("timing")).get("repeat"))
    read_of_repeat = READ_OF_REPEAT | ({"count"} if repeat.get("count") == 1 else frozenset())
    left = [key for key in dosage if key not in _READ]
    left += [f"timing.{key}" for key in obj(dosage.get("timing")) if key not in READ_OF_TIMING]
    left += [f"timing.repeat.{key}" for key in repeat if key not in read_of_repeat or (key == "offset" and "when" not in repeat)]
    left += [f"doseAndRate.{key}" for option in objs(dosage.get("doseAndRate")) for key in option if key not in _READ_OF_DOSE]
    if "asNeededCodeableConcept" in dosage and not words(dosage.get("asNeededCodeableConcept")):
        left.append("asNeededCodeableConcept")
    return f"not read of it: {', '.join(dict.fromkeys(clean(key) for key in left))}" if left else ""


def _instructions(dosage: Json, text: str) -> tuple[str, ...]:
    """The instructions that stand beside the one that is read as the sig."""
    patient = clean(dosage.get("patientInstruction"))
    told = [patient] if patient and patient != text else []
    told += [found for item in objs(dosage.get("additionalInstruction")) if (found := words(item))]
    return tuple(dict.fromkeys(told))


def _shown_as(text: str, fields: Sequence[str], most: str) -> str:
    """The dosing in words, for showing: as written, with any stated maximum; else what the fields tell."""
    spoken = ", ".join(field for field in fields if field)
    if not most:
        return text or ", ".join(field for field in fields[:3] if field)
    if any(word in text.lower() for word in ("max", "exceed", "no more than")):
        return text
    return ", ".join(part for part in (text or spoken, most) if part)


def _dose(dosage: Json) -> tuple[QuantityRange | None, str]:
    """One administered dose, its unit as coded; or why there is not one."""
    options = objs(dosage.get("doseAndRate")) or [dosage]  # before R4 the dose stood in the Dosage itself
    if any(key in option for option in options for key in _RATES):
        return None, _INFUSED
    found: list[QuantityRange | None] = []
    for option in options:
        if "doseQuantity" in option:
            one = _amount(obj(option["doseQuantity"]))
            found.append((one, one) if one is not None else None)
        elif "doseRange" in option:
            found.append(_between(obj(option["doseRange"])))
    known = list(dict.fromkeys(dose for dose in found if dose is not None))
    if len(found) > 0 and None in found:
        return None, "the amount of its dose could not be read"
    if len(known) > 1:
        return None, f"it says {' and '.join(map(amount_in_words, known))} as the dose"
    return (known[0] if known else None), ""


def _amount(quantity: Json) -> Quantity | None:
    value = positive(quantity.get("value"))
    return None if value is None or "comparator" in quantity else Quantity(value, _dose_unit(quantity))


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
            told = _DOSE_UNITS[name.lower()]
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


def _maximum_shown(most: Quantity | None) -> str:
    return f"maximum {counted(most)} in 1 day" if most is not None else ""
