"""The cases that are written inside rules, many files a test.

There are tens of thousands: as a test each they take longer to be counted than to be run. With every change `medsafe lint`
and `medsafe test`, which `make test` runs before these tests, try every one of them; here they are tried again by `make search`.
"""

from __future__ import annotations

from functools import cache

import pytest
from conftest import compiled, thorough

from safety.answering.checker import Checker
from safety.answering.proof import run, unproved
from safety.engine import Engine
from safety.knowledge.library import Entry
from safety.knowledge.proofs import Proof

FOUND = compiled()
PROOFS = [p for p in FOUND.proofs if p.entry in FOUND.library.entry and FOUND.library.entry[p.entry].status == "active"]
CASES: dict[str, list[Proof]] = {}
for _proof in PROOFS:
    CASES.setdefault(_proof.entry, []).append(_proof)
FOLDERS: dict[str, list[Entry]] = {}
for _entry in FOUND.library.entries:
    if _entry.id in CASES:
        FOLDERS.setdefault(_entry.place.partition(":")[0].rpartition("/")[0], []).append(_entry)


@cache
def checker() -> Checker:
    return Checker(FOUND.library, "test")


def test_the_knowledge_compiles_without_a_problem() -> None:
    assert "\n".join(str(p) for p in FOUND.problems) == ""


@pytest.mark.parametrize("folder", thorough(sorted(FOLDERS)))
def test_the_cases_written_in_a_folder_come_out_as_medicine_asks(folder: str) -> None:
    outcomes = run((proof for entry in FOLDERS[folder] for proof in CASES[entry.id]), checker())
    assert [f"{o.proof.place} {o.proof.entry}: {o.proof.name}: {o.wrong}" for o in outcomes if o.wrong] == []


@pytest.mark.parametrize("folder", thorough(sorted(FOLDERS)))
def test_each_number_of_a_rule_is_tried_at_the_number_and_beyond(folder: str) -> None:
    assert [str(p) for entry in FOLDERS[folder] for p in unproved(entry, CASES[entry.id], checker())] == []


def test_every_active_rule_has_cases(engine: Engine) -> None:
    assert [e.id for e in engine.library.entries if e.status == "active" and e.id not in CASES] == []
