"""The coverage ledger: a label that was read vouches for what it does not state, and for nothing that was not read."""

from __future__ import annotations

import importlib.util
from types import ModuleType
from typing import Any

import pytest
from conftest import REPO, SHARED, loaded
from small_kb import DAY, READ, WHOLE, avoid, small

from safety.knowledge.label_sections import SECTIONS, stated_in

TAKEN = {"drug": "alphadine", "dose": "10 mg", "frequency": "once daily"}
ALWAYS = ["interaction", "contraindication", "dose", "allergy", "kidney"]
"""What matters to this man, whose kidneys nobody told of; the route of alphadine is known, as it is swallowed only."""


def lacks(taken: dict[str, Any] = TAKEN, ledgers: dict[str, Any] | None = None, **changes: Any) -> list[str]:
    """The checks that cannot be made of alphadine, with the ledger of a label read whole and these changes to it."""
    written = {"alphadine": {**READ, **changes}} if ledgers is None else ledgers
    engine = small(avoid({"has": "condition.ulcer"}, drug="drug.betadorm"), coverage=written)
    report = engine.check({"patient": {**WHOLE, "medications": [taken]}}, DAY)
    return report.not_covered[0].lacks if report.not_covered else []


def saying(section: str, **statement: Any) -> dict[str, Any]:
    """The sections of a label that states one thing."""
    return {**READ["sections"], section: [{"says": "something", **statement}]}


def test_a_label_read_whole_with_nothing_to_state_vouches_for_every_check() -> None:
    assert lacks(ledgers={}) == ALWAYS
    assert lacks() == []


@pytest.mark.parametrize("section", SECTIONS["prescription"])
def test_a_section_that_was_not_read_vouches_for_no_check_that_it_may_speak_of(section: str) -> None:
    sections = {name: value for name, value in READ["sections"].items() if name != section}
    assert lacks(sections=sections, unread=[section]) == [check for check in ALWAYS if section in stated_in(check)]


@pytest.mark.parametrize(
    ("reason", "open_"),
    [
        ("beyond the engine for now", ["interaction", "dose"]),
        ("not a fact a record tells", []),
        ("no action for the reader", []),
        ("told by another line", []),
    ],
)
def test_only_what_is_beyond_the_engine_leaves_a_hole_for_the_checks_that_it_names(reason: str, open_: list[str]) -> None:
    assert lacks(sections=saying("warnings", **{"for": ["interaction", "dose"], "left_out": reason})) == open_


def test_a_statement_matters_only_to_those_whom_its_checks_matter_to() -> None:
    assert lacks(sections=saying("pregnancy", **{"for": "pregnancy", "left_out": "beyond the engine for now"})) == []
    assert lacks(sections=saying("kidney", **{"for": "kidney", "left_out": "beyond the engine for now"})) == ["kidney"]


def test_the_label_of_one_route_says_nothing_of_another() -> None:
    fen = {"drug": "drug.deltafen", "evidence": READ["evidence"], "sections": READ["sections"], "routes": ["topical"]}
    applied = {"drug": "deltafen", "route": "topical", "supply": "prescription", "dose": "1 g", "frequency": "once daily"}
    assert lacks(applied, {"deltafen": fen}) == []
    assert lacks({**applied, "route": "oral"}, {"deltafen": fen}) == ALWAYS
    assert lacks({**applied, "route": "oral"}, {"deltafen-gel": fen, "deltafen": {**fen, "routes": ["oral"]}}) == []


def test_a_prescription_label_says_nothing_of_what_is_bought() -> None:
    fen = {"drug": "drug.deltafen", "evidence": READ["evidence"], "sections": READ["sections"]}
    bought = {"drug": "deltafen", "route": "oral", "supply": "otc", "dose": "100 mg", "frequency": "once daily"}
    assert lacks(bought, {"deltafen": fen}) == ["interaction", "contraindication", "dose", "allergy", "kidney", "otc"]
    facts = {**fen, "sections": dict.fromkeys(SECTIONS["otc"], "nothing")}
    assert lacks(bought, {"deltafen-otc": facts}) == []


@pytest.mark.skipif(not (SHARED / "labels").is_dir(), reason="the label library is not beside the project")
def test_a_draft_names_every_section_and_is_no_ledger() -> None:
    printed = [*_tool()._draft(loaded(), "furosemide", None)]
    assert [line.strip().removesuffix(": TO BE JUDGED") for line in printed if line.endswith(": TO BE JUDGED")] == [
        *SECTIONS["prescription"]
    ]
    assert any("lithium" in line for line in printed)
    assert "#   lithium: interaction.lithium-loop-spironolactone moderate" in printed


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ledger_tool", REPO / "tools" / "ledger.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool
