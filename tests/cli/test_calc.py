"""`medsafe calc`: what it prints, and its exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from broken.laying import copy_of_base, lay
from conftest import REPO

from cli.running import medsafe
from safety.knowledge.collecting import FOLDERS

CRCL = ("age=72 y", "sex=female", "weight=81 kg", "height=165 cm", "creatinine=1.4 mg/dL")
TABLE = """\
id: factors.made-up
title: made-up equivalents
unit: units/day
edition: "1"
factors:
  - {drug: drug.ibuprofen, route: oral, per: 1 mg/d, factor: 0.5}
  - {drug: drug.diclofenac, route: oral, per: 1 mg/d, factor: 2}
  - {drug: drug.diclofenac, route: rectal, per: 1 mg/d, factor: 3}
evidence:
  - {source: source.a-label, grade: label, supports: [factors], checked: {how: recalled, on: 2026-11-20}}
"""


@pytest.fixture(autouse=True)
def base_with_units(small_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small base with the checkout's units and a table of factors of its own."""
    root = copy_of_base(tmp_path)
    shutil.copy(REPO / "kb" / "units.yaml", root / "kb" / "units.yaml")
    # until the library reads the folder, the file's name hides it from lint
    lay(root, f"kb/factors/{'' if 'kb/factors' in FOLDERS else '.'}made-up.yaml", TABLE)
    for module in ("safety.engine", "safety.cli.author", "safety.cli.lint", "safety.knowledge.collecting"):
        monkeypatch.setattr(f"{module}.base_folder", lambda: root)
    return root


def answer(*args: str) -> dict[str, Any]:
    ran = medsafe("calc", *args, "--json")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_a_clearance_is_printed_with_its_weight_formula_and_source() -> None:
    ran = medsafe("calc", "crcl", *CRCL)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "creatinine clearance (Cockcroft-Gault): 38 mL/min"
    text = " ".join(ran.out.split())
    assert "weight used 66.5 kg (adjusted weight, because the body mass index is 25 or above)" in text
    assert "Nephron 1976;16:31-41" in text
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_json_holds_the_value_as_it_is_shown_and_exactly() -> None:
    got = answer("crcl", *CRCL)
    assert got["value"] == "38 mL/min"
    assert got["exact"].startswith("38.158")
    assert got["formula"]["edition"] == "1976"
    assert {u["name"] for u in got["used"]} >= {"age", "sex", "weight", "height", "creatinine", "weight used"}


def test_a_missing_input_is_named_and_the_exit_code_is_4() -> None:
    ran = medsafe("calc", "crcl", *CRCL[:3])
    assert ran.code == 4
    assert "cannot be said" in ran.out
    assert [line.split()[1] for line in ran.out.splitlines() if line.startswith("  missing")] == ["creatinine", "height"]


def test_what_is_not_believable_is_refused_with_exit_code_4() -> None:
    ran = medsafe("calc", "crcl", *CRCL[:4], "creatinine=140 mg/dL")
    assert ran.code == 4
    assert "creatinine 140 mg/dL is outside" in ran.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("crlc",), "did you mean `crcl`?"),
        (("crcl", "creatinin=1 mg/dL"), "did you mean `creatinine`?"),
        (("crcl", "creatinine"), "is not KEY=VALUE"),
        (("crcl", "creatinine=1.4"), 'write it as creatinine="1.4 mg/dL"'),
        (("crcl", "creatinine=1 mg/dL", "creatinine=2 mg/dL"), "given 2 times"),
        (("crcl", "sex=f"), "one of: female, male"),
        (("made-up", "dose=20 mg/d"), "cannot be read"),
        (("made-up", "dose=flurbozide 20 mg/d"), "not one drug that we know"),
    ],
)
def test_a_slip_of_the_caller_is_told_with_exit_code_2(args: tuple[str, ...], said: str) -> None:
    ran = medsafe("calc", *args)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())


def test_a_table_of_factors_adds_up_what_is_taken() -> None:
    got = answer("made-up", "dose=ibuprofen 400 mg/d", "dose=Diclofenac rectal 50 mg/d")
    assert got["value"] == "350 units/day"
    ran = medsafe("calc", "made-up", "dose=diclofenac 50 mg/d")
    assert ran.code == 4
    assert "route of diclofenac" in ran.out
    assert medsafe("calc", "made-up").code == 4


def test_a_table_of_factors_sets_one_drug_beside_another() -> None:
    told = ("dose=100 mg", "drug=diclofenac", "route=oral", "to=ibuprofen")
    assert answer("made-up-to", *told, "to-route=oral")["value"] == "400 mg"
    ran = medsafe("calc", "made-up-to", *told)
    assert ran.code == 4
    assert "route to convert to" in ran.out


def test_without_a_formula_all_are_listed() -> None:
    ran = medsafe("calc")
    assert ran.code == 0
    for line in (
        "crcl: creatinine clearance (Cockcroft-Gault)",
        "  age, sex, weight, height, creatinine, rule?",
        "made-up: made-up equivalents",
    ):
        assert line in ran.out.splitlines()
    rows = medsafe("calc", "--json").rows
    assert {"crcl", "egfr", "meld-3", "made-up", "made-up-to"} <= {r["formula"] for r in rows}
    assert all(r["inputs"] for r in rows)


def test_without_colour_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in medsafe("calc", "crcl", *CRCL).out
