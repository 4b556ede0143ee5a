"""What labels forbid and is not told has a reason, and the reason comes true: the facts it gives are answered, loudly enough."""

from __future__ import annotations

import csv
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import REPO, loaded


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("label_gaps_tool", REPO / "tools" / "label_gaps.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = tool
    spec.loader.exec_module(tool)
    return tool


TOOL = _tool()
ENGINE = loaded()
FORBIDDEN = {"drug": "warfarin", "about": "pregnancy"}


def untrue(row: dict[str, Any], tmp_path: Path) -> list[str]:
    """What is wrong with a file of this one row."""
    path = tmp_path / "gaps.yaml"
    path.write_text(json.dumps({"gaps": [row]}))
    found, wrong = TOOL.reasons(path)
    return [*wrong, *(problem for reason in found.values() if (problem := TOOL.untrue(ENGINE, reason)))]


def test_every_reason_is_whole_and_comes_true() -> None:
    found, wrong = TOOL.reasons()
    assert wrong == []
    assert [problem for reason in found.values() if (problem := TOOL.untrue(ENGINE, reason))] == []
    assert found


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"because": "softer", "held": ["interaction.no-such-rule"], "note": "why"}, "interaction.no-such-rule is not held"),
        (
            {"because": "softer", "held": ["interaction.simvastatin.ticagrelor"], "note": "why"},
            "interaction.simvastatin.ticagrelor",
        ),
        ({"because": "softer", "note": "why"}, "say by what it is held"),
        ({"because": "it seemed right", "note": "why"}, "say why with one of"),
        ({"because": "harm"}, "say why in a note"),
        ({"because": "other facts", "held": ["pregnancy.teratogens.warfarin"], "note": "why"}, "say by which facts"),
        (
            {"because": "other facts", "held": ["pregnancy.teratogens.warfarin"], "given": {"pregnancy": "no"}, "note": "why"},
            "the facts given are answered with",
        ),
    ],
)
def test_a_reason_that_does_not_hold_is_told(row: dict[str, Any], problem: str, tmp_path: Path) -> None:
    assert [told for told in untrue(FORBIDDEN | row, tmp_path) if told.startswith(problem)]


def test_a_reason_whose_facts_are_answered_is_true(tmp_path: Path) -> None:
    given = {"age": "30 y", "pregnancy": "yes"}
    row = FORBIDDEN | {"because": "other facts", "held": ["pregnancy.teratogens.warfarin"], "given": given, "note": "told so"}
    assert untrue(row, tmp_path) == []


def test_what_is_only_to_be_watched_is_true_once_it_is_shown(tmp_path: Path) -> None:
    row = {
        "drug": "warfarin",
        "about": "letermovir",
        "because": "other facts",
        "held": ["interaction.vitamin-k-antagonists.label-asks-for-inr"],
    }
    row |= {"given": {"route": "oral"}, "note": "told so"}
    assert untrue(row, tmp_path)
    assert untrue(row | {"loud": "moderate"}, tmp_path) == []


def test_a_row_stands_for_each_of_its_medicines_with_each_of_what_it_is_about(tmp_path: Path) -> None:
    path = tmp_path / "gaps.yaml"
    path.write_text(json.dumps({"gaps": [{"drug": ["a", "b"], "about": ["x", "y"], "because": "harm", "note": "why"}]}))
    found, wrong = TOOL.reasons(path)
    assert [*found] == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    assert wrong == []


def test_what_is_open_is_named_and_a_medicine_without_a_monograph_is_counted_apart(tmp_path: Path) -> None:
    columns = ["drug", "about", "level", "section", "label", "answer", "by", "sentence"]
    rows = [
        ("warfarin", "aspirin", "major", "told"),
        ("warfarin", "water", "major", "silent"),
        ("warfarin", "air", "contraindicated", "softer"),
        ("warfarin", "salt", "moderate", "silent"),
        ("no such medicine", "water", "major", "silent"),
        ("no such medicine", "air", "major", "clear"),
    ]
    path = tmp_path / "gaps.csv"
    with path.open("w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, columns, restval="")
        writer.writeheader()
        writer.writerows({"drug": d, "about": a, "level": level, "answer": answer} for d, a, level, answer in rows)
    lines = [line for line in TOOL.counted(ENGINE, [path]) if not line.startswith("for nothing")]
    assert [line.split(" |")[0] + line.split(" |")[1] for line in lines if " | " in line] == [
        "warfarin water",
        "warfarin air",
        "no such medicine air",
    ]
    assert [line for line in lines if line.startswith("# major")] == [
        "# major: 4 rows, 1 of medicines without a monograph; of 3: 1 told, 0 other facts, 0 softer, 0 shows itself, 0 noise;"
        " open: 1 silent, 1 clear; told or reasoned 33.3 %"
    ]
