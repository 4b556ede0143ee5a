"""JSON Schemas of the files that people write, by which an editor completes keys, words and ids and marks what does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from safety.knowledge.collecting import CONDITIONS, DOSES, FACT_FOLDERS, RULE_FOLDERS
from safety.knowledge.dose_shapes import DoseShape
from safety.knowledge.drafts import SHAPES
from safety.knowledge.library import Library
from safety.knowledge.pair_shapes import PairsShape, PathwayShape
from safety.knowledge.references import KINDS
from safety.knowledge.shapes import ConditionShape, OverrideShape, RetireShape, RuleShape, listed

DIALECT: Final = "http://json-schema.org/draft-07/schema#"
"""The one that editors read."""
_ID: Final = "id-"
_RULE: Final = "rule"
_DEFS: Final = "definitions"
_REF: Final = f"#/{_DEFS}/{{model}}"


class _Editors(GenerateJsonSchema):
    """As people write it: one value for a list of one, no `null`, no titles made from keys."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> JsonSchemaValue:
        made = super().function_before_schema(schema)
        if schema["function"]["function"] is listed:
            return {"anyOf": [made["items"], made]}
        return made

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schemas(library: Library) -> dict[str, dict[str, Any]]:
    """Each schema by its name, one for each kind of file, with the ids that there are in it.

    Each holds the ids that it refers to: an editor takes half a minute to look them up in another file.
    """
    facts: dict[str, type[BaseModel]] = {**SHAPES, "pathway": PathwayShape, "dose": DoseShape}
    made = {kind: _of(model, kind) for kind, model in facts.items()}
    made["conditions"] = _rows_of_conditions()
    made[_RULE] = _rule()
    ids = _ids(library)
    return {name: {"$schema": DIALECT, **_with_ids(value, ids)} for name, value in sorted(made.items())}


def globs() -> dict[str, list[str]]:
    """Of each schema, which files it is for."""
    found = {kind: [f"{folder}/*.yaml"] for folder, kind in FACT_FOLDERS.items()}
    found["dose"] = [f"{DOSES}/*.yaml"]
    found["conditions"] = [CONDITIONS]
    found[_RULE] = [f"{folder}/**/*.yaml" for folder in RULE_FOLDERS if folder != DOSES]
    return found


def _with_ids(schema: dict[str, Any], ids: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with the ids of each kind that it refers to."""
    kinds = sorted({str(kind) for kind in _kinds_in(schema)})
    return {**schema, _DEFS: {**schema.get(_DEFS, {}), **{f"{_ID}{kind}": ids[kind] for kind in kinds}}} if kinds else schema


def _kinds_in(value: Any) -> Iterator[str]:
    """The kinds of ids that a schema refers to."""
    if isinstance(value, Mapping):
        head, _, kind = str(value.get("$ref", "")).partition(f"/{_DEFS}/{_ID}")
        if head == "#":
            yield kind
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for one in inner:
        yield from _kinds_in(one)


def _ids(library: Library) -> dict[str, Any]:
    """The ids of each kind, and of all that is judged."""
    by_kind: dict[str, set[str]] = {"drug": set(library.drug), "class": set(library.drug_class), _RULE: set(library.entry)}
    for i in library.by_id:
        by_kind.setdefault(i.partition(".")[0], set()).add(i)
    return {kind: {"enum": sorted(ids)} for kind, ids in by_kind.items()}


def _of(model: type[BaseModel], kind: str = "") -> dict[str, Any]:
    """The schema of a shape, in which every reference is one of the ids that there are."""
    made = model.model_json_schema(schema_generator=_Editors, ref_template=_REF)
    whole: dict[str, Any] = _referring({k if k != "$defs" else _DEFS: v for k, v in made.items()})
    if kind:
        whole["properties"]["id"] = {"type": "string", "pattern": rf"^{kind}\.[a-z0-9]+(-[a-z0-9]+)*$"}
    return whole


def _referring(value: Any) -> Any:
    if isinstance(value, Mapping):
        kinds = value.get(KINDS)
        if kinds:
            refs = [{"$ref": f"#/{_DEFS}/{_ID}{kind}"} for kind in kinds]
            return refs[0] if len(refs) == 1 else {"anyOf": refs}
        return {k: _referring(v) for k, v in value.items() if k != "title" or not isinstance(v, str)}
    return [_referring(v) for v in value] if isinstance(value, list) else value


def _rows_of_conditions() -> dict[str, Any]:
    row = _of(ConditionShape, "condition")
    definitions = row.pop(_DEFS, {})
    rows = {"type": "array", "items": row}
    return {"type": "object", "properties": {"conditions": rows}, "required": ["conditions"], _DEFS: definitions}


def _rule() -> dict[str, Any]:
    """A file of rules: a rule, a table of them, a file of pairs, or what a site says of a rule of ours."""
    definitions: dict[str, Any] = {}
    card = _into(definitions, RuleShape)
    table = _table(card)
    ways: list[tuple[Any, dict[str, Any]]] = [
        ({"required": ["overrides"]}, _into(definitions, OverrideShape)),
        ({"required": ["retire"]}, _into(definitions, RetireShape)),
        ({"anyOf": [{"required": ["pairs"]}, {"required": ["depends_on"]}]}, _into(definitions, PairsShape)),
        ({"required": ["rows"]}, table),
    ]
    whole = card
    for asked, then in reversed(ways):
        whole = {"if": asked, "then": then, "else": whole}
    return {"type": "object", **whole, _DEFS: definitions}


def _into(definitions: dict[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    made = _of(model)
    definitions |= made.pop(_DEFS, {})
    return made


def _table(card: Mapping[str, Any]) -> dict[str, Any]:
    """Rules that share a head: each row has an id of its own, and what the head does not say."""
    row = {**card, "required": ["id"]}
    return {**card, "required": ["id", "rows"], "properties": {**card["properties"], "rows": {"type": "array", "items": row}}}


def settings(folder: str) -> dict[str, list[str]]:
    """What VS Code's YAML extension is told under `yaml.schemas`: which schema of a folder is for which files."""
    return {f"{folder}/{name}.schema.json": [f"/**/{glob}" for glob in which] for name, which in sorted(globs().items())}
