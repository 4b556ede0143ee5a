"""`medsafe selftest interactions` as it is run: what it prints and what it encodes; no time is judged."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import SHARED, compiled, loaded
from measuring import interactions as command

from safety.cli.selftest import selftest

REAL = SHARED / "data/real"


_growth, _TIMES = command._growth, 2


@cache
def growth() -> dict[str, float]:
    """What the command measures of its growth, once for all tests."""
    return _growth(compiled(), loaded().checker)


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The knowledge that the other tests compiled, and two rounds: the figures are not looked at."""
    monkeypatch.setattr(command, "compile_folder", lambda base: compiled())
    monkeypatch.setattr(command, "_ROUNDS", 1)
    monkeypatch.setattr(command, "_TIMES", _TIMES)
    monkeypatch.setattr(command, "_growth", lambda known, checker: growth())


def test_where_the_requests_are_not_there_it_says_so_and_tells_the_rest(tmp_path: Path) -> None:
    run = CliRunner().invoke(selftest, ["interactions", "--data", str(tmp_path)], standalone_mode=False)
    assert run.exception is None
    assert "onc-high  15 of 15 interrupt" in run.output
    assert f"requests  not there ({tmp_path}" in run.output
    assert "ratio" in run.output


@pytest.mark.skipif(not (REAL / "pddi_cds").is_dir(), reason=f"the real requests are not in {REAL}")
def test_as_json_it_holds_every_group_family_and_the_growth() -> None:
    run = CliRunner().invoke(selftest, ["interactions", "--json"], standalone_mode=False)
    assert run.exception is None
    told = json.loads(run.output)
    assert [len(told[name]) for name in ("onc-high", "onc-low")] == [15, 33]
    assert sum(family["rows"] for family in told["requests"]) == 34
    assert told["growth"]["grown_rules"] > (_TIMES - 0.2) * told["growth"]["rules"]
