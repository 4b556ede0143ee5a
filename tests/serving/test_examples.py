"""The examples for agents and clinical systems run, and say what they promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPO
from serving.test_service import Running

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPO)}


def ran(name: str, *args: str) -> str:
    command = [sys.executable, str(REPO / "examples" / name), *args]
    done = subprocess.run(command, cwd=REPO, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_agent_without_a_model_hears_asks_and_checks() -> None:
    said = ran("agent_loop.py")
    assert "heard    ibuprofen - ask: Is ibuprofen" in said
    assert "read     Take 400 mg 3 times a day." in said
    assert "slip     did you mean `medications`?" in said
    assert "verdict  violated" in said
    assert "task     Replace ibuprofen" in said


def test_an_mcp_client_checks_a_regimen() -> None:
    said = ran("mcp_client.py")
    assert "check_regimen" in said
    assert "verdict violated" in said
    assert "task    Replace ibuprofen" in said


def test_an_order_about_to_be_signed_brings_its_card() -> None:
    service = Running("--workers", "0")
    try:
        said = ran("cds_hooks.py", str(service.http.base_url).rstrip("/"))
    finally:
        service.stop()
    assert said.startswith("WARNING Warfarin with a systemic NSAID")
    assert "   may: Leave out ibuprofen 400 mg tablet" in said


def test_a_patient_entered_on_the_page_is_answered_with_a_page_of_its_own(tmp_path: Path) -> None:
    service = Running("--workers", "0")
    try:
        said = ran("page.py", str(service.http.base_url).rstrip("/"), str(tmp_path / "answer.html"))
    finally:
        service.stop()
    page = (tmp_path / "answer.html").read_text(encoding="utf-8")
    assert "answer.html: open it in a browser" in said
    assert "Warfarin with a systemic NSAID" in page
    assert 'src="http' not in page


@pytest.mark.parametrize("name", ["cds_hooks.py", "page.py"])
def test_without_a_service_the_example_says_what_to_start(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(REPO / "examples" / name), "http://127.0.0.1:9"],
        cwd=REPO, env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("no answer from http://127.0.0.1:9")
    assert "medsafe serve" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_container_runs_as_nobody_in_particular() -> None:
    lines = (REPO / "examples/Containerfile").read_text(encoding="utf-8").splitlines()
    assert "USER 10001" in lines
    assert lines.index("USER 10001") < next(n for n, line in enumerate(lines) if line.startswith("ENTRYPOINT"))
