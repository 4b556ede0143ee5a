"""What is compiled is keyed by the code that compiles it, too: a mended compiler never serves what the old one made."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

from broken.laying import BASE
from conftest import REPO

from safety.engine import RECIPE
from safety.knowledge import format as form
from safety.knowledge import snapshot

PROGRAM = (
    "import sys, safety; e = safety.load(base=sys.argv[1], cache=sys.argv[2]);"
    "print(e.library.entry['interaction.warfarin-nsaid'].title)"
)


def title(package: Path, cache: Path) -> str:
    """The title of one rule as this copy of the package loads it."""
    command = [sys.executable, "-c", PROGRAM, str(BASE), str(cache)]
    environment = {**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(command, env=environment, cwd=package, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_a_change_of_the_compiler_makes_the_compiled_knowledge_anew(tmp_path: Path) -> None:
    shutil.copytree(REPO / "safety", tmp_path / "safety", ignore=shutil.ignore_patterns("__pycache__", "_knowledge"))
    before = title(tmp_path, tmp_path / "cache")
    compiler = tmp_path / "safety/knowledge/judged.py"
    text = compiler.read_text(encoding="utf-8")
    assert text.count("title=title") == 1
    compiler.write_text(text.replace("title=title", "title=title.upper()"), encoding="utf-8")
    assert title(tmp_path, tmp_path / "cache") == before.upper() != before


def modules_read(*roots: str) -> set[str]:
    """The modules of the package that these import, and theirs, found by parsing instead of searching."""
    found: set[str] = set()
    pending = list(roots)
    while pending:
        module = pending.pop()
        path = next((p for p in (_path(module), _path(f"{module}.__init__")) if p.is_file()), None)
        if module in found or module == "safety" or path is None:
            continue
        found.add(module)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("safety"):
                pending += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                pending += [alias.name for alias in node.names]
    return {m for m in found if m.startswith("safety.")}


def _path(module: str) -> Path:
    return REPO.joinpath(*module.split(".")).with_suffix(".py")


def _module(path: str) -> str:
    return ".".join(Path(path).relative_to(REPO).with_suffix("").parts).removesuffix(".__init__")


def test_every_module_that_decides_how_knowledge_is_compiled_counts() -> None:
    roots = snapshot._roots(RECIPE)
    found = {_module(path) for path in form.sources(roots)}
    assert found == modules_read(*roots)
    assert found >= {
        "safety.knowledge.judged", "safety.knowledge.shapes", "safety.knowledge.leaves", "safety.knowledge.library",
        "safety.model.quantity", "safety.formulas.equivalents", "safety.text", "safety.judging.candidates",
        "safety.reading.names.index", "safety.reading.names.sounds", "safety.understanding.vocabulary",
    }  # fmt: skip


def test_no_module_counts_that_only_answers() -> None:
    found = {_module(path) for path in form.sources(snapshot._roots(RECIPE))}
    assert not {m for m in found if m.split(".")[1] in ("answering", "adherence", "cli", "engine")}


def test_what_is_derived_is_made_by_modules_that_count() -> None:
    """A builder that reaches its helpers through its arguments would change unseen."""
    for derived in RECIPE.derived:
        assert derived.build.__module__ in snapshot._roots(RECIPE)
        assert derived.build.__closure__ is None  # type: ignore[attr-defined]


def test_the_digest_knows_each_source_and_where_it_stands_in_the_package_but_not_where_that_is() -> None:
    held = form.sources(["safety.text"])
    assert form.digest(held) == form.digest(dict(held))
    changed = {path: source + b"#" for path, source in held.items()}
    assert form.digest(changed) != form.digest(held)
