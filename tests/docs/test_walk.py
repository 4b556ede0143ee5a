"""A newcomer who follows kb/README.md alone adds a rule that is linted, tested and compared over patients."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from textwrap import dedent

import pytest
from cli.running import medsafe
from conftest import REPO

GUIDE = (REPO / "kb/README.md").read_text(encoding="utf-8").partition("## A rule from nothing")[2].partition("\n## ")[0]
COMMANDS = [dedent(block).strip() for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.S)]
(FILE,) = (dedent(block) for block in re.findall(r" *```yaml\n(.*?)```", GUIDE, re.S))
ON_BOTH = "spironolactone 25 mg oral daily", "trimethoprim 100 mg oral twice daily"
WHO = {"old.yaml": (80, ON_BOTH), "young.yaml": (40, ON_BOTH), "other.yaml": (80, ON_BOTH[:1])}


def test_the_guide_is_followed_from_nothing_to_whose_answer_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patients").mkdir()
    for name, (age, drugs) in WHO.items():
        listed = "".join(f"\n    - {drug}" for drug in drugs)
        text = f"id: {name}\nas_of: 2026-11-28\npatient:\n  age: {age}\n  medications:{listed}\n"
        (tmp_path / "patients" / name).write_text(text, encoding="utf-8")
    new, lint, test, diff = COMMANDS
    started = medsafe(*shlex.split(new)[1:])
    assert started.code == 0
    assert medsafe(*shlex.split(lint)[1:]).code == 3  # what only the author knows is not yet written
    place = FILE.partition("\n")[0].removeprefix("# ")
    assert Path(started.out.strip()) == Path(place)
    Path(place).write_text(FILE, encoding="utf-8")
    assert medsafe(*shlex.split(lint)[1:]).out == ""
    assert medsafe(*shlex.split(test)[1:]).out == "5 passed, 0 failed\n"
    ran = medsafe(*shlex.split(diff)[1:])
    assert ran.code == 0  # nothing is looser
    assert "major interaction.spironolactone-trimethoprim" in ran.out
    assert "old.yaml: violated" in ran.out
    assert "young.yaml" not in ran.out
    assert "other.yaml" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
