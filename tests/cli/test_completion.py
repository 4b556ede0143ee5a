"""What a shell completes: commands, ids and names of the knowledge."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from cli.running import medsafe
from safety.cli.main import cli


def completed(*args: str) -> list[str]:
    *before, begun = args
    return [item.value for item in ShellComplete(cli, {}, "medsafe", "_MEDSAFE_COMPLETE").get_completions(before, begun)]


def test_commands_ids_medicines_and_codes_are_completed() -> None:
    assert completed("expl") == ["explain"]
    assert "interaction.warfarin-nsaid" in completed("show", "interaction.warf")
    assert "warfarin" in completed("show", "warf")
    assert completed("list", "rules", "--drug", "WARF") == ["warfarin"]
    assert "interaction.warfarin-nsaid" in completed("why", "interaction.w")
    assert completed("explain", "k30") == ["K301", "K302", "K303", "K304"]
    assert completed("show", "xyzzy") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell_is_printed_and_nothing_else(shell: str) -> None:
    ran = medsafe("completion", shell)
    assert ran.code == 0
    assert "_MEDSAFE_COMPLETE" in ran.out
    assert "for good:" in ran.err


def test_where_the_knowledge_cannot_be_read_nothing_is_completed_and_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("safety.engine.base_folder", lambda: (_ for _ in ()).throw(OSError()))
    assert completed("show", "drug.") == []
