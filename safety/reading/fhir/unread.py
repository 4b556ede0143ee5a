"""What a FHIR Dosage tells beside all that is read of it: keys that nobody reads, and values that are not what they should be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from safety.reading.fhir.values import Json, clean, day, decimal, obj, objs, positive, strings, words

Fits = Callable[[object], bool]
_TIME = frozenset({"s", "min", "h", "d", "wk", "mo", "a"})


def unread_of(dosage: Json) -> str:
    """The keys of a dosage that are not read, as one remark; empty where all of it is read."""
    timing, repeat = obj(dosage.get("timing")), obj(obj(dosage.get("timing")).get("repeat"))
    left = [
        *_misfits(dosage, _DOSAGE, ""),
        *_misfits(timing, _TIMING, "timing."),
        *_misfits(repeat, _REPEAT, "timing.repeat."),
    ]
    if "offset" in repeat and "when" not in repeat:
        left.append("timing.repeat.offset")
    if "event" in timing and ("repeat" in timing or "code" in timing):
        left.append("timing.event")
    for option in objs(dosage.get("doseAndRate")):
        left += _misfits(option, _OPTION, "doseAndRate.")
    return f"not read of it: {', '.join(dict.fromkeys(left))}" if left else ""


def _misfits(given: Json, known: Mapping[str, Fits], prefix: str) -> Iterator[str]:
    for key, value in given.items():
        fits = known.get(key)
        if fits is None or not fits(value):
            yield f"{prefix}{clean(key)[:60]}"


def _any(value: object) -> bool:
    """Read, or refused with a remark of its own."""
    return True


def _object(value: object) -> bool:
    return isinstance(value, dict)


def _objects(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and all(isinstance(item, dict) for item in value))


def _text(value: object) -> bool:
    return bool(clean(value))


def _texts(value: object) -> bool:
    return len(strings(value)) == (len(value) if isinstance(value, list) else 1)


def _concept(value: object) -> bool:
    return bool(words(value))


def _concepts(value: object) -> bool:
    return bool(objs(value)) and _objects(value) and all(words(item) for item in objs(value))


def _yes_or_no(value: object) -> bool:
    return isinstance(value, bool)


def _number(value: object) -> bool:
    return decimal(value) is not None


def _once(value: object) -> bool:
    return value == 1 and not isinstance(value, bool)


def _quantity(value: object) -> bool:
    return set(obj(value)) <= {"value", "comparator", "unit", "system", "code", "id"} and _object(value)


def _range(value: object) -> bool:
    return set(obj(value)) <= {"low", "high", "id"} and all(_quantity(end) for key, end in obj(value).items() if key != "id")


def _length(value: object) -> bool:
    told = obj(value)
    unit = clean(told.get("code")) or clean(told.get("unit"))
    return _quantity(value) and positive(told.get("value")) is not None and unit in _TIME


def _lengths(value: object) -> bool:
    return _range(value) and bool(obj(value)) and all(_length(end) for key, end in obj(value).items() if key != "id")


def _period(value: object) -> bool:
    told = obj(value)
    dates = [told[end] for end in ("start", "end") if end in told]
    return _object(value) and set(told) <= {"start", "end", "id"} and all(day(one) for one in dates)


_RATES = {"rateRatio": _any, "rateRange": _any, "rateQuantity": _any}
_OPTION: Mapping[str, Fits] = {"id": _any, "type": _any, "doseQuantity": _quantity, "doseRange": _range, **_RATES}
_DOSAGE: Mapping[str, Fits] = {
    "id": _any, "sequence": lambda value: value is None or _number(value), "text": _text, "patientInstruction": _text,
    "additionalInstruction": _concepts, "timing": _object, "route": _concept, "doseAndRate": _objects,
    "doseQuantity": _quantity, "doseRange": _range, "maxDosePerPeriod": _any, "asNeeded": _yes_or_no,
    "asNeededBoolean": _yes_or_no, "asNeededCodeableConcept": _concept, "asNeededFor": _concepts, **_RATES,
}  # fmt: skip
_TIMING: Mapping[str, Fits] = {"id": _any, "code": _concept, "repeat": _object, "event": _texts}
_REPEAT: Mapping[str, Fits] = {
    "id": _any, "frequency": _any, "frequencyMax": _any, "period": _any, "periodMax": _any, "periodUnit": _any,
    "dayOfWeek": _texts, "timeOfDay": _texts, "when": _texts, "offset": _number, "boundsDuration": _length,
    "boundsRange": _lengths, "boundsPeriod": _period, "count": _once,
}  # fmt: skip
