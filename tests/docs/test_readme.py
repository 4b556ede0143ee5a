"""The README says what is true today."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import safety

REPO = Path(__file__).resolve().parent.parent.parent
README = (REPO / "README.md").read_text(encoding="utf-8")


BLOCKS = re.findall(r"<!-- transcript.*?-->\n```\n\$ (.+?)\n(.*?)```", README, re.S)


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_a_transcript_is_what_the_command_prints_today(command: str, shown: str) -> None:
    parts = [str(Path(sys.executable).with_name("medsafe")), *shlex.split(command)[1:]]
    printed = subprocess.run(parts, cwd=REPO, capture_output=True, text=True, check=False).stdout
    # the knowledge's digest changes with every edit of a rule; everything else must be as printed
    digest = re.compile(r"\([0-9a-f]{12}\)")
    assert digest.sub("()", shown) == digest.sub("()", printed)


@pytest.mark.parametrize("command", [command for command, shown in BLOCKS if "as of" in shown])
def test_a_transcript_names_its_day_so_that_it_stays_true_tomorrow(command: str) -> None:
    files = [REPO / part for part in shlex.split(command) if (REPO / part).is_file()]
    assert "--as-of" in command or any("as_of:" in file.read_text(encoding="utf-8") for file in files)


def test_the_readme_shows_a_check_a_dose_a_history_and_scores() -> None:
    assert [shlex.split(command)[1] for command, _ in BLOCKS] == ["check", "dose", "timeline", "reconcile", "score"]


def test_the_five_lines_of_python_run_and_say_what_they_promise() -> None:
    code = re.search(r"```python\n(.*?)```", README, re.S)
    assert code is not None
    run = subprocess.run([sys.executable, "-c", code[1]], cwd=REPO, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("violated ")
    assert "interaction.warfarin-nsaid" in run.stdout


def test_every_file_the_readme_points_at_is_there() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets
    assert [t for t in targets if not (REPO / t).exists()] == []


def test_the_version_is_said_once() -> None:
    assert f'version = "{safety.__version__}"' in (REPO / "pyproject.toml").read_text(encoding="utf-8")
