"""What the safety case and the threat model name exists."""

from __future__ import annotations

import ast
import re

import pytest
from conftest import REPO


def _tests() -> frozenset[str]:
    found = set()
    for path in (REPO / "tests").rglob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
    return frozenset(found)


@pytest.mark.parametrize("page", ["SAFETY.md", "SECURITY.md"])
def test_every_test_that_is_named_exists(page: str) -> None:
    named = set(re.findall(r"`(test_\w+)`", (REPO / page).read_text(encoding="utf-8")))
    assert named
    assert named - _tests() == set()


@pytest.mark.parametrize("page", ["SAFETY.md", "SECURITY.md"])
def test_every_hazard_and_threat_names_a_test(page: str) -> None:
    text = (REPO / page).read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| *")]
    assert len(rows) > 10
    assert [row for row in rows if "`test_" not in row] == []


def test_every_target_that_the_pages_name_is_there() -> None:
    makefile = (REPO / "Makefile").read_text(encoding="utf-8")
    pages = "".join((REPO / page).read_text(encoding="utf-8") for page in ("SAFETY.md", "SECURITY.md"))
    assert [t for t in re.findall(r"`make (\w+)`", pages) if f"\n{t}:" not in makefile] == []
