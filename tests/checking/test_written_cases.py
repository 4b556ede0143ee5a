"""Each case that is written inside a rule, one test each."""

from __future__ import annotations

from functools import cache

import pytest
from conftest import compiled

from safety.answering.checker import Checker
from safety.answering.proof import run, unproved
from safety.engine import Engine
from safety.knowledge.library import Entry
from safety.knowledge.proofs import Proof

FOUND = compiled()
PROOFS = [p for p in FOUND.proofs if p.entry in FOUND.library.entry and FOUND.library.entry[p.entry].status == "active"]
ENTRIES = [e for e in FOUND.library.entries if e.status == "active"]


@cache
def checker() -> Checker:
    return Checker(FOUND.library, "test")


def test_the_knowledge_compiles_without_a_problem() -> None:
    assert "\n".join(str(p) for p in FOUND.problems) == ""


@pytest.mark.parametrize("proof", PROOFS, ids=[f"{p.entry}: {p.name}" for p in PROOFS])
def test_a_written_case_comes_out_as_medicine_asks(proof: Proof) -> None:
    (outcome,) = run([proof], checker())
    assert outcome.wrong == "", f"{proof.place}: {outcome.wrong}"


@pytest.mark.parametrize("entry", ENTRIES, ids=[e.id for e in ENTRIES])
def test_each_number_of_a_rule_is_tried_at_the_number_and_beyond(entry: Entry) -> None:
    missing = unproved(entry, [p for p in PROOFS if p.entry == entry.id], checker())
    assert "\n".join(str(p) for p in missing) == ""


def test_every_active_rule_has_cases(engine: Engine) -> None:
    carried = {p.entry for p in PROOFS}
    assert [e.id for e in engine.library.entries if e.status == "active" and e.id not in carried] == []
