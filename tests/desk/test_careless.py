"""What lint says of a careless rule: a rule that another covers, and each mistake in the line in which it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from broken.laying import compiled_over
from desk.kept import between, clean, write

from safety.desk.careless import careless
from safety.desk.overlapping import overlapping
from safety.knowledge.library import Library

_AB = "interaction.alphadine-gammapril"
_FILE = "rules/interactions/alphadine-gammapril.yaml"


def library(root: Path, **changes: Any) -> Library:
    """A clean library with one rule more, of one member of a class that has a rule."""
    files = clean()
    files[_FILE] = {**between(_AB, "drug.alphadine", "drug.gammapril"), **changes}
    return compiled_over(write(root / "k", files)).library


def told(root: Path, **changes: Any) -> set[str]:
    """The rules that another covers."""
    return {r.about for r in overlapping(library(root, **changes).entries)}


def test_a_pair_that_a_rule_of_its_class_covers_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, severity="minor") == {_AB}


@pytest.mark.parametrize(
    "changes",
    [
        {"severity": "contraindicated"},
        {"rationale": {"mechanism": "pharmacokinetic", "summary": "It is cleared more slowly."}},
        {
            "condition": [
                {"drug": {"id": "drug.alphadine", "as": "it", "or_stopped_within": "14 d"}},
                {"drug": {"id": "drug.gammapril", "as": "other"}},
            ]
        },
    ],
    ids=["louder", "by another mechanism", "after it was stopped, too"],
)
def test_a_rule_that_says_more_than_the_wider_one_is_left_alone(changes: dict[str, Any], tmp_path: Path) -> None:
    assert told(tmp_path, **changes) == set()


def test_a_mistake_is_shown_in_its_own_line(tmp_path: Path) -> None:
    text = [f"# {_FILE}: TODO", f"id: {_AB}", 'title: "TODO: the problem"', "condition:", "  - drug: {id: drug.alphadine}"]
    every = library(tmp_path, title="TODO: the problem")
    found = careless(every, _FILE, lambda _: text)
    assert {(p.code, p.place.line, p.place.column) for p in found} == {("K707", 3, 9), ("K711", 4, 1)}
    assert {p.place.line for p in careless(every, _FILE)} == {1}
