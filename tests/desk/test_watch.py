"""Which cases run again after a file is saved: those that the change touches, and those that failed before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from desk.kept import clean, write

from safety.cli import watching
from safety.cli.main import cli
from safety.desk.touched import otherwise, touched
from safety.knowledge.compiling import compile_folder

_GREEKS = "rules/interactions/greeks-gammapril.yaml"
_BETA = "rules/contraindications/betadorm.yaml"
_ULCER = "rules/contraindications/alphadine.yaml"


def saved(root: Path, path: str, **keys: Any) -> None:
    file = root / path
    file.write_text(yaml.safe_dump({**yaml.safe_load(file.read_text()), **keys}, sort_keys=False, allow_unicode=True))


def case(name: str, expect: str, *drugs: str, **given: Any) -> dict[str, Any]:
    return {"name": name, "given": {"drugs": list(drugs), **given}, "expect": expect}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("watch") / "k", clean())


@pytest.mark.parametrize(
    ("path", "keys", "reached"),
    [
        (_GREEKS, {"severity": "moderate"}, {"interaction.greeks-gammapril"}),
        (_ULCER, {"title": "Other words"}, {"contraindication.alphadine"}),
        (
            "kb/classes/greeks.yaml",
            {"members": ["drug.alphadine"]},
            {"interaction.greeks-gammapril", "interaction.greeks-epsilox"},
        ),
        ("kb/drugs/alphadine.yaml", {"misspellings": ["alfadine"]}, None),
        ("kb/conditions/ulcer.yaml", {"synonyms": ["sore"]}, None),
    ],
)
def test_a_change_touches_what_comes_out_otherwise_by_it(
    root: Path, path: str, keys: dict[str, Any], reached: set[str] | None
) -> None:
    written = (root / path).read_text()
    before = compile_folder(root).library
    saved(root, path, **keys)
    try:
        library = compile_folder(root).library
        assert touched([path], otherwise(before, library), library) == reached
    finally:
        (root / path).write_text(written)


def test_where_it_is_known_what_came_out_otherwise_a_drug_s_file_need_not_concern_every_case(root: Path) -> None:
    library = compile_folder(root).library
    assert touched(["kb/drugs/alphadine.yaml"], (), library, frozenset()) == set()
    assert touched(["kb/drugs/alphadine.yaml"], (), library, {"drugs"}) is None


def test_a_site_s_file_touches_its_own_rule(root: Path) -> None:
    library = compile_folder(root).library
    assert touched(["my-site/rules/interactions/x.yaml"], (), library) == set()
    assert touched(["my-site/kb/language/x.yaml"], (), library) is None


def test_what_failed_is_run_until_it_is_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "k", clean())
    quiet = case("one alone", "not_applicable", "alphadine 10 mg oral daily", conditions=[])
    for name in ("alphadine", "betadorm", "gammapril", "epsilox"):
        ill = case("with an ulcer", "violated", f"{name} 10 mg oral daily", conditions=["ulcer"])
        saved(root, f"rules/contraindications/{name}.yaml", cases=[ill, quiet])
    for name in ("gammapril", "epsilox"):
        both = case("both", "violated", "alphadine 10 mg oral daily", f"{name} 10 mg oral daily")
        saved(root, f"rules/interactions/greeks-{name}.yaml", cases=[both, quiet])
    right = [case("both", "violated", "alphadine 10 mg oral daily", "gammapril 10 mg oral daily"), quiet]
    wrong = [*right, {**right[0], "name": "not so", "expect": "satisfied"}]

    def saves(_: Any) -> Iterator[list[Path]]:
        yield []
        saved(root, _GREEKS, cases=wrong)
        yield [(root / _GREEKS).resolve()]
        saved(root, _ULCER, title="Other words")
        yield [(root / _ULCER).resolve()]
        saved(root, _GREEKS, cases=[quiet])  # no case fires: that is a problem
        yield [(root / _GREEKS).resolve()]
        saved(root, _BETA, cases=[*yaml.safe_load((root / _BETA).read_text())["cases"], {**quiet, "name": "again"}])
        yield [(root / _BETA).resolve()]
        saved(root, _GREEKS, cases=right)
        yield [(root / _GREEKS).resolve()]

    monkeypatch.setattr(watching, "_changes", saves)
    ran = CliRunner().invoke(cli, ["test", str(root), "--watch"], standalone_mode=False)
    assert ran.exception is None, ran.output
    first, *later = [line for line in ran.output.splitlines() if "touched" in line or "passed" in line]
    assert first.endswith("0 failed")
    assert later == [
        "1 rule touched", "2 passed, 1 failed",
        "2 rules touched", "4 passed, 1 failed",
        "2 rules touched", "5 passed, 0 failed",  # that of the file that was saved while nothing could be run, too
    ]  # fmt: skip
    assert ran.return_value == 0
