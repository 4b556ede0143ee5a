"""A line of a chart that was cut off anywhere, or lost a word, is read: nothing about a patient raises."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from conftest import REPO

from safety.engine import Engine
from safety.model.patient import Medication

PROBLEMS = REPO / "tests" / "checking" / "problem_lines_sixth.jsonl"
MEDICINES = REPO / "tests" / "dosing" / "medication_lines_sixth.jsonl"


def cut(line: str) -> Iterator[str]:
    """Every beginning and end of a line, and the line without each of its words."""
    words = line.split()
    for n in range(1, len(words)):
        yield from (" ".join(words[:n]), " ".join(words[n:]), " ".join(words[:n] + words[n + 1 :]))


def test_a_problem_line_is_read_wherever_it_ends(engine: Engine) -> None:
    lines = [json.loads(line)["text"] for line in PROBLEMS.read_text(encoding="utf-8").splitlines()]
    tried = 0
    for line in lines:
        for part in cut(line):
            for told in (part, f"no asthma, {part}"):
                assert engine.checker.terms.problems.read(told).text == told
                tried += 1
    assert tried > 1000


def test_a_medicine_line_is_read_wherever_it_ends(engine: Engine) -> None:
    lines = [json.loads(line)["text"] for line in MEDICINES.read_text(encoding="utf-8").splitlines()]
    read = [engine.checker.terms.meaning_of(Medication(part)) for line in lines for part in cut(line)]
    assert len(read) > 1000
    assert all(one.read.answer.status in ("match", "ambiguous", "unrecognised") for one in read)


@pytest.mark.parametrize(
    "line",
    ["no asthma, epilepsy on", "no HTN, epilepsy managed with", "denies HTN, seizures controlled on", "wo,sychotic eatures"],
)
def test_what_treats_a_disease_may_be_missing_at_the_end(engine: Engine, line: str) -> None:
    assert engine.check({"patient": {"conditions": [line]}}, "2026-11-30").verdict == "unknown"
