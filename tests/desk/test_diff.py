"""What differs between two versions of the knowledge, and whose answer flips."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from broken.laying import compiled_over
from click.testing import CliRunner
from desk.kept import DAY, Files, between, clean, of_one, place_of, write

from safety.answering.checker import Checker
from safety.cli.main import cli
from safety.desk.flips import flips, in_order
from safety.desk.reached import reach
from safety.desk.versions import changes, other_changes
from safety.knowledge.library import Library
from safety.reading.case import read_case

GREEKS = place_of("interaction.greeks-gammapril")
ULCER = {"has": "condition.ulcer"}


def library(change: Callable[[Files], None] = lambda _: None) -> Library:
    files = deepcopy(clean())
    change(files)
    with TemporaryDirectory(prefix="diff") as folder:
        compiled = compiled_over(write(Path(folder) / "k", files))
    assert not compiled.problems, "\n".join(map(str, compiled.problems))
    return compiled.library


def milder(files: Files) -> None:
    files[GREEKS]["severity"] = "moderate"


def fewer(files: Files) -> None:
    files[GREEKS]["condition"][0]["drug"] = {"id": "drug.alphadine", "as": "it"}


def higher(files: Files) -> None:
    files["kb/doses/alphadine.yaml"]["ranges"] = [{"id": "usual", "day": {"at_most": "200 mg"}}]


def taken_out(files: Files) -> None:
    del files[place_of("contraindication.betadorm")]


LOOSER = {
    milder: "interaction.greeks-gammapril", fewer: "interaction.greeks-gammapril", higher: "dose.alphadine",
    taken_out: "contraindication.betadorm",
}  # fmt: skip


def ways(old: Library, new: Library) -> dict[str, str]:
    return {c.id: c.way for c in changes(old, new)}


def test_the_same_knowledge_differs_in_nothing() -> None:
    assert changes(library(), library()) == []
    assert other_changes(library(), library()) == []


@pytest.mark.parametrize("change", LOOSER, ids=lambda change: change.__name__)
def test_what_is_looser_one_way_is_stricter_the_other_way(change: Callable[[Files], None]) -> None:
    before, after = library(), library(change)
    rule = LOOSER[change]
    assert ways(before, after) == {rule: "gone" if change is taken_out else "looser"}
    assert ways(after, before) == {rule: "new" if change is taken_out else "stricter"}


def test_other_words_and_other_sources_are_told_apart() -> None:
    def words(files: Files) -> None:
        files[GREEKS]["rationale"]["summary"] = "Because of something else."

    def sources(files: Files) -> None:
        files[GREEKS]["evidence"] = files[GREEKS]["evidence"][:1]

    assert ways(library(), library(words)) == {"interaction.greeks-gammapril": "words"}
    assert ways(library(), library(sources)) == {"interaction.greeks-gammapril": "evidence"}
    (told,) = changes(library(), library(sources))
    assert told.says == ("no longer cites source.two",)


def test_another_question_to_the_patient_is_a_change() -> None:
    def asks(files: Files) -> None:
        files[place_of("contraindication.betadorm")]["condition"][1] = {"has": {"any_of": ["condition.ulcer"], "ever": True}}

    assert ways(library(), library(asks)) == {"contraindication.betadorm": "changed"}


def test_a_rule_by_another_id_is_the_same_rule() -> None:
    def renamed(files: Files) -> None:
        rule = files.pop(GREEKS)
        files[place_of("interaction.renamed")] = {**rule, "id": "interaction.renamed", "was": ["interaction.greeks-gammapril"]}

    assert set(ways(library(), library(renamed)).values()) <= {"changed", "words"}
    assert "gone" not in ways(library(), library(renamed)).values()


def test_facts_that_differ_are_named_with_their_fields() -> None:
    def facts(files: Files) -> None:
        files["kb/conditions/ulcer.yaml"]["synonyms"] = ["sore"]
        files["kb/sources/three.yaml"] = {"id": "source.three", "title": "The third source", "type": "consensus"}

    told = {(o.id, o.way, o.fields) for o in other_changes(library(), library(facts))}
    assert told == {("condition.ulcer", "changed", ("synonyms",)), ("source.three", "new", ())}


CASES = {
    "both": ["alphadine 10 mg oral daily", "gammapril 10 mg oral daily"], "beta": ["betadorm 10 mg oral daily"],
    "high": ["alphadine 150 mg oral daily"],
}  # fmt: skip


def test_the_patients_whose_answer_flips_are_found_looser_first() -> None:
    def both(files: Files) -> None:
        taken_out(files)
        rule = of_one("contraindication.more", "drug.gammapril", {"not": ULCER})
        files[place_of("contraindication.more")] = rule

    patients = [
        (name, read_case({"id": name, "patient": {"medications": m, "conditions": ["ulcer"] if name == "beta" else [],
                                                  "allergies": []}}))
        for name, m in CASES.items()
    ]  # fmt: skip
    old, new = Checker(library(), "test"), Checker(library(both), "test")
    found = in_order(flips(patients, old, new, DAY))
    assert [(f.name, f.looser) for f in found] == [("beta", True), ("both", False)]
    assert found[0].silent == ("contraindication.betadorm",)
    assert found[1].new == ("contraindication.more",)
    back = {f.name: f for f in flips(patients, new, old, DAY)}
    assert back["beta"].new == found[0].silent
    assert back["both"].silent == found[1].new


def test_the_command_compares_folders_and_drafts_the_changelog(tmp_path: Path) -> None:
    files = clean()
    write(tmp_path / "old", files)
    milder(files)
    files[place_of("interaction.more")] = between("interaction.more", "drug.betadorm", "drug.epsilox", severity="minor",
                                                  action={"do": "monitor", "advice": "Look."})  # fmt: skip
    write(tmp_path / "new", files)
    patients = tmp_path / "cases.jsonl"
    patients.write_text(json.dumps({"id": "one", "as_of": str(DAY), "patient": {"medications": CASES["both"]}}) + "\n")
    run = CliRunner()
    both = [str(tmp_path / "old"), str(tmp_path / "new")]
    told = run.invoke(cli, ["diff", *both, "--cohort", str(patients)], standalone_mode=False)
    assert told.return_value == 1
    assert told.output.index("LOOSER") < told.output.index("NEW")
    assert "one: violated, looser" in told.output
    assert all(len(line) <= 80 for line in told.output.splitlines())
    draft = run.invoke(cli, ["diff", *both, "--md"], standalone_mode=False)
    assert draft.output.splitlines()[0] == "### Knowledge"
    assert "major to moderate" in draft.output
    same = run.invoke(cli, ["diff", str(tmp_path / "new"), str(tmp_path / "new")], standalone_mode=False)
    assert (same.return_value, same.output.strip()) == (0, "Nothing differs.")


def test_what_is_no_version_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "old", clean())
    told = CliRunner().invoke(cli, ["diff", "--", str(tmp_path / "old"), "no-such-revision"])
    assert told.exit_code != 0
    assert "no version" in str(told.exception)


def test_nobody_but_whom_a_change_can_reach_is_checked_and_no_flip_is_missed() -> None:
    patients = {
        "both": ["alphadine 10 mg oral daily", "gammapril 10 mg oral daily"], "one": ["alphadine 10 mg oral daily"],
        "other": ["epsilox 10 mg oral daily"], "none": [],
    }  # fmt: skip
    cases = [(name, read_case({"patient": {"medications": told, "conditions": ["ulcer"]}})) for name, told in patients.items()]
    was = library()
    for change in (milder, taken_out):
        now = library(change)
        old, new, within = Checker(was, "1"), Checker(now, "1"), reach(was, now)
        assert list(flips(cases, old, new, DAY, within)) == list(flips(cases, old, new, DAY))
    assert [name for name, case in cases if reach(was, library(milder)).meets(case, DAY, Checker(was, "1"))] == ["both", "one"]
    assert reach(was, was).medicines == frozenset()
    assert not reach(was, was).anybody
