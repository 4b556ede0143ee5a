"""`medsafe extract`: text or file in, a page of eighty columns or JSON out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from safety.cli.main import cli

TEXT = "I take lisinopril 20 mg daily for high blood pressure, my wife takes warfarin, and I'm allergic to penicillin."


def run(*args: str, given: str | None = None) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["extract", *args], input=given, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return int(done.return_value or 0), done.output


def test_what_was_said_is_told_in_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, page = run(TEXT)
    assert code == 0
    assert "TAKING  lisinopril" in page
    assert "SOMEONE ELSES  warfarin" in page
    assert '20 mg  ("20 mg")' in page
    assert max(map(len, page.splitlines())) <= 80


def test_json_quotes_the_text(tmp_path: Path) -> None:
    file = tmp_path / "visit.txt"
    file.write_text(TEXT, encoding="utf-8")
    code, out = run(str(file), "--json")
    found = json.loads(out)
    assert code == 0
    assert found["extraction"] == 1
    for m in found["medications"]:
        assert TEXT[m["span"]["start"] : m["span"]["end"]] == m["span"]["text"]


def test_standard_input_is_read() -> None:
    assert "TAKING  lisinopril" in run("-", given=TEXT)[1]


def test_a_text_without_anything_says_so() -> None:
    assert "nothing that names a medicine" in run("The weather is fine.")[1]


def test_a_file_that_is_not_there_is_told() -> None:
    from safety.errors import RequestError

    with pytest.raises(RequestError, match="no such file"):
        run("visit-that-is-not-there.txt")


def test_an_endpoint_where_nobody_answers_is_a_note_and_the_dictionary_serves() -> None:
    pytest.importorskip("openai", reason="the extra `medsafe[llm]` is not installed")
    code, page = run(TEXT, "--model", "http://127.0.0.1:9/v1", "--model-timeout", "1")
    assert code == 0
    assert "TAKING  lisinopril" in page
    assert "did not answer" in page
