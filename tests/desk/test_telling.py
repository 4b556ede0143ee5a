"""A rule in sentences: whatever the rule, no word of the files is left in them, and a patient is never told to act alone."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import get_args

import pytest
from click.testing import CliRunner
from conftest import examples

from safety.cli.main import cli
from safety.desk.telling import _SAY, ALONE, EMERGENCY, in_names, told, would_speak
from safety.engine import Engine
from safety.knowledge.leaves import LeafType
from safety.knowledge.library import Library
from safety.reading.case import read_case

_INTERNAL = re.compile(r"\b(?:drug|class|condition|harm|lab|source|procedure|device|food|gene)\.[a-z]|[{}\[\]]|\bNone\b|  | ,|_")


def test_every_line_that_a_rule_may_ask_has_words() -> None:
    assert set(_SAY) == set(get_args(LeafType))


@pytest.mark.parametrize("start", range(examples(3) if examples(30) == 30 else 1))
def test_no_rule_is_told_in_the_words_of_its_file(library: Library, start: int) -> None:
    step = 3 if examples(30) == 30 else 12
    for entry in list(library.entries)[start::step]:
        made = told(entry, library)
        own = (entry.advice, entry.why, entry.if_unavoidable, *(c.because for c in entry.severity_when))
        for label, text in made.plain:
            if label not in ("do", "why", "or else", "known by", "signed") and not any(text.endswith(o) for o in own if o):
                assert not _INTERNAL.search(text.partition("(medsafe show")[0]), (entry.id, label, text)
        for text in made.patient:
            assert not _INTERNAL.search(text), (entry.id, text)


def test_a_patient_is_told_what_can_happen_and_to_ask(library: Library) -> None:
    for entry in list(library.entries)[:: 3 if examples(30) == 30 else 12]:
        text = told(entry, library).patient
        assert text[0].startswith("This matters if you ")
        assert text[-1] == ALONE
        assert any(line.startswith("It can cause ") for line in text)
        urgent = entry.escalate == "emergency"
        assert (EMERGENCY in text) is urgent
        soon = any("today" in line for line in text)
        assert soon is (not urgent and entry.severity in ("contraindicated", "major")), entry.id


def test_every_harm_has_a_word_for_patients(library: Library) -> None:
    assert [harm.id for harm in library.harms if not harm.plain] == []


def test_a_pair_in_words(library: Library) -> None:
    made = told(library.entry["interaction.warfarin-nsaid"], library)
    plain = dict(made.plain)
    assert plain["about"].startswith("People who take warfarin and take nonsteroidal anti-inflammatory drugs (such as ")
    assert plain["about"].endswith("by mouth, by injection or in the rectum.")
    assert plain["then"] == (
        "They should not take warfarin and nonsteroidal anti-inflammatory drugs together, unless a specialist has decided so."
    )
    assert "It can cause serious bleeding." in made.patient


def test_texts_name_what_a_slot_is_and_two_of_a_class_are_two(library: Library) -> None:
    nsaid, two = library.entry["interaction.warfarin-nsaid"], library.entry["interaction.two-anticoagulants"]
    assert in_names(nsaid, library)(nsaid.advice).startswith("Replace the nonsteroidal anti-inflammatory drug with ")
    assert in_names(nsaid, library, "drug.naproxen")(nsaid.advice).startswith("Replace naproxen with ")
    plain = dict(told(two, library).plain)
    assert plain["about"].startswith("People who take two anticoagulants (such as ")
    assert "which of the one anticoagulant and the other anticoagulant" in plain["do"]
    must_have = dict(told(library.entry["monitoring.blood-count.capecitabine"], library).plain)["then"]
    assert must_have.startswith("They should have had ")


def test_a_rule_that_was_silent_says_for_whom_it_would_go_on(engine: Engine) -> None:
    medicines = ["warfarin 5 mg oral daily", "diclofenac 1% gel topical twice daily"]
    judged = engine.why("interaction.warfarin-nsaid", read_case({"patient": {"medications": medicines}}), date(2026, 11, 28))
    assert judged.verdict == "not_applicable"
    assert would_speak(judged, engine.library).startswith("It would go on for people who take nonsteroidal anti-inflammatory")
    medicines[1] = "ibuprofen 400 mg oral daily"
    spoke = engine.why("interaction.warfarin-nsaid", read_case({"patient": {"medications": medicines}}), date(2026, 11, 28))
    assert would_speak(spoke, engine.library) == ""


def test_explain_tells_a_rule_a_table_and_a_code() -> None:
    run = CliRunner()
    one = run.invoke(cli, ["explain", "interaction.warfarin-nsaid", "--json"], standalone_mode=False)
    assert set(json.loads(one.output)) == {"rule", "plain", "patient"}
    rows = run.invoke(cli, ["explain", "otc.acetaminophen", "--patient"], standalone_mode=False)
    assert "otc.acetaminophen.adult-day" in rows.output
    assert max(map(len, rows.output.splitlines())) <= 80
    assert "K301" in run.invoke(cli, ["explain", "k301"], standalone_mode=False).output
    assert run.invoke(cli, ["explain", "interaction.no-such"], standalone_mode=False).exception is not None
