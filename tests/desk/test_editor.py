"""The schemas that an editor is given: what is in the knowledge fits them, what is wrong does not, and ids are completed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import REPO, examples
from jsonschema import Draft7Validator

from safety.cli.main import cli
from safety.desk.editor import globs, schemas
from safety.knowledge.documents import read_file
from safety.knowledge.library import Library

_EACH = 90
"""Of each kind of file every so many; `make search` reads them all."""


@pytest.fixture(scope="module")
def made(library: Library) -> dict[str, dict[str, Any]]:
    return schemas(library)


@pytest.fixture(scope="module")
def fits(made: Mapping[str, Any]) -> Callable[[str, Any], list[str]]:
    of = {name: Draft7Validator(value) for name, value in made.items()}
    return lambda name, value: [error.message for error in of[name].iter_errors(value)]


def written(path: Path) -> Any:
    document, problems = read_file(path, path.name)
    assert document is not None, problems
    return plain(document.value)


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return float(value) if isinstance(value, Decimal) else value


def files_of(name: str) -> list[Path]:
    return sorted({path for glob in globs()[name] for path in REPO.glob(glob)})


def test_every_schema_is_one(made: Mapping[str, Any]) -> None:
    assert set(made) == set(globs())
    for value in made.values():
        Draft7Validator.check_schema(value)
        assert set(re.findall(r'"\$ref": "([^#"]*)', json.dumps(value))) <= {""}  # an editor looks long in another file


def test_every_file_of_the_knowledge_has_a_schema_but_tables_of_another_kind() -> None:
    known = {path for name in globs() for path in files_of(name)}
    others = {path.relative_to(REPO).as_posix() for part in ("kb", "rules") for path in (REPO / part).rglob("*.yaml")} - {
        path.relative_to(REPO).as_posix() for path in known
    }
    assert others == {"kb/lookalikes.yaml", "kb/reactions.yaml", "kb/roles.yaml", "kb/units.yaml", "kb/uses.yaml"}


@pytest.mark.parametrize("name", sorted(globs()))
def test_what_is_in_the_knowledge_fits_its_schema(name: str, fits: Callable[[str, Any], list[str]]) -> None:
    files = files_of(name)
    assert files
    for path in files[:: 1 if examples(30) == 30 else max(1, min(_EACH, len(files) // 4))]:
        assert fits(name, written(path)) == [], path


RULE = "rules/interactions/warfarin-nsaid.yaml"


@pytest.mark.parametrize(
    ("name", "file", "spoil"),
    [
        ("rule", RULE, lambda v: v.update(severty="major")),
        ("rule", RULE, lambda v: v.update(severity="severe")),
        ("rule", RULE, lambda v: v.pop("condition")),
        ("rule", RULE, lambda v: v["condition"][0]["drug"].update({"class": "class.nothing-of-the-kind"})),
        ("rule", RULE, lambda v: v["condition"][0].update(age={"at_least": "65 y"})),
        ("rule", RULE, lambda v: v["evidence"][0].update(source="source.nobody-wrote")),
        ("rule", RULE, lambda v: v["outcome"].update(harm="harm.of-no-kind")),
        ("rule", RULE, lambda v: v["cases"][0].update(expect="clear")),
        ("rule", "rules/interactions/warfarin.yaml", lambda v: v["pairs"][0].update({"with": "drug.not-a-drug"})),
        ("rule", "rules/interactions/warfarin.yaml", lambda v: v["pairs"][0].pop("advice")),
        ("drug", "kb/drugs/warfarin.yaml", lambda v: v.update(routes=["by mouth"])),
        ("drug", "kb/drugs/warfarin.yaml", lambda v: v.update(id="medicine.warfarin")),
        ("class", "kb/classes/nsaids.yaml", lambda v: v["members"].append("drug.not-a-drug")),
        ("dose", "kb/doses/warfarin.yaml", lambda v: v.update(ranges=[])),
        ("condition", "kb/conditions/gout.yaml", lambda v: v.update(is_a=["condition.no-such"])),
        ("lab", "kb/labs/potassium.yaml", lambda v: v["ranges"][0].update(kind="normal")),
        ("coverage", "kb/coverage/warfarin.yaml", lambda v: v["sections"].update(boxed_warning=[])),
        ("source", "kb/sources/rxnorm-2025-10.yaml", lambda v: v.pop("type")),
    ],
)
def test_what_is_wrong_does_not_fit(
    name: str, file: str, spoil: Callable[[Any], Any], fits: Callable[[str, Any], list[str]]
) -> None:
    value = written(REPO / file)
    assert fits(name, value) == []
    spoil(value)
    assert fits(name, value)


def test_ids_are_completed(made: Mapping[str, Any], library: Library) -> None:
    ids = made["rule"]["definitions"]
    assert "drug.warfarin" in ids["id-drug"]["enum"]
    assert "class.nsaids" in ids["id-class"]["enum"]
    assert set(made["coverage"]["definitions"]["id-rule"]["enum"]) == set(library.entry)
    line = ids["DrugLine"]["properties"]
    assert line["id"] == {"$ref": "#/definitions/id-drug"}
    assert line["class"] == {"$ref": "#/definitions/id-class"}


def test_the_schemas_are_written_where_the_editor_finds_them(tmp_path: Path) -> None:
    (tmp_path / ".vscode").mkdir()
    settings = tmp_path / ".vscode/settings.json"
    settings.write_text('{"editor.tabSize": 2, "yaml.schemas": {"./mine.json": "mine.yaml"}}')
    ran = CliRunner().invoke(cli, ["schema", "--vscode", str(tmp_path)], standalone_mode=False)
    assert ran.exception is None
    told = json.loads(settings.read_text())
    assert told["editor.tabSize"] == 2
    assert told["yaml.schemas"]["./mine.json"] == "mine.yaml"
    named = {key for key in told["yaml.schemas"] if key != "./mine.json"}
    assert all((tmp_path / key).is_file() for key in named)
    assert told["yaml.schemas"]["./.vscode/medsafe/drug.schema.json"] == ["/**/kb/drugs/*.yaml"]
    settings.write_text("{ // mine\n}")
    again = CliRunner().invoke(cli, ["schema", "--vscode", str(tmp_path)], standalone_mode=False)
    assert again.exception is not None
    assert settings.read_text() == "{ // mine\n}"


def test_an_editor_offers_no_name_of_ours_as_a_key(made: Mapping[str, Any]) -> None:
    assert '"title": "' not in json.dumps(made)
