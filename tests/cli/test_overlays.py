"""A site's folder on the command line: one that is not there is an error of every command; what it changes is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.running import CASE, medsafe, write

COMMANDS: list[tuple[str, ...]] = [
    ("check", "case.yaml"),
    ("why", "interaction.warfarin-nsaid", "case.yaml"),
    ("dose", "said.yaml"),
    ("name", "Coumadin"),
    ("calc",),
    ("show", "drug.warfarin"),
    ("list",),
    ("sql", "select 1"),
    ("lint",),
    ("lint", "own"),
    ("test",),
    ("test", "interaction.warfarin-nsaid"),
    ("new", "drug", "ponesimod", "--in", "own"),
    ("build", "--out", "k.duckdb"),
]


@pytest.mark.parametrize("overlay", ["nowhere", "empty", "case.yaml"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_overlay_that_is_none_is_an_error_of_every_command(command: tuple[str, ...], overlay: str, tmp_path: Path) -> None:
    write(tmp_path / "case.yaml", CASE)
    write(tmp_path / "said.yaml", "as_of: 2026-11-20\nreported: I took 5 mg of warfarin\n")
    (tmp_path / "empty/interactions").mkdir(parents=True)
    own = tmp_path / "own/kb/drugs/sitine.yaml"
    own.parent.mkdir(parents=True)
    write(own, "id: drug.sitine\nname: sitine\nsupply: otc\nroutes: [oral]\n")
    before = sorted(tmp_path.rglob("*"))
    ran = medsafe(*command, "--overlay", overlay)
    assert ran.code == 3, ran
    assert f"{overlay}: K02" in ran.out + ran.err
    assert sorted(tmp_path.rglob("*")) == before
