"""The engine against a second, plain reading of the rule language: a small fixed sample; `tools/oracle.py` runs the long one."""

from __future__ import annotations

import pytest
from conftest import REPO

from oracle.comparing import Difference, Oracle, differences
from oracle.files import Files
from oracle.making import Maker
from safety.engine import Engine
from safety.knowledge.library import Library

_PATIENTS = 150


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    """The oracle over the files of this checkout."""
    return Oracle(Files(REPO))


def test_both_know_the_same_entries(oracle: Oracle, library: Library) -> None:
    """What is in force, unfolded from rows, pairs and pathways by each by itself."""
    ours = {*oracle.files.rules, *oracle.files.doses}
    assert ours == {entry.id for entry in library.entries if entry.status == "active"}


def test_rules_say_the_same_of_made_patients(oracle: Oracle, engine: Engine) -> None:
    """On the edge of a rule: verdict, severity, entries and what is missing, of every rule that may speak."""
    maker, ids = Maker(oracle.files, 1), sorted(oracle.files.rules)
    found: list[Difference] = []
    spoke = 0
    for _ in range(_PATIENTS):
        compared = differences(engine, oracle, maker.on_edge_of(oracle.files.rules[maker.pick(ids)]))
        if compared is not None:
            found += compared[0]
            spoke += compared[1]
    assert spoke > _PATIENTS
    assert [(d.rule, d.kind) for d in found if d.rule not in oracle.files.doses] == []
