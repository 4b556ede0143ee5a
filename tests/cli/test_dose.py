"""`medsafe dose`: every way in, every exit code, one answer a line in order whatever is wrong with a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.running import medsafe, write

pytestmark = pytest.mark.usefixtures("speaking_base")


RIGHT: dict[str, Any] = {"id": "right", "prescribed": "metformin 500 mg twice daily", "reported": "500 mg twice a day"}
HIGH: dict[str, Any] = {"id": "high", "prescribed": "warfarin 5 mg once daily", "reported": "10 mg once a day"}
LOW: dict[str, Any] = {"id": "low", "prescribed": "warfarin 5 mg once daily", "reported": "I forgot it this morning"}
OPEN: dict[str, Any] = {"id": "open", "prescribed": "warfarin 5 mg once daily", "reported": "I take it"}
CODES = [(RIGHT, 0, "CORRECT"), (HIGH, 1, "HIGH"), (LOW, 1, "LOW"), (OPEN, 4, "UNKNOWN")]


@pytest.mark.parametrize(("request_", "code", "verdict"), CODES)
def test_each_verdict_has_its_exit_code_and_is_said_first(
    tmp_path: Path, request_: dict[str, Any], code: int, verdict: str
) -> None:
    ran = medsafe("dose", write(tmp_path / "one.json", request_), "--as-of", "2026-11-20")
    assert (ran.code, ran.err) == (code, "")
    assert ran.out.startswith(f"{verdict}  {request_['id']}")
    assert max(map(len, ran.out.splitlines())) <= 80


def test_lines_are_answered_in_order_and_a_line_that_is_none_does_not_stop_them(tmp_path: Path) -> None:
    lines = [RIGHT, "{not json", {"reported": 3, "presribed": "x"}, LOW, "[]", OPEN]
    ran = medsafe("dose", write(tmp_path / "many.jsonl", lines), "--json", "--as-of", "2026-11-20")
    assert ran.code == 1
    assert [r.get("id") for r in ran.rows] == ["right", None, None, "low", None, "open"]
    assert [r["verdict"] for r in ran.rows] == ["CORRECT", "UNKNOWN", "UNKNOWN", "LOW", "UNKNOWN", "UNKNOWN"]
    assert [bool(r.get("error")) for r in ran.rows] == [False, True, True, False, True, False]


def test_only_right_and_open_lines_exit_4(tmp_path: Path) -> None:
    assert medsafe("dose", write(tmp_path / "x.jsonl", [RIGHT, OPEN])).code == 4
    assert medsafe("dose", write(tmp_path / "y.jsonl", [RIGHT, "{"])).code == 4
    assert medsafe("dose", write(tmp_path / "z.jsonl", [RIGHT, RIGHT])).code == 0


@pytest.mark.parametrize(
    "text",
    ["reported: [1", "- a\n- b\n", "prescribed: warfarin 5 mg daily\n", "reported: x\ncolour: red\n",
     "reported: x\nas_of: yesterday\n",
     "reported: {text: x, days_supply: -3}\n"],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_place_and_exits_2(tmp_path: Path, text: str) -> None:
    ran = medsafe("dose", write(tmp_path / "bad.yaml", text))
    assert (ran.code, ran.out) == (2, "")
    assert "bad.yaml" in ran.err
    assert "Traceback" not in ran.err


def test_a_missing_file_exits_2(tmp_path: Path) -> None:
    assert medsafe("dose", tmp_path / "none.yaml").code == 2


@pytest.mark.parametrize("lines", [json.dumps(HIGH), f"{json.dumps(HIGH)}\n{json.dumps(OPEN)}\n", "reported: 10 mg once a day\n"])
def test_standard_input_is_read_as_one_request_or_as_lines(lines: str) -> None:
    ran = medsafe("dose", "-", "--json", stdin=lines.encode())
    assert len(ran.rows) == (2 if "\n{" in lines else 1)


def test_the_answer_has_every_key_of_the_contract(tmp_path: Path) -> None:
    (row,) = medsafe("dose", write(tmp_path / "one.json", HIGH), "--json").rows
    keys = {"verdict", "axes", "reported_per_day", "expected_per_day", "against", "limits", "suspect", "drug", "needs", "ask",
            "escalate", "task", "evidence"}  # fmt: skip
    assert keys <= row.keys()
    assert set(row["axes"]) == {"per_dose", "per_day", "frequency", "timing"}
    assert (row["reported_per_day"], row["expected_per_day"], row["against"]) == ("10 mg", "5 mg", "prescription")


def test_the_selftest_says_what_is_not_there() -> None:
    ran = medsafe("selftest", "dosing", "--data", "nowhere")
    assert ran.code == 0
    assert "not there" in ran.out
