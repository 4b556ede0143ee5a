"""The compiled knowledge under faults: a process killed while it writes it, and files that change while an engine answers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from broken.laying import BARE, BASE
from conftest import REPO

import safety
from safety.errors import KnowledgeError
from safety.knowledge.compiling import compile_folder

_LOADS = (
    "import sys; from pathlib import Path; from safety.engine import RECIPE; from safety.knowledge.snapshot import load_library\n"
    "while True: print(load_library(Path(sys.argv[1]), [], Path(sys.argv[2]), RECIPE).sha256, flush=True)\n"
)
CASE = {"patient": {"medications": ["warfarin 5 mg oral daily", "ibuprofen 400 mg oral daily"]}, "as_of": "2026-11-20"}


def loading(cache: Path, times: int) -> tuple[int, str, str]:
    """A process that loads and loads again: how it ended, what it printed, what it complained of. Killed as soon as it writes."""
    asked = [sys.executable, "-c", _LOADS, str(BARE), str(cache)]
    process = subprocess.Popen(
        asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(REPO)}
    )
    assert process.stdout is not None
    if times:
        told = "".join(process.stdout.readline() for _ in range(times))
    else:  # killed with the file under way: it is there under another name, or just took its place
        until = time.monotonic() + 60
        while process.poll() is None and not any(cache.glob("*")) and time.monotonic() < until:
            time.sleep(0.0005)
        told = ""
    process.send_signal(signal.SIGKILL)
    rest, complaints = process.communicate()
    return process.returncode, told + rest, complaints


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_process_that_is_killed_while_it_writes_compiled_knowledge_leaves_nothing_that_is_believed(tmp_path: Path) -> None:
    cache, digest = tmp_path / "cache", compile_folder(BARE).library.sha256
    for _ in range(3):
        shutil.rmtree(cache, ignore_errors=True)
        ended, told, complaints = loading(cache, times=0)
        assert (ended, complaints) == (-signal.SIGKILL, "")
        assert set(told.split()) <= {digest}
        _, told, complaints = loading(cache, times=2)
        assert complaints == ""
        assert set(told.split()) == {digest}


def test_files_that_change_while_an_engine_answers_change_no_answer_until_it_is_loaded_again(tmp_path: Path) -> None:
    root = Path(shutil.copytree(BASE, tmp_path / "knowledge"))
    engine = safety.load(base=root, cache=tmp_path / "cache")
    before = engine.check(CASE).to_json()
    rule = next(root.rglob("warfarin-nsaid.yaml"))
    whole = rule.read_text(encoding="utf-8")
    rule.write_text(whole.replace("severity: major", "severity: minor"), encoding="utf-8")
    assert engine.check(CASE).to_json() == before
    again = engine.reload()
    assert (engine.check(CASE).findings[0].severity, again.check(CASE).findings[0].severity) == ("major", "minor")
    rule.write_text(whole[: len(whole) // 2], encoding="utf-8")  # half a file, as an editor may leave it
    with pytest.raises(KnowledgeError):
        engine.reload()
    assert engine.check(CASE).to_json() == before
