"""Holding values against our schemas, as they are published and with no key more than they name."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from safety.knowledge.documents import read_text
from safety.serving.schemas import schema


def closed(value: Any) -> Any:
    """A schema that allows only the keys it names, so that one that is forgotten in it shows."""
    if isinstance(value, dict):
        inner = {k: closed(v) for k, v in value.items()}
        return {"additionalProperties": False, **inner} if isinstance(value.get("properties"), dict) else inner
    return [closed(item) for item in value] if isinstance(value, list) else value


@cache
def validator(name: str) -> Draft202012Validator:
    made = schema(name)
    Draft202012Validator.check_schema(made)
    return Draft202012Validator(closed(made))


def wrong(name: str, value: Any) -> list[str]:
    """What of a value is not as its schema says; by the JSON that would be sent."""
    sent = json.loads(
        value.to_json() if name not in ("name", "calc", "case") and hasattr(value, "to_json") else json.dumps(value)
    )
    return [f"{e.json_path}: {e.message[:200]}" for e in validator(name).iter_errors(sent)]


def plain(value: Any) -> Any:
    """Values of YAML as JSON has them: days as text."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, date) else value


def yaml_of(path: Path) -> Any:
    document, problems = read_text(path.read_text(encoding="utf-8"), path.name)
    assert document is not None, problems
    return plain(document.value)
