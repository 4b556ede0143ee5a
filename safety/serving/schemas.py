"""JSON Schemas (draft 2020-12) of what goes in and what comes out, made from the types themselves where there are any."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from safety.edge.extraction import Extraction
from safety.edge.tasks import TurnAnswer
from safety.errors import Place, Problem, RequestError
from safety.formulas.answers import Answer
from safety.model.lab_answer import LabAnswer
from safety.model.position import Position
from safety.model.refused import Refused
from safety.model.report import DoseAnswer, Report
from safety.model.sig_answer import SigAnswer
from safety.reading.names.resolver import NameAnswer
from safety.serving.inputs import CASE, DOSE_REQUEST, LAB_REQUEST, Json
from safety.text import did_you_mean

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DECIMAL = {"type": "string", "format": "decimal"}
_NOT_TOLD: Json = {"type": ["string", "null"]}


def schema_of(type_: Any) -> Json:
    """The schema of a type of answer; its documentation becomes descriptions."""
    built: Json = msgspec.json.schema(type_, schema_hook=_hook)
    tidied: Json = _tidied(built)
    return tidied


def _hook(type_: type) -> Json:
    if type_ is Position:
        return {"type": "string", "description": "which item of which list, `plan[0]`"}
    raise NotImplementedError(type_.__name__)


def _tidied(value: Any) -> Any:
    """Without titles that repeat a key, and descriptions on one line."""
    if isinstance(value, Mapping):
        kept = {k: _tidied(v) for k, v in value.items() if not (k == "title" and isinstance(v, str))}
        if isinstance(kept.get("description"), str):
            kept["description"] = " ".join(inspect.cleandoc(kept["description"]).split())
        return kept
    return [_tidied(item) for item in value] if isinstance(value, list) else value


def _sig() -> Json:
    numbers: Json = _with_numbers(schema_of(SigAnswer))
    return numbers


def _with_numbers(value: Any) -> Any:
    """Decimals as numbers, as directions are answered."""
    if isinstance(value, Mapping):
        return {"type": "number"} if value == _DECIMAL else {k: _with_numbers(v) for k, v in value.items()}
    return [_with_numbers(item) for item in value] if isinstance(value, list) else value


def _calc() -> Json:
    """A formula's answer: `value` as it is reported, `exact` unrounded."""
    built = schema_of(Answer)
    of = built["$defs"]["Answer"]
    of["properties"] |= {"value": _NOT_TOLD, "exact": _NOT_TOLD, "unit": {"type": "string"}}
    of["required"] = sorted({*of["required"], "value", "exact", "unit"})
    return built


def _said(type_: Any) -> Json:
    """What was said, or the tasks of a turn with it; `extraction` in it names the version of its shape."""
    built = schema_of(type_)
    of = built["$defs"]["Extraction"]
    of["properties"] = {"extraction": {"const": 1}} | of["properties"]
    of["required"] = ["extraction", *of.get("required", ())]
    return built


SCHEMAS: Mapping[str, tuple[int, Callable[[], Json]]] = {
    "case": (1, lambda: dict(CASE)),
    "dose-request": (1, lambda: dict(DOSE_REQUEST)),
    "lab-request": (1, lambda: dict(LAB_REQUEST)),
    "report": (1, lambda: schema_of(Report)),
    "refused": (1, lambda: schema_of(Refused)),
    "dose": (1, lambda: schema_of(DoseAnswer)),
    "lab": (1, lambda: schema_of(LabAnswer)),
    "name": (1, lambda: schema_of(NameAnswer)),
    "sig": (1, _sig),
    "calc": (1, _calc),
    "extraction": (1, lambda: _said(Extraction)),
    "turn": (1, lambda: _said(TurnAnswer)),
}
"""By name: the version of its shape, raised when one that conformed no longer does, and how it is made."""


def schema(name: str) -> Json:
    """The schema of that name, with its `$id`. Raises RequestError for a name that there is none of."""
    found = SCHEMAS.get(name)
    if found is None:
        hint = did_you_mean(name, SCHEMAS) or f"one of: {' '.join(SCHEMAS)}"
        raise RequestError([Problem(Place("name"), "R301", f"there is no schema `{name[:60]}`", hint)])
    version, made = found
    return {"$schema": DIALECT, "$id": f"urn:medsafe:{name}:{version}", "title": f"medsafe {name}"} | made()
