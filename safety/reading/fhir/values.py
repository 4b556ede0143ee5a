"""The small values every FHIR resource is made of: words, codes, dates, numbers. Nothing here raises."""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from safety.model.patient import Code
from safety.model.quantity import number, plain
from safety.text import printable

Json = dict[str, Any]

_LIMIT = 1000  # characters of any one text; a name or a sig is far shorter
_LARGEST = 10**24
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ].*)?)?)?\Z", re.S | re.A)
_NUMERAL = re.compile(r"[+-]?\d{1,24}(\.\d{1,24})?\Z", re.A)
# what SNOMED CT writes after a name to say which hierarchy it is from; not part of the clinical word
_SEMANTIC_TAG = re.compile(
    r"\s*\((disorder|finding|situation|substance|product|medicinal product|medicinal product form|clinical drug"
    r"|qualifier vall?ue|procedure|event|observable entity|morphologic abnormality|regime/therapy)\)\Z"
)
_SYSTEMS = {
    "www.nlm.nih.gov/research/umls/rxnorm": "rxnorm",
    "urn:oid:2.16.840.1.113883.6.88": "rxnorm",
    "snomed.info/sct": "snomed",
    "urn:oid:2.16.840.1.113883.6.96": "snomed",
    "loinc.org": "loinc",
    "urn:oid:2.16.840.1.113883.6.1": "loinc",
    "hl7.org/fhir/sid/icd-10-cm": "icd10cm",
    "urn:oid:2.16.840.1.113883.6.90": "icd10cm",
}


def obj(value: object) -> Json:
    """The value if it is a JSON object, otherwise an empty one."""
    return value if isinstance(value, dict) else {}


def objs(value: object) -> list[Json]:
    """The objects in a list; an object that should have been in a list counts as a list of one."""
    if isinstance(value, dict):
        return [value]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def strings(value: object) -> list[str]:
    """The texts in a list; a text that should have been in a list counts as a list of one."""
    found = value if isinstance(value, list) else [value]
    return [text for item in found if (text := clean(item))]


@lru_cache(maxsize=16384)
def _clean(text: str) -> str:
    return printable(text, _LIMIT)


def clean(value: object) -> str:
    """A text without zero-width and control characters, white space folded; empty for anything that is no text."""
    if not isinstance(value, str):
        return ""
    return _clean(value) if len(value) < _LIMIT else printable(value, _LIMIT)


def words(concept: object) -> str:
    """The best human words of a CodeableConcept: its text, a display (a user's pick first), or the bare code."""
    if isinstance(concept, str):
        return untagged(clean(concept))
    given = obj(concept)
    text = clean(given.get("text"))
    if text:
        return untagged(text)
    codings = sorted(objs(given.get("coding")), key=lambda coding: coding.get("userSelected") is not True)
    for key in ("display", "code"):
        for coding in codings:
            text = clean(coding.get(key))
            if text:
                return untagged(text)
    return ""


def untagged(text: str) -> str:
    """`Anemia (disorder)` as `Anemia`: the SNOMED hierarchy tag is not part of the word."""
    return (_SEMANTIC_TAG.sub("", text) or text) if text.endswith(")") else text


@lru_cache(maxsize=8192)
def _code(system: str, code: str, display: str) -> Code:
    bare = system.removeprefix("http://").removeprefix("https://").rstrip("/")
    if bare.startswith("snomed.info/sct/"):  # an edition or a version of it
        bare = "snomed.info/sct"
    return Code(_SYSTEMS.get(bare, system), code, display)


def codes(concept: object) -> tuple[Code, ...]:
    """Every coding of a CodeableConcept that has a code; known systems by their short names."""
    return tuple(
        _code(clean(coding.get("system")), code, clean(coding.get("display")))
        for coding in objs(obj(concept).get("coding"))
        if (code := clean(coding.get("code")))
    )


def word(concept: object) -> str:
    """A status or other code as one lower-case word, whether given as a code, a CodeableConcept or its text."""
    if isinstance(concept, str):
        return clean(concept).lower()
    given = obj(concept)
    for coding in objs(given.get("coding")):
        code = clean(coding.get("code"))
        if code:
            return code.lower()
    return clean(given.get("text")).lower()


def day(value: object, *, last: bool = False) -> date | None:
    """The day of a FHIR date of any precision, as written (no change of time zone); None if it is not a date.

    A year or a month alone is read as its first day, and with `last` as its last: what began or was
    measured is never read as fresher than it may be, what ends never as over before it may be.
    """
    match = _DATE.match(clean(value))
    if not match:
        return None
    year, month, of_month = match[1], match[2], match[3]
    try:
        if of_month:
            return date(int(year), int(month), int(of_month))
        if not last:
            return date(int(year), int(month or 1), 1)
        following = (int(year) + 1, 1) if not month or month == "12" else (int(year), int(month) + 1)
        date(int(year), int(month or 1), 1)
        return date(*following, 1) - timedelta(days=1)
    except ValueError:
        return None


def whole_day(value: object) -> date | None:
    """The day of a FHIR date that names one; None for a year or a month alone."""
    return day(value) if len(clean(value)) >= len("2026-11-20") else None


def decimal(value: object) -> Decimal | None:
    """The exact number as written (a numeral in quotes too); None for anything else or beyond 24 digits."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return number(value) if abs(value) < _LARGEST else None
    if isinstance(value, float | Decimal):
        return number(value)
    if isinstance(value, str) and _NUMERAL.match(value):
        return number(value)
    return None


def positive(value: object) -> Decimal | None:
    """A number above zero; None otherwise."""
    found = decimal(value)
    return found if found is not None and found > 0 else None


def shown(value: Decimal) -> str:
    """A number as people write it: `1`, not `1.0`."""
    return plain(value)


def unit(quantity: Json) -> str | None:
    """The unit of a Quantity: the UCUM code where one is given, otherwise the unit as written; None if neither."""
    code, text = clean(quantity.get("code")), clean(quantity.get("unit"))
    ucum = "unitsofmeasure.org" in clean(quantity.get("system"))
    return (code if ucum and code else text or code) or None
