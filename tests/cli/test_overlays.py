"""A site's folder on the command line: one that is not there is an error of every command; what it changes is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken.laying import BASE

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


def test_lint_lists_what_a_site_changes_and_list_show_and_why_tell_the_truth_about_it(tmp_path: Path) -> None:
    quieter = tmp_path / "site/rules/interactions/here.yaml"
    off = tmp_path / "site/rules/contraindications/off.yaml"
    for path in (quieter, off):
        path.parent.mkdir(parents=True)
    write(quieter, "overrides: interaction.warfarin-nsaid\nseverity: minor\nbecause: we look every week\n")
    write(off, "id: contraindication.kidney.nsaids\nretire: {reason: noise}\n")
    ran = medsafe("lint", "site")
    assert ran.code == 0, ran
    assert ran.out.splitlines() == [
        "site/rules/contraindications/off.yaml:2:1: changes ours: contraindication.kidney.nsaids: retired by site: noise",
        "site/rules/interactions/here.yaml:2:11: changes ours: interaction.warfarin-nsaid: weakened (major to minor) by site: "
        "we look every week",
    ]
    assert [row["site_change"]["what"] for row in medsafe("lint", "site", "--json").rows] == ["retired", "weakened"]
    listed = {row["id"]: row for row in medsafe("list", "--overlay", "site", "--json").rows}
    assert listed["contraindication.kidney.nsaids"]["status"] == "retired"
    assert listed["interaction.warfarin-nsaid"]["severity"] == "minor"
    assert "not in force: retired by site: noise" in medsafe("list", "--overlay", "site").out
    shown = medsafe("show", "contraindication.kidney.nsaids", "--overlay", "site").out
    assert "not in force: retired by site: noise" in " ".join(shown.split())
    write(tmp_path / "case.yaml", CASE)
    why = medsafe("why", "contraindication.kidney.nsaids", "case.yaml", "--overlay", "site").out
    assert why.splitlines()[0].startswith("contraindication.kidney.nsaids  NOT IN FORCE")
    assert "The rule is not in force: it is retired by site: noise. In force, it would speak." in " ".join(why.split())
    (row,) = medsafe("why", "contraindication.kidney.nsaids", "case.yaml", "--overlay", "site", "--json").rows
    assert (row["verdict"], row["in_force"]) == ("violated", False)
    checked = " ".join(medsafe("check", "case.yaml", "--overlay", "site").out.split())
    assert "CHANGED BY THE SITE contraindication.kidney.nsaids: retired by site: noise" in checked


def test_lint_and_show_tell_the_words_that_a_site_makes_to_be_read(tmp_path: Path) -> None:
    own = tmp_path / "site/kb/language/says-nothing.yaml"
    own.parent.mkdir(parents=True)
    write(own, "id: language.says-nothing\nwords: [glorply]\n")
    told = "language.says-nothing: loosened by site: `glorply` added"
    assert medsafe("lint", "site").out.splitlines() == [f"site/kb/language/says-nothing.yaml:1:1: changes ours: {told}"]
    assert told in " ".join(medsafe("show", "language.says-nothing", "--overlay", "site").out.split())


def test_a_draft_is_shown_listed_and_explained_as_not_in_force(tmp_path: Path) -> None:
    rule = tmp_path / "site/rules/interactions/own.yaml"
    rule.parent.mkdir(parents=True)
    text = (BASE / "rules/interactions/warfarin-nsaid.yaml").read_text(encoding="utf-8")
    write(rule, text.replace("warfarin-nsaid", "own").replace("status: active", "status: draft"))
    write(tmp_path / "case.yaml", CASE)
    assert "interaction.own  Warfarin with an NSAID by mouth  (not in force: draft)" in medsafe("list", "--overlay", "site").out
    assert "not in force: draft" in medsafe("show", "interaction.own", "--overlay", "site").out
    why = medsafe("why", "interaction.own", "case.yaml", "--overlay", "site").out
    assert "NOT IN FORCE" in why
    assert "VIOLATED" not in why
