"""What `show` and `list` tell a person: in the words of the file, with nothing of the engine's own."""

from __future__ import annotations

import json
import re

import pytest
from cli.running import medsafe
from conftest import REPO

from safety.knowledge.library import Library


@pytest.mark.parametrize("i", ["product.percocet", "lab.potassium", "class.nsaids", "condition.gout", "panel.blood-pressure"])
def test_a_fact_is_shown_as_its_author_wrote_it(i: str) -> None:
    ran = medsafe("show", i)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == i
    assert max(map(len, lines)) <= 80
    assert not any(
        word in ran.out for word in ("error_prone", "low_in", "from_age", "presentat ", "other uni ", "None", "unsaid_from")
    )


def test_a_strength_reads_as_it_is_written() -> None:
    out = " ".join(medsafe("show", "product.percocet").out.split())
    assert (
        "presentations name: 5/325, form: tablet, per: 1 tablet, contains: (drug.oxycodone: 5 mg, drug.acetaminophen: 325 mg)"
        in out
    )


def test_a_medicine_tells_of_everything_that_is_held_of_it() -> None:
    out = " ".join(medsafe("show", "warfarin").out.split())
    for told in ("loud)", "medsafe list rules --drug 'warfarin'", "dose.warfarin", "effect.inr", "coverage.warfarin: read on"):
        assert told in out


def test_what_is_loud_and_was_read_by_nobody_is_one_command() -> None:
    rows = [json.loads(line) for line in medsafe("list", "rules", "--loud", "--checked", "unread", "--json").out.splitlines()]
    every = [json.loads(line) for line in medsafe("list", "rules", "--json").out.splitlines()]
    loud = [r["id"] for r in every if r["severity"] in ("contraindicated", "major") and r["checked"] != "read"]
    assert [r["id"] for r in rows] == loud
    assert loud


def test_rules_of_a_medicine_and_a_class_concern_both() -> None:
    found = {
        json.loads(line)["id"]
        for line in medsafe(
            "list", "--of-kind", "interaction", "--drug", "warfarin", "--class", "class.nsaids", "--json"
        ).out.splitlines()
    }
    assert "interaction.warfarin-nsaid" in found
    assert "interaction.ace-inhibitor-nsaid" not in found


def test_a_line_about_the_words_of_another_line_means_no_medicine_of_its_own() -> None:
    found = {
        json.loads(line)["id"] for line in medsafe("list", "--of-kind", "route", "--drug", "warfarin", "--json").out.splitlines()
    }
    assert "route.broken-up.u-500-in-an-insulin-syringe" not in found


def test_the_guide_s_examples_of_an_override_name_rules_that_are_there(library: Library) -> None:
    named = re.findall(r"^overrides: (\S+)", (REPO / "kb" / "README.md").read_text(encoding="utf-8"), re.M)
    assert named
    assert [i for i in named if i not in library.entry] == []
