"""Slips that mend themselves: only what can only be meant, and not a letter of the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from broken.laying import copy_of_base, lay
from cli.running import medsafe
from hypothesis import given
from hypothesis import strategies as st

from safety.desk.mending import as_written, in_its_line, mend_text
from safety.errors import Place, Problem
from safety.text import only_near

RULE = """\
id: interaction.other
title: "Broken"   # a title
kind: interaction
status: active
severty: majr     # how loud
review: {last: 2026-11-20, due: 2027-11-20, by_whom: []}
condition:
  - drug: {id: %s, as: affected}
  - drug: {class: class.nsaids, as: other}
constraint: {avoid_together: [affected, other]}
action: {do: "sotp", target: affected, advice: "Stop {affected}."}
rationale: {mechanism: pharmacokinetic, summary: Why.}
outcome: {harm: harm.major-bleeding}
evidence: [{source: source.a-label, grade: label, supports: [constraint]}]
cases:
  - {name: flagged, given: {drugs: [warfarin 5 mg oral, ibuprofen 400 mg oral]}, expect: violated}
  - {name: alone, given: {drugs: [warfarin 5 mg oral]}, expect: not_applicable}
"""
MENDED = (("interaction.other", "interaction.broken"), ("severty", "severity"), ("majr", "major"), ('"sotp"', '"stop"'))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEDSAFE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COLUMNS", raising=False)
    return copy_of_base(tmp_path)


def test_what_can_only_be_meant_is_mended_and_all_else_stays_to_the_letter(root: Path) -> None:
    path = lay(root, "rules/interactions/broken.yaml", RULE % "drug.warfarin")
    ran = medsafe("lint", root, "--fix")
    expected = RULE % "drug.warfarin"
    for was, now in MENDED:
        expected = expected.replace(was, now, 1)
    assert path.read_text(encoding="utf-8") == expected
    assert ran.out.count("mended:") == len(MENDED)
    assert ran.code == 0


def test_which_medicine_is_meant_is_never_guessed(root: Path) -> None:
    path = lay(root, "rules/interactions/broken.yaml", RULE % "drug.warfrin")
    ran = medsafe("lint", root, "--fix")
    assert "drug.warfrin" in path.read_text(encoding="utf-8")
    assert "did you mean `drug.warfarin`?" in ran.out
    assert ran.code == 3


def test_without_being_asked_nothing_is_written(root: Path) -> None:
    path = lay(root, "rules/interactions/broken.yaml", RULE % "drug.warfarin")
    medsafe("lint", root)
    assert path.read_text(encoding="utf-8") == RULE % "drug.warfarin"


def test_a_file_with_the_other_ending_of_yaml_is_renamed(root: Path) -> None:
    (root / "kb/labs/egfr.yaml").rename(root / "kb/labs/egfr.yml")
    assert medsafe("lint", root, "--fix").code == 0
    assert (root / "kb/labs/egfr.yaml").is_file()


def test_a_mark_stands_below_the_word_and_json_says_what_would_mend_it(root: Path) -> None:
    lay(root, "rules/interactions/broken.yaml", (RULE % "drug.warfarin").replace("interaction.other", "interaction.broken"))
    lines = medsafe("lint", root).out.splitlines()
    at = next(n for n, line in enumerate(lines) if "K101" in line)
    assert lines[at + 1 : at + 3] == ["    5 | severty: majr     # how loud", "      | ^~~~~~~"]
    rows = [json.loads(line) for line in medsafe("lint", root, "--json").out.splitlines()]
    assert next(r for r in rows if r["code"] == "K101")["fix"] == "severity"


def test_a_file_of_the_knowledge_is_never_taken_for_one_of_the_same_name_where_the_user_stands(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = lay(tmp_path / "here", "rules/interactions/broken.yaml", RULE % "drug.warfarin")
    monkeypatch.chdir(tmp_path / "here")
    lay(root, "rules/interactions/broken.yaml", RULE % "drug.warfarin")
    medsafe("lint", root, "--fix")
    assert here.read_text(encoding="utf-8") == RULE % "drug.warfarin"


def test_a_file_of_an_overlay_that_is_named_by_a_dot_is_the_overlays(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("safety.engine", "safety.cli.lint"):
        monkeypatch.setattr(f"{module}.base_folder", lambda: root)
    here = lay(tmp_path / "site", "rules/interactions/warfarin-nsaid.yaml", "id: interaction.warfarin-nsai\nseverity: minor\n")
    monkeypatch.chdir(tmp_path / "site")
    ours = (root / "rules/interactions/warfarin-nsaid.yaml").read_bytes()
    medsafe("lint", ".", "--fix")
    assert here.read_text(encoding="utf-8").startswith("id: interaction.warfarin-nsaid\n")
    assert (root / "rules/interactions/warfarin-nsaid.yaml").read_bytes() == ours


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r\x85\u2028\u2029\v\f\x1c\x1d\x1e"), max_size=300),
    st.integers(1, 310),
    st.integers(20, 120),
)
def test_a_line_with_its_mark_stays_within_the_width_and_marks_the_column(line: str, column: int, width: int) -> None:
    shown = in_its_line(Place("x", 1, column), line + "\n", width)
    assert all(len(one) <= width for one in shown)
    if shown and column <= len(line):
        text, mark = (one[8:] for one in shown)
        at = mark.index("^")
        if at < len(text) and text[at] != "…":
            assert text[at] == line[column - 1].replace("\t", " ")


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Z")), min_size=1), st.sampled_from((None, "'", '"')))
def test_a_word_that_is_written_is_read_as_it_was(text: str, style: str | None) -> None:
    assert yaml.safe_load(f"[{as_written(text, style)}]") == [text]


WORDS = st.lists(st.sampled_from(("alpha", "beta", "gamma", "delta")), min_size=1, max_size=8)


@given(WORDS, st.data())
def test_mending_one_word_of_a_list_leaves_the_others(words: list[str], data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(words) - 1))
    text = "list:\n" + "".join(f"  - {w}   # {w}\n" for w in words)
    after, done = mend_text(text, [Problem(Place("x", n + 2, 5), "K601", "", "", "omega")])
    assert len(done) == 1
    assert yaml.safe_load(after)["list"] == [*words[:n], "omega", *words[n + 1 :]]
    assert after.count("#") == len(words)


def test_a_near_word_is_taken_only_where_it_is_the_only_one() -> None:
    assert only_near("majr", ["major", "minor"]) == "major"
    assert only_near("mojor", ["major", "mijor"]) == ""
    assert only_near("dreadful", ["major", "minor"]) == ""
