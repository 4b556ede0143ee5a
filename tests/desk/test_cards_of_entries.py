"""What `show` and `list` tell a person: in the words of the file, with nothing of the engine's own."""

from __future__ import annotations

import json

import pytest
from cli.running import medsafe


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
