"""Sign-offs and feedback are lines that are added to a file: what was acknowledged is there, whole and once, whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from conftest import REPO, examples
from hypothesis import given, settings
from hypothesis import strategies as st

from faults.adding import line
from safety.desk.feedback import Answer, answer_line, heard_in, keep
from safety.desk.lines import add_lines, lines_of
from safety.desk.signing import FILE, Signature, sign, signatures_in
from safety.errors import RequestError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is neither SIGKILL nor a limit of files")
EVER = 10**6


def adding(path: Path, first: int, count: int = EVER, largest: int = 0) -> subprocess.Popen[bytes]:
    program = Path(__file__).with_name("adding.py")
    asked = [sys.executable, str(program), str(path), str(first), str(count), str(largest)]
    return subprocess.Popen(asked, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(REPO)})


def calls_in(path: Path) -> dict[int, list[int]]:
    """The parts of each call that the file holds; the end of the file may have been cut off."""
    found: dict[int, list[int]] = {}
    for one in map(json.loads, lines_of(path.read_bytes())):
        found.setdefault(one["call"], []).append(one["part"])
    return found


def test_a_process_that_is_killed_loses_nothing_that_it_acknowledged_and_spoils_nothing_for_the_next(tmp_path: Path) -> None:
    path, acknowledged = tmp_path / "lines.jsonl", set[int]()
    for turn in range(3):
        writer = adding(path, first=turn * EVER)
        assert writer.stdout is not None
        acknowledged |= {int(writer.stdout.readline()) for _ in range(20)}
        writer.send_signal(signal.SIGKILL)  # in the middle of whatever it does
        acknowledged |= {int(told) for told in writer.stdout.read().split()}
        writer.wait()
        held = calls_in(path)
        assert all(held[n] == [0, 1, 2] for n in acknowledged)
    add_lines(path, line(-1))
    assert calls_in(path)[-1] == [0, 1, 2]


def test_a_full_disk_is_told_and_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    writer = adding(path, first=0, largest=50_000)
    told = writer.communicate()[0].decode().splitlines()
    assert told[-1].startswith("refused: ")
    assert "cannot be written" in told[-1]
    assert path.read_bytes() == b"".join(line(int(n)) for n in told[:-1])  # no half of the call that failed


def test_two_processes_that_add_at_once_mix_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    writers = [adding(path, first=n * EVER, count=40) for n in range(2)]
    for writer in writers:
        writer.communicate()
    assert calls_in(path) == {n * EVER + k: [0, 1, 2] for n in range(2) for k in range(40)}


@given(st.integers(0, len(line(1))), st.booleans())
@settings(max_examples=examples(90))
def test_what_was_cut_off_anywhere_is_gone_and_what_came_before_stands(kept: int, ended: bool) -> None:
    before = line(0) if ended else line(0).removesuffix(b"\n")
    path = Path("/dev/shm" if Path("/dev/shm").is_dir() else "/tmp") / f"medsafe-lines-{os.getpid()}.jsonl"
    try:
        path.write_bytes(before if not ended else before + line(1)[:kept])
        add_lines(path, line(2))
        held = calls_in(path)
    finally:
        path.unlink(missing_ok=True)
    assert (held[0], held[2]) == ([0, 1, 2], [0, 1, 2])
    assert held.get(1, []) == [0, 1, 2][: len(held.get(1, []))]


def test_a_sign_off_that_was_cut_off_is_none_and_the_next_one_counts(tmp_path: Path) -> None:
    first, second = (Signature(f"rule.{n}", "0" * 64, "Jane Doe", "RPh 1", date(2026, 11, n)) for n in (1, 2))
    sign(tmp_path, [first, second])
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-20])
    assert signatures_in([tmp_path]) == {"rule.1": first}
    sign(tmp_path, [second])
    assert signatures_in([tmp_path]) == {"rule.1": first, "rule.2": second}


def test_feedback_that_was_cut_off_is_none_and_the_next_one_counts(tmp_path: Path) -> None:
    path, answer = tmp_path / "feedback.jsonl", Answer("interaction.warfarin-nsaid", "accepted")
    keep(path, answer_line(answer))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:30])
    assert len(heard_in([("f", path.read_bytes())]).answers) == 1
    keep(path, answer_line(answer))
    assert path.read_bytes() == whole * 2


def test_where_nothing_can_be_written_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="cannot be written"):
        add_lines(tmp_path / "no" / "such" / "folder.jsonl", line(1))
