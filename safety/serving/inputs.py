"""What callers send, as JSON Schema: small enough to stand in an agent's tool description."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

_TEXT: Json = {"type": "string", "minLength": 1}
_DAY: Json = {"type": "string", "format": "date"}
_CODE: Json = {"system": {"type": "string"}, "code": {"type": "string"}, "display": {"type": "string"}}


def _fields(**properties: Any) -> Json:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _list(item: Json, says: str) -> Json:
    return {"type": ["array", "null"], "items": item} | ({"description": says} if says else {})


def _line_or(fields: Json) -> Json:
    return {"anyOf": [_TEXT, fields]}


_YES_NO: Json = {"enum": [True, False, "yes", "no", None]}
_LAB = _line_or(_fields(
    test=_TEXT, value={"type": ["number", "string", "null"]}, unit=_TEXT, on=_DAY, **_CODE,
))  # fmt: skip
MEDICATION: Json = {
    "description": 'A line, "NAME 20 mg by mouth once daily", or fields',
    "anyOf": [_TEXT, _fields(
        drug=_TEXT, text=_TEXT, strength=_TEXT, form=_TEXT, dose={"type": ["string", "number"]},
        frequency=_TEXT, route=_TEXT, sig={"type": "string", "description": "directions in words"}, as_needed=_YES_NO,
        supply={"enum": ["prescription", "otc", None]}, since=_DAY, until=_DAY, last_taken=_DAY, days={"type": "number"},
        contains=_list(_TEXT, 'per unit: "NAME 325 mg"'), **{"for": _TEXT},
    )],
}  # fmt: skip

PATIENT: Json = {
    "type": ["object", "null"],
    "description": "Leave out what was not told; [] means: told there are none.",
    "additionalProperties": False,
    "properties": {
        "age": {"type": ["string", "number"], "description": "`72 y`, `10 months`, or years"},
        "birth_date": _DAY,
        "sex": {"type": "string", "description": "female or male"},
        "weight": {"type": "string", "description": "with its unit: `81 kg`"},
        "height": {"type": "string", "description": "with its unit: `165 cm`"},
        "pregnancy": {"type": ["string", "boolean", "object"], "description": "no, yes, `trimester 2`, `weeks 23`"},
        "breastfeeding": _YES_NO,
        "conditions": _list(_line_or(_fields(
            text=_TEXT, status={"enum": ["active", "past", "resolved"]}, onset=_DAY, **_CODE)), "problem list"),
        "allergies": _list(_line_or(_fields(
            to=_TEXT, reaction=_TEXT, severity=_TEXT, **_CODE,
            status={"enum": ["active", "inactive", "resolved", "refuted", "entered-in-error"]},
        )), '"NAME: hives" or fields'),
        "labs": _list({"$ref": "#/$defs/lab"}, '"TEST 5.9 on 2026-11-02" or fields'),
        "vitals": _list({"$ref": "#/$defs/lab"}, '"BP 148/88" or fields'),
        "medications": _list({"$ref": "#/$defs/medication"}, "all that is taken now, over the counter too"),
        "medications_complete": _YES_NO,
        "intake": _list(_TEXT, "eaten, drunk, smoked, and how much"),
        "diet_limits": _list(_TEXT, "as `fluid 1.5 L a day`"),
        "genes": _list(_line_or(_fields(gene=_TEXT, allele=_TEXT, phenotype=_TEXT, result=_TEXT)), "results"),
        "procedures": _list(_line_or(_fields(text=_TEXT, status={"enum": ["done", "planned"]}, on=_DAY, **_CODE)), "operations"),
        "devices": _list(_TEXT, "implanted or worn"),
        "vaccines": _list(_line_or(_fields(text=_TEXT, on=_DAY, status={"enum": ["", "done", "planned"]}, **_CODE)), ""),
    },
}  # fmt: skip
_DEFS: Json = {"lab": _LAB, "medication": MEDICATION}
AS_OF: Json = {"type": ["string", "null"], "format": "date", "description": "the day to judge on; default: today"}
_ID: Json = {"type": ["string", "integer"]}

CASE: Json = {
    "type": "object",
    "description": "One patient, and what is proposed for them (`plan`).",
    "required": ["patient"],
    "additionalProperties": False,
    "properties": {
        "id": _ID,
        "as_of": AS_OF,
        "patient": PATIENT,
        "plan": _list({"$ref": "#/$defs/medication"}, "medicines proposed, checked with the others"),
        "constraints": _list(_TEXT, "for scoring plans only"),
        "gold": {"type": ["array", "null"]},
        "revised": _list({"$ref": "#/$defs/medication"}, "for scoring plans only"),
        "core": _YES_NO,
        "model": _ID,
    },
    "$defs": _DEFS,
}
DOSE_REQUEST: Json = {
    "type": "object",
    "description": "What is prescribed, and what the patient says they take.",
    "required": ["reported"],
    "additionalProperties": False,
    "properties": {
        "id": _ID,
        "as_of": AS_OF,
        "patient": PATIENT,
        "prescribed": {
            "description": "the order; leave out if there is none",
            "anyOf": [{"type": "null"}, {"type": "string"}, {"$ref": "#/$defs/medication"},
                      {"type": "array", "maxItems": 50, "items": {"$ref": "#/$defs/medication"}}],
        },
        "reported": {
            "description": "the patient's own words, or fields",
            "anyOf": [{"type": ["string", "null", "number"]}, {"$ref": "#/$defs/said"},
                      {"type": "array", "maxItems": 50, "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/said"}]}}],
        },
    },
    "$defs": _DEFS | {"said": {"type": "object"}},
}  # fmt: skip
LAB_REQUEST: Json = {
    "type": "object",
    "description": "A test result, as a line (`text`) or as test, value and unit; without one, which tests are due.",
    "additionalProperties": False,
    "properties": {
        "id": _ID,
        "as_of": AS_OF,
        "patient": PATIENT,
        "text": {"type": "string", "description": '"my sugar was 250", "BP 190/95"'},
        "test": _TEXT,
        "value": {"type": ["number", "string", "null"]},
        "unit": _TEXT,
        "on": _DAY,
        "fasting": _YES_NO,
        "drawn": {"type": ["string", "boolean"], "description": "told when the sample was drawn"},
        "history": _list(_line_or({"type": "object"}), "earlier results: {value, unit, on}"),
    },
    "$defs": _DEFS,
}
