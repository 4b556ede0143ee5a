"""FHIR Dosage → dose, frequency, route and sig of a medication. What is not one clear number stays text."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from msgspec import Struct

from safety.reading.fhir.routes import route
from safety.reading.fhir.timing import days_bound, often
from safety.reading.fhir.values import Json, clean, day, obj, objs, positive, shown, unit, untagged, words

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
_WORDS_IN_PLURAL = {
    "tablet", "capsule", "patch", "drop", "puff", "spray", "unit", "film", "lozenge", "sachet", "suppository",
    "application",
}  # fmt: skip
_NO_UNIT = {"ea", "each", "1", "{each}", "{dose}"}


class Dosing(Struct, frozen=True):
    """What one order or statement says of its dosing; None where it is not told or not one thing."""

    dose: str | None = None
    frequency: str | None = None
    route: str | None = None
    sig: str | None = None
    as_needed: bool | None = None
    reason: str | None = None
    start: date | None = None
    end: date | None = None
    days: Decimal | None = None
    notes: tuple[str, ...] = ()


def dosing(given: object) -> Dosing:
    """The dosing of a list of FHIR Dosages; several that differ are kept as text only, in their order."""
    different: list[Json] = []
    for dosage in objs(given):
        bare = {key: value for key, value in dosage.items() if key not in ("sequence", "id")}
        if not any(_equal(bare, other) for other in different):
            different.append(bare | {"sequence": dosage.get("sequence")})
    if not different:
        return Dosing()
    if len(different) == 1:
        return _one(different[0])
    return _several(different)


def _equal(left: Json, right: Json) -> bool:
    try:
        return left == {key: value for key, value in right.items() if key != "sequence"}
    except RecursionError:
        return False


def _one(dosage: Json) -> Dosing:
    timing = obj(dosage.get("timing"))
    repeat = obj(timing.get("repeat"))
    bounds = obj(repeat.get("boundsPeriod"))
    rate = often(timing)
    dose, dose_problem = _dose(dosage)
    notes = [problem for problem in (dose_problem, rate.problem) if problem]
    frequency = None if dose_problem == _INFUSED else rate.words
    if "maxDosePerPeriod" in dosage and not _maximum(dosage):
        notes.append("its maximum dose is no amount with a unit in a period")
    days, span = days_bound(repeat)
    if span:
        notes.append(f"how long ({span}) is not read as days")
    as_needed, reason = _as_needed(dosage)
    way = route(dosage.get("route"))
    sig = _sig(dosage, [dose, frequency, way, "as needed" if as_needed else "", span])
    start, end = day(bounds.get("start")), day(bounds.get("end"), last=True)
    return Dosing(dose, frequency, way, sig, as_needed, reason, start, end, days, tuple(notes))


def _several(dosages: list[Json]) -> Dosing:
    """Steps or parts (a taper, a morning and an evening dose): their words in order, and only what they agree on."""
    ordered = sorted(dosages, key=lambda dosage: positive(dosage.get("sequence")) or Decimal(0))
    parts = [_one(dosage) for dosage in ordered]
    sig = ""
    said: set[str] = set()
    for index, part in enumerate(parts):
        text = part.sig or _spoken([part.dose, part.frequency, part.route, "as needed" if part.as_needed else ""])
        if text and text not in said:
            said.add(text)
            later = index > 0 and ordered[index].get("sequence") != ordered[index - 1].get("sequence")
            sig += ("; then " if later else "; ") * bool(sig) + text
    first = parts[0]
    ends = [part.end for part in parts if part.end]
    starts = [part.start for part in parts if part.start]
    return Dosing(
        route=first.route if all(part.route == first.route for part in parts) else None,
        sig=sig or None,
        as_needed=first.as_needed if all(part.as_needed == first.as_needed for part in parts) else None,
        reason=first.reason,
        start=min(starts) if len(starts) == len(parts) else None,
        end=max(ends) if len(ends) == len(parts) else None,
        notes=(f"{len(parts)} dosage instructions that differ: kept as text, not as one dose and frequency",),
    )


_INFUSED = "it is given at a rate: kept as text, not as a dose and frequency"


def _dose(dosage: Json) -> tuple[str | None, str]:
    """One administered dose (`1 tablet`, `400 mg`, `1 to 2 tablets`), or why there is not one."""
    options = objs(dosage.get("doseAndRate")) or [dosage]  # before R4 the dose stood in the Dosage itself
    if any(key in option for option in options for key in ("rateRatio", "rateRange", "rateQuantity")):
        return None, _INFUSED
    found: list[str] = []
    for option in options:
        if "doseQuantity" in option:
            found.append(_amount(obj(option["doseQuantity"])))
        elif "doseRange" in option:
            found.append(_between(obj(option["doseRange"])))
    if not found:
        return None, ""
    if "" in found:
        return None, "the amount of its dose could not be read"
    if len(set(found)) > 1:
        return None, f"it says {' and '.join(found)} as the dose"
    return found[0], ""


def _amount(quantity: Json) -> str:
    value = positive(quantity.get("value"))
    if value is None or "comparator" in quantity:
        return ""
    return f"{shown(value)} {_dose_unit(quantity, value != 1)}".strip()


def _between(range_: Json) -> str:
    low, high = obj(range_.get("low")), obj(range_.get("high"))
    least, most = positive(low.get("value")), positive(high.get("value"))
    if most is None or ("value" in low and least is None):
        return ""
    measure = _dose_unit(high, most != 1)
    if least is None:
        return f"up to {shown(most)} {measure}".strip()
    if _dose_unit(low, most != 1) != measure or least > most:
        return ""
    many = shown(most) if least == most else f"{shown(least)} to {shown(most)}"
    return f"{many} {measure}".strip()


def _dose_unit(quantity: Json, plural: bool) -> str:
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
    if told.lower() in _NO_UNIT or code in _NO_UNIT:
        return ""
    if plural and told in _WORDS_IN_PLURAL:
        return told[:-1] + "ies" if told.endswith("y") else told + ("es" if told.endswith("ch") else "s")
    return told


def _as_needed(dosage: Json) -> tuple[bool | None, str | None]:
    reason = words(dosage.get("asNeededCodeableConcept") or dosage.get("asNeededFor"))
    if reason:
        return True, reason
    told = dosage.get("asNeededBoolean", dosage.get("asNeeded"))
    return (told if isinstance(told, bool) else None), None


def _sig(dosage: Json, fields: list[str | None]) -> str | None:
    """The instruction in words: as written, with any stated maximum; spelled out only where a maximum needs it."""
    text = clean(dosage.get("text")) or clean(dosage.get("patientInstruction"))
    most = _maximum(dosage)
    if not text and most:
        text = _spoken(fields)
    if not text and not any(fields):
        text = "; ".join(found for item in objs(dosage.get("additionalInstruction")) if (found := words(item)))
    if most and not any(word in text.lower() for word in ("max", "exceed", "no more than")):
        text = f"{text}, {most}" if text else most
    return text or None


def _spoken(fields: list[str | None]) -> str:
    return ", ".join(field for field in fields if field)


def _maximum(dosage: Json) -> str:
    """`maximum 720 mg in 1 day` from maxDosePerPeriod; empty where it is not told or not readable."""
    for ratio in objs(dosage.get("maxDosePerPeriod")):
        top, span = obj(ratio.get("numerator")), obj(ratio.get("denominator"))
        most, period = _amount(top), positive(span.get("value"))
        time = {"h": "hour", "d": "day", "wk": "week"}.get(unit(span) or "", unit(span))
        if most.count(" ") and period and time:
            return f"maximum {most} in {shown(period)} {time}{'' if period == 1 else 's'}"
    return ""
