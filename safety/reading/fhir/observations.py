"""FHIR Observations → results, and the newest weight, height, pregnancy and breastfeeding status."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from msgspec import Struct

from safety.model.patient import Gene, LabResult, Pregnancy
from safety.model.quantity import Quantity
from safety.reading.fhir.record import Record
from safety.reading.fhir.resources import Entry
from safety.reading.fhir.values import Json, clean, codes, decimal, obj, objs, shown, strings, unit, words
from safety.text import fold

# LOINC
_WEIGHT = {"29463-7", "3141-9"}
_HEIGHT = {"8302-2"}
_PREGNANCY = {"82810-3", "11449-6"}
_BREASTFEEDING = {"63895-7"}
_BODY = _WEIGHT | _HEIGHT | _PREGNANCY | _BREASTFEEDING
# UCUM, and words met in exports
_MASS = {"kg": "kg", "g": "g", "[lb_av]": "lb", "lb": "lb", "lbs": "lb", "pounds": "lb", "kilograms": "kg"}
_LENGTH = {"cm": "cm", "m": "m", "[in_i]": "in", "in": "in", "inches": "in"}
# SNOMED CT, LOINC answers, and words
_YES = {"77386006", "413712001", "373066001", "LA15173-0", "LA33-6", "Y", "pregnant", "breastfeeding", "yes", "true"}
_NO = {
    "60001007", "373067005", "LA26683-5", "LA32-8", "N", "not pregnant", "not breastfeeding", "no", "false",
}  # fmt: skip
_NOT_FINAL = {"preliminary", "registered"}
_CRITICAL = re.compile(r"critical|panic|life.threatening|\b(?:HH|LL|AA)\b", re.I)
_GENE = re.compile(r"\bgene(?:s| studied)?\b", re.I)
_LEFT_OUT = {"entered-in-error": "it was entered in error", "cancelled": "it was cancelled"}
_BARE = {
    "valueString": clean,
    "valueDateTime": clean,
    "valueTime": clean,
    "valueInstant": clean,
    "valueCodeableConcept": words,
}


class Body(Struct, frozen=True):
    """What the newest observations say of the body; None is not told."""

    weight: Quantity | None = None
    height: Quantity | None = None
    pregnancy: Pregnancy | None = None
    breastfeeding: bool | None = None


class _Value(Struct, frozen=True):
    """A value with its unit; or, with no value, why it could not be read."""

    value: Decimal | str | None = None
    unit: str | None = None
    why: str = ""


class _Seen(Struct, frozen=True):
    code: str
    on: date
    time: str
    concept: object
    result: LabResult
    entry: Entry


def read_observations(record: Record) -> tuple[tuple[LabResult, ...] | None, Body, tuple[Gene, ...] | None]:
    """Every result in the order of the record (each component is a result of its own), the newest of the body, and genes.

    None where the record has no result at all. Erroneous and cancelled ones, and those without a value, are listed.
    """
    genes: list[Gene] = []
    results: list[LabResult] = []
    seen: list[_Seen] = []
    for entry in record.about_patient("Observation"):
        given = entry.resource
        status = clean(given.get("status")).lower()
        if status in _LEFT_OUT:
            record.leave(entry, _LEFT_OUT[status])
            continue
        gene = _gene(given)
        if gene is not None:
            genes.append(gene)
            record.used["Observation"] += 1
            continue
        found = _results(record, entry)
        if not found:
            continue
        record.used["Observation"] += 1
        _doubts(record, entry, status)
        for result, concept in found:
            results.append(result)
            for code in result.codes:
                if code.system == "loinc" and code.code in _BODY:
                    on, time = result.on or date.min, _time(given)
                    seen.append(_Seen(code.code, on, time, concept, result, entry))
                    break
    return (tuple(results) if results else None), _body(record, seen), tuple(genes) or None


def _doubts(record: Record, entry: Entry, status: str) -> None:
    """What makes a result doubtful is noted: it is not final, has a reason for being absent, or is called critical."""
    given = entry.resource
    if status in _NOT_FINAL:
        record.note(entry, "status", f"it is {status}, and may change")
    if "dataAbsentReason" in given:
        record.note(
            entry, "dataAbsentReason", f"it has a value, and a reason for having none: {words(given['dataAbsentReason'])[:60]}"
        )
    called = [text for one in objs(given.get("interpretation")) if (text := words(one)) and _CRITICAL.search(text)]
    if called:
        record.note(entry, "interpretation", f"the laboratory calls it {called[0][:40]}; it was judged by its value")


def _gene(given: Json) -> Gene | None:
    """A genetic result whose components tell the gene, its alleles and what they come to; None for any other."""
    parts = objs(given.get("component"))
    if not any(_GENE.search(words(part.get("code"))) for part in parts):
        return None
    told = [str(value) for one in (*parts, given) if isinstance(value := _value(one).value, str)]
    return Gene(" ".join(dict.fromkeys(told))) if told else None


# --- results ---


def _results(record: Record, entry: Entry) -> list[tuple[LabResult, object]]:
    """The results of one Observation: its own value and those of its components; nothing (and listed) if none."""
    given = entry.resource
    on = record.day(entry, "effective", _time(given) or None)
    components = objs(given.get("component"))
    found: list[tuple[LabResult, object]] = []
    own = _value(given)
    test = words(given.get("code"))
    if own.value is not None and test:
        result = LabResult(test, own.value, own.unit, on, codes(given.get("code")))
        found.append((result, given.get("valueCodeableConcept")))
    missing: list[tuple[str, str]] = []
    for index, part in enumerate(components):
        value, name = _value(part), words(part.get("code"))
        if value.value is None or not name:
            missing.append((f"component[{index}]", value.why or "it names no test"))
            continue
        result = LabResult(name, value.value, value.unit, on, codes(part.get("code")))
        found.append((result, part.get("valueCodeableConcept")))
    if found:
        if own.value is None and own.why != _NO_VALUE:
            missing.append(("value", own.why))
        elif own.value is not None and not test:
            missing.append(("value", "it names no test"))
        for part_name, why in missing:
            record.note(entry, part_name, why)
        return found
    record.leave(entry, _why_nothing(given, own, test, missing))
    return []


_NO_VALUE = "it has no value"


def _why_nothing(given: Json, own: _Value, test: str, missing: list[tuple[str, str]]) -> str:
    if own.value is not None and not test:
        return "it names no test"
    if own.why != _NO_VALUE:
        return own.why
    if missing:
        return f"none of its components could be read: {missing[0][1]}"
    return "a panel without a value of its own" if "hasMember" in given else _NO_VALUE


def _value(given: Json) -> _Value:
    """The value of an Observation or a component: a number with its unit, or words; or why there is none."""
    quantity = given.get("valueQuantity")
    if quantity is not None:
        return _quantity(obj(quantity))
    for key, read in _BARE.items():
        if key in given:
            text = read(given[key])
            return _Value(text) if text else _Value(why="its value could not be read")
    if isinstance(given.get("valueBoolean"), bool):
        return _Value("yes" if given["valueBoolean"] else "no")
    if "valueInteger" in given:
        number = decimal(given["valueInteger"])
        return _Value(number) if number is not None else _Value(why="its value could not be read")
    if "valueRange" in given:
        return _range(obj(given["valueRange"]))
    if "valueRatio" in given:
        return _ratio(obj(given["valueRatio"]))
    if "dataAbsentReason" in given:
        return _Value(why=f"it has no value: {words(given['dataAbsentReason']) or 'no reason told'}")
    if (called := _called(given)) is not None:
        return _Value(called)
    if "valueSampledData" in given:
        return _Value(why="its value is a waveform")
    return _Value(why="its value is a period" if "valuePeriod" in given else _NO_VALUE)


_CALLED = {"POS": "positive", "NEG": "negative", "DET": "detected", "ND": "not detected"}
"""Interpretations that are the whole result of a test that has no other value: a urine screen called POS."""


def _called(given: Json) -> str | None:
    """What a result without a value is called; None where it is not called, or differently at once."""
    told = {_CALLED.get(c.code.upper()) for one in objs(given.get("interpretation")) for c in codes(one)}
    return told.pop() if len(told) == 1 else None


def _quantity(quantity: Json) -> _Value:
    number = decimal(quantity.get("value"))
    if number is None:
        return _Value(why="its value is not a number that can be read")
    comparator = clean(quantity.get("comparator"))
    return _Value(f"{comparator}{shown(number)}" if comparator else number, unit(quantity))


def _range(told: Json) -> _Value:
    low, high = decimal(obj(told.get("low")).get("value")), decimal(obj(told.get("high")).get("value"))
    if low is None and high is None:
        return _Value(why="its value could not be read")
    text = f"{shown(low)}-{shown(high)}" if low is not None and high is not None else ""
    if not text:
        text = f">={shown(low)}" if low is not None else f"<={shown(high or Decimal(0))}"
    return _Value(text, unit(obj(told.get("low") if low is not None else told.get("high"))))


def _ratio(told: Json) -> _Value:
    top, bottom = decimal(obj(told.get("numerator")).get("value")), decimal(obj(told.get("denominator")).get("value"))
    if top is None or bottom is None:
        return _Value(why="its value could not be read")
    return _Value(f"{shown(top)}:{shown(bottom)}")


def _time(given: Json) -> str:
    """The time the result is of, as written: its moment, or the end (else the start) of its period."""
    period = obj(given.get("effectivePeriod"))
    timing = strings(obj(given.get("effectiveTiming")).get("event"))
    options = (given.get("effectiveDateTime"), given.get("effectiveInstant"), period.get("end"), period.get("start"))
    return next((text for option in options if (text := clean(option))), timing[0] if timing else "")


# --- the body ---


def _body(record: Record, seen: list[_Seen]) -> Body:
    """The newest of each: by day, then by time as written, then by order in the record; undated ones come first."""
    newest = sorted(seen, key=lambda one: (one.on, one.time))
    weight, height = _measure(record, newest, _WEIGHT, _MASS), _measure(record, newest, _HEIGHT, _LENGTH)
    pregnant, feeding = _answer(record, newest, _PREGNANCY), _answer(record, newest, _BREASTFEEDING)
    return Body(weight, height, None if pregnant is None else Pregnancy(pregnant), feeding)


def _measure(record: Record, newest: list[_Seen], which: set[str], units: dict[str, str]) -> Quantity | None:
    for one in reversed(newest):
        if one.code not in which:
            continue
        symbol = units.get((one.result.unit or "").lower())
        if symbol is not None and isinstance(one.result.value, Decimal) and one.result.value > 0:
            return Quantity(one.result.value, symbol)
        record.note(one.entry, "value", f"`{one.result.value} {one.result.unit or ''}`".strip() + " is not used as a size")
    return None


def _answer(record: Record, newest: list[_Seen], which: set[str]) -> bool | None:
    """Yes or no by the newest; None where there is none, or where the newest says neither."""
    last = next((one for one in reversed(newest) if one.code in which), None)
    if last is None:
        return None
    given: set[str] = {code.code for code in codes(last.concept)} | {_folded(last.result.value)}
    yes, no = bool(given & _YES), bool(given & _NO)
    if yes == no:
        record.note(last.entry, "value", f"`{last.result.value}` says neither yes nor no")
        return None
    return yes


def _folded(value: object) -> str:
    return fold(value) if isinstance(value, str) else ""
