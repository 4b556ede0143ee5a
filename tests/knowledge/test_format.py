"""What is compiled is keyed by the code that compiles it, too: a mended compiler never serves what the old one made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from broken.laying import BASE
from conftest import REPO

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
    assert text.count("title=s.title") == 1
    compiler.write_text(text.replace("title=s.title", "title=s.title.upper()"), encoding="utf-8")
    assert title(tmp_path, tmp_path / "cache") == before.upper() != before
